"""The referee of 4×4×4 that sees threats: its sets against the words, by setting the stones one after the other."""

import random
from itertools import combinations
from typing import Any

import pytest
from amaranth.sim import Simulator

from noughts.games import game
from noughts.silicon.designs.threats2026.check import LINES, sets_of
from noughts.silicon.designs.threats2026.proofs import ROWS
from noughts.silicon.designs.threats2026.referee import LINES as LINES_OF_THE_GAME
from noughts.silicon.designs.threats2026.referee import ThreatFinder

QUBIC = game("qubic")


def test_lines_by_directions_are_those_of_the_game() -> None:
    assert len(ROWS) == len({frozenset(row) for row in ROWS}) == 76
    assert {frozenset(row) for row in ROWS} == {frozenset(line) for line in LINES_OF_THE_GAME}
    assert {sum(1 << point for point in row) for row in ROWS} == LINES


def by_trying(own: int, others: int) -> tuple[int, int, int]:
    """A stone wins if it makes a row, threatens if a next one would make one with it, and forks if two would."""
    rows = [sum(1 << point for point in row) for row in ROWS]
    empty = [point for point in range(64) if not (own | others) >> point & 1]
    sets = [0, 0, 0]
    for point in empty:
        through = [row for row in rows if row >> point & 1]
        made = own | 1 << point
        nexts = [
            last
            for last in empty
            if last != point and any(row >> last & 1 and not row & ~(made | 1 << last) for row in through)
        ]
        for number, holds in enumerate((any(not row & ~made for row in through), nexts, len(nexts) > 1)):
            sets[number] |= bool(holds) << point
    return sets[0], sets[1], sets[2]


def boards(count: int, seed: int) -> list[tuple[int, int]]:
    chance = random.Random(seed)
    found = []
    for _ in range(count):
        points = chance.sample(range(64), chance.randrange(4, 40))
        stones = [sum(1 << point for point in points[side::2]) for side in (0, 1)]
        found.append((stones[0], stones[1]))
    return found


@pytest.mark.slow
def test_the_sets_are_what_setting_stones_shows() -> None:
    for x, o in boards(40, seed=1):
        assert sets_of(x, o) == by_trying(x, o)


@pytest.mark.slow
def test_the_circuit_shows_the_sets_of_both_sides() -> None:
    finder = ThreatFinder()
    simulator = Simulator(finder)
    seen = [0, 0, 0]

    async def bench(context: Any) -> None:
        for x, o in boards(25, seed=2):
            context.set(finder.x, x)
            context.set(finder.o, o)
            for side, own, others in (("x", x, o), ("o", o, x)):
                expected = sets_of(own, others)
                shown = [context.get(getattr(finder, f"{side}_{name}")) for name in ("wins", "threats", "forks")]
                assert tuple(shown) == expected
                assert context.get(getattr(finder, f"{side}_row")) == QUBIC.layout.has_row(own)
                for number, points in enumerate(expected):
                    seen[number] += points.bit_count()
            assert context.get(finder.full) == 0

    simulator.add_testbench(bench)
    simulator.run()
    assert min(seen) > 20


def test_two_threats_are_two_points_to_stop() -> None:
    """Two lines have one point in common at most; so one stone stops at most one of two threats of a fork."""
    assert all(len(set(one) & set(two)) <= 1 for one, two in combinations(ROWS, 2))
