"""The kernels that fill layers of a placing game on a GPU: a group of threads a block, a thread a word.

The scores, and what they follow from, are those of `noughts.solve.layers.kernel`. Runs are for a processor: here a
thread has one word, tries its moves one after the other, and ranks the word after each by two look-ups. What all words
of a block share is worked out once by the group, in shared memory: the lines that X leaves free and, where X moves, on
which points X wins, for every other one the block of the layer above, and where the symmetry takes a word, six bits at
a time. Threads count scores in shared memory, and groups add their counts to those of all by atomic operations.

**Two bits a position** (`outcomes_all`) say who wins and no more. A byte holds four words that stand side by side, the
first in its lowest bits, and a block begins with a byte of its own; a thread works a byte out, so that none writes what
another one writes. X wants the greatest code and O the least.
"""

from typing import Any

import numba.cuda
import numpy as np

from noughts.solve.layers import kernel
from noughts.solve.layers.kernel import ILLEGAL, LEAST, MOST, WON

__all__ = [
    "DRAWN",
    "FULL",
    "NEVER",
    "O_WINS",
    "POINTS",
    "TO_O",
    "TO_X",
    "X_WINS",
    "by_o_all",
    "by_x_all",
    "full_all",
    "outcome_at",
    "outcomes_all",
]

LINES = 128
"""Most lines of a board."""
POINTS = 28
"""Most points of a board."""
STEP = 6
"""Bits of a word that are moved at a time."""
WAYS = 1 << STEP
STEPS = 5
"""In so many steps all of them are."""
O_WINS, DRAWN, X_WINS, NEVER = range(4)
"""What the two bits say; the last of positions that no game reaches."""
OPEN = 4
"""Not yet known."""
FULL, TO_X, TO_O = range(3)
"""Who is to move."""

cuda: Any = numba.cuda

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
def _begin(taken, board, lines, many, mine):  # type: ignore[no-untyped-def]
    """Share out the lines: those that X leaves free as words, and how many; and no score has been counted."""
    for score in range(cuda.threadIdx.x, 256, cuda.blockDim.x):
        mine[score] = 0
    if cuda.threadIdx.x == 0:
        many[0] = 0
    cuda.syncthreads()
    for number in range(cuda.threadIdx.x, len(board.lines), cuda.blockDim.x):
        line = board.lines[number]
        if line & taken == 0:
            lines[cuda.atomic.add(many, 0, 1)] = _word_of(line, taken, board)


@cuda.jit(device=True)
def _judged(word, score, many, lines, ended):  # type: ignore[no-untyped-def]
    """The score of a word, unless it holds a line."""
    common, held = word, False
    for number in range(many[0]):
        line = lines[number]
        if word & line == line:
            common &= line
            held = True
    if not held:
        return score
    return ended if common else ILLEGAL


@cuda.jit(device=True)
def _end(weight, mine, counts):  # type: ignore[no-untyped-def]
    """Add what the group has counted to the counts of all."""
    cuda.syncthreads()
    for score in range(cuda.threadIdx.x, 256, cuda.blockDim.x):
        if mine[score]:
            cuda.atomic.add(counts, score, weight * mine[score])


@cuda.jit
def full_all(scores, sets, weights, words, board, ended, counts):  # type: ignore[no-untyped-def]
    lines = cuda.shared.array(LINES, numba.int32)
    mine = cuda.shared.array(256, numba.int32)
    many = cuda.shared.array(1, numba.int32)
    block = cuda.blockIdx.x
    _begin(np.int64(sets[block]), board, lines, many, mine)
    cuda.syncthreads()
    for place in range(cuda.threadIdx.x, len(words), cuda.blockDim.x):
        score = _judged(np.int64(words[place]), 0, many, lines, ended)
        scores[block * len(words) + place] = score
        cuda.atomic.add(mine, score & 255, 1)
    _end(weights[block], mine, counts)


@cuda.jit
def by_o_all(scores, above, sets, weights, words, after, board, tables, counts):  # type: ignore[no-untyped-def]
    lines = cuda.shared.array(LINES, numba.int32)
    mine = cuda.shared.array(256, numba.int32)
    many = cuda.shared.array(1, numba.int32)
    block = cuda.blockIdx.x
    _begin(np.int64(sets[block]), board, lines, many, mine)
    cuda.syncthreads()
    start = block * after.size
    for place in range(cuda.threadIdx.x, len(words), cuda.blockDim.x):
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
def _prepare(taken, board, next_sets, size, winning, starts, targets, spread):  # type: ignore[no-untyped-def]
    """Share out X's moves, one for every bit of a word that O leaves free.

    `winning` gets the bits on which X completes a row; for every other one `starts` gets where the block after it
    begins, of so many bytes each, and `spread` where the symmetry to it takes each `STEP` bits of a word. `targets` is
    on the way.
    """
    if cuda.threadIdx.x == 0:
        winning[0] = 0
    cuda.syncthreads()
    bits = board.points - _ones(taken)
    for point in range(cuda.threadIdx.x, board.points, cuda.blockDim.x):
        if taken >> point & 1:
            continue
        bit = _ones(((np.int64(1) << point) - 1) & ~taken)
        grown = taken | np.int64(1) << point
        if _has_row(grown, board.lines):
            cuda.atomic.or_(winning, 0, np.int64(1) << bit)
            continue
        lead, symmetry = _lead(grown, board)
        starts[bit] = _find(next_sets, lead) * size
        source = 0
        for other in range(board.points):
            if taken >> other & 1:
                continue
            target = _image(np.int64(1) << other, symmetry, board)
            # The bit of the move itself goes nowhere: no word has it that is moved.
            targets[bit, source] = 0 if other == point else _ones((target - 1) & ~lead)
            source += 1
    cuda.syncthreads()
    entries = (bits + STEP - 1) // STEP << STEP
    for number in range(cuda.threadIdx.x, bits * entries, cuda.blockDim.x):
        bit, entry = number // entries, number % entries
        step, some = entry >> STEP, entry & (WAYS - 1)
        if winning[0] >> bit & 1:
            continue
        moved = np.int64(0)
        for place in range(STEP):
            source = STEP * step + place
            if some >> place & 1 and source < bits:
                moved |= np.int64(1) << targets[bit, source]
        spread[bit, step, some] = moved


@cuda.jit(device=True)
def _moved_by(word, bit, bits, spread):  # type: ignore[no-untyped-def]
    """Where O's word is after X's move to a bit that it leaves free."""
    moved, step = np.int64(0), 0
    while STEP * step < bits:
        moved |= np.int64(spread[bit, step, word & (WAYS - 1)])
        word >>= STEP
        step += 1
    return moved


@cuda.jit
def by_x_all(scores, above, sets, weights, next_sets, words, after, board, tables, stones, counts):  # type: ignore[no-untyped-def]
    lines = cuda.shared.array(LINES, numba.int32)
    mine = cuda.shared.array(256, numba.int32)
    winning = cuda.shared.array(1, numba.int64)
    starts = cuda.shared.array(POINTS, numba.int64)
    targets = cuda.shared.array((POINTS, POINTS), numba.uint8)
    spread = cuda.shared.array((POINTS, STEPS, WAYS), numba.int32)
    many = cuda.shared.array(1, numba.int32)
    block = cuda.blockIdx.x
    taken = np.int64(sets[block])
    _begin(taken, board, lines, many, mine)
    _prepare(taken, board, next_sets, after.size, winning, starts, targets, spread)
    cuda.syncthreads()
    won, bits = WON - (stones + 1), after.bits + 1
    for place in range(cuda.threadIdx.x, len(words), cuda.blockDim.x):
        word = np.int64(words[place])
        score = _judged(word, LEAST, many, lines, stones - WON)
        if score == LEAST:
            if winning[0] & ~word:
                score = won
            else:
                for bit in range(bits):
                    if not word >> bit & 1:
                        rank = _rank(_moved_by(word, bit, bits, spread), after, tables)
                        score = max(score, np.int64(above[starts[bit] + rank]))
        scores[block * len(words) + place] = score
        cuda.atomic.add(mine, score & 255, 1)
    _end(weights[block], mine, counts)


@cuda.jit(device=True)
def outcome_at(outcomes, start, rank):  # type: ignore[no-untyped-def]
    """The code of a word in a block that begins at a byte."""
    return np.int64(outcomes[start + (rank >> 2)]) >> 2 * (rank & 3) & 3


@cuda.jit(device=True)
def _best_of_o(word, above, start, after, tables):  # type: ignore[no-untyped-def]
    """What O's best move leads to; the block after all of them begins at a byte."""
    best = np.int64(X_WINS)
    for bit in range(after.bits):
        if not word >> bit & 1 and best != O_WINS:
            best = min(best, outcome_at(above, start, _rank(word | 1 << bit, after, tables)))
    return best


@cuda.jit(device=True)
def _best_of_x(word, above, bits, after, tables, starts, spread):  # type: ignore[no-untyped-def]
    """What X's best move leads to."""
    best = np.int64(O_WINS)
    for bit in range(bits):
        if not word >> bit & 1 and best != X_WINS:
            rank = _rank(_moved_by(word, bit, bits, spread), after, tables)
            best = max(best, outcome_at(above, starts[bit], rank))
    return best


@cuda.jit
def outcomes_all(  # type: ignore[no-untyped-def]
    outcomes, above, first, sets, weights, next_sets, words, after, board, tables, turn, ended, counts
):
    """Work out the blocks from a first one on, a group a block; `counts` gets how many positions have each code.

    `ended` is what a row of O's means, if one stone may have completed it.
    """
    lines = cuda.shared.array(LINES, numba.int32)
    mine = cuda.shared.array(256, numba.int32)
    many = cuda.shared.array(1, numba.int32)
    winning = cuda.shared.array(1, numba.int64)
    starts = cuda.shared.array(POINTS, numba.int64)
    targets = cuda.shared.array((POINTS, POINTS), numba.uint8)
    spread = cuda.shared.array((POINTS, STEPS, WAYS), numba.int32)
    block = first + cuda.blockIdx.x
    size, after_size = (len(words) + 3) >> 2, (after.size + 3) >> 2
    taken = np.int64(sets[block])
    _begin(taken, board, lines, many, mine)
    if turn == TO_X:
        _prepare(taken, board, next_sets, after_size, winning, starts, targets, spread)
    cuda.syncthreads()
    won, drawn, lost = 0, 0, 0
    for place in range(cuda.threadIdx.x, size, cuda.blockDim.x):
        found = 0
        for part in range(4):
            number = 4 * place + part
            if number >= len(words):
                break
            word = np.int64(words[number])
            outcome = _judged(word, OPEN, many, lines, ended)
            if outcome == OPEN:
                if turn == FULL:
                    outcome = DRAWN
                elif turn == TO_O:
                    outcome = _best_of_o(word, above, block * after_size, after, tables)
                elif winning[0] & ~word:
                    outcome = X_WINS
                else:
                    outcome = _best_of_x(word, above, after.bits + 1, after, tables, starts, spread)
            won += outcome == X_WINS
            drawn += outcome == DRAWN
            lost += outcome == O_WINS
            # What cannot occur has both bits, as ILLEGAL has.
            found |= (outcome & 3) << 2 * part
        outcomes[block * size + place] = found
    cuda.atomic.add(mine, O_WINS, lost)
    cuda.atomic.add(mine, DRAWN, drawn)
    cuda.atomic.add(mine, X_WINS, won)
    cuda.syncthreads()
    if cuda.threadIdx.x < NEVER and mine[cuda.threadIdx.x]:
        cuda.atomic.add(counts, cuda.threadIdx.x, weights[block] * mine[cuda.threadIdx.x])
