"""The rules of a row game, as a value, and what they say: the moves, their effect, and when it is over.

One turn is the same in all games of the catalogue. A player with stones in hand places one on an empty
point. A player without moves a stone: not at all, by sliding to a neighbouring point, or by jumping to any
empty point. By Lasker's rule a player with stones in hand may do either. Completing a row then either wins the
game or, in the morris games, captures a stone.

A game that is over is never won by the player to move: a row was made by the other, stones were lost to
the other, and a blocked player loses or draws. So `over` answers `loss`, `draw` or None.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from noughts.games.layout import Layout
from noughts.games.points import members
from noughts.games.position import PASS, Move, Outcome, Position

__all__ = ["Blocked", "Movement", "Rules"]


class Movement(StrEnum):
    """What a stone on the board can do once its owner has none in hand; by Lasker's rule, at once."""

    NONE = "none"
    SLIDE = "slide"
    JUMP = "jump"


class Blocked(StrEnum):
    """What happens to a player who has no move."""

    LOSES = "loses"
    DRAWS = "draws"
    PASSES = "passes"


@dataclass(frozen=True)
class Rules:
    """Everything in which the games of a row differ, their boards apart."""

    stones: tuple[int, int]
    """How many stones X and O begin with in hand."""
    movement: Movement = Movement.NONE
    blocked: Blocked = Blocked.DRAWS
    row_while_placing: bool = True
    """Whether a row counts before all stones are placed."""
    captures: bool = False
    """Whether a row captures a stone (a mill) instead of winning."""
    flying: int = 0
    """With this many stones left, and none in hand, a sliding player jumps."""
    fewest: int = 0
    """A player with fewer stones than this, on the board and in hand, has lost."""
    moving_while_placing: bool = False
    """Lasker's rule: whether a player with stones in hand may move one on the board instead of placing one."""
    full_board_draws: bool = False
    """Whether the game is drawn when every point holds a stone, even where a blocked player loses."""

    def start(self) -> Position:
        """The position before the first move."""
        return Position((0, 0), self.stones, 0)

    def over(self, layout: Layout, position: Position) -> Outcome | None:
        """How the game has ended for the player to move; None while it goes on.

        Args:
            layout: The board.
            position: A position on it.
        """
        turn = position.turn
        if self.captures:
            if position.stones[turn].bit_count() + position.hand[turn] < self.fewest:
                return Outcome.LOSS
        elif self._rows_count(position) and layout.has_row(position.stones[1 - turn]):
            return Outcome.LOSS
        if self.full_board_draws and position.occupied == layout.everywhere:
            return Outcome.DRAW
        if self.blocked is Blocked.PASSES or self._can_move(layout, position):
            return None
        return Outcome.LOSS if self.blocked is Blocked.LOSES else Outcome.DRAW

    def moves(self, layout: Layout, position: Position) -> list[Move]:
        """The legal moves, in the order of the points; none when the game is over.

        Args:
            layout: The board.
            position: A position on it.
        """
        if self.over(layout, position) is not None:
            return []
        plain = self._placings(layout, position) if position.hand[position.turn] else []
        if self.can_step(position, position.turn):
            plain = [*plain, *self._steps(layout, position)]
        if self.captures:
            plain = [full for move in plain for full in self._with_captures(layout, position, move)]
        return plain or [PASS]

    def allow(self, layout: Layout, position: Position, move: Move) -> bool:
        """Whether a move is among the legal ones, found without listing them.

        Args:
            layout: The board.
            position: A position on it.
            move: Any move, legal or not.
        """
        if self.over(layout, position) is not None:
            return False
        if move.to is None:
            return move == PASS and self.moves(layout, position) == [PASS]
        empty = layout.everywhere & ~position.occupied
        if move.source is None:
            free = empty if position.hand[position.turn] else 0
        elif not self.can_step(position, position.turn) or not position.stones[position.turn] >> move.source & 1:
            return False
        else:
            free = self._reach(layout, position, move.source) & empty
        if not free >> move.to & 1:
            return False
        takes = self._capturable(layout, position) if self.captures and self._closes_mill(layout, position, move) else 0
        return bool(takes >> move.capture & 1) if move.capture is not None else not takes

    def after(self, position: Position, move: Move) -> Position:
        """The position after a legal move.

        Args:
            position: A position.
            move: One of its legal moves.
        """
        turn = position.turn
        own, other = position.stones[turn], position.stones[1 - turn]
        in_hand, other_hand = position.hand[turn], position.hand[1 - turn]
        if move.to is not None:
            own |= 1 << move.to
            if move.source is None:
                in_hand -= 1
            else:
                own ^= 1 << move.source
        if move.capture is not None:
            other ^= 1 << move.capture
        if turn == 0:
            return Position((own, other), (in_hand, other_hand), 1)
        return Position((other, own), (other_hand, in_hand), 0)

    def can_step(self, position: Position, side: int) -> bool:
        """Whether a side, were it to move, may move a stone that stands on the board, if that has somewhere to go.

        Args:
            position: A position.
            side: 0 for X, 1 for O.
        """
        return self.movement is not Movement.NONE and (self.moving_while_placing or not position.hand[side])

    def jumps(self, position: Position, side: int) -> bool:
        """Whether the stones of a side may go to any empty point, once they move at all.

        Args:
            position: A position.
            side: 0 for X, 1 for O.
        """
        if self.movement is Movement.JUMP:
            return True
        return not position.hand[side] and position.stones[side].bit_count() <= self.flying

    def turn_of(self, hand: tuple[int, int]) -> int | None:
        """The side to move, if the stones in hand tell it: X begins, and both place in turn.

        They do not tell it once stones have moved. By Lasker's rule they may at any time from the second ply on.

        Args:
            hand: How many stones X and O have in hand.
        """
        x, o = (all_of_them - left for all_of_them, left in zip(self.stones, hand, strict=True))
        if self.movement is not Movement.NONE and (hand == (0, 0) or (self.moving_while_placing and x and o)):
            return None
        return 0 if x == o else 1

    def _rows_count(self, position: Position) -> bool:
        return self.row_while_placing or position.hand == (0, 0)

    def _can_move(self, layout: Layout, position: Position) -> bool:
        empty = layout.everywhere & ~position.occupied
        if position.hand[position.turn]:
            return empty & layout.on_lines != 0
        if self.movement is Movement.NONE:
            return False
        own = position.stones[position.turn]
        if self.jumps(position, position.turn):
            return own != 0 and empty != 0
        for point in members(own):  # noqa: SIM110  any() takes three times as long
            if layout.neighbours[point] & empty:
                return True
        return False

    def _reach(self, layout: Layout, position: Position, source: int) -> int:
        """Where the stone on a point may go, if it is empty there."""
        return layout.everywhere if self.jumps(position, position.turn) else layout.neighbours[source]

    def _placings(self, layout: Layout, position: Position) -> list[Move]:
        return [Move(point) for point in members(layout.everywhere & ~position.occupied)]

    def _steps(self, layout: Layout, position: Position) -> Iterator[Move]:
        empty = layout.everywhere & ~position.occupied
        for source in members(position.stones[position.turn]):
            for to in members(self._reach(layout, position, source) & empty):
                yield Move(to, source)

    def _with_captures(self, layout: Layout, position: Position, move: Move) -> Iterator[Move]:
        """The move itself, or, where it closes a mill, one move for every stone it may capture, if there is any."""
        takes = self._capturable(layout, position) if self._closes_mill(layout, position, move) else 0
        if not takes:
            yield move
        for capture in members(takes):
            yield move._replace(capture=capture)

    def _closes_mill(self, layout: Layout, position: Position, move: Move) -> bool:
        assert move.to is not None
        own = position.stones[position.turn] | 1 << move.to
        if move.source is not None:
            own ^= 1 << move.source
        for line in layout.lines_through[move.to]:  # noqa: SIM110  as above
            if own & line == line:
                return True
        return False

    def _capturable(self, layout: Layout, position: Position) -> int:
        """The other's stones that no mill protects; all of them where every one stands in a mill."""
        other = position.stones[1 - position.turn]
        milled = 0
        for line in layout.line_sets:
            if other & line == line:
                milled |= line
        return other & ~milled or other
