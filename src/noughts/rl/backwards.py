"""What is worked out over all positions, a layer at a time, from the last to the first.

In a placing game every quantity at a position follows from those one stone later: a responder takes the greatest, a
policy the mean by its odds. So one pass over the layers is enough, with the numbers of two layers in memory. Where
stones move, the last layer is a loop, which `noughts.rl.loops` solves.

Three quantities: the mistakes of a policy (`Counting`), its games against an opponent (`Meeting`), and the best
responses to it (`Responding`), with the quickest of their wins.
"""

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.games import SIDES
from noughts.rl.answers import Odds, asked
from noughts.rl.layers import DRAWN as DRAWN_END
from noughts.rl.layers import ENDS, Layer
from noughts.rl.layers import LOST as LOST_END
from noughts.rl.loops import expected, respond, worths
from noughts.rl.policy import Policy

__all__ = ["NEVER", "Counting", "Meeting", "Responding", "Results", "Shares", "Work"]

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
Numbers = NDArray[np.int16]

Found = tuple[Floats, Numbers, NDArray[np.intp], NDArray[np.intp]]
"""Of a responder: the value of every position, the plies of the quickest line, its move there, and the best one."""

ALIKE = 1e-9
"""Moves whose values differ by less are equally good responses."""
NEVER = 10_000
"""More plies than any line has that wins."""
LESS = -2
"""What no move is worth: less than a loss, and finite, since it may be multiplied by a probability of 0."""
WON, LOST, MOVES, MISTAKES, ENDED = range(5)
"""What is added up over a policy's games, a row each."""


class Shares(NamedTuple):
    """How the games come out, as shares of 1."""

    won: float
    drawn: float
    lost: float

    @property
    def mean(self) -> float:
        """The expected result: a win counts 1, a loss -1."""
        return self.won - self.lost


class Results(NamedTuple):
    """What comes of a policy's games against an opponent."""

    opponent: str
    as_x: Shares
    as_o: Shares
    mistakes: float | None
    """The share of the policy's moves in these games that give value away; None where a game may never end."""


class Work(ABC):
    """Something that is worked out layer by layer, from what it knows of the layer after."""

    @abstractmethod
    def step(self, layer: Layer, odds: Odds, policy: Policy) -> None:
        """One layer back."""


class Counting(Work):
    """Adds up the probabilities of mistakes."""

    def __init__(self) -> None:
        self.total = 0.0

    def step(self, layer: Layer, odds: Odds, policy: Policy) -> None:  # noqa: ARG002
        self.total += float(_mistakes(layer, odds).sum())


class Meeting(Work):
    """A policy against an opponent, as X and as O: what can be expected of the rest of the game."""

    def __init__(self, opponent: Policy) -> None:
        self.opponent = opponent
        self.known: list[Floats] = [np.zeros((ENDED + 1, ENDS)) for _ in SIDES]

    def step(self, layer: Layer, odds: Odds, policy: Policy) -> None:
        theirs = odds if self.opponent is policy else asked(self.opponent, layer)
        for side in (0, 1):
            own = layer.turn == side
            mix = np.where(own[:, None], odds, theirs)
            found = _at_once(layer, own, mix)
            if layer.loop:
                found = expected(layer, mix, found.T).T
            else:
                found += [_mean(mix, known[layer.after]) for known in self.known[side]]
            self.known[side] = np.append(found, np.zeros((ENDED + 1, ENDS)), axis=1)

    def result(self) -> Results:
        """What is known of the start."""
        starts = [known[:, 0].tolist() for known in self.known]
        x, o = (Shares(start[WON], max(0.0, 1 - start[WON] - start[LOST]), start[LOST]) for start in starts)
        ends = all(start[ENDED] > 1 - ALIKE for start in starts)
        mistakes, moves = (sum(start[column] for start in starts) for column in (MISTAKES, MOVES))
        return Results(self.opponent.name, x, o, mistakes / moves if ends else None)


def _at_once(layer: Layer, own: Truths, mix: Odds) -> Floats:
    """What the very move brings, in rows; whoever finds no move has lost."""
    silent = _silent(mix)
    wins = _mean(mix, layer.after == layer.beyond + LOST_END)
    rows = np.empty((ENDED + 1, len(layer)))
    rows[WON] = np.where(own, wins, silent)
    rows[LOST] = np.where(own, silent, wins)
    rows[MOVES] = own
    rows[MISTAKES] = _mistakes(layer, mix) * own
    rows[ENDED] = wins + silent + _mean(mix, layer.after == layer.beyond + DRAWN_END)
    return rows


def _mistakes(layer: Layer, odds: Odds) -> Floats:
    """How likely a mistake is, by position; to find no move is one unless all is lost."""
    return _mean(odds, layer.mistaken) + (_silent(odds) & (layer.score >= 0))


def _mean(odds: Odds, known: Floats | Truths) -> Floats:
    """The mean over the moves, by their odds."""
    mean: Floats = np.einsum("ij,ij->i", odds, known)  # three times as quick as a product and a sum
    return mean


def _silent(odds: Odds) -> Truths:
    """Where no move is found."""
    silent: Truths = np.einsum("ij->i", odds) == 0
    return silent


class Responding(Work):
    """The best responses of X and of O: what they can expect, and how many plies their quickest win takes."""

    def __init__(self) -> None:
        self.values: list[Floats] = [np.zeros(0), np.zeros(0)]
        self.plies: list[Numbers] = [np.zeros(0, np.int16), np.zeros(0, np.int16)]
        self.best: list[NDArray[np.int8]] = []
        """By layer, the last first: the number of the move of a responder who is to move."""
        self.quick: list[NDArray[np.int8]] = []
        """The same in the line that wins most quickly: in a loop, to hurry may not be best for ever."""
        self.reply: list[NDArray[np.int8]] = []
        """By layer: the number of the policy's move in that line."""

    def step(self, layer: Layer, odds: Odds, policy: Policy) -> None:  # noqa: ARG002
        best, quick, reply = np.zeros((3, len(layer)), np.int8)
        sides = (self._in_loop if layer.loop else self._before)(layer, odds)
        for side, (value, plies, move, chosen) in enumerate(sides):
            self.values[side], self.plies[side] = value, plies
            own = layer.turn == side
            best[own], quick[own], reply[~own] = chosen[own], move[own], move[~own]
        self.best.append(best)
        self.quick.append(quick)
        self.reply.append(reply)

    def _before(self, layer: Layer, odds: Odds) -> list[Found]:
        """A layer whose moves all lead to the next."""
        found = []
        for side in (0, 1):
            own = int(layer.turn[0]) == side
            worth = np.append(self.values[side], [1, 0, LESS] if own else [-1, 0, 0])[layer.after]
            if own:
                value = worth.max(axis=1)
                open_moves = worth >= value[:, None] - ALIKE
            else:
                value = _mean(odds, worth) + _silent(odds)
                open_moves = odds > 0
            plies, move = _quickest(layer, open_moves, np.full(len(layer), own), self.plies[side])
            found.append((value, plies, move, move))
        return found

    def _in_loop(self, layer: Layer, odds: Odds) -> list[Found]:
        """The loop: nothing is known of the layer after, since it is the same."""
        found = []
        for side in (0, 1):
            value, chosen = respond(layer, odds, side)
            own = layer.turn == side
            worth = worths(layer, value)
            best = worth >= worth.max(axis=1, keepdims=True) - ALIKE
            open_moves = np.where(own[:, None], best, odds > 0)
            plies = np.full(len(layer), NEVER, np.int16)
            while True:  # as many rounds as the longest line has plies
                fewer, move = _quickest(layer, open_moves, own, plies)
                if (fewer == plies).all():
                    break
                plies = fewer
            found.append((value, plies, move, chosen))
        return found


def _quickest(layer: Layer, open_moves: Truths, own: Truths, known: Numbers) -> tuple[Numbers, NDArray[np.intp]]:
    """In how many plies the responder can have won, and the number of the first move on that way."""
    # A move that ends the game wins it for whoever makes it.
    after = np.append(known, np.array([NEVER] * ENDS, np.int16))[layer.after]
    after[own[:, None] & (layer.after == layer.beyond + LOST_END)] = 0
    after[~open_moves] = NEVER + 1
    move = after.argmin(axis=1)
    plies = np.minimum(np.take_along_axis(after, move[:, None], axis=1)[:, 0] + np.int16(1), np.int16(NEVER))
    plies[~open_moves.any(axis=1)] = 0  # the policy finds no move: won
    return plies, move
