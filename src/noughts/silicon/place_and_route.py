"""Place and route: every cell of a netlist gets its place in an FPGA and every net its wires, by nextpnr.

Only then is it known how fast the clock can go, and what to write into the FPGA.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from noughts.silicon.synthesis import UnknownFamilyError
from noughts.silicon.tools import ToolError, need_package

__all__ = ["Routed", "place_and_route"]

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
    with tempfile.TemporaryDirectory(prefix="noughts-") as folder:
        (Path(folder) / "netlist.json").write_text(json_netlist)
        options = [f"--{device}", "--package", package, "--json", "netlist.json", "--report", "report.json"]
        options += [_CONFIG[family], "config", "--freq", f"{freq:g}", "--seed", str(seed), "--timing-allow-fail"]
        options.append(f"{_CONSTRAINTS[family]}-allow-unconstrained")
        if constraints_text is not None:
            (Path(folder) / "pins").write_text(constraints_text)
            options += [_CONSTRAINTS[family], "pins"]
        _nextpnr(family, options, folder)
        report: dict[str, Any] = json.loads((Path(folder) / "report.json").read_text())
        config = (Path(folder) / "config").read_text()
    if not report["fmax"]:
        raise ToolError(f"place and route for {family} {device}: nextpnr found no clock")
    return Routed(min(clock["achieved"] for clock in report["fmax"].values()), config, report)


def _nextpnr(family: str, options: list[str], folder: str) -> None:
    package = f"yowasp_nextpnr_{family}"
    need_package(package, f"place and route for {family}")
    program = f"import sys, {package}; sys.exit({package}.run_nextpnr_{family}(sys.argv[1:]))"
    # The tool has a /tmp of its own, so names count from the folder it runs in.
    run = subprocess.run(
        [sys.executable, "-c", program, *options], cwd=folder, capture_output=True, text=True, check=False
    )
    if run.returncode:
        lines = (run.stdout + run.stderr).splitlines()
        reason = next((line for line in lines if "ERROR" in line), lines[-1] if lines else "no message")
        raise ToolError(f"place and route for {family}: nextpnr says {reason!r}")
