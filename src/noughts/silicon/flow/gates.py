"""Gates: what a design is made of, counted, and the netlist of them in Verilog.

The netlist is one file that any Verilog simulator takes: the chip as instances of gates of two inputs, inverters and
flip-flops, and behind it the models of these. It knows nothing of the design's source, so a game played on it is a
test of the synthesis.

The depth is the number of gates of two inputs, inverters not counted, on the longest way from a register or a pin to
a register or a pin; the way is told by what has a name on it. A memory is counted as flip-flops among the gates, and as
block RAM where an FPGA has some.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from itertools import groupby
from typing import Any, NamedTuple

from noughts.silicon.circuit import Circuit
from noughts.silicon.flow.synthesis import GATES, for_family, for_gates, top_module
from noughts.silicon.verilog import ONE_FILE

__all__ = ["Gates", "depth", "gates", "longest_way", "netlist"]

_OPERATION = {
    "AND": "A & B",
    "NAND": "~(A & B)",
    "OR": "A | B",
    "NOR": "~(A | B)",
    "XOR": "A ^ B",
    "XNOR": "~(A ^ B)",
    "ANDNOT": "A & ~B",
    "ORNOT": "A | ~B",
    "NOT": "~A",
}
_RESET = {"DFF": "", "DFFR": "1'b0", "DFFS": "1'b1"}
_NAMES = {"DFF_P": "DFF", "DFF_PP0": "DFFR", "DFF_PP1": "DFFS"}


class Gates(NamedTuple):
    """What a design is made of. LUTs are those of four inputs, without the multiplexers that join some of them."""

    design: str
    cells: dict[str, int]
    flip_flops: int
    two_input_gates: int
    depth: int
    longest_way: tuple[str, ...]
    """The registers, pins and wires with a name on one of the longest ways, from its beginning to its end."""
    ice40_luts: int
    ice40_block_rams: int
    ecp5_luts: int
    ecp5_block_rams: int
    ecp5_lut_rams: int
    """Memories of 16 words of four bits that ECP5 makes of LUTs, which `ecp5_luts` does not count."""


@cache
def gates(circuit: Circuit) -> Gates:
    """Synthesise a design three times, and count."""
    module = top_module(for_gates(circuit), circuit.identifier)
    cells = Counter(_name(cell) for cell in module["cells"].values())
    ice40 = _kinds("ice40", circuit)
    ecp5 = _kinds("ecp5", circuit)
    return Gates(
        design=circuit.name,
        cells=dict(sorted(cells.items())),
        flip_flops=sum(cells[name] for name in _RESET),
        two_input_gates=sum(cells[name] for name in GATES),
        depth=depth(module),
        longest_way=longest_way(module),
        ice40_luts=ice40["SB_LUT4"],
        ice40_block_rams=ice40["SB_RAM40_4K"],
        ecp5_luts=ecp5["LUT4"],
        ecp5_block_rams=ecp5["DP16KD"],
        ecp5_lut_rams=ecp5["TRELLIS_DPR16X4"],
    )


def _kinds(family: str, circuit: Circuit) -> Counter[str]:
    module = top_module(for_family(family, circuit.rtlil(), circuit.identifier), circuit.identifier)
    return Counter(cell["type"] for cell in module["cells"].values())


def _name(cell: dict[str, Any]) -> str:
    """The name of a cell here: `$_AND_` is AND."""
    name = str(cell["type"]).removeprefix("$_").removesuffix("_")
    return _NAMES.get(name, name)


def depth(module: dict[str, Any]) -> int:
    """The gates of two inputs on the longest way through a module of Yosys's JSON."""
    return max((level for level, _ in _levels(module).values()), default=0)


def longest_way(module: dict[str, Any]) -> tuple[str, ...]:
    """What has a name on the longest way, as `core.value.r`, and at its end the register or pin that it leads to."""
    levels = _levels(module)
    if not levels:
        return ()
    names: dict[object, str] = {}
    for name, wire in module.get("netnames", {}).items():
        if not wire["hide_name"]:
            # A number behind a dollar only tells two things of one name apart.
            names |= {bit: re.sub(r"\$\d+", "", name) for bit in wire["bits"] if bit not in names}
    into = {
        cell["connections"]["D"][0]: names[cell["connections"]["Q"][0]]
        for cell in module["cells"].values()
        if "D" in cell["connections"] and cell["connections"]["Q"][0] in names
    }
    bit: object = max(levels, key=lambda one: levels[one][0])
    way = [into[bit]] if bit in into else []
    while bit is not None:
        way += [names[bit]] if bit in names else []
        bit = levels[bit][1]
    return tuple(name for name, _ in groupby(reversed(way)))


def _levels(module: dict[str, Any]) -> dict[object, tuple[int, object]]:
    """For every net the gates of two inputs on the longest way to it, and the net before it on that way."""
    before: dict[object, list[object]] = {}
    weight: dict[object, int] = {}
    for cell in module["cells"].values():
        if _name(cell) in _OPERATION:
            (output,) = cell["connections"]["Y"]
            before[output] = [bit for pin in "AB" if pin in cell["connections"] for bit in cell["connections"][pin]]
            weight[output] = int(_name(cell) in GATES)
    # In topological order every gate comes behind those it reads, so that one pass finds the longest way.
    level: dict[object, tuple[int, object]] = {}
    for bit in TopologicalSorter(before).static_order():
        longest = max(before.get(bit, ()), key=lambda source: level[source][0], default=None)
        level[bit] = (weight.get(bit, 0) + (0 if longest is None else level[longest][0]), longest)
    return level


def netlist(circuit: Circuit, *, watch: bool = False) -> str:
    """The gates of a design as one file of Verilog; with `watch`, what a trace shows comes out as extra pins."""
    module = top_module(for_gates(circuit, watch), circuit.identifier)
    inputs = {
        bit: f"{name}[{index}]" if len(port["bits"]) > 1 else name
        for name, port in module["ports"].items()
        if port["direction"] == "input"
        for index, bit in enumerate(port["bits"])
    }

    def net(bit: int | str) -> str:
        return f"1'b{bit}" if isinstance(bit, str) else inputs.get(bit, f"n{bit}")

    used = sorted({_name(cell) for cell in module["cells"].values()})
    return "\n".join(
        [
            f"// {circuit.name} ({circuit.year}), {circuit.about}.",
            "// The netlist of gates, synthesised by Yosys, and the models of its cells.",
            ONE_FILE,
            "",
            f"module {circuit.identifier} (",
            ",\n".join(_ports(module)),
            ");",
            *(f"  wire {net(bit)};" for bit in _driven(module)),
            *_instances(module, net),
            *_outputs(module, net),
            *_unused(module, net),
            "endmodule",
            *(line for name in used for line in ("", *_model(name))),
            "",
        ]
    )


def _ports(module: dict[str, Any]) -> Iterator[str]:
    for name, port in module["ports"].items():
        width = len(port["bits"])
        yield f"    {port['direction']} wire {f'[{width - 1}:0] ' if width > 1 else ''}{name}"


def _driven(module: dict[str, Any]) -> list[int]:
    """The nets that cells drive."""
    return sorted(bit for cell in module["cells"].values() for pin in "YQ" for bit in cell["connections"].get(pin, ()))


def _instances(module: dict[str, Any], net: Callable[[int | str], str]) -> Iterator[str]:
    """A line a cell; a flip-flop has the name of its register, and what that is before the first clock."""
    registers: dict[int | str, str] = {}
    first: dict[int | str, str] = {}
    for name, wire in module["netnames"].items():
        init = wire["attributes"].get("init", "")
        for index, bit in enumerate(wire["bits"]):
            if not wire["hide_name"]:
                registers.setdefault(bit, "".join(c if c.isalnum() else "_" for c in f"{name}_{index}"))
            if init[-1 - index : len(init) - index] in ("0", "1"):
                first[bit] = init[-1 - index]
    for number, cell in enumerate(module["cells"].values()):
        pins = ", ".join(f".{pin}({net(bit)})" for pin, (bit,) in cell["connections"].items())
        if "Q" in cell["connections"]:
            (output,) = cell["connections"]["Q"]
            yield f"  {_name(cell)} #(.INIT(1'b{first.get(output, 'x')})) f_{registers.get(output, number)} ({pins});"
        else:
            yield f"  {_name(cell)} g{number} ({pins});"


def _outputs(module: dict[str, Any], net: Callable[[int | str], str]) -> Iterator[str]:
    for name, port in module["ports"].items():
        if port["direction"] == "output":
            yield f"  assign {name} = {{{', '.join(net(bit) for bit in reversed(port['bits']))}}};"


def _unused(module: dict[str, Any], net: Callable[[int | str], str]) -> Iterator[str]:
    """Input pins that nothing reads, under a name that linters know."""
    read = {bit for cell in module["cells"].values() for bits in cell["connections"].values() for bit in bits}
    read |= {bit for port in module["ports"].values() if port["direction"] == "output" for bit in port["bits"]}
    pins = [bit for port in module["ports"].values() for bit in port["bits"] if bit not in read]
    if pins:
        yield f"  wire unused = &{{1'b0, {', '.join(net(bit) for bit in pins)}}};"


def _model(name: str) -> Iterator[str]:
    """What a cell does."""
    if name in _OPERATION:
        yield f"module {name} (input wire A, {'input wire B, ' if 'B' in _OPERATION[name] else ''}output wire Y);"
        yield f"  assign Y = {_OPERATION[name]};"
    else:
        reset = _RESET[name]
        yield f"module {name} #(parameter INIT = 1'b0) (input wire C, D, {'R, ' if reset else ''}output reg Q);"
        yield "  initial Q = INIT;"
        yield f"  always @(posedge C{' or posedge R' if reset else ''})"
        yield f"    {f'if (R) Q <= {reset}; else ' if reset else ''}Q <= D;"
    yield "endmodule"
