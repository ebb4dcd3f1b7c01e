"""Does the attacker win at Qubic by an unbroken chain of threats? The compiled search that says so.

A threat is a move that makes three stones in a line whose fourth cell is empty. The defender must answer on
that cell, so a chain of threats is a game with one player in it: the attacker chooses, the replies follow.
The chain ends in a win when a move completes four, or threatens to on two cells at once. It breaks when the
defender's reply makes three of his own: then the attacker must move on that fourth cell, and the chain goes
on only if his stone there is a threat as well. The same holds if the defender has three at the very start.

The search is depth first, with a stack of its own. One pass over the 76 lines tells all there is to know
about a position: a line with two stones of the attacker and none of the defender offers its two empty cells
as threats, each with the other as the reply; a cell that two such lines offer wins. Chains that differ only
in the order of their threats meet in the same position, so positions from which no chain wins are kept in a
table: direct-mapped, the whole position stored, hence never mistaken. What it says is true whatever the
search was that wrote it, and so one table serves all searches.
"""

from enum import IntEnum
from functools import cache
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from noughts.games import NoughtsError, game

__all__ = [
    "NO_LIMIT",
    "BudgetSpentError",
    "ThreatWin",
    "Verdict",
    "find_win",
    "fourth_cells",
    "new_refuted",
    "place_of",
    "replay",
    "search",
    "slot_of",
    "through_stone",
]

Cells = np.uint64
"""A set of cells inside a kernel. Numba turns uint64 mixed with signed numbers into floats: never mix them."""
Table = NDArray[np.uint64]

NO_LIMIT = 1 << 62
DEEPEST = 32
"""No chain has more threats: each takes two cells."""

ZERO, ONE = np.uint64(0), np.uint64(1)
_BOARD = game("qubic").layout
_LINES = np.array(_BOARD.line_sets, np.uint64)
_THROUGH = np.array([(*lines, *[0] * (7 - len(lines))) for lines in _BOARD.lines_through], np.uint64)
"""The lines through each cell, four or seven of them, filled up with empty sets."""

# A bit times this constant shows the number of the bit in the top six bits of the product, suitably coded.
_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
_TOP_SIX = np.uint64(58)
_PLACES = np.zeros(64, np.int64)
for _place in range(64):
    _PLACES[(0x03F79D71B4CB0A89 << _place & (1 << 64) - 1) >> 58] = _place

_MIX_A, _MIX_B = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_HALF = np.uint64(32)


class Verdict(IntEnum):
    """What a search found out."""

    REFUTED = 0
    WON = 1
    BUDGET_SPENT = 2


_REFUTED, _WON, _BUDGET_SPENT = (int(verdict) for verdict in Verdict)


class ThreatWin(NamedTuple):
    """A chain of threats that wins.

    Only the attacker's moves are listed: each reply is forced. The last move completes four, or threatens
    to on two cells at once.
    """

    moves: tuple[int, ...]
    nodes: int
    """The threats tried in finding it."""


class BudgetSpentError(NoughtsError):
    """A search that ended undecided because it was not allowed to go on."""


def find_win(attacker: int, defender: int, budget: int = NO_LIMIT) -> ThreatWin | None:
    """A chain of threats that wins for the attacker, who is to move; None if there is no such chain.

    `budget` is how many threats may be tried; if they do not decide it, BudgetSpentError is raised.
    """
    moves = np.empty(DEEPEST, np.int64)
    verdict, length, nodes = search(np.uint64(attacker), np.uint64(defender), budget, _shared_refuted(), moves)
    if verdict == Verdict.BUDGET_SPENT:
        raise BudgetSpentError(f"{nodes:,} threats did not decide the position: expected a larger budget")
    return ThreatWin(tuple(int(move) for move in moves[:length]), nodes) if verdict == Verdict.WON else None


def new_refuted(bits: int = 18) -> Table:
    """An empty table for 2**bits refuted positions."""
    return np.zeros((1 << bits, 2), np.uint64)


@cache
def _shared_refuted() -> Table:
    return new_refuted()


@njit(cache=True)
def place_of(cell: Cells) -> np.int64:
    """The number of the lowest cell of a set."""
    lowest = cell & (~cell + ONE)
    place: np.int64 = _PLACES[(lowest * _DE_BRUIJN) >> _TOP_SIX]
    return place


@njit(cache=True)
def fourth_cells(stones: Cells, others: Cells) -> Cells:
    """The empty cells on which these stones would become four in a line."""
    found = ZERO
    for line in _LINES:
        if others & line == ZERO:
            missing = line & ~stones
            if missing & (missing - ONE) == ZERO:
                found |= missing
    return found


@njit(cache=True)
def through_stone(place: int | np.int64, stones: Cells, others: Cells) -> Cells:
    """The same for the lines through one cell only, which is among the stones."""
    found = ZERO
    for line in _THROUGH[place]:
        if others & line == ZERO:
            missing = line & ~stones
            if missing & (missing - ONE) == ZERO:
                found |= missing
    return found


@njit(cache=True)
def _threats(attacker: Cells, defender: Cells) -> tuple[Cells, Cells]:
    """The cells on which the attacker threatens, and those on which he threatens twice."""
    once, twice = ZERO, ZERO
    for line in _LINES:
        if defender & line == ZERO:
            held = attacker & line
            but_one = held & (held - ONE)
            if but_one != ZERO and but_one & (but_one - ONE) == ZERO:
                offered = line ^ held
                twice |= once & offered
                once |= offered
    return once, twice


@njit(cache=True)
def slot_of(attacker: Cells, defender: Cells, size: int) -> np.int64:
    """Where in a table of this size, a power of two, a position belongs."""
    mixed = (attacker * _MIX_A) ^ (defender * _MIX_B)
    mixed ^= mixed >> _HALF
    mixed *= _MIX_A
    return np.int64((mixed >> _HALF) & np.uint64(size - 1))


@njit(cache=True)
def search(
    attacker: Cells, defender: Cells, budget: int, refuted: Table, moves: NDArray[np.int64]
) -> tuple[int, int, int]:
    """The verdict, the number of moves written to `moves` if the attacker wins, and the threats tried."""
    at_once = fourth_cells(attacker, defender)
    if at_once != ZERO:
        moves[0] = place_of(at_once)
        return _WON, 1, 0
    ours = np.empty(DEEPEST + 1, np.uint64)
    theirs = np.empty(DEEPEST + 1, np.uint64)
    untried = np.empty(DEEPEST + 1, np.uint64)
    size = len(refuted)
    depth, nodes, fresh = 0, 0, True
    ours[0], theirs[0] = attacker, defender
    must = fourth_cells(defender, attacker)
    while depth >= 0:
        us, them = ours[depth], theirs[depth]
        slot = slot_of(us, them, size)
        if fresh:
            fresh = False
            untried[depth] = ZERO
            # Two cells to stop the defender on are one too many; the table remembers the rest.
            if must & (must - ONE) == ZERO and (refuted[slot, 0] != us or refuted[slot, 1] != them):
                allowed = must if must != ZERO else ~ZERO
                once, twice = _threats(us, them)
                if twice & allowed != ZERO:
                    moves[depth] = place_of(twice & allowed)
                    return _WON, depth + 1, nodes
                untried[depth] = once & allowed
        if untried[depth] == ZERO:
            refuted[slot, 0], refuted[slot, 1] = us, them
            depth -= 1
            continue
        if nodes >= budget:
            return _BUDGET_SPENT, 0, nodes
        nodes += 1
        place = place_of(untried[depth])
        untried[depth] &= untried[depth] - ONE
        moves[depth] = place
        us |= ONE << np.uint64(place)
        reply = through_stone(place, us, them)
        them |= reply
        depth += 1
        ours[depth], theirs[depth] = us, them
        must = through_stone(place_of(reply), them, us)
        fresh = True
    return _REFUTED, 0, nodes


@njit(cache=True)
def replay(attacker: Cells, defender: Cells, moves: NDArray[np.int64], length: int) -> bool:
    """Whether this chain, found in another position where nobody could complete four, wins in this one too."""
    must = fourth_cells(defender, attacker)
    for step in range(length):
        place = moves[step]
        stone = ONE << np.uint64(place)
        if (attacker | defender) & stone != ZERO or must & ~stone != ZERO:
            return False
        attacker |= stone
        reply = through_stone(place, attacker, defender)
        if reply == ZERO:
            return False
        if reply & (reply - ONE) != ZERO:
            return True
        defender |= reply
        must = through_stone(place_of(reply), defender, attacker)
    return False
