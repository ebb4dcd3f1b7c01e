"""Programs that use one database at the same time: what they do, and how tests start them.

They are processes of their own, forked from one that has loaded Noughts (`forkserver`), so that each is there at once.
A test speaks with them through pipes: a program says when it is ready, waits for a word, and says what it has done.
"""

from collections.abc import Callable
from contextlib import redirect_stderr
from io import StringIO
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple

from noughts.records import Finished, History, open_database
from noughts.web.asking.thinker import LOADED

__all__ = ["READY", "Program", "opens", "saves_one_list", "saves_until_killed", "start"]

READY = "ready"


class Program(NamedTuple):
    """A program that runs, and the pipe to it."""

    process: BaseProcess
    pipe: Connection

    def hear(self) -> Any:
        """What it says next; EOFError if it has ended."""
        assert self.pipe.poll(60)
        return self.pipe.recv()


def start(program: Callable[..., None], *arguments: str) -> Program:
    """Start a program with the pipe and these arguments."""
    context = get_context("forkserver")
    # Thinkers are forked from the same process, if tests of them come later.
    context.set_forkserver_preload([*LOADED, __name__, "noughts.records"])
    here, there = context.Pipe()
    process = context.Process(target=program, args=(there, *arguments), daemon=True)
    process.start()
    there.close()
    return Program(process, here)


def opens(pipe: Connection, url: str) -> None:
    """Opens a database, and says what it wrote to standard error."""
    pipe.send(READY)
    pipe.recv()
    with redirect_stderr(StringIO()) as errors:
        open_database(url).close()
    pipe.send(errors.getvalue())


def saves_one_list(pipe: Connection, url: str) -> None:
    """Saves games that others save, too."""
    records = History(open_database(url))
    pipe.send(READY)
    pipe.recv()
    saved = []
    for number in range(40):
        game = Finished(token=str(number), game="achi", x="a", o="b", moves="b2", result="x", reason="")
        saved.append(records.save(game).id)
    pipe.send(saved)


def saves_until_killed(pipe: Connection, url: str, name: str) -> None:
    """Saves games of its own, and says of each that it is saved."""
    records = History(open_database(url))
    for number in count():
        token = f"{name}-{number}"
        moves = " ".join([token] * 50)
        game = Finished(
            token=token, game="achi", x=token, o=token, moves=moves, result="x", reason=token, seconds=number
        )
        pipe.send((records.save(game).id, token))
