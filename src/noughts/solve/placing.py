"""The placing games, solved layer by layer from the full board down.

**The index.** With k stones on a board of n cells, X has ⌈k/2⌉ of them. A position is the set of occupied
cells, and among those the set that is X's. So every occupied set owns one block of C(k, ⌈k/2⌉) slots, and
inside it the slots follow X's stones as a pattern of k bits, in increasing order. The number of a pattern
in that order does not depend on k (it is the colexicographic rank), so one table serves all blocks. Blocks
are laid out layer by layer. There are no gaps: 6,046 slots for 3×3, 10,165,779 for 4×4.

**One step.** Placing on empty cell e moves to the block of the occupied set with e added, and turns the
pattern c into c with one bit inserted at j, the number of occupied cells below e. Where that lands depends
on k, j and c only: a table of insertions, the same for all occupied sets of a layer, and increasing in c,
so that a whole block reads its successors almost in a line.

**The score.** One signed byte: 0 for a draw, 100 − r for a win in r plies, r − 100 for a loss in r, and
`ILLEGAL` for a slot no game reaches. A position's score is the least score among its successors, negated
and one nearer to zero: so a mover takes the quickest win and the slowest loss with a bare minimum.

This file holds the index, the plain engine, NumPy over many blocks at once, and the solution. Up to 16 cells the plain
engine is done before a compiler has started. For larger boards `noughts.solve.placing_kernel` runs the same steps block
by block, compiled, where Numba is installed; where not, the plain engine takes twice as long.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from math import comb
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.extras import installed
from noughts.games import Game, Outcome, Position
from noughts.solve.small import PLAIN
from noughts.solve.solution import Progress, Solution, Subspace, tally
from noughts.solve.value import Value

__all__ = [
    "ILLEGAL",
    "WON",
    "Index",
    "Layer",
    "PlacingSolution",
    "index_of",
    "solve_layer",
    "solve_placing",
]

WON = 100
ILLEGAL = 127

PORTION = 1 << 18
"""How many scores to count at once, or successors to look up. NumPy widens each to eight bytes, and two megabytes stay
in the processor's cache: with sixteen times as many, 4×4 takes twice as long."""

Scores = NDArray[np.int8]


class Layer(NamedTuple):
    """All occupied sets of k cells and the patterns of X's stones in them."""

    stones: int
    occupied: NDArray[np.int32]
    patterns: NDArray[np.int32]
    insertions: NDArray[np.int32]
    """insertions[j, c]: where in its block the c-th pattern stands once a bit is inserted at j."""
    start: int

    @property
    def slots(self) -> int:
        """How many positions the layer has room for."""
        return len(self.occupied) * len(self.patterns)

    def parts(self, blocks: int) -> "Iterator[Layer]":
        """The layer as layers of so many blocks each."""
        for first in range(0, len(self.occupied), blocks):
            yield self._replace(
                occupied=self.occupied[first : first + blocks], start=self.start + first * len(self.patterns)
            )


class Index(NamedTuple):
    """Where the position with given occupied cells and X's pattern among them has its slot."""

    cells: int
    offsets: NDArray[np.int64]
    """By occupied set: the first slot of its block."""
    ranks: NDArray[np.int32]
    """By pattern: its number among the patterns with as many bits, in increasing order."""
    layers: tuple[Layer, ...]

    @property
    def slots(self) -> int:
        """How many slots there are."""
        return sum(layer.slots for layer in self.layers)

    def slot(self, x: int, o: int) -> int:
        """The slot of a position."""
        occupied, pattern, place = x | o, 0, 0
        while occupied:
            lowest = occupied & -occupied
            pattern |= bool(x & lowest) << place
            place += 1
            occupied ^= lowest
        return int(self.offsets[x | o] + self.ranks[pattern])

    def stones_at(self, layer: Layer) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """X's and O's stones in every slot of a layer: a row a block."""
        x = np.zeros((len(layer.occupied), len(layer.patterns)), np.int32)
        left = layer.occupied.copy()
        for place in range(layer.stones):
            lowest = left & -left
            x += lowest[:, None] * (layer.patterns >> place & 1)
            left ^= lowest
        return x, layer.occupied[:, None] - x


@cache
def index_of(cells: int) -> Index:
    """The index for a board of so many cells."""
    masks = np.arange(1 << cells, dtype=np.int32)
    counts = np.bitwise_count(masks)
    by_count = [masks[counts == k] for k in range(cells + 1)]
    ranks = np.empty_like(masks)
    for group in by_count:
        ranks[group] = np.arange(len(group))
    offsets = np.empty(1 << cells, np.int64)
    layers = []
    start = 0
    for k, occupied in enumerate(by_count):
        patterns = by_count[(k + 1) // 2][: comb(k, (k + 1) // 2)]
        offsets[occupied] = start + np.arange(len(occupied)) * len(patterns)
        insertions = np.empty((k + 1, len(patterns)), np.int32)
        for j in range(k + 1 if k < cells else 0):
            below = (1 << j) - 1
            placed = (1 << j) if k % 2 == 0 else 0
            insertions[j] = ranks[(patterns & below) | ((patterns & ~below) << 1) | placed]
        layers.append(Layer(k, occupied, patterns, insertions, start))
        start += len(occupied) * len(patterns)
    return Index(cells, offsets, ranks, tuple(layers))


def solve_layer(index: Index, layer: Layer, lines: tuple[int, ...], scores: Scores) -> None:
    """Fill one layer's scores from the layer above it.

    The player who just moved has won with a row, if one stone lies in all his rows: the last he placed.
    A player to move who has a row would have won before.
    """
    rows = _rows_of(index.cells, lines)
    left = index.cells - layer.stones
    for part in layer.parts(max(1, PORTION // (len(layer.patterns) * max(1, left)))):
        _solve_part(index, part, rows, scores)


def _solve_part(index: Index, layer: Layer, rows: NDArray[np.int8], scores: Scores) -> None:
    shape = (len(layer.occupied), len(layer.patterns))
    if layer.stones == index.cells:
        best = np.zeros(shape, np.int8)
    else:
        cells = np.arange(index.cells, dtype=np.int32)
        empty = np.nonzero(layer.occupied[:, None] >> cells & 1 == 0)[1].astype(np.int32).reshape(shape[0], -1)
        below = np.bitwise_count(layer.occupied[:, None] & ((1 << empty) - 1))
        blocks = index.offsets[layer.occupied[:, None] | (1 << empty)]
        successors = scores[blocks[:, :, None] + layer.insertions[below]]
        best = -successors.min(axis=1)
        best -= np.sign(best)
    x, o = index.stones_at(layer)
    mover, other = (x, o) if layer.stones % 2 == 0 else (o, x)
    last = rows[other]
    best[last == 1] = -WON
    best[(last == 2) | (rows[mover] != 0)] = ILLEGAL
    scores[layer.start : layer.start + layer.slots] = best.ravel()


@lru_cache(maxsize=1)
def _rows_of(cells: int, lines: tuple[int, ...]) -> NDArray[np.int8]:
    """By one side's stones: 0 if they fill no line, 1 if one stone lies in all lines they fill, 2 if none does."""
    stones = np.arange(1 << cells, dtype=np.int32)
    common = np.full_like(stones, -1)
    for line in lines:
        common[stones & line == line] &= line
    return np.where(common == -1, 0, np.where(common, 1, 2)).astype(np.int8)


class PlacingSolution(Solution):
    """Scores of all positions, in layers of equally many stones."""

    def __init__(self, game: Game, scores: Scores, seconds: dict[int, float]) -> None:
        self.game = game
        self.index = index_of(len(game.layout))
        self.scores = scores
        self.subspaces = tuple(self._subspace(layer, seconds[layer.stones]) for layer in self.index.layers)

    def value(self, position: Position) -> Value:
        """What a legal position is worth to the player to move."""
        self.game.check(position)
        x, o = position.stones
        return self._value(int(self.scores[self.index.slot(x, o)]), position.occupied.bit_count())

    def positions(self) -> Iterator[Position]:
        """Every position that can occur, by number of stones."""
        total = self.game.rules.stones
        for layer in self.index.layers:
            xs, os = self.index.stones_at(layer)
            legal = self.scores[layer.start : layer.start + layer.slots] != ILLEGAL
            placed = ((layer.stones + 1) // 2, layer.stones // 2)
            hand = (total[0] - placed[0], total[1] - placed[1])
            for x, o in zip(xs.ravel()[legal].tolist(), os.ravel()[legal].tolist(), strict=True):
                yield Position((x, o), hand, layer.stones % 2)

    def _value(self, score: int, stones: int) -> Value:
        if score == 0:
            return Value(Outcome.DRAW, self.index.cells - stones)
        return Value(Outcome.WIN if score > 0 else Outcome.LOSS, WON - abs(score))

    def _subspace(self, layer: Layer, seconds: float) -> Subspace:
        k = layer.stones
        counts = np.zeros(256, np.int64)
        for first in range(layer.start, layer.start + layer.slots, PORTION):
            part = self.scores[first : min(first + PORTION, layer.start + layer.slots)]
            counts += np.bincount(part.view(np.uint8), minlength=256)
        values = [
            (self._value(score, k), int(counts[score % 256])) for score in range(-WON, WON) if counts[score % 256]
        ]
        return tally(f"{k // 2}-{(k + 1) // 2}", layer.slots, values, seconds)


def solve_placing(game: Game, progress: Progress | None = None) -> PlacingSolution:
    """Solve a placing game, from the full board down to the empty one."""
    cells = len(game.layout)
    index = index_of(cells)
    engine = solve_layer
    if cells > PLAIN and installed("numba"):
        from noughts.solve import placing_kernel  # noqa: PLC0415  loads the compiler

        engine = placing_kernel.solve_layer
    scores = np.empty(index.slots, np.int8)
    seconds = {}
    done = 0
    for layer in reversed(index.layers):
        began = perf_counter()
        engine(index, layer, game.layout.line_sets, scores)
        seconds[layer.stones] = perf_counter() - began
        done += layer.slots
        if progress:
            progress(done, index.slots)
    return PlacingSolution(game, scores, seconds)
