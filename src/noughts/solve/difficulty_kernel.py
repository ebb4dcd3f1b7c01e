"""Scores and difficulties of placing games of 10 to 16 cells, compiled.

The index is that of `noughts.solve.placing`, the order of work too: from the full board down. A difficulty is a word of
16 digits of four bits, the first on top, every second one complemented: so words compare as the sequences they stand
for, and the word of a position is its number of wrong moves in front of the successor's word, complemented and moved
down one digit. A score is kept as a byte that compares as scores are preferred: plus or minus the number of the
winning move, counted from the end where early wins are better, or 0.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from noughts.games import Game, Position
from noughts.solve.difficulty import KNUTH, Appraisal, Difficulties, Measure
from noughts.solve.interrupt import Stop, interruptible, stopped
from noughts.solve.placing import index_of

__all__ = ["CompiledDifficulties"]

Scores = NDArray[np.int8]
Words = NDArray[np.uint64]

NO_WRONG_MOVES = np.uint64(0x0F0F0F0F0F0F0F0F)
ALL, FOUR, TOP = np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(4), np.uint64(60)
OVER, WIN_AT_HAND = 1, 2
"""Flags: somebody has a row here; the player to move can make one."""


class CompiledDifficulties(Difficulties):
    """Tables of scores and words for all positions."""

    def __init__(self, game: Game, measure: Measure = KNUTH) -> None:
        self.game, self.measure = game, measure
        self.index = index_of(len(game.layout))
        self.scores = np.zeros(self.index.slots, np.int8)
        self.words = np.full(self.index.slots, NO_WRONG_MOVES, np.uint64)
        flags = np.zeros(self.index.slots, np.uint8)
        lines = np.array(game.layout.line_sets, np.int32)
        for layer in reversed(self.index.layers):
            xs, os = self.index.stones_at(layer)
            mover_lost = np.zeros(xs.shape, bool)
            other = xs if layer.stones % 2 else os
            for line in lines:
                mover_lost |= other & line == line
            part = slice(layer.start, layer.start + layer.slots)
            flags[part] = mover_lost.ravel() * OVER
            self.scores[part] = mover_lost.ravel() * np.int8(measure.worth(-layer.stones, self.index.cells))
            if layer.stones < self.index.cells:
                interruptible(
                    _fill_layer,
                    self.index.cells,
                    layer.stones,
                    measure.worth(-(layer.stones + 1), self.index.cells),
                    measure.digits == "losing",
                    layer.occupied,
                    layer.insertions,
                    self.index.offsets,
                    flags,
                    self.scores,
                    self.words,
                )

    def appraise(self, position: Position) -> Appraisal:
        """Score and difficulty of a legal position."""
        slot = self.index.slot(*position.stones)
        word = int(self.words[slot] ^ NO_WRONG_MOVES)
        digits = tuple(word >> (60 - 4 * place) & 15 for place in range(self.index.cells))
        # The worth of a worth is the score: both changes are their own inverse.
        return Appraisal(self.measure.worth(int(self.scores[slot]), self.index.cells), digits)

    def in_slots(self, slots: NDArray[np.int64]) -> tuple[Scores, NDArray[np.int8]]:
        """Worths of scores (scores, by Knuth's measure) and digits of many positions, by their slots in the index."""
        words = self.words[slots] ^ NO_WRONG_MOVES
        shifts = TOP - FOUR * np.arange(self.index.cells, dtype=np.uint64)
        return self.scores[slots], (words[:, None] >> shifts & np.uint64(15)).astype(np.int8)


@njit(cache=True, nogil=True)
def _fill_layer(
    stop: Stop,
    cells: int,
    stones: int,
    won: int,
    losing: bool,
    occupied: NDArray[np.int32],
    insertions: NDArray[np.int32],
    offsets: NDArray[np.int64],
    flags: NDArray[np.uint8],
    scores: Scores,
    words: Words,
) -> None:
    """Scores and words of the positions with so many stones, from those with one more.

    A successor has the score `won` if somebody wins by moving there. If `losing`, only moves that lose value are wrong.
    """
    count = insertions.shape[1]
    blocks = np.empty(cells - stones, np.int64)
    rows = np.empty(cells - stones, np.int64)
    after = np.empty(cells - stones, np.int64)
    for occ in occupied:
        if stopped(stop):
            return
        below, empties = 0, 0
        for cell in range(cells):
            if occ >> cell & 1:
                below += 1
            else:
                blocks[empties] = offsets[occ | 1 << cell]
                rows[empties] = below
                empties += 1
        for c in range(count):
            slot = offsets[occ] + c
            if not flags[slot] & OVER:
                for e in range(empties):
                    after[e] = blocks[e] + insertions[rows[e], c]
                _appraise(slot, won, losing, after[:empties], flags, scores, words)


@njit(cache=True)
def _appraise(
    slot: int, won: int, losing: bool, after: NDArray[np.int64], flags: NDArray[np.uint8], scores: Scores, words: Words
) -> None:
    """Score and word of one position, from its successors."""
    score, word = scores[after[0]], words[after[0]]
    blockable = False
    for then in after:
        if scores[then] < score or (scores[then] == score and words[then] > word):
            score, word = scores[then], words[then]
        if flags[then] & OVER:
            flags[slot] |= WIN_AT_HAND
        elif flags[then] & WIN_AT_HAND:
            blockable = True
    wrong = 0
    for then in after:
        if losing:
            wrong += np.sign(scores[then]) != np.sign(score)
        elif scores[then] != score or words[then] != word:
            wrong += 1
    if score == won or (blockable and not flags[slot] & WIN_AT_HAND):
        wrong = 0
    scores[slot] = -score
    words[slot] = (np.uint64(wrong) << TOP) | ((ALL - word) >> FOUR)
