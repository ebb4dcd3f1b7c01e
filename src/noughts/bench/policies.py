"""How many bits does a perfect policy need? Every way to keep one, counted, game by game.

Three policies: *every position* knows a move that keeps the value in each position in play; *takes every win* and
*never loses* follow themselves from the empty board, whoever begins, and know their own games alone.
`noughts.solve.policies` says what is counted. `bits` is entries times the bits of a move; `entropy` the bits that name
one move in each of these entries, where any good one will do, or one of all orders.

Entries are exact for tables of all positions. For a policy's own games they are those of the best order of the points
that a short search finds, from a fixed seed: a policy with fewer may well exist. `wrong` says in how many positions
rules with an order go wrong, which a ROM would have to name as exceptions.
"""

from collections.abc import Iterator
from math import ceil, factorial, log2
from typing import Any

import numpy as np

from noughts.games import game as find_game
from noughts.silicon.designs.rom2026.orders import ORDERS
from noughts.solve import Progress
from noughts.solve.policies import RULES, Walker, entropy, everything, solved

__all__ = ["GAMES", "bench_policies"]

GAMES = ("tictactoe", "mnk:4,3,3", "square4")
STEPS = {9: 2_000, 12: 2_000, 16: 60}
"""Orders that the search tries, by points of the board: some seconds each."""

OWN: dict[str, dict[str, Any]] = {
    "own games": {},
    "own, symmetric": {"symmetric": True},
    "rules 1, 2": {"rules": 2},
    "rules 1, 2, symmetric": {"rules": 2, "symmetric": True},
}
"""Tables of a policy's own games: all its positions, or those that *win* and *block* leave; or classes of them."""
ONE_ORDER = {"square4": (15, 5, 0, 12, 6, 9, 14, 8, 2, 7, 3, 10, 11, 13, 1, 4)}
"""An order with which four rules never lose, whoever begins, found as those of the ROM were."""

Row = dict[str, Any]


def bench_policies(progress: Progress) -> Iterator[Row]:
    """One row for every way to keep a perfect policy, of three games."""
    done, whole = 0, len(GAMES) * 18
    for name in GAMES:
        for row in _rows(name):
            progress(min(done, whole), whole)
            done += 1
            yield row


def _rows(name: str) -> Iterator[Row]:
    game = solved(find_game(name))
    walker = Walker(game)
    points, move = game.points, ceil(log2(game.points))

    def row(policy: str, memory: str, entries: int, bits: int, least: float | None, wrong: int | None = None) -> Row:
        named = None if least is None else round(least)
        return {
            "game": name,
            "policy": policy,
            "memory": memory,
            "entries": entries,
            "bits": bits,
            "entropy": named,
            "wrong": wrong,
        }

    positions, classes, kinds = everything(game)
    every = "every position"
    yield row(every, "two bits a point", 4**points, 4**points * move, None)
    yield row(every, "to base 3", 3**points, 3**points * move, None)
    yield row(every, "positions", positions, positions * move, entropy(kinds, points))
    yield row(every, "up to symmetry", classes, classes * move, None)
    for policy, keeping in (("takes every win", True), ("never loses", False)):
        for memory, options in OWN.items():
            order = walker.shorten(STEPS[points], 0, keeping=keeping, **options)
            keys = walker.walk(order, keeping=keeping, **options)
            count = len(keys.mine)
            yield row(policy, memory, count, count * move, entropy(np.bincount(keys.allowed), points))
        for rules in range(2, len(RULES) + 1):
            wrong = 0
            for begins in (0, 1):
                options = {"rules": rules, "keeping": keeping, "begins": begins}
                kept = ORDERS[name][begins] if name in ORDERS and rules == len(RULES) else None
                wrong += walker.walk(kept or walker.shorten(STEPS[points], 0, wrong=True, **options), **options).wrong
            yield row(policy, f"{rules} rules, 2 orders", 2 * points, 2 * points * move, 2 * least_of(points), wrong)
    if name in ONE_ORDER:
        wrong = walker.walk(ONE_ORDER[name], rules=len(RULES)).wrong
        yield row("never loses", f"{len(RULES)} rules, 1 order", points, points * move, least_of(points), wrong)


def least_of(points: int) -> float:
    """The bits that name one of all orders of so many points."""
    return log2(factorial(points))
