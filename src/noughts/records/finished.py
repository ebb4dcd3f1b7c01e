"""A finished game as a value, before and after it is saved, and what can be kept at all.

Names, moves and tokens come from outside, so they are checked here as well, against the widths of the columns. Any text
can be kept, and comes back as it was, with two exceptions that databases do not take: the character NUL, and halves of
characters (surrogates).
"""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from json import dumps
from math import isfinite
from typing import cast

from sqlalchemy import String

from noughts.records.errors import RecordError
from noughts.records.schema import GameRow

__all__ = ["RESULTS", "Finished", "Saved", "check_text", "storable"]

RESULTS = ("x", "o", "draw")
MAY_BE_EMPTY = ("moves", "reason")


@dataclass(frozen=True, kw_only=True)
class Finished:
    """A game that has ended."""

    token: str
    """Who began this game: whatever tells it from another one with the same moves."""
    game: str
    x: str
    o: str
    """The names of the players."""
    start: str | None = None
    """The position it began from; None for the usual start."""
    moves: str
    """In notation, with one space between two."""
    result: str
    """The side that won, `x` or `o`, or `draw`."""
    reason: str
    seconds: float | None = None
    """How long the machines thought in all."""

    @property
    def plies(self) -> int:
        """How many moves were made."""
        return len(self.moves.split())

    @property
    def fingerprint(self) -> str:
        """The same for the same game, and for no other."""
        return sha256(dumps([self.token, self.game, self.start, self.moves]).encode()).hexdigest()

    def check(self) -> None:
        """Raise an error if this cannot be saved."""
        for field in ("token", "game", "x", "o", "start", "moves", "reason"):
            value = getattr(self, field)
            if not (field == "start" and value is None):
                check_text(field, value, _width(field), least=0 if field in MAY_BE_EMPTY else 1)
        if self.moves != " ".join(self.moves.split()):
            raise RecordError(f"the moves {self.moves[:40]!r} cannot be saved: expected one space between two moves")
        if self.result not in RESULTS:
            raise RecordError(f"{self.result!r} is not a result: expected {', '.join(RESULTS)}")
        if self.seconds is not None and not (isfinite(self.seconds) and self.seconds >= 0):
            raise RecordError(f"{self.seconds!r} is not a duration: expected seconds from 0 up")


@dataclass(frozen=True, kw_only=True)
class Saved(Finished):
    """A game that the database holds."""

    id: int
    finished_at: datetime
    """When it was first saved, in UTC."""


def check_text(what: str, value: str, most: int, least: int = 1) -> None:
    """Raise an error that names the value if a text is too long, too short or not storable."""
    if not least <= len(value) <= most:
        raise RecordError(f"the {what} {value[:40]!r} has {len(value)} characters: expected {least} to {most}")
    if not storable(value):
        raise RecordError(f"the {what} {value[:40]!r} cannot be saved: expected text without NUL and surrogates")


def storable(text: str) -> bool:
    """Whether every database can hold a text."""
    return not any(char == "\0" or "\ud800" <= char <= "\udfff" for char in text)


def _width(field: str) -> int:
    return cast(int, cast(String, GameRow.__table__.c[field].type).length)
