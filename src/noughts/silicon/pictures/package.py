"""The package of a chip, as data sheets draw it: a body, its legs with their numbers, and the names of the pins.

Legs are counted from the notch, down the left side and up the right. Where no package is known, the chip is a box with
its inputs on the left and its outputs on the right, a leg for every bundle of pins and the number of its bits across
it. Direction is told twice, by colour and by a mark at the leg, so that neither is needed to see the other:

    name ▶┤ 1 ┃   an input points at the body          ┃ 64 ├■ name   a supply has a square
    name ◀┤ 2 ┃   an output away from it               ┃ 63 ├         not connected: pale
"""

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from noughts.games.picture import Picture
from noughts.silicon.pinout import IN, NOWHERE, OUT, POWER, PinRow, pin_rows

if TYPE_CHECKING:
    from noughts.silicon.design import Design

__all__ = ["PACKAGE_STYLE", "draw_package", "package_file"]

ROW = 21
LETTER = 7.1
"""The width of a letter of the names, rounded up."""
LEG = 20
"""How far a leg sticks out."""
MARK = 16
"""Between a leg and its name, where the mark stands."""
TOP = 10
"""From the top of the paper to the body."""
BODY = 150

PACKAGE_STYLE = """<style>
.package-body { fill: currentColor; fill-opacity: 0.06; stroke: currentColor; stroke-opacity: 0.6; stroke-width: 1.4; }
.package-leg { fill: currentColor; fill-opacity: 0.35; }
.package-number { font-size: 11px; opacity: 0.75; } .package-name { font-size: 12.5px; }
.package-mark { fill: currentColor; } .package-slash { stroke: currentColor; stroke-width: 1.2; }
.package-right { text-anchor: start; } .package-left { text-anchor: end; }
.package-in .package-name, .package-in .package-mark { fill: var(--x); }
.package-out .package-name, .package-out .package-mark { fill: var(--o); }
.package-power .package-name, .package-power .package-mark { fill: var(--draw); }
.package-none .package-number { opacity: 0.45; } .package-none .package-leg { opacity: 0.4; }
.package-ours .package-name { font-style: italic; }
.package-legend { font-size: 11.5px; text-anchor: start; }
</style>"""

_WORDS = {IN: "input", OUT: "output", POWER: "power supply", NOWHERE: "not connected"}


class _Side(NamedTuple):
    """The edge of the body at which legs stand, and which way they stick out."""

    edge: float
    out: int
    rows: list[PinRow]


def package_file(design: "Design", widths: Mapping[str, int]) -> str:
    """The picture as a file of its own, which brings its style with it."""
    picture = draw_package(design, widths)
    return picture._replace(body=f"{PACKAGE_STYLE}\n{picture.body}").svg()


def draw_package(design: "Design", widths: Mapping[str, int]) -> Picture:
    """The picture, without its style, of a design whose pins have so many bits."""
    name, rows = design.name, pin_rows(design, widths, bundled=True)
    left, right = _sides(rows)
    room = [LETTER * max((len(_text(row)) for row in side), default=0) + MARK + LEG + 14 for side in (left, right)]
    body = max(BODY, LETTER * len(name) + 90)
    height = ROW * max(len(left), len(right)) + 8
    sides = (_Side(room[0], -1, left), _Side(room[0] + body, 1, right))
    marks = [_body(name, room[0], body, height, notch=rows[0].number is not None)]
    for side in sides:
        marks += [_leg(row, side, TOP + 4 + ROW * (place + 0.5)) for place, row in enumerate(side.rows)]
    entries = _legend(rows)
    legend = [_entry(kind, words, 8, TOP + height + 26 + 19 * place) for place, (kind, words) in enumerate(entries)]
    width = max(room[0] + body + room[1], 20 + 6.6 * max(len(words) for _, words in entries))
    return Picture("\n".join([*marks, *legend]), width, TOP + height + 26 + 19 * len(legend))


def _sides(rows: list[PinRow]) -> tuple[list[PinRow], list[PinRow]]:
    """The legs from top to bottom, left and right."""
    if rows[0].number is None:
        return [row for row in rows if row.direction == IN], [row for row in rows if row.direction != IN]
    half = len(rows) // 2
    return rows[:half], rows[half:][::-1]


def _text(row: PinRow) -> str:
    """The name as it is printed."""
    return f"{row.name}*" if row.ours else row.name


def _body(name: str, left: float, width: float, height: float, *, notch: bool) -> str:
    middle = left + width / 2
    top = f"H{middle - 12:g}a12 12 0 0 0 24 0H{left + width - 5:g}" if notch else f"H{left + width - 5:g}"
    path = f"M{left + 5:g} {TOP}{top}a5 5 0 0 1 5 5v{height - 10:g}a5 5 0 0 1 -5 5H{left + 5:g}a5 5 0 0 1 -5 -5"
    path += f"v{10 - height:g}a5 5 0 0 1 5 -5z"
    return (
        f'<path class="package-body" d="{path}"/>\n'
        f'<text class="title" x="{middle:g}" y="{TOP + height / 2 + 5:g}">{escape(name)}</text>'
    )


def _leg(row: PinRow, side: _Side, y: float) -> str:
    tip = side.edge + side.out * LEG
    outside, inside = ("package-right", "package-left") if side.out > 0 else ("package-left", "package-right")
    about = f"{row.name}: {row.about}" if row.name else row.about
    kind = f"package-{row.direction}{' package-ours' if row.ours else ''}"
    leg = "" if row.number is None else f' data-leg="{row.number}"'
    number = f"{row.bits}" if row.number is None and row.bits > 1 else f"{row.number or ''}"
    x = tip + side.out * MARK
    marks = [
        f'<g class="{kind}" data-name="{escape(row.name)}"{leg}>',
        f"<title>{escape(f'{about} ({row.reading})' if row.reading else about)}</title>",
        f'<rect class="package-leg" x="{min(side.edge, tip):g}" y="{y - 4:g}" width="{LEG}" height="8" rx="1.5"/>',
        f'<text class="package-number {inside}" x="{side.edge - 7 * side.out:g}" y="{y + 4:g}">{number}</text>',
        _mark(row.direction, tip + side.out * MARK / 2, y, side.out),
        f'<text class="package-name {outside}" x="{x:g}" y="{y + 4.5:g}">{escape(_text(row))}</text>',
    ]
    if row.bits > 1:
        marks.append(f'<path class="package-slash" d="M{side.edge + side.out * LEG / 2 - 4:g} {y + 7:g}l8 -14"/>')
    return "\n".join([*(mark for mark in marks if mark), "</g>"])


def _mark(direction: str, x: float, y: float, out: int) -> str:
    """An arrow to the body or away from it, or a square; nothing at a leg to which nothing leads."""
    if direction == POWER:
        return f'<rect class="package-mark" x="{x - 3.5:g}" y="{y - 3.5:g}" width="7" height="7"/>'
    if direction == NOWHERE:
        return ""
    ahead = 4 * (out if direction == OUT else -out)
    return f'<path class="package-mark" d="M{x + ahead:g} {y:g}L{x - ahead:g} {y - 4:g}v8z"/>'


def _legend(rows: list[PinRow]) -> list[tuple[str, str]]:
    """What the marks mean, as far as they occur."""
    entries = [(way, words) for way, words in _WORDS.items() if any(row.direction == way for row in rows)]
    if any(row.number is None and row.bits > 1 for row in rows):
        entries.append(("", "∕ a bundle of so many pins"))
    if any(row.ours for row in rows):
        entries.append(("", "* one of two readings of the source"))
    return entries


def _entry(kind: str, words: str, x: float, y: float) -> str:
    """A line of the legend, as if the mark were at a leg on the left."""
    if not kind:
        return f'<text class="package-legend" x="{x:g}" y="{y:g}">{escape(words)}</text>'
    mark = _mark(kind, x + 4, y - 4, -1) or f'<rect class="package-leg" x="{x:g}" y="{y - 8:g}" width="9" height="8"/>'
    text = f'<text class="package-legend" x="{x + 16:g}" y="{y:g}">{words}</text>'
    return f'<g class="package-{kind}">{mark}{text}</g>'
