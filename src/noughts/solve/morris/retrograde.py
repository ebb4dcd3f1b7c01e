"""A morris game solved backwards: subspaces in the order in which captures, and stones from the hand, lead back.

This is retrograde analysis. A capture takes a stone from the other side, who is then to move: from subspace (m, o) to
(o − 1, m). A stone that is placed is one less in hand. Both lead to subspaces that are solved before. A quiet step
leads from (m, o) to (o, m), so these two are solved together, as a group (`subspaces`). Within a group, first what
captures and stones from the hand decide; then, depth by depth, from every position that is decided at that depth to
those that can step to it. A capture may decide a loss that is deeper than the present depth: so a group is finished
only when the depth has passed the largest value there is. Where nothing steps, as while all place, the beginning is
all.

Whatever is done to a whole subspace is done by an engine: the processor's cores (`processor`), a GPU (`gpu`) or the
machines of a cluster (`cluster`). The values stay in the engine's memory, and leave it only for whoever asks for them:
counts alone take no copy, and a check looks at them where they are.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game, NoughtsError
from noughts.solve.morris.subspaces import DRAW, Key, groups, in_hand, leads, meaning, name_of, slots_of, steps
from noughts.solve.solution import Progress, Subspace, tally

__all__ = ["Engine", "Known", "Solved", "Witness", "idle_after", "solve_morris"]

DEEPEST = DRAW - 3
"""Plies of the longest win or loss that there may be: 254 means safe, and 253 would make a loss in 254."""
BEGINNING = 0.4
"""About what part of the time is spent on captures and blocked positions, before the first depth."""

Bytes = NDArray[np.uint8]


class Engine(Protocol):
    """Whoever works on whole subspaces, a group at a time, in whatever memory."""

    def open(self, game: Game, group: list[Key], read: Callable[[Key], Bytes]) -> None:
        """Turn to a group. The subspaces that its moves lead to are held from before, else `read` gives them."""

    def hold(self, key: Key, read: Callable[[Key], Bytes]) -> Any:
        """The values of a subspace by the mover, in the engine's memory; `read` gives those that are not held yet."""

    def begin(self, advance: Callable[[float], None]) -> tuple[int, int]:
        """Write what captures, stones from the hand and blocked positions decide: the largest value, and a depth.

        The depth is the one to push from first: 0, unless an earlier run was interrupted later than that and the engine
        remembers it.
        """

    def push(self, depth: int) -> int:
        """Go from what is decided at a depth to the positions before it; the largest value found."""

    def settle(self) -> dict[Key, NDArray[np.int64]]:
        """What is not decided is a draw: how many different positions have each value, in each subspace."""

    def fetch(self, key: Key) -> Callable[[], Bytes]:
        """A function that gives the values of a subspace that is held, by the mover.

        As long as somebody keeps it, it keeps what it needs, whatever the engine forgets.
        """

    def forget(self, keys: Iterable[Key]) -> None:
        """Of all that is held, what no move leads to for a while. The group is kept elsewhere, if anybody keeps it."""

    def close(self) -> None:
        """No other group will come."""


class Known(Protocol):
    """Where subspaces are that were solved before."""

    def has(self, key: Key, /) -> bool:
        """Whether a subspace is there."""

    def read(self, *key: int) -> Bytes:
        """Its values by the mover."""


class Witness(Protocol):
    """Whoever checks what was solved: see `noughts.solve.morris.check`."""

    def check(self, keys: list[Key], values: Callable[[Key], Any], counts: dict[Key, NDArray[np.int64]]) -> None:
        """Recompute all values of some subspaces from their successors; raises an error if one does not follow.

        `values` gives those of a subspace by the mover, in the memory of the engine that solves. `counts` has how many
        positions are said to have each value, for the subspaces that have just been solved.
        """


@dataclass(frozen=True, eq=False)
class Solved:
    """A subspace, solved. Whoever keeps it keeps its values in the memory in which they were found."""

    key: Key
    slots: int
    """How many values it has."""
    counts: NDArray[np.int64]
    """How many different positions have each value."""
    seconds: float
    fetch: Callable[[], Bytes]
    """What `by_mover` comes from."""

    @cached_property
    def by_mover(self) -> Bytes:
        """A byte a position, in the block of the mover's set: 255 for a draw, else plies, odd for a win.

        They are fetched when they are first asked for.
        """
        return self.fetch()

    def part(self, first: int, last: int) -> Bytes:
        """Some of the bytes, from the first to before the last."""
        return self.by_mover[first:last]

    def summary(self) -> Subspace:
        """The row that people read."""
        values = [(meaning(byte), int(count)) for byte, count in enumerate(self.counts)]
        return tally(name_of(self.key), self.slots, values, self.seconds)


def solve_morris(
    game: Game,
    most: int | None = None,
    progress: Progress | None = None,
    known: Known | None = None,
    engine: Engine | None = None,
    witness: Witness | None = None,
) -> Iterator[Solved]:
    """Solve a morris game, and give each subspace when it is done.

    Subspaces that are known are not given again, and read only where moves lead to them. A witness checks all of them,
    those that were known as well.

    Args:
        game: A morris game.
        most: Only positions with empty hands, and at most so many stones a side; None for all.
        progress: Told how far it is.
        known: What was solved before, and keeps what is given: then not everything is held until it is needed.
        engine: Does the work, and is closed by whoever gave it; the processor, if none is given.
        witness: Checks what was solved.
    """
    if engine is None:
        from noughts.solve.morris.processor import Processor  # noqa: PLC0415  loads the compiler

        engine = Processor()
    ordered = groups(game, most)
    sizes = [sum(slots_of(game, key) for key in group) for group in ordered]
    idle = idle_after(game, ordered, kept=known is not None)

    def read(key: Key) -> Bytes:
        assert known is not None
        return known.read(*key)

    for number, group in enumerate(ordered):
        advance = _stretch(progress, sum(sizes[:number]), sizes[number], sum(sizes))
        advance(0)
        solved: list[Solved] = []
        counts: dict[Key, NDArray[np.int64]] = {}
        if known is None or not all(map(known.has, group)):
            began = perf_counter()
            engine.open(game, group, read)
            _solve(engine, game, group, advance)
            counts = engine.settle()
            seconds = (perf_counter() - began) / len(group)
            solved = [Solved(key, slots_of(game, key), counts[key], seconds, engine.fetch(key)) for key in group]
        if witness:
            witness.check(group, lambda key: engine.hold(key, read), counts)
        # Whoever is given a subspace decides how long it is kept.
        while solved:
            yield solved.pop(0)
        engine.forget(idle[number])


def idle_after(game: Game, ordered: list[list[Key]], *, kept: bool) -> list[list[Key]]:
    """For every group, which subspaces nobody looks at for a while once it is solved.

    That is for ever, or, if they are kept elsewhere, until positions with more stones in hand are solved.
    """
    uses: dict[Key, list[int]] = {}
    for number, group in enumerate(ordered):
        for key in group:
            for used in {key, *filter(None, leads(game, key))}:
                uses.setdefault(used, []).append(number)
    placed = [sum(in_hand(group[0])) for group in ordered]
    idle: list[list[Key]] = [[] for _ in ordered]
    for key, numbers in uses.items():
        for number, next_ in zip(numbers, [*numbers[1:], None], strict=True):
            if next_ is None or (kept and placed[next_] != placed[number]):
                idle[number].append(key)
    return idle


def _solve(engine: Engine, game: Game, group: list[Key], advance: Callable[[float], None]) -> None:
    """All depths of a group. Raises an error as soon as a value turns up that is deeper than a byte can say."""
    pushes = any(steps(game, key) for key in group)
    top, depth = engine.begin(lambda part: advance(BEGINNING * part))
    furthest = BEGINNING
    while pushes and depth <= top <= DEEPEST:
        top = max(top, engine.push(depth))
        depth += 1
        # New values may turn up that are deeper than all before; the bar does not go back.
        furthest = max(furthest, BEGINNING + (1 - BEGINNING) * depth / (top + 1))
        advance(furthest)
    if top > DEEPEST:
        what = f"{game.name} has wins at {name_of(group[0])} that take more than {DEEPEST} plies"
        raise NoughtsError(f"{what}: expected no more, which is what a byte of a table holds")


def _stretch(progress: Progress | None, before: int, size: int, total: int) -> Callable[[float], None]:
    """Tell how much of one group is done, as part of the whole."""

    def advance(part: float) -> None:
        if progress:
            progress(before + int(part * size), total)

    return advance
