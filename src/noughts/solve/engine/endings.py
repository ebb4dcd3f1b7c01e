"""The endings that come with Noughts, as the search looks them up: one position at a node, compiled.

They are the bit vector and the bytes of `noughts.solve.morris.endings`, with what numbering a position takes
(`noughts.solve.morris.numbering`), all in one record behind one pointer, as the state of a position is. The stones on
the board become two sets, the sets a slot, the slot a bit, and the bit, if it is one, a byte: about a hundred
nanoseconds. The record has room for nine men's morris; what is not used of it takes no memory, since nobody writes
there.
"""

from functools import cache
from typing import Any

import numpy as np
from numba import from_dtype, njit, uint64

from noughts.games import Game, Position
from noughts.solve.compiled import ALONE, part
from noughts.solve.engine.state import State
from noughts.solve.morris.endings import WORD, shipped_endings
from noughts.solve.morris.kernel import processor
from noughts.solve.morris.numbering import index_of, sets_of
from noughts.solve.morris.subspaces import DRAW, ENDINGS, shape_of

__all__ = ["ENDINGS_RECORD", "NOT_THERE", "Endings", "endings_near", "is_ending", "no_endings", "probe"]

NOT_THERE = -1
NEAR, FEW_IN_HAND = 8, 6
"""Stones a side, and stones in both hands, from which the search may come to an ending."""

SETS, CLASSES = 42_504, 2_830
"""Of five stones on 24 points, and their classes under 16 symmetries."""
WORDS = DECIDED = 1 << 21

TYPE = np.dtype(
    [
        # The index of the board, and its sets by the number of stones: see `numbering`.
        ("low", np.int32, (1 << 12,)),
        ("high", np.int32, (13, 1 << 12)),
        ("images", np.uint32, (16, 3, 256)),
        ("together", np.uint8, (256, 256)),
        ("ones", np.int64, (256,)),
        ("class_of", np.int32, (ENDINGS + 1, SETS)),
        ("symmetry_of", np.uint8, (ENDINGS + 1, SETS)),
        ("representatives", np.uint32, (ENDINGS + 1, CLASSES)),
        # Where a subspace begins, by the stones of the mover and of the other, and how many slots a block of it has.
        ("start", np.int64, (ENDINGS + 1, ENDINGS + 1)),
        ("size", np.int64, (ENDINGS + 1, ENDINGS + 1)),
        # The bit vector, the ones before each of its words, and the bytes of the decided slots.
        ("words", np.uint64, (WORDS,)),
        ("before", np.uint32, (WORDS,)),
        ("plies", np.uint8, (DECIDED,)),
    ],
    align=True,
)

ENDINGS_RECORD = from_dtype(TYPE)
Endings = Any
"""A record of that type, inside a kernel."""

_rank, _image, _rank_beside = processor.rank, processor.image, processor.rank_beside


def endings_near(game: Game, position: Position) -> Endings | None:
    """The record, in an array of one element, if the search of a position may come to endings; else None."""
    owned = [stones.bit_count() + hand for stones, hand in zip(position.stones, position.hand, strict=True)]
    near = game.rules.captures and max(owned) <= NEAR and sum(position.hand) <= FEW_IN_HAND
    return _load(game) if near else None


def is_ending(position: Position) -> bool:
    """Whether a position is among the endings."""
    return position.hand == (0, 0) and max(stones.bit_count() for stones in position.stones) <= ENDINGS


@cache
def no_endings() -> Endings:
    """The record where there are none."""
    return np.zeros(1, TYPE)


@cache
def _load(game: Game) -> Endings | None:
    found = shipped_endings(game)
    if found is None:
        return None
    endings = np.zeros(1, TYPE)
    record, index = endings[0], index_of(game.layout)
    record["low"], record["high"], record["together"], record["ones"] = (
        index.low,
        index.high,
        index.together,
        index.ones,
    )
    record["images"][: len(index.images)] = index.images
    record["start"] = NOT_THERE
    for key, word in found.starts.items():
        sets = sets_of(game.layout, key[0])
        record["class_of"][key[0], : len(sets.class_of)] = sets.class_of
        record["symmetry_of"][key[0], : len(sets.class_of)] = sets.symmetry_of
        record["representatives"][key[0], : len(sets.representatives)] = sets.representatives
        record["start"][key], record["size"][key] = word * WORD, shape_of(game, key)[1]
    record["words"][: len(found.words)] = found.words
    record["before"][: len(found.before)] = found.before
    record["plies"][: len(found.plies)] = found.plies
    return endings


@njit(uint64(uint64), cache=True, **ALONE)
def _ones(word: Any) -> Any:
    """How many ones a word has: by twos, by fours, by bytes, and all bytes summed into the highest."""
    word -= word >> uint64(1) & uint64(0x5555555555555555)
    word = (word & uint64(0x3333333333333333)) + (word >> uint64(2) & uint64(0x3333333333333333))
    word = (word + (word >> uint64(4))) & uint64(0x0F0F0F0F0F0F0F0F)
    return (word * uint64(0x0101010101010101)) >> uint64(56)


@part
def probe(state: State, endings: Endings) -> int:
    """The byte of a position, as a table has it, for the player to move; NOT_THERE if it is not among the endings."""
    turn = state.turn
    mover, other = state.stones[turn], state.stones[1 - turn]
    if mover > ENDINGS or other > ENDINGS or state.hand[0] + state.hand[1] > 0 or endings.start[mover, other] < 0:
        return NOT_THERE
    own, others = 0, 0
    for point in range(state.points):
        cell = state.cells[point]
        if cell == turn:
            own |= 1 << point
        elif cell >= 0:
            others |= 1 << point
    number = _rank(own, endings)
    group = endings.class_of[mover, number]
    others = int(_image(others, endings.symmetry_of[mover, number], endings))
    beside = _rank_beside(others, int(endings.representatives[mover, group]), endings)
    slot = endings.start[mover, other] + group * endings.size[mover, other] + beside
    word, bit = endings.words[slot >> 6], uint64(slot & 63)
    if word >> bit & uint64(1) == 0:
        return DRAW
    below = _ones(word & ((uint64(1) << bit) - uint64(1)))
    return int(endings.plies[endings.before[slot >> 6] + below])
