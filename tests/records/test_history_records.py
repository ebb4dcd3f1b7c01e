"""Finished games are written once, are there for good when `save` returns, and come back as they were."""

import json
import random
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from itertools import product
from threading import Barrier
from typing import Any

import postgres
import pytest
from programs import READY, saves_one_list, saves_until_killed, start
from sqlalchemy import select, text

from noughts.records import (
    Database,
    DatabaseError,
    Finished,
    History,
    RecordError,
    Saved,
    history,
    open_database,
)
from noughts.records import database as database_module
from noughts.records.schema import GameRow

pytestmark = pytest.mark.slow

database = postgres.database
database_url = postgres.database_url

GAME = Finished(
    token="a-token",
    game="tictactoe",
    x="human",
    o="c1990",
    moves="b2 a1 c3 a3 a2",
    result="draw",
    reason="no move is left",
    seconds=0.25,
)

HOSTILE = [
    "'; DROP TABLE games; --",
    "<script>alert(1)</script>",
    "%s %(x)s {x} :x ?",
    '\\ \\0 \\x00 "',
    "\x1b[31m \x7f \r\n\t",
    "a\u00a0b \u2028 \u202e \ufeff e\u0301 é",
    "🎲 ⭘ ✕ \U0010ffff",
    "NULL",
    " ",
]


def content(saved: Saved) -> dict[str, Any]:
    fields = asdict(saved)
    del fields["id"], fields["finished_at"]
    return fields


def test_a_saved_game_comes_back_as_it_was(database: Database) -> None:
    records = History(database)
    saved = records.save(GAME)
    assert content(saved) == asdict(GAME)
    assert saved.plies == 5
    assert records.get(saved.id) == saved
    assert records.page() == [saved]
    assert records.count() == 1
    assert saved.finished_at.tzinfo is UTC
    assert abs(saved.finished_at - datetime.now(UTC)) < timedelta(minutes=1)


def test_a_game_that_is_saved_again_is_written_once(database: Database) -> None:
    records = History(database)
    first = records.save(GAME)
    assert records.save(replace(GAME, x="somebody else", seconds=None)) == first
    assert records.count() == 1


def test_another_token_game_start_or_line_is_another_game(database: Database) -> None:
    records = History(database)
    others = [replace(GAME, token="b"), replace(GAME, game="achi"), replace(GAME, start="b"), replace(GAME, moves="b2")]
    numbers = {records.save(finished).id for finished in (GAME, *others)}
    assert len(numbers) == records.count() == 5


def test_a_game_saved_by_many_threads_at_once_is_one_row(database: Database) -> None:
    records = History(database)
    together = Barrier(8)

    def save(_number: int) -> int:
        together.wait()
        return records.save(GAME).id

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(save, range(8)))) == 1
    assert records.count() == 1


def test_games_saved_by_many_processes_at_once_are_one_row_each(database_url: str) -> None:
    savers = [start(saves_one_list, database_url) for _ in range(3)]
    assert [saver.hear() for saver in savers] == [READY] * 3
    for saver in savers:
        saver.pipe.send("go")
    answers = [saver.hear() for saver in savers]
    assert answers[0] == answers[1] == answers[2]
    assert len(answers[0]) == 40
    opened = open_database(database_url)
    assert History(opened).count() == 40
    opened.close()


def test_a_game_reported_saved_survives_a_killed_process_and_none_is_half_written(database_url: str) -> None:
    dice = random.Random(6)
    reported: dict[int, str] = {}
    kills = 4
    for run in range(kills):
        saver = start(saves_until_killed, database_url, f"run{run}")
        reported |= dict(saver.hear() for _ in range(dice.randrange(1, 60)))
        saver.process.kill()
        with suppress(EOFError):
            while True:
                reported |= dict([saver.hear()])
        saver.process.join()
        assert saver.process.exitcode == -signal.SIGKILL
    opened = open_database(database_url)
    kept = [json.loads(line) for line in History(opened).lines()]
    tokens = {number: saved.token for number in reported if (saved := History(opened).get(number))}
    opened.close()
    assert tokens == reported
    assert len(reported) <= len(kept) <= len(reported) + kills
    for game in kept:
        assert game["x"] == game["o"] == game["reason"]
        assert game["moves"] == [game["x"]] * 50


def test_commits_reach_the_disk(database_url: str) -> None:
    opened = open_database(database_url)
    if opened.dialect == "postgresql":
        with opened.writing() as session:
            name = session.scalar(text("SELECT current_database()"))
            session.execute(text(f"ALTER DATABASE {name} SET synchronous_commit = off"))
        opened.close()
        opened = open_database(database_url)
    with opened.reading() as session:
        if opened.dialect == "postgresql":
            assert session.scalar(text("SHOW synchronous_commit")) == "on"
        else:
            full = 2
            assert session.scalar(text("PRAGMA synchronous")) == full
            assert session.scalar(text("PRAGMA journal_mode")) == "wal"
            assert session.scalar(text("PRAGMA foreign_keys")) == 1
    opened.close()


def fill(records: History, number: int) -> list[Saved]:
    """So many games among three players, newest first."""
    dice = random.Random(1)
    saved = []
    for token in range(number):
        x, o = dice.choices(["human", "c1990", "perfect"], k=2)
        game = dice.choice(["tictactoe", "achi"])
        saved.append(records.save(replace(GAME, token=str(token), x=x, o=o, game=game)))
    return saved[::-1]


def test_pages_follow_each_other_while_games_arrive(database: Database) -> None:
    records = History(database)
    saved = fill(records, 25)
    seen: list[Saved] = []
    while page := records.page(limit=10, before=seen[-1].id if seen else None):
        seen += page
        records.save(replace(GAME, token=f"late{len(seen)}"))
    assert seen == saved
    assert [late.token for late in records.page(limit=3)] == ["late25", "late20", "late10"]


def test_pages_of_one_game_or_player(database: Database) -> None:
    records = History(database)
    saved = fill(records, 40)
    for game, player in product((None, "achi", "qubic"), (None, "human", "nobody")):
        wanted = [one for one in saved if game in (None, one.game) and player in (None, one.x, one.o)]
        assert records.page(game=game, player=player) == wanted
        assert records.page(limit=5, game=game, player=player) == wanted[:5]
        earlier = [one for one in wanted if one.id < 20]
        assert records.page(limit=5, before=20, game=game, player=player) == earlier[:5]


def test_numbers_that_no_game_has(database: Database) -> None:
    records = History(database)
    saved = records.save(GAME)
    for number in (0, -1, saved.id + 1, 2**63, 10**30):
        assert records.get(number) is None
    for before in (0, -1, -(10**30), saved.id):
        assert records.page(before=before) == []
    for before in (2**63, 10**30):
        assert records.page(before=before) == [saved]


@pytest.mark.parametrize("limit", [0, -1, 101])
def test_a_page_has_a_size(database: Database, limit: int) -> None:
    with pytest.raises(RecordError, match=f"{limit} games do not make a page: expected 1 to 100"):
        History(database).page(limit=limit)


def test_lines_hold_every_game_in_order(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "BATCH", 7)
    records = History(database)
    assert list(records.lines()) == []
    saved = fill(records, 23)
    lines = list(records.lines())
    assert all("\n" not in line for line in lines)
    expected = [
        {**content(one), "id": one.id, "plies": 5, "moves": GAME.moves.split(), "finished_at": str(one.finished_at)}
        for one in saved[::-1]
    ]
    for game in expected:
        del game["token"]
    assert [{**json.loads(line), "finished_at": None} for line in lines] == [
        {**game, "finished_at": None} for game in expected
    ]
    assert [str(datetime.fromisoformat(json.loads(line)["finished_at"])) for line in lines] == [
        game["finished_at"] for game in expected
    ]


def test_games_can_be_saved_while_lines_are_read(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "BATCH", 2)
    records = History(database)
    fill(records, 6)
    read = 0
    for _line in records.lines():
        records.save(replace(GAME, token=f"late{read}"))
        read += 1
    assert read == 6
    assert records.count() == 12


@pytest.mark.parametrize("value", HOSTILE)
def test_text_comes_back_as_it_went_in(database: Database, value: str) -> None:
    records = History(database)
    hostile = Finished(
        token=value, game=value, x=value, o=value, start=value, moves="", result="o", reason=value, seconds=None
    )
    saved = records.save(hostile)
    assert content(saved) == asdict(hostile)
    assert records.get(saved.id) == saved
    assert records.page(game=value, player=value) == [saved]
    assert json.loads(next(records.lines()))["reason"] == value
    assert records.save(hostile) == saved


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"token": ""}, "the token '' has 0 characters: expected 1 to 40"),
        ({"token": "t" * 41}, "has 41 characters: expected 1 to 40"),
        ({"game": "g" * 101}, "expected 1 to 100"),
        ({"x": "x" * 61}, "expected 1 to 60"),
        ({"o": ""}, "expected 1 to 60"),
        ({"start": ""}, "expected 1 to 400"),
        ({"moves": "a1 " * 667}, "has 2001 characters: expected 0 to 2000"),
        ({"moves": "a1  b2"}, "the moves 'a1  b2' cannot be saved: expected one space"),
        ({"moves": "a1\u00a0b2"}, "expected one space"),
        ({"reason": "r" * 301}, "expected 0 to 300"),
        ({"reason": "nul \0"}, r"the reason 'nul \\x00' cannot be saved"),
        ({"x": "half \ud83c"}, r"the x 'half \\ud83c' cannot be saved"),
        ({"result": "X"}, "'X' is not a result: expected x, o, draw"),
        ({"seconds": -1.0}, "-1.0 is not a duration"),
        ({"seconds": float("nan")}, "nan is not a duration"),
        ({"seconds": float("inf")}, "inf is not a duration"),
    ],
)
def test_what_cannot_be_saved_is_named(change: dict[str, Any], words: str) -> None:
    with pytest.raises(RecordError, match=words) as caught:
        replace(GAME, **change).check()
    assert "\n" not in str(caught.value)


def test_what_cannot_be_saved_is_not(database: Database) -> None:
    records = History(database)
    with pytest.raises(RecordError, match="'X' is not a result"):
        records.save(replace(GAME, result="X"))
    assert records.count() == 0


@pytest.mark.parametrize("value", ["nul \0", "half \udfff"])
def test_nobody_has_a_name_that_cannot_be_saved(database: Database, value: str) -> None:
    records = History(database)
    records.save(GAME)
    assert records.page(player=value) == records.page(game=value) == []


def test_the_widest_values_fit(database: Database) -> None:
    wide = Finished(
        token="💡" * 40,
        game="💡" * 100,
        x="💡" * 60,
        o="💡" * 60,
        start="💡" * 400,
        moves="💡" * 2000,
        result="draw",
        reason="💡" * 300,
        seconds=1e300,
    )
    assert content(History(database).save(wide)) == asdict(wide)


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_a_lost_connection_is_made_again(database: Database) -> None:
    records = History(database)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: records.get(number + 1), range(8)))
    with database.reading() as session:
        others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
        session.execute(text(f"{others} AND pid <> pg_backend_pid()"))
    for token in range(8):
        records.save(replace(GAME, token=str(token)))
    assert records.count() == 8


def test_a_lock_that_is_held_too_long_is_an_error_in_one_line(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "PATIENCE", 0.2)
    monkeypatch.setattr(database_module, "STATEMENT_TIMEOUT", 1)
    holder, other = open_database(database_url), open_database(database_url)
    with holder.writing() as session:
        if holder.dialect == "postgresql":
            session.execute(text("LOCK TABLE games"))
        else:
            session.scalars(select(GameRow)).all()
        with pytest.raises(DatabaseError, match=r"does not answer: .*(locked|timeout)") as caught:
            History(other).save(GAME)
    assert "\n" not in str(caught.value)
    assert "hidden" not in str(caught.value)
    assert History(other).save(GAME).id
    holder.close()
    other.close()
