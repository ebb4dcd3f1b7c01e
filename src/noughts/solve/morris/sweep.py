"""Sweeps over tables on the processor: a range of blocks each, so that the cores can share them out.

A block is worked on by one core, so nothing is written twice at once within it. A byte of the table by the mover may be
reached from several blocks at once; they write the same value.
"""

import numpy as np
from numpy.typing import NDArray

from noughts.solve.morris.blocks import Blocks
from noughts.solve.morris.compiled import compiled
from noughts.solve.morris.forward import forward_functions
from noughts.solve.morris.kernel import SAFE, Below, Movers, Tables, functions

__all__ = ["begin", "check", "count", "gather", "push"]

STRETCH = 256
"""Bytes that are looked at together for one at the present depth: at most depths most have none."""

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint32]

_do = functions(compiled)
_close, _begin, _push, _spread = _do.close, _do.begin, _do.push, _do.spread
_find, _is_first = _do.find, _do.is_first
_value_of = forward_functions(compiled).value_of


@compiled
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


@compiled
def _holds(values: Bytes, value: int) -> int:
    """How often a value is there; written so that the processor compares many bytes at once."""
    found = 0
    for number in range(len(values)):
        found += values[number] == value
    return found


@compiled
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
    """From all that is decided at this depth to the positions before it; the largest value found."""
    top = 0
    count = len(words)
    for block in range(first, last):
        part = slice(block * count, (block + 1) * count)
        here, mine, after = table[part], closed[part], following[part]
        for start in range(0, count, STRETCH):
            if not _holds(after[start : start + STRETCH], depth):
                continue
            for number in range(start, min(start + STRETCH, count)):
                if after[number] == depth:
                    word = words[number]
                    found = _push(word, depth, flying, block, blocks, movers, here, mine, after, by_mover, size, tables)
                    top = max(top, found)
    return top


@compiled
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


@compiled
def count(
    first: int,
    last: int,
    found: NDArray[np.int64],
    table: Bytes,
    words: Words,
    blocks: Blocks,
    keepers: Words,
    tables: Tables,
) -> None:
    """Add to what was found how many different positions have each value."""
    for block in range(first, last):
        for number in range(len(words)):
            if _is_first(words[number], block, blocks, keepers, tables):
                found[table[block * len(words) + number]] += 1


@compiled
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
