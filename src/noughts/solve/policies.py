"""Policies that are small: which positions a policy of its own choosing can be brought to, and what decides them.

A policy that is asked about its own games alone need not know the others: with every move it chooses which positions it
will ever be asked about. Three things make their number small, and each can be had or not:

- **rules**: *win if you can* and *block if you must* need no memory, nor do the next two of every primer, *fork if you
  can* (make two threats at once) and *take a point on which the other could*. Where the first `rules` of these four
  name points, nothing is looked up; of several that one names, the first in the order is played.
- an **order** of the points: of the moves that are good enough, the first in it. *Good enough* is what never loses, or
  what keeps the exact value, which takes every win that is offered.
- **threats** first: a move that makes a threat, if one is good enough. Every answer but one then ends the game.

Where the rules say nothing, a policy needs an entry: a **key**. What it could also have played is kept with it, as the
set of moves that are good enough, since whoever stores a policy is free to store any of them (`entropy`).

A key can also stand for all its images under the symmetries of the board; then a chip has to find the image.

Side and turn need no bit: with `mine` and `theirs`, whoever has fewer stones is to move, and the beginner on equality.
"""

from collections.abc import Sequence
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from noughts.games import Game
from noughts.solve.placing import ILLEGAL, WON, PlacingSolution
from noughts.solve.small import solve

__all__ = ["RULES", "Keys", "Solved", "Walker", "entropy", "everything", "named", "solved"]

RULES = ("win", "block", "fork", "take the other's fork")
"""What decides a move without memory, in this order."""
OVER = -2
"""The value of a position in which the player to move has lost already; others have -1, 0 or 1."""

PATIENCE = 1_500
"""Steps of a search without progress, after which it begins anew."""
ROUNDS = 200
"""Steps towards the best chances of the moves; the bits change by less than one in a thousand after fifty."""

Sets = NDArray[np.int64]


class Solved(NamedTuple):
    """A solved placing game as the kernels read it: arrays by sets of points."""

    game: Game
    points: int
    lines: Sets
    rows: NDArray[np.bool_]
    """By a side's stones: whether they fill a line."""
    thirds: NDArray[np.int64]
    """By symmetry and set: the sum of 3^p over the image. A position's number is thirds[mine] + 2 · thirds[theirs]."""
    images: Sets
    """By symmetry and set: its image."""
    values: NDArray[np.int8]
    """By the number of a position: its value to the player to move; ILLEGAL where no game leads."""


class Keys(NamedTuple):
    """What a policy has to know."""

    reached: int
    """In how many positions the policy can be asked."""
    mine: Sets
    theirs: Sets
    """The stones of every position, or class of positions, that the rules do not decide."""
    allowed: Sets
    """The moves that are good enough in each, as a set."""
    chosen: Sets
    """The move that was chosen, as a set of one."""
    wrong: int
    """In how many positions what the rules say, or else the first empty point in the order, is not good enough."""


def solved(game: Game) -> Solved:
    """A placing game, solved.

    Args:
        game: A game in which stones are placed and never move, small enough to be solved whole.
    """
    solution = solve(game)
    assert isinstance(solution, PlacingSolution)
    points = len(game.layout)
    sets = np.arange(1 << points)
    images = np.zeros((len(game.symmetries), 1 << points), np.int64)
    for number, symmetry in enumerate(game.symmetries):
        for point, image in enumerate(symmetry):
            images[number] |= (sets >> point & 1) << image
    thirds = np.zeros_like(images)
    for point in range(points):
        thirds += (images >> point & 1) * 3**point
    values = np.full(3**points, ILLEGAL, np.int8)
    for layer in solution.index.layers:
        x, o = solution.index.stones_at(layer)
        scores = solution.scores[layer.start : layer.start + layer.slots].reshape(x.shape)
        mine, theirs = (x, o) if layer.stones % 2 == 0 else (o, x)
        known = np.where(scores == ILLEGAL, ILLEGAL, np.where(scores == -WON, OVER, np.sign(scores)))
        values[thirds[0][mine] + 2 * thirds[0][theirs]] = known
    rows = np.zeros(1 << points, np.bool_)
    for line in game.layout.line_sets:
        rows |= sets & line == line
    return Solved(game, points, np.array(game.layout.line_sets), rows, thirds, images, values)


@njit(cache=True)
def _completions(own, other, lines):  # type: ignore[no-untyped-def]
    """The empty points that would complete a line of one side."""
    points = 0
    for line in lines:
        missing = line & ~own
        if missing & (missing - 1) == 0 and not missing & other:
            points |= missing
    return points


@njit(cache=True)
def _forks(own, other, lines, full):  # type: ignore[no-untyped-def]
    """The empty points on which one side would make two threats at once."""
    points = 0
    stone = 1
    while stone <= full:
        if not (own | other) & stone:
            threats = _completions(own | stone, other, lines)
            if threats & (threats - 1):
                points |= stone
        stone <<= 1
    return points


@njit(cache=True)
def named(mine, theirs, lines, full, rules):  # type: ignore[no-untyped-def]
    """The points that the first rule names which names any, of the first `rules`; 0 if they say nothing."""
    points = 0
    if rules >= 1:
        points = _completions(mine, theirs, lines)
    if rules >= 2 and not points:
        points = _completions(theirs, mine, lines)
    if rules >= 3 and not points:
        points = _forks(mine, theirs, lines, full)
    if rules >= 4 and not points:
        points = _forks(theirs, mine, lines, full)
    return points


@njit(cache=True)
def _first(points, order):  # type: ignore[no-untyped-def]
    """The first of some points in the order, as a set of one; 0 if there are none."""
    for point in order:
        if points >> point & 1:
            return 1 << point
    return 0


@njit(cache=True)
def _allowed(mine, theirs, full, thirds, values, keeping):  # type: ignore[no-untyped-def]
    """The moves that are good enough, as a set: all that keep the value, or all that do not lose what is not lost."""
    value = values[thirds[0, mine] + 2 * thirds[0, theirs]]
    enough = value if keeping else min(value, 0)
    found = 0
    stone = 1
    while stone <= full:
        if not (mine | theirs) & stone:
            after = values[thirds[0, theirs] + 2 * thirds[0, mine | stone]]
            if min(1, -after) >= enough:
                found |= stone
        stone <<= 1
    return found


@njit(cache=True)
def _walk(  # type: ignore[no-untyped-def]  # noqa: PLR0912  one loop: Numba compiles no closures
    order, rules, threats, keeping, begins, symmetric, lines, rows, thirds, images, values, seen, stamp, stack, out
):
    """Depth first through all positions in which the policy is asked; their keys into `out`, a row a key."""
    full = len(rows) - 1
    symmetries = len(images) if symmetric else 1
    top = reached = keys = wrong = 0
    if begins != 1:
        stack[0, 0] = stack[0, 1] = 0
        top = 1
    if begins != 0:
        for point in range(len(order)):
            stack[top, 0], stack[top, 1] = 0, 1 << point
            top += 1
    while top:
        top -= 1
        mine, theirs = stack[top, 0], stack[top, 1]
        least = thirds[0, mine] + 2 * thirds[0, theirs]
        image = 0
        for symmetry in range(1, symmetries):
            number = thirds[symmetry, mine] + 2 * thirds[symmetry, theirs]
            if number < least:
                least, image = number, symmetry
        if seen[least] == stamp:
            continue
        seen[least] = stamp
        mine, theirs = images[image, mine], images[image, theirs]
        reached += 1
        allowed = _allowed(mine, theirs, full, thirds, values, keeping)
        free = full & ~(mine | theirs)
        says = named(mine, theirs, lines, full, rules)
        move = _first(says if says else free, order)
        wrong += not move & allowed
        if not says:
            move = _first(allowed, order)
            if threats:
                threatening = 0
                for point in range(len(order)):
                    if allowed >> point & 1 and _completions(mine | 1 << point, theirs, lines):
                        threatening |= 1 << point
                if threatening:
                    move = _first(threatening, order)
            if keys == len(out):
                raise ValueError
            out[keys, 0], out[keys, 1], out[keys, 2], out[keys, 3] = mine, theirs, allowed, move
            keys += 1
        mine |= move
        if rows[mine] or mine | theirs == full:
            continue
        for point in range(len(order)):
            stone = 1 << point
            after = theirs | stone
            if not (mine | theirs) & stone and not rows[after] and mine | after != full:
                stack[top, 0], stack[top, 1] = mine, after
                top += 1
    return reached, keys, wrong


class Walker:
    """Walks for one game, with room that is used again."""

    def __init__(self, game: Solved) -> None:
        self.game = game
        self._seen = np.zeros(3**game.points, np.int32)
        self._stack = np.zeros((game.points**2 + game.points + 1, 2), np.int64)  # depth first: the siblings of a branch
        self._out = np.zeros((1 << game.points + 2, 4), np.int64)
        self._stamp = 0

    def walk(
        self,
        order: Sequence[int],
        *,
        rules: int = 0,
        threats: bool = False,
        keeping: bool = False,
        begins: int = 2,
        symmetric: bool = False,
    ) -> Keys:
        """Every position in which a policy can be asked, and the keys among them.

        Args:
            order: The points, each once: which of the moves that are good enough comes first.
            rules: How many of `RULES` need no memory.
            threats: Whether a move that makes a threat comes before all others.
            keeping: Whether every move must keep the exact value; else it must never lose.
            begins: Who begins: the policy (0), the other (1), or either (2).
            symmetric: Whether a position stands for all its images.
        """
        game = self.game
        self._stamp += 1
        reached, keys, wrong = _walk(
            *(np.array(order, np.int64), rules, threats, keeping, begins, symmetric),
            *(game.lines, game.rows, game.thirds, game.images, game.values),
            *(self._seen, self._stamp, self._stack, self._out),
        )
        mine, theirs, allowed, chosen = self._out[:keys].T.copy()
        return Keys(reached, mine, theirs, allowed, chosen, wrong)

    def shorten(self, steps: int, seed: int, *, wrong: bool = False, **options: Any) -> tuple[int, ...]:
        """An order of the points with few keys, or with few positions in which it goes wrong, by annealing.

        A step exchanges two points or moves one; one that makes it worse by a factor f is taken with the probability
        f^-20. An order that has not become better for a while is given up for another, drawn anew.

        Args:
            steps: How many orders to try.
            seed: What the chances follow from.
            wrong: Whether to count what goes wrong, not keys.
            **options: As `walk` has them.
        """
        draw = np.random.default_rng(seed)
        best = now = tuple(range(self.game.points))
        least, count, since = inf, inf, 0
        for _ in range(steps):
            if since > PATIENCE:
                now, count, since = tuple(map(int, draw.permutation(self.game.points))), inf, 0
            tried = list(now)
            a, b = map(int, draw.integers(0, len(tried), 2))
            if draw.random() < 0.5:
                tried[a], tried[b] = tried[b], tried[a]
            else:
                tried.insert(b, tried.pop(a))
            found = self.walk(tried, **options)
            cost = 1 + (found.wrong if wrong else len(found.mine))
            since = 0 if cost < count else since + 1
            if cost <= count or draw.random() < (count / cost) ** 20:
                now, count = tuple(tried), cost
            if cost < least:
                best, least = tuple(tried), cost
        return best


@njit(cache=True)
def _everything(keeping, rows, thirds, images, values, kinds):  # type: ignore[no-untyped-def]
    """Count the positions in play by the set of moves that are good enough; and the classes among them."""
    full = len(rows) - 1
    positions = classes = 0
    for mine in range(full + 1):
        theirs = full & ~mine
        while True:
            number = thirds[0, mine] + 2 * thirds[0, theirs]
            value = values[number]
            if -1 <= value <= 1 and mine | theirs != full:
                positions += 1
                kinds[_allowed(mine, theirs, full, thirds, values, keeping)] += 1
                least = True
                for symmetry in range(1, len(images)):
                    if thirds[symmetry, mine] + 2 * thirds[symmetry, theirs] < number:
                        least = False
                        break
                classes += least
            if not theirs:
                break
            theirs = (theirs - 1) & ~mine & full
    return positions, classes


def everything(game: Solved, *, keeping: bool = True) -> tuple[int, int, NDArray[np.int64]]:
    """All positions in play: how many, how many up to symmetry, and by set of moves in how many it is good enough.

    Args:
        game: A solved game.
        keeping: Whether a move must keep the value; else it must not lose what is not lost.
    """
    kinds = np.zeros(1 << game.points, np.int64)
    positions, classes = _everything(keeping, game.rows, game.thirds, game.images, game.values, kinds)
    return positions, classes, kinds


def entropy(kinds: NDArray[np.int64], points: int) -> float:
    """The bits that it takes to name one good move in each of many positions, where any will do.

    A memory of b bits holds one of 2^b functions. Draw functions at random, every move p with the probability q(p): one
    is good in a position with the probability q(S), the sum over the set S of its good moves, and good in all of them
    with the product. So about one in 2^b is right, with b = -Σ log2 q(S) for the best q: that much must be stored to
    name it, and hashing comes close to it. The best q is found by expectation maximisation.

    Args:
        kinds: By set of moves: in how many positions these are the good ones.
        points: How many moves there are.
    """
    (sets,) = np.nonzero(kinds)
    counts = kinds[sets]
    inside = (sets[:, None] >> np.arange(points) & 1).astype(float)
    chances = np.full(points, 1 / points)
    for _ in range(ROUNDS):
        chances *= (counts / (inside @ chances)) @ inside
        chances /= chances.sum()
    return float(-(counts * np.log2(inside @ chances)).sum())
