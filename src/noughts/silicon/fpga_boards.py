"""The FPGA boards: which chip, which clock, and which of its pins leads where.

Both have a serial line to the computer over the USB cable through which they are programmed. A board's pins are named
by what the circuit uses them for: `clock`; `button`, pressed for a new start; `rx` and `tx`, as the FPGA sees them; and
the lamps `waiting`, `finished` and `won`, as many as there are. `awake` must be high for the board to stay on.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from noughts.games import NoughtsError

__all__ = ["BAUD", "BOARDS", "INPUTS", "FpgaBoard", "UnknownBoardError", "board"]

BAUD = 115_200
"""Bits a second on the serial line."""

INPUTS = frozenset({"clock", "button", "rx"})
"""The pins that the FPGA reads; it drives the others."""


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
    clock_hz: int
    pins: Mapping[str, str]
    """Where each pin is on the FPGA's package."""
    low: frozenset[str]
    """The pins that are low when pressed or lit."""

    @property
    def clock_mhz(self) -> float:
        """The clock as tools want it."""
        return self.clock_hz / 1e6

    @property
    def divisor(self) -> int:
        """Clock cycles for a bit on the serial line."""
        return round(self.clock_hz / BAUD)

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
    """The board with this name."""
    if name not in BOARDS:
        raise UnknownBoardError(f"{name!r} is not a board: expected {', '.join(BOARDS)}")
    return BOARDS[name]
