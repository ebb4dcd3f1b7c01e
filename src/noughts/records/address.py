"""Where the records are: a URL, and the form of it that may be shown.

The URL is the one given, else `NOUGHTS_DATABASE_URL`, else a SQLite file in the user's data folder, so that nothing
has to be set up. A URL may hold a password, in its usual place or among its options; what is shown in messages
therefore keeps only the parts that say which database it is.
"""

import os
import re
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from noughts.records.errors import DatabaseError, DatabaseUrlError

__all__ = ["VARIABLE", "Address", "find_address"]

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
