"""Synthesis: a design becomes a netlist of cells, of gates, of an FPGA or of a cell library.

All netlists are flat, and come as Yosys's JSON. Memories become flip-flops where there is nothing else to make them
of: among gates, and in a cell library.
"""

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from noughts.games import NoughtsError
from noughts.silicon.design import Design
from noughts.silicon.yosys import yosys

__all__ = ["FAMILIES", "GATES", "UnknownFamilyError", "for_family", "for_gates", "for_library", "top_module"]

FAMILIES = ("ice40", "ecp5")
"""The families of FPGAs."""

GATES = ("AND", "NAND", "OR", "NOR", "XOR", "XNOR", "ANDNOT", "ORNOT")
"""The gates of two inputs; ANDNOT is A and not B, ORNOT is A or not B."""


class UnknownFamilyError(NoughtsError):
    """A name that is no family's."""


@cache
def for_gates(design: Design, watch: bool = False) -> str:
    """Gates of two inputs, inverters, and flip-flops that may be reset or set at once but have no enable.

    A flip-flop with an enable would hide a multiplexer, three gates, in what counts as none. The registers stay as
    the design has them: states are not coded anew.
    """
    return _synthesised(
        f"the gates of {design.name}",
        design.rtlil(watch=watch),
        f"synth -flatten -nofsm -noabc -top {design.identifier}",
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


def for_library(design: Design, liberty: Path, buffer: str, netlist: Path) -> None:
    """The cells of a library in Liberty format, as Verilog in a file; `buffer` is the one that drives inputs."""
    # With constraints, nets that drive many cells get buffers.
    constraints = netlist.with_suffix(".constr")
    constraints.write_text(f"set_driving_cell {buffer}\nset_load 0.1 [all_outputs]\n")
    _synthesised(
        f"synthesis for {liberty.stem}",
        design.rtlil(),
        f"synth -flatten -nofsm -noabc -top {design.identifier}",
        # A cell library has no initial values: what nobody resets starts anyhow.
        "setattr -unset init w:*",
        f"dfflibmap -liberty {liberty}",
        f"abc -liberty {liberty} -constr {constraints}",
        "opt_clean -purge",
        # OpenSTA does not read signed wires; one bit has no sign.
        "splitnets",
        f"write_verilog -noattr -noexpr -simple-lhs {netlist}",
    )


def top_module(netlist: str, top: str) -> dict[str, Any]:
    """The one module of a netlist."""
    module: dict[str, Any] = json.loads(netlist)["modules"][top]
    return module


def _synthesised(purpose: str, rtlil: str, *commands: str) -> str:
    with tempfile.TemporaryDirectory(prefix="noughts-") as folder:
        source, result = Path(folder) / "design.il", Path(folder) / "design.json"
        source.write_text(rtlil)
        yosys(purpose, f"read_rtlil {source}", *commands, f"write_json {result}")
        return result.read_text()
