"""The forward check of a table: every byte worked out again from the positions that its moves lead to.

The definition of a value, and nothing else: a position without a move is lost in 0 plies. A move that captures, into a
position that is lost for the other side or into the end of the game, wins in 1; a quiet move into a position lost in n
plies wins in n + 1; the least of these counts. Without such a move, a move into a draw draws. Otherwise every move
leads to a position that is won in some n plies, captures too, and the position is lost in n + 1 for the largest n.

If every byte passes, all of them are right. Of the wins and losses each rests on others with fewer plies or in smaller
subspaces, so none rests on itself. And of the positions that are called draws but are none, the one that is decided
soonest would have a move, or all its moves, to positions that are rightly called decided: it would not have passed.

Nothing is shared with the solver but the numbering of positions. Moves are made on the board itself, from its edges and
lines. Positions are gone through by the set of the side that does not move: its stones stay where they are, so all
quiet moves lead into the one block of that set, and captures into the blocks of that set without a stone. What is
worked out is then compared with every byte that stands for the position, and counted once, for the counts in the
manifest.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from noughts.games import Game, Layout, Outcome, Position
from noughts.solve.morris.index import Index, Sets, combinations, index_of, sets_of
from noughts.solve.morris.manifest import TableError, name_of
from noughts.solve.morris.retrograde import Key
from noughts.solve.morris.store import Store
from noughts.solve.solution import Progress, tally
from noughts.solve.value import DRAWN, Value

__all__ = ["Verified", "verify"]

DRAW = 255
NEVER = 254
"""A byte that no table holds: there is no loss so deep."""
FAR = 1000
"""More plies than any win takes."""
NO_LINE = 0xFFFFFFFF
BITS = 37
"""Modulo this number no two of 2^0 to 2^31 are the same: so a table gives the point of a single bit."""
PARTS = 64
"""In how many parts a subspace is checked."""
SEED = 1
"""Of the samples: the same table gets the same sample."""

Bytes = NDArray[np.uint8]

_CORES = os.cpu_count() or 1

# Nothing here makes arrays. Without Numba's counting of references to them, atomic and shared by all cores, the check
# is more than twice as fast.
_compiled: Callable[[Any], Any] = njit(nogil=True, cache=True, _nrt=False)  # type: ignore[call-overload]


class Verified(NamedTuple):
    """What a check found."""

    checked: int
    """How many bytes were compared."""
    first_wrong: str | None
    """The first thing that is wrong, for people."""
    unchecked: tuple[str, ...]
    """Subspaces that cannot be checked, since the table lacks one to which their moves lead."""


class Ground(NamedTuple):
    """The board, for the compiled check."""

    neighbours: NDArray[np.int64]
    """The points next to every point, as a set."""
    lines: NDArray[np.int64]
    """The lines through every point, as sets; NO_LINE where there are fewer."""
    mills: NDArray[np.int64]
    """All lines."""
    point: NDArray[np.int64]
    """The point of a set with one, by the set modulo BITS."""
    numbers: Index


class Space(NamedTuple):
    """A subspace and those to which its moves lead."""

    flying: bool
    ends: bool
    """Whether a capture ends the game."""
    words: NDArray[np.uint32]
    """The mover's sets, as words over the points that the other side leaves free."""
    movers: Sets
    others: Sets
    fewer: Sets
    """The other side's sets after a capture."""
    stored: Bytes
    """The table to be checked."""
    size: int
    quiet: Bytes
    """The table to which quiet moves lead."""
    captured: Bytes
    """The table to which captures lead."""
    captured_size: int


class Frame(NamedTuple):
    """What the other side's stones leave, while they stand still."""

    place: NDArray[np.int64]
    """The place of every free point in words."""
    victims: NDArray[np.int64]
    """For every stone that may be captured: the class of what remains, and the symmetry to its representative."""


@_compiled
def _rank(points, index):  # type: ignore[no-untyped-def]
    """The rank of a set among those with as many points."""
    below = points & 4095
    count = (below & 0x555) + (below >> 1 & 0x555)
    count = (count & 0x333) + (count >> 2 & 0x333)
    count = (count & 15) + (count >> 4 & 15) + (count >> 8)
    return index.low[below] + index.high[count, points >> 12]


@_compiled
def _image(points, symmetry, index):  # type: ignore[no-untyped-def]
    """Where a symmetry takes a set of points."""
    return np.int64(
        index.images[symmetry, 0, points & 255]
        | index.images[symmetry, 1, points >> 8 & 255]
        | index.images[symmetry, 2, points >> 16 & 255]
    )


@_compiled
def _word(points, taken, ground):  # type: ignore[no-untyped-def]
    """A set of points as a word over the points that are not taken; eight points at a time."""
    word = np.int64(0)
    place = np.int64(0)
    free = ~taken & ((1 << ground.numbers.points) - 1)
    while free:
        word |= np.int64(ground.numbers.together[free & 255, points & 255]) << place
        place += ground.numbers.ones[free & 255]
        free >>= 8
        points >>= 8
    return word


@_compiled
def _points(word, taken, ground):  # type: ignore[no-untyped-def]
    """The set of points that a word stands for."""
    points = np.int64(0)
    shift = np.int64(0)
    free = ~taken & ((1 << ground.numbers.points) - 1)
    while free:
        points |= np.int64(ground.numbers.apart[free & 255, word & 255]) << shift
        word >>= ground.numbers.ones[free & 255]
        free >>= 8
        shift += 8
    return points


@_compiled
def _frame(others, frame, space, ground):  # type: ignore[no-untyped-def]
    """Set up the frame around the other side's stones; how many of them may be captured."""
    place = 0
    for point in range(ground.numbers.points):
        if not others >> point & 1:
            frame.place[point] = place
            place += 1
    milled = np.int64(0)
    for mill in ground.mills:
        if others & mill == mill:
            milled |= mill
    loose = others & ~milled
    if loose == 0:
        loose = others
    count = 0
    for point in range(ground.numbers.points):
        if loose >> point & 1:
            number = 0 if space.ends else _rank(others & ~(1 << point), ground.numbers)
            frame.victims[count, 0] = space.fewer.class_of[number]
            frame.victims[count, 1] = space.fewer.symmetry_of[number]
            count += 1
    return count


@_compiled
def _expected(word, own, block, victims, frame, space, ground):  # type: ignore[no-untyped-def]
    """The value of a position by its definition; the other side's stones are the block's representative."""
    index = ground.numbers
    others = np.int64(space.others.representatives[block])
    start = block * len(space.words)
    empty = ((1 << index.points) - 1) & ~(own | others)
    win, loss = np.int64(FAR), np.int64(0)
    draws = False
    sources = own
    while sources:
        source = ground.point[(sources & -sources) % BITS]
        sources &= sources - 1
        targets = empty if space.flying else ground.neighbours[source] & empty
        while targets:
            target = ground.point[(targets & -targets) % BITS]
            targets &= targets - 1
            after = own & ~(1 << source) | 1 << target
            mill = after & ground.lines[target, 0] == ground.lines[target, 0]
            mill |= after & ground.lines[target, 1] == ground.lines[target, 1]
            if not mill:
                moved = word & ~(1 << frame.place[source]) | 1 << frame.place[target]
                value = np.int64(space.quiet[start + _rank(moved, index)])
                if value == DRAW:
                    draws = True
                elif value & 1 == 0:
                    win = min(win, value + 1)
                else:
                    loss = max(loss, value + 1)
                continue
            if space.ends:
                return 1
            for victim in range(victims):
                group, symmetry = frame.victims[victim, 0], frame.victims[victim, 1]
                taken = np.int64(space.fewer.representatives[group])
                beside = _rank(_word(_image(after, symmetry, index), taken, ground), index)
                value = np.int64(space.captured[group * space.captured_size + beside])
                if value == DRAW:
                    draws = True
                elif value & 1 == 0:
                    return 1
                else:
                    loss = max(loss, value + 1)
    if win < FAR:
        return win
    return DRAW if draws else loss


@_compiled
def _check_blocks(first, last, counts, frame, space, ground):  # type: ignore[no-untyped-def]
    """Check the positions of some of the other side's classes: how many bytes, and the first disagreement.

    A disagreement is the mover's set and the other's, the byte and what was expected; all -1 if there is none.
    """
    index = ground.numbers
    checked = 0
    for block in range(first, last):
        others = np.int64(space.others.representatives[block])
        victims = _frame(others, frame, space, ground)
        for number in range(len(space.words)):
            word = np.int64(space.words[number])
            own = _points(word, others, ground)
            expected = _expected(word, own, block, victims, frame, space, ground)
            mine = _rank(own, index)
            group = space.movers.class_of[mine]
            beside = _image(others, space.movers.symmetry_of[mine], index)
            lead = np.int64(space.movers.representatives[group])
            kept = np.int64(space.movers.keepers[group])
            symmetry = 0
            while kept:
                if kept & 1:
                    place = _rank(_word(_image(beside, symmetry, index), lead, ground), index)
                    stored = np.int64(space.stored[group * space.size + place])
                    checked += 1
                    if stored != expected or stored == NEVER:
                        return checked, own, others, stored, expected
                kept >>= 1
                symmetry += 1
            # A position counts where its own set is the least of those that look the same from the other's stones.
            kept = np.int64(space.others.keepers[block])
            symmetry = 0
            least = True
            while kept and least:
                if kept & 1:
                    least = _image(own, symmetry, index) >= own
                kept >>= 1
                symmetry += 1
            if least:
                counts[expected] += 1
    return checked, np.int64(-1), np.int64(-1), np.int64(-1), np.int64(-1)


@_compiled
def _check_slots(slots, words, frame, space, ground):  # type: ignore[no-untyped-def]
    """Check some bytes of the table; `words` are the other side's sets beside the mover's."""
    index = ground.numbers
    checked = 0
    for slot in slots:
        own = np.int64(space.movers.representatives[slot // space.size])
        others = _points(np.int64(words[slot % space.size]), own, ground)
        number = _rank(others, index)
        block = np.int64(space.others.class_of[number])
        symmetry = space.others.symmetry_of[number]
        seen = _image(own, symmetry, index)
        beside = _image(others, symmetry, index)
        victims = _frame(beside, frame, space, ground)
        expected = _expected(_word(seen, beside, ground), seen, block, victims, frame, space, ground)
        stored = np.int64(space.stored[slot])
        checked += 1
        if stored != expected or stored == NEVER:
            return checked, own, others, stored, expected
    return checked, np.int64(-1), np.int64(-1), np.int64(-1), np.int64(-1)


def verify(store: Store, sample: int | None = None, progress: Progress | None = None) -> Verified:
    """Check all bytes of a table, or a random sample of so many a subspace, and the counts where all were checked."""
    game, keys = store.game, store.keys()
    fewest = game.rules.fewest
    ground = _ground(game.layout)
    total = sum(store.entry(key).row.slots for key in keys)
    done = checked = 0
    unchecked = []
    held: dict[Key, Bytes] = {}
    for key in keys:
        mover, other = key
        if progress:
            progress(done, total)
        needed = [key, (other, mover), *([(other - 1, mover)] if other > fewest else [])]
        held = {known: table for known, table in held.items() if sum(known) >= sum(key) - 1}
        if not all(map(store.has, needed)):
            unchecked.append(name_of(key))
            continue
        try:
            held |= {want: store.read(*want) for want in needed if want not in held}
        except TableError as error:
            return Verified(checked, str(error), tuple(unchecked))
        check = _Check(store, key, _space(game, key, held), ground)
        checked += check.some(sample) if sample is not None else check.all(progress, done, total)
        done += store.entry(key).row.slots
        if check.wrong is not None:
            return Verified(checked, check.wrong, tuple(unchecked))
    if progress:
        progress(total, total)
    return Verified(checked, None, tuple(unchecked))


class _Check:
    """The check of one subspace, and what it finds wrong."""

    def __init__(self, store: Store, key: Key, space: Space, ground: Ground) -> None:
        self.store, self.key, self.space, self.ground = store, key, space, ground
        self.wrong: str | None = None

    def some(self, sample: int) -> int:
        """Check a sample of bytes."""
        slots = np.random.default_rng([SEED, *self.key]).integers(0, len(self.space.stored), sample)
        words = combinations(self.ground.numbers.points - self.key[0], self.key[1])
        checked, *found = _check_slots(slots, words, _empty_frame(self.ground), self.space, self.ground)
        self._judge(*found)
        return int(checked)

    def all(self, progress: Progress | None, done: int, total: int) -> int:
        """Check all bytes, and the counts."""
        blocks = len(self.space.others.representatives)
        cuts = list(pairwise(np.linspace(0, blocks, 1 + min(blocks, PARTS)).astype(int).tolist()))
        counts = np.zeros((len(cuts), DRAW + 1), np.int64)
        compared = 0
        with ThreadPoolExecutor(_CORES) as pool:
            parts = [
                pool.submit(
                    _check_blocks, first, last, counts[number], _empty_frame(self.ground), self.space, self.ground
                )
                for number, (first, last) in enumerate(cuts)
            ]
            for cut, part in zip(cuts, parts, strict=True):
                some, *found = part.result()
                compared += int(some)
                self._judge(*found)
                if self.wrong is not None:
                    pool.shutdown(cancel_futures=True)
                    return compared
                if progress:
                    progress(done + len(self.space.stored) * cut[1] // blocks, total)
        self._compare_counts(counts.sum(axis=0))
        return len(self.space.stored)

    def _judge(self, own: int, others: int, stored: int, expected: int) -> None:
        if own >= 0:
            text = self.store.game.write(Position((int(own), int(others)), (0, 0), 0))
            self.wrong = f"{text!r} is stored as {_value(stored)}, expected {_value(expected)}"

    def _compare_counts(self, counts: NDArray[np.int64]) -> None:
        """Whether the manifest says of a subspace what was found in it."""
        said = self.store.entry(self.key).row
        values = [(_value(byte), int(count)) for byte, count in enumerate(counts)]
        found = tally(said.name, said.slots, values, said.seconds)
        for field, stated, counted in zip(said._fields, said, found, strict=True):
            if stated != counted:
                self.wrong = f"the manifest gives {said.name} {field} {stated}, expected {counted}"
                return


def _value(byte: int) -> Value:
    """What a byte says."""
    if byte == DRAW:
        return DRAWN
    return Value(Outcome.WIN if byte % 2 else Outcome.LOSS, int(byte))


def _ground(layout: Layout) -> Ground:
    points = range(len(layout))
    point = np.zeros(BITS, np.int64)
    point[[(1 << number) % BITS for number in points]] = points
    return Ground(
        np.array(layout.neighbours, np.int64),
        np.array([[*layout.lines_through[point], NO_LINE, NO_LINE][:2] for point in points], np.int64),
        np.array(layout.line_sets, np.int64),
        point,
        index_of(layout),
    )


def _empty_frame(ground: Ground) -> Frame:
    points = ground.numbers.points
    return Frame(np.zeros(points, np.int64), np.zeros((points, 2), np.int64))


def _space(game: Game, key: Key, tables: dict[Key, Bytes]) -> Space:
    mover, other = key
    layout, points = game.layout, len(game.layout)
    ends = other == game.rules.fewest
    return Space(
        mover == game.rules.flying,
        ends,
        combinations(points - other, mover),
        sets_of(layout, mover),
        sets_of(layout, other),
        sets_of(layout, other - 1),
        tables[key],
        len(combinations(points - mover, other)),
        tables[other, mover],
        tables[key] if ends else tables[other - 1, mover],
        0 if ends else len(combinations(points - other + 1, mover)),
    )
