"""Leaders: what the latest tournament of a game says of its players.

A tournament comes from elsewhere; here it is anything with a game, a seed and pairings. What is kept are counts, since
everything else (scores, how sure they are) follows from them.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple, Protocol

from sqlalchemy import func, select

from noughts.records.database import Database, RecordError
from noughts.records.history import check_text, storable
from noughts.records.schema import PairingRow, TournamentRow

__all__ = [
    "Latest",
    "PlayedPairing",
    "PlayedTournament",
    "Standing",
    "latest_tournaments",
    "leaders",
    "save_tournament",
]

LARGEST = 2**31 - 1
"""The largest count a column takes."""


class PlayedPairing(Protocol):
    """How the first of two players fared against the second."""

    @property
    def first(self) -> str: ...
    @property
    def second(self) -> str: ...
    @property
    def wins(self) -> int: ...
    @property
    def draws(self) -> int: ...
    @property
    def losses(self) -> int: ...


class PlayedTournament(Protocol):
    """A tournament that is over."""

    @property
    def game(self) -> str: ...
    @property
    def seed(self) -> int: ...
    @property
    def pairings(self) -> Sequence[PlayedPairing]: ...


class Latest(NamedTuple):
    """The latest tournament of a game."""

    id: int
    game: str
    played_at: datetime
    seed: int


class Standing(NamedTuple):
    """What a player has to show from a tournament."""

    player: str
    games: int
    wins: int
    draws: int
    losses: int

    @property
    def score(self) -> float:
        """Points a game, a draw being half a point."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.0


def save_tournament(database: Database, tournament: PlayedTournament) -> int:
    """Write a tournament, durably, and return its number."""
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
    """The latest tournament of every game that had one, by the names of the games."""
    newest = select(func.max(TournamentRow.id)).group_by(TournamentRow.game)
    query = select(TournamentRow).where(TournamentRow.id.in_(newest)).order_by(TournamentRow.game)
    with database.reading() as session:
        return [Latest(row.id, row.game, row.played_at, int(row.seed)) for row in session.scalars(query)]


def leaders(database: Database, game: str) -> list[Standing]:
    """The players of the latest tournament of a game, best first; none if there was none."""
    if not storable(game):
        return []
    newest = select(func.max(TournamentRow.id)).where(TournamentRow.game == game).scalar_subquery()
    query = select(PairingRow).where(PairingRow.tournament_id == newest).order_by(PairingRow.id)
    counts: dict[str, tuple[int, int, int]] = {}
    with database.reading() as session:
        for row in session.scalars(query):
            for player, wins, losses in ((row.first, row.wins, row.losses), (row.second, row.losses, row.wins)):
                won, drawn, lost = counts.get(player, (0, 0, 0))
                counts[player] = (won + wins, drawn + row.draws, lost + losses)
    standings = [Standing(player, sum(three), *three) for player, three in counts.items()]
    return sorted(standings, key=lambda standing: (-standing.score, -standing.wins, standing.player))
