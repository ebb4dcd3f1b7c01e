"""The compiled work on one position with stones in hand: what a closed mill brings, and what the best stone brings.

Written once and compiled twice, as `noughts.solve.morris.kernel` is, whose functions it is given.
"""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["DRAWN", "LOST", "WON", "Captures", "placing_functions"]

LOST, DRAWN, WON = 0, 1, 2
"""What a byte of a layer says of the side to move."""


class Captures(NamedTuple):
    """Where mills lead: to a win at once, or to the next layer's table of a subspace with one stone less."""

    wins: bool
    table: Any
    size: int
    """Bytes of a block of it."""
    sets: NDArray[np.uint32]
    """The classes of the other side's sets with one stone less."""
    class_of: NDArray[np.int32]
    symmetry_of: NDArray[np.uint8]


def placing_functions(jit: Callable[[Any], Any], do: SimpleNamespace) -> SimpleNamespace:
    """The functions, compiled."""
    rank, expand, image, rank_beside = do.rank, do.expand, do.image, do.rank_beside
    closes, milled = do.closes, do.milled

    @jit
    def capture(word, block, blocks, captures, tables):  # type: ignore[no-untyped-def]
        """The best that a mill brings to the side that has closed it and has these stones now; LOST if it has none."""
        if not milled(word, block, blocks.lines):
            return LOST
        if captures.wins:
            return WON
        own = expand(word, blocks.sets[block], tables)
        best = LOST
        left = blocks.removable[block]
        while left and best != WON:
            stone = left & -left
            left ^= stone
            number = rank(blocks.sets[block] & ~stone, tables)
            group = captures.class_of[number]
            moved = image(own, captures.symmetry_of[number], tables)
            place = group * captures.size + rank_beside(moved, captures.sets[group], tables)
            best = max(best, WON - captures.table[place])
        return best

    @jit
    def best_stone(word, block, blocks, closed, following, tables):  # type: ignore[no-untyped-def]
        """The best that placing a stone brings, by what mills bring and by the block that quiet stones lead to."""
        mills = blocks.mills[block]
        places = len(mills)
        best = LOST
        for place in range(places):
            if (word >> place) & 1:
                continue
            after = word | (1 << place)
            number = rank(after, tables)
            if closes(after, place, mills):
                best = max(best, closed[number])
            else:
                best = max(best, WON - following[number])
            if best == WON:
                break
        return best

    return SimpleNamespace(capture=capture, best_stone=best_stone)
