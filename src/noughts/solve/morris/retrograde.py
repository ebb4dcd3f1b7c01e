"""A morris game solved backwards: subspaces in the order in which captures lead from one to another.

A capture takes a stone from the other side, who is then to move: from subspace (m, o), m stones of the side to move and
o of the other, to (o − 1, m). A quiet move leads from (m, o) to (o, m). So (m, o) and (o, m) are solved together, after
all pairs with fewer stones. Within a pair, first what captures alone decide; then, depth by depth, from every position
that is decided at that depth to those that can move to it. A capture may decide a loss that is deeper than the present
depth: so a pair is finished only when the depth has passed the largest value there is.

What is done to a whole table is done by an engine: the processor's cores (`processor`) or a GPU (`gpu`).
"""

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game, NoughtsError
from noughts.solve.morris.blocks import blocks_of
from noughts.solve.morris.index import combinations, index_of, sets_of
from noughts.solve.morris.kernel import DRAW, SAFE, Below, Movers, Tables
from noughts.solve.morris.processor import Processor
from noughts.solve.morris.work import Work
from noughts.solve.solution import Progress, Subspace

__all__ = ["FEWEST", "Engine", "Key", "Known", "Solved", "WrongValueError", "keys_of", "order", "slots", "solve_morris"]

FEWEST = 3
"""Stones with which a side plays on, and flies."""

BEGINNING = 0.4
"""About what part of the time is spent on captures and blocked positions, before the first depth."""

_NOTHING = np.zeros(1, np.uint8)

Bytes = NDArray[np.uint8]
Key = tuple[int, int]
"""A subspace: the stones of the side to move, and of the other."""


class Engine(Protocol):
    """Whoever works on whole tables; `array` is wherever its memory is."""

    def undecided(self, slots: int) -> Any:
        """A table in which nothing is known."""

    def load(self, values: Any) -> Any:
        """Arrays, or tuples of them, that stay the same: in the engine's memory, once and for all."""

    def take(self, table: Bytes) -> Any:
        """A table in the engine's memory, as long as it is needed."""

    def host(self, array: Any) -> Bytes:
        """A table as NumPy has it."""

    def begin(self, work: Work) -> int:
        """Write what captures and blocked positions decide; the largest value."""

    def push(self, work: Work, depth: int, following: Any) -> int:
        """Go from what is decided at a depth to the positions before it; the largest value found."""

    def gather(self, work: Work) -> None:
        """Fill the table by the other side from the one by the mover."""

    def settle(self, table: Any) -> None:
        """What is safe and not won is a draw."""

    def count(self, work: Work) -> NDArray[np.int64]:
        """How many different positions have each value."""

    def check(self, work: Work, following: Any) -> tuple[int, int | None]:
        """Whether values do not follow from their successors, 0 if all do, and the first slot of these."""


class Known(Protocol):
    """Where subspaces are that were solved before."""

    def has(self, key: Key, /) -> bool:
        """Whether a subspace is there."""

    def read(self, mover: int, other: int, /) -> Bytes:
        """Its table by the mover."""


class WrongValueError(NoughtsError):
    """A value that does not follow from those of its successors."""


class Solved(NamedTuple):
    """A subspace, solved."""

    mover: int
    other: int
    by_mover: Bytes
    """A byte a position, in the block of the mover's set: 255 for a draw, else plies, odd for a win."""
    counts: NDArray[np.int64]
    """How many different positions have each value."""
    seconds: float

    def summary(self) -> Subspace:
        """The row that people read."""
        plies = np.arange(DRAW)
        wins, losses = self.counts[:DRAW][plies % 2 == 1], self.counts[:DRAW][plies % 2 == 0]
        return Subspace(
            f"{self.mover}-{self.other}",
            len(self.by_mover),
            int(self.counts.sum()),
            int(wins.sum()),
            int(losses.sum()),
            int(self.counts[DRAW]),
            2 * int(np.flatnonzero(wins)[-1]) + 1 if wins.any() else None,
            2 * int(np.flatnonzero(losses)[-1]) if losses.any() else None,
            self.seconds,
        )


def order(most: int) -> list[Key]:
    """Pairs of numbers of stones, the fewer first, in an order in which every capture leads to an earlier pair."""
    pairs = [(few, many) for many in range(FEWEST, most + 1) for few in range(FEWEST, many + 1)]
    return sorted(pairs, key=lambda pair: (sum(pair), pair))


def keys_of(pair: Key) -> list[Key]:
    """The subspaces of a pair."""
    return list(dict.fromkeys([pair, pair[::-1]]))


def slots(game: Game, key: Key) -> int:
    """The size of a subspace's table by the other side; by the mover it is that of the sides exchanged."""
    mover, other = key
    return len(sets_of(game.layout, other).representatives) * len(combinations(len(game.layout) - other, mover))


def solve_morris(
    game: Game,
    most: int,
    progress: Progress | None = None,
    known: Known | None = None,
    engine: Engine | None = None,
    check: bool = False,
) -> Iterator[Solved]:
    """Solve all subspaces with at most so many stones a side, and give each when it is done.

    Subspaces that are known are not given again, and read only where captures lead to them. With `check`, every value
    is recomputed from its successors, of those that were known as well.
    """
    engine = engine or Processor()
    solved: dict[Key, Any] = {}
    pairs = order(most)
    sizes = [sum(slots(game, key) for key in keys_of(pair)) for pair in pairs]
    for number, pair in enumerate(pairs):
        advance = _stretch(progress, sum(sizes[:number]), sizes[number], sum(sizes))
        advance(0)
        whole = known is not None and all(map(known.has, keys_of(pair)))
        if whole and not check:
            continue
        # Captures lead to pairs with one stone less and to no others.
        solved = {key: table for key, table in solved.items() if sum(key) >= sum(pair) - 1}
        task = _Pair(game, pair, solved, engine, known)
        if known is not None and whole:
            task.recall(known)
            task.check()
            solved |= task.tables
            continue
        began = perf_counter()
        task.solve(advance)
        counts = [engine.count(task.works[key]) for key in task.keys]
        seconds = (perf_counter() - began) / len(task.keys)
        if check:
            task.check()
        solved |= task.tables
        by_mover = {key: task.works[key].by_mover for key in task.keys}
        # The next pair needs the room.
        del task
        for key, counted in zip(keys_of(pair), counts, strict=True):
            yield Solved(*key, engine.host(by_mover.pop(key)), counted, seconds)


def _stretch(progress: Progress | None, before: int, size: int, total: int) -> Callable[[float], None]:
    """Tell how much of one pair is done, as part of the whole."""

    def advance(part: float) -> None:
        if progress:
            progress(before + int(part * size), total)

    return advance


class _Pair:
    """The subspaces (few, many) and (many, few), or the one that they are."""

    def __init__(self, game: Game, pair: Key, solved: dict[Key, Any], engine: Engine, known: Known | None) -> None:
        self.game = game
        self.engine = engine
        self.keys = keys_of(pair)
        for mover, other in self.keys:
            if other > FEWEST and (other - 1, mover) not in solved:
                assert known is not None
                solved[other - 1, mover] = self._by_other((other - 1, mover), known)
        self.works = {key: self._work(key, solved) for key in self.keys}

    @property
    def tables(self) -> dict[Key, Any]:
        """The tables by the other side, to which larger pairs look."""
        return {key: work.table for key, work in self.works.items()}

    def recall(self, known: Known) -> None:
        """Take the tables from where they are kept."""
        for key in self.keys:
            self.works[key] = self.works[key]._replace(by_mover=self.engine.take(known.read(*key)))
            self.engine.gather(self.works[key])

    def solve(self, advance: Callable[[float], None]) -> None:
        """Fill both tables."""
        top = depth = 0
        for number, work in enumerate(self.works.values(), 1):
            top = max(top, self.engine.begin(work))
            advance(BEGINNING * number / len(self.works))
        furthest = BEGINNING
        while depth <= top:
            for (mover, other), work in self.works.items():
                top = max(top, self.engine.push(work, depth, self.works[other, mover].by_mover))
            depth += 1
            furthest = max(furthest, BEGINNING + (1 - BEGINNING) * depth / (top + 1))
            advance(furthest)
        assert top < SAFE
        for table in self.tables.values():
            self.engine.settle(table)

    def check(self) -> None:
        """Recompute every value from its successors."""
        for (mover, other), work in self.works.items():
            wrong, slot = self.engine.check(work, self.works[other, mover].by_mover)
            if wrong:
                raise WrongValueError(
                    f"{mover}-{other}: the value in slot {slot:,} does not follow from its successors"
                )

    def _by_other(self, key: Key, known: Known) -> Any:
        """The table by the other side of a subspace that is known."""
        smaller = (key[1] - 1, key[0])
        work = self._work(key, {smaller: self.engine.load(_NOTHING)})
        work = work._replace(by_mover=self.engine.take(known.read(*key)))
        self.engine.gather(work)
        return work.table

    def _work(self, key: Key, solved: dict[Key, Any]) -> Work:
        mover, other = key
        layout, load = self.game.layout, self.engine.load
        points = len(layout)
        movers, others, index = sets_of(layout, mover), sets_of(layout, other), index_of(layout)
        ends = other - 1 < FEWEST
        smaller = load(_NOTHING) if ends else solved[other - 1, mover]
        return Work(
            table=self.engine.undecided(slots(self.game, key)),
            closed=self.engine.undecided(slots(self.game, key)),
            by_mover=self.engine.undecided(slots(self.game, key[::-1])),
            size=len(combinations(points - mover, other)),
            words=load(combinations(points - other, mover)),
            flying=mover == FEWEST,
            blocks=load(blocks_of(layout, other)),
            movers=load(Movers(movers.representatives, movers.class_of, movers.symmetry_of, movers.keepers)),
            below=Below(ends, smaller, 0 if ends else len(combinations(points - mover, other - 1))),
            ranking=load(Tables(*index[1:])),
            keepers=load(others.keepers),
        )
