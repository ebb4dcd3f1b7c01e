"""The layers of a placing game on a GPU: a group of threads a block, a thread a word.

The scores, and what they follow from, are those of `noughts.solve.layers.kernel`. Runs are for a processor: here a
thread has one word, tries its moves one after the other, and ranks the word after each by two look-ups. What all words
of a block share is worked out once by the group, in shared memory: the lines that X leaves free and, where X moves, for
every point the block of the layer above and where the symmetry takes each bit of a word. Threads count scores in shared
memory, and groups add their counts to those of all by atomic operations.
"""

import warnings
from collections.abc import Callable
from typing import Any

import numba.cuda
import numpy as np
from numpy.typing import NDArray

from noughts.games import Game
from noughts.solve.device import Memory
from noughts.solve.layers import kernel
from noughts.solve.layers.kernel import ILLEGAL, LEAST, MOST, PAD, WON, Runs, Scores
from noughts.solve.layers.making import Solver
from noughts.solve.layers.numbering import Classes, classes_of
from noughts.solve.morris.numbering import combinations
from noughts.solve.subspaces import MOST_POINTS

__all__ = ["GpuSolver"]

THREADS = 256
"""Threads of a group."""
LINES = 128
"""Most lines of a board."""
TAKEN, WINS = -2, -1
"""Instead of a block of the layer above: the point is X's, or X completes a row there."""

cuda: Any = numba.cuda

# Small layers are small; nobody can do anything about it.
warnings.filterwarnings("ignore", message=r".*Grid size \d+ will likely result in GPU under-utilization")

_do = kernel.functions(cuda.jit(device=True))
_ones, _image, _lead, _find, _has_row, _rank = _do.ones, _do.image, _do.lead, _do.find, _do.has_row, _do.rank


@cuda.jit(device=True)
def _word_of(points, taken, board):  # type: ignore[no-untyped-def]
    """A set of points as a word over the points that are not taken."""
    word, bit = np.int64(0), np.int64(1)
    for point in range(board.points):
        if not taken >> point & 1:
            if points >> point & 1:
                word |= bit
            bit <<= 1
    return word


@cuda.jit(device=True)
def _begin(taken, board, lines, mine):  # type: ignore[no-untyped-def]
    """Share out the lines: each that X leaves free as a word, else 0; and no score has been counted."""
    for number in range(cuda.threadIdx.x, len(board.lines), THREADS):
        line = board.lines[number]
        lines[number] = 0 if line & taken else _word_of(line, taken, board)
    for score in range(cuda.threadIdx.x, 256, THREADS):
        mine[score] = 0


@cuda.jit(device=True)
def _judged(word, score, many, lines, ended):  # type: ignore[no-untyped-def]
    """The score of a word, unless it holds a line."""
    common, held = word, False
    for number in range(many):
        line = lines[number]
        if line and word & line == line:
            common &= line
            held = True
    if not held:
        return score
    return ended if common else ILLEGAL


@cuda.jit(device=True)
def _end(weight, mine, counts):  # type: ignore[no-untyped-def]
    """Add what the group has counted to the counts of all."""
    cuda.syncthreads()
    for score in range(cuda.threadIdx.x, 256, THREADS):
        if mine[score]:
            cuda.atomic.add(counts, score, weight * mine[score])


@cuda.jit
def _full_all(scores, sets, weights, words, board, ended, counts):  # type: ignore[no-untyped-def]
    lines = cuda.shared.array(LINES, numba.int32)
    mine = cuda.shared.array(256, numba.int32)
    block, many = cuda.blockIdx.x, len(board.lines)
    _begin(np.int64(sets[block]), board, lines, mine)
    cuda.syncthreads()
    for place in range(cuda.threadIdx.x, len(words), THREADS):
        score = _judged(np.int64(words[place]), 0, many, lines, ended)
        scores[block * len(words) + place] = score
        cuda.atomic.add(mine, score & 255, 1)
    _end(weights[block], mine, counts)


@cuda.jit
def _by_o_all(scores, above, sets, weights, words, after, board, tables, counts):  # type: ignore[no-untyped-def]
    lines = cuda.shared.array(LINES, numba.int32)
    mine = cuda.shared.array(256, numba.int32)
    block, many = cuda.blockIdx.x, len(board.lines)
    _begin(np.int64(sets[block]), board, lines, mine)
    cuda.syncthreads()
    start = block * after.size
    for place in range(cuda.threadIdx.x, len(words), THREADS):
        word = np.int64(words[place])
        least = np.int64(MOST)
        for bit in range(after.bits):
            if not word >> bit & 1:
                least = min(least, np.int64(above[start + _rank(word | 1 << bit, after, tables)]))
        score = _judged(word, least, many, lines, ILLEGAL)
        scores[block * len(words) + place] = score
        cuda.atomic.add(mine, score & 255, 1)
    _end(weights[block], mine, counts)


@cuda.jit(device=True)
def _prepare(taken, board, next_sets, size, starts, targets):  # type: ignore[no-untyped-def]
    """Share out X's moves: where the block after each begins, and where each bit of a word goes."""
    for point in range(cuda.threadIdx.x, board.points, THREADS):
        starts[point] = TAKEN
        if taken >> point & 1:
            continue
        grown = taken | np.int64(1) << point
        if _has_row(grown, board.lines):
            starts[point] = WINS
            continue
        lead, symmetry = _lead(grown, board)
        starts[point] = _find(next_sets, lead) * size
        bit = 0
        for other in range(board.points):
            if taken >> other & 1:
                continue
            if other != point:
                target = _image(np.int64(1) << other, symmetry, board)
                targets[point, bit] = _ones((target - 1) & ~lead)
            bit += 1


@cuda.jit(device=True)
def _greatest(word, above, after, board, tables, starts, targets, won):  # type: ignore[no-untyped-def]
    """The greatest score that X's moves lead to, with O's stones on this word."""
    best, bit = np.int64(LEAST), 0
    for point in range(board.points):
        start = starts[point]
        if start == TAKEN:
            continue
        if not word >> bit & 1:
            if start == WINS:
                return won
            moved, left, source = np.int64(0), word, 0
            while left:
                if left & 1:
                    moved |= np.int64(1) << targets[point, source]
                left >>= 1
                source += 1
            best = max(best, np.int64(above[start + _rank(moved, after, tables)]))
        bit += 1
    return best


@cuda.jit
def _by_x_all(scores, above, sets, weights, next_sets, words, after, board, tables, stones, counts):  # type: ignore[no-untyped-def]
    lines = cuda.shared.array(LINES, numba.int32)
    mine = cuda.shared.array(256, numba.int32)
    starts = cuda.shared.array(MOST_POINTS, numba.int64)
    targets = cuda.shared.array((MOST_POINTS, MOST_POINTS), numba.int32)
    block, many = cuda.blockIdx.x, len(board.lines)
    taken = np.int64(sets[block])
    _begin(taken, board, lines, mine)
    _prepare(taken, board, next_sets, after.size, starts, targets)
    cuda.syncthreads()
    won = WON - (stones + 1)
    for place in range(cuda.threadIdx.x, len(words), THREADS):
        word = np.int64(words[place])
        score = _judged(word, LEAST, many, lines, stones - WON)
        if score == LEAST:
            score = _greatest(word, above, after, board, tables, starts, targets, won)
        scores[block * len(words) + place] = score
        cuda.atomic.add(mine, score & 255, 1)
    _end(weights[block], mine, counts)


class GpuSolver(Solver):
    """Solves one layer after the other in the memory of the first GPU."""

    def __init__(self, game: Game, keep: bool = True) -> None:
        """`keep` says whether the scores are wanted here, for a table or a check, or only the counts."""
        super().__init__(game)
        self._memory = Memory()
        self._keep = keep
        self._latest: tuple[int, Any] | None = None

    def free_bytes(self) -> int:
        """How much of the GPU's memory is free."""
        return self._memory.free_bytes()

    def fill(
        self, stones: int, above: Scores | None, classes: Classes, runs: Runs, done: Callable[[int], None]
    ) -> tuple[Scores, NDArray[np.int64]]:
        layout, load = self.game.layout, self._memory.load
        blocks, points = len(classes.sets), len(layout)
        words = combinations(runs.bits, runs.ones)
        scores = cuda.device_array(max(1, blocks * runs.size), np.int8)
        counts = cuda.to_device(np.zeros(256, np.int64))
        begin = (scores, *(load(values) for values in (classes.sets, classes.weights)))
        board, tables = load(self._board), load(self._inner)
        later = self._above(stones, above)
        if blocks == 0:
            pass
        elif later is None:
            ended = stones - WON if stones % 2 == 0 else ILLEGAL
            _full_all[blocks, THREADS](*begin, load(words), board, ended, counts)
        elif stones % 2:
            after = load(kernel.runs_of(runs.bits, runs.ones + 1))
            _by_o_all[blocks, THREADS](begin[0], later, *begin[1:], load(words), after, board, tables, counts)
        else:
            after = load(kernel.runs_of(runs.bits - 1, runs.ones))
            next_sets = load(classes_of(layout, points - runs.bits + 1).sets)
            more = (next_sets, load(words), after, board, tables, stones, counts)
            _by_x_all[blocks, THREADS](begin[0], later, *begin[1:], *more)
        found: NDArray[np.int64] = counts.copy_to_host()
        self._latest = (stones, scores)
        done(blocks)
        room = np.zeros(PAD + (blocks * runs.size if self._keep else 0), np.int8)
        if self._keep and blocks:
            room[:-PAD] = scores.copy_to_host()
        return room, found

    def _above(self, stones: int, above: Scores | None) -> Any:
        """The layer above in the GPU's memory: there from before, or loaded."""
        if above is None:
            return None
        if self._latest is not None and self._latest[0] == stones + 1:
            return self._latest[1]
        return cuda.to_device(above)
