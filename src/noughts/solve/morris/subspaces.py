"""The subspaces of a morris game: what they are called, in which order they are solved, how large they are.

A subspace (m, o) is all positions with empty hands, m stones of the side to move and o of the other. This file is plain
arithmetic, so that whoever only reads a table loads neither NumPy nor the solver.

A byte of a table: DRAW, or else the plies to the winner's next capture or to the end, odd for a win of the side to
move. What both sorts of tables have in common stands in `noughts.solve.subspaces`.
"""

from functools import cache
from math import comb
from pathlib import Path

from noughts.games import Game, Layout
from noughts.games.symmetry import symmetries
from noughts.solve.subspaces import DRAW, Key, meaning, name_of

__all__ = [
    "DRAW",
    "ENDINGS",
    "FEWEST",
    "Key",
    "MorrisForm",
    "below",
    "keys_of",
    "keys_upto",
    "meaning",
    "name_of",
    "order",
    "shape_of",
    "slots_of",
]

FEWEST = 3
"""Stones with which a side plays on, and flies."""
ENDINGS = 5
"""Most stones a side in the endings that come with Noughts."""


def order(most: int) -> list[Key]:
    """Pairs of numbers of stones, the fewer first, in an order in which every capture leads to an earlier pair."""
    pairs = [(few, many) for many in range(FEWEST, most + 1) for few in range(FEWEST, many + 1)]
    return sorted(pairs, key=lambda pair: (sum(pair), pair))


def keys_of(pair: Key) -> list[Key]:
    """The subspaces of a pair: quiet moves lead from one to the other, so they are solved together."""
    return list(dict.fromkeys([pair, pair[::-1]]))


def keys_upto(most: int) -> list[Key]:
    """The subspaces with at most so many stones a side, in the order in which they are solved."""
    return [key for pair in order(most) for key in keys_of(pair)]


def below(key: Key) -> Key | None:
    """The subspace that captures lead to; None if a capture ends the game."""
    mover, other = key
    return (other - 1, mover) if other > FEWEST else None


def shape_of(game: Game, key: Key) -> tuple[int, int]:
    """How many blocks a subspace has, and how many bytes a block."""
    mover, other = key
    return _classes(game.layout, mover), comb(len(game.layout) - mover, other)


def slots_of(game: Game, key: Key) -> int:
    """How many bytes a subspace has."""
    blocks, size = shape_of(game, key)
    return blocks * size


@cache
def _classes(layout: Layout, stones: int) -> int:
    """How many sets of so many stones there are up to symmetry: as many as a symmetry keeps on average.

    This is Burnside's lemma. A symmetry keeps the sets that are made of whole cycles of it. To count them takes no
    time; to list them, a while.
    """
    kept = 0
    for symmetry in symmetries(layout):
        ways = [1] + [0] * stones
        left = set(range(len(layout)))
        while left:
            length, point = 0, min(left)
            while point in left:
                left.remove(point)
                length, point = length + 1, symmetry[point]
            for size in range(stones, length - 1, -1):
                ways[size] += ways[size - length]
        kept += ways[stones]
    return kept // len(symmetries(layout))


class MorrisForm:
    """The subspaces of a morris game, as `noughts.solve.store` asks for them."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def order(self) -> list[Key]:
        return keys_upto(max(self.game.rules.stones))

    def shape(self, key: Key) -> tuple[int, int]:
        return shape_of(self.game, key)

    def ways(self, key: Key) -> int:
        return slots_of(self.game, key)

    def how_to_make(self, folder: Path, key: Key) -> str:
        return f"expected noughts solve {self.game.name} --out {folder} --upto {max(key)} to have been run"
