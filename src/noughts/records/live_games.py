"""The live games of a database: found by token, changed by compare-and-set, cleared away when nobody comes any more.

**A change is there whole or not at all, and once.** A deed is judged outside of any transaction, on the version that
its sender saw; then one writing transaction puts the new version in the place of exactly that one (`UPDATE … WHERE
version = …`), together with what follows from it: the finished game in the history, the next game of the same two. If
another deed was quicker, no row matches, and the sender is told (`StaleError`). It does not matter which process or
which machine asks, so any number of workers may serve one game.

**A deed that is sent again is done already.** A double click, or a retry after a connection was lost before the answer
came, repeats the last deed of a side at the version it answered. The row has both written down, so that the answer is
the same as the first time. What is said twice at two versions is two deeds.

**Clearing away.** A game untouched for `KEPT`, or one without a move for `UNBEGUN`, is deleted, a few whenever a new
one begins: more than begin, so that they become fewer, and so few that nobody waits. A finished one is in the history
by then. Beyond `MOST` nothing new begins.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.engine import CursorResult
from sqlalchemy.orm import Session

from noughts.games import SIDES
from noughts.games import game as find_game
from noughts.records.database import Database, RecordError
from noughts.records.history import check_text, storable
from noughts.records.history import row_of as record_of
from noughts.records.live import (
    LONGEST_DEED,
    LONGEST_NAME,
    PERSON,
    PUPIL,
    TEACHER,
    WATCHER,
    DeedError,
    LiveGame,
    Offer,
    deed,
    new_token,
    rematch,
)
from noughts.records.schema import ClassroomRow, GameRow, LiveRow

__all__ = ["BOARDS", "KEPT", "MOST", "UNBEGUN", "Classroom", "FullError", "LiveGames", "StaleError"]

KEPT = timedelta(days=30)
UNBEGUN = timedelta(days=2)
BATCH = 20
"""Games that are cleared away at once."""
MOST = 100_000
BOARDS = 60
"""In a classroom."""
LENGTH = 23
"""Characters of a token."""
LARGEST_VERSION = 2**31 - 2


class StaleError(RecordError):
    """A deed that answers a version which is not the present one."""


class FullError(RecordError):
    """No room for one more."""


class Classroom(NamedTuple):
    """A classroom: what is played there, against whom, and the tokens of teacher and pupils."""

    id: int
    teacher_token: str
    pupils_token: str
    game: str
    opponent: str
    """The name of a machine; `human` where pupils play each other."""
    began_at: datetime


class LiveGames:
    """The live games and classrooms of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(
        self,
        game: str,
        *,
        start: str | None = None,
        players: tuple[str, str] = (PERSON, PERSON),
        names: tuple[str, str] = ("", ""),
        host: int | None = None,
    ) -> LiveGame:
        """A new game with tokens of its own; an error if there are too many already.

        Args:
            game: The name of the game.
            start: The position to begin with, in its notation; the usual one if left out.
            players: Who plays X and O: `human`, or a player of the catalogue.
            names: What the two call themselves.
            host: The number of the classroom that it belongs to, if any.

        Raises:
            FullError: If there are too many games already.
        """
        live = replace(_new(game, start, players, names), host=host)
        with self._database.writing() as session:
            _clear(session, live.began_at)
            return _add(session, live)

    def find(self, token: str) -> LiveGame | None:
        """The game that a token of a side, or one to watch, belongs to.

        Args:
            token: Any text.
        """
        column = {SIDES[0]: LiveRow.x_token, SIDES[1]: LiveRow.o_token, WATCHER: LiveRow.watch_token}.get(token[:1])
        if column is None or len(token) != LENGTH or not storable(token):
            return None
        with self._database.reading() as session:
            row = session.scalar(select(LiveRow).where(column == token))
            return _live(row) if row else None

    def act(self, token: str, version: int, text: str) -> LiveGame:
        """The game after a deed of the side that this token plays, answering this version; done once.

        Args:
            token: The token of a side.
            version: The version of the game that whoever acts has seen.
            text: The deed: a move, or a word as `resign`.

        Raises:
            DeedError: If the token is no side's, or the deed may not be done now.
            StaleError: If the game has gone on since that version.
        """
        live = self.find(token)
        side = None if live is None else live.side_of(token)
        if live is None or side is None:
            raise DeedError("whoever watches cannot do that: expected the token of a side")
        return self.act_for(live, side, version, text)

    def act_for(self, live: LiveGame, side: int, version: int, text: str) -> LiveGame:
        """The same for a side that needs no token: a machine.

        Args:
            live: The game as it was found.
            side: 0 for X, 1 for O.
            version: The version of the game that is answered.
            text: The deed: a move, or a word as `resign`.
        """
        said = _said(version, text)
        if live.version != version:
            return self._known(live, side, said)
        after = replace(deed(live, side, text), touched_at=datetime.now(UTC))
        with self._database.writing() as session:
            if _put(session, live, after, {f"{SIDES[side]}_deed": said}):
                if after.over and not live.over:
                    after = _keep(session, after)
                if after.next_token != live.next_token:
                    _add(session, rematch(after))
                return after
        return self._known(live, side, said)

    def rename(self, token: str, name: str) -> LiveGame:
        """The game with what this side calls itself from now on.

        Args:
            token: The token of a side.
            name: The new name.
        """
        called = _name(name)
        for _ in range(10):  # somebody may be quicker, but hardly ten times in a row
            live = self.find(token)
            side = None if live is None else live.side_of(token)
            if live is None or side is None:
                raise DeedError("whoever watches has no name here: expected the token of a side")
            names = (called, live.names[1]) if side == 0 else (live.names[0], called)
            if names == live.names:
                return live
            after = replace(live, names=names, version=live.version + 1)
            with self._database.writing() as session:
                if _put(session, live, after, {}):
                    return after
        raise StaleError("the game moved on again and again: expected a calm moment")

    def versions(self, ids: Iterable[int]) -> dict[int, int]:
        """The present versions of these games; those that are gone are left out.

        Args:
            ids: The numbers of games.
        """
        query = select(LiveRow.id, LiveRow.version).where(LiveRow.id.in_(list(ids)))
        with self._database.reading() as session:
            return {row.id: row.version for row in session.execute(query)}

    def begin_classroom(self, game: str, opponent: str) -> Classroom:
        """A new classroom, against a machine or, with `human`, among the pupils.

        Args:
            game: The name of the game.
            opponent: A player of the catalogue, or `human`.
        """
        check_text("opponent", opponent, 60)
        name = find_game(game).name
        row = ClassroomRow(
            teacher_token=new_token(TEACHER),
            pupils_token=new_token(PUPIL),
            game=name,
            opponent=opponent,
            began_at=datetime.now(UTC),
        )
        with self._database.writing() as session:
            _clear(session, row.began_at)
            session.add(row)
            session.flush()
            return _classroom(row)

    def find_classroom(self, token: str) -> Classroom | None:
        """The classroom of a token of its teacher or of its pupils.

        Args:
            token: Any text.
        """
        column = {TEACHER: ClassroomRow.teacher_token, PUPIL: ClassroomRow.pupils_token}.get(token[:1])
        if column is None or len(token) != LENGTH or not storable(token):
            return None
        with self._database.reading() as session:
            row = session.scalar(select(ClassroomRow).where(column == token))
            return _classroom(row) if row else None

    def join(self, classroom: Classroom, name: str) -> str:
        """The token of a board for one more pupil: the free side of one, or of a new one.

        Args:
            classroom: As it was found.
            name: What the pupil calls himself or herself.
        """
        called = _name(name, least=1)
        now = datetime.now(UTC)
        paired = classroom.opponent == PERSON
        with self._database.writing() as session:
            # One after the other, or two who come at the same moment would both sit down alone, or both at one side.
            session.get(ClassroomRow, classroom.id, with_for_update=True)
            if paired:
                wanted = select(LiveRow).where(LiveRow.classroom_id == classroom.id, LiveRow.waiting)
                row = session.scalar(wanted.order_by(LiveRow.id).limit(1).with_for_update())
                if row is not None:
                    live = _live(row)
                    names = (live.names[0], called)
                    _put(session, live, replace(live, waiting=False, names=names, version=live.version + 1), {})
                    return live.tokens[1]
            boards = select(func.count()).select_from(LiveRow).where(LiveRow.classroom_id == classroom.id)
            first = boards.where(LiveRow.next_token.is_(None))
            if (session.scalar(first) or 0) >= BOARDS:
                raise FullError(f"there are {BOARDS} boards in this classroom: expected no more")
            _clear(session, now)
            live = _new(classroom.game, None, (PERSON, classroom.opponent), (called, ""))
            return _add(session, replace(live, classroom=classroom.id, waiting=paired)).tokens[0]

    def boards(self, classroom: int) -> list[LiveGame]:
        """The games of a classroom that are played now, or were played last, in the order in which they began.

        Args:
            classroom: Its number.
        """
        query = select(LiveRow).where(LiveRow.classroom_id == classroom, LiveRow.next_token.is_(None))
        with self._database.reading() as session:
            return [_live(row) for row in session.scalars(query.order_by(LiveRow.id).limit(BOARDS))]

    def stirs(self, classrooms: Iterable[int]) -> dict[int, int]:
        """For each of these classrooms a number that grows with everything that happens in it.

        Args:
            classrooms: Their numbers.
        """
        grown = func.sum(LiveRow.version) + func.count()
        query = select(LiveRow.classroom_id, grown).where(LiveRow.classroom_id.in_(list(classrooms)))
        with self._database.reading() as session:
            found = session.execute(query.group_by(LiveRow.classroom_id))
            return {number: int(stirred) for number, stirred in found if number is not None}

    def _known(self, live: LiveGame, side: int, said: str) -> LiveGame:
        """The present game, if this deed was done in it already."""
        with self._database.reading() as session:
            row = session.get(LiveRow, live.id)
            if row is not None and (row.x_deed, row.o_deed)[side] == said:
                return _live(row)
        raise StaleError("the game has moved on meanwhile: expected an answer to what stands there now")


def _said(version: int, text: str) -> str:
    check_text("deed", text, LONGEST_DEED)
    if not 0 <= version <= LARGEST_VERSION:
        raise RecordError(f"{version} is not a version: expected 0 to {LARGEST_VERSION}")
    return f"{version} {text}"


def _name(name: str, least: int = 0) -> str:
    """What somebody calls himself, without the space around it."""
    called = " ".join(name.split())
    check_text("name", called, LONGEST_NAME, least)
    if not called.isprintable():
        raise RecordError(f"the name {called!r} cannot be shown: expected letters, digits and signs")
    return called


def _new(game: str, start: str | None, players: tuple[str, str], names: tuple[str, str]) -> LiveGame:
    now = datetime.now(UTC)
    rules = find_game(game)
    for one in players:
        check_text("player", one, 60)
    live = LiveGame(
        id=0,
        tokens=(new_token(SIDES[0]), new_token(SIDES[1])),
        watch_token=new_token(WATCHER),
        game=rules.name,
        start=None if start is None else rules.write(rules.read(start)),
        players=players,
        names=(_name(names[0]), _name(names[1])),
        began_at=now,
        touched_at=now,
    )
    if live.playing.result is not None:
        raise RecordError(f"{live.start!r} is over: expected a position with a move to make")
    return live


def _clear(session: Session, now: datetime) -> None:
    """Delete a few of those that nobody comes for; an error if there are too many others."""
    untouched = LiveRow.touched_at < now - KEPT
    unbegun = (LiveRow.touched_at < now - UNBEGUN) & (LiveRow.moves == "")
    old = select(LiveRow.id).where(LiveRow.touched_at < now - UNBEGUN, or_(untouched, unbegun)).limit(BATCH)
    session.execute(delete(LiveRow).where(LiveRow.id.in_(session.scalars(old).all())))
    empty = ~select(LiveRow.id).where(LiveRow.classroom_id == ClassroomRow.id).exists()
    left = select(ClassroomRow.id).where(ClassroomRow.began_at < now - UNBEGUN, empty).limit(BATCH)
    session.execute(delete(ClassroomRow).where(ClassroomRow.id.in_(session.scalars(left).all())))
    if (session.scalar(select(func.count()).select_from(LiveRow)) or 0) >= MOST:
        raise FullError(f"there are {MOST:,} live games here: expected fewer; try again another day")


def _add(session: Session, live: LiveGame) -> LiveGame:
    row = LiveRow(**_columns(live), x_deed="", o_deed="", began_at=live.began_at)
    session.add(row)
    session.flush()
    return replace(live, id=row.id)


def _put(session: Session, before: LiveGame, after: LiveGame, said: dict[str, str]) -> bool:
    """Compare and set: whether the version was still the one before."""
    wanted = update(LiveRow).where(LiveRow.id == before.id, LiveRow.version == before.version)
    done = session.execute(wanted.values(**_columns(after), **said).execution_options(synchronize_session=False))
    assert isinstance(done, CursorResult)
    return done.rowcount == 1


def _keep(session: Session, live: LiveGame) -> LiveGame:
    """Write a game that has just ended to the history."""
    finished = live.finished()
    finished.check()
    record: GameRow = record_of(finished)
    session.add(record)
    session.flush()
    session.execute(update(LiveRow).where(LiveRow.id == live.id).values(record_id=record.id))
    return replace(live, record=record.id)


def _columns(live: LiveGame) -> dict[str, Any]:
    return {
        "version": live.version,
        "x_token": live.tokens[0],
        "o_token": live.tokens[1],
        "watch_token": live.watch_token,
        "game": live.game,
        "start": live.start,
        "moves": " ".join(live.moves),
        "x": live.players[0],
        "o": live.players[1],
        "x_name": live.names[0],
        "o_name": live.names[1],
        "offer": "" if live.offer is None else f"{SIDES[live.offer.side]} {live.offer.what}",
        "result": live.result,
        "reason": live.reason,
        "record_id": live.record,
        "next_token": live.next_token,
        "x_wins": live.wins[0],
        "o_wins": live.wins[1],
        "draws": live.draws,
        "classroom_id": live.classroom,
        "host": "" if live.host is None else SIDES[live.host],
        "waiting": live.waiting,
        "touched_at": live.touched_at,
    }


def _live(row: LiveRow) -> LiveGame:
    side, _, what = row.offer.partition(" ")
    return LiveGame(
        id=row.id,
        version=row.version,
        tokens=(row.x_token, row.o_token),
        watch_token=row.watch_token,
        game=row.game,
        start=row.start,
        moves=tuple(row.moves.split()),
        players=(row.x, row.o),
        names=(row.x_name, row.o_name),
        offer=Offer(SIDES.index(side), what) if what else None,
        result=row.result,
        reason=row.reason,
        record=row.record_id,
        next_token=row.next_token,
        wins=(row.x_wins, row.o_wins),
        draws=row.draws,
        classroom=row.classroom_id,
        host=SIDES.index(row.host) if row.host else None,
        waiting=row.waiting,
        began_at=row.began_at,
        touched_at=row.touched_at,
    )


def _classroom(row: ClassroomRow) -> Classroom:
    return Classroom(row.id, row.teacher_token, row.pupils_token, row.game, row.opponent, row.began_at)
