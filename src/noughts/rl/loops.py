"""Play that may never end: chains and best responses in the loop of a moving game.

In the loop (`noughts.rl.layers`) moves lead back to where one was, so that nothing can be worked out from the end
backwards. What is asked of it are systems of linear equations, and a **Markov decision process**:

- **A chain.** Both sides play policies. What can be expected from a position, say the probability of a win, is what its
  moves bring at once plus what can be expected after them: v = r + P v. Positions from which no end can be reached
  are played for ever; there v is 0, a draw. Without them I − P is regular, and the equations are solved directly.
  X and O take turns, so the equations of O's positions are put into those of X's: half as many, and the rest follows.
- **A best response.** One side plays a policy, the other whatever is best. Solved by **policy iteration**
  (Howard, 1960): evaluate a response as a chain, change every move to a strictly better one, until there is none.

Why that ends at the best response though play may last for ever. First the **safe** positions are found: the
greatest set in which the responder can stay for ever, whatever the policy draws. The first response stays there, which
is worth 0. No iteration makes a position worth less, since a move is only changed for a strictly better one: so every
safe position stays worth at least 0. At the end no single change is better, so v is at least what can be
expected of v after n plies of any other response; and where that goes on for ever it comes to stay in safe positions
(an end component), where v is not less than the 0 that it gets. So no other response is worth more.

A third occurrence of a position is not a draw here: a policy knows no past. A responder to a policy that draws its
moves may come back to a position as often as it likes, until the policy errs. Against a policy without chance it makes
no difference: what repeats once repeats for ever, and what wins need not repeat.
"""

import numpy as np
from numpy.typing import NDArray

from noughts.rl.layers import LOST, Layer

__all__ = ["expected", "never_ending", "respond"]

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]

ALIKE = 1e-11
"""Values that differ by less are taken for the same."""
MOST_ROUNDS = 1000
"""Of policy iteration; some dozens are enough."""


def never_ending(loop: Layer, mix: Floats) -> Truths:
    """The positions from which no end can be reached if moves are made with these odds."""
    inside = loop.after < len(loop)
    possible = mix > 0
    ends = np.asarray(~possible.any(axis=1) | (possible & ~inside).any(axis=1))
    after = np.where(inside & possible, loop.after, len(loop))
    while True:
        more = ends | np.append(ends, False)[after].any(axis=1)
        if (more == ends).all():
            return ~ends
        ends = more


def expected(loop: Layer, mix: Floats, reward: Floats) -> Floats:
    """What can be expected from every position if moves are made with these odds.

    Args:
        loop: The loop.
        mix: By position and move, how likely it is made.
        reward: By position, in one or several columns: what its move brings at once, on average.

    Returns:
        The sum of all rewards to come, in the same columns; 0 where the game never ends.
    """
    ended = ~never_ending(loop, mix)
    rows = [np.flatnonzero(ended & (loop.turn == side)) for side in (0, 1)]
    place = np.full(len(loop) + 1, -1)
    for own in rows:
        place[own] = np.arange(len(own))
    found = np.zeros_like(reward)
    if not len(rows[0]) and not len(rows[1]):
        return found
    after = np.minimum(loop.after, len(loop))
    # The chances of O's positions to lead to each of X's, as a matrix; with them, of X's to X's two plies later.
    others = np.zeros((len(rows[1]), len(rows[0])))
    for move in range(mix.shape[1]):
        to = place[after[rows[1], move]]
        np.add.at(others, (np.flatnonzero(to >= 0), to[to >= 0]), mix[rows[1], move][to >= 0])
    twice = np.zeros((len(rows[0]), len(rows[0])))
    total = reward[rows[0]].copy()
    for move in range(mix.shape[1]):
        to = place[after[rows[0], move]]
        here = np.flatnonzero((to >= 0) & (mix[rows[0], move] > 0))
        likely = mix[rows[0][here], move]
        twice[here] += likely[:, None] * others[to[here]]
        total[here] += (likely * reward[rows[1]][to[here]].T).T
    found[rows[0]] = np.linalg.solve(np.eye(len(twice)) - twice, total)
    found[rows[1]] = reward[rows[1]] + others @ found[rows[0]]
    return found


def respond(loop: Layer, odds: Floats, responder: int) -> tuple[Floats, NDArray[np.intp]]:
    """The best that a side can expect against a policy, and a move for each of its positions that gets it.

    Args:
        loop: The loop.
        odds: The policy: by position and move, how likely it makes it.
        responder: The side that responds: 0 for X, 1 for O.

    Returns:
        By position: the responder's expected result (a win is 1, a loss -1), and the number of its move.
    """
    own = loop.turn == responder
    wins = loop.after == len(loop) + LOST
    chosen = _staying(loop, odds, own)
    everyone = np.arange(len(loop))
    for _ in range(MOST_ROUNDS):
        mix = np.where(own[:, None], 0.0, odds)
        mix[everyone[own], chosen[own]] = 1
        at_once = (mix * wins).sum(axis=1) - ~mix.any(axis=1)  # who finds no move has lost
        value = expected(loop, mix, np.where(own, at_once, -at_once))
        worth = worths(loop, value)
        kept = worth[everyone, chosen]
        better = own & (worth.max(axis=1) > kept + ALIKE)
        if not better.any():
            return value, chosen
        chosen = np.where(better, worth.argmax(axis=1), chosen)
    raise AssertionError("policy iteration does not come to an end")


def worths(loop: Layer, value: Floats) -> Floats:
    """What every move is worth to the responder who makes it."""
    known: Floats = np.append(value, [1.0, 0.0, -np.inf])[loop.after]
    return known


def _staying(loop: Layer, odds: Floats, own: Truths) -> NDArray[np.intp]:
    """A first response: one that never leaves the safe positions, and elsewhere the first move there is."""
    inside = loop.after < len(loop)
    certain = np.where(own[:, None], loop.legal, odds > 0)
    safe = np.ones(len(loop), bool)
    while True:
        stays = inside & np.append(safe, [False] * 3)[loop.after]
        # The responder needs one such move; the policy must have no other, and must have one.
        fewer = safe & np.where(own, stays.any(axis=1), (~certain | stays).all(axis=1) & certain.any(axis=1))
        if (fewer == safe).all():
            first: NDArray[np.intp] = np.argmax(stays, axis=1)
            return first
        safe = fewer
