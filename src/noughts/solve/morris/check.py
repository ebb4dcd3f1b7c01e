"""The forward check: every byte worked out again from the positions that its moves lead to.

The definition of a value, and nothing else: a position without a move is lost in 0 plies, or drawn if the rules say so
of a full board. A move that captures, into a position that is lost for the other side or into the end of the game, wins
in 1; a quiet move into a position lost in n plies wins in n + 1; the least of these counts. Without such a move, a move
into a draw draws. Otherwise every move leads to a position that is won in some n plies, captures too, and the position
is lost in n + 1 for the largest n. A move is a step of a stone on the board, or a stone from the hand.

If every byte passes, all of them are right. Of the wins and losses each rests on others with fewer plies or in smaller
subspaces, so none rests on itself. And of the positions that are called draws but are none, the one that is decided
soonest would have a move, or all its moves, to positions that are rightly called decided: it would not have passed.

Nothing is shared with the solver but the definition of the numbering, and the pool of threads: not its functions, and
of its arrays only the product, values by the mover. Moves are made on the board itself, from its edges and lines.
Positions are gone through by the set of the side that does not move: its stones stay where they are, so all quiet moves
of a kind lead into the one block of that set, and captures into the blocks of that set without a stone. What is worked
out is then compared with every byte that stands for the position, and counted once, for the counts in the manifest.

Whoever solves asks a `Witness` as it goes (`retrograde`), and it looks at the values where they are. A table on disk is
checked subspace by subspace (`verify`).

`functions(jit)` is the check of one position, compiled once for the processor, here, and once for a GPU, in `gpu`.
Threads write nothing that others read, but for counters of their own (processor) or atomic ones (GPU).
"""

import os
from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numba import njit
from numpy.typing import NDArray

from noughts.games import Game, Layout, NoughtsError, Position
from noughts.solve.compiled import ALONE
from noughts.solve.interrupt import never, stopped
from noughts.solve.machine import share
from noughts.solve.morris.numbering import Index, Sets, combinations, index_of, sets_of
from noughts.solve.morris.subspaces import DRAW, Key, exchanged, in_hand, leads, meaning, name_of, steps
from noughts.solve.value import Value

if TYPE_CHECKING:
    from noughts.solve.store import Store

__all__ = [
    "Checked",
    "Checker",
    "Ground",
    "ProcessorChecker",
    "Space",
    "Spaces",
    "Witness",
    "WrongValueError",
    "describe",
    "functions",
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


class Leading(NamedTuple):
    """Where moves of a kind lead, steps or stones from the hand; all values by the mover."""

    allowed: bool
    quiet: Any
    """The values to which those lead that capture nothing."""
    size: int
    """Bytes of a block of them."""
    ends: bool
    """Whether a capture ends the game."""
    captured: Any
    """The values to which captures lead."""
    captured_size: int


class Space(NamedTuple):
    """A subspace and those to which its moves lead."""

    flying: bool
    stuck: int
    """What a position without any move is."""
    words: NDArray[np.uint32]
    """The mover's sets beside the other side's, in order of rank."""
    movers: Sets
    others: Sets
    fewer: Sets
    """The other side's sets after a capture."""
    stored: Any
    """The values to be checked, by the mover."""
    size: int
    """Bytes of a block of them."""
    steps: Leading
    stones: Leading
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
                number = rank(others & ~(1 << point), ground.numbers)
                victims[count, 0] = space.fewer.class_of[number]
                victims[count, 1] = space.fewer.symmetry_of[number]
                count += 1
        return count

    @jit
    def worth(after, word, target, block, many, victims, leading, space):  # type: ignore[no-untyped-def]
        """What a move brings: the byte that its position would have, if there were no other move.

        `after` are the mover's stones then, and `word` the same beside the other side's.
        """
        ground = space.ground
        index = ground.numbers
        mill = False
        for number in range(ground.lines.shape[1]):
            mill |= after & ground.lines[target, number] == ground.lines[target, number]
        if not mill:
            value = np.int64(leading.quiet[block * leading.size + rank(word, index)])
            return value if value == DRAW else value + 1
        if leading.ends:
            return np.int64(1)
        best = np.int64(0)
        for victim in range(many):
            group, symmetry = victims[victim, 0], victims[victim, 1]
            taken = np.int64(space.fewer.representatives[group])
            beside = rank(word_of(image(after, symmetry, index), taken, index), index)
            value = np.int64(leading.captured[group * leading.captured_size + beside])
            if value == DRAW:
                best = np.int64(DRAW)
            elif value & 1 == 0:
                return np.int64(1)
            elif best != DRAW:
                best = max(best, value + 1)
        return best

    @jit
    def expected(word, own, block, many, places, victims, space):  # type: ignore[no-untyped-def]
        """The value of a position by its definition; the other side's stones are the block's representative."""
        ground = space.ground
        others = np.int64(space.others.representatives[block])
        empty = ((1 << ground.numbers.points) - 1) & ~(own | others)
        win, loss = np.int64(FAR), np.int64(-1)
        draws = False
        # First, as from a point outside the board, the stones from the hand; then the steps from every point.
        sources = own if space.steps.allowed else np.int64(0)
        stones = space.stones.allowed
        while stones or sources:
            if stones:
                targets, left, rest = empty, own, word
            else:
                source = ground.point[(sources & -sources) % BITS]
                sources &= sources - 1
                targets = empty if space.flying else ground.neighbours[source] & empty
                left, rest = own & ~(1 << source), word & ~(1 << places[source])
            while targets:
                target = ground.point[(targets & -targets) % BITS]
                targets &= targets - 1
                after, moved = left | 1 << target, rest | 1 << places[target]
                if stones:
                    value = worth(after, moved, target, block, many, victims, space.stones, space)
                else:
                    value = worth(after, moved, target, block, many, victims, space.steps, space)
                if value == 1:
                    return value
                if value == DRAW:
                    draws = True
                elif value & 1:
                    win = min(win, value)
                else:
                    loss = max(loss, value)
            stones = False
        if win < FAR:
            return win
        if draws:
            return np.int64(DRAW)
        return loss if loss >= 0 else np.int64(space.stuck)

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

    def values(self) -> list[tuple[Value, int]]:
        """The same, value by value."""
        return [] if self.counts is None else [(meaning(byte), int(count)) for byte, count in enumerate(self.counts)]


class Checker(Protocol):
    """Whoever compares the bytes of whole subspaces."""

    def take(self, values: Any) -> Any:
        """Values in the checker's memory, as long as they are needed. Those that are there already are not copied."""

    def check(self, space: Space, advance: Callable[[float], None]) -> Checked:
        """Compare all bytes of a subspace, and count."""


class ProcessorChecker:
    """All cores share out the blocks."""

    def __init__(self, cores: int | None = None) -> None:
        self.cores = cores or os.cpu_count() or 1

    def take(self, values: Bytes) -> Bytes:
        """Read-only, wherever they come from: so the check is compiled once."""
        sealed = values.view()
        sealed.flags.writeable = False
        return sealed

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


class Witness:
    """Checks what a solver has found, group by group, as it goes."""

    def __init__(self, game: Game, checker: Checker, store: "Store | None" = None) -> None:
        """`store` is the table in which what was solved before is, if there is one."""
        self._checker = checker
        self._spaces = Spaces(game)
        self._store = store

    def check(self, keys: list[Key], values: Callable[[Key], Any], counts: dict[Key, NDArray[np.int64]]) -> None:
        """Recompute all values of some subspaces from their successors; raises an error if one does not follow.

        So are the counts: those of the solver, or what the manifest says of what was solved before. Nothing is kept
        between two groups: it is the solver who knows how long values are needed.
        """
        for key in keys:
            space = self._spaces.of(key, lambda needed: self._checker.take(values(needed)))
            found = self._checker.check(space, lambda _part: None)
            wrong = describe(self._spaces.game, key, found)
            if wrong is None and key not in counts and self._store is not None:
                wrong = self._store.disagreement(key, found.values())
            if wrong is not None:
                raise WrongValueError(wrong)
            for byte, count in enumerate(found.counts if key in counts and found.counts is not None else ()):
                if counts[key][byte] != count:
                    said = f"{counts[key][byte]:,} positions of {name_of(key)} are said to be {meaning(byte)}"
                    raise WrongValueError(f"{said}, expected {count:,}")


class Spaces:
    """Makes the spaces of a game's subspaces."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._ground = _ground(game.layout)

    def of(self, key: Key, values: Callable[[Key], Any]) -> Space:
        """A subspace; `values` gives its own, and those of others, in the memory of a checker."""
        mover, other = key[:2]
        rules, points, lead = self.game.rules, len(self.game.layout), leads(self.game, key)
        stored = values(key)

        def leading(quiet: Key | None, captured: Key | None) -> Leading:
            """Where moves of a kind lead, if there are any."""
            return Leading(
                quiet is not None,
                values(quiet) if quiet else stored,
                len(combinations(points - quiet[0], quiet[1])) if quiet else 0,
                captured is None,
                values(captured) if captured else stored,
                len(combinations(points - captured[0], captured[1])) if captured else 0,
            )

        return Space(
            in_hand(key)[0] == 0 and mover <= rules.flying,
            DRAW if rules.full_board_draws and mover + other == points else 0,
            combinations(points - other, mover),
            sets_of(self.game.layout, mover),
            sets_of(self.game.layout, other),
            sets_of(self.game.layout, max(0, other - 1)),
            stored,
            len(combinations(points - mover, other)),
            leading(exchanged(key) if steps(self.game, key) else None, lead.captured),
            leading(lead.placed, lead.placed_captured),
            self._ground,
        )


def describe(game: Game, key: Key, found: Checked) -> str | None:
    """What is wrong, if something is."""
    if found.wrong is None:
        return None
    own, others, stored, expected = found.wrong
    text = game.write(Position((own, others), in_hand(key), 0))
    return f"{text!r} is stored as {meaning(stored)}, expected {meaning(expected)}"


def _ground(layout: Layout) -> Ground:
    points, most = range(len(layout)), max(map(len, layout.lines_through))
    point = np.zeros(BITS, np.int64)
    point[[(1 << number) % BITS for number in points]] = points
    return Ground(
        np.array(layout.neighbours, np.int64),
        np.array([[*layout.lines_through[point], *[NO_LINE] * most][:most] for point in points], np.int64),
        np.array(layout.line_sets, np.int64),
        point,
        index_of(layout),
    )
