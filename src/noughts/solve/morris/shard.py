"""One shard of a pair of subspaces: a range of blocks of its values, and what crosses between shards.

A shard holds, for each of the two numbers of stones, a range of the classes of sets of so many stones. By the other
side it holds the values in the blocks of these classes, and by the mover too: a push from a block reads the block of
the same
class, by the mover, of the subspace with the sides exchanged, and nothing else. So a shard pushes from its own blocks
alone. What it finds has to be written by the mover, in the block of another class: those writes are *updates*, sorted
by the shard that owns the byte, 4 bytes for the place and 1 for the value.

Round 0 is what captures decide; round d + 1 pushes from depth d. All values found in a round are larger than the depth,
and a round asks only for values up to it, so the order of updates within a round does not matter and a round that is
repeated finds the same (see `kernel` for the argument).

At the end of a round a shard writes what the round changed to a file of its own, beside and then renamed; the file of
round 0 holds the whole shard. The files are ZIP archives, whose members carry checksums (CRC-32). Reading them in turn
restores the shard to any round.
"""

import os
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from noughts.games import Layout
from noughts.solve.interrupt import never
from noughts.solve.morris import kernel
from noughts.solve.morris.kernel import SAFE, Below, Work
from noughts.solve.morris.numbering import Blocks, blocks_of, combinations, index_of, sets_of
from noughts.solve.morris.subspaces import DRAW, FEWEST, Key, keys_of

__all__ = ["Report", "Shard", "by_other", "checkpoint_path", "last_whole_round"]

STEP = 1 << 20
"""About how many bytes are swept at a time: their state before is kept that long."""

Bytes = NDArray[np.uint8]
Places = NDArray[np.uint32]
Batch = list[tuple[Places, Bytes]]
"""For each subspace of the pair, where to write in the owner's values by the mover, and what."""

_NEVER = never()
"""A sweep is not stopped: a worker is, as a whole."""


class Report(NamedTuple):
    """What a round did in one shard."""

    top: int
    """The largest value found."""
    found: int
    """Bytes by the other side that were decided."""
    kept: int
    """Updates to this shard's own bytes."""
    sent: int
    """Updates to other shards."""


def cuts(layout: Layout, stones: int, shards: int) -> NDArray[np.int64]:
    """Where each shard's classes of so many stones begin, and where the last one's end."""
    return np.linspace(0, len(sets_of(layout, stones).representatives), shards + 1).astype(np.int64)


def checkpoint_path(folder: Path, pair: Key, shard: int, shards: int, number: int) -> Path:
    """The file of a shard after a round."""
    return folder / f"{pair[0]}-{pair[1]}" / f"shard-{shard}-of-{shards}-round-{number}.npz"


def last_whole_round(folder: Path, pair: Key, shard: int, shards: int) -> int:
    """The last round that, with all before it, can be read back; -1 if there is none."""
    number = -1
    while (path := checkpoint_path(folder, pair, shard, shards, number + 1)).exists():
        try:
            _read(path)
        except (BadZipFile, OSError, ValueError, KeyError, EOFError):
            break
        number += 1
    return number


def _read(path: Path) -> dict[str, NDArray[Any]]:
    with np.load(path) as archive:
        return {name: archive[name] for name in archive.files}


class _Side:
    """A shard's part of one subspace (mover, other)."""

    def __init__(self, layout: Layout, key: Key, shard: int, shards: int, below: Bytes | None) -> None:
        mover, other = key
        points = len(layout)
        first, last = cuts(layout, other, shards)[shard : shard + 2].tolist()
        self.movers = sets_of(layout, mover)
        size = len(combinations(points - mover, other))
        self.owners = cuts(layout, mover, shards) * size
        self.shard = shard
        # Read-only in both cases, as what comes from another process is: the sweeps are compiled once.
        smaller = (np.zeros(1, np.uint8) if below is None else below).view()
        smaller.flags.writeable = False
        nothing = np.zeros(0, np.uint8)
        self.work = Work(
            by_other=nothing,
            closed=nothing,
            by_mover=nothing,
            size=size,
            words=combinations(points - other, mover),
            flying=mover == FEWEST,
            blocks=Blocks._make(field[first:last] for field in blocks_of(layout, other)),
            # A sweep finds no symmetry that keeps the mover's set, and so writes nothing by the mover.
            movers=self.movers._replace(keepers=np.zeros_like(self.movers.keepers)),
            below=Below(below is None, smaller, len(combinations(points - mover, other - 1))),
            ranking=index_of(layout),
        )
        self.reset()

    def reset(self) -> None:
        """Nothing is known."""
        slots = len(self.work.blocks.sets) * len(self.work.words)
        start, end = self.owners[self.shard : self.shard + 2].tolist()
        self.by_mover = np.full(end - start, DRAW, np.uint8)
        self.work = self.work._replace(by_other=np.full(slots, DRAW, np.uint8), closed=np.full(slots, DRAW, np.uint8))

    def sweep(self, depth: int | None, following: Bytes) -> tuple[int, NDArray[np.int64], NDArray[np.int64]]:
        """Push from this depth, or begin; the largest value, what was decided, and the updates."""
        work = self.work
        count, blocks = len(work.words), len(work.blocks.sets)
        step = max(1, STEP // count)
        top, decided, updates = 0, [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for first in range(0, blocks, step):
            last = min(first + step, blocks)
            part = work.by_other[first * count : last * count]
            before = part.copy()
            if depth is None:
                top = max(top, kernel.begin(_NEVER, first, last, work))
            else:
                top = max(top, kernel.push(_NEVER, first, last, work, depth, following))
            places = np.flatnonzero((part != before) & (part < SAFE)) + first * count
            if len(places):
                decided.append(places)
                updates.append(self._addresses(places))
        return top, np.concatenate(decided), np.unique(np.concatenate(updates))

    def _addresses(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where the positions at these places stand by the mover, each number with its value as last byte."""
        # Memory that is not written to is not taken: most positions have one number.
        room = np.empty(len(places) * len(self.work.ranking.images), np.int64)
        return room[: kernel.addresses(places, self.work._replace(movers=self.movers), room)]

    def sort(self, updates: NDArray[np.int64]) -> list[tuple[Places, Bytes]]:
        """Sorted updates, cut by the shard that owns the byte."""
        ends = np.searchsorted(updates, self.owners << 8)
        return [
            (((updates[start:end] >> 8) - origin).astype(np.uint32), (updates[start:end] & 255).astype(np.uint8))
            for origin, (start, end) in zip(self.owners.tolist(), pairwise(ends.tolist()), strict=False)
        ]


def by_other(layout: Layout, key: Key, by_mover: Bytes) -> Bytes:
    """The values by the other side of a whole subspace, from those by the mover."""
    whole = _Side(layout, key, 0, 1, None)
    work = whole.work._replace(by_mover=by_mover, movers=whole.movers)
    kernel.gather(_NEVER, 0, len(work.blocks.sets), work)
    values: Bytes = work.by_other
    return values


class Shard:
    """A shard, from the first pair to the last."""

    def __init__(self, layout: Layout, shard: int, shards: int, folder: str) -> None:
        self.layout, self.shard, self.shards, self.folder = layout, shard, shards, Path(folder)

    def process(self) -> int:
        """The number of the process it runs in."""
        return os.getpid()

    def open(self, pair: Key, *below: Bytes | None) -> int:
        """Turn to a pair, with the values that captures lead to; the last round that can be restored."""
        self.pair = pair
        self.sides = [
            _Side(self.layout, key, self.shard, self.shards, values)
            for key, values in zip(keys_of(pair), below, strict=True)
        ]
        return last_whole_round(self.folder, pair, self.shard, self.shards)

    def sweep(self, number: int) -> tuple[Batch | Report, ...]:
        """The first half of a round: a batch of updates for every shard, and the report."""
        top, found, kept, sent = 0, 0, 0, 0
        self.decided: list[NDArray[np.int64]] = []
        batches: list[Batch] = [[] for _ in range(self.shards)]
        for side, following in zip(self.sides, reversed(self.sides), strict=True):
            largest, decided, updates = side.sweep(number - 1 if number else None, following.by_mover)
            top = max(top, largest)
            found += len(decided)
            self.decided.append(decided)
            for owner, batch in enumerate(side.sort(updates)):
                batches[owner].append(batch)
                kept += len(batch[0]) if owner == self.shard else 0
                sent += len(batch[0]) if owner != self.shard else 0
        self.top = top
        return *batches, Report(top, found, kept, sent)

    def take(self, number: int, *batches: Batch) -> int:
        """The second half: write the updates from all shards, and the checkpoint; how many bytes that took."""
        record: dict[str, Any] = {"round": number, "top": self.top}
        for which, side in enumerate(self.sides):
            places = np.concatenate([batch[which][0] for batch in batches])
            values = np.concatenate([batch[which][1] for batch in batches])
            side.by_mover[places] = values
            decided = self.decided[which]
            if number == 0:
                record |= {f"by_other{which}": side.work.by_other, f"closed{which}": side.work.closed}
                record |= {f"by_mover{which}": side.by_mover}
            else:
                record |= {f"places{which}": decided.astype(np.uint32), f"values{which}": side.work.by_other[decided]}
                record |= {f"mover_places{which}": places, f"mover_values{which}": values}
        path = checkpoint_path(self.folder, self.pair, self.shard, self.shards, number)
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f"{path.name}.{os.getpid()}.part")
        with beside.open("wb") as file:
            np.savez(file, **record)
        size = beside.stat().st_size
        beside.replace(path)
        return size

    def restore(self, number: int) -> int:
        """Go back to the end of a round, -1 for the beginning; the largest value found so far."""
        top = 0
        for side in self.sides:
            side.reset()
        for earlier in range(number + 1):
            record = _read(checkpoint_path(self.folder, self.pair, self.shard, self.shards, earlier))
            top = max(top, int(record["top"]))
            for which, side in enumerate(self.sides):
                if earlier == 0:
                    side.work.by_other[:], side.work.closed[:] = record[f"by_other{which}"], record[f"closed{which}"]
                    side.by_mover[:] = record[f"by_mover{which}"]
                else:
                    side.work.by_other[record[f"places{which}"]] = record[f"values{which}"]
                    side.by_mover[record[f"mover_places{which}"]] = record[f"mover_values{which}"]
        return top

    def settle(self, which: int) -> tuple[Bytes, NDArray[np.int64]]:
        """What is not decided is a draw: one subspace's values by the other side, and how many positions have each."""
        work = self.sides[which].work
        work = work._replace(by_other=np.where(work.by_other == SAFE, np.uint8(DRAW), work.by_other))
        counts = np.zeros(256, np.int64)
        kernel.count(_NEVER, 0, len(work.blocks.sets), work, counts)
        return work.by_other, counts

    def fetch(self, which: int) -> Bytes:
        """The values by the mover of one subspace."""
        return self.sides[which].by_mover
