"""Boards whose points are links: the picture of `noughts.games.picture`, with marks below it and links above it.

One SVG a level, so that the levels of Qubic can stand where there is room for them. Everything is said in attributes
and classes, since pages allow no style inside; the classes are in `play.css`. The picture itself is hidden from those
who hear the page: they hear the links, which say what stands where.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from html import escape
from typing import NamedTuple

from markupsafe import Markup

from noughts.games import Game, Layout, Move, Position
from noughts.games.picture import MARGIN, UNIT, Note, draw_board
from noughts.games.points import members, point_set
from noughts.web.clicks import Click

__all__ = ["Marks", "Spot", "draw_links", "link", "marked"]

ROOM = 20
"""Paper left of and above the squares, for the letters and numbers."""
TITLE = 24
"""Paper for the name of a level."""
RIM = 3
FEW = 5
"""Boards narrower than so many squares are drawn so large that their letters can be smaller."""
HALF = UNIT / 2

Spot = Callable[[int], tuple[float, float]]
"""Where on the paper a point lies."""


class Marks(NamedTuple):
    """What to point out on a board."""

    last: Move | None = None
    """The last move."""
    won: tuple[int, ...] = ()
    """The rows that won, as sets of points."""
    picked: int = 0
    """The points clicked so far, of a move that takes several clicks; a set, as the next two are."""
    open: int = 0
    """The points that may be clicked next."""
    hint: int = 0
    """The points of the move that is advised."""


def draw_links(
    game: Game, position: Position, clicks: Sequence[Click], notes: Mapping[int, Note], marks: Marks
) -> list[Markup]:
    """One SVG for every level of a board."""
    return [
        _draw_level(level, position, clicks[level.first : level.first + len(level.game.layout)], notes, marks)
        for level in _levels(game)
    ]


class _Level(NamedTuple):
    """A level as a board of its own."""

    game: Game
    first: int
    """The number its first point has on the whole board."""
    title: str


@cache
def _levels(game: Game) -> tuple[_Level, ...]:
    if len(game.layout.rows) == 1:
        return (_Level(game, 0, ""),)
    levels = []
    for number, rows in enumerate(game.layout.rows):
        points = [point for row in rows for point in row]
        places = tuple(game.layout.places[point]._replace(level=0) for point in points)
        board = Layout(tuple(game.layout.points[point] for point in points), places, ())
        levels.append(_Level(replace(game, layout=board), points[0], f"level {number + 1}"))
    return tuple(levels)


def _draw_level(
    level: _Level, position: Position, clicks: Sequence[Click], notes: Mapping[int, Note], marks: Marks
) -> Markup:
    board, first = level.game.layout, level.first
    x, o = (stones >> first & board.everywhere for stones in position.stones)
    here = Position((x, o), position.hand, position.turn)
    below = TITLE if level.title else 0

    def spot(point: int) -> tuple[float, float]:
        place = board.places[point - first]
        return MARGIN + UNIT * (place.column + 0.5), MARGIN + below + UNIT * (place.row + 0.5)

    points = range(first, first + len(board))
    own_notes = {point - first: note for point, note in notes.items() if point in points}
    picture = draw_board(level.game, here, notes=own_notes, title=level.title)
    wide = UNIT * (1 + max(place.column for place in board.places)) + ROOM + RIM
    left = MARGIN - ROOM
    top = left - (RIM if level.title else 0)
    tall = UNIT * (1 + max(place.row for place in board.places)) + MARGIN + below + RIM - top
    kind = ' class="few"' if wide < FEW * UNIT else ""
    parts = [
        f'<svg{kind} viewBox="{left} {top} {wide:g} {tall:g}" width="{wide:g}" height="{tall:g}" role="group" '
        f'aria-label="{escape(level.title or "board")}">',
        *('<g aria-hidden="true">', *marked(points, spot, marks), picture.body),
        *(f"{badge}" for point in points for badge in _badge(point, spot, here.occupied >> point - first & 1, notes)),
        "</g>",
        *(link(click, f'<rect class="hit" {_square(*spot(click.point))}/>') for click in clicks),
        "</svg>",
    ]
    return Markup("\n".join(parts))


def link(click: Click, shape: str) -> str:
    """A point as a link with this shape; a click that leads nowhere leaves no trace in the browser's history."""
    history = ' data-history="none"' if click.kind == "wrong" else ""
    name = escape(click.label.partition(",")[0])
    return (
        f'<a class="point {click.kind}" href="{escape(click.href)}" data-swap="game" data-point="{name}" '
        f'data-focus="{name}"{history} aria-label="{escape(click.label)}">{shape}</a>'
    )


def marked(points: range, spot: Spot, marks: Marks) -> list[str]:
    """The marks that lie below the stones of these points."""
    here = point_set(points)
    drawn = []
    for row in marks.won:
        drawn += [f'<rect class="mark-won" {_square(*spot(point))}/>' for point in members(row & here)]
        ends = [spot(point) for point in members(row & here)]
        if row & here == row:
            drawn.append(_line("mark-row", ends[0], ends[-1]))
    for point in members(marks.hint & here):
        drawn.append(f'<rect class="mark-hint" {_square(*spot(point))}/>')
    for point in members(marks.picked & here):
        drawn.append(_circle("mark-picked", *spot(point), 19))
    for point in members(marks.open & here):
        drawn.append(_circle("mark-open", *spot(point), 17))
    return drawn + _last_move(here, spot, marks.last)


def _last_move(here: int, spot: Spot, move: Move | None) -> list[str]:
    """Where the last stone stands, where it came from, and where the stone stood that it captured."""
    drawn = []
    if move and move.to is not None and here >> move.to & 1:
        drawn.append(_circle("mark-last", *spot(move.to), 18))
    if move and move.source is not None and here >> move.source & 1:
        drawn.append(_circle("mark-from", *spot(move.source), 12))
    if move and move.capture is not None and here >> move.capture & 1:
        drawn.append(_circle("mark-captured", *spot(move.capture), 14))
    return drawn


def _badge(point: int, spot: Spot, occupied: int, notes: Mapping[int, Note]) -> list[str]:
    """A note on a point that has a stone: the picture writes notes only on empty points."""
    if not occupied or point not in notes:
        return []
    (x, y), note = spot(point), notes[point]
    return [
        _circle("paper", x + 14, y - 14, 9),
        _circle(f"{note.colour} halo", x + 14, y - 14, 9),
        f'<text class="{note.colour} note small" x="{x + 14:g}" y="{y - 11:g}">{escape(note.text)}</text>',
    ]


def _square(x: float, y: float) -> str:
    return f'x="{x - HALF:g}" y="{y - HALF:g}" width="{UNIT}" height="{UNIT}"'


def _circle(kind: str, x: float, y: float, r: float) -> str:
    return f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="{r:g}"/>'


def _line(kind: str, start: tuple[float, float], end: tuple[float, float]) -> str:
    (x1, y1), (x2, y2) = start, end
    return f'<line class="{kind}" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"/>'
