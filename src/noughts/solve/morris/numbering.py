"""The number of one position, in plain Python: what a probe needs, ready at once.

The solver numbers whole tables and keeps the class of every set at hand, which takes seconds to list for nine stones.
Whoever looks up one position needs less: the least of the 16 images of a set is the representative of its class, since
sets are ranked in the order of their binary words; and the representatives, in order, are those sets that no symmetry
makes less. They are sifted symmetry by symmetry, so that few are left after the first.
"""

from bisect import bisect_left
from functools import cache
from math import comb

import numpy as np

from noughts.games import Layout
from noughts.games.symmetry import symmetries
from noughts.solve.morris.index import combinations

__all__ = ["Numbering", "numbering_of"]


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
        """How many positions a block of the table by the mover holds."""
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
