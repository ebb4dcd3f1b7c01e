"""Qubic as a cube that turns: four floors above each other, seen from above and from one side, every cell a link.

The floors turn about the upright axis through their middles. A point of a floor, in cells from the middle, is first
turned and then seen from above at a slant, which leaves its width as it is and flattens its depth; a circle becomes an
ellipse that looks the same from every side. The floors are so far apart that they never cover each other, whatever the
turn, so that every cell can be clicked.
"""

from collections.abc import Mapping, Sequence
from html import escape
from math import cos, radians, sin, sqrt
from typing import NamedTuple

from markupsafe import Markup

from noughts.games import Game, Position
from noughts.games.picture import UNIT, Note
from noughts.games.points import members
from noughts.web.board_links import Marks, link
from noughts.web.clicks import Click

__all__ = ["STEP", "draw_cube"]

STEP = 15
"""Degrees that one click turns the cube."""
SLANT = 0.46
"""How much of the depth is seen."""
STONE = 0.3
"""Half the size of a stone, in cells."""
NAMES = 0.42
"""How far outside the floor its letters and numbers stand, in cells."""
EDGE = 16
"""Paper around the widest turn."""


class _View(NamedTuple):
    """How the cube is seen."""

    side: int
    turn: int

    @property
    def reach(self) -> float:
        """From the middle of a floor to its corner, on paper."""
        return UNIT * self.side / sqrt(2)

    @property
    def width(self) -> float:
        return 2 * (self.reach + EDGE)

    @property
    def storey(self) -> float:
        """From a floor to the next."""
        return 2 * self.reach * SLANT + 4

    @property
    def height(self) -> float:
        return self.side * self.storey + 2 * EDGE

    def spot(self, level: int, row: float, column: float) -> tuple[float, float]:
        """Where a place lies on paper; the middle of a cell has whole numbers."""
        middle = (self.side - 1) / 2
        right, away = column - middle, row - middle
        angle = radians(self.turn)
        x = right * cos(angle) - away * sin(angle)
        y = right * sin(angle) + away * cos(angle)
        top = EDGE + self.reach * SLANT
        return self.width / 2 + UNIT * x, top + level * self.storey + UNIT * SLANT * y

    def cell(self, level: int, row: float, column: float) -> str:
        """The outline of a cell."""
        corners = [(-0.5, -0.5), (-0.5, 0.5), (0.5, 0.5), (0.5, -0.5)]
        return " ".join(_pair(self.spot(level, row + down, column + right)) for down, right in corners)


def draw_cube(
    game: Game, position: Position, clicks: Sequence[Click], notes: Mapping[int, Note], marks: Marks, turn: int
) -> Markup:
    """The cube as one SVG, turned by so many degrees."""
    view = _View(len(game.layout.rows), turn)
    places = game.layout.places
    parts = [
        f'<svg class="cube" viewBox="0 0 {view.width:.0f} {view.height:.0f}" width="{view.width:.0f}" '
        f'height="{view.height:.0f}" role="group" aria-label="cube">',
        *('<g aria-hidden="true">', *_posts(view), *_names(view), *_marks(game, view, marks)),
    ]
    for point, place in enumerate(places):
        parts.append(f'<polygon class="grid" points="{view.cell(*place)}"/>')
        parts += _content(view, position, point, place, notes.get(point))
    parts.append("</g>")
    parts += [link(click, f'<polygon class="hit" points="{view.cell(*places[click.point])}"/>') for click in clicks]
    return Markup("\n".join([*parts, "</svg>"]))


def _posts(view: _View) -> list[str]:
    """The upright edges of the cube."""
    ends = (-0.5, view.side - 0.5)
    corners = [(row, column) for row in ends for column in ends]
    return [_line("post", view.spot(0, *corner), view.spot(view.side - 1, *corner)) for corner in corners]


def _names(view: _View) -> list[str]:
    """Letters and numbers along two edges of the top floor, and the number of every floor."""
    marks = []
    for number in range(view.side):
        marks.append(_text("label", view.spot(0, -0.5 - NAMES, number), chr(ord("a") + number)))
        marks.append(_text("label", view.spot(0, number, -0.5 - NAMES), str(number + 1)))
        floor = EDGE + number * view.storey + 2 * view.reach * SLANT
        marks.append(_text("label", (EDGE + 14, floor - 12), f"level {number + 1}"))
    return marks


def _marks(game: Game, view: _View, marks: Marks) -> list[str]:
    """What is pointed out, below the stones."""
    places = game.layout.places
    drawn = []
    for row in marks.won:
        points = list(members(row))
        drawn += [f'<polygon class="mark-won" points="{view.cell(*places[point])}"/>' for point in points]
        drawn.append(_line("mark-row", view.spot(*places[points[0]]), view.spot(*places[points[-1]])))
    drawn += [f'<polygon class="mark-hint" points="{view.cell(*places[point])}"/>' for point in members(marks.hint)]
    if marks.last and marks.last.to is not None:
        drawn.append(_ellipse("mark-last", view.spot(*places[marks.last.to]), 0.45 * UNIT))
    return drawn


def _content(view: _View, position: Position, point: int, place: tuple[int, int, int], note: Note | None) -> list[str]:
    """A stone or a note, lying on its floor."""
    level, row, column = place
    spot = view.spot(*place)
    if position.stones[0] >> point & 1:
        ends = [(-STONE, -STONE), (STONE, STONE), (-STONE, STONE), (STONE, -STONE)]
        a, b, c, d = (_pair(view.spot(level, row + down, column + right), " ") for down, right in ends)
        return [f'<path class="x" d="M{a}L{b}M{c}L{d}"/>']
    if position.stones[1] >> point & 1:
        return [_ellipse("o", spot, STONE * UNIT)]
    if note is None:
        return []
    return [
        _ellipse("paper", spot, 0.42 * UNIT),
        _ellipse(f"{note.colour} halo", spot, 0.42 * UNIT),
        _text(f"{note.colour} note", spot, note.text),
    ]


def _pair(spot: tuple[float, float], between: str = ",") -> str:
    return f"{spot[0]:.1f}{between}{spot[1]:.1f}"


def _ellipse(kind: str, spot: tuple[float, float], half: float) -> str:
    return f'<ellipse class="{kind}" cx="{spot[0]:.1f}" cy="{spot[1]:.1f}" rx="{half:.1f}" ry="{half * SLANT:.1f}"/>'


def _line(kind: str, start: tuple[float, float], end: tuple[float, float]) -> str:
    (x1, y1), (x2, y2) = start, end
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(kind: str, spot: tuple[float, float], text: str) -> str:
    return f'<text class="{kind}" x="{spot[0]:.1f}" y="{spot[1] + 4:.1f}">{escape(text)}</text>'
