"""Draws that a search proves: each side can stop all rows of the other, whatever the other plays.

To stop rows is a game of its own, easier than the whole: the **maker** wants to fill a line, the **breaker** only wants
to stop it, and the breaker's own rows do not count (a Maker–Breaker game). If the player to move cannot win as maker,
and the opponent cannot either, the position is a draw. The converse is false: on 3×3 the maker wins, since the breaker
may not threaten; such draws are left to other sources.

Only the lines matter that the breaker has no stone on, as sets of the cells they lack. A stone of the maker takes its
cell out of the sets, a stone of the breaker takes away the sets with its cell. The search goes through these families
of sets, with four ways to be done early:

- **weights** (Erdős and Selfridge 1973): a set of n cells weighs 2**-n. If all together weigh less than 1, the breaker,
  to move, holds by always taking the heaviest cell; less than 1/2, also if the maker is to move;
- **twins**: two cells that lie in the same sets. With the maker to move, the breaker answers one with the other, so
  these sets are as good as gone;
- **pairing** (`noughts.solve.pairing`), of which twins are the simplest case;
- **parts**: families that share no cell are held one by one, since the breaker answers where the maker has played.

A cell is not tried if another lies in all of its sets and more: the other is as good for either side. A set that
contains another is left out. The heaviest cells are tried first.
"""

from collections.abc import Iterable, Sequence
from math import inf
from time import perf_counter

from noughts.games import Game, Move, Position
from noughts.solve.effort import Effort
from noughts.solve.pairing import pairs

__all__ = ["Holding"]

NODES = 8
"""Of the engine's positions that take as long as one set of a family that is gone through."""
HEAVIEST = 5
"""Families that weigh so much, or more, are not tried: they would take too long. (8×8 with five in a row weighs 3.)"""
_FEW = 10_000
"""Sets that may be gone through for all moves of a position that was a draw at sight."""
MOST_KEPT = 300_000
"""Families that are remembered, some hundred bytes each."""

Family = Sequence[int]
"""Sets of cells, as masks, the smallest first."""


class _SpentError(Exception):
    """The search has taken as long as it may."""


class Holding:
    """Whether both sides can stop all rows of the other in one position, as far as an effort goes."""

    def __init__(self, game: Game, position: Position, effort: Effort) -> None:
        self._game, self._position = game, position
        self._spent = 0
        self._most = inf if effort.most_nodes is None else effort.most_nodes // NODES
        self._end = None if effort.seconds is None else perf_counter() + effort.seconds
        self._unit = 1 << len(max(game.layout.lines, key=len, default=())) + 1
        self._known: dict[tuple[bool, bytes], bool] = {}

    def drawn(self) -> bool:
        """Whether it is shown that the position is a draw."""
        if not self._game.placing_only:
            return False
        own, other = self._lines(self._position.turn), self._lines(1 - self._position.turn)
        if any(self._weight(_untwinned(family)) >= HEAVIEST * self._unit for family in (own, other)):
            return False
        try:
            return self._second(own) and self._first(other)
        except _SpentError:
            return False

    def drawing_moves(self) -> set[Move]:
        """The moves after which it still is a draw, as far as can be shown in as much time again; the position is one.

        No move makes the mover win, since he does not win as maker. If he could pass and hold, any move does.
        """
        self._most = min(self._most, 2 * self._spent + _FEW)
        other, moves = self._lines(1 - self._position.turn), self._game.moves(self._position)
        found = set()
        try:
            if self._second(other):
                return set(moves)
            for move in moves:
                if self._second(_without(other, 1 << (move.to or 0))):
                    found.add(move)
        except _SpentError:
            pass
        return found

    def _lines(self, maker: int) -> Family:
        """What the lines lack that this side can still fill."""
        stones, against = self._position.stones[maker], self._position.stones[1 - maker]
        return _smallest(line & ~stones for line in self._game.layout.line_sets if not line & against)

    def _weight(self, family: Family) -> int:
        return sum(self._unit >> one.bit_count() for one in family)

    def _first(self, family: Family) -> bool:
        """Whether the breaker holds, who is to move."""
        if not family:
            return True
        self._spend(1)
        if family[0].bit_count() == 1:
            # Two cells that each fill a line cannot both be stopped.
            return len(family) == 1 or (family[1].bit_count() > 1 and self._second(_without(family, family[0])))
        if self._weight(family) < self._unit:
            return True
        key = True, self._key(family)
        if key not in self._known:
            self._spend(len(family))
            cells = self._by_weight(family, _cells(family))
            self._keep(key, any(self._second(_without(family, cell)) for cell in cells))
        return self._known[key]

    def _second(self, family: Family) -> bool:
        """Whether the breaker holds, with the maker to move."""
        if not family:
            return True
        if family[0].bit_count() == 1:
            return False
        if 2 * self._weight(family) < self._unit:
            return True
        return all(self._part(part) for part in sorted(_parts(_untwinned(family)), key=len))

    def _part(self, family: Family) -> bool:
        """The same, for a family whose sets hang together."""
        if 2 * self._weight(family) < self._unit:
            return True
        key = False, self._key(family)
        if key not in self._known:
            self._spend(len(family))
            cells = _cells(family)
            held = pairs(family, len(cells)) is not None or all(
                self._first(_smallest(one & ~cell for one in family)) for cell in self._by_weight(family, cells)
            )
            self._keep(key, held)
        return self._known[key]

    def _by_weight(self, family: Family, cells: dict[int, int]) -> list[int]:
        """The cells worth a stone, the heaviest first."""
        worth: list[int] = []
        tried: list[int] = []
        for cell, sets in sorted(cells.items(), key=lambda one: one[1].bit_count(), reverse=True):
            if not any(sets & other == sets for other in tried):
                tried.append(sets)
                worth.append(cell)
        weights = dict.fromkeys(worth, 0)
        for one in family:
            weight = self._unit >> one.bit_count()
            for cell in worth:
                if one & cell:
                    weights[cell] += weight
        return sorted(worth, key=weights.__getitem__, reverse=True)

    def _key(self, family: Family) -> bytes:
        size = (len(self._game.layout) + 7) // 8
        return b"".join(one.to_bytes(size) for one in sorted(family))

    def _keep(self, key: tuple[bool, bytes], held: bool) -> None:
        if len(self._known) >= MOST_KEPT:
            self._known.clear()
        self._known[key] = held

    def _spend(self, sets: int) -> None:
        self._spent += sets
        if self._spent > self._most or (self._end is not None and perf_counter() > self._end):
            raise _SpentError


def _without(family: Family, cell: int) -> Family:
    """The sets that a stone of the breaker leaves."""
    return [one for one in family if not one & cell]


def _smallest(sets: Iterable[int]) -> Family:
    """The sets, smallest first, less those that contain one of at most two cells."""
    family = sorted(set(sets), key=int.bit_count)
    small = [one for one in family if one.bit_count() <= 2]
    return [one for one in family if not any(other & one == other and other != one for other in small)]


def _cells(family: Family) -> dict[int, int]:
    """For every cell the sets it lies in, by their numbers in the family."""
    found: dict[int, int] = {}
    for number, one in enumerate(family):
        left = one
        while left:
            cell = left & -left
            left ^= cell
            found[cell] = found.get(cell, 0) | 1 << number
    return found


def _untwinned(family: Family) -> Family:
    """The family without the sets that have twins."""
    while True:
        seen, gone = set(), 0
        for sets in _cells(family).values():
            if sets in seen:
                gone |= sets
            seen.add(sets)
        if not gone:
            return family
        family = [one for number, one in enumerate(family) if not gone >> number & 1]


def _parts(family: Family) -> list[Family]:
    """Families that share no cell."""
    parts: list[tuple[int, list[int]]] = []
    for one in family:
        touching = [part for part in parts if part[0] & one]
        apart = [part for part in parts if not part[0] & one]
        cells, sets = one, []
        for mask, others in touching:
            cells |= mask
            sets += others
        parts = [*apart, (cells, sorted([*sets, one], key=int.bit_count))]
    return [sets for _, sets in parts]
