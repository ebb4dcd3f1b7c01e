"""The nine chained minimax elements of 2021, with the clock cycles they take.

Anant Kumar, Kalpit Agrawal, Nimesh Shedge and Rohan Nimesh, project report, VLSI design lab EE705, 2021: a search
without recursion, since hardware has none. One element a number of empty cells: it tries every empty cell in turn and
hands the board to the next element. All cells are tried, even after a win is found, and the first of the best is
taken. With `pruning=yes` a bound goes down with the board, as the report's last chapter suggests: the same moves,
in fewer cycles. With `timing=reported` the cycles are those of the machine that fits the report's own times.

What a cycle is spent on is told in `noughts.silicon.designs.elements2021`, where the hardware is; here it is only
counted: three cycles a search, two for every cell tried that ends the game, and three besides its own search for any
other. In the report's time a search is five, and a search with a single empty cell four in all.
"""

from functools import cache
from typing import ClassVar, NamedTuple

from noughts.games import Game, Move, Position
from noughts.games.layout import grid
from noughts.games.points import members
from noughts.players.player import Choice, Player

__all__ = ["TIMINGS", "Elements2021", "Search", "Timing", "search"]

_LAYOUT = grid(3, 3, 3)


class Search(NamedTuple):
    """What an element finds: the score for the machine, the place, and the cycles it took."""

    score: int
    place: int
    cycles: int


class Timing(NamedTuple):
    """The cycles of a search, besides those of the cells tried."""

    search: int
    last: int | None
    """Of a search with a single empty cell, that cell included; None if it is like any other."""


TIMINGS = {"ours": Timing(3, None), "reported": Timing(5, 4)}


@cache
def search(
    machine: int, human: int, machines_turn: bool, bound: tuple[int, int] | None, timing: Timing = TIMINGS["ours"]
) -> Search:
    """Search a position that is not over.

    `bound` is what the side to move has already and what makes it stop; None to try everything.
    """
    own, others = (machine, human) if machines_turn else (human, machine)
    sign = 1 if machines_turn else -1
    free = _LAYOUT.everywhere & ~(machine | human)
    score, stop = bound or (-2 * sign, 2 * sign)
    found = Search(score, members(free)[0], timing.search)
    for place in members(free):
        if sign * found.score >= sign * stop:
            break
        after = own | 1 << place
        if _LAYOUT.has_row(after):
            worth, cycles = sign, 2
        elif after | others == _LAYOUT.everywhere:
            worth, cycles = 0, 2
        else:
            stones = (after, others) if machines_turn else (others, after)
            below = search(*stones, not machines_turn, None if bound is None else (stop, found.score), timing)
            worth, cycles = below.score, 3 + below.cycles
        better = sign * worth > sign * found.score
        found = Search(worth if better else found.score, place if better else found.place, found.cycles + cycles)
    if timing.last is not None and free.bit_count() == 1:
        found = found._replace(cycles=timing.last)
    return found


class Elements2021(Player):
    """The 2021 elements: full minimax, first of the best."""

    name = "elements2021"
    about = "the 2021 FPGA design: nine minimax elements in a chain, with their clock cycles"
    title = "Nine elements"
    story = (
        "Kumar, Agrawal, Shedge and Nimesh’s lab project on an FPGA: nine minimax elements in a chain, no recursion."
    )
    strength = "never loses"
    machine = True
    design = name
    year = 2021
    plays_only = ("tictactoe",)
    options: ClassVar[dict[str, str]] = {"pruning": "no", "timing": "ours"}

    def __init__(self, seed: int | None = None, options: dict[str, str] | None = None) -> None:
        super().__init__(seed, options)
        self._bound = (-1, 1) if self.truth("pruning") else None
        self._timing = TIMINGS[self.word("timing", tuple(TIMINGS))]

    def choose(self, game: Game, position: Position) -> Choice:  # noqa: ARG002
        """The move of the chain, and the cycles from the user's stone to its own."""
        stones = position.stones[position.turn], position.stones[1 - position.turn]
        found = search(*stones, True, self._bound, self._timing)
        return Choice(Move(found.place), cycles=found.cycles + (2 if position.occupied else 3))
