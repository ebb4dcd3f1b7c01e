"""In which order of the nine places the chip of 1990 would have kept its millisecond.

Its paper promises a move "in at most one millisecond" at 6 MHz, that is in 6,000 cycles; as it was built it takes up to
15,007. It tries places in the order of their numbers, row by row. How much alpha-beta cuts off depends on the order,
and the order costs nothing: it is how the win detector is wired to the board register.

Here all orders are tried, one of those that a symmetry of the board makes alike. Each is judged by its slowest reply to
the nine openings of the user, and one that is quick enough also by those to the 72 first moves against a chip that
began. Later replies always keep it: with six places free there are 1,956 stones that can be tried, each at three cycles
at most, and two cycles around them make 5,870.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

import numpy as np
from numba import boolean, int64, njit

from noughts.games import game as find_game
from noughts.games.layout import grid
from noughts.solve import Progress
from noughts.solve.interrupt import interruptible, stopped

__all__ = ["bench_orders", "orders", "slowest_replies"]

Row = dict[str, Any]
Order = tuple[int, ...]

AT_ONCE = 500
"""Orders between two words of progress."""
MILLISECOND = 6_000
"""Cycles at 6 MHz."""
AS_BUILT = tuple(range(9))
_ROWS = np.array([grid(3, 3, 3).has_row(stones) for stones in range(512)])


# A recursive function must say the types of its arguments, or Numba crashes when it loads it from its cache.
@njit(int64(int64, int64, int64, int64[::1], boolean[::1], int64[::1]), cache=True, nogil=True)
def _search(own, other, a, order, rows, cycles):  # type: ignore[no-untyped-def]
    """The C program's procedure: what the best move is worth to the opponent; the first worth `a` will do."""
    best = -1
    for place in order:
        stone = 1 << place
        if (own | other) & stone:
            continue
        cycles[0] += 2  # *setboardi* and *rating*
        if rows[own | stone]:
            return -1
        if own | other | stone == 511:
            return 0
        worth = _search(other, own | stone, -best, order, rows, cycles)
        cycles[0] += 1  # *returned*
        best = max(best, worth)
        if worth >= a:
            break
    return -best


@njit(cache=True, nogil=True)
def _slowest(stop, orders, rows, first, behind):  # type: ignore[no-untyped-def]
    """By order the cycles of the slowest reply, one of *userjustmoved* and, if no move wins, *doingbestmove* included.

    The chip has a stone on one of some places, or none: −1.
    """
    most = np.zeros(len(orders), np.int64)
    cycles = np.zeros(1, np.int64)
    for number in range(len(orders)):
        if stopped(stop):
            break
        for user in range(9):
            for chip in range(first, behind):
                if chip == user:
                    continue
                cycles[0] = 1
                own = 0 if chip < 0 else 1 << chip
                worth = -_search(own, 1 << user, 1, orders[number], rows, cycles)
                most[number] = max(most[number], cycles[0] + (worth < 1))
    return most


def slowest_replies(tried: Sequence[Order], *, begins: bool = False) -> list[int]:
    """By order of the places the cycles of the chip's slowest first reply, if it begins or if it does not."""
    found = interruptible(_slowest, np.array(tried).reshape(-1, 9), _ROWS, *((0, 9) if begins else (-1, 0)))
    return [int(cycles) for cycles in found]


def orders() -> Iterator[Order]:
    """All orders of the places, the least of those that are alike."""
    images = find_game("tictactoe").symmetries
    for first in (0, 1, 4):  # a corner, an edge, the centre
        for rest in permutations([place for place in AS_BUILT if place != first]):
            order = (first, *rest)
            if all(order <= tuple(image[place] for place in order) for image in images):
                yield order


def bench_orders(progress: Progress) -> list[Row]:
    """As built, the quickest and the slowest order, and how many keep the millisecond."""
    every = list(orders())
    found: list[tuple[int, Order]] = []
    for first in range(0, len(every), AT_ONCE):
        progress(first, len(every))
        these = every[first : first + AT_ONCE]
        found += zip(slowest_replies(these), these, strict=True)
    quick = [order for cycles, order in found if cycles <= MILLISECOND]
    within = sum(cycles <= MILLISECOND for cycles in slowest_replies(quick, begins=True))
    (as_built,) = slowest_replies([AS_BUILT])
    names = {"as built": (as_built, AS_BUILT), "quickest": min(found), "slowest": max(found)}
    rows: list[Row] = [
        {"order": name, "places": " ".join(map(str, order)), "cycles": cycles, "ms at 6 MHz": round(cycles / 6_000, 2)}
        for name, (cycles, order) in names.items()
    ]
    last = {
        "order": f"{within} of {len(every):,}",
        "places": "within 6,000 cycles",
        "cycles": None,
        "ms at 6 MHz": None,
    }
    return [*rows, last]
