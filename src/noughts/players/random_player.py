"""Any legal move, all equally likely: the weakest player that follows the rules, and a yardstick."""

from noughts.games import Game, Position
from noughts.players.player import Choice, Player

__all__ = ["RandomPlayer"]


class RandomPlayer(Player):
    """Throws dice."""

    name = "random"
    about = "any legal move, all equally likely"

    def choose(self, game: Game, position: Position) -> Choice:
        """One of the legal moves."""
        return Choice(self.random.choice(game.moves(position)))
