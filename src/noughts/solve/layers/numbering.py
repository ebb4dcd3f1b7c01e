"""Numbers for positions of a placing game: which byte of which layer is whose.

A **layer** is all positions with equally many stones, and so with the same numbers of X's and of O's. X begins, so with
k stones X has ⌈k/2⌉. A position is X's set of points and, among the points it leaves free, O's. Its number has two
digits:

- The **block**: the class of X's set. Sets that a symmetry of the board maps to one another are one class, and its
  first set, the least as a binary word, represents it. Sets with a row of their own have no block: such a game is over.
- The **place** in the block: O's set, after the same symmetry, as a word over the points that the representative leaves
  free, and that word's rank among those with as many ones (its colex rank: words in increasing order).

When O moves, X's set stays: the position after it is in the block with the same number. When X moves, the block
changes, and nearly always some symmetry is needed to get to the representative.

A set with symmetries of its own gives some positions several numbers. All of them hold the value of the position; and
as a class has as many sets as it has images, the numbers of all positions, symmetric ones too, come out exactly when
every byte is counted as often as its class has sets.

A **byte** says how the game ends: 255 in a draw, else after how many plies, odd for a win of the side to move (the
winner makes the last move). `NEVER` stands where no game comes: O has a row, and it is O's turn, or no one stone of O's
lies in all of them.

This module is plain arithmetic and NumPy: who only reads a table loads no compiler.
"""

from functools import cache
from math import comb
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game, Layout, Position
from noughts.games.symmetry import Symmetry, TooManySymmetriesError, symmetries, turns_and_mirrors
from noughts.solve.morris.numbering import combinations
from noughts.solve.subspaces import Key

__all__ = [
    "NEVER",
    "Classes",
    "Layers",
    "classes_of",
    "group_of",
    "image",
    "images_of",
    "stones_of",
]

BYTES_OF_A_SET = 4
"""A set of points is a word of 32 bits."""
NEVER = 254
"""The byte of a position that does not occur; no game is so long."""
MOST_SYMMETRIES = 64
"""Where the lines allow more, only the turns and mirrors of the board are used: trying all would take too long."""

Sets = NDArray[np.uint32]


class Classes(NamedTuple):
    """The classes of X's sets of so many stones."""

    sets: Sets
    """The representative of every class without a row, in increasing order: the number of a block is its place here."""
    weights: NDArray[np.int64]
    """How many sets each class has."""
    won: Sets
    """The representatives with a row that one stone completed: all rows of the set have a point in common."""
    won_weights: NDArray[np.int64]


def stones_of(stones: int) -> tuple[int, int]:
    """How many of so many stones are X's and O's."""
    return (stones + 1) // 2, stones // 2


@cache
def group_of(layout: Layout) -> tuple[Symmetry, ...]:
    """The symmetries by which sets are classed, the identity first."""
    try:
        found = symmetries(layout)
    except TooManySymmetriesError:
        return turns_and_mirrors(layout)
    return found if len(found) <= MOST_SYMMETRIES else turns_and_mirrors(layout)


@cache
def images_of(layout: Layout) -> Sets:
    """For every symmetry, where it takes eight points at a time: images[symmetry, part, byte]."""
    group = group_of(layout)
    images = np.zeros((len(group), BYTES_OF_A_SET, 256), np.uint32)
    for number, symmetry in enumerate(group):
        for point, target in enumerate(symmetry):
            part, bit = divmod(point, 8)
            images[number, part, np.arange(256) >> bit & 1 == 1] |= np.uint32(1 << target)
    return images


def image(parts: Sets, sets: Sets) -> Sets:
    """Where a symmetry takes sets; `parts` are its images of eight points at a time."""
    images: Sets = parts[0][sets & 255]
    for part in range(1, BYTES_OF_A_SET):
        images |= parts[part][sets >> (8 * part) & 255]
    return images


@cache
def classes_of(layout: Layout, stones: int) -> Classes:
    """The classes of all sets of so many points."""
    images = images_of(layout)
    sets = combinations(len(layout), stones)
    for parts in images[1:]:
        sets = sets[image(parts, sets) >= sets]
    kept = np.zeros(len(sets), np.int64)
    for parts in images:
        kept += image(parts, sets) == sets
    weights = len(images) // kept
    everything = np.uint32(0xFFFFFFFF)
    common = np.full_like(sets, everything)
    for line in layout.line_sets:
        common[sets & np.uint32(line) == line] &= np.uint32(line)
    still, won = common == everything, (common != everything) & (common != 0)
    return Classes(sets[still], weights[still], sets[won], weights[won])


@cache
def _plain_images(layout: Layout) -> list[list[list[int]]]:
    """For every symmetry, where it takes eight points at a time, in plain numbers."""
    images: list[list[list[int]]] = images_of(layout).tolist()
    return images


def _image_of(parts: list[list[int]], points: int) -> int:
    """Where a symmetry takes a set."""
    return parts[0][points & 255] | parts[1][points >> 8 & 255] | parts[2][points >> 16 & 255] | parts[3][points >> 24]


class Layers:
    """The layers of a placing game, as `noughts.solve.store` asks for them."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def order(self) -> list[Key]:
        """From the full board down."""
        return [(stones // 2, (stones + 1) // 2) for stones in range(len(self.game.layout), -1, -1)]

    def shape(self, key: Key) -> tuple[int, int]:
        x, o = stones_of(sum(key))
        return len(classes_of(self.game.layout, x).sets), comb(len(self.game.layout) - x, o)

    def ways(self, key: Key) -> int:
        """In how many ways so many stones can be put down."""
        x, o = stones_of(sum(key))
        return comb(len(self.game.layout), x) * comb(len(self.game.layout) - x, o)

    def ply(self, key: Key) -> int:
        return sum(key)

    def key(self, position: Position) -> Key:
        turn = position.turn
        return position.stones[turn].bit_count(), position.stones[1 - turn].bit_count()

    def number(self, position: Position) -> tuple[int, int]:
        layout, (x, o) = self.game.layout, position.stones
        images = [_image_of(parts, x) for parts in _plain_images(layout)]
        lead = min(images)
        word = _image_of(_plain_images(layout)[images.index(lead)], o)
        block = int(np.searchsorted(classes_of(layout, x.bit_count()).sets, lead))
        place = free = ones = 0
        for point in range(len(layout)):
            if lead >> point & 1:
                continue
            if word >> point & 1:
                ones += 1
                place += comb(free, ones)
            free += 1
        return block, place

    def command(self, folder: Path, _key: Key) -> str:
        return f"noughts solve {self.game.name} --out {folder}"
