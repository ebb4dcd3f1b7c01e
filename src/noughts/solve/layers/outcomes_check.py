"""The check of outcomes: every position of a layer worked out again, forwards, from those after each move; on a GPU.

The definition, and nothing else: who completes a row wins, a full board without one is a draw; the side to move wins if
a move wins, else draws if a move draws, else loses. Nothing is shared with the solver but the numbering of positions
and how two bits of a byte are read. Moves are made on the board itself: rows are looked for in the stones there, sets
are turned point by point, and the rank of a word is the sum of its binomials, not a look-up. Positions in which X has
just completed a row, which have no bits, are counted by trying all of O's words.
"""

from typing import Any, NamedTuple

import numba.cuda
import numpy as np
from numpy.typing import NDArray

from noughts.games import Layout
from noughts.solve.layers.gpu_kernels import DRAWN, NEVER, O_WINS, POINTS, X_WINS, outcome_at
from noughts.solve.layers.numbering import group_of

__all__ = ["FULL", "TO_O", "TO_X", "Ground", "check", "count_finished", "ground_of"]

FULL, TO_X, TO_O = range(3)
"""Who is to move."""

NO_LINE = 0xFFFFFFFF
WRONG = 4
"""A code that no two bits hold."""

cuda: Any = numba.cuda


class Ground(NamedTuple):
    """The board, for the check."""

    points: int
    lines: NDArray[np.int64]
    """All lines, as sets."""
    through: NDArray[np.int64]
    """The lines through every point; NO_LINE where there are fewer."""
    symmetries: NDArray[np.int64]
    """Where every symmetry takes every point."""
    choose: NDArray[np.int64]
    """The numbers C(n, k)."""


def ground_of(layout: Layout) -> Ground:
    """What the check has to know of a board."""
    points, most = len(layout), max(map(len, layout.lines_through))
    through = np.full((points, most), NO_LINE, np.int64)
    for point, lines in enumerate(layout.lines_through):
        through[point, : len(lines)] = lines
    choose = np.zeros((POINTS + 1, POINTS + 1), np.int64)
    choose[:, 0] = 1
    for n in range(1, POINTS + 1):
        choose[n, 1:] = choose[n - 1, 1:] + choose[n - 1, :-1]
    return Ground(points, np.array(layout.line_sets, np.int64), through, np.array(group_of(layout), np.int64), choose)


@cuda.jit(device=True)
def _place(bit):  # type: ignore[no-untyped-def]
    """Which bit of a word a single one is."""
    return cuda.popc(bit - 1)


@cuda.jit(device=True)
def _rank(word, ground):  # type: ignore[no-untyped-def]
    """The rank of a word: the sum of its binomials."""
    total, seen = np.int64(0), 0
    while word:
        seen += 1
        total += ground.choose[_place(word & -word), seen]
        word &= word - 1
    return total


@cuda.jit(device=True)
def _completes(after, point, ground):  # type: ignore[no-untyped-def]
    """Whether a stone on a point completes a row."""
    row = False
    for number in range(ground.through.shape[1]):
        line = ground.through[point, number]
        row |= after & line == line
    return row


@cuda.jit(device=True)
def _turn(taken, bit, free, next_sets, blocks, turned, ground):  # type: ignore[no-untyped-def]
    """For X's stone on a free point: the block of the class of its set then, and where O's stones go beside it.

    The block is -1 if the stone completes a row.
    """
    grown = taken | np.int64(1) << free[bit]
    if _completes(grown, free[bit], ground):
        blocks[bit] = -1
        return
    least, by = np.int64(NO_LINE), 0
    for symmetry in range(len(ground.symmetries)):
        image = np.int64(0)
        for point in range(ground.points):
            if grown >> point & 1:
                image |= np.int64(1) << ground.symmetries[symmetry, point]
        if image < least:
            least, by = image, symmetry
    low, high = 0, len(next_sets)
    while low < high:
        middle = (low + high) >> 1
        if np.int64(next_sets[middle]) < least:
            low = middle + 1
        else:
            high = middle
    blocks[bit] = low
    for other in range(ground.points - cuda.popc(taken)):
        below = (np.int64(1) << ground.symmetries[by, free[other]]) - 1
        turned[bit, other] = cuda.popc(below & ~least)


@cuda.jit(device=True)
def _said(above, word, bit, block, size, turn, blocks, turned, ground):  # type: ignore[no-untyped-def]
    """What is stored of the position after a move that completes no row."""
    if turn == TO_O:
        return outcome_at(above, block * size, _rank(word | np.int64(1) << bit, ground))
    moved = np.int64(0)
    while word:
        moved |= np.int64(1) << turned[bit, _place(word & -word)]
        word &= word - 1
    return outcome_at(above, blocks[bit] * size, _rank(moved, ground))


@cuda.jit(device=True)
def _expected(taken, word, block, above, size, turn, free, blocks, turned, ground):  # type: ignore[no-untyped-def]
    """What a position is worth by the definition, to X; `taken` is X's set, and `word` O's."""
    own, left = np.int64(0), word
    while left:
        own |= np.int64(1) << free[_place(left & -left)]
        left &= left - 1
    common = own
    row = False
    for number in range(len(ground.lines)):
        line = ground.lines[number]
        if own & line == line:
            common &= line
            row = True
    if row:
        # O moved last if X is to move, or would be on a full board.
        return O_WINS if common and cuda.popc(own) == cuda.popc(taken) else NEVER
    bits = ground.points - cuda.popc(taken)
    if cuda.popc(word) == bits:
        return DRAWN
    wins = X_WINS if turn == TO_X else O_WINS
    for bit in range(bits):
        if word >> bit & 1:
            continue
        if blocks[bit] < 0 if turn == TO_X else _completes(own | np.int64(1) << free[bit], free[bit], ground):
            return wins
    draws = False
    for bit in range(bits):
        if word >> bit & 1:
            continue
        said = _said(above, word, bit, block, size, turn, blocks, turned, ground)
        if said == wins:
            return wins
        if said == NEVER:
            return WRONG
        draws |= said == DRAWN
    return DRAWN if draws else X_WINS + O_WINS - wins


@cuda.jit
def check(  # type: ignore[no-untyped-def]
    outcomes, above, first, sets, weights, next_sets, words, after_words, turn, ground, counts, wrong
):
    """Compare the blocks from a first one on; `wrong` gets the least block in which something is not as expected.

    `counts` gets how many positions there are with each code. Blocks of the layer above have so many words.
    """
    free = cuda.shared.array(POINTS, numba.int32)
    blocks = cuda.shared.array(POINTS, numba.int64)
    turned = cuda.shared.array((POINTS, POINTS), numba.uint8)
    mine = cuda.shared.array(4, numba.int32)
    block = first + cuda.blockIdx.x
    taken = np.int64(sets[block])
    if cuda.threadIdx.x == 0:
        number = 0
        for point in range(ground.points):
            if not taken >> point & 1:
                free[number] = point
                number += 1
        for code in range(4):
            mine[code] = 0
    cuda.syncthreads()
    size, after_size = (len(words) + 3) >> 2, (after_words + 3) >> 2
    if turn == TO_X:
        for bit in range(cuda.threadIdx.x, ground.points - cuda.popc(taken), cuda.blockDim.x):
            _turn(taken, bit, free, next_sets, blocks, turned, ground)
    cuda.syncthreads()
    found = cuda.local.array(4, numba.int32)
    for code in range(4):
        found[code] = 0
    for number in range(cuda.threadIdx.x, len(words), cuda.blockDim.x):
        word = np.int64(words[number])
        said = outcome_at(outcomes, block * size, number)
        if said != _expected(taken, word, block, above, after_size, turn, free, blocks, turned, ground):
            cuda.atomic.min(wrong, 0, block)
        found[said] += 1
    for code in range(4):
        cuda.atomic.add(mine, code, found[code])
    cuda.syncthreads()
    if cuda.threadIdx.x < 4 and mine[cuda.threadIdx.x]:
        cuda.atomic.add(counts, cuda.threadIdx.x, weights[block] * mine[cuda.threadIdx.x])


@cuda.jit
def count_finished(sets, weights, words, ground, counts):  # type: ignore[no-untyped-def]
    """How many positions there are in which X has one of these sets, and O no row."""
    block = cuda.blockIdx.x
    free = cuda.shared.array(POINTS, numba.int32)
    mine = cuda.shared.array(1, numba.int32)
    if cuda.threadIdx.x == 0:
        mine[0] = 0
        number = 0
        for point in range(ground.points):
            if not np.int64(sets[block]) >> point & 1:
                free[number] = point
                number += 1
    cuda.syncthreads()
    found = 0
    for number in range(cuda.threadIdx.x, len(words), cuda.blockDim.x):
        own, left = np.int64(0), np.int64(words[number])
        while left:
            own |= np.int64(1) << free[_place(left & -left)]
            left &= left - 1
        row = False
        for line in range(len(ground.lines)):
            row |= own & ground.lines[line] == ground.lines[line]
        found += not row
    cuda.atomic.add(mine, 0, found)
    cuda.syncthreads()
    if cuda.threadIdx.x == 0 and mine[0]:
        cuda.atomic.add(counts, 0, weights[block] * mine[0])
