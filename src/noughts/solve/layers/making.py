"""Solving a placing game in layers, into a table or only for the counts.

From the full board down, and two layers are in memory at a time. Into a table, a layer is added when it is done; a run
that was interrupted, by whatever, goes on below the layers that are there, and reads the last of them.
"""

from collections.abc import Callable
from contextlib import closing, nullcontext
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.extras import need
from noughts.games import Game, NoughtsError, Outcome
from noughts.solve.layers import kernel
from noughts.solve.layers.check import WrongByteError, check_layer
from noughts.solve.layers.kernel import ILLEGAL, PAD, WON, Board, Inner, Runs, Scores
from noughts.solve.layers.numbering import NEVER, Classes, Layers, classes_of, images_of, stones_of
from noughts.solve.machine import OVERHEAD, PARTS, cores_of, memory_available, require_memory, share
from noughts.solve.solution import Progress, Subspace, tally
from noughts.solve.store import Store
from noughts.solve.subspaces import DRAW, Key, meaning, name_of
from noughts.solve.value import Value

__all__ = ["Making", "SolvedLayer", "Solver", "memory_needed", "solve_layers"]

DEVICES = ("cpu", "gpu")
AT_ONCE = 1 << 22
"""Bytes that are turned into scores at once."""

Bytes = NDArray[np.uint8]


class SolvedLayer(NamedTuple):
    """A layer, solved: its scores and how many positions have each byte."""

    game: Game
    stones: int
    scores: Scores
    """`PAD` more than there are positions."""
    counts: NDArray[np.int64]
    seconds: float

    @property
    def key(self) -> Key:
        return self.stones // 2, (self.stones + 1) // 2

    def part(self, first: int, last: int) -> Bytes:
        """Some bytes of the table."""
        return bytes_of_scores(self.stones)[self.scores[first:last].view(np.uint8)]

    def summary(self) -> Subspace:
        """The row that people read."""
        values = [(meaning(byte), int(count)) for byte, count in enumerate(self.counts) if byte != NEVER]
        return tally(name_of(self.key), Layers(self.game).ways(self.key), values, self.seconds)


def bytes_of_scores(stones: int) -> Bytes:
    """By a score's lowest eight bits, the byte that a table has for it in a layer."""
    found = np.full(256, NEVER, np.uint8)
    found[0] = DRAW
    for end in range(stones, WON):
        for score in (WON - end, end - WON):
            if end - stones < NEVER:
                found[score % 256] = end - stones
    return found


def scores_of_bytes(stones: int) -> Scores:
    """By a byte of a table, the score that it stands for in a layer."""
    found = np.full(256, ILLEGAL, np.int8)
    found[DRAW] = 0
    for end in range(stones, WON):
        # The winner makes the last move: X after an odd number of stones.
        found[end - stones] = WON - end if end % 2 else end - WON
    return found


def memory_needed(game: Game) -> int:
    """The most bytes that solving holds at once: two layers."""
    form = Layers(game)
    sizes = [blocks * size for blocks, size in map(form.shape, form.order())]
    return max(map(sum, zip(sizes, [*sizes[1:], 0], strict=True))) + OVERHEAD


class Solver:
    """Solves one layer after the other."""

    def __init__(self, game: Game, cores: int | None = None) -> None:
        self.game = game
        self.cores = cores or cores_of()
        self.board = Board(len(game.layout), np.array(game.layout.line_sets, np.int64), images_of(game.layout))
        self.inner: Inner = kernel.inner()

    def close(self) -> None:
        """Nothing else will be solved."""

    def solve(self, stones: int, above: Scores | None, done: Callable[[int], None]) -> SolvedLayer:
        """The layer with so many stones, from the scores of the layer above, if there is one.

        `done` is told how many blocks are done.
        """
        began = perf_counter()
        points, (x, o) = len(self.game.layout), stones_of(stones)
        classes = classes_of(self.game.layout, x)
        scores, counts = self.fill(stones, above, classes, kernel.runs_of(points - x, o), done)
        found = np.zeros(256, np.int64)
        np.add.at(found, bytes_of_scores(stones), counts)
        found[0] += self.finished(stones)
        return SolvedLayer(self.game, stones, scores, found, perf_counter() - began)

    def finished(self, stones: int) -> int:
        """In how many positions X has just completed a row: they have no bytes."""
        (x, o), points = stones_of(stones), len(self.game.layout)
        if x == o:
            return 0
        classes = classes_of(self.game.layout, x)
        return int(self._each(kernel.won, classes.won, classes.won_weights, (points, o, self.board))[0])

    def fill(
        self, stones: int, above: Scores | None, classes: Classes, runs: Runs, done: Callable[[int], None]
    ) -> tuple[Scores, NDArray[np.int64]]:
        """The scores of a layer, and by their lowest eight bits how many positions have each."""
        scores = np.empty(len(classes.sets) * runs.size + PAD, np.int8)
        scores[-PAD:] = 0
        loop, arguments = self.work(stones, above, runs)
        return scores, self._each(loop, classes.sets, classes.weights, (scores, *arguments), done)

    def work(self, stones: int, above: Scores | None, runs: Runs) -> tuple[Any, tuple[Any, ...]]:
        """The loop that fills a layer, and what it is given beside sets, weights, counts and the scores to be filled.

        The layer above may come from another process, which nobody writes to: to the loops it is always such a one.
        """
        same = (self.board, self.inner)
        if above is None:
            return kernel.full, (runs, *same, stones - WON if stones % 2 == 0 else ILLEGAL)
        later = above.view()
        later.flags.writeable = False
        if stones % 2:
            return kernel.by_o, (later, runs, kernel.runs_of(runs.bits, runs.ones + 1), *same)
        next_sets = classes_of(self.game.layout, len(self.game.layout) - runs.bits + 1).sets
        return kernel.by_x, (later, next_sets, runs, kernel.runs_of(runs.bits - 1, runs.ones), *same, stones)

    def _each(
        self,
        loop: Any,
        sets: NDArray[np.uint32],
        weights: NDArray[np.int64],
        arguments: tuple[Any, ...],
        done: Callable[[int], None] = lambda _last: None,
    ) -> NDArray[np.int64]:
        """Run a loop over some classes on all cores; what it counted."""
        counts = np.zeros((PARTS * self.cores, 256), np.int64)
        share(self.cores, loop, len(sets), lambda part: (sets, weights, counts[part], *arguments), done=done)
        total: NDArray[np.int64] = counts.sum(axis=0)
        return total


def solve_layers(
    game: Game,
    store: Store | None = None,
    progress: Progress | None = None,
    check: bool = False,
    solver: Solver | None = None,
) -> list[Subspace]:
    """Solve all layers that a table lacks, and add them to it; or all, for the counts alone. The rows, from the top."""
    form, solver = Layers(game), solver or Solver(game)
    sizes = {key: max(1, int(np.prod(form.shape(key)))) for key in form.order()}
    total, before = sum(sizes.values()), 0
    above: SolvedLayer | None = None
    last: Key | None = None
    rows = []
    for key in form.order():
        stones = sum(key)
        if store is not None and store.has(key):
            rows.append(store.entry(key).row)
            known = _recall(store, key) if check else None
            if known is not None:
                found = check_layer(game, stones, known, above)
                found.raise_if_wrong(game)
                wrong = store.disagreement(key, found.values())
                if wrong is not None:
                    raise WrongByteError(wrong)
            above, last, before = known, key, before + sizes[key]
            continue
        if above is None and last is not None and store is not None:
            above = _recall(store, last)
        blocks = max(1, form.shape(key)[0])

        def done(number: int, before: int = before, size: int = sizes[key], blocks: int = blocks) -> None:
            if progress:
                progress(before + size * number // blocks, total)

        solved = solver.solve(stones, None if above is None else above.scores, done)
        if check:
            check_layer(game, stones, solved, above).raise_if_wrong(game, solved.counts)
        above, last, before = solved, key, before + sizes[key]
        rows.append(solved.summary())
        if store is not None:
            store.write(solved)
    if progress:
        progress(total, total)
    return rows


def _recall(store: Store, key: Key) -> SolvedLayer:
    """A layer that was solved before."""
    blocks, size = store.form.shape(key)
    room = np.zeros(blocks * size + PAD, np.uint8)
    store.read(*key, room=room[:-PAD])
    meanings = scores_of_bytes(sum(key)).view(np.uint8)
    for first in range(0, len(room) - PAD, AT_ONCE):
        part = room[first : min(first + AT_ONCE, len(room) - PAD)]
        part[:] = meanings[part]
    row = store.entry(key).row
    return SolvedLayer(store.game, sum(key), room.view(np.int8), np.zeros(256, np.int64), row.seconds)


class Making:
    """A run that solves a placing game in layers, as the command asks for it."""

    def __init__(
        self, game: Game, out: Path | None, check: bool, device: str = "cpu", cluster: str | None = None
    ) -> None:
        """Raises an error if something is in the way, before anything long has begun."""
        self.game, self.check = game, check
        if device not in DEVICES:
            raise NoughtsError(f"--device {device!r} is unknown: expected cpu or gpu")
        if cluster is not None and device == "gpu":
            raise NoughtsError(f"--cluster {cluster!r} works on processors: expected no --device gpu with it")
        needed, what = memory_needed(game), f"to solve {game.name}"
        if device == "gpu":
            need("numba_cuda", "--device gpu")
            from noughts.solve.layers.gpu import GpuSolver  # noqa: PLC0415  loads CUDA

            gpu = GpuSolver(game, keep=check or out is not None)
            require_memory(needed, gpu.free_bytes(), what, "GPU memory")
            self.solver: Solver = gpu
        elif cluster is not None:
            from noughts.solve.layers.cluster import ClusterSolver  # noqa: PLC0415  loads Ray

            # What is above is in Ray's store, too.
            require_memory(2 * needed, memory_available(), what)
            self.solver = ClusterSolver(game, cluster)
        else:
            require_memory(needed, memory_available(), what)
            self.solver = Solver(game)
        self.store = None if out is None else Store.create(out, game)
        if self.store is not None:
            with self.store.lock():
                self.store.check_room(self.store.form.order())
                self.store.try_writing()

    def solve(self, progress: Progress | None) -> list[Subspace]:
        """Solve what is missing; the rows, from the empty board on."""
        with closing(self.solver), nullcontext() if self.store is None else self.store.lock():
            return solve_layers(self.game, self.store, progress, self.check, self.solver)[::-1]

    def start(self, rows: list[Subspace]) -> Value:
        """What the empty board is worth, by the table itself if there is one."""
        if self.store is not None:
            return meaning(int(self.store.read(0, 0)[0]))
        return start_of(rows[0], len(self.game.layout))


def start_of(row: Subspace, points: int) -> Value:
    """What the empty board is worth, whose layer has one position."""
    if row.draws:
        return Value(Outcome.DRAW, points)
    if row.wins:
        return Value(Outcome.WIN, row.deepest_win)
    return Value(Outcome.LOSS, row.deepest_loss)
