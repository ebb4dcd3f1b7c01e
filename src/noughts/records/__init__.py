"""The history of games: finished games and tournaments, in SQLite or PostgreSQL."""

from noughts.records.database import Database, DatabaseError, DatabaseUrlError, NewerSchemaError, RecordError
from noughts.records.history import Finished, History, Saved
from noughts.records.leaders import Latest, latest_tournaments, leaders, save_tournament
from noughts.records.migrations import open_database

__all__ = [
    "Database",
    "DatabaseError",
    "DatabaseUrlError",
    "Finished",
    "History",
    "Latest",
    "NewerSchemaError",
    "RecordError",
    "Saved",
    "latest_tournaments",
    "leaders",
    "open_database",
    "save_tournament",
]
