"""The value of every position of a small game, found by sweeping over all positions again and again."""

from __future__ import annotations

from .base import Oracle, State

Value = tuple[str, int | None]


def solve(game: Oracle) -> dict[State, Value]:
    """Every position reachable from the start with its value for the side to move and its remoteness.

    Remoteness is the number of plies to the end if the winner hurries and the loser delays. A draw lasts
    until the board is full where stones are only placed, and has no remoteness (None) in the other games.
    """
    successors = reachable(game)
    values: dict[State, Value] = {state: ("loss", 0) for state in successors if game.over(state) == "loss"}
    depth = 0
    found = True
    while found:
        depth += 1
        # What this sweep finds is kept apart until its end: it must not be used within the same sweep.
        fresh = {s: decided(successors[s], values, depth) for s in successors if s not in values}
        decisions = {state: value for state, value in fresh.items() if value is not None}
        values.update(decisions)
        found = bool(decisions)
    for state in successors:
        if state not in values:
            values[state] = ("draw", state.cells.count(".") if game.placing_only else None)
    return values


def reachable(game: Oracle) -> dict[State, list[State]]:
    """Every position that can arise from the start, with the positions one move later."""
    successors: dict[State, list[State]] = {}
    waiting = [game.start()]
    while waiting:
        state = waiting.pop()
        if state not in successors:
            successors[state] = [game.play(state, move) for move in game.moves(state)]
            waiting.extend(successors[state])
    return successors


def decided(successors: list[State], values: dict[State, Value], depth: int) -> Value | None:
    """The value of a position that is decided in exactly `depth` plies, None if it is not (yet).

    `values` holds everything decided in fewer plies. A move to a lost position wins; if there are moves and
    all of them go to won positions, the position is lost.
    """
    outcomes = [values[successor][0] if successor in values else "unknown" for successor in successors]
    if "loss" in outcomes:
        return "win", depth
    if outcomes and all(outcome == "win" for outcome in outcomes):
        return "loss", depth
    return None
