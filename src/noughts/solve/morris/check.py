"""The check of a table: every byte worked out again, forwards, from the positions that its moves lead to.

The definition of a value, and nothing else: a position without a move is lost in 0 plies. A move that captures, into a
position that is lost for the other side or into the end of the game, wins in 1; a quiet move into a position lost in n
plies wins in n + 1; the least of these counts. Without such a move, a move into a draw draws. Otherwise every move
leads to a position that is won in some n plies, captures too, and the position is lost in n + 1 for the largest n.

If every byte passes, all of them are right. Of the wins and losses each rests on others with fewer plies or in smaller
subspaces, so none rests on itself. And of the positions that are called draws but are none, the one that is decided
soonest would have a move, or all its moves, to positions that are rightly called decided: it would not have passed.

Nothing is shared with the solver but the definition of the numbering, and the pool of threads: not its functions, and
of its arrays only the product, values by the mover. Moves are made on the board itself, from its edges and lines.
Positions are gone through by the set of the side that does not move: its stones stay where they are, so all quiet moves
lead into the one block of that set, and captures into the blocks of that set without a stone. What is worked out is
then compared with every byte that stands for the position, and counted once, for the counts in the manifest.

`functions(jit)` is the check of one position, compiled once for the processor, here, and once for a GPU, in `gpu`.
Threads write nothing that others read, but for counters of their own (processor) or atomic ones (GPU).
"""

import os
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple, Protocol

import numpy as np
from numba import njit
from numpy.typing import NDArray

from noughts.games import Game, Layout, NoughtsError, Position
from noughts.solve.compiled import ALONE
from noughts.solve.interrupt import never, stopped
from noughts.solve.machine import share
from noughts.solve.morris.numbering import Index, Sets, combinations, index_of, sets_of
from noughts.solve.morris.subspaces import DRAW, Key, below, meaning, name_of
from noughts.solve.solution import Progress, tally
from noughts.solve.store import Store, TableError
from noughts.solve.verify import Verified

__all__ = [
    "Checker",
    "Ground",
    "ProcessorChecker",
    "Space",
    "Witness",
    "WrongValueError",
    "functions",
    "verify",
]

NEVER = 254
"""A byte that no table holds: there is no loss so deep."""
FAR = 1000
"""More plies than any win takes."""
NO_LINE = 0xFFFFFFFF
BITS = 37
"""Modulo this prime no two of 2^0 to 2^31 are the same: so a lookup gives the point of a single bit."""
POINTS = 24
"""Most points of a board."""
PARTS = 64
"""In how many parts a subspace is checked."""
SEED = 1
"""Of the samples: the same table gets the same sample."""

Bytes = NDArray[np.uint8]


class WrongValueError(NoughtsError):
    """A value that does not follow from those of its successors."""


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
    """A subspace and those to which its moves lead; all values by the mover."""

    flying: bool
    ends: bool
    """Whether a capture ends the game."""
    words: Any
    """The mover's sets, as words over the points that the other side leaves free."""
    movers: Sets
    others: Sets
    fewer: Sets
    """The other side's sets after a capture."""
    stored: Any
    """The values to be checked."""
    size: int
    """Bytes of a block of them."""
    quiet: Any
    """The values to which quiet moves lead."""
    captured: Any
    """The values to which captures lead."""
    captured_size: int
    ground: Ground


def functions(jit: Callable[[Any], Any]) -> SimpleNamespace:  # noqa: PLR0915  one list of small functions
    """The check of one position, compiled."""

    @jit
    def rank(points, index):  # type: ignore[no-untyped-def]
        """The rank of a set among those with as many points."""
        below = points & 4095
        count = (below & 0x555) + (below >> 1 & 0x555)
        count = (count & 0x333) + (count >> 2 & 0x333)
        count = (count & 15) + (count >> 4 & 15) + (count >> 8)
        return index.low[below] + index.high[count, points >> 12]

    @jit
    def image(points, symmetry, index):  # type: ignore[no-untyped-def]
        """Where a symmetry takes a set of points."""
        return np.int64(
            index.images[symmetry, 0, points & 255]
            | index.images[symmetry, 1, points >> 8 & 255]
            | index.images[symmetry, 2, points >> 16 & 255]
        )

    @jit
    def word_of(points, taken, index):  # type: ignore[no-untyped-def]
        """A set of points as a word over the points that are not taken; eight points at a time."""
        word = np.int64(0)
        place = np.int64(0)
        free = ~taken & ((1 << index.points) - 1)
        while free:
            word |= np.int64(index.together[free & 255, points & 255]) << place
            place += index.ones[free & 255]
            free >>= 8
            points >>= 8
        return word

    @jit
    def points_of(word, taken, index):  # type: ignore[no-untyped-def]
        """The set of points that a word stands for."""
        points = np.int64(0)
        shift = np.int64(0)
        free = ~taken & ((1 << index.points) - 1)
        while free:
            points |= np.int64(index.apart[free & 255, word & 255]) << shift
            word >>= index.ones[free & 255]
            free >>= 8
            shift += 8
        return points

    @jit
    def frame(others, places, victims, space):  # type: ignore[no-untyped-def]
        """Set up what the other side's stones leave, while they stand still; how many of them may be captured.

        `places` gets the place of every free point in words, `victims` for every stone that may be captured the class
        of what remains, and the symmetry to its representative.
        """
        ground = space.ground
        place = 0
        for point in range(ground.numbers.points):
            if not others >> point & 1:
                places[point] = place
                place += 1
        milled = np.int64(0)
        for line in range(len(ground.mills)):
            if others & ground.mills[line] == ground.mills[line]:
                milled |= ground.mills[line]
        loose = others & ~milled
        if loose == 0:
            loose = others
        count = 0
        for point in range(ground.numbers.points):
            if loose >> point & 1:
                number = 0 if space.ends else rank(others & ~(1 << point), ground.numbers)
                victims[count, 0] = space.fewer.class_of[number]
                victims[count, 1] = space.fewer.symmetry_of[number]
                count += 1
        return count

    @jit
    def expected(word, own, block, many, places, victims, space):  # type: ignore[no-untyped-def]
        """The value of a position by its definition; the other side's stones are the block's representative."""
        ground = space.ground
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
                    moved = word & ~(1 << places[source]) | 1 << places[target]
                    value = np.int64(space.quiet[start + rank(moved, index)])
                    if value == DRAW:
                        draws = True
                    elif value & 1 == 0:
                        win = min(win, value + 1)
                    else:
                        loss = max(loss, value + 1)
                    continue
                if space.ends:
                    return np.int64(1)
                for victim in range(many):
                    group, symmetry = victims[victim, 0], victims[victim, 1]
                    taken = np.int64(space.fewer.representatives[group])
                    beside = rank(word_of(image(after, symmetry, index), taken, index), index)
                    value = np.int64(space.captured[group * space.captured_size + beside])
                    if value == DRAW:
                        draws = True
                    elif value & 1 == 0:
                        return np.int64(1)
                    else:
                        loss = max(loss, value + 1)
        if win < FAR:
            return win
        return np.int64(DRAW) if draws else loss

    @jit
    def disagreement(own, others, value, space):  # type: ignore[no-untyped-def]
        """A byte that stands for the position and is not its value; -1 if there is none."""
        index, movers = space.ground.numbers, space.movers
        mine = rank(own, index)
        group = movers.class_of[mine]
        beside = image(others, movers.symmetry_of[mine], index)
        lead = np.int64(movers.representatives[group])
        kept = np.int64(movers.keepers[group])
        symmetry = 0
        while kept:
            if kept & 1:
                place = rank(word_of(image(beside, symmetry, index), lead, index), index)
                stored = np.int64(space.stored[group * space.size + place])
                if stored != value or stored == NEVER:
                    return stored
            kept >>= 1
            symmetry += 1
        return np.int64(-1)

    @jit
    def counts(own, block, space):  # type: ignore[no-untyped-def]
        """Whether the position counts: its own set is the least of those that look the same from the other's stones."""
        kept = np.int64(space.others.keepers[block])
        symmetry = 0
        while kept:
            if kept & 1 and image(own, symmetry, space.ground.numbers) < own:
                return False
            kept >>= 1
            symmetry += 1
        return True

    return SimpleNamespace(
        rank=rank,
        image=image,
        word_of=word_of,
        points_of=points_of,
        frame=frame,
        expected=expected,
        disagreement=disagreement,
        counts=counts,
    )


# The processor's loops. Nothing here makes arrays: without Numba's counting of references to them, atomic and shared by
# all cores, the check is more than twice as fast. See `kernel` for why all of it stands in this one file.
_compiled: Callable[[Any], Any] = njit(nogil=True, cache=True, _nrt=False)  # type: ignore[call-overload]
_do = functions(njit(nogil=True, _nrt=False, **ALONE))  # type: ignore[call-overload]
_rank, _image, _word_of, _points_of = _do.rank, _do.image, _do.word_of, _do.points_of
_frame, _expected, _disagreement, _counts = _do.frame, _do.expected, _do.disagreement, _do.counts


@_compiled
def _check_blocks(stop, first, last, counts, places, victims, space):  # type: ignore[no-untyped-def]
    """Check the positions of some of the other side's classes, and count; the first disagreement.

    It is the mover's set and the other's, the byte and what was expected; all -1 if there is none.
    """
    for block in range(first, last):
        if stopped(stop):
            break
        others = np.int64(space.others.representatives[block])
        many = _frame(others, places, victims, space)
        for number in range(len(space.words)):
            word = np.int64(space.words[number])
            own = _points_of(word, others, space.ground.numbers)
            value = _expected(word, own, block, many, places, victims, space)
            stored = _disagreement(own, others, value, space)
            if stored >= 0:
                return own, others, stored, value
            if _counts(own, block, space):
                counts[value] += 1
    return np.int64(-1), np.int64(-1), np.int64(-1), np.int64(-1)


@_compiled
def _check_slots(stop, first, last, slots, words, places, victims, space):  # type: ignore[no-untyped-def]
    """Check some bytes; `words` are the other side's sets beside the mover's. Answers as `_check_blocks` does."""
    index = space.ground.numbers
    for slot in slots[first:last]:
        if stopped(stop):
            break
        own = np.int64(space.movers.representatives[slot // space.size])
        others = _points_of(np.int64(words[slot % space.size]), own, index)
        number = _rank(others, index)
        block = np.int64(space.others.class_of[number])
        symmetry = space.others.symmetry_of[number]
        seen = _image(own, symmetry, index)
        beside = _image(others, symmetry, index)
        many = _frame(beside, places, victims, space)
        value = _expected(_word_of(seen, beside, index), seen, block, many, places, victims, space)
        stored = np.int64(space.stored[slot])
        if stored != value or stored == NEVER:
            return own, others, stored, value
    return np.int64(-1), np.int64(-1), np.int64(-1), np.int64(-1)


class Checked(NamedTuple):
    """What the check of one subspace found."""

    wrong: tuple[int, int, int, int] | None
    """The first disagreement: the mover's set, the other's, the byte, and what was expected."""
    counts: NDArray[np.int64] | None
    """How many different positions have each value, if all were looked at."""


class Checker(Protocol):
    """Whoever compares the bytes of whole subspaces."""

    def take(self, values: Bytes) -> Any:
        """Values in the checker's memory, as long as they are needed."""

    def check(self, space: Space, advance: Callable[[float], None]) -> Checked:
        """Compare all bytes of a subspace, and count."""


class ProcessorChecker:
    """All cores share out the blocks."""

    def __init__(self, cores: int | None = None) -> None:
        self.cores = cores or os.cpu_count() or 1

    def take(self, values: Bytes) -> Bytes:
        return values

    def check(self, space: Space, advance: Callable[[float], None]) -> Checked:
        blocks = len(space.others.representatives)
        counts = np.zeros((PARTS, DRAW + 1), np.int64)
        rooms = [_room() for _ in range(PARTS)]
        answers = share(
            self.cores,
            _check_blocks,
            blocks,
            lambda part: (counts[part], *rooms[part], space),
            PARTS,
            lambda last: advance(last / blocks),
        )
        return Checked(_first_wrong(answers), counts.sum(axis=0))

    def check_range(self, space: Space, first: int, last: int) -> tuple[int, int, int, int] | None:
        """The first disagreement in some blocks."""
        counts = np.zeros(DRAW + 1, np.int64)
        return _first_wrong([_check_blocks(never(), first, last, counts, *_room(), space)])

    def sample(self, space: Space, slots: NDArray[np.int64], words: NDArray[np.uint32]) -> Checked:
        """Compare some bytes."""
        answers = share(1, _check_slots, len(slots), lambda _part: (slots, words, *_room(), space), 1)
        return Checked(_first_wrong(answers), None)


def _room() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where a thread notes places and victims."""
    return np.zeros(POINTS, np.int64), np.zeros((POINTS, 2), np.int64)


def _first_wrong(answers: list[Any]) -> tuple[int, int, int, int] | None:
    for own, others, stored, expected in answers:
        if own >= 0:
            return int(own), int(others), int(stored), int(expected)
    return None


def verify(
    store: Store, sample: int | None = None, progress: Progress | None = None, checker: Checker | None = None
) -> Verified:
    """Check all bytes of a table, or a random sample of so many a subspace, and the counts where all were checked."""
    keys = store.keys()
    # A sample is small: wherever the rest would be checked, the processor does it.
    checking = _Checking(store.game, ProcessorChecker() if sample is not None else checker or ProcessorChecker())
    total = sum(store.entry(key).row.slots for key in keys)
    done = checked = 0
    unchecked = []
    for key in keys:
        slots = store.entry(key).row.slots
        if progress:
            progress(done, total)
        if not all(map(store.has, _needed(key))):
            unchecked.append(name_of(key))
            continue
        try:
            checking.hold(key, lambda want: store.read(*want))
        except TableError as error:
            return Verified(checked, str(error), tuple(unchecked))
        advance = _advance(progress, done, slots, total)
        found = checking.all(key, advance) if sample is None else checking.some(key, sample)
        wrong = _describe(store.game, found) or _compare_counts(store, key, found.counts)
        if wrong is not None:
            return Verified(checked, wrong, tuple(unchecked))
        checked += slots if sample is None else sample
        done += slots
    if progress:
        progress(total, total)
    return Verified(checked, None, tuple(unchecked))


class Witness:
    """Checks what a solver has found, pair by pair, as it goes."""

    def __init__(self, game: Game, checker: Checker) -> None:
        self._game = game
        self._checking = _Checking(game, checker)

    def check(self, keys: list[Key], read: Callable[[Key], Bytes]) -> None:
        """Recompute all values of some subspaces from their successors; raises an error if one does not follow."""
        for key in keys:
            self._checking.hold(key, read)
            wrong = _describe(self._game, self._checking.all(key, lambda _part: None))
            if wrong is not None:
                raise WrongValueError(wrong)


class _Checking:
    """Checks subspaces one after the other, and holds the values that the next ones look at too."""

    def __init__(self, game: Game, checker: Checker) -> None:
        self.game, self.checker = game, checker
        self.ground = _ground(game.layout)
        self._held: dict[Key, Any] = {}

    def hold(self, key: Key, read: Callable[[Key], Bytes]) -> None:
        """Have the values of a subspace and of its successors at hand, and of no smaller one."""
        self._held = {held: values for held, values in self._held.items() if sum(held) >= sum(key) - 1}
        for needed in _needed(key):
            if needed not in self._held:
                self._held[needed] = self.checker.take(read(needed))

    def all(self, key: Key, advance: Callable[[float], None]) -> Checked:
        """Check all bytes, and count."""
        return self.checker.check(self._space(key), advance)

    def some(self, key: Key, sample: int) -> Checked:
        """Check a sample of bytes."""
        space = self._space(key)
        slots = np.random.default_rng([SEED, *key]).integers(0, len(space.stored), sample)
        words = combinations(len(self.game.layout) - key[0], key[1])
        return ProcessorChecker().sample(space, slots, words)

    def _space(self, key: Key) -> Space:
        mover, other = key
        layout, points, smaller = self.game.layout, len(self.game.layout), below(key)
        return Space(
            mover == self.game.rules.flying,
            smaller is None,
            combinations(points - other, mover),
            sets_of(layout, mover),
            sets_of(layout, other),
            sets_of(layout, other - 1),
            self._held[key],
            len(combinations(points - mover, other)),
            self._held[other, mover],
            self._held[smaller or key],
            len(combinations(points - other + 1, mover)) if smaller else 0,
            self.ground,
        )


def _needed(key: Key) -> list[Key]:
    """The subspaces that the check of one looks at."""
    smaller = below(key)
    return [key, key[::-1], *([smaller] if smaller else [])]


def _advance(progress: Progress | None, done: int, slots: int, total: int) -> Callable[[float], None]:
    return lambda part: progress(done + int(part * slots), total) if progress else None


def _describe(game: Game, found: Checked) -> str | None:
    """What is wrong, if something is."""
    if found.wrong is None:
        return None
    own, others, stored, expected = found.wrong
    text = game.write(Position((own, others), (0, 0), 0))
    return f"{text!r} is stored as {meaning(stored)}, expected {meaning(expected)}"


def _compare_counts(store: Store, key: Key, counts: NDArray[np.int64] | None) -> str | None:
    """Whether the manifest says of a subspace what was found in it."""
    if counts is None:
        return None
    said = store.entry(key).row
    values = [(meaning(byte), int(count)) for byte, count in enumerate(counts)]
    found = tally(said.name, said.slots, values, said.seconds)
    for field, stated, counted in zip(said._fields, said, found, strict=True):
        if stated != counted:
            return f"the manifest gives {said.name} {field} {stated}, expected {counted}"
    return None


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
