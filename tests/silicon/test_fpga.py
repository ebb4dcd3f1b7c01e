"""Bitstreams, and the circuit in them as the pins of a board see it."""

import pytest

from noughts.silicon import fpga
from noughts.silicon.designs import DESIGNS, design
from noughts.silicon.fpga import Bitstream, TimingError, bitstream, on_board
from noughts.silicon.fpga_boards import BOARDS, INPUTS, UnknownBoardError, board
from noughts.silicon.interpreted import Interpreted
from noughts.silicon.tools import MissingToolError

CHIP = design("chip1990")
BAUD = 115_200


def built_or_skipped(name: str, board_name: str) -> Bitstream:
    try:
        return bitstream(design(name), board_name)
    except MissingToolError as missing:
        pytest.skip(str(missing))


def test_the_icebreaker_gets_a_bitstream_of_the_chip() -> None:
    built = built_or_skipped("chip1990", "icebreaker")
    assert built.suffix == ".bin"
    # A comment, FF 00 … 00 FF, may come before the synchronisation word of the iCE40.
    assert b"\x7e\xaa\x99\x7e" in built.data[:64]
    assert len(built.data) > 100_000  # every bit of the UP5K is written, used or not
    assert built.clock_mhz == 12
    assert built.fmax_mhz >= 12
    assert 0 < built.luts < 5280


def test_the_ulx3s_gets_a_bitstream_of_the_chip() -> None:
    built = built_or_skipped("chip1990", "ulx3s")
    assert built.suffix == ".bit"
    assert b"\xff\xff\xbd\xb3" in built.data[:256]
    assert built.clock_mhz == 25
    assert built.fmax_mhz >= 25
    assert 0 < built.luts < 24_000


def test_a_circuit_too_slow_for_the_board_is_not_handed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    built_or_skipped("chip1990", "icebreaker")
