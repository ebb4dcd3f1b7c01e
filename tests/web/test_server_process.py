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
from noughts.records import LiveGames, open_database
from noughts.web.server import LOOK

pytestmark = pytest.mark.slow

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
    folder: Path = Path()
    """For its temporary files, if it has one of its own."""

    def get(self, path: str, method: str = "GET", **headers: str) -> tuple[int, str]:
        """Status and text of an answer."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def line(self, sent: bytes = b"") -> socket.socket:
        """A connection on which so much has been sent."""
        line = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        line.sendall(sent)
        return line

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
def running(
    database: Path, workers: int = 1, bounds: dict[str, float] | None = None, before: str = "", **environment: str
) -> Iterator[Server]:
    """A server of its own process group with these bounds on connections, gone afterwards; `before` it runs code."""
    port = free_port()
    code = f"from noughts.web import server\n{before}\n"
    code += "".join(f"server.{name} = {value}\n" for name, value in (bounds or {}).items())
    code += f"server.serve('127.0.0.1', {port}, {workers})"
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env={**os.environ, "NOUGHTS_DATABASE_URL": f"sqlite:///{database}", "NOUGHTS_BOUNDS": "off", **environment},
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


def parents_of_all() -> dict[int, int]:
    """Who has started each process there is."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    return parents


def descendants(pid: int) -> set[int]:
    """The processes that a process has started, and those that they have."""
    parents, found, size = parents_of_all(), {pid}, 0
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


def save(server: Server, moves: str, seed: int) -> tuple[int, str]:
    """Save a game, and look at it."""
    path = f"/play/tictactoe?x=human&o=human&moves={moves}&id=game{seed}"
    assert server.get(path, "POST", **{"Sec-Fetch-Site": "same-origin"})[0] == 303
    return server.get(path)


def finish_games(server: Server, seeds: Iterator[int], reported: Reported) -> None:
    """Finish games one after the other, until the server is gone."""
    while not reported.stop.is_set():
        seed = next(seeds)
        moves = whole_game(seed)
        try:
            status, text = save(server, moves, seed)
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
        assert save(server, whole_game(seed), seed)[0] == 200
        assert len(all_records(server)) == len(records), "a game is saved once"
    open_database(f"sqlite:///{database}").close()


def test_told_to_end_the_server_finishes_what_is_in_flight(tmp_path: Path) -> None:
    with running(tmp_path / "games.db") as server, ThreadPoolExecutor() as pool:
        slow = pool.submit(server.get, "/api/v1/position?game=square4&position=X.../..../..../....")
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


def test_told_to_end_the_server_ends_the_streams_of_live_games(tmp_path: Path) -> None:
    with running(tmp_path / "games.db") as server:
        live = LiveGames(database := open_database(f"sqlite:///{tmp_path / 'games.db'}")).begin("tictactoe")
        database.close()
        with server.line(
            f"GET /together/{live.watch_token}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        ) as line:
            received = b""
            while b"retry: " not in received:
                received += line.recv(65536)
            began = monotonic()
            server.process.terminate()
            while more := line.recv(65536):
                received += more
            assert received.endswith(b"0\r\n\r\n"), "the answer is whole"
            assert server.process.wait(PATIENCE) in (0, -signal.SIGTERM)
            assert monotonic() - began < 8, "nobody had to wait for the stream"
            assert "Traceback" not in (server.process.stderr.read() if server.process.stderr else "")


def kill_while_it_thinks(server: Server, workers: int) -> None:
    """Nothing is left of a server that is killed."""
    with ThreadPoolExecutor() as pool:
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
    """The processes that serve: the server's own that have thinkers."""
    own = [pid for pid, parent in parents_of_all().items() if parent == server.process.pid]
    return [pid for pid in own if len(descendants(pid)) >= 3 and not gone(pid)]


def test_a_worker_that_is_killed_is_replaced_and_nothing_is_left_of_the_server_and_its_workers(tmp_path: Path) -> None:
    with running(tmp_path / "games.db", workers=2) as server:
        until(lambda: len(workers_of(server)) == 2)
        killed = workers_of(server)[0]
        os.kill(killed, signal.SIGKILL)
        until(lambda: killed not in workers_of(server) and len(workers_of(server)) == 2)
        assert answers(server)
        kill_while_it_thinks(server, 2)


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


SECONDS_TO_ASK, MOST_CONNECTIONS, MOST_OF_ADDRESS = 1.0, 100, 60
TAKES_LONG = f"""
from asyncio import sleep
create_app = server.create_app
def and_more(settings):
    app = create_app(settings)
    @app.get("/slow")
    async def slow() -> str:
        await sleep({SECONDS_TO_ASK + 3 * LOOK})
        return "at last"
    return app
server.create_app = and_more
"""
"""One more address, which is answered after the time in which a question has to arrive."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One that soon loses patience, for all tests that do not end it."""
    bounds = {
        "SECONDS_TO_ASK": SECONDS_TO_ASK,
        "MOST_CONNECTIONS": MOST_CONNECTIONS,
        "MOST_OF_ADDRESS": MOST_OF_ADDRESS,
    }
    folder = tmp_path_factory.mktemp("server")
    with running(folder / "games.db", bounds=bounds, before=TAKES_LONG, TMPDIR=str(folder)) as server:
        server.folder = folder
        yield server


def test_bytes_that_no_browser_sends_are_answered_or_dropped(server: Server) -> None:
    for what, request in RAW.items():
        answer = server.raw(request)
        if answer:
            assert answer.startswith(b"HTTP/1.1 "), what
            assert int(answer[9:12]) < 500, (what, answer[:200])
            assert b"dataclass" not in answer, what
        assert answers(server), what
    assert server.process.poll() is None


def closed(line: socket.socket) -> bool:
    """Whether the server has hung up, without waiting for it."""
    line.setblocking(False)
    try:
        while line.recv(65536):
            pass
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


HEAD = b"GET /api/v1/games HTTP/1.1\r\nHost: localhost\r\n"


def test_who_does_not_ask_in_time_is_hung_up_on(server: Server) -> None:
    lines = {
        "silent": server.line(),
        "half a line": server.line(HEAD[:11]),
        "half a head": server.line(HEAD),
        "silent after an answer": server.line(HEAD + b"\r\n"),
        "half a head after an answer": server.line(HEAD + b"\r\n" + HEAD),
    }
    began = monotonic()
    assert not any(closed(line) for line in lines.values())
    until(lambda: all(closed(line) for line in lines.values()))
    assert SECONDS_TO_ASK * 0.9 < monotonic() - began < SECONDS_TO_ASK + 5


def test_a_head_that_comes_byte_by_byte_is_not_waited_for(server: Server) -> None:
    line, began = server.line(), monotonic()
    with pytest.raises(OSError, match=r"Broken pipe|reset"):  # noqa: PT012
        for byte in HEAD * 40:
            line.sendall(bytes([byte]))
            sleep(0.02)
    assert monotonic() - began < SECONDS_TO_ASK + 5


def test_an_answer_that_takes_longer_is_waited_for(server: Server) -> None:
    began = monotonic()
    assert server.get("/slow") == (200, '"at last"')
    assert monotonic() - began > SECONDS_TO_ASK + LOOK, "else it would have been in time for a question, too"


def test_however_many_are_silent_whoever_asks_is_answered(server: Server) -> None:
    silent = [server.line(HEAD if number % 2 else b"") for number in range(3 * MOST_CONNECTIONS)]
    began = monotonic()
    assert server.get("/api/v1/games")[0] == 200
    assert monotonic() - began < SECONDS_TO_ASK
    assert sum(not closed(line) for line in silent) <= MOST_OF_ADDRESS
    for line in silent:
        line.close()


def test_another_name_is_another_server(server: Server) -> None:
    for host in ("localhost", f"localhost:{server.port}", "127.0.0.1:80", "[::1]"):
        assert server.get("/api/v1/games", Host=host)[0] == 200, host
    for host in ("elsewhere.example", f"localhost.elsewhere.example:{server.port}", "192.0.2.1", "", "localhost@x"):
        status, text = server.get("/api/v1/games", Host=host)
        assert status == 421, host
        assert "expected localhost" in text


def test_who_hangs_up_leaves_no_work_behind(server: Server) -> None:
    until(lambda: len(descendants(server.process.pid)) >= 3)
    for length in range(3, 19):
        with server.line(HEAD.replace(b"games", f"position?game=mnk:19,19,{length}".encode()) + b"\r\n"):
            pass
    until(lambda: server.get("/api/v1/position?game=mnk:18,18,5")[0] == 200)
    assert answers(server)


def start_command(folder: Path, port: int, workers: int = 1) -> "subprocess.Popen[str]":
    environment = {**os.environ, "NOUGHTS_DATABASE_URL": f"sqlite:///{folder}/other.db"}
    command = [sys.executable, "-m", "noughts", "web", "--port", str(port), "--workers", str(workers)]
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("workers", [1, 2])
def test_the_command_says_where_it_is_once_it_answers_and_ends_as_others_do(tmp_path: Path, workers: int) -> None:
    port = free_port()
    with start_command(tmp_path, port, workers) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == f"Noughts is at http://127.0.0.1:{port} – Ctrl-C ends it.\n"
        began = monotonic()
        assert Server(process, port).get("/health")[0] == 200
        assert monotonic() - began < 1
        process.send_signal(signal.SIGINT)  # not to its workers, of which one may still be loading Noughts
        assert process.wait(PATIENCE) == 130
        assert process.stderr.read() == ""


def test_a_port_that_is_taken_is_named_in_one_line(server: Server, tmp_path: Path) -> None:
    with start_command(tmp_path, server.port) as process:
        _, text = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert text == f"noughts: cannot listen on 127.0.0.1:{server.port}: Address already in use; expected a free port\n"


def test_nothing_is_left_of_a_server_that_was_killed_while_it_thought(server: Server) -> None:
    """The last one, since it ends the server that the others share."""
    until(lambda: len(list(server.folder.glob("pymp-*/listener-*"))) == 1)
    kill_while_it_thinks(server, 1)
    until(lambda: not list(server.folder.glob("pymp-*")))
