"""The compiled work: what is done to one position, for every target, and the processor's loops over ranges of blocks.

`functions(jit)` holds the work on one position. It is written once and compiled once for every target: for the
processor at the end of this file, for a GPU in `gpu`. All of it is given the same value, a `Work`: a NamedTuple of
arrays is a plain structure to Numba, on both.

A byte holds the plies to the winner's next capture or to the end: odd for a win of the side to move, even for a loss.
A capture by the loser does not end the count. DRAW stands for what is not known yet and, at last, for draws; SAFE for
what is not known yet except that it is not lost, since some capture, or a stone from the hand, holds the draw.

**Stones in hand.** A stone that is placed, and one that is captured, lead to a subspace that is solved already: what
they bring is known from the beginning. Where stones on the board move as well (Lasker's rule), a win by a stone from
the hand is written at once, but a step may win sooner: until the depth has come to it, it may still be lowered.

While a subspace is being solved there are two arrays of it, see `numbering`. *By the other side*: all moves of the
mover stay in a block. *By the mover*: a quiet move from a block of the first kind leads to a position in which the
other side is to move, and so to the block of the same set, by the mover, of the subspace with the sides exchanged, at
the rank of the mover's new set.

**Why writes need no order.** Many threads sweep at once; they share bytes without locks, and the result is the same
whatever the order in which they are served. A push from depth d reads `following`, which may be the very array that
other threads are writing (it is, where both sides have as many stones). This is harmless, because

- a byte is final once the depth has come to it: it goes from DRAW or SAFE, or from a win that is deeper than all that
  is asked for yet, to its final value and never changes again. Bytes are stored whole, and the neighbours of a stored
  byte are left alone, on processors and GPUs alike;
- every value written while pushing from depth d is larger than d. Whoever looks for bytes equal to d finds the same
  ones early or late;
- if d is even, only wins in d + 1 are written, to positions not won sooner: a second thread that finds the same win
  writes the same byte;
- if d is odd, only losses are written. A loss is written only when all successors are known to be won, quiet steps in
  at most d plies, and then it is their maximum plus one, whoever computes it. A thread that does not see a successor
  yet, because its byte is being written just now, leaves the position alone; that successor's own depth is larger than
  d, and the push from it comes back to the position;
- a byte by the mover may be reached from several blocks, and from several numbers of one position: they all write the
  value of that one position.

Between one depth and the next all threads are waited for, so that what a round wrote is seen by the following one. On
the processor a block by the other side is moreover worked on by one thread alone; on a GPU several share it, and the
same argument covers them.
"""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from noughts.solve.compiled import ALONE
from noughts.solve.interrupt import Stop, stopped
from noughts.solve.morris.numbering import Blocks, Index, Sets
from noughts.solve.morris.subspaces import DRAW

__all__ = ["SAFE", "Captures", "Placing", "Work", "functions"]

SAFE = DRAW - 1

STRETCH = 256
"""Bytes that are looked at together for one at the present depth: at most depths most have none."""

_PLACES = np.zeros(32, np.int64)
"""The place of a single bit, by five bits of its product with a de Bruijn number: all its five-bit stretches differ."""
_PLACES[[(0x077CB531 << place & 0xFFFFFFFF) >> 27 for place in range(32)]] = range(32)

Bytes = NDArray[np.uint8]


class Captures(NamedTuple):
    """Where mills lead: to the end of the game, or to a subspace in which the other side has one stone less."""

    ends: bool
    values: Any
    """By its mover, who has those fewer stones."""
    size: int
    """Bytes of a block of it."""
    sets: Sets
    """The other side's sets with one stone less."""


class Placing(NamedTuple):
    """What a mover with stones in hand may place."""

    allowed: bool
    """Whether there is a stone in hand. If not, all else here is empty."""
    words: Any
    """The mover's sets with one stone more, within a block by the other side, in order of rank."""
    following: Any
    """Where quiet stones lead, by the mover there: blocks of the same sets, as many bytes each as there are words."""
    closed: Any
    """In the same order, what captures give the mover who has closed a mill and has these stones now."""
    captures: Captures


class Work(NamedTuple):
    """A subspace in the memory of an engine, with all that a sweep over it needs."""

    by_other: Any
    """Values by the other side's set."""
    closed: Any
    """In the same order, what captures give the mover who has closed a mill by a step and has these stones now."""
    by_mover: Any
    """Values by the mover's set."""
    size: int
    """Bytes of a block by the mover."""
    words: Any
    """The mover's sets within a block by the other side, in order of rank."""
    steps: bool
    """Whether the mover's stones on the board may move."""
    flying: bool
    stuck: int
    """What a position without any move is: lost, or a draw."""
    blocks: Blocks
    """The other side's sets."""
    movers: Sets
    captures: Captures
    placing: Placing
    ranking: Index


def functions(jit: Callable[[Any], Any]) -> SimpleNamespace:  # noqa: PLR0915  one list of small functions
    """The work on one position, compiled."""

    @jit
    def place_of(bit):  # type: ignore[no-untyped-def]
        """Which bit of a word this one is."""
        return _PLACES[((bit * 0x077CB531) & 0xFFFFFFFF) >> 27]

    @jit
    def rank(word, index):  # type: ignore[no-untyped-def]
        """The colex rank of a set among those with as many points."""
        below = word & 4095
        # The population count of 12 bits: by twos, by fours, together.
        count = below - ((below >> 1) & 0x555)
        count = (count & 0x333) + ((count >> 2) & 0x333)
        count = (count & 0xF) + ((count >> 4) & 0xF) + (count >> 8)
        return index.low[below] + index.high[count, word >> 12]

    @jit
    def expand(word, taken, index):  # type: ignore[no-untyped-def]
        """A word over the points that a set leaves free, as a set of points: PDEP, eight bits at a time."""
        free = ~taken
        first, second, third = free & 255, (free >> 8) & 255, (free >> 16) & 255
        points = int(index.apart[first, word & 255])
        word >>= index.ones[first]
        points |= int(index.apart[second, word & 255]) << 8
        word >>= index.ones[second]
        return points | int(index.apart[third, word & 255]) << 16

    @jit
    def image(points, symmetry, index):  # type: ignore[no-untyped-def]
        """Where a symmetry takes a set of points."""
        images = index.images
        return (
            images[symmetry, 0, points & 255]
            | images[symmetry, 1, (points >> 8) & 255]
            | images[symmetry, 2, (points >> 16) & 255]
        )

    @jit
    def rank_beside(points, taken, index):  # type: ignore[no-untyped-def]
        """The rank of a set among the points that another set leaves free: PEXT by eight bits, then the rank."""
        free = ~taken
        first, second, third = free & 255, (free >> 8) & 255, (free >> 16) & 255
        word = int(index.together[first, points & 255])
        place = index.ones[first]
        word |= int(index.together[second, (points >> 8) & 255]) << place
        place += index.ones[second]
        word |= int(index.together[third, (points >> 16) & 255]) << place
        return rank(word, index)

    @jit
    def closes(word, place, mills):  # type: ignore[no-untyped-def]
        """Whether the stone at this place is part of a mill."""
        for number in range(mills.shape[1]):
            others = mills[place, number]
            if others != 0 and word & others == others:
                return True
        return False

    @jit
    def milled(word, block, lines):  # type: ignore[no-untyped-def]
        """The stones that are part of a mill."""
        found = 0
        number = 0
        while lines[block, number]:
            line = lines[block, number]
            number += 1
            if word & line == line:
                found |= line
        return found

    @jit
    def close(word, block, captures, work):  # type: ignore[no-untyped-def]
        """What captures give the mover who has these stones now, if one of them closed a mill; DRAW if none can have.

        0 if some capture wins, else SAFE if one draws, else the slowest loss, plus one. The other side has a stone that
        can be captured: it has just moved.
        """
        blocks, index = work.blocks, work.ranking
        if not milled(word, block, blocks.lines):
            return DRAW
        if captures.ends:
            return 0
        own = expand(word, blocks.sets[block], index)
        worst = 1
        left = blocks.removable[block]
        while left:
            stone = left & -left
            left ^= stone
            number = rank(blocks.sets[block] & ~stone, index)
            group = captures.sets.class_of[number]
            moved = image(own, captures.sets.symmetry_of[number], index)
            place = group * captures.size + rank_beside(moved, captures.sets.representatives[group], index)
            value = captures.values[place]
            if value == DRAW:
                worst = SAFE
            elif value & 1 == 0:
                return 0
            elif worst != SAFE and value > worst:
                worst = value
        return worst

    @jit
    def has_quiet_move(word, flying, neighbours, mills):  # type: ignore[no-untyped-def]
        """Whether some move closes no mill."""
        empty = ((1 << len(neighbours)) - 1) & ~word
        sources = word
        while sources:
            source = sources & -sources
            sources ^= source
            targets = empty if flying else neighbours[place_of(source)] & empty
            while targets:
                target = targets & -targets
                targets ^= target
                if not closes(word ^ source | target, place_of(target), mills):
                    return True
        return False

    @jit
    def by_steps(word, block, work):  # type: ignore[no-untyped-def]
        """The best that steps bring which close a mill, as `close` says it: -1 if one wins, 0 if there are none."""
        neighbours, lines = work.blocks.neighbours[block], work.blocks.lines
        start = block * len(work.words)
        worst = 0
        number = 0
        while lines[block, number]:
            line = lines[block, number]
            number += 1
            target = line & ~word
            if target == 0 or target & (target - 1):
                continue
            sources = (word if work.flying else neighbours[place_of(target)] & word) & ~line
            while sources:
                source = sources & -sources
                sources ^= source
                found = work.closed[start + rank(word ^ source | target, work.ranking)]
                if found == 0:
                    return -1
                worst = max(worst, found)
        return worst

    @jit
    def by_stones(word, block, work):  # type: ignore[no-untyped-def]
        """The best that a stone from the hand brings: the quickest win, SAFE if there is none; and if so, the rest.

        That is SAFE if one draws, else the slowest loss, plus one.
        """
        placing, mills = work.placing, work.blocks.mills[block]
        start = block * len(placing.words)
        win, worst = SAFE, 0
        for place in range(len(mills)):
            if (word >> place) & 1:
                continue
            after = word | (1 << place)
            number = start + rank(after, work.ranking)
            if closes(after, place, mills):
                value = placing.closed[number]
                if value == 0:
                    return 1, worst
                worst = max(worst, value)
                continue
            value = placing.following[number]
            if value == DRAW:
                worst = SAFE
            elif value & 1 == 0:
                win = min(win, value + 1)
            else:
                worst = max(worst, value)
        return win, worst

    @jit
    def begin(word, block, work):  # type: ignore[no-untyped-def]
        """What is known of a position from its captures and stones from the hand, or from having no move.

        `closed` has for every set of the block what `close` says of it: many moves lead to the same.
        """
        blocks = work.blocks
        win, worst = SAFE, 0
        if work.steps:
            worst = by_steps(word, block, work)
            if worst < 0:
                return 1
        if work.placing.allowed:
            win, placed = by_stones(word, block, work)
            worst = max(worst, placed)
        if win != SAFE:
            return win
        if worst == SAFE:
            return SAFE
        if work.steps and has_quiet_move(word, work.flying, blocks.neighbours[block], blocks.mills[block]):
            return DRAW
        return worst + 1 if worst else work.stuck

    @jit
    def lost_in(word, depth, block, work, following):  # type: ignore[no-untyped-def]
        """In how many plies a position is lost of which nothing is known; DRAW if it is not, or not yet.

        It is neither safe nor won by a stone from the hand: these all lose.
        """
        neighbours, mills = work.blocks.neighbours[block], work.blocks.mills[block]
        start = block * len(work.words)
        empty = ((1 << len(neighbours)) - 1) & ~word
        worst = 0
        sources = word
        while sources:
            source = sources & -sources
            sources ^= source
            targets = empty if work.flying else neighbours[place_of(source)] & empty
            while targets:
                target = targets & -targets
                targets ^= target
                after = word ^ source | target
                number = start + rank(after, work.ranking)
                if closes(after, place_of(target), mills):
                    worst = max(worst, work.closed[number])
                    continue
                value = following[number]
                if value > depth or value & 1 == 0:
                    return DRAW
                worst = max(worst, value)
        if work.placing.allowed:
            placing = work.placing
            start = block * len(placing.words)
            while empty:
                target = empty & -empty
                empty ^= target
                number = start + rank(word | target, work.ranking)
                if closes(word | target, place_of(target), mills):
                    worst = max(worst, placing.closed[number])
                else:
                    worst = max(worst, placing.following[number])
        return worst + 1

    @jit
    def spread(value, word, block, work):  # type: ignore[no-untyped-def]
        """Write a value wherever the position stands by the mover."""
        movers, index = work.movers, work.ranking
        number = rank(expand(word, work.blocks.sets[block], index), index)
        group = movers.class_of[number]
        others = image(work.blocks.sets[block], movers.symmetry_of[number], index)
        kept = movers.keepers[group]
        symmetry = 0
        while kept:
            if kept & 1:
                place = rank_beside(image(others, symmetry, index), movers.representatives[group], index)
                work.by_mover[group * work.size + place] = value
            kept >>= 1
            symmetry += 1

    @jit
    def push(word, depth, block, work, following):  # type: ignore[no-untyped-def]
        """From a position that is decided at this depth to those that can move to it; the largest value found.

        Whoever can move to a lost position has won, one ply later. Whoever can move to a won position may have lost
        now. `following` has the decided position, by the mover of the subspace with the sides exchanged.
        """
        neighbours = work.blocks.neighbours[block]
        start = block * len(work.words)
        empty = ((1 << len(neighbours)) - 1) & ~word
        top = 0
        # The stone that moved last closed no mill, else the move was a capture.
        moved = word ^ (word & milled(word, block, work.blocks.lines))
        while moved:
            target = moved & -moved
            moved ^= target
            sources = empty if work.flying else neighbours[place_of(target)] & empty
            while sources:
                source = sources & -sources
                sources ^= source
                before = word ^ target | source
                number = start + rank(before, work.ranking)
                value = DRAW
                present = work.by_other[number]
                if depth & 1 == 0 and (present >= SAFE or (present & 1 == 1 and present > depth + 1)):
                    value = depth + 1
                elif depth & 1 == 1 and present == DRAW:
                    value = lost_in(before, depth, block, work, following)
                if value != DRAW:
                    work.by_other[number] = value
                    top = max(top, value)
                    spread(value, before, block, work)
        return top

    @jit
    def is_first(word, block, work):  # type: ignore[no-untyped-def]
        """Whether this is the first of the numbers that the position has by the other side."""
        kept = work.blocks.keepers[block] >> 1
        if kept == 0:
            return True
        index, taken = work.ranking, work.blocks.sets[block]
        mover = expand(word, taken, index)
        own = rank(word, index)
        symmetry = 1
        while kept:
            if kept & 1 and rank_beside(image(mover, symmetry, index), taken, index) < own:
                return False
            kept >>= 1
            symmetry += 1
        return True

    return SimpleNamespace(
        rank=rank,
        expand=expand,
        image=image,
        rank_beside=rank_beside,
        close=close,
        begin=begin,
        push=push,
        spread=spread,
        is_first=is_first,
    )


# What follows is the processor's. Nothing that is compiled so makes arrays. Numba counts references to arrays all the
# same, a dozen at every call that it does not inline, in counters that all cores share; without that (`_nrt`) the
# solver is twice as fast. The functions are inlined by force: a call would hand over a Work field by field, 250 words.
#
# The machine code is kept on disk (`cache`). To see whether it is stale, Numba looks at the age of one source file
# alone. Therefore loops and the functions that they are made of stand in the same file; what is imported are
# constants of the format, and `stopped`.

_compiled: Callable[[Any], Any] = njit(nogil=True, cache=True, _nrt=False)  # type: ignore[call-overload]
_inlined: Callable[[Any], Any] = njit(nogil=True, _nrt=False, forceinline=True, **ALONE)  # type: ignore[call-overload]

processor = functions(_inlined)
_rank, _expand, _image, _rank_beside = processor.rank, processor.expand, processor.image, processor.rank_beside
_close, _begin, _push, _spread = processor.close, processor.begin, processor.push, processor.spread
_is_first = processor.is_first

# All loops go over a range of blocks and ask at every block whether they are to stop, which takes milliseconds at most.


@_compiled
def begin(stop: Stop, first: int, last: int, work: Work) -> int:
    """Fill the values by the other side with what captures, placing and having no move decide; the largest value."""
    top = 0
    count, more = len(work.words), len(work.placing.words)
    for block in range(first, last):
        if stopped(stop):
            break
        start = block * count
        if work.steps:
            for number in range(count):
                work.closed[start + number] = _close(work.words[number], block, work.captures, work)
        if work.placing.allowed:
            for number in range(more):
                found = _close(work.placing.words[number], block, work.placing.captures, work)
                work.placing.closed[block * more + number] = found
        for number in range(count):
            word = work.words[number]
            value = _begin(word, block, work)
            work.by_other[start + number] = value
            if value < SAFE:
                top = max(top, value)
                _spread(value, word, block, work)
    return top


@_inlined
def _holds(values: Bytes, value: int) -> int:
    """How often a value is there; written so that the processor compares many bytes at once (SIMD)."""
    found = 0
    for number in range(len(values)):
        found += values[number] == value
    return found


@_compiled
def push(stop: Stop, first: int, last: int, work: Work, depth: int, following: Bytes) -> int:
    """From all that is decided at this depth to the positions before it; the largest value found."""
    top = 0
    count = len(work.words)
    for block in range(first, last):
        if stopped(stop):
            break
        after = following[block * count : (block + 1) * count]
        for start in range(0, count, STRETCH):
            if not _holds(after[start : start + STRETCH], depth):
                continue
            for number in range(start, min(start + STRETCH, count)):
                if after[number] == depth:
                    top = max(top, _push(work.words[number], depth, block, work, following))
    return top


@_compiled
def count(stop: Stop, first: int, last: int, work: Work, found: NDArray[np.int64]) -> None:
    """Add to what was found how many different positions have each value."""
    many = len(work.words)
    for block in range(first, last):
        if stopped(stop):
            break
        for number in range(many):
            if _is_first(work.words[number], block, work):
                found[work.by_other[block * many + number]] += 1


@_compiled
def addresses(places: NDArray[np.int64], work: Work, found: NDArray[np.int64]) -> int:
    """Where the positions at these places by the other side stand by the mover, each number with its value as last
    byte.

    `found` has room for one number for every symmetry of every place; how many there are is returned.
    """
    used = 0
    index, movers = work.ranking, work.movers
    for place in places:
        block = place // len(work.words)
        taken = work.blocks.sets[block]
        ranked = _rank(_expand(work.words[place - block * len(work.words)], taken, index), index)
        group = movers.class_of[ranked]
        others = _image(taken, movers.symmetry_of[ranked], index)
        kept = movers.keepers[group]
        symmetry = 0
        while kept:
            if kept & 1:
                rank = _rank_beside(_image(others, symmetry, index), movers.representatives[group], index)
                found[used] = (np.int64(group) * work.size + rank) << 8 | work.by_other[place]
                used += 1
            kept >>= 1
            symmetry += 1
    return used
