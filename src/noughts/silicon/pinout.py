"""What is at every pin of a chip: its number in the package, its name, its direction, and what it is.

The circuit knows bundles of pins, as `led` with its 18 bits, and the design's story says what each bundle means. A
source may say more: which leg of the package a bit comes out at. Then a design has a `Pinout`, leg by leg, and where
the source contradicts itself a leg says how we read it. All of it together is the table of pins: a row a leg; where no
package is known, a row a pin of each bundle whose pins have words of their own, else a row a bundle.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from noughts.silicon.design import Design

__all__ = ["IN", "NOWHERE", "OUT", "POWER", "Leg", "PinRow", "Pinout", "pin_rows", "tally"]

IN, OUT, POWER, NOWHERE = "in", "out", "power", "none"
"""Directions."""
_SUPPLIES = {"Vdd": "supply", "Vss": "ground"}


class Leg(NamedTuple):
    """A leg of a package; with neither a pin nor a supply it is not connected."""

    number: int
    pin: str = ""
    """The pin of the circuit."""
    bit: int | None = None
    """Which bit, where the pin is a bundle."""
    supply: str = ""
    """For power: which of the two, and of what, as `Vdd core`."""
    reading: str = ""
    """How we came to read it so, where the source does not simply print it."""
    ours: bool = False
    """Whether the source leaves more than one reading open, and this one is our choice."""


class Pinout(NamedTuple):
    """The legs of a package, by number from 1."""

    about: str
    """What kind of package it is."""
    legs: tuple[Leg, ...]


class PinRow(NamedTuple):
    """A line of the table of pins."""

    number: int | None
    """In the package, where one is known."""
    name: str
    direction: str
    bits: int
    about: str
    reading: str = ""
    ours: bool = False
    site: str = ""
    """Where on the FPGA of a board it is, where that is known."""


def pin_rows(design: "Design", widths: Mapping[str, int], *, bundled: bool = False) -> list[PinRow]:
    """The table of pins of a design, whose pins have so many bits: by leg, or inputs before outputs.

    With `bundled`, bundles stay whole where there are no legs.

    Args:
        design: The chip.
        widths: The bits of every pin, by its name.
        bundled: Whether bundles stay whole where there are no legs.
    """
    if design.pinout is not None:
        return [_leg_row(design, leg) for leg in design.pinout.legs]
    return [
        row
        for name in _directions(design)
        for row in _bundle(design, name, widths[name], whole=bundled or name not in design.bits)
    ]


def tally(rows: list[PinRow]) -> dict[str, int]:
    """How many pins there are of each direction.

    Args:
        rows: The table of pins.
    """
    return {way: sum(row.bits for row in rows if row.direction == way) for way in (IN, OUT, POWER, NOWHERE)}


def _directions(design: "Design") -> dict[str, str]:
    """Every pin of the circuit, and which way it goes: a story begins with the input pins and the output pins."""
    inputs, outputs = design.story.groups[:2]
    return dict.fromkeys(inputs.signals, IN) | dict.fromkeys(outputs.signals, OUT)


def _leg_row(design: "Design", leg: Leg) -> PinRow:
    if leg.supply:
        kind, _, what = leg.supply.partition(" ")
        return PinRow(leg.number, leg.supply, POWER, 1, f"{_SUPPLIES[kind]} of the {what}", leg.reading, leg.ours)
    if not leg.pin:
        return PinRow(leg.number, "", NOWHERE, 1, "not connected", leg.reading, leg.ours)
    name = leg.pin if leg.bit is None else f"{leg.pin}{leg.bit}"
    about = _meaning(design, leg.pin, leg.bit)
    return PinRow(leg.number, name, _directions(design)[leg.pin], 1, about, leg.reading, leg.ours)


def _bundle(design: "Design", name: str, width: int, *, whole: bool) -> Iterator[PinRow]:
    way = _directions(design)[name]
    sites = design.sites.get(name, ("",) * width)
    if whole:
        yield PinRow(None, name, way, width, _meaning(design, name, None), site=sites[0] if width == 1 else "")
        return
    for bit in range(width):
        yield PinRow(None, f"{name}{bit}", way, 1, _meaning(design, name, bit), site=sites[bit])


def _meaning(design: "Design", name: str, bit: int | None) -> str:
    """What a pin is: in words of its own, or in those of the story for its bundle."""
    if bit is not None and name in design.bits:
        return design.bits[name][bit]
    about = next(group.signals[name] for group in design.story.groups if name in group.signals)
    return about if bit is None else f"{about}; bit {bit}"
