"""Wins by an unbroken chain of threats, where stones are placed and a row wins, on a board of any size.

A **four** is a move after which a line lacks one stone only; the defender must answer there. So a chain of fours is a
game with one player in it: the attacker chooses, the replies follow. It wins when a four leaves two points to stop at
once, and it breaks when a reply makes a four of the defender's own that the attacker cannot stop with another four.
Qubic has a search of the same kind on sets of 64 bits (`noughts.solve.qubic.chains`), which is several times faster
there and of no use on larger boards.

`find` looks for such a chain depth first; it is the engine's **quiescence search**. Chains that differ only in the
order of their fours meet in the same position, so positions without a chain are kept in a table. `replay` tries a chain
found in another position: whoever faces a chain need only look at the moves that spoil it.
"""

import numpy as np
from numba import int64, njit

from noughts.solve.engine.state import RECORD, State, lacking_two, put, take
from noughts.solve.engine.work import LONGEST_CHAIN, REFUTED, SEARCH_RECORD, Search

__all__ = ["find", "replay"]

_SIDES = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F], np.uint64)


@njit(int64(RECORD, SEARCH_RECORD, int64, int64, int64), cache=True)
def find(state: State, search: Search, side: int, ply: int, depth: int) -> int:  # noqa: PLR0912
    """How many plies a chain of this side, who is to move, takes until a row is filled; 0 if none was found.

    `search.budget` fours may be tried. `search.chain[ply]` gets the attacker's moves, all but the one that fills the
    row; the first `depth` of them have been made.
    """
    other = 1 - side
    if state.wins[side] > 0:
        return 1
    if state.wins[other] > 1 or state.fours[side] == 0 or depth + 1 >= LONGEST_CHAIN:
        return 0
    key = state.keys[0] ^ _SIDES[side]
    slot = np.int64(key & np.uint64(REFUTED - 1))
    if search.refuted[slot] == key:
        return 0
    first, last = 0, state.points
    if state.wins[other] == 1:
        first = state.win_sum[other]
        last = first + 1
    left = state.fours[side]
    for point in range(first, last):
        if state.cells[point] >= 0 or lacking_two(state.power[side, point]) == 0:
            continue
        search.budget -= 1
        search.nodes += 1
        if search.budget < 0:
            return 0
        put(state, side, point)
        plies = 0
        if state.wins[side] > 1:
            plies = 3
        elif state.wins[side] == 1:
            reply = state.win_sum[side]
            put(state, other, reply)
            plies = find(state, search, side, ply, depth + 1)
            if plies > 0:
                plies += 2
            take(state, other, reply)
        take(state, side, point)
        if plies > 0:
            search.chain[ply, depth] = point
            for end in range(depth + plies // 2, LONGEST_CHAIN):
                search.chain[ply, end] = -1
            return plies
        left -= 1
        if left == 0:
            break
    if search.budget >= 0:
        search.refuted[slot] = key
    return 0


@njit(cache=True)
def replay(state: State, search: Search, side: int, ply: int) -> int:
    """How many plies the chain of this ply takes to fill a row of this side, who is to move; 0 if it breaks here."""
    other = 1 - side
    step, plies = 0, 0
    while True:
        if state.wins[side] > 0:
            plies = 2 * step + 1
            break
        if state.wins[other] > 1 or search.chain[ply, step] < 0:
            break
        point = search.chain[ply, step]
        if state.cells[point] >= 0 or (state.wins[other] == 1 and state.win_sum[other] != point):
            break
        put(state, side, point)
        if state.wins[side] != 1:
            plies = 2 * step + 3 if state.wins[side] > 1 else 0
            take(state, side, point)
            break
        search.replies[step] = state.win_sum[side]
        put(state, other, search.replies[step])
        step += 1
    while step > 0:
        step -= 1
        take(state, other, search.replies[step])
        take(state, side, search.chain[ply, step])
    return plies
