"""The player that makes you think: never gives away value, and leaves the opponent the most difficult position.

It plays Knuth's optimal moves (`noughts.solve.difficulty`). So it wins as late as it can, when it can, and draws in the
way that leaves the most ways to go wrong. Where several moves are optimal the seed decides.
"""

from noughts.games import Game, Position
from noughts.players.player import CannotPlayError, Choice, Player
from noughts.solve.difficulty import MOST_CELLS, difficulties

__all__ = ["Knuth"]


class Knuth(Player):
    """Plays by score and difficulty."""

    name = "knuth"
    about = "never gives away value, and leaves you the most difficult position"

    def check(self, wanted: Game) -> None:
        """Only placing games of up to 16 cells."""
        if not wanted.placing_only or len(wanted.layout) > MOST_CELLS:
            raise CannotPlayError(
                f"knuth cannot play {wanted.name!r}: expected a placing game of at most {MOST_CELLS} cells"
            )

    def choose(self, game: Game, position: Position) -> Choice:
        """One of the optimal moves."""
        return Choice(self.random.choice(difficulties(game).optimal_moves(position)))
