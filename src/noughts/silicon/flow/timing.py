"""Timing: how fast the clock of a design can go, and how much time is to spare at a given period.

On two FPGAs, after place and route: an iCE40 HX8K and an ECP5 with 25,000 LUTs. And, where OpenSTA and the cells are
installed, on osu035, a free library of cells for a 0.35 µm process: there by static timing analysis before layout, that
is with wires that take no time. Counted are the ways from register to register; what comes before an input pin or after
an output pin is not the chip's.

**Setup slack** is the time by which the slowest way comes before the next edge of the clock: the period less that way,
its register's own delay and the next one's setup time. It is negative where the clock is too fast. **Hold slack** is
the time by which the quickest way stays behind what the next register still wants to see after the *same* edge; no
period helps where it is negative. It lives on how much later the clock reaches one register than another, which only a
layout with its clock tree decides: in the cells the clock arrives everywhere at once, so their hold slack is a bound.
nextpnr tells of the slowest way alone, so on the FPGAs there is no hold slack.

The report of 2021 names a highest clock and both slacks, but no period. It can be had from them: 1 / 72.1 MHz is
13.87 ns, and with the setup slack of 1.131 ns that is 15.00 ns, `REPORTED_PERIOD_NS`, the period asked for here.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from noughts.extras import MissingToolError, need_program
from noughts.silicon.circuit import Circuit
from noughts.silicon.flow.synthesis import UnknownFamilyError, for_family, for_library
from noughts.silicon.tools import ToolError, remembered

__all__ = [
    "DEVICES",
    "PERIODS_NS",
    "REPORTED_PERIOD_NS",
    "Device",
    "Routed",
    "Slack",
    "Timing",
    "cells_slack",
    "fpga_fmax",
    "place_and_route",
    "timing",
]

# Place and route: every cell of a netlist gets its place in an FPGA and every net its wires, by nextpnr.
#
# Only then is it known how fast the clock can go, and what to write into the FPGA.

_CONFIG = {"ice40": "--asc", "ecp5": "--textcfg"}
_CONSTRAINTS = {"ice40": "--pcf", "ecp5": "--lpf"}


class Routed(NamedTuple):
    """A placed and routed circuit."""

    fmax: float
    """How fast the slowest clock can go, in MHz."""
    config: str
    """What the packer of the family makes a bitstream of: asc text for iCE40, config text for ECP5."""
    report: dict[str, Any]
    """All that nextpnr says of it: `fmax`, `utilization`, `critical_paths` and more."""


def place_and_route(
    family: str,
    json_netlist: str,
    device: str,
    package: str,
    constraints_text: str | None = None,
    freq: float = 100.0,
    seed: int = 1,
) -> Routed:
    """Place and route a netlist of Yosys for a device in a package, as nextpnr calls them: hx8k, up5k, 25k, …

    `constraints_text` says where the pins are, in the format of the family; without it they are anywhere. `freq` is
    what nextpnr tries to reach, in MHz; less is no error.
    """
    if family not in _CONFIG:
        raise UnknownFamilyError(f"{family!r} is not a family of FPGAs: expected {' or '.join(_CONFIG)}")
    options = [f"--{device}", "--package", package, "--json", "netlist.json", "--report", "report.json"]
    options += [_CONFIG[family], "config", "--freq", f"{freq:g}", "--seed", str(seed), "--timing-allow-fail"]
    options.append(f"{_CONSTRAINTS[family]}-allow-unconstrained")
    if constraints_text is not None:
        options += [_CONSTRAINTS[family], "pins"]

    def make() -> str:
        with tempfile.TemporaryDirectory(prefix="noughts-") as name:
            folder = Path(name)
            (folder / "netlist.json").write_text(json_netlist)
            (folder / "pins").write_text(constraints_text or "")
            _nextpnr(family, options, name)
            return json.dumps([json.loads((folder / "report.json").read_text()), (folder / "config").read_text()])

    parts = (json_netlist, constraints_text or "", *options)
    report, config = json.loads(remembered(f"yowasp_nextpnr_{family}", f"place and route for {family}", parts, make))
    if not report["fmax"]:
        raise ToolError(f"place and route for {family} {device}: nextpnr found no clock")
    return Routed(min(clock["achieved"] for clock in report["fmax"].values()), config, report)


def _nextpnr(family: str, options: list[str], folder: str) -> None:
    package = f"yowasp_nextpnr_{family}"
    program = f"import sys, {package}; sys.exit({package}.run_nextpnr_{family}(sys.argv[1:]))"
    # The tool has a /tmp of its own, so names count from the folder it runs in.
    run = subprocess.run(
        [sys.executable, "-c", program, *options], cwd=folder, capture_output=True, text=True, check=False
    )
    if run.returncode:
        lines = (run.stdout + run.stderr).splitlines()
        reason = next((line for line in lines if "ERROR" in line), lines[-1] if lines else "no message")
        raise ToolError(f"place and route for {family}: nextpnr says {reason!r}")


class Device(NamedTuple):
    """An FPGA: the names that nextpnr gives its family, size and package."""

    family: str
    device: str
    package: str


DEVICES = {
    "ice40_hx8k": Device("ice40", "hx8k", "ct256"),
    "ecp5_25k": Device("ecp5", "25k", "CABGA381"),
}

_LIBRARY = Path("/usr/share/qflow/tech/osu035/osu035_stdcells.lib")
_BUFFER = "BUFX4"
_SEED = 1
_TARGET_MHZ = 100.0

REPORTED_PERIOD_NS = 15.0
"""The period that the report of 2021 must have asked for: its highest clock and its setup slack give it."""
PERIODS_NS = (0.1, 1000.0)
"""The shortest and the longest that can be asked for: OpenSTA counts with seven digits."""


class Slack(NamedTuple):
    """Time to spare in ns: negative where there is too little, None where no tool tells."""

    setup: float | None
    hold: float | None


class Timing(NamedTuple):
    """How fast a design can go, in MHz, by what it is made in; None where a tool is missing that `skipped` names."""

    design: str
    fmax_mhz: dict[str, float | None]
    skipped: list[str]
    period_ns: float
    slack_ns: dict[str, Slack]
    """At this period."""


def timing(circuit: Circuit, period_ns: float = REPORTED_PERIOD_NS) -> Timing:
    """How fast the clock of a design can go on every device and in cells, and what is to spare at this period."""
    fmax: dict[str, float | None] = {}
    slack: dict[str, Slack] = {}
    for name, device in DEVICES.items():
        fmax[name] = found = fpga_fmax(circuit, device)
        slack[name] = Slack(period_ns - 1000 / found, None)
    skipped = []
    try:
        setup, hold = cells_slack(circuit, period_ns)
        fmax["osu035"], slack["osu035"] = 1000 / (period_ns - setup), Slack(setup, hold)
    except MissingToolError as error:
        fmax["osu035"], slack["osu035"] = None, Slack(None, None)
        skipped.append(str(error))
    return Timing(circuit.name, fmax, skipped, period_ns, slack)


def fpga_fmax(circuit: Circuit, device: Device) -> float:
    """How fast the clock can go on an FPGA, in MHz."""
    netlist = for_family(device.family, circuit.rtlil(), circuit.identifier)
    return place_and_route(device.family, netlist, device.device, device.package, None, _TARGET_MHZ, _SEED).fmax


def cells_slack(circuit: Circuit, period_ns: float) -> tuple[float, float]:
    """Setup and hold slack in ns in the cells of osu035, of which there is one model: typical process, 3.3 V, 25 °C."""
    purpose = f"timing of {circuit.name} in osu035"
    program = need_program("sta", purpose, "OpenSTA, Debian's opensta")
    if not _LIBRARY.exists():
        raise MissingToolError(
            f"{purpose} needs {_LIBRARY.name}, which is not installed: expected it from Debian's qflow-tech-osu035"
        )
    with tempfile.TemporaryDirectory(prefix="noughts-") as folder:
        netlist, script = Path(folder) / "netlist.v", Path(folder) / "script.tcl"
        for_library(circuit, _LIBRARY, _BUFFER, netlist)
        script.write_text(
            f"read_liberty {_LIBRARY}\n"
            f"read_verilog {netlist}\n"
            f"link_design {circuit.identifier}\n"
            f"create_clock -name clock -period {period_ns} [get_ports {circuit.clock}]\n"
            "report_checks -path_delay max -digits 6\n"
            "report_checks -path_delay min -digits 6\n"
        )
        run = subprocess.run(
            [program, "-no_init", "-no_splash", "-exit", str(script)], capture_output=True, text=True, check=False
        )
    # The slowest way of all first, then the quickest.
    found = [float(slack) for slack in re.findall(r"(-?[\d.]+)\s+slack \((?:MET|VIOLATED)\)", run.stdout)]
    lines = [line for line in (run.stdout + run.stderr).splitlines() if line.strip()]
    errors = [line for line in lines if "Error" in line]
    if run.returncode or errors or len(found) != 2:
        raise ToolError(f"{purpose}: OpenSTA says {[*errors, *lines[-1:], 'nothing'][0]!r}")
    setup, hold = found
    return setup, hold
