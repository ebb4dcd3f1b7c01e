"""Boards whose points can be pressed: flat ones, large ones, and Qubic as a cube that can be rotated.

**Flat boards** are the picture of `noughts.games.picture`, with marks below it and links above it. One SVG a level, so
that the levels of Qubic can stand where there is room for them. Everything is said in attributes and classes, since
pages allow no style inside; the classes are in `play.css`. The picture itself is hidden from those who hear the page:
they hear the links, which say what stands where. Every stone says whose it is and where it stands,
`data-stone="b2x"`: so a script can see what has changed, and let stones glide and fade.

**Large boards** have buttons of a form above the picture instead of links. A link has the whole game in its address:
at 19×19 after sixty moves, 361 of them would be five times the page.

**The cube** is four floors above each other, seen from above and from one side. The floors rotate about the upright
axis through their middles. A point of a floor, in cells from the middle, is first rotated and then seen from above at
a slant, which leaves its width as it is and flattens its depth; a circle becomes an ellipse that looks the same from
every side. The floors are so far apart that they never cover each other, whatever the rotation, so that every cell can
be clicked.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, reduce
from html import escape
from math import cos, radians, sin, sqrt
from operator import or_
from typing import NamedTuple

from markupsafe import Markup

from noughts.games import SIDES, Game, Layout, Move, Position
from noughts.games.picture import MARGIN, UNIT, Note, draw_board, draw_piece
from noughts.games.points import members, point_set

__all__ = ["ROTATION", "STEP", "Click", "Marks", "draw_cube", "draw_large", "draw_links", "is_large"]

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


class Click(NamedTuple):
    """A point as a link."""

    point: int
    kind: str
    """`play` or `pick` for a click that leads on, `back` for one that takes the part back, `wrong` for all others."""
    href: str
    label: str
    """What stands there and what a click does, for those who hear the page."""
    moves: tuple[str, ...] = ()
    """The legal moves it may lead to."""
    swap: str = "game"
    """The id of the part of the page that changes."""


class Marks(NamedTuple):
    """What to point out on a board."""

    last: Move | None = None
    """The last move."""
    won: tuple[int, ...] = ()
    """The rows that won, as sets of points."""
    picked: int = 0
    """The points clicked so far, of a move that takes several clicks; a set, as the next two are."""
    open: int = 0
    """The points that may be clicked next, if they do not stand in `target`."""
    target: int = 0
    """The stones of which one is to be captured."""
    hint: int = 0
    """The points of the move that is advised."""


NO_MARKS = Marks()


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
    """A level as an SVG; without clicks, only a picture."""
    board, first = level.game.layout, level.first
    x, o = (stones >> first & board.everywhere for stones in position.stones)
    here = Position((x, o), position.hand, position.turn)
    below = TITLE if level.title else 0

    def spot(point: int) -> tuple[float, float]:
        place = board.places[point - first]
        return MARGIN + UNIT * (place.column + 0.5), MARGIN + below + UNIT * (place.row + 0.5)

    points = range(first, first + len(board))
    free = {
        point - first: note
        for point, note in notes.items()
        if point in points and not here.occupied >> point - first & 1
    }
    ground = draw_board(level.game, Position((0, 0), here.hand, here.turn), notes=free, title=level.title)
    stones = [
        _stone(board.points[point - first], side, draw_piece(board, side, *spot(point)))
        for point in points
        for side in (0, 1)
        if here.stones[side] >> point - first & 1
    ]
    wide = UNIT * (1 + max(place.column for place in board.places)) + ROOM + RIM
    left = MARGIN - ROOM
    top = left - (RIM if level.title else 0)
    tall = UNIT * (1 + max(place.row for place in board.places)) + MARGIN + below + RIM - top
    kind = ' class="few"' if wide < FEW * UNIT else ""
    heard = f'role="group" aria-label="{escape(level.title or "board")}"' if clicks else 'aria-hidden="true"'
    parts = [
        f'<svg{kind} viewBox="{left} {top} {wide:g} {tall:g}" width="{wide:g}" height="{tall:g}" {heard}>',
        *('<g aria-hidden="true">', *_marked(points, spot, marks, bool(board.edges)), ground.body, *stones),
        *_rows(points, spot, marks),
        *(f"{badge}" for point in points for badge in _badge(point, spot, here.occupied >> point - first & 1, notes)),
        "</g>",
        *(_link(click, f'<rect class="hit" {_square(*spot(click.point))}/>') for click in clicks),
        "</svg>",
    ]
    return Markup("\n".join(parts))


LARGE = 9
"""Boards with a longer side than this are large, and those with more than 64 points."""


def is_large(game: Game) -> bool:
    """Whether a board has so many points that they are buttons, and the board can be zoomed."""
    rows = game.layout.rows[0]
    flat = len(game.layout.rows) == 1 and not game.layout.edges
    return flat and (max(len(rows), len(rows[0])) > LARGE or len(game.layout) > 64)


def draw_large(
    game: Game, position: Position, clicks: Sequence[Click], notes: Mapping[int, Note], marks: Marks
) -> Markup:
    """A large board: the picture, and above it a button for every point, to stand in a form that has the game.

    A button sends `play=k10`, or `try=k10` where a click leads nowhere.
    """
    rows = game.layout.rows[0]
    (level,) = _levels(game)
    lines = []
    for row in rows:
        lines += ['<div class="line">', *(_button(game.layout.points[point], clicks[point]) for point in row), "</div>"]
    return Markup(
        "\n".join(
            [
                f'<div class="sheet columns-{len(rows[0])} rows-{len(rows)}">',
                _draw_level(level, position, (), notes, marks),
                *('<div class="points" role="group" aria-label="board">', *lines, "</div>", "</div>"),
            ]
        )
    )


def _button(name: str, click: Click) -> str:
    """A point as a button; that it can be played on goes without saying."""
    label = escape(click.label.replace(": play here", ""))
    deed = "try" if click.kind == "wrong" else "play"
    return f'<button name="{deed}" value="{name}" data-point="{name}" aria-label="{label}"></button>'


def _stone(name: str, side: int, drawn: list[str]) -> str:
    """A stone with its place and side, for the script that lets it glide; a group, if it takes several strokes."""
    known = f' data-stone="{name}{SIDES[side]}"'
    if len(drawn) > 1:
        return f"<g{known}>{''.join(drawn)}</g>"
    tag, rest = drawn[0].split(" ", 1)
    return f"{tag}{known} {rest}"


def _link(click: Click, shape: str) -> str:
    """A point as a link with this shape; a click that leads nowhere leaves no trace in the browser's history."""
    history = ' data-history="none"' if click.kind == "wrong" else ""
    name = escape(click.label.partition(",")[0])
    return (
        f'<a class="point {click.kind}" href="{escape(click.href)}" data-swap="{click.swap}" data-point="{name}" '
        f'data-focus="{name}"{history} aria-label="{escape(click.label)}">{shape}</a>'
    )


def _marked(points: range, spot: Spot, marks: Marks, round_stones: bool) -> list[str]:
    """The marks that lie below the stones of these points; what may be done now is drawn over what was done last."""
    here = point_set(points)
    won = reduce(or_, marks.won, 0) & here
    drawn = [_ground("mark-won", *spot(point), round_stones) for point in members(won)]
    drawn += _last_move(here, spot, marks.last)
    for point in members(marks.hint & here):
        drawn.append(_ground("mark-hint", *spot(point), round_stones))
    for point in members(marks.picked & here):
        drawn.append(_circle("mark-picked", *spot(point), 19))
    for point in members(marks.open & here):
        drawn.append(_circle("mark-open", *spot(point), 17))
    for point in members(marks.target & here):
        drawn.append(_circle("mark-target", *spot(point), 20))
    return drawn


def _rows(points: range, spot: Spot, marks: Marks) -> list[str]:
    """The rows that won, drawn through their stones; those that lead through several levels are not."""
    here = point_set(points)
    ends = [[spot(point) for point in members(row)] for row in marks.won if row & here == row]
    return [_row(row[0], row[-1]) for row in ends]


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
    if note.radius:
        return [_circle("paper", x + 14, y - 14, 9), _circle(f"{note.colour} dot", x + 14, y - 14, note.radius * 0.65)]
    return [
        _circle("paper", x + 14, y - 14, 9),
        _circle(f"{note.colour} halo", x + 14, y - 14, 9),
        f'<text class="{note.colour} note small" x="{x + 14:g}" y="{y - 11:g}">{escape(note.text)}</text>',
    ]


def _ground(kind: str, x: float, y: float, round_stones: bool) -> str:
    """What a point lies on: its square, or a circle around a stone on lines."""
    return _circle(kind, x, y, 20) if round_stones else f'<rect class="{kind}" {_square(x, y)}/>'


def _square(x: float, y: float) -> str:
    return f'x="{x - HALF:g}" y="{y - HALF:g}" width="{UNIT}" height="{UNIT}"'


def _circle(kind: str, x: float, y: float, r: float) -> str:
    return f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="{r:g}"/>'


def _line(kind: str, start: tuple[float, float], end: tuple[float, float]) -> str:
    x1, y1, x2, y2 = (f"{round(number, 1):g}" for number in (*start, *end))
    return f'<line class="{kind}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'


ROTATION = 30
"""How far the cube is rotated to begin with: so that no stone stands behind another."""


def _row(start: tuple[float, float], end: tuple[float, float]) -> str:
    """A row that won, which a script draws bit by bit: so its length is 1."""
    return _line("mark-row", start, end).replace("<line ", '<line pathLength="1" ')


STEP = 15
"""Degrees that one click rotates the cube."""
SLANT = 0.46
"""How much of the depth is seen."""
STONE = 0.3
"""Half the size of a stone, in cells."""
NAMES = 0.42
"""How far outside the floor its letters and numbers stand, in cells."""
EDGE = 16
"""Paper around the widest rotation."""


class _View(NamedTuple):
    """How the cube is seen."""

    side: int
    rotation: int

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
        angle = radians(self.rotation)
        x = right * cos(angle) - away * sin(angle)
        y = right * sin(angle) + away * cos(angle)
        top = EDGE + self.reach * SLANT
        return self.width / 2 + UNIT * x, top + level * self.storey + UNIT * SLANT * y

    def cell(self, level: int, row: float, column: float) -> str:
        """The outline of a cell."""
        corners = [(-0.5, -0.5), (-0.5, 0.5), (0.5, 0.5), (0.5, -0.5)]
        return " ".join(_pair(self.spot(level, row + down, column + right)) for down, right in corners)


def draw_cube(
    game: Game,
    position: Position,
    clicks: Sequence[Click] = (),
    notes: Mapping[int, Note] | None = None,
    marks: Marks = NO_MARKS,
    rotation: int = ROTATION,
    label: str = "cube",
    labels: bool = True,
) -> Markup:
    """The cube as one SVG, rotated by so many degrees.

    Args:
        game: A game on several levels.
        position: What stands where.
        clicks: Where a click on a point leads; without any, the cube is a picture.
        notes: What is said of points that are empty.
        marks: What is pointed out.
        rotation: In degrees.
        label: What those hear who do not see it.
        labels: Whether letters, numbers and levels are named.

    Returns:
        An `<svg class="cube">`.
    """
    view = _View(len(game.layout.rows), rotation)
    places = game.layout.places
    parts = [
        f'<svg class="cube" viewBox="0 0 {view.width:.0f} {view.height:.0f}" width="{view.width:.0f}" '
        f'height="{view.height:.0f}" role="{"group" if clicks else "img"}" aria-label="{escape(label)}">',
        *('<g aria-hidden="true">', *_posts(view), *(_names(view) if labels else ()), *_marks(game, view, marks)),
    ]
    parts += [_floor(view, level) for level in range(view.side)]
    for point, place in enumerate(places):
        parts += _content(view, position, point, place, (notes or {}).get(point), game.layout.points[point])
    stones = [point for point in (notes or {}) if position.occupied >> point & 1]
    parts += [
        part for point in stones for part in _badge(point, lambda point: view.spot(*places[point]), 1, notes or {})
    ]
    for row in marks.won:
        first, *_, last = members(row)
        parts.append(_row(view.spot(*places[first]), view.spot(*places[last])))
    parts.append("</g>")
    parts += [_link(click, f'<polygon class="hit" points="{view.cell(*places[click.point])}"/>') for click in clicks]
    return Markup("\n".join([*parts, "</svg>"]))


def _floor(view: _View, level: int) -> str:
    """The lines between the cells of a floor, as one path."""
    ends = (-0.5, view.side - 0.5)
    lines = [step - 0.5 for step in range(view.side + 1)]
    strokes = [(view.spot(level, at, ends[0]), view.spot(level, at, ends[1])) for at in lines]
    strokes += [(view.spot(level, ends[0], at), view.spot(level, ends[1], at)) for at in lines]
    drawn = "".join(f"M{_pair(start, ' ')}L{_pair(end, ' ')}" for start, end in strokes)
    return f'<path class="grid" d="{drawn}"/>'


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
        marks.append(_text("label floor", (EDGE + 14, floor - 12), f"level {number + 1}"))
    return marks


def _marks(game: Game, view: _View, marks: Marks) -> list[str]:
    """What is pointed out, below the stones."""
    places = game.layout.places
    drawn = []
    won = reduce(or_, marks.won, 0)
    drawn += [f'<polygon class="mark-won" points="{view.cell(*places[point])}"/>' for point in members(won)]
    drawn += [f'<polygon class="mark-hint" points="{view.cell(*places[point])}"/>' for point in members(marks.hint)]
    if marks.last and marks.last.to is not None:
        drawn.append(_ellipse("mark-last", view.spot(*places[marks.last.to]), 0.45 * UNIT))
    return drawn


def _content(
    view: _View, position: Position, point: int, place: tuple[int, int, int], note: Note | None, name: str
) -> list[str]:
    """A stone or a note, lying on its floor."""
    level, row, column = place
    spot = view.spot(*place)
    if position.stones[0] >> point & 1:
        ends = [(-STONE, -STONE), (STONE, STONE), (-STONE, STONE), (STONE, -STONE)]
        a, b, c, d = (_pair(view.spot(level, row + down, column + right), " ") for down, right in ends)
        return [_stone(name, 0, [f'<path class="x" d="M{a}L{b}M{c}L{d}"/>'])]
    if position.stones[1] >> point & 1:
        return [_stone(name, 1, [_ellipse("o", spot, STONE * UNIT)])]
    if note is None:
        return []
    if note.radius:
        return [_ellipse(f"{note.colour} dot", spot, note.radius)]
    halo = [_ellipse(f"{note.colour} halo", spot, 0.42 * UNIT)] if note.colour != "unknown" else []
    return [
        _ellipse("paper", spot, 0.42 * UNIT),
        *halo,
        _text(f"{note.colour} note", spot, note.text),
    ]


def _pair(spot: tuple[float, float], between: str = ",") -> str:
    return f"{spot[0]:.1f}{between}{spot[1]:.1f}"


def _ellipse(kind: str, spot: tuple[float, float], half: float) -> str:
    return f'<ellipse class="{kind}" cx="{spot[0]:.1f}" cy="{spot[1]:.1f}" rx="{half:.1f}" ry="{half * SLANT:.1f}"/>'


def _text(kind: str, spot: tuple[float, float], text: str) -> str:
    return f'<text class="{kind}" x="{spot[0]:.1f}" y="{spot[1] + 4:.1f}">{escape(text)}</text>'
