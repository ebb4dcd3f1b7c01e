"""An address as a QR code, to be read off the screen by a telephone (ISO/IEC 18004).

One size serves all: version 5, 37 by 37 modules, with error correction L, which holds 106 bytes in byte mode, in one
block with 26 bytes of Reed-Solomon code. The standard lets whoever draws choose among eight masks by how even they
look; any of them can be read, since the format bits say which it is. Here it is always the first, a chequered board: a
token is random, so what lies under it is even enough.

In the square, three finder patterns stand in corners, an alignment pattern near the fourth, and dotted timing lines
between them. The bits go in pairs of columns from right to left, up and down in turn, around all that.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

from markupsafe import Markup

__all__ = ["MOST_BYTES", "SIZE", "modules", "qr_code"]

SIZE = 37
DATA, CHECK = 108, 26
"""Bytes of data and of the code that guards them."""
MOST_BYTES = DATA - 2
"""Four bits say that bytes follow, eight how many, four are left."""
FINDERS = ((0, 0), (0, SIZE - 7), (SIZE - 7, 0))
"""Upper left corners, as row and column."""
ALIGNMENT = 30
"""Row and column of the middle of the alignment pattern."""
TIMING = 6
FORMAT = 0b111011111000100
"""Error correction L and the first mask, with their own check bits, as the standard lists them."""
QUIET = 4
"""Modules of white around the code."""
FIELD = 0x11D
"""x⁸ + x⁴ + x³ + x² + 1, by which bytes are multiplied."""


@lru_cache(256)
def qr_code(text: str, label: str) -> Markup:
    """The code as an SVG; empty for a text that does not fit."""
    if len(text.encode()) > MOST_BYTES:
        return Markup("")
    path = "".join(f"M{column} {row}h{wide}v1h-{wide}z" for row, column, wide in _runs(modules(text)))
    wide = SIZE + 2 * QUIET
    return Markup(
        '<svg class="qr" viewBox="-{0} -{0} {1} {1}" role="img" aria-label="{2}" shape-rendering="crispEdges">'
        '<path fill="#fff" d="M-{0}-{0}h{1}v{1}h-{1}z"/><path fill="#000" d="{3}"/></svg>'
    ).format(QUIET, wide, label, Markup(path))


def _runs(square: list[list[bool]]) -> Iterator[tuple[int, int, int]]:
    """Dark modules beside each other: row, column, how many."""
    for row, line in enumerate(square):
        for dark, run in groupby(range(SIZE), key=line.__getitem__):
            if dark:
                columns = list(run)
                yield row, columns[0], len(columns)


def modules(text: str) -> list[list[bool]]:
    """The square, row by row; true for what is dark."""
    square = _patterns()
    bits = iter(_bits(text))
    for row, column in _way():
        if square[row][column] is None:
            square[row][column] = next(bits, False) ^ ((row + column) % 2 == 0)
    return [[bool(module) for module in line] for line in square]


def _bits(text: str) -> list[bool]:
    """The data and its check bytes, bit by bit."""
    said = text.encode()
    number = int.from_bytes(said) | (0b0100 << 8 | len(said)) << 8 * len(said)
    data = list((number << 4).to_bytes(len(said) + 2))
    data += [(0xEC, 0x11)[place % 2] for place in range(DATA - len(data))]
    return [bool(byte >> bit & 1) for byte in (*data, *_check(data)) for bit in range(7, -1, -1)]


def _check(data: list[int]) -> list[int]:
    """The remainder of the data by the generator (x - 1)(x - 2)(x - 4)…, as polynomials over the field of bytes."""
    generator, root = [1], 1
    for _ in range(CHECK):
        generator = [a ^ _times(b, root) for a, b in zip([*generator, 0], [0, *generator], strict=True)]
        root = _times(root, 2)
    rest = [0] * CHECK
    for byte in data:
        factor = byte ^ rest[0]
        rest = [a ^ _times(b, factor) for a, b in zip([*rest[1:], 0], generator[1:], strict=True)]
    return rest


def _times(a: int, b: int) -> int:
    """The product of two bytes in their field."""
    product = 0
    while b:
        product ^= a if b & 1 else 0
        a = a << 1 ^ (FIELD if a & 0x80 else 0)
        b >>= 1
    return product


def _patterns() -> list[list[bool | None]]:
    """The square with all that every code has; None where the bits go."""
    square: list[list[bool | None]] = [[None] * SIZE for _ in range(SIZE)]
    for place in range(SIZE):
        square[TIMING][place] = square[place][TIMING] = place % 2 == 0
    for top, left in FINDERS:
        for row in range(max(0, top - 1), min(SIZE, top + 8)):
            for column in range(max(0, left - 1), min(SIZE, left + 8)):
                square[row][column] = max(abs(row - top - 3), abs(column - left - 3)) in (0, 1, 3)
    for row in range(ALIGNMENT - 2, ALIGNMENT + 3):
        for column in range(ALIGNMENT - 2, ALIGNMENT + 3):
            square[row][column] = max(abs(row - ALIGNMENT), abs(column - ALIGNMENT)) != 1
    beside = [0, 1, 2, 3, 4, 5, 7, 8]
    around = [(8, place) for place in beside] + [(place, 8) for place in beside[-2::-1]]
    apart = [(SIZE - 1 - place, 8) for place in range(7)] + [(8, SIZE - 8 + place) for place in range(8)]
    for places in (around, apart):
        for bit, (row, column) in enumerate(places):
            square[row][column] = bool(FORMAT >> 14 - bit & 1)
    square[SIZE - 8][8] = True
    return square


def _way() -> list[tuple[int, int]]:
    """Every place in the order of the bits."""
    way = []
    pairs = [*range(SIZE - 1, TIMING, -2), *range(TIMING - 1, 0, -2)]
    for number, right in enumerate(pairs):
        rows = range(SIZE) if number % 2 else range(SIZE - 1, -1, -1)
        way += [(row, column) for row in rows for column in (right, right - 1)]
    return way
