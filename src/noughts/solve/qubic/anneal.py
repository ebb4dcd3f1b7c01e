"""Choosing a small proof among many: the compiled half of `noughts.solve.qubic.prove.shrink`.

Every proved position has one or more proved options, each leading to further positions; a proof is a choice of one
option in every position that the choices before it lead to, and its size is the number of those. Positions met twice
are paid for once, so the best option of one position depends on what the others choose. Hence **simulated annealing**:
change the choice in one position at a time, count exactly what that brings into use and what it drops, and accept what
makes the proof smaller, and now and then, by chance, what does not.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from noughts.solve.compiled import part
from noughts.solve.interrupt import Stop, stopped

__all__ = ["Choices", "anneal", "begin", "own_costs", "seed_chance", "weigh"]

STEPS_BETWEEN = 4096
"""Steps of annealing from one look at `stop` to the next: milliseconds."""
_SHARING = 0.8
"""What a position of a proof costs on average, where one met for the first time costs 1."""


class Choices(NamedTuple):
    """Positions, the root first, with the options X has in each, as flat lists one after another."""

    first_option: NDArray[np.int64]
    """Where the options of a position begin; they end where the next position's begin."""
    first_child: NDArray[np.int64]
    """Where the positions an option leads to begin, in `children`."""
    children: NDArray[np.int64]
    weight: NDArray[np.float64]
    """About how many strategic moves a position costs."""


@njit(cache=True)
def weigh(graph: Choices, order: NDArray[np.int64], chosen: NDArray[np.int64]) -> None:
    """Choose the cheapest option in every position, the last first, and set the weights accordingly.

    Below an option everything is counted as often as it is met; a discount makes up for that.
    """
    for position in order:
        least = np.inf
        for option in range(graph.first_option[position], graph.first_option[position + 1]):
            cost = 0.0
            for at in range(graph.first_child[option], graph.first_child[option + 1]):
                cost += graph.weight[graph.children[at]]
            if cost < least:
                least, chosen[position] = cost, option
        graph.weight[position] = 1 + _SHARING * least


@njit(cache=True)
def begin(graph: Choices, used: NDArray[np.int64], chosen: NDArray[np.int64]) -> int:
    """Bring the root and all that the choices lead to into use; how many positions that is."""
    used[:] = 0
    used[0] = 1
    return 1 + _count_uses(graph, chosen[0], 1, used, chosen, np.empty(len(used) + 1, np.int64))


@njit(cache=True)
def own_costs(graph: Choices, used: NDArray[np.int64], chosen: NDArray[np.int64]) -> NDArray[np.int64]:
    """For every position in use, how many others are in use for its sake alone."""
    stack = np.empty(len(used) + 1, np.int64)
    costs = np.zeros(len(used), np.int64)
    for position in range(len(used)):
        if used[position]:
            costs[position] = _count_uses(graph, chosen[position], -1, used, chosen, stack)
            _count_uses(graph, chosen[position], 1, used, chosen, stack)
    return costs


@njit(cache=True)
def seed_chance(seed: int) -> None:
    """Begin the random numbers of `anneal` anew."""
    np.random.seed(seed)


@njit(cache=True, nogil=True)
def anneal(
    stop: Stop, graph: Choices, used: NDArray[np.int64], chosen: NDArray[np.int64], steps: int, heat: float
) -> int:
    """Change choices at random, keeping those that lead to fewer positions; return how many are left.

    `used[p]` is how many of the positions in use lead to p, plus one for the root; `chosen[p]` is p's option.
    A change that costs `more` positions is kept with probability exp(-more / heat), the Metropolis rule; the heat
    falls to nothing on the way. For `interruptible`: `stop` ends it early, with the best found so far.
    """
    count = len(used)
    stack = np.empty(count + 1, np.int64)
    logged = np.empty((count + 1, 2), np.int64)
    listed = np.empty(count, np.int64)
    size = best = np.count_nonzero(used)
    best_chosen = np.empty(count, np.int64)
    _copy(chosen, best_chosen)
    entries, uses_left = 0, 0
    for step in range(steps):
        if step % STEPS_BETWEEN == 0 and stopped(stop):
            break
        if uses_left == 0:
            # As choices change the list grows stale: it is written again now and then.
            entries = _list_choices(graph, used, chosen, listed)
            uses_left = 4 * entries
            if entries == 0:
                break
        uses_left -= 1
        position = listed[np.random.randint(entries)]
        if used[position]:
            first = graph.first_option[position]
            new = first + np.random.randint(graph.first_option[position + 1] - first)
            allowed = -heat * (1 - step / steps) * np.log(1 - np.random.random())
            size += _change(graph, position, new, allowed, used, chosen, stack, logged)
        if size < best:
            best = size
            _copy(chosen, best_chosen)
    _copy(best_chosen, chosen)
    return begin(graph, used, chosen)


@part
def _copy(source: NDArray[np.int64], target: NDArray[np.int64]) -> None:
    """`target[:] = source`, which takes Numba seconds to compile."""
    for at in range(len(source)):
        target[at] = source[at]


@part
def _list_choices(graph: Choices, used: NDArray[np.int64], chosen: NDArray[np.int64], listed: NDArray[np.int64]) -> int:
    """List the positions in use that leave a choice and lead to others; how many there are."""
    entries = 0
    for position in range(len(used)):
        options = graph.first_option[position + 1] - graph.first_option[position]
        leads_to = graph.first_child[chosen[position] + 1] - graph.first_child[chosen[position]]
        if used[position] and options > 1 and leads_to > 0:
            listed[entries] = position
            entries += 1
    return entries


@part
def _change(
    graph: Choices,
    position: int,
    new: int,
    allowed: float,
    used: NDArray[np.int64],
    chosen: NDArray[np.int64],
    stack: NDArray[np.int64],
    logged: NDArray[np.int64],
) -> int:
    """Choose another option in a position unless it takes more new positions than allowed; how many it takes."""
    old = chosen[position]
    if new == old:
        return 0
    gained, changes = _use(graph, new, used, chosen, stack, logged)
    more = gained - _count_uses(graph, old, -1, used, chosen, stack)
    chosen[position] = new
    if more <= allowed:
        return more
    _count_uses(graph, new, -1, used, chosen, stack)
    for change in range(changes):
        chosen[logged[change, 0]] = logged[change, 1]
    chosen[position] = old
    _count_uses(graph, old, 1, used, chosen, stack)
    return 0


@part
def _use(
    graph: Choices,
    option: int,
    used: NDArray[np.int64],
    chosen: NDArray[np.int64],
    stack: NDArray[np.int64],
    logged: NDArray[np.int64],
) -> tuple[int, int]:
    """Bring the positions an option leads to into use, each that is new with the option that looks cheapest.

    Returns how many are new, and how many choices were changed; the old ones are logged.
    """
    stack[0] = option
    height, gained, changes = 1, 0, 0
    while height:
        height -= 1
        option = stack[height]
        for at in range(graph.first_child[option], graph.first_child[option + 1]):
            child = graph.children[at]
            used[child] += 1
            if used[child] > 1:
                continue
            gained += 1
            cheapest = _cheapest(graph, child, used)
            if cheapest != chosen[child]:
                logged[changes, 0], logged[changes, 1] = child, chosen[child]
                changes += 1
                chosen[child] = cheapest
            stack[height] = cheapest
            height += 1
    return gained, changes


@part
def _cheapest(graph: Choices, position: int, used: NDArray[np.int64]) -> int:
    """The option of a position that costs least beyond the positions in use, as far as weights tell."""
    best, least = int(graph.first_option[position]), np.inf
    for option in range(graph.first_option[position], graph.first_option[position + 1]):
        cost = 0.0
        for at in range(graph.first_child[option], graph.first_child[option + 1]):
            child = graph.children[at]
            if used[child] == 0:
                cost += graph.weight[child]
        if cost < least:
            best, least = option, cost
    return best


@part
def _count_uses(
    graph: Choices,
    option: int,
    change: int,
    used: NDArray[np.int64],
    chosen: NDArray[np.int64],
    stack: NDArray[np.int64],
) -> int:
    """Bring an option into use (change 1) or out of it (−1), with all it leads to; how many positions that concerns."""
    turning_point = 1 if change > 0 else 0
    stack[0] = option
    height, concerned = 1, 0
    while height:
        height -= 1
        option = stack[height]
        for at in range(graph.first_child[option], graph.first_child[option + 1]):
            child = graph.children[at]
            used[child] += change
            if used[child] == turning_point:
                concerned += 1
                stack[height] = chosen[child]
                height += 1
    return concerned
