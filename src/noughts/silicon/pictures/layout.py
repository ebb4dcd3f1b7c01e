"""Layouts from above, all at one scale: cells as boxes coloured by what they do, wires as thin lines, a bar of 100 µm.

Several stand below each other, so that their sizes can be compared. Every sort of cell and every layer of metal is one
path, in tenths of a pixel: a layout of a thousand cells is a file of a hundred kilobytes.
"""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from noughts.games.picture import Picture

if TYPE_CHECKING:
    from noughts.silicon.flow.layout.plan import Plan

__all__ = ["LAYOUT_STYLE", "SORTS", "draw_layouts", "layouts_file", "sort_of"]

SCALE = 1.5
"""Pixels a µm."""
EDGE = 14
BAR_UM = 100

SORTS = {
    "flip": "flip-flops",
    "choose": "exclusive or, multiplexers",
    "gate": "other gates",
    "buffer": "inverters and buffers",
    "fill": "nothing: fill",
}
"""The sorts of cells, in words."""

LAYOUT_STYLE = """<style>
.layout-die { fill: currentColor; fill-opacity: 0.03; stroke: currentColor; stroke-opacity: 0.6; }
.layout-cell { stroke: currentColor; stroke-opacity: 0.35; stroke-width: 0.4; fill-opacity: 0.55; }
.layout-flip { fill: var(--x); } .layout-choose { fill: var(--o); } .layout-buffer { fill: var(--draw); }
.layout-gate { fill: currentColor; fill-opacity: 0.22; } .layout-fill { fill: none; stroke-opacity: 0.15; }
.layout-wire { fill: none; stroke: currentColor; stroke-width: 0.5; stroke-opacity: 0.55; }
.layout-pin { fill: currentColor; } .layout-bar { stroke: currentColor; stroke-width: 2; fill: none; }
.layout-text { font-size: 13px; text-anchor: start; } .layout-title { font-weight: bold; }
</style>"""


def sort_of(kind: str) -> str:
    """The sort of a kind of cell."""
    if kind.startswith("DFF"):
        return "flip"
    if kind.startswith(("XOR", "XNOR", "MUX")):
        return "choose"
    if kind.startswith(("INV", "BUF", "CLKBUF")):
        return "buffer"
    return "fill" if kind == "FILL" else "gate"


def layouts_file(layouts: "Sequence[tuple[str, Plan]]") -> str:
    """The picture as a file of its own, which brings its style with it."""
    picture = draw_layouts(layouts)
    return picture._replace(body=f"{LAYOUT_STYLE}\n{picture.body}").svg()


def draw_layouts(layouts: "Sequence[tuple[str, Plan]]") -> Picture:
    """Layouts below each other, each under its title, and a legend; without the style."""
    marks: list[str] = []
    y = 4.0
    for title, plan in layouts:
        marks.append(f'<text class="layout-text layout-title" x="{EDGE}" y="{y + 14:g}">{escape(title)}</text>')
        marks.append(f'<g transform="translate({EDGE} {y + 24:g})">\n{_layout(plan)}\n</g>')
        y += 24 + plan.height * SCALE + EDGE + 8
    bar = BAR_UM * SCALE
    marks.append(f'<path class="layout-bar" d="M{EDGE} {y:g}v8m0-4h{bar:g}m0-4v8"/>')
    marks.append(f'<text class="layout-text" x="{EDGE + bar + 8:g}" y="{y + 9:g}">{BAR_UM} µm, for all</text>')
    there = {sort_of(cell.kind) for _, plan in layouts for cell in plan.cells}
    for sort, words in SORTS.items():
        if sort in there:
            y += 20
            marks.append(f'<rect class="layout-cell layout-{sort}" x="{EDGE}" y="{y:g}" width="18" height="12"/>')
            marks.append(f'<text class="layout-text" x="{EDGE + 26}" y="{y + 11:g}">{words}</text>')
    width = max((plan.width * SCALE for _, plan in layouts), default=0) + 2 * EDGE
    return Picture("\n".join(marks), round(max(width, 330)), round(y + 24))


def _layout(plan: "Plan") -> str:
    """One layout, whose upper left corner is at 0, 0: in DEF y goes up, on paper down."""
    marks = [f'<path class="layout-die" d="M0 0h{plan.width * SCALE:g}v{plan.height * SCALE:g}H0z"/>']
    paths: dict[str, list[str]] = {sort: [] for sort in SORTS}
    for cell in plan.cells:
        x, y = _at(plan, cell.x, cell.y + cell.height)
        width, height = _short(cell.width * SCALE), _short(cell.height * SCALE)
        paths[sort_of(cell.kind)].append(f"M{x} {y}h{width}v{height}h-{width}z")
    for sort, steps in paths.items():
        if steps:
            marks.append(f'<path class="layout-cell layout-{sort}" d="{"".join(steps)}"/>')
    lines: list[str] = []
    for wire in plan.wires:
        x, y = _at(plan, wire.x1, wire.y1)
        across, up = wire.x2 - wire.x1, wire.y2 - wire.y1
        lines.append(f"M{x} {y}" + (f"h{_short(across * SCALE)}" if across else f"v{_short(-up * SCALE)}"))
    marks.append(f'<path class="layout-wire" d="{"".join(lines)}"/>')
    pins = [_at(plan, pin.x, pin.y) for pin in plan.pins]
    marks.append(f'<path class="layout-pin" d="{"".join(f"M{x} {y}m-2-2h4v4h-4z" for x, y in pins)}"/>')
    return "\n".join(marks)


def _at(plan: "Plan", x: float, y: float) -> tuple[str, str]:
    return _short(x * SCALE), _short((plan.height - y) * SCALE)


def _short(number: float) -> str:
    return f"{round(number, 1):g}"
