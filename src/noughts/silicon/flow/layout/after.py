"""Timing and power after layout: OpenSTA with the wires as they are drawn.

The wires are what qrouter writes of every net, a tree of stretches each with its resistance and its capacitance, by the
library's figures: ohms a square of metal, and farads a square micron of it to the ground below. Left out are the
capacitance of edges and between neighbours, and the resistance of contacts; so a wire takes somewhat longer than it is
said here. The clock is one net from its pin, without a tree of buffers, and reaches the registers when its wires let
it: setup and hold are counted with that.

Power is that of a run: the transitions of all nets are counted in a simulation of the netlist, cycle by cycle, so
glitches within a cycle are not among them, and OpenSTA is told that every net is as busy as the mean one. (It has a way
to say that net by net, which Debian's version ignores.) The library has of every cell what a transition takes inside
it, and what leaks.
"""

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from noughts.extras import need_program
from noughts.silicon.flow.layout.cells import Cells, Simulation
from noughts.silicon.flow.layout.plan import Plan, metals
from noughts.silicon.flow.layout.steps import LEF, LIBERTY
from noughts.silicon.tools import ToolError

__all__ = ["PERIOD_NS", "Levels", "Measured", "activity", "measure", "spef"]

PERIOD_NS = 100.0
"""The clock period at which slack and power are told: 10 MHz."""

Levels = dict[str, int]
"""The level of every input pin of a netlist in one cycle."""


class Measured(NamedTuple):
    """What OpenSTA says of a layout."""

    fmax_mhz: float
    hold_slack_ns: float
    skew_ns: float
    """How much later the clock reaches the last register than the first."""
    power_mw: float | None
    """At a clock of 10 MHz, in the run that was given; None if there was none."""


def spef(delays: str, netlist: Cells, plan: Plan) -> str:
    """The wires in SPEF, which timing programs read, from qrouter's text.

    A line of that is `net 1 driver sinks tree`; a tree is `( ohms picofarads branch , branch … )`, where a branch is a
    tree or a pin, `INVX1_3/A` or `PIN/led_0`. Where qrouter loses its way in a net, its tree ends in `ERROR`: then all
    of the net's wire stands between its driver and every sink, which is more than there is.
    """
    whole = _whole(plan)
    into = {*netlist.inputs}
    pins = {(cell.name, pin): pin in ("Y", "Q") for cell in netlist.cells for pin in cell.pins}
    lines = [
        '*SPEF "IEEE 1481-1998"',
        f'*DESIGN "{netlist.top}"',
        '*DATE ""\n*VENDOR ""\n*PROGRAM ""\n*VERSION ""\n*DESIGN_FLOW ""',
        "*DIVIDER /\n*DELIMITER :\n*BUS_DELIMITER [ ]",
        "*T_UNIT 1 NS\n*C_UNIT 1 PF\n*R_UNIT 1 OHM\n*L_UNIT 1 HENRY",
    ]
    for line in delays.splitlines():
        words = line.split()
        if len(words) < 5 or words[0] in ("vdd", "gnd"):
            continue
        net, driver, tokens = words[0], words[2], words[4:]
        if "ERROR" in tokens:
            ohms, farads = whole[net]
            sinks = [pin for pin in _pins(net, netlist) if pin != driver]
            tokens = ["(", str(ohms), str(farads), *sinks, ")"]
        stretches, ends = _walk(net, tokens)
        stretches.insert(0, (_node(driver), f"{net}:0", 0.001, 0.0))
        caps: dict[str, float] = {}
        for start, end, _, farads in stretches:
            for node in (start, end):
                caps[node] = caps.get(node, 0.0) + farads / 2
        lines.append(f"\n*D_NET {net} {sum(caps.values()):.6g}\n*CONN")
        for pin in dict.fromkeys([driver, *ends]):
            owner, _, name = pin.rpartition("/")
            if owner == "PIN":
                lines.append(f"*P {name} {'I' if name in into else 'O'}")
            else:
                lines.append(f"*I {owner}:{name} {'O' if pins[owner, name] else 'I'}")
        lines.append("*CAP")
        lines += [f"{index} {node} {value:.6g}" for index, (node, value) in enumerate(caps.items(), 1) if value]
        lines.append("*RES")
        lines += [f"{index} {start} {end} {ohms:.6g}" for index, (start, end, ohms, _) in enumerate(stretches, 1)]
        lines.append("*END")
    return "\n".join([*lines, ""])


def _whole(plan: Plan) -> dict[str, tuple[float, float]]:
    """Ohms and picofarads of all the wire of every net."""
    known = metals(LEF)
    found: dict[str, tuple[float, float]] = {}
    for wire in plan.wires:
        metal = known[wire.layer]
        ohms, farads = found.get(wire.net, (0.0, 0.0))
        ohms += metal.ohms_a_square * wire.length / metal.width_um
        found[wire.net] = (ohms, farads + metal.pf_a_square_um * wire.length * metal.width_um)
    return found


def _pins(net: str, netlist: Cells) -> list[str]:
    """The pins at a net, as qrouter names them."""
    cells = [f"{cell.name}/{pin}" for cell in netlist.cells for pin, other in cell.pins.items() if other == net]
    return cells + [f"PIN/{net}"] * (net in netlist.inputs or net in netlist.outputs)


def _node(pin: str) -> str:
    owner, _, name = pin.rpartition("/")
    return name if owner == "PIN" else f"{owner}:{name}"


def _walk(net: str, tokens: Sequence[str]) -> tuple[list[tuple[str, str, float, float]], list[str]]:
    """The stretches of a net's trees, from node to node with ohms and picofarads, and the pins at their ends."""
    stretches: list[tuple[str, str, float, float]] = []
    ends: list[str] = []
    above = [f"{net}:0"]
    nodes = 0
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token == "(":
            nodes += 1
            stretches.append((above[-1], f"{net}:{nodes}", float(tokens[at + 1]), float(tokens[at + 2])))
            above.append(f"{net}:{nodes}")
            at += 2
        elif token == ")":
            above.pop()
        elif token != ",":
            stretches.append((above[-1], _node(token), 0.001, 0.0))
            ends.append(token)
        at += 1
    return stretches, ends


def activity(netlist: Cells, run: Sequence[Levels], clock: str) -> float:
    """How often a net changes a cycle in a run, the mean over all nets that cells drive."""
    chip = Simulation(netlist, LIBERTY)
    driven = {net for cell in netlist.cells for pin, net in cell.pins.items() if pin in ("Y", "Q")} - {clock}
    watched = [chip.number[net] for net in sorted(driven)]
    changes = 0
    before: list[int] = []
    for levels in run:
        for net, level in levels.items():
            chip.set(net, level)
        chip.settle()
        chip.clock()
        now = [chip.values[index] for index in watched]
        changes += sum(one != other for one, other in zip(before, now, strict=False))
        before = now
    return changes / max(1, len(watched) * (len(run) - 1))


def measure(netlist: Cells, wires: str | None, clock: str, run: Sequence[Levels], folder: Path) -> Measured:
    """Ask OpenSTA: with these wires in SPEF, or with none, which take no time; and with nets as busy as in a run."""
    purpose = f"the timing of {netlist.top} after layout"
    program = need_program("sta", purpose, "OpenSTA, Debian's opensta")
    (folder / "netlist.v").write_text(netlist.verilog())
    lines = [f"read_liberty {LIBERTY}", "read_verilog netlist.v", f"link_design {netlist.top}"]
    lines += [f"create_clock -name clock -period {PERIOD_NS} [get_ports {clock}]", "set_propagated_clock [all_clocks]"]
    if wires is not None:
        (folder / "wires.spef").write_text(wires)
        lines.append("read_spef -elmore wires.spef")
    lines += [f"report_checks -path_delay {way} -digits 6" for way in ("max", "min")]
    lines.append("report_clock_skew -setup -digits 6")
    if run:
        lines.append(f"set_power_activity -global -activity {activity(netlist, run, clock):.6g} -duty 0.5")
        lines.append("report_power -digits 6")
    (folder / "sta.tcl").write_text("\n".join([*lines, ""]))
    ran = subprocess.run(
        [program, "-no_init", "-no_splash", "-exit", "sta.tcl"], cwd=folder, capture_output=True, text=True, check=False
    )
    said = ran.stdout + ran.stderr
    # A register that resets others at once makes ways of a group of its own, from it to their resets.
    ways = [way for way in said.split("Startpoint:") if "Path Group: clock\n" in way]
    slack = [float(found) for way in ways for found in re.findall(r"(-?[\d.]+)\s+slack \((?:MET|VIOLATED)\)", way)]
    skew = re.search(r"^[\d.]+\s+[\d.]+\s+(-?[\d.]+)$", said, re.MULTILINE)
    total = re.search(r"^Total\s+\S+\s+\S+\s+\S+\s+(\S+)", said, re.MULTILINE)
    errors = [line for line in said.splitlines() if "Error" in line or "Warning" in line]
    if ran.returncode or errors or len(slack) != 2 or (run and total is None):
        (folder / "sta.log").write_text(said)
        raise ToolError(f"{purpose}: OpenSTA says {(errors or said.splitlines()[-1:] or ['nothing'])[0][:200]!r}")
    return Measured(
        fmax_mhz=1000 / (PERIOD_NS - slack[0]),
        hold_slack_ns=slack[1],
        skew_ns=float(skew[1]) if skew else 0.0,
        power_mw=float(total[1]) * 1000 if run and total else None,
    )
