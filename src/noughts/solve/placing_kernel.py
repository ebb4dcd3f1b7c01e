"""The compiled engine for placing games of more than 16 cells: `placing.py` block by block.

For every occupied set of a layer, in any order: for each empty cell walk the patterns once, reading the
successor's score through the insertion table and keeping the minimum in a buffer that fits the first-level
cache; then turn minima into scores; then, if the set holds whole lines, overwrite what is finished or
cannot occur. Lines are first compressed to the occupied cells, so they are compared with patterns directly.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from noughts.solve.interrupt import Stop, interruptible, stopped
from noughts.solve.placing import ILLEGAL, WON, Index, Layer, Scores

__all__ = ["solve_layer"]


def solve_layer(index: Index, layer: Layer, lines: tuple[int, ...], scores: Scores) -> None:
    """Fill one layer's scores from the layer above it."""
    interruptible(
        _solve_blocks,
        index.cells,
        layer.stones,
        layer.occupied,
        layer.patterns,
        layer.insertions,
        index.offsets,
        np.array(lines, np.int32),
        scores,
    )


@njit(cache=True, nogil=True)
def _solve_blocks(
    stop: Stop,
    cells: int,
    stones: int,
    occupied: NDArray[np.int32],
    patterns: NDArray[np.int32],
    insertions: NDArray[np.int32],
    offsets: NDArray[np.int64],
    lines: NDArray[np.int32],
    scores: Scores,
) -> None:
    full = (1 << stones) - 1
    count = len(patterns)
    best = np.empty(count, np.int8)
    inside = np.empty(len(lines), np.int32)
    for occ in occupied:
        if stopped(stop):
            return
        best[:] = 0 if stones == cells else ILLEGAL
        below = 0
        for cell in range(cells):
            if occ >> cell & 1:
                below += 1
                continue
            block = scores[offsets[occ | 1 << cell] :]
            row = insertions[below]
            for c in range(count):
                score = block[row[c]]
                best[c] = min(best[c], score)
        held = _compress_lines(occ, lines, inside)
        target = scores[offsets[occ] : offsets[occ] + count]
        for c in range(count):
            score = best[c]
            target[c] = -score - 1 if score < 0 else -score + 1 if score > 0 else 0
        if held:
            for c in range(count):
                x = patterns[c]
                o = full ^ x
                if stones % 2 == 0:
                    target[c] = _judge(x, o, inside[:held], target[c])
                else:
                    target[c] = _judge(o, x, inside[:held], target[c])


@njit(cache=True)
def _compress_lines(occ: int, lines: NDArray[np.int32], inside: NDArray[np.int32]) -> int:
    """The lines within an occupied set, as patterns of its cells; their number is returned."""
    held = 0
    for line in lines:
        if occ & line != line:
            continue
        pattern, place, left = 0, 0, occ
        while left:
            lowest = left & -left
            if line & lowest:
                pattern |= 1 << place
            place += 1
            left ^= lowest
        inside[held] = pattern
        held += 1
    return held


@njit(cache=True)
def _judge(mover: int, other: int, lines: NDArray[np.int32], score: int) -> int:
    """The score of a position, or, if it is finished or cannot occur, what `placing.solve_layer` says."""
    common = -1
    for line in lines:
        if mover & line == line:
            return ILLEGAL
        if other & line == line:
            common &= line
    if common == -1:
        return score
    return -WON if common else ILLEGAL
