"""Sweeps over tables on the processor: a range of blocks each, so that the cores can share them out.

A block is worked on by one core, so nothing is written twice at once within it. A byte of the table by the mover may be
reached from several blocks at once; they write the same value.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from noughts.solve.morris.blocks import Blocks
from noughts.solve.morris.forward import forward_functions
from noughts.solve.morris.kernel import DRAW, SAFE, Below, Movers, Tables, functions

__all__ = ["begin", "check", "count", "gather", "push"]

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint32]

_do = functions(njit(nogil=True))
_close, _begin, _lost_in, _closes, _rank, _spread = (
    _do.close,
    _do.begin,
    _do.lost_in,
    _do.closes,
    _do.rank,
    _do.spread,
)
_find, _is_first, _place_of = _do.find, _do.is_first, _do.place_of
_value_of = forward_functions(njit(nogil=True)).value_of


@njit(nogil=True)
def begin(
    first: int,
    last: int,
    table: Bytes,
    closed: Bytes,
    by_mover: Bytes,
    size: int,
    words: Words,
    flying: bool,
    blocks: Blocks,
    movers: Movers,
    below: Below,
    tables: Tables,
) -> int:
    """Fill the table by the other side with what captures and blocked positions decide; the largest value."""
    top = 0
    count = len(words)
    for block in range(first, last):
        start = block * count
        for number in range(count):
            closed[start + number] = _close(words[number], block, blocks, movers, below, tables)
        mine = closed[start : start + count]
        for number in range(count):
            word = words[number]
            value = _begin(word, flying, block, blocks, mine, tables)
            table[start + number] = value
            if value < SAFE:
                top = max(top, value)
                _spread(value, word, block, blocks, movers, by_mover, size, tables)
    return top


@njit(nogil=True)
def push(
    first: int,
    last: int,
    depth: int,
    following: Bytes,
    table: Bytes,
    closed: Bytes,
    by_mover: Bytes,
    size: int,
    words: Words,
    flying: bool,
    blocks: Blocks,
    movers: Movers,
    below: Below,  # noqa: ARG001  all sweeps are called alike
    tables: Tables,
) -> int:
    """From all that is decided at this depth to the positions before it; the largest value found.

    Whoever can move to a lost position has won, one ply later. Whoever can move to a won position may have lost now.
    """
    top = 0
    count, places = len(words), blocks.free.shape[1]
    for block in range(first, last):
        start = block * count
        mills = blocks.mills[block]
        for number in range(count):
            if following[start + number] != depth:
                continue
            word = words[number]
            empty = ((1 << places) - 1) & ~word
            moved = word
            while moved:
                target = moved & -moved
                moved ^= target
                if _closes(word, _place_of(target), mills):
                    continue
                sources = empty if flying else blocks.neighbours[block, _place_of(target)] & empty
                while sources:
                    source = sources & -sources
                    sources ^= source
                    before = word ^ target | source
                    place = start + _rank(before, tables)
                    known = table[place]
                    value = DRAW
                    if depth & 1 == 0 and known >= SAFE:
                        value = depth + 1
                    elif depth & 1 == 1 and known == DRAW:
                        after, mine = following[start : start + count], closed[start : start + count]
                        value = _lost_in(before, flying, block, blocks, mine, tables, after)
                    if value != DRAW:
                        table[place] = value
                        top = max(top, value)
                        _spread(value, before, block, blocks, movers, by_mover, size, tables)
    return top


@njit(nogil=True)
def gather(
    first: int,
    last: int,
    table: Bytes,
    closed: Bytes,  # noqa: ARG001  all sweeps are called alike
    by_mover: Bytes,
    size: int,
    words: Words,
    flying: bool,  # noqa: ARG001
    blocks: Blocks,
    movers: Movers,
    below: Below,  # noqa: ARG001
    tables: Tables,
) -> int:
    """Fill the table by the other side from the one by the mover."""
    for block in range(first, last):
        for number in range(len(words)):
            table[block * len(words) + number] = _find(words[number], block, blocks, movers, by_mover, size, tables)
    return 0


@njit(nogil=True)
def count(
    first: int, last: int, table: Bytes, words: Words, blocks: Blocks, keepers: Words, tables: Tables
) -> NDArray[np.int64]:
    """How many different positions have each value."""
    found = np.zeros(256, np.int64)
    for block in range(first, last):
        for number in range(len(words)):
            if _is_first(words[number], block, blocks, keepers, tables):
                found[table[block * len(words) + number]] += 1
    return found


@njit(nogil=True)
def check(
    first: int,
    last: int,
    following: Bytes,
    table: Bytes,
    words: Words,
    flying: bool,
    blocks: Blocks,
    movers: Movers,
    below: Below,
    tables: Tables,
) -> int:
    """The first slot whose value does not follow from its successors; −1 if there is none."""
    count = len(words)
    for block in range(first, last):
        start = block * count
        after = following[start : start + count]
        for number in range(count):
            if _value_of(words[number], flying, block, blocks, movers, below, tables, after) != table[start + number]:
                return start + number
    return -1
