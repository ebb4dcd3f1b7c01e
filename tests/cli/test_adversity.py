"""Every command when things go wrong: no room for the answer, no streams, no letters for it, and Ctrl-C at any moment.

All commands are run under all conditions by one process of their own, since starting one takes most of the time; it is
this file, run as a program.
"""

import io
import json
import os
import re
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple

import pytest

from noughts.cli.main import app, run, run_process

pytestmark = pytest.mark.slow

COMMANDS = [
    ["play", "--x", "random", "--o", "random", "--seed", "1"],
    ["play"],
    ["play", "qubic", "--o", "basic3", "--classic"],
    ["play", "--classic", "--log", os.devnull],
    ["web", "--port", "none"],
    ["games"],
    ["games", "--json"],
    ["games", "qubic"],
    ["games", "qubic", "--lines"],
    ["players"],
    ["players", "--json"],
    ["value", "tictactoe", "XO./.X./..O"],
    ["value", "tictactoe", "--json"],
    ["move", "tictactoe", "--player", "c1990"],
    ["move", "tictactoe", "--player", "c1990", "--json"],
    ["transcript", "c1990", "b2"],
    ["transcript", "c1990", "b2", "--json"],
    ["learn", "six-mens-morris"],
    ["learn", "qubic", "--json"],
    ["review", "tictactoe", "b2", "b1"],
    ["review", "tictactoe", "b2", "b1", "--json"],
    ["puzzle", "tictactoe"],
    ["puzzle", "tictactoe", "--json"],
    ["watch", "tictactoe", "XOX/OO./X.."],
    ["watch", "tictactoe", "XOX/OO./X..", "--json"],
    ["watch", "tictactoe", "XOX/OO./X..", "--counts"],
    ["watch", "tictactoe", "XOX/OOX/...", "--svg", os.devnull],
    ["watch", "three-mens-morris"],
    ["match", "tictactoe", "random", "random", "--games", "2"],
    ["match", "tictactoe", "random", "random", "--games", "2", "--json"],
    ["tournament", "tictactoe", "random", "novice", "--games", "1"],
    ["tournament", "tictactoe", "random", "novice", "--games", "1", "--json"],
    ["beat", "strong"],
    ["solve", "mnk:2,2,2", "--check"],
    ["solve", "tictactoe", "--json"],
    ["data", "mnk:2,2,2", "--out", "adversity.parquet"],
    ["data", "mnk:2,2,2", "--out", "adversity.parquet", "--json"],
    ["prove", "achi"],
    ["check", "/nowhere"],
    ["bench", "start", "nothing"],
    ["doctor"],
    ["doctor", "--json"],
    ["knuth", "classes", "--nothing"],
    ["knuth", "position", "XO./.../..."],
    ["knuth", "graph", ""],
    ["knuth", "read", "/nowhere"],
    ["knuth", "plot", os.devnull],
    ["silicon", "list"],
    ["silicon", "list", "--json"],
    ["silicon", "pins", "referee2021"],
    ["silicon", "verilog", "referee2021"],
    ["silicon", "trace", "referee2021", "--simulator", "amaranth"],
    ["silicon", "signals", "referee2021"],
    ["silicon", "check", "none"],
    ["silicon", "check", "logic-C"],
    ["silicon", "check", "logic-C", "--json"],
    ["silicon", "gates", "none"],
    ["silicon", "timing", "none"],
    ["silicon", "fpga", "none"],
    ["silicon", "layout", "none"],
    ["silicon", "prove", "none"],
    ["silicon", "shrink", "none"],
    ["silicon", "tapeout", "none"],
    ["silicon", "board", "none"],
    ["--version"],
    ["--help"],
    [],
]
"""Every command, with arguments that cost little."""

CONDITIONS = ("usual", "full disk", "no output", "no input", "no messages", "nothing at all", "ascii", "latin-1")


def drive(report: Path) -> None:
    """Run every command under every condition, and write down what came of it."""
    kept, streams = [os.dup(number) for number in range(3)], (sys.stdin, sys.stdout, sys.stderr)
    try:
        rows = [_run_under(condition, arguments) for condition in CONDITIONS for arguments in COMMANDS]
    finally:
        for number, original in enumerate(kept):
            os.dup2(original, number)
        sys.stdin, sys.stdout, sys.stderr = streams
    report.write_text(json.dumps(rows))


def _run_under(condition: str, arguments: list[str]) -> list[Any]:
    """The condition, the command, its exit code, a traceback if there was one, its output and its messages."""
    sys.stdin = sys.stdout = sys.stderr = None  # the streams of the command before, which close what they wrote to
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nothing, number)
    os.close(nothing)
    with TemporaryFile() as output, TemporaryFile() as messages:
        _arrange(condition, output.fileno(), messages.fileno())
        code, problem = None, ""
        try:
            code = run_process(list(arguments))
            for stream in (sys.__dict__["stdout"], sys.__dict__["stderr"]):
                stream.flush()
        except BaseException:
            problem = traceback.format_exc()
        texts = []
        for file in (output, messages):
            file.seek(0)
            texts.append(file.read().decode("latin-1" if condition == "latin-1" else "utf-8"))
        return [condition, arguments, code, problem, *texts]


def _arrange(condition: str, output: int, messages: int) -> None:
    """Make the standard streams as Python would find them."""
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full if condition == "full disk" else output, 1)
    os.dup2(messages, 2)
    os.close(full)
    encoding = condition if condition in ("ascii", "latin-1") else "utf-8"
    streams: list[io.TextIOWrapper | None] = [
        open(number, "w" if number else "r", encoding=encoding, closefd=False)  # noqa: SIM115
        for number in range(3)
    ]
    closed = {"no output": [1], "no input": [0], "no messages": [2], "nothing at all": [0, 1, 2]}.get(condition, [])
    for number in closed:
        os.close(number)
        streams[number] = None
    sys.stdin, sys.stdout, sys.stderr = streams


class Outcome(NamedTuple):
    """What came of a command."""

    code: int | None
    problem: str
    output: str
    messages: str


Outcomes = dict[tuple[str, tuple[str, ...]], Outcome]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Outcomes:
    report = tmp_path_factory.mktemp("adversity") / "report.json"
    environment, folder = {**os.environ, "COLUMNS": "80"}, report.parent
    subprocess.run([sys.executable, __file__, str(report)], check=True, env=environment, cwd=folder)
    return {(row[0], tuple(row[1])): Outcome(*row[2:]) for row in json.loads(report.read_text())}


def test_every_command_is_among_them() -> None:
    known = [[command.callback.__name__] for command in app.registered_commands if command.callback]
    for group in app.registered_groups:
        known += [
            [str(group.name), command.name or command.callback.__name__]
            for command in (group.typer_instance or app).registered_commands
            if command.callback
        ]
    assert [name for name in known if not any(command[: len(name)] == name for command in COMMANDS)] == []
    assert len(known) > 20


@pytest.mark.parametrize("condition", CONDITIONS)
def test_no_traceback_and_one_line_at_most(condition: str, outcomes: Outcomes) -> None:
    for arguments in map(tuple, COMMANDS):
        usual, found = outcomes["usual", arguments], outcomes[condition, arguments]
        assert found.problem == "", arguments
        if usual.code == 0 and condition in ("full disk", "no output", "nothing at all"):
            assert found.code == 2, arguments  # the answer has not arrived, and a script must know
            reason = "No space left on device" if condition == "full disk" else "Bad file descriptor"
            last = f"noughts: standard output cannot be written: {reason}; expected a place for the answer\n"
            told = condition != "nothing at all"
            assert found.messages in ((last, usual.messages + last) if told else ("",)), arguments
            continue
        assert found.code == usual.code, arguments
        deaf = condition in ("no messages", "nothing at all")
        assert found.messages == ("" if deaf else usual.messages), arguments
        assert usual.messages.count("\n") <= 1
        if condition in ("no input", "no messages"):
            assert _timeless(found.output) == _timeless(usual.output), arguments
        if condition == "ascii":
            assert found.output.isascii(), arguments
        if "--json" in arguments and usual.code == 0:
            assert len(json.loads(found.output)) == len(json.loads(usual.output)), arguments


def _timeless(output: str) -> str:
    """What was printed, without figures, some of which are seconds."""
    return re.sub(r"\d[\d.,e-]*", "#", output)


def words(outcome: Outcome) -> str:
    """The output on one line, since what a column holds depends on how long the paths are."""
    return " ".join(outcome.output.split())


def test_letters_that_are_missing_are_replaced_by_such_as_look_like_them(outcomes: Outcomes) -> None:
    assert "4×4×4" in outcomes["usual", ("games",)].output
    assert "4x4x4" in outcomes["ascii", ("games",)].output
    assert "0.35 µm" in words(outcomes["latin-1", ("doctor",)])
    assert "0.35 um" in words(outcomes["ascii", ("doctor",)])
    programs = [json.loads(outcomes[condition, ("games", "--json")].output) for condition in ("usual", "ascii")]
    assert programs[0] == programs[1]  # escaped, so that nothing is lost


@pytest.mark.parametrize(
    ("redirection", "code", "messages"),
    [
        (">/dev/full", 2, "No space left on device"),
        (">&-", 2, "Bad file descriptor"),
        ("<&- >/dev/null", 0, ""),
        ("2>&- >/dev/null", 0, ""),
        ("<&- >&- 2>&-", 2, ""),
        ("2>/dev/full >/dev/null", 0, ""),
    ],
)
def test_a_shell_arranges_the_same(redirection: str, code: int, messages: str) -> None:
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m noughts players {redirection}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (code, "")
    assert messages in done.stderr
    assert done.stderr.count("\n") == bool(messages)


AT_IMPORT = """
import os, signal, sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), {number})

signal.signal(signal.SIGINT, signal.default_int_handler)  # a test runner may ignore it
sys.meta_path.insert(0, Finder())
sys.argv = ["noughts", *{arguments!r}]
from noughts.__main__ import main
main()
print("not interrupted")
"""


@pytest.mark.parametrize(
    ("module", "arguments", "number"),
    [
        ("typer", ["games"], signal.SIGINT),
        ("noughts.cli.play", ["games"], signal.SIGINT),
        ("noughts.cli.play", ["games"], signal.SIGTERM),
        ("numpy", ["value", "tictactoe"], signal.SIGINT),
        ("numpy", ["value", "tictactoe"], signal.SIGTERM),
        ("numba", ["value", "qubic", "--json"], signal.SIGINT),
    ],
)
def test_ctrl_c_while_something_is_loaded(module: str, arguments: list[str], number: int) -> None:
    code = AT_IMPORT.format(module=module, arguments=arguments, number=int(number))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (128 + number, "", "")


def test_ctrl_c_that_strikes_in_a_destructor_is_not_lost() -> None:
    code = """
import signal, sys, time
from noughts.cli import main as module
from noughts.__main__ import main

class Fragile:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)

def run(_):
    Fragile()
    time.sleep(5)
    return 0

module.run = run
signal.signal(signal.SIGINT, signal.default_int_handler)
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_after_ctrl_c_destructors_of_half_made_things_have_nothing_to_say() -> None:
    code = """
import signal, sys
from noughts.cli import main as module
from noughts.__main__ import main

class HalfMade:
    def __init__(self):
        if self.fails:
            signal.raise_signal(signal.SIGINT)
    def __del__(self):
        raise AttributeError("no attribute")

def run(_):
    HalfMade.fails = False
    HalfMade()
    HalfMade.fails = True
    HalfMade()

module.run = run
signal.signal(signal.SIGINT, signal.default_int_handler)
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.count("AttributeError: no attribute") == 1  # of the one before Ctrl-C


def test_what_follows_from_ctrl_c_is_not_shown() -> None:
    """As when the compiler's callback was interrupted, and the compiler then finds no code."""
    code = """
import signal
from noughts.cli import main as module
from noughts.__main__ import main

def run(_):
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        raise RuntimeError("no code")

module.run = run
signal.signal(signal.SIGINT, signal.default_int_handler)
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_a_mistake_of_ours_is_shown_and_its_exit_code_is_1() -> None:
    code = """
from noughts.cli import main as module
from noughts.__main__ import main
module.run = lambda _: 1 / 0
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.endswith("ZeroDivisionError: division by zero\n")


def test_a_signal_that_was_ignored_at_the_start_stays_ignored() -> None:
    """As under nohup, or for a background command of a shell script."""
    code = """
import os, signal, sys
from noughts.cli import main as module
from noughts.__main__ import main

def run(_):
    os.kill(os.getpid(), signal.SIGINT)
    return 7

module.run = run
signal.signal(signal.SIGINT, signal.SIG_IGN)
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (7, "")


def raising(error: BaseException) -> Callable[..., None]:
    def work(*_: object, **__: object) -> None:
        raise error

    return work


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (KeyboardInterrupt(), 130, ""),
        (PermissionError(13, "Permission denied", "/secret"), 2, "noughts: '/secret': Permission denied; expected"),
        (OSError(28, "No space left on device", "/disk"), 2, "noughts: '/disk': No space left on device; expected"),
        (MemoryError(), 2, "noughts: memory ran out"),
    ],
)
def test_what_any_command_may_end_with(
    error: BaseException,
    code: int,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("noughts.cli.machine.examine", raising(error))
    assert run(["doctor"]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(message)
    assert captured.err.count("\n") == bool(message)


if __name__ == "__main__":
    drive(Path(sys.argv[1]))
