"""Placing games in layers: the same values as from other solvers, and a check that finds whatever is wrong."""

import json
import shutil
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from importlib import import_module
from itertools import combinations
from math import comb
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from noughts.games import NoughtsError, Outcome, Position, game
from noughts.games.points import point_set
from noughts.games.symmetry import apply
from noughts.players import player
from noughts.solve import Extent, Source, knowledge, solve
from noughts.solve.layers import check, making
from noughts.solve.layers.making import SolvedLayer, Solver, solve_layers
from noughts.solve.layers.numbering import NEVER, Layers, classes_of, group_of, images_of, stones_of
from noughts.solve.layers.table import LayerTable, open_table
from noughts.solve.small import solving_at_most
from noughts.solve.store import Store, TableError
from noughts.solve.tables import how_to_make, table_for
from noughts.solve.value import Value
from oracles import boards, rows, values

pytestmark = pytest.mark.slow

COUNTS = Path(__file__).parents[2] / "docs" / "layers.json"
OUTCOMES = COUNTS.with_name("outcomes.json")
SUMS = ("positions", "wins", "draws", "losses")


def oracle(columns: int, lines: int, length: int) -> rows.PlacingGame:
    """The rules of mnk, from their prose."""
    return rows.PlacingGame(boards.grid(columns, lines), boards.straight_lines(columns, lines, length), length)


def table_of(name: str, folder: Path, check: bool = False) -> Store:
    """A game's table, made in layers."""
    store = Store.create(folder, game(name))
    solve_layers(store.game, store, check=check)
    return store


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The table of mnk:4,3,3, for tests that do not change it."""
    folder = tmp_path_factory.mktemp("tables") / "mnk:4,3,3"
    table_of("mnk:4,3,3", folder)
    return folder


@pytest.fixture
def table(small: Path, tmp_path: Path) -> Store:
    """A copy of it."""
    shutil.copytree(small, tmp_path / "table")
    return Store.open(tmp_path / "table")


# The numbering


@pytest.mark.parametrize("name", ["tictactoe", "mnk:4,2,2", "mnk:5,2,2"])
def test_positions_share_a_number_only_with_their_images(name: str) -> None:
    rules = game(name)
    points, form = len(rules.layout), Layers(rules)
    for key in form.order():
        x_stones, o_stones = stones_of(sum(key))
        blocks, size = form.shape(key)
        seen = defaultdict(set)
        for x in map(point_set, combinations(range(points), x_stones)):
            if rules.layout.has_row(x):
                continue
            for o in map(point_set, combinations([point for point in range(points) if not x >> point & 1], o_stones)):
                hand = (rules.rules.stones[0] - x_stones, rules.rules.stones[1] - o_stones)
                position = Position((x, o), hand, (x_stones + o_stones) % 2)
                assert form.key(position) == key
                seen[form.number(position)].add((x, o))
        assert all(block < blocks and place < size for block, place in seen)
        for positions in seen.values():
            x, o = next(iter(positions))
            assert positions <= {(apply(one, x), apply(one, o)) for one in group_of(rules.layout)}


@pytest.mark.parametrize("name", ["mnk:5,5,4", "mnk:5,5,5", "mnk:4,6,4", "mnk:3,8,8"])
@pytest.mark.parametrize("stones", [0, 1, 4, 6, 24])
def test_classes_have_all_sets_between_them(name: str, stones: int) -> None:
    layout = game(name).layout
    classes = classes_of(layout, stones)
    sets = [point_set(chosen) for chosen in combinations(range(len(layout)), stones)]
    kept = [points for points in sets if not layout.has_row(points)]
    assert classes.weights.sum() == len(kept)
    assert set(classes.sets.tolist()) <= set(kept)
    common = [[line for line in layout.line_sets if points & line == line] for points in sets]
    won = [lines for lines in common if lines and np.bitwise_and.reduce(lines)]
    assert classes.won_weights.sum() == len(won)


def test_25_cells_of_four_in_a_row_have_16191952394_bytes() -> None:
    form = Layers(game("mnk:5,5,4"))
    assert sum(blocks * size for blocks, size in map(form.shape, form.order())) == 16_191_952_394
    assert making.memory_needed(game("mnk:5,5,4")) < 8e9
    assert sum(map(form.ways, form.order())) == sum(comb(25, k) * comb(k, k // 2) for k in range(26))


def test_lines_with_too_many_symmetries_are_classed_by_turns_and_mirrors() -> None:
    assert len(group_of(game("mnk:3,8,8").layout)) == 4
    assert images_of(game("mnk:5,5,5").layout).shape == (32, 4, 256)


# The values


@pytest.mark.parametrize("size", [(3, 3, 3), (4, 3, 3), (5, 2, 2), (4, 2, 3), (2, 1, 2), (1, 1, 1)])
def test_every_value_is_that_of_a_solver_written_from_the_prose(size: tuple[int, int, int], tmp_path: Path) -> None:
    name = f"mnk:{size[0]},{size[1]},{size[2]}"
    found, right = LayerTable(table_of(name, tmp_path / "table")), values.solve(oracle(*size))
    points = range(size[0] * size[1])
    for state, (outcome, plies) in right.items():
        stones = tuple(point_set(point for point in points if state.cells[point] == mark) for mark in "XO")
        hand = tuple(total - one.bit_count() for total, one in zip(found.game.rules.stones, stones, strict=True))
        position = Position(stones, hand, "xo".index(state.turn))  # type: ignore[arg-type]
        assert found.probe(position) == Value(Outcome(outcome), plies)


@pytest.mark.parametrize("name", ["tictactoe", "mnk:5,3,3", "mnk:3,5,4", "mnk:7,2,7", "square4", "mnk:3,6,3"])
def test_the_counts_are_those_of_the_solver_of_small_boards(name: str) -> None:
    rows = solve_layers(game(name), check=True)[::-1]
    right = solve(name).subspaces
    assert [row._replace(seconds=0) for row in rows] == [row._replace(seconds=0) for row in right]


def test_a_board_that_is_too_large_to_be_kept_in_memory_is_won_as_the_search_says() -> None:
    rules = game("mnk:7,3,3")
    (row,) = solve_layers(rules)[-1:]
    assert (row.name, row.positions, row.wins, row.deepest_win) == ("0-0", 1, 1, 7)
    searched = knowledge(rules).ask(rules.start())
    assert (searched.source, searched.value) == (Source.SEARCH, Value(Outcome.WIN, 7))


def test_all_cores_and_one_give_the_same_bytes(small: Path, tmp_path: Path) -> None:
    one = Store.create(tmp_path / "one", game("mnk:4,3,3"))
    solve_layers(one.game, one, solver=Solver(one.game, 1))
    several = Store.open(small)
    for key in one.form.order():
        assert (one.read(*key) == several.read(*key)).all()
        assert one.entry(key).sha256 == several.entry(key).sha256


RECORDED: dict[str, Any] = json.loads(COUNTS.read_text("utf-8")) | json.loads(OUTCOMES.read_text("utf-8"))
"""The counts of large boards, as they come with the documents."""


@pytest.mark.parametrize("name", ["mnk:5,5,4", "mnk:5,5,5"])
def test_the_upper_layers_of_25_cells_are_those_of_the_documents(name: str) -> None:
    solver, above, right = Solver(game(name)), None, RECORDED[name]["subspaces"]
    for stones in range(25, 22, -1):
        above = solver.solve(stones, None if above is None else above.scores, lambda _done: None)
        said = {field: count for field, count in above.summary()._asdict().items() if field != "seconds"}
        assert said == right[stones]


def test_the_upper_layers_of_28_cells_are_those_of_the_documents() -> None:
    solver, above, right = Solver(game("mnk:7,4,4")), None, RECORDED["mnk:7,4,4"]["subspaces"]
    for stones in (28, 27):
        above = solver.solve(stones, None if above is None else above.scores, lambda _done: None)
        said = above.summary()._asdict()
        assert {field: said[field] for field in ("name", *SUMS)} == {
            field: right[stones][field] for field in ("name", *SUMS)
        }


def test_the_counts_of_the_documents_fit_together() -> None:
    for name, found in RECORDED.items():
        form = Layers(game(name))
        for row, key in zip(found["subspaces"], form.order()[::-1], strict=True):
            assert row["positions"] == row["wins"] + row["draws"] + row["losses"] <= row["slots"] == form.ways(key)
        for field in SUMS:
            assert found[field] == sum(row[field] for row in found["subspaces"])


def test_the_page_has_the_counts_of_the_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(COUNTS.parent)
    page = (COUNTS.parent / "solving.md").read_text("utf-8")
    for file, script in ((COUNTS, "make_layers"), (OUTCOMES, "make_outcomes")):
        rows_of = import_module(script).rows_of
        for name, counts in json.loads(file.read_text("utf-8")).items():
            assert f"<!-- layers of {name} -->\n\n{rows_of(counts)}\n<!-- end -->" in page


# The table


def test_a_table_is_asked_like_any_other(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, random = game("mnk:4,3,3"), Random(3)
    monkeypatch.setenv("NOUGHTS_TABLES", str(small.parent))
    whole = solve(rules)
    found = table_for(rules)
    assert found is not None
    assert found.complete
    with solving_at_most(9):
        assert knowledge(rules).extent is Extent.EVERY_POSITION
        for position in random.sample(list(whole.positions()), 300):
            answer = knowledge(rules).ask(position)
            assert answer.value == whole.value(position)
            if rules.over(position) is None:
                assert (answer.source, answer.reason) == (Source.TABLE, "from the table")
                assert answer.moves == whole.moves(position)
                assert player("perfect", 1).choose(rules, position).move in {
                    one.move for one in answer.moves if one.value == answer.moves[0].value
                }


def test_without_a_table_the_answer_says_how_to_make_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = game("mnk:5,5,4")
    monkeypatch.setenv("NOUGHTS_TABLES", str(tmp_path))
    assert knowledge(rules).extent is Extent.SOME_POSITIONS
    assert (
        knowledge(rules).missing
        == f"there is no whole table of it here; expected {how_to_make(rules)} to have been run"
    )
    assert how_to_make(rules) == "noughts solve mnk:5,5,4 --out $NOUGHTS_TABLES/mnk:5,5,4"
    assert knowledge(rules).solved == "with a table"
    assert knowledge(game("mnk:6,6,4")).solved == "not yet"


def test_what_takes_seconds_to_solve_is_looked_up_in_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_TABLES", str(tmp_path))
    table_of("mnk:17,1,2", tmp_path / "mnk:17,1,2")
    for name, source in (("mnk:17,1,2", Source.TABLE), ("mnk:4,3,3", Source.SOLUTION)):
        rules = game(name)
        answer = knowledge(rules).ask(rules.start())
        assert (answer.value, answer.source) == (solve(rules).value(rules.start()), source)


def test_a_check_while_solving_compares_what_the_manifest_says(table: Store) -> None:
    path = table.folder / "manifest.json"
    manifest = json.loads(path.read_text())
    row = next(row for row in manifest["subspaces"] if row["name"] == "0-0")
    row |= {"wins": 0, "draws": 1, "deepest_win": None}
    path.write_text(json.dumps(manifest))
    with pytest.raises(check.WrongByteError, match="the manifest gives 0-0 wins 0, expected 1"):
        solve_layers(table.game, Store.open(table.folder), check=True)
    run = making.Making(table.game, table.folder, check=False)
    assert run.start(run.solve(None)) == solve(table.game).value(table.game.start()), "by the bytes"


def test_a_layer_that_was_deleted_is_made_again(table: Store) -> None:
    made = {path.relative_to(table.folder): path.read_bytes() for path in table.folder.glob("*/c.*")}
    for name in ("4-4", "0-0"):
        shutil.rmtree(table.folder / name)
    with pytest.raises(
        TableError, match=r"lacks subspace 4-4, which its manifest names: expected noughts solve .* run"
    ):
        Store.open(table.folder)
    making.Making(table.game, table.folder, check=False).solve(None)
    assert {path.relative_to(table.folder): path.read_bytes() for path in table.folder.glob("*/c.*")} == made
    assert check.verify_layers(Store.open(table.folder)).first_wrong is None


def test_a_part_of_a_table_says_what_it_knows(table: Store) -> None:
    rules = table.game
    part = {key: table.entry(key) for key in table.form.order() if sum(key) >= 6}
    found = LayerTable(Store(table.folder, rules, part))
    assert not found.complete
    assert found.probe(rules.start()) is None
    late, early = rules.read("XOXO/OX../.... x"), rules.read("XOXO/X.../.... o")
    assert found.probe(late) == solve(rules).value(late)
    assert found.probe(early) is None
    assert found.moves(early) == solve(rules).moves(early)


def test_a_position_is_looked_up_without_a_compiler(small: Path) -> None:
    script = f"""
import sys
from noughts.solve.layers.table import open_table
from pathlib import Path
table = open_table(Path({str(small)!r}))
print(table.probe(table.game.start()), "numba" in sys.modules)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "win in 7 False\n"


KILLED = """
import sys, time
from pathlib import Path
from noughts.games import game
from noughts.solve import store
from noughts.solve.layers.making import solve_layers

write_manifest = store._write_manifest
def naming(folder, game, entries):
    if (3, 4) in entries:
        print("now", flush=True)
        time.sleep(600)
    write_manifest(folder, game, entries)
store._write_manifest = naming
made = store.Store.create(Path(sys.argv[1]), game("mnk:4,3,3"))
solve_layers(made.game, made)
"""


def test_a_run_that_was_killed_goes_on_to_the_same_table(tmp_path: Path, small: Path) -> None:
    run = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path / "killed")], stdout=subprocess.PIPE, text=True)
    assert run.stdout is not None
    assert run.stdout.readline() == "now\n"
    run.send_signal(signal.SIGKILL)
    assert run.wait() == -signal.SIGKILL
    run.stdout.close()
    left = Store.create(tmp_path / "killed", game("mnk:4,3,3"))
    assert left.keys() == [(6, 6), (5, 6), (5, 5), (4, 5), (4, 4)]
    read: list[Any] = []
    whole = left.read
    left.read = lambda *key, **more: read.append(key) or whole(*key, **more)  # type: ignore[method-assign,func-returns-value]
    solve_layers(left.game, left)
    assert read == [(4, 4)]
    right = Store.open(small)
    for key in right.form.order():
        assert left.entry(key).sha256 == right.entry(key).sha256
        assert left.entry(key).row._replace(seconds=0) == right.entry(key).row._replace(seconds=0)


# The check


def test_a_right_table_passes(small: Path) -> None:
    store = Store.open(small)
    slots = sum(int(np.prod(store.form.shape(key))) for key in store.form.order())
    assert check.verify_layers(store) == (slots, None, ())
    sampled = check.verify_layers(store, 7)
    assert (sampled.checked, sampled.first_wrong, sampled.unchecked) == (13 * 7, None, ())


def lie(store: Store, key: tuple[int, int], place: int, byte: int) -> None:
    """Write a byte, and sums that fit it."""
    entry, values = store.entry(key), store.read(*key)
    values[place] = byte

    class Lie:
        def __init__(self) -> None:
            self.key = key

        def part(self, first: int, last: int) -> Any:
            return values[first:last]

        def summary(self) -> Any:
            return entry.row

    store.write(Lie())


@pytest.mark.parametrize("key", [(6, 6), (5, 6), (4, 5), (3, 3), (2, 3), (1, 1), (0, 0)])
def test_a_wrong_byte_is_found_and_named(table: Store, key: tuple[int, int]) -> None:
    random = Random(sum(key))
    right = table.read(*key)
    place = random.choice([place for place, byte in enumerate(right) if byte != NEVER])
    wrong = random.choice([byte for byte in (0, 1, 2, 3, 254, 255) if byte != right[place]])
    lie(table, key, place, wrong)
    found = check.verify_layers(Store.open(table.folder))
    assert found.first_wrong is not None
    position = table.game.read(found.first_wrong.split("'")[1])
    assert position.occupied.bit_count() in (sum(key), sum(key) - 1)
    expected = solve(table.game).value(position)
    said = "draw" if expected.outcome is Outcome.DRAW else str(expected)
    assert found.first_wrong.endswith(f", expected {said}")


def test_a_wrong_byte_is_found_wherever_it_is(table: Store) -> None:
    rules, stones = table.game, 5
    above, values = table.read(3, 3), table.read(2, 3)
    for place in range(0, len(values), 11):
        wrong = values.copy()
        wrong[place] = 255 if values[place] != 255 else 0
        found = check.check_layer(rules, stones, wrong, above)
        assert found.wrong is not None
        assert found.wrong[2] == wrong[place]
    assert check.check_layer(rules, stones, values, above).wrong is None


def test_a_sample_finds_a_layer_of_nonsense(table: Store) -> None:
    for place in range(200):
        lie(table, (3, 3), place, 255)
    lying = Store.open(table.folder)
    found = check.verify_layers(lying, 40)
    assert found.first_wrong is not None
    assert "is stored as" in found.first_wrong


@pytest.mark.parametrize("field", ["positions", "deepest_win"])
def test_sums_that_are_wrong_are_found(table: Store, field: str) -> None:
    path = table.folder / "manifest.json"
    manifest = json.loads(path.read_text())
    row = next(row for row in manifest["subspaces"] if row["name"] == "3-3")
    row[field] += 2
    if field == "positions":
        row["wins"] += 2
    path.write_text(json.dumps(manifest))
    found = check.verify_layers(Store.open(table.folder))
    assert found.first_wrong is not None
    assert found.first_wrong.startswith(f"the manifest gives 3-3 {field} {row[field]}, expected ")


def test_what_a_broken_table_says_is_one_line(table: Store) -> None:
    chunk = next((table.folder / "0-0").glob("c.*"))
    chunk.write_bytes(chunk.read_bytes()[:-1] + b"!")
    with pytest.raises(TableError, match=r"subspace 0-0 of .* is damaged") as said:
        open_table(table.folder).probe(table.game.start())
    assert "\n" not in str(said.value)
    assert "is damaged" in str(check.verify_layers(Store.open(table.folder)).first_wrong)


@pytest.mark.parametrize("byte", [NEVER, 13, 100])
def test_a_byte_that_no_position_has_is_refused(table: Store, byte: int) -> None:
    lie(table, (0, 0), 0, byte)
    with pytest.raises(TableError, match=rf"gives '.*' the byte {byte}: expected at most 12, or 255"):
        open_table(table.folder).probe(table.game.start())


def test_layers_without_the_one_above_are_not_called_right(table: Store) -> None:
    path = table.folder / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["subspaces"] = [row for row in manifest["subspaces"] if row["name"] != "3-4"]
    path.write_text(json.dumps(manifest))
    found = check.verify_layers(Store.open(table.folder))
    assert (found.first_wrong, found.unchecked) == (None, ("3-3",))
    assert check.verify_layers(Store.open(table.folder), 5).unchecked == ("3-3",)


def test_the_check_while_solving_sees_what_the_solver_gets_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Solver.solve

    def sloppy(self: Solver, stones: int, above: Any, done: Callable[[int], None]) -> SolvedLayer:
        solved = whole(self, stones, above, done)
        if stones == 6:
            solved.scores[100] = 0 if solved.scores[100] else 91
        return solved

    monkeypatch.setattr(Solver, "solve", sloppy)
    with pytest.raises(check.WrongByteError, match=r"'.*' is stored as .*, expected"):
        solve_layers(game("mnk:4,3,3"), check=True)
    solve_layers(game("mnk:4,3,3"))


def test_too_little_memory_is_said_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "memory_available", lambda: 2_000_000_000)
    with pytest.raises(NoughtsError, match=r"2.0 GB of memory are available: expected 5.9 GB to solve mnk:5,5,4"):
        making.Making(game("mnk:5,5,4"), None, check=False)
