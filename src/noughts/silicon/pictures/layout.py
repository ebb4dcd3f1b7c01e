"""Layouts from above, all at one scale: cells as boxes coloured by what they do, wires as thin lines, a bar for length.

Several stand below each other, so that their sizes can be compared. Every sort of cell and all wires are one path, in
steps of what cells and wires are placed by: a layout of a thousand cells is some 50 KB. There are two scales, for the
cells of 0.35 µm and, larger, for those of 0.13 µm.
"""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from noughts.games.picture import Picture

if TYPE_CHECKING:
    from noughts.silicon.flow.layout.plan import Plan

__all__ = ["COARSE", "FINE", "LAYOUT_STYLE", "SORTS", "Scale", "draw_layouts", "layouts_file", "sort_of"]


class Scale(NamedTuple):
    """How large a layout is drawn, and how finely."""

    pixels: float
    """A µm."""
    unit_um: float
    """The grid of cells and wires; what is off it is drawn on it."""
    pin_um: float
    bar_um: int


COARSE = Scale(1.5, 0.4, 2.8, 100)
"""For cells of 0.35 µm."""
FINE = Scale(4, 0.115, 1.2, 20)
"""For cells of 0.13 µm, which are multiples of 0.46 µm wide."""
EDGE = 14

SORTS = {
    "flip": "flip-flops",
    "choose": "exclusive or, multiplexers",
    "gate": "other gates",
    "buffer": "inverters and buffers",
    "fill": "nothing: fill",
}
"""The sorts of cells, in words."""

LAYOUT_STYLE = """<style>
.layout-die { fill: currentColor; fill-opacity: 0.03; stroke: currentColor; stroke-opacity: 0.6; stroke-width: 1.7; }
.layout-cell { stroke: currentColor; stroke-opacity: 0.35; stroke-width: 0.7; fill-opacity: 0.55; }
.layout-flip { fill: var(--x); } .layout-choose { fill: var(--o); } .layout-buffer { fill: var(--draw); }
.layout-gate { fill: currentColor; fill-opacity: 0.22; } .layout-fill { fill: none; stroke-opacity: 0.15; }
.layout-wire { fill: none; stroke: currentColor; stroke-width: 0.8; stroke-opacity: 0.55; }
.layout-pin { fill: currentColor; } .layout-bar { stroke: currentColor; stroke-width: 2; fill: none; }
.layout-text { font-size: 13px; text-anchor: start; } .layout-title { font-weight: bold; }
</style>"""


def sort_of(kind: str) -> str:
    """The sort of a kind of cell."""
    name = kind.rpartition("__")[2].upper()
    if name.startswith("DF"):
        return "flip"
    if name.startswith(("XOR", "XNOR", "MUX")):
        return "choose"
    if name.startswith(("INV", "BUF", "CLKBUF")):
        return "buffer"
    return "fill" if name.startswith(("FILL", "DECAP", "TAP")) else "gate"


def layouts_file(layouts: "Sequence[tuple[str, Plan]]", scale: Scale = COARSE) -> str:
    """The picture as a file of its own, which brings its style with it."""
    picture = draw_layouts(layouts, scale)
    return picture._replace(body=f"{LAYOUT_STYLE}\n{picture.body}").svg()


def draw_layouts(layouts: "Sequence[tuple[str, Plan]]", scale: Scale = COARSE) -> Picture:
    """Layouts below each other, each under its title, and a legend; without the style."""
    marks: list[str] = []
    y = 4.0
    for title, plan in layouts:
        marks.append(f'<text class="layout-text layout-title" x="{EDGE}" y="{y + 14:g}">{escape(title)}</text>')
        marks.append(f'<g transform="translate({EDGE} {y + 24:g})">\n{_layout(plan, scale)}\n</g>')
        y += 24 + plan.height * scale.pixels + EDGE + 8
    bar = scale.bar_um * scale.pixels
    marks.append(f'<path class="layout-bar" d="M{EDGE} {y:g}v8m0-4h{bar:g}m0-4v8"/>')
    marks.append(f'<text class="layout-text" x="{EDGE + bar + 8:g}" y="{y + 9:g}">{scale.bar_um} µm, for all</text>')
    there = {sort_of(cell.kind) for _, plan in layouts for cell in plan.cells}
    for sort, words in SORTS.items():
        if sort in there:
            y += 20
            marks.append(f'<rect class="layout-cell layout-{sort}" x="{EDGE}" y="{y:g}" width="18" height="12"/>')
            marks.append(f'<text class="layout-text" x="{EDGE + 26}" y="{y + 11:g}">{words}</text>')
    width = max((plan.width * scale.pixels for _, plan in layouts), default=0) + 2 * EDGE
    return Picture("\n".join(marks), round(max(width, 330)), round(y + 24))


def _layout(plan: "Plan", scale: Scale) -> str:
    """One layout, whose upper left corner is at 0, 0: in DEF y goes up, on paper down.

    A step is relative to the end of the one before, which is seldom far, since cells come row by row and wires net by
    net: so most numbers are short.
    """
    width, height = (round(side / scale.unit_um) for side in (plan.width, plan.height))
    marks = [f'<g transform="scale({scale.pixels * scale.unit_um:g})">']
    marks.append(f'<path class="layout-die" d="M0 0h{width}v{height}H0z"/>')
    pens = {sort: _Pen(plan, scale) for sort in SORTS}
    for cell in plan.cells:
        pens[sort_of(cell.kind)].box(cell.x, cell.y, cell.width, cell.height)
    marks += [pen.path(f"layout-cell layout-{sort}") for sort, pen in pens.items() if pen.steps]
    wires, pins = _Pen(plan, scale), _Pen(plan, scale)
    for wire in plan.wires:
        wires.line(wire.x1, wire.y1, wire.x2, wire.y2)
    for pin in plan.pins:
        pins.box(pin.x - scale.pin_um / 2, pin.y - scale.pin_um / 2, scale.pin_um, scale.pin_um)
    return "\n".join([*marks, wires.path("layout-wire"), pins.path("layout-pin"), "</g>"])


class _Pen:
    """What draws a path, and knows where it is."""

    def __init__(self, plan: "Plan", scale: Scale) -> None:
        """It begins at the upper left corner."""
        self.unit = scale.unit_um
        self.height = plan.height
        self.x = self.y = 0
        self.steps: list[str] = []

    def path(self, kind: str) -> str:
        return f'<path class="{kind}" d="{"".join(self.steps) or "m0 0"}"/>'

    def at(self, x: float, y: float) -> tuple[int, int]:
        return round(x / self.unit), round((self.height - y) / self.unit)

    def move(self, x: int, y: int) -> None:
        if (x, y) != (self.x, self.y) or not self.steps:
            across, down = x - self.x, y - self.y
            self.steps.append(f"m{across}{'' if down < 0 else ' '}{down}")
            self.x, self.y = x, y

    def line(self, x1: float, y1: float, x2: float, y2: float) -> None:
        """A straight line, from whichever end is where the pen is."""
        one, other = self.at(x1, y1), self.at(x2, y2)
        if one == other:
            return
        if other == (self.x, self.y):
            one, other = other, one
        self.move(*one)
        self.steps.append(f"h{other[0] - one[0]}" if one[1] == other[1] else f"v{other[1] - one[1]}")
        self.x, self.y = other

    def box(self, x: float, y: float, width: float, height: float) -> None:
        (left, low), (right, high) = self.at(x, y), self.at(x + width, y + height)
        self.move(left, high)
        self.steps.append(f"h{right - left}v{low - high}h{left - right}z")  # which leads back to where it began
