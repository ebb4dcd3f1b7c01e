"""What a position is worth: win, draw or loss for the player to move, and how many plies until then.

The number of plies under best play is the **remoteness**: the winner hurries, the loser delays. A draw has
one only where games must end (the plies to the full board); where stones move, a draw is play without end.
"""

from typing import NamedTuple

from noughts.games import Outcome

__all__ = ["DRAWN", "UNKNOWN", "Value"]

_FLIPPED = {
    Outcome.WIN: Outcome.LOSS,
    Outcome.LOSS: Outcome.WIN,
    Outcome.DRAW: Outcome.DRAW,
    Outcome.UNKNOWN: Outcome.UNKNOWN,
}


LONG = 1_000_000
"""More plies than any game has."""


class Value(NamedTuple):
    """An outcome for the player to move, and its remoteness in plies where it has one."""

    outcome: Outcome
    remoteness: int | None = None

    def before(self) -> "Value":
        """What the move into this position is worth to the player who makes it."""
        plies = None if self.remoteness is None else self.remoteness + 1
        return Value(_FLIPPED[self.outcome], plies)

    def preference(self) -> tuple[int, int]:
        """The greater, the better for the player to move: quick wins, draws, the unknown, slow losses.

        A win or a loss of unknown length is taken for a long one.
        """
        plies = LONG if self.remoteness is None else self.remoteness
        match self.outcome:
            case Outcome.WIN:
                return (2, -plies)
            case Outcome.DRAW:
                return (1, 0)
            case Outcome.UNKNOWN:
                return (0, 0)
        return (-1, plies)

    def within(self, at_most: int | None) -> str:
        """The value in words, where a win or loss of unknown remoteness is known to take at most so many plies.

        Args:
            at_most: How many plies; None if that is not known either.
        """
        return str(self) if self.remoteness is not None or at_most is None else f"{self} in at most {at_most}"

    def __str__(self) -> str:
        if self.remoteness is None:
            return str(self.outcome)
        return f"{self.outcome} in {self.remoteness}"

    def __repr__(self) -> str:
        return f"<Value: {self}>"


DRAWN = Value(Outcome.DRAW)
UNKNOWN = Value(Outcome.UNKNOWN)
