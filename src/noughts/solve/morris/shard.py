"""One shard of a group of subspaces: a range of blocks of its values, and what crosses between shards.

A shard holds, for each of the two numbers of stones on the board, a range of the classes of sets of so many stones. By
the other side it holds the values in the blocks of these classes, and by the mover too: a push from a block reads the
block of the same class, by the mover, of the subspace with the sides exchanged, and nothing else. So a shard pushes
from its own blocks alone. What it finds has to be written by the mover, in the block of another class: those writes are
*updates*, sorted by the shard that owns the byte, 4 bytes for the place and 1 for the value.

Round 0 is what captures and stones from the hand decide; round d + 1 pushes from depth d. All values found in a round
are larger than the depth, and a round asks only for values up to it, so the order of updates within a round does not
matter and a round that is repeated finds the same (see `kernel` for the argument).

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

from noughts.games import Game, Layout
from noughts.solve.interrupt import never
from noughts.solve.morris import kernel
from noughts.solve.morris.kernel import SAFE
from noughts.solve.morris.numbering import Blocks, sets_of
from noughts.solve.morris.processor import work_on
from noughts.solve.morris.subspaces import DRAW, Key, name_of

__all__ = ["Report", "Shard", "checkpoint_path", "last_whole_round"]

STEP = 1 << 20
"""About how many bytes are swept at a time: their state before is kept that long."""

Bytes = NDArray[np.uint8]
Places = NDArray[np.uint32]
Batch = list[tuple[Places, Bytes]]
"""For each subspace of the group, where to write in the owner's values by the mover, and what."""

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


def checkpoint_path(folder: Path, group: Key, shard: int, shards: int, number: int) -> Path:
    """The file of a shard after a round; a group is called by its first subspace."""
    return folder / name_of(group) / f"shard-{shard}-of-{shards}-round-{number}.npz"


def last_whole_round(folder: Path, group: Key, shard: int, shards: int) -> int:
    """The last round that, with all before it, can be read back; -1 if there is none."""
    number = -1
    while (path := checkpoint_path(folder, group, shard, shards, number + 1)).exists():
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
    """A shard's part of one subspace."""

    def __init__(self, game: Game, key: Key, shard: int, shards: int, values: dict[Key, Bytes]) -> None:
        mover, other = key[:2]
        first, last = cuts(game.layout, other, shards)[shard : shard + 2].tolist()
        # Read-only, as what comes from another process is: the sweeps are compiled once.
        nothing = np.zeros(1, np.uint8)
        nothing.flags.writeable = False
        whole = work_on(game, key, values.__getitem__, nothing)
        self.movers, placing = whole.movers, whole.placing
        self.owners = cuts(game.layout, mover, shards) * whole.size
        self.shard = shard
        more = len(placing.words)
        if placing.allowed:
            placing = placing._replace(following=placing.following[first * more : last * more])
        self.work = whole._replace(
            blocks=Blocks._make(field[first:last] for field in whole.blocks),
            # A sweep finds no symmetry that keeps the mover's set, and so writes nothing by the mover.
            movers=self.movers._replace(keepers=np.zeros_like(self.movers.keepers)),
            by_mover=np.zeros(0, np.uint8),
            placing=placing._replace(closed=np.full(max(1, (last - first) * more), DRAW, np.uint8)),
        )
        self.reset()

    def reset(self) -> None:
        """Nothing is known."""
        slots = len(self.work.blocks.sets) * len(self.work.words)
        start, end = self.owners[self.shard : self.shard + 2].tolist()
        self.by_mover = np.full(end - start, DRAW, np.uint8)
        self.work = self.work._replace(
            by_other=np.full(slots, DRAW, np.uint8),
            closed=np.full(slots if self.work.steps else 1, DRAW, np.uint8),
        )

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


class Shard:
    """A shard, from the first group to the last."""

    def __init__(self, game: Game, shard: int, shards: int, folder: str) -> None:
        self.game, self.shard, self.shards, self.folder = game, shard, shards, Path(folder)

    def process(self) -> int:
        """The number of the process it runs in."""
        return os.getpid()

    def open(self, group: list[Key], needed: list[Key], *values: Bytes) -> int:
        """Turn to a group, with the values to which its moves lead; the last round that can be restored."""
        self.group = group[0]
        known = dict(zip(needed, values, strict=True))
        self.sides = [_Side(self.game, key, self.shard, self.shards, known) for key in group]
        return last_whole_round(self.folder, self.group, self.shard, self.shards)

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
                record |= {f"by_mover{which}": side.by_mover, f"placed{which}": side.work.placing.closed}
            else:
                record |= {f"places{which}": decided.astype(np.uint32), f"values{which}": side.work.by_other[decided]}
                record |= {f"mover_places{which}": places, f"mover_values{which}": values}
        path = checkpoint_path(self.folder, self.group, self.shard, self.shards, number)
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
            record = _read(checkpoint_path(self.folder, self.group, self.shard, self.shards, earlier))
            top = max(top, int(record["top"]))
            for which, side in enumerate(self.sides):
                if earlier == 0:
                    side.work.by_other[:], side.work.closed[:] = record[f"by_other{which}"], record[f"closed{which}"]
                    side.by_mover[:] = record[f"by_mover{which}"]
                    side.work.placing.closed[:] = record[f"placed{which}"]
                else:
                    side.work.by_other[record[f"places{which}"]] = record[f"values{which}"]
                    side.by_mover[record[f"mover_places{which}"]] = record[f"mover_values{which}"]
        return top

    def settle(self, which: int) -> NDArray[np.int64]:
        """What is not decided is a draw: how many positions of one subspace have each value."""
        work = self.sides[which].work
        work = work._replace(by_other=np.where(work.by_other == SAFE, np.uint8(DRAW), work.by_other))
        counts = np.zeros(256, np.int64)
        kernel.count(_NEVER, 0, len(work.blocks.sets), work, counts)
        return counts

    def fetch(self, which: int) -> Bytes:
        """The values by the mover of one subspace."""
        return self.sides[which].by_mover
