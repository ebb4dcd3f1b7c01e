"""A database: where it is, and transactions on it that read and that write.

**Where.** The URL is the one given, else `NOUGHTS_DATABASE_URL`, else a SQLite file in the user's data folder, so that
nothing has to be set up. A URL may hold a password, in its usual place or among its options; what is shown in messages
therefore keeps only the parts that say which database it is.

**Transactions.** What a writing transaction wrote is on the disk when it ends without an error:

- SQLite keeps a write-ahead log (readers and the writer do not wait for each other) and syncs it at every commit
  (`synchronous=FULL`). A writing transaction takes the write lock when it begins: one that first read and then wanted
  to write could not wait for another writer, since what it had read would be stale.
- PostgreSQL syncs at every commit unless its owner has turned that off; then it is turned on again for us.

Whatever the driver complains of becomes one line that names the database, without its password. The one complaint left
alone is `IntegrityError`: it is an answer, not a fault.
"""

import os
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple
from urllib.parse import unquote

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.orm import Session

from noughts.extras import missing
from noughts.games import NoughtsError

__all__ = [
    "VARIABLE",
    "Address",
    "Database",
    "DatabaseError",
    "DatabaseUrlError",
    "NewerSchemaError",
    "RecordError",
    "connect",
    "find_address",
]


class RecordError(NoughtsError):
    """A value that no record can hold."""


class DatabaseError(NoughtsError):
    """A database that cannot be reached, read or written; what was reported saved before is still there."""


class DatabaseUrlError(DatabaseError):
    """A URL that names no database Noughts can use."""


class NewerSchemaError(DatabaseError):
    """A database whose tables were made by a newer Noughts."""


VARIABLE = "NOUGHTS_DATABASE_URL"
FILE = "noughts.db"
POSTGRESQL = ("postgresql", "postgres", "postgresql+psycopg")
EXPECTED = "expected sqlite:///FILE or postgresql://USER@HOST/NAME"
HARMLESS = ("host", "port")
"""The options of a URL that may be shown."""


class Address(NamedTuple):
    """A database's URL, for the driver and for people."""

    url: URL
    shown: str
    """Without passwords."""

    @property
    def sqlite(self) -> bool:
        """Whether it is a file rather than a server."""
        return self.url.drivername == "sqlite"


def find_address(url: str | None = None) -> Address:
    """The address of the database to use; makes the data folder if that is where it is."""
    text = url or os.environ.get(VARIABLE)
    if not text:
        file = _data_folder() / FILE
        return Address(URL.create("sqlite", database=str(file)), str(file))
    try:
        parsed = make_url(text)
    except (ArgumentError, ValueError) as error:
        raise DatabaseUrlError(f"{_blunt(text)!r} is not the URL of a database: {EXPECTED}") from error
    address = Address(_for_driver(parsed), _shown(parsed))
    if address.url.drivername not in ("sqlite", "postgresql+psycopg"):
        raise DatabaseUrlError(f"{address.shown!r} is not a database Noughts can use: {EXPECTED}")
    name = parsed.database or ""
    if address.sqlite and (name in ("", ":memory:") or name.startswith("file:") or parsed.query):
        raise DatabaseUrlError(f"{address.shown!r} names no plain file: expected sqlite:///FILE, without options")
    return address


def _for_driver(url: URL) -> URL:
    return url.set(drivername="postgresql+psycopg") if url.drivername in POSTGRESQL else url


def _shown(url: URL) -> str:
    options = {key: value for key, value in url.query.items() if key in HARMLESS}
    return unquote(
        URL.create(url.drivername, url.username, None, url.host, url.port, url.database, options).render_as_string()
    )


def _blunt(text: str) -> str:
    """What can be shown of a text that is no URL, wherever the password in it may be."""
    return re.sub("^.*@", "…@", text, flags=re.DOTALL).partition("?")[0][:200]


def _data_folder() -> Path:
    """The folder for what a user's programs keep, by the convention of XDG; a relative path there does not count."""
    chosen = Path(os.environ.get("XDG_DATA_HOME", ""))
    try:
        folder = (chosen if chosen.is_absolute() else Path.home() / ".local" / "share") / "noughts"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "there is no home folder"
        shown = str(chosen) if chosen.is_absolute() else "~/.local/share"
        raise DatabaseError(
            f"the data folder in {shown!r} cannot be made: {reason}; expected a writable folder, or {VARIABLE}"
        ) from error
    return folder


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
        # Threads of one process queue here: those who wait for SQLite's own lock look for it only now and then.
        self._one_writes = Lock() if engine.dialect.name == "sqlite" else nullcontext()
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
        with self._named_errors(), self._one_writes, Session(self._writer) as session, session.begin():
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
        raise missing("psycopg", f"a history in {address.shown!r}") from error
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
