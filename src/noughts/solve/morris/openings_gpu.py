"""The placing phase on a GPU: one thread a position, the layers in the GPU's memory."""
# mypy: disable-error-code="no-untyped-call, attr-defined"

from typing import Any

import numpy as np
from numba import cuda
from numpy.typing import NDArray

from noughts.solve.morris.gpu import NoGpuError
from noughts.solve.morris.kernel import DRAW, functions
from noughts.solve.morris.openings import PlacingWork
from noughts.solve.morris.openings_kernel import DRAWN, LOST, WON, placing_functions

__all__ = ["GpuLayers"]

THREADS = 256

_do = functions(cuda.jit(device=True))
_spread = _do.spread
_placing = placing_functions(cuda.jit(device=True), _do)
_capture, _best_stone = _placing.capture, _placing.best_stone


@cuda.jit
def _fill(table, value):  # type: ignore[no-untyped-def]
    slot = cuda.grid(1)
    if slot < len(table):
        table[slot] = value


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
        if not cuda.is_available():
            raise NoGpuError("no GPU was found: expected an NVIDIA GPU with its driver, or --device cpu")
        self._loaded: dict[int, tuple[Any, Any]] = {}

    def outcomes(self, table: NDArray[np.uint8]) -> Any:
        """Bytes of plies as outcomes."""
        loaded = cuda.to_device(np.ascontiguousarray(table))
        _to_outcomes[self._grid(len(table)), THREADS](loaded)
        return loaded

    def host(self, table: Any) -> NDArray[np.uint8]:
        """A table in the memory of this process."""
        copied: NDArray[np.uint8] = table.copy_to_host()
        return copied

    def place(self, work: PlacingWork) -> Any:
        """The table by the mover of a subspace of a layer."""
        by_mover = self._filled(work.slots, DRAWN)
        after, words, ranking = self._load(work.after), self._load(work.words), self._load(work.ranking)
        blocks, movers = self._load(work.blocks), self._load(work.movers)
        mills = work.captures
        table = self._load(mills.table) if isinstance(mills.table, np.ndarray) else mills.table
        sets, class_of, symmetry_of = (self._load(array) for array in mills[3:])
        captures = mills._replace(table=table, sets=sets, class_of=class_of, symmetry_of=symmetry_of)
        count = len(work.blocks.sets)
        closed = self._filled(count * len(work.after), LOST)
        if work.mills:
            _close_all[self._grid(len(closed)), THREADS](closed, after, blocks, captures, ranking)
        slots = count * len(work.words)
        parts = (slots, closed, work.following, len(work.after), by_mover, work.size, words, blocks, movers, ranking)
        _place_all[self._grid(slots), THREADS](*parts)
        return by_mover

    def _load(self, values: Any) -> Any:
        """Arrays that stay the same, as those of a board, are loaded once."""
        if isinstance(values, tuple):
            return type(values)(*(self._load(value) for value in values))
        if id(values) not in self._loaded:
            self._loaded[id(values)] = (values, cuda.to_device(np.ascontiguousarray(values)))
        return self._loaded[id(values)][1]

    def _filled(self, slots: int, value: int) -> Any:
        table = cuda.device_array(slots, np.uint8)
        _fill[self._grid(slots), THREADS](table, value)
        return table

    @staticmethod
    def _grid(slots: int) -> int:
        return -(-slots // THREADS)
