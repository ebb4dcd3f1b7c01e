"""The check of layers: every byte worked out again, forwards, from the bytes of the positions after each move.

The definition, and nothing else. The game is over if the other side has a row: a loss in 0. If the board is full, it is
a draw. A move that completes a row wins in 1, and nothing is better. Otherwise a move into a loss in n wins in n + 1,
one into a draw draws, and one into a win in n loses in n + 1; a player prefers the quickest win, then a draw, then the
slowest loss. If every byte passes, all are right, by induction from the full board down.

Nothing is shared with the solver but the definition of the numbering: no function, and no table of ranks. The check
knows plies and wishes (`WISHES`: what a byte is worth to the player who moves there), not scores of X's. It goes
through the words of a block one by one, not in runs, and finds the rank of a word by halves of twelve bits. Where O
moves, the ranks of all successors of a word are the same in every block, and are listed once; where X moves, a word is
turned by the symmetry to the representative, half by half. Lines are compared with every word of the block. X's rows,
which have no bytes, are counted by trying all of O's words, not by inclusion and exclusion.

A sample (`sample`) uses the rules' own plain functions instead, and the table's way to look up single positions.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from noughts.games import Game, NoughtsError, Position
from noughts.solve.compiled import part
from noughts.solve.interrupt import Stop, stopped
from noughts.solve.layers.numbering import NEVER, Layers, classes_of, images_of, stones_of
from noughts.solve.layers.table import LayerTable
from noughts.solve.machine import PARTS, cores_of, share
from noughts.solve.morris.numbering import combinations
from noughts.solve.solution import Progress
from noughts.solve.store import Store, TableError
from noughts.solve.subspaces import DRAW, MOST_POINTS, Key, meaning, name_of
from noughts.solve.value import DRAWN, Value
from noughts.solve.verify import Verified, expected_value

if TYPE_CHECKING:
    from noughts.solve.layers.making import SolvedLayer

__all__ = ["Checked", "WrongByteError", "check_layer", "verify_layers"]

HALF = 12
"""Bits of the lower half of a word."""
NOTHING = 255
"""A wish that no byte gives, and of which no byte comes: a move leads to a position that cannot occur."""
DRAWS, WINS = 100, 200
SEED = 1
"""Of the samples: the same table gets the same sample."""
TRIES = 1000
"""Positions that are dealt for one that can occur, at most."""

Bytes = NDArray[np.uint8]


class WrongByteError(NoughtsError):
    """A byte that does not follow from those of its successors."""


class Ground(NamedTuple):
    """The board and a layer of it, for the compiled check."""

    points: int
    lines: NDArray[np.int64]
    images: NDArray[np.uint32]
    words: NDArray[np.uint32]
    """O's words, in order."""
    low: NDArray[np.int64]
    """What the lower half of a word adds to its rank, where X moves."""
    high: NDArray[np.int64]
    """What the upper half adds, in words with as many ones."""
    after_size: int
    """Bytes of a block of the layer above."""
    stored: NDArray[np.uint8]
    """What the bytes of this layer mean, in plies."""
    wishes: NDArray[np.uint8]
    """By a byte of the layer above, what it is worth to the player who moves there; the more the better."""
    fulfilled: NDArray[np.uint8]
    """By the best wish, the byte that follows."""


class Checked(NamedTuple):
    """What the check of a layer found."""

    wrong: tuple[int, int, int, int] | None
    """X's set, O's set, the byte that is stored, and the byte expected."""
    counts: NDArray[np.int64]
    """How many positions have each byte, symmetric ones counted apart."""
    turn: int

    def raise_if_wrong(self, game: Game, counts: NDArray[np.int64] | None = None) -> None:
        """Raises an error if something is wrong, or if these counts are, where they are given."""
        said = self.words(game)
        if said is not None:
            raise WrongByteError(said)
        for byte, count in enumerate(self.counts):
            if counts is not None and byte != NEVER and counts[byte] != count:
                raise WrongByteError(f"{counts[byte]} positions are said to be {_said(byte)}, expected {count}")

    def values(self) -> list[tuple[Value, int]]:
        """How many positions have each value."""
        return [(meaning(byte), int(count)) for byte, count in enumerate(self.counts) if byte != NEVER]

    def words(self, game: Game) -> str | None:
        """What is wrong, if something is."""
        if self.wrong is None:
            return None
        x, o, stored, expected = self.wrong
        text = game.write(_position(game, x, o))
        return f"{text!r} is stored as {_said(stored)}, expected {_said(expected)}"


def check_layer(
    game: Game,
    stones: int,
    solved: "SolvedLayer | Bytes",
    above: "SolvedLayer | Bytes | None",
    done: Callable[[int], None] = lambda _last: None,
) -> Checked:
    """Recompute all bytes of a layer from those of the layer above, on all cores.

    Layers are given as bytes, or as a solver holds them, with what its scores mean.
    """
    layout = game.layout
    points, (x, o) = len(layout), stones_of(stones)
    values, meanings = _read(solved, stones)
    later, later_meanings = (np.zeros(1, np.uint8), meanings) if above is None else _read(above, stones + 1)
    classes, words = classes_of(layout, x), combinations(points - x, o)
    turn = stones % 2
    low, high = _ranks(points - x - (turn == 0), o)
    wishes, fulfilled = _wishes()
    ground = Ground(
        points,
        np.array(layout.line_sets, np.int64),
        images_of(layout),
        words,
        low,
        high,
        len(combinations(points - x - (turn == 0), o + turn)) if above is not None else 0,
        meanings,
        wishes[later_meanings],
        fulfilled,
    )
    counts = np.zeros((PARTS * cores_of(), 256), np.int64)
    if above is None:
        loop: Any = _check_full
        more: tuple[Any, ...] = ()
    elif turn:
        loop, more = _check_o, (later, _successors(points - x, words, o))
    else:
        loop, more = _check_x, (later, classes_of(layout, x + 1).sets)
    answers = share(
        cores_of(),
        loop,
        len(classes.sets),
        lambda part: (classes.sets, classes.weights, values, ground, counts[part], *more),
        done=done,
    )
    if turn:
        share(
            cores_of(),
            _count_won,
            len(classes.won),
            lambda part: (classes.won, classes.won_weights, words, ground, counts[part]),
        )
    wrong = next((tuple(map(int, answer)) for answer in answers if answer[0] >= 0), None)
    return Checked(wrong, counts.sum(axis=0), turn)  # type: ignore[arg-type]


def _read(layer: "SolvedLayer | Bytes", stones: int) -> tuple[Bytes, Bytes]:
    """A layer as bytes, and what each of them means in plies."""
    if isinstance(layer, np.ndarray):
        return layer, np.arange(256, dtype=np.uint8)
    from noughts.solve.layers.making import bytes_of_scores  # noqa: PLC0415  it leans on this file

    return layer.scores.view(np.uint8), bytes_of_scores(stones)


def _ranks(bits: int, ones: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What the halves of words with so many ones add to their rank among them."""
    choose = [[1] + [0] * 32]
    for _ in range(32):
        choose.append([1, *(choose[-1][k] + choose[-1][k - 1] for k in range(1, 33))])
    low = np.zeros(1 << min(HALF, bits), np.int64)
    high = np.zeros(1 << max(0, bits - HALF), np.int64)
    for half, first in ((low, 0), (high, HALF)):
        for word in range(len(half)):
            seen = 0 if first == 0 else ones - word.bit_count()
            for bit in range(word.bit_length()):
                if word >> bit & 1:
                    seen += 1
                    half[word] += choose[first + bit][seen] if seen > 0 else 0
    return low, high


def _wishes() -> tuple[Bytes, Bytes]:
    """What a byte is worth to the player who moves there, and what byte the best wish gives."""
    wishes, fulfilled = np.full(256, NOTHING, np.uint8), np.full(256, NEVER, np.uint8)
    for plies in range(DRAWS):
        wishes[plies] = plies if plies % 2 else WINS - plies
        fulfilled[wishes[plies]] = plies + 1
    wishes[DRAW], fulfilled[DRAWS] = DRAWS, DRAW
    return wishes, fulfilled


def _successors(bits: int, words: NDArray[np.uint32], ones: int) -> NDArray[np.int32]:
    """For every word, the ranks of the words with one bit more."""
    low, high = _ranks(bits, ones + 1)
    found = np.zeros((len(words), bits - ones), np.int32)
    count = np.zeros(len(words), np.int64)
    for bit in range(bits):
        free = np.flatnonzero(words >> np.uint32(bit) & 1 == 0)
        larger = words[free] | np.uint32(1 << bit)
        found[free, count[free]] = low[larger & (len(low) - 1)] + high[larger >> np.uint32(HALF)]
        count[free] += 1
    return found


@part
def _lines_left(taken: Any, ground: Any, found: Any) -> Any:
    """The lines that X leaves free, as words; how many."""
    many = 0
    for line in ground.lines:
        if line & taken:
            continue
        word, bit = 0, 1
        for point in range(ground.points):
            if not taken >> point & 1:
                if line >> point & 1:
                    word |= bit
                bit <<= 1
        found[many] = word
        many += 1
    return many


@part
def _rows(words: Any, lines: Any, many: Any, common: Any) -> Any:
    """For every word what all lines that it holds have in common; −1 if it holds none."""
    common[:] = -1
    for number in range(many):
        line = np.int32(lines[number])
        for place in range(len(words)):
            if np.int32(words[place]) & line == line:
                common[place] &= line


@part
def _compare(block: Any, weight: Any, best: Any, common: Any, turn: Any, values: Any, ground: Any, counts: Any) -> Any:
    """Compare the bytes of a block with what follows from the best wishes; the first place that is wrong, or −1."""
    size = len(ground.words)
    for place in range(size):
        if common[place] == -1:
            expected = ground.fulfilled[best[place]]
        elif turn == 0 and common[place] != 0:
            expected = np.uint8(0)
        else:
            expected = np.uint8(NEVER)
        # A board on which the game goes on has a value: NEVER is right only where O has a row.
        if ground.stored[values[block * size + place]] != expected or (expected == NEVER and common[place] == -1):
            return place
        counts[expected] += weight
    return -1


@part
def _place_on_board(taken: Any, word: Any, points: Any) -> Any:
    """The set of points that a word stands for."""
    found = 0
    for point in range(points):
        if not taken >> point & 1:
            if word & 1:
                found |= 1 << point
            word >>= 1
    return found


@part
def _report(block: Any, place: Any, taken: Any, best: Any, common: Any, turn: Any, values: Any, ground: Any) -> Any:
    """What is wrong, as numbers: X's set, O's, the byte stored, the byte expected."""
    expected = np.int64(ground.fulfilled[best[place]])
    if common[place] != -1:
        expected = np.int64(0 if turn == 0 and common[place] != 0 else NEVER)
    stored = np.int64(ground.stored[values[block * len(ground.words) + place]])
    return taken, np.int64(_place_on_board(taken, ground.words[place], ground.points)), stored, expected


@njit(cache=True, nogil=True)
def _check_full(
    stop: Stop,
    first: int,
    last: int,
    sets: NDArray[np.uint32],
    weights: NDArray[np.int64],
    values: Bytes,
    ground: Ground,
    counts: NDArray[np.int64],
) -> tuple[int, int, int, int]:
    """Check some blocks of full boards."""
    size = len(ground.words)
    lines, common = np.empty(len(ground.lines), np.int64), np.empty(size, np.int32)
    best = np.full(size, DRAWS, np.uint8)
    turn = ground.points % 2
    for block in range(first, last):
        if stopped(stop):
            break
        taken = np.int64(sets[block])
        _rows(ground.words, lines, _lines_left(taken, ground, lines), common)
        wrong = _compare(block, weights[block], best, common, turn, values, ground, counts)
        if wrong >= 0:
            return _report(block, wrong, taken, best, common, turn, values, ground)  # type: ignore[no-any-return]
    return -1, 0, 0, 0


@njit(cache=True, nogil=True)
def _check_o(
    stop: Stop,
    first: int,
    last: int,
    sets: NDArray[np.uint32],
    weights: NDArray[np.int64],
    values: Bytes,
    ground: Ground,
    counts: NDArray[np.int64],
    later: Bytes,
    successors: NDArray[np.int32],
) -> tuple[int, int, int, int]:
    """Check some blocks of a layer in which O is to move."""
    size, ways = successors.shape
    lines, common = np.empty(len(ground.lines), np.int64), np.empty(size, np.int32)
    best, wished = np.empty(size, np.uint8), np.empty(ground.after_size, np.uint8)
    for block in range(first, last):
        if stopped(stop):
            break
        taken = np.int64(sets[block])
        start = block * ground.after_size
        for place in range(ground.after_size):
            wished[place] = ground.wishes[later[start + place]]
        for place in range(size):
            most = np.uint8(0)
            for way in range(ways):
                most = max(most, wished[np.uint32(successors[place, way])])
            best[place] = most
        _rows(ground.words, lines, _lines_left(taken, ground, lines), common)
        wrong = _compare(block, weights[block], best, common, 1, values, ground, counts)
        if wrong >= 0:
            return _report(block, wrong, taken, best, common, 1, values, ground)  # type: ignore[no-any-return]
    return -1, 0, 0, 0


@part
def _turned(points: Any, symmetry: Any, ground: Any) -> Any:
    """Where a symmetry takes a set of points, eight at a time."""
    found = np.int64(0)
    for number in range(4):
        found |= np.int64(ground.images[symmetry, number, points >> (8 * number) & 255])
    return found


@part
def _turn_words(taken: Any, point: Any, lead: Any, symmetry: Any, ground: Any, low: Any, high: Any) -> Any:
    """For the halves of a word beside `taken`, the words that the symmetry makes of them beside `lead`."""
    low[0] = high[0] = 0
    bit = 0
    for other in range(ground.points):
        if taken >> other & 1:
            continue
        target = np.int64(0)
        if other != point:
            # The bit of a point is how many points below it are free.
            target = _turned(np.int64(1) << other, symmetry, ground)
            below, target = (target - 1) & ~lead, np.int64(1)
            while below:
                below &= below - 1
                target <<= 1
        half, number = (low, bit) if bit < HALF else (high, bit - HALF)
        for word in range(1 << number):
            half[word | 1 << number] = half[word] | target
        bit += 1


@part
def _winning(taken: Any, ground: Any) -> Any:
    """The free points on which X completes a row, as a word."""
    word, bit = np.int64(0), np.int64(1)
    for point in range(ground.points):
        if not taken >> point & 1:
            for line in ground.lines:
                if (taken | np.int64(1) << point) & line == line:
                    word |= bit
            bit <<= 1
    return word


@part
def _lead(points: Any, ground: Any) -> Any:
    """The least image of a set, and the first symmetry that gives it."""
    lead, symmetry = points, 0
    for number in range(1, len(ground.images)):
        turned = _turned(points, number, ground)
        if turned < lead:
            lead, symmetry = turned, number
    return lead, symmetry


@part
def _open_places(words: Any, needed: Any, best: Any, places: Any) -> Any:
    """X wins in 1 where O's word leaves a point on which X completes a row; list the other places; how many."""
    many = 0
    for place in range(len(words)):
        best[place] = WINS
        if np.int64(words[place]) & needed == needed:
            best[place] = 0
            places[many] = place
            many += 1
    return many


@part
def _move(bit: Any, places: Any, wished: Any, low: Any, high: Any, ground: Any, best: Any, free: Any) -> Any:
    """One of X's moves, from all places whose words leave its point free."""
    left = 0
    for place in places:  # listed without a branch, which nobody could foresee
        free[left] = place
        left += np.int64(ground.words[place]) & bit == 0
    mask, rank_mask = np.uint64((1 << HALF) - 1), np.uint64(len(ground.low) - 1)
    for number in range(left):
        place = free[number]
        word = np.uint64(ground.words[place])
        after = np.uint64(low[word & mask] | high[word >> np.uint64(HALF)])
        rank = np.uint64(ground.low[after & rank_mask] + ground.high[after >> np.uint64(HALF)])
        best[place] = max(best[place], wished[rank])


@njit(cache=True, nogil=True)
def _check_x(
    stop: Stop,
    first: int,
    last: int,
    sets: NDArray[np.uint32],
    weights: NDArray[np.int64],
    values: Bytes,
    ground: Ground,
    counts: NDArray[np.int64],
    later: Bytes,
    next_sets: NDArray[np.uint32],
) -> tuple[int, int, int, int]:
    """Check some blocks of a layer in which X is to move."""
    size = len(ground.words)
    lines, common = np.empty(len(ground.lines), np.int64), np.empty(size, np.int32)
    best, wished = np.empty(size, np.uint8), np.empty(ground.after_size, np.uint8)
    places, free = np.empty(size, np.uint32), np.empty(size + 1, np.uint32)
    low, high = np.zeros(1 << HALF, np.int64), np.zeros(1 << (MOST_POINTS - HALF), np.int64)
    for block in range(first, last):
        if stopped(stop):
            break
        taken = np.int64(sets[block])
        needed = _winning(taken, ground)
        many = _open_places(ground.words, needed, best, places)
        bit = np.int64(1)
        for point in range(ground.points):
            if taken >> point & 1:
                continue
            here, bit = bit, bit << 1
            if here & needed or many == 0:
                continue
            lead, symmetry = _lead(taken | np.int64(1) << point, ground)
            start = np.searchsorted(next_sets, np.uint32(lead)) * ground.after_size
            for place in range(ground.after_size):
                wished[place] = ground.wishes[later[start + place]]
            _turn_words(taken, point, lead, symmetry, ground, low, high)
            _move(here, places[:many], wished, low, high, ground, best, free)
        _rows(ground.words, lines, _lines_left(taken, ground, lines), common)
        wrong = _compare(block, weights[block], best, common, 0, values, ground, counts)
        if wrong >= 0:
            return _report(block, wrong, taken, best, common, 0, values, ground)  # type: ignore[no-any-return]
    return -1, 0, 0, 0


@njit(cache=True, nogil=True)
def _count_won(
    stop: Stop,
    first: int,
    last: int,
    sets: NDArray[np.uint32],
    weights: NDArray[np.int64],
    words: NDArray[np.uint32],
    ground: Ground,
    counts: NDArray[np.int64],
) -> None:
    """Count the positions in which X has just completed a row, as lost in 0 for O."""
    lines, common = np.empty(len(ground.lines), np.int64), np.empty(len(words), np.int32)
    for number in range(first, last):
        if stopped(stop):
            return
        _rows(words, lines, _lines_left(np.int64(sets[number]), ground, lines), common)
        free = 0
        for place in range(len(words)):
            free += common[place] == -1
        counts[0] += weights[number] * free


def verify_layers(store: Store, sample: int | None = None, progress: Progress | None = None) -> Verified:
    """Check all bytes of a table of layers, or so many positions a layer; and the counts where all were checked."""
    form = Layers(store.game)
    there = [key for key in form.order() if store.has(key)]
    total = sum(store.entry(key).row.slots for key in there)
    held: dict[Key, Bytes] = {}
    done = checked = 0
    unchecked = []
    for key in there:
        slots, needed = store.entry(key).row.slots, [key, *([_above(key)] if key != form.order()[0] else [])]
        if not all(map(store.has, needed)):
            unchecked.append(name_of(key))
            continue
        try:
            if sample is not None:
                compared, wrong = _check_sample(store, sum(key), sample)
            else:
                held = {one: values for one, values in held.items() if one in needed}
                for one in needed:
                    held[one] = held[one] if one in held else store.read(*one)
                advance = _advance(progress, done, slots, total, max(1, form.shape(key)[0]))
                found = check_layer(store.game, sum(key), held[key], held.get(_above(key)), advance)
                compared, wrong = len(held[key]), found.words(store.game) or store.disagreement(key, found.values())
        except TableError as error:
            return Verified(checked, str(error), tuple(unchecked))
        if wrong is not None:
            return Verified(checked, wrong, tuple(unchecked))
        checked += compared
        done += slots
        if progress:
            progress(done, total)
    return Verified(checked, None, tuple(unchecked))


def _advance(progress: Progress | None, done: int, slots: int, total: int, blocks: int) -> Callable[[int], None]:
    return lambda last: progress(done + slots * last // blocks, total) if progress else None


def _above(key: Key) -> Key:
    """The layer with one stone more: who is to move is then the other."""
    mover, other = key
    return other, mover + 1


def _check_sample(store: Store, stones: int, sample: int) -> tuple[int, str | None]:
    """Compare some positions that can occur with what the rules and their successors say; how many, what is wrong."""
    table, game = LayerTable(store), store.game
    compared = 0
    for position in _deal(game, stones, sample):
        stored = table.probe(position)
        expected = expected_value(game, position, [rated.value for rated in table.moves(position)])
        if stored != expected:
            return compared, f"{game.write(position)!r} is stored as {stored}, expected {expected}"
        compared += 1
    return compared, None


def _deal(game: Game, stones: int, sample: int) -> Iterator[Position]:
    """Positions with so many stones that can occur, put down at random; fewer where few of them can."""
    random = Random(f"{SEED} {stones}")
    x, o = stones_of(stones)
    found = 0
    for _ in range(TRIES * sample):
        points = random.sample(range(len(game.layout)), x + o)
        position = _position(game, sum(1 << point for point in points[:x]), sum(1 << point for point in points[x:]))
        if _can_occur(game, position):
            yield position
            found += 1
            if found == sample:
                return


def _can_occur(game: Game, position: Position) -> bool:
    """Whether the side to move has no row, and one stone lies in all rows of the other."""
    lines = game.layout.line_sets
    own, other = position.stones[position.turn], position.stones[1 - position.turn]
    if any(own & line == line for line in lines):
        return False
    common = game.layout.everywhere
    for line in lines:
        if other & line == line:
            common &= line
    return common != 0


def _position(game: Game, x: int, o: int) -> Position:
    hand = (game.rules.stones[0] - x.bit_count(), game.rules.stones[1] - o.bit_count())
    return Position((x, o), hand, (x | o).bit_count() % 2)


def _said(byte: int) -> Value | str:
    """What a byte says, for people."""
    if byte == DRAW:
        return DRAWN
    return "what never occurs" if byte == NEVER else meaning(byte)
