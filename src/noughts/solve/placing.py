"""The solution of a placing game: a byte a position, in the index of `noughts.solve.layers`."""

from collections.abc import Iterator
from time import perf_counter

import numpy as np

from noughts.games import Game, Outcome, Position
from noughts.solve import layers
from noughts.solve.layers import ILLEGAL, WON
from noughts.solve.solution import Progress, Solution, Subspace, tally
from noughts.solve.value import Value

__all__ = ["PLAIN", "PlacingSolution", "solve_placing"]

PLAIN = 12
"""Up to here NumPy answers sooner than a compiler starts."""
PORTION = 1 << 22
"""How many scores to count at once: NumPy widens each to eight bytes."""


class PlacingSolution(Solution):
    """Scores of all positions, in layers of equally many stones."""

    def __init__(self, game: Game, scores: layers.Scores, seconds: dict[int, float]) -> None:
        self.game = game
        self.index = layers.index(len(game.layout))
        self.scores = scores
        self.subspaces = tuple(self._subspace(layer, seconds[layer.stones]) for layer in self.index.layers)

    def value(self, position: Position) -> Value:
        """What a legal position is worth to the player to move."""
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

    def _subspace(self, layer: layers.Layer, seconds: float) -> Subspace:
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
    index = layers.index(cells)
    if cells <= PLAIN:
        solve_layer = layers.solve_layer
    else:
        from noughts.solve.layers_kernel import solve_layer  # noqa: PLC0415  loads the compiler
    scores = np.empty(index.slots, np.int8)
    seconds = {}
    done = 0
    for layer in reversed(index.layers):
        began = perf_counter()
        solve_layer(index, layer, game.layout.line_sets, scores)
        seconds[layer.stones] = perf_counter() - began
        done += layer.slots
        if progress:
            progress(done, index.slots)
    return PlacingSolution(game, scores, seconds)
