"""What an agent sees: the board as planes of numbers, always from its own side.

PettingZoo's board games show a board as an array of rows, columns and planes. So do we: plane 0 holds the
agent's own stones, plane 1 the other's. Where stones move, a third and a fourth plane hold at every place how many
stones the agent and the other still have in hand. A cube has its levels first.

    tictactoe                (3, 3, 2)          rows, columns, planes
    achi                     (3, 3, 4)          the same with hands
    nine-mens-morris         (7, 7, 4)          places that are no points hold no stones
    qubic                    (4, 4, 4, 2)       levels, rows, columns, planes

The numbers are of type int8. An observation is a function of the position and of the side that looks; a draw by
repetition depends on the past, which it does not show. A call of NumPy takes longer than what it does to a board, so
what was seen lately is remembered, and given out as a copy.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game, Layout, Position

__all__ = ["Sight", "bits", "observe", "sight"]


MOST_KEPT = 1 << 14
"""Views that are remembered: all of tic-tac-toe's, from both sides. On the largest board they take 12 MB."""


class Sight(NamedTuple):
    """The form of the observations of one game."""

    shape: tuple[int, ...]
    """Levels where there are several, rows, columns, planes."""
    highest: NDArray[np.int8]
    """The greatest number that can stand on each plane, an array of this shape; the least is 0."""
    places: NDArray[np.intp]
    """For every point its place on a plane that is laid out flat."""


@lru_cache(maxsize=64)
def sight(game: Game) -> Sight:
    """The form of the observations of a game.

    Args:
        game: A game of the catalogue.

    Returns:
        Their shape, the greatest number on each plane, and where the points are.
    """
    shape = _plane(game.layout)
    spots = [place if len(shape) == 3 else place[1:] for place in game.layout.places]
    places = np.ravel_multi_index(tuple(np.array(spots).T), shape)
    greatest = [1, 1] if game.placing_only else [1, 1, *game.rules.stones]
    return Sight((*shape, len(greatest)), np.array(np.broadcast_to(greatest, (*shape, len(greatest))), np.int8), places)


def observe(game: Game, position: Position, side: int) -> NDArray[np.int8]:
    """What a side sees of a position.

    Args:
        game: A game of the catalogue.
        position: A position of it.
        side: Who looks: 0 for X, 1 for O, to move or not.

    Returns:
        A new array of the shape that `sight` tells.
    """
    return _planes(game, position, side).copy()


@lru_cache(maxsize=MOST_KEPT)
def _planes(game: Game, position: Position, side: int) -> NDArray[np.int8]:
    seen, points = sight(game), len(game.layout)
    # Both sides as one set: fewer calls.
    stones = bits(position.stones[side] | position.stones[1 - side] << points, 2 * points).reshape(2, points).T
    if seen.shape[-1] == 2 and 2 * points == seen.highest.size:
        return np.ascontiguousarray(stones).reshape(seen.shape)
    planes = np.zeros((seen.highest.size // seen.shape[-1], seen.shape[-1]), np.int8)
    planes[seen.places, :2] = stones
    if not game.placing_only:
        planes[:, 2:] = position.hand[side], position.hand[1 - side]
    return planes.reshape(seen.shape)


@lru_cache(maxsize=MOST_KEPT)
def bits(points: int, count: int) -> NDArray[np.int8]:
    """A set of points as an array, which is remembered, so not to be written to: 1 for every point in it, else 0.

    Args:
        points: The set, as a bit mask.
        count: Points of the board.
    """
    packed = np.frombuffer(points.to_bytes((count + 7) // 8, "little"), np.uint8)
    return np.unpackbits(packed, count=count, bitorder="little").view(np.int8)


def _plane(layout: Layout) -> tuple[int, ...]:
    """The shape of a plane: rows and columns, on a cube levels before them."""
    levels, rows, columns = (1 + max(place[axis] for place in layout.places) for axis in range(3))
    return (rows, columns) if levels == 1 else (levels, rows, columns)
