"""A position as an environment shows it: as text, as SVG, or as an array of pixels.

Text is what a terminal shows and SVG the picture of `noughts.games.picture`. Pixels are what videos of agents are made
of: the places and colours are those of the SVG on a light page; letters and numbers are left out.
"""

import re

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game, Position
from noughts.games.picture import LIGHT, STONE, UNIT, draw_board
from noughts.games.raster import Canvas, Colour, Spot

__all__ = ["as_pixels", "as_svg"]

MARGIN = 14
WIDE = 8
"""Boards of more columns or rows are drawn at half the size."""

COLOURS: dict[str, Colour] = {
    name: (int(red, 16), int(green, 16), int(blue, 16))
    for name, red, green, blue in re.findall(r"(?:--)?([\w-]+): #(..)(..)(..);", LIGHT)
}
"""Those of the SVG on light paper; `color` is the ink."""
INK, PAPER = COLOURS["color"], COLOURS["ivory"]


def as_svg(game: Game, position: Position) -> str:
    """The picture of a position, as the text of an SVG file."""
    return draw_board(game, position).svg()


def as_pixels(game: Game, position: Position) -> NDArray[np.uint8]:
    """The picture of a position, as an array of rows, columns and red, green and blue."""
    layout = game.layout
    levels, tall, wide = (1 + max(place[axis] for place in layout.places) for axis in range(3))
    gap = wide * UNIT + MARGIN
    scale = 1 if max(wide, tall) > WIDE else 2
    canvas = Canvas(round((levels * gap + MARGIN) * scale), round((tall * UNIT + 2 * MARGIN) * scale), PAPER)

    def line(x1: float, y1: float, x2: float, y2: float) -> None:
        canvas.stroke((x1 * scale, y1 * scale), (x2 * scale, y2 * scale), 0.6 * scale, INK, 0.55)

    spots = [
        (MARGIN + UNIT * (place.column + 0.5) + gap * place.level, MARGIN + UNIT * (place.row + 0.5))
        for place in layout.places
    ]
    for a, b in layout.edges:
        line(*spots[a], *spots[b])
    for left in [MARGIN + gap * level for level in range(levels) if not layout.edges]:
        right, bottom = left + UNIT * wide, MARGIN + UNIT * tall
        for y in range(MARGIN, bottom + 1, UNIT):
            line(left, y, right, y)
        for x in range(left, right + 1, UNIT):
            line(x, MARGIN, x, bottom)
    for point, (across, down) in enumerate(spots):
        spot = across * scale, down * scale
        side = next((side for side in (0, 1) if position.stones[side] >> point & 1), None)
        if side is not None:
            (_stone if layout.edges else _letter)(canvas, spot, scale, side)
        elif layout.edges:
            canvas.stroke(spot, spot, 3.5 * scale, INK)
    return canvas.pixels()


def _letter(canvas: Canvas, spot: Spot, scale: int, side: int) -> None:
    """X or O, as they are written."""
    if side:
        canvas.ring(spot, 11 * scale, 2.25 * scale, COLOURS["o"])
    else:
        canvas.cross(spot, 10 * scale, 2.25 * scale, COLOURS["x"])


def _stone(canvas: Canvas, spot: Spot, scale: int, side: int) -> None:
    """A disc of slate with a cross cut into it, or of ivory with a ring."""
    kind = "ivory" if side else "slate"
    canvas.stroke(spot, spot, (STONE + 0.6) * scale, COLOURS[f"{kind}-edge"])
    canvas.stroke(spot, spot, (STONE - 0.6) * scale, COLOURS[kind])
    if side:
        canvas.ring(spot, STONE * 0.5 * scale, 0.8 * scale, COLOURS["ivory-mark"])
    else:
        canvas.cross(spot, STONE * 0.36 * scale, 0.8 * scale, COLOURS["slate-mark"])
