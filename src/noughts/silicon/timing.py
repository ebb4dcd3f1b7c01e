"""Timing: how fast the clock of a design can go.

On two FPGAs, after place and route: an iCE40 HX8K and an ECP5 with 25,000 LUTs. And, where OpenSTA and the cells are
installed, on osu035, a free library of cells for a 0.35 µm process: there before layout, that is with wires that
take no time. Counted are the ways from register to register; what comes before an input pin or after an output pin
is not the chip's.
"""

import re
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from noughts.silicon.design import Design
from noughts.silicon.place_and_route import place_and_route
from noughts.silicon.synthesis import for_family, for_library
from noughts.silicon.tools import MissingToolError, ToolError, need_program

__all__ = ["DEVICES", "Device", "Timing", "cells_fmax", "fpga_fmax", "timing"]


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
_PERIOD_NS = 1000
_SEED = 1
_TARGET_MHZ = 100.0


class Timing(NamedTuple):
    """How fast a design can go, in MHz, by what it is made in; None where a tool is missing that `skipped` names."""

    design: str
    fmax_mhz: dict[str, float | None]
    skipped: list[str]


def timing(design: Design) -> Timing:
    """How fast the clock of a design can go on every device, and in cells."""
    fmax: dict[str, float | None] = {name: fpga_fmax(design, device) for name, device in DEVICES.items()}
    skipped = []
    try:
        fmax["osu035"] = cells_fmax(design)
    except MissingToolError as error:
        fmax["osu035"] = None
        skipped.append(str(error))
    return Timing(design.name, fmax, skipped)


def fpga_fmax(design: Design, device: Device) -> float:
    """How fast the clock can go on an FPGA, in MHz."""
    netlist = for_family(device.family, design.rtlil(), design.identifier)
    return place_and_route(device.family, netlist, device.device, device.package, None, _TARGET_MHZ, _SEED).fmax


def cells_fmax(design: Design) -> float:
    """How fast the clock can go in the cells of osu035, in MHz."""
    purpose = f"timing of {design.name} in osu035"
    program = need_program("sta", purpose, "OpenSTA, Debian's opensta")
    if not _LIBRARY.exists():
        raise MissingToolError(
            f"{purpose} needs {_LIBRARY.name}, which is not installed: expected it from Debian's qflow-tech-osu035"
        )
    with tempfile.TemporaryDirectory(prefix="noughts-") as folder:
        netlist, script = Path(folder) / "netlist.v", Path(folder) / "script.tcl"
        for_library(design, _LIBRARY, _BUFFER, netlist)
        script.write_text(
            f"read_liberty {_LIBRARY}\n"
            f"read_verilog {netlist}\n"
            f"link_design {design.identifier}\n"
            f"create_clock -name clock -period {_PERIOD_NS} [get_ports {design.clock}]\n"
            "report_worst_slack -digits 4\n"
        )
        run = subprocess.run(
            [program, "-no_init", "-no_splash", "-exit", str(script)], capture_output=True, text=True, check=False
        )
    slack = re.search(r"worst slack\s+(-?[\d.]+)", run.stdout)
    lines = [line for line in (run.stdout + run.stderr).splitlines() if line.strip()]
    errors = [line for line in lines if "Error" in line]
    if run.returncode or errors or slack is None:
        raise ToolError(f"{purpose}: OpenSTA says {[*errors, *lines[-1:], 'nothing'][0]!r}")
    return 1000 / (_PERIOD_NS - float(slack[1]))
