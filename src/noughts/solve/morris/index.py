"""Numbers for positions of a morris game: which byte of a table is whose.

A position of subspace (m, o) is two sets of points, m stones of the side to move and o of the other. Its number has two
digits. The first is the *class* of the other side's set: sets that a symmetry of the board maps to one another are one
class, and the class is represented by its first set. The second is the rank of the mover's set among all sets of m of
the points that the representative leaves free, after the same symmetry. So a table is a row of *blocks*, a block a
class, and a move of the side to move stays within its block: the other side's stones do not change.

A set whose class has several symmetries that keep the representative in place gives one position several numbers, 3 %
more slots than positions; all of them hold the position's value.

Sets are ranked in the order of their numbers as binary words (colexicographic order): the rank of a set is the sum of
C(p, i) over its points p, the i-th from below. Two tables of 12 bits each do it at once.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.games import Layout
from noughts.games.symmetry import symmetries

__all__ = ["Index", "Sets", "combinations", "index_of", "sets_of"]

HALF = 12
"""Bits of each of the two tables."""


class Sets(NamedTuple):
    """All sets of so many points, and their classes."""

    stones: int
    representatives: NDArray[np.uint32]
    """The first set of every class."""
    keepers: NDArray[np.uint32]
    """For every class, which symmetries keep its representative, a bit each."""
    class_of: NDArray[np.int32]
    """The class of a set, by the set's rank."""
    symmetry_of: NDArray[np.uint8]
    """A symmetry that maps a set to its representative, by the set's rank."""


class Index(NamedTuple):
    """What numbering needs to know about a board."""

    points: int
    low: NDArray[np.int32]
    """The rank that the lowest 12 points of a set contribute."""
    high: NDArray[np.int32]
    """The rank that the other points contribute, by how many are below them."""
    images: NDArray[np.uint32]
    """For every symmetry, where 8 points at a time go."""
    together: NDArray[np.uint8]
    """The bits of a byte, the second number, at which another one has ones, moved together."""
    apart: NDArray[np.uint8]
    """The lowest bits of a byte, the second number, moved to where another one has ones."""
    ones: NDArray[np.int64]
    """How many ones a byte has."""

    def rank(self, sets: NDArray[np.uint32]) -> NDArray[np.int64]:
        """The ranks of sets among those with as many points."""
        below = sets & ((1 << HALF) - 1)
        ranks: NDArray[np.int64] = self.low[below].astype(np.int64) + self.high[np.bitwise_count(below), sets >> HALF]
        return ranks

    def image(self, symmetry: int, sets: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """Where a symmetry takes sets."""
        parts = self.images[symmetry]
        images: NDArray[np.uint32] = parts[0][sets & 255] | parts[1][sets >> 8 & 255] | parts[2][sets >> 16 & 255]
        return images


def _choose(most: int) -> NDArray[np.int64]:
    """C(n, k) for n and k up to `most`."""
    table = np.zeros((most + 1, most + 2), np.int64)
    table[:, 0] = 1
    for n in range(1, most + 1):
        table[n, 1:] = table[n - 1, 1:] + table[n - 1, :-1]
    return table


@cache
def combinations(points: int, stones: int) -> NDArray[np.uint32]:
    """All sets of so many of so many points, in the order of their ranks."""
    everything = np.arange(1 << min(points, HALF), dtype=np.uint32)
    if points > HALF:
        rows = []
        for above in range(1 << (points - HALF)):
            missing = stones - above.bit_count()
            if 0 <= missing <= HALF:
                rows.append(everything[np.bitwise_count(everything) == missing] | np.uint32(above << HALF))
        return np.concatenate(rows)
    found: NDArray[np.uint32] = everything[np.bitwise_count(everything) == stones]
    return found


@cache
def index_of(layout: Layout) -> Index:
    """The index of a board of at most 24 points."""
    points = len(layout)
    table = _choose(2 * HALF)
    half = np.arange(1 << HALF, dtype=np.uint32)
    low = np.zeros(1 << HALF, np.int32)
    high = np.zeros((HALF + 1, 1 << HALF), np.int32)
    for below in range(HALF + 1):
        seen = np.zeros(1 << HALF, np.int64)
        for bit in range(HALF):
            present = (half >> bit & 1).astype(bool)
            seen += present
            place = np.minimum(seen + below, 2 * HALF)
            high[below] += np.where(present, table[bit + HALF, place], 0).astype(np.int32)
            if below == 0:
                low += np.where(present, table[bit, seen], 0).astype(np.int32)
    group = symmetries(layout)
    images = np.zeros((len(group), 3, 256), np.uint32)
    for number, symmetry in enumerate(group):
        for part in range(3):
            for bits in range(256):
                inside = [8 * part + bit for bit in range(8) if bits >> bit & 1 and 8 * part + bit < points]
                images[number, part, bits] = sum(1 << symmetry[point] for point in inside)
    ones = np.bitwise_count(np.arange(256, dtype=np.uint8)).astype(np.int64)
    return Index(points, low, high, images, *_squeezing(), ones)


def _squeezing() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """How the bits of a byte are moved together and apart."""
    free, bits = np.meshgrid(np.arange(256), np.arange(256), indexing="ij")
    together, apart, place = (np.zeros((256, 256), np.int64) for _ in range(3))
    for point in range(8):
        there = free >> point & 1
        together |= (bits >> point & there) << place
        apart |= (bits >> place & there) << point
        place += there
    return together.astype(np.uint8), apart.astype(np.uint8)


@cache
def sets_of(layout: Layout, stones: int) -> Sets:
    """All sets of so many stones, by classes; a class is represented by its member of lowest rank."""
    index = index_of(layout)
    sets = combinations(index.points, stones)
    ranks = np.stack([index.rank(index.image(symmetry, sets)) for symmetry in range(len(index.images))])
    first = ranks.min(axis=0)
    own = np.arange(len(sets))
    leads = first == own
    number = np.cumsum(leads) - 1
    keeps = (ranks[:, leads] == own[leads]).astype(np.uint32)
    bits = np.uint32(1) << np.arange(len(index.images), dtype=np.uint32)
    return Sets(
        stones,
        sets[leads],
        (keeps * bits[:, None]).sum(axis=0, dtype=np.uint32),
        number[first].astype(np.int32),
        ranks.argmin(axis=0).astype(np.uint8),
    )
