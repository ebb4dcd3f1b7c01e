"""Never gives away value: quick wins, slow losses, and among equals any, by the seed."""

from noughts.games import Game, Position
from noughts.players.player import CannotPlayError, Choice, Player
from noughts.solve import solvable, solve

__all__ = ["Perfect"]


class Perfect(Player):
    """Reads the solution of the game."""

    name = "perfect"
    about = "knows the value of every position; wins as fast and loses as slowly as possible"

    def check(self, wanted: Game) -> None:
        """Only games small enough to be solved."""
        if not solvable(wanted):
            raise CannotPlayError(
                f"perfect cannot play {wanted.name!r}: it is not solved here; expected a smaller game, "
                "or another player, as strong"
            )

    def choose(self, game: Game, position: Position) -> Choice:
        """One of the best moves."""
        moves = solve(game).moves(position)
        best = [rated.move for rated in moves if rated.value.preference() == moves[0].value.preference()]
        return Choice(self.random.choice(best))
