"""The commands: the fields programs rely on, and one line with exit code 2 for everything wrong."""

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from catalogue_names import ACHI
from noughts.cli import machine
from noughts.cli.main import run
from noughts.games import NAMES, game
from noughts.players import PLAYERS


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert run([*arguments, "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return json.loads(captured.out)


def test_value(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "value", "tictactoe", "XO./.X./..O")
    assert {key: found[key] for key in ("game", "position", "value", "remoteness")} == {
        "game": "tictactoe",
        "position": "XO./.X./..O",
        "value": "win",
        "remoteness": 3,
    }
    assert [move["move"] for move in found["moves"]] == ["a2", "a3", "c1", "c2", "b3"]
    assert found["moves"][0] == {"move": "a2", "value": "win", "remoteness": 3, "position": "XO./XX./..O"}


@pytest.mark.parametrize(
    ("arguments", "value", "remoteness", "moves"),
    [
        (["tictactoe"], "draw", 9, 9),
        (["tictactoe", "XXX/OO./..."], "loss", 0, 0),
        (["arabian"], "draw", None, 9),
        (["arabian", "XX./OO./...", "x", "1,1"], "win", 1, 5),
        (["arabian", "XX./OO./... x 1,1"], "win", 1, 5),
        (["qubic"], "win", None, 64),
        (["mnk:4,4,3"], "win", 5, 16),
        (["nine-mens-morris"], "draw", None, 24),
        (["six-mens-morris"], "draw", None, 16),
        (["seven-mens-morris"], "win", None, 17),
        (["lasker-morris:flying=no"], "unknown", None, 24),
    ],
)
def test_values_of_other_games(
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    value: str,
    remoteness: int | None,
    moves: int,
) -> None:
    found = answer(capsys, "value", *arguments)
    assert found["game"] == arguments[0]
    assert (found["value"], found["remoteness"], len(found["moves"])) == (value, remoteness, moves)


@pytest.mark.parametrize(
    ("name", "source", "surety"),
    [
        ("tictactoe", "solution", "distance"),
        ("qubic", "proof", "exact"),
        ("nine-mens-morris", "book", "exact"),
        ("six-mens-morris", "book", "exact"),
        ("lasker-morris:flying=no", "search", "estimate"),
    ],
)
def test_a_value_says_where_it_comes_from(
    capsys: pytest.CaptureFixture[str], name: str, source: str, surety: str
) -> None:
    found = answer(capsys, "value", name)
    assert (found["source"], found["surety"]) == (source, surety)
    assert ("depth" in found) is (source == "search")


def test_what_is_only_estimated_is_told_apart_from_what_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "value", "lasker-morris:flying=no")
    assert (found["value"], found["lead"], found["moves"][0]["look"]) == ("unknown", "about even", "best")
    assert all("estimate" in move for move in found["moves"])
    known = answer(capsys, "value", "tictactoe")
    assert not {"estimate", "lead", "at_most"} & set(known) | {"estimate", "look"} & set(known["moves"][0])
    bounded = answer(capsys, "value", "mnk:6,6,4")
    assert (bounded["value"], bounded["at_most"], bounded["moves"][0]["at_most"]) == ("win", 25, 25)


def test_a_longer_search_proves_more(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, "value", "mnk:6,6,5")["value"] == "unknown"
    longer = answer(capsys, "value", "mnk:6,6,5", "--nodes", "1000000")
    assert (longer["value"], longer["source"]) == ("draw", "proof")
    began = perf_counter()
    assert answer(capsys, "value", "mnk:9,9,5", "--seconds", "1")["value"] == "unknown"
    assert 0.9 < perf_counter() - began < 5


@pytest.mark.parametrize("option", ["--nodes", "--seconds"])
def test_a_search_is_bounded(capsys: pytest.CaptureFixture[str], option: str) -> None:
    assert run(["value", "mnk:6,6,5", option, "0"]) == 2
    assert "'0' is not a whole number from 1 to" in capsys.readouterr().err


def test_of_many_moves_the_first_are_listed_and_the_others_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["value", "mnk:9,9,5"]) == 0
    lines = capsys.readouterr().out.splitlines()
    head = lines.index("move  value    looks")
    assert lines[head + 1].endswith("unknown  best")
    assert len(lines) == head + 12
    assert lines[-1].startswith("and 71 more, ")
    assert run(["value", "mnk:9,9,5", "--all"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == head + 82


def test_move(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "move", "tictactoe", ".../.../.X.", "--player", "chip1990")
    assert found["seconds"] >= 0
    del found["seconds"]
    assert found == {
        "game": "tictactoe",
        "position": ".../.../.X.",
        "player": "chip1990",
        "move": "b1",
        "result_position": ".O./.../.X.",
        "cycles": 15_007,
    }


def test_transcript(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "transcript", "c1990", "a1", "a3", "c3")
    assert found["result"] == "win"
    assert found["position"] == "X../OOO/X.X"
    assert [(move["user"], move["reply"]) for move in found["moves"]] == [
        ("a1", "b2"),
        ("a3", "a2"),
        ("c3", "c2"),
    ]
    assert all(move["nodes"] > 0 for move in found["moves"])
    assert answer(capsys, "transcript", "chip1990", "7")["moves"] == [{"user": "7", "reply": "1", "cycles": 15_007}]
    begun = answer(capsys, "transcript", "c1990", "--begins")
    assert (begun["moves"][0]["user"], begun["moves"][0]["reply"]) == (None, "a1")


def test_solve(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "solve", "tictactoe")
    assert [found[key] for key in ("game", "value", "remoteness", "positions")] == [
        "tictactoe",
        "draw",
        9,
        5478,
    ]
    assert found["wins"] + found["losses"] + found["draws"] == 5478
    fields = {
        "name",
        "slots",
        "positions",
        "wins",
        "losses",
        "draws",
        "deepest_win",
        "deepest_loss",
        "seconds",
    }
    assert all(set(space) == fields for space in found["subspaces"])


def test_match(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "match", "tictactoe", "perfect", "random", "--games", "20", "--seed", "4")
    assert found["wins"] + found["draws"] + found["losses"] == found["games"] == 20
    assert found["losses"] == 0
    assert found["players"] == ["perfect", "random"]


def test_the_lessons_of_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "learn", "six-mens-morris")
    assert found["game"] == "six-mens-morris"
    assert {*found["lessons"][1]} == {"name", "title", "words", "game", "position", "task", "right"}
    for lesson in found["lessons"]:
        position = game(lesson["game"]).read(lesson["position"])
        legal = [game(lesson["game"]).write_move(move) for move in game(lesson["game"]).moves(position)]
        assert set(lesson["right"]) <= set(legal)
        assert bool(lesson["task"]) == bool(lesson["right"])


def test_the_catalogues(capsys: pytest.CaptureFixture[str]) -> None:
    assert [row["name"] for row in answer(capsys, "games")] == list(NAMES)
    assert [row["name"] for row in answer(capsys, "players")] == list(PLAYERS)


def test_the_doctor_says_what_is_here_and_how_to_install_the_rest(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = {part["name"]: part for part in answer(capsys, "doctor")}
    assert parts["numba"]["found"] == version("numba")
    monkeypatch.setattr(machine, "_version", lambda _name: None)
    parts = {part["name"]: part for part in answer(capsys, "doctor")}
    assert (parts["zarr"]["found"], parts["zarr"]["extra"]) == (None, "tables")
    assert parts["zarr"]["install"] == "pip install 'noughts[tables]'"
    assert parts["iverilog"]["install"] == "apt-get install iverilog"
    assert run(["doctor"]) == 0
    said = capsys.readouterr().out
    for extra in {part["extra"] for part in parts.values() if part["extra"]}:
        assert f"pip install 'noughts[{extra}]'" in said


@pytest.mark.parametrize(
    "arguments",
    [
        ["games"],
        ["games", "achi"],
        ["games", "mnk:4,3,4"],
        ["players"],
        ["learn", "achi"],
        ["value", "achi"],
        ["value", "qubic"],
        ["value", "tictactoe", "XXX/OO./..."],
        ["move", "nine-mens-morris", "--player", "random"],
        ["transcript", "c1990", "b2"],
        ["match", "tictactoe", "random", "random", "--games", "3"],
        ["solve", "arabian"],
        ["doctor"],
        ["bench", "replies"],
        [],
        ["--version"],
        ["--help"],
        ["value", "--help"],
    ],
)
def test_for_people(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert run(arguments) == 0
    captured = capsys.readouterr()
    assert captured.out.strip()
    assert captured.err == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["value", "chess"], ["'chess'", "expected one of tictactoe"]),
        (["value", "tictactoe", "XX"], ["'XX'", "expected '.../.../...'"]),
        (["value", "tictactoe", "XXX/OOO/..."], ["'XXX/OOO/...'", "both sides have a row", "expected"]),
        (["value", "mnk:3,3,9"], ["'mnk:3,3,9'", "expected K from 1 to 3"]),
        (["value"], ["GAME"]),
        (["value", "tictactoe", "--colour"], ["--colour"]),
        (["move", "tictactoe", "--player", "hal"], ["'hal'", "expected random"]),
        (["move", "tictactoe", "XXX/OO./...", "--player", "random"], ["is over", "expected a position"]),
        (["move", "achi", "--player", "c1990"], ["c1990 plays only tictactoe", "'achi'"]),
        (["move", "tictactoe", "X.X/.O./X.O", "--player", "c1990"], ["no move found", "not lost"]),
        (["move", "tictactoe", "--player", "random", "--seed", "x"], ["--seed", "'x'", "whole number"]),
        (["transcript", "c1990", "b2", "b2"], ["'b2'", "occupied", "expected one of"]),
        (["transcript", "c1990", "z9"], ["'z9'", "expected a1 to c3"]),
        (["transcript", "nobody"], ["'nobody'", "expected random"]),
        (["match", "tictactoe", "random", "human"], ["'human'", "moves by itself"]),
        (
            ["match", "tictactoe", "random", "random", "--games", "none"],
            ["--games", "'none'", "1 to 1000000"],
        ),
        (["match", "tictactoe", "random", "random", "--games", "0"], ["--games", "'0'"]),
        (["solve", "qubic"], ["qubic is too large", "expected"]),
        (["bench", "speed"], ["'speed'", "expected solve"]),
        (["bench", "start", "--full"], ["'start' has no longer form", "expected --full with engine"]),
        (["play", "--o", "hal"], ["'hal'", "expected human"]),
        (["play", "six-mens-morris", "--x", "perfect"], ["perfect cannot play 'six-mens-morris'"]),
        (
            ["play", "--against", "random", "--x", "human"],
            ["--against 'random'", "expected one or the other"],
        ),
        (["dance"], ["'dance'", "expected play, web, games"]),
        (["value", "tic\ntac\x1b[31m"], ["'tic\\\\ntac"]),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], words: list[str]
) -> None:
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("noughts: ")
    assert captured.err.count("\n") == 1
    assert "\x1b" not in captured.err
    for word in words:
        assert word.replace("\\\\", "\\") in captured.err


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m noughts solve achi --json | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout == "{\n"
    assert done.stderr == ""
    nobody = f"{sys.executable} -m noughts games | :; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", nobody], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("141\n", ""), "as of a program that SIGPIPE has ended"


def test_every_variant_of_achi_can_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ACHI[::5]:
        assert answer(capsys, "value", name)["game"] == game(name).name


def test_a_picture_of_the_values(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    target = tmp_path / "values.svg"
    answer(capsys, "value", "tictactoe", "XO./.X./..O", "--svg", str(target))
    assert target.read_text().count(">W3<") == 2
    assert [path.name for path in tmp_path.iterdir()] == ["values.svg"]


def test_a_picture_that_cannot_be_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for target in (tmp_path / "missing" / "values.svg", tmp_path):
        assert run(["value", "tictactoe", "--svg", str(target)]) == 2
        captured = capsys.readouterr()
        assert captured.err.count("\n") == 1
        assert str(target) in captured.err
    assert list(tmp_path.iterdir()) == []


def test_solving_with_a_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "arabian", "--check"]) == 0
    assert capsys.readouterr().err == "checked: 3,870 values follow from their successors\n"
