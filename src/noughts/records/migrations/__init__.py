"""Opening a database: connect, and bring its tables up to date, with Alembic; forwards only.

Every program that opens a database sees to this first, so several may start on it at once. The check costs two small
queries, and where the tables are the newest, Alembic is not even loaded. Only where something is to be done is a lock
taken, which lasts as long as the transaction that changes the tables: SQLite's write lock, or one of PostgreSQL's
advisory locks. Whoever waited for it finds the work done. Both databases change tables within a transaction, so a
program that is killed here leaves the tables as they were.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from noughts.records.database import Database, NewerSchemaError, connect, find_address

if TYPE_CHECKING:
    from alembic.script import ScriptDirectory

__all__ = ["NEWEST", "open_database", "upgrade"]

NEWEST = "4"
"""The revision of the last of the `versions`."""
KEY = 7_308_604_759_847_397_620
"""The number of the advisory lock: any that other users of the same database are unlikely to choose."""
PATIENCE = 60
"""Seconds to wait for another program that is changing the tables."""

_one_at_a_time = Lock()
"""Alembic keeps the migration that is running in a global variable."""


def open_database(url: str | None = None) -> Database:
    """The database at a URL, else at `NOUGHTS_DATABASE_URL`, else a file in the user's data folder; ready for use.

    Args:
        url: As `sqlite:///games.db` or `postgresql://host/name`.

    Raises:
        DatabaseUrlError: If it is no URL of a database that is known here.
        DatabaseError: If the database cannot be used.
    """
    database = connect(find_address(url))
    try:
        upgrade(database)
    except BaseException:
        database.close()
        raise
    return database


def upgrade(database: Database, revision: str = "head") -> None:
    """Bring the tables to a revision, the newest unless told otherwise; nothing happens if they are there."""
    if revision == "head" and _is_newest(database):
        return
    from alembic import command  # noqa: PLC0415  takes longer to load than all the rest
    from alembic.config import Config  # noqa: PLC0415
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", "noughts.records:migrations")
    scripts = ScriptDirectory.from_config(config)
    with database.reading() as session:
        if _present(session.connection(), scripts, database.shown) == scripts.as_revision_number(revision):
            return
    with _one_at_a_time, database.writing() as session:
        connection = session.connection()
        if database.dialect == "postgresql":
            connection.execute(text(f"SET LOCAL lock_timeout = '{PATIENCE}s'"))
            connection.execute(text("SET LOCAL statement_timeout = 0"))
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": KEY})
        _present(connection, scripts, database.shown)  # another, newer Noughts may have been first
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def _is_newest(database: Database) -> bool:
    with database.reading() as session:
        connection = session.connection()
        if not inspect(connection).has_table("alembic_version"):
            return False
        return connection.scalars(text("SELECT version_num FROM alembic_version")).all() == [NEWEST]


def _present(connection: Connection, scripts: ScriptDirectory, shown: str) -> str | None:
    """The revision of the tables, None if there are none yet; an error if this Noughts does not know it."""
    from alembic.migration import MigrationContext  # noqa: PLC0415  as above

    known = {script.revision for script in scripts.walk_revisions()}
    found = MigrationContext.configure(connection).get_current_heads()
    for revision in found:
        if revision not in known:
            raise NewerSchemaError(
                f"the tables of {shown!r} have revision {revision[:40]!r}: expected at most "
                f"{scripts.get_current_head()!r}; a newer Noughts made them, please use that one"
            )
    return found[0] if found else None
