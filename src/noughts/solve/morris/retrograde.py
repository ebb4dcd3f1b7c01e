"""A morris game solved backwards: subspaces in the order in which captures lead from one to another.

A capture takes a stone from the other side, who is then to move: from subspace (m, o) to (o − 1, m). A quiet move leads
from (m, o) to (o, m). So the pair of (m, o) and (o, m) is solved at once, after all pairs with fewer stones. Within a
pair, first what captures alone decide; then depth by depth, from every position decided at that depth to those that can
move to it. A capture into a smaller subspace may decide a loss deeper than the present depth: so a pair is finished only
when the depth has passed the largest value there is.
"""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game
from noughts.solve.morris import sweep
from noughts.solve.morris.blocks import Blocks, blocks_of
from noughts.solve.morris.index import Index, choose, combinations, index_of
from noughts.solve.morris.kernel import DRAW, SAFE

__all__ = ["Solved", "order", "solve_pairs"]

FEWEST = 3
"""Stones with which a side plays on, and flies."""

PARTS = 8
"""Into how many parts a sweep is cut for every core, so that all are busy to the end."""

Bytes = NDArray[np.uint8]


class Solved(NamedTuple):
    """The table of a subspace, by the other side's set."""

    mover: int
    other: int
    table: Bytes
    seconds: float


def order(most: int) -> list[tuple[int, int]]:
    """Pairs of stones, the fewer first, in an order in which every capture leads to an earlier pair."""
    pairs = [(few, many) for many in range(FEWEST, most + 1) for few in range(FEWEST, many + 1)]
    return sorted(pairs, key=lambda pair: (sum(pair), pair))


def solve_pairs(game: Game, most: int) -> Iterator[list[Solved]]:
    """Solve the subspaces with at most so many stones a side, a pair at a time."""
    solved: dict[tuple[int, int], Bytes] = {}
    for few, many in order(most):
        began = perf_counter()
        pair = _Pair(game, few, many, solved)
        pair.solve()
        seconds = perf_counter() - began
        for key, table in pair.tables.items():
            table[table == SAFE] = DRAW
            solved[key] = table
        yield [Solved(*key, table, seconds / len(pair.tables)) for key, table in pair.tables.items()]


class _Pair:
    """The subspaces (few, many) and (many, few), or the one if they are the same."""

    def __init__(self, game: Game, few: int, many: int, solved: dict[tuple[int, int], Bytes]) -> None:
        self.board = game.board
        self.index: Index = index_of(game.board)
        self.keys = list(dict.fromkeys([(few, many), (many, few)]))
        self.solved = solved
        self.cores = os.cpu_count() or 1
        self.tables = {key: self._empty(key[1], key[0]) for key in self.keys}
        self.by_mover = {key: self._empty(key[0], key[1]) for key in self.keys}

    def _empty(self, major: int, minor: int) -> Bytes:
        classes = len(blocks_of(self.board, major).sets.representatives)
        return np.full(classes * self._size(major, minor), DRAW, np.uint8)

    def _size(self, major: int, minor: int) -> int:
        """Bytes of a block: sets of `minor` stones beside `major` others."""
        return int(choose(2 * 12)[self.index.points - major, minor])

    def solve(self) -> None:
        top = max(self._begin(key) for key in self.keys)
        depth = 0
        while depth <= top:
            for key in self.keys:
                top = max(top, self._push(key, depth))
            depth += 1
            assert top < SAFE

    def _begin(self, key: tuple[int, int]) -> int:
        mover, other = key
        blocks = blocks_of(self.board, other)
        self._share(
            sweep.begin,
            other,
            self.tables[key],
            self._words(key),
            mover == FEWEST,
            (blocks.sets.representatives, blocks.free, blocks.neighbours, blocks.mills, blocks.removable),
            *self._smaller(key),
            self._tables(),
            self._size(mover, other - 1),
        )
        sets = self._sets(mover)
        few = (blocks.sets.representatives, blocks.free)
        size = self._size(mover, other)
        return self._share(
            sweep.spread, other, self.tables[key], self._words(key), few, self.by_mover[key], sets, self._tables(), size
        )

    def _push(self, key: tuple[int, int], depth: int) -> int:
        """From the positions in which the other side is to move, decided at this depth, to those before them."""
        mover, other = key
        blocks = blocks_of(self.board, other)
        following = self.by_mover[other, mover]
        around = (blocks.sets.representatives, blocks.free, blocks.neighbours, blocks.mills)
        front = (depth, self.tables[key], following, self._words(key), mover == FEWEST, around)
        back = (self.by_mover[key], self._sets(mover), self._tables(), self._size(mover, other))
        if depth % 2 == 0:
            return depth + 1 if self._share(sweep.push_losses, other, *front, *back) else 0
        fewest, smaller, movers = self._smaller(key)
        small_size = self._size(mover, other - 1)
        middle = (blocks.removable, fewest, smaller, movers, small_size)
        return self._share(sweep.push_wins, other, *front, *middle, *back)

    def _share(self, sweeping: Any, stones: int, *arguments: Any) -> int:
        """Let all cores sweep over the blocks of sets of so many stones; the largest number that comes back."""
        classes = len(blocks_of(self.board, stones).sets.representatives)
        cuts = np.linspace(0, classes, 1 + min(classes, PARTS * self.cores)).astype(int)
        with ThreadPoolExecutor(self.cores) as pool:
            parts = [pool.submit(sweeping, *pair, *arguments) for pair in pairwise(cuts.tolist())]
            return max(int(part.result() or 0) for part in parts)

    def _words(self, key: tuple[int, int]) -> NDArray[np.uint32]:
        return combinations(self.index.points - key[1], key[0])

    def _smaller(self, key: tuple[int, int]) -> tuple[bool, Bytes, Any]:
        """Where captures lead: whether they end the game, the table, and the classes of the mover's sets."""
        mover, other = key
        sets = blocks_of(self.board, mover).sets
        ends = other - 1 < FEWEST
        table = np.zeros(1, np.uint8) if ends else self.solved[other - 1, mover]
        return ends, table, (sets.representatives, sets.class_of, sets.symmetry_of)

    def _sets(self, stones: int) -> Any:
        sets = blocks_of(self.board, stones).sets
        return sets.representatives, sets.class_of, sets.symmetry_of, sets.keepers

    def _tables(self) -> Any:
        return self.index.low, self.index.high, self.index.images, self.index.choose
