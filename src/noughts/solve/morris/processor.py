"""The processor as an engine: all cores share out the blocks of a subspace; and what it has in common with a GPU.

`OneMemory` is the part of an engine that keeps whole subspaces in one memory, this machine's or a GPU's. It knows what
belongs to a group, and leaves the arrays and the sweeps over them to its subclasses.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game
from noughts.solve.machine import PARTS, cores_of, share
from noughts.solve.morris import kernel
from noughts.solve.morris.kernel import SAFE, Captures, Placing, Work
from noughts.solve.morris.numbering import blocks_of, combinations, index_of, sets_of
from noughts.solve.morris.subspaces import DRAW, Key, exchanged, in_hand, leads, slots_of, steps

__all__ = ["OneMemory", "Processor", "work_on"]

Bytes = NDArray[np.uint8]

_NOTHING = np.zeros(1, np.uint8)
_NO_WORDS = np.zeros(1, np.uint32)
"""Not none: nobody has to care for empty arrays on a GPU."""


def work_on(game: Game, key: Key, values: Callable[[Key], Any], nothing: Any) -> Work:
    """A subspace, without room for what is to be found; `values` gives those of others, by their movers.

    Args:
        game: A morris game.
        key: One of its subspaces.
        values: Where moves lead, in the memory of an engine.
        nothing: Stands where there are no such values.
    """
    mover, other = key[:2]
    layout, rules = game.layout, game.rules
    points, lead = len(layout), leads(game, key)
    full = mover + other == points

    def captures(to: Key | None, mine: int) -> Captures:
        size = len(combinations(points - to[0], mine)) if to else 0
        return Captures(to is None, values(to) if to else nothing, size, sets_of(layout, max(0, other - 1)))

    return Work(
        by_other=None,
        closed=None,
        by_mover=None,
        size=len(combinations(points - mover, other)),
        words=combinations(points - other, mover),
        steps=steps(game, key),
        flying=in_hand(key)[0] == 0 and mover <= rules.flying,
        stuck=DRAW if full and rules.full_board_draws else 0,
        blocks=blocks_of(layout, other),
        movers=sets_of(layout, mover),
        captures=captures(lead.captured, mover),
        placing=Placing(
            lead.placed is not None,
            combinations(points - other, mover + 1) if lead.placed else _NO_WORDS,
            values(lead.placed) if lead.placed else nothing,
            None,
            captures(lead.placed_captured, mover + 1),
        ),
        ranking=index_of(layout),
    )


class OneMemory(ABC):
    """An engine that keeps whole subspaces in one memory."""

    def __init__(self) -> None:
        self._works: dict[Key, Work] = {}
        self._held: dict[Key, Any] = {}
        """By the mover, the subspaces to which moves of later ones lead."""

    @abstractmethod
    def room(self, slots: int) -> Any:
        """So many bytes in the engine's memory, whatever they are: all will be written before they are read."""

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
        """An array of the engine's memory as NumPy has it."""

    def seal(self, array: Any) -> Any:
        """An array that will only be read from now on."""
        return array

    @abstractmethod
    def sweep_begin(self, work: Work) -> int:
        """Write what captures, stones from the hand and blocked positions decide; the largest value."""

    @abstractmethod
    def sweep_push(self, work: Work, depth: int, following: Any) -> int:
        """Go from what is decided at a depth to the positions before it; the largest value found."""

    @abstractmethod
    def sweep_settle(self, by_other: Any) -> None:
        """What is safe and not won is a draw."""

    @abstractmethod
    def sweep_count(self, work: Work) -> NDArray[np.int64]:
        """How many different positions have each value."""

    def open(self, game: Game, group: list[Key], read: Callable[[Key], Bytes]) -> None:
        self._works = {}
        for key in group:
            work = self.load(work_on(game, key, lambda to: self.hold(to, read), self.seal(self.load(_NOTHING))))
            blocks = len(work.blocks.sets)
            self._works[key] = work._replace(
                by_other=self.room(blocks * len(work.words)),
                closed=self.room(blocks * len(work.words) if work.steps else 1),
                by_mover=self.undecided(slots_of(game, key)),
                placing=work.placing._replace(closed=self.room(blocks * len(work.placing.words))),
            )

    def hold(self, key: Key, read: Callable[[Key], Bytes]) -> Any:
        if key not in self._held:
            self._held[key] = self.seal(self.take(read(key)))
        return self._held[key]

    def begin(self, advance: Callable[[float], None]) -> tuple[int, int]:
        top = 0
        for number, work in enumerate(self._works.values(), 1):
            top = max(top, self.sweep_begin(work))
            advance(number / len(self._works))
        return top, 0

    def push(self, depth: int) -> int:
        works = self._works.items()
        return max(
            self.sweep_push(work, depth, self._works[exchanged(key)].by_mover) for key, work in works if work.steps
        )

    def settle(self) -> dict[Key, NDArray[np.int64]]:
        counts = {}
        for key, work in self._works.items():
            self.sweep_settle(work.by_other)
            counts[key] = self.sweep_count(work)
            # What captures gave, and values by the other side, are not needed any more; what comes next needs the room.
            self._held[key] = self.seal(work.by_mover)
        self._works = {}
        return counts

    def fetch(self, key: Key) -> Callable[[], Bytes]:
        return partial(self.host, self._held[key])

    def forget(self, keys: Iterable[Key]) -> None:
        for key in keys:
            self._held.pop(key, None)

    def close(self) -> None:
        self._held, self._works = {}, {}


class Processor(OneMemory):
    """Works in the memory of this process."""

    def __init__(self, cores: int | None = None) -> None:
        super().__init__()
        self.cores = cores or cores_of()

    def room(self, slots: int) -> Bytes:
        return np.empty(slots, np.uint8)

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

    def sweep_settle(self, by_other: Bytes) -> None:
        by_other[by_other == SAFE] = DRAW

    def sweep_count(self, work: Work) -> NDArray[np.int64]:
        blocks = len(work.blocks.sets)
        counts = np.zeros((PARTS * self.cores, 256), np.int64)
        share(self.cores, kernel.count, blocks, lambda part: (work, counts[part]))
        total: NDArray[np.int64] = counts.sum(axis=0)
        return total

    def _share(self, loop: Any, work: Work, *more: Any) -> list[Any]:
        return share(self.cores, loop, len(work.blocks.sets), lambda _part: (work, *more))
