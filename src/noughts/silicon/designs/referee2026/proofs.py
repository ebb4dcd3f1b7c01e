"""What is proved of the referees on the board of nine points: the rules once more, typed from their prose.

Three in a row, across, down or aslant, win (`noughts.silicon.proofs.ROWS`). Each side places its stones, and then moves
one at a time: at three men's morris and Achi to a neighbouring empty point, where the four corners and the four middles
of the sides are neighbours round the board, and the centre is everybody's; at Arabian millwheel to any empty point. A
side that cannot move has lost.
"""

from functools import reduce
from operator import add, or_
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
"""The games whose rules are typed here."""


def proofs_of(name: str) -> tuple[Property, ...]:
    """What is proved of the referee of a game; nothing where its rules are not typed here.

    Args:
        name: A game.
    """
    if name not in _STONES:
        return ()

    def claims(harness: Harness, chip: Referee) -> None:
        claim_rules(harness, chip, name)

    return (
        Property(
            f"referee2026-{name}",
            f"the referee for {name} makes the legal moves and no others, and its verdict is that of the rules",
            make=lambda: Referee(find_game(name)),
            claims=claims,
            clock="clk",
            reset="rst",
        ),
    )


def _near(one: Value, other: Value, jumps: bool) -> Value:
    """Whether a stone on a point of the first set may go to one of the second."""
    if jumps:
        return (one != 0) & (other != 0)
    pairs = [(a, b) for pair in sorted(_NEXT) for a, b in (pair, pair[::-1])]
    return reduce(or_, (one[a] & other[b] for a, b in pairs))


def _one(points: Value) -> Value:
    """Whether exactly one of nine points is in a set."""
    return (points != 0) & ((points & (points - 1))[:9] == 0)


def claim_rules(harness: Harness, chip: Any, name: str, steady: Value | None = None) -> None:
    """Claim that a chip makes the legal moves and no others, and that its verdict is that of the rules.

    Args:
        harness: Where it is claimed.
        chip: A referee, or whatever has its pins.
        name: One of `NINE_POINTS`.
        steady: Whether the turn can have changed by a move alone since the clock before; always, if left out.
    """
    stones, jumps = _STONES[name], name in _JUMPS
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
        stuck = (hands[side] == 0) & ~_near(own, empty, jumps)
        words = f"side {side} has lost if it is to move and the other has a row, or it cannot move"
        harness.claim(words, won == ((chip.turn == side) & (other | stuck)), when=running)
    touched, hand = chip.arbiter.touched, Mux(chip.turn, chip.hand_o, chip.hand_x)
    harness.claim("nothing is touched while stones are in hand", (touched == 0) | (hand == 0), when=running)
    harness.claim("nobody draws", ~chip.draw, when=running)
    _claim_moves(harness, chip, jumps, Const(1) if steady is None else steady)


def _claim_moves(harness: Harness, chip: Any, jumps: bool, steady: Value) -> None:
    """What a clock changes, from the board before it."""
    stepped = harness.stepped & harness.running & steady
    x, o, turn, hand_x, hand_o, x_won, o_won = (
        harness.past(pin) for pin in (chip.x, chip.o, chip.turn, chip.hand_x, chip.hand_o, chip.x_won, chip.o_won)
    )
    own, other = Mux(turn, o, x), Mux(turn, x, o)
    after, others_after = Mux(turn, chip.o, chip.x), Mux(turn, chip.x, chip.o)
    hand = Mux(turn, hand_o, hand_x)
    come, gone = (after & ~own)[:9], (own & ~after)[:9]
    moved = stepped & (chip.turn != turn)
    harness.claim("the other side's stones stay", others_after == other, when=stepped)
    harness.claim("without a move nothing changes", after == own, when=stepped & (chip.turn == turn))
    harness.claim("after the end nobody moves", chip.turn == turn, when=stepped & (x_won | o_won))
    harness.claim("a move sets one stone", _one(come), when=moved)
    harness.claim("and on an empty point", (come & (own | other)) == 0, when=moved)
    harness.claim("while stones are in hand none leaves its point", gone == 0, when=moved & (hand != 0))
    step = _one(gone) & _near(gone, come, jumps)
    harness.claim("then one goes where it may go", step, when=moved & (hand == 0))
    # What the keys say: a single empty point is a placing, and is made.
    key, illegal = harness.past(chip.key), harness.past(chip.illegal)
    single = Cat((key == 1 << point) & ~(own | other)[point] for point in range(9)) != Const(0, 9)
    legal = single & (hand != 0) & ~x_won & ~o_won
    harness.claim("an empty point is placed on", (chip.turn != turn) & (come == key), when=stepped & legal)
    # And a stone and a point where it may go, at once, are a move, which is made as well.
    leaves, comes = key & own, (key & ~own & ~other)[:9]
    both = _one(leaves) & _one(comes) & ((key & other) == 0) & _near(leaves, comes, jumps)
    legal = both & (hand == 0) & ~x_won & ~o_won
    harness.claim("a stone goes with its point", (come == comes) & (gone == leaves), when=stepped & legal)
    harness.claim("what is illegal changes nothing", chip.turn == turn, when=stepped & illegal)
