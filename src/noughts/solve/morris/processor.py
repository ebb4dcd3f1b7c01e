"""The processor as an engine: all cores share out the blocks of a table."""

import os
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
        rest = (work.table, work.words, work.blocks, work.keepers, work.ranking)
        total: NDArray[np.int64] = np.sum(self._share(sweep.count, work, *rest), axis=0)
        return total

    def check(self, work: Work, following: Bytes) -> tuple[int, int | None]:
        """In how many parts of the table some value does not follow from its successors, and the first such slot."""
        rest = (work.words, work.flying, work.blocks, work.movers, work.below, work.ranking)
        wrong = [slot for slot in self._share(sweep.check, work, following, work.table, *rest) if slot >= 0]
        return len(wrong), min(wrong, default=None)

    def _all(self, work: Work) -> tuple[Any, ...]:
        return work[:10]

    def _share(self, sweeping: Any, work: Work, *arguments: Any) -> list[Any]:
        """What the parts of a sweep answer."""
        blocks = len(work.blocks.sets)
        cuts = np.linspace(0, blocks, 1 + min(blocks, PARTS * self.cores)).astype(int)
        with ThreadPoolExecutor(self.cores) as pool:
            parts = [pool.submit(sweeping, *part, *arguments) for part in pairwise(cuts.tolist())]
            return [part.result() for part in parts]
