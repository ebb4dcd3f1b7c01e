"""A tournament: every player meets every other at one game, so many times, and they begin in turn.

The seed of a pairing follows from the tournament's seed and the two names alone. So a tournament can be repeated
exactly, and each of its pairings too, whoever else takes part.

Players are ranked by their score, a win being a point and a draw half a one. The interval given with it is Wilson's, as
if every game were won or lost; draws make results vary less, so that the interval is rather too wide than too narrow.
It speaks of chance alone: two players who do nothing at random play the same two games over and over.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, floor
from random import Random
from typing import NamedTuple

from noughts.arena.confidence import wilson
from noughts.arena.match import play_match
from noughts.games import Game, NoughtsError
from noughts.players import PLAYERS, CannotPlayError, Human, player
from noughts.solve import Progress

__all__ = [
    "Pairing",
    "Standing",
    "Tournament",
    "TournamentError",
    "able_players",
    "play_tournament",
    "score_interval",
]


class TournamentError(NoughtsError):
    """Players who cannot hold a tournament."""


class Pairing(NamedTuple):
    """How the first of two players fared against the second."""

    first: str
    second: str
    wins: int
    draws: int
    losses: int


class Standing(NamedTuple):
    """What a player has to show in the end."""

    player: str
    games: int
    wins: int
    draws: int
    losses: int

    @property
    def score(self) -> float:
        """Points a game, a draw being half a point."""
        return (self.wins + self.draws / 2) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the score."""
        return score_interval(self.wins, self.draws, self.games)


@dataclass(frozen=True)
class Tournament:
    """The pairings of a tournament that is over."""

    game: str
    seed: int
    games: int
    """For each pairing."""
    pairings: list[Pairing]

    def standings(self) -> list[Standing]:
        """The players, best first."""
        counts: dict[str, tuple[int, int, int]] = {}
        for first, second, wins, draws, losses in self.pairings:
            for name, won, lost in ((first, wins, losses), (second, losses, wins)):
                before = counts.get(name, (0, 0, 0))
                counts[name] = (before[0] + won, before[1] + draws, before[2] + lost)
        standings = [Standing(name, sum(three), *three) for name, three in counts.items()]
        return sorted(standings, key=lambda standing: (-standing.score, -standing.wins, standing.player))


def score_interval(wins: int, draws: int, games: int) -> tuple[float, float]:
    """Wilson's interval of a score; an odd half point counts as nothing below and as a whole one above."""
    points = wins + draws / 2
    return wilson(floor(points), games)[0], wilson(ceil(points), games)[1]


def able_players(game: Game) -> list[str]:
    """The players that move by themselves and can play this game."""
    return [name for name in PLAYERS if name != Human.name and not _unable(game, name)]


def play_tournament(
    game: Game, names: Sequence[str], games: int, seed: int, progress: Progress | None = None
) -> Tournament:
    """Let every two of these players play so many games; progress counts all games."""
    _check(game, names)
    pairs = list(combinations(names, 2))
    pairings: list[Pairing] = []

    def report(done: int, _total: int) -> None:
        if progress:
            progress(len(pairings) * games + done, len(pairs) * games)

    for first, second in pairs:
        own_seed = Random(f"{seed} {first} {second}").getrandbits(63)
        match = play_match(game, (first, second), games, own_seed, report)
        pairings.append(Pairing(first, second, match.wins, match.draws, match.losses))
    return Tournament(game.name, seed, games, pairings)


def _check(game: Game, names: Sequence[str]) -> None:
    """Raise an error unless these are different players who all know the game."""
    unable = [name for name in names if _unable(game, name)]
    if unable:
        raise TournamentError(
            f"{', '.join(unable)} cannot play {game.name!r}: expected players among {', '.join(able_players(game))}"
        )
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise TournamentError(f"{twice[0]!r} is named more than once: expected different players")
    if len(names) < 2:
        raise TournamentError(f"{', '.join(names) or 'nobody'} cannot play alone: expected two players or more")


def _unable(game: Game, name: str) -> bool:
    try:
        player(name).check(game)
    except CannotPlayError:
        return True
    return False
