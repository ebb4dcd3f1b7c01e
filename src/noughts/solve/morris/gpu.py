"""A GPU as an engine: one thread a slot, with the functions of `kernel` compiled for it.

All tables stay in the GPU's memory while a subspace needs them, some gigabytes for nine men's morris. Threads that find
nothing to do at their slot end at once, so a push costs a read of the table and the work at what was decided; both are
bound by the memory's random reads of single bytes.
"""

from typing import Any

import numba.cuda
import numpy as np
from numpy.typing import NDArray

from noughts.games import NoughtsError
from noughts.solve.morris.forward import forward_functions
from noughts.solve.morris.kernel import DRAW, SAFE, functions
from noughts.solve.morris.work import Work

__all__ = ["Gpu", "NoGpuError"]

THREADS = 256

cuda: Any = numba.cuda

_do = functions(cuda.jit(device=True))
_close, _begin, _push, _spread = _do.close, _do.begin, _do.push, _do.spread
_find, _is_first = _do.find, _do.is_first
_value_of = forward_functions(cuda.jit(device=True)).value_of


class NoGpuError(NoughtsError):
    """No GPU that can be used."""


@cuda.jit
def _fill(table, value):  # type: ignore[no-untyped-def]
    slot = cuda.grid(1)
    if slot < len(table):
        table[slot] = value


@cuda.jit
def _settle(table):  # type: ignore[no-untyped-def]
    slot = cuda.grid(1)
    if slot < len(table) and table[slot] == SAFE:
        table[slot] = DRAW


@cuda.jit
def _close_all(closed, words, blocks, movers, below, ranking):  # type: ignore[no-untyped-def]
    slot = cuda.grid(1)
    if slot < len(closed):
        block = slot // len(words)
        closed[slot] = _close(words[slot - block * len(words)], block, blocks, movers, below, ranking)


@cuda.jit
def _begin_all(table, closed, by_mover, size, words, flying, blocks, movers, ranking, top):  # type: ignore[no-untyped-def]
    slot = cuda.grid(1)
    if slot >= len(table):
        return
    block = slot // len(words)
    start = block * len(words)
    word = words[slot - start]
    value = _begin(word, flying, block, blocks, closed[start : start + len(words)], ranking)
    table[slot] = value
    if value < SAFE:
        cuda.atomic.max(top, 0, value)
        _spread(value, word, block, blocks, movers, by_mover, size, ranking)


@cuda.jit
def _push_all(depth, following, table, closed, by_mover, size, words, flying, blocks, movers, ranking, top):  # type: ignore[no-untyped-def]
    slot = cuda.grid(1)
    if slot >= len(table) or following[slot] != depth:
        return
    block = slot // len(words)
    start, end = block * len(words), (block + 1) * len(words)
    here, mine, after = table[start:end], closed[start:end], following[start:end]
    word = words[slot - start]
    found = _push(word, depth, flying, block, blocks, movers, here, mine, after, by_mover, size, ranking)
    if found:
        cuda.atomic.max(top, 0, found)


@cuda.jit
def _gather_all(table, by_mover, size, words, blocks, movers, ranking):  # type: ignore[no-untyped-def]
    slot = cuda.grid(1)
    if slot < len(table):
        block = slot // len(words)
        word = words[slot - block * len(words)]
        table[slot] = _find(word, block, blocks, movers, by_mover, size, ranking)


@cuda.jit
def _count_all(table, words, blocks, keepers, ranking, counts):  # type: ignore[no-untyped-def]
    slot = cuda.grid(1)
    if slot < len(table):
        block = slot // len(words)
        if _is_first(words[slot - block * len(words)], block, blocks, keepers, ranking):
            cuda.atomic.add(counts, table[slot], 1)


@cuda.jit
def _check_all(following, table, words, flying, blocks, movers, below, ranking, wrong):  # type: ignore[no-untyped-def]
    slot = cuda.grid(1)
    if slot >= len(table):
        return
    count = len(words)
    block = slot // count
    start = block * count
    after = following[start : start + count]
    if _value_of(words[slot - start], flying, block, blocks, movers, below, ranking, after) != table[slot]:
        cuda.atomic.add(wrong, 0, 1)
        cuda.atomic.min(wrong, 1, slot)


class Gpu:
    """Works in the memory of the first GPU."""

    def __init__(self) -> None:
        if not cuda.is_available():
            raise NoGpuError("no GPU was found: expected an NVIDIA GPU with its driver, or --device cpu")
        self._loaded: dict[int, tuple[Any, Any]] = {}

    def undecided(self, slots: int) -> Any:
        table = cuda.device_array(slots, np.uint8)
        _fill[self._grid(slots), THREADS](table, DRAW)
        return table

    def load(self, values: Any) -> Any:
        """Arrays that stay the same, as those of a board, are loaded once."""
        if isinstance(values, tuple):
            return type(values)(*(self.load(value) for value in values))
        if id(values) not in self._loaded:
            self._loaded[id(values)] = (values, cuda.to_device(np.ascontiguousarray(values)))
        return self._loaded[id(values)][1]

    def host(self, array: Any) -> NDArray[np.uint8]:
        copied: NDArray[np.uint8] = array.copy_to_host()
        return copied

    def begin(self, work: Work) -> int:
        parts = (work.closed, work.words, work.blocks, work.movers, work.below, work.ranking)
        _close_all[self._grid(len(work.table)), THREADS](*parts)
        return self._run(_begin_all, work, *work[:8], work.ranking)

    def push(self, work: Work, depth: int, following: Any) -> int:
        return self._run(_push_all, work, depth, following, *work[:8], work.ranking)

    def gather(self, work: Work) -> None:
        parts = (work.table, work.by_mover, work.size, work.words, work.blocks, work.movers, work.ranking)
        _gather_all[self._grid(len(work.table)), THREADS](*parts)

    def settle(self, table: Any) -> None:
        _settle[self._grid(len(table)), THREADS](table)

    def count(self, work: Work) -> NDArray[np.int64]:
        counts = cuda.to_device(np.zeros(256, np.int64))
        parts = (work.table, work.words, work.blocks, work.keepers, work.ranking, counts)
        _count_all[self._grid(len(work.table)), THREADS](*parts)
        found: NDArray[np.int64] = counts.copy_to_host()
        return found

    def check(self, work: Work, following: Any) -> tuple[int, int | None]:
        """How many values do not follow from their successors, and the first slot of these."""
        wrong = cuda.to_device(np.array([0, np.iinfo(np.int64).max], np.int64))
        parts = (work.table, work.words, work.flying, work.blocks, work.movers, work.below, work.ranking)
        _check_all[self._grid(len(work.table)), THREADS](following, *parts, wrong)
        found, first = (int(number) for number in wrong.copy_to_host())
        return found, first if found else None

    def _run(self, kernel: Any, work: Work, *arguments: Any) -> int:
        top = cuda.to_device(np.zeros(1, np.int32))
        kernel[self._grid(len(work.table)), THREADS](*arguments, top)
        return int(top.copy_to_host()[0])

    @staticmethod
    def _grid(slots: int) -> int:
        return -(-slots // THREADS)
