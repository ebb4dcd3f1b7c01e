"""Opening a database: find it, connect, and bring its tables up to date."""

from noughts.records.address import find_address
from noughts.records.engine import Database, connect
from noughts.records.migrations import upgrade

__all__ = ["Database", "open_database"]


def open_database(url: str | None = None) -> Database:
    """The database at a URL, else at `NOUGHTS_DATABASE_URL`, else a file in the user's data folder; ready for use."""
    database = connect(find_address(url))
    try:
        upgrade(database)
    except BaseException:
        database.close()
        raise
    return database
