"""A position as an environment shows it: as text, as SVG, or as an array of pixels.

Text is what a terminal shows and SVG the picture of `noughts.games.picture`. Pixels are what videos of agents are made
of, and need no more than NumPy, since a board is made of round strokes alone: a line is the set of points at most
half its width away from a segment, a ring those at about the same distance from a centre. So every mark is a
**distance field**: where the distance from its edge is half a pixel or more inside, a pixel has the colour of the mark,
half a pixel outside that of the paper, and a mixture between the two (anti-aliasing). The places and colours
are those of the SVG on a light page; letters and numbers are left out.
"""

import re

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game, Position
from noughts.games.picture import LIGHT, STONE, UNIT, draw_board

__all__ = ["as_pixels", "as_svg"]

Spot = tuple[float, float]
"""A place on the board, right and down, in the units of the SVG."""

MARGIN = 14
WIDE = 8
"""Boards of more columns or rows are drawn at half the size."""

Colour = tuple[int, int, int]
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
    paper = _Paper(levels * gap + MARGIN, tall * UNIT + 2 * MARGIN, 1 if max(wide, tall) > WIDE else 2)
    spots = [
        (MARGIN + UNIT * (place.column + 0.5) + gap * place.level, MARGIN + UNIT * (place.row + 0.5))
        for place in layout.places
    ]
    if layout.edges:
        for a, b in layout.edges:
            paper.line(spots[a], spots[b], 1.2, INK, 0.55)
    else:
        for level in range(levels):
            left = MARGIN + gap * level
            right, bottom = left + UNIT * wide, MARGIN + UNIT * tall
            for row in range(tall + 1):
                paper.line((left, MARGIN + UNIT * row), (right, MARGIN + UNIT * row), 1.2, INK, 0.55)
            for column in range(wide + 1):
                paper.line((left + UNIT * column, MARGIN), (left + UNIT * column, bottom), 1.2, INK, 0.55)
    for point, spot in enumerate(spots):
        side = next((side for side in (0, 1) if position.stones[side] >> point & 1), None)
        if side is not None:
            (_stone if layout.edges else _letter)(paper, spot, side)
        elif layout.edges:
            paper.ring(spot, 0, 7, INK)
    return paper.pixels()


def _letter(paper: "_Paper", spot: Spot, side: int) -> None:
    """X or O, as they are written."""
    if side:
        paper.ring(spot, 11, 4.5, COLOURS["o"])
    else:
        _cross(paper, spot, 10, 4.5, COLOURS["x"])


def _stone(paper: "_Paper", spot: Spot, side: int) -> None:
    """A disc of slate with a cross cut into it, or of ivory with a ring."""
    kind = "ivory" if side else "slate"
    paper.ring(spot, 0, 2 * STONE + 1.2, COLOURS[f"{kind}-edge"])
    paper.ring(spot, 0, 2 * STONE - 1.2, COLOURS[kind])
    if side:
        paper.ring(spot, STONE * 0.5, 1.6, COLOURS["ivory-mark"])
    else:
        _cross(paper, spot, STONE * 0.36, 1.6, COLOURS["slate-mark"])


def _cross(paper: "_Paper", spot: Spot, reach: float, width: float, colour: Colour) -> None:
    x, y = spot
    paper.line((x - reach, y - reach), (x + reach, y + reach), width, colour)
    paper.line((x - reach, y + reach), (x + reach, y - reach), width, colour)


class _Paper:
    """Pixels to draw on; `scale` of them to a unit."""

    def __init__(self, width: float, height: float, scale: int) -> None:
        self._scale = scale
        self._pixels = np.full((round(height * scale), round(width * scale), 3), PAPER, np.float32)

    def pixels(self) -> NDArray[np.uint8]:
        """What has been drawn."""
        return np.rint(self._pixels).astype(np.uint8)

    def line(self, start: Spot, end: Spot, width: float, colour: Colour, opacity: float = 1) -> None:
        """A straight line with round ends."""
        (x1, y1), (x2, y2) = start, end
        dx, dy = x2 - x1, y2 - y1
        part, x, y = self._around(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2), width)
        along = np.clip(((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy), 0, 1)
        self._fill(part, np.hypot(x - x1 - along * dx, y - y1 - along * dy) - width / 2, colour, opacity)

    def ring(self, centre: Spot, radius: float, width: float, colour: Colour) -> None:
        """A ring; one of no radius is a disc."""
        x0, y0 = centre
        part, x, y = self._around(x0 - radius, y0 - radius, x0 + radius, y0 + radius, width)
        self._fill(part, np.abs(np.hypot(x - x0, y - y0) - radius) - width / 2, colour, 1)

    def _around(
        self, left: float, top: float, right: float, bottom: float, width: float
    ) -> tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.float64]]:
        """The pixels that a mark can touch, and the places of their middles."""
        s, more = self._scale, width / 2 + 1
        rows = slice(max(0, int((top - more) * s)), int((bottom + more) * s) + 1)
        columns = slice(max(0, int((left - more) * s)), int((right + more) * s) + 1)
        part = self._pixels[rows, columns]
        y = (np.arange(rows.start, rows.start + part.shape[0])[:, None] + 0.5) / s
        x = (np.arange(columns.start, columns.start + part.shape[1])[None, :] + 0.5) / s
        return part, x, y

    def _fill(self, part: NDArray[np.float32], distance: NDArray[np.float64], colour: Colour, opacity: float) -> None:
        """Colour what lies inside an edge, given how far outside it every pixel lies."""
        covered = opacity * np.clip(0.5 - distance * self._scale, 0, 1)[..., None]
        part += (np.array(colour, np.float32) - part) * covered
