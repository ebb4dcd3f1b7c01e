"""A client that asks a web server very often, and notes how long each answer took.

Plain HTTP/1.1 on connections that stay open, and no more of it than our own server speaks: a client that did everything
right would be slower than the server it measures. Flat out, every connection asks again as soon as it is answered. At a
given rate (an open loop), questions are due at fixed times, and an answer's time counts from when its question was due:
so a server that stalls is not measured as if nobody had wanted anything meanwhile, a mistake that is known as
coordinated omission.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from itertools import count, cycle
from time import perf_counter
from typing import NamedTuple, cast

__all__ = ["Answer", "Line", "Tally", "at_rate", "crowd", "flat_out"]

END = b"\r\n\r\n"
PATIENCE = 30.0
"""Seconds after which an answer counts as missing."""


class Answer(NamedTuple):
    """What came back."""

    status: int
    location: str
    body: bytes


class Tally:
    """How many answers came, how long they took, and what went wrong."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.errors: list[str] = []
        self.seconds = 0.0

    def percentile(self, share: float) -> float:
        """The time within which this share of all answers came, in milliseconds."""
        ordered = sorted(self.times)
        return 1000 * ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


class Line(asyncio.Protocol):
    """A connection: one question at a time."""

    def __init__(self, host: str, port: int, source: str | None = None) -> None:
        """To a server; from another address of this machine than usual, if one is given."""
        self._address, self._source = (host, port), None if source is None else (source, 0)
        self._head = f"HTTP/1.1\r\nHost: {host}:{port}\r\nSec-Fetch-Site: same-origin\r\n"
        self._transport: asyncio.Transport | None = None
        self._received = b""
        self._waiting: asyncio.Future[Answer] | None = None

    async def ask(self, path: str, method: str = "GET", body: str = "") -> Answer:
        """The answer to a question; the connection is opened if it is not."""
        loop = asyncio.get_running_loop()
        if self._transport is None:
            await loop.create_connection(lambda: self, *self._address, local_addr=self._source)
        assert self._transport is not None
        self._waiting = loop.create_future()
        length = f"Content-Length: {len(body)}\r\n" if body else ""
        self._transport.write(f"{method} {path} {self._head}{length}\r\n{body}".encode())
        return await asyncio.wait_for(self._waiting, PATIENCE)

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Note the connection."""
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Note what came; once it is whole, hand it on."""
        self._received += data
        head, end, body = self._received.partition(END)
        if not end:
            return
        headers = dict(line.split(b": ", 1) for line in head.split(b"\r\n")[1:])
        if len(body) < int(headers.get(b"content-length", 0)):
            return
        self._received = b""
        if self._waiting and not self._waiting.done():
            self._waiting.set_result(Answer(int(head[9:12]), headers.get(b"location", b"").decode(), body))

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell who waits."""
        self._transport = None
        if self._waiting and not self._waiting.done():
            self._waiting.set_exception(exc or ConnectionResetError("the server has hung up"))


async def timed(line: Line, path: str, tally: Tally, since: float | None = None, method: str = "GET") -> Answer | None:
    """One question and its answer, noted; None if there was none."""
    began = perf_counter() if since is None else since
    try:
        answer = await line.ask(path, method)
    except (OSError, TimeoutError) as error:
        tally.errors.append(f"{path}: {error!r}")
        line.close()
        return None
    tally.times.append(perf_counter() - began)
    return answer


async def crowd(number: int, one: Callable[[int, Tally], Awaitable[None]]) -> Tally:
    """Many who do the same at the same time."""
    tally, began = Tally(), perf_counter()
    await asyncio.gather(*(one(who, tally) for who in range(number)))
    tally.seconds = perf_counter() - began
    return tally


async def flat_out(port: int, paths: list[str], lines: int, seconds: float) -> Tally:
    """As many questions as the server answers."""
    end, next_path = perf_counter() + seconds, cycle(paths)

    async def ask(_: int, tally: Tally) -> None:
        line = Line("127.0.0.1", port)
        while perf_counter() < end:
            _expect_200(await timed(line, next(next_path), tally), tally)
        line.close()

    return await crowd(lines, ask)


async def at_rate(port: int, paths: list[str], lines: int, seconds: float, rate: float) -> Tally:
    """So many questions a second, asked by whichever connection is free."""
    next_path, turns, began = cycle(paths), _turns(rate, seconds), perf_counter()

    async def ask(_: int, tally: Tally) -> None:
        line = Line("127.0.0.1", port)
        for turn in turns:
            due = began + turn
            await asyncio.sleep(due - perf_counter())
            _expect_200(await timed(line, next(next_path), tally, due), tally)
        line.close()

    return await crowd(lines, ask)


def _turns(rate: float, seconds: float) -> Iterator[float]:
    """When questions are due, in seconds from the beginning."""
    for number in count():
        if number / rate > seconds:
            return
        yield number / rate


def _expect_200(answer: Answer | None, tally: Tally) -> None:
    if answer is not None and answer.status != 200:
        tally.errors.append(f"status {answer.status}: {answer.body[:80]!r}")
