"""What a netlist is made of, counted: without any tool, and as LUTs and cells by Yosys.

gates           gates of two inputs, of any function, unused ones included
AND, OR, XOR    gates like AND (one of four assignments gives 1), like OR (three do), like XOR (two that differ in
                both inputs); other: gates that do not depend on both inputs
inverters       those beside gates of the kinds AND, NAND, OR, NOR, XOR and XNOR: one for every signal that is
                wanted both ways, and for every input that is wanted inverted. A gate that is wanted inverted alone
                is turned into the other of its pair instead
depth           gates on the longest way from an input to an output
transistors     in static CMOS: an inverter has 2, NAND and NOR 4, AND and OR 6 (with the inverter behind them),
                XOR and XNOR 10 (a NOR or NAND and a complex gate of six)
LUTs, cells     what Yosys and ABC make of it (`abc -lut`, `abc -liberty`), which change the gates as they like; the
                cells are those of osu035, and their area is told in NANDs of two inputs
"""

import json
import re
import tempfile
from pathlib import Path
from typing import NamedTuple

from noughts.extras import MissingToolError
from noughts.silicon.flow.synthesis import yosys
from noughts.silicon.logic.blif import write_blif
from noughts.silicon.logic.netlist import Netlist

__all__ = ["MOST_SECONDS", "PUBLISHED", "Counts", "Mapped", "counts", "depths", "mapped"]

PUBLISHED = {"A": "432, D. E. Knuth"}
"""What others have published: gates of two inputs, and who."""

_LIBRARY = Path("/usr/share/qflow/tech/osu035/osu035_stdcells.lib")
_PURPOSE = "LUTs and cells of a netlist"
MOST_SECONDS = 120
"""That Yosys may take for them: 2,000 gates take it ten, 10,000 gates some minutes."""


class Counts(NamedTuple):
    """What a netlist is made of."""

    gates: int
    unused: int
    and_like: int
    or_like: int
    xor_like: int
    other: int
    inverters: int
    depth: int
    transistors: int


class Mapped(NamedTuple):
    """What Yosys and ABC make of a netlist."""

    luts4: int
    luts6: int
    cells: int | None
    """Cells of osu035; None where its library is not installed."""
    nand2: float | None
    """Their area, in that of a NAND of two inputs."""


def counts(netlist: Netlist) -> Counts:
    """Count what a netlist is made of.

    Args:
        netlist: The gates.
    """
    ones = [gate.table.bit_count() for gate in netlist.gates]
    xors = sum(gate.table in (0b0110, 0b1001) for gate in netlist.gates)
    inverters, transistors = _inverters(netlist)
    return Counts(
        gates=len(netlist.gates),
        unused=netlist.unused,
        and_like=ones.count(1),
        or_like=ones.count(3),
        xor_like=xors,
        other=len(ones) - ones.count(1) - ones.count(3) - xors,
        inverters=inverters,
        depth=max((depths(netlist)[output.signal] for output in netlist.outputs if output.signal >= 0), default=0),
        transistors=transistors,
    )


def depths(netlist: Netlist) -> list[int]:
    """For every signal the gates on the longest way to it.

    Args:
        netlist: The gates.
    """
    found = [0] * len(netlist.inputs)
    for gate in netlist.gates:
        found.append(1 + max(found[gate.a], found[gate.b]))
    return found


def _inverters(netlist: Netlist) -> tuple[int, int]:
    """The inverters beside the gates, and the transistors of all."""
    plain: set[int] = {output.signal for output in netlist.outputs if not output.inverted}
    inverted: set[int] = {output.signal for output in netlist.outputs if output.inverted}
    for gate in netlist.gates:
        # a & ~b and a | ~b want one input inverted, ~a & b and ~a | b the other; AND, OR, NAND, NOR and XOR none.
        (inverted if gate.table in (0b0100, 0b1101) else plain).add(gate.a)
        (inverted if gate.table in (0b0010, 0b1011) else plain).add(gate.b)
    inputs = len(netlist.inputs)
    needed = sum(signal < inputs or signal in plain for signal in inverted - {-1})
    transistors = 2 * needed
    for signal, gate in enumerate(netlist.gates, inputs):
        if gate.table in (0b0110, 0b1001):
            transistors += 10
            continue
        # NAND and NOR are those of one transistor pair an input; the one that gives 1 once is a NOR of what is given.
        negative = gate.table in (0b0001, 0b0111)
        turned = signal in inverted and signal not in plain
        transistors += 4 if negative != turned else 6
    return needed, transistors


def mapped(netlist: Netlist) -> Mapped:
    """Have Yosys and ABC make LUTs and cells of a netlist.

    Args:
        netlist: The gates.

    Raises:
        MissingToolError: If Yosys is not installed.
        ToolError: If it takes longer than `MOST_SECONDS`.
    """
    with tempfile.TemporaryDirectory(prefix="noughts-") as name:
        folder = Path(name)
        (folder / "logic.blif").write_text(write_blif(netlist))
        library = _LIBRARY.is_file()
        ways = [("4", "abc -lut 4"), ("6", "abc -lut 6")]
        ways += [("cells", f"abc -liberty {_LIBRARY}")] if library else []
        commands = []
        for way, command in ways:
            commands += ["design -reset", f"read_blif {folder}/logic.blif", "techmap", command, "opt_clean -purge"]
            commands += [f"write_json {folder}/{way}.json"]
        yosys(_PURPOSE, *commands, seconds=MOST_SECONDS)
        made = {way: _cells(folder / f"{way}.json") for way, _ in ways}
    if not library:
        return Mapped(len(made["4"]), len(made["6"]), None, None)
    area = _areas()
    nand2 = sum(area[cell] for cell in made["cells"]) / area["NAND2X1"]
    return Mapped(len(made["4"]), len(made["6"]), len(made["cells"]), round(nand2, 1))


def _cells(file: Path) -> list[str]:
    (module,) = json.loads(file.read_text())["modules"].values()
    return [cell["type"] for cell in module["cells"].values()]


def _areas() -> dict[str, float]:
    """The area of every cell of the library."""
    try:
        text = _LIBRARY.read_text(errors="replace")
    except OSError as error:
        raise MissingToolError(f"{_PURPOSE} need {_LIBRARY.name}: {error.strerror}") from error
    found = re.findall(r"\bcell\s*\(\s*\"?(\w+)\"?\s*\)\s*\{.*?\barea\s*:\s*([\d.]+)", text, re.DOTALL)
    return {name: float(area) for name, area in found}
