"""How far games against a policy can get: the positions that a best response has to look at.

Whoever plays against a policy may play anything; the policy itself only what it makes likely at all. One pass over the
layers, from the empty board on, finds what can be reached when the policy is X, and when it is O. The policy is asked
about these positions alone. If it leaves nothing to chance, they are few: of the 3,463,541 positions of `mnk:4,4,3`
that are not over, an untrained network lets 95,956 be reached, and is judged in a tenth of the time.

What is reached is a list of layers again, smaller ones, whose moves lead to each other by numbers of their own.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.rl.answers import Odds, asked
from noughts.rl.layers import ENDS, NOTHING, Layer
from noughts.rl.policy import Policy
from noughts.solve import Progress

__all__ = ["Reached", "reach"]


class Reached(NamedTuple):
    """The part of a layer that can be reached, and what the policy plays there."""

    layer: Layer
    odds: Odds


def reach(layers: Sequence[Layer], policy: Policy, progress: Progress | None = None) -> list[Reached]:
    """What games against a policy can reach.

    Args:
        layers: All layers of a placing game.
        policy: The policy.
        progress: Called with how many positions have been passed and how many there are.

    Returns:
        The parts of the layers, in order, as far as games get. A move that nobody plays leads to nothing.
    """
    found: list[Reached] = []
    rows = np.zeros(1, np.intp)
    sides = np.ones((1, 2), np.bool_)  # by position and side: whether it is reached with the policy on that side
    done, total = 0, sum(map(len, layers))
    for layer in layers:
        part = layer.part(rows)
        odds = asked(policy, part)
        played = [_played(part, odds, side) & sides[:, [side]] for side in (0, 1)]
        ahead = np.zeros(part.beyond + ENDS, np.bool_)
        ahead[part.after[played[0] | played[1]]] = True
        rows = np.flatnonzero(ahead[: part.beyond])
        numbers = np.full(part.beyond + ENDS, len(rows) + NOTHING, np.int32)
        numbers[rows] = np.arange(len(rows))
        numbers[part.beyond :] = len(rows) + np.arange(ENDS)
        after = numbers[part.after]
        found.append(Reached(replace(part, after=after, score_after=part.score_after[_kept(rows, part)]), odds))
        sides = np.zeros((len(rows) + ENDS, 2), np.bool_)
        for side in (0, 1):
            sides[after[played[side]], side] = True
        sides = sides[: len(rows)]
        done += len(layer)
        if progress:
            progress(done, total)
        if not len(rows):
            break
    return found


def _played(part: Layer, odds: Odds, side: int) -> NDArray[np.bool_]:
    """By position and move: whether it may be played if the policy has this side."""
    own: NDArray[np.bool_] = (part.turn == side)[:, None]
    return np.where(own, odds > 0, part.legal)


def _kept(rows: NDArray[np.intp], part: Layer) -> NDArray[np.intp]:
    """The positions of the next layer that stay, and the ends."""
    return np.append(rows, part.beyond + np.arange(ENDS))
