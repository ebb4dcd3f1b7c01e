"""The processor as an engine: all cores share out the blocks of a subspace; and what it has in common with a GPU.

`OneMemory` is the part of an engine that keeps whole subspaces in one memory, this machine's or a GPU's. It knows what
belongs to a pair, and leaves the arrays and the sweeps over them to its subclasses.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game
from noughts.solve.machine import PARTS, cores_of, share
from noughts.solve.morris import kernel
from noughts.solve.morris.kernel import DRAWN, LOST, SAFE, WON, Below, PlacingWork, Work
from noughts.solve.morris.numbering import blocks_of, combinations, index_of, sets_of
from noughts.solve.morris.subspaces import DRAW, FEWEST, Key, below, keys_of, slots_of

__all__ = ["OneMemory", "Processor"]

Bytes = NDArray[np.uint8]

_NOTHING = np.zeros(1, np.uint8)
_OUTCOMES = np.where(np.arange(256) == DRAW, DRAWN, np.where(np.arange(256) % 2 == 1, WON, LOST)).astype(np.uint8)
"""What a byte of plies says, as an outcome."""


class OneMemory(ABC):
    """An engine that keeps whole subspaces in one memory."""

    def __init__(self) -> None:
        self._works: dict[Key, Work] = {}
        self._held: dict[Key, Any] = {}
        """By the other side, the subspaces that captures of later pairs lead to."""

    @abstractmethod
    def undecided(self, slots: int) -> Any:
        """So many bytes in the engine's memory, all of them DRAW."""

    @abstractmethod
    def load(self, values: Any) -> Any:
        """Arrays, or tuples of them, that stay the same: in the engine's memory, once and for all."""

    @abstractmethod
    def take(self, values: Bytes) -> Any:
        """An array in the engine's memory, as long as it is needed."""

    @abstractmethod
    def host(self, array: Any) -> Bytes:
        """An array as NumPy has it."""

    def seal(self, array: Any) -> Any:
        """An array that will only be read from now on."""
        return array

    @abstractmethod
    def sweep_begin(self, work: Work) -> int:
        """Write what captures and blocked positions decide; the largest value."""

    @abstractmethod
    def sweep_push(self, work: Work, depth: int, following: Any) -> int:
        """Go from what is decided at a depth to the positions before it; the largest value found."""

    @abstractmethod
    def sweep_gather(self, work: Work) -> None:
        """Fill the values by the other side from those by the mover."""

    @abstractmethod
    def sweep_settle(self, by_other: Any) -> None:
        """What is safe and not won is a draw."""

    @abstractmethod
    def sweep_count(self, work: Work) -> NDArray[np.int64]:
        """How many different positions have each value."""

    def open(self, game: Game, pair: Key, read: Callable[[Key], Bytes]) -> None:
        # Captures lead to pairs with one stone less and to no others.
        self._held = {key: values for key, values in self._held.items() if sum(key) >= sum(pair) - 1}
        self._works = {}
        for key in keys_of(pair):
            smaller = below(key)
            if smaller and smaller not in self._held:
                self._held[smaller] = self._recall(game, smaller, read)
            self._works[key] = self._work(game, key, self._held[smaller] if smaller else None)

    def begin(self, advance: Callable[[float], None]) -> tuple[int, int]:
        top = 0
        for number, work in enumerate(self._works.values(), 1):
            top = max(top, self.sweep_begin(work))
            advance(number / len(self._works))
        return top, 0

    def push(self, depth: int) -> int:
        works = self._works.items()
        return max(self.sweep_push(work, depth, self._works[key[::-1]].by_mover) for key, work in works)

    def settle(self) -> dict[Key, NDArray[np.int64]]:
        counts = {}
        for key, work in self._works.items():
            self.sweep_settle(work.by_other)
            counts[key] = self.sweep_count(work)
            self._held[key] = self.seal(work.by_other)
            # What captures gave is not needed any more; the next pair needs the room.
            self._works[key] = work._replace(by_other=None, closed=None)
        return counts

    def fetch(self, key: Key) -> Bytes:
        return self.host(self._works.pop(key).by_mover)

    def release(self) -> None:
        self._works = {}

    def close(self) -> None:
        self._held = {}

    def _recall(self, game: Game, key: Key, read: Callable[[Key], Bytes]) -> Any:
        """The values by the other side of a subspace that was solved before."""
        work = self._work(game, key, None)._replace(by_mover=self.take(read(key)))
        self.sweep_gather(work)
        return self.seal(work.by_other)

    def _work(self, game: Game, key: Key, captured: Any) -> Work:
        """A subspace in which nothing is known, and by the other side the one that captures lead to."""
        mover, other = key
        layout, load = game.layout, self.load
        points = len(layout)
        return Work(
            by_other=self.undecided(slots_of(game, key[::-1])),
            closed=self.undecided(slots_of(game, key[::-1])),
            by_mover=self.undecided(slots_of(game, key)),
            size=len(combinations(points - mover, other)),
            words=load(combinations(points - other, mover)),
            flying=mover == FEWEST,
            blocks=load(blocks_of(layout, other)),
            movers=load(sets_of(layout, mover)),
            below=Below(
                below(key) is None,
                self.seal(load(_NOTHING)) if captured is None else captured,
                len(combinations(points - mover, other - 1)),
            ),
            ranking=load(index_of(layout)),
        )


class Processor(OneMemory):
    """Works in the memory of this process."""

    def __init__(self, cores: int | None = None) -> None:
        super().__init__()
        self.cores = cores or cores_of()

    def undecided(self, slots: int) -> Bytes:
        return np.full(slots, DRAW, np.uint8)

    def load(self, values: Any) -> Any:
        return values

    def take(self, values: Bytes) -> Bytes:
        return values

    def host(self, array: Bytes) -> Bytes:
        return array

    def seal(self, array: Bytes) -> Bytes:
        """Read-only, as what comes from another process is: so the sweeps are compiled once for both."""
        sealed = array.view()
        sealed.flags.writeable = False
        return sealed

    def sweep_begin(self, work: Work) -> int:
        return max(map(int, self._share(kernel.begin, work)))

    def sweep_push(self, work: Work, depth: int, following: Bytes) -> int:
        return max(map(int, self._share(kernel.push, work, depth, following)))

    def sweep_gather(self, work: Work) -> None:
        self._share(kernel.gather, work)

    def sweep_settle(self, by_other: Bytes) -> None:
        by_other[by_other == SAFE] = DRAW

    def sweep_count(self, work: Work) -> NDArray[np.int64]:
        blocks = len(work.blocks.sets)
        counts = np.zeros((PARTS * self.cores, 256), np.int64)
        share(self.cores, kernel.count, blocks, lambda part: (work, counts[part]))
        total: NDArray[np.int64] = counts.sum(axis=0)
        return total

    def outcomes(self, values: Bytes) -> Bytes:
        """Bytes of plies as outcomes, for the placing phase."""
        return _OUTCOMES[values]

    def place(self, work: PlacingWork, slots: int) -> Bytes:
        """The outcomes by the mover of a subspace of the placing phase."""
        by_mover = np.full(slots, DRAWN, np.uint8)
        rooms = [
            work._replace(by_mover=by_mover, closed=np.zeros(len(work.after), np.uint8))
            for _ in range(PARTS * self.cores)
        ]
        share(self.cores, kernel.place, len(work.blocks.sets), lambda part: (rooms[part],))
        return by_mover

    def _share(self, loop: Any, work: Work, *more: Any) -> list[Any]:
        return share(self.cores, loop, len(work.blocks.sets), lambda _part: (work, *more))
