"""The proofs go through, and would not if a circuit were broken: for every property there is a circuit that breaks it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from amaranth.hdl import Elaboratable, Module, Mux, Signal, Value
from amaranth.lib.wiring import Component, In

from noughts.silicon import tools
from noughts.silicon.chip1990.chip import Core
from noughts.silicon.chip1990.controller import Choose, Controller, State
from noughts.silicon.chip1990.keyboard import Keyboard
from noughts.silicon.formal import Harness, Proof, Property, prove
from noughts.silicon.parts import (
    BoardRegister,
    Counter,
    FullDetector,
    IllegalMoveDetector,
    NextFree,
    PositionDecoder,
    Stack,
    WinDetector,
    stones_of,
)
from noughts.silicon.parts.scan import scan_path
from noughts.silicon.properties import PROPERTIES
from noughts.silicon.referee2021 import Referee
from noughts.silicon.referee2021.registers import PositionRegisters
from noughts.silicon.referee2021.turn import TurnControl
from noughts.silicon.tools import MissingToolError

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def proved_or_skipped(tested: Property, depth: int | None = None) -> Proof:
    try:
        return prove(tested, depth)
    except MissingToolError as missing:
        pytest.skip(str(missing))


class Broken(Component):
    """A part with one pin that is not what it should be; the rest is as it was."""

    def __init__(self, part: Any, pin: str, wrong: Callable[[Any], Value]) -> None:
        super().__init__(part.signature)
        self.part, self.pin, self.wrong = part, pin, wrong
        if isinstance(part, Stack):
            self.words = part.words

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.submodules.part = self.part
        for name, member in self.signature.members.items():
            outside, inside = getattr(self, name), getattr(self.part, name)
            target, source, seen = (inside, outside, self) if member.flow is In else (outside, inside, self.part)
            m.d.comb += target.eq(self.wrong(seen) if name == self.pin else source)
        return m


class CarelessController(Controller):
    """Lets a key go to any place."""

    def _waiting(self, m: Module) -> None:
        with m.If(self.keypressed):
            self._toggle(m, Choose.KEY)
            self._go(m, State.userjustmoved)


class UntidyController(Controller):
    """Leaves the last stone of a decided line of play on the board."""

    def _rating(self, m: Module) -> None:
        super()._rating(m)
        with m.If((self.wins | self.full) & ~self.ground):
            m.d.comb += self.toggleN.eq(1)


class ShortKeyboard(Keyboard):
    """Has one key out of the scan path."""

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        register = Signal(9)
        m.d.sync += register.eq(self.keyboardN)
        scan_path(m, self.scan, self.scanin, self.scanout, register[:8])
        return m


class CarelessRegisters(PositionRegisters):
    """Make illegal moves as well."""

    def elaborate(self, platform: object) -> Elaboratable:
        self.illegal_move = Signal()
        return super().elaborate(platform)


class BlindTurnControl(TurnControl):
    """Finds nothing out of turn."""

    def elaborate(self, platform: object) -> Elaboratable:
        self.out_of_turn = Signal()
        return super().elaborate(platform)


def with_block(make: Callable[[], Any], **blocks: Callable[[], Any]) -> Callable[[], Any]:
    """A chip of which some blocks are replaced."""

    def made() -> Any:
        chip = make()
        for name, block in blocks.items():
            setattr(chip, name, block())
        return chip

    return made


class Mutant(NamedTuple):
    """A broken circuit, the claim that it breaks, and how many cycles after power has come on it can do so."""

    make: Callable[[], Any]
    breaks: str
    cycles: int


def half_blind() -> Broken:
    """A full detector that sees the stones of one side."""
    return Broken(FullDetector(), "full", lambda part: stones_of(part.board, 0).all())


MUTANTS = {
    "board-register": Mutant(
        lambda: Broken(BoardRegister(), "toggle", lambda part: part.toggle | part.side),
        "the bit that is addressed changes, and no other",
        cycles=1,
    ),
    "win": Mutant(
        lambda: Broken(WinDetector(), "wins", lambda part: part.wins & ~part.stones.all()),
        "wins is high if and only if one of the eight lines is filled",
        cycles=0,
    ),
    "full": Mutant(half_blind, "full is high if and only if no place is empty", cycles=0),
    "next-free": Mutant(
        lambda: Broken(NextFree(), "usei", lambda part: part.usei & (part.i != 0)),
        "place 0 is answered only if it is empty and behind i",
        cycles=0,
    ),
    "illegal": Mutant(
        lambda: Broken(IllegalMoveDetector(), "illegal", lambda part: (stones_of(part.board, 1) & part.at).any()),
        "illegal is high if and only if a place that is pointed at has a stone",
        cycles=0,
    ),
    "decoder": Mutant(
        lambda: Broken(PositionDecoder(), "enable", lambda part: part.enable | (part.index == 9)),
        "a line is high if and only if it is addressed and enable is high",
        cycles=0,
    ),
    "counter": Mutant(
        lambda: Broken(Counter(), "count", lambda part: part.count & 0b011),
        "the count is one more than in the cycle before",
        cycles=1,
    ),
    "stack": Mutant(
        lambda: Broken(Stack(), "word", lambda part: Mux(part.sp == 6, 0, part.word)),
        "a push puts the word on top",
        cycles=1,
    ),
    "chip1990-board": Mutant(with_block(Core, fsm=CarelessController), "a key leaves a stone on place", cycles=1),
    "chip1990-scan": Mutant(with_block(Core, keyboard=ShortKeyboard), "9 clocks with scan high", cycles=9),
    "chip1990-search": Mutant(
        with_block(Core, fsm=UntidyController), "the board is what was found, and all trials", cycles=10
    ),
    "chip1990-stack": Mutant(with_block(Core, stack=lambda: Stack(width=6, depth=4)), "a push finds room", cycles=11),
    "referee2021-board": Mutant(
        with_block(Referee, position_registers=CarelessRegisters), "an illegal move changes nothing", cycles=2
    ),
    "referee2021-verdict": Mutant(
        with_block(Referee, nospace_detector=half_blind), "no_space means that no place is empty", cycles=10
    ),
    "referee2021-illegal": Mutant(
        with_block(Referee, turn_control=BlindTurnControl),
        "illegal_move means that the rules forbid what is asked for",
        cycles=1,
    ),
    "referee2021-turns": Mutant(
        with_block(Referee, turn_control=BlindTurnControl),
        "the numbers of stones are right when the turn is",
        cycles=3,
    ),
}


@pytest.mark.parametrize("name", PROPERTIES)
def test_every_property_is_proved(name: str) -> None:
    proof = proved_or_skipped(PROPERTIES[name])
    assert proof.holds, proof.counterexample
    assert proof.counterexample is None


@pytest.mark.parametrize("name", PROPERTIES)
def test_every_property_is_refuted_of_a_broken_circuit(name: str) -> None:
    mutant = MUTANTS[name]
    proof = proved_or_skipped(replace(PROPERTIES[name], make=mutant.make), depth=mutant.cycles)
    assert not proof.holds
    assert proof.method == f"a run of {mutant.cycles + 1} cycles"
    assert proof.counterexample is not None
    broken, *run = proof.counterexample.splitlines()
    assert mutant.breaks in broken
    assert run[-1].startswith(f"cycle {mutant.cycles}:")
