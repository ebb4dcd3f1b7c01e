"""Games in a database, SQLite or PostgreSQL: the history of finished ones, tournaments, and live games."""

from noughts.extras import importing

with importing("the history of games"):
    from noughts.records.database import Database, DatabaseError, DatabaseUrlError, NewerSchemaError, RecordError
    from noughts.records.history import Finished, History, Saved
    from noughts.records.leaders import Latest, latest_tournaments, leaders, save_tournament
    from noughts.records.live import DeedError, LiveGame, Offer
    from noughts.records.live_games import BOARDS, Classroom, FullError, LiveGames, StaleError
    from noughts.records.migrations import open_database

__all__ = [
    "BOARDS",
    "Classroom",
    "Database",
    "DatabaseError",
    "DatabaseUrlError",
    "DeedError",
    "Finished",
    "FullError",
    "History",
    "Latest",
    "LiveGame",
    "LiveGames",
    "NewerSchemaError",
    "Offer",
    "RecordError",
    "Saved",
    "StaleError",
    "latest_tournaments",
    "leaders",
    "open_database",
    "save_tournament",
]
