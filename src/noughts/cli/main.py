"""The command `noughts`: its subcommands, and what becomes of everything that goes wrong.

Bad input, and output that cannot be written, end with exit code 2 and one line that names it; Ctrl-C with 130 and no
traceback; a reader who has seen enough and closes the pipe, silently, with 141.
"""

import errno
import os
import re
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import typer
from typer.main import get_command

from noughts import __version__
from noughts.cli import (
    ask,
    contests,
    data,
    knuth,
    learn,
    machine,
    play,
    proofs,
    puzzle,
    review,
    silicon,
    solve,
    watch,
    web,
)
from noughts.cli.output import mend_streams, note
from noughts.extras import importing
from noughts.games import NoughtsError

__all__ = ["app", "run", "run_process"]

READER_GONE = 141
"""The exit code where whoever read the answer has closed the pipe: 128 plus SIGPIPE, as shells have it."""
WRITE_ERRORS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}
"""What writing to an open file may end with. If no file is named, it was standard output: all other files of commands
are written by `write_file`, or by rooms that have errors of their own."""

app = typer.Typer(
    name="noughts",
    help="Play, solve, explain and build the games of a row.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

for command in (
    play.play,
    web.web,
    ask.games,
    ask.players,
    learn.learn,
    ask.value,
    ask.move,
    ask.transcript,
    watch.watch,
    review.review,
    puzzle.puzzle,
    contests.match,
    contests.tournament,
    contests.beat,
    solve.solve,
    data.data,
    proofs.prove,
    proofs.check,
    machine.bench,
    machine.doctor,
):
    app.command(no_args_is_help=False)(command)


app.add_typer(knuth.app, name="knuth")
app.add_typer(silicon.app, name="silicon")


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version and exit."),
) -> None:
    """Play, solve, explain and build the games of a row.

    For example: noughts play, noughts value tictactoe XO./.X./..O, noughts games.
    """
    if version:
        print(f"noughts {__version__}")
    elif context.invoked_subcommand is None:
        print(context.get_help())


def run_process(arguments: list[str]) -> int:
    """Run one command as all that this process does, and return its exit code.

    What `run` leaves alone, since a process may run many commands: the standard streams are made to take what
    commands write.
    """
    mend_streams()
    return run(arguments)


@cache
def _command() -> Callable[..., Any]:
    """What Typer makes of all commands: once for a process that runs many, since it takes a hundredth of a second."""
    return get_command(app)


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code."""
    try:
        with importing("this"):
            code = _command()(arguments, prog_name="noughts", standalone_mode=False)
        sys.stdout.flush()
    except NoughtsError as error:
        return _complain(str(error))
    except typer.TyperException as error:
        return _complain(_with_expectation(error.format_message(), arguments))
    except MemoryError as error:
        return _complain(f"memory ran out ({error or 'no more was to be had'}): expected more, or a smaller question")
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # which the command-line library makes a 1
            _give_up_output()
            return READER_GONE
        # So completion ends, with a code that the shell asks for.
        return end.code if isinstance(end.code, int) else 0
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _give_up_output()
        return READER_GONE
    except OSError as error:
        return _complain(_problem(error))
    return code if isinstance(code, int) else 0


def _problem(error: OSError) -> str:
    """What the system has refused, in one line."""
    if error.filename is None and error.errno in WRITE_ERRORS:
        _give_up_output()
        return f"standard output cannot be written: {error.strerror}; expected a place for the answer"
    what = "" if error.filename is None else f"{str(error.filename)!r}: "
    return f"{what}{error.strerror or error}; expected the system to allow that"


def _give_up_output() -> None:
    """Let what is left in the buffer go nowhere: Python would try it once more at exit, and show a traceback."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _with_expectation(message: str, arguments: list[str]) -> str:
    """A complaint of the command-line library, with what it leaves out: what was expected."""
    if not message.startswith("No such command"):
        return message if re.search(r"\bexpected\b", message) else f"{message.rstrip('.')}; see --help"
    groups = {group.name: group.typer_instance for group in app.registered_groups}
    asked = groups.get(arguments[0], app) or app
    names = [command.name or command.callback.__name__ for command in asked.registered_commands if command.callback]
    names += [str(group.name) for group in asked.registered_groups]
    return f"{message.partition('.')[0]}: expected {', '.join(names)}"


def _complain(message: str) -> int:
    """One line on standard error, whatever the message holds."""
    line = " ".join(message.split())
    printable = "".join(char if char.isprintable() else "?" for char in line)
    note(f"noughts: {printable}")
    return 2
