"""Does the attacker win at Qubic by an unbroken chain of threats? The compiled search that says so.

A threat is a move that makes three stones in a line whose fourth cell is empty. The defender must answer on
that cell, so a chain of threats is a game with one player in it: the attacker chooses, the replies follow.
The chain ends in a win when a move completes four, or threatens to on two cells at once. It breaks when the
defender's reply makes three of his own: then the attacker must move on that fourth cell, and the chain goes
on only if his stone there is a threat as well. The same holds if the defender has three at the very start.

The search is depth first, with a stack of its own. A line with two stones of the attacker and none of the
defender offers its two empty cells as threats, each with the other as the reply; a cell that two such lines
offer wins. To see these lines at once, the search keeps sets of lines, 38 to a word: those on which a side has
a stone, and those on which it has two. A stone changes them by a few instructions, with the set of the lines
through its cell. Threats that open most new ones are tried first: they win soonest, if any do.

Chains that differ only in the order of their threats meet in the same position, so positions from which no
chain wins are kept in a table: direct-mapped, the whole position stored, hence never mistaken. What it says is
true whatever the search was that wrote it, and so one table serves all searches. A position without threats is
seen to be refuted sooner than it is looked up.
"""

from enum import IntEnum
from functools import cache
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from noughts.games import NoughtsError, game
from noughts.games.points import members
from noughts.solve.compiled import part

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
Stack = NDArray[np.uint64]
"""The positions that the search has come through, a row each."""

NO_LIMIT = 1 << 62
DEEPEST = 32
"""No chain has more threats: each takes two cells."""

ZERO, ONE = np.uint64(0), np.uint64(1)
_BOARD = game("qubic").layout
_LINES = np.array(_BOARD.line_sets, np.uint64)
_THROUGH = np.array([(*lines, *[0] * (7 - len(lines))) for lines in _BOARD.lines_through], np.uint64)
"""The lines through each cell, four or seven of them, filled up with empty sets."""
_HALF_OF_LINES = len(_LINES) // 2
_LOW, _HIGH = _LINES[:_HALF_OF_LINES], _LINES[_HALF_OF_LINES:]
"""The lines of the two words of a set of lines."""
_LINES_AT = np.zeros((64, 2), np.uint64)
"""The set of the lines through each cell."""
for _number, _line in enumerate(_BOARD.line_sets):
    for _place in members(_line):
        _LINES_AT[_place, _number // _HALF_OF_LINES] |= np.uint64(1 << _number % _HALF_OF_LINES)

# A bit times this constant shows the number of the bit in the top six bits of the product, suitably coded.
_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
_TOP_SIX = np.uint64(58)
_PLACES = np.zeros(64, np.int64)
for _place in range(64):
    _PLACES[(0x03F79D71B4CB0A89 << _place & (1 << 64) - 1) >> 58] = _place

_MIX_A, _MIX_B = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_HALF = np.uint64(32)


# What the stack holds of a position: the stones, the cells on which the defender could complete four, and the threats
# not tried yet, of which the better ones make another line of two, the best ones several; then sets of lines, two words
# each: those with a stone of a side, and those with two or more.
_US, _THEM, _MUST, _UNTRIED, _BETTER, _BEST = range(6)
_US_ONE, _US_TWO, _THEM_ONE, _THEM_TWO, _ROW = range(6, 16, 2)


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
    for which in range(_THROUGH.shape[1]):  # Numba counts the holders of a row, with atomic instructions
        line = _THROUGH[place, which]
        if others & line == ZERO:
            missing = line & ~stones
            if missing & (missing - ONE) == ZERO:
                found |= missing
    return found


@njit(cache=True)
def slot_of(attacker: Cells, defender: Cells, size: int) -> np.int64:
    """Where in a table of this size, a power of two, a position belongs."""
    mixed = (attacker * _MIX_A) ^ (defender * _MIX_B)
    mixed ^= mixed >> _HALF
    mixed *= _MIX_A
    return np.int64((mixed >> _HALF) & np.uint64(size - 1))


@part
def _lines_held(stones: Cells) -> tuple[Cells, Cells, Cells, Cells]:
    """The set of lines, in two words, on which these stones are, and the set of those on which two of them are."""
    once_low, once_high, twice_low, twice_high = ZERO, ZERO, ZERO, ZERO
    while stones != ZERO:
        place = place_of(stones)
        stones &= stones - ONE
        low, high = _LINES_AT[place, 0], _LINES_AT[place, 1]
        twice_low, twice_high = twice_low | once_low & low, twice_high | once_high & high
        once_low, once_high = once_low | low, once_high | high
    return once_low, once_high, twice_low, twice_high


@part
def _several(low: Cells, high: Cells) -> bool:
    """Whether more than one line is in a set of lines."""
    return bool(low & (low - ONE) | high & (high - ONE) | min(low, high))


@part
def _line_of(low: Cells, high: Cells) -> Cells:
    """The cells of the one line of a set of lines."""
    line: Cells = _LOW[place_of(low)] if low != ZERO else _HIGH[place_of(high)]
    return line


@part
def _threats(low: Cells, high: Cells, stones: Cells) -> tuple[Cells, Cells]:
    """The cells that these lines have besides the stones, and those that two of the lines have."""
    once, twice = ZERO, ZERO
    while low != ZERO:
        offered = _LOW[place_of(low)] & ~stones
        low &= low - ONE
        twice |= once & offered
        once |= offered
    while high != ZERO:
        offered = _HIGH[place_of(high)] & ~stones
        high &= high - ONE
        twice |= once & offered
        once |= offered
    return once, twice


@part
def _on_lines(cells: Cells, low: Cells, high: Cells) -> tuple[Cells, Cells]:
    """Those of some cells that are on a line of a set of lines, and those that are on several."""
    one, several = ZERO, ZERO
    while cells != ZERO:
        place, cell = place_of(cells), cells & (~cells + ONE)
        cells ^= cell
        through_low, through_high = low & _LINES_AT[place, 0], high & _LINES_AT[place, 1]
        if through_low | through_high != ZERO:
            one |= cell
            if _several(through_low, through_high):
                several |= cell
    return one, several


@part
def _look(stack: Stack, here: int, refuted: Table) -> Cells:
    """Note the threats there are in a position; those that win."""
    us, them, must = stack[here, _US], stack[here, _THEM], stack[here, _MUST]
    untried, better, best, wins = ZERO, ZERO, ZERO, ZERO
    low, high = stack[here, _US_TWO] & ~stack[here, _THEM_ONE], stack[here, _US_TWO + 1] & ~stack[here, _THEM_ONE + 1]
    if must != ZERO:
        place = place_of(must)
        low, high = low & _LINES_AT[place, 0], high & _LINES_AT[place, 1]
        if low | high != ZERO and must & (must - ONE) == ZERO:
            untried = must
            if _several(low, high):
                wins = must
    elif low | high != ZERO:
        untried, wins = _threats(low, high, us)
        slot = slot_of(us, them, len(refuted))
        if refuted[slot, 0] == us and refuted[slot, 1] == them:
            untried = ZERO
        elif wins == ZERO:
            low = stack[here, _US_ONE] & ~stack[here, _US_TWO] & ~stack[here, _THEM_ONE]
            high = stack[here, _US_ONE + 1] & ~stack[here, _US_TWO + 1] & ~stack[here, _THEM_ONE + 1]
            better, best = _on_lines(untried, low, high)
    stack[here, _UNTRIED], stack[here, _BETTER], stack[here, _BEST] = untried, better, best
    return wins


@part
def _play(stack: Stack, here: int) -> np.int64:
    """Make the next threat in a position, and the reply: the position after it, and where the threat was made."""
    untried = stack[here, _UNTRIED]
    first = stack[here, _BEST] & untried
    if first == ZERO:
        first = stack[here, _BETTER] & untried
        if first == ZERO:
            first = untried
    threat = place_of(first)
    stone = first & (~first + ONE)
    stack[here, _UNTRIED] = untried ^ stone
    us = stack[here, _US] | stone
    low, high = _LINES_AT[threat, 0], _LINES_AT[threat, 1]
    one_low, one_high, two_low, two_high = (
        stack[here, _US_ONE],
        stack[here, _US_ONE + 1],
        stack[here, _US_TWO],
        stack[here, _US_TWO + 1],
    )
    free_low, free_high = ~stack[here, _THEM_ONE], ~stack[here, _THEM_ONE + 1]
    reply = _line_of(two_low & free_low & low, two_high & free_high & high) & ~us
    stack[here + 1, _US_TWO], stack[here + 1, _US_TWO + 1] = two_low | one_low & low, two_high | one_high & high
    one_low, one_high = one_low | low, one_high | high
    stack[here + 1, _US], stack[here + 1, _US_ONE], stack[here + 1, _US_ONE + 1] = us, one_low, one_high
    them = stack[here, _THEM] | reply
    place = place_of(reply)
    low, high = _LINES_AT[place, 0], _LINES_AT[place, 1]
    two_low, two_high = stack[here, _THEM_TWO], stack[here, _THEM_TWO + 1]
    stack[here + 1, _MUST], _ = _threats(two_low & low & ~one_low, two_high & high & ~one_high, them)
    stack[here + 1, _THEM_TWO], stack[here + 1, _THEM_TWO + 1] = two_low | ~free_low & low, two_high | ~free_high & high
    stack[here + 1, _THEM], stack[here + 1, _THEM_ONE], stack[here + 1, _THEM_ONE + 1] = (
        them,
        ~free_low | low,
        ~free_high | high,
    )
    return threat


@njit(cache=True)
def search(
    attacker: Cells, defender: Cells, budget: int, refuted: Table, moves: NDArray[np.int64]
) -> tuple[int, int, int]:
    """The verdict, the number of moves written to `moves` if the attacker wins, and the threats tried."""
    at_once = fourth_cells(attacker, defender)
    if at_once != ZERO:
        moves[0] = place_of(at_once)
        return _WON, 1, 0
    stack = np.empty((DEEPEST + 1, _ROW), np.uint64)
    stack[0, _US], stack[0, _THEM], stack[0, _MUST] = attacker, defender, fourth_cells(defender, attacker)
    stack[0, _US_ONE], stack[0, _US_ONE + 1], stack[0, _US_TWO], stack[0, _US_TWO + 1] = _lines_held(attacker)
    stack[0, _THEM_ONE], stack[0, _THEM_ONE + 1], stack[0, _THEM_TWO], stack[0, _THEM_TWO + 1] = _lines_held(defender)
    depth, nodes = 0, 0
    while True:
        wins = _look(stack, depth, refuted)
        if wins != ZERO:
            moves[depth] = place_of(wins)
            return _WON, depth + 1, nodes
        tried = False
        while stack[depth, _UNTRIED] == ZERO:
            if tried:
                us, them = stack[depth, _US], stack[depth, _THEM]
                slot = slot_of(us, them, len(refuted))
                refuted[slot, 0], refuted[slot, 1] = us, them
            tried = True
            depth -= 1
            if depth < 0:
                return _REFUTED, 0, nodes
        if nodes >= budget:
            return _BUDGET_SPENT, 0, nodes
        nodes += 1
        moves[depth] = _play(stack, depth)
        depth += 1


@njit(cache=True)
def replay(attacker: Cells, defender: Cells, must: Cells, chains: NDArray[np.int64], which: int, length: int) -> Cells:
    """The cells that a chain, found perhaps in another position, needs in this one; none if it does not win.

    The attacker must not be able to complete four, and the defender on the cells `must` only.
    """
    before = attacker | defender
    for step in range(length):
        place = chains[which, step]
        stone = ONE << np.uint64(place)
        if (attacker | defender) & stone != ZERO or must & ~stone != ZERO:
            return ZERO
        attacker |= stone
        reply = through_stone(place, attacker, defender)
        if reply == ZERO:
            return ZERO
        if reply & (reply - ONE) != ZERO:
            return (attacker | defender | reply) & ~before
        defender |= reply
        must = through_stone(place_of(reply), defender, attacker)
    return ZERO
