"""Solving and checking boards in layers from the terminal: the fields programs rely on, and one line for mistakes."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

from noughts.cli import solve as tables
from noughts.cli.main import run
from noughts.solve.layers import making
from noughts.solve.store import Store

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables") / "table"
    assert run(["solve", "mnk:4,3,3", "--out", str(folder)]) == 0
    return folder


def test_a_table_gives_the_answer_of_a_small_board(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "mnk:4,3,3", "--json"]) == 0
    small = json.loads(capsys.readouterr().out)
    for options in ([], ["--check"]):
        assert run(["solve", "mnk:4,3,3", "--json", "--out", str(table), *options]) == 0
        kept = json.loads(capsys.readouterr().out)
        assert kept.pop("checked", None) == (True if options else None)
        for found in (small, kept):
            found["seconds"] = 0
            for row in found["subspaces"]:
                row["seconds"] = 0
        assert kept == small


def test_a_board_too_large_for_memory_is_solved_in_layers(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "mnk:7,3,3", "--check"]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[-1].startswith("mnk:7,3,3: win in 7 for the first player; 939,886,659 positions")
    assert said.err == "checked: 939,886,659 values follow from their successors\n"


def test_a_right_table_passes_and_a_damaged_one_does_not(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", str(table), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found.pop("seconds") >= 0
    assert found == {
        "file": str(table),
        "game": "mnk:4,3,3",
        "right": True,
        "checked": 26_556,
        "sample": None,
        "first_wrong": None,
        "unchecked": [],
        "subspaces": 13,
        "of": 13,
    }
    assert run(["check", str(table), "--sample", "2"]) == 0
    assert capsys.readouterr().out == "right: 26 values follow from their successors\n"
    assert run(["solve", "tictactoe", "--out", str(tmp_path / "table")]) == 0
    chunk = tmp_path / "table" / "3-4" / "c.0.0"
    chunk.write_bytes(chunk.read_bytes()[:-1] + b"!")
    capsys.readouterr()
    assert run(["check", str(tmp_path / "table")]) == 1
    assert capsys.readouterr().out.startswith("wrong: subspace 3-4 of ")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["solve", "mnk:6,6,4"], "mnk:6,6,4 is too large to solve completely: expected a placing game of at most 25 "),
        (["solve", "mnk:5,5,4", "--upto", "4"], "--upto is for the morris games, not for"),
        (["solve", "mnk:5,5,4", "--device", "tpu"], "--device 'tpu' is unknown: expected cpu or gpu"),
        (["solve", "achi", "--out", "somewhere"], "achi is not solved in layers: expected"),
    ],
)
def test_what_cannot_be_solved_so_is_one_line(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"noughts: {message}")
    assert said.count("\n") == 1


def test_a_board_that_takes_seconds_to_solve_is_checked_in_layers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = []
    for there, options in ((True, []), (True, ["--check"]), (False, [])):
        monkeypatch.setattr(tables, "installed", lambda _package, there=there: there)
        assert run(["solve", "mnk:17,1,2", "--json", *options]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert [each.pop("checked", None) for each in found] == [None, True, None]
    for each in found:
        each["seconds"] = 0
        for row in each["subspaces"]:
            row["seconds"] = 0
    assert found[0] == found[1] == found[2], "as the compiler's absence makes it another solver's answer"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("http://127.0.0.1:9/tables/x", "'http://127.0.0.1:9/tables/x' is an address: expected a folder of this disk"),
        ("nowhere", "'nowhere' is not there: expected a certificate, or the folder of a table"),
    ],
)
def test_what_cannot_be_checked_is_one_line(name: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", name]) == 2
    assert capsys.readouterr().err.startswith(f"noughts: {message}")


@pytest.mark.parametrize(
    ("device", "message"), [("gpu", "--device gpu is for the morris games"), ("foo", "--device 'foo' is unknown")]
)
def test_layers_are_checked_by_the_processor(
    table: Path, device: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", str(table), "--device", device]) == 2
    assert capsys.readouterr().err == f"noughts: {message}: expected cpu\n"


def test_the_manifest_stands_for_the_table(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(table / "manifest.json"), "--sample", "2"]) == 0
    assert capsys.readouterr().out == "right: 26 values follow from their successors\n"


def test_a_folder_of_another_game_is_refused(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "tictactoe", "--out", str(table)]) == 2
    assert capsys.readouterr().err == (f"noughts: {str(table)!r} is a table of mnk:4,3,3: expected one of tictactoe\n")


def test_too_little_memory_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(making, "memory_available", lambda: 2_000_000_000)
    assert run(["solve", "mnk:5,5,4"]) == 2
    said = "noughts: 2.0 GB of memory are available: expected 5.9 GB to solve mnk:5,5,4\n"
    assert capsys.readouterr().err == said


def test_ctrl_c_ends_at_once_and_keeps_what_is_finished(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "noughts", "solve", "mnk:5,5,4", "--out", str(tmp_path / "table")]
    began = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ)
    manifest = tmp_path / "table" / "manifest.json"
    last = monotonic() + 120
    while monotonic() < last and not (manifest.exists() and '"12-12"' in manifest.read_text()):
        sleep(0.05)
    began.send_signal(signal.SIGINT)
    sent = monotonic()
    _out, said = began.communicate(timeout=30)
    assert monotonic() - sent < 5
    assert began.returncode == 130
    kept = len(Store.open(tmp_path / "table").keys())
    assert kept >= 2
    assert f"{kept} subspaces are kept in" in said
