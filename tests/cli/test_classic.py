"""The screen of 1977, setting up a position, and the list of combinations."""

import json

import pytest

from keyboard import played
from noughts.cli.main import run


def screen_of(keys: str, *arguments: str) -> str:
    done = played(keys, *arguments)
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout


def test_the_first_game_of_figure_5() -> None:
    screen = screen_of("1,4\n1,13\n1,11\n1,3\n1,7\n", "qubic", "--o", "basic2", "--classic")
    lines = screen.splitlines()
    assert lines[0] == "YOUR MOVES ARE UU AND I'M CC"
    assert lines[1].split() == ["POSITIONS", "ARE", "1", "5", "9", "13"]
    assert "I WANT BOARD 2 POSITION 8" in lines
    assert lines.index("THE OLD 62") + 1 == lines.index("I WON WITH BOARD 4 POSITION 2")
    assert "  /  /  /CC      /  /CC/        /CC/  /      CC/  /  /" in lines
    assert lines[-2:] == ["READY? ", "Goodbye."]


def test_wrong_answers_are_asked_again_and_nothing_is_lost() -> None:
    screen = screen_of("1,4\n1,4\n2,8\n5,1\nfour\n1,13\n", "qubic", "--o", "basic2", "--classic")
    assert screen.count("YOU CAN'T MOVE THERE") == 2
    assert screen.count("ILLEGAL MOVE") == 2
    assert "I WANT BOARD 2 POSITION 10" in screen


def test_the_user_wins_and_another_game_begins() -> None:
    screen = screen_of("1,4\n1,13\n1,11\n1,3\n4,2\n1,7\n1,15\nY\n1,4\n", "qubic", "--o", "basic2", "--classic")
    assert "\nYOU WON\n" in screen
    assert screen.count("I WANT BOARD 2 POSITION 8") == 2


def test_version_1_loses_turns_on_other_boards() -> None:
    screen = screen_of("2,6\n1,6\n", "square4", "--o", "basic1", "--classic")
    assert "I WANT BOARD 1 POSITION 1\n" in screen
    assert "I WANT BOARD 1 POSITION 2\n" in screen


def test_an_interrupted_game_goes_on() -> None:
    """Program E: boxes 4, 13 and 11 for the user, 24 and 26 for the machine, which then takes box 14."""
    screen = screen_of("4 13\n11\n0\n24\n26\n0\n", "qubic", "--o", "basic2", "--setup", "--classic")
    assert "I WANT BOARD 1 POSITION 14" in screen
    position = "...X/..../..X./X...|..../..O./..../.O..|..../..../..../....|..../..../..../...."
    screen = screen_of("", "qubic", "--o", "basic2", "--position", position)
    assert "BASIC version 2 of 1977 (O) plays 1d2" in screen


def test_an_impossible_setup_is_asked_again() -> None:
    screen = screen_of("a1 b1 zz a1\n0\n0\na1\n0\nb2\n0\nquit\n", "--o", "random", "--setup")
    assert "'zz' is not a point" in screen
    assert "'a1' is taken" in screen
    assert "not a legal position: x has placed 2 stones, o 0" in screen
    assert " 1 │ X │" in screen


def test_the_combinations(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games", "qubic", "--lines"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 76
    assert lines[52].split()[:5] == ["53)", "14", "30", "46", "62"]
    assert lines[56].split() == ["57)", "1", "22", "43", "64", "1a1", "2b2", "3c3", "4d4"]
    assert run(["games", "nine-mens-morris", "--lines", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["lines"]) == 16


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["play", "qubic", "--o", "random", "--classic"],
            "--classic is the screen of a machine: expected --o c1990",
        ),
        (["play", "--o", "basic3", "--classic"], "basic3 plays only qubic, not 'tictactoe'"),
        (["play", "--x", "basic3", "--o", "basic2", "--classic"], "or --o basic1, basic2"),
        (["play", "--position", "XX./.../...", "--x", "human"], "'XX./.../...' is not a legal position"),
        (["play", "--position", "X../.../...", "--setup"], "does not go with --setup"),
        (["play", "qubic", "--o", "basic2:harder=perhaps"], "expected yes or no"),
        (["beat", "perfect"], "'perfect' is not a machine of 1977"),
        (["games", "--lines"], "--lines needs a game"),
    ],
)
def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert words in captured.err


@pytest.mark.slow
def test_beat(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["beat", "basic3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["beaten"] is True
    assert len(found["moves"]) == 6
    assert run(["transcript", "basic3", *found["moves"], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["result"] == "loss"
