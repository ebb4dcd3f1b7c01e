"""The morris endings with few stones, solved from the rules with sets and dicts, as plainly as time allows.

A position is two sets of names of points: the stones of the side to move and those of the other. Positions that a
symmetry of the board maps to one another are listed under one of them. A subspace and the one with the sides exchanged
are solved together: what is decided at once goes into a queue by plies; whoever is taken from it tells those who could
have moved there. The plies are those to the winner's next capture or to the end.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import combinations

Stones = frozenset[str]
Place = tuple[Stones, Stones]
AROUND = [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)]
"""The points of a square, clockwise from a corner: every second one is the middle of a side."""


class MorrisTables:
    """All positions with some numbers of stones on the board of so many squares inside one another."""

    def __init__(self, squares: int) -> None:
        rings = [[self._name(squares, ring, spot) for spot in range(8)] for ring in range(squares)]
        self.points = [name for ring in rings for name in ring]
        self.everywhere = frozenset(self.points)
        self.mills = [frozenset(ring[(corner + i) % 8] for i in range(3)) for ring in rings for corner in (0, 2, 4, 6)]
        if squares == 3:
            self.mills += [frozenset(ring[middle] for ring in rings) for middle in (1, 3, 5, 7)]
        self.near: dict[str, set[str]] = defaultdict(set)
        for number, ring in enumerate(rings):
            for spot, name in enumerate(ring):
                self.near[name] |= {ring[spot - 1], ring[(spot + 1) % 8]}
                if spot % 2 == 1:
                    self.near[name] |= {rings[n][spot] for n in (number - 1, number + 1) if 0 <= n < squares}
        self.symmetries = [
            {
                rings[ring][spot]: rings[squares - 1 - ring if inside_out else ring][(way * spot + turn) % 8]
                for ring in range(squares)
                for spot in range(8)
            }
            for inside_out in (False, True)
            for way in (1, -1)
            for turn in (0, 2, 4, 6)
        ]
        self.same: dict[Place, Place] = {}
        """Under which position each is listed."""
        self.plies: dict[Place, int | None] = {}
        """Of every position that is listed; None for a draw."""

    @staticmethod
    def _name(squares: int, ring: int, spot: int) -> str:
        right, down = AROUND[spot]
        reach = squares - ring
        return f"{'abcdefg'[squares + right * reach]}{squares + down * reach + 1}"

    def value(self, own: Stones, other: Stones) -> int | None:
        """Plies to the winner's next capture or the end, odd if the side to move wins; None for a draw."""
        return self.plies[self.same[own, other]]

    def list_positions(self, mover: int, other: int) -> list[Place]:
        """The positions of a subspace, one for each class."""
        listed = []
        done: set[Stones] = set()
        for own in map(self.only, combinations(self.points, mover)):
            if own in done:  # an image of a set that was beside all others
                continue
            done.update(self.images(own))
            for others in map(self.only, combinations([name for name in self.points if name not in own], other)):
                place = (own, others)
                if place in self.same:
                    continue
                listed.append(place)
                for image in zip(self.images(own), self.images(others), strict=True):
                    self.same[image] = place
        return listed

    @cache  # noqa: B019  lives as long as its tables
    def only(self, names: tuple[str, ...]) -> Stones:
        """The set of these points, in their order in `points`: always the same object, which is quick to look up."""
        return frozenset(names)

    def only_set(self, stones: Stones) -> Stones:
        """The same set, always the same object."""
        return self.only(tuple(name for name in self.points if name in stones))

    @cache  # noqa: B019
    def images(self, stones: Stones) -> list[Stones]:
        """Where the symmetries take a set of stones."""
        return [self.only_set(frozenset(symmetry[name] for name in stones)) for symmetry in self.symmetries]

    @cache  # noqa: B019
    def step(self, own: Stones, source: str, target: str) -> tuple[Stones, bool]:
        """The mover's stones after a step, and whether it closed a mill: whether the stone moved is part of one."""
        after = self.only_set(own - {source} | {target})
        return after, any(target in mill and mill <= after for mill in self.mills)

    def steps(self, own: Stones, other: Stones) -> Iterator[tuple[Stones, bool]]:
        """The mover's stones after every step, and whether it closed a mill; three stones fly."""
        free = self.everywhere - own - other
        for source in own:
            for target in free if len(own) == 3 else self.near[source] & free:
                yield self.step(own, source, target)

    def victims(self, other: Stones) -> Stones:
        """The stones outside mills; all, if every stone is in one."""
        milled = frozenset[str]().union(*(mill for mill in self.mills if mill <= other))
        return other - milled or other

    def solve(self, one: int, two: int) -> None:
        """Solve a subspace and the one with the sides exchanged; those to which captures lead are solved already."""
        places = [place for key in dict.fromkeys([(one, two), (two, one)]) for place in self.list_positions(*key)]
        before: dict[Place, list[Place]] = defaultdict(list)
        open_moves: dict[Place, int] = {}
        slowest: dict[Place, int] = {}
        queue: dict[int, list[Place]] = defaultdict(list)
        for place in places:
            wins, draws, worst, quiet = self._look(place, before)
            if wins:
                queue[1].append(place)
            elif not draws:
                open_moves[place] = quiet
                slowest[place] = worst
                if quiet == 0:
                    queue[worst + 1].append(place)
        self._spread(queue, before, open_moves, slowest)
        for place in places:
            self.plies.setdefault(place, None)

    def _look(self, place: Place, before: dict[Place, list[Place]]) -> tuple[bool, bool, int, int]:
        """Whether a capture wins, whether one draws, the slowest loss by a capture, and how many moves are quiet."""
        own, other = place
        wins = draws = False
        worst, quiet = -1, 0
        for after, mill in self.steps(own, other):
            if not mill:
                before[self.same[other, after]].append(place)
                quiet += 1
                continue
            for victim in self.victims(other):
                if len(other) == 3:
                    wins = True
                    continue
                plies = self.value(other - {victim}, after)
                if plies is None:
                    draws = True
                elif plies % 2 == 0:
                    wins = True
                else:
                    worst = max(worst, plies)
        return wins, draws, worst, quiet

    def _spread(
        self,
        queue: dict[int, list[Place]],
        before: dict[Place, list[Place]],
        open_moves: dict[Place, int],
        slowest: dict[Place, int],
    ) -> None:
        """From the decided positions, those with the fewest plies first, to the ones before them."""
        while any(queue.values()):
            plies = min(number for number, waiting in queue.items() if waiting)
            for place in queue.pop(plies):
                if place in self.plies:
                    continue
                self.plies[place] = plies
                for earlier in before[place]:
                    if earlier in self.plies:
                        continue
                    if plies % 2 == 0:
                        queue[plies + 1].append(earlier)
                    elif earlier in open_moves:
                        open_moves[earlier] -= 1
                        slowest[earlier] = max(slowest[earlier], plies)
                        if open_moves[earlier] == 0:
                            queue[slowest[earlier] + 1].append(earlier)


def positions_up_to_symmetry(symmetries: list[dict[str, str]]) -> dict[tuple[int, int], int]:
    """How many positions there are, by the mover's stones and the other's.

    Burnside: how many positions a symmetry keeps, on average. Whole cycles are the mover's, the other's or empty.
    """
    kept: dict[tuple[int, int], int] = defaultdict(int)
    for symmetry in symmetries:
        ways = {(0, 0): 1}
        left = set(symmetry)
        while left:
            length, point = 0, left.pop()
            while True:
                length, point = length + 1, symmetry[point]
                if point not in left:
                    break
                left.remove(point)
            longer: dict[tuple[int, int], int] = {}
            for (own, others), count in ways.items():
                for key in ((own, others), (own + length, others), (own, others + length)):
                    longer[key] = longer.get(key, 0) + count
            ways = longer
        for stones, count in ways.items():
            kept[stones] += count
    assert all(count % len(symmetries) == 0 for count in kept.values())
    return {stones: count // len(symmetries) for stones, count in kept.items()}
