"""A solution: the value of every position of a game, however it was found and wherever it is kept."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from html import escape
from typing import NamedTuple

from noughts.games import Game, Move, Outcome, Position
from noughts.solve.look import Look
from noughts.solve.value import UNKNOWN, Value

__all__ = ["Progress", "Rated", "Solution", "Subspace", "best_first", "tally"]

Progress = Callable[[int, int], None]
"""Called with how much is done and how much there is."""


class Rated(NamedTuple):
    """A move, what it is worth to the player who makes it, and where it leads."""

    move: Move
    value: Value
    position: Position
    estimate: int | None = None
    """What a search makes of it, the greater the better, where one was asked."""
    at_most: int | None = None
    """How many plies the win or the loss takes at most, where that was proved but not the remoteness."""
    look: Look | None = None
    """How it looks beside the best, where nothing is proved of it."""

    @property
    def words(self) -> str:
        """What is known of it: `win in 5`, `win in at most 9`, or, if nothing is proved, `looks weaker`."""
        if self.value == UNKNOWN and self.look is not None:
            return f"looks {self.look}"
        return self.value.within(self.at_most)

    @property
    def rank(self) -> tuple[int, int, int]:
        """The greater, the better; moves that nobody can tell apart have the same."""
        return (*self.value.preference(), self.estimate or 0)


class Subspace(NamedTuple):
    """The positions with the same stones on the board, and how they come out for the side to move.

    `slots` counts all ways to put the stones down, `positions` those that can occur. Where stones move,
    positions that differ by an exchange of colours count once.
    """

    name: str
    """Stones of the side to move, a dash, stones of the other; after a plus those in hand, if there are any."""
    slots: int
    positions: int
    wins: int
    losses: int
    draws: int
    deepest_win: int | None
    deepest_loss: int | None
    seconds: float


class Solution(ABC):
    """The value of every legal position of one game."""

    game: Game
    subspaces: tuple[Subspace, ...]
    """From the empty board to the last stone."""

    @abstractmethod
    def value(self, position: Position) -> Value:
        """What a legal position is worth to the player to move.

        Args:
            position: A position that can occur in the game.

        Raises:
            IllegalPositionError: If it is a position of another game.
        """

    @abstractmethod
    def positions(self) -> Iterator[Position]:
        """Every position the solution holds, once."""

    def moves(self, position: Position) -> list[Rated]:
        """The legal moves, best first; moves of equal worth stay in the order of the points.

        Args:
            position: A position that can occur in the game.
        """
        rated = []
        for move in self.game.moves(position):
            after = self.game.after(position, move)
            rated.append(Rated(move, self.value(after).before(), after))
        return best_first(rated)

    def __repr__(self) -> str:
        counts = [
            sum(getattr(one, kind) for one in self.subspaces) for kind in ("positions", "wins", "draws", "losses")
        ]
        positions, wins, draws, losses = (f"{count:,}" for count in counts)
        return f"<Solution of {self.game.name}: {positions} positions, {wins} won, {draws} drawn, {losses} lost>"

    def _repr_html_(self) -> str:
        """The numbers of positions by what they are worth to the side to move, for notebooks."""
        heads = ("stones", "positions", "wins", "draws", "losses", "longest win", "longest loss")
        rows = [
            (one.name, one.positions, one.wins, one.draws, one.losses, one.deepest_win, one.deepest_loss)
            for one in self.subspaces
        ]
        cells = ("".join(f"<td>{'' if cell is None else cell}</td>" for cell in row) for row in rows)
        body = "".join(f"<tr>{row}</tr>" for row in cells)
        head = "".join(f"<th>{name}</th>" for name in heads)
        start = f"{self.game.title}: {self.value(self.game.start())} for the first player"
        return f"<table><caption>{escape(start)}</caption><tr>{head}</tr>{body}</table>"


def best_first(rated: list[Rated]) -> list[Rated]:
    """Moves in order of worth; equals stay in the order they had."""
    return sorted(rated, key=lambda one: one.value.preference(), reverse=True)


def tally(name: str, slots: int, values: Iterable[tuple[Value, int]], seconds: float) -> Subspace:
    """The summary of a subspace from its values and how often each occurs."""
    count = {Outcome.WIN: 0, Outcome.LOSS: 0, Outcome.DRAW: 0}
    deepest: dict[Outcome, int | None] = {Outcome.WIN: None, Outcome.LOSS: None}
    for value, times in values:
        count[value.outcome] += times
        if value.outcome in deepest and value.remoteness is not None and times:
            deepest[value.outcome] = max(deepest[value.outcome] or 0, value.remoteness)
    return Subspace(
        name,
        slots,
        sum(count.values()),
        count[Outcome.WIN],
        count[Outcome.LOSS],
        count[Outcome.DRAW],
        deepest[Outcome.WIN],
        deepest[Outcome.LOSS],
        seconds,
    )
