"""Which state machine takes the times that the report of 2021 prints: `noughts bench elements`.

The transcript of the report's simulation has two notes of a win, at 50,433,110 ns and at 100,833,550 ns, and says
neither the clock nor the moves. Both are multiples of 10 ns and no multiples of 20, so a clock of 20 ns that begins low
and rises for the first time at 10 ns fits, and the usual others do not: with 10 ns or 40 ns it never rises at them.
Then the first note comes 2,521,655 cycles after the first rising edge, and the second 2,520,022 cycles after the first.

What a game costs. The AI begins, for the report says that the longest wait is that for nine empty cells; it takes the
first of the best moves and wins, which leaves 99 games. A search tries every empty cell, so all of its cycles are

    a for every board searched with two empty cells or more     what its parent spends on it is counted here
    b for every stone that makes a row, set on such a board
    c for every board with one empty cell, if the stone there makes a row, and d if it fills the board without one

and a game has the sum of the AI's searches and a few cycles more: a reset, the moves of the human, the judging. Every
machine is therefore four whole numbers, and what it leaves to be explained is the reported cycles less those of its
searches, in either game, if that is not negative. Here all machines are tried in which a board costs up to 12 cycles, a
row up to 6 and the last cell up to four more than the two together.

Could it be chance? The games of a machine are some seventy different sums in a range of ten thousand cycles. A time
that came from elsewhere, anywhere in that range, would be as well explained as the worse of the two is with the share
of the range that lies no further behind a game; both times, with the square of it.
"""

from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from noughts.games.layout import grid
from noughts.games.points import members
from noughts.solve import Progress

__all__ = ["FIRST", "SECOND", "Game", "all_machines", "bench_elements", "chance", "games", "leftovers"]

FIRST, SECOND = 2_521_655, 2_520_022
"""Cycles from the first rising edge to the first note, and from there to the second."""
SHOWN = 8
"""Machines that are listed: those that leave the least."""

_LAYOUT = grid(3, 3, 3)


class Counts(NamedTuple):
    """What a search meets, or several together: a number for each of the four costs."""

    boards: int = 0
    rows: int = 0
    last_rows: int = 0
    last_full: int = 0

    def plus(self, other: "Counts") -> "Counts":
        """Both together."""
        return Counts(*(one + another for one, another in zip(self, other, strict=True)))


class Game(NamedTuple):
    """A game that the AI begins and wins: what its searches meet, and the places in the order of play."""

    counts: Counts
    places: tuple[int, ...]

    @property
    def human(self) -> str:
        """The human's moves, which decide all others, as people write them."""
        return " ".join(_LAYOUT.points[place] for place in self.places[1::2])


@cache
def _search(own: int, others: int) -> tuple[Counts, int, int]:
    """What a search meets; the score for the side to move, and the first of the best places."""
    free = members(_LAYOUT.everywhere & ~(own | others))
    if len(free) == 1:
        row = _LAYOUT.has_row(own | 1 << free[0])
        return Counts(last_rows=1) if row else Counts(last_full=1), int(row), free[0]
    met, scores = Counts(boards=1), []
    for place in free:
        if _LAYOUT.has_row(own | 1 << place):
            met, score = met.plus(Counts(rows=1)), 1
        else:
            below, worth, _ = _search(others, own | 1 << place)
            met, score = met.plus(below), -worth
        scores.append(score)
    return met, max(scores), free[scores.index(max(scores))]


def games() -> list[Game]:
    """All games that the AI begins and wins, whatever the human plays."""
    won = []
    waiting: list[tuple[int, int, Game]] = [(0, 0, Game(Counts(), ()))]
    while waiting:
        ai, human, game = waiting.pop()
        met, _, place = _search(ai, human)
        ai |= 1 << place
        game = Game(game.counts.plus(met), (*game.places, place))
        if _LAYOUT.has_row(ai):
            won.append(game)
            continue
        for reply in members(_LAYOUT.everywhere & ~(ai | human)):
            after = human | 1 << reply
            if ai | after != _LAYOUT.everywhere:
                waiting.append((ai, after, game._replace(places=(*game.places, reply))))
    return won


def all_machines() -> np.ndarray[Any, Any]:
    """The four costs of every machine that is tried, a row each."""
    return np.array(
        [
            (board, row, last_row, last_full)
            for board, row in product(range(1, 13), range(1, 7))
            for last_row, last_full in product(range(1, board + row + 5), repeat=2)
        ]
    )


def leftovers(machines: np.ndarray[Any, Any], played: list[Game], reported: int) -> np.ndarray[Any, Any]:
    """For every machine and every game the cycles that are not explained; as many as there are where it is too slow."""
    left = reported - machines @ np.array([game.counts for game in played]).T
    return np.where(left < 0, reported, left)


def chance(machine: np.ndarray[Any, Any], played: list[Game], left: int) -> float:
    """How likely a machine leaves so few cycles in both games if the times have nothing to do with it."""
    sums = np.unique(np.array([game.counts for game in played]) @ machine)
    gaps = np.minimum(np.diff(sums), left + 1)  # of the cycles before the next sum, those that are near enough
    return float(((gaps.sum() + left + 1) / (sums[-1] - sums[0] + left + 1)) ** 2)


def bench_elements(progress: Progress) -> list[dict[str, Any]]:
    """The machines that leave the least to be explained."""
    del progress  # It takes half a second.
    played, machines = games(), all_machines()
    first, second = (leftovers(machines, played, reported) for reported in (FIRST, SECOND))
    least = np.stack([first.min(axis=1), second.min(axis=1)], axis=1)
    rows = []
    for number in np.argsort(least.max(axis=1), kind="stable")[:SHOWN]:
        board, row, last_row, last_full = map(int, machines[number])
        costs = {"board": board, "row": row, "last row": last_row, "last full": last_full}
        left = {"left 1": int(least[number, 0]), "left 2": int(least[number, 1])}
        moves = {
            "human 1": played[int(first[number].argmin())].human,
            "human 2": played[int(second[number].argmin())].human,
        }
        by_chance = chance(machines[number], played, int(least[number].max()))
        rows.append({**costs, **left, "chance %": round(100 * by_chance, 1), **moves})
    return rows
