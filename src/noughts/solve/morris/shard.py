"""One shard of a pair of subspaces: a range of blocks of its tables, and what crosses between shards.

A shard holds, for each of the two numbers of stones, a range of the classes of sets of so many stones. Of the tables by
the other side it holds the blocks of these classes, and of the tables by the mover too: a push from a block reads the
block of the same class in the table by the mover of the subspace with the sides exchanged, and nothing else. So a shard
pushes from its own blocks alone. What it finds has to be written into tables by the mover, in the block of another
class: those writes are *updates*, sorted by the shard that owns the byte, 4 bytes for the place and 1 for the value.

Round 0 is what captures decide; round d + 1 pushes from depth d. All values found in a round are larger than the depth,
and a round asks only for values up to it, so the order of updates within a round does not matter and a round that is
repeated finds the same.

At the end of a round a shard writes what the round changed to a file of its own, beside and then renamed; the file of
round 0 holds the whole shard. The files are ZIP archives, whose members carry checksums. Reading them in turn restores
the shard to any round.
"""

import os
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numba import njit
from numpy.typing import NDArray

from noughts.games import Layout
from noughts.solve.morris import sweep
from noughts.solve.morris.blocks import Blocks, blocks_of
from noughts.solve.morris.index import combinations, index_of, sets_of
from noughts.solve.morris.kernel import DRAW, SAFE, Below, Movers, Tables, functions
from noughts.solve.morris.retrograde import FEWEST, Key, keys_of
from noughts.solve.morris.work import Work

__all__ = ["Report", "Shard", "by_other", "checkpoint_path", "cuts", "last_whole_round", "tables_below"]

STEP = 1 << 20
"""About how many bytes of a table are swept at a time: their state before is kept that long."""

Bytes = NDArray[np.uint8]
Places = NDArray[np.uint32]
Batch = list[tuple[Places, Bytes]]
"""For each subspace of the pair, where to write in the owner's part of the table by the mover, and what."""

_do = functions(njit(nogil=True))
_rank, _expand, _image, _rank_beside = _do.rank, _do.expand, _do.image, _do.rank_beside


class Report(NamedTuple):
    """What a round did in one shard."""

    top: int
    """The largest value found."""
    found: int
    """Bytes of the tables by the other side that were decided."""
    kept: int
    """Updates to this shard's own bytes."""
    sent: int
    """Updates to other shards."""


def tables_below(pair: Key) -> list[Key | None]:
    """For each subspace of a pair, the one that captures lead to; none if a capture ends the game."""
    return [(other - 1, mover) if other > FEWEST else None for mover, other in keys_of(pair)]


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


@njit(nogil=True)
def _addresses(
    places: NDArray[np.int64],
    table: Bytes,
    size: int,
    words: NDArray[np.uint32],
    blocks: Blocks,
    movers: Movers,
    tables: Tables,
) -> NDArray[np.int64]:
    """Where the positions at these places stand in the table by the mover, each number with its value as last byte."""
    found = np.empty(len(places) + 64, np.int64)
    used = 0
    for place in places:
        block, number = place // len(words), place % len(words)
        ranked = _rank(_expand(words[number], blocks.sets[block], tables), tables)
        group = movers.class_of[ranked]
        others = _image(blocks.sets[block], movers.symmetry_of[ranked], tables)
        kept = movers.keepers[group]
        if used + 32 > len(found):
            found = np.concatenate((found, np.empty_like(found)))
        symmetry = 0
        while kept:
            if kept & 1:
                rank = _rank_beside(_image(others, symmetry, tables), movers.sets[group], tables)
                found[used] = (np.int64(group) * size + rank) << 8 | table[place]
                used += 1
            kept >>= 1
            symmetry += 1
    return found[:used]


class _Side:
    """A shard's part of one subspace (mover, other)."""

    def __init__(self, layout: Layout, key: Key, shard: int, shards: int, below: Bytes | None) -> None:
        mover, other = key
        points = len(layout)
        first, last = cuts(layout, other, shards)[shard : shard + 2].tolist()
        sets, index = sets_of(layout, mover), index_of(layout)
        size = len(combinations(points - mover, other))
        self.movers = Movers(sets.representatives, sets.class_of, sets.symmetry_of, sets.keepers)
        self.owners = cuts(layout, mover, shards) * size
        self.shard = shard
        # Read-only in both cases, as what comes from another process is: the sweeps are compiled once.
        smaller = (np.zeros(1, np.uint8) if below is None else below).view()
        smaller.flags.writeable = False
        nothing = np.zeros(0, np.uint8)
        self.work = Work(
            table=nothing,
            closed=nothing,
            # A sweep finds no symmetry that keeps the mover's set, and so writes nothing by the mover.
            by_mover=nothing,
            movers=self.movers._replace(keepers=np.zeros_like(sets.keepers)),
            size=size,
            words=combinations(points - other, mover),
            flying=mover == FEWEST,
            blocks=Blocks._make(field[first:last] for field in blocks_of(layout, other)),
            below=Below(below is None, smaller, 0 if below is None else len(combinations(points - mover, other - 1))),
            ranking=Tables(*index[1:]),
            keepers=sets_of(layout, other).keepers[first:last],
        )
        self.reset()

    def reset(self) -> None:
        """Nothing is known."""
        slots = len(self.work.blocks.sets) * len(self.work.words)
        start, end = self.owners[self.shard : self.shard + 2].tolist()
        self.by_mover = np.full(end - start, DRAW, np.uint8)
        self.work = self.work._replace(table=np.full(slots, DRAW, np.uint8), closed=np.full(slots, DRAW, np.uint8))

    def sweep(self, depth: int | None, following: Bytes) -> tuple[int, NDArray[np.int64], NDArray[np.int64]]:
        """Push from this depth, or begin; the largest value, what was decided, and the updates."""
        work = self.work
        count, blocks = len(work.words), len(work.blocks.sets)
        step = max(1, STEP // count)
        top, decided, updates = 0, [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for first in range(0, blocks, step):
            last = min(first + step, blocks)
            part = work.table[first * count : last * count]
            before = part.copy()
            if depth is None:
                top = max(top, sweep.begin(first, last, *work[:10]))
            else:
                top = max(top, sweep.push(first, last, depth, following, *work[:10]))
            places = np.flatnonzero((part != before) & (part < SAFE)) + first * count
            if len(places):
                decided.append(places)
                around = (work.size, work.words, work.blocks, self.movers, work.ranking)
                updates.append(_addresses(places, work.table, *around))
        return top, np.concatenate(decided), np.unique(np.concatenate(updates))

    def sort(self, updates: NDArray[np.int64]) -> list[tuple[Places, Bytes]]:
        """Sorted updates, cut by the shard that owns the byte."""
        ends = np.searchsorted(updates, self.owners << 8)
        return [
            (((updates[start:end] >> 8) - origin).astype(np.uint32), (updates[start:end] & 255).astype(np.uint8))
            for origin, (start, end) in zip(self.owners.tolist(), pairwise(ends.tolist()), strict=False)
        ]


def by_other(layout: Layout, key: Key, by_mover: Bytes) -> Bytes:
    """The whole table by the other side of a subspace whose table by the mover is known."""
    whole = _Side(layout, key, 0, 1, None)
    work = whole.work._replace(by_mover=by_mover, movers=whole.movers)
    sweep.gather(0, len(work.blocks.sets), *work[:10])
    table: Bytes = work.table
    return table


class Shard:
    """A shard, from the first pair to the last."""

    def __init__(self, layout: Layout, shard: int, shards: int, folder: str) -> None:
        self.layout, self.shard, self.shards, self.folder = layout, shard, shards, Path(folder)

    def process(self) -> int:
        """The number of the process it runs in."""
        return os.getpid()

    def open(self, pair: Key, *below: Bytes | None) -> int:
        """Turn to a pair, with the tables that captures lead to; the last round that can be restored."""
        self.pair = pair
        self.sides = [
            _Side(self.layout, key, self.shard, self.shards, table)
            for key, table in zip(keys_of(pair), below, strict=True)
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
                record |= {f"table{which}": side.work.table, f"closed{which}": side.work.closed}
                record |= {f"by_mover{which}": side.by_mover}
            else:
                record |= {f"places{which}": decided.astype(np.uint32), f"values{which}": side.work.table[decided]}
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
                    side.work.table[:], side.work.closed[:] = record[f"table{which}"], record[f"closed{which}"]
                    side.by_mover[:] = record[f"by_mover{which}"]
                else:
                    side.work.table[record[f"places{which}"]] = record[f"values{which}"]
                    side.by_mover[record[f"mover_places{which}"]] = record[f"mover_values{which}"]
        return top

    def finish(self, which: int) -> tuple[Bytes, Bytes, NDArray[np.int64]]:
        """The part of the table by the other side and by the mover of one subspace, and its positions by value."""
        side = self.sides[which]
        work = side.work
        table = np.where(work.table == SAFE, np.uint8(DRAW), work.table)
        counts = np.zeros(256, np.int64)
        rest = (work.words, work.blocks, work.keepers, work.ranking)
        sweep.count(0, len(work.blocks.sets), counts, table, *rest)
        return table, side.by_mover, counts
