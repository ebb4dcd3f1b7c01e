"""How much deeper alpha-beta looks than minimax for the same work: "33 %", says the paper of 1990, and names McCarthy.

It says neither of which trees this is true nor in which order moves are tried, and that decides. What is known of trees
in which every position has b moves and the values at the ends are drawn at random, each by itself: alpha-beta behaves
as if there were about b^(3/4) moves (Pearl, "The solution for the branching factor of the alpha-beta pruning algorithm
and its optimality", 1982), so that it comes 4/3 as deep: 33 % deeper. If the best move always comes first there are
b^(1/2), and it comes twice as deep (Knuth and Moore, 1975). So the 33 % are what a random order gives.

Here positions of real boards are searched to a fixed depth, and positions visited are counted, each as often as it is
come to. A position in which the game is over is worth ±1,000 or, without a free point, 0. One at the full depth has

- a **static value**: for every line on which only one side has stones 4^(stones − 1) for that side, less the
  opponent's;
- or a **random value**, of 10,000 possible ones, which is the theory's tree, but that games end and boards fill up.

Moves are tried in the **order of the points**; in **random order**, anew in every position; or **well ordered**, by the
static value of the position after the move, best first. The **least possible** is Knuth and Moore's number for these
numbers of moves, which no order beats, as long as no game ends on the way.

The depth that a number of positions buys is seldom whole: between depth d and d + 1, of which the means over some
positions are known, it is interpolated by the logarithm.
"""

from collections.abc import Callable, Iterator
from functools import partial
from math import log, prod
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from noughts.games import Game
from noughts.games import game as find_game
from noughts.games.points import point_set
from noughts.solve import Progress
from noughts.solve.interrupt import interruptible, stopped

__all__ = ["bench_lookahead"]

Row = dict[str, Any]
Words = NDArray[np.uint64]

BUDGETS = (1_000, 10_000, 100_000, 1_000_000)
"""Positions visited."""
POINTS, RANDOM, SORTED = range(3)
WON = 1_000
VALUES = 10_000


class Tree(NamedTuple):
    """Positions of a game from which it is searched: so many, with so many stones on the board."""

    name: str
    stones: int
    positions: int


TREES = (Tree("tictactoe", 1, 9), Tree("square4", 2, 6), Tree("qubic", 4, 6))


class Way(NamedTuple):
    """A way to try moves, and what the positions at the full depth are worth."""

    name: str
    order: int
    random_values: bool


WAYS = (
    Way("random values", POINTS, random_values=True),
    Way("order of the points", POINTS, random_values=False),
    Way("random order", RANDOM, random_values=False),
    Way("well ordered", SORTED, random_values=False),
)


@njit(cache=True)
def _drawn(state: Words, below: int) -> Any:
    """The next random number from 0 up (xorshift64)."""
    x = state[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    state[0] = x
    return np.int64(x % np.uint64(below))


@njit(cache=True)
def _has_row(stones: np.uint64, last: int, through: Words) -> bool:
    """Whether the stone set last, if any was, makes a row."""
    if last >= 0:
        for line in through[last]:
            if stones & line == line:
                return True
    return False


@njit(cache=True)
def _static(own: np.uint64, other: np.uint64, lines: Words) -> int:
    """The static value for the side whose stones are `own`."""
    value = 0
    for line in lines:
        mine, yours = own & line, other & line
        if (mine == 0) == (yours == 0):
            continue
        worth, left = 1, mine | yours
        left &= left - np.uint64(1)
        while left:
            left &= left - np.uint64(1)
            worth *= 4
        value += worth if mine else -worth
    return value


@njit(cache=True, nogil=True)
def _search(stop, own, other, last, depth, alpha, beta, lines, through, way, state, counted):  # type: ignore[no-untyped-def]
    """Negamax with alpha-beta: the value for the side to move, or a bound of it that is enough for a cut-off.

    `last` is the point of the stone set last; `way` the order of moves and whether values are random; `counted` the
    positions visited and how many may be.
    """
    counted[0] += 1
    if counted[0] > counted[1] or (counted[0] % 4096 == 0 and stopped(stop)):
        counted[1] = 0
        return 0
    if _has_row(other, last, through):
        return -WON
    moves = np.empty(len(through), np.int64)
    count = 0
    for point in range(len(through)):
        if (own | other) >> np.uint64(point) & np.uint64(1):
            continue
        at = count
        if way[0] == RANDOM:
            at = _drawn(state, count + 1)
            moves[count] = moves[at]
        moves[at] = point
        count += 1
    if count == 0:
        return 0
    if depth == 0:
        return _drawn(state, VALUES) if way[1] else _static(own, other, lines)
    if way[0] == SORTED:
        values = np.empty(count, np.int64)
        for number in range(count):
            values[number] = -_static(own | np.uint64(1) << np.uint64(moves[number]), other, lines)
        moves[:count] = moves[:count][np.argsort(values, kind="mergesort")]
    best = -10 * VALUES
    for number in range(count):
        move = moves[number]
        after = own | np.uint64(1) << np.uint64(move)
        worth = -_search(stop, other, after, move, depth - 1, -beta, -alpha, lines, through, way, state, counted)
        best = max(best, worth)
        alpha = max(alpha, worth)
        if alpha >= beta:
            break
    return best


@njit(cache=True, nogil=True)
def _size(stop, own, other, last, depth, through):  # type: ignore[no-untyped-def]
    """What minimax visits."""
    if depth == 0 or _has_row(other, last, through) or stopped(stop):
        return 1
    size = 1
    for point in range(len(through)):
        bit = np.uint64(1) << np.uint64(point)
        if not (own | other) & bit:
            size += _size(stop, other, own | bit, point, depth - 1, through)
    return size


def _positions(game: Game, tree: Tree) -> list[tuple[int, int]]:
    """Positions to search from, by the stones of the side to move and of the other: all openings, or some at random."""
    if tree.stones == 1:
        return [(0, 1 << point) for point in range(tree.positions)]
    random = Random(1990)
    found = []
    for _ in range(tree.positions):
        points = random.sample(range(len(game.layout)), tree.stones)
        found.append((point_set(points[::2]), point_set(points[1::2])))
    return found


def _minimax(game: Game, tree: Tree) -> Iterator[float]:
    """The mean positions that minimax visits, for one more ply each time."""
    _, through = _kernel_board(game)
    for depth in range(1, len(game.layout) - tree.stones + 1):
        sizes = [
            interruptible(_size, np.uint64(own), np.uint64(other), -1, depth, through)
            for own, other in _positions(game, tree)
        ]
        yield sum(sizes) / len(sizes)


def _alpha_beta(game: Game, tree: Tree, way: Way) -> Iterator[float]:
    """The same with alpha-beta."""
    lines, through = _kernel_board(game)
    state = np.array([1990], np.uint64)
    chosen = np.array([way.order, way.random_values], np.int64)
    for depth in range(1, len(game.layout) - tree.stones + 1):
        visited = 0
        for own, other in _positions(game, tree):
            counted = np.array([0, 30 * BUDGETS[-1]], np.int64)
            stones = np.uint64(own), np.uint64(other)
            window = -10 * VALUES, 10 * VALUES
            interruptible(_search, *stones, -1, depth, *window, lines, through, chosen, state, counted)
            visited += int(counted[0])
        yield visited / tree.positions


def _kernel_board(game: Game) -> tuple[Words, Words]:
    """The lines, and those through each point, with one that is never full where a point has fewer than another."""
    lines = [sum(1 << point for point in line) for line in game.layout.lines]
    of = [[line for line in lines if line >> point & 1] for point in range(len(game.layout))]
    most = max(map(len, of))
    never = 2**64 - 1
    through = [[*found, *[never] * (most - len(found))] for found in of]
    return np.array(lines, np.uint64), np.array(through, np.uint64)


def _least(game: Game, tree: Tree) -> Iterator[float]:
    """Knuth and Moore's least: at each depth the positions that even the best order of moves must visit.

    Each is reached by a line in which one of the sides always plays its best move: the other side's choices are free.
    """
    moves = len(game.layout) - tree.stones
    visited = 1
    for depth in range(1, moves + 1):
        choices = [moves - ply for ply in range(depth)]
        visited += prod(choices[::2]) + prod(choices[1::2]) - 1
        yield visited


def depths(nodes: Iterator[float], budgets: tuple[int, ...] = BUDGETS) -> list[float | None]:
    """How deep each budget reaches; None where it is more than the whole tree."""
    found: list[float | None] = []
    below, depth = 1.0, 0
    above = next(nodes, None)
    for budget in budgets:
        while above is not None and above <= budget:
            below, depth = above, depth + 1
            above = next(nodes, None)
        found.append(None if above is None else depth + log(budget / below) / log(above / below))
    return found


def bench_lookahead(progress: Progress) -> Iterator[Row]:
    """Depths by the number of positions visited: minimax, then alpha-beta with what it gains in percent."""
    searches: dict[str, Callable[[Game, Tree], Iterator[float]]] = {
        **{way.name: partial(_alpha_beta, way=way) for way in WAYS},
        "least possible": _least,
    }
    steps = len(TREES) * (1 + len(searches))
    for done, tree in enumerate(TREES):
        game = find_game(tree.name)
        progress(done * (1 + len(searches)), steps)
        plain = depths(_minimax(game, tree))
        yield {"game": tree.name, "search": "minimax"} | _cells(plain, plain)
        for number, (name, nodes) in enumerate(searches.items(), 1):
            progress(done * (1 + len(searches)) + number, steps)
            yield {"game": tree.name, "search": name} | _cells(depths(nodes(game, tree)), plain)


def _cells(found: list[float | None], plain: list[float | None]) -> Row:
    """A column for each budget."""
    cells: Row = {}
    for budget, depth, before in zip(BUDGETS, found, plain, strict=True):
        gain = "" if depth is None or before is None or found is plain else f" +{depth / before - 1:.0%}"
        cells[f"{budget:,} positions"] = "all" if depth is None else f"{depth:.2f}{gain}"
    return cells
