"""A netlist of standard cells: what is placed, what is compared with the layout, and what it does.

A cell is an instance of a kind in the library, with a net at every pin; `vdd` and `gnd` are nets like others, and stand
where a pin is tied to 1 or 0. A pin of the chip is a net named after it and its bit, `led_17`, also where it has one
bit only: the placer's language has words of its own, and `pin`, which the chip of 1990 has, is one of them.

Three texts are made of it: BLIF for the placer, SPICE for the comparison of layout and schematic, Verilog for timing.
And SPICE is read, since that is what a layout is extracted as. `Simulation` runs a netlist by the functions that the
library gives, in many lanes at once: a bit of an integer is a lane.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["BUFFER", "Cell", "Cells", "Simulation", "cells_of", "functions", "pin_orders", "read_spice"]

FILL = "FILL"
"""The kind that fills gaps between cells: it has no pin but the supply."""
BUFFER = ("BUFX2", "A", "Y")
"""A buffer, its input and its output."""
_OUTPUTS = ("Y", "X", "Q")
"""What outputs are called, of a flip-flop and of nothing else the last."""
_RESETS, _SETS = ("R", "RESET_B"), ("S", "SET_B")
"""What acts on a flip-flop at once when it is low."""
_TIED = {"0": "gnd", "1": "vdd", "x": "gnd"}
_SUPPLY = {"vdd": "vdd", "gnd": "gnd"}


class Cell(NamedTuple):
    """An instance."""

    name: str
    kind: str
    pins: dict[str, str]
    """The net at every pin but the supply's."""

    @property
    def is_flip_flop(self) -> bool:
        """Whether it keeps a bit."""
        return "Q" in self.pins

    @property
    def output(self) -> str:
        """The pin that it drives."""
        return next(pin for pin in _OUTPUTS if pin in self.pins)


class Cells(NamedTuple):
    """A netlist."""

    top: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    cells: tuple[Cell, ...]
    registers: dict[str, str]
    """What the design calls the bit that a flip-flop keeps, by the flip-flop's name: `core.fsm.statereg[1]`."""

    def kinds(self) -> dict[str, int]:
        """How many there are of each kind."""
        return dict(sorted(Counter(cell.kind for cell in self.cells).items()))

    def kept(self) -> bytes:
        """The netlist as JSON, as it is kept beside a layout; its name is the file's."""
        return json.dumps({name: getattr(self, name) for name in ("inputs", "outputs", "cells", "registers")}).encode()

    def blif(self) -> str:
        """The netlist for the placer."""
        gates = (
            f".gate {cell.kind} {' '.join(f'{pin}={net}' for pin, net in cell.pins.items())}" for cell in self.cells
        )
        head = [f".model {self.top}", f".inputs {' '.join(self.inputs)}", f".outputs {' '.join(self.outputs)}"]
        return "\n".join([*head, *gates, ".end", ""])

    def spice(self, orders: Mapping[str, tuple[str, ...]]) -> str:
        """The netlist as the schematic of a comparison: cells are boxes with the pins in these orders."""
        lines = [f"* {self.top}: the netlist that was to be laid out; its cells are boxes"]
        for kind in self.kinds():
            lines += [f".subckt {kind} {' '.join(orders[kind])}", ".ends"]
        lines.append(f".subckt {self.top} {' '.join((*self.inputs, *self.outputs, *_SUPPLY))}")
        for cell in self.cells:
            nets = {**cell.pins, **_SUPPLY}
            lines.append(f"X{cell.name} {' '.join(nets[pin] for pin in orders[cell.kind])} {cell.kind}")
        return "\n".join([*lines, ".ends", ""])

    def verilog(self) -> str:
        """The netlist in Verilog, with pins of one bit."""
        level = {"vdd": "1'b1", "gnd": "1'b0"}
        ports = [f"input {net}" for net in self.inputs] + [f"output {net}" for net in self.outputs]
        nets = {net for cell in self.cells for net in cell.pins.values()} - {*self.inputs, *self.outputs, *level}
        lines = [f"module {self.top} ({', '.join((*self.inputs, *self.outputs))});"]
        lines += [f"  {port};" for port in ports] + [f"  wire {net};" for net in sorted(nets)]
        for cell in self.cells:
            pins = ", ".join(f".{pin}({level.get(net, net)})" for pin, net in cell.pins.items())
            lines.append(f"  {cell.kind} {cell.name} ({pins});")
        return "\n".join([*lines, "endmodule", ""])


def cells_of(module: Mapping[str, Any], top: str, buffer: tuple[str, str, str] = BUFFER) -> Cells:
    """The netlist in a module of Yosys's JSON that has cells of the library only.

    Two outputs that are one net, and outputs that are an input or a level, get a buffer each (its kind, its
    input and its output are told): in a layout a net has one name. Instances are numbered kind by kind, as the placer's
    tools will do.
    """
    bits = {
        (told["direction"], f"{port}_{index}"): bit
        for port, told in module["ports"].items()
        for index, bit in enumerate(told["bits"])
    }
    inputs = [net for way, net in bits if way == "input"]
    outputs = [net for way, net in bits if way == "output"]
    names: dict[object, str] = {bits["input", net]: net for net in inputs}
    found: list[tuple[str, dict[str, object]]] = []
    for net in outputs:
        bit = bits["output", net]
        if bit in names or isinstance(bit, str):
            names[net] = net
            found.append((buffer[0], {buffer[1]: bit, buffer[2]: net}))
        else:
            names[bit] = net
    found += [
        (cell["type"], {pin: at[0] for pin, at in cell["connections"].items() if at})
        for cell in module["cells"].values()
    ]
    kept: dict[object, str] = {}
    for name, wire in module["netnames"].items():
        for index, bit in enumerate(wire["bits"]):
            if not wire["hide_name"]:
                kept.setdefault(bit, f"{name}[{index}]" if len(wire["bits"]) > 1 else name)
    number: Counter[str] = Counter()
    cells: list[Cell] = []
    registers: dict[str, str] = {}
    for kind, pins in found:
        number[kind] += 1
        name = f"{kind}_{number[kind]}"
        nets = {
            pin: _TIED[bit] if isinstance(bit, str) and bit in _TIED else names.get(bit, f"n{bit}")
            for pin, bit in pins.items()
        }
        cells.append(Cell(name, kind, nets))
        if cells[-1].is_flip_flop:
            registers[name] = kept.get(pins["Q"], "")
    return Cells(top, tuple(inputs), tuple(outputs), tuple(cells), registers)


def read_spice(text: str, drawn: Cells) -> Cells:
    """The netlist that was extracted from a layout, which has the pins and the registers of the one that was drawn.

    Fill cells are left out. What is a pin of the chip, and what only a name inside, is as in the text.
    """
    orders: dict[str, list[str]] = {}
    cells: list[Cell] = []
    inside = ""
    for line in re.sub(r"\n\+", " ", text).splitlines():
        words = line.split()
        if words[:1] == [".subckt"]:
            inside = words[1]
            orders[inside] = words[2:]
        elif inside == drawn.top and line.startswith("X") and words[-1] != FILL:
            pins = dict(zip(orders[words[-1]], words[1:-1], strict=True))
            cells.append(Cell(words[0][1:], words[-1], {pin: net for pin, net in pins.items() if pin not in _SUPPLY}))
    return drawn._replace(cells=tuple(cells))


def pin_orders(lef: Path) -> dict[str, tuple[str, ...]]:
    """The pins of every kind, in the order of the library's LEF file."""
    orders: dict[str, tuple[str, ...]] = {}
    for macro in re.split(r"^MACRO ", lef.read_text(), flags=re.MULTILINE)[1:]:
        orders[macro.split()[0]] = tuple(re.findall(r"^\s*PIN (\S+)", macro, flags=re.MULTILINE))
    return orders


@cache
def functions(liberty: Path) -> dict[str, str]:
    """What the output of every kind without memory is, as an expression of Python in the names of its inputs."""
    found: dict[str, str] = {}
    for text in re.split(r"^cell \(", liberty.read_text(), flags=re.MULTILINE)[1:]:
        kind = text.partition(")")[0]
        told = re.search(r'function : "([^"]*)"', text)
        if told and "ff (" not in text and "latch (" not in text:
            # Two names side by side are both wanted; `+` is or, `!` is not.
            joined = re.sub(r"(?<=[\w)])\s+(?=[\w(!])", "&", re.sub(r"\s*([+^])\s*", r"\1", told[1]))
            found[kind] = joined.replace("+", "|").replace("!", "~")
    return found


class Simulation:
    """A netlist that runs. Every net is an integer, whose bits are lanes that know nothing of each other."""

    def __init__(self, netlist: Cells, liberty: Path, lanes: int = 1) -> None:
        """Every flip-flop begins with 0."""
        self.mask = (1 << lanes) - 1
        self.netlist = netlist
        self.flops = [cell for cell in netlist.cells if cell.is_flip_flop]
        drives = {cell.pins[cell.output]: cell for cell in netlist.cells if not cell.is_flip_flop}
        reads = {net: [other for pin, other in cell.pins.items() if pin != cell.output] for net, cell in drives.items()}
        known = functions(liberty)
        self.number = {net: index for index, net in enumerate(_nets(netlist))}
        at = {net: f"v[{index}]" for net, index in self.number.items()}
        # What is set or reset is so before anything else; where that hangs on a gate, once more behind all gates.
        at_once = [(cell.pins["Q"], _net(cell, _SETS), _net(cell, _RESETS)) for cell in self.flops]
        held = [(kept, *nets) for kept, *nets in at_once if nets != ["vdd", "vdd"]]
        first = [f"    {at[kept]} = ({at[kept]} | ~{at[one]}) & {at[zero]} & m" for kept, one, zero in held]
        gates = []
        for net in TopologicalSorter(reads).static_order():
            if net in drives:
                here = {pin: at[other] for pin, other in drives[net].pins.items()}
                words = "".join(here.get(part, part) for part in re.split(r"(\w+)", known[drives[net].kind]))
                gates.append(f"    {at[net]} = ({words}) & m")
        again = [*first, *gates] if any(net in drives for _, *nets in held for net in nets) else []
        kept, taken = ("".join(f"{at[cell.pins[pin]]}, " for cell in self.flops) for pin in "QD")
        text = ["def settle(v, m):", *first, *gates, *again, "    return v", "def clock(v):"]
        made: dict[str, Any] = {}
        # The text is ours, of numbers and of the library's operators.
        exec("\n".join([*text, f"    ({kept}) = ({taken})" if kept else "    pass"]), made)
        self._settle, self._clock = made["settle"], made["clock"]
        self.values = [0] * len(self.number)
        self.values[self.number["vdd"]] = self.mask

    def get(self, net: str) -> int:
        """The level of a net in every lane."""
        return self.values[self.number[net]]

    def set(self, net: str, value: int) -> None:
        """Put levels on an input, or into what a flip-flop drives."""
        self.values[self.number[net]] = value & self.mask

    def settle(self) -> None:
        """Let everything follow from the inputs and the flip-flops, those that are set or reset among them."""
        self._settle(self.values, self.mask)

    def clock(self) -> None:
        """A rising edge: every flip-flop takes what it is given."""
        self._clock(self.values)
        self.settle()


def _net(cell: Cell, names: Iterable[str]) -> str:
    """The net at whichever of these pins the cell has; 1 if it has none."""
    return next((cell.pins[name] for name in names if name in cell.pins), "vdd")


def _nets(netlist: Cells) -> Iterable[str]:
    nets = dict.fromkeys(("vdd", "gnd", *netlist.inputs, *netlist.outputs))
    return nets | dict.fromkeys(net for cell in netlist.cells for net in cell.pins.values())
