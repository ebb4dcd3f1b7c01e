"""The history of games: finished games and tournaments, in SQLite or PostgreSQL."""

from noughts.records.database import Database, open_database
from noughts.records.errors import DatabaseError, DatabaseUrlError, NewerSchemaError, RecordError
from noughts.records.finished import Finished, Saved
from noughts.records.history import History
from noughts.records.leaders import Latest, Standing, latest_tournaments, leaders, save_tournament

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
    "Standing",
    "latest_tournaments",
    "leaders",
    "open_database",
    "save_tournament",
]
