"""The canonical image of a Qubic position under the 192 symmetries of the board, compiled.

Positions alike under the symmetries count as one, the canonical one: the image with the least set of X's stones, and
among those the least set of O's, as unsigned numbers. Images are put together from bytes: `images[s, i, b]` is where
symmetry s sends those of cells 8i to 8i + 7 that the byte b holds.
"""

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numba import njit
from numpy.typing import NDArray

from noughts.games import game
from noughts.games.symmetry import Symmetry, apply
from noughts.solve.qubic.chains import ZERO, Cells

if TYPE_CHECKING:
    from noughts.solve.qubic.dictionary import Entry

__all__ = ["Key", "alike", "by_canonical", "canonical", "canonical_key", "image_tables", "least_among", "least_image"]

Key = tuple[int, int]
"""X's stones and O's, of a canonical position."""

_BYTE, _EIGHT, _ALL = np.uint64(255), np.uint64(8), ~ZERO


def canonical_key(x: int, o: int) -> tuple[Key, Symmetry]:
    """The canonical image of a position, and the symmetry that leads to it."""
    least_x, least_o, number = canonical(image_tables(), np.uint64(x), np.uint64(o))
    return (int(least_x), int(least_o)), game("qubic").symmetries[number]


def alike(key: Key, one: int, other: int) -> bool:
    """Whether a symmetry that leaves the position as it is leads from one of these two cells to the other."""
    if one == other:
        return True
    return any(
        symmetry[one] == other and (apply(symmetry, key[0]), apply(symmetry, key[1])) == key
        for symmetry in game("qubic").symmetries
    )


def by_canonical(entries: "Iterable[Entry]") -> dict[Key, int]:
    """The moves of a dictionary, by canonical position."""
    found = {}
    for x, o, move in entries:
        key, symmetry = canonical_key(x, o)
        found[key] = symmetry[move]
    return found


@cache
def image_tables() -> NDArray[np.uint64]:
    """Where each symmetry of the board sends the cells in each byte of a set."""
    symmetries = np.array(game("qubic").symmetries, np.uint64).reshape(-1, 8, 8)
    bits = np.uint64(1) << symmetries
    tables = np.zeros((len(symmetries), 8, 256), np.uint64)
    for byte in range(256):
        for bit in range(8):
            if byte >> bit & 1:
                tables[:, :, byte] |= bits[:, :, bit]
    return tables


@njit(cache=True)
def _image(images: NDArray[np.uint64], symmetry: int, cells: Cells) -> Cells:
    found = ZERO
    for byte in range(8):
        found |= images[symmetry, byte, cells & _BYTE]
        cells >>= _EIGHT
    return found


@njit(cache=True)
def least_image(images: NDArray[np.uint64], cells: Cells, ways: NDArray[np.int64]) -> tuple[Cells, int]:
    """The least image of a set of cells, and how many symmetries, written to `ways`, lead to it."""
    least, count = _ALL, 0
    for symmetry in range(len(images)):
        image = _image(images, symmetry, cells)
        if image <= least:
            if image < least:
                least, count = image, 0
            ways[count] = symmetry
            count += 1
    return least, count


@njit(cache=True)
def least_among(images: NDArray[np.uint64], cells: Cells, ways: NDArray[np.int64], count: int) -> Cells:
    """The least image of a set of cells under the first `count` of these symmetries."""
    least = _ALL
    for which in range(count):
        least = min(least, _image(images, ways[which], cells))
    return least


@njit(cache=True)
def canonical(images: NDArray[np.uint64], x: Cells, o: Cells) -> tuple[Cells, Cells, int]:
    """The canonical image of a position, and the symmetry that leads to it."""
    least_x, least_o, by = _ALL, _ALL, 0
    for symmetry in range(len(images)):
        image_x = _image(images, symmetry, x)
        if image_x <= least_x:
            image_o = _image(images, symmetry, o)
            if image_x < least_x or image_o < least_o:
                least_x, least_o, by = image_x, image_o, symmetry
    return least_x, least_o, by
