"""The history of finished games: each written once, durably, before `save` returns.

Games are numbered in the order in which they were saved, and pages follow those numbers rather than offsets: a page
shows the games *before* a number, so games that arrive meanwhile shift nothing. A page is read from an index, so it
does not matter how many games there are; only for a game *and* a player at once are all his games looked through.
`lines` reads the games in small batches: a reader who is slow to take them holds up nobody.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime

from sqlalchemy import ColumnElement, Select, func, select, union
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import InstrumentedAttribute

from noughts.records.engine import Database
from noughts.records.errors import RecordError
from noughts.records.finished import Finished, Saved, storable
from noughts.records.schema import GameRow

__all__ = ["MOST", "History"]

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
        """Write a game; when this returns, it is there for good. A game that is there already is not written again."""
        finished.check()
        known = self._find(finished.fingerprint)
        if known:
            return known
        try:
            with self._database.writing() as session:
                row = _row(finished)
                session.add(row)
                session.flush()
                return _saved(row)
        except IntegrityError as error:
            known = self._find(finished.fingerprint)  # somebody was faster
            if known is None:
                raise RecordError(f"the game {finished.moves[:40]!r} cannot be saved: {error.orig}") from error
            return known

    def get(self, number: int) -> Saved | None:
        """The game of this number; None if there is none."""
        if not 1 <= number <= LARGEST:
            return None
        with self._database.reading() as session:
            row = session.get(GameRow, number)
            return _saved(row) if row else None

    def page(
        self, limit: int = MOST, before: int | None = None, game: str | None = None, player: str | None = None
    ) -> list[Saved]:
        """The newest games, or those before a number; of one game, or of one player on either side, if asked."""
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
                yield _line(saved)
            done = games[-1].id if games else last

    def _find(self, fingerprint: str) -> Saved | None:
        with self._database.reading() as session:
            row = session.scalar(select(GameRow).where(GameRow.fingerprint == fingerprint))
            return _saved(row) if row else None


def _of_player(player: str, wanted: list[ColumnElement[bool]], limit: int) -> Select[tuple[int]]:
    """The numbers of the newest games of a player: the newest as X and the newest as O, each from its own index."""

    def on(side: InstrumentedAttribute[str]) -> Select[tuple[int]]:
        newest = select(GameRow.id).where(side == player, *wanted).order_by(GameRow.id.desc()).limit(limit)
        return select(newest.subquery().c.id)

    return select(union(on(GameRow.x), on(GameRow.o)).subquery().c.id)


def _row(finished: Finished) -> GameRow:
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
        finished_at=row.finished_at,
    )


def _line(saved: Saved) -> str:
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
            "finished_at": saved.finished_at.isoformat(),
        }
    )
