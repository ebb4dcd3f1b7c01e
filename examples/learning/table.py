"""A table that learns: one number for every position, what it seems worth to the player who has just moved there.

This is Q-learning. In a game of placing an action leads to one position, whatever came before: so what an action is
worth, Q(position, action), is kept under the position that it leads to. Positions that a symmetry of the board makes
alike share an entry: a position's number is its stones read as digits to the base three, 1 for the player who has just
moved and 2 for the other, and of all its images the least counts. For tic-tac-toe there is room for 3^9 = 19,683
numbers, of which 764 can occur; for `mnk:4,4,3` for 43 million, which take 172 MB.

All entries begin near 0, a draw, a little apart, so that there is one best move.
"""

import numpy as np

from lessons import Actions, Lesson, Numbers, Seen, wanted
from noughts.games import Game

RATE = np.float32(0.5)
"""How far an entry goes towards what was learned."""
APART = np.float32(1e-3)
"""How far apart the entries begin."""


class Table:
    """What every position seems worth."""

    def __init__(self, game: Game, seed: int) -> None:
        self.weights = 3 ** np.array(game.symmetries).T
        """By point and symmetry: what a digit there counts for."""
        self.worth = APART * (np.random.default_rng(seed).random(3 ** len(game.layout), np.float32) - np.float32(0.5))

    def values(self, seen: Seen) -> Numbers:
        """By position and point: what playing there seems worth to the player to move."""
        return np.asarray(self.worth[self._entries(seen)])

    def study(self, lessons: list[Lesson]) -> None:
        """Learn from the last moves first, so that what the end of a game teaches reaches its beginning at once."""
        for lesson in reversed(lessons):
            worth = wanted(self, lesson)
            known = ~np.isnan(worth)
            entries = self._entries(lesson.seen)[known]
            self.worth[entries] += RATE * (worth[known] - self.worth[entries])

    def _entries(self, seen: Seen) -> Actions:
        """By position and point: the number of the position after playing there."""
        digits = seen[..., 0] + 2 * seen[..., 1].astype(np.int64)
        after = ((digits @ self.weights)[:, None, :] + self.weights).min(axis=2)
        return np.where(digits == 0, after, 0)
