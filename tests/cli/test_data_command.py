"""`noughts data`: what it says, for people and for programs, and what it says when it cannot."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from noughts.cli.main import run


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_says_what_it_wrote(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["data", "tictactoe", "--out", "set.parquet"]) == 0
    size = (here / "set.parquet").stat().st_size
    assert capsys.readouterr().out.splitlines() == [
        f"set.parquet: 5,478 rows, {size:,} bytes",
        "for the player to move 2,836 wins, 1,068 draws, 1,574 losses",
        "what is in it: set.parquet.md",
    ]


def test_options_reach_the_data_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "set.parquet"
    assert run(["data", "tictactoe", "--out", str(place), "--sample", "9", "--classes", "--seed", "5", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    table = pq.read_table(place)
    assert (answer["rows"], answer["sample"], answer["seed"], answer["classes"]) == (9, 9, 5, True)
    assert table["position"].to_pylist() == table["leader"].to_pylist()
    assert answer["columns"] == table.column_names
    assert answer["wins"] == table["value"].to_pylist().count(1)
    assert "--sample 9 --classes --seed 5" in Path(answer["card"]).read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["tictactoe", "--out", "set.csv"],
            "'set.csv' has no known ending: expected a name as set.parquet or",
        ),
        (["tictactoe", "--out", "no/set.zarr"], "'no/set.zarr' cannot be written: No such file or directory"),
        (["tictactoe", "--out", "set.zarr", "--sample", "0"], "'0' is not a whole number from 1 to"),
        (["qubic", "--out", "set.zarr"], "qubic has too many positions to list: expected a sample (--sample N)"),
        (["tictactoe"], "Missing option '--out'"),
        (["achi", "--out", "set.zarr", "--nodes", "9"], "--nodes does not go with achi: expected a game that is too"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    arguments: list[str], message: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["data", *arguments]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    assert list(here.iterdir()) == []
