"""The forward check: every stored value, worked out again from the values of its successors.

A table is right if each finished position has the value the rules give it, and each other position the
value its successors demand. The check asks the rules themselves, not the solver, for moves and ends.

Small solutions are read through their own `value`, a position at a time. The tables of large placing games
are checked in bulk, many positions at once: from plain sets of stones, placing a bit and looking up the slot
of what results, with none of the solver's blocks, insertions and compressed lines.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game, Outcome, Position
from noughts.solve.placing import ILLEGAL, WON, Index, PlacingSolution
from noughts.solve.solution import Progress, Solution
from noughts.solve.value import DRAWN, Value

__all__ = ["Disagreement", "Verified", "expected_value", "verify"]

SINGLY = 12
"""Cells of a placing game up to which position after position is checked."""
BULK = 1 << 18
"""How many positions a bulk check holds at once."""


class Disagreement(NamedTuple):
    """A position whose stored value is not what its successors make it."""

    position: Position
    stored: Value
    expected: Value


class Verified(NamedTuple):
    """What the check of a table on disk found."""

    checked: int
    """How many bytes were compared, in subspaces in which nothing was wrong."""
    first_wrong: str | None
    """The first thing that is wrong, for people."""
    unchecked: tuple[str, ...]
    """Subspaces that cannot be checked, since the table lacks one to which their moves lead."""


def verify(solution: Solution, progress: Progress | None = None) -> tuple[int, Disagreement | None]:
    """How many positions were checked, and the first that is wrong, if any."""
    total = sum(subspace.positions for subspace in solution.subspaces)
    in_bulk = isinstance(solution, PlacingSolution) and solution.index.cells > SINGLY
    checks = _bulk_checks(solution) if in_bulk else _single_checks(solution)  # type: ignore[arg-type]
    checked = 0
    for count, wrong in checks:
        checked += count
        if wrong:
            return checked, wrong
        if progress:
            progress(checked, total)
    return checked, None


def _single_checks(solution: Solution) -> Iterator[tuple[int, Disagreement | None]]:
    for position in solution.positions():
        stored, expected = solution.value(position), _expected(solution, position)
        yield 1, Disagreement(position, stored, expected) if stored != expected else None


def _expected(solution: Solution, position: Position) -> Value:
    game = solution.game
    after = (solution.value(game.after(position, move)).before() for move in game.moves(position))
    return expected_value(game, position, after)


def expected_value(game: Game, position: Position, moves: Iterable[Value]) -> Value:
    """What the rules make of a position, by what its moves are worth."""
    end = game.over(position)
    if end is Outcome.DRAW and not game.placing_only:
        return DRAWN
    if end is not None:
        return Value(end, 0)
    return max(moves, key=Value.preference)


def _bulk_checks(solution: PlacingSolution) -> Iterator[tuple[int, Disagreement | None]]:
    for layer in solution.index.layers:
        stored = solution.scores[layer.start : layer.start + layer.slots]
        legal = stored != ILLEGAL
        xs, os = (stones.ravel()[legal] for stones in solution.index.stones_at(layer))
        stored = stored[legal]
        for first in range(0, len(stored), BULK):
            part = slice(first, first + BULK)
            expected = _expected_scores(solution, xs[part], os[part], layer.stones)
            wrong = np.flatnonzero(expected != stored[part])
            if len(wrong):
                yield int(wrong[0]) + 1, _disagreement(solution, xs[part][wrong[0]], os[part][wrong[0]])
            yield len(expected), None


def _expected_scores(
    solution: PlacingSolution, x: NDArray[np.int32], o: NDArray[np.int32], stones: int
) -> NDArray[np.int8]:
    """The scores that the rules and the successors give these positions, all with equally many stones."""
    own, other = (x, o) if stones % 2 == 0 else (o, x)
    least = np.full(len(x), ILLEGAL if stones < solution.index.cells else 0, np.int8)
    for cell in range(solution.index.cells):
        free = np.flatnonzero((x | o) >> cell & 1 == 0)
        placed = own[free] | 1 << cell
        after = (placed, other[free]) if stones % 2 == 0 else (other[free], placed)
        least[free] = np.minimum(least[free], solution.scores[_slots(solution.index, *after)])
    expected = -least + np.sign(least)
    for line in solution.game.layout.line_sets:
        expected[other & line == line] = -WON
    return expected


def _slots(index: Index, x: NDArray[np.int32], o: NDArray[np.int32]) -> NDArray[np.int64]:
    """The slots of many positions: X's stones read off the occupied cells one after the other."""
    pattern = np.zeros_like(x)
    place = np.zeros_like(x)
    for cell in range(index.cells):
        pattern |= (x >> cell & 1) << place
        place += (x | o) >> cell & 1
    slots: NDArray[np.int64] = index.offsets[x | o] + index.ranks[pattern]
    return slots


def _disagreement(solution: PlacingSolution, x: np.int32, o: np.int32) -> Disagreement:
    stones, total = (int(x), int(o)), solution.game.rules.stones
    hand = (total[0] - stones[0].bit_count(), total[1] - stones[1].bit_count())
    position = Position(stones, hand, (stones[0] | stones[1]).bit_count() % 2)
    return Disagreement(position, solution.value(position), _expected(solution, position))
