"""The layers of a placing game on a Ray cluster: byte for byte what one machine finds.

The layer above is put into the cluster's object store once, and every machine fetches it once. Ranges of blocks are
tasks: each is given its part of X's sets, and gives their scores and counts. A task keeps nothing and changes nothing,
so that Ray itself repeats those of workers and machines that are lost, elsewhere.

Where O moves, a block of the layer above leads to the block of the same number and to no other; but to cut the layer
into ranges would save little, since X, who moves in the layers between, may lead anywhere.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game
from noughts.games import game as find_game
from noughts.solve.interrupt import never
from noughts.solve.layers import kernel
from noughts.solve.layers.kernel import PAD, Runs, Scores
from noughts.solve.layers.making import Solver
from noughts.solve.layers.numbering import Classes, classes_of, stones_of
from noughts.solve.machine import PARTS
from noughts.solve.ray_cluster import ClusterError, Joined, last_line

__all__ = ["ClusterSolver"]

TRIES = 5
"""How often a range is tried."""

Part = tuple[Scores, NDArray[np.int64]]


class ClusterSolver(Solver):
    """Solves one layer after the other, and shares out the blocks of each to the processors of a cluster."""

    def __init__(self, game: Game, address: str) -> None:
        super().__init__(game)
        self._joined = Joined(address)
        self._processors = max(1, int(self._joined.ray.cluster_resources().get("CPU", 1)))

    def close(self) -> None:
        self._joined.leave()

    def fill(
        self, stones: int, above: Scores | None, classes: Classes, runs: Runs, done: Callable[[int], None]
    ) -> tuple[Scores, NDArray[np.int64]]:
        ray, blocks = self._joined.ray, len(classes.sets)
        later = None if above is None else ray.put(above)
        task = ray.remote(num_cpus=1, max_retries=TRIES)(fill_part)
        cuts = np.linspace(0, blocks, 1 + min(blocks, PARTS * self._processors)).astype(int).tolist()
        tasks = [task.remote(self.game.name, stones, first, last, later) for first, last in pairwise(cuts)]
        scores = np.zeros(blocks * runs.size + PAD, np.int8)
        total = np.zeros(256, np.int64)
        for number, (first, last) in enumerate(pairwise(cuts)):
            try:
                found, counts = ray.get(tasks[number])
            except ray.exceptions.RayError as error:
                raise ClusterError(f"{stones} stones of {self.game.name} failed: {last_line(str(error))}") from error
            # What is read is not held any longer.
            tasks[number] = None
            scores[first * runs.size : last * runs.size] = found
            total += counts
            done(last)
        return scores, total


@lru_cache(maxsize=1)
def _solver(name: str) -> Solver:
    return Solver(find_game(name), 1)


def fill_part(name: str, stones: int, first: int, last: int, above: Scores | None) -> Part:
    """The scores of some blocks of a layer, and how many positions have each; in a worker.

    The loops number blocks from the first that they are given.
    """
    solver = _solver(name)
    points, (x, o) = len(solver.game.layout), stones_of(stones)
    classes, runs = classes_of(solver.game.layout, x), kernel.runs_of(points - x, o)
    if above is not None and stones % 2:
        above = above[first * kernel.runs_of(runs.bits, o + 1).size :]
    loop, arguments = solver.work(stones, above, runs)
    scores = np.zeros((last - first) * runs.size + PAD, np.int8)
    counts = np.zeros(256, np.int64)
    loop(never(), 0, last - first, classes.sets[first:last], classes.weights[first:last], counts, scores, *arguments)
    return scores[:-PAD], counts
