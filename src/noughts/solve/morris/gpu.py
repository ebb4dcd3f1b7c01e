"""A GPU as an engine and as a checker, with the functions of `kernel` and of `check` compiled for it.

All arrays stay in the GPU's memory while a subspace needs them, ten gigabytes for nine men's morris and thirty by
Lasker's rule; the checker looks at the same arrays. Where there is work at every slot, a thread does one slot. At most
depths most slots have nothing to do, and threads that run side by side wait for the slowest; so in a push a group of
threads first lists what is decided in its stretch of the values, and then shares out the list.

Threads write the same bytes without locks: `kernel` says why that is right. What is added up or compared by all of them
(the largest value, counters) goes through atomic operations, first in the memory that a group of threads shares, then
once a group in that of all: hundreds of millions of them at one place would take longer than the work.
"""

from collections.abc import Callable
from typing import Any

import numba.cuda
import numpy as np
from numpy.typing import NDArray

from noughts.games import NoughtsError
from noughts.solve.device import Memory
from noughts.solve.morris import check, kernel
from noughts.solve.morris.check import POINTS, Checked, ProcessorChecker, Space
from noughts.solve.morris.kernel import SAFE, Work
from noughts.solve.morris.processor import OneMemory
from noughts.solve.morris.subspaces import DRAW

__all__ = ["Gpu", "GpuChecker"]

THREADS = 256
"""Threads of a group."""
STRETCH = 4096
"""Slots that a group of threads looks at in a push or a check."""
COUNTERS = 2048
"""Groups of threads at most that count, each for itself before all is added up."""

Bytes = NDArray[np.uint8]

cuda: Any = numba.cuda

_do = kernel.functions(cuda.jit(device=True))
_close, _begin, _push, _spread = _do.close, _do.begin, _do.push, _do.spread
_is_first = _do.is_first

_by_definition = check.functions(cuda.jit(device=True))
_frame, _expected = _by_definition.frame, _by_definition.expected
_disagreement, _counts, _points_of = _by_definition.disagreement, _by_definition.counts, _by_definition.points_of


def _grid(slots: int) -> int:
    """How many groups of threads it takes to have one a slot."""
    return -(-slots // THREADS)


@cuda.jit
def _fill(values, value):  # type: ignore[no-untyped-def]
    slot = cuda.grid(1)
    if slot < len(values):
        values[slot] = value


@cuda.jit
def _settle(by_other):  # type: ignore[no-untyped-def]
    slot = cuda.grid(1)
    if slot < len(by_other) and by_other[slot] == SAFE:
        by_other[slot] = DRAW


@cuda.jit
def _close_all(words, closed, captures, work):  # type: ignore[no-untyped-def]
    slot = cuda.grid(1)
    if slot < len(closed):
        block = slot // len(words)
        closed[slot] = _close(words[slot - block * len(words)], block, captures, work)


@cuda.jit
def _begin_all(work, top):  # type: ignore[no-untyped-def]
    largest = cuda.shared.array(1, numba.int32)
    if cuda.threadIdx.x == 0:
        largest[0] = 0
    cuda.syncthreads()
    slot = cuda.grid(1)
    if slot < len(work.by_other):
        block = slot // len(work.words)
        word = work.words[slot - block * len(work.words)]
        value = _begin(word, block, work)
        work.by_other[slot] = value
        if value < SAFE:
            cuda.atomic.max(largest, 0, value)
            _spread(value, word, block, work)
    cuda.syncthreads()
    if cuda.threadIdx.x == 0 and largest[0]:
        cuda.atomic.max(top, 0, largest[0])


@cuda.jit
def _push_all(work, depth, following, top):  # type: ignore[no-untyped-def]
    decided = cuda.shared.array(STRETCH, numba.int32)
    many = cuda.shared.array(1, numba.int32)
    largest = cuda.shared.array(1, numba.int32)
    if cuda.threadIdx.x == 0:
        many[0] = largest[0] = 0
    cuda.syncthreads()
    first = cuda.blockIdx.x * STRETCH
    for place in range(cuda.threadIdx.x, min(STRETCH, len(work.by_other) - first), THREADS):
        if following[first + place] == depth:
            decided[cuda.atomic.add(many, 0, 1)] = place
    cuda.syncthreads()
    found = 0
    for number in range(cuda.threadIdx.x, many[0], THREADS):
        slot = first + decided[number]
        block = slot // len(work.words)
        word = work.words[slot - block * len(work.words)]
        found = max(found, _push(word, depth, block, work, following))
    if found:
        cuda.atomic.max(largest, 0, found)
    cuda.syncthreads()
    if cuda.threadIdx.x == 0 and largest[0]:
        cuda.atomic.max(top, 0, largest[0])


@cuda.jit
def _count_all(work, counts):  # type: ignore[no-untyped-def]
    mine = cuda.shared.array(256, numba.int32)
    for value in range(cuda.threadIdx.x, 256, THREADS):
        mine[value] = 0
    cuda.syncthreads()
    for slot in range(cuda.grid(1), len(work.by_other), cuda.gridsize(1)):
        block = slot // len(work.words)
        if _is_first(work.words[slot - block * len(work.words)], block, work):
            cuda.atomic.add(mine, work.by_other[slot], 1)
    cuda.syncthreads()
    for value in range(cuda.threadIdx.x, 256, THREADS):
        cuda.atomic.add(counts, value, mine[value])


@cuda.jit
def _check_all(space, slots, counts, wrong):  # type: ignore[no-untyped-def]
    """Check positions as `check` does on the processor: count them, and note the least block with a wrong byte."""
    places = cuda.local.array(POINTS, numba.int64)
    victims = cuda.local.array((POINTS, 2), numba.int64)
    mine = cuda.shared.array(256, numba.int32)
    for value in range(cuda.threadIdx.x, 256, THREADS):
        mine[value] = 0
    cuda.syncthreads()
    first = cuda.blockIdx.x * STRETCH
    present, many = -1, 0
    for slot in range(first + cuda.threadIdx.x, min(first + STRETCH, slots), THREADS):
        block = slot // len(space.words)
        others = np.int64(space.others.representatives[block])
        if block != present:
            present, many = block, _frame(others, places, victims, space)
        word = np.int64(space.words[slot - block * len(space.words)])
        own = _points_of(word, others, space.ground.numbers)
        value = _expected(word, own, block, many, places, victims, space)
        if _disagreement(own, others, value, space) >= 0:
            cuda.atomic.min(wrong, 0, block)
        if _counts(own, block, space):
            cuda.atomic.add(mine, value, 1)
    cuda.syncthreads()
    for value in range(cuda.threadIdx.x, 256, THREADS):
        cuda.atomic.add(counts, value, mine[value])


def _taken(values: Any) -> Any:
    """Values in the GPU's memory; those that are there already, as they are."""
    return cuda.to_device(np.ascontiguousarray(values)) if isinstance(values, np.ndarray) else values


class Gpu(OneMemory):
    """Works in the memory of the first GPU."""

    def __init__(self) -> None:
        super().__init__()
        self._memory = Memory()
        self._top = cuda.to_device(np.zeros(1, np.int32))
        """Where sweeps say which value was the largest."""

    def free_bytes(self) -> int:
        """How much of its memory is free."""
        return self._memory.free_bytes()

    def room(self, slots: int) -> Any:
        return cuda.device_array(slots, np.uint8)

    def undecided(self, slots: int) -> Any:
        values = self.room(slots)
        _fill[_grid(slots), THREADS](values, DRAW)
        return values

    def take(self, values: Bytes) -> Any:
        return _taken(values)

    def load(self, values: Any) -> Any:
        return self._memory.load(values)

    def host(self, array: Any) -> Bytes:
        copied: Bytes = array.copy_to_host()
        return copied

    def sweep_begin(self, work: Work) -> int:
        placing = work.placing
        if work.steps:
            _close_all[_grid(len(work.closed)), THREADS](work.words, work.closed, work.captures, work)
        if placing.allowed:
            _close_all[_grid(len(placing.closed)), THREADS](placing.words, placing.closed, placing.captures, work)
        return self._largest(_begin_all, _grid(len(work.by_other)), work)

    def sweep_push(self, work: Work, depth: int, following: Any) -> int:
        return self._largest(_push_all, -(-len(work.by_other) // STRETCH), work, depth, following)

    def sweep_settle(self, by_other: Any) -> None:
        _settle[_grid(len(by_other)), THREADS](by_other)

    def sweep_count(self, work: Work) -> NDArray[np.int64]:
        counts = cuda.to_device(np.zeros(256, np.int64))
        _count_all[min(COUNTERS, _grid(len(work.by_other))), THREADS](work, counts)
        found: NDArray[np.int64] = counts.copy_to_host()
        return found

    def _largest(self, sweep: Any, groups: int, *arguments: Any) -> int:
        """Run a kernel that says which value was the largest."""
        _fill[1, 1](self._top, 0)
        sweep[groups, THREADS](*arguments, self._top)
        return int(self._top.copy_to_host()[0])


def _copied(values: Any) -> Any:
    """Tuples of arrays, with those of the GPU's memory as NumPy has them; others stay."""
    if isinstance(values, tuple):
        return type(values)(*map(_copied, values))
    return values.copy_to_host() if hasattr(values, "copy_to_host") else values


class GpuChecker:
    """Compares all bytes on the first GPU; what it finds wrong the processor names."""

    def __init__(self) -> None:
        self._memory = Memory()

    def take(self, values: Any) -> Any:
        return _taken(values)

    def check(self, space: Space, advance: Callable[[float], None]) -> Checked:
        blocks = len(space.others.representatives)
        slots = blocks * len(space.words)
        counts = cuda.to_device(np.zeros(256, np.int64))
        wrong = cuda.to_device(np.array([blocks], np.int64))
        _check_all[-(-slots // STRETCH), THREADS](self._memory.load(space), slots, counts, wrong)
        first = int(wrong.copy_to_host()[0])
        advance(1)
        if first < blocks:
            here = _copied(space)
            named = ProcessorChecker(1).check_range(here, first, first + 1)
            if named is None:
                raise NoughtsError(f"the GPU finds block {first} wrong, the processor does not: expected them to agree")
            return Checked(named, None)
        return Checked(None, counts.copy_to_host())
