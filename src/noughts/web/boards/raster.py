"""A board as a PNG, for those who show no SVG: above all the previews of links in chats and mails.

Everything is made of two shapes, whose edges are smooth because a pixel is covered by as much as it lies inside: a
**stroke**, all points within some distance of a segment (lines, crosses, and with both ends in one place discs), and a
**ring**, all points within some distance of a circle. The distance is worked out for the pixels around the shape only,
so a full 19×19 board takes some milliseconds. The file is the pixels, compressed, in the three chunks that PNG demands.
"""

import struct
import zlib
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game, Move, Position

__all__ = ["png_board"]

WIDTH, HEIGHT = 1200, 630
"""What previews are made for."""
MARGIN = 40
LARGEST = 130
"""Pixels of a cell, at most."""
PAPER, WOOD, LINES = (244, 240, 230), (234, 216, 178), (125, 112, 86)
X, O, LAST = (38, 79, 120), (150, 50, 31), (246, 227, 155)  # noqa: E741
SLATE, SLATE_CUT, IVORY, IVORY_EDGE = (54, 59, 63), (170, 176, 179), (255, 253, 246), (95, 88, 75)

Colour = tuple[int, int, int]
Spot = tuple[float, float]


@lru_cache(maxsize=200)
def png_board(game: Game, position: Position, last: Move | None = None) -> bytes:
    """A position as a picture of 1200 by 630 pixels; the levels of a cube side by side."""
    layout = game.layout
    levels, wide = len(layout.rows), 1 + max(place.column for place in layout.places)
    tall = 1 + max(place.row for place in layout.places)
    across = levels * wide + (levels - 1) * 0.6
    cell = min((WIDTH - 2 * MARGIN) / (across + 0.8), (HEIGHT - 2 * MARGIN) / (tall + 0.8), LARGEST)
    left, top = (WIDTH - cell * across) / 2, (HEIGHT - cell * tall) / 2
    canvas = _Canvas()

    def spot(point: int) -> Spot:
        place = layout.places[point]
        return left + cell * (place.column + 0.5 + place.level * (wide + 0.6)), top + cell * (place.row + 0.5)

    for level in range(levels):
        x = left + cell * level * (wide + 0.6)
        rim = 0.25 * cell
        canvas.box(x - rim, top - rim, x + cell * wide + rim, top + cell * tall + rim, WOOD)
        if not layout.edges:
            for row in range(tall + 1):
                canvas.stroke((x, top + cell * row), (x + cell * wide, top + cell * row), 1.2, LINES)
            for column in range(wide + 1):
                canvas.stroke((x + cell * column, top), (x + cell * column, top + cell * tall), 1.2, LINES)
    for one, other in layout.edges:
        canvas.stroke(spot(one), spot(other), 1.6, LINES)
    if last is not None and last.to is not None:
        canvas.stroke(spot(last.to), spot(last.to), 0.46 * cell, LAST)
    for point in range(len(layout)):
        side = next((side for side in (0, 1) if position.stones[side] >> point & 1), None)
        if side is not None:
            (_stone if layout.edges else _sign)(canvas, spot(point), cell, side)
        elif layout.edges:
            canvas.stroke(spot(point), spot(point), 0.07 * cell, LINES)
    return canvas.png()


def _sign(canvas: "_Canvas", at: Spot, cell: float, side: int) -> None:
    """X or O as they are written."""
    if side == 0:
        _cross(canvas, at, 0.23 * cell, 0.055 * cell, X)
    else:
        canvas.ring(at, 0.25 * cell, 0.055 * cell, O)


def _stone(canvas: "_Canvas", at: Spot, cell: float, side: int) -> None:
    """A disc of slate with a cross cut into it, or of ivory with a ring."""
    canvas.stroke(at, at, 0.34 * cell, SLATE if side == 0 else IVORY_EDGE)
    if side == 0:
        _cross(canvas, at, 0.12 * cell, 0.022 * cell, SLATE_CUT)
    else:
        canvas.stroke(at, at, 0.34 * cell - 2, IVORY)
        canvas.ring(at, 0.17 * cell, 0.02 * cell, IVORY_EDGE)


def _cross(canvas: "_Canvas", at: Spot, reach: float, half: float, colour: Colour) -> None:
    x, y = at
    canvas.stroke((x - reach, y - reach), (x + reach, y + reach), half, colour)
    canvas.stroke((x + reach, y - reach), (x - reach, y + reach), half, colour)


class _Canvas:
    """Pixels that shapes are laid upon."""

    def __init__(self) -> None:
        self._pixels = np.full((HEIGHT, WIDTH, 3), PAPER, np.float32)

    def box(self, left: float, top: float, right: float, bottom: float, colour: Colour) -> None:
        """An upright rectangle."""
        self._pixels[round(top) : round(bottom), round(left) : round(right)] = colour

    def stroke(self, one: Spot, other: Spot, half: float, colour: Colour) -> None:
        """Everything within `half` of a segment."""
        (ax, ay), (bx, by) = one, other
        x, y, part = self._around(one, other, half)
        length = (bx - ax) ** 2 + (by - ay) ** 2
        along = np.clip(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length, 0, 1) if length else 0.0
        self._lay(part, np.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay)) - half, colour)

    def ring(self, middle: Spot, radius: float, half: float, colour: Colour) -> None:
        """Everything within `half` of a circle."""
        x, y, part = self._around(middle, middle, radius + half)
        self._lay(part, abs(np.hypot(x - middle[0], y - middle[1]) - radius) - half, colour)

    def _around(
        self, one: Spot, other: Spot, reach: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float32]]:
        """The middles of the pixels near a segment, and these pixels."""
        left, right = (int(end) for end in (min(one[0], other[0]) - reach - 1, max(one[0], other[0]) + reach + 2))
        top, bottom = (int(end) for end in (min(one[1], other[1]) - reach - 1, max(one[1], other[1]) + reach + 2))
        y, x = np.mgrid[top:bottom, left:right] + 0.5
        return x, y, self._pixels[top:bottom, left:right]

    @staticmethod
    def _lay(part: NDArray[np.float32], outside: NDArray[np.float64], colour: Colour) -> None:
        """Cover pixels by as much as they lie inside a shape."""
        cover = np.clip(0.5 - outside, 0, 1)[..., None]
        part += (np.array(colour, np.float32) - part) * cover

    def png(self) -> bytes:
        """The file; every row begins with a 0, which says that its pixels are as they are."""
        rows = np.zeros((HEIGHT, 1 + 3 * WIDTH), np.uint8)
        rows[:, 1:] = np.rint(self._pixels).reshape(HEIGHT, -1)
        head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
        chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            for kind, data in chunks
        )
