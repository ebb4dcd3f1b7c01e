"""A person, who is asked."""

from collections.abc import Callable

from noughts.games import Game, Move, Position
from noughts.players.player import Choice, Player

__all__ = ["Human"]


class Human(Player):
    """Passes the question on to whoever can ask a person."""

    name = "human"
    about = "you, at the keyboard"

    def __init__(self, ask: Callable[[Game, Position], Move]) -> None:
        super().__init__()
        self._ask = ask

    def choose(self, game: Game, position: Position) -> Choice:
        """Whatever the person answers; the one who asks sees to it that it is legal."""
        return Choice(self._ask(game, position))
