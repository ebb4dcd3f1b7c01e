"""Games of mills and captures: the morris family."""

from __future__ import annotations

from .base import Oracle, State, opponent
from .boards import Board, Line, Neighbours

Stones = dict[str, str]


class MorrisGame(Oracle):
    """Place the stones, then slide them, with three left fly; each mill takes a stone from the opponent.

    Where it is agreed: nobody flies; with stones in hand one may slide instead of placing, but not fly (Lasker); the
    game is drawn as soon as every point holds a stone.
    """

    def __init__(
        self,
        board: Board,
        stones_each: int,
        mills: list[Line],
        neighbours: Neighbours,
        flying: bool = True,
        lasker: bool = False,
        full_board_draws: bool = False,
    ) -> None:
        """`mills` are the lines of three points that count, `neighbours` the points one slide away."""
        super().__init__(board, stones_each)
        self.mills = mills
        self.neighbours = neighbours
        self.flying = flying
        self.lasker = lasker
        self.full_board_draws = full_board_draws

    def over(self, state: State) -> str | None:
        """Fewer than three stones on board and in hand lose, and so does having no move and none in hand."""
        if state.cells.count(state.turn.upper()) + self.in_hand(state) < 3:
            return "loss"
        if self.full_board_draws and "." not in state.cells:
            return "draw"
        if self.in_hand(state) == 0 and not self._displacements(state):
            return "loss"
        return None

    def moves(self, state: State) -> list[str]:
        """Place while there is a stone in hand, then move; after either a mill demands a capture."""
        if self.over(state):
            return []
        steps = []
        if self.in_hand(state) > 0:
            steps += [("", target) for target in self.empty_points(state)]
        if self.in_hand(state) == 0 or self.lasker:
            steps += self._displacements(state)
        return [move for origin, target in steps for move in self._with_captures(state, origin, target)]

    def _displacements(self, state: State) -> list[tuple[str, str]]:
        """Each own stone to each empty neighbour; with three left and none in hand, to each empty point."""
        stones = self.stones(state)
        own = [name for name in self.names if stones[name] == state.turn.upper()]
        flying = self.flying and len(own) == 3 and self.in_hand(state) == 0
        return [
            (origin, target)
            for origin in own
            for target in self.names
            if stones[target] == "." and (flying or target in self.neighbours[origin])
        ]

    def _with_captures(self, state: State, origin: str, target: str) -> list[str]:
        """The moves one step gives: just itself, or with a mill one move for each stone it may capture."""
        move = f"{origin}-{target}" if origin else target
        stones = self.stones(self.play(state, move))
        if not self._in_mill(stones, target):
            return [move]
        captures = self._capturable(stones, opponent(state.turn).upper())
        return [f"{move}x{captured}" for captured in captures] or [move]

    def _capturable(self, stones: Stones, victim: str) -> list[str]:
        """The stones that stand in no mill, or all of them if each stands in a mill."""
        everyone = [name for name in self.names if stones[name] == victim]
        loose = [name for name in everyone if not self._in_mill(stones, name)]
        return loose or everyone

    def _in_mill(self, stones: Stones, point: str) -> bool:
        """Whether the stone on this point is one of three equal stones that fill a mill line."""
        return any(point in mill and all(stones[other] == stones[point] for other in mill) for mill in self.mills)
