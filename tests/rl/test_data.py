"""Data sets read back from their files: every row against oracles and the solver, classes, samples."""

from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import zarr
from numpy.typing import NDArray

from noughts.games import NoughtsError, Outcome, game
from noughts.rl.actions import actions
from noughts.rl.data import ILLEGAL, NO_PLIES, UNKNOWN, DataSet, Rows, Written, sets, write
from noughts.rl.data.columns import held_out
from noughts.rl.data.listed import Listed
from noughts.rl.evaluation import Judge
from noughts.rl.observation import observe
from noughts.rl.policy import by_observation
from noughts.solve import Effort, knowledge, solve
from noughts.solve.difficulty import difficulties
from oracles import knuth as knuth_oracle
from oracles import oracle
from oracles import solve as solve_slowly

NUMBERS = {"win": 1, "draw": 0, "loss": -1, Outcome.WIN: 1, Outcome.DRAW: 0, Outcome.LOSS: -1}

Row = dict[str, Any]


def rows_of(path: Path) -> list[Row]:
    """The rows of a Parquet file."""
    rows: list[Row] = pq.read_table(path).to_pylist()
    return rows


def arrays_of(path: Path) -> Rows:
    """The columns of a Zarr group."""
    group = zarr.open_group(path, mode="r")
    return {name: np.asarray(array[:]) for name, array in group.arrays()}


def together(data: DataSet) -> Rows:
    """All rows of a data set, from its batches."""
    batches = list(data.batches())
    return {name: np.concatenate([batch[name] for batch in batches]) for name in batches[0]}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    return write(DataSet("tictactoe"), tmp_path_factory.mktemp("data") / "tictactoe.parquet")


@pytest.fixture(scope="module")
def rows(written: Written) -> list[Row]:
    return rows_of(written.path)


def check_against_oracle(row: Row, values: dict[str, tuple[str, int | None]], after: dict[str, str]) -> None:
    """One row, by an oracle's values of all positions and the positions after its moves."""
    outcome, remoteness = values[row["position"]]
    assert (row["value"], row["remoteness"]) == (NUMBERS[outcome], remoteness)
    worth = {move: -NUMBERS[values[then][0]] for move, then in after.items()}
    plies = {move: values[then][1] for move, then in after.items()}
    names = actions(game("tictactoe")).names
    assert row["action_values"] == [worth.get(name, ILLEGAL) for name in names]
    optimal = [name for name in names if worth.get(name) == row["value"]]
    assert row["optimal_moves"] == optimal
    assert row["optimal_actions"] == [name in optimal for name in names]
    # As soon as can be where it is won, as late where it is lost; draws all end with the full board.
    kept = [plies[name] or 0 for name in optimal]
    wanted = {1: min, 0: max, -1: max}[row["value"]](kept, default=0)
    assert row["best_actions"] == [name in optimal and plies[name] == wanted for name in names]


def test_every_position_of_tictactoe_against_the_oracle(rows: list[Row]) -> None:
    judge = oracle("tictactoe")
    solved = solve_slowly(judge)
    values = {judge.text(state): value for state, value in solved.items()}
    states = {judge.text(state): state for state in solved}
    assert len(rows) == 5478
    assert {row["position"] for row in rows} == set(values)
    for row in rows:
        state = states[row["position"]]
        after = {move: judge.text(judge.play(state, move)) for move in judge.moves(state)}
        check_against_oracle(row, values, after)
        assert row["turn"] == "xo".index(state.turn)
        assert row["ply"] == 9 - state.cells.count(".")
        own, other = state.turn.upper(), "O" if state.turn == "x" else "X"
        assert row["observation"] == [cell == side for cell in state.cells for side in (own, other)]


def test_scores_difficulties_and_classes_of_tictactoe_against_the_oracle_of_knuth(rows: list[Row]) -> None:
    classes: dict[str, knuth_oracle.Position] = {}
    for row in rows:
        position = tuple(row["position"].replace(".", " ").replace("/", ""))
        assert row["score"] == knuth_oracle.score(position)
        assert row["difficulty"] == [*knuth_oracle.difficulty(position), row["difficulty"][8]]
        assert row["difficulty"][8] == 0
        assert row["images"] == knuth_oracle.size(position)
        # His leaders are others than ours, but the classes are the same.
        assert classes.setdefault(row["leader"], knuth_oracle.leader(position)) == knuth_oracle.leader(position)
    assert len(classes) == len(set(classes.values())) == 765


@pytest.mark.slow
@pytest.mark.parametrize("name", ["three-mens-morris", "arabian", "achi"])
def test_every_position_of_the_moving_games_against_the_solver(name: str, tmp_path: Path) -> None:
    played = game(name)
    solution, numbered = solve(played), actions(played)
    path = write(DataSet(played), tmp_path / "moving.parquet").path
    rows = {row["position"]: row for row in rows_of(path)}
    positions = list(solution.positions())
    assert set(rows) == {played.write(position) for position in positions}
    for position in positions:
        row, value, moves = rows[played.write(position)], solution.value(position), solution.moves(position)
        assert (row["value"], row["remoteness"]) == (NUMBERS[value.outcome], value.remoteness)
        assert {numbered.number(one.move): NUMBERS[one.value.outcome] for one in moves} == {
            number: worth for number, worth in enumerate(row["action_values"]) if worth != ILLEGAL
        }
        assert set(row["optimal_moves"]) == {
            played.write_move(one.move) for one in moves if one.value.outcome is value.outcome
        }
        best = {numbered.number(one.move) for one in moves if one.rank == moves[0].rank}
        assert set(np.flatnonzero(row["best_actions"])) == best
        assert row["observation"] == observe(played, position, position.turn).ravel().tolist()
        assert row["leader"] == played.write(played.canonical(position))
        assert row["ply"] == (None if position.hand == (0, 0) else sum(played.rules.stones) - sum(position.hand))


def test_a_zarr_group_has_the_same_columns(written: Written, tmp_path: Path) -> None:
    data = DataSet("tictactoe")
    group = arrays_of(write(data, tmp_path / "set.zarr").path)
    table = pq.read_table(written.path)
    assert set(group) == {column.name for column in data.columns}
    assert group["observation"].shape == (5478, 3, 3, 2)
    for name, values in group.items():
        expected = table[name].to_pylist()
        assert values.reshape(5478, -1).tolist() == [one if isinstance(one, list) else [one] for one in expected], name


def test_in_zarr_a_number_stands_for_what_is_not_there(tmp_path: Path) -> None:
    data = DataSet("arabian", sample=300)
    group = arrays_of(write(data, tmp_path / "set.zarr").path)
    rows = rows_of(write(data, tmp_path / "set.parquet").path)
    assert [None if plies == NO_PLIES else plies for plies in group["remoteness"]] == [
        row["remoteness"] for row in rows
    ]
    assert NO_PLIES in group["remoteness"]
    assert zarr.open_group(tmp_path / "set.zarr")["remoteness"].attrs["missing"] == NO_PLIES


def test_larger_boards_row_by_row_against_the_solver() -> None:
    """Of 12 cells: sets have two halves, and difficulties come from the compiled tables."""
    played = game("mnk:4,3,3")
    data = together(DataSet(played, sample=300))
    solution, judged = solve(played), difficulties(played)
    for row in range(300):
        position = played.read(str(data["position"][row]))
        value, moves = solution.value(position), solution.moves(position)
        assert (data["value"][row], data["remoteness"][row]) == (NUMBERS[value.outcome], value.remoteness)
        worth = {one.move.to: NUMBERS[one.value.outcome] for one in moves}
        assert data["action_values"][row].tolist() == [worth.get(cell, ILLEGAL) for cell in range(12)]
        best = {one.move.to for one in moves if one.value.preference() == moves[0].value.preference()}
        assert set(np.flatnonzero(data["best_actions"][row])) == best
        assert (data["score"][row], tuple(data["difficulty"][row])) == judged.appraise(position)
        assert data["leader"][row] == played.write(played.canonical(position))
        assert data["images"][row] == len(played.images(position))
        assert (data["observation"][row] == observe(played, position, position.turn)).all()


def test_who_plays_what_a_data_set_says_never_errs_in_the_environment() -> None:
    """The observations and actions are those of the environments; where colours do not matter, they do not differ."""
    data = together(DataSet("three-mens-morris"))
    learned = {
        seen.tobytes(): played / played.sum()
        for seen, played in zip(data["observation"], data["best_actions"], strict=True)
        if played.any()
    }

    def policy(observations: NDArray[np.int8], _masks: NDArray[np.int8]) -> NDArray[np.float64]:
        return np.array([learned[seen.tobytes()] for seen in observations])

    assert Judge("three-mens-morris").mistakes(by_observation(policy)) == 0


def test_classes_lists_every_leader_once(rows: list[Row]) -> None:
    classes = together(DataSet("tictactoe", classes=True))
    assert sorted(classes["position"].tolist()) == sorted({row["leader"] for row in rows})
    assert (classes["position"] == classes["leader"]).all()
    assert classes["images"].sum() == 5478


def test_no_class_is_both_learned_and_tested(rows: list[Row]) -> None:
    held = {row["leader"] for row in rows if row["test"]}
    assert held.isdisjoint(row["leader"] for row in rows if not row["test"])
    assert 60 < len(held) < 95  # about one in ten of 765


def test_every_seed_holds_other_classes_out_and_about_as_many() -> None:
    leaders = np.unique(together(DataSet("tictactoe", classes=True))["leader"])
    chosen = np.array([held_out(leaders, seed) for seed in range(200)])
    assert len(np.unique(chosen, axis=0)) == 200
    assert abs(chosen.mean() - 0.1) < 0.003  # its standard deviation is 0.00077
    assert chosen.mean(axis=0).max() < 0.2  # no class is held out by most seeds


def test_every_sample_is_equally_likely() -> None:
    """Three of six numbers, in portions of different sizes: all 20 choices within five deviations of their share."""
    counts: Counter[tuple[int, ...]] = Counter()
    for seed in range(2000):
        portions = [np.arange(0, 2), np.arange(2, 5), np.arange(5, 6)]
        counts[tuple(np.concatenate(list(sets._sampled(portions, 3, 6, seed))).tolist())] += 1
    assert set(counts) == set(combinations(range(6), 3))
    assert all(abs(count - 100) < 5 * 9.75 for count in counts.values())


def test_a_sample_is_different_positions_of_the_game_in_their_order(rows: list[Row]) -> None:
    sample = together(DataSet("tictactoe", sample=1000, seed=7))
    every = [row["position"] for row in rows]
    places = [every.index(position) for position in sample["position"]]
    assert len(set(places)) == 1000
    assert places == sorted(places)


def test_a_sample_of_classes_is_of_the_size_that_was_asked_for() -> None:
    sample = together(DataSet("tictactoe", sample=100, classes=True))
    assert len(set(sample["leader"].tolist())) == len(sample["leader"]) == 100


@pytest.mark.parametrize("ending", ["parquet", "zarr"])
def test_the_same_seed_makes_the_same_bytes(ending: str, tmp_path: Path) -> None:
    made = []
    for folder, seed in (("a", 3), ("b", 3), ("c", 4)):
        (tmp_path / folder).mkdir()
        write(DataSet("tictactoe", 50, seed), tmp_path / folder / f"set.{ending}")
        files = sorted(path for path in (tmp_path / folder).rglob("*") if path.is_file())
        made.append({path.relative_to(tmp_path / folder): path.read_bytes() for path in files})
    assert made[0] == made[1]
    assert made[0] != made[2]


def test_no_batch_is_larger_than_allowed_and_together_they_are_everything(
    monkeypatch: pytest.MonkeyPatch, rows: list[Row]
) -> None:
    monkeypatch.setattr(sets, "ROWS", 100)
    sizes = [len(batch["value"]) for batch in DataSet("tictactoe").batches()]
    assert sizes == [100] * 54 + [78]
    assert together(DataSet("tictactoe"))["position"].tolist() == [row["position"] for row in rows]


def test_games_with_many_actions_have_smaller_batches() -> None:
    wide = DataSet("nine-mens-morris", sample=1)
    assert wide.rows_a_batch * len(actions(wide.game)) <= sets.NUMBERS
    assert DataSet("square4").rows_a_batch == sets.ROWS


@pytest.mark.slow
def test_positions_of_a_game_that_is_not_solved_say_how_surely_they_are_known(tmp_path: Path) -> None:
    played = game("six-mens-morris")
    data = DataSet(played, sample=40, nodes=300)
    path = write(data, tmp_path / "six.parquet").path
    found = rows_of(path)
    assert len({row["position"] for row in found}) == 40
    assert {row["exact"] for row in found} == {True, False}
    assert {"search", "endings"} <= {row["source"] for row in found}
    for row in found:
        position = played.read(row["position"])
        answer = knowledge(played).ask(position, effort=Effort(300))
        legal = {actions(played).number(move) for move in played.moves(position)}
        assert {number for number, worth in enumerate(row["action_values"]) if worth != ILLEGAL} == legal
        assert row["source"] == answer.source
        assert row["exact"] == (row["value"] is not None) == (answer.value.outcome is not Outcome.UNKNOWN)
        assert row["estimate"] == answer.estimate
        if row["exact"]:
            assert row["value"] == NUMBERS[answer.value.outcome]
        else:
            assert (row["optimal_moves"], row["remoteness"]) == ([], None)
            assert UNKNOWN in row["action_values"]
        assert sum(row["best_actions"]) >= bool(legal)
    unknown = sum(not row["exact"] for row in found)
    assert f"| value unknown | {unknown} |" in path.with_name("six.parquet.md").read_text()


def test_where_no_move_of_a_known_draw_is_known_the_search_chooses() -> None:
    """X stands on the only board of four that counts; that it is a draw is proved by pairing, which names no move."""
    played = game("square4:boards=4")
    position = played.play("1a1")
    row = Listed(played, [(position, 1)], Effort(2000)).batch(np.arange(1))
    answer = knowledge(played).ask(position, effort=Effort(2000))
    assert (row["value"][0], row["source"][0]) == (0, "proof")
    assert not (row["action_values"] == row["value"]).any()
    best = {one.move.to for one in answer.moves if one.estimate == answer.moves[0].estimate}
    assert set(np.flatnonzero(row["best_actions"][0])) == best
    assert len(best) < 63, "not all of them"


def test_where_colours_no_longer_matter_they_do_not_part_what_is_alike() -> None:
    """Else a position with X to move could be learned, and the same with O to move tested."""
    played = game("six-mens-morris")
    position = played.read("X.X/.../XX../O.O/O.. x")
    both = Listed(played, [(position, 20), (position.swapped(), 21)], Effort(1))
    assert len(set(both.batch(np.arange(2))["leader"].tolist())) == 1


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("qubic", {}, "qubic has too many positions to list: expected a sample"),
        ("tictactoe", {"sample": 0}, "0 is no size of a sample: expected 1 to the number of positions"),
        ("tictactoe", {"seed": -1}, "seed -1 and nodes 20000: expected a seed from 0 on"),
        ("qubic", {"sample": 10**7}, "10000000 is no size of a sample: expected 1 to 1,000,000"),
    ],
)
def test_data_sets_that_cannot_be(name: str, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(NoughtsError, match=message):
        DataSet(name, **arguments)


def test_whole_numbers_of_numpy_will_do_and_others_are_refused(tmp_path: Path) -> None:
    seed: Any = np.int64(7)
    count: Any = np.int32(4)
    write(DataSet("tictactoe", count, seed), tmp_path / "numpy.parquet")
    write(DataSet("tictactoe", 4, 7), tmp_path / "own.parquet")
    assert rows_of(tmp_path / "numpy.parquet") == rows_of(tmp_path / "own.parquet")
    half: Any = 2.5
    for arguments in ({"sample": half}, {"seed": half}, {"nodes": half}):
        with pytest.raises(TypeError, match="'float' object cannot be interpreted as an integer"):
            DataSet("tictactoe", **arguments)


def test_samples_that_are_too_large() -> None:
    with pytest.raises(NoughtsError, match="5479 is too large a sample: tictactoe has 5,478 positions"):
        next(DataSet("tictactoe", sample=5479).batches())
    with pytest.raises(NoughtsError, match="766 is too large a sample: tictactoe has 765 classes"):
        next(DataSet("tictactoe", sample=766, classes=True).batches())
    with pytest.raises(NoughtsError, match="random play finds hardly more than 26"):
        next(DataSet("mnk:5,5,1", sample=27).batches())
