"""What can be wrong with a table, for those who tell it apart and need not load one."""

from noughts.games import NoughtsError

__all__ = ["DamagedError", "TableError"]


class TableError(NoughtsError):
    """A folder that is no table, or not the one that is needed, or damaged; or no room for one."""


class DamagedError(TableError):
    """A table whose bytes are not those that were written."""
