"""The subspaces of a morris game: what they are called, in which order they are solved, how large they are.

A subspace (m, o) is all positions with empty hands, m stones of the side to move and o of the other; (m, o, h, g) all
those with h stones of the side to move in hand and g of the other's. This file is plain arithmetic, so that whoever
only reads a table loads neither NumPy nor the solver.

**The order.** A stone that is placed leaves fewer in hand, and one that is captured fewer in all. So subspaces are
solved by the stones in hand, empty hands first, and among those by the stones on the board. A step that captures
nothing leads from (m, o, h, g) to (o, m, g, h): where both sides move stones on the board, the two are solved together,
as a *group*.

A byte of a table: DRAW, or else the plies to the winner's next capture or to the end, odd for a win of the side to
move. What both sorts of tables have in common stands in `noughts.solve.subspaces`.
"""

from collections.abc import Sequence
from functools import cache
from itertools import product
from math import comb
from pathlib import Path
from typing import NamedTuple

from noughts.games import Game, Layout, Position
from noughts.games.symmetry import symmetries
from noughts.solve.subspaces import DRAW, Key, meaning, name_of
from noughts.solve.value import Value

__all__ = [
    "DRAW",
    "ENDINGS",
    "FEWEST",
    "Key",
    "Leads",
    "MorrisForm",
    "after_first",
    "exchanged",
    "first_moves",
    "groups",
    "groups_placed",
    "in_hand",
    "key_of",
    "keys_upto",
    "leads",
    "led_to",
    "meaning",
    "name_of",
    "shape_of",
    "slots_of",
    "steps",
]

FEWEST = 3
"""Stones with which a side plays on; whoever has fewer, in hand and on the board, has lost."""
ENDINGS = 5
"""Most stones a side in the endings that come with Noughts."""


class Leads(NamedTuple):
    """Where moves lead that leave a group; None where there is no such move, or the game is over then."""

    captured: Key | None
    """A step that captures."""
    placed: Key | None
    """A stone from the hand."""
    placed_captured: Key | None
    """One that captures."""


def in_hand(key: Key) -> tuple[int, int]:
    """The stones in hand, of the side to move and of the other."""
    return (key[2], key[3]) if len(key) > 2 else (0, 0)


def exchanged(key: Key) -> Key:
    """The same stones, the other side to move."""
    return (key[1], key[0], *in_hand(key)[::-1]) if len(key) > 2 else (key[1], key[0])


def steps(game: Game, key: Key) -> bool:
    """Whether stones of the side to move may move on the board."""
    return key[0] > 0 and (game.rules.moving_while_placing or in_hand(key)[0] == 0)


def leads(game: Game, key: Key) -> Leads:
    """Where moves lead from a subspace, those alone excepted that exchange the sides and change nothing else."""
    mover, other = key[:2]
    hand, other_hand = in_hand(key)
    # Whoever has fewer than three stones closes no mill, and whoever has none loses none.
    goes_on = other > 0 and other + other_hand > FEWEST
    return Leads(
        key_of(other - 1, mover, other_hand, hand) if goes_on and mover >= FEWEST and steps(game, key) else None,
        key_of(other, mover + 1, other_hand, hand - 1) if hand else None,
        key_of(other - 1, mover + 1, other_hand, hand - 1) if hand and goes_on and mover >= FEWEST - 1 else None,
    )


def led_to(game: Game, key: Key) -> list[Key]:
    """All subspaces to which the moves of one lead."""
    quiet = [exchanged(key)] if steps(game, key) else []
    return [*quiet, *filter(None, leads(game, key))]


@cache
def groups(game: Game, most: int | None = None) -> list[list[Key]]:
    """What is solved together, in an order in which all other moves lead back.

    Args:
        game: A morris game.
        most: Only positions with empty hands, and at most so many stones a side; None for all.
    """
    stones = max(game.rules.stones)
    if most is not None:
        return groups_placed(most)
    return [*groups_placed(stones), *(group for number in range(1, 2 * stones + 1) for group in _placing(game, number))]


def groups_placed(most: int) -> list[list[Key]]:
    """The groups with empty hands and at most so many stones a side."""
    pairs = [(few, many) for many in range(FEWEST, most + 1) for few in range(FEWEST, many + 1)]
    return [_group(pair) for pair in sorted(pairs, key=lambda pair: (sum(pair), pair))]


def keys_upto(most: int) -> list[Key]:
    """The subspaces with empty hands and at most so many stones a side, in the order in which they are solved."""
    return [key for group in groups_placed(most) for key in group]


def key_of(mover: int, other: int, hand: int, other_hand: int) -> Key:
    """The subspace with so many stones on the board and in hand, of the side to move and of the other."""
    return (mover, other, hand, other_hand) if hand or other_hand else (mover, other)


def after_first(game: Game) -> Key:
    """The subspace of the positions after the first move."""
    first, second = game.rules.stones
    return key_of(0, 1, second, first - 1)


def first_moves(game: Game, values: Sequence[int]) -> dict[str, Value]:
    """What the first stone is worth on each point, from the bytes of `after_first`.

    The mover has no stone on the board yet: this is one block, and the other's only stone is on every point in turn.
    """
    return {point: meaning(byte).before() for point, byte in zip(game.layout.points, values, strict=True)}


def _group(key: Key) -> list[Key]:
    return list(dict.fromkeys([key, exchanged(key)]))


def _placing(game: Game, number: int) -> list[list[Key]]:
    """The groups with so many stones in hand, in the order in which they are solved."""
    stones = max(game.rules.stones)
    if game.rules.moving_while_placing:
        hands = [(hand, number - hand) for hand in range(max(0, number - stones), min(stones, number) + 1)]
    else:
        # Both place in turn: whoever is to move has as many in hand, or one more.
        hands = [((number + 1) // 2, number // 2)]
    found = [
        key_of(mover, other, hand, other_hand)
        for hand, other_hand in hands
        for mover, other in product(range(stones - hand + 1), range(stones - other_hand + 1))
        if _occurs(game, (mover, other, hand, other_hand))
    ]
    if not game.rules.moving_while_placing:
        # Those of which the mover has as many stones lead to neighbours of one another: these are forgotten sooner.
        return [[key] for key in found]
    # Without a stone on the board the mover has to place one: nothing leads back.
    pairs = {frozenset(group): group for key in found for group in [_group(key) if key[0] else [key]]}
    return sorted(pairs.values(), key=lambda group: sum(group[0]))


def _occurs(game: Game, key: Key) -> bool:
    """Whether play can lead to such numbers of stones, as far as they tell."""
    mover, other, hand, other_hand = *key[:2], *in_hand(key)
    stones = max(game.rules.stones)
    placed, other_placed = stones - hand, stones - other_hand
    lost, other_lost = placed - mover, other_placed - other
    if min(mover + hand, other + other_hand) < FEWEST or min(lost, other_lost) < 0:
        return False
    if other_placed == 0 or placed == 0:
        # The first stone of either side.
        return placed == 0 and other_placed <= 1 and lost == other_lost == 0
    if other == 0:
        return False
    if game.rules.moving_while_placing:
        # A mill takes three stones.
        return not (lost and other_placed < FEWEST) and not (other_lost and placed < FEWEST)
    # Of p stones that a side has placed, at most p − 2 closed a mill.
    return lost <= max(0, other_placed - 2) and other_lost <= max(0, placed - 2)


def shape_of(game: Game, key: Key) -> tuple[int, int]:
    """How many blocks a subspace has, and how many bytes a block."""
    mover, other = key[:2]
    return _classes(game.layout, mover), comb(len(game.layout) - mover, other)


def slots_of(game: Game, key: Key) -> int:
    """How many bytes a subspace has."""
    blocks, size = shape_of(game, key)
    return blocks * size


@cache
def _classes(layout: Layout, stones: int) -> int:
    """How many sets of so many stones there are up to symmetry: as many as a symmetry keeps on average.

    This is Burnside's lemma. A symmetry keeps the sets that are made of whole cycles of it. To count them takes no
    time; to list them, a while.
    """
    kept = 0
    for symmetry in symmetries(layout):
        ways = [1] + [0] * stones
        left = set(range(len(layout)))
        while left:
            length, point = 0, min(left)
            while point in left:
                left.remove(point)
                length, point = length + 1, symmetry[point]
            for size in range(stones, length - 1, -1):
                ways[size] += ways[size - length]
        kept += ways[stones]
    return kept // len(symmetries(layout))


class MorrisForm:
    """The subspaces of a morris game, as `noughts.solve.store` asks for them."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def order(self) -> list[Key]:
        return [key for group in groups(self.game) for key in group]

    def shape(self, key: Key) -> tuple[int, int]:
        return shape_of(self.game, key)

    def ways(self, key: Key) -> int:
        return slots_of(self.game, key)

    def ply(self, key: Key) -> int:
        return sum(self.game.rules.stones) - sum(in_hand(key))

    def key(self, position: Position) -> Key:
        turn = position.turn
        own, other = position.stones[turn], position.stones[1 - turn]
        return key_of(own.bit_count(), other.bit_count(), position.hand[turn], position.hand[1 - turn])

    def number(self, position: Position) -> tuple[int, int]:
        from noughts.solve.morris.numbering import numbering_of  # noqa: PLC0415  loads NumPy

        numbering = numbering_of(self.game.layout)
        lead, symmetry = numbering.lead(position.stones[position.turn])
        other = numbering.image(symmetry, position.stones[1 - position.turn])
        return numbering.class_of(lead), numbering.rank_beside(other, lead)

    def command(self, folder: Path, key: Key) -> str:
        upto = "" if any(in_hand(key)) else f" --upto {max(key)}"
        return f"noughts solve {self.game.name} --out {folder}{upto}"
