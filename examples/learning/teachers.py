"""Who teaches: four ways to learn the same game, three of which only exact knowledge makes possible.

- **itself**: the learner plays both sides. It is told the rules and nothing else.
- **perfect**: it plays against the player `perfect`, who never gives anything away.
- **exploiter**: it plays against the best response to what it plays now, which is worked out anew, exactly, every few
  games: an opponent who knows each of its weaknesses and goes for the worst.
- **told**: it plays both sides, and is told after every move what each action was really worth.

The judge of `noughts.rl.evaluation` has a list of all positions. Whatever is seen on a board is found in that list by
the key of its position, and with it what any policy plays there.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from lessons import DISCOUNT, Actions, Chooser, Learner, Lesson, Seen, greedy
from noughts.rl.evaluation import Judge
from noughts.rl.layers import Layer
from noughts.rl.policy import Given, Policy, as_policy
from noughts.solve.placing import WON

TEACHERS = ("itself", "perfect", "exploiter", "told")


def policy_of(learner: Learner) -> Policy:
    """What the learner would play if it did not explore, for the judge."""

    def plays(observations: Seen, masks: NDArray[np.int8]) -> Actions:  # noqa: ARG001  what is occupied can be seen
        return greedy(learner, observations.reshape(len(observations), -1, 2))

    return as_policy(plays)


class Known:
    """All positions of a game, found by what is seen of them."""

    def __init__(self, judge: Judge, seed: int) -> None:
        self.judge = judge
        self.rng = np.random.default_rng(seed)

    def against(self, policy: Given) -> Chooser:
        """Somebody who plays a policy."""
        given = as_policy(policy)

        def choose(seen: Seen) -> Actions:
            actions = np.zeros(len(seen), np.int64)
            for games, layer in self._found(seen):
                likely = given.odds(layer).cumsum(axis=1)
                move = (likely > self.rng.random((len(layer), 1)) * likely[:, -1:]).argmax(axis=1)
                actions[games] = layer.moves[np.arange(len(layer)), move]
            return actions

        return choose

    def tell(self, lesson: Lesson) -> Lesson:
        """The lesson, with what every action is worth."""
        told = lesson.told.copy()
        for games, layer in self._found(lesson.seen):
            score = layer.score_after[layer.after]
            plies = np.maximum(WON - np.abs(score), 0)  # how many more, if the winner hurries and the loser delays
            told[games[:, None], layer.moves] = -np.sign(score) * DISCOUNT**plies
        return lesson._replace(told=told)

    def _found(self, seen: Seen) -> Iterator[tuple[NDArray[np.intp], Layer]]:
        """What is seen, by the number of stones: in which games, and the positions."""
        own, other = (seen.astype(np.int64) << np.arange(seen.shape[1])[:, None]).sum(axis=1).T
        stones = seen.sum(axis=(1, 2))
        for count in np.unique(stones):
            games, layer = np.flatnonzero(stones == count), self.judge.layers[count]
            x = (own if count % 2 == 0 else other)[games]
            keys = (count % 2) << 32 | (own | other)[games] << 16 | x
            yield games, layer.part(np.searchsorted(layer.keys, keys))
