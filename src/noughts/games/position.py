"""A position and a move: plain values, the same for every game."""

from enum import StrEnum
from typing import NamedTuple

__all__ = ["PASS", "SIDES", "Move", "Outcome", "Position"]

SIDES = "xo"
"""The letters of the two sides; side 0, X, always begins."""


class Outcome(StrEnum):
    """What a position is worth to the player to move."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    UNKNOWN = "unknown"


class Position(NamedTuple):
    """Who stands where, who has what in hand, and whose turn it is. Sides are 0 for X and 1 for O.

    It does not know its game: `noughts.board(game, position)` shows it.
    """

    stones: tuple[int, int]
    """The points that X and O hold, as sets (`noughts.games.points`)."""
    hand: tuple[int, int]
    """How many stones X and O have yet to place."""
    turn: int
    """The side to move."""

    @property
    def occupied(self) -> int:
        """The points that hold a stone."""
        return self.stones[0] | self.stones[1]

    def swapped(self) -> "Position":
        """The same position with the colours exchanged."""
        return Position(self.stones[::-1], self.hand[::-1], 1 - self.turn)


class Move(NamedTuple):
    """A stone put on `to`, taken from `source` unless it came from the hand, and the stone it captures."""

    to: int | None
    source: int | None = None
    capture: int | None = None


PASS = Move(None)
"""The move of a player who has none, in games where such a player passes."""
