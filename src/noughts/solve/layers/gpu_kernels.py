"""The kernels that fill layers of a placing game on a GPU: a group of threads a block.

The scores, and what they follow from, are those of `noughts.solve.layers.kernel`. What all threads of a group look at
lies in their shared memory, where 32 threads may each look somewhere else at once. That is what bounds these kernels,
with their arithmetic, and not the memory of the GPU; so words have 32 bits, and numbers that are looked up no sign.

- **O moves**: the block of the layer above is copied there as a whole, and a thread has a word. A stone on a low bit
  needs one look-up, the place of the low bits, one on an upper bit another, the start of the run.
- **X moves**: the scores of the block are there while they grow. X's moves are made one after the other by the whole
  group; the block after each is read in order, and every score there raises that of the word it comes from. Where that
  is, the symmetry says, `STEP` bits at a time. Different scores raise different words, so that nobody has to wait. A
  thread reads several scores before it looks at the first, since they come from far away. Where X can win at once, only
  words in which O takes all these points are looked at any further.

Lines that X leaves free are words that all threads share as well. Threads count scores in shared memory, and groups
add their counts to those of all by atomic operations.

**Two bits a position** (`outcomes_…`) say who wins and no more. A byte holds four words that stand side by side, the
first in its lowest bits, and a block begins with a byte of its own; a thread works a byte out, so that none writes
what another one writes. X wants the greatest code and O the least. While a block grows under X's moves, a code raises
another one by an atomic operation: the union of both will do, as X has won where the upper bit is set.
"""

from typing import Any

import numba.cuda
import numpy as np

from noughts.solve.layers import kernel
from noughts.solve.layers.kernel import ILLEGAL, LEAST, LOW, MOST, WON

__all__ = [
    "DRAWN",
    "LINES",
    "NEVER",
    "O_WINS",
    "POINTS",
    "ROOM",
    "X_WINS",
    "by_o_all",
    "by_x_all",
    "full_all",
    "outcome_at",
    "outcomes_by_o",
    "outcomes_by_x",
    "outcomes_full",
]

LINES = 96
"""Most lines of a board."""
POINTS = 28
"""Most points of a board."""
ROOM = 31872
"""Bytes of shared memory for a block: the largest that is kept there has 31,824 scores, or 125,970 times two bits."""
WORDS = ROOM // 4
STARTS = 1 << 11
"""So many starts of runs are kept in shared memory: of words with up to 20 bits. Layers with longer words are small."""
PLACES = 1 << LOW
STEP = 6
"""Bits of a word that are moved at a time."""
WAYS = 1 << STEP
STEPS = 5
"""In so many steps all of them are."""
FEW = 3
"""So many do for the largest layers."""
SPREAD = STEPS * WAYS
AHEAD = 4
"""So many scores a thread reads at a time."""
O_WINS, DRAWN, X_WINS, NEVER = range(4)
"""What two bits say; the last of positions that no game reaches."""
OPEN = 4
"""Not yet known."""
COUNT = 16
"""Bits of a count: a thread has fewer words than they can say."""

NONE, ONE, TWO, LOW_BITS, LOWEST = (np.uint32(number) for number in (0, 1, 2, LOW, PLACES - 1))
STEP_BITS, WAY = np.uint32(STEP), np.uint32(WAYS - 1)

cuda: Any = numba.cuda

_do = kernel.functions(cuda.jit(device=True))
_ones, _image, _lead, _find, _has_row = _do.ones, _do.image, _do.lead, _do.find, _do.has_row


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
    """Share out the lines: those that X leaves free as words, and how many; and nothing has been counted."""
    for score in range(cuda.threadIdx.x, len(mine), cuda.blockDim.x):
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
    common, held, number = word, False, NONE
    while number < many:
        line = lines[number]
        if word & line == line:
            common = np.uint32(common & line)
            held = True
        number = np.uint32(number + ONE)
    if not held:
        return score
    return ended if common else ILLEGAL


@cuda.jit(device=True)
def _copy_tables(runs, tables, starts, places):  # type: ignore[no-untyped-def]
    """Copy the tables of ranks to shared memory, the starts if they have room there."""
    if len(runs.start) <= STARTS:
        for number in range(cuda.threadIdx.x, len(runs.start), cuda.blockDim.x):
            starts[number] = runs.start[number]
    for number in range(cuda.threadIdx.x, PLACES, cuda.blockDim.x):
        places[number] = tables.place[number]


@cuda.jit(device=True)
def _start_of(upper, runs, starts):  # type: ignore[no-untyped-def]
    """The rank of the first word that has some upper bits."""
    if len(runs.start) <= STARTS:
        return np.uint32(starts[upper])
    return np.uint32(runs.start[upper])


@cuda.jit(device=True)
def _bit_of(point, taken):  # type: ignore[no-untyped-def]
    """Which bit of a word a free point is."""
    return _ones(((np.int64(1) << point) - 1) & ~taken)


@cuda.jit(device=True)
def _prepare(taken, board, next_sets, ones, winning, blocks, leads, turns, sources, needed):  # type: ignore[no-untyped-def]
    """Share out X's moves, one for every bit of a word that O leaves free; whether there is a word to look at.

    `winning` gets the bits on which X completes a row: words with so many ones have to take them all. For every other
    bit, `blocks` gets the block after it, which is that of one of `leads` after one of `turns`, `sources` for the bits
    of the words there the bits they come from, and `needed` which of them come from `winning`.
    """
    if cuda.threadIdx.x == 0:
        winning[0] = 0
    cuda.syncthreads()
    for point in range(cuda.threadIdx.x, board.points, cuda.blockDim.x):
        if not taken >> point & 1 and _has_row(taken | np.int64(1) << point, board.lines):
            bit = _bit_of(point, taken)
            cuda.atomic.or_(winning, 0, np.int64(1) << bit)
    cuda.syncthreads()
    if _ones(winning[0]) > ones:
        return False
    for point in range(cuda.threadIdx.x, board.points, cuda.blockDim.x):
        bit = _bit_of(point, taken)
        if taken >> point & 1 or winning[0] >> bit & 1:
            continue
        leads[bit], symmetry = _lead(taken | np.int64(1) << point, board)
        blocks[bit] = _find(next_sets, leads[bit])
        needed[bit], turns[bit] = 0, symmetry
    cuda.syncthreads()
    for pair in range(cuda.threadIdx.x, board.points * board.points, cuda.blockDim.x):
        point, other = pair // board.points, pair % board.points
        bit, source = _bit_of(point, taken), _bit_of(other, taken)
        if point == other or taken >> point & 1 or taken >> other & 1 or winning[0] >> bit & 1:
            continue
        target = _ones((_image(np.int64(1) << other, turns[bit], board) - 1) & ~leads[bit])
        sources[bit, target] = source
        if winning[0] >> source & 1:
            cuda.atomic.or_(needed, bit, ONE << np.uint32(target))
    cuda.syncthreads()
    return True


@cuda.jit(device=True)
def _look_back(sources, bit, bits, spread):  # type: ignore[no-untyped-def]
    """Share out where the bits of the words after a move to `bit` come from, for each `STEP` bits of them."""
    cuda.syncthreads()
    steps = FEW if bits <= FEW * STEP else STEPS
    for entry in range(cuda.threadIdx.x, steps * WAYS, cuda.blockDim.x):
        step, some, before = entry // WAYS, entry % WAYS, np.uint32(0)
        for number in range(STEP):
            target = STEP * step + number
            if some >> number & 1 and target < bits:
                before = np.uint32(before | ONE << np.uint32(sources[bit, target]))
        spread[entry] = before
    cuda.syncthreads()


@cuda.jit(device=True)
def _rank_before(later, bits, spread, runs, starts, places):  # type: ignore[no-untyped-def]
    """The rank of the word that a word after a move comes from."""
    word = spread[later & WAY]
    later = np.uint32(later >> STEP_BITS)
    word = np.uint32(word | spread[np.uint32(WAYS) + (later & WAY)])
    later = np.uint32(later >> STEP_BITS)
    word = np.uint32(word | spread[np.uint32(2 * WAYS) + (later & WAY)])
    if bits > FEW * STEP:
        later = np.uint32(later >> STEP_BITS)
        word = np.uint32(word | spread[np.uint32(3 * WAYS) + (later & WAY)])
        later = np.uint32(later >> STEP_BITS)
        word = np.uint32(word | spread[np.uint32(4 * WAYS) + (later & WAY)])
    start = _start_of(np.uint32(word >> LOW_BITS), runs, starts)
    return np.uint32(start + places[np.uint32(word & LOWEST)])


@cuda.jit(device=True)
def _end(weight, mine, counts):  # type: ignore[no-untyped-def]
    """Add what the group has counted to the counts of all."""
    cuda.syncthreads()
    for score in range(cuda.threadIdx.x, 256, cuda.blockDim.x):
        if mine[score]:
            cuda.atomic.add(counts, score, weight * mine[score])


@cuda.jit
def full_all(scores, sets, weights, words, board, ended, counts):  # type: ignore[no-untyped-def]
    lines = cuda.shared.array(LINES, numba.uint32)
    mine = cuda.shared.array(256, numba.int32)
    many = cuda.shared.array(1, numba.int32)
    block = cuda.blockIdx.x
    _begin(np.int64(sets[block]), board, lines, many, mine)
    cuda.syncthreads()
    for place in range(cuda.threadIdx.x, len(words), cuda.blockDim.x):
        score = _judged(words[place], 0, np.uint32(many[0]), lines, ended)
        scores[block * len(words) + place] = score
        cuda.atomic.add(mine, score & 255, 1)
    _end(weights[block], mine, counts)


@cuda.jit(device=True)
def _free(word, bits):  # type: ignore[no-untyped-def]
    """The bits that a word leaves free: the low ones, and the upper ones as a part of their own."""
    free = np.uint32(((ONE << np.uint32(bits)) - ONE) & ~word)
    return np.uint32(free & LOWEST), np.uint32(free >> LOW_BITS)


@cuda.jit(device=True)
def _least(word, above, after, starts, places):  # type: ignore[no-untyped-def]
    """The least score after O's moves, in a block above."""
    low, upper = np.uint32(word & LOWEST), np.uint32(word >> LOW_BITS)
    run, place = _start_of(upper, after, starts), places[low]
    missing, others = _free(word, after.bits)
    least = np.int32(MOST)
    while missing:
        left = np.uint32(missing & np.uint32(missing - ONE))
        least = min(least, np.int32(above[np.uint32(run + places[np.uint32(low | missing ^ left)])]))
        missing = left
    while others:
        left = np.uint32(others & np.uint32(others - ONE))
        rank = np.uint32(_start_of(np.uint32(upper | others ^ left), after, starts) + place)
        least = min(least, np.int32(above[rank]))
        others = left
    return least


@cuda.jit
def by_o_all(scores, above, sets, weights, words, after, board, tables, counts):  # type: ignore[no-untyped-def]
    room = cuda.shared.array(ROOM, numba.int8)
    starts = cuda.shared.array(STARTS, numba.int32)
    places = cuda.shared.array(PLACES, numba.uint8)
    lines = cuda.shared.array(LINES, numba.uint32)
    mine = cuda.shared.array(256, numba.int32)
    many = cuda.shared.array(1, numba.int32)
    block = cuda.blockIdx.x
    _begin(np.int64(sets[block]), board, lines, many, mine)
    _copy_tables(after, tables, starts, places)
    before = above[block * after.size : (block + 1) * after.size]
    number, group = np.uint32(cuda.threadIdx.x), np.uint32(cuda.blockDim.x)
    while number < after.size:
        room[number] = before[number]
        number = np.uint32(number + group)
    cuda.syncthreads()
    out = scores[block * len(words) : (block + 1) * len(words)]
    number, size, held = np.uint32(cuda.threadIdx.x), np.uint32(len(words)), np.uint32(many[0])
    while number < size:
        word = words[number]
        score = _judged(word, _least(word, room, after, starts, places), held, lines, ILLEGAL)
        out[number] = score
        cuda.atomic.add(mine, score & 255, 1)
        number = np.uint32(number + group)
    _end(weights[block], mine, counts)


@cuda.jit(device=True)
def _raise_scores(room, above, needs, words, bits, spread, runs, starts, places):  # type: ignore[no-untyped-def]
    """Let the scores of the block after a move raise those of the words they come from."""
    later, scores = cuda.local.array(AHEAD, numba.uint32), cuda.local.array(AHEAD, numba.int8)
    first, group, size = np.uint32(cuda.threadIdx.x), np.uint32(cuda.blockDim.x), np.uint32(len(words))
    while first < size:
        for step in range(AHEAD):
            number = np.uint32(min(np.uint32(first + np.uint32(step) * group), np.uint32(size - ONE)))
            later[step], scores[step] = words[number], above[number]
        for step in range(AHEAD):
            if np.uint32(first + np.uint32(step) * group) < size and later[step] & needs == needs:
                rank = _rank_before(later[step], bits, spread, runs, starts, places)
                room[rank] = max(room[rank], scores[step])
        first = np.uint32(first + np.uint32(AHEAD) * group)


@cuda.jit
def by_x_all(  # type: ignore[no-untyped-def]
    scores, above, sets, weights, next_sets, words, later_words, runs, board, tables, stones, counts
):
    room = cuda.shared.array(ROOM, numba.int8)
    starts = cuda.shared.array(STARTS, numba.uint16)
    places = cuda.shared.array(PLACES, numba.uint8)
    spread = cuda.shared.array(SPREAD, numba.uint32)
    lines = cuda.shared.array(LINES, numba.uint32)
    mine = cuda.shared.array(256, numba.int32)
    many = cuda.shared.array(1, numba.int32)
    winning = cuda.shared.array(1, numba.int64)
    blocks = cuda.shared.array(POINTS, numba.int64)
    leads = cuda.shared.array(POINTS, numba.int64)
    turns = cuda.shared.array(POINTS, numba.int32)
    needed = cuda.shared.array(POINTS, numba.uint32)
    sources = cuda.shared.array((POINTS, POINTS), numba.uint8)
    block = cuda.blockIdx.x
    taken = np.int64(sets[block])
    _begin(taken, board, lines, many, mine)
    _copy_tables(runs, tables, starts, places)
    for entry in range(cuda.threadIdx.x, len(words), cuda.blockDim.x):
        room[entry] = LEAST
    if _prepare(taken, board, next_sets, runs.ones, winning, blocks, leads, turns, sources, needed):
        bits = runs.bits - 1
        for bit in range(runs.bits):
            if not winning[0] >> bit & 1:
                _look_back(sources, bit, bits, spread)
                start = blocks[bit] * len(later_words)
                after = above[start : start + len(later_words)]
                _raise_scores(room, after, needed[bit], later_words, bits, spread, runs, starts, places)
    cuda.syncthreads()
    out = scores[block * len(words) : (block + 1) * len(words)]
    number, group, size = np.uint32(cuda.threadIdx.x), np.uint32(cuda.blockDim.x), np.uint32(len(words))
    wins, held = np.uint32(winning[0]), np.uint32(many[0])
    while number < size:
        word = words[number]
        score = WON - (stones + 1) if wins & ~word else np.int64(room[number])
        score = _judged(word, score, held, lines, stones - WON)
        out[number] = score
        cuda.atomic.add(mine, score & 255, 1)
        number = np.uint32(number + group)
    _end(weights[block], mine, counts)


@cuda.jit(device=True)
def outcome_at(outcomes, start, rank):  # type: ignore[no-untyped-def]
    """The code of a word in a block that begins at a byte."""
    return np.int64(outcomes[start + (rank >> 2)]) >> 2 * (rank & 3) & 3


@cuda.jit(device=True)
def _end_of_codes(weight, found, mine, counts):  # type: ignore[no-untyped-def]
    """Add what a thread has found, a count a code, to that of the group, and this to the counts of all."""
    for code in range(NEVER):
        cuda.atomic.add(mine, code, found >> COUNT * code & ((1 << COUNT) - 1))
    cuda.syncthreads()
    if cuda.threadIdx.x < NEVER and mine[cuda.threadIdx.x]:
        cuda.atomic.add(counts, cuda.threadIdx.x, weight * mine[cuda.threadIdx.x])


@cuda.jit
def outcomes_full(outcomes, first, sets, weights, words, board, ended, counts):  # type: ignore[no-untyped-def]
    """Work out the blocks of full boards from a first one on; `ended` is what a row of O's means."""
    lines = cuda.shared.array(LINES, numba.uint32)
    mine = cuda.shared.array(NEVER, numba.int32)
    many = cuda.shared.array(1, numba.int32)
    block = first + cuda.blockIdx.x
    size = (len(words) + 3) >> 2
    _begin(np.int64(sets[block]), board, lines, many, mine)
    cuda.syncthreads()
    found = np.int64(0)
    for place in range(cuda.threadIdx.x, size, cuda.blockDim.x):
        codes = 0
        for number in range(4 * place, min(4 * place + 4, len(words))):
            code = _judged(words[number], DRAWN, np.uint32(many[0]), lines, ended) & 3
            found += np.int64(1) << COUNT * code
            codes |= code << 2 * (number & 3)
        outcomes[block * size + place] = codes
    _end_of_codes(weights[block], found, mine, counts)


@cuda.jit(device=True)
def _code_at(codes, rank, bits):  # type: ignore[no-untyped-def]
    """The code of a word in shared memory, of which each entry has two to the power of so many codes."""
    shift = np.uint32(TWO * (rank & np.uint32((1 << bits) - 1)))
    return np.int32(codes[np.uint32(rank >> np.uint32(bits))] >> shift & np.uint32(3))


@cuda.jit(device=True)
def _least_code(word, above, after, starts, places):  # type: ignore[no-untyped-def]
    """What O's best move leads to, in a block above."""
    low, upper = np.uint32(word & LOWEST), np.uint32(word >> LOW_BITS)
    run, place = _start_of(upper, after, starts), places[low]
    missing, others = _free(word, after.bits)
    least = np.int32(X_WINS)
    while others and least != O_WINS:
        left = np.uint32(others & np.uint32(others - ONE))
        rank = np.uint32(_start_of(np.uint32(upper | others ^ left), after, starts) + place)
        least = min(least, _code_at(above, rank, 2))
        others = left
    while missing and least != O_WINS:
        left = np.uint32(missing & np.uint32(missing - ONE))
        least = min(least, _code_at(above, np.uint32(run + places[np.uint32(low | missing ^ left)]), 2))
        missing = left
    return least


@cuda.jit
def outcomes_by_o(  # type: ignore[no-untyped-def]
    outcomes, above, first, sets, weights, words, after, board, tables, counts
):
    """Work out the blocks from a first one on, with O to move; `counts` gets how many positions have each code."""
    room = cuda.shared.array(ROOM, numba.uint8)
    starts = cuda.shared.array(STARTS, numba.int32)
    places = cuda.shared.array(PLACES, numba.uint8)
    lines = cuda.shared.array(LINES, numba.uint32)
    mine = cuda.shared.array(NEVER, numba.int32)
    many = cuda.shared.array(1, numba.int32)
    block = first + cuda.blockIdx.x
    size, after_size = (len(words) + 3) >> 2, (after.size + 3) >> 2
    _begin(np.int64(sets[block]), board, lines, many, mine)
    _copy_tables(after, tables, starts, places)
    before = above[block * after_size : (block + 1) * after_size]
    place, group = np.uint32(cuda.threadIdx.x), np.uint32(cuda.blockDim.x)
    while place < after_size:
        room[place] = before[place]
        place = np.uint32(place + group)
    cuda.syncthreads()
    found, out = np.int64(0), outcomes[block * size : (block + 1) * size]
    place, held = np.uint32(cuda.threadIdx.x), np.uint32(many[0])
    while place < size:
        codes = 0
        number = np.uint32(place << TWO)
        while number < len(words) and number >> TWO == place:
            word = words[number]
            code = _judged(word, OPEN, held, lines, NEVER)
            if code == OPEN:
                code = _least_code(word, room, after, starts, places)
            # A row of O's that is no end has both bits, as ILLEGAL has.
            code &= 3
            found += np.int64(1) << COUNT * code
            codes |= code << 2 * (number & 3)
            number = np.uint32(number + ONE)
        out[place] = codes
        place = np.uint32(place + group)
    _end_of_codes(weights[block], found, mine, counts)


@cuda.jit(device=True)
def _raise_codes(room, above, needs, words, bits, spread, runs, starts, places):  # type: ignore[no-untyped-def]
    """The same with two bits a position; words are added to make the last byte full."""
    later = cuda.local.array(4, numba.uint32)
    place, group, size = np.uint32(cuda.threadIdx.x), np.uint32(cuda.blockDim.x), np.uint32(len(words) >> 2)
    while place < size:
        codes = np.uint32(above[place])
        for number in range(4):
            later[number] = words[np.uint32(np.uint32(4) * place + np.uint32(number))]
        for number in range(4):
            code = np.uint32(codes >> np.uint32(2 * number) & np.uint32(3))
            if code and later[number] & needs == needs:
                rank = _rank_before(later[number], bits, spread, runs, starts, places)
                raised = np.uint32(code << TWO * (rank & np.uint32(15)))
                cuda.atomic.or_(room, np.uint32(rank >> np.uint32(4)), raised)
        place = np.uint32(place + group)


@cuda.jit
def outcomes_by_x(  # type: ignore[no-untyped-def]
    outcomes, above, first, sets, weights, next_sets, words, later_words, runs, board, tables, counts
):
    """Work out the blocks from a first one on, with X to move; `counts` gets how many positions have each code.

    `later_words` are as many as fill whole bytes.
    """
    room = cuda.shared.array(WORDS, numba.uint32)
    starts = cuda.shared.array(STARTS, numba.uint32)
    places = cuda.shared.array(PLACES, numba.uint8)
    spread = cuda.shared.array(SPREAD, numba.uint32)
    lines = cuda.shared.array(LINES, numba.uint32)
    mine = cuda.shared.array(NEVER, numba.int32)
    many = cuda.shared.array(1, numba.int32)
    winning = cuda.shared.array(1, numba.int64)
    blocks = cuda.shared.array(POINTS, numba.int64)
    leads = cuda.shared.array(POINTS, numba.int64)
    turns = cuda.shared.array(POINTS, numba.int32)
    needed = cuda.shared.array(POINTS, numba.uint32)
    sources = cuda.shared.array((POINTS, POINTS), numba.uint8)
    block = first + cuda.blockIdx.x
    taken = np.int64(sets[block])
    size = (len(words) + 3) >> 2
    _begin(taken, board, lines, many, mine)
    _copy_tables(runs, tables, starts, places)
    for entry in range(cuda.threadIdx.x, (len(words) + 15) >> 4, cuda.blockDim.x):
        room[entry] = 0
    if _prepare(taken, board, next_sets, runs.ones, winning, blocks, leads, turns, sources, needed):
        bits = runs.bits - 1
        for bit in range(runs.bits):
            if not winning[0] >> bit & 1:
                _look_back(sources, bit, bits, spread)
                later_size = len(later_words) >> 2
                after = above[blocks[bit] * later_size : (blocks[bit] + 1) * later_size]
                _raise_codes(room, after, needed[bit], later_words, bits, spread, runs, starts, places)
    cuda.syncthreads()
    found, out = np.int64(0), outcomes[block * size : (block + 1) * size]
    place, group = np.uint32(cuda.threadIdx.x), np.uint32(cuda.blockDim.x)
    wins, held = np.uint32(winning[0]), np.uint32(many[0])
    while place < size:
        codes = 0
        number = np.uint32(place << TWO)
        while number < len(words) and number >> TWO == place:
            word = words[number]
            code = X_WINS if wins & ~word else min(_code_at(room, number, 4), X_WINS)
            code = _judged(word, code, held, lines, O_WINS) & 3
            found += np.int64(1) << COUNT * code
            codes |= code << 2 * (number & 3)
            number = np.uint32(number + ONE)
        out[place] = codes
        place = np.uint32(place + group)
    _end_of_codes(weights[block], found, mine, counts)
