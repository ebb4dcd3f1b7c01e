"""The sweeps over a subspace on the processor: a range of blocks each, so that its cores can share them out.

A block is worked on by one core, so nothing is written twice at once within it. What a position's value is written to
in the table by the mover may be reached from several blocks at once; they write the same byte.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from noughts.solve.morris.kernel import DRAW, SAFE, functions

__all__ = ["begin", "push_losses", "push_wins", "spread"]

_do = functions(njit(nogil=True, cache=True))
_begin, _lost_in, _closes, _rank = _do.begin, _do.lost_in, _do.closes, _do.rank
_expand, _image, _rank_beside = _do.expand, _do.image, _do.rank_beside

Bytes = NDArray[np.uint8]


@njit(nogil=True, cache=True)
def begin(first: int, last: int, table: Bytes, words: Any, flying: bool, blocks: Any, fewest: bool, smaller: Any, movers: Any, tables: Any, size: int) -> None:
    """Fill a table by the other side with what captures and blocked positions tell."""
    representatives, free, neighbours, mills, removable = blocks
    count, places = len(words), free.shape[1]
    for block in range(first, last):
        for number in range(count):
            table[block * count + number] = _begin(
                words[number],
                places,
                flying,
                neighbours[block],
                mills[block],
                free[block],
                representatives[block],
                removable[block],
                fewest,
                smaller,
                movers,
                tables,
                size,
            )


@njit(nogil=True, cache=True)
def _spread_one(value: int, word: int, free: Any, other: int, by_mover: Any, sets: Any, tables: Any, size: int) -> None:
    """Write a value wherever the position stands in the table by the mover."""
    low, high, images, choose = tables
    representatives, class_of, symmetry_of, keepers = sets
    mover = _expand(word, free)
    number = _rank(mover, low, high)
    group = class_of[number]
    turned = _image(other, images, symmetry_of[number])
    kept = keepers[group]
    symmetry = 0
    while kept:
        if kept & 1:
            place = _rank_beside(_image(turned, images, symmetry), representatives[group], choose)
            by_mover[group * size + place] = value
        kept >>= 1
        symmetry += 1


@njit(nogil=True, cache=True)
def spread(first: int, last: int, table: Bytes, words: Any, blocks: Any, by_mover: Any, sets: Any, tables: Any, size: int) -> int:
    """Write everything that is decided into the table by the mover; the largest value there is."""
    representatives, free = blocks
    count = len(words)
    top = 0
    for block in range(first, last):
        for number in range(count):
            value = table[block * count + number]
            if value < SAFE:
                top = max(top, value)
                _spread_one(value, words[number], free[block], representatives[block], by_mover, sets, tables, size)
    return top


@njit(nogil=True, cache=True)
def push_losses(first: int, last: int, depth: int, table: Bytes, following: Bytes, words: Any, flying: bool, blocks: Any, by_mover: Any, sets: Any, tables: Any, size: int) -> int:
    """Whatever can move to a position that is lost in `depth` plies is won in one more; how many were found."""
    representatives, free, neighbours, mills = blocks
    low, high = tables[0], tables[1]
    count, places = len(words), free.shape[1]
    everything = (1 << places) - 1
    found = 0
    for block in range(first, last):
        start = block * count
        for number in range(count):
            if following[start + number] != depth:
                continue
            word = words[number]
            empty = everything & ~word
            for target in range(places):
                if not (word >> target) & 1 or _closes(word, target, mills[block]):
                    continue
                sources = empty if flying else neighbours[block, target] & empty
                rest = word & ~(1 << target)
                for source in range(places):
                    if not (sources >> source) & 1:
                        continue
                    before = rest | (1 << source)
                    place = start + _rank(before, low, high)
                    if table[place] >= SAFE:
                        table[place] = depth + 1
                        found += 1
                        _spread_one(
                            depth + 1, before, free[block], representatives[block], by_mover, sets, tables, size
                        )
    return found


@njit(nogil=True, cache=True)
def push_wins(first: int, last: int, depth: int, table: Bytes, following: Bytes, words: Any, flying: bool, blocks: Any, removable: Any, fewest: bool, smaller: Any, movers: Any, small_size: int, by_mover: Any, sets: Any, tables: Any, size: int) -> int:
    """Whatever can move to a position that is won in `depth` plies may be lost now; the largest value found."""
    representatives, free, neighbours, mills = blocks
    low, high = tables[0], tables[1]
    count, places = len(words), free.shape[1]
    everything = (1 << places) - 1
    top = 0
    for block in range(first, last):
        start = block * count
        for number in range(count):
            if following[start + number] != depth:
                continue
            word = words[number]
            empty = everything & ~word
            for target in range(places):
                if not (word >> target) & 1 or _closes(word, target, mills[block]):
                    continue
                sources = empty if flying else neighbours[block, target] & empty
                rest = word & ~(1 << target)
                for source in range(places):
                    if not (sources >> source) & 1:
                        continue
                    before = rest | (1 << source)
                    place = start + _rank(before, low, high)
                    if table[place] != DRAW:
                        continue
                    value = _lost_in(
                        before,
                        places,
                        flying,
                        neighbours[block],
                        mills[block],
                        free[block],
                        representatives[block],
                        removable[block],
                        fewest,
                        smaller,
                        movers,
                        tables,
                        small_size,
                        following[start : start + count],
                    )
                    if value != DRAW:
                        table[place] = value
                        top = max(top, value)
                        _spread_one(
                            value, before, free[block], representatives[block], by_mover, sets, tables, size
                        )
    return top
