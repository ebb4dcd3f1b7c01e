"""A game being played: where it began, the moves so far, and whether it has ended.

Besides the rules' own ends there is one that a single position does not show: where stones move, a position
that occurs for the third time is a draw.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from noughts.games.errors import IllegalMoveError, NoughtsError
from noughts.games.game import Game
from noughts.games.position import Move, Outcome, Position

__all__ = ["Playing", "Result"]

REPETITIONS = 3


@dataclass(frozen=True)
class Result:
    """How a game ended: who won, if anybody did, and why."""

    winner: int | None
    """0 for X, 1 for O, None for a draw."""
    reason: str

    def outcome(self, side: int) -> Outcome:
        """What the result is to one of the sides.

        Args:
            side: 0 for X, 1 for O.
        """
        if self.winner is None:
            return Outcome.DRAW
        return Outcome.WIN if self.winner == side else Outcome.LOSS


@dataclass(frozen=True)
class Playing:
    """The moves of one game, in order; a new value for every move."""

    game: Game
    positions: tuple[Position, ...]
    """From the first to the present one."""
    moves: tuple[Move, ...] = ()

    @classmethod
    def begin(cls, game: Game, position: Position | None = None) -> "Playing":
        """A game from its start, or from another position.

        Args:
            game: The game to be played.
            position: Where it begins; the usual start if left out.
        """
        return cls(game, (game.start() if position is None else position,))

    def replay(self, moves: Iterable[str], read: "Callable[[Position, str], Move] | None" = None) -> "Playing":
        """The game with these moves after those it has, each checked.

        Args:
            moves: The moves, as text.
            read: Finds the legal move that a text notes in a position; usually `Game.read_move`.

        Raises:
            NoughtsError: If a move cannot be played; the message says which it was, counted from the first of these.
        """
        playing = self
        for number, text in enumerate(moves, 1):
            if playing.result is not None:
                raise IllegalMoveError(f"move {number}, {text!r}, comes after the end: expected {number - 1} moves")
            try:
                playing = playing.then((read or playing.game.read_move)(playing.position, text))
            except NoughtsError as error:
                raise type(error)(f"move {number}: {error}") from None
        return playing

    @property
    def position(self) -> Position:
        """The present position."""
        return self.positions[-1]

    def then(self, move: Move) -> "Playing":
        """The game with one more, legal, move.

        Args:
            move: A legal move; that it is one is not checked here.
        """
        after = self.game.after(self.position, move)
        return Playing(self.game, (*self.positions, after), (*self.moves, move))

    def back(self, plies: int) -> "Playing":
        """The game as it was so many moves ago, at most back to its beginning.

        Args:
            plies: How many moves, of both sides together, are taken back.
        """
        keep = max(0, len(self.moves) - plies)
        return Playing(self.game, self.positions[: keep + 1], self.moves[:keep])

    @cached_property
    def result(self) -> Result | None:
        """How the game ended; None while it goes on."""
        end = self.game.over(self.position)
        if end is Outcome.LOSS:
            return Result(1 - self.position.turn, self._why_lost())
        if end is Outcome.DRAW:
            full = self.game.rules.full_board_draws and self.position.occupied == self.game.layout.everywhere
            return Result(None, "the board is full" if full else "no move is left")
        if not self.game.placing_only and self.positions.count(self.position) >= REPETITIONS:
            return Result(None, "the position came up for the third time")
        return None

    def _why_lost(self) -> str:
        """What ended the game for the player to move."""
        game, position = self.game, self.position
        if not game.rules.captures and game.layout.has_row(position.stones[1 - position.turn]):
            return "a row"
        if position.stones[position.turn].bit_count() + position.hand[position.turn] < game.rules.fewest:
            return f"fewer than {game.rules.fewest} stones"
        return "a blockade"
