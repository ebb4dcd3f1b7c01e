"""What every block of a table needs: the points its set leaves free, and the board that is left on them.

A mover's set is written as a word over the free points, the lowest first. So are the neighbours of a free point and the
other two points of the mills through it: moves never look at the stones that do not move.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.games import Layout
from noughts.solve.morris.index import sets_of

__all__ = ["Blocks", "blocks_of"]


class Blocks(NamedTuple):
    """For every class of sets of so many stones: the board that it leaves to the side that moves against it."""

    sets: NDArray[np.uint32]
    """The representative of every class."""
    neighbours: NDArray[np.uint32]
    """For every free point, the free neighbours, as a word."""
    mills: NDArray[np.uint32]
    """For every free point, the other two of each mill through it that is free, as a word; 0 if there is none."""
    lines: NDArray[np.uint32]
    """The mills that are free, as words; after the last, 0."""
    removable: NDArray[np.uint32]
    """Which stones of the set may be captured, on the board."""


@cache
def blocks_of(layout: Layout, stones: int) -> Blocks:
    """The blocks of all classes."""
    sets = sets_of(layout, stones).representatives
    points, classes = len(layout), len(sets)
    taken = (sets[:, None] >> np.arange(points, dtype=np.uint32) & 1).astype(bool)
    place = np.cumsum(~taken, axis=1) - 1
    bit = np.where(taken, 0, np.uint32(1) << np.maximum(place, 0).astype(np.uint32)).astype(np.uint32)
    free = np.nonzero(~taken)[1].reshape(classes, points - stones)
    around = np.zeros((classes, points), np.uint32)
    for one, other in layout.edges:
        around[:, one] |= bit[:, other]
        around[:, other] |= bit[:, one]
    closing = np.zeros((classes, points, 2), np.uint32)
    mills_through = [0] * points
    lines = np.zeros((classes, len(layout.lines) + 1), np.uint32)
    found = np.zeros(classes, np.int64)
    for line in layout.lines:
        whole = ~taken[:, line].any(axis=1)
        lines[whole, found[whole]] = np.bitwise_or.reduce(bit[whole][:, line], axis=1)
        found += whole
        for point in line:
            one, other = (end for end in line if end != point)
            closing[:, point, mills_through[point]] = np.where(whole, bit[:, one] | bit[:, other], 0)
            mills_through[point] += 1
    rows = np.arange(classes)[:, None]
    return Blocks(sets, around[rows, free], closing[rows, free], lines, _removable(layout, sets))


def _removable(layout: Layout, sets: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Stones outside mills; all, if every stone is in one."""
    milled = np.zeros_like(sets)
    for line in layout.line_sets:
        milled |= np.where(sets & np.uint32(line) == line, np.uint32(line), np.uint32(0))
    outside = sets & ~milled
    return np.where(outside == 0, sets, outside)
