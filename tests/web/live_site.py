"""A real server for the browser: a process of its own on a free port, with a database of its own that is not empty.

One is shared by all tests of a process of pytest. It can be killed, and started again where it was.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from time import monotonic, sleep

import pytest
from sqlalchemy import update

from noughts.arena import Pairing, Tournament
from noughts.games import SIDES, game
from noughts.games.playing import Playing
from noughts.records import Database, Finished, History, LiveGames, open_database, save_tournament
from noughts.records.schema import ClassroomRow, LiveRow
from noughts.web.pages.chip_address import ChipRun

__all__ = ["PAGES", "PROBLEM", "Site", "open_site", "shared_site"]

PATIENCE = 60
"""Seconds after which a test stops waiting for something that should have happened."""
PROBLEM = "problem"
MORRIS = "e3.c4.c3.d2.d3xc4.f4.e5.c5.e4xf4.d1.g4.b4.f4xd2.a4.g7.g1.f2.d6.f4-f6.b4-b2"
SHOWN = "shown".ljust(22, "_")
"""The rest of the tokens of a live game and of a classroom."""
HELD = """100 resetN 0
300 resetN 1
500 keyboardN[4] 0
700 keyboardN[4] 1
1400000 end
"""
"""A key of the chip of 1990 held for a cycle, and time for its reply."""
PAGES = {
    "home": "/",
    "home-qubic": "/?game=qubic",
    "play-tictactoe": "/play/tictactoe?x=casual&o=human&moves=b1.a1.c2&id=shown&values=1&hint=1",
    "play-finished": "/play/tictactoe?x=human&o=novice&moves=b2.a1.c1.c3.a3&id=shown",
    "play-achi": "/play/achi?x=human&o=human&moves=b2.a1.c1.a3.a2.c2.b3.b1&part=b3-&id=shown",
    "play-qubic": "/play/qubic?x=human&o=basicf&moves=1a1.4d4.1d1.1b1.4a1.2b2.2b3.3c3&id=shown&view=boards",
    "play-cube": "/play/qubic?x=human&o=basicf&moves=1a1.4d4.1d1.1b1.4a1.2b2.2b3.3c3&id=shown",
    "play-large": "/play/mnk:19,19,5?x=human&o=human&moves=j10.k11.k10.j9&id=shown",
    "play-morris": f"/play/nine-mens-morris?x=human&o=human&moves={MORRIS}&part=e4-f4x&id=shown",
    "puzzles": "/puzzles?game=nine-mens-morris",
    "puzzle": "/puzzles/six-mens-morris/40?hint=2",
    "puzzle-refuted": "/puzzles/tictactoe/20?moves=a1",
    "learn": "/learn",
    "learn-capture": "/learn/nine-mens-morris?step=2&part=c4x",
    "learn-diagonal": "/learn/qubic?step=6&show=1",
    "explore-tictactoe": "/explore/tictactoe/XO./.X./..O",
    "explore-achi": "/explore/achi",
    "explore-qubic": "/explore/qubic",
    "explore-morris": "/explore/nine-mens-morris",
    "explore-end": "/explore/tictactoe/XXX/OO./...",
    "editor": "/explore/nine-mens-morris/edit?position=X.X/.../.../....../.../.../...%20x%200,2",
    "watch": "/watch?position=XOX/.O./...&how=alpha-beta&step=36",
    "watch-waves": "/watch?game=achi&step=11",
    "together": "/together",
    "together-class": "/together/class?game=mnk:7,6,4",
    "live": f"/together/x{SHOWN}",
    "live-watch": f"/together/w{SHOWN}?try=a1",
    "live-move": f"/together/x{SHOWN}?move=c3",
    "class": f"/together/t{SHOWN}",
    "class-join": f"/together/p{SHOWN}",
    "silicon": "/silicon",
    "silicon-chip1990": "/silicon/chip1990?cycle=9",
    "silicon-elements2021": "/silicon/elements2021?sample=two-games&cycle=40",
    "silicon-cut-offs": "/silicon/elements2021%3Apruning%3Dyes?cycle=40",
    "silicon-referee2021": "/silicon/referee2021",
    "silicon-sample": "/silicon/referee2021?sample=case-1&signals=pp.pc.who",
    "silicon-pins": "/silicon/chip1990/pins",
    "silicon-layouts": "/silicon/layouts",
    "silicon-hand": ChipRun("chip1990", stimulus=HELD).url(),
    "logic": "/silicon/logic",
    "logic-game": "/silicon/logic/C?moves=a1.c1",
    "knuth": "/knuth",
    "history": "/history",
    "replay": "/history/1?ply=5",
    "review-morris": f"/review/nine-mens-morris?x=human&o=casual&moves={MORRIS}&ply=8",
    "review-paste": "/review",
    "embed": "/embed/achi?x=human&o=human&moves=b2.a1.c1.a3&ply=3",
    "offline": "/offline",
    "docs": "/docs",
    PROBLEM: "/play/chess",
}
"""Every kind of page, by a short name; the problem is answered with 404, all others with 200."""

FURNITURE = (
    ("tictactoe", "chip1990", "a1 b2 b1 c1 a2 a3"),
    ("achi", "novice", "b2 c1 a2 c2 c3 a1 b1 b3 a2-a3 a1-a2 b2-a1 c2-b2 c3-c2 b3-c3 a3-b3 b2-a3 c2-b2"),
    ("nine-mens-morris", "random", f"{MORRIS.replace('.', ' ')} e4-f4xa4 c5-d5 f4-e4xd1 d6-b6 e4-f4xb6 b2-b4 e3-e4xg1"),
    ("tictactoe", "novice", "b2 b1 a1 c3 a3 c1 a2"),
)
"""Games that have been played: the game, who was O, the moves."""


def until(happened: Callable[[], bool], what: str) -> None:
    """Wait for something to be so."""
    began = monotonic()
    while not happened():
        assert monotonic() - began < PATIENCE, f"waited in vain for {what}"
        sleep(0.05)


@dataclass
class Site:
    """A server that can be killed and started again on the same port with the same database."""

    folder: Path
    port: int = 0
    process: subprocess.Popen[bytes] | None = None
    ready: set[str] = field(default_factory=set)
    """Paths that were answered without delay."""

    @property
    def database(self) -> str:
        return f"sqlite:///{self.folder}/games.db"

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Serve, on the port it had before if it had one."""
        if not self.port:
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                self.port = int(probe.getsockname()[1])
        code = f"from noughts.web.server import serve; serve('127.0.0.1', {self.port}, 1)"
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", code],
                env={**os.environ, "NOUGHTS_DATABASE_URL": self.database},
                stderr=log,
                start_new_session=True,
            )
        until(lambda: self.status("/api/v1/games") == 200 or self.ended, "the server")
        assert not self.ended, (self.folder / "server.log").read_text()

    @property
    def ended(self) -> bool:
        return self.process is None or self.process.poll() is not None

    def kill(self) -> None:
        """End it at once, with all that it started."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.ready.clear()

    def status(self, path: str) -> int:
        """What a request is answered with; 0 if it is not answered."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        except (OSError, HTTPException):
            return 0
        finally:
            connection.close()

    def prepare(self, path: str) -> None:
        """Let it work out what a page shows, so that the page does not have to say that it is still thinking."""
        if path not in self.ready:
            until(lambda: self.status(path) not in (0, 202, 503), path)
            self.ready.add(path)

    def furnish(self) -> None:
        """Some games that have been played, and a tournament, for the pages that show such."""
        database = open_database(self.database)
        try:
            history = History(database)
            for number, (name, opponent, moves) in enumerate(FURNITURE):
                history.save(finished(f"furniture{number}", name, opponent, moves))
            pairings = [
                Pairing("perfect", "novice", 62, 36, 2),
                Pairing("perfect", "chip1990", 0, 100, 0),
                Pairing("chip1990", "novice", 57, 40, 3),
            ]
            self.furnish_together(database)
            save_tournament(database, Tournament("tictactoe", 7, 100, pairings))
        finally:
            database.close()

    def furnish_together(self, database: Database) -> None:
        """A live game with an offer, and a classroom with two boards, both with tokens that are known."""
        games = LiveGames(database)
        live = games.begin("tictactoe", names=("Ada", ""), host=0)
        for version, deed in enumerate(("move b2", "move a1", "offer draw")):
            games.act(live.tokens[version % 2], version, deed)
        room = games.begin_classroom("achi", "level3")
        games.act(games.join(room, "Ben"), 0, "resign")
        games.join(room, "Cy")
        with database.writing() as session:
            tokens = {name: f"{name[0]}{SHOWN}" for name in ("x_token", "o_token", "watch_token")}
            session.execute(update(LiveRow).where(LiveRow.id == live.id).values(**tokens))
            tokens = {name: f"{name[0]}{SHOWN}" for name in ("teacher_token", "pupils_token")}
            session.execute(update(ClassroomRow).values(**tokens))


def finished(token: str, name: str, opponent: str, moves: str) -> Finished:
    """A game that somebody has played to its end."""
    playing = Playing.begin(game(name))
    for text in moves.split():
        playing = playing.then(playing.game.read_move(playing.position, text))
    assert playing.result is not None
    winner = "draw" if playing.result.winner is None else SIDES[playing.result.winner]
    reason = playing.result.reason
    return Finished(token=token, game=name, x="human", o=opponent, moves=moves, result=winner, reason=reason)


def open_site(folder: Path) -> Site:
    """A server that runs, with something to show."""
    opened = Site(folder)
    opened.furnish()
    opened.start()
    return opened


@cache
def shared_site(session: pytest.Session) -> Site:
    """The server of this process of pytest."""
    folder = Path(tempfile.mkdtemp(prefix="noughts-site-"))
    opened = open_site(folder)

    def close() -> None:
        opened.kill()
        shutil.rmtree(folder)

    session.addfinalizer(close)
    return opened
