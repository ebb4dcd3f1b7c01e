"""Games, matches and tournaments between players, and how sure their results are.

In a match two players play many games and begin in turn; in a tournament every player plays a match with every other.
Every game has fresh players, whose seeds follow from the match's seed and the number of the game; the seed of a pairing
in a tournament follows from the tournament's seed and the two names alone. So a tournament can be repeated exactly, and
so can each of its pairings and games, whoever else takes part.

Players are ranked by their score, a win being a point and a draw half a one. All intervals are Wilson's, of 95 %: they
behave at rates of 0 and 1, which perfect players have. That of a score is worked out as if every game were won or lost;
draws make results vary less, so that it is rather too wide than too narrow. Intervals speak of chance alone: two
players who do nothing at random play the same two games over and over.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from math import ceil, floor, sqrt
from random import Random
from typing import NamedTuple

from noughts.extras import MissingExtraError
from noughts.games import Game, NoughtsError, Outcome
from noughts.games.playing import Playing, Result
from noughts.players import PLAYERS, CannotPlayError, Human, NoMoveFoundError, Player, player

__all__ = [
    "LONGEST",
    "Match",
    "Pairing",
    "Standing",
    "Tournament",
    "TournamentError",
    "able_players",
    "match_so_far",
    "play_game",
    "play_match",
    "play_tournament",
    "score_interval",
    "standings",
    "tournament_so_far",
    "wilson",
]

LONGEST = 1_000
"""A game with more plies than this is called a draw."""
Z = 1.959964
"""Standard deviations of a normal distribution that hold 95 per cent of it."""


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """Wilson's score interval: where, 95 % sure, a rate lies that was seen as so many successes in so many trials.

    Args:
        successes: How often it came out so.
        trials: How often it was tried, at least once.

    Returns:
        The lower and the upper end of the interval.
    """
    if trials == 0:
        return 0.0, 1.0
    rate = successes / trials
    middle = (rate + Z * Z / (2 * trials)) / (1 + Z * Z / trials)
    spread = Z / (1 + Z * Z / trials) * sqrt(rate * (1 - rate) / trials + Z * Z / (4 * trials * trials))
    return max(0.0, middle - spread), min(1.0, middle + spread)


def score_interval(wins: int, draws: int, games: int) -> tuple[float, float]:
    """Wilson's interval of a score; an odd half point counts as nothing below and as a whole one above.

    Args:
        wins: Games won.
        draws: Games drawn, half a point each.
        games: Games played, lost ones included.

    Returns:
        The score of which one is 95 % sure that the true one is not below it, and the one that it is not above.
    """
    points = wins + draws / 2
    return wilson(floor(points), games)[0], wilson(ceil(points), games)[1]


@dataclass(frozen=True)
class Match:
    """How the first of two players fared against the second."""

    game: str
    players: tuple[str, str]
    games: int
    wins: int
    draws: int
    losses: int
    seed: int

    @property
    def score(self) -> float:
        """The first player's points a game, a draw being half a point."""
        return (self.wins + self.draws / 2) / self.games

    @property
    def win_rate(self) -> tuple[float, float]:
        """The 95 % confidence interval of the first player's share of wins."""
        return wilson(self.wins, self.games)

    @property
    def loss_rate(self) -> tuple[float, float]:
        """The same for its share of losses."""
        return wilson(self.losses, self.games)


class Pairing(NamedTuple):
    """How the first of two players of a tournament fared against the second."""

    first: str
    second: str
    wins: int
    draws: int
    losses: int


class Standing(NamedTuple):
    """What a player has to show from all games of a tournament."""

    player: str
    games: int
    wins: int
    draws: int
    losses: int

    @property
    def score(self) -> float:
        """Points a game, a draw being half a point; 0 before the first game."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the score."""
        return score_interval(self.wins, self.draws, self.games)


@dataclass(frozen=True)
class Tournament:
    """The pairings of a tournament."""

    game: str
    seed: int
    games: int
    """For each pairing."""
    pairings: Sequence[Pairing]

    @property
    def played(self) -> int:
        """How many games have been played."""
        return sum(wins + draws + losses for _, _, wins, draws, losses in self.pairings)

    def standings(self) -> list[Standing]:
        """The players, best first."""
        return standings(self.pairings)


class TournamentError(NoughtsError):
    """Players who cannot hold a tournament."""


def standings(pairings: Iterable[Pairing]) -> list[Standing]:
    """The players of these pairings, best first: by score, then by wins, then by name.

    Args:
        pairings: What every two players made of their games.
    """
    counts: dict[str, tuple[int, int, int]] = {}
    for first, second, wins, draws, losses in pairings:
        for name, won, lost in ((first, wins, losses), (second, losses, wins)):
            before = counts.get(name, (0, 0, 0))
            counts[name] = (before[0] + won, before[1] + draws, before[2] + lost)
    found = [Standing(name, sum(three), *three) for name, three in counts.items()]
    return sorted(found, key=lambda standing: (-standing.score, -standing.wins, standing.player))


def play_game(game: Game, seats: tuple[Player, Player], longest: int = LONGEST) -> tuple[Playing, Result]:
    """One game between X and O, to its end; a player who finds no move has lost.

    Args:
        game: The game to be played.
        seats: Who plays X and who plays O; fresh players, which have played no other game.
        longest: Plies after which a game counts as drawn.
    """
    playing = Playing.begin(game)
    while playing.result is None:
        if len(playing.moves) == longest:
            return playing, Result(None, f"no end after {longest} moves")
        side = playing.position.turn
        try:
            playing = playing.then(seats[side].reply(playing).move)
        except NoMoveFoundError as error:
            return playing, Result(1 - side, str(error))
    return playing, playing.result


def play_match(game: Game, names: tuple[str, str], games: int, seed: int) -> Match:
    """So many games, at least one; the first player begins the first, the third and so on.

    Args:
        game: The game to be played.
        names: The two players, as the catalogue names them.
        games: How many games.
        seed: Decides everything random, so that the same seed gives the same match.
    """
    return deque(match_so_far(game, names, games, seed), maxlen=1)[0]


def match_so_far(game: Game, names: tuple[str, str], games: int, seed: int) -> Iterator[Match]:
    """A match after each of its games: whoever is interrupted has the last of them.

    Args:
        game: The game to be played.
        names: The two players, as the catalogue names them.
        games: How many games.
        seed: Decides everything random.
    """
    for name in names:
        player(name).check(game)
    count = {Outcome.WIN: 0, Outcome.DRAW: 0, Outcome.LOSS: 0}
    for number in range(games):
        seats = [player(name, Random(f"{seed} {number} {who}").getrandbits(64)) for who, name in enumerate(names)]
        side = number % 2
        _, result = play_game(game, (seats[side], seats[1 - side]))
        count[result.outcome(side)] += 1
        yield Match(game.name, names, number + 1, count[Outcome.WIN], count[Outcome.DRAW], count[Outcome.LOSS], seed)


def able_players(game: Game) -> list[str]:
    """The players that move by themselves and can play this game.

    Args:
        game: The game to be played.
    """
    found = []
    for name in PLAYERS:
        with suppress(CannotPlayError, MissingExtraError):
            if name != Human.name:
                player(name).check(game)
                found.append(name)
    return found


def play_tournament(game: Game, names: Sequence[str], games: int, seed: int) -> Tournament:
    """Let every two of these players play so many games, at least one.

    Args:
        game: The game to be played.
        names: The players, as the catalogue names them.
        games: How many games every two of them play.
        seed: Decides everything random, so that the same seed gives the same tournament.

    Raises:
        TournamentError: if there are fewer than two different players, or one cannot play the game.
    """
    return deque(tournament_so_far(game, names, games, seed), maxlen=1)[0]


def tournament_so_far(game: Game, names: Sequence[str], games: int, seed: int) -> Iterator[Tournament]:
    """A tournament after each of its games, as a match has them.

    Args:
        game: The game to be played.
        names: The players, as the catalogue names them.
        games: How many games every two of them play.
        seed: Decides everything random.
    """
    _check(game, names)
    over: list[Pairing] = []
    for first, second in combinations(names, 2):
        own_seed = Random(f"{seed} {first} {second}").getrandbits(63)
        for match in match_so_far(game, (first, second), games, own_seed):
            pairing = Pairing(first, second, match.wins, match.draws, match.losses)
            yield Tournament(game.name, seed, games, [*over, pairing])
        over.append(pairing)


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
