"""A thinker: a process beside the server that answers one question after the other, and the server's end of it.

Where the system forks well (Linux), thinkers are forked from a process that has loaded what they need and does nothing
else (`forkserver`): a new one is there in hundredths of a second, and what it has loaded is in memory once for all of
them. Elsewhere, or where that process finds no place for its socket, each one loads all of it again (`spawn`). Forking
the server itself is out of the question: it has threads, and a fork has the locks that they held.

This file leans on nothing of the server but the questions, since thinkers load it.
"""

import asyncio
import logging
import os
import pickle
import resource
import signal
import sys
from collections.abc import Callable, Hashable
from contextlib import suppress
from multiprocessing import Pipe, get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from noughts.games import NoughtsError

__all__ = ["MOST_BYTES", "READY", "FailedError", "Question", "Thinker", "open_answer", "seal_answer"]

Question = Callable[..., Any]
MOST_BYTES = 800 * 2**20
"""Memory after which a thinker is replaced."""
READY = b"ready"
LOADED = ["noughts.web.asking.seedbed"]
"""What is loaded before thinkers are forked."""
_log = logging.getLogger("noughts.web")


class FailedError(Exception):
    """A question that failed by a mistake of ours, not of whoever asked."""


class Thinker:
    """The server's end of a thinker: sends questions, and hands on answers in the event loop it was made in."""

    def __init__(self, answered: Callable[["Thinker", bytes | None], None], prepare: Callable[[], None]) -> None:
        """`prepare` runs there before all else.

        `answered` gets `READY` once that is done, then each answer, and None when the process has ended.
        """
        self._pipe, other_end = Pipe()
        self._process: BaseProcess | None = None
        self._answered = answered
        self._loop = asyncio.get_running_loop()
        self._starting = Lock()
        self._ended = False
        # A thread, since starting a process takes a while, and event loops differ in what becomes of a pipe they watch.
        Thread(target=self._live, args=(other_end, prepare), daemon=True).start()
        self.knows: set[Hashable] = set()
        """The games it was asked about: their solutions may still be at hand there."""

    @property
    def pid(self) -> int | None:
        """The number of the process."""
        return None if self._process is None else self._process.pid

    def ask(self, question: Question, arguments: tuple[Hashable, ...]) -> None:
        """Send a question; the thinker has none at present."""
        self.knows.update(arguments[:1])
        with suppress(OSError):  # it has just ended, which will be read as such
            self._pipe.send((question, arguments))

    def end(self) -> None:
        """End the process at once, whatever it does."""
        with self._starting:  # so that it is either started and killed, or not started
            self._ended = True
        if self._process is not None:
            self._process.kill()
            self._process.join(1)

    def _live(self, other_end: Connection, prepare: Callable[[], None]) -> None:
        """Start the process; hand on what comes through the pipe, until nothing comes any more."""
        with self._starting:
            if self._ended:
                return
            with suppress(OSError):  # too many processes: what comes through the pipe is its end
                self._process = _start(other_end, prepare)
        other_end.close()
        message: bytes | None = READY
        while message is not None:
            try:
                message = self._pipe.recv_bytes()
            except (EOFError, OSError):
                message = None
            with suppress(RuntimeError):  # the event loop has ended before us
                self._loop.call_soon_threadsafe(self._hear, message)
        self._pipe.close()

    def _hear(self, message: bytes | None) -> None:
        if self._ended:
            return
        if message is None:
            self.end()
        self._answered(self, message)


def _start(pipe: Connection, prepare: Callable[[], None]) -> BaseProcess:
    """A process that has been started, in the cheapest way there is here."""
    if sys.platform == "linux":
        forking = get_context("forkserver")
        forking.set_forkserver_preload(LOADED)
        process: BaseProcess = forking.Process(target=_think, args=(pipe, prepare), name="thinker", daemon=True)
        # Its socket is a file: there may be no folder for that, or one with too long a name.
        with suppress(OSError, EOFError):
            process.start()
            return process
    process = get_context("spawn").Process(target=_think, args=(pipe, prepare), name="thinker", daemon=True)
    process.start()
    return process


def seal_answer(question: Question, arguments: tuple[Hashable, ...]) -> bytes:
    """Answer a question: whether it went well, and the answer or the error, as bytes for the pipe (pickle)."""
    try:
        return pickle.dumps((True, question(*arguments)))
    except NoughtsError as error:
        return _seal_error(error)
    except Exception as error:
        _log.exception("the question %s%r failed", question.__name__, arguments)
        return _seal_error(FailedError(f"{type(error).__name__}: {error}"))


def open_answer(message: bytes) -> Any:
    """What the question returned; or raise what it raised."""
    good, answer = pickle.loads(message)
    if not good:
        raise answer
    return answer


def _seal_error(error: Exception) -> bytes:
    """An error as bytes; one that cannot be pickled and read back becomes a plain error with the same words."""
    try:
        message = pickle.dumps((False, error))
        pickle.loads(message)
    except Exception:
        return pickle.dumps((False, NoughtsError(str(error))))
    return message


def _think(pipe: Connection, prepare: Callable[[], None]) -> None:
    """What the process of a thinker runs: question after question, until it has grown too large."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends its thinkers
    Thread(target=_end_with_server, daemon=True).start()
    prepare()
    with suppress(EOFError, OSError):
        pipe.send_bytes(READY)
        while _memory_in_use() < MOST_BYTES:
            question, arguments = pipe.recv()
            pipe.send_bytes(seal_answer(question, arguments))


def _end_with_server() -> None:
    server = parent_process()
    if server is not None:
        server.join()
        os._exit(0)


def _memory_in_use() -> int:
    """The memory that this process has now.

    Not the most it has had, where that can be helped: a new process starts with the figure of the one that made it.
    """
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024
    return pages * resource.getpagesize()
