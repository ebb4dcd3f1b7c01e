"""A match: many games between two players, who take turns to begin.

Every game has fresh players whose seeds follow from the match's seed and the number of the game, so a match
can be repeated exactly, and so can each of its games.
"""

from dataclasses import dataclass
from random import Random

from noughts.arena.confidence import wilson
from noughts.games import Game, Outcome
from noughts.games.playing import Playing, Result
from noughts.players import NoMoveFoundError, Player, player
from noughts.solve import Progress

__all__ = ["LONGEST", "Match", "play_game", "play_match"]

LONGEST = 1_000
"""A game with more plies than this is called a draw."""


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


def play_game(game: Game, seats: tuple[Player, Player]) -> tuple[Playing, Result]:
    """One game between X and O, to its end; a player who finds no move has lost."""
    playing = Playing.begin(game)
    while playing.result is None:
        if len(playing.moves) == LONGEST:
            return playing, Result(None, f"no end after {LONGEST} moves")
        side = playing.position.turn
        try:
            playing = playing.then(seats[side].reply(playing).move)
        except NoMoveFoundError as error:
            return playing, Result(1 - side, str(error))
    return playing, playing.result


def play_match(game: Game, names: tuple[str, str], games: int, seed: int, progress: Progress | None = None) -> Match:
    """So many games; the first player begins the first, the third and so on."""
    for name in names:
        player(name).check(game)
    count = {Outcome.WIN: 0, Outcome.DRAW: 0, Outcome.LOSS: 0}
    for number in range(games):
        seats = [player(name, _seed(seed, number, who)) for who, name in enumerate(names)]
        side = number % 2
        _, result = play_game(game, (seats[side], seats[1 - side]))
        count[result.outcome(side)] += 1
        if progress:
            progress(number + 1, games)
    return Match(game.name, names, games, count[Outcome.WIN], count[Outcome.DRAW], count[Outcome.LOSS], seed)


def _seed(seed: int, number: int, who: int) -> int:
    return Random(f"{seed} {number} {who}").getrandbits(64)
