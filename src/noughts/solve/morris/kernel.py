"""The compiled work on one position: what its captures decide, whether it is lost, and where else its value is written.

Written once and compiled twice, for the processor and for a GPU: `functions(jit)` compiles with the decorator it is
given.

A byte holds the plies to the winner's next capture or to the end: odd for a win of the side to move, even for a loss.
A capture by the loser does not end the count. DRAW stands for what is not known yet and, at last, for draws; SAFE for
what is not known yet except that it is not lost, since some capture holds the draw.

While a subspace is being solved there are two tables of it. By the *other* side: the block of the other side's set, in
which all moves of the mover stay. By the *mover*: the block of the mover's set. A move from a block of the first kind
leads to a position in which the other side is to move, and so to the block of the same set in the second kind of table
of the subspace with the sides exchanged, at the rank of the mover's new set.
"""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["DRAW", "SAFE", "Below", "Movers", "Tables", "functions"]

DRAW = 255
SAFE = 254

_PLACES = np.zeros(32, np.int64)
"""The place of a single bit, by five bits of its product with a number all of whose five-bit stretches differ."""
_PLACES[[(0x077CB531 << place & 0xFFFFFFFF) >> 27 for place in range(32)]] = range(32)


class Tables(NamedTuple):
    """What ranking needs: see `noughts.solve.morris.index`."""

    low: NDArray[np.int32]
    high: NDArray[np.int32]
    images: NDArray[np.uint32]
    together: NDArray[np.uint8]
    apart: NDArray[np.uint8]
    ones: NDArray[np.int64]


class Movers(NamedTuple):
    """The classes of the mover's sets."""

    sets: NDArray[np.uint32]
    class_of: NDArray[np.int32]
    symmetry_of: NDArray[np.uint8]
    keepers: NDArray[np.uint32]


class Below(NamedTuple):
    """Where captures lead: the end of the game, or the table of a smaller subspace with blocks of so many bytes."""

    ends: bool
    table: NDArray[np.uint8]
    size: int


def functions(jit: Callable[[Any], Any]) -> SimpleNamespace:  # noqa: PLR0915  one list of small functions
    """The functions, compiled."""

    @jit
    def place_of(bit):  # type: ignore[no-untyped-def]
        """Which bit of a word this one is."""
        return _PLACES[((bit * 0x077CB531) & 0xFFFFFFFF) >> 27]

    @jit
    def rank(word, tables):  # type: ignore[no-untyped-def]
        """The rank of a set among those with as many points."""
        below = word & 4095
        count = below - ((below >> 1) & 0x555)
        count = (count & 0x333) + ((count >> 2) & 0x333)
        count = (count & 0xF) + ((count >> 4) & 0xF) + (count >> 8)
        return tables.low[below] + tables.high[count, word >> 12]

    @jit
    def expand(word, taken, tables):  # type: ignore[no-untyped-def]
        """A word over the points that a set leaves free, as a set of points of the board."""
        free = ~taken
        first, second, third = free & 255, (free >> 8) & 255, (free >> 16) & 255
        points = int(tables.apart[first, word & 255])
        word >>= tables.ones[first]
        points |= int(tables.apart[second, word & 255]) << 8
        word >>= tables.ones[second]
        return points | int(tables.apart[third, word & 255]) << 16

    @jit
    def image(points, symmetry, tables):  # type: ignore[no-untyped-def]
        """Where a symmetry takes a set of points."""
        images = tables.images
        return (
            images[symmetry, 0, points & 255]
            | images[symmetry, 1, (points >> 8) & 255]
            | images[symmetry, 2, (points >> 16) & 255]
        )

    @jit
    def rank_beside(points, taken, tables):  # type: ignore[no-untyped-def]
        """The rank of a set among the points that another set leaves free."""
        free = ~taken
        first, second, third = free & 255, (free >> 8) & 255, (free >> 16) & 255
        word = int(tables.together[first, points & 255])
        place = tables.ones[first]
        word |= int(tables.together[second, (points >> 8) & 255]) << place
        place += tables.ones[second]
        word |= int(tables.together[third, (points >> 16) & 255]) << place
        return rank(word, tables)

    @jit
    def closes(word, place, mills):  # type: ignore[no-untyped-def]
        """Whether the stone at this place is part of a mill."""
        first, second = mills[place, 0], mills[place, 1]
        return (first != 0 and word & first == first) or (second != 0 and word & second == second)

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
    def captures(word, block, blocks, movers, below, tables):  # type: ignore[no-untyped-def]
        """After a mill was closed: 0 if some capture wins, else SAFE if one draws, else the slowest loss, plus one."""
        if below.ends:
            return 0
        mover = expand(word, blocks.sets[block], tables)
        number = rank(mover, tables)
        group = movers.class_of[number]
        symmetry = movers.symmetry_of[number]
        worst = 1
        left = blocks.removable[block]
        while left:
            stone = left & -left
            left ^= stone
            others = image(blocks.sets[block] & ~stone, symmetry, tables)
            value = below.table[group * below.size + rank_beside(others, movers.sets[group], tables)]
            if value == DRAW:
                worst = SAFE
            elif value & 1 == 0:
                return 0
            elif worst != SAFE and value > worst:
                worst = value
        return worst

    @jit
    def close(word, block, blocks, movers, below, tables):  # type: ignore[no-untyped-def]
        """What captures give the mover who has closed a mill and has these stones now; DRAW if there is no mill."""
        if milled(word, block, blocks.lines):
            return captures(word, block, blocks, movers, below, tables)
        return DRAW

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
    def begin(word, flying, block, blocks, closed, tables):  # type: ignore[no-untyped-def]
        """What is known of a position from its captures alone, or from having no move.

        `closed` has for every set of the block what `close` says of it: many moves lead to the same.
        """
        neighbours, lines = blocks.neighbours[block], blocks.lines
        worst = 0
        number = 0
        while lines[block, number]:
            line = lines[block, number]
            number += 1
            target = line & ~word
            if target == 0 or target & (target - 1):
                continue
            sources = (word if flying else neighbours[place_of(target)] & word) & ~line
            while sources:
                source = sources & -sources
                sources ^= source
                found = closed[rank(word ^ source | target, tables)]
                if found == 0:
                    return 1
                worst = max(worst, found)
        if worst == SAFE:
            return SAFE
        if has_quiet_move(word, flying, neighbours, blocks.mills[block]):
            return DRAW
        return worst + 1 if worst else 0

    @jit
    def lost_in(word, flying, block, blocks, closed, tables, following):  # type: ignore[no-untyped-def]
        """In how many plies a position that is not safe is lost; DRAW if it is not, or not yet.

        `following` is the block of positions that quiet moves lead to.
        """
        neighbours, mills = blocks.neighbours[block], blocks.mills[block]
        places = len(neighbours)
        empty = ((1 << places) - 1) & ~word
        worst = 0
        sources = word
        while sources:
            source = sources & -sources
            sources ^= source
            targets = empty if flying else neighbours[place_of(source)] & empty
            while targets:
                target = targets & -targets
                targets ^= target
                after = word ^ source | target
                number = rank(after, tables)
                if closes(after, place_of(target), mills):
                    worst = max(worst, closed[number])
                    continue
                value = following[number]
                if value >= SAFE or value & 1 == 0:
                    return DRAW
                worst = max(worst, value)
        return worst + 1

    @jit
    def spread(value, word, block, blocks, movers, by_mover, size, tables):  # type: ignore[no-untyped-def]
        """Write a value wherever the position stands in the table by the mover."""
        mover = expand(word, blocks.sets[block], tables)
        number = rank(mover, tables)
        group = movers.class_of[number]
        others = image(blocks.sets[block], movers.symmetry_of[number], tables)
        kept = movers.keepers[group]
        symmetry = 0
        while kept:
            if kept & 1:
                place = rank_beside(image(others, symmetry, tables), movers.sets[group], tables)
                by_mover[group * size + place] = value
            kept >>= 1
            symmetry += 1

    @jit
    def push(word, depth, flying, block, blocks, movers, table, closed, following, by_mover, size, tables):  # type: ignore[no-untyped-def]
        """From a position that is decided at this depth to those that can move to it; the largest value found.

        Whoever can move to a lost position has won, one ply later. Whoever can move to a won position may have lost
        now. `table`, `closed` and `following` are the block's.
        """
        neighbours = blocks.neighbours[block]
        empty = ((1 << len(neighbours)) - 1) & ~word
        top = 0
        moved = word ^ (word & milled(word, block, blocks.lines))
        while moved:
            target = moved & -moved
            moved ^= target
            sources = empty if flying else neighbours[place_of(target)] & empty
            while sources:
                source = sources & -sources
                sources ^= source
                before = word ^ target | source
                number = rank(before, tables)
                value = DRAW
                if depth & 1 == 0 and table[number] >= SAFE:
                    value = depth + 1
                elif depth & 1 == 1 and table[number] == DRAW:
                    value = lost_in(before, flying, block, blocks, closed, tables, following)
                if value != DRAW:
                    table[number] = value
                    top = max(top, value)
                    spread(value, before, block, blocks, movers, by_mover, size, tables)
        return top

    @jit
    def is_first(word, block, blocks, keepers, tables):  # type: ignore[no-untyped-def]
        """Whether this is the first of the numbers that the position has in the table by the other side."""
        kept = keepers[block] >> 1
        if kept == 0:
            return True
        mover = expand(word, blocks.sets[block], tables)
        own = rank(word, tables)
        symmetry = 1
        while kept:
            if kept & 1 and rank_beside(image(mover, symmetry, tables), blocks.sets[block], tables) < own:
                return False
            kept >>= 1
            symmetry += 1
        return True

    @jit
    def find(word, block, blocks, movers, by_mover, size, tables):  # type: ignore[no-untyped-def]
        """What the table by the mover holds for a position of the table by the other side."""
        mover = expand(word, blocks.sets[block], tables)
        number = rank(mover, tables)
        group = movers.class_of[number]
        others = image(blocks.sets[block], movers.symmetry_of[number], tables)
        return by_mover[group * size + rank_beside(others, movers.sets[group], tables)]

    return SimpleNamespace(
        place_of=place_of,
        is_first=is_first,
        find=find,
        rank=rank,
        expand=expand,
        image=image,
        rank_beside=rank_beside,
        closes=closes,
        milled=milled,
        close=close,
        begin=begin,
        lost_in=lost_in,
        push=push,
        spread=spread,
    )
