"""A board as a PNG, for those who show no SVG: above all the previews of links in chats and mails.

The pixels are drawn by `noughts.games.raster`; the file is these, compressed, in the three chunks that PNG demands.
"""

import struct
import zlib
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game, Move, Position
from noughts.games.raster import Canvas, Spot

__all__ = ["png_board"]

WIDTH, HEIGHT = 1200, 630
"""What previews are made for."""
MARGIN = 40
LARGEST = 130
"""Pixels of a cell, at most."""
PAPER, WOOD, LINES = (244, 240, 230), (234, 216, 178), (125, 112, 86)
X, O, LAST = (38, 79, 120), (150, 50, 31), (246, 227, 155)  # noqa: E741
SLATE, SLATE_CUT, IVORY, IVORY_EDGE = (54, 59, 63), (170, 176, 179), (255, 253, 246), (95, 88, 75)


@lru_cache(maxsize=200)
def png_board(game: Game, position: Position, last: Move | None = None) -> bytes:
    """A position as a picture of 1200 by 630 pixels; the levels of a cube side by side."""
    layout = game.layout
    levels, wide = len(layout.rows), 1 + max(place.column for place in layout.places)
    tall = 1 + max(place.row for place in layout.places)
    across = levels * wide + (levels - 1) * 0.6
    cell = min((WIDTH - 2 * MARGIN) / (across + 0.8), (HEIGHT - 2 * MARGIN) / (tall + 0.8), LARGEST)
    left, top = (WIDTH - cell * across) / 2, (HEIGHT - cell * tall) / 2
    canvas = Canvas(WIDTH, HEIGHT, PAPER)

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
    return _png(canvas.pixels())


def _sign(canvas: Canvas, at: Spot, cell: float, side: int) -> None:
    """X or O as they are written."""
    if side == 0:
        canvas.cross(at, 0.23 * cell, 0.055 * cell, X)
    else:
        canvas.ring(at, 0.25 * cell, 0.055 * cell, O)


def _stone(canvas: Canvas, at: Spot, cell: float, side: int) -> None:
    """A disc of slate with a cross cut into it, or of ivory with a ring."""
    canvas.stroke(at, at, 0.34 * cell, SLATE if side == 0 else IVORY_EDGE)
    if side == 0:
        canvas.cross(at, 0.12 * cell, 0.022 * cell, SLATE_CUT)
    else:
        canvas.stroke(at, at, 0.34 * cell - 2, IVORY)
        canvas.ring(at, 0.17 * cell, 0.02 * cell, IVORY_EDGE)


def _png(pixels: NDArray[np.uint8]) -> bytes:
    """The file; every row begins with a 0, which says that its pixels are as they are."""
    rows = np.zeros((HEIGHT, 1 + 3 * WIDTH), np.uint8)
    rows[:, 1:] = pixels.reshape(HEIGHT, -1)
    head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
