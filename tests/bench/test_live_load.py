"""Live games survive the death of a worker: nothing that was answered as done is lost, and nothing is done twice."""

from pathlib import Path

import pytest

from noughts.bench import live as module
from noughts.bench import web
from noughts.bench.live import Told, kill_a_worker, lost_and_doubled
from noughts.games import game
from noughts.games.playing import Playing
from noughts.records import LiveGames, open_database

pytestmark = pytest.mark.slow


def test_no_deed_is_lost_or_doubled_when_a_worker_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GAMES", 12)
    monkeypatch.setattr(module, "THINK", 0.05)
    monkeypatch.setattr(module, "TWICE", 0.3)
    monkeypatch.setattr(web, "SETTLE", 0.5)
    killed: list[int] = []

    def kill(process: int) -> None:
        kill_a_worker(process)
        killed.append(process)

    monkeypatch.setattr(module, "kill_a_worker", kill)
    (row,) = module.bench_live(lambda _done, _total: None)
    assert row["deeds"] >= 12 * 5
    assert len(killed) == 1
    assert (row["lost"], row["doubled"], row["errors"]) == (0, 0, 0), row


def told_of(x: str, *moves: str, deeds: int | None = None) -> Told:
    playing = Playing.begin(game("tictactoe"))
    for move in moves:
        playing = playing.then(playing.game.read_move(playing.position, move))
    return Told(x, playing, len(moves) if deeds is None else deeds)


def test_the_comparison_finds_what_is_lost_and_what_is_doubled(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    database = open_database(url)
    games = LiveGames(database)
    x, o = games.begin("tictactoe").tokens
    games.act(x, 0, "move b2")
    games.act(o, 1, "move a1")
    database.close()
    assert lost_and_doubled(url, [told_of(x, "b2", "a1")]) == (0, 0)
    assert lost_and_doubled(url, [told_of(x, "b2", "a1", "c3")]) == (1, 0)
    assert lost_and_doubled(url, [told_of(x, "b2", "a3")]) == (1, 0)
    assert lost_and_doubled(url, [told_of(x, "b2", "a1", deeds=3)]) == (1, 0)
    assert lost_and_doubled(url, [told_of(x, "b2", "a1", deeds=1)]) == (0, 1)
    assert lost_and_doubled(url, [told_of("x" * 23)]) == (1, 0)
