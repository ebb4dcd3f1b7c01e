"""Bitstreams, and the circuit in them as the pins of a board see it."""

from dataclasses import replace
from typing import Any

import pytest

from noughts.extras import MissingToolError
from noughts.silicon.design import Design
from noughts.silicon.designs import design
from noughts.silicon.flow import fpga
from noughts.silicon.flow.fpga import (
    BOARDS,
    INPUTS,
    Bitstream,
    TimingError,
    TooLargeError,
    UnknownBoardError,
    bitstream,
    board,
    on_board,
)
from noughts.silicon.flow.timing import Routed, place_and_route
from noughts.silicon.simulate.interpreted import Interpreted

pytestmark = pytest.mark.slow

CHIP = design("chip1990")
BAUD = 115_200


def built_or_skipped(board_name: str, chip: Design = CHIP) -> Bitstream:
    try:
        return bitstream(chip, board_name)
    except MissingToolError as missing:
        pytest.skip(str(missing))


def test_the_icebreaker_gets_a_bitstream_of_the_chip() -> None:
    built = built_or_skipped("icebreaker")
    assert built.suffix == ".bin"
    # A comment between FF 00 and 00 FF may stand before the word with which an iCE40 starts to listen.
    assert b"\x7e\xaa\x99\x7e" in built.data[:64]
    assert len(built.data) > 100_000  # every bit of the FPGA is written, used or not
    assert built.clock_mhz == 12
    assert built.fmax_mhz >= 12
    assert 0 < built.luts < 5280


def test_the_ulx3s_gets_a_bitstream_of_the_chip() -> None:
    built = built_or_skipped("ulx3s")
    assert built.suffix == ".bit"
    # A comment that names the part, and then the word with which an ECP5 starts to listen.
    comment, word, _ = built.data[:256].partition(b"\xff\xff\xbd\xb3")
    assert b"LFE5U-25F" in comment
    assert word
    assert built.clock_mhz == 25
    assert built.fmax_mhz >= 25
    assert 0 < built.luts < 24_000


def test_a_circuit_too_large_for_the_board_is_sent_to_a_larger_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same circuit as above, on a board with fewer LUTs than it takes."""
    luts = built_or_skipped("icebreaker").luts
    monkeypatch.setitem(fpga.BOARDS, "icebreaker", replace(fpga.BOARDS["icebreaker"], luts=luts - 1))
    with pytest.raises(TooLargeError) as caught:
        bitstream(CHIP, "icebreaker")
    said = f"takes {luts:,} LUTs with its console, and icebreaker has {luts - 1:,}: expected ulx3s"
    assert str(caught.value) == f"'chip1990' {said}"


@pytest.mark.parametrize(("fmax", "clock"), [(12.0, 12), (11.9, 6), (5.9, 3), (1.5, 1.5)])
def test_a_circuit_too_slow_for_the_board_gets_its_clock_halved(
    fmax: float, clock: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same place and route as above, said to be as fast as the board's clock or slower."""
    said_to_reach(fmax, monkeypatch)
    built = built_or_skipped("icebreaker")
    assert (built.fmax_mhz, built.clock_mhz) == (fmax, clock)


def test_a_circuit_too_slow_for_any_clock_is_not_handed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    said_to_reach(1.4, monkeypatch)
    with pytest.raises(TimingError, match=r"'chip1990' reaches 1\.4 MHz on icebreaker: expected at least 1\.5 MHz"):
        built_or_skipped("icebreaker")


def said_to_reach(fmax: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is placed and routed is said to be so fast; only the first clock is placed and routed indeed."""
    first: list[Routed] = []

    def routed(*arguments: Any, **options: Any) -> Routed:
        if not first:
            first.append(place_and_route(*arguments, **options))
        return first[0]._replace(fmax=fmax)

    monkeypatch.setattr(fpga, "place_and_route", routed)
    monkeypatch.setattr(fpga, "_packed", lambda _family, _config: b"")


def test_a_slow_design_gets_a_slow_clock() -> None:
    """A player whose logic has more than a hundred gates in a row."""
    built = built_or_skipped("icebreaker", design("player2026:game=arabian"))
    assert built.clock_mhz < 12
    assert built.fmax_mhz >= built.clock_mhz


def test_an_unknown_board_is_named() -> None:
    with pytest.raises(UnknownBoardError, match="'arduino' is not a board: expected icebreaker, ulx3s"):
        bitstream(CHIP, "arduino")


CIRCUITS = ("icebreaker", "ulx3s")
"""The boards with circuits of their own."""


@pytest.mark.parametrize("name", BOARDS)
def test_boards_that_differ_in_the_size_of_the_fpga_alone_have_one_circuit(name: str) -> None:
    """What the circuit depends on is the same: pins, their sense, and the clock."""
    known = board("ulx3s")
    alike = replace(board(name), name="ulx3s", about=known.about, device=known.device, luts=known.luts)
    assert (alike == known) == (name != "icebreaker")


@pytest.mark.parametrize("halvings", [0, 1, 3])
@pytest.mark.parametrize("name", CIRCUITS)
def test_bits_on_the_line_are_as_long_as_a_terminal_expects(name: str, halvings: int) -> None:
    target = board(name)
    pins = Interpreted(on_board(CHIP, target, halvings))
    pins.run_until("tx", 0, 1000)
    # The first character is the carriage return, 0D: a start bit, a one, a zero, two ones.
    bits = [pins.run_until("tx", level, 10_000) for level in (1, 0, 1)]
    for cycles in bits:
        assert cycles / target.clock_hz == pytest.approx(1 / BAUD, rel=0.01)


@pytest.mark.parametrize("name", CIRCUITS)
def test_lamps_and_button_have_the_sense_of_the_board(name: str) -> None:
    target = board(name)
    pins = Interpreted(on_board(CHIP, target))
    pins.clock(100)

    def is_lit(lamp: str) -> bool:
        return bool(pins.get(lamp)) != (lamp in target.low)

    assert is_lit("waiting")
    assert not is_lit("finished")
    assert "won" not in target.pins or not is_lit("won")
    assert "awake" not in target.pins or pins.get("awake") == 1
    pressed = int("button" not in target.low)
    pins.set("button", pressed)
    pins.clock(100)
    assert not is_lit("waiting")
    pins.set("button", 1 - pressed)
    pins.clock(100)
    assert is_lit("waiting")


@pytest.mark.parametrize("name", BOARDS)
def test_every_pin_has_a_place_of_its_own_and_inputs_rest_high(name: str) -> None:
    target = board(name)
    lines = target.constraints.splitlines()
    assert {"clock", "button", "rx", "tx", "waiting", "finished"} <= set(target.pins)
    assert len(set(target.pins.values())) == len(target.pins)
    for pin, site in target.pins.items():
        said = " ".join(line for line in lines if pin in line.replace('"', " ").split())
        assert site in said.replace('"', " ").replace(";", " ").split()
        assert ("-pullup yes" in said or "PULLMODE=UP" in said) == (pin in INPUTS - {"clock"})
