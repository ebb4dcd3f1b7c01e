"""A number for every move of a game: what learning libraries call an action.

Those libraries choose among the numbers 0, 1, 2, …, as many at every turn, and are told by a **mask** which of them are
legal now. So every move that some position of the game allows needs one number that never changes. It follows from
the layout and the rules alone:

1. placing a stone: the number is the point, in the order of the notation (the whole list where stones never move);
2. moving a stone from one point to another: where the stones jump or may come to fly every pair of points, else the
   neighbours; first by the point it leaves, then by the point it goes to;
3. placing with a capture, then moving with a capture, in the same order, then by the stone captured. Only what can
   happen is numbered: some line through the point played to contains neither the point left nor the captured stone;
4. passing, where the rules know that: the last number.

A capture is part of the move and not a second action: one turn is one step of an environment, as it is one move
of the notation. The price is a long list for the morris games (nine men's: 13,080), of which a mask leaves a few.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import index
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from noughts.games import PASS, Game, Layout, Move, NoughtsError, Position
from noughts.games.points import members
from noughts.games.rules import Blocked, Movement, Rules
from noughts.rl.observation import bits

__all__ = ["Actions", "UnknownActionError", "actions"]


class UnknownActionError(NoughtsError):
    """A number that no move of the game has, or a move without a number."""


@dataclass(frozen=True)
class Actions:
    """The moves of one game, numbered."""

    game: Game
    moves: tuple[Move, ...]
    """The move of every number."""

    def __len__(self) -> int:
        return len(self.moves)

    def __reduce__(self) -> tuple[object, ...]:
        """Copied and pickled as the game alone: a tree search copies environments, and the moves follow from it."""
        return actions, (self.game,)

    @cached_property
    def numbers(self) -> dict[Move, int]:
        """The number of every move."""
        return {move: number for number, move in enumerate(self.moves)}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every move in notation, in the order of the numbers."""
        return tuple(map(self.game.write_move, self.moves))

    def move(self, action: SupportsIndex) -> Move:
        """The move with this number.

        Args:
            action: The number; NumPy's integers will do.

        Returns:
            The move, which need not be legal in any given position.

        Raises:
            UnknownActionError: If no move of the game has the number.
        """
        try:
            number = index(action)
        except TypeError:
            number = -1
        if not 0 <= number < len(self.moves):
            raise UnknownActionError(
                f"{action!r} is no action of {self.game.name}: expected a number from 0 to {len(self.moves) - 1}"
            )
        return self.moves[number]

    def number(self, move: Move) -> int:
        """The number of a move.

        Args:
            move: A move that some position of the game allows.

        Returns:
            Its number.

        Raises:
            UnknownActionError: If no position of the game allows the move.
        """
        number = self.numbers.get(move)
        if number is None:
            raise UnknownActionError(
                f"{self.game.write_move(move)!r} is no move of {self.game.name}: expected one that its rules can allow"
            )
        return number

    def legal(self, position: Position) -> list[int]:
        """The numbers of the legal moves, in the order of the rules; none when the game is over.

        Args:
            position: A position of the game.
        """
        numbers = self.numbers
        return [numbers[move] for move in self.game.moves(position)]

    def mask(self, position: Position, *, over: bool | None = None) -> NDArray[np.int8]:
        """Which moves are legal.

        Args:
            position: A position of the game.
            over: Whether the game has ended there, from somebody who has asked already: on a large board, looking for
                rows takes longer than all the rest.

        Returns:
            A new array with one entry for every number: 1 if that move is legal, else 0.
        """
        if self.game.over(position) is not None if over is None else over:
            return np.zeros(len(self.moves), np.int8)
        if self.game.placing_only:
            return bits(self.game.layout.everywhere & ~position.occupied, len(self.moves)).copy()
        mask = np.zeros(len(self.moves), np.int8)
        mask[self.legal(position)] = 1
        return mask


@lru_cache(maxsize=64)
def actions(game: Game) -> Actions:
    """The numbered moves of a game; the same object every time for as long as the game is in use.

    Args:
        game: A game of the catalogue.

    Returns:
        The numbering, which depends on nothing but the game.
    """
    return Actions(game, tuple(_numbered(game.layout, game.rules)))


def _numbered(layout: Layout, rules: Rules) -> Iterator[Move]:
    """Every move that some position allows, once, in the order of the numbers."""
    placings = [Move(point) for point in range(len(layout))]
    steps = [] if rules.movement is Movement.NONE else _steps(layout, rules)
    yield from placings
    yield from steps
    if rules.captures:
        for move in (*placings, *steps):
            for capture in members(_captured_by(layout, move)):
                yield move._replace(capture=capture)
    if rules.blocked is Blocked.PASSES:
        yield PASS


def _steps(layout: Layout, rules: Rules) -> list[Move]:
    """Every way for a stone to go from one point to another."""
    anywhere = rules.movement is Movement.JUMP or rules.flying > 0
    return [
        Move(to, source)
        for source in range(len(layout))
        for to in members((layout.everywhere if anywhere else layout.neighbours[source]) & ~(1 << source))
    ]


def _captured_by(layout: Layout, move: Move) -> int:
    """The points on which a stone can stand that this move captures."""
    assert move.to is not None
    left = 0 if move.source is None else 1 << move.source
    found = 0
    for line in layout.lines_through[move.to]:
        if not line & left:
            found |= layout.everywhere & ~line
    return found & ~left
