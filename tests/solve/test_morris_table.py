"""Single positions looked up in tables: the right byte, the right order of moves, quickly."""

import json
import os
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from random import Random
from time import perf_counter

import pytest

from morris_six import SIX, InMemory, any_placed, meaning, six, solved_byte, whole_six, write_table
from noughts.games import Outcome, Position, game
from noughts.games.points import point_set
from noughts.solve.morris.making import solve_into
from noughts.solve.morris.numbering import numbering_of, sets_of
from noughts.solve.morris.retrograde import solve_morris
from noughts.solve.morris.table import Probe
from noughts.solve.store import Store
from noughts.solve.value import DRAWN, UNKNOWN, Value

pytestmark = pytest.mark.slow

SIZES = [(mover, other) for mover in range(3, 7) for other in range(3, 7)]


def test_every_position_of_three_against_three_is_found() -> None:
    probe = Probe(six(), SIX)
    found = 0
    for own in combinations(range(16), 3):
        for other in combinations([point for point in range(16) if point not in own], 3):
            position = Position((point_set(own), point_set(other)), (0, 0), 0)
            assert probe.value(position) == meaning(solved_byte(position))
            found += 1
    assert found == 560 * 286


@pytest.mark.parametrize(("mover", "other"), SIZES)
def test_positions_of_every_subspace_are_found(mover: int, other: int) -> None:
    random = Random(10 * mover + other)
    probe = Probe(six(), SIX)
    for _ in range(1500):
        position = any_placed(random, mover, other)
        assert probe.value(position) == meaning(solved_byte(position))
        assert probe.value(position) == probe.value(position.swapped())


@pytest.mark.parametrize("name", ["six-mens-morris", "nine-mens-morris"])
def test_classes_are_numbered_as_the_solver_numbers_them(name: str) -> None:
    layout = game(name).layout
    for stones in range(7):
        assert numbering_of(layout).representatives(stones) == sets_of(layout, stones).representatives.tolist()


def promised(position: Position) -> Value:
    """The value of a position from the moves that the rules give it and the values of what they lead to."""
    moves = SIX.moves(position)
    if not moves:
        return Value(Outcome.LOSS, 0)
    wins, draws, losses = [], 0, []
    for move in moves:
        after = SIX.after(position, move)
        lost = SIX.over(after) is not None
        value = Value(Outcome.LOSS, 0) if lost else meaning(solved_byte(after))
        if value.outcome is Outcome.LOSS:
            wins.append(1 if move.capture is not None else 1 + (value.remoteness or 0))
        elif value.outcome is Outcome.WIN:
            losses.append(1 + (value.remoteness or 0))
        else:
            draws += 1
    if wins:
        return Value(Outcome.WIN, min(wins))
    return DRAWN if draws else Value(Outcome.LOSS, max(losses))


@pytest.mark.parametrize(("mover", "other"), SIZES)
def test_the_best_move_is_worth_what_the_position_is(mover: int, other: int) -> None:
    random = Random(mover - 10 * other)
    probe = Probe(six(), SIX)
    for _ in range(150):
        position = any_placed(random, mover, other)
        rated = probe.moves(position)
        assert {one.move for one in rated} == set(SIX.moves(position))
        assert all(one.position == SIX.after(position, one.move) for one in rated)
        order = [one.value.preference() for one in rated]
        assert order == sorted(order, reverse=True)
        value = probe.value(position)
        assert value == promised(position)
        assert value == (rated[0].value if rated else Value(Outcome.LOSS, 0))


def test_the_quiet_moves_of_a_position_lie_in_one_block() -> None:
    source = InMemory(SIX, six().solved)
    random = Random(5)
    seen = 0
    for _ in range(300):
        position = any_placed(random, random.randint(3, 6), random.randint(3, 6))
        if any(move.capture is not None for move in SIX.moves(position)):
            continue
        source.blocks_read.clear()
        if Probe(source, SIX).moves(position):
            seen += 1
            assert len(source.blocks_read) == 1
    assert seen > 100


def test_fewer_than_three_stones_are_lost_and_so_is_a_side_without_a_move() -> None:
    probe = Probe(six(), SIX)
    assert probe.value(SIX.read("XX./.../..../.O./O.O x")) == Value(Outcome.LOSS, 0)
    shut_in = SIX.read("XOX/.../O..O/.../XOX x")
    assert probe.value(shut_in) == Value(Outcome.LOSS, 0)
    assert probe.moves(shut_in) == []


def test_stones_in_hand_are_unknown_to_a_probe_of_placed_positions() -> None:
    assert Probe(six(), SIX).value(SIX.start()) == UNKNOWN
    assert Probe(whole_six(), SIX).value(SIX.start()) == DRAWN


def test_what_a_table_lacks_is_unknown() -> None:
    nine = game("nine-mens-morris")
    probe = Probe(InMemory(nine, list(solve_morris(nine, 3))), nine)
    random = Random(1)
    assert probe.value(any_placed(random, 4, 3, nine)) == UNKNOWN
    known = any_placed(random, 3, 3, nine)
    assert probe.value(known) != UNKNOWN
    assert {one.value for one in probe.moves(any_placed(random, 4, 4, nine))} == {UNKNOWN}


def test_nine_mens_morris_with_three_stones_each_agrees_with_its_moves() -> None:
    """Three against three: any capture wins, so the game is complete in itself."""
    nine = game("nine-mens-morris")
    probe = Probe(InMemory(nine, list(solve_morris(nine, 3))), nine)
    random = Random(2)
    for _ in range(200):
        position = any_placed(random, 3, 3, nine)
        assert probe.moves(position)[0].value == probe.value(position)


@pytest.mark.parametrize("with_table", [True, False])
def test_looking_up_loads_no_compiler(tmp_path: Path, with_table: bool) -> None:
    """A placed position from a table, with its moves; and the empty board from the book that comes with Noughts."""
    nine = game("nine-mens-morris")
    if with_table:
        solve_into(Store.create(tmp_path / nine.name, nine), 3)
    question = ["X.X/.../.X./...O../.../.O./..O x"] if with_table else []
    script = (
        "import sys; from noughts.cli.main import run; code = run(sys.argv[1:]); "
        "print(code, 'numba' in sys.modules, 'noughts.solve.morris.kernel' in sys.modules, file=sys.stderr)"
    )
    command = [sys.executable, "-c", script, "value", nine.name, *question, "--json"]
    environment = os.environ | {"NOUGHTS_TABLES": str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stderr == "0 False False\n"
    found = json.loads(done.stdout)
    assert found["value"] == ("win" if with_table else "draw")
    assert len(found["moves"]) > 20


def test_all_moves_are_found_on_disk_without_delay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = write_table(tmp_path / "table")
    disk, memory = Probe(store, SIX), Probe(six(), SIX)
    random = Random(3)
    positions = [any_placed(random, *size) for size in SIZES for _ in range(10)]
    answers = [disk.moves(position) for position in positions]
    assert answers == [memory.moves(position) for position in positions]
    times = []
    for position in positions:
        began = perf_counter()
        disk.moves(position)
        times.append(perf_counter() - began)
    with capsys.disabled():
        print(f" all moves, warm: {1000 * sum(times) / len(times):.2f} ms, at most {1000 * max(times):.2f} ms ", end="")
    assert sorted(times)[len(times) // 2] < 0.02
