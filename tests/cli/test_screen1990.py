"""The screen of 1990, compared with what the calls of curses in its listing draw; on pipes and on terminals."""

import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import pytest

from keyboard import played
from noughts.cli.classic import c1990
from noughts.cli.classic.terminal import Addressed, Printed, fitted, screen
from noughts.cli.keyboard import LeaveError
from noughts.games import Position, game
from noughts.players import player
from oracles.appendix_f import MainProgram

GAME = game("tictactoe")
ANSWERS = {
    "one who loses": ["y", "a1", "a3", "c3", "n"],
    "one who draws, and plays again": ["Y", "B2", "c3", "b1", "a2", "c1", "y", "n", "b2", "q"],
    "one who hesitates": ["x", "later", "n", "a1", "z", "b", "9", "b2", "b2 ", "", "c1"],
    "one who types ahead": ["yesa1a3", "c3", "no"],
    "one who leaves at once": [],
}


def replies(name: str) -> Callable[[list[str]], tuple[int, int]]:
    """What the machine answers on this board, and its time: 12 milliseconds by the clock of these tests, or cycles."""
    machine = player(name, 5)

    def reply(board: list[str]) -> tuple[int, int]:
        stones = {stone: sum(1 << place for place, here in enumerate(board) if here == stone) for stone in "XO"}
        begun = stones["X"].bit_count() == stones["O"].bit_count()
        sides = (stones["O"], stones["X"]) if begun else (stones["X"], stones["O"])
        hand = (5 - sides[0].bit_count(), 4 - sides[1].bit_count())
        choice = machine.choose(GAME, Position(sides, hand, 0 if begun else 1))
        assert choice.move.to is not None
        return choice.move.to, choice.cycles or 12

    return reply


def words(name: str) -> Callable[[int], str]:
    """The time as it stands on the screen: the chip's in thousandths of a millisecond, at 6 MHz."""
    if name == "c1990":
        return lambda time: f"{time:8d} milliseconds."
    return lambda time: f"{time / 6000:8.3f} milliseconds. ({time:,} cycle{'s' * (time != 1)})"


@pytest.fixture(autouse=True)
def _steady_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock of which every look costs 12.9 milliseconds."""
    ticks = count()
    monkeypatch.setattr(c1990, "process_time", lambda: next(ticks) * 0.0129)


@pytest.mark.parametrize("name", ["c1990", "chip1990"])
@pytest.mark.parametrize("lines", ANSWERS.values(), ids=list(ANSWERS))
def test_the_screen_is_that_of_the_listing(name: str, lines: list[str], tmp_path: Path) -> None:
    log = tmp_path / "test"
    log.write_text("an older game")
    expected = MainProgram([line for line in lines if line], replies(name), words(name))
    text = "".join(f"{line}\n" for line in lines)
    done = played(text, "--classic", "--o", name, "--seed", "5", "--log", str(log))
    assert (done.returncode, done.stderr) == (0, "")
    printed = "".join(f"{screen}\n\n" for screen in expected.screens)
    assert done.stdout == printed + "\n" * expected.left + "Goodbye.\n"
    assert log.read_text() == "an older game" + expected.log


def test_a_screen_in_full_and_its_line_of_the_log(tmp_path: Path) -> None:
    """So that there is one to read, besides those that are computed."""
    log = tmp_path / "test"
    done = played("y\na1\na3\nc3\nn\n", "--classic", "--log", str(log))
    assert done.stdout.endswith("""
T I C - T A C - T O E

  !---!---!---!
1 ! X !   !   !
  !---!---!---!
2 ! O ! O ! O !
  !---!---!---!
3 ! X !   ! X !
  !---!---!---!
    A   B   C


I won.

Do you want to play again?  (Y/N)

Time for 2. move :      12 milliseconds.
Time for 4. move :      12 milliseconds.
Time for 6. move :      12 milliseconds.

Goodbye.
""")
    assert log.read_text() == "\n0      4    12 6      3    12 8      5    12 "


def test_the_chip_shows_the_time_of_its_slowest_reply() -> None:
    done = played("yb3\n", "--classic", "--o", "chip1990")
    assert "Time for 2. move :   2.501 milliseconds. (15,007 cycles)\n" in done.stdout


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("c++") is None and shutil.which("g++") is None, reason="needs a C++ compiler")
def test_the_hardware_shows_what_its_model_does() -> None:
    by_model, by_hardware = (
        played("y\nb2\nc3\nb1\nq\n", "--classic", "--o", "chip1990", *rtl) for rtl in ([], ["--rtl"])
    )
    assert by_hardware.stdout == by_model.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--classic", "--position", "X../.../..."], "--position does not go with the screen of 1990: expected games"),
        (["--classic", "--setup"], "--setup does not go with the screen of 1990: expected games"),
        (["--classic", "--o", "random"], "expected --o c1990 or chip1990 (1990), or --o basic1, basic2, basic3 or"),
        (["--classic", "--x", "c1990"], "expected --o c1990 or chip1990 (1990)"),
        (["--log", "kept"], "--log 'kept' is kept by the screen of 1990: expected --classic, too"),
        (["qubic", "--classic", "--o", "basic3", "--log", "kept"], "screen of 1990: expected --o c1990 or chip1990"),
        (["--classic", "--log", "/nowhere/kept"], "'/nowhere/kept' cannot be written: No such file or directory"),
        (["--classic", "--log", "/dev/full"], "'/dev/full' cannot be written: No space left on device"),
        (["--classic", "--log", "/"], "'/' cannot be written: Is a directory; expected the name of a file"),
    ],
)
def test_what_the_screen_does_not_know_is_refused_before_it_is_drawn(
    arguments: list[str], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = played("y\n", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


ROWS = ["title", "", "one", "two", "", "question", "", "first", "second"]


@pytest.mark.parametrize(
    ("height", "shown"),
    [
        (24, [0, 1, 2, 3, 4, 5, 6, 7, 8]),
        (9, [0, 1, 2, 3, 4, 5, 6, 7, 8]),
        (8, [0, 1, 2, 3, 4, 5, 7, 8]),
        (6, [0, 2, 3, 5, 7, 8]),
        (5, [0, 2, 3, 5, 8]),
        (4, [0, 2, 3, 5]),
        (2, [3, 5]),
        (1, [5]),
    ],
)
def test_a_low_window_shows_what_matters_most(height: int, shown: list[int]) -> None:
    assert fitted([*ROWS, "", ""], 5, height) == shown


def drawn(sent: str, rows: int, columns: int) -> str:
    """What stands on a terminal of this size after all that was sent to it, with an underscore for the cursor."""
    lines = [[" "] * columns for _ in range(rows)]
    row = column = 0
    complete = re.sub(r"\x1b(\[[0-9;?]*)?$", "", sent)
    for command, character in re.findall(r"\x1b\[([0-9;?]*[A-Za-z])|([^\x1b])", complete):
        if place := re.fullmatch(r"(\d+);(\d+)H", command):
            row, column = int(place[1]) - 1, int(place[2]) - 1
            assert row < rows
            assert column < columns
        elif command == "2K":
            lines[row] = [" "] * columns
        elif command != "?1049h":
            assert character.isprintable(), command
            assert column < columns, "nothing is written beyond the edge"
            lines[row][column] = character
            column += 1
    if column < columns:
        lines[row][column] = "_"
    return "\n".join("".join(line).rstrip() for line in lines).rstrip("\n")


class Sitting:
    """A game on a pseudo-terminal, in a process of its own."""

    def __init__(self, *arguments: str) -> None:
        self.process, self.master = pty.fork()
        if self.process == 0:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.environ["TERM"] = "xterm"
            os.execv(sys.executable, [sys.executable, "-m", "noughts", "play", *arguments])
        self.modes = termios.tcgetattr(self.master)
        self.resize(24, 80)

    def resize(self, rows: int, columns: int) -> None:
        self.size = (rows, columns)
        self.sent = ""
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def shows(self, expected: str) -> None:
        """Wait until exactly this stands on the terminal."""
        deadline = time.monotonic() + 30
        while drawn(self.sent, *self.size) != expected:
            if time.monotonic() > deadline:
                assert drawn(self.sent, *self.size) == expected
            if select.select([self.master], [], [], 0.5)[0]:
                self.sent += os.read(self.master, 65_536).decode()

    def rest(self) -> str:
        """What comes until it is over."""
        text = ""
        with suppress(OSError):  # the end of a pseudo-terminal
            while select.select([self.master], [], [], 30)[0]:
                text += os.read(self.master, 65_536).decode()
        return text.replace("\r\n", "\n")


def with_cursor(screen: str, row: int = 14) -> str:
    """A screen of the listing with the cursor behind the question."""
    lines = screen.split("\n")
    end = len("Please enter your move : ") if lines[row].startswith("Please") else len(lines[row])
    lines[row] = f"{lines[row]:<{end}}"[:end] + "_" + lines[row][end + 1 :]
    return "\n".join(lines)


def test_a_terminal_is_drawn_in_place_fits_small_windows_and_is_given_back() -> None:
    """A game with arrows pressed, a window made small, the process stopped and let go on, and Ctrl-C."""
    keys = ["y", "b2", "c3"]
    start, first, second, third = MainProgram(keys, replies("chip1990"), words("chip1990")).screens
    sitting = Sitting("--classic", "--o", "chip1990")
    sitting.shows(with_cursor(start))
    assert sitting.sent.startswith("\x1b[?1049h")
    assert termios.tcgetattr(sitting.master) != sitting.modes
    sitting.type("\x1b[A\x1bOBy")
    sitting.shows(with_cursor(first))
    sitting.type("b2")
    sitting.shows(with_cursor(second))

    sitting.resize(11, 30)
    title, *board = second.split("\n")[0:1] + second.split("\n")[2:10]
    time_line = second.split("\n")[16][:30]
    sitting.shows("\n".join([title, *board, "Please enter your move : _2", time_line]))
    sitting.resize(2, 10)
    sitting.shows("    A   B\nPlease en_")
    sitting.resize(24, 80)
    sitting.shows(with_cursor(second))

    sitting.type("\x1a")
    _, status = os.waitpid(sitting.process, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    assert termios.tcgetattr(sitting.master) == sitting.modes
    sitting.sent = ""
    os.kill(sitting.process, signal.SIGCONT)
    sitting.type("c3")
    sitting.shows(with_cursor(third))

    sitting.type("\x03")
    assert sitting.rest() == f"\x1b[?1049l{third}\n\nGoodbye.\n"
    assert termios.tcgetattr(sitting.master) == sitting.modes
    _, status = os.waitpid(sitting.process, 0)
    assert os.waitstatus_to_exitcode(status) == 130
    os.close(sitting.master)


@contextmanager
def in_a_terminal(monkeypatch: pytest.MonkeyPatch, **environment: str) -> Iterator[int]:
    """Standard streams that lead to a pseudo-terminal; its other end."""
    master, slave = pty.openpty()
    monkeypatch.delenv("TERM", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with os.fdopen(slave) as keyboard, os.fdopen(os.dup(slave), "w") as output, os.fdopen(master, "rb"):
        monkeypatch.setattr(sys, "stdin", keyboard)
        monkeypatch.setattr(sys, "stdout", output)
        yield master


@pytest.mark.parametrize("term", [{}, {"TERM": ""}, {"TERM": "dumb"}])
def test_on_a_terminal_of_which_nothing_is_known_the_screen_is_printed(
    term: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with in_a_terminal(monkeypatch, **term) as master:
        os.write(master, b"y\n")
        with screen() as printed:
            assert isinstance(printed, Printed)
            printed.write("T I C")
            assert printed.key() == "y"
        assert b"\x1b" not in os.read(master, 1000)


@pytest.mark.parametrize("error", [LeaveError, KeyboardInterrupt, ZeroDivisionError])
def test_a_terminal_without_a_size_is_drawn_on_and_given_back_whatever_happens(
    error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    with in_a_terminal(monkeypatch, TERM="xterm") as master:
        before, stopped = termios.tcgetattr(master), signal.getsignal(signal.SIGTSTP)

        def program() -> None:
            with screen() as addressed:
                assert isinstance(addressed, Addressed)
                addressed.move(14, 0)
                addressed.write("?")
                assert addressed.key() == "k"
                if error is LeaveError:
                    addressed.key()
                raise error

        os.write(master, b"k\x04")
        with pytest.raises(error):
            program()
        assert termios.tcgetattr(master) == before
        assert signal.getsignal(signal.SIGTSTP) == stopped
        sent = ""
        while not sent.endswith("k\r\n"):
            sent += os.read(master, 10_000).decode()
        assert drawn(sent.partition("\x1b[?1049l")[0], 24, 80) == "\n" * 14 + "?_"
        assert sent.endswith("\x1b[?1049l" + "\r\n" * 14 + "?k\r\n")
