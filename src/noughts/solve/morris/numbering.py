"""Numbers for positions of a morris game: which byte of a table is whose.

A position of subspace (m, o) is two sets of points, m stones of the side to move and o of the other. Its number has two
digits. The first is the *class* of one side's set: sets that a symmetry of the board maps to one another are one class,
and the class is represented by its first set, the one that is least as a binary word. The second is the rank of the
other side's set among all sets of as many of the points that the representative leaves free, after the same symmetry.
So the values of a subspace are a row of *blocks*, a block a class. Numbered *by the mover*, as in a table, there is a
block for every class of the mover's sets; numbered *by the other side*, as the solver needs them too, one for every
class of the other side's. In the latter a move stays within its block, since the other side's stones do not change.

A set whose class has several symmetries that keep the representative in place gives one position several numbers, 3 %
more slots than positions; all of them hold the position's value.

Sets are ranked in the order of their numbers as binary words. This is the colexicographic rank (*colex rank*) of the
combinatorial number system: the sum of C(p, i) over the set's points p, the i-th from below. Two lookups of 12 bits
each give it at once. A set is moved onto the free points, and back, as the processor instructions PEXT and PDEP do
(gather the bits at which a mask has ones, and scatter them), here eight bits at a time from lookups, which every
processor and GPU has.

Three parts: `Index`, `Sets` and `Blocks` hold arrays, for whoever goes over whole subspaces; `Numbering` numbers single
positions in plain Python, ready at once, for whoever looks some up.
"""

from bisect import bisect_left
from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.games import Layout
from noughts.games.symmetry import symmetries

__all__ = ["Blocks", "Index", "Numbering", "Sets", "blocks_of", "combinations", "index_of", "numbering_of", "sets_of"]

HALF = 12
"""Bits of each of the two lookups."""


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
    choose = np.zeros((most + 1, most + 2), np.int64)
    choose[:, 0] = 1
    for n in range(1, most + 1):
        choose[n, 1:] = choose[n - 1, 1:] + choose[n - 1, :-1]
    return choose


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
    choose = _choose(2 * HALF)
    half = np.arange(1 << HALF, dtype=np.uint32)
    low = np.zeros(1 << HALF, np.int32)
    high = np.zeros((HALF + 1, 1 << HALF), np.int32)
    for below in range(HALF + 1):
        seen = np.zeros(1 << HALF, np.int64)
        for bit in range(HALF):
            present = (half >> bit & 1).astype(bool)
            seen += present
            place = np.minimum(seen + below, 2 * HALF)
            high[below] += np.where(present, choose[bit + HALF, place], 0).astype(np.int32)
            if below == 0:
                low += np.where(present, choose[bit, seen], 0).astype(np.int32)
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
    # Ranks are in the order of the sets as numbers: so the images are compared, and only the least is ranked.
    least, best = index.image(0, sets), np.zeros(len(sets), np.uint8)
    for symmetry in range(1, len(index.images)):
        image = index.image(symmetry, sets)
        best[image < least] = symmetry
        least = np.minimum(least, image)
    leads = least == sets
    representatives = sets[leads]
    keepers = np.zeros(len(representatives), np.uint32)
    for symmetry in range(len(index.images)):
        keepers |= (index.image(symmetry, representatives) == representatives).astype(np.uint32) << np.uint32(symmetry)
    number = (np.cumsum(leads) - 1).astype(np.int32)
    return Sets(stones, representatives, keepers, number[index.rank(least)], best)


class Blocks(NamedTuple):
    """For every class of sets of so many stones: the board that it leaves to the side that moves against it."""

    sets: NDArray[np.uint32]
    """The representative of every class."""
    neighbours: NDArray[np.uint32]
    """For every free point, the free neighbours, as a word."""
    mills: NDArray[np.uint32]
    """For every free point, the other two of each mill through it that is free, as a word; 0 if there is none."""
    lines: NDArray[np.uint32]
    """The mills that are free, as words; after the last, 0."""
    removable: NDArray[np.uint32]
    """Which stones of the set may be captured, on the board."""
    keepers: NDArray[np.uint32]
    """For every class, which symmetries keep its representative, a bit each."""


@cache
def blocks_of(layout: Layout, stones: int) -> Blocks:
    """The blocks of all classes."""
    sets = sets_of(layout, stones).representatives
    keepers = sets_of(layout, stones).keepers
    points, classes = len(layout), len(sets)
    taken = (sets[:, None] >> np.arange(points, dtype=np.uint32) & 1).astype(bool)
    place = np.cumsum(~taken, axis=1) - 1
    bit = np.where(taken, 0, np.uint32(1) << np.maximum(place, 0).astype(np.uint32)).astype(np.uint32)
    free = np.nonzero(~taken)[1].reshape(classes, points - stones)
    around = np.zeros((classes, points), np.uint32)
    for one, other in layout.edges:
        around[:, one] |= bit[:, other]
        around[:, other] |= bit[:, one]
    most = max(map(len, layout.lines_through))
    closing = np.zeros((classes, points, most), np.uint32)
    mills_through = [0] * points
    lines = np.zeros((classes, len(layout.lines) + 1), np.uint32)
    found = np.zeros(classes, np.int64)
    for line in layout.lines:
        whole = ~taken[:, line].any(axis=1)
        lines[whole, found[whole]] = np.bitwise_or.reduce(bit[whole][:, line], axis=1)
        found += whole
        for point in line:
            one, other = (end for end in line if end != point)
            closing[:, point, mills_through[point]] = np.where(whole, bit[:, one] | bit[:, other], 0)
            mills_through[point] += 1
    rows = np.arange(classes)[:, None]
    return Blocks(sets, around[rows, free], closing[rows, free], lines, _removable(layout, sets), keepers)


def _removable(layout: Layout, sets: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Stones outside mills; all, if every stone is in one."""
    milled = np.zeros_like(sets)
    for line in layout.line_sets:
        milled |= np.where(sets & np.uint32(line) == line, np.uint32(line), np.uint32(0))
    outside = sets & ~milled
    return np.where(outside == 0, sets, outside)


class Numbering:
    """Classes of sets and ranks of sets, for a board of at most 24 points."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.points = len(layout)
        group = symmetries(layout)
        self._images = [_images(symmetry) for symmetry in group]
        self._choose = [[comb(n, k) for k in range(self.points + 2)] for n in range(self.points + 1)]
        self._representatives: dict[int, list[int]] = {}

    def image(self, symmetry: int, points: int) -> int:
        """Where a symmetry takes a set."""
        low, middle, high = self._images[symmetry]
        return low[points & 255] | middle[points >> 8 & 255] | high[points >> 16]

    def lead(self, points: int) -> tuple[int, int]:
        """The representative of a set's class, and a symmetry that takes the set to it."""
        low, middle, high = points & 255, points >> 8 & 255, points >> 16
        images = [one[low] | two[middle] | three[high] for one, two, three in self._images]
        least = min(images)
        return least, images.index(least)

    def canonical(self, own: int, other: int) -> tuple[int, int]:
        """The least of the images of two sets taken together."""
        a, b, c = own & 255, own >> 8 & 255, own >> 16
        d, e, f = other & 255, other >> 8 & 255, other >> 16
        return min((one[a] | two[b] | three[c], one[d] | two[e] | three[f]) for one, two, three in self._images)

    def class_of(self, representative: int) -> int:
        """The number of the class with this representative."""
        return bisect_left(self.representatives(representative.bit_count()), representative)

    def representatives(self, stones: int) -> list[int]:
        """The first set of every class, in order."""
        found = self._representatives.get(stones)
        if found is None:
            sets = combinations(self.points, stones)
            for parts in self._images[1:]:
                low, middle, high = (np.array(part, np.uint32) for part in parts)
                images = low[sets & 255] | middle[sets >> 8 & 255] | high[sets >> 16]
                sets = sets[images >= sets]
            found = self._representatives[stones] = sets.tolist()
        return found

    def rank_beside(self, points: int, taken: int) -> int:
        """The rank of a set among the sets of as many of the points that another set leaves free."""
        choose = self._choose
        total = seen = 0
        while points:
            lowest = points & -points
            seen += 1
            below = lowest - 1
            total += choose[below.bit_count() - (taken & below).bit_count()][seen]
            points ^= lowest
        return total

    def block_size(self, mover: int, other: int) -> int:
        """How many positions a block by the mover holds."""
        return comb(self.points - mover, other)


def _images(symmetry: tuple[int, ...]) -> tuple[list[int], list[int], list[int]]:
    """Where a symmetry takes every set of 8 points, for the three groups of 8."""
    parts = []
    for start in (0, 8, 16):
        images = [0]
        for point in range(start, start + 8):
            bit = 1 << symmetry[point] if point < len(symmetry) else 0
            images += [image | bit for image in images]
        parts.append(images)
    return parts[0], parts[1], parts[2]


@cache
def numbering_of(layout: Layout) -> Numbering:
    """The numbering of a board."""
    return Numbering(layout)
