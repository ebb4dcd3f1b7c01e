"""The front of a chip: the places of its board with their keys and lamps, and the lamps that say how the game stands.

What a place shows is read off the pins alone, as a person would: a lamp is on or off, a key is down or not, and the
two lamps of a place together mean a stone or none. A lamp whose pin is undefined may be either, and shows a u.

Places are where the layout of the game has them; the levels of a cube stand two by two.
"""

from collections.abc import Mapping
from html import escape
from typing import NamedTuple

from noughts.games.layout import Layout, grid
from noughts.games.picture import Picture
from noughts.silicon.trace import UNDEFINED

__all__ = ["PANEL_STYLE", "Panel", "Place", "draw_panel", "either", "in_words"]

_NINE = grid(3, 3, 3)
_UNIT = 72
"""The side of a place; on boards of more than four columns in all it is smaller."""
_SMALL_UNIT = 50
_EDGE = 4
_GAP = 16
"""Between the levels of a cube."""

PANEL_STYLE = """<style>
.panel-place { fill: currentColor; fill-opacity: 0.04; stroke: currentColor; stroke-opacity: 0.5; stroke-width: 1.2; }
.panel-down .panel-place { stroke: var(--draw); stroke-opacity: 1; stroke-width: 4; }
.panel-lamp { fill: currentColor; fill-opacity: 0.12; stroke: currentColor; stroke-opacity: 0.5; }
.panel-lamp.panel-on { fill: var(--loss); fill-opacity: 1; stroke: var(--loss); stroke-opacity: 1; }
.panel-lamp.panel-on.panel-green { fill: var(--win); stroke: var(--win); }
.panel-u { font-size: 9px; text-anchor: middle; pointer-events: none; }
.panel-name { font-size: 10.5px; text-anchor: start; opacity: 0.75; }
.panel-text { font-size: 12px; text-anchor: start; }
</style>"""


class Place(NamedTuple):
    """One point of the board."""

    stone: str
    """x, o or nothing."""
    lamps: tuple[bool | None, bool | None]
    """On, off, or undefined."""
    down: bool
    """Whether its key is down, its switch up, or somebody names it."""


class Panel(NamedTuple):
    """All that can be seen and touched, place by place in the order of the layout."""

    places: tuple[Place, ...]
    lamps: Mapping[str, bool | None]
    """On, off, or undefined."""


def either(one: Panel, other: Panel) -> Panel:
    """What is to be seen if nobody knows which of the two it is."""

    def lamp(first: bool | None, second: bool | None) -> bool | None:
        return first if first == second else None

    def place(first: Place, second: Place) -> Place:
        left, right = (lamp(*both) for both in zip(first.lamps, second.lamps, strict=True))
        return Place(first.stone if first.stone == second.stone else "", (left, right), first.down and second.down)

    places = tuple(place(*both) for both in zip(one.places, other.places, strict=True))
    return Panel(places, {name: lamp(on, other.lamps[name]) for name, on in one.lamps.items()})


def in_words(panel: Panel, layout: Layout = _NINE) -> str:
    """What the panel shows, for those who do not see it."""
    parts, names = [], layout.points
    for stone in ("x", "o"):
        there = [names[number] for number, place in enumerate(panel.places) if place.stone == stone]
        parts.append(f"{stone.upper()} on {', '.join(there)}" if there else f"no {stone.upper()}")
    down = [names[number] for number, place in enumerate(panel.places) if place.down]
    parts += [f"pressed: {', '.join(down)}"] if down else []
    lit = [name for name, on in panel.lamps.items() if on]
    parts.append(f"lit: {', '.join(lit)}" if lit else "none of the lamps below is lit")
    undefined = [names[number] for number, place in enumerate(panel.places) if None in place.lamps]
    undefined += [name for name, on in panel.lamps.items() if on is None]
    return "; ".join([*parts, f"undefined: {', '.join(undefined)}"] if undefined else parts)


def draw_panel(panel: Panel, layout: Layout = _NINE) -> Picture:
    """The picture, without its style."""
    columns, rows, levels = (1 + max(place[part] for place in layout.places) for part in (2, 1, 0))
    across = min(levels, 2)
    unit = _UNIT if columns * across <= 4 else _SMALL_UNIT
    wide, high = columns * unit + _GAP, rows * unit + _GAP
    marks = []
    for number, place in enumerate(panel.places):
        level, row, column = layout.places[number]
        left, top = _EDGE + wide * (level % across) + unit * column, _EDGE + high * (level // across) + unit * row
        marks.append(_place(layout.points[number], place, left, top, unit))
    width, below = across * wide - _GAP, -(-levels // across) * high - _GAP + _EDGE
    for number, (name, on) in enumerate(panel.lamps.items()):
        x, y = _EDGE + 10 + number % 2 * 112, below + 20 + number // 2 * 24
        marks += [f'<g data-name="{escape(name)}">', *_lamp(x, y, 6.5, on, " panel-green")]
        marks.append(f'<text class="panel-text" x="{x + 13}" y="{y + 4}">{escape(name)}</text></g>')
    lines = -(-len(panel.lamps) // 2)
    return Picture("\n".join(marks), width + 2 * _EDGE, below + 24 * lines + 12)


def _place(name: str, place: Place, left: int, top: int, unit: int) -> str:
    scale = unit / _UNIT
    x, y, r = left + unit / 2, top + unit / 2 - 3 * scale, round(13 * scale)
    marks = [
        f'<g class="{"panel-down" if place.down else "panel-up"}" data-name="{name}">',
        f'<rect class="panel-place" x="{left + 2}" y="{top + 2}" width="{unit - 4}" height="{unit - 4}" rx="5"/>',
        f'<text class="panel-name" x="{left + 8 * scale:g}" y="{top + max(15 * scale, 12):g}">{name}</text>',
    ]
    if place.stone == "x":
        marks.append(f'<path class="x" d="M{x - r:g} {y - r:g}l{2 * r} {2 * r}M{x + r:g} {y - r:g}l{-2 * r} {2 * r}"/>')
    elif place.stone == "o":
        marks.append(f'<circle class="o" cx="{x:g}" cy="{y:g}" r="{r}"/>')
    for shift, on in zip((-9, 9), place.lamps, strict=True):
        marks += _lamp(x + shift * scale, top + unit - 12 * scale, 4.5 * scale, on)
    return "\n".join([*marks, "</g>"])


def _lamp(x: float, y: float, r: float, on: bool | None, colour: str = "") -> list[str]:
    kind = f"panel-lamp{colour} panel-on" if on else "panel-lamp"
    lamp = f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="{r:g}"/>'
    return [lamp] if on is not None else [lamp, f'<text class="panel-u" x="{x:g}" y="{y + 3:g}">{UNDEFINED}</text>']
