"""The layers of a placing game on a GPU, with the kernels of `gpu_kernels`: byte for byte what the processor finds."""

from collections.abc import Callable
from typing import Any

import numba.cuda
import numpy as np
from numpy.typing import NDArray

from noughts.games import Game
from noughts.solve.device import Memory
from noughts.solve.layers import kernel
from noughts.solve.layers.gpu_kernels import by_o_all, by_x_all, full_all
from noughts.solve.layers.kernel import ILLEGAL, PAD, WON, Runs, Scores
from noughts.solve.layers.making import Solver
from noughts.solve.layers.numbering import Classes, classes_of
from noughts.solve.morris.numbering import combinations

__all__ = ["GpuSolver"]

THREADS = 256
"""Threads of a group."""

cuda: Any = numba.cuda


class GpuSolver(Solver):
    """Solves one layer after the other in the memory of the first GPU."""

    def __init__(self, game: Game, keep: bool = True) -> None:
        """`keep` says whether the scores are wanted here, for a table or a check, or only the counts."""
        super().__init__(game)
        self._memory = Memory()
        self._keep = keep
        self._latest: tuple[int, Any] | None = None

    def free_bytes(self) -> int:
        """How much of the GPU's memory is free."""
        return self._memory.free_bytes()

    def fill(
        self, stones: int, above: Scores | None, classes: Classes, runs: Runs, done: Callable[[int], None]
    ) -> tuple[Scores, NDArray[np.int64]]:
        layout, load = self.game.layout, self._memory.load
        blocks, points = len(classes.sets), len(layout)
        words = combinations(runs.bits, runs.ones)
        scores = cuda.device_array(max(1, blocks * runs.size), np.int8)
        counts = cuda.to_device(np.zeros(256, np.int64))
        begin = (scores, *(load(values) for values in (classes.sets, classes.weights)))
        board, tables = load(self.board), load(self.inner)
        before = self._above(stones, above)
        if blocks == 0:
            pass
        elif before is None:
            ended = stones - WON if stones % 2 == 0 else ILLEGAL
            full_all[blocks, THREADS](*begin, load(words), board, ended, counts)
        elif stones % 2:
            after = load(kernel.runs_of(runs.bits, runs.ones + 1))
            by_o_all[blocks, THREADS](begin[0], before, *begin[1:], load(words), after, board, tables, counts)
        else:
            later_words = load(combinations(runs.bits - 1, runs.ones))
            next_sets = load(classes_of(layout, points - runs.bits + 1).sets)
            more = (next_sets, load(words), later_words, load(runs), board, tables, stones, counts)
            by_x_all[blocks, THREADS](begin[0], before, *begin[1:], *more)
        found: NDArray[np.int64] = counts.copy_to_host()
        self._latest = (stones, scores)
        done(blocks)
        room = np.zeros(PAD + (blocks * runs.size if self._keep else 0), np.int8)
        if self._keep and blocks:
            room[:-PAD] = scores.copy_to_host()
        return room, found

    def _above(self, stones: int, above: Scores | None) -> Any:
        """The layer above in the GPU's memory: there from before, or loaded."""
        if above is None:
            return None
        if self._latest is not None and self._latest[0] == stones + 1:
            return self._latest[1]
        return cuda.to_device(above)
