"""Play that may never end: chains and best responses in the loop of a moving game.

In the loop (`noughts.rl.layers`) moves lead back to where one was, so that nothing can be worked out from the end
backwards. What is asked of it are systems of linear equations, and a **Markov decision process**:

- **A chain.** Both sides play policies. What can be expected from a position, say the probability of a win, is what its
  moves bring at once plus what can be expected after them: v = r + P v. Positions from which no end can be reached
  are played for ever; there v is 0, a draw. X and O take turns, so the equations of O's positions are put into those
  of X's: half as many, and the rest follows.
- **A best response.** One side plays a policy, the other whatever is best. Solved by **policy iteration**
  (Howard, 1960): evaluate a response as a chain, change every move to a strictly better one, until there is none.

Why that ends at the best response though play may last for ever. First the **safe** positions are found: the
greatest set in which the responder can stay for ever, whatever the policy draws. The first response stays there, which
is worth 0. No iteration makes a position worth less, since a move is only changed for a strictly better one: so every
safe position stays worth at least 0. At the end no single change is better, so v is at least what can be
expected of v after n plies of any other response; and where that goes on for ever it comes to stay in safe positions
(an end component), where v is not less than the 0 that it gets. So no other response is worth more.

**Rare mistakes.** A policy that errs once in a billion plies is still beaten by whoever waits; but then I − P is all
but singular, and plain elimination loses the digits in 1 − p. So the equations are solved by the algorithm of
Grassmann, Taksar and Heyman (1985): elimination in which the chance to leave a position is not one minus the chance to
stay, but the sum of the chances to go elsewhere. Nothing is ever subtracted, so every probability keeps nearly all its
digits, however small it is. (It was no slower here than LAPACK's solver, since most chances are 0.) For the same reason
the first response does not merely stay in safe positions but plays perfectly elsewhere: against a policy that hardly
errs, what it gains over a bad one could be too little to be seen.

A third occurrence of a position is not a draw here: a policy knows no past. A responder to a policy that draws its
moves may come back to a position as often as it likes, until the policy errs. Against a policy without chance it makes
no difference: what repeats once repeats for ever, and what wins need not repeat.
"""

import numpy as np
from numpy.typing import NDArray

from noughts.rl.layers import LOST, Layer

__all__ = ["expected", "never_ending", "respond", "without_subtraction", "worths"]

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]

ROUNDING = 1e-12
"""By how much of the chances of a win and of a loss a move must gain to be better and not merely rounded."""
ENDINGS = ((1.0, 0.0, -np.inf), (1.0, 0.0, 0.0))
"""What a move is worth to whoever makes it if it ends the game (won, drawn, no move at all), and its scale."""
TINY = 1e-300
"""A chance to leave that is no less, so that one can divide by it."""
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
        reward: By position, in columns: what its move brings at once, on average; never negative.

    Returns:
        The sum of all rewards to come, in the same columns; 0 where no end can be reached.
    """
    endless = never_ending(loop, mix)
    xs, os = (np.flatnonzero(~endless & (loop.turn == side)) for side in (0, 1))
    place = np.full(len(loop) + 1, -1)
    place[xs], place[os] = np.arange(len(xs)), np.arange(len(os))
    to = place[np.minimum(loop.after, len(loop))]
    goes_on = (to >= 0) & (mix > 0)
    leaves = np.where(goes_on, 0, mix).sum(axis=1) + ~mix.any(axis=1)
    # The chances of O's positions to lead to each of X's, as a matrix; with them, of X's to X's two plies later.
    back = np.zeros((len(os), len(xs)))
    twice = np.zeros((len(xs), len(xs)))
    bring = np.column_stack([reward, leaves])
    total = bring[xs]
    for move in range(mix.shape[1]):
        here = np.flatnonzero(goes_on[os, move])
        np.add.at(back, (here, to[os[here], move]), mix[os[here], move])
    for move in range(mix.shape[1]):
        here = np.flatnonzero(goes_on[xs, move])
        likely, reply = mix[xs[here], move][:, None], to[xs[here], move]
        twice[here] += likely * back[reply]
        total[here] += likely * bring[os[reply]]
    found = np.zeros_like(reward)
    found[xs] = without_subtraction(twice, total[:, :-1], total[:, -1])
    found[os] = reward[os] + back @ found[xs]
    return found


def without_subtraction(chances: Floats, total: Floats, leaves: Floats) -> Floats:
    """The solution v of v = total + chances v, by the algorithm of Grassmann, Taksar and Heyman.

    Args:
        chances: A matrix, not negative: how likely one position leads to another.
        total: What every position brings at once, in columns; not negative.
        leaves: How likely it leads nowhere. With this the chances of a row add up to 1.

    Returns:
        An array like `total`.
    """
    chances = chances.copy()
    outward = np.column_stack([total, leaves])
    away = np.empty(len(chances))
    for last in range(len(chances) - 1, -1, -1):
        away[last] = max(chances[last, :last].sum() + outward[last, -1], TINY)
        share = chances[:last, last] / away[last]
        from_there = np.flatnonzero(share)
        chances[from_there, :last] += share[from_there, None] * chances[last, :last]
        outward[from_there] += share[from_there, None] * outward[last]
    found = np.zeros_like(total)
    for row in range(len(chances)):
        found[row] = (outward[row, :-1] + chances[row, :row] @ found[:row]) / away[row]
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
        made, silent = (mix * wins).sum(axis=1), ~mix.any(axis=1)  # who finds no move has lost
        shares = expected(loop, mix, np.column_stack([np.where(own, made, silent), np.where(own, silent, made)]))
        worth, scale = (np.append(known, end)[loop.after] for known, end in zip(_told(shares), ENDINGS, strict=True))
        kept, kept_scale = worth[everyone, chosen], scale[everyone, chosen]
        gains = worth - kept[:, None] > ROUNDING * (scale + kept_scale[:, None])
        better = own & gains.any(axis=1)
        if not better.any():
            return _told(shares)[0], chosen
        chosen = np.where(better, np.where(gains, worth, -np.inf).argmax(axis=1), chosen)
    raise AssertionError("policy iteration does not come to an end")


def worths(loop: Layer, value: Floats) -> Floats:
    """What every move is worth to the responder who makes it."""
    known: Floats = np.append(value, ENDINGS[0])[loop.after]
    return known


def _told(shares: Floats) -> tuple[Floats, Floats]:
    """Of chances to win and to lose: what they are worth, and on which scale they are rounded."""
    return shares[:, 0] - shares[:, 1], shares[:, 0] + shares[:, 1]


def _staying(loop: Layer, odds: Floats, own: Truths) -> NDArray[np.intp]:
    """A first response: one that never leaves the safe positions, and plays perfectly elsewhere."""
    inside = loop.after < len(loop)
    certain = np.where(own[:, None], loop.legal, odds > 0)
    safe = np.ones(len(loop), bool)
    while True:
        stays = inside & np.append(safe, [False] * 3)[loop.after]
        # The responder needs one such move; the policy must have no other, and must have one.
        fewer = safe & np.where(own, stays.any(axis=1), (~certain | stays).all(axis=1) & certain.any(axis=1))
        if (fewer == safe).all():
            first: NDArray[np.intp] = np.where(safe, stays.argmax(axis=1), loop.best.argmax(axis=1))
            return first
        safe = fewer
