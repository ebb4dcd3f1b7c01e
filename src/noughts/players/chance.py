"""The exact odds of a player's moves, from the very code that chooses them.

A player draws whatever it does at random from its `random`. So its distribution need not be written down a second
time: give it a source of chance that can be told how every draw comes out, run `choose` once for every way in which
the draws can come out, and add up the probabilities of those that end with the same move. (The same is done to
programs of probabilistic languages, where it is called exact inference by enumeration.)

Three kinds of draws can be followed: `choice` and `randrange`, all results alike, and `random() < p`, whatever p is. A
player that draws anything else, as a level does that varies how long its search thinks, can be sampled and not
enumerated; and a player whose search is stopped by the clock has no exact odds at all.
"""

from collections.abc import Callable, Sequence
from math import prod
from random import Random
from typing import Any, NoReturn, TypeVar

from noughts.games import NoughtsError

__all__ = ["NoOddsError", "enumerate_odds"]

Result = TypeVar("Result")
Element = TypeVar("Element")

MOST_RUNS = 10_000
"""Ways for the draws of one move to come out; a level has some dozens."""


class NoOddsError(NoughtsError):
    """A player whose moves can be sampled, but whose odds cannot be worked out."""


def enumerate_odds(choose: Callable[[Random], Result]) -> dict[Result, float]:
    """How likely a function of chance gives which result.

    Args:
        choose: Called many times, each time with another source of chance; whatever else it uses must stay the same.

    Returns:
        The probability of every result that can be had, more than 0; together 1.

    Raises:
        NoOddsError: If it draws in a way that cannot be enumerated, or if there are too many ways.
    """
    odds: dict[Result, float] = {}
    pending: list[list[int]] = [[]]
    runs = 0
    while pending:
        runs += 1
        if runs > MOST_RUNS:
            raise NoOddsError(f"its draws can come out in more than {MOST_RUNS:,} ways")
        chance = Foretold(pending.pop())
        result = choose(chance)
        odds[result] = odds.get(result, 0.0) + prod(chance.likely)
        # The draws beyond those foretold came out in the first way: the other ways are still to be seen.
        for draw in range(len(chance.foretold), len(chance.drawn)):
            pending += [[*chance.drawn[:draw], other] for other in range(1, chance.ways[draw])]
    return odds


class Foretold(Random):
    """A source of chance whose first draws come out as foretold, and all others in the first way there is."""

    def __init__(self, foretold: list[int]) -> None:
        super().__init__(0)
        self.foretold = foretold
        self.drawn: list[int] = []
        self.ways: list[int] = []
        self.likely: list[float] = []

    def draw(self, odds: Sequence[float]) -> int:
        """One of so many ways for a draw to come out, none of them impossible."""
        number = len(self.drawn)
        came = self.foretold[number] if number < len(self.foretold) else 0
        self.drawn.append(came)
        self.ways.append(len(odds))
        self.likely.append(odds[came])
        return came

    def choice(self, seq: Any) -> Any:
        """One of some elements, all alike."""
        return seq[self.draw([1 / len(seq)] * len(seq))]

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """One of some numbers, all alike."""
        chosen: int = self.choice(range(start) if stop is None else range(start, stop, step))
        return chosen

    def random(self) -> Any:
        """Some number from 0 to 1, of which one can only ask whether it is below another."""
        return Somewhere(self)

    def getrandbits(self, k: int, /) -> NoReturn:
        """What all other methods of `Random` are made of."""
        raise NoOddsError(f"it draws {k} bits, where only choices and chances can be followed")


class Somewhere:
    """A number between two bounds, all places alike: where it is, is drawn when it is compared, and no finer."""

    def __init__(self, chance: Foretold) -> None:
        self.chance = chance
        self.least, self.most = 0.0, 1.0

    def __lt__(self, bound: float) -> bool:
        if bound <= self.least:
            return False
        if bound >= self.most:
            return True
        below = (bound - self.least) / (self.most - self.least)
        if self.chance.draw([below, 1 - below]) == 0:
            self.most = bound
            return True
        self.least = bound
        return False

    def __ge__(self, bound: float) -> bool:
        return not self < bound

    # A single number has no probability: at most is below, more than is not below.
    __le__ = __lt__
    __gt__ = __ge__

    def _calculated(self, _other: object) -> NoReturn:
        raise NoOddsError("it calculates with a number drawn at random, which can have any value")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = _calculated

    def __float__(self) -> NoReturn:
        self._calculated(None)
