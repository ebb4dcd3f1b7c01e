"""Leaders: what the latest tournament of a game says of its players.

What is kept of a tournament are the counts of its pairings: scores, and how sure they are, follow from them.
"""

from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import func, select

from noughts.arena import Pairing, Standing, Tournament, standings
from noughts.records.database import Database, RecordError
from noughts.records.history import check_text, storable
from noughts.records.schema import PairingRow, TournamentRow

__all__ = [
    "Latest",
    "latest_tournaments",
    "leaders",
    "save_tournament",
]

LARGEST = 2**31 - 1
"""The largest count a column takes."""


class Latest(NamedTuple):
    """The latest tournament of a game."""

    id: int
    game: str
    played_at: datetime
    seed: int


def save_tournament(database: Database, tournament: Tournament) -> int:
    """Write a tournament, durably, and return its number.

    Args:
        database: An open database.
        tournament: A tournament, whole or as far as it was played.
    """
    check_text("game", tournament.game, 100)
    check_text("seed", str(tournament.seed), 40)
    rows = []
    for pairing in tournament.pairings:
        check_text("player", pairing.first, 60)
        check_text("player", pairing.second, 60)
        counts = (pairing.wins, pairing.draws, pairing.losses)
        if not all(0 <= count <= LARGEST for count in counts):
            raise RecordError(f"{counts} are not wins, draws and losses: expected numbers from 0 to {LARGEST}")
        names = {"first": pairing.first, "second": pairing.second}
        rows.append(PairingRow(**names, wins=counts[0], draws=counts[1], losses=counts[2]))
    with database.writing() as session:
        row = TournamentRow(game=tournament.game, played_at=datetime.now(UTC), seed=str(tournament.seed), pairings=rows)
        session.add(row)
        session.flush()
        return row.id


def latest_tournaments(database: Database) -> list[Latest]:
    """The latest tournament of every game that had one, by the names of the games.

    Args:
        database: An open database.
    """
    newest = select(func.max(TournamentRow.id)).group_by(TournamentRow.game)
    query = select(TournamentRow).where(TournamentRow.id.in_(newest)).order_by(TournamentRow.game)
    with database.reading() as session:
        return [Latest(row.id, row.game, row.played_at, int(row.seed)) for row in session.scalars(query)]


def leaders(database: Database, game: str) -> list[Standing]:
    """The players of the latest tournament of a game, best first; none if there was none.

    Args:
        database: An open database.
        game: The name of the game.
    """
    if not storable(game):
        return []
    newest = select(func.max(TournamentRow.id)).where(TournamentRow.game == game).scalar_subquery()
    query = select(PairingRow).where(PairingRow.tournament_id == newest).order_by(PairingRow.id)
    with database.reading() as session:
        rows = [Pairing(row.first, row.second, row.wins, row.draws, row.losses) for row in session.scalars(query)]
    return standings(rows)
