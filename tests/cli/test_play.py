"""A game at the keyboard, driven through a pipe and through a terminal."""

import json
import os
import pty
import select
import signal
import sys
import time
from io import StringIO
from pathlib import Path

import pytest

from keyboard import played
from noughts.cli.main import run
from noughts.games import game as find_game
from noughts.players import player


def test_the_1990_game_to_its_end() -> None:
    done = played("y\na1\na3\nc3\nn\n")
    assert done.returncode == 0
    assert done.stderr == ""
    for words in [
        "Do you want to play first? (y/n) y",
        "You are X, the C program of 1990 is O.",
        "The C program of 1990 (O) plays b2 in ",
        ", 2,227 positions.",
        " 2 │ O │ O │ O │",
        'You lost: the C program of 1990 has three in a row. "I won."',
        "Do you want to play again? (y/n) n",
        "Goodbye.",
    ]:
        assert words in done.stdout
    assert "\x1b" not in done.stdout


def test_the_machine_may_begin_and_a_second_game_may_follow() -> None:
    done = played("n\nb2\nresign\ny\ny\nquit\n")
    assert "You are O, the C program of 1990 is X." in done.stdout
    assert "The C program of 1990 (X) plays a1" in done.stdout
    assert "You lost: resignation." in done.stdout
    assert "You are X, the C program of 1990 is O." in done.stdout
    assert done.stdout.endswith("Goodbye.\n")


def test_you_can_win() -> None:
    game = find_game("mnk:3,3,1")
    done = played("a1\nn\n", game.name, "--o", "random")
    assert "You won: one in a row." in done.stdout


def test_a_draw() -> None:
    """Two perfect players, both machines: no questions are asked."""
    done = played("", "--x", "perfect", "--o", "c1990", "--seed", "3")
    assert "It's a draw: no move is left." in done.stdout
    assert "again" not in done.stdout
    assert done.returncode == 0


def test_hint_undo_help_and_mistakes() -> None:
    done = played("y\nb2\nhint\nundo\nundo\nhelp\nmoves\nb9\na1-b2\n\nb2\nb2\nquit\n")
    for words in [
        "draw in 7: b1, c1, a2, c2, a3, b3, c3",
        "There is nothing to take back.",
        "take back your last move",
        "a1, b1, c1, a2, b2, c2, a3, b3, c3",
        "'b9' is not a point of this board",
        "'a1-b2' is not a legal move",
        "'' is not a move",
        "'b2' is not a legal move: b2 is occupied",
    ]:
        assert words in done.stdout
    assert done.stdout.count("The C program of 1990 (O) plays a1") == 2


@pytest.mark.parametrize("keys", ["", "y\n", "y\nb2\n", "maybe\n"])
def test_the_end_of_input_is_a_way_to_leave(keys: str) -> None:
    done = played(keys)
    assert done.returncode == 0
    assert done.stderr == ""
    assert done.stdout.endswith("Goodbye.\n")


@pytest.mark.parametrize(
    ("name", "keys", "words"),
    [
        ("arabian", "a1\nundo\na1\n", "in hand: X 2, O 2"),
        ("achi", "b2\nhint\n", "win in"),
        ("three-mens-morris", "b2\n", "│ ╲ │ ╱ │"),
        ("six-mens-morris", "c1\n", "in hand: X 5, O 5"),
        ("lasker-morris:flying=no", "d2\nhint\n", "It looks best, searched "),
        ("qubic", "1a1\n", "level 4"),
        ("square4", "b2\nhint\n", "draw in 14"),
        ("mnk:10,10,5", "e5\n", "10 · ·"),
    ],
)
def test_every_game_can_be_played(name: str, keys: str, words: str) -> None:
    done = played(keys, name, "--x", "human", "--o", "novice", "--seed", "2")
    assert done.stderr == ""
    assert words in done.stdout
    assert done.stdout.endswith("Goodbye.\n")


def test_a_whole_game_of_nine_mens_morris_with_captures() -> None:
    """The person's moves come from a random player; two machines' worth of rules, one at the keyboard."""
    game = find_game("nine-mens-morris")
    machine, person = player("random", 6), player("random", 99)
    position, keys, captures = game.start(), [], 0
    while game.moves(position):
        move = (machine if position.turn else person).choose(game, position).move
        captures += move.capture is not None
        if position.turn == 0:
            keys.append(game.write_move(move))
        position = game.after(position, move)
    done = played("\n".join([*keys, "n"]) + "\n", game.name, "--o", "random", "--seed", "5")
    assert captures > 5
    assert "not a legal move" not in done.stdout
    assert ("You won" if position.turn == 1 else "You lost") in done.stdout
    assert "Do you want to play again? (y/n) n" in done.stdout


def test_two_people() -> None:
    done = played("a1\nb1\nundo\nb2\na2\nb3\na3\nn\n", "--x", "human", "--o", "human")
    assert "X won: three in a row." in done.stdout


def test_two_people_take_back_one_move() -> None:
    done = played("a1\nb1\nundo\n", "--x", "human", "--o", "human")
    assert done.stdout.count("Your move (O)") == 2


def test_a_machine_listens_to_its_own_notation() -> None:
    done = played("y\n7\nquit\n", "--against", "chip1990")
    assert "The chip of 1990 (O) plays b1" in done.stdout
    assert "15,007 clock cycles" in done.stdout


@pytest.mark.parametrize("width", ["24", "40"])
def test_a_narrow_terminal(width: str) -> None:
    for name in ("tictactoe", "qubic", "nine-mens-morris"):
        done = played("", name, "--x", "human", "--o", "random", COLUMNS=width)
        assert max(len(line) for line in done.stdout.splitlines()) <= int(width)


def test_a_terminal_without_line_drawings() -> None:
    done = played("quit\n", "achi", "--x", "human", encoding="ascii")
    assert done.returncode == 0
    assert done.stderr == ""
    assert " 1 .---.---." in done.stdout
    assert "   | \\ | / |" in done.stdout


def in_a_terminal(keys: bytes, *arguments: str, **environment: str) -> tuple[int, str]:
    """Run on a pseudo-terminal, send the keys when asked for a move, and return exit code and screen."""
    process, terminal = pty.fork()
    if process == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # the test runner's workers ignore it
        os.environ.update({"TERM": "xterm", **environment})
        os.execv(sys.executable, [sys.executable, "-m", "noughts", "play", *arguments])
    screen = b""
    sent = False
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if not select.select([terminal], [], [], 1)[0]:
            if sent:
                os.write(terminal, keys)  # a signal just before input() reads is missed
            continue
        try:
            screen += os.read(terminal, 4096)
        except OSError:
            break
        if not sent and b"Your move" in screen:
            os.write(terminal, keys)
            sent = True
    else:
        os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), screen.decode()


def test_ctrl_c_leaves_cleanly() -> None:
    code, screen = in_a_terminal(b"\x03", "--x", "human", "--o", "c1990")
    assert code == 130
    assert "Goodbye." in screen
    assert "Traceback" not in screen


def test_colours_in_a_terminal_and_none_on_demand() -> None:
    _, colourful = in_a_terminal(b"b2\nquit\n", "--x", "human", "--o", "c1990")
    _, plain = in_a_terminal(b"b2\nquit\n", "--x", "human", "--o", "c1990", NO_COLOR="1")
    assert "\x1b[1;36mX" in colourful
    assert "\x1b[1;4;35mO" in colourful
    assert "36m" not in plain
    assert "plays" in plain


def test_games_are_saved_with_a_remark_and_the_last_one_is_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.txt"
    monkeypatch.setattr("sys.stdin", StringIO("a1\nb1\na2\nb2\na3\ny\nb2\na1\nquit\n"))
    assert run(["play", "--x", "human", "--o", "human", "--save", str(file)]) == 0
    lines = file.read_text().splitlines()
    assert [line for line in lines if line[0] != "#"] == ["tictactoe: a1 b1 a2 b2 a3", "tictactoe: b2 a1"]
    assert [line.partition(": ")[2] for line in lines if line[0] == "#"] == [
        "x human, o human; x wins: a row",
        "x human, o human; unfinished",
    ]
    monkeypatch.setattr("sys.stdin", StringIO(f"c1\nSAVE {tmp_path / 'new file'}\nresign\nsave {file}\nn\n"))
    assert run(["play", "--x", "human", "--o", "c1990", "--load", str(file)]) == 0
    shown = capsys.readouterr().out
    assert shown.count("The game is saved in") == 4
    assert (tmp_path / "new file").read_text().endswith("unfinished\ntictactoe: b2 a1 c1 a3\n")
    assert file.read_text().endswith("x human, o c1990; o wins: resignation\ntictactoe: b2 a1 c1 a3\n")
    assert run(["review", "--file", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["moves"] == ["b2", "a1", "c1", "a3"]


def test_a_finished_game_that_is_loaded_is_shown_with_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.txt"
    file.write_text("# a remark\n\nachi: b2 a1\ntictactoe: a1 b1 a2 b2 a3\n")
    monkeypatch.setattr("sys.stdin", StringIO("y\nc3\nquit\n"))
    assert run(["play", "--x", "human", "--o", "human", "--load", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "X won: three in a row." in shown
    assert " 3 │   │   │ X │" in shown, "the next game begins on an empty board"


def test_a_game_that_could_not_be_saved_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("a1\nb1\na2\nb2\na3\nn\n"))
    assert run(["play", "--x", "human", "--o", "human", "--save", "/dev/full"]) == 2
    assert "'/dev/full' cannot be written: No space left on device" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("content", "arguments", "words"),
    [
        ("tictactoe: b2", ["achi", "--load"], "is tictactoe, not 'achi': expected that or none"),
        ("some text", ["--load"], "holds no games: expected lines as tictactoe: b2 a1"),
        ("tictactoe: b2\ntictactoe: b2 b2", ["--load"], "line 2: move 2: 'b2' is not a legal move"),
        ("some text", ["--save"], "holds no games: expected a file of games, or a new one"),
        ("tictactoe: b2", ["--setup", "--load"], "--setup does not go with --load"),
    ],
)
def test_files_that_hold_no_games_are_refused(
    content: str, arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.txt"
    file.write_text(content)
    assert run(["play", *arguments, str(file)]) == 2
    assert words in capsys.readouterr().err
    assert file.read_text() == content
