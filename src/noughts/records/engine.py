"""A database as the rest of this room sees it: transactions that read, and transactions that write.

What a writing transaction wrote is on the disk when it ends without an error:

- SQLite keeps a write-ahead log (readers and the writer do not wait for each other) and syncs it at every commit
  (`synchronous=FULL`). A writing transaction takes the write lock when it begins: one that first read and then wanted
  to write could not wait for another writer, since what it had read would be stale.
- PostgreSQL syncs at every commit unless its owner has turned that off; then it is turned on again for us.

Whatever the driver complains of becomes one line that names the database, without its password. The one complaint left
alone is `IntegrityError`: it is an answer, not a fault.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.orm import Session

from noughts.records.address import Address
from noughts.records.errors import DatabaseError

__all__ = ["Database", "connect"]

PATIENCE = 10
"""Seconds that a caller waits for a lock or for a free connection."""
CONNECT_TIMEOUT = 5
POOL = 4
"""Connections kept; as many again are made when all are in use."""
STATEMENT_TIMEOUT = 30
"""Seconds after which PostgreSQL gives up a statement."""
WRITING = "noughts_writing"


class Database:
    """An open database; safe to use from several threads."""

    def __init__(self, engine: Engine, shown: str) -> None:
        self._reader = engine
        self._writer = engine.execution_options(**{WRITING: True})
        self.shown = shown
        """Its URL, without passwords."""

    @property
    def dialect(self) -> str:
        """`sqlite` or `postgresql`."""
        return self._reader.dialect.name

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A transaction that only reads."""
        with self._named_errors(), Session(self._reader) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A transaction whose changes are durable when this ends, and undone if an error ends it."""
        with self._named_errors(), Session(self._writer) as session, session.begin():
            yield session

    def close(self) -> None:
        """Give all connections back."""
        self._reader.dispose()

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        try:
            yield
        except IntegrityError:
            raise
        except SQLAlchemyError as error:
            cause = error.orig if isinstance(error, DBAPIError) else error
            reason = " ".join(str(cause).split()).rstrip(".")
            raise DatabaseError(
                f"the database {self.shown!r} does not answer: {reason}; expected one that can be read and written"
            ) from error


def connect(address: Address) -> Database:
    """The database at an address, whatever tables it has."""
    options: dict[str, Any] = {}
    if not address.sqlite and "connect_timeout" not in address.url.query:
        options["connect_timeout"] = CONNECT_TIMEOUT
    try:
        engine = create_engine(
            address.url,
            pool_size=POOL,
            max_overflow=POOL,
            pool_timeout=PATIENCE,
            pool_pre_ping=True,
            connect_args=options,
        )
    except ImportError as error:
        raise DatabaseError(
            f"{address.shown!r} cannot be used: {error}; expected the package psycopg[binary]"
        ) from error
    if address.sqlite:
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    else:
        event.listen(engine, "connect", _prepare_postgresql)
    return Database(engine, address.shown)


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # transactions begin where `_begin_sqlite` says, not where the driver guesses
    connection.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000}")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        _turn_to_wal(connection)


def _turn_to_wal(connection: sqlite3.Connection) -> None:
    """Once in the life of a file; SQLite does not wait here by itself when several processes try at once."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        time.sleep(0.01)


def _begin_sqlite(connection: Connection) -> None:
    writing = connection.get_execution_options().get(WRITING, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _prepare_postgresql(connection: Any, _record: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SET statement_timeout = '{STATEMENT_TIMEOUT}s'")
        cursor.execute(
            "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
        )
    connection.commit()
