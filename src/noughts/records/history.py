"""The history of finished games: each written once, durably, before `save` returns.

A finished game is a value, `Finished` before and `Saved` after it is saved. Names, moves and tokens come from outside,
so they are checked here as well, against the widths of the columns. Any text can be kept, and comes back as it was,
with two exceptions that databases do not take: the character NUL, and halves of characters (surrogates).

Games are numbered in the order in which they were saved, and pages follow those numbers rather than offsets (keyset
pagination): a page shows the games *before* a number, so games that arrive meanwhile shift nothing. A page is read
from an index, so it does not matter how many games there are; only for a game *and* a player at once are all games of
the player looked through. `lines` reads the games in small batches: a reader who is slow to take them holds up nobody.
"""

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from json import dumps
from math import isfinite
from typing import cast

from sqlalchemy import ColumnElement, Select, String, func, select, union
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import InstrumentedAttribute

from noughts.records.database import Database, RecordError
from noughts.records.schema import GameRow

__all__ = [
    "LONGEST_MOVE",
    "MOST",
    "MOST_MOVES",
    "MOST_NOTATION",
    "RESULTS",
    "Finished",
    "History",
    "Saved",
    "check_text",
    "line_of",
    "row_of",
    "storable",
]

RESULTS = ("x", "o", "draw")
MOST_MOVES = 400
MOST_NOTATION = 2_000
"""Characters of all the moves of a game: as many as a record holds."""
LONGEST_MOVE = 12
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
    verified: bool | None = None
    """Whether every move of a machine was replayed and is what it plays; None where nobody has looked."""

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


MOST = 100
"""Games on one page."""
BATCH = 500
"""Games read at once for `lines`."""
LARGEST = 2**63 - 1
"""No game has a number beyond this."""


class History:
    """The finished games of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, finished: Finished) -> Saved:
        """Write a game; when this returns, it is there for good. A game that is there already is not written again.

        Args:
            finished: A game that is over.
        """
        finished.check()
        known = self.find(finished)
        if known:
            return known
        try:
            with self._database.writing() as session:
                row = row_of(finished)
                session.add(row)
                session.flush()
                return _saved(row)
        except IntegrityError as error:
            known = self.find(finished)  # somebody was faster
            if known is None:
                raise RecordError(f"the game {finished.moves[:40]!r} cannot be saved: {error.orig}") from error
            return known

    def find(self, finished: Finished) -> Saved | None:
        """This game as it was saved; None if it was not.

        Args:
            finished: A game that is over.
        """
        with self._database.reading() as session:
            row = session.scalar(select(GameRow).where(GameRow.fingerprint == finished.fingerprint))
            return _saved(row) if row else None

    def get(self, number: int) -> Saved | None:
        """The game of this number; None if there is none.

        Args:
            number: The number it was given when it was saved.
        """
        if not 1 <= number <= LARGEST:
            return None
        with self._database.reading() as session:
            row = session.get(GameRow, number)
            return _saved(row) if row else None

    def page(
        self, limit: int = MOST, before: int | None = None, game: str | None = None, player: str | None = None
    ) -> list[Saved]:
        """The newest games, or those before a number; of one game, or of one player on either side, if asked.

        Args:
            limit: How many at most.
            before: Only games with smaller numbers.
            game: Only this game, by its name.
            player: Only games of this player, on either side.
        """
        if not 1 <= limit <= MOST:
            raise RecordError(f"{limit} games do not make a page: expected 1 to {MOST}")
        if not all(storable(text) for text in (game, player) if text is not None):
            return []
        wanted: list[ColumnElement[bool]] = []
        if before is not None and before <= LARGEST:
            wanted.append(GameRow.id < max(before, 0))
        if game is not None:
            wanted.append(GameRow.game == game)
        query = select(GameRow)
        if player is None:
            query = query.where(*wanted)
        else:
            query = query.where(GameRow.id.in_(_of_player(player, wanted, limit)))
        with self._database.reading() as session:
            return [_saved(row) for row in session.scalars(query.order_by(GameRow.id.desc()).limit(limit))]

    def some(self, numbers: Collection[int]) -> list[Saved]:
        """The games of these numbers, the newest first; those that there are not are left out.

        Args:
            numbers: As they were given when the games were saved.
        """
        wanted = [number for number in numbers if 1 <= number <= LARGEST]
        if len(wanted) > MOST:
            raise RecordError(f"{len(wanted)} games are too many at once: expected at most {MOST}")
        query = select(GameRow).where(GameRow.id.in_(wanted)).order_by(GameRow.id.desc())
        with self._database.reading() as session:
            return [_saved(row) for row in session.scalars(query)]

    def count(self) -> int:
        """How many games there are."""
        with self._database.reading() as session:
            return session.scalar(select(func.count()).select_from(GameRow)) or 0

    def lines(self) -> Iterator[str]:
        """Every game as a line of JSON, the oldest first, up to the newest there is at the beginning.

        Tokens are left out: they belong to those who played.
        """
        with self._database.reading() as session:
            last = session.scalar(select(func.max(GameRow.id))) or 0
        done = 0
        while done < last:
            batch = select(GameRow).where(GameRow.id > done, GameRow.id <= last).order_by(GameRow.id).limit(BATCH)
            with self._database.reading() as session:
                games = [_saved(row) for row in session.scalars(batch)]
            for saved in games:
                yield line_of(saved)
            done = games[-1].id if games else last


def _of_player(player: str, wanted: list[ColumnElement[bool]], limit: int) -> Select[tuple[int]]:
    """The numbers of the newest games of a player: the newest as X and the newest as O, each from its own index."""

    def on(side: InstrumentedAttribute[str]) -> Select[tuple[int]]:
        newest = select(GameRow.id).where(side == player, *wanted).order_by(GameRow.id.desc()).limit(limit)
        return select(newest.subquery().c.id)

    return select(union(on(GameRow.x), on(GameRow.o)).subquery().c.id)


def row_of(finished: Finished) -> GameRow:
    """The row that a game which has been checked becomes."""
    return GameRow(
        fingerprint=finished.fingerprint,
        token=finished.token,
        game=finished.game,
        x=finished.x,
        o=finished.o,
        start=finished.start,
        moves=finished.moves,
        result=finished.result,
        reason=finished.reason,
        plies=finished.plies,
        seconds=finished.seconds,
        verified=finished.verified,
        finished_at=datetime.now(UTC),
    )


def _saved(row: GameRow) -> Saved:
    return Saved(
        id=row.id,
        token=row.token,
        game=row.game,
        x=row.x,
        o=row.o,
        start=row.start,
        moves=row.moves,
        result=row.result,
        reason=row.reason,
        seconds=row.seconds,
        verified=row.verified,
        finished_at=row.finished_at,
    )


def line_of(saved: Saved) -> str:
    """A game as a line of JSON, less its token."""
    return json.dumps(
        {
            "id": saved.id,
            "game": saved.game,
            "x": saved.x,
            "o": saved.o,
            "start": saved.start,
            "moves": saved.moves.split(),
            "result": saved.result,
            "reason": saved.reason,
            "plies": saved.plies,
            "seconds": saved.seconds,
            "verified": saved.verified,
            "finished_at": saved.finished_at.isoformat(),
        }
    )
