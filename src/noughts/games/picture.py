"""A board as a picture: one SVG, legible on light and on dark pages, with no font but the reader's own.

Boards on which stones slide are drawn as lines and points, all others as squares; the levels of a cube stand
next to each other. On squares X and O are drawn as they are written. On lines they are stones: discs of dark slate with
a cross cut into them, and of pale ivory with a ring, so that they are told apart by shade and by mark, whatever colours
the reader sees, and no line of the board runs through them. A note on an empty point is a short text in one of three
colours, as for a move's worth, or a grey dot, the larger the better a move looks: so what is known and what is guessed
differ without colours, too.
"""

from collections.abc import Callable, Mapping
from html import escape
from typing import NamedTuple

from noughts.games.game import Game
from noughts.games.layout import Layout
from noughts.games.points import members, point_set
from noughts.games.position import SIDES, Position

__all__ = [
    "Note",
    "Picture",
    "above",
    "beside",
    "draw_board",
    "draw_piece",
    "draw_stone",
    "on_paper",
    "scaled",
    "words",
]

UNIT = 44
MARGIN = 30
STONE = 14.5
"""Half the width of a stone on lines: two on neighbouring points leave a third of the way between them free."""
LIGHT = """color: #25221d; --win: #1f6136; --draw: #744f00; --loss: #9d2a22; --x: #264f78; --o: #96321f;
--slate: #363b3f; --slate-edge: #15181a; --slate-mark: #aab0b3;
--ivory: #fffdf6; --ivory-edge: #5f584b; --ivory-mark: #847a68;"""
DARK = """color: #ece6d9; --win: #84cf97; --draw: #e2ba66; --loss: #f4998c; --x: #9cc6ee; --o: #f3a891;
--slate: #15181a; --slate-edge: #a3a8a9; --slate-mark: #a3a8a9;
--ivory: #f1e9d8; --ivory-edge: #f1e9d8; --ivory-mark: #6d6556;"""
"""The colours on light and on dark paper."""
MARKS = """\
text { font-family: var(--type, system-ui), sans-serif; font-size: 13px; text-anchor: middle; fill: currentColor; }
.grid { stroke: currentColor; stroke-width: 1.2; opacity: 0.55; fill: none; }
.label { opacity: 0.7; font-size: 12px; } .title { font-size: 15px; font-weight: 600; }
.x { stroke: var(--x); stroke-width: 4.5; stroke-linecap: round; fill: none; }
.o { stroke: var(--o); stroke-width: 4.5; fill: none; } .halo { opacity: 0.16; }
.stone-x { fill: var(--slate); stroke: var(--slate-edge); stroke-width: 1.2; }
.stone-o { fill: var(--ivory); stroke: var(--ivory-edge); stroke-width: 1.2; }
.cut-x { stroke: var(--slate-mark); stroke-width: 1.6; stroke-linecap: round; fill: none; }
.cut-o { stroke: var(--ivory-mark); stroke-width: 1.6; fill: none; }
.paper { fill: Canvas; }
.win { fill: var(--win); } .draw { fill: var(--draw); } .loss { fill: var(--loss); }
.unknown { fill: currentColor; opacity: 0.4; } .note { font-weight: 600; opacity: 1; font-size: 12px; }"""
"""What the marks of a picture look like, in these colours."""
STYLE = f"""<style>
svg {{ color-scheme: light dark; }}
svg {{ {LIGHT} }}
@media (prefers-color-scheme: dark) {{
svg {{ {DARK} }} }}
{MARKS}
</style>"""


Spot = Callable[[int], tuple[float, float]]
"""Where on the paper a point lies."""


class Note(NamedTuple):
    """What to say at an empty point: a word or two, and `win`, `draw`, `loss` or `unknown` for the colour; or a dot."""

    text: str
    colour: str
    radius: float = 0
    """Of a dot instead of a text, on paper where a square has `UNIT`."""


class Picture(NamedTuple):
    """Marks on paper of a given size, not yet an SVG file."""

    body: str
    width: float
    height: float

    def svg(self) -> str:
        """The whole file."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {self.height:g}" '
            f'width="{self.width:g}" height="{self.height:g}">\n{STYLE}\n{self.body}\n</svg>\n'
        )


def draw_board(
    game: Game,
    position: Position,
    *,
    notes: Mapping[int, Note] | None = None,
    title: str = "",
    labels: bool = True,
    marked: int = 0,
) -> Picture:
    """A position, with a title above it and notes on some of its points.

    Args:
        game: Whose board is drawn.
        position: What stands on it.
        notes: What to say at some of the empty points, by their numbers.
        title: A line above the board.
        labels: Whether letters and numbers stand at its edges.
        marked: Points that stand out, as a set: those of the last move, or of the row that won.
    """
    layout = game.layout
    top = MARGIN + (24 if title else 0)
    wide = 1 + max(place.column for place in layout.places)
    gap = wide * UNIT + MARGIN

    def spot(point: int) -> tuple[float, float]:
        place = layout.places[point]
        return MARGIN + UNIT * (place.column + 0.5) + gap * place.level, top + UNIT * (place.row + 0.5)

    levels = len(layout.rows)
    tall = 1 + max(place.row for place in layout.places)
    width = levels * gap + MARGIN / 2
    marks = [f'<text class="title" x="{width / 2:g}" y="20">{escape(title)}</text>'] if title else []
    marks += _labels(layout, gap, top, wide, tall) if labels else []
    marks += (
        _edges(layout, position.occupied | point_set(notes or {}), spot) if layout.edges else _squares(layout, spot)
    )
    marks += [_mark(layout, *spot(point)) for point in members(marked)]
    for point in range(len(layout)):
        marks += _content(layout, position, point, *spot(point), (notes or {}).get(point))
    return Picture("\n".join(marks), width, top + tall * UNIT + (MARGIN if levels > 1 else MARGIN / 2))


def beside(*pictures: Picture) -> Picture:
    """Pictures next to each other, their middles in a line.

    Args:
        *pictures: From left to right.
    """
    height = max(picture.height for picture in pictures)
    marks, left = [], 0.0
    for picture in pictures:
        down = (height - picture.height) / 2
        marks.append(f'<g transform="translate({left:g} {down:g})">\n{picture.body}\n</g>')
        left += picture.width
    return Picture("\n".join(marks), left, height)


def above(*pictures: Picture) -> Picture:
    """Pictures under each other, their left edges in a line.

    Args:
        *pictures: From top to bottom.
    """
    marks, top = [], 0.0
    for picture in pictures:
        marks.append(f'<g transform="translate(0 {top:g})">\n{picture.body}\n</g>')
        top += picture.height
    return Picture("\n".join(marks), max(picture.width for picture in pictures), top)


def scaled(picture: Picture, factor: float) -> Picture:
    """The same picture, larger or smaller.

    Args:
        picture: What is drawn.
        factor: How many times as wide and as high.
    """
    body = f'<g transform="scale({factor:g})">\n{picture.body}\n</g>'
    return Picture(body, picture.width * factor, picture.height * factor)


def on_paper(picture: Picture) -> Picture:
    """The same picture on a ground of its own, for notebooks, whose colours need not be those of the system.

    Args:
        picture: What is drawn.
    """
    paper = f'<rect class="paper" width="{picture.width:g}" height="{picture.height:g}" rx="6"/>'
    return picture._replace(body=f"{paper}\n{picture.body}")


def words(text: str, width: float = 0, kind: str = "label") -> Picture:
    """A line of text in the middle of so much paper.

    Args:
        text: What is written.
        width: Of the paper; as much as the text needs if left out.
        kind: `label` or `title`, which decides the size.
    """
    wide = width or 8.0 * len(text) + 10
    body = f'<text class="{kind}" x="{wide / 2:g}" y="16">{escape(text)}</text>'
    return Picture(body, wide, 24)


def _labels(layout: Layout, gap: float, top: float, wide: int, tall: int) -> list[str]:
    """Letters above, numbers to the left, on every level."""
    marks = []
    # Numbers of two digits stand closer to the board, since pages show no more than 20 of the paper beside it.
    aside = 10.5 if tall > 9 else 13
    for level in range(len(layout.rows)):
        left = MARGIN + gap * level
        for column in range(wide):
            x = left + UNIT * (column + 0.5)
            marks.append(f'<text class="label" x="{x:g}" y="{top - 8:g}">{chr(ord("a") + column)}</text>')
        for row in range(tall):
            y = top + UNIT * (row + 0.5) + 4
            marks.append(f'<text class="label" x="{left - aside:g}" y="{y:g}">{row + 1}</text>')
        if len(layout.rows) > 1:
            x, y = left + UNIT * wide / 2, top + UNIT * tall + 18
            marks.append(f'<text class="label" x="{x:g}" y="{y:g}">level {level + 1}</text>')
    return marks


def _edges(layout: Layout, hidden: int, spot: Spot) -> list[str]:
    """The lines as one path, since a page can show many boards, and the points that nothing stands on."""
    drawn = ""
    for a, b in layout.edges:
        (x1, y1), (x2, y2) = spot(a), spot(b)
        drawn += f"M{x1:g} {y1:g}" + (f"H{x2:g}" if y1 == y2 else f"V{y2:g}" if x1 == x2 else f"L{x2:g} {y2:g}")
    points = [spot(point) for point in range(len(layout)) if not hidden >> point & 1]
    dots = [f'<circle cx="{x:g}" cy="{y:g}" r="3.5" fill="currentColor"/>' for x, y in points]
    return [f'<path class="grid" d="{drawn}"/>', *dots]


def _squares(layout: Layout, spot: Spot) -> list[str]:
    """The lines between squares, a path for every level: 19×19 as single squares would be ten times as long."""
    half = UNIT / 2
    paths = []
    for rows in layout.rows:
        (left, top), (right, bottom) = spot(rows[0][0]), spot(rows[-1][-1])
        left, top, right, bottom = left - half, top - half, right + half, bottom + half
        across = [f"M{left:g} {top + UNIT * row:g}H{right:g}" for row in range(len(rows) + 1)]
        down = [f"M{left + UNIT * column:g} {top:g}V{bottom:g}" for column in range(len(rows[0]) + 1)]
        paths.append(f'<path class="grid" d="{"".join(across + down)}"/>')
    return paths


def draw_stone(side: int, x: float, y: float, r: float = STONE) -> list[str]:
    """A stone on lines: X is of slate with a cross cut into it, O of ivory with a ring.

    Args:
        side: 0 for X, 1 for O.
        x: Its middle, from the left.
        y: Its middle, from the top.
        r: Half its width.

    Returns:
        Elements of SVG.
    """
    name = SIDES[side]
    disc = f'<circle class="stone-{name}" cx="{x:g}" cy="{y:g}" r="{r:g}"/>'
    cut = r * 0.36
    if side:
        return [disc, f'<circle class="cut-o" cx="{x:g}" cy="{y:g}" r="{r * 0.5:g}"/>']
    ends = f"M{x - cut:g} {y - cut:g}l{2 * cut:g} {2 * cut:g}M{x + cut:g} {y - cut:g}l{-2 * cut:g} {2 * cut:g}"
    return [disc, f'<path class="cut-x" d="{ends}"/>']


def draw_piece(layout: Layout, side: int, x: float, y: float) -> list[str]:
    """What stands for a side on this layout: a stone on lines; on squares X or O, as they are written.

    Args:
        layout: The board; its edges decide how a side is shown.
        side: 0 for X, 1 for O.
        x: Its middle, from the left.
        y: Its middle, from the top.

    Returns:
        Elements of SVG.
    """
    if layout.edges:
        return draw_stone(side, x, y)
    if side:
        return [f'<circle class="o" cx="{x:g}" cy="{y:g}" r="11"/>']
    r = 10
    return [f'<path class="x" d="M{x - r:g} {y - r:g}l{2 * r} {2 * r}m0 {-2 * r}l{-2 * r} {2 * r}"/>']


def _mark(layout: Layout, x: float, y: float) -> str:
    """What makes a point stand out, under whatever stands on it: a ring on lines, else a shaded square."""
    if layout.edges:
        ring = f'cx="{x:g}" cy="{y:g}" r="{STONE + 4:g}"'
        return f'<circle class="marked" {ring} fill="none" stroke="currentColor" stroke-width="2"/>'
    square = f'x="{x - UNIT / 2:g}" y="{y - UNIT / 2:g}" width="{UNIT}" height="{UNIT}"'
    return f'<rect class="marked" {square} fill="currentColor" opacity="0.13"/>'


def _content(layout: Layout, position: Position, point: int, x: float, y: float, note: Note | None) -> list[str]:
    """A stone or a note."""
    if position.occupied >> point & 1:
        return draw_piece(layout, position.stones[1] >> point & 1, x, y)
    if note is None:
        return []
    if note.radius:
        return [
            f'<circle class="paper" cx="{x:g}" cy="{y:g}" r="{note.radius + 2:g}"/>',
            f'<circle class="{note.colour} dot" cx="{x:g}" cy="{y:g}" r="{note.radius:g}"/>',
        ]
    halo = [f'<circle class="{note.colour} halo" cx="{x:g}" cy="{y:g}" r="16"/>'] if note.colour != "unknown" else []
    return [
        f'<circle class="paper" cx="{x:g}" cy="{y:g}" r="16"/>',
        *halo,
        f'<text class="{note.colour} note" x="{x:g}" y="{y + 4.5:g}">{escape(note.text)}</text>',
    ]
