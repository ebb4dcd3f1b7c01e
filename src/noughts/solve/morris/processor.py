"""The processor as an engine: all cores share out the blocks of a table."""

import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.solve.morris import sweep
from noughts.solve.morris.kernel import DRAW, SAFE
from noughts.solve.morris.work import Work

__all__ = ["Processor"]

PARTS = 8
"""Into how many parts a sweep is cut for every core, so that all are busy to the end."""

Bytes = NDArray[np.uint8]


class Processor:
    """Works in the memory of this process."""

    def __init__(self, cores: int | None = None) -> None:
        self.cores = cores or os.cpu_count() or 1

    def undecided(self, slots: int) -> Bytes:
        return np.full(slots, DRAW, np.uint8)

    def load(self, values: Any) -> Any:
        return values

    def take(self, table: Bytes) -> Bytes:
        return table

    def host(self, array: Bytes) -> Bytes:
        return array

    def begin(self, work: Work) -> int:
        return max(map(int, self._share(sweep.begin, work, *self._all(work))))

    def push(self, work: Work, depth: int, following: Bytes) -> int:
        return max(map(int, self._share(sweep.push, work, depth, following, *self._all(work))))

    def gather(self, work: Work) -> None:
        self._share(sweep.gather, work, *self._all(work))

    def settle(self, table: Bytes) -> None:
        table[table == SAFE] = DRAW

    def count(self, work: Work) -> NDArray[np.int64]:
        counts = [np.zeros(256, np.int64) for _ in self._parts(work)]
        rest = (work.table, work.words, work.blocks, work.keepers, work.ranking)
        self._share(sweep.count, work, *rest, own=counts)
        total: NDArray[np.int64] = np.sum(counts, axis=0)
        return total

    def check(self, work: Work, following: Bytes) -> tuple[int, int | None]:
        """In how many parts of the table some value does not follow from its successors, and the first such slot."""
        rest = (work.words, work.flying, work.blocks, work.movers, work.below, work.ranking)
        wrong = [slot for slot in self._share(sweep.check, work, following, work.table, *rest) if slot >= 0]
        return len(wrong), min(wrong, default=None)

    def _all(self, work: Work) -> tuple[Any, ...]:
        return work[:10]

    def _parts(self, work: Work) -> list[tuple[int, int]]:
        """The ranges of blocks that a sweep is cut into."""
        blocks = len(work.blocks.sets)
        return list(pairwise(np.linspace(0, blocks, 1 + min(blocks, PARTS * self.cores)).astype(int).tolist()))

    def _share(self, sweeping: Any, work: Work, *arguments: Any, own: Iterable[Any] = ()) -> list[Any]:
        """What the parts of a sweep answer; `own` is what each part has to itself, if it has."""
        parts = self._parts(work)
        extra: list[tuple[Any, ...]] = [(one,) for one in own] or [()] * len(parts)
        with ThreadPoolExecutor(self.cores) as pool:
            done = [pool.submit(sweeping, *part, *more, *arguments) for part, more in zip(parts, extra, strict=True)]
            return [part.result() for part in done]
