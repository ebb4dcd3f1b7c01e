"""The compiled work on blocks: what a position can do, from where it can be reached, and where else it is written.

All functions here are written once and compiled twice, for the processor and for a GPU: `functions(jit)` compiles them
with the decorator it is given. Inside a block the other side's stones never change, so points are counted among those
that they leave free: a mover's set is a word of these, and neighbours and mills are given as such words.

A byte holds the plies to the winner's next capture or to the end, odd for a win and even for a loss of the side to
move; DRAW while nothing is known and, at last, for draws; SAFE while nothing is known except that it is not lost, since
some capture holds the draw.

The tables of a subspace exist twice while it is being solved. By the other side (`X`): the block of the other side's
set, in which the mover's moves stay. By the mover (`Y`): the block of the mover's set; there the *other* side's moves
stay. So the moves from block X of a set lead to the block Y of the same set in the subspace with the sides exchanged.
"""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

__all__ = ["DRAW", "SAFE", "functions"]

DRAW = 255
SAFE = 254


def functions(jit: Callable[[Any], Any]) -> SimpleNamespace:
    """The functions of a block, compiled with `jit`."""

    @jit
    def popcount(word):  # type: ignore[no-untyped-def]
        word = word - ((word >> 1) & 0x55555555)
        word = (word & 0x33333333) + ((word >> 2) & 0x33333333)
        word = (word + (word >> 4)) & 0x0F0F0F0F
        return ((word * 0x01010101) >> 24) & 0xFF

    @jit
    def rank(word, low, high):  # type: ignore[no-untyped-def]
        """The rank of a set among those with as many points."""
        below = word & 4095
        return low[below] + high[popcount(below), word >> 12]

    @jit
    def expand(word, free):  # type: ignore[no-untyped-def]
        """A word of a block as a set of points of the board."""
        points = 0
        place = 0
        while word:
            if word & 1:
                points |= 1 << free[place]
            word >>= 1
            place += 1
        return points

    @jit
    def image(points, images, symmetry):  # type: ignore[no-untyped-def]
        """Where a symmetry takes a set of points."""
        return (
            images[symmetry, 0, points & 255]
            | images[symmetry, 1, (points >> 8) & 255]
            | images[symmetry, 2, (points >> 16) & 255]
        )

    @jit
    def rank_beside(points, taken, choose):  # type: ignore[no-untyped-def]
        """The rank of a set among the points that another set leaves free."""
        total = 0
        seen = 0
        place = 0
        while points:
            if points & 1:
                seen += 1
                total += choose[place, seen]
            if not taken & 1:
                place += 1
            points >>= 1
            taken >>= 1
        return total

    @jit
    def closes(word, place, mills):  # type: ignore[no-untyped-def]
        """Whether the stone at this place is part of a mill."""
        first, second = mills[place, 0], mills[place, 1]
        return (first != 0 and word & first == first) or (second != 0 and word & second == second)

    @jit
    def after_capture(mover, left, smaller, sets, low, high, images, choose, size):  # type: ignore[no-untyped-def]
        """What the position is worth to the other side, to move with what is left of it."""
        representatives, class_of, symmetry_of = sets
        number = rank(mover, low, high)
        group = class_of[number]
        turned = image(left, images, symmetry_of[number])
        return smaller[group * size + rank_beside(turned, representatives[group], choose)]

    @jit
    def captures(word, free, other, removable, fewest, smaller, sets, low, high, images, choose, size):  # type: ignore[no-untyped-def]
        """All captures after a mill: 0 if one wins, else SAFE if one draws, else the slowest of the other's wins."""
        if fewest:
            return 0
        mover = expand(word, free)
        worst = 1
        stones = removable
        while stones:
            stone = stones & -stones
            stones ^= stone
            value = after_capture(mover, other & ~stone, smaller, sets, low, high, images, choose, size)
            if value == DRAW:
                worst = SAFE
            elif value & 1 == 0:
                return 0
            elif worst != SAFE and value > worst:
                worst = value
        return worst

    @jit
    def begin(word, places, flying, neighbours, mills, free, other, removable, fewest, smaller, sets, tables, size):  # type: ignore[no-untyped-def]
        """What is known of a position from its captures alone, or from having no move."""
        low, high, images, choose = tables
        empty = ((1 << places) - 1) & ~word
        quiet = False
        worst = 0
        for source in range(places):
            if not (word >> source) & 1:
                continue
            targets = empty if flying else neighbours[source] & empty
            rest = word & ~(1 << source)
            for target in range(places):
                if not (targets >> target) & 1:
                    continue
                after = rest | (1 << target)
                if not closes(after, target, mills):
                    quiet = True
                    continue
                found = captures(after, free, other, removable, fewest, smaller, sets, low, high, images, choose, size)
                if found == 0:
                    return 1
                if found == SAFE or worst == SAFE:
                    worst = SAFE
                elif found > worst:
                    worst = found
        if worst == SAFE:
            return SAFE
        if quiet:
            return DRAW
        return worst + 1 if worst else 0

    @jit
    def lost_in(word, places, flying, neighbours, mills, free, other, removable, fewest, smaller, sets, tables, size, next_block):  # type: ignore[no-untyped-def]
        """In how many plies a position that is not safe is lost; DRAW if it is not, or not yet."""
        low, high, images, choose = tables
        empty = ((1 << places) - 1) & ~word
        worst = 0
        for source in range(places):
            if not (word >> source) & 1:
                continue
            targets = empty if flying else neighbours[source] & empty
            rest = word & ~(1 << source)
            for target in range(places):
                if not (targets >> target) & 1:
                    continue
                after = rest | (1 << target)
                if not closes(after, target, mills):
                    value = next_block[rank(after, low, high)]
                    if value >= SAFE or value & 1 == 0:
                        return DRAW
                    if value > worst:
                        worst = value
        for source in range(places):
            if not (word >> source) & 1:
                continue
            targets = empty if flying else neighbours[source] & empty
            rest = word & ~(1 << source)
            for target in range(places):
                if not (targets >> target) & 1:
                    continue
                after = rest | (1 << target)
                if closes(after, target, mills):
                    found = captures(
                        after, free, other, removable, fewest, smaller, sets, low, high, images, choose, size
                    )
                    if found > worst:
                        worst = found
        return worst + 1

    return SimpleNamespace(
        popcount=popcount,
        rank=rank,
        expand=expand,
        image=image,
        rank_beside=rank_beside,
        closes=closes,
        begin=begin,
        lost_in=lost_in,
    )
