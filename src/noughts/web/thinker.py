"""A process beside the server that answers one question at a time, and never outlives the server.

The two talk through a pipe: a question goes out, an answer comes back as bytes, either what the question returned or
the error that it raised. If the server dies, however it dies, a thinker notices and ends, busy or not. A thinker that
has grown large, because it solved many games, ends after its answer; whoever needs the next one starts afresh.
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
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from typing import Any

from noughts.games import NoughtsError

__all__ = ["READY", "FailedError", "Question", "Thinker", "open_answer", "seal_answer"]

Question = Callable[..., Any]
MOST_BYTES = 800 * 2**20
"""Memory after which a thinker is replaced."""
READY = b"ready"
_log = logging.getLogger("noughts.web")


class FailedError(Exception):
    """A question that failed for a reason that is no visitor's."""


class Thinker:
    """The server's end: sends questions, and hands answers on as they come, in the event loop it was made in."""

    def __init__(self, answered: Callable[["Thinker", bytes | None], None], prepare: Callable[[], None]) -> None:
        """`prepare` runs there before all else.

        `answered` gets `READY` once that is done, then each answer, and None when the process has ended.
        """
        context = get_context("spawn")
        self._pipe, other_end = context.Pipe()
        self._process = context.Process(target=_think, args=(other_end, prepare), name="thinker", daemon=True)
        self._process.start()
        other_end.close()
        self._answered = answered
        self._loop = asyncio.get_running_loop()
        self._ended = False
        # A thread, since event loops differ in what becomes of a pipe that they watch.
        Thread(target=self._listen, daemon=True).start()
        self.knows: set[Hashable] = set()
        """The games it was asked about: their solutions may still be at hand there."""

    @property
    def pid(self) -> int | None:
        """The number of the process."""
        return self._process.pid

    def ask(self, question: Question, arguments: tuple[Hashable, ...]) -> None:
        """Send a question; the thinker has none at present."""
        self.knows.update(arguments[:1])
        with suppress(OSError):  # it has just ended, which will be read as such
            self._pipe.send((question, arguments))

    def end(self) -> None:
        """End the process at once, whatever it does."""
        self._ended = True
        self._process.kill()
        self._process.join(1)

    def _listen(self) -> None:
        """Hand on what comes through the pipe, until nothing comes any more."""
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


def seal_answer(question: Question, arguments: tuple[Hashable, ...]) -> bytes:
    """Answer a question; the answer or the error, ready to travel."""
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
    """An error as it is; one that does not survive the journey, by its words."""
    try:
        message = pickle.dumps((False, error))
        pickle.loads(message)
    except Exception:
        return pickle.dumps((False, NoughtsError(str(error))))
    return message


def _think(pipe: Connection, prepare: Callable[[], None]) -> None:
    """What a thinker does all its life."""
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
