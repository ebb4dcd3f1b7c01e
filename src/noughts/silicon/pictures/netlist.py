"""A netlist as a picture: from the board on the left through the gates to the board on the right, lit where it is 1.

A gate stands in the column of its depth, the number of gates on the longest way to it. In a column the gates are sorted
by the mean height of what they read and of what reads them, back and forth a few times (the *barycentre* method for
layered graphs), which keeps most wires short. Gates have their usual symbols, with a small circle where a signal is
inverted: flat back and round front for AND, hollow back and pointed front for OR, a second line behind that for XOR.
"""

from collections.abc import Mapping, Sequence
from html import escape

from noughts.games.picture import Picture
from noughts.silicon.logic.counts import depths
from noughts.silicon.logic.netlist import Gate, Netlist, signals
from noughts.silicon.pictures.drawing import STYLE as DIAGRAM_STYLE

__all__ = ["NETLIST_STYLE", "circuit_file", "draw_circuit"]

NETLIST_STYLE = """<style>
.wire { stroke: currentColor; stroke-opacity: 0.22; stroke-width: 1; fill: none; }
.wire.high { stroke: var(--hot, #c2410c); stroke-opacity: 0.95; stroke-width: 1.8; }
.gate { stroke: currentColor; stroke-opacity: 0.75; stroke-width: 1.2; fill: var(--raised, Canvas); }
.gate.high { stroke: var(--hot, #c2410c); stroke-opacity: 1; fill: var(--warm, #ffd9a0); stroke-width: 1.6; }
.logic-pin { font-size: 10.5px; } .logic-pin.in { text-anchor: end; } .logic-pin.out { text-anchor: start; }
.logic-pin.high { fill: var(--hot, #c2410c); font-weight: 700; }
.logic-head { font-size: 12px; font-weight: 600; }
@media (prefers-color-scheme: dark) { .circuit { --hot: #ffb454; --warm: #6b4410; } }
</style>"""

GATE, TALL = 24.0, 18.0
"""The width and the height of a gate."""
COLUMN, CLOSE, ROW = 74.0, 52.0, 25.0
"""From one column to the next, where there are few and where there are many, and from one gate to the next."""
MANY = 14
"""Columns from which on they stand closer."""
PINS = 138.0
"""The width of the boards and the names of the inputs, before the first wire."""
SQUARE = 14.0
"""Of a small board, on which the inputs or the outputs are where they belong."""
TOP = 26.0
_SWEEPS = 6


def draw_circuit(netlist: Netlist, inputs: Sequence[int] | None = None) -> Picture:
    """A netlist, lit for one assignment of its inputs.

    Args:
        netlist: The gates.
        inputs: The levels of the inputs; nothing is lit without.
    """
    levels = signals(netlist, inputs, 1) if inputs is not None else [0] * (len(netlist.inputs) + len(netlist.gates))
    spots, ends, height = _places(netlist)
    wires: list[tuple[int, str]] = []
    marks: list[str] = []

    def wire(signal: int, x: float, y: float) -> None:
        start, top = spots[signal]
        start += GATE / 2 if signal >= len(netlist.inputs) else 0
        middle = (x - start) / 2
        way = f"M{start:g} {top:g}C{start + middle:g} {top:g} {x - middle:g} {y:g} {x:g} {y:g}"
        wires.append((levels[signal], f'<path class="wire{_high(levels[signal])}" d="{way}"/>'))

    for number, gate in enumerate(netlist.gates, len(netlist.inputs)):
        x, y = spots[number]
        wire(gate.a, x - GATE / 2, y - TALL / 4)
        wire(gate.b, x - GATE / 2, y + TALL / 4)
        marks.append(_gate(gate, x, y, levels[number], number - len(netlist.inputs) + 1))
    for number, name in enumerate(netlist.inputs):
        x, y = spots[number]
        marks.append(_pin(name.replace("_", " "), x - 5, y, "in", levels[number]))
    right = max(x for x, _ in ends) if ends else PINS
    for (x, y), output in zip(ends, netlist.outputs, strict=True):
        level = (levels[output.signal] if output.signal >= 0 else 0) ^ output.inverted
        if output.signal >= 0:
            wire(output.signal, x - 8, y)
        lit = level if inputs is not None else 0
        if output.inverted:
            marks.append(f'<circle class="gate{_high(lit)}" cx="{x - 5:g}" cy="{y:g}" r="3"/>')
        marks.append(_pin(output.name, x + 4, y, "out", lit))
    marks += _boards(netlist.inputs, [y for _, y in spots], levels, 6)
    raised = [
        ((levels[output.signal] if output.signal >= 0 else 0) ^ output.inverted) if inputs is not None else 0
        for output in netlist.outputs
    ]
    marks += _boards([output.name for output in netlist.outputs], [y for _, y in ends], raised, right + 30)
    # What is lit lies above what is not.
    body = "\n".join([*(mark for _, mark in sorted(wires, key=lambda one: one[0])), *marks])
    return Picture(f'<g class="circuit">{body}</g>', right + 36 + 3 * SQUARE, height)


def circuit_file(netlist: Netlist, inputs: Sequence[int] | None = None) -> str:
    """The picture as a file of its own.

    Args:
        netlist: The gates.
        inputs: The levels of the inputs; nothing is lit without.
    """
    picture = draw_circuit(netlist, inputs)
    return picture._replace(body=f"{DIAGRAM_STYLE}\n{NETLIST_STYLE}\n{picture.body}").svg()


def _high(level: int) -> str:
    return " high" if level else ""


def _places(netlist: Netlist) -> tuple[list[tuple[float, float]], list[tuple[float, float]], float]:
    """Where every signal is, where every output is, and how tall that is."""
    depth = depths(netlist)
    inputs = len(netlist.inputs)
    last = max(depth, default=0)
    columns: list[list[int]] = [[] for _ in range(last + 1)]
    for signal, level in enumerate(depth):
        columns[level].append(signal)
    # An input that is no gate has its fixed place; a signal is pulled by what it reads and by what reads it.
    beside: dict[int, list[int]] = {signal: [] for signal in range(len(depth))}
    for number, gate in enumerate(netlist.gates, inputs):
        for signal in (gate.a, gate.b):
            beside[number].append(signal)
            beside[signal].append(number)
    tallest = max(len(column) for column in columns)
    tallest = max(tallest, len(netlist.outputs))
    height = TOP + ROW * tallest
    y: dict[int, float] = {}

    def spread(column: Sequence[int]) -> None:
        step = min(ROW * 1.6, (height - TOP) / max(len(column), 1))
        first = TOP + (height - TOP - step * (len(column) - 1)) / 2 - ROW / 2 + TALL / 2
        y.update({signal: first + step * at for at, signal in enumerate(column)})

    for column in columns:
        spread(column)
    for sweep in range(_SWEEPS):
        for column in columns[1:] if sweep % 2 == 0 else reversed(columns[1:]):
            column.sort(key=lambda signal: (_mean(y, beside[signal]), signal))
            spread(column)
    column_width = COLUMN if last < MANY else CLOSE
    spots = [(PINS + column_width * depth[signal], y[signal]) for signal in range(len(depth))]
    outputs = range(len(netlist.outputs))
    order = sorted(outputs, key=lambda at: y.get(netlist.outputs[at].signal, height))
    step = min(ROW * 2, (height - TOP) / max(len(order), 1))
    first = TOP + (height - TOP - step * (len(order) - 1)) / 2 - ROW / 2 + TALL / 2
    heights: Mapping[int, float] = {at: first + step * place for place, at in enumerate(order)}
    ends = [(PINS + column_width * (last + 1), heights[at]) for at in outputs]
    return spots, ends, height


def _mean(y: Mapping[int, float], others: Sequence[int]) -> float:
    return sum(y[other] for other in others) / len(others) if others else 0.0


def _boards(names: Sequence[str], heights: Sequence[float], levels: Sequence[int], x: float) -> list[str]:
    """A small board for the pins whose names begin alike and end with a point, beside them."""
    groups: dict[str, list[int]] = {}
    for at, name in enumerate(names):
        groups.setdefault(name.rpartition("_")[0], []).append(at)
    marks = []
    for group in groups.values():
        points = [names[at].rpartition("_")[2] for at in group]
        if not all(len(point) == 2 and point[0] in "abc" and point[1] in "123" for point in points):
            continue
        top = sum(heights[at] for at in group) / len(group) - 1.5 * SQUARE
        for at, point in zip(group, points, strict=True):
            left, down = x + SQUARE * "abc".index(point[0]), top + SQUARE * "123".index(point[1])
            size = f'width="{SQUARE:g}" height="{SQUARE:g}"'
            marks.append(f'<rect class="gate{_high(levels[at])}" x="{left:g}" y="{down:g}" {size}/>')
    return marks


def _pin(name: str, x: float, y: float, way: str, level: int) -> str:
    return f'<text class="logic-pin {way}{_high(level)}" x="{x:g}" y="{y + 3.5:g}">{escape(name)}</text>'


def _gate(gate: Gate, x: float, y: float, level: int, number: int) -> str:
    """The symbol of a gate, with circles where it inverts."""
    ones = gate.table.bit_count()
    left, right, top, bottom = x - GATE / 2, x + GATE / 2, y - TALL / 2, y + TALL / 2
    kind, circles = "gate", []
    if ones == 1 or gate.table == 0b0111:
        inside = gate.table if ones == 1 else 0b1000
        name, kind = ("NAND" if ones == 3 else "AND"), "and"
        alone = inside.bit_length() - 1
        circles = [at for at in (0, 1) if not alone >> at & 1]
        if gate.table == 0b0001:
            name, circles, kind = "NOR", [2], "or"
        elif ones == 3:
            circles = [2]
    elif ones == 3:
        alone = (gate.table ^ 15).bit_length() - 1
        name, kind, circles = "OR", "or", [at for at in (0, 1) if alone >> at & 1]
    elif gate.table in (0b0110, 0b1001):
        name, kind, circles = ("XOR", "xor", []) if gate.table == 0b0110 else ("XNOR", "xor", [2])
    else:
        name = "of one input or none"
    shapes = {
        "and": f"M{left:g} {top:g}H{x:g}A{TALL / 2:g} {TALL / 2:g} 0 0 1 {x:g} {bottom:g}H{left:g}Z",
        "gate": f"M{left:g} {top:g}H{right:g}V{bottom:g}H{left:g}Z",
    }
    shapes["or"] = shapes["xor"] = (
        f"M{left:g} {top:g}Q{right - 8:g} {top:g} {right:g} {y:g}Q{right - 8:g} {bottom:g} {left:g} {bottom:g}"
        f"Q{left + 6:g} {y:g} {left:g} {top:g}Z"
    )
    high = _high(level)
    marks = [f'<g><title>g{number}: {name}</title><path class="gate{high}" d="{shapes[kind]}"/>']
    if kind == "xor":
        back = f"M{left - 4:g} {top:g}Q{left + 2:g} {y:g} {left - 4:g} {bottom:g}"
        marks.append(f'<path class="gate{high}" fill-opacity="0" d="{back}"/>')
    where = ((left - 2.5, y - TALL / 4), (left - 2.5, y + TALL / 4), (right + 0.5, y))
    marks += [f'<circle class="gate{high}" cx="{where[at][0]:g}" cy="{where[at][1]:g}" r="2.6"/>' for at in circles]
    return "".join([*marks, "</g>"])
