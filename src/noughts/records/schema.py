"""The tables, as they are now; how they came to be so is in `migrations`.

A game is found again by its **fingerprint**, a hash of what makes it that game: who began it, which game it is, where
it started, and its moves. It is unique, so a game that is saved again (a page loaded twice, a retry after a lost
connection) is written once. One hash rather than four unique columns: a start that is missing would count as different
from every other, and moves are long for an index.
"""

from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    DateTime,
    Dialect,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    TypeDecorator,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

__all__ = ["Base", "ClassroomRow", "GameRow", "LiveRow", "Moment", "PairingRow", "TournamentRow"]

BIG = BigInteger().with_variant(Integer, "sqlite")
"""SQLite numbers rows by itself only in a column of the type INTEGER, which holds 64 bits there."""


class Moment(TypeDecorator[datetime]):
    """A moment in UTC; SQLite, which knows no time zones, is told and asked in UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """All tables of this room."""

    metadata = MetaData(
        naming_convention={
            "pk": "pk_%(table_name)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
        }
    )


class GameRow(Base):
    """A finished game. Rows are added, and never changed or taken away."""

    __tablename__ = "games"

    id: Mapped[int] = mapped_column(BIG, primary_key=True)
    fingerprint: Mapped[str] = mapped_column(String(64), unique=True)
    token: Mapped[str] = mapped_column(String(40))
    game: Mapped[str] = mapped_column(String(100))
    x: Mapped[str] = mapped_column(String(60))
    o: Mapped[str] = mapped_column(String(60))
    start: Mapped[str | None] = mapped_column(String(400))
    moves: Mapped[str] = mapped_column(String(2000))
    result: Mapped[str] = mapped_column(String(4))
    reason: Mapped[str] = mapped_column(String(300))
    plies: Mapped[int]
    seconds: Mapped[float | None] = mapped_column(Double)
    finished_at: Mapped[datetime] = mapped_column(Moment())
    verified: Mapped[bool | None]

    __table_args__ = (
        CheckConstraint("result IN ('x', 'o', 'draw')", name="result"),
        Index("ix_games_game_id", "game", "id"),
        Index("ix_games_x_id", "x", "id"),
        Index("ix_games_o_id", "o", "id"),
    )


class TournamentRow(Base):
    """A tournament of one game."""

    __tablename__ = "tournaments"

    id: Mapped[int] = mapped_column(BIG, primary_key=True)
    game: Mapped[str] = mapped_column(String(100))
    played_at: Mapped[datetime] = mapped_column(Moment())
    seed: Mapped[str] = mapped_column(String(40))
    """In decimal digits: a seed may be larger than a database's integers."""
    pairings: Mapped[list["PairingRow"]] = relationship(order_by="PairingRow.id")

    __table_args__ = (Index("ix_tournaments_game_id", "game", "id"),)


class PairingRow(Base):
    """How the first of two players fared against the second in a tournament."""

    __tablename__ = "pairings"

    id: Mapped[int] = mapped_column(BIG, primary_key=True)
    tournament_id: Mapped[int] = mapped_column(BIG, ForeignKey("tournaments.id"))
    first: Mapped[str] = mapped_column(String(60))
    second: Mapped[str] = mapped_column(String(60))
    wins: Mapped[int]
    draws: Mapped[int]
    losses: Mapped[int]

    __table_args__ = (
        CheckConstraint("wins >= 0 AND draws >= 0 AND losses >= 0", name="counts"),
        Index("ix_pairings_tournament_id", "tournament_id"),
    )


class ClassroomRow(Base):
    """A classroom: a board for everybody who has the pupils' link, all of them before the teacher."""

    __tablename__ = "classrooms"

    id: Mapped[int] = mapped_column(BIG, primary_key=True)
    teacher_token: Mapped[str] = mapped_column(String(23), unique=True)
    pupils_token: Mapped[str] = mapped_column(String(23), unique=True)
    game: Mapped[str] = mapped_column(String(100))
    opponent: Mapped[str] = mapped_column(String(60))
    """A player's name; `human` where pupils play each other."""
    began_at: Mapped[datetime] = mapped_column(Moment())

    __table_args__ = (Index("ix_classrooms_began_at", "began_at"),)


class LiveRow(Base):
    """A live game: the only rows that change, and always by compare-and-set of their version; see `live`."""

    __tablename__ = "live_games"

    id: Mapped[int] = mapped_column(BIG, primary_key=True)
    version: Mapped[int]
    x_token: Mapped[str] = mapped_column(String(23), unique=True)
    o_token: Mapped[str] = mapped_column(String(23), unique=True)
    watch_token: Mapped[str] = mapped_column(String(23), unique=True)
    game: Mapped[str] = mapped_column(String(100))
    start: Mapped[str | None] = mapped_column(String(400))
    moves: Mapped[str] = mapped_column(String(2000))
    x: Mapped[str] = mapped_column(String(60))
    o: Mapped[str] = mapped_column(String(60))
    """Who plays, as in a finished game; what they call themselves comes next."""
    x_name: Mapped[str] = mapped_column(String(30))
    o_name: Mapped[str] = mapped_column(String(30))
    x_deed: Mapped[str] = mapped_column(String(40))
    o_deed: Mapped[str] = mapped_column(String(40))
    """The last deed of a side with the version it answered, so that a repeated request is known as such."""
    offer: Mapped[str] = mapped_column(String(10))
    result: Mapped[str] = mapped_column(String(4))
    """Empty while the game goes on."""
    reason: Mapped[str] = mapped_column(String(300))
    record_id: Mapped[int | None] = mapped_column(BIG)
    """The number of the finished game in the history."""
    next_token: Mapped[str | None] = mapped_column(String(23))
    """The watching token of the game that followed this one."""
    x_wins: Mapped[int]
    o_wins: Mapped[int]
    draws: Mapped[int]
    """How the two have fared so far, in this game and those before it, by the sides they have in this one."""
    classroom_id: Mapped[int | None] = mapped_column(BIG, ForeignKey("classrooms.id"))
    host: Mapped[str] = mapped_column(String(1))
    """The side that invited the other, and so knows its token; empty in classrooms."""
    waiting: Mapped[bool]
    """Whether the side O is free for the next pupil."""
    began_at: Mapped[datetime] = mapped_column(Moment())
    touched_at: Mapped[datetime] = mapped_column(Moment())

    __table_args__ = (
        CheckConstraint("result IN ('', 'x', 'o', 'draw')", name="result"),
        Index("ix_live_games_classroom_id", "classroom_id", "id"),
        Index("ix_live_games_touched_at", "touched_at"),
    )
