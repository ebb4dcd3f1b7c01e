"""Layers on a GPU, in Numba's simulator of one: every kernel as it is written, a Python thread a thread."""

import os
import subprocess
import sys

import pytest
from numba import cuda

from noughts.cli.main import run

pytestmark = pytest.mark.slow

SCRIPT = """
import numpy as np
from noughts.games import game
from noughts.solve.layers import gpu
from noughts.solve.layers.gpu import GpuSolver
from noughts.solve.layers.making import Solver

# The simulator starts a Python thread for every thread. Few of them, in many groups, find what many would.
gpu.THREADS = 4
for name in ("mnk:5,2,2", "mnk:3,3,3"):
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


def test_a_gpu_fills_the_same_layers() -> None:
    simulated = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=simulated, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "mnk:5,2,2 1 3 0\nmnk:3,3,3 0 None 1\n"


@pytest.mark.skipif(cuda.is_available(), reason="there is a GPU here")  # type: ignore[no-untyped-call]
def test_a_gpu_that_is_not_there_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "mnk:5,5,4", "--device", "gpu"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
