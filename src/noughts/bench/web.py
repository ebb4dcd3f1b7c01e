"""`noughts bench web`: how much the web server does on this machine, and whether anybody is turned away.

Servers are started as processes of their own, on free ports, with an empty database, and ended afterwards. Three things
are asked: positions through the API, a page, and whole games, by 200 players at once who follow the server's redirects
as a browser does. The client runs here, on the same machine, so on two cores two workers have to share them with it;
`CPU µs` is what a request costs the server itself, however busy the machine is.
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from random import Random
from socket import socket
from tempfile import TemporaryDirectory
from time import monotonic, perf_counter, sleep
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from noughts.bench.load import Line, Tally, at_rate, crowd, flat_out, timed
from noughts.games import Game, NoughtsError
from noughts.games import game as find_game
from noughts.games.playing import Playing
from noughts.solve import Progress

__all__ = ["bench_web", "run_client", "server"]

Row = dict[str, Any]

LINES = 32
"""Connections that ask at the same time."""
SECONDS = 2.4
"""For each measurement."""
PLAYERS = 200
PLAY_SECONDS = 5.0
"""In which players begin new games; those they have begun they finish."""
POSITIONS = 1_000
OPPONENTS = ("novice", "casual", "strong", "perfect", "chip1990", "c1990", "elements2021", "random")
START = 30.0
"""Seconds within which a server has to answer."""
SETTLE = 3.0
"""Seconds that each worker gets to start its thinkers."""
PAGE = "/explore/tictactoe"


def bench_web(progress: Progress) -> list[Row]:
    """Requests a second, latencies and errors, with one worker and with two."""
    rows: list[Row] = []
    positions = position_paths()
    for workers in (1, 2):
        with server(workers) as (port, process):
            for what, paths in (("position", positions), (f"page {PAGE}", [PAGE])):
                run_client(flat_out(port, paths, LINES, SECONDS))  # so that all is remembered
                most = _measured(process, flat_out(port, paths, LINES, SECONDS))
                rows.append(_row(what, workers, LINES, *most))
                progress(len(rows), 10)
                half = most[0].times and len(most[0].times) / most[0].seconds / 2
                calm = _measured(process, at_rate(port, paths, LINES, SECONDS, half or 1))
                rows.append(_row(f"{what}, half load", workers, LINES, *calm))
                progress(len(rows), 10)
            played = _measured(process, crowd(PLAYERS, partial(play_games, port, perf_counter() + PLAY_SECONDS)))
            rows.append(_row("whole games", workers, PLAYERS, *played))
            progress(len(rows), 10)
    return rows


def position_paths() -> list[str]:
    """Addresses of positions of tic-tac-toe, as they come up in games."""
    random, game, paths = Random(1), find_game("tictactoe"), set[str]()
    while len(paths) < POSITIONS:
        position = game.start()
        while game.over(position) is None:
            position = game.after(position, random.choice(game.moves(position)))
            paths.add(f"/api/v1/position?game=tictactoe&position={quote(game.write(position), safe='/.')}")
    return sorted(paths)[:POSITIONS]


async def play_games(port: int, end: float, number: int, tally: Tally) -> None:
    """Games one after the other, as X and as O in turn, against one machine after the other."""
    random, line, game = Random(number), Line("127.0.0.1", port), find_game("tictactoe")
    for turn in range(number, 1_000_000):
        if perf_counter() > end:
            break
        machine = OPPONENTS[turn // 2 % len(OPPONENTS)]
        seats = ("human", machine) if turn % 2 else (machine, "human")
        await _play_game(line, game, seats, random, tally)
    line.close()


async def _play_game(line: Line, game: Game, seats: tuple[str, str], random: Random, tally: Tally) -> None:
    """One game, to the page that says it is saved."""
    path = f"/play/tictactoe?x={seats[0]}&o={seats[1]}"
    while True:
        shown = await _shown(line, path, tally)
        if shown is None:
            return
        path, _ = shown
        query = dict(parse_qsl(urlsplit(path).query))
        playing = Playing.begin(game)
        for text in filter(None, query.get("moves", "").split(".")):
            playing = playing.then(game.read_move(playing.position, text))
        if playing.result is not None:
            saved = await _shown(line, path, tally, "POST")  # as the form on the page does
            if saved is None or b"aved as" not in saved[1]:
                tally.errors.append(f"{path}: not saved")
            return
        move = game.write_move(random.choice(game.moves(playing.position)))
        query["moves"] = ".".join(filter(None, (query.get("moves"), move)))
        path = f"/play/tictactoe?{urlencode(query, safe='.')}"


async def _shown(line: Line, path: str, tally: Tally, method: str = "GET") -> tuple[str, bytes] | None:
    """The page that a browser would show in the end, and its address; None if there is none."""
    while True:
        answer = await timed(line, path, tally, method=method)
        if answer is None:
            return None
        if answer.status == 303:
            path, method = answer.location, "GET"
        elif answer.status == 202:  # still thinking: the browser asks again by itself
            await asyncio.sleep(1)
        elif answer.status == 200:
            return path, answer.body
        else:
            tally.errors.append(f"{path}: status {answer.status}")
            return None


@contextmanager
def server(workers: int, folder: str | None = None) -> Iterator[tuple[int, int]]:
    """A server on a port of its own with an empty database: the port, and the number of the process."""
    with TemporaryDirectory() as made:
        with socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        code = f"from noughts.web.server import serve; serve('127.0.0.1', {port}, {workers})"
        database = f"sqlite:///{folder or made}/games.db"
        environment = {**os.environ, "NOUGHTS_DATABASE_URL": database, "NOUGHTS_BOUNDS": "off"}
        process = subprocess.Popen([sys.executable, "-c", code], env=environment)
        try:
            _wait_for(process, port, workers)
            yield port, process.pid
        finally:
            process.terminate()
            process.wait()


def _wait_for(process: subprocess.Popen[bytes], port: int, workers: int) -> None:
    """Until the server answers: connections are taken earlier, by the kernel."""
    began = monotonic()
    while monotonic() - began < START and process.poll() is None:
        try:
            connection = HTTPConnection("127.0.0.1", port, timeout=START)
            connection.request("GET", "/health")
            connection.getresponse().read()
            connection.close()
        except (OSError, HTTPException):
            sleep(0.05)
            continue
        sleep(SETTLE * workers)  # its thinkers, and a second worker, come a moment later
        return
    raise NoughtsError(f"the server did not start within {START:g} seconds: expected one that answers at port {port}")


def run_client(what: Coroutine[Any, Any, Tally]) -> Tally:
    """Run the client, in the quicker event loop where it is installed."""
    try:
        import uvloop  # noqa: PLC0415  comes with the server
    except ImportError:
        return asyncio.run(what)
    return uvloop.run(what)


def _measured(process: int, what: Coroutine[Any, Any, Tally]) -> tuple[Tally, float | None]:
    """What the client noted, and the seconds of processor time that the server took meanwhile."""
    before = _processor_time(process)
    tally = run_client(what)
    after = _processor_time(process)
    return tally, None if before is None or after is None else after - before


def _processor_time(process: int) -> float | None:
    """Seconds of processor time of a process and of those it has started; None where that cannot be had."""
    stats = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            stats[path.parent.name] = path.read_text().rpartition(")")[2].split()
    family = {str(process)}
    while more := {pid for pid, stat in stats.items() if stat[1] in family} - family:
        family |= more
    ticks = [int(stats[pid][11]) + int(stats[pid][12]) for pid in family if pid in stats]
    return sum(ticks) / os.sysconf("SC_CLK_TCK") if ticks else None


def _row(what: str, workers: int, clients: int, tally: Tally, processor: float | None) -> Row:
    if tally.errors:
        print(f"{what}: {tally.errors[0]}", file=sys.stderr)
    return {
        "what": what,
        "workers": workers,
        "clients": clients,
        "requests/s": round(len(tally.times) / tally.seconds),
        "p50 ms": round(tally.percentile(0.5), 1),
        "p99 ms": round(tally.percentile(0.99), 1),
        "CPU µs": None if processor is None else round(processor * 1e6 / max(1, len(tally.times))),
        "errors": len(tally.errors),
    }
