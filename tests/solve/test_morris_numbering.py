"""The numbers of morris positions: every position has a slot, and no slot belongs to two.

Which positions are the same is worked out here from the squares of the board, point by point.
"""

from functools import cache

import numpy as np
import pytest
from numba import njit
from numpy.typing import NDArray

from noughts.games import Game, game
from noughts.solve.morris.kernel import processor
from noughts.solve.morris.numbering import combinations, index_of, sets_of
from noughts.solve.morris.subspaces import Key, keys_upto, slots_of
from oracles.morris_tables import MorrisTables, positions_up_to_symmetry

pytestmark = pytest.mark.slow

SIX, NINE = game("six-mens-morris"), game("nine-mens-morris")
SQUARES = {SIX: 2, NINE: 3}
SAMPLE = 5_000

Sets = NDArray[np.int64]

_rank, _image, _rank_beside, _expand = processor.rank, processor.image, processor.rank_beside, processor.expand


@njit
def _slots(own, other, size, movers, index, found):  # type: ignore[no-untyped-def]
    for number in range(len(own)):
        ranked = _rank(own[number], index)
        group = movers.class_of[ranked]
        moved = _image(other[number], movers.symmetry_of[ranked], index)
        found[number] = group * size + _rank_beside(moved, movers.representatives[group], index)


# Only compiled functions can call the parts of kernels.
@njit
def _apart(word, taken, index):  # type: ignore[no-untyped-def]
    return _expand(word, taken, index)


@njit
def _is_ranked_alike(points, taken, word, index):  # type: ignore[no-untyped-def]
    return _rank_beside(points, taken, index) == _rank(word, index)


@njit
def _positions(slots, size, words, sets, index, own, other):  # type: ignore[no-untyped-def]
    for number in range(len(slots)):
        own[number] = sets[slots[number] // size]
        other[number] = _expand(words[slots[number] % size], sets[slots[number] // size], index)


class Numbers:
    """The slots of a subspace, by the mover's set."""

    def __init__(self, rules: Game, key: Key) -> None:
        mover, other = key
        points = len(rules.layout)
        self.movers = sets_of(rules.layout, mover)
        self.index = index_of(rules.layout)
        self.words = combinations(points - mover, other)
        self.size = len(self.words)

    def slots(self, own: Sets, other: Sets) -> Sets:
        found = np.zeros(len(own), np.int64)
        _slots(own, other, self.size, self.movers, self.index, found)
        return found

    def positions(self, slots: Sets) -> tuple[Sets, Sets]:
        own, other = np.zeros(len(slots), np.int64), np.zeros(len(slots), np.int64)
        _positions(slots, self.size, self.words, self.movers.representatives, self.index, own, other)
        return own, other


@cache
def halves(rules: Game) -> list[tuple[Sets, Sets]]:
    """Where the symmetries of the squares take sets of the first twelve points, and of the others."""
    names = list(rules.layout.points)
    half = np.arange(1 << 12)
    found = []
    for symmetry in MorrisTables(SQUARES[rules]).symmetries:
        low, high = np.zeros_like(half), np.zeros_like(half)
        for point, name in enumerate(names):
            part = low if point < 12 else high
            part |= (half >> point % 12 & 1) << names.index(symmetry[name])
        found.append((low, high))
    return found


def images(rules: Game, sets: Sets) -> list[Sets]:
    """Where the symmetries of the squares take sets of points."""
    return [low[sets & 4095] | high[sets >> 12] for low, high in halves(rules)]


def first_of_its_kind(rules: Game, own: Sets, other: Sets) -> Sets:
    """One number for all positions that look alike."""
    least = own << 24 | other
    for low, high in halves(rules):
        mine, theirs = (low[sets & 4095] | high[sets >> 12] for sets in (own, other))
        np.minimum(least, mine << 24 | theirs, out=least)
    return least


@pytest.mark.parametrize(
    ("rules", "key"),
    [(SIX, key) for key in keys_upto(4)] + [(NINE, key) for key in keys_upto(4)[:3]],
    ids=lambda part: part.name if isinstance(part, Game) else "-".join(map(str, part)),
)
def test_every_position_of_a_small_subspace_has_a_slot_of_its_own(rules: Game, key: Key) -> None:
    numbers = Numbers(rules, key)
    slots = np.arange(slots_of(rules, key))
    own, other = numbers.positions(slots)
    assert not (own & other).any()
    assert (np.bitwise_count(own) == key[0]).all()
    assert (np.bitwise_count(other) == key[1]).all()
    assert len(np.unique(own << 24 | other)) == len(slots)
    kinds = first_of_its_kind(rules, own, other)
    # The number of a position is that of one slot, and the slot is one of that position.
    assert (kinds[numbers.slots(own, other)] == kinds).all()
    # And none is missing.
    assert len(np.unique(kinds)) == positions_up_to_symmetry(MorrisTables(SQUARES[rules]).symmetries)[key[0], key[1]]


@pytest.mark.parametrize("key", keys_upto(9), ids=lambda key: "-".join(map(str, key)))
def test_numbers_and_positions_go_there_and_back(key: Key) -> None:
    numbers = Numbers(NINE, key)
    random = np.random.default_rng([*key])
    slots = random.integers(0, slots_of(NINE, key), SAMPLE)
    own, other = numbers.positions(slots)
    assert not (own & other).any()
    assert (np.bitwise_count(own) == key[0]).all()
    assert (np.bitwise_count(other) == key[1]).all()
    kinds = first_of_its_kind(NINE, own, other)
    for mine, theirs in list(zip(images(NINE, own), images(NINE, other), strict=True))[::3]:
        again = numbers.slots(mine, theirs)
        assert (first_of_its_kind(NINE, *numbers.positions(again)) == kinds).all()


def test_bits_are_moved_together_and_apart_as_points_are_counted() -> None:
    random = np.random.default_rng(5)
    index = index_of(NINE.layout)
    for taken in random.integers(0, 1 << 24, 300).tolist():
        free = [point for point in range(24) if not taken >> point & 1]
        word = int(random.integers(0, 1 << len(free)))
        points = sum(1 << point for place, point in enumerate(free) if word >> place & 1)
        assert _apart(word, taken, index) == points
        if word.bit_count() <= 12:
            assert _is_ranked_alike(points, taken, word, index)
