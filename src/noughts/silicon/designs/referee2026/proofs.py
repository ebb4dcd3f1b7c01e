"""What is proved of the referees: the rules once more, typed from their prose.

Where stones move, the board has nine points, and three in a row, across, down or aslant, win
(`noughts.silicon.proofs.ROWS`). Each side places its stones, and then moves one at a time: at three men's morris and
Achi to a neighbouring empty point, where the four corners and the four middles of the sides are neighbours round the
board, and the centre is everybody's; at Arabian millwheel to any empty point. A side that cannot move has lost.

Where they are only placed, X begins, the sides take turns, and who has as many in a row as the game asks for has won; a
full board without a row is a draw. The rows are found by going on from every point in each of four directions.
"""

from collections.abc import Callable
from functools import reduce
from operator import add, and_, or_
from typing import Any

from amaranth.hdl import Cat, Const, Mux, Value

from noughts.games import game as find_game
from noughts.silicon.designs.referee2026.circuit import Referee
from noughts.silicon.formal import Harness, Property
from noughts.silicon.proofs import ROWS

__all__ = ["NINE_POINTS", "claim_rules", "proofs_of"]

_ROUND = (0, 1, 2, 5, 8, 7, 6, 3)
"""The points round the centre, which is 4."""
_NEXT = {(one, two) for one, two in zip(_ROUND, (*_ROUND[1:], _ROUND[0]), strict=True)} | {(4, one) for one in _ROUND}
_STONES = {"three-mens-morris": 3, "arabian": 3, "achi": 4}
_JUMPS = ("arabian",)
NINE_POINTS = tuple(_STONES)
"""The games in which stones move whose rules are typed here."""
_PLACED = {"mnk:4,3,3": (4, 3, 3), "square4": (4, 4, 4)}
"""Those in which they are only placed: columns, rows, and how many in a row win."""
_Near = Callable[[Value, Value], Value]
"""Whether a stone on a point of the first set may go to one of the second."""


def proofs_of(name: str) -> tuple[Property, ...]:
    """What is proved of the referee of a game; nothing where its rules are not typed here.

    Args:
        name: A game.
    """
    if name not in _STONES and name not in _PLACED:
        return ()

    def claims(harness: Harness, chip: Referee) -> None:
        if name in _PLACED:
            _claim_placing(harness, chip, *_PLACED[name])
        else:
            claim_rules(harness, chip, name)

    return (
        Property(
            f"referee2026-{name.replace(':', '-').replace(',', '-')}",
            f"the referee for {name} makes the legal moves and no others, and its verdict is that of the rules",
            make=lambda: Referee(find_game(name)),
            claims=claims,
            clock="clk",
            reset="rst",
        ),
    )


def _anywhere(one: Value, other: Value) -> Value:
    return (one != 0) & (other != 0)


def _beside(one: Value, other: Value) -> Value:
    pairs = [(a, b) for pair in sorted(_NEXT) for a, b in (pair, pair[::-1])]
    return reduce(or_, (one[a] & other[b] for a, b in pairs))


def _one(points: Value) -> Value:
    """Whether exactly one point is in a set."""
    return (points != 0) & ((points & (points - 1))[: len(points)] == 0)


def _rows(columns: int, rows: int, length: int) -> list[list[int]]:
    """All rows of so many points on such a board, whose points are counted row by row."""
    found = []
    for x, y in ((x, y) for y in range(rows) for x in range(columns)):
        for right, down in ((1, 0), (0, 1), (1, 1), (-1, 1)):
            line = [(x + step * right, y + step * down) for step in range(length)]
            if all(0 <= a < columns and 0 <= b < rows for a, b in line):
                found.append([a + columns * b for a, b in line])
    return found


def _claim_placing(harness: Harness, chip: Any, columns: int, rows: int, length: int) -> None:
    """The claims about a game in which stones are only placed."""
    running = harness.running
    lines = _rows(columns, rows, length)
    x_row, o_row = (
        reduce(or_, (reduce(and_, (side[point] for point in line)) for line in lines)) for side in (chip.x, chip.o)
    )
    full = (chip.x | chip.o)[: columns * rows].all()
    x, o = (reduce(add, stones) for stones in (chip.x, chip.o))
    harness.claim("no point has two stones", (chip.x & chip.o) == 0, when=running)
    harness.claim("X has begun, and the sides take turns", x == o + chip.turn, when=running)
    harness.claim("X has won if and only if X has a row", chip.x_won == x_row, when=running)
    harness.claim("O has won if and only if O has a row", chip.o_won == o_row, when=running)
    harness.claim("one row ends the game", ~(x_row & o_row), when=running)
    harness.claim("full means that no point is empty", chip.full == full, when=running)
    harness.claim("a full board without a row is a draw", chip.draw == (full & ~x_row & ~o_row), when=running)
    _claim_moves(harness, chip, Const(1), None, Const(1))


def claim_rules(harness: Harness, chip: Any, name: str, steady: Value | None = None) -> None:
    """Claim that a chip makes the legal moves and no others, and that its verdict is that of the rules.

    Args:
        harness: Where it is claimed.
        chip: A referee, or whatever has its pins.
        name: One of `NINE_POINTS`.
        steady: Whether the turn can have changed by a move alone since the clock before; always, if left out.
    """
    stones, near = _STONES[name], _anywhere if name in _JUMPS else _beside
    running = harness.running
    count = {side: reduce(add, side_stones) for side, side_stones in ((0, chip.x), (1, chip.o))}
    hands = (chip.hand_x, chip.hand_o)
    harness.claim("no point has two stones", (chip.x & chip.o) == 0, when=running)
    for side in (0, 1):
        words = f"the stones of side {side} on the board and in hand are {stones}"
        harness.claim(words, count[side] + hands[side] == stones, when=running)
    rows = [reduce(or_, (side[a] & side[b] & side[c] for a, b, c in ROWS)) for side in (chip.x, chip.o)]
    empty = ~(chip.x | chip.o)
    for side, (own, other, won) in enumerate(((chip.x, rows[1], chip.o_won), (chip.o, rows[0], chip.x_won))):
        stuck = (hands[side] == 0) & ~near(own, empty)
        words = f"side {side} has lost if it is to move and the other has a row, or it cannot move"
        harness.claim(words, won == ((chip.turn == side) & (other | stuck)), when=running)
    touched, hand = chip.arbiter.touched, Mux(chip.turn, chip.hand_o, chip.hand_x)
    harness.claim("nothing is touched while stones are in hand", (touched == 0) | (hand == 0), when=running)
    harness.claim("nobody draws", ~chip.draw, when=running)
    _claim_moves(harness, chip, hand != 0, near, Const(1) if steady is None else steady)


def _claim_moves(harness: Harness, chip: Any, in_hand: Value, near: _Near | None, steady: Value) -> None:
    """What a clock changes, from the board before it; `near` is None where stones do not move."""
    stepped = harness.stepped & harness.running & steady
    x, o, turn, placing, over = (
        harness.past(value) for value in (chip.x, chip.o, chip.turn, in_hand, chip.x_won | chip.o_won | chip.draw)
    )
    points = len(x)
    own, other = Mux(turn, o, x), Mux(turn, x, o)
    after, others_after = Mux(turn, chip.o, chip.x), Mux(turn, chip.x, chip.o)
    come, gone = (after & ~own)[:points], (own & ~after)[:points]
    moved = stepped & (chip.turn != turn)
    harness.claim("the other side's stones stay", others_after == other, when=stepped)
    harness.claim("without a move nothing changes", after == own, when=stepped & (chip.turn == turn))
    harness.claim("after the end nobody moves", chip.turn == turn, when=stepped & over)
    harness.claim("a move sets one stone", _one(come), when=moved)
    harness.claim("and on an empty point", (come & (own | other)) == 0, when=moved)
    harness.claim("while stones are in hand none leaves its point", gone == 0, when=moved & placing)
    # What the keys say: a single empty point is a placing, and is made.
    key, illegal = harness.past(chip.key), harness.past(chip.illegal)
    single = Cat((key == 1 << point) & ~(own | other)[point] for point in range(points)).any()
    legal = single & placing & ~over
    harness.claim("an empty point is placed on", (chip.turn != turn) & (come == key), when=stepped & legal)
    harness.claim("and nothing else is", legal, when=moved & placing)
    refused = (key != 0) & ~legal
    harness.claim("while stones are in hand all other keys are illegal", illegal == refused, when=stepped & placing)
    harness.claim("what is illegal changes nothing", chip.turn == turn, when=stepped & illegal)
    if near is None:
        return
    step = _one(gone) & near(gone, come)
    harness.claim("then one goes where it may go", step, when=moved & ~placing)
    # And a stone and a point where it may go, at once, are a move, which is made as well.
    leaves, comes = key & own, (key & ~own & ~other)[:points]
    both = _one(leaves) & _one(comes) & ((key & other) == 0) & near(leaves, comes)
    legal = both & ~placing & ~over
    harness.claim("a stone goes with its point", (come == comes) & (gone == leaves), when=stepped & legal)
