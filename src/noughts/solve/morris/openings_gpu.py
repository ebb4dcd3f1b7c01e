"""The placing phase on a GPU: one thread a position, the layers in the GPU's memory."""
# mypy: disable-error-code="no-untyped-call, attr-defined"

from typing import Any

import numpy as np
from numba import cuda
from numpy.typing import NDArray

from noughts.solve.morris.gpu import THREADS, Gpu, grid
from noughts.solve.morris.kernel import DRAW, functions
from noughts.solve.morris.openings import PlacingWork
from noughts.solve.morris.openings_kernel import DRAWN, LOST, WON, placing_functions

__all__ = ["GpuLayers"]

_do = functions(cuda.jit(device=True))
_spread = _do.spread
_placing = placing_functions(cuda.jit(device=True), _do)
_capture, _best_stone = _placing.capture, _placing.best_stone


@cuda.jit
def _to_outcomes(table):  # type: ignore[no-untyped-def]
    slot = cuda.grid(1)
    if slot < len(table):
        byte = table[slot]
        table[slot] = DRAWN if byte == DRAW else WON if byte & 1 else LOST


@cuda.jit
def _close_all(closed, words, blocks, captures, ranking):  # type: ignore[no-untyped-def]
    slot = cuda.grid(1)
    if slot < len(closed):
        block = slot // len(words)
        closed[slot] = _capture(words[slot - block * len(words)], block, blocks, captures, ranking)


@cuda.jit
def _place_all(slots, closed, following, size_after, by_mover, size, words, blocks, movers, ranking):  # type: ignore[no-untyped-def]
    slot = cuda.grid(1)
    if slot >= slots:
        return
    block = slot // len(words)
    word = words[slot - block * len(words)]
    start = block * size_after
    after, mine = following[start : start + size_after], closed[start : start + size_after]
    best = _best_stone(word, block, blocks, mine, after, ranking)
    if best != DRAWN:
        _spread(best, word, block, blocks, movers, by_mover, size, ranking)


class GpuLayers:
    """Works in the memory of the first GPU."""

    def __init__(self) -> None:
        self._gpu = Gpu()

    def outcomes(self, table: NDArray[np.uint8]) -> Any:
        """Bytes of plies as outcomes."""
        loaded = self._gpu.take(table)
        _to_outcomes[grid(len(table)), THREADS](loaded)
        return loaded

    def host(self, table: Any) -> NDArray[np.uint8]:
        """A table in the memory of this process."""
        return self._gpu.host(table)

    def place(self, work: PlacingWork) -> Any:
        """The table by the mover of a subspace of a layer."""
        load = self._gpu.load
        by_mover = self._gpu.filled(work.slots, DRAWN)
        after, words, ranking = load(work.after), load(work.words), load(work.ranking)
        blocks, movers = load(work.blocks), load(work.movers)
        mills = work.captures
        table = load(mills.table) if isinstance(mills.table, np.ndarray) else mills.table
        sets, class_of, symmetry_of = (load(array) for array in mills[3:])
        captures = mills._replace(table=table, sets=sets, class_of=class_of, symmetry_of=symmetry_of)
        count = len(work.blocks.sets)
        closed = self._gpu.filled(count * len(work.after), LOST)
        if work.mills:
            _close_all[grid(len(closed)), THREADS](closed, after, blocks, captures, ranking)
        slots = count * len(work.words)
        parts = (slots, closed, work.following, len(work.after), by_mover, work.size, words, blocks, movers, ranking)
        _place_all[grid(slots), THREADS](*parts)
        return by_mover
