"""The files of data sets: their cards, what is replaced and where nothing can be written, and what ends early."""

import errno
import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import zarr

from noughts.extras import MissingExtraError
from noughts.games import Game, NoughtsError, game
from noughts.games.layout import grid
from noughts.games.rules import Rules
from noughts.rl.actions import actions
from noughts.rl.data import DataSet, Rows, Tally, Written, write
from noughts.rl.data.card import card


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    return write(DataSet("tictactoe"), tmp_path_factory.mktemp("data") / "tictactoe.parquet")


def test_the_card_tells_the_truth(written: Written) -> None:
    rows = pq.read_table(written.path).to_pylist()
    told = written.card.read_text()
    values = Counter(row["value"] for row in rows)
    for line in (
        "# tictactoe: all 5,478 positions",
        f"| wins | {values[1]:,} |",
        f"| draws | {values[0]:,} |",
        f"| losses | {values[-1]:,} |",
        f"| game over | {sum(row['remoteness'] == 0 for row in rows)} |",
        f"| held out for the test | {sum(row['test'] for row in rows)} |",
        "noughts data tictactoe --out tictactoe.parquet --seed 1",
    ):
        assert line in told
    for name in pq.read_schema(written.path).names:
        assert f"| `{name}` |" in told


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tictactoe", "one of the 8 symmetries of the board maps"),
        ("tictactoe", "no image of a learned position is tested"),
        ("mnk:3,3,1", "turning or mirroring the board maps"),
        ("mnk:3,3,1", "one may be learned and the other tested"),
        ("achi", "`.../.../... x 4,4` is the start"),
    ],
)
def test_the_card_explains_classes_and_notation(name: str, words: str) -> None:
    """Without a row on the lines, every permutation of nine points is a symmetry: 362,880 of them are not tried."""
    assert words in card(DataSet(name), "set.parquet", Tally())


def test_of_a_game_of_ones_own_the_card_names_no_command_that_would_not_work() -> None:
    own = Game("strip", grid(6, 1, 3), Rules((3, 3)), "three in a row win", "Strip")
    made = "noughts.rl.data.write(DataSet(game, 9, seed=2, classes=False, nodes=20000), 'strip.zarr')"
    told = card(DataSet(own, 9, 2), "strip.zarr", Tally())
    assert f"    {made}\n" in told
    assert "noughts data" not in told


def test_the_card_is_inside_the_file_too(written: Written, tmp_path: Path) -> None:
    inside = pq.read_metadata(written.path).metadata
    assert inside[b"card"].decode() == written.card.read_text()
    facts = json.loads(inside[b"noughts"])
    assert (facts["game"], facts["rows"], facts["observation"]) == ("tictactoe", 5478, [3, 3, 2])
    folder = write(DataSet("tictactoe", 5), tmp_path / "set.zarr")
    attributes = zarr.open_group(folder.path, mode="r").attrs
    assert attributes["card"] == folder.card.read_text()
    assert attributes["actions"] == list(actions(game("tictactoe")).names)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("set.csv", r"'.*set.csv' has no known ending: expected a name as set.parquet or set.zarr"),
        ("nowhere/set.parquet", "cannot be written: No such file or directory"),
        ("there.zarr", "cannot be written: File exists; expected the name of a new folder"),
        ("there.parquet", "there.parquet' cannot be written: what is there is no regular file"),
        ("set.parquet", "set.parquet.md' cannot be written: what is there is no regular file"),
        ("link.parquet", "link.parquet.md' cannot be written: No such file or directory"),
        ("circle.parquet", "circle.parquet' cannot be written: Too many levels of symbolic links"),
        ("long" * 99 + ".parquet", "cannot be written: File name too long"),
    ],
)
def test_places_that_cannot_be_written(name: str, message: str, tmp_path: Path) -> None:
    for taken in ("set.parquet.md", "there.parquet", "there.zarr"):
        (tmp_path / taken).mkdir()
    (tmp_path / "link.parquet.md").symlink_to("nowhere/card.md")
    (tmp_path / "circle.parquet").symlink_to("circle.parquet")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(NoughtsError, match=message):
        write(DataSet("tictactoe", 5), tmp_path / name)
    assert sorted(tmp_path.iterdir()) == before


def test_what_is_replaced_is_what_a_link_leads_to_and_keeps_who_may_read_it(tmp_path: Path) -> None:
    real = tmp_path / "real.parquet"
    real.touch(mode=0o600)
    link = tmp_path / "link.parquet"
    link.symlink_to(real)
    write(DataSet("tictactoe", 5), link)
    assert link.is_symlink()
    assert pq.read_table(real).num_rows == 5
    assert real.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(("ending", "package"), [("parquet", "pyarrow"), ("zarr", "zarr")])
def test_a_missing_package_is_named_with_its_extra(
    ending: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("noughts.extras.find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=f"needs {package}, which is not installed: pip install 'noughts"):
        write(DataSet("tictactoe", 5), tmp_path / f"set.{ending}")


def test_arrays_of_small_games_need_no_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.extras.find_spec", lambda _: None)
    for name in ("tictactoe", "three-mens-morris"):
        assert len(next(DataSet(name).batches())["value"]) > 1000
    with pytest.raises(MissingExtraError, match="the difficulty of positions of mnk:4,3,3 needs numba"):
        next(DataSet("mnk:4,3,3").batches())


@pytest.mark.parametrize("ending", ["parquet", "zarr"])
@pytest.mark.parametrize("problem", [KeyboardInterrupt(), OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))])
def test_what_ends_early_leaves_nothing_behind(
    ending: str, problem: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / f"set.{ending}"
    if ending == "parquet":
        place.write_text("the one before")
    batches = DataSet.batches

    def some(data: DataSet, progress: Any = None) -> Iterator[Rows]:
        yield next(batches(data, progress))
        raise problem

    monkeypatch.setattr(DataSet, "batches", some)
    with pytest.raises(KeyboardInterrupt if isinstance(problem, KeyboardInterrupt) else NoughtsError) as raised:
        write(DataSet("tictactoe"), place)
    assert [path.name for path in tmp_path.iterdir()] == (["set.parquet"] if ending == "parquet" else [])
    if ending == "parquet":
        assert place.read_text() == "the one before"
    if isinstance(problem, OSError):
        assert "cannot be written: No space left on device" in str(raised.value)
