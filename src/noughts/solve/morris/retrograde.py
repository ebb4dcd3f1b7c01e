"""A morris game solved backwards: subspaces in the order in which captures lead from one to another.

This is retrograde analysis. A capture takes a stone from the other side, who is then to move: from subspace (m, o) to
(o − 1, m). A quiet move leads from (m, o) to (o, m). So (m, o) and (o, m) are solved together, after all pairs with
fewer stones. Within a pair, first what captures alone decide; then, depth by depth, from every position that is decided
at that depth to those that can move to it. A capture may decide a loss that is deeper than the present depth: so a pair
is finished only when the depth has passed the largest value there is.

Whatever is done to a whole subspace is done by an engine: the processor's cores (`processor`), a GPU (`gpu`) or the
machines of a cluster (`cluster`).
"""

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game
from noughts.solve.morris.subspaces import DRAW, Key, keys_of, meaning, name_of, order, slots_of
from noughts.solve.solution import Progress, Subspace, tally

__all__ = ["Engine", "Known", "Solved", "Witness", "solve_morris"]

BEGINNING = 0.4
"""About what part of the time is spent on captures and blocked positions, before the first depth."""

Bytes = NDArray[np.uint8]


class Engine(Protocol):
    """Whoever works on whole subspaces, a pair at a time, in whatever memory."""

    def open(self, game: Game, pair: Key, read: Callable[[Key], Bytes]) -> None:
        """Turn to a pair. The subspaces that captures lead to are kept from earlier pairs, else `read` gives them."""

    def begin(self, advance: Callable[[float], None]) -> tuple[int, int]:
        """Write what captures and blocked positions decide: the largest value, and the depth to push from first.

        The depth is 0, unless an earlier run was interrupted later than that and the engine remembers it.
        """

    def push(self, depth: int) -> int:
        """Go from what is decided at a depth to the positions before it; the largest value found."""

    def settle(self) -> dict[Key, NDArray[np.int64]]:
        """What is not decided is a draw: how many different positions have each value, in each subspace."""

    def fetch(self, key: Key) -> Bytes:
        """The values of a subspace, by the mover."""

    def release(self) -> None:
        """The pair is kept elsewhere now; only what captures lead to is needed of it."""

    def close(self) -> None:
        """No other pair will come."""


class Known(Protocol):
    """Where subspaces are that were solved before."""

    def has(self, key: Key, /) -> bool:
        """Whether a subspace is there."""

    def read(self, mover: int, other: int, /) -> Bytes:
        """Its values by the mover."""


class Witness(Protocol):
    """Whoever checks what was solved: see `noughts.solve.morris.check`."""

    def check(self, keys: list[Key], read: Callable[[Key], Bytes]) -> None:
        """Recompute all values of some subspaces from their successors; raises an error if one does not follow."""


class Solved(NamedTuple):
    """A subspace, solved."""

    mover: int
    other: int
    by_mover: Bytes
    """A byte a position, in the block of the mover's set: 255 for a draw, else plies, odd for a win."""
    counts: NDArray[np.int64]
    """How many different positions have each value."""
    seconds: float

    def part(self, first: int, last: int) -> Bytes:
        """Some of the bytes, from the first to before the last."""
        return self.by_mover[first:last]

    def summary(self) -> Subspace:
        """The row that people read."""
        values = [(meaning(byte), int(count)) for byte, count in enumerate(self.counts)]
        return tally(name_of((self.mover, self.other)), len(self.by_mover), values, self.seconds)


def solve_morris(
    game: Game,
    most: int,
    progress: Progress | None = None,
    known: Known | None = None,
    engine: Engine | None = None,
    witness: Witness | None = None,
) -> Iterator[Solved]:
    """Solve all subspaces with at most so many stones a side, and give each when it is done.

    Subspaces that are known are not given again, and read only where captures lead to them. A witness checks all of
    them, those that were known as well. The engine is the processor, unless another is given; whoever gave it closes
    it.
    """
    if engine is None:
        from noughts.solve.morris.processor import Processor  # noqa: PLC0415  loads the compiler

        engine = Processor()
    pairs = order(most)
    sizes = [sum(slots_of(game, key) for key in keys_of(pair)) for pair in pairs]
    fresh: dict[Key, Bytes] = {}

    def read(key: Key) -> Bytes:
        if key in fresh:
            return fresh[key]
        assert known is not None
        return known.read(*key)

    for number, pair in enumerate(pairs):
        advance = _stretch(progress, sum(sizes[:number]), sizes[number], sum(sizes))
        advance(0)
        # The witness looks at what captures lead to, pairs with one stone less.
        fresh = {key: values for key, values in fresh.items() if sum(key) >= sum(pair) - 1}
        keys = keys_of(pair)
        if known is not None and all(map(known.has, keys)):
            if witness:
                witness.check(keys, read)
            continue
        began = perf_counter()
        engine.open(game, pair, read)
        _solve(engine, advance)
        counts = engine.settle()
        seconds = (perf_counter() - began) / len(keys)
        if witness:
            fresh |= {key: engine.fetch(key) for key in keys}
            witness.check(keys, read)
        for key in keys:
            yield Solved(*key, fresh[key] if key in fresh else engine.fetch(key), counts[key], seconds)
        engine.release()


def _solve(engine: Engine, advance: Callable[[float], None]) -> None:
    """All depths of a pair."""
    top, depth = engine.begin(lambda part: advance(BEGINNING * part))
    furthest = BEGINNING
    while depth <= top:
        top = max(top, engine.push(depth))
        depth += 1
        # New values may turn up that are deeper than all before; the bar does not go back.
        furthest = max(furthest, BEGINNING + (1 - BEGINNING) * depth / (top + 1))
        advance(furthest)
    # 254 means safe, 255 a draw: a win or a loss must be less deep.
    assert top < DRAW - 1


def _stretch(progress: Progress | None, before: int, size: int, total: int) -> Callable[[float], None]:
    """Tell how much of one pair is done, as part of the whole."""

    def advance(part: float) -> None:
        if progress:
            progress(before + int(part * size), total)

    return advance
