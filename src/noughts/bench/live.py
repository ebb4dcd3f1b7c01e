"""`noughts bench live`: two hundred live games at once on two workers, one of which is killed in the middle.

Every game has two players, who behave as two browsers do: each listens to the events of the game, fetches its page when
there is something new, thinks for a moment, and sends its move as a POST that answers the version it saw. What is not
answered, because the worker is gone, is sent again; and now and then a move is sent twice at once, as by a double
click, or is taken back by consent. Each deed that was answered as done is written down. In the end the database is
compared with that: a game is *lost* if deeds that were done are not in it, and *doubled* if more were done in it.

Each game comes from an address of its own, as games of people do: a server takes so many connections from one and no
more. A move is *seen* when the other player has fetched the page that shows it; the time counts from when it was first
sent.
"""

import asyncio
import os
import re
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any
from urllib.parse import urlencode

from noughts.bench.load import Answer, Line, Tally, crowd
from noughts.bench.web import run_client, server
from noughts.games import SIDES, NoughtsError
from noughts.games import game as find_game
from noughts.games.playing import Playing
from noughts.records import History, LiveGames, open_database
from noughts.solve import Progress

__all__ = ["Told", "bench_live", "kill_a_worker", "lost_and_doubled", "play_live_games"]

GAMES = 200
THINK = 4.0
"""Seconds that a player thinks, on average."""
WORKERS = 2
TWICE, TAKEN_BACK = 0.1, 0.05
"""How often a deed is sent twice at once, and a move is taken back."""
PAUSE = 0.2
"""Seconds before something is sent again."""
PATIENCE = 60.0
"""Seconds after which a player gives up."""


@dataclass
class Told:
    """A live game as its two players were told it is."""

    x: str
    playing: Playing
    deeds: int = 0
    """Deeds that were answered as done."""

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves that stand."""
        return tuple(self.playing.game.write_move(move) for move in self.playing.moves)


@dataclass
class Seen:
    """What is measured of all games."""

    told: list[Told] = field(default_factory=list)
    done: int = 0
    """Deeds in all games so far."""
    times: list[float] = field(default_factory=list)
    """Seconds until a move was seen."""
    repeated: int = 0
    """Deeds that were sent again, because no answer came."""


def bench_live(progress: Progress) -> list[dict[str, Any]]:
    """Live games, a killed worker, and what became of them."""
    with TemporaryDirectory() as folder, server(WORKERS, folder) as (port, process):
        seen = Seen()

        async def play() -> Tally:
            return await play_live_games(port, GAMES, THINK, seen, lambda: kill_a_worker(process), progress)

        tally = run_client(play())
        lost, doubled = lost_and_doubled(f"sqlite:///{folder}/games.db", seen.told)
    waits = Tally()
    waits.times = seen.times
    return [
        {
            "games": GAMES,
            "workers": WORKERS,
            "deeds": seen.done,
            "deeds/s": round(seen.done / tally.seconds),
            "sent again": seen.repeated,
            "p50 ms": round(tally.percentile(0.5), 1),
            "p99 ms": round(tally.percentile(0.99), 1),
            "seen p50 ms": round(waits.percentile(0.5)),
            "seen p99 ms": round(waits.percentile(0.99)),
            "lost": lost,
            "doubled": doubled,
            "errors": len(tally.errors),
        }
    ]


async def play_live_games(
    port: int,
    games: int,
    think: float,
    seen: Seen,
    kill: Callable[[], None],
    progress: Progress,
) -> Tally:
    """So many games at once to their ends; once a third of the deeds is done, `kill` is called."""
    usual = games * 8
    killing = asyncio.create_task(_when(lambda: seen.done > usual / 3, kill))

    async def one(number: int, tally: Tally) -> None:
        await _play_game(port, number, think, seen, tally)
        progress(min(len(seen.told), games), games)

    tally = await crowd(games, one)
    await killing
    return tally


async def _when(so: Callable[[], bool], deed: Callable[[], None]) -> None:
    while not so():
        await asyncio.sleep(0.02)
    deed()


async def _play_game(port: int, number: int, think: float, seen: Seen, tally: Tally) -> None:
    """One game, from its beginning to its end."""
    random, source = Random(number), f"127.0.{1 + number // 250}.{1 + number % 250}"
    line = Line("127.0.0.1", port, source)
    begun = await _sent(line, "/together", {"game": "tictactoe", "side": "x", "name": ""}, seen, tally)
    mine = begun.location.removeprefix("/together/")
    page = await _sent(line, f"/together/{mine}", None, seen, tally)
    friend = re.search(rb"/together/(o[\w-]{22})", page.body)
    if friend is None:
        raise NoughtsError(f"the page of a live game has no link for a friend: {page.status}")
    players = [_Player(port, source, token, seen, tally) for token in (mine, friend[1].decode())]
    told = Told(mine, Playing.begin(find_game("tictactoe")))
    seen.told.append(told)
    listening = [asyncio.create_task(player.listen()) for player in players]
    try:
        while told.playing.result is None:
            side = told.playing.position.turn
            await asyncio.sleep(random.uniform(0, 2 * think))
            await players[side].see(told.deeds)
            move = random.choice(told.playing.game.moves(told.playing.position))
            text = told.playing.game.write_move(move)
            await _do(line, players, side, f"move {text}", told, told.playing.then(move), random, tally)
            if told.playing.result is None and random.random() < TAKEN_BACK:
                await _do(line, players, side, "offer back", told, told.playing, random, tally)
                await players[1 - side].see(told.deeds)
                await _do(line, players, 1 - side, "accept", told, told.playing.back(1), random, tally)
    except TimeoutError:
        tally.errors.append(f"game {told.x[:4]}…: no answer within {PATIENCE:g} seconds")
    for task, player in zip(listening, players, strict=True):
        task.cancel()
        player.line.close()
    line.close()


async def _do(
    line: Line,
    players: "list[_Player]",
    side: int,
    deed: str,
    told: Told,
    after: Playing,
    random: Random,
    tally: Tally,
) -> None:
    """A deed of a side, sent until it is answered as done, now and then twice at once; then the other side sees it."""
    player, began = players[side], perf_counter()
    fields = {"version": str(told.deeds), "deed": deed}
    ways = [line, player.line] if random.random() < TWICE else [line]
    answers = await asyncio.gather(
        *(_sent(way, f"/together/{player.token}", fields, player.seen, tally, began) for way in ways)
    )
    for answer in answers:
        if answer.status != 303:
            tally.errors.append(f"{deed} at version {told.deeds}: status {answer.status}")
    told.deeds, told.playing = told.deeds + 1, after
    player.seen.done += 1
    await players[1 - side].see(told.deeds)
    player.seen.times.append(perf_counter() - began)


@dataclass
class _Player:
    """Somebody at a device."""

    port: int
    source: str
    token: str
    seen: Seen
    tally: Tally
    version: int = 0
    """The version that its page shows."""
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.line = Line("127.0.0.1", self.port, self.source)

    async def see(self, version: int) -> None:
        """Wait until the page shows this version."""
        async with asyncio.timeout(PATIENCE):
            while self.version < version:
                self.news.clear()
                await self.news.wait()

    async def listen(self) -> None:
        """Fetch the page whenever the stream of events says so; open it again when it ends, as a browser does."""
        while True:
            with suppress(OSError):
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.source, 0))
                path = f"/together/{self.token}/events?version={self.version}"
                writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
                async for text in reader:
                    said = re.fullmatch(rb"data: (\d+)\n", text)
                    if said and int(said[1]) > self.version:
                        await self._fetch()
                writer.close()
            await asyncio.sleep(PAUSE)

    async def _fetch(self) -> None:
        line = Line("127.0.0.1", self.port, self.source)
        page = await _sent(line, f"/together/{self.token}", None, self.seen, self.tally)
        line.close()
        shown = re.search(rb'data-version="(\d+)"', page.body)
        if shown:
            self.version = int(shown[1])
            self.news.set()


async def _sent(
    line: Line, path: str, fields: dict[str, str] | None, seen: Seen, tally: Tally, since: float | None = None
) -> Answer:
    """The answer to a form, or to a look; sent again until there is one."""
    began = perf_counter() if since is None else since
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                answer = await line.ask(path, "POST" if fields else "GET", urlencode(fields or {}))
            except (OSError, TimeoutError):
                line.close()
                seen.repeated += fields is not None
            else:
                if answer.status < 500:
                    tally.times.append(perf_counter() - began)
                    return answer
            await asyncio.sleep(PAUSE)


def kill_a_worker(process: int) -> None:
    """Kill one of the processes that a server of several workers has started, without a warning."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            parent = int(path.read_text().rpartition(")")[2].split()[1])
            if parent == process and b"spawn_main" in (path.parent / "cmdline").read_bytes():
                os.kill(int(path.parent.name), signal.SIGKILL)
                return
    raise NoughtsError(f"process {process} has no workers: expected a server of several")


def lost_and_doubled(database_url: str, told: list[Told]) -> tuple[int, int]:
    """How many games lack something that was answered as done, and how many have more than that."""
    database = open_database(database_url)
    try:
        games, history = LiveGames(database), History(database)
        lost = doubled = 0
        for one in told:
            live, result = games.find(one.x), one.playing.result
            if live is None or live.moves != one.moves or live.version < one.deeds:
                lost += 1
            elif live.version > one.deeds:
                doubled += 1
            elif result is not None:
                saved = history.get(live.record or 0)
                winner = "draw" if result.winner is None else SIDES[result.winner]
                lost += saved is None or (saved.moves, saved.result) != (" ".join(one.moves), winner)
        doubled += max(0, history.count() - sum(one.playing.result is not None for one in told))
        return lost, doubled
    finally:
        database.close()
