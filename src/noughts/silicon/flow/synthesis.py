"""Synthesis: a design becomes a netlist of cells, of gates, of an FPGA or of a cell library.

All netlists are flat, and come as Yosys's JSON. Memories become flip-flops where there is nothing else to make them
of: among gates, and in a cell library.
"""

import json
import subprocess
import sys
import tempfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from noughts.extras import need
from noughts.games import NoughtsError
from noughts.silicon.circuit import Circuit
from noughts.silicon.tools import ToolError, remembered

__all__ = [
    "FAMILIES",
    "GATES",
    "UnknownFamilyError",
    "for_family",
    "for_gates",
    "for_library",
    "mapped_to_library",
    "share",
    "top_module",
    "yosys",
]

# Yosys, through its Python package, in a process of its own: if it crashes, it ends that process and not ours.

_RUN = "import sys; from pyosys import libyosys; libyosys.run_pass('script ' + sys.argv[1], libyosys.Design())"


def yosys(purpose: str, *commands: str, seconds: int | None = None) -> str:
    """Run commands of Yosys and return its log. `purpose` names who asks, for the message when Yosys is missing.

    What comes from outside may take for ever: after so many seconds it ends as a tool that failed.
    """
    need("pyosys", purpose)
    with tempfile.TemporaryDirectory(prefix="noughts-") as folder:
        script = Path(folder) / "script.ys"
        script.write_text("\n".join(commands) + "\n")
        try:
            run = subprocess.run(
                [sys.executable, "-c", _RUN, str(script)], capture_output=True, text=True, check=False, timeout=seconds
            )
        except subprocess.TimeoutExpired:
            raise ToolError(f"{purpose}: Yosys has not ended after {seconds} seconds") from None
    if run.returncode:
        lines = (run.stdout + run.stderr).splitlines()
        reason = next((line for line in lines if "ERROR" in line), lines[-1] if lines else "no message")
        raise ToolError(f"{purpose}: Yosys says {reason!r}")
    return run.stdout


def share() -> Path:
    """Yosys's folder of cell libraries and headers."""
    found = find_spec("pyosys")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "share"


FAMILIES = ("ice40", "ecp5")
"""The families of FPGAs."""

GATES = ("AND", "NAND", "OR", "NOR", "XOR", "XNOR", "ANDNOT", "ORNOT")
"""The gates of two inputs; ANDNOT is A and not B, ORNOT is A or not B."""


class UnknownFamilyError(NoughtsError):
    """A name that is no family's."""


@cache
def for_gates(circuit: Circuit, watch: bool = False) -> str:
    """Gates of two inputs, inverters, and flip-flops that may be reset or set at once but have no enable.

    A flip-flop with an enable would hide a multiplexer, three gates, in what counts as none. The registers stay as
    the design has them: states are not coded anew.
    """
    return _synthesised(
        f"the gates of {circuit.name}",
        circuit.rtlil(watch=watch),
        f"synth -flatten -nofsm -noabc -top {circuit.identifier}",
        "dfflegalize -cell $_DFF_P_ 01 -cell $_DFF_PP0_ 01 -cell $_DFF_PP1_ 01",
        "opt_merge",
        f"abc -g {','.join(GATES)}",
        "opt_clean -purge",
        "check -assert",
    )


def for_family(family: str, rtlil: str, top: str) -> str:
    """The cells of a family of FPGAs."""
    if family not in FAMILIES:
        raise UnknownFamilyError(f"{family!r} is not a family of FPGAs: expected {' or '.join(FAMILIES)}")
    return _synthesised(f"synthesis for {family}", rtlil, f"synth_{family} -top {top}")


def for_library(circuit: Circuit, liberty: Path, buffer: str, netlist: Path) -> None:
    """The cells of a library in Liberty format, as Verilog in a file; `buffer` is the one that drives inputs."""
    # OpenSTA does not read signed wires; one bit has no sign.
    _mapped(circuit, liberty, buffer, netlist, "splitnets", f"write_verilog -noattr -noexpr -simple-lhs {netlist}")


def mapped_to_library(circuit: Circuit, liberty: Path, buffer: str, *finish: str) -> dict[str, Any]:
    """The same cells, as the module of Yosys's JSON; after these commands of Yosys, if there are any."""
    with tempfile.TemporaryDirectory(prefix="noughts-") as folder:
        netlist = Path(folder) / "netlist.json"
        _mapped(circuit, liberty, buffer, netlist, *finish, f"write_json {netlist}")
        return top_module(netlist.read_text(), circuit.identifier)


def _mapped(circuit: Circuit, liberty: Path, buffer: str, netlist: Path, *write: str) -> None:
    # With constraints, nets that drive many cells get buffers.
    constraints = netlist.with_suffix(".constr")
    constraints.write_text(f"set_driving_cell {buffer}\nset_load 0.1 [all_outputs]\n")
    source = netlist.with_suffix(".il")
    source.write_text(circuit.rtlil())
    yosys(
        f"synthesis for {liberty.stem}",
        f"read_rtlil {source}",
        f"synth -flatten -nofsm -noabc -top {circuit.identifier}",
        # A cell library has no initial values: what nobody resets starts anyhow.
        "setattr -unset init w:*",
        f"dfflibmap -liberty {liberty}",
        f"abc -liberty {liberty} -constr {constraints}",
        "opt_clean -purge",
        *write,
    )


def top_module(netlist: str, top: str) -> dict[str, Any]:
    """The one module of a netlist."""
    module: dict[str, Any] = json.loads(netlist)["modules"][top]
    return module


def _synthesised(purpose: str, rtlil: str, *commands: str) -> str:
    """What Yosys makes of a circuit by these commands, as JSON."""

    def make() -> str:
        with tempfile.TemporaryDirectory(prefix="noughts-") as folder:
            source, result = Path(folder) / "circuit.il", Path(folder) / "circuit.json"
            source.write_text(rtlil)
            yosys(purpose, f"read_rtlil {source}", *commands, f"write_json {result}")
            return result.read_text()

    return remembered("pyosys", purpose, (rtlil, *commands), make)
