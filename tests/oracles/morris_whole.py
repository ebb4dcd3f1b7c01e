"""A morris game solved whole from the prose of its rules: every position that play reaches, without any order.

A value is the plies to the winner's next capture or to the end, odd if the side to move wins, even if it loses, None
for a draw. A move that captures, and leaves the other side lost, wins in 1. Any other move wins in one ply more than
the other side loses in. Whoever can only move where the other side wins has lost, one ply later than by the slowest
move.

At first nobody is known to win or lose but whoever has lost already. Whenever the value of a position changes, those
before it are looked at again, until nothing changes any more. What is known at any time is true, but a win may turn out
to be quicker, and then what rests on it.
"""

from __future__ import annotations

from collections import defaultdict, deque

from .base import State
from .morris import MorrisGame

Led = list[tuple[bool, State]]
"""Where moves lead, and whether they capture."""


def solve_whole(game: MorrisGame) -> dict[State, int | None]:
    """The value of every position that play reaches, those in which the game has ended among them."""
    moves: dict[State, Led] = {}
    todo = [game.start()]
    while todo:
        state = todo.pop()
        if state not in moves:
            moves[state] = [("x" in move, game.play(state, move)) for move in game.moves(state)]
            todo += [after for _, after in moves[state]]
    before: dict[State, set[State]] = defaultdict(set)
    for state, led in moves.items():
        for _, after in led:
            before[after].add(state)
    values: dict[State, int | None] = {state: 0 if game.over(state) == "loss" else None for state in moves}
    waiting = deque(earlier for state, value in values.items() if value == 0 for earlier in before[state])
    while waiting:
        state = waiting.popleft()
        value = _value(moves[state], values)
        if value != values[state]:
            values[state] = value
            waiting += before[state]
    return values


def _value(led: Led, values: dict[State, int | None]) -> int | None:
    """What a position is worth by the values of those after it, as far as they are known."""
    known = [(captures, values[after]) for captures, after in led]
    wins = [1 if captures else value + 1 for captures, value in known if value is not None and value % 2 == 0]
    if wins:
        return min(wins)
    losses = [value + 1 for _, value in known if value is not None]
    return max(losses) if len(losses) == len(led) else None
