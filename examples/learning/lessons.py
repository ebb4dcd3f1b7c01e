"""Games are played, many at once, and every move of the learner becomes a lesson.

A lesson says what was seen, what was played, and what came of it: the result, if the game was over before the learner
had to move again, else what it saw then. From that follows what the move was worth, which is Q-learning:

    the result, if the game was over
    the worth of the action that seems best in what it saw next, a little discounted, if it went on

When the learner plays both sides, what comes next is seen by the other side, and its worth has the other sign. A
teacher who knows more than the result may tell what every action is really worth. The discount makes quick wins better
than slow ones: whoever does not hurry has to know far more positions.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from noughts.rl.batch import Batch

Seen = NDArray[np.int8]
"""Positions × points × 2: one's own stones and the other's, as `noughts.rl.observation` has them."""
Numbers = NDArray[np.float32]
Actions = NDArray[np.int64]
Chooser = Callable[[Seen], Actions]
"""Whoever plays: an action for every position."""
DISCOUNT = np.float32(0.98)
"""What the worth of a position loses with every ply."""


class Lesson(NamedTuple):
    """What came of a move, in many games side by side."""

    seen: Seen
    actions: Actions
    over: NDArray[np.bool_]
    result: Numbers
    """1, 0 or -1 for the learner, where the game is over."""
    next: Seen
    factor: Numbers
    """What its worth is multiplied by: the discount, with the other sign if it is seen by the other side."""
    told: Numbers
    """By position and point: what playing there is worth, if a teacher tells; else not a number."""

    def part(self, rows: Actions) -> "Lesson":
        """The lesson of some of the games."""
        return Lesson._make(field[rows] for field in self)

    @staticmethod
    def joined(lessons: Iterable["Lesson"]) -> "Lesson":
        """Several lessons as one."""
        return Lesson._make(map(np.concatenate, zip(*lessons, strict=True)))


class Learner(Protocol):
    """Guesses what actions are worth, and gets better at it."""

    def values(self, seen: Seen) -> Numbers:
        """By position and point: what playing there seems worth to the player to move."""

    def study(self, lessons: list[Lesson]) -> None:
        """Learn from lessons, which are in the order of the moves."""


def wanted(learner: Learner, lesson: Lesson) -> Numbers:
    """By position and point: what playing there turned out to be worth; not a number where nothing came to light."""
    found, games = lesson.told.copy(), np.arange(len(lesson.actions))
    played = found[games, lesson.actions]
    target = np.where(lesson.over, lesson.result, lesson.factor * _legal(learner, lesson.next).max(axis=1))
    found[games, lesson.actions] = np.where(np.isnan(played), target, played)
    return found


def greedy(learner: Learner, seen: Seen) -> Actions:
    """The actions that seem best."""
    return np.asarray(_legal(learner, seen).argmax(axis=1), np.int64)


def _legal(learner: Learner, seen: Seen) -> Numbers:
    return np.where(seen.any(axis=2), np.float32(-np.inf), learner.values(seen))


class Classroom:
    """Games side by side: the learner against a teacher, as X in every other game; or against itself."""

    def __init__(self, batch: Batch, explore: float, seed: int) -> None:
        self.batch = batch
        self.explore = explore
        """How often the learner plays any move instead of the best."""
        self.rng = np.random.default_rng(seed)
        self.seats = np.arange(batch.num_envs) % 2
        self.games = 0
        """How many have come to their end."""

    def play(self, learner: Learner, teacher: Chooser | None, moves: int) -> list[Lesson]:
        """So many moves in every game, and what they teach."""
        batch, gap = self.batch, 1 if teacher is None else 2  # plies until the learner sees the game again
        seen, turns = [self._look()], [batch.turns.copy()]
        actions, over, rewards = [], [], []
        for _ in range(moves + gap - 1):
            chosen = self._explored(greedy(learner, seen[-1]))
            if teacher is not None:
                chosen = np.where(turns[-1] == self.seats, chosen, teacher(seen[-1]))
            batch.step(chosen)
            self.games += int(batch.terminations.sum())
            actions.append(chosen)
            over.append(batch.terminations.copy())
            rewards.append(batch.rewards.copy())
            seen.append(self._look())
            turns.append(batch.turns.copy())
        lessons = []
        for ply in range(moves):
            mine = np.flatnonzero((turns[ply] == self.seats) | (teacher is None))
            side, ended = turns[ply][mine], over[ply][mine]
            result = rewards[ply][mine, side]
            if teacher is not None:
                result = np.where(ended, result, rewards[ply + 1][mine, side])
                ended = ended | over[ply + 1][mine]
            factor = np.full(len(mine), (-DISCOUNT) ** gap, np.float32)
            told = np.full(seen[ply][mine].shape[:2], np.nan, np.float32)
            lessons.append(
                Lesson(seen[ply][mine], actions[ply][mine], ended, result, seen[ply + gap][mine], factor, told)
            )
        return lessons

    def _look(self) -> Seen:
        return self.batch.observation.reshape(self.batch.num_envs, -1, 2).copy()

    def _explored(self, chosen: Actions) -> Actions:
        return np.where(self.rng.random(len(chosen)) < self.explore, self.batch.random_actions(), chosen)
