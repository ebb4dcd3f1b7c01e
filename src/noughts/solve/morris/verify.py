"""The check of a table on disk: all its bytes by the forward check (`check`), or a sample of them, and its counts.

The subspaces are read in the order in which they were solved, and each is held until the last one has been checked
whose moves lead to it.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from noughts.games import Game
from noughts.solve.morris.check import Checked, Checker, ProcessorChecker, Space, Spaces, describe
from noughts.solve.morris.numbering import combinations
from noughts.solve.morris.retrograde import idle_after
from noughts.solve.morris.subspaces import Key, groups, led_to, name_of
from noughts.solve.solution import Progress
from noughts.solve.store import Store, TableError
from noughts.solve.verify import Verified

__all__ = ["verify"]

SEED = 1
"""Of the samples: the same table gets the same sample."""


def verify(
    store: Store, sample: int | None = None, progress: Progress | None = None, checker: Checker | None = None
) -> Verified:
    """Check all bytes of a table, or a random sample of so many a subspace, and the counts where all were checked."""
    # A sample is small: wherever the rest would be checked, the processor does it.
    checker = ProcessorChecker() if sample is not None else checker or ProcessorChecker()
    game, keys, spaces = store.game, store.keys(), Spaces(store.game)
    ordered = groups(game)
    idle = {group[-1]: keys for group, keys in zip(ordered, idle_after(game, ordered, kept=True), strict=True)}
    held: dict[Key, Any] = {}
    total = sum(store.entry(key).row.slots for key in keys)
    done = checked = 0
    unchecked = []
    for key in keys:
        slots = store.entry(key).row.slots
        if progress:
            progress(done, total)
        needed = list(dict.fromkeys([key, *led_to(game, key)]))
        if not all(map(store.has, needed)):
            unchecked.append(name_of(key))
            continue
        try:
            held |= {one: checker.take(store.read(*one)) for one in needed if one not in held}
        except TableError as error:
            return Verified(checked, str(error), tuple(unchecked))
        space = spaces.of(key, held.__getitem__)
        advance = _advance(progress, done, slots, total)
        found = checker.check(space, advance) if sample is None else _check_some(game, key, space, sample)
        wrong = describe(game, key, found) or (found.counts is not None and store.disagreement(key, found.values()))
        if wrong:
            return Verified(checked, wrong, tuple(unchecked))
        checked += slots if sample is None else sample
        done += slots
        for one in idle.get(key, []):
            held.pop(one, None)
    if progress:
        progress(total, total)
    return Verified(checked, None, tuple(unchecked))


def _advance(progress: Progress | None, done: int, slots: int, total: int) -> Callable[[float], None]:
    return lambda part: progress(done + int(part * slots), total) if progress else None


def _check_some(game: Game, key: Key, space: Space, sample: int) -> Checked:
    """Check a sample of the bytes of a subspace."""
    slots = np.random.default_rng([SEED, *key]).integers(0, len(space.stored), sample)
    return ProcessorChecker().sample(space, slots, combinations(len(game.layout) - key[0], key[1]))
