"""A GPU as an engine, with the functions of `kernel` compiled for it.

All tables stay in the GPU's memory while a subspace needs them, some gigabytes for nine men's morris. Where there is
work at every slot, a thread does one slot. At most depths most slots have nothing to do, and threads that run side by
side wait for the slowest; so in a push a group of threads first lists what is decided in its stretch of the table, and
then shares out the list.
"""

import warnings
from typing import Any

import numba.cuda
import numpy as np
from numpy.typing import NDArray

from noughts.games import NoughtsError
from noughts.solve.morris.forward import forward_functions
from noughts.solve.morris.kernel import DRAW, SAFE, functions
from noughts.solve.morris.work import Work

__all__ = ["THREADS", "Gpu", "NoGpuError", "grid"]

THREADS = 256
"""Threads of a group."""
STRETCH = 4096
"""Slots that a group of threads looks at in a push."""
COUNTERS = 2048
"""Groups of threads at most that count, each for itself before all is added up."""

cuda: Any = numba.cuda

# Small subspaces are small; nobody can do anything about it.
warnings.filterwarnings("ignore", message=r".*Grid size \d+ will likely result in GPU under-utilization")

_do = functions(cuda.jit(device=True))
_close, _begin, _push, _spread = _do.close, _do.begin, _do.push, _do.spread
_find, _is_first = _do.find, _do.is_first
_value_of = forward_functions(cuda.jit(device=True)).value_of


class NoGpuError(NoughtsError):
    """No GPU that can be used."""


def grid(slots: int) -> int:
    """How many groups of threads it takes to have one a slot."""
    return -(-slots // THREADS)


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
    decided = cuda.shared.array(STRETCH, numba.int32)
    many = cuda.shared.array(1, numba.int32)
    if cuda.threadIdx.x == 0:
        many[0] = 0
    cuda.syncthreads()
    first = cuda.blockIdx.x * STRETCH
    for place in range(cuda.threadIdx.x, min(STRETCH, len(table) - first), THREADS):
        if following[first + place] == depth:
            decided[cuda.atomic.add(many, 0, 1)] = place
    cuda.syncthreads()
    found = 0
    for number in range(cuda.threadIdx.x, many[0], THREADS):
        slot = first + decided[number]
        block = slot // len(words)
        start, end = block * len(words), (block + 1) * len(words)
        here, mine, after = table[start:end], closed[start:end], following[start:end]
        word = words[slot - start]
        value = _push(word, depth, flying, block, blocks, movers, here, mine, after, by_mover, size, ranking)
        found = max(found, value)
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
    mine = cuda.shared.array(256, numba.int32)
    for value in range(cuda.threadIdx.x, 256, THREADS):
        mine[value] = 0
    cuda.syncthreads()
    for slot in range(cuda.grid(1), len(table), cuda.gridsize(1)):
        block = slot // len(words)
        if _is_first(words[slot - block * len(words)], block, blocks, keepers, ranking):
            cuda.atomic.add(mine, table[slot], 1)
    cuda.syncthreads()
    for value in range(cuda.threadIdx.x, 256, THREADS):
        cuda.atomic.add(counts, value, mine[value])


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

    def free_bytes(self) -> int:
        """How much of its memory is free."""
        free: int = cuda.current_context().get_memory_info()[0]
        return free

    def undecided(self, slots: int) -> Any:
        return self.filled(slots, DRAW)

    def filled(self, slots: int, value: int) -> Any:
        """A table with this value everywhere."""
        table = cuda.device_array(slots, np.uint8)
        _fill[grid(slots), THREADS](table, value)
        return table

    def take(self, table: NDArray[np.uint8]) -> Any:
        return cuda.to_device(np.ascontiguousarray(table))

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
        _close_all[grid(len(work.table)), THREADS](*parts)
        return self._top(_begin_all, grid(len(work.table)), *work[:8], work.ranking)

    def push(self, work: Work, depth: int, following: Any) -> int:
        return self._top(_push_all, -(-len(work.table) // STRETCH), depth, following, *work[:8], work.ranking)

    def gather(self, work: Work) -> None:
        parts = (work.table, work.by_mover, work.size, work.words, work.blocks, work.movers, work.ranking)
        _gather_all[grid(len(work.table)), THREADS](*parts)

    def settle(self, table: Any) -> None:
        _settle[grid(len(table)), THREADS](table)

    def count(self, work: Work) -> NDArray[np.int64]:
        counts = cuda.to_device(np.zeros(256, np.int64))
        parts = (work.table, work.words, work.blocks, work.keepers, work.ranking, counts)
        _count_all[min(COUNTERS, grid(len(work.table))), THREADS](*parts)
        found: NDArray[np.int64] = counts.copy_to_host()
        return found

    def check(self, work: Work, following: Any) -> tuple[int, int | None]:
        """How many values do not follow from their successors, and the first slot of these."""
        wrong = cuda.to_device(np.array([0, np.iinfo(np.int64).max], np.int64))
        parts = (work.table, work.words, work.flying, work.blocks, work.movers, work.below, work.ranking)
        _check_all[grid(len(work.table)), THREADS](following, *parts, wrong)
        found, first = (int(number) for number in wrong.copy_to_host())
        return found, first if found else None

    def _top(self, kernel: Any, groups: int, *arguments: Any) -> int:
        """Run a kernel that says which value was the largest."""
        top = cuda.to_device(np.zeros(1, np.int32))
        kernel[groups, THREADS](*arguments, top)
        return int(top.copy_to_host()[0])
