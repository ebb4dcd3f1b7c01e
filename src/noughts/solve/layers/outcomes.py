"""Win, draw or loss of every position of boards that are too large for a byte a position: 26 to 28 cells, on a GPU.

A layer is numbered as `numbering` says, and solved from the layer above it, but a position has two bits and no plies:
28 cells need two layers of 33 and 29 GB, and one GPU has them both. Nothing is kept: what comes out is how many
positions of each layer are won, drawn and lost, and what the first moves are worth.

`gpu_kernels` fills a layer, `outcomes_check` works every position out again from the layer above. Both go through a
layer in stretches, so that people see how far they are, and Ctrl-C is soon heard.
"""

from collections.abc import Callable
from math import comb
from time import perf_counter
from typing import Any, NamedTuple

import numba.cuda
import numpy as np
from numpy.typing import NDArray

from noughts.games import Game, NoughtsError, Outcome
from noughts.solve.device import Memory
from noughts.solve.layers import kernel
from noughts.solve.layers.gpu_kernels import (
    DRAWN,
    NEVER,
    O_WINS,
    X_WINS,
    outcomes_by_o,
    outcomes_by_x,
    outcomes_full,
)
from noughts.solve.layers.making import Solver
from noughts.solve.layers.numbering import Layers, classes_of, image, images_of, stones_of
from noughts.solve.layers.outcomes_check import FULL, TO_O, TO_X, check, count_finished, ground_of
from noughts.solve.machine import require_memory
from noughts.solve.morris.numbering import combinations
from noughts.solve.solution import Progress, Subspace, tally
from noughts.solve.subspaces import name_of
from noughts.solve.value import Value

__all__ = ["OutcomeSolver", "Outcomes", "WrongOutcomeError", "memory_needed", "solve_outcomes"]

THREADS = 256
"""Threads of a group."""
AT_ONCE = 2_000_000_000
"""About how many positions a launch works out: some tenths of a second."""
CHECKING = 4
"""About how many times as long as solving the check takes."""
OVERHEAD = 1_500_000_000
"""Bytes for lists of sets and words, and for what CUDA itself takes."""

Counts = NDArray[np.int64]
Done = Callable[[float], None]

cuda: Any = numba.cuda


class WrongOutcomeError(NoughtsError):
    """An outcome that does not follow from those of its successors."""


class Outcomes(NamedTuple):
    """What is known of a game: a row a layer, and what X's first moves are worth to X."""

    rows: list[Subspace]
    """From the empty board on."""
    first_moves: list[Outcome]
    """By point."""


class _Layer(NamedTuple):
    """A layer in the GPU's memory."""

    stones: int
    codes: Any
    """Two bits a position."""
    counts: Counts
    """How many positions have each code, those that are finished left out."""
    finished: int
    """In how many X has just completed a row."""


def memory_needed(game: Game) -> int:
    """The most bytes of GPU memory that are held at once: two layers."""
    form = Layers(game)
    sizes = [blocks * _bytes_of(words) for blocks, words in map(form.shape, form.order())]
    return max(map(sum, zip(sizes, [*sizes[1:], 0], strict=True))) + OVERHEAD


def _bytes_of(words: int) -> int:
    """Bytes of a block of so many words."""
    return (words + 3) // 4


class OutcomeSolver:
    """Solves one layer after the other on the first GPU, and checks them there."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._memory = Memory()
        self._solver = Solver(game)
        self._ground = ground_of(game.layout)

    def free_bytes(self) -> int:
        """How much of the GPU's memory is free."""
        return self._memory.free_bytes()

    def solve(self, stones: int, above: _Layer | None, done: Done) -> _Layer:
        """A layer, from the one above it; `done` is told which part is done."""
        load, points, (x, o) = self._memory.load, len(self.game.layout), stones_of(stones)
        turn, words = self._turn(stones), comb(points - x, o)
        blocks, (sets, weights, next_sets, words_of_o) = self._listed(stones)
        codes = cuda.device_array(max(1, blocks * _bytes_of(words)), np.uint8)
        counts = cuda.to_device(np.zeros(4, np.int64))
        board, tables = load(self._solver.board), load(self._solver.inner)
        later = () if above is None else (above.codes,)
        arguments: tuple[Any, ...]
        if turn == FULL:
            kernel_of, arguments = outcomes_full, (words_of_o, board, O_WINS if x == o else NEVER)
        elif turn == TO_O:
            kernel_of, arguments = outcomes_by_o, (words_of_o, load(kernel.runs_of(points - x, o + 1)), board, tables)
        else:
            later_words = combinations(points - x - 1, o)
            filled = cuda.to_device(np.pad(later_words, (0, -len(later_words) % 4)))
            runs = load(kernel.runs_of(points - x, o))
            kernel_of, arguments = outcomes_by_x, (next_sets, words_of_o, filled, runs, board, tables)
        for first, last in _stretches(blocks, words, done):
            kernel_of[last - first, THREADS](codes, *later, first, sets, weights, *arguments, counts)
            cuda.synchronize()
        found: Counts = counts.copy_to_host()
        return _Layer(stones, codes, found, self._solver.finished(stones))

    def check(self, layer: _Layer, above: _Layer | None, done: Done) -> None:
        """Work a layer out again; raises an error if a position, or a count, is not as expected."""
        layout, ground = self.game.layout, self._memory.load(self._ground)
        points, (x, o) = len(layout), stones_of(layer.stones)
        turn, classes = self._turn(layer.stones), classes_of(layout, x)
        blocks, listed = self._listed(layer.stones)
        words = listed[-1]
        counts, wrong = cuda.to_device(np.zeros(4, np.int64)), cuda.to_device(np.array([blocks], np.int64))
        after = comb(points - x - 1, o) if turn == TO_X else comb(points - x, o + 1)
        arguments = (*listed, after, turn, ground, counts, wrong)
        later = layer.codes if above is None else above.codes
        for first, last in _stretches(blocks, len(words), done):
            check[last - first, THREADS](layer.codes, later, first, *arguments)
            cuda.synchronize()
        block = int(wrong.copy_to_host()[0])
        if block < blocks:
            points_of_x = ", ".join(layout.points[point] for point in range(points) if classes.sets[block] >> point & 1)
            raise WrongOutcomeError(f"with {layer.stones} stones, those of X on {points_of_x}, not all outcomes follow")
        found = counts.copy_to_host()
        finished = cuda.to_device(np.zeros(1, np.int64))
        if x > o and len(classes.won):
            sets, weights = cuda.to_device(classes.won), cuda.to_device(classes.won_weights)
            count_finished[len(classes.won), THREADS](sets, weights, words, ground, finished)
        said = [*map(int, layer.counts[:NEVER]), layer.finished]
        counted = [*map(int, found[:NEVER]), int(finished.copy_to_host()[0])]
        if said != counted:
            raise WrongOutcomeError(f"with {layer.stones} stones there are said to be {said}, expected {counted}")

    def first_moves(self, layer: _Layer) -> list[Outcome]:
        """What X's first stone on each point is worth to X, from the layer of one stone."""
        codes, sets = layer.codes.copy_to_host(), classes_of(self.game.layout, 1).sets
        worth = {O_WINS: Outcome.LOSS, DRAWN: Outcome.DRAW, X_WINS: Outcome.WIN}
        found = []
        for point in range(len(self.game.layout)):
            images = [image(parts, np.array([1 << point], np.uint32))[0] for parts in images_of(self.game.layout)]
            found.append(worth[int(codes[np.searchsorted(sets, min(images))]) & 3])
        return found

    def summary(self, layer: _Layer, seconds: float) -> Subspace:
        """The row that people read, for the side to move."""
        key = (layer.stones // 2, (layer.stones + 1) // 2)
        lost, drawn, won = map(int, layer.counts[:NEVER])
        if layer.stones % 2:
            lost, won = won + layer.finished, lost
        values = [(Value(Outcome.WIN), won), (Value(Outcome.DRAW), drawn), (Value(Outcome.LOSS), lost)]
        return tally(name_of(key), Layers(self.game).ways(key), values, seconds)

    def _listed(self, stones: int) -> tuple[int, tuple[Any, ...]]:
        """How many blocks a layer has; and on the GPU X's sets, their weights, the next sets, and O's words."""
        layout, (x, o) = self.game.layout, stones_of(stones)
        classes = classes_of(layout, x)
        following = classes_of(layout, x + 1).sets if self._turn(stones) == TO_X else classes.sets[:1]
        arrays = (classes.sets, classes.weights, following, combinations(len(layout) - x, o))
        return len(classes.sets), tuple(map(cuda.to_device, arrays))

    def _turn(self, stones: int) -> int:
        if stones == len(self.game.layout):
            return FULL
        return TO_O if stones % 2 else TO_X


def _stretches(blocks: int, words: int, done: Done) -> Any:
    """Blocks, about as many at a time as have `AT_ONCE` positions; and tells what part is done."""
    step = max(1, AT_ONCE // max(1, words))
    for first in range(0, blocks, step):
        last = min(first + step, blocks)
        yield first, last
        done(last / blocks)


def solve_outcomes(game: Game, progress: Progress | None = None, check: bool = False) -> Outcomes:
    """Solve all layers, from the full board down; every one is checked, too, if that is wanted."""
    solver, form = OutcomeSolver(game), Layers(game)
    require_memory(memory_needed(game), solver.free_bytes(), f"to solve {game.name}", "GPU memory")
    sizes = [blocks * words for blocks, words in map(form.shape, form.order())]
    work = 1 + CHECKING * check
    before, total = 0, work * sum(sizes)
    above: _Layer | None = None
    rows: list[Subspace] = []
    first_moves: list[Outcome] = []

    def stretch(first: int, size: int) -> Done:
        """Tells how much of a stretch of the work is done, as part of the whole."""
        return lambda part: progress(first + int(size * part), total) if progress else None

    for stones, size in zip(range(len(game.layout), -1, -1), sizes, strict=True):
        began = perf_counter()
        layer = solver.solve(stones, above, stretch(before, size))
        seconds = perf_counter() - began
        if check:
            solver.check(layer, above, stretch(before + size, CHECKING * size))
        rows.insert(0, solver.summary(layer, seconds))
        if stones == 1:
            first_moves = solver.first_moves(layer)
        above, before = layer, before + work * size
    return Outcomes(rows, first_moves)
