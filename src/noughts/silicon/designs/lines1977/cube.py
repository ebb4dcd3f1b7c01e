"""The cube as the listing of 1977 counts it: 64 boxes, and 76 winning combinations in the order of its lines 20 to 84.

Boxes run board by board and *down* the columns, from 0 on here; the points of the game run along the rows. The order
of both matters: of equal boxes the program takes the first, of two ways to win the last combination of the list.
"""

__all__ = ["BOXES", "COMBINATIONS", "THROUGH", "point_of"]

BOXES = 64


def point_of(box: int) -> int:
    """The point of a box; and since rows and columns change places, the box of a point.

    Args:
        box: Its number, from 0 on.
    """
    level, column, row = box // 16, box // 4 % 4, box % 4
    return 16 * level + 4 * row + column


_BOARD = (
    *(tuple(range(first, first + 4)) for first in (1, 5, 9, 13)),
    *(tuple(range(first, 17, 4)) for first in (1, 2, 3, 4)),
    *((1, 6, 11, 16), (4, 7, 10, 13)),
)
"""The ten of a board: down, across, aslant; boxes from 1 on, as the listing has them."""

_SLANTED = (
    *((1, 22, 43, 64), (5, 22, 39, 56), (9, 26, 43, 60), (13, 26, 39, 52), (2, 22, 42, 62), (14, 26, 38, 50)),
    *((3, 23, 43, 63), (15, 27, 39, 51), (4, 23, 42, 61), (8, 23, 38, 53), (12, 27, 42, 57), (16, 27, 38, 49)),
    *((1, 21, 41, 61), (1, 18, 35, 52), (4, 19, 34, 49), (4, 24, 44, 64), (13, 25, 37, 49), (13, 30, 47, 64)),
    *((16, 31, 46, 61), (16, 28, 40, 52)),
)
"""The last twenty, which its DATA lines name box by box."""

COMBINATIONS = tuple(
    tuple(box - 1 for box in combination)
    for combination in (
        *(tuple(box + 16 * level for box in row) for level in range(4) for row in _BOARD),
        *(tuple(box + 16 * level for level in range(4)) for box in range(1, 17)),
        *_SLANTED,
    )
)
"""Ten a board, sixteen upright, twenty aslant."""

THROUGH = tuple(
    tuple(number for number, combination in enumerate(COMBINATIONS) if box in combination) for box in range(BOXES)
)
"""For every box the combinations that it lies in: seven for corners and the middle, four for the others."""
