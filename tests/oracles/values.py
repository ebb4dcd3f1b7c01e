"""The value of every position of a small game, found by sweeping over all positions again and again."""

from __future__ import annotations

from .base import Oracle, State

Value = tuple[str, int | None]


def solve(game: Oracle) -> dict[State, Value]:
    """Every position reachable from the start with its value for the side to move and its remoteness.

    Remoteness is the number of plies to the end if the winner hurries and the loser delays. A draw lasts
    until the board is full where stones are only placed, and has no remoteness (None) in the other games.
    """
    reached = reachable(game)
    states = list(reached)
    number = {state: at for at, state in enumerate(states)}
    successors = [[number[successor] for successor in reached[state]] for state in states]
    # Only where the game is over are there no moves.
    values: dict[int, Value] = {
        at: ("loss", 0) for at, state in enumerate(states) if not successors[at] and game.over(state) == "loss"
    }
    left = [at for at in range(len(states)) if successors[at]]
    depth = 0
    found = True
    while found:
        depth += 1
        # What this sweep finds is kept apart until its end: it must not be used within the same sweep.
        fresh = {at: decided(successors[at], values, depth) for at in left}
        decisions = {at: value for at, value in fresh.items() if value is not None}
        values.update(decisions)
        left = [at for at in left if at not in decisions]
        found = bool(decisions)

    def drawn(state: State) -> Value:
        return "draw", state.cells.count(".") if game.placing_only else None

    return {state: values[at] if at in values else drawn(state) for at, state in enumerate(states)}


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


def decided(successors: list[int], values: dict[int, Value], depth: int) -> Value | None:
    """The value of a position that is decided in exactly `depth` plies, None if it is not (yet).

    `values` holds everything decided in fewer plies. A move to a lost position wins; if there are moves and
    all of them go to won positions, the position is lost.
    """
    outcomes = {values[successor][0] if successor in values else "unknown" for successor in successors}
    if "loss" in outcomes:
        return "win", depth
    return ("loss", depth) if outcomes == {"win"} else None
