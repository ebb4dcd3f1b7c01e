"""Whether a dictionary proves that the first player wins Qubic: an independent checker.

It knows the rules, the dictionary and nothing of how that was made. From the empty board on, at every position
with the first player, X, to move:

1. if X can complete a line, X has won;
2. else, if O threatens to complete one, X must stop it (and has lost if there are two);
3. else, if the position or an image of it is in the dictionary, X plays the move found there;
4. else X must win by an unbroken chain of **threats**: moves that leave O one cell to stop the next from winning.

After moves 2 and 3 *every* reply of O is followed. If this walk ends, X wins against everything; the first
position at which X has no move is the **hole** of a dictionary that proves nothing.

A chain of threats (4) is looked for by plain depth-first search: for each line with two stones of X and two empty
cells, X takes one of them, O is forced to take the other, and so on; if O's forced stone threatens in turn, X's
next move must be there and must threaten too. Positions from which no chain was found are not tried again.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from noughts.games import Position, game
from noughts.games.symmetry import Symmetry
from noughts.solve.interrupt import Stop, interruptible, stopped
from noughts.solve.qubic.dictionary import Dictionary

__all__ = ["Verdict", "check", "wins_by_threats"]

QUBIC = game("qubic")
LINES = np.array(QUBIC.layout.line_sets, np.uint64)
DEEPEST = 33
"""A threat and its answer take two of the 64 cells."""
REFUTED = 1 << 16
"""Room for positions that were tried in vain; a power of two."""
NONE, ONE = np.uint64(0), np.uint64(1)


class Verdict(NamedTuple):
    """What came of the walk."""

    hole: str | None
    """The first position without an answer; None if the dictionary is complete."""
    strategic: int
    """Entries of the dictionary that were needed."""
    positions: int
    """Positions with X to move that were looked at."""


def check(dictionary: Dictionary, progress: Callable[[int, int], None] | None = None) -> Verdict:
    """Walk every game that O can choose; Ctrl-C ends the walk at once."""
    return interruptible(_walk, dictionary, progress)


def _walk(stop: Stop, dictionary: Dictionary, progress: Callable[[int, int], None] | None) -> Verdict:
    book = unfolded(dictionary)
    refuted, last = np.zeros((REFUTED, 2), np.uint64), np.zeros(DEEPEST, np.uint64)
    used: set[int] = set()
    seen: set[tuple[int, int]] = set()
    waiting = [(0, 0)]
    positions = 0
    while waiting and not stop[0]:
        x, o = waiting.pop()
        positions += 1
        own, other = np.uint64(x), np.uint64(o)
        if completing(own, other):
            continue
        must = int(completing(other, own))
        if must.bit_count() > 1:
            return Verdict(_write(x, o), len(used), positions)
        if must:
            if (x, o) in seen:
                continue
            seen.add((x, o))
            waiting += _replies(x | must, o)
        elif (x, o) in book:
            number, move = book[x, o]
            if number not in used:
                used.add(number)
                waiting += _replies(x | 1 << move, o)
                if progress:
                    progress(len(used), len(dictionary.entries))
        elif not wins_by_threats(stop, own, other, refuted, last):
            return Verdict(_write(x, o), len(used), positions)
    return Verdict(None, len(used), positions)


def unfolded(dictionary: Dictionary) -> dict[tuple[int, int], tuple[int, int]]:
    """Every image of every position: the number of its entry, and the image of the move."""
    found: dict[tuple[int, int], tuple[int, int]] = {}
    sets = np.array([(x, o, 1 << move) for x, o, move in dictionary.entries], np.uint64)
    numbers = range(len(sets))
    for symmetry in reversed(QUBIC.symmetries):  # where two say the same of a position, the first has the last word
        xs, os, moves = _images(symmetry, sets).T
        cells = np.bitwise_count(moves - ONE)
        found.update(
            zip(zip(xs.tolist(), os.tolist(), strict=True), zip(numbers, cells.tolist(), strict=True), strict=True)
        )
    return found


def _images(symmetry: Symmetry, sets: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Where a symmetry sends sets of cells: each cell is taken out of all sets and put to its image."""
    images = np.zeros_like(sets)
    for cell, image in enumerate(symmetry):
        images |= (sets >> np.uint64(cell) & ONE) << np.uint64(image)
    return images


def _replies(x: int, o: int) -> list[tuple[int, int]]:
    """Every reply of O; a full board, on which nobody has won, is a hole that X must answer."""
    return [(x, o | 1 << cell) for cell in range(64) if not (x | o) >> cell & 1]


def _write(x: int, o: int) -> str:
    hand = (32 - x.bit_count(), 32 - o.bit_count())
    return QUBIC.write(Position((x, o), hand, 0))


@njit(cache=True)
def completing(own: np.uint64, other: np.uint64) -> np.uint64:
    """The empty cells that complete a line of one's own."""
    cells = NONE
    for line in LINES:
        missing = line & ~own
        if line & other == NONE and missing != NONE and missing & (missing - ONE) == NONE:
            cells |= missing
    return cells


@njit(cache=True)
def threats(x: np.uint64, o: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The cells on which X makes three of a line that is empty otherwise, and those on which he does so twice."""
    once = twice = NONE
    for line in LINES:
        stones = line & x
        rest = stones & (stones - ONE)
        if line & o == NONE and rest != NONE and rest & (rest - ONE) == NONE:
            twice |= once & (line ^ stones)
            once |= line ^ stones
    return once, twice


@njit(cache=True, nogil=True)
def wins_by_threats(
    stop: Stop, x: np.uint64, o: np.uint64, refuted: NDArray[np.uint64], last: NDArray[np.uint64]
) -> bool:
    """Whether X, to move, wins by an unbroken chain of threats; no, once `stop` is set.

    Two threats at once win, since two lines meet in one cell at most: O cannot stop both, and has no four of his own
    to make, for X may threaten only where he also stops that. One threat goes on with X to move again, and after O's
    answer nothing completes a line of X's; so that need be asked only once. Most of O's replies change nothing: `last`,
    the threats that won last, are tried first.
    """
    if completing(x, o) != NONE:
        return True
    xs, os, untried = np.empty(DEEPEST, np.uint64), np.empty(DEEPEST, np.uint64), np.empty(DEEPEST, np.uint64)
    xs[0], os[0] = x, o
    depth, new = 0, True
    while depth >= 0 and not stopped(stop):
        x, o = xs[depth], os[depth]
        slot = np.int64((x * np.uint64(0x9E3779B97F4A7C15) ^ o * np.uint64(0xC2B2AE3D27D4EB4F)) >> np.uint64(48))
        if new:
            must = completing(o, x)
            untried[depth] = NONE
            if must & (must - ONE) == NONE and (refuted[slot, 0] != x or refuted[slot, 1] != o):
                once, twice = threats(x, o)
                allowed = must if must != NONE else ~NONE
                if twice & allowed != NONE:
                    for step in range(depth):
                        last[step] = xs[step + 1] ^ xs[step]
                    return True
                untried[depth] = once & allowed
        chosen = untried[depth] & last[depth]
        if chosen == NONE:
            chosen = untried[depth] & (~untried[depth] + ONE)
        new = chosen != NONE
        if new:
            untried[depth] ^= chosen
            depth += 1
            xs[depth], os[depth] = x | chosen, o | completing(x | chosen, o)
        else:
            refuted[slot, 0], refuted[slot, 1] = x, o
            depth -= 1
    return False
