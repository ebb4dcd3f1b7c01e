"""The layers of a placing game, compiled: a layer's scores from those of the layer above it, a block at a time.

**The score** is a signed byte and X's: 0 for a draw, 100 − t where X wins with the t-th stone of the game, t − 100
where O does. It counts stones from the empty board, not plies from the position: so a position has the greatest score
among its successors if X is to move and the least if O is, unchanged, and a layer is nothing but minima or maxima.

**Words in runs.** O's set is a word over the points that X leaves free. Words are cut into the low `LOW` bits and the
bits above them: in the order of ranks, words with the same upper bits stand together in a *run*, of at most
C(9, 4) = 126 bytes. A run depends on the number of ones that are left for the low bits, and starts at a rank that a
lookup by the upper bits gives (`Runs`). The rank of any word is thus two lookups that stay in the first-level cache.

**O moves** (`by_o`): X's set stays. A stone on an upper bit leads to another run of the same length, whose bytes stand
in the same order: a minimum of `WIDTH` bytes at a time, which the compiler turns into a few vector instructions; what
it takes beyond the end of a run is not kept. A stone on a low bit leads into one other run, by a lookup that is the
same for all runs.

**X moves** (`by_x`): points on which X completes a row win at once, for every word that leaves one of them free. Only
words that take all of them (`must`) are looked at any further: often none. For each other point, X's new set is turned
to the representative of its class; its block is gone through in order, run by run, and every byte raises the score of
the word that it came from. Where that word stands, a symmetry says: a permutation of bits, so one lookup for the upper
bits, one for the low ones, and their union ranked.

**The end** (`_judge`): O's lines that X leaves free are words too. Who has one has won, if it is X's turn and one stone
lies in all of them.

Blocks are written by one thread each, and only the layer above is read: threads share out the blocks of a layer. What a
GPU needs too is in `functions(jit)`; there every word has a thread of its own, and none is in a run
(`noughts.solve.layers.gpu`).
"""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from noughts.solve.compiled import ALONE, part
from noughts.solve.interrupt import Stop, stopped

__all__ = [
    "ILLEGAL",
    "LOW",
    "PAD",
    "WON",
    "Board",
    "Inner",
    "Runs",
    "by_o",
    "by_x",
    "full",
    "functions",
    "inner",
    "runs_of",
    "won",
]

LOW = 9
"""Bits of a word that vary within a run."""
WIDTH = 128
"""Bytes of a vector minimum: no run is longer."""
PAD = WIDTH
"""Bytes after the last block, which a minimum may read."""
WON = 100
ILLEGAL = 127
"""Of a position that no game reaches; none that one reaches leads to it."""
LEAST, MOST = -128, 126
NO_LINE = -1

Scores = NDArray[np.int8]


class Board(NamedTuple):
    """A board, for the compiled loops."""

    points: int
    lines: NDArray[np.int64]
    images: NDArray[np.uint32]
    """By symmetry, where eight points at a time go."""


class Inner(NamedTuple):
    """The low bits of words: the same for all boards."""

    words: NDArray[np.int64]
    """All of them, by the number of ones and then in increasing order."""
    base: NDArray[np.int64]
    """By the number of ones, where its words begin."""
    place: NDArray[np.uint32]
    """By word, its place among those with as many ones."""
    up: NDArray[np.uint32]
    """By word, in the order of `words`: the places of it with one more bit, the lowest first."""
    holding: NDArray[np.uint32]
    """Places of words that hold some bits."""
    held: NDArray[np.int64]
    """By those bits and the number of ones, where their part of `holding` begins; it ends where the next begins."""


class Runs(NamedTuple):
    """Words of so many bits with so many ones."""

    bits: int
    ones: int
    size: int
    """How many there are."""
    start: NDArray[np.uint32]
    """By the upper bits, the rank of the first word that has them."""


def inner() -> Inner:
    """The tables of the low bits."""
    words = sorted(range(1 << LOW), key=lambda word: (word.bit_count(), word))
    base = [sum(word.bit_count() < ones for word in words) for ones in range(LOW + 2)]
    place = np.zeros(1 << LOW, np.uint32)
    for number, word in enumerate(words):
        place[word] = number - base[word.bit_count()]
    up = np.zeros((1 << LOW, LOW), np.uint32)
    for number, word in enumerate(words):
        free = [bit for bit in range(LOW) if not word >> bit & 1]
        up[number, : len(free)] = [place[word | 1 << bit] for bit in free]
    holding: list[int] = []
    held = np.zeros((1 << LOW, LOW + 2), np.int64)
    for bits in range(1 << LOW):
        for ones in range(LOW + 1):
            held[bits, ones] = len(holding)
            holding += [int(place[word]) for word in words[base[ones] : base[ones + 1]] if word & bits == bits]
        held[bits, LOW + 1] = len(holding)
    return Inner(np.array(words), np.array(base), place, up, np.array(holding, np.uint32), held)


def runs_of(bits: int, ones: int) -> Runs:
    """Where the runs of words with so many ones start."""
    upper = np.arange(1 << max(0, bits - LOW))
    missing = ones - np.bitwise_count(upper)
    lengths = _length_table(min(LOW, bits))[np.clip(missing, -1, LOW + 1)]
    ends = np.cumsum(lengths)
    return Runs(bits, ones, int(ends[-1]), (ends - lengths).astype(np.uint32))


def _length_table(low: int) -> NDArray[np.int64]:
    """By the number of ones, how many words of so many low bits there are; 0 for −1 ones, the last entry."""
    counts = np.bincount(np.bitwise_count(np.arange(1 << low)), minlength=LOW + 3)
    return counts.astype(np.int64)


def functions(jit: Callable[[Any], Any]) -> SimpleNamespace:
    """What processor and GPU have in common, compiled for one of them."""

    @jit
    def ones(word):  # type: ignore[no-untyped-def]
        """How many bits a word of at most 32 has."""
        word -= word >> 1 & 0x55555555
        word = (word & 0x33333333) + (word >> 2 & 0x33333333)
        word = word + (word >> 4) & 0x0F0F0F0F
        return (word * 0x01010101 & 0xFFFFFFFF) >> 24

    @jit
    def image(points, symmetry, board):  # type: ignore[no-untyped-def]
        """Where a symmetry takes a set of points."""
        found = np.int64(0)
        for number in range(4):
            found |= np.int64(board.images[symmetry, number, points >> 8 * number & 255])
        return found

    @jit
    def lead(points, board):  # type: ignore[no-untyped-def]
        """The representative of a set's class, and a symmetry to it."""
        least, symmetry = points, 0
        for number in range(1, len(board.images)):
            turned = image(points, number, board)
            if turned < least:
                least, symmetry = turned, number
        return least, symmetry

    @jit
    def find(sets, wanted):  # type: ignore[no-untyped-def]
        """The number of a representative: a binary search."""
        first, last = 0, len(sets)
        while first < last:
            middle = (first + last) // 2
            if sets[middle] < wanted:
                first = middle + 1
            else:
                last = middle
        return first

    @jit
    def has_row(points, lines):  # type: ignore[no-untyped-def]
        """Whether a set holds a line."""
        for number in range(len(lines)):  # noqa: SIM110  the compiler knows no any()
            if points & lines[number] == lines[number]:
                return True
        return False

    @jit
    def rank(word, runs, tables):  # type: ignore[no-untyped-def]
        """The rank of a word."""
        return np.int64(runs.start[word >> LOW]) + np.int64(tables.place[word & ((1 << LOW) - 1)])

    return SimpleNamespace(ones=ones, image=image, lead=lead, find=find, has_row=has_row, rank=rank)


_do = functions(njit(nogil=True, **ALONE))
_ones, _image, _lead, _find, _has_row = _do.ones, _do.image, _do.lead, _do.find, _do.has_row


@part
def _places(taken: Any, points: Any, places: Any) -> Any:
    """Number the points that are left free, from below; how many there are."""
    free = 0
    for point in range(points):
        if not taken >> point & 1:
            places[point] = free
            free += 1
    return free


@part
def _word_of(points: Any, board: Any, places: Any) -> Any:
    """A set of free points as a word."""
    word = 0
    for point in range(board.points):
        if points >> point & 1:
            word |= 1 << places[point]
    return word


@part
def _length(runs: Any, ones: Any, tables: Any) -> Any:
    """How many words a run has: those with so many low ones; on small boards, a part of them."""
    if runs.bits >= LOW:
        return tables.base[ones + 1] - tables.base[ones]
    return runs.size


@part
def _line_words(taken: Any, board: Any, places: Any, words: Any) -> Any:
    """The lines that X leaves free, as words; how many there are."""
    many = 0
    for line in board.lines:
        if taken & line == 0:
            words[many] = _word_of(line, board, places)
            many += 1
    return many


@part
def _judge(out: Any, runs: Any, lines: Any, ended: Any, tables: Any, common: Any) -> Any:
    """Overwrite the scores of a block's words that hold a line: `ended` if one bit lies in all of them, or ILLEGAL.

    If nobody can just have won, `ended` is ILLEGAL as well.
    """
    for upper in range(len(runs.start)):
        ones = runs.ones - _ones(upper)
        if ones < 0 or ones > LOW:
            continue
        length = _length(runs, ones, tables)
        touched = False
        for line in lines:
            if upper & line >> LOW != line >> LOW:
                continue
            if not touched:
                common[:] = NO_LINE
                touched = True
            low = line & ((1 << LOW) - 1)
            for number in range(tables.held[low, ones], tables.held[low, ones + 1]):
                place = tables.holding[number]
                if place >= length:
                    break
                common[place] &= line
        if touched:
            run = out[runs.start[upper] : runs.start[upper] + length]
            for place in range(length):
                if common[place] != NO_LINE:
                    run[place] = ended if common[place] else ILLEGAL


@part
def _count(out: Any, weight: Any, counts: Any, room: Any) -> Any:
    """Add a block's scores to the counts. With four counters a score, equal ones do not wait for each other."""
    if len(out) < len(room):
        for score in out:
            counts[score & 255] += weight
        return
    room[:] = 0
    for number in range(len(out)):
        room[(number & 3) << 8 | out[number] & 255] += 1
    for score in range(256):
        counts[score] += weight * (room[score] + room[256 | score] + room[512 | score] + room[768 | score])


@part
def _minima(out: Any, above: Any, runs: Any, after: Any, tables: Any, best: Any) -> Any:
    """Every word's least score among the words with one bit more."""
    low = min(LOW, runs.bits)
    for upper in range(len(runs.start)):
        ones = runs.ones - _ones(upper)
        if ones < 0 or ones > low:
            continue
        best[:] = MOST
        missing = (len(runs.start) - 1) & ~upper
        while missing:
            bit = missing & -missing
            missing ^= bit
            run = above[after.start[upper | bit] :]
            for place in range(WIDTH):
                best[place] = min(best[place], run[place])
        length = _length(runs, ones, tables)
        if ones < low:
            run = above[after.start[upper] :]
            first = tables.base[ones]
            for place in range(length):
                least = best[place]
                for way in range(low - ones):
                    least = min(least, run[tables.up[first + place, way]])
                best[place] = least
        out[runs.start[upper] : runs.start[upper] + length] = best[:length]


@njit(cache=True, nogil=True)
def by_o(
    stop: Stop,
    first: int,
    last: int,
    sets: NDArray[np.uint32],
    weights: NDArray[np.int64],
    counts: NDArray[np.int64],
    scores: Scores,
    above: Scores,
    runs: Runs,
    after: Runs,
    board: Board,
    tables: Inner,
) -> None:
    """The scores of some blocks of a layer in which O is to move."""
    best = np.empty(WIDTH, np.int8)
    places = np.empty(board.points, np.int64)
    lines = np.empty(len(board.lines), np.int64)
    common = np.empty(WIDTH, np.int32)
    room = np.empty(1024, np.int64)
    for block in range(first, last):
        if stopped(stop):
            return
        taken = np.int64(sets[block])
        out = scores[block * runs.size : (block + 1) * runs.size]
        _minima(out, above[block * after.size :], runs, after, tables, best)
        _places(taken, board.points, places)
        many = _line_words(taken, board, places, lines)
        _judge(out, runs, lines[:many], ILLEGAL, tables, common)
        _count(out, weights[block], counts, room)


@part
def _winning(taken: Any, board: Any, places: Any) -> Any:
    """The free points on which X completes a row, as a word."""
    word = 0
    for point in range(board.points):
        if not taken >> point & 1 and _has_row(taken | 1 << point, board.lines):
            word |= 1 << places[point]
    return word


@part
def _begin(out: Any, runs: Any, must: Any, won: Any, tables: Any) -> Any:
    """X has won at once, unless O's word takes all points on which that would be so: these words are still open."""
    if must == 0:
        out[:] = LEAST
        return
    out[:] = won
    for upper in range(len(runs.start)):
        ones = runs.ones - _ones(upper)
        if ones < 0 or ones > LOW or upper & must >> LOW != must >> LOW:
            continue
        length = _length(runs, ones, tables)
        low = must & ((1 << LOW) - 1)
        for number in range(tables.held[low, ones], tables.held[low, ones + 1]):
            place = tables.holding[number]
            if place >= length:
                break
            out[runs.start[upper] + place] = LEAST


@part
def _bits_before(
    taken: Any, lead: Any, symmetry: Any, point: Any, board: Any, places: Any, beyond: Any, sources: Any
) -> Any:
    """For every bit of a word in the block of `lead`: the bit in that of `taken` from which the symmetry took it."""
    _places(lead, board.points, beyond)
    for other in range(board.points):
        if not taken >> other & 1 and other != point:
            target = _image(np.int64(1) << other, symmetry, board)
            place = 0
            while target > 1:
                target >>= 1
                place += 1
            sources[beyond[place]] = places[other]


@part
def _spread_bits(sources: Any, first: Any, many: Any, spread: Any) -> Any:
    """For every word of so many bits, the union of the bits before them."""
    spread[0] = 0
    for number in range(many):
        bit = np.uint32(1) << np.uint32(sources[first + number])
        for word in range(1 << number):
            spread[word | 1 << number] = spread[word] | bit


@part
def _raise(
    out: Any, from_block: Any, runs: Any, after: Any, must: Any, tables: Any, upper_before: Any, low_before: Any
) -> Any:
    """Let every score of a block of the layer above raise that of the word it comes from, if that one takes `must`."""
    mask = np.uint32((1 << LOW) - 1)
    shift = np.uint32(LOW)
    start, place = runs.start, tables.place
    for upper in range(len(after.start)):
        ones = after.ones - _ones(upper)
        if ones < 0 or ones > LOW or upper & must >> LOW != must >> LOW:
            continue
        length = _length(after, ones, tables)
        above = upper_before[upper]
        run = from_block[after.start[upper] : after.start[upper] + length]
        before = low_before[tables.base[ones] :]
        if must & ((1 << LOW) - 1) == 0:
            for number in range(length):
                word = above | before[number]
                rank = start[word >> shift] + place[word & mask]
                out[rank] = max(out[rank], run[number])
            continue
        low = must & ((1 << LOW) - 1)
        for entry in range(tables.held[low, ones], tables.held[low, ones + 1]):
            number = tables.holding[entry]
            if number >= length:
                break
            word = above | before[number]
            rank = start[word >> shift] + place[word & mask]
            out[rank] = max(out[rank], run[number])


@part
def _bits_after(must: Any, sources: Any, many: Any) -> Any:
    """The word in the block above whose bits come from those of `must`."""
    word = 0
    for bit in range(many):
        if must >> sources[bit] & 1:
            word |= 1 << bit
    return word


@njit(cache=True, nogil=True)
def by_x(
    stop: Stop,
    first: int,
    last: int,
    sets: NDArray[np.uint32],
    weights: NDArray[np.int64],
    counts: NDArray[np.int64],
    scores: Scores,
    above: Scores,
    next_sets: NDArray[np.uint32],
    runs: Runs,
    after: Runs,
    board: Board,
    tables: Inner,
    stones: int,
) -> None:
    """The scores of some blocks of a layer in which X is to move."""
    places = np.empty(board.points, np.int64)
    beyond, sources = np.empty_like(places), np.empty_like(places)
    lines = np.empty(len(board.lines), np.int64)
    common = np.empty(WIDTH, np.int32)
    room = np.empty(1024, np.int64)
    upper_before = np.zeros(len(after.start), np.uint32)
    low_spread, low_before = np.zeros(1 << LOW, np.uint32), np.zeros(1 << LOW, np.uint32)
    low = min(LOW, after.bits)
    for block in range(first, last):
        if stopped(stop):
            return
        taken = np.int64(sets[block])
        out = scores[block * runs.size : (block + 1) * runs.size]
        _places(taken, board.points, places)
        must = _winning(taken, board, places)
        _begin(out, runs, must, WON - (stones + 1), tables)
        if _ones(must) <= runs.ones:
            for point in range(board.points):
                if taken >> point & 1 or must >> places[point] & 1:
                    continue
                lead, symmetry = _lead(taken | np.int64(1) << point, board)
                number = _find(next_sets, lead)
                _bits_before(taken, lead, symmetry, point, board, places, beyond, sources)
                _spread_bits(sources, low, after.bits - low, upper_before)
                _spread_bits(sources, 0, low, low_spread)
                for entry in range(1 << LOW):
                    low_before[entry] = low_spread[tables.words[entry]]
                needed = _bits_after(must, sources, after.bits)
                from_block = above[number * after.size : (number + 1) * after.size]
                _raise(out, from_block, runs, after, needed, tables, upper_before, low_before)
        many = _line_words(taken, board, places, lines)
        _judge(out, runs, lines[:many], stones - WON, tables, common)
        _count(out, weights[block], counts, room)


@njit(cache=True, nogil=True)
def full(
    stop: Stop,
    first: int,
    last: int,
    sets: NDArray[np.uint32],
    weights: NDArray[np.int64],
    counts: NDArray[np.int64],
    scores: Scores,
    runs: Runs,
    board: Board,
    tables: Inner,
    ended: int,
) -> None:
    """The scores of some blocks of the layer of full boards: draws, unless O has a row."""
    places = np.empty(board.points, np.int64)
    lines = np.empty(len(board.lines), np.int64)
    common = np.empty(WIDTH, np.int32)
    room = np.empty(1024, np.int64)
    for block in range(first, last):
        if stopped(stop):
            return
        taken = np.int64(sets[block])
        out = scores[block * runs.size : (block + 1) * runs.size]
        out[:] = 0
        _places(taken, board.points, places)
        many = _line_words(taken, board, places, lines)
        _judge(out, runs, lines[:many], ended, tables, common)
        _count(out, weights[block], counts, room)


@part
def _choose(most: Any) -> Any:
    """The numbers C(n, k) for n and k up to `most`."""
    choose = np.zeros((most + 1, most + 1), np.int64)
    for n in range(most + 1):
        choose[n, 0] = 1
        for k in range(1, n + 1):
            choose[n, k] = choose[n - 1, k - 1] + choose[n - 1, k]
    return choose


@part
def _without_lines(lines: Any, many: Any, bits: Any, ones: Any, choose: Any, unions: Any, following: Any) -> Any:
    """How many words with so many ones hold none of some lines, by inclusion and exclusion.

    Depth first through all sets of lines whose union has not too many bits; `unions` and `following` are its stack.
    """
    total = choose[bits, ones]
    depth = 0
    unions[0] = following[0] = 0
    while depth >= 0:
        if following[depth] == many:
            depth -= 1
            continue
        union = unions[depth] | lines[following[depth]]
        following[depth] += 1
        held = _ones(union)
        if held <= ones:
            words = choose[bits - held, ones - held]
            total += words if depth % 2 else -words
            depth += 1
            unions[depth] = union
            following[depth] = following[depth - 1]
    return total


@njit(cache=True, nogil=True)
def won(
    stop: Stop,
    first: int,
    last: int,
    sets: NDArray[np.uint32],
    weights: NDArray[np.int64],
    counts: NDArray[np.int64],
    points: int,
    ones: int,
    board: Board,
) -> None:
    """Count, in counts[0], the positions in which X has one of these sets, and O as many stones but no row."""
    choose = _choose(points)
    lines = np.empty(len(board.lines), np.int64)
    unions, following = np.empty(len(lines) + 1, np.int64), np.empty(len(lines) + 1, np.int64)
    for number in range(first, last):
        if stopped(stop):
            return
        taken = np.int64(sets[number])
        many = 0
        for line in board.lines:
            if taken & line == 0:
                lines[many] = line
                many += 1
        bits = points - _ones(taken)
        counts[0] += weights[number] * _without_lines(lines, many, bits, ones, choose, unions, following)
