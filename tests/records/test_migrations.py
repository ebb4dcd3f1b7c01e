"""Tables are brought up to date whoever opens them, however many at once, and what they hold is kept."""

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import postgres
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from programs import READY, opens, start
from sqlalchemy import MetaData, Table, insert, inspect, text
from sqlalchemy.exc import IntegrityError

from noughts.records import Database, Finished, History, NewerSchemaError, Saved, open_database
from noughts.records.database import connect, find_address
from noughts.records.migrations import NEWEST, upgrade
from noughts.records.schema import Base, PairingRow

pytestmark = pytest.mark.slow

database_url = postgres.database_url

GAME = Finished(token="t", game="achi", x="human", o="perfect", moves="b2 a1", result="o", reason="a row")


def tables(database: Database) -> set[str]:
    with database.reading() as session:
        return set(inspect(session.connection()).get_table_names())


def test_the_migrations_make_the_tables_of_the_schema(database_url: str) -> None:
    database = open_database(database_url)
    with database.reading() as session:
        options = {"compare_type": True, "compare_server_default": True}
        context = MigrationContext.configure(session.connection(), opts=options)
        assert compare_metadata(context, Base.metadata) == []
        checks = inspect(session.connection()).get_check_constraints("games")
        assert [check["name"] for check in checks] == ["ck_games_result"]
    assert tables(database) == {"alembic_version", *Base.metadata.tables}
    database.close()


@pytest.mark.parametrize("revision", ["1", "2"])
def test_a_database_with_games_is_brought_up_to_date(database_url: str, revision: str) -> None:
    old = connect(find_address(database_url))
    upgrade(old, revision)
    assert "games" in tables(old)
    games = [replace(GAME, token=str(number)) for number in range(20)]
    with old.writing() as session:
        columns = Table("games", MetaData(), autoload_with=session.connection())
        rows = [
            {"fingerprint": one.fingerprint, "plies": one.plies, "finished_at": datetime.now(UTC), **vars(one)}
            for one in games
        ]
        session.execute(insert(columns), [{name: row[name] for name in row if name in columns.c} for row in rows])
    old.close()

    new = open_database(database_url)
    found = History(new).page()
    assert [one.token for one in found] == [one.token for one in games[::-1]]
    assert [replace(one, token="") for one in found[:1]] == [
        Saved(**{**vars(GAME), "token": "", "id": found[0].id, "finished_at": found[0].finished_at, "verified": None})
    ]
    assert History(new).save(replace(GAME, token="7")) == found[-8]
    assert History(new).save(replace(GAME, token="new", verified=True)).id > found[0].id
    assert [one.verified for one in History(new).page(2)] == [True, None]
    assert tables(new) == {"alembic_version", *Base.metadata.tables}
    new.close()


def test_several_programs_may_start_at_once(database_url: str) -> None:
    programs = [start(opens, database_url) for _ in range(4)]
    assert [program.hear() for program in programs] == [READY] * 4
    for program in programs:
        program.pipe.send("go")
    assert [program.hear() for program in programs] == [""] * 4
    database = open_database(database_url)
    with database.reading() as session:
        assert session.scalars(text("SELECT version_num FROM alembic_version")).all() == [NEWEST]
    database.close()


def test_the_newest_revision_is_alembics() -> None:
    config = Config()
    config.set_main_option("script_location", "noughts.records:migrations")
    assert ScriptDirectory.from_config(config).get_current_head() == NEWEST


def test_opening_what_is_up_to_date_takes_no_alembic(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    open_database(url).close()
    code = f"from noughts.records import open_database; open_database({url!r}); import sys; "
    code += "print('alembic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"False\n"


def test_opening_again_changes_nothing(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    open_database(database_url).close()
    monkeypatch.delattr(command, "upgrade")
    open_database(database_url).close()


def test_an_upgrade_that_fails_leaves_nothing_behind(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = command.upgrade

    def interrupted(*arguments: Any) -> None:
        whole(*arguments)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(command, "upgrade", interrupted)
        with pytest.raises(KeyboardInterrupt):
            open_database(database_url)
    database = connect(find_address(database_url))
    assert tables(database) == set()
    upgrade(database)
    assert History(database).save(GAME).id == 1
    database.close()


def test_tables_of_a_newer_noughts_are_left_alone(database_url: str) -> None:
    database = open_database(database_url)
    with database.writing() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '5'"))
    database.close()
    with pytest.raises(NewerSchemaError, match="have revision '5': expected at most '4'; a newer Noughts") as caught:
        open_database(database_url)
    message = str(caught.value)
    assert "\n" not in message
    assert "noughts" in message
    assert "hidden" not in message


def test_a_pairing_belongs_to_a_tournament(database_url: str) -> None:
    database = open_database(database_url)
    row = PairingRow(tournament_id=7, first="a", second="b", wins=1, draws=0, losses=0)
    with pytest.raises(IntegrityError, match=r"(?i)foreign key"), database.writing() as session:
        session.add(row)
    database.close()
