"""The screen of 1977, setting up a position, and the list of combinations."""

import json
import os
import pty
from time import perf_counter

import pytest

from keyboard import played
from noughts.cli.classic import basic1977
from noughts.cli.main import run


def screen_of(keys: str, *arguments: str) -> str:
    done = played(keys, *arguments)
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout


CUBE = ("qubic", "--o", "basic2", "--classic")
BRIEF = (*CUBE, "--no-boards")
WON_BY_THE_MACHINE = "1,4\n1,13\n1,11\n1,3\n1,7\n"
WON_BY_THE_USER = "1,4\n1,13\n1,11\n1,3\n4,2\n1,7\n1,15\n"


def test_the_first_game_of_figure_5() -> None:
    lines = screen_of(WON_BY_THE_MACHINE, *CUBE).splitlines()
    assert lines[0] == "YOUR MOVES ARE UU AND I'M CC"
    assert "I WANT BOARD 2 POSITION 8 " in lines
    assert lines.index("THE OLD 50 ") + 1 == lines.index("I WON WITH BOARD 4 POSITION 2 ")
    assert "  /  /  /CC/     /  /CC/  /     /CC/  /  /   CC/  /  /  /   " in lines
    assert lines[-2:] == ["READY? ", "Goodbye."]


def test_the_columns_are_those_of_the_tabs() -> None:
    """TAB(20+A1*4), and TAB(A*15); a number has a blank before it and one behind."""
    lines = screen_of("", *CUBE).splitlines()
    for row in range(4):
        places = [lines[1 + row].index(f" {row + first} ", 20) for first in (1, 5, 9, 13)]
        assert places == [24, 40, 56, 72]
    assert lines[1].startswith("POSITIONS ARE ")
    assert lines[5:7] == lines[8:10] == ["", ""]
    assert [lines[7].index(f"BOARD {number} ") for number in (1, 2, 3, 4)] == [0, 15, 30, 45]
    assert [line.count("/") for line in lines[10:17]] == [16, 40, 16, 40, 16, 40, 16]
    assert max(len(line) for line in lines) <= 80
    assert len(lines) <= 24


def test_the_user_wins_and_another_game_begins_at_once() -> None:
    """Line 410 leads to line 80, and 85 greets again; only after I WON is one asked whether one is ready."""
    told = screen_of(f"{WON_BY_THE_USER}1,4\n", *BRIEF).splitlines()
    end = told.index("YOU WON")
    assert told[end - 1 : end + 4] == [
        "",
        "YOU WON",
        "YOUR MOVES ARE UU AND I'M CC",
        "YOUR BOARD, POSITION? 1,4",
        "I WANT BOARD 2 POSITION 8 ",
    ]
    told = screen_of(f"{WON_BY_THE_MACHINE}ANYTHING\n1,4\n", *BRIEF).splitlines()
    end = told.index("READY? ANYTHING")
    assert told[end + 1 : end + 3] == ["YOUR MOVES ARE UU AND I'M CC", "YOUR BOARD, POSITION? 1,4"]


def test_quit_leaves_at_every_question() -> None:
    for keys, *arguments in (["q"], [f"{WON_BY_THE_MACHINE}Quit"], ["exit", "--setup"], ["1\nq", "--combinations"]):
        left = screen_of(f"{keys}\n1,4\n", *BRIEF, *arguments)
        assert left.endswith(f"? {keys.splitlines()[-1]}\n\nGoodbye.\n")


def test_the_old_is_the_box_or_the_combination() -> None:
    """The listing prints the box, the text says the combination: box 50 fills combination 62."""
    for which, number in (("box", 50), ("combination", 62)):
        assert f"THE OLD {number} \n" in screen_of(WON_BY_THE_MACHINE, *BRIEF, "--the-old", which)


def test_wrong_answers_are_asked_again_and_nothing_is_lost() -> None:
    screen = screen_of("1,4\n1,4\n2,8\n5,1\nfour\n\n1\n13,9\n", *BRIEF)
    assert screen.count("YOU CAN'T MOVE THERE") == 2
    assert screen.count("ILLEGAL MOVE") == 1
    assert screen.count("?REDO FROM START") == 1
    assert "? 1\n?? 13,9\n?EXTRA IGNORED\nI WANT BOARD 2 POSITION 10 \n" in screen


def test_only_the_box_is_checked() -> None:
    """Line 105 lets 2,0 pass, which is box 16."""
    assert "2,0\nI WANT BOARD 2 POSITION 11 \n" in screen_of("2,0\n", *BRIEF)
    assert "1,16\nI WANT BOARD 2 POSITION 11 \n" in screen_of("1,16\n", *BRIEF)


def test_version_1_loses_turns_on_other_boards() -> None:
    screen = screen_of("2,6\n1,6\n", "square4", "--o", "basic1", "--classic")
    assert "I WANT BOARD 1 POSITION 1 \n" in screen
    assert "I WANT BOARD 1 POSITION 2 \n" in screen


def test_a_game_that_nobody_won_ends_when_no_box_is_left() -> None:
    keys = ["1,5", "1,12", "1,3", "1,10", "1,6", "1,14", "1,16", "1,15"]
    screen = screen_of("\n".join(keys) + "\n", "square4", "--o", "basic1", "--classic", "--no-boards")
    assert screen.endswith("\nNO BOX IS LEFT. IT IS A DRAW\nREADY? \nGoodbye.\n")


def test_an_interrupted_game_goes_on_with_the_users_move() -> None:
    """Program E: boxes 4, 13 and 11 for the user, 24 and 26 for the machine; then 1,3 of the first game of figure 5."""
    screen = screen_of("4\n13\n11\n65\n-3\n0\n24\n26\n14\n0\n1,3\n", *BRIEF, "--setup")
    assert "? 65\n?BS ERROR IN 81\n? -3\n?FC ERROR IN 81\n? 0\n? 24\n" in screen
    assert screen.endswith(
        "? 0\nYOUR MOVES ARE UU AND I'M CC\n"
        "YOUR BOARD, POSITION? 1,3\nI WANT BOARD 3 POSITION 6 \nYOUR BOARD, POSITION? \nGoodbye.\n"
    )


def test_any_stones_can_be_set_up() -> None:
    """Three against none, and a combination that is full already: found after the user's next move."""
    assert "4,16\nI WANT BOARD 1 POSITION 4 \n" in screen_of("1\n2\n3\n0\n0\n4,16\n", *BRIEF, "--setup")
    assert "4,16\n\nYOU WON\n" in screen_of("1\n2\n3\n4\n0\n0\n4,16\n", *BRIEF, "--setup")
    lost = screen_of("0\n1\n2\n3\n0\n4,16\n", *BRIEF, "--setup")
    assert "THE OLD 4 \nI WON WITH BOARD 1 POSITION 4 \n" in lost


def test_a_position_with_the_machine_to_move_is_answered_at_once() -> None:
    position = "...X/..../..X./X...|..../..O./..../.O..|..../..../..../....|..../..../..../...."
    assert "I'M CC\nI WANT BOARD 1 POSITION 14 \n" in screen_of("", *BRIEF, "--position", position)
    screen = screen_of("", "qubic", "--o", "basic2", "--position", position)
    assert "BASIC version 2 of 1977 (O) plays 1d2" in screen
    assert "6,894 statements, 23 s in 1977." in " ".join(screen.split())


def test_program_d_asks_for_a_range_of_combinations() -> None:
    screen = screen_of("1,2\n2\n53,54\n5\n76,78\n0\n1,4\n", *BRIEF, "--combinations")
    assert screen.startswith(
        "? 1,2\n 1  2  3  4 \n 5  6  7  8 \n? 2\n? 53,54\n 13  29  45  61 \n 14  30  46  62 \n"
        "? 5\n? 76,78\n 16  28  40  52 \n?BS ERROR IN 81\n? 0\nYOUR MOVES ARE UU AND I'M CC\n"
    )


def test_a_reply_can_take_as_long_as_in_1977(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr("time.sleep", waited.append)
    screen = screen_of(WON_BY_THE_USER, *BRIEF, "--as-slow-as-1977")
    assert screen == screen_of(WON_BY_THE_USER, *BRIEF)
    assert [round(seconds) for seconds in waited] == [24, 24, 23, 22, 22, 2, 0]


def test_at_a_terminal_enter_ends_the_waiting() -> None:
    """A pair of terminals, so that nothing but the pressed key ends it."""
    ours, theirs = pty.openpty()
    with os.fdopen(theirs) as keyboard, pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", keyboard)
        os.write(ours, b"\n1,4\n")
        began = perf_counter()
        basic1977._wait(60)
        assert perf_counter() - began < 5
        assert keyboard.readline() == "1,4\n"
    os.close(ours)


def test_an_impossible_setup_is_asked_again() -> None:
    screen = screen_of("a1 b1 zz a1\n0\n0\na1\n0\nb2\n0\nquit\n", "--o", "random", "--setup")
    assert "'zz' is not a point: expected one, as a1" in screen
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
        (
            ["play", "qubic", "--o", "basic2", "--no-boards"],
            "--no-boards changes the screen of 1977: expected --classic",
        ),
        (
            ["play", "qubic", "--o", "basic2", "--the-old", "box"],
            "--the-old changes the screen of 1977: expected --classic",
        ),
        (["play", *CUBE, "--the-old", "one"], "--the-old 'one': expected box or combination"),
        (["play", *CUBE, "--combinations", "--setup"], "expected one of them, both are lines 81 and 82"),
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
