"""Six men's morris, solved once a process, for all tests that look at its tables; and how to look without ranks."""

from functools import cache
from itertools import combinations
from math import comb
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game, Outcome, Position, game
from noughts.games.points import point_set
from noughts.games.symmetry import Symmetry, apply
from noughts.solve.morris.retrograde import Solved, solve_morris
from noughts.solve.morris.subspaces import Key
from noughts.solve.store import Store
from noughts.solve.value import DRAWN, Value

SIX = game("six-mens-morris")


class InMemory:
    """Tables as the solver leaves them, a block at a time."""

    def __init__(self, rules: Game, solved: list[Solved]) -> None:
        self.points = len(rules.layout)
        self.solved = solved
        self.tables = {one.key: one.by_mover for one in solved}
        self.blocks_read: list[tuple[Key, int]] = []

    def has(self, key: Key) -> bool:
        return key in self.tables

    def block(self, key: Key, number: int) -> NDArray[np.uint8]:
        self.blocks_read.append((key, number))
        size = comb(self.points - key[0], key[1])
        return self.tables[key][number * size : (number + 1) * size]

    def read(self, *key: int) -> NDArray[np.uint8]:
        return self.tables[key]


@cache
def six() -> InMemory:
    """All subspaces of six men's morris with empty hands."""
    return InMemory(SIX, list(solve_morris(SIX, 6)))


@cache
def whole_six() -> InMemory:
    """All of six men's morris."""
    return InMemory(SIX, list(solve_morris(SIX)))


def write_table(folder: Path, source: InMemory | None = None) -> Store:
    """The same on disk: positions with empty hands, unless it is told otherwise."""
    store = Store.create(folder, SIX)
    for solved in (source or six()).solved:
        store.write(solved)
    return store


def any_placed(random: Random, mover: int, other: int, rules: Game = SIX) -> Position:
    """Any position with so many stones of the side to move and so many of the other."""
    points = random.sample(range(len(rules.layout)), mover + other)
    stones = (point_set(points[:mover]), point_set(points[mover:]))
    position = Position(stones, (0, 0), 0)
    return position if random.random() < 0.5 else position.swapped()


def any_placing(random: Random, in_hand: int, rules: Game = SIX) -> Position:
    """The position after a game at random, in which mills are closed more often than not, with so many in hand."""
    while True:
        position = rules.start()
        while sum(position.hand) > in_hand and (moves := rules.moves(position)):
            mills = [move for move in moves if move.capture is not None]
            position = rules.after(position, random.choice(mills if mills and random.random() < 0.7 else moves))
        if sum(position.hand) == in_hand and rules.over(position) is None:
            return position


@cache
def words(points: tuple[int, ...], stones: int) -> dict[int, int]:
    """The rank of every set of so many of these points: their order as binary words."""
    return {
        word: rank for rank, word in enumerate(sorted(point_set(chosen) for chosen in combinations(points, stones)))
    }


@cache
def least_image(own: int) -> tuple[int, Symmetry]:
    """The first of a set's images, and the symmetry that leads there."""
    return min((apply(symmetry, own), symmetry) for symmetry in SIX.symmetries)


@cache
def classes(stones: int) -> dict[int, int]:
    """The number of every class, by its first set."""
    leads = {least_image(own)[0] for own in words(tuple(range(16)), stones)}
    return {lead: number for number, lead in enumerate(sorted(leads))}


@cache
def words_beside(lead: int, stones: int) -> dict[int, int]:
    """The rank of every set of so many of the points that a set leaves free."""
    return words(tuple(point for point in range(16) if not lead >> point & 1), stones)


def solved_byte(position: Position) -> int:
    """The byte of a position, by counting through sets in order instead of computing ranks."""
    own, other = position.stones[position.turn], position.stones[1 - position.turn]
    lead, symmetry = least_image(own)
    ranks = words_beside(lead, other.bit_count())
    table = six().tables[own.bit_count(), other.bit_count()]
    return int(table[classes(own.bit_count())[lead] * len(ranks) + ranks[apply(symmetry, other)]])


def meaning(byte: int) -> Value:
    """What a byte of a table says."""
    if byte == 255:
        return DRAWN
    return Value(Outcome.WIN if byte % 2 else Outcome.LOSS, byte)
