"""How few gates can do: a lower bound, by going through everything that an output can be without a gate of its own.

**An output without a gate** is a constant, an input or the inverse of an input: 38 functions. Given such a function for
one point, is there a machine that never loses and plays on that point exactly when the function is 1? That is a game
with one more rule: where the function is 1 the machine must play there, where it is 0 it must not. It is searched
through to the end (`without_gate`); since the rule only speaks of the position at hand, a machine exists if and only if
the search finds a way to play on from every position, against every reply.

For a machine that moves first the search finds one function alone, for any of the nine points: the inverse of "my stone
is on this point", for the point on which it begins. In particular the constant 0 is not among them: whoever never
loses plays on each of the nine points in some game or other. Then:

1. At most one output has no gate. Two of them would both be raised on the empty board, where no stone is anybody's.
2. No two outputs have the same gate. If both were the gate, or both its inverse, they would be raised together, and
   each of them is raised in some game. If one is the gate and the other its inverse, one of them is always raised; then
   no third output ever is, but all nine are.
3. So eight outputs have a gate each, and all gates are different: **C needs eight gates**, and the pairing strategy
   has eight.

For a machine that moves second the search finds nothing, so with 2. B needs nine gates at least; and so do D and A,
since whatever does these does B. That is far from what is known to suffice.
"""

from functools import cache

from noughts.games import Outcome, Position, game
from noughts.silicon.logic.specification import INPUTS, POINTS

__all__ = ["GATELESS", "fewest_gates", "without_gate"]

_GAME = game("tictactoe")

GATELESS = ("0", "1", *INPUTS, *(f"~{name}" for name in INPUTS))
"""What an output can be without a gate."""


def fewest_gates(side: int) -> int:
    """A number of gates that no machine with this side that never loses can do with less than.

    Args:
        side: 0 for the one that begins, 1 for the other.
    """
    possible = {point: without_gate(point, side) for point in POINTS}
    # Steps 1 and 2 above rest on these two: every point is played on, and a gateless output is raised at the start.
    assert not any("0" in functions for functions in possible.values())
    at_start = all(function.startswith("~") for functions in possible.values() for function in functions)
    assert side == 1 or at_start
    spared = 1 if any(possible.values()) else 0
    return len(POINTS) - spared


@cache
def without_gate(point: str, side: int) -> tuple[str, ...]:
    """The functions without a gate that the output of a point can be, for a machine with this side that never loses.

    Args:
        point: The point, as b2.
        side: 0 for the one that begins, 1 for the other.
    """
    return tuple(function for function in GATELESS if _possible(POINTS.index(point), function, side))


def _possible(point: int, function: str, side: int) -> bool:
    """Whether some machine with this side never loses and plays on a point exactly where a function is 1."""
    known: dict[Position, bool] = {}

    def goes_on(position: Position) -> bool:
        if position not in known:
            after, lost = _next(position)
            if not after:
                known[position] = not (lost and position.turn == side)
            elif position.turn != side:
                known[position] = all(goes_on(next_one) for _, next_one in after)
            else:
                there = _level(function, position)
                known[position] = any((to == point) == there and goes_on(next_one) for to, next_one in after)
        return known[position]

    return goes_on(_GAME.start())


@cache
def _next(position: Position) -> tuple[tuple[tuple[int | None, Position], ...], bool]:
    """The points that can be played on and what each leads to; and, where the game is over, whether it is lost."""
    moves = _GAME.moves(position)
    return tuple((move.to, _GAME.after(position, move)) for move in moves), _GAME.over(position) is Outcome.LOSS


def _level(function: str, position: Position) -> bool:
    if function in ("0", "1"):
        return function == "1"
    mine, theirs = position.stones[position.turn], position.stones[1 - position.turn]
    level = bool((mine | theirs << len(POINTS)) >> INPUTS.index(function.removeprefix("~")) & 1)
    return level != function.startswith("~")
