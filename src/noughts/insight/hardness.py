"""How hard a position is for whoever is to move: how many of the moves keep what it is worth.

Where several moves are worth the same, the one that leaves the opponent the fewest moves that hold is the hardest for
him: Knuth's first digit of difficulty, counted by value alone. So it says something of every game of which the values
are known without a search, also of those without end. Whoever has lost cannot err any more: there it says nothing.

A row that can be filled, and one that the other is about to fill, are plain to see, so answering them is not hard at
all, however few moves do: with Knuth, too, such moves count as no difficulty.
"""

from fractions import Fraction
from typing import NamedTuple

from noughts.games import Game, Outcome, Position
from noughts.insight.deeds import name_of_side
from noughts.solve import knowledge
from noughts.solve.at_once import row_points

__all__ = ["Hardness", "hardness"]


class Hardness(NamedTuple):
    """How many of the moves keep the value, and how many moves there are."""

    holding: int
    moves: int
    outcome: Outcome
    """The value that they keep: win or draw."""
    plain: bool = False
    """Whether a row is about to be filled, by either side."""

    @property
    def share(self) -> Fraction:
        """The smaller, the harder."""
        return Fraction(1) if self.plain else Fraction(self.holding, self.moves)

    def words(self, side: int) -> str:
        """As `only 1 of O's 8 moves holds the draw`, where O is to move.

        Args:
            side: The side to move, 0 for X, 1 for O.
        """
        one = self.holding == 1
        keep = {Outcome.WIN: "wins" if one else "win", Outcome.DRAW: f"{'holds' if one else 'hold'} the draw"}
        if self.moves == 1:
            return f"{name_of_side(side)} has one move only"
        if self.holding == self.moves:
            return f"any move of {name_of_side(side)}'s {'wins' if self.outcome is Outcome.WIN else 'holds the draw'}"
        few = "only " if 2 * self.holding < self.moves else ""
        return f"{few}{self.holding} of {name_of_side(side)}'s {self.moves} moves {keep[self.outcome]}"


def hardness(game: Game, position: Position) -> Hardness | None:
    """How hard a position is for the player to move; None if it is over, lost, or not all known at sight.

    Args:
        game: The game that is played.
        position: A legal position.
    """
    if game.over(position) is not None:
        return None
    known = knowledge(game).at_sight(position)
    if known is None or known.value.outcome not in (Outcome.WIN, Outcome.DRAW):
        return None
    outcome = known.value.outcome
    holding = sum(one.value.outcome is outcome for one in known.moves)
    plain = any(row_points(game, position, side) for side in (0, 1))
    return Hardness(holding, len(known.moves), outcome, plain)
