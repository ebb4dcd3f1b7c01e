"""The language of the diagrams: boxes that stand somewhere, and arrows between their sides.

A box is a block of a chip, a state of a controller, or a pin. An arrow leaves one side of a box and enters one side of
another, at the middle of the side or so far from it (`"top-30"`); on its way it turns by right angles only. It turns
where it must; where it may choose, `bends` says at which x or y, turn by turn.

         "right" ──────────╮ a bend at this x
      ┌───────┐            │
      │  box  │            ▼ "top"
      └───────┘        ┌───────┐

The label stands beside a stretch of the arrow: the longest, or the one that `stretch` counts; in its middle, or at
another fraction `along` it. What is lit is drawn in colour: a box or an arrow by its name.
"""

import ast
import re
from collections.abc import Collection, Mapping
from functools import cache
from html import escape
from itertools import pairwise
from typing import NamedTuple

from noughts.games.picture import Picture

__all__ = [
    "STYLE",
    "Arrow",
    "Box",
    "Diagram",
    "Drawings",
    "Machine",
    "Names",
    "Values",
    "draw",
    "holds",
    "label_lines",
    "pin_box",
    "pretty",
    "signals_of",
    "standalone",
]

# Conditions on signals, as they stand at the arrows of a diagram: `(wins | full) & ~ground`, `phase == judge`.
#
# A name is true while the signal is not 0; `==` and `!=` compare a signal with a number, or with the name of a value.
# So what a picture says can be asked of a running chip, and checked.

Values = Mapping[str, int]
"""Signals by name."""
Names = Mapping[str, Mapping[int, str]]
"""For signals whose values have names: value to name."""


def holds(condition: str, values: Values, names: Names) -> bool:
    """Whether a condition is true of these values."""
    return _true(_tree(condition), values, names)


def pretty(condition: str) -> str:
    """A condition as it is printed."""
    return condition.replace("~", "¬").replace("==", "=").replace("!=", "≠")


def signals_of(condition: str) -> set[str]:
    """The signals that a condition speaks of."""
    tree = _tree(condition)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return names - {
        side.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        for side in node.comparators
        if isinstance(side, ast.Name)
    }


@cache
def _tree(condition: str) -> ast.expr:
    return ast.parse(condition, mode="eval").body


def _true(node: ast.expr, values: Values, names: Names) -> bool:
    match node:
        case ast.Name(id=name):
            return values[name] != 0
        case ast.UnaryOp(op=ast.Invert(), operand=inner):
            return not _true(inner, values, names)
        case ast.BinOp(left=left, op=ast.BitAnd(), right=right):
            return _true(left, values, names) and _true(right, values, names)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _true(left, values, names) or _true(right, values, names)
        case ast.Compare(left=ast.Name(id=name), ops=[operation], comparators=[side]):
            held = names[name][values[name]] if isinstance(side, ast.Name) else values[name]
            wanted = side.id if isinstance(side, ast.Name) else ast.literal_eval(side)
            return (held == wanted) == isinstance(operation, ast.Eq)
    raise ValueError(f"{ast.unparse(node)!r} is no condition: expected names, &, |, ~, == and !=")


Point = tuple[float, float]

LINE = 13.5
"""From one line of a label to the next."""
HEAD = 7
CORNER = 7
"""The radius of a turn."""

STYLE = """<style>
.chip-box rect { stroke: currentColor; stroke-opacity: 0.6; fill: currentColor; fill-opacity: 0.04; stroke-width: 1.2; }
.chip-frame rect { stroke: currentColor; stroke-opacity: 0.35; stroke-dasharray: 5 4; fill: none; }
.chip-pin rect { stroke: none; fill: currentColor; fill-opacity: 0.09; }
.chip-title { font-size: 13.5px; font-weight: 600; } .chip-pin .chip-title { font-size: 11.5px; font-weight: 400; }
.chip-frame .chip-title { text-anchor: start; font-weight: 400; opacity: 0.8; }
.chip-note { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 10.5px; }
.chip-way { stroke: currentColor; stroke-opacity: 0.6; stroke-width: 1.3; fill: none; }
.chip-head { fill: currentColor; fill-opacity: 0.75; }
.chip-label { font-size: 11.5px; } .chip-start { text-anchor: start; } .chip-end { text-anchor: end; }
.chip-lit.chip-box rect { stroke: var(--x); stroke-opacity: 1; stroke-width: 2.2; fill: var(--x); fill-opacity: 0.2; }
.chip-lit.chip-state rect { stroke: var(--o); fill: var(--o); }
.chip-lit .chip-way { stroke: var(--x); stroke-opacity: 1; stroke-width: 2.2; }
.chip-lit .chip-head { fill: var(--x); fill-opacity: 1; } .chip-lit .chip-label { fill: var(--x); }
</style>"""


class Box(NamedTuple):
    """A block, state, pin or frame around others, by where its middle is."""

    name: str
    x: float
    y: float
    width: float = 124
    height: float = 42
    kind: str = "block"
    """block, state, pin or frame."""
    title: str = ""
    """What is printed, if it is not the name; a new line where there is one here."""
    about: str = ""
    """What it is or does, for whoever points at it."""
    path: str = ""
    """Where in the component it is, as `core.board`; for blocks."""
    works: str = ""
    """The condition under which it is doing something; for blocks."""
    shows: tuple[str, ...] = ()
    """Signals whose values are worth showing inside it."""

    def port(self, where: str) -> Point:
        """A point on a side: `left`, `top+12`."""
        side, shift = _side(where)
        if side in ("left", "right"):
            return self.x + (self.width / 2 if side == "right" else -self.width / 2), self.y + shift
        return self.x + shift, self.y + (self.height / 2 if side == "bottom" else -self.height / 2)


def pin_box(name: str, x: float, y: float, title: str = "") -> Box:
    """A pin, as wide as what is printed on it; or several, with a title."""
    return Box(name, x, y, 14 + 7 * len(title or name), 20, "pin", title=title)


class Arrow(NamedTuple):
    """From a side of a box to a side of a box."""

    source: str
    target: str
    leave: str
    enter: str
    bends: tuple[float, ...] = ()
    signals: tuple[str, ...] = ()
    """What runs over it, for wires between blocks."""
    when: str = ""
    """The condition under which a transition is taken, or under which a wire says something."""
    label: str | None = None
    """What is printed, if it is neither the signals nor the condition."""
    beside: str = ""
    """above, below, left or right; where it is not said, above a level stretch and to the right of an upright one."""
    stretch: int | None = None
    along: float = 0.5
    about: str = ""

    @property
    def name(self) -> str:
        """What it is called."""
        return f"{self.source}→{self.target}"

    @property
    def text(self) -> str:
        """What is printed beside it; a new line where there is one here."""
        if self.label is not None:
            return self.label
        return ", ".join(self.signals) or pretty(self.when)


class Diagram(NamedTuple):
    """Boxes and arrows on paper of a given size."""

    title: str
    width: float
    height: float
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]

    def box(self, name: str) -> Box:
        """The box of this name."""
        return next(box for box in self.boxes if box.name == name)

    def way(self, arrow: Arrow) -> list[Point]:
        """The corners of an arrow, ends included."""
        end = self.box(arrow.target).port(arrow.enter)
        points = [self.box(arrow.source).port(arrow.leave)]
        level = _side(arrow.leave)[0] in ("left", "right")
        for bend in arrow.bends:
            points.append((bend, points[-1][1]) if level else (points[-1][0], bend))
            level = not level
        points.append((end[0], points[-1][1]) if level else (points[-1][0], end[1]))
        points.append(end)
        return [point for number, point in enumerate(points) if number == 0 or point != points[number - 1]]


def draw(diagram: Diagram, lit: Collection[str] = (), notes: Mapping[str, str] | None = None) -> Picture:
    """The picture, without its style; what is lit, by name, and notes to print inside boxes."""
    marks = [_box(box, box.name in lit, "") for box in diagram.boxes if box.kind == "frame"]
    marks += [_arrow(diagram, arrow, arrow.name in lit) for arrow in diagram.arrows]
    marks += [
        _box(box, box.name in lit, (notes or {}).get(box.name, "")) for box in diagram.boxes if box.kind != "frame"
    ]
    return Picture("\n".join(marks), diagram.width, diagram.height)


def standalone(picture: Picture) -> str:
    """A picture as a file of its own, which brings its style with it."""
    return picture._replace(body=f"{STYLE}\n{picture.body}").svg()


def label_lines(diagram: Diagram, arrow: Arrow) -> list[tuple[str, float, float, str]]:
    """The lines of an arrow's label: text, place, and where in the text the place is."""
    if not arrow.text:
        return []
    way = diagram.way(arrow)
    stretches = list(pairwise(way))
    longest = max(range(len(stretches)), key=lambda number: _length(*stretches[number]))
    (x1, y1), (x2, y2) = stretches[longest if arrow.stretch is None else arrow.stretch]
    x, y = x1 + (x2 - x1) * arrow.along, y1 + (y2 - y1) * arrow.along
    lines = arrow.text.split("\n")
    beside = arrow.beside or ("above" if y1 == y2 else "right")
    if beside in ("above", "below"):
        first = y - 6 - LINE * (len(lines) - 1) if beside == "above" else y + 14
        anchor = "middle"
    else:
        first = y + 4 - LINE * (len(lines) - 1) / 2
        x, anchor = (x + 7, "start") if beside == "right" else (x - 7, "end")
    return [(line, x, first + LINE * number, anchor) for number, line in enumerate(lines)]


def _side(where: str) -> tuple[str, float]:
    found = re.fullmatch(r"(left|right|top|bottom)([+-]\d+)?", where)
    assert found is not None, f"{where!r} is no place on a box: expected left, right, top or bottom, as in 'top-30'"
    return found[1], float(found[2] or 0)


def _length(one: Point, other: Point) -> float:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def _box(box: Box, lit: bool, note: str) -> str:
    round_by = {"state": box.height / 2, "pin": box.height / 2, "frame": 12}.get(box.kind, 5)
    left, top = box.x - box.width / 2, box.y - box.height / 2
    titles = (box.title or box.name).split("\n")
    notes = note.split("\n") if note else []
    x, first = box.x, box.y + 4.5 - LINE / 2 * (len(titles) + len(notes) - 1)
    if box.kind == "frame":
        x, first = left + 12, top + 20
    kind = {"frame": "chip-frame", "pin": "chip-pin"}.get(box.kind, f"chip-box chip-{box.kind}")
    about = f"<title>{escape(box.about)}</title>" if box.about else ""
    marks = [
        f'<g class="{kind}{" chip-lit" if lit else ""}" data-name="{escape(box.name)}">{about}',
        f'<rect x="{left:g}" y="{top:g}" width="{box.width:g}" height="{box.height:g}" rx="{round_by:g}"/>',
    ]
    lines = [("chip-title", text) for text in titles] + [("chip-note", text) for text in notes]
    for number, (style, text) in enumerate(lines):
        marks.append(f'<text class="{style}" x="{x:g}" y="{first + LINE * number:g}">{escape(text)}</text>')
    return "\n".join([*marks, "</g>"])


def _arrow(diagram: Diagram, arrow: Arrow, lit: bool) -> str:
    way = diagram.way(arrow)
    about = arrow.about or (f"{', '.join(arrow.signals)}" if arrow.signals else pretty(arrow.when))
    title = f"{arrow.source} → {arrow.target}" + (f": {about}" if about else "")
    marks = [
        f'<g class="chip-arrow{" chip-lit" if lit else ""}" data-name="{escape(arrow.name)}">',
        f"<title>{escape(title)}</title>",
        f'<path class="chip-way" d="{_rounded(way)}"/>',
        f'<polygon class="chip-head" points="{_head(way[-2], way[-1])}"/>',
    ]
    for line, x, y, anchor in label_lines(diagram, arrow):
        marks.append(f'<text class="chip-label chip-{anchor}" x="{x:g}" y="{y:g}">{escape(line)}</text>')
    return "\n".join([*marks, "</g>"])


def _rounded(way: list[Point]) -> str:
    """The way as a path, round at its turns, that ends where the head begins."""
    path = f"M{way[0][0]:g} {way[0][1]:g}"
    for before, here, after in zip(way, way[1:], way[2:], strict=False):
        radius = min(CORNER, _length(before, here) / 2, _length(here, after) / 2)
        (x1, y1), (x2, y2) = _towards(here, before, radius), _towards(here, after, radius)
        path += f"L{x1:g} {y1:g}Q{here[0]:g} {here[1]:g} {x2:g} {y2:g}"
    x, y = _towards(way[-1], way[-2], HEAD - 1)
    return f"{path}L{x:g} {y:g}"


def _head(before: Point, end: Point) -> str:
    x, y = _towards(end, before, HEAD)
    across = HEAD / 2
    if before[1] == end[1]:
        return f"{end[0]:g},{end[1]:g} {x:g},{y - across:g} {x:g},{y + across:g}"
    return f"{end[0]:g},{end[1]:g} {x - across:g},{y:g} {x + across:g},{y:g}"


def _towards(start: Point, goal: Point, distance: float) -> Point:
    length = _length(start, goal) or 1
    return (
        start[0] + (goal[0] - start[0]) * distance / length,
        start[1] + (goal[1] - start[1]) * distance / length,
    )


# A controller as a diagram: its states, and the transitions with their conditions.


class Machine(NamedTuple):
    """A diagram of states, and where to read which of them a chip is in."""

    name: str
    diagram: Diagram
    signals: tuple[str, ...]
    """The registers that hold a state: one, or one for each of several controllers that are alike."""
    about: str


class Drawings(NamedTuple):
    """What there is to see of a design."""

    blocks: Diagram
    machines: tuple[Machine, ...]
    acts_first: bool = False
    """Whether blocks work in the first half of a cycle, before the clock rises, as where inputs alone decide."""
