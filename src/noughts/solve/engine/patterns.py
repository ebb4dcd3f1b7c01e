"""What a morris position looks like it is worth: an evaluation that was learned from the whole table.

The board is looked at through **patterns**, groups of points that belong together on a board of nested squares:

- every square, with its eight points;
- every side, with the parallel sides of all squares and so the mill between them;
- every corner, with the corners of all squares and the points beside them.

Each point of a pattern is empty, the mover's or the opponent's, so a pattern of eight points has 3**8 states. Every
state has a weight, and a position is worth the sum of the weights that it shows; this is called an **n-tuple network**.
A mill, an open one, a double mill and a blocked stone are each seen by some pattern, with what stands around it.
Symmetric states share a weight. The weights are different in every **phase**: after so many plies of placing; then,
when all stones are placed, by who flies. Once more in every phase, a weight for the numbers of stones on the board.

The weights were fitted (logistic regression: the logarithm of the odds that a position is won, a draw counting half) to
exact values of millions of positions, by `docs/make_morris_patterns.py`; a unit is 1/200 of it. They are kept by
classes of symmetric states in a file of NumPy's (`.npz`), which has a checksum of every array.

The states that a position shows are kept up to date by `noughts.solve.engine.state`, a stone at a time.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game, Layout, NoughtsError

__all__ = ["NO_WEIGHTS", "UNIT", "Pattern", "Patterns", "classes", "patterns_of", "phases", "shapes"]

UNIT = 200
"""What the logarithm of the odds of winning is multiplied by."""

NO_WEIGHTS = np.zeros(1, np.int16)

Weights = NDArray[np.int16]


class Pattern(NamedTuple):
    """Points that are looked at together."""

    kind: str
    """Patterns of one kind are symmetric to one another, and share their weights."""
    points: tuple[int, ...]


class Patterns(NamedTuple):
    """The patterns of a board, and what their states are worth in every phase of a game."""

    patterns: list[Pattern]
    starts: list[int]
    """For each pattern, where the weights of its kind begin within a phase."""
    stride: int
    """Weights of a phase."""
    weights: Weights
    """Those of the patterns, phase after phase, and then those of the numbers of stones."""


def phases(game: Game) -> int:
    """How many phases a game has: one a ply of placing; then four, by whether the mover flies, and the other."""
    return sum(game.rules.stones) + 4


def shapes(layout: Layout) -> list[Pattern]:
    """The patterns of a board of nested squares, the innermost square first."""
    last = max(place.row for place in layout.places)
    # Twice the distances from the centre, down and to the right.
    spots = {(2 * place.row - last, 2 * place.column - last): point for point, place in enumerate(layout.places)}
    sizes = sorted({max(abs(down), abs(right)) for down, right in spots})
    found = []
    for size in sizes:
        ring = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]
        kind = "end square" if size in (sizes[0], sizes[-1]) else "middle square"
        found.append(Pattern(kind, tuple(spots[size * down, size * right] for down, right in ring)))
    turns = [(1, 0, 0, 1), (0, 1, -1, 0), (-1, 0, 0, -1), (0, -1, 1, 0)]
    groups = {"side": [(-1, -1), (-1, 0), (-1, 1)], "corner": [(-1, 0), (-1, 1), (0, 1)]}
    for kind, group in groups.items():
        for a, b, c, d in turns:
            turned = [(a * down + b * right, c * down + d * right) for down, right in group]
            points = tuple(spots[size * down, size * right] for size in sizes for down, right in turned)
            found.append(Pattern(kind, points))
    return found


@cache
def classes(kind: str, length: int) -> NDArray[np.int64]:
    """For each state of a pattern of this kind, the number of its class of symmetric states.

    A square can be rotated by quarters and reflected; a side or a corner can be reflected, and turned inside out.
    """
    if "square" in kind:
        images = [[(way * point + turn) % 8 for point in range(8)] for way in (1, -1) for turn in (0, 2, 4, 6)]
    else:
        rows = [range(first, first + 3) for first in range(0, length, 3)]
        images = [
            [point for row in rows[::inside] for point in row[::across]] for inside in (1, -1) for across in (1, -1)
        ]
    states = np.arange(3**length)
    digits = [states // 3**place % 3 for place in range(length)]
    least = np.min([sum(digits[point] * 3**place for place, point in enumerate(image)) for image in images], axis=0)
    numbers: NDArray[np.int64] = np.unique(least, return_inverse=True)[1]
    return numbers


@cache
def patterns_of(game: Game) -> Patterns | None:
    """The patterns of a game with the weights that come with Noughts; None if there are none."""
    path = Path(__file__).with_name(f"{game.name}.npz")
    if not path.exists():
        return None
    try:
        with np.load(path, allow_pickle=False) as file:
            return _assembled(game, shapes(game.layout), file)
    except (OSError, ValueError, KeyError, IndexError, EOFError, BadZipFile) as error:
        raise NoughtsError(f"{str(path)!r} is damaged: expected the weights of {game.name}, as installed") from error


def _assembled(game: Game, found: Sequence[Pattern], file: Any) -> Patterns:
    """Patterns with the weights of a file, where they stand by classes."""
    kinds = {pattern.kind: len(pattern.points) for pattern in found}
    blocks, starts, stride = [], {}, 0
    for kind, length in kinds.items():
        starts[kind] = stride
        stride += 3**length
        blocks.append(file[kind][: phases(game), classes(kind, length)])
    weights = np.concatenate([np.concatenate(blocks, axis=1).ravel(), file["stones"].ravel()])
    most = max(game.rules.stones) + 1
    if weights.dtype != np.int16 or len(weights) != phases(game) * (stride + most * most):
        raise ValueError
    return Patterns(list(found), [starts[pattern.kind] for pattern in found], stride, weights)
