"""Pixels to draw on, for those who show no SVG: the previews of links in chats, and videos of agents.

Everything is made of two shapes: a **stroke**, all points within some distance of a segment (lines, crosses, and with
both ends in one place discs), and a **ring**, all points within some distance of a circle. Each is a distance field: a
pixel is covered by as much as it lies inside, so that edges are smooth (anti-aliasing). The distance is worked out for
the pixels around the shape only; a full 19×19 board takes some milliseconds.
"""

import numpy as np
from numpy.typing import NDArray

__all__ = ["Canvas", "Colour", "Spot"]

Colour = tuple[int, int, int]
"""Red, green and blue, to 255."""
Spot = tuple[float, float]
"""Pixels from the left and from the top."""


class Canvas:
    """Pixels that shapes are laid upon.

    Args:
        width: How many there are in a row.
        height: How many rows.
        paper: The colour of all of them, to begin with.
    """

    def __init__(self, width: int, height: int, paper: Colour) -> None:
        self._pixels = np.full((height, width, 3), paper, np.float32)

    def pixels(self) -> NDArray[np.uint8]:
        """What has been drawn: rows, columns, and red, green and blue."""
        return np.rint(self._pixels).astype(np.uint8)

    def box(self, left: float, top: float, right: float, bottom: float, colour: Colour) -> None:
        """An upright rectangle."""
        self._pixels[round(top) : round(bottom), round(left) : round(right)] = colour

    def stroke(self, one: Spot, other: Spot, half: float, colour: Colour, opacity: float = 1) -> None:
        """Everything within `half` of a segment."""
        (ax, ay), (bx, by) = one, other
        x, y, part = self._around(one, other, half)
        length = (bx - ax) ** 2 + (by - ay) ** 2
        along = np.clip(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length, 0, 1) if length else 0.0
        _lay(part, np.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay)) - half, colour, opacity)

    def ring(self, middle: Spot, radius: float, half: float, colour: Colour) -> None:
        """Everything within `half` of a circle."""
        x, y, part = self._around(middle, middle, radius + half)
        _lay(part, abs(np.hypot(x - middle[0], y - middle[1]) - radius) - half, colour, 1)

    def cross(self, middle: Spot, reach: float, half: float, colour: Colour) -> None:
        """Two strokes that cross in the middle, and reach so far to every side."""
        x, y = middle
        self.stroke((x - reach, y - reach), (x + reach, y + reach), half, colour)
        self.stroke((x + reach, y - reach), (x - reach, y + reach), half, colour)

    def _around(
        self, one: Spot, other: Spot, reach: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float32]]:
        """The middles of the pixels near a segment, and these pixels."""
        left, top = (max(0, int(min(a, b) - reach - 1)) for a, b in zip(one, other, strict=True))
        right, bottom = (int(max(a, b) + reach + 2) for a, b in zip(one, other, strict=True))
        part = self._pixels[top:bottom, left:right]
        y, x = np.mgrid[top : top + part.shape[0], left : left + part.shape[1]] + 0.5
        return x, y, part


def _lay(part: NDArray[np.float32], outside: NDArray[np.float64], colour: Colour, opacity: float) -> None:
    """Cover pixels by as much as they lie inside a shape, given how far outside its edge each of them is."""
    cover = opacity * np.clip(0.5 - outside, 0, 1)[..., None]
    part += (np.array(colour, np.float32) - part) * cover
