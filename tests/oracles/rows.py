"""Games won by a row of own stones: those of placing only, and those of placing and then moving."""

from __future__ import annotations

from .base import Oracle, State, opponent
from .boards import Board, Line, Neighbours, contains_row


class PlacingGame(Oracle):
    """Place stones in turn until there is a row, or the board is full."""

    def __init__(self, board: Board, lines: list[Line], length: int) -> None:
        """`length` or more own stones in a row on one of the lines win."""
        super().__init__(board, stones_each=0)
        self.lines = [[self.places[point] for point in line] for line in lines]
        self.length = length

    def over(self, state: State) -> str | None:
        """A row of the player who just moved: the side to move has lost. Full without a row: draw."""
        if contains_row(state.cells, self.lines, opponent(state.turn).upper(), self.length):
            return "loss"
        return None if "." in state.cells else "draw"

    def moves(self, state: State) -> list[str]:
        """A stone may be placed on any empty cell."""
        return [] if self.over(state) else self.empty_points(state)


class MovingGame(Oracle):
    """Place a few stones each in turn, then move them; three in a row win."""

    def __init__(
        self,
        board: Board,
        stones_each: int,
        lines: list[Line],
        reach: Neighbours,
        row_while_placing: bool = True,
        blocked: str = "loses",
    ) -> None:
        """`reach` says where a stone on each point may be moved to, if that point is empty."""
        super().__init__(board, stones_each)
        self.lines = [[self.places[point] for point in line] for line in lines]
        self.reach = reach
        self.row_while_placing = row_while_placing
        self.blocked = blocked

    def over(self, state: State) -> str | None:
        """A player who has a row at the end of his turn wins, if rows count yet.

        Otherwise a player who has no stone in hand and cannot move any on the board has lost, or it is a
        draw, or the game goes on with a pass.
        """
        return self._end(state, self._steps(state))

    def moves(self, state: State) -> list[str]:
        """Place while there is a stone in hand; then move one of one's stones; pass if that cannot be."""
        steps = self._steps(state)
        if self._end(state, steps):
            return []
        return steps if self.in_hand(state) > 0 else steps or ["pass"]

    def _end(self, state: State, steps: list[str]) -> str | None:
        rows_count = self.row_while_placing or state.hands == (0, 0)
        if rows_count and contains_row(state.cells, self.lines, opponent(state.turn).upper(), 3):
            return "loss"
        if self.in_hand(state) == 0 and not steps:
            return {"loses": "loss", "draws": "draw", "passes": None}[self.blocked]
        return None

    def _steps(self, state: State) -> list[str]:
        """What the side to move can do with a stone, rows apart."""
        return self.empty_points(state) if self.in_hand(state) > 0 else self._displacements(state)

    def _displacements(self, state: State) -> list[str]:
        """Each own stone to each empty point it can reach."""
        stones = self.stones(state)
        own = [name for name in self.names if stones[name] == state.turn.upper()]
        return [f"{origin}-{target}" for origin in own for target in self.reach[origin] if stones[target] == "."]
