"""What can go wrong with records: a value that cannot be kept, or a database that cannot keep it."""

from noughts.games import NoughtsError

__all__ = ["DatabaseError", "DatabaseUrlError", "NewerSchemaError", "RecordError"]


class RecordError(NoughtsError):
    """A value that no record can hold."""


class DatabaseError(NoughtsError):
    """A database that cannot be reached, read or written; what was reported saved before is still there."""


class DatabaseUrlError(DatabaseError):
    """A URL that names no database Noughts can use."""


class NewerSchemaError(DatabaseError):
    """A database whose tables were made by a newer Noughts."""
