"""The referee of 2021 keeps the rules: four properties, of the board, the verdict, what is illegal, and the turns.

The definitions are written from the rules of the game and from what the referee's pins are said to mean. All of it is
proved of the whole referee, pins and all, from its first reset on.
"""

from collections.abc import Callable
from functools import reduce
from operator import add, or_

from amaranth.hdl import Cat, Mux, Value

from noughts.silicon.designs.referee2021 import Side
from noughts.silicon.designs.referee2021.referee import Referee
from noughts.silicon.formal import Harness, Property
from noughts.silicon.parts import PLACES
from noughts.silicon.proofs import ROWS

__all__ = ["PROOFS"]


def _positions(referee: Referee) -> list[Value]:
    """Whose the nine places are."""
    return [getattr(referee, f"pos{place + 1}") for place in range(PLACES)]


def _claim_board(harness: Harness, referee: Referee) -> None:
    """How the board changes, and how not."""
    stepped = harness.stepped & harness.running
    pp, pc, illegal, winner, no_space = (
        harness.past(pin) for pin in (referee.pp, referee.pc, referee.illegal_move, referee.winner, referee.no_space)
    )
    named = {
        Side.PLAYER: (pp, harness.past(referee.player_position)),
        Side.COMPUTER: (pc, harness.past(referee.computer_position)),
    }
    changes = []
    for place, after in enumerate(_positions(referee)):
        before = harness.past(after)
        changes.append(before != after)
        harness.claim(f"place {place} is nobody's or one side's", after != 0b11, when=harness.running)
        harness.claim(f"a stone on place {place} never changes", before == after, when=stepped & (before != 0))
        for side, (plays, position) in named.items():
            moved = stepped & plays & ~illegal & (position == place + 1)
            words = f"a move of the {side.name.lower()} to place {place} that is not illegal is made"
            harness.claim(words, after == side, when=moved)
    changed = Cat(changes)
    harness.claim("at most one place changes", (changed & (changed - 1)) == 0, when=stepped)
    harness.claim("an illegal move changes nothing", changed == 0, when=stepped & illegal)
    harness.claim("nobody's move changes nothing", changed == 0, when=stepped & ~pp & ~pc)
    harness.claim("nothing changes after a win", changed == 0, when=stepped & winner)
    harness.claim("nothing changes with no space left", changed == 0, when=stepped & no_space)


def _has_row(referee: Referee, side: Side) -> Value:
    positions = _positions(referee)
    rows = ([positions[place] == side for place in row] for row in ROWS)
    return reduce(or_, (first & second & third for first, second, third in rows))


def _claim_verdict(harness: Harness, referee: Referee) -> None:
    """What the pins say of the board."""
    player, computer = _has_row(referee, Side.PLAYER), _has_row(referee, Side.COMPUTER)
    who = Mux(player, Side.PLAYER, Mux(computer, Side.COMPUTER, Side.NOBODY))
    empty = Cat(position == Side.NOBODY for position in _positions(referee))
    harness.claim("winner means that a side has a row", referee.winner == (player | computer), when=harness.running)
    harness.claim("who is the side that has a row", referee.who == who, when=harness.running)
    harness.claim("the sides never both have a row", ~(player & computer), when=harness.running)
    harness.claim("no_space means that no place is empty", referee.no_space == (empty == 0), when=harness.running)


def _claim_illegal(harness: Harness, referee: Referee) -> None:
    """A play is illegal after the end, out of turn, both at once, outside the board, or on a stone."""
    positions = _positions(referee)
    reasons = [(referee.pp | referee.pc) & (referee.winner | referee.no_space), referee.pp & referee.pc]
    for plays, other, position in (
        (referee.pp, Side.COMPUTER, referee.player_position),
        (referee.pc, Side.PLAYER, referee.computer_position),
    ):
        to_empty = Cat((position == place + 1) & (positions[place] == Side.NOBODY) for place in range(PLACES))
        reasons += [plays & (referee.turn == other), plays & (to_empty == 0)]
    harness.claim(
        "illegal_move means that the rules forbid what is asked for",
        referee.illegal_move == reduce(or_, reasons),
        when=harness.running,
    )


def _claim_turns(harness: Harness, referee: Referee) -> None:
    """Either side may begin; then they take turns."""
    positions = _positions(referee)
    players, computers = (
        reduce(add, (position == side for position in positions)) for side in (Side.PLAYER, Side.COMPUTER)
    )
    difference = players - computers
    for turn, possible in (
        (Side.NOBODY, (players == 0) & (computers == 0)),
        (Side.PLAYER, (difference == 0) | (difference == -1)),
        (Side.COMPUTER, (difference == 0) | (difference == 1)),
    ):
        words = f"the numbers of stones are right when the turn is {turn.name.lower()}'s"
        harness.claim(words, possible, when=harness.running & (referee.turn == turn))
    harness.claim("the turn is somebody's or nobody's", referee.turn != 0b11, when=harness.running)


def _property(name: str, statement: str, claims: Callable[[Harness, Referee], None]) -> Property:
    return Property(f"referee2021-{name}", statement, make=Referee, claims=claims, clock="clk", reset="rst")


PROOFS = (
    _property(
        "board",
        "the referee adds at most one stone a cycle and never changes one, nor adds one illegally or after the end",
        _claim_board,
    ),
    _property(
        "verdict",
        "the referee's winner, who and no_space mean three in a row, the side that has them, and no place empty",
        _claim_verdict,
    ),
    _property(
        "illegal",
        "the referee calls illegal what is late, out of turn, twofold, off the board or on a stone, and nothing else",
        _claim_illegal,
    ),
    _property(
        "turns",
        "the referee lets the sides take turns: neither is ever more than one stone ahead",
        _claim_turns,
    ),
)
