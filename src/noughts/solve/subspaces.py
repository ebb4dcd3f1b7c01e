"""The subspaces of a game that is solved part by part: what they are called, what their bytes say, who numbers them.

A **subspace** is all positions with so many stones of the side to move and so many of the other. It is solved as a
whole, and a table on disk holds one array of bytes for each (`noughts.solve.store`). Two sorts of games have them: the
morris games, whose stones in hand count as well (`noughts.solve.morris`), and placing games, for which a subspace is a
layer (`noughts.solve.layers`). They differ in the numbering of positions, which their `Form` knows.

This file is plain arithmetic, so that to look whether there is a table loads nothing.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from noughts.games import Game, Outcome, Position
from noughts.games.rules import Blocked, Movement
from noughts.solve.value import DRAWN, Value

__all__ = [
    "DRAW",
    "MILLED",
    "MOST_POINTS",
    "MOST_WEIGHED",
    "Form",
    "Key",
    "form_of",
    "layered",
    "meaning",
    "milled",
    "name_of",
    "weighed",
]

DRAW = 255
"""The byte of a draw."""
MOST_POINTS = 25
"""Points of the largest board of a placing game that is solved in layers."""
MOST_WEIGHED = 28
"""Points of the largest board of which a GPU tells win, draw and loss."""
MILLED = "a morris game on at most 24 points, such as nine-mens-morris"
"""Which games `milled` means, for messages."""
_MOST_MILLED = 24
"""Points of the largest morris board: sets of stones are ranked by two lookups of 12 bits."""

Key = tuple[int, ...]
"""A subspace: the stones of the side to move, and of the other; then those in hand, where a morris game has some."""

_VALUES = [Value(Outcome.WIN if byte % 2 else Outcome.LOSS, byte) for byte in range(DRAW)] + [DRAWN]


def meaning(byte: int) -> Value:
    """What a byte of a table says: a draw, or else plies, odd for a win of the side to move."""
    return _VALUES[byte]


def name_of(key: Key) -> str:
    """A subspace as people write it: 5-4, or 5-4+2-1 if there are two stones of the side to move in hand, and one."""
    return f"{key[0]}-{key[1]}" + (f"+{key[2]}-{key[3]}" if len(key) > 2 else "")


class Form(Protocol):
    """The subspaces of one game."""

    def order(self) -> Sequence[Key]:
        """All of them, in the order in which they are solved."""

    def shape(self, key: Key) -> tuple[int, int]:
        """How many blocks a subspace has, and how many bytes a block."""

    def ways(self, key: Key) -> int:
        """What the summary of a subspace calls `slots`."""

    def ply(self, key: Key) -> int:
        """How many stones have been placed."""

    def key(self, position: Position) -> Key:
        """The subspace of a position."""

    def number(self, position: Position) -> tuple[int, int]:
        """The block of a position that is not over, and its place in it."""

    def command(self, folder: Path, key: Key, /) -> str:
        """The command that makes a subspace."""


def layered(game: Game) -> bool:
    """Whether a game can be solved in layers: stones are only placed, on a board that is not too large."""
    return game.placing_only and len(game.layout) <= MOST_POINTS


def weighed(game: Game) -> bool:
    """Whether a game too large for that can be solved for win, draw and loss alone, on a GPU."""
    return game.placing_only and MOST_POINTS < len(game.layout) <= MOST_WEIGHED


def milled(game: Game) -> bool:
    """Whether a game can be solved as morris games are: mills of three capture, and stones slide.

    Whoever cannot move has lost, and so has whoever has fewer stones than a mill.
    """
    rules, layout = game.rules, game.layout
    return (
        rules.captures
        and rules.movement is Movement.SLIDE
        and rules.blocked is Blocked.LOSES
        and rules.fewest == len(layout.lines[0])
        and rules.flying in (0, rules.fewest)
        and rules.stones[0] == rules.stones[1]
        and len(layout) <= _MOST_MILLED
    )


def form_of(game: Game) -> Form | None:
    """The subspaces of a game; None if it has none."""
    if milled(game):
        from noughts.solve.morris.subspaces import MorrisForm  # noqa: PLC0415  it leans on this file

        return MorrisForm(game)
    if layered(game):
        from noughts.solve.layers.numbering import Layers  # noqa: PLC0415  loads NumPy

        return Layers(game)
    return None
