"""What a layout looks like from above: the die, the outline of every cell, and the wires, read from its DEF file.

All is in µm, from the lower left corner of the die. DEF writes a wire as points, in which `*` stands for the same as in
the point before; a name behind a point is a contact to the next layer.
"""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from noughts.games import NoughtsError

__all__ = ["Box", "Metal", "Plan", "Wire", "metals", "read_plan", "sizes"]


class Box(NamedTuple):
    """A cell's outline, or a pin at the edge of the die."""

    name: str
    kind: str
    x: float
    y: float
    width: float
    height: float


class Wire(NamedTuple):
    """A straight stretch of metal between two points."""

    net: str
    layer: str
    x1: float
    y1: float
    x2: float
    y2: float

    @property
    def length(self) -> float:
        """How long it is, between the points."""
        return abs(self.x2 - self.x1) + abs(self.y2 - self.y1)


class Metal(NamedTuple):
    """A layer of metal: the width of its wires, and what the library says of them."""

    width_um: float
    ohms_a_square: float
    pf_a_square_um: float


class Plan(NamedTuple):
    """A layout from above."""

    width: float
    height: float
    cells: tuple[Box, ...]
    pins: tuple[Box, ...]
    wires: tuple[Wire, ...]
    contacts: int

    def lengths(self) -> dict[str, float]:
        """The wire in every layer, in µm; the supply's stripes and rows are not counted."""
        found: dict[str, float] = {}
        for wire in self.wires:
            found[wire.layer] = found.get(wire.layer, 0.0) + wire.length
        return dict(sorted(found.items()))


_PLACE = r"[^;]*?\+ (?:PLACED|FIXED) \( (\S+) (\S+) \)"
_COMPONENT = rf"^\s*- (\S+) ([^+\s]\S*){_PLACE}"
_PIN = rf"^\s*- (\S+) \+ NET (?![^;]*\+ SPECIAL){_PLACE}"
"""A pin of the chip, those of the supply left out."""
_POINT_OR_CONTACT = r"\( (\S+) (\S+)(?: \S+)? \)|(\S+)"
_PATCH = r"RECT \( [^)]*\)|\bTAPER\b"
"""Metal that only makes a wire large enough where it ends, and a word on its width."""


def read_plan(definition: str, outlines: dict[str, tuple[float, float]]) -> Plan:
    """Read a placed and routed design in DEF; the width and height of every kind of cell are the library's.

    Raises:
        NoughtsError: If it has no die.
    """
    unit = float(re.search(r"^UNITS DISTANCE MICRONS (\d+)", definition, re.MULTILINE)[1])  # type: ignore[index]
    die = re.search(r"^DIEAREA \( (\S+) (\S+) \) \( (\S+) (\S+) \)", definition, re.MULTILINE)
    if die is None:
        raise NoughtsError("the DEF file has no DIEAREA: expected a placed and routed design")
    left, low, right, high = (float(corner) / unit for corner in die.groups())
    cells = []
    for name, kind, x, y in re.findall(_COMPONENT, definition, re.MULTILINE):
        cells.append(Box(name, kind, float(x) / unit - left, float(y) / unit - low, *outlines[kind]))
    pins = []
    for name, x, y in re.findall(_PIN, definition, re.MULTILINE):
        pins.append(Box(name, "pin", float(x) / unit - left, float(y) / unit - low, 0, 0))
    wires: list[Wire] = []
    contacts = 0
    section = definition.partition("\nNETS ")[2].partition("\nEND NETS")[0]
    for text in re.split(r"\n\s*- ", section)[1:]:
        net = text.split()[0]
        for layer, way in re.findall(r"(?:ROUTED|NEW) (\S+) ([^\n;]*)", text):
            x = y = 0.0
            before = False
            for word in re.findall(_POINT_OR_CONTACT, re.sub(_PATCH, "", way)):
                if word[2]:
                    contacts += 1
                    continue
                there = (
                    x if word[0] == "*" else float(word[0]) / unit - left,
                    y if word[1] == "*" else float(word[1]) / unit - low,
                )
                if before and there != (x, y):
                    wires.append(Wire(net, layer, x, y, *there))
                x, y = there
                before = True
    return Plan(right - left, high - low, tuple(cells), tuple(pins), tuple(wires), contacts)


@cache
def sizes(lef: Path) -> dict[str, tuple[float, float]]:
    """The width and height of every kind of cell, in µm."""
    found = {}
    for macro in re.split(r"^MACRO ", lef.read_text(), flags=re.MULTILINE)[1:]:
        size = re.search(r"SIZE\s+(\S+)\s+BY\s+(\S+)", macro)
        if size:
            found[macro.split()[0]] = (float(size[1]), float(size[2]))
    return found


@cache
def metals(lef: Path) -> dict[str, Metal]:
    """The layers of metal that wires are drawn in."""
    found = {}
    for text in re.findall(r"^LAYER metal\d.*?^END", lef.read_text(), flags=re.MULTILINE | re.DOTALL):
        told = [re.search(rf"{word}\s+(\S+)", text) for word in ("WIDTH", "RPERSQ", "CPERSQDIST")]
        values = [float(match[1]) for match in told if match]
        found[text.split()[1]] = Metal(*values)
    return found
