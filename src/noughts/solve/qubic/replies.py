"""What O can do about a strategic move of X's at Qubic: the compiled heart of the proof.

X has made a move that is to win, and O may answer anywhere. Most answers lose at once to a chain of threats
(`chains`). `open_replies` finds those that do not: the positions, X to move, in which X needs another
strategic move. It follows what is forced without asking. If X threatens, O answers on that cell. If O's
answer makes three, X must stop it, and then O may again answer anywhere; so O's own chains of threats are
followed to their ends.

Another stone of O's never helps X: it only blocks lines of X's and lengthens O's. So if no chain wins even if O
passes, where he threatens nothing, none wins against any answer, and nothing is left to search for. Otherwise
chains win against many answers alike: each chain found is first replayed against the next answers, which is a
hundred times cheaper than a search, and not even that if the answer takes a cell which the chain needs.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from noughts.solve.compiled import part
from noughts.solve.qubic.chains import (
    DEEPEST,
    NO_LIMIT,
    ONE,
    ZERO,
    Cells,
    Table,
    fourth_cells,
    new_refuted,
    place_of,
    replay,
    search,
    slot_of,
    through_stone,
)
from noughts.solve.qubic.symmetry import image_tables, least_among, least_image

__all__ = ["LOST", "TOO_MANY", "Memory", "new_memory", "open_replies"]

LOST, TOO_MANY = -1, -2
_MOST_CHAINS = 48
_MOST_PENDING = 4096


class Memory(NamedTuple):
    """What the kernel keeps from call to call; all of it could be found out again."""

    images: NDArray[np.uint64]
    refuted: Table
    """Positions from which no chain of threats wins. A larger table saves few threats, but leaves the core's cache."""
    open: Table
    """Canonical positions with X to move from which no chain of threats wins."""
    nodes: NDArray[np.int64]
    """One number: the threats tried so far."""


def new_memory() -> Memory:
    """A memory that remembers nothing yet."""
    return Memory(image_tables(), new_refuted(14), new_refuted(20), np.zeros(1, np.int64))


@njit(cache=True)
def open_replies(x: Cells, o: Cells, memory: Memory, found: NDArray[np.uint64]) -> int:
    """Write the canonical positions in which X, who has just moved, needs a move again; return their number.

    LOST if O can win or fill the board, TOO_MANY if `found` is too short. There must be no three of O's with
    an empty fourth cell.
    """
    chains = _new_chains()
    ways = np.empty(len(memory.images), np.int64)
    pending = np.empty((_MOST_PENDING, 2), np.uint64)
    pending[0, 0], pending[0, 1] = x, o
    seen, done, count = 1, 0, 0
    while done < seen:
        x, o = pending[done, 0], pending[done, 1]
        done += 1
        refuted = False
        replies = fourth_cells(x, o)
        if replies == ZERO:
            # A chain of O's own would turn up in time, but this finds it sooner.
            if _search(o, x, memory, chains.spare):
                return LOST
            refuted = not _replay_any(x, o, ZERO, chains) and not _find_chain(x, o, ZERO, memory, chains)
            replies = ~(x | o)
        elif replies & (replies - ONE) != ZERO:
            continue
        if replies == ZERO:
            return LOST
        least_x, alike = least_image(memory.images, x, ways)
        while replies != ZERO:
            with_reply = o | (replies & (~replies + ONE))
            must = through_stone(place_of(replies), with_reply, x)
            replies &= replies - ONE
            if must & (must - ONE) != ZERO:
                return LOST
            if not refuted and _replay_any(x, with_reply, must, chains):
                continue
            if must == ZERO:
                least_o = least_among(memory.images, with_reply, ways, alike)
                if refuted or _stays_open(x, with_reply, least_x, least_o, memory, chains):
                    count = _add(found, count, least_x, least_o)
            elif refuted or not _find_chain(x, with_reply, must, memory, chains):
                seen = _add(pending, seen, x | must, with_reply)
            if seen == len(pending) or count == len(found):
                return TOO_MANY
    return count


class _Chains(NamedTuple):
    """Chains found to win, the newest in the place of the oldest."""

    moves: NDArray[np.int64]
    lengths: NDArray[np.int64]
    cells: NDArray[np.uint64]
    """What each takes: its threats, the replies, and the two cells threatened in the end."""
    next: NDArray[np.int64]
    """One number: where the next goes."""
    spare: NDArray[np.int64]
    """Room for the chain that is being searched for."""


@part
def _new_chains() -> _Chains:
    return _Chains(
        np.empty((_MOST_CHAINS, DEEPEST), np.int64),
        np.zeros(_MOST_CHAINS, np.int64),
        np.zeros(_MOST_CHAINS, np.uint64),
        np.zeros(1, np.int64),
        np.empty(DEEPEST, np.int64),
    )


@part
def _search(attacker: Cells, defender: Cells, memory: Memory, moves: NDArray[np.int64]) -> int:
    """The length of a chain that wins for the attacker, who is to move; 0 if there is none."""
    _, length, nodes = search(attacker, defender, NO_LIMIT, memory.refuted, moves)
    memory.nodes[0] += nodes
    return length


@part
def _replay_any(x: Cells, o: Cells, must: Cells, chains: _Chains) -> bool:
    """Whether one of the chains found before wins here too, where O could complete four on `must`."""
    for which in range(_MOST_CHAINS):
        length = chains.lengths[which]
        if length and chains.cells[which] & o == ZERO and replay(x, o, must, chains.moves, which, length) != ZERO:
            return True
    return False


@part
def _find_chain(x: Cells, o: Cells, must: Cells, memory: Memory, chains: _Chains) -> bool:
    """Whether X, who is to move, wins by a chain; it is kept."""
    length = _search(x, o, memory, chains.spare)
    if length:
        at = chains.next[0]
        chains.lengths[at] = length
        for step in range(length):  # Numba compiles this in a tenth of the time that the copy of an array takes it
            chains.moves[at, step] = chains.spare[step]
        chains.cells[at] = replay(x, o, must, chains.moves, at, length)
        chains.next[0] = (at + 1) % _MOST_CHAINS
    return length > 0


@part
def _stays_open(x: Cells, o: Cells, least_x: Cells, least_o: Cells, memory: Memory, chains: _Chains) -> bool:
    """Whether X, who is to move, has no chain that wins here; the canonical image is remembered if so."""
    slot = slot_of(least_x, least_o, len(memory.open))
    if memory.open[slot, 0] != least_x or memory.open[slot, 1] != least_o:
        if _find_chain(x, o, ZERO, memory, chains):
            return False
        memory.open[slot, 0], memory.open[slot, 1] = least_x, least_o
    return True


@part
def _add(positions: NDArray[np.uint64], count: int, x: Cells, o: Cells) -> int:
    """Add a position to a list of `count` unless it is there; the new count."""
    for which in range(count):
        if positions[which, 0] == x and positions[which, 1] == o:
            return count
    positions[count, 0], positions[count, 1] = x, o
    return count + 1
