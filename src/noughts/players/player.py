"""What every player is: something with a name that chooses a move in a position.

A **machine** is a player with a history; it may have a notation of its own, which it reads and writes
besides the common one. Whatever a player does at random comes from the seed it was made with.
"""

from abc import ABC, abstractmethod
from random import Random
from typing import ClassVar, NamedTuple

from noughts.games import Game, Move, NoughtsError, Position, game

__all__ = ["CannotPlayError", "Choice", "NoMoveFoundError", "Player"]


class CannotPlayError(NoughtsError):
    """A game this player does not play."""


class NoMoveFoundError(NoughtsError):
    """A position in which the player's own algorithm ends without a move."""


class Choice(NamedTuple):
    """A player's move, and what it cost where the player counts."""

    move: Move
    nodes: int | None = None
    """Positions visited."""
    cycles: int | None = None
    """Clock cycles of a chip."""


class Player(ABC):
    """A player; a fresh one for every game, so that a seed decides the whole game."""

    name: ClassVar[str]
    about: ClassVar[str]
    """One line for people."""
    year: ClassVar[int | None] = None
    """When the machine was made, if it has a history."""
    plays_only: ClassVar[str | None] = None
    """The one game the player was made for, if it plays no other."""

    def __init__(self, seed: int | None = None) -> None:
        self.random = Random(seed)

    def check(self, wanted: Game) -> None:
        """Raise an error if this player does not play this game."""
        if self.plays_only is not None:
            own = game(self.plays_only)
            if (wanted.board, wanted.rules) != (own.board, own.rules):
                raise CannotPlayError(f"{self.name} plays only {own.name}, not {wanted.name!r}")

    @abstractmethod
    def choose(self, game: Game, position: Position) -> Choice:
        """A legal move in a position that is not over."""

    def read_own(self, text: str) -> Move | None:  # noqa: ARG002
        """The move noted in the player's own notation; None if it has none, or this is not it."""
        return None

    def write_own(self, move: Move) -> str | None:  # noqa: ARG002
        """The move in the player's own notation; None if it has none."""
        return None
