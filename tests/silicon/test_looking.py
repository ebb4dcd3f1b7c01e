"""Looking into runs: whatever simulates them, wherever the stretch, however long."""

import shutil

import pytest

from noughts.games import game
from noughts.silicon.designs import DESIGNS, design
from noughts.silicon.driver import IllegalPressError
from noughts.silicon.simulate import runs as looking
from noughts.silicon.simulate.interpreted import Interpreted
from noughts.silicon.simulate.runs import outline, stretch
from noughts.silicon.simulate.watched import Counted, RunTooLongError
from noughts.silicon.tools import MissingToolError

pytestmark = pytest.mark.skipif(
    shutil.which("c++") is None and shutil.which("g++") is None, reason="needs a C++ compiler"
)


CHIP = design("chip1990")


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object, **__: object) -> None:
        raise MissingToolError("no compiler here")

    monkeypatch.setattr(looking, "compiled", missing)
    monkeypatch.setattr(looking, "_compiled", looking._compiled.__wrapped__)


def test_the_printed_run_has_fifty_cycles_and_two_replies() -> None:
    """The keys of the appendix act at the ends of cycles 7 and 44; the last one ends the game."""
    found = outline(design("chip1990"), (), user_first=True)
    assert found.cycles == 50
    assert found.replies == ((0, 5), (7, 37), (44, 46))
    assert found.over
    assert found.simulator == "Verilator"


@pytest.mark.parametrize(("moves", "user_first"), [((), True), (("b2", "b1"), True), (("a1",), False)])
def test_the_chip_is_at_work_in_exactly_the_cycles_that_are_said(moves: tuple[str, ...], user_first: bool) -> None:
    found = outline(design("chip1990"), moves, user_first=user_first)
    trace = stretch(design("chip1990"), moves, 0, found.cycles - 1, user_first=user_first)
    waiting, over = trace.column("prompt")[1::2], trace.column("fin")[1::2]
    at_work = {cycle for first, last in found.replies for cycle in range(first, last + 1)}
    assert at_work == {cycle for cycle in range(found.cycles) if not (waiting[cycle] or over[cycle])}


@pytest.mark.parametrize("name", DESIGNS)
def test_a_stretch_is_a_part_of_the_whole(name: str) -> None:
    moves = () if name == "elements2021" else ("b2", "c3")
    cycles = min(2_000, outline(design(name), moves, user_first=True).cycles)
    whole = stretch(design(name), moves, 0, cycles - 1, user_first=True)
    first, last = cycles // 3, cycles // 2
    assert stretch(design(name), moves, first, last, user_first=True) == whole.window(first, last)


@pytest.mark.parametrize("name", ["chip1990", "referee2021"])
def test_a_run_leaves_nothing_behind_for_the_next(name: str) -> None:
    before = stretch(design(name), (), 0, 9, user_first=True)
    outline(design(name), ("c1", "b3"), user_first=False)
    assert stretch(design(name), (), 0, 9, user_first=True) == before


@pytest.mark.usefixtures("no_compiler")
@pytest.mark.parametrize("name", ["chip1990", "referee2021"])
def test_without_a_compiler_the_run_is_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = outline(design(name), (), user_first=True)
    monkeypatch.undo()
    quick = outline(design(name), (), user_first=True)
    assert slow.simulator == "Amaranth"
    assert quick.simulator == "Verilator"
    assert slow._replace(simulator="") == quick._replace(simulator="")


@pytest.mark.usefixtures("no_compiler")
def test_values_with_a_sign_come_out_of_amaranths_simulator_as_bits() -> None:
    trace = stretch(design("chip1990"), (), 0, 49, user_first=True)
    assert set(trace.column("r")) == {0, 3}


@pytest.mark.usefixtures("no_compiler")
def test_a_run_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "MOST_INTERPRETED", 60)
    assert outline(design("chip1990"), (), user_first=True).cycles == 50
    with pytest.raises(RunTooLongError, match="more than 60 cycles"):
        outline(design("chip1990"), ("b2",), user_first=True)
    with pytest.raises(RunTooLongError, match="more than 60 cycles"):
        stretch(design("chip1990"), ("b2",), 20, 70, user_first=True)


def test_not_one_cycle_more_than_allowed_is_run() -> None:
    counted = Counted(Interpreted(CHIP.inside()), CHIP.driver, 7)
    with pytest.raises(RunTooLongError):
        counted.clock(8)
    assert counted.cycles == 7


@pytest.mark.parametrize("name", DESIGNS)
def test_the_longest_games_are_allowed(name: str) -> None:
    """With the machine beginning, against the user who takes the first free place."""
    moves: list[str] = []
    while True:
        found = outline(design(name), tuple(moves), user_first=False)
        if found.over or len(moves) > 8:
            break
        taken = found.stones[0] | found.stones[1]
        moves.append(next(point for place, point in enumerate(POINTS) if not taken >> place & 1))
    assert found.over
    assert found.cycles < looking.MOST_COMPILED


POINTS = game("tictactoe").layout.points


def test_a_move_onto_a_stone_is_refused_with_its_number() -> None:
    with pytest.raises(IllegalPressError, match="move 2, 'b2'"):
        outline(design("chip1990"), ("b2", "b2"), user_first=True)


def test_the_stones_are_those_of_the_moves() -> None:
    """The referee keeps what it is told: the player on a1 and c3, the computer on b2."""
    found = outline(design("referee2021"), ("a1", "b2", "c3"), user_first=True)
    assert found.stones == (1 << 4, 1 << 0 | 1 << 8)
    assert not found.over
