"""Layers on a GPU, in Numba's simulator of one: every kernel as it is written, a Python thread a thread."""

import os
import subprocess
import sys
from math import comb

import pytest
from numba import cuda

from noughts.cli.main import run
from noughts.games import NoughtsError, game
from noughts.solve.layers.gpu_kernels import LINES, POINTS, ROOM

pytestmark = pytest.mark.slow

SCRIPT = """
import numpy as np
from noughts.games import game
from noughts.solve.layers import gpu, gpu_kernels
from noughts.solve.layers.gpu import GpuSolver
from noughts.solve.layers.making import Solver

# The simulator starts a Python thread for every thread. Few of them, in many groups, find what many would.
gpu.THREADS = 4
for name in ("mnk:5,2,2", "mnk:3,3,3", "mnk:4,2,2"):
    if name == "mnk:4,2,2":
        # As on large boards: words take more steps than a few, and their starts have no room in shared memory.
        gpu_kernels.STEP, gpu_kernels.WAYS, gpu_kernels.SPREAD, gpu_kernels.STARTS = 2, 4, 20, 0
        gpu_kernels.STEP_BITS, gpu_kernels.WAY = np.uint32(2), np.uint32(3)
    here, there = Solver(game(name), 1), GpuSolver(game(name))
    one = other = None
    for stones in range(len(here.game.layout), -1, -1):
        one = here.solve(stones, None if one is None else one.scores, lambda _done: None)
        other = there.solve(stones, None if other is None else other.scores, lambda _done: None)
        assert np.array_equal(one.scores[:-gpu.PAD], other.scores[:-gpu.PAD]), stones
        assert np.array_equal(one.counts, other.counts), stones
        if stones == 5:
            # Another run goes on from here: the layer above is loaded.
            again = GpuSolver(game(name), keep=False)
            assert np.array_equal(again.solve(4, one.scores, lambda _done: None).counts,
                                  here.solve(4, one.scores, lambda _done: None).counts)
    print(name, other.summary().wins, other.summary().deepest_win, other.summary().draws)
"""

OUTCOMES = """
import numpy as np
from noughts.games import game
from noughts.solve.layers import outcomes
from noughts.solve.layers.making import Solver, solve_layers
from noughts.solve.layers.outcomes import OutcomeSolver, WrongOutcomeError, solve_outcomes

outcomes.THREADS = 4
outcomes.AT_ONCE = 40
for name in ("mnk:5,2,2", "mnk:3,3,3"):
    found = solve_outcomes(game(name), check=True)
    rows = solve_layers(game(name), solver=Solver(game(name), 1))[::-1]
    assert [row[:6] for row in found.rows] == [row[:6] for row in rows]
    print(name, *map(str, dict.fromkeys(found.first_moves)))

solver, layer, above = OutcomeSolver(game("mnk:3,3,3")), None, None
for stones in range(9, 4, -1):
    layer, above = solver.solve(stones, layer, lambda _part: None), layer

def wrong(layer):
    try:
        solver.check(layer, above, lambda _part: None)
    except WrongOutcomeError as error:
        print(error)

codes = layer.codes.copy_to_host()
for byte in (0, len(codes) - 1):
    changed = codes.copy()
    changed[byte] ^= 1
    wrong(layer._replace(codes=outcomes.cuda.to_device(changed)))
wrong(layer._replace(counts=layer.counts + np.array([1, 0, 0, 0])))
wrong(layer._replace(finished=layer.finished + 1))
"""


def blocks(points: int) -> list[int]:
    """How many words there are in the blocks that are kept in shared memory."""
    grown = [comb(points - stones, stones) for stones in range(points // 2 + 1)]
    copied = [comb(points - stones, stones) for stones in range(1, (points + 1) // 2 + 1)]
    return grown + copied


def test_every_board_has_room_in_shared_memory() -> None:
    assert ROOM >= max(max(blocks(points)) for points in range(1, 26)) == 31_824
    assert (max(max(blocks(points)) for points in range(1, 29)) + 3) // 4 <= ROOM
    boards = [(m, n) for m in range(1, POINTS + 1) for n in range(1, POINTS + 1) if m * n <= POINTS]
    names = [f"mnk:{m},{n},{k}" for m, n in boards for k in range(1, max(m, n) + 1)]
    assert max(len(game(name).layout.line_sets) for name in names if accepted(name)) <= LINES


def accepted(name: str) -> bool:
    """Whether there is such a game."""
    try:
        game(name)
    except NoughtsError:
        return False
    return True


def simulated(script: str) -> str:
    """What a script prints that runs on Numba's simulator of a GPU."""
    env = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_gpu_fills_the_same_layers() -> None:
    assert simulated(SCRIPT) == "mnk:5,2,2 1 3 0\nmnk:3,3,3 0 None 1\nmnk:4,2,2 1 3 0\n"


def test_two_bits_tell_the_same_outcomes_and_a_wrong_one_is_found() -> None:
    solved, drawn, *wrong = simulated(OUTCOMES).splitlines()
    assert (solved, drawn) == ("mnk:5,2,2 win", "mnk:3,3,3 draw")
    assert wrong == [
        # The first block, and the last.
        "with 5 stones, those of X on a1, b1, a2, not all outcomes follow",
        "with 5 stones, those of X on b1, c2, a3, not all outcomes follow",
        "with 5 stones there are said to be [541, 264, 336, 120], expected [540, 264, 336, 120]",
        "with 5 stones there are said to be [540, 264, 336, 121], expected [540, 264, 336, 120]",
    ]


def test_a_board_of_28_points_needs_a_gpu(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "mnk:7,4,4"]) == 2
    said = capsys.readouterr().err
    assert (said.count("\n"), "28 points: expected at most 25, or --device gpu" in said) == (1, True)
    assert run(["solve", "mnk:7,4,4", "--device", "gpu", "--out", "there"]) == 2
    assert "expected no --out" in capsys.readouterr().err


@pytest.mark.skipif(cuda.is_available(), reason="there is a GPU here")  # type: ignore[no-untyped-call]
def test_a_gpu_that_is_not_there_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "mnk:5,5,4", "--device", "gpu"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
