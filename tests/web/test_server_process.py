"""The server as a process: told to end it finishes its work, killed it loses nothing that it said was saved."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from itertools import count
from pathlib import Path
from random import Random
from threading import Event
from time import monotonic, sleep
from typing import Any

import pytest

from noughts.games import SIDES, game
from noughts.games.playing import Playing
from noughts.records import open_database

PATIENCE = 60
"""Seconds after which a test stops waiting for something that should have happened."""
PLAYERS = 6
"""Who play at the same time."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Server:
    """A server that runs."""

    process: subprocess.Popen[str]
    port: int

    def get(self, path: str) -> tuple[int, str]:
        """Status and text of an answer."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def json(self, path: str) -> Any:
        status, text = self.get(path)
        assert status == 200, text
        return json.loads(text)

    def raw(self, request: bytes) -> bytes:
        """Whatever comes back, for whatever is sent."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as line:
            line.sendall(request)
            with suppress(OSError):
                line.shutdown(socket.SHUT_WR)
            received = b""
            with suppress(ConnectionResetError):
                while more := line.recv(65536):
                    received += more
            return received


@contextmanager
def running(database: Path, workers: int = 1) -> Iterator[Server]:
    """A server of its own process group, gone afterwards."""
    port = free_port()
    code = f"from noughts.web.server import serve; serve('127.0.0.1', {port}, {workers})"
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env={**os.environ, "NOUGHTS_DATABASE_URL": f"sqlite:///{database}"},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        server = Server(process, port)
        until(lambda: answers(server) or process.poll() is not None)
        assert process.poll() is None, process.stderr and process.stderr.read()
        yield server
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.stderr:
            process.stderr.close()


def answers(server: Server) -> bool:
    try:
        return server.get("/api/v1/games")[0] == 200
    except (OSError, HTTPException):
        return False


def until(happened: Any) -> None:
    began = monotonic()
    while not happened():
        assert monotonic() - began < PATIENCE
        sleep(0.05)


def descendants(pid: int) -> set[int]:
    """The processes that a process has started, and those that they have."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    found, size = {pid}, 0
    while len(found) > size:
        size = len(found)
        found |= {child for child, parent in parents.items() if parent in found}
    return found - {pid}


def gone(pid: int) -> bool:
    """Whether a process has ended; one that nobody has buried yet has."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True


def whole_game(seed: int) -> str:
    """Some game from beginning to end, as the page has it in its address."""
    random, rules = Random(seed), game("tictactoe")
    playing = Playing.begin(rules)
    while playing.result is None:
        playing = playing.then(random.choice(rules.moves(playing.position)))
    return ".".join(rules.write_move(move) for move in playing.moves)


@dataclass
class Reported:
    """What the server has said it saved: the moves by the number of the game."""

    games: dict[int, str] = field(default_factory=dict)
    seeds: list[int] = field(default_factory=list)
    stop: Event = field(default_factory=Event)


def finish_games(server: Server, seeds: Iterator[int], reported: Reported) -> None:
    """Finish games one after the other, until the server is gone."""
    while not reported.stop.is_set():
        seed = next(seeds)
        moves = whole_game(seed)
        try:
            status, text = server.get(f"/play/tictactoe?x=human&o=human&moves={moves}&id=game{seed}")
        except (OSError, HTTPException):
            return
        assert status == 200, text
        saved = re.search(r"[Ss]aved as <a [^>]*>game ([0-9]+)</a>", text)
        assert saved, text
        reported.games[int(saved[1])] = moves
        reported.seeds.append(seed)


def until_reported(reported: Reported, wanted: int, players: list[Future[None]]) -> None:
    """So many games, or a player who has stopped, whose error will be seen."""
    until(lambda: len(reported.games) >= wanted or any(player.done() for player in players))


def all_records(server: Server) -> dict[int, dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    path = "/api/v1/records"
    while path:
        page = server.json(path)
        found |= {one["id"]: one for one in page["records"]}
        path = page["next"]
    return found


def assert_whole(record: dict[str, Any]) -> None:
    """A record of a game that was played to its end, with the result it had."""
    rules = game(record["game"])
    playing = Playing.begin(rules)
    for move in record["moves"]:
        playing = playing.then(rules.read_move(playing.position, move))
    assert playing.result is not None
    winner = playing.result.winner
    assert record["result"] == ("draw" if winner is None else SIDES[winner])
    assert record["reason"] == playing.result.reason
    assert record["plies"] == len(record["moves"])
    assert record["finished_at"]


def test_killed_during_saves_the_server_loses_nothing_that_it_said_was_saved(tmp_path: Path) -> None:
    database, seeds, reported = tmp_path / "games.db", count(), Reported()
    for round_ in range(1, 4):
        with running(database) as server, ThreadPoolExecutor(PLAYERS) as pool:
            players = [pool.submit(finish_games, server, seeds, reported) for _ in range(PLAYERS)]
            until_reported(reported, round_ * 40, players)
            server.process.kill()
            server.process.wait()
            for player in players:
                player.result(PATIENCE)
    assert len(reported.games) >= 120
    with running(database) as server:
        records = all_records(server)
        for number, moves in reported.games.items():
            assert ".".join(records[number]["moves"]) == moves
        for record in records.values():
            assert_whole(record)
        assert len(records) <= len(reported.games) + 3 * PLAYERS, "besides those, only what was in flight"
        seed = reported.seeds[0]
        assert server.get(f"/play/tictactoe?x=human&o=human&moves={whole_game(seed)}&id=game{seed}")[0] == 200
        assert len(all_records(server)) == len(records), "a game is saved once"
    open_database(f"sqlite:///{database}").close()


def test_told_to_end_the_server_finishes_what_is_in_flight(tmp_path: Path) -> None:
    with running(tmp_path / "games.db") as server, ThreadPoolExecutor() as pool:
        slow = pool.submit(server.get, "/api/v1/position?game=square4")
        sleep(0.15)
        assert not slow.done(), "the question was meant to take long"
        began = monotonic()
        thinkers = descendants(server.process.pid)
        server.process.terminate()
        status, text = slow.result(PATIENCE)
        assert status in (200, 503)
        told = json.loads(text)
        assert told["position" if status == 200 else "detail"]
        assert server.process.wait(PATIENCE) in (0, -signal.SIGTERM)
        assert monotonic() - began < 15
        assert thinkers
        until(lambda: all(gone(pid) for pid in thinkers))
        assert "Traceback" not in (server.process.stderr.read() if server.process.stderr else "")


@pytest.mark.parametrize("workers", [1, 2])
def test_nothing_is_left_of_a_server_that_was_killed_while_it_thought(tmp_path: Path, workers: int) -> None:
    with running(tmp_path / "games.db", workers) as server, ThreadPoolExecutor() as pool:
        until(lambda: len(descendants(server.process.pid)) >= 3 * workers)
        asked = [
            pool.submit(server.get, f"/api/v1/position?game=mnk:19,19,{length}&position=") for length in (5, 6, 7, 8, 9)
        ]
        sleep(0.2)
        left = descendants(server.process.pid)
        server.process.kill()
        server.process.wait()
        until(lambda: all(gone(pid) for pid in left))
        for one in asked:
            with suppress(OSError, HTTPException):
                one.result(PATIENCE)


def workers_of(server: Server) -> list[int]:
    """The processes that serve: those that have started thinkers."""
    return [pid for pid in descendants(server.process.pid) if len(descendants(pid)) >= 3 and not gone(pid)]


def test_a_worker_that_is_killed_is_replaced(tmp_path: Path) -> None:
    with running(tmp_path / "games.db", workers=2) as server:
        until(lambda: len(workers_of(server)) == 2)
        killed = workers_of(server)[0]
        os.kill(killed, signal.SIGKILL)
        until(lambda: killed not in workers_of(server) and len(workers_of(server)) == 2)
        assert answers(server)


RAW = {
    "no host": b"GET /api/v1/games HTTP/1.1\r\n\r\n",
    "HTTP/1.0": b"GET /api/v1/games HTTP/1.0\r\n\r\n",
    "bytes that are no text": b"GET /api/v1/games/\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
    "escapes that are none": b"GET /api/v1/position?game=%zz%f&position=% HTTP/1.1\r\nHost: x\r\n\r\n",
    "NUL": b"GET /api/v1/games/a\x00b HTTP/1.1\r\nHost: x\r\n\r\n",
    "escaped NUL": b"GET /static/%00 HTTP/1.1\r\nHost: x\r\n\r\n",
    "a step up": b"GET /static/../app.py HTTP/1.1\r\nHost: x\r\n\r\n",
    "escaped steps up": b"GET /static/%2e%2e%2fapp.py HTTP/1.1\r\nHost: x\r\n\r\n",
    "another server": b"GET http://elsewhere.example/ HTTP/1.1\r\nHost: x\r\n\r\n",
    "a star": b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
    "CONNECT": b"CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: x\r\n\r\n",
    "no method": b" / HTTP/1.1\r\nHost: x\r\n\r\n",
    "no HTTP at all": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "an endless line": b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "endless headers": b"GET / HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 50_000 + b"\r\n",
    "two lengths": b"POST /api/v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "chunks and a length": b"POST /docs HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a huge length": b"POST /api/v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999\r\n\r\n",
    "a strange upgrade": b"GET /docs HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
    "a websocket": b"GET /docs HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
}


def test_bytes_that_no_browser_sends_are_answered_or_dropped(tmp_path: Path) -> None:
    with running(tmp_path / "games.db") as server:
        for what, request in RAW.items():
            answer = server.raw(request)
            if answer:
                assert answer.startswith(b"HTTP/1.1 "), what
                assert int(answer[9:12]) < 500, (what, answer[:200])
                assert b"dataclass" not in answer, what
            assert answers(server), what
        assert server.process.poll() is None


def test_whoever_sends_nothing_keeps_nobody_waiting(tmp_path: Path) -> None:
    with running(tmp_path / "games.db") as server:
        silent = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(200)]
        for line in silent[::2]:
            line.sendall(b"GET /api/v1/games HTT")
        began = monotonic()
        assert answers(server)
        assert monotonic() - began < 10
        for line in silent:
            line.close()


def test_who_hangs_up_leaves_no_work_behind(tmp_path: Path) -> None:
    with running(tmp_path / "games.db") as server:
        until(lambda: len(descendants(server.process.pid)) >= 3)
        for length in range(3, 19):
            with socket.create_connection(("127.0.0.1", server.port)) as line:
                line.sendall(f"GET /api/v1/position?game=mnk:19,19,{length} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        sleep(0.5)
        until(lambda: server.get("/api/v1/position?game=mnk:18,18,5")[0] == 200)
        assert answers(server)


def test_a_port_that_is_taken_is_named_in_one_line(tmp_path: Path) -> None:
    with running(tmp_path / "games.db") as server:
        code = f"from noughts.web.server import serve; serve('127.0.0.1', {server.port}, 1)"
        environment = {**os.environ, "NOUGHTS_DATABASE_URL": f"sqlite:///{tmp_path}/other.db"}
        second = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
        )
        assert second.returncode != 0
        assert f"cannot listen on 127.0.0.1:{server.port}" in second.stderr
        assert "expected a free port" in second.stderr
