"""The GPU as an engine, in Numba's simulator of one: every kernel as it is written, a Python thread a thread.

Played on a single square with four stones a side, and with three by Lasker's rule: they have few positions, and all
that morris has: captures, flying, blocked stones, stones in hand, symmetric positions.
"""

import os
import subprocess
import sys

import pytest
from numba import cuda

from noughts.solve.device import NoGpuError
from noughts.solve.morris.gpu import Gpu

pytestmark = pytest.mark.slow

SCRIPT = """
import warnings
from dataclasses import replace
from hashlib import sha256
import numpy as np
warnings.simplefilter("ignore")
from noughts.games import Game, game
from noughts.games.layout import nested_squares
from noughts.solve.morris import gpu
from noughts.solve.morris.check import ProcessorChecker, Witness
from noughts.solve.morris.gpu import Gpu, GpuChecker
from noughts.solve.morris.processor import Processor
from noughts.solve.morris.retrograde import solve_morris

# The simulator starts a Python thread for every thread. Few of them, in many groups, find what many would.
gpu.THREADS, gpu.STRETCH, gpu.COUNTERS = 8, 32, 3

class Twice(GpuChecker):
    "Checks values where they are, and says what the processor says; then with a wrong byte."
    def take(self, values):
        assert super().take(values) is values
        return values
    def check(self, space, advance):
        here = gpu._copied(space)
        first, second = super().check(space, advance), ProcessorChecker(1).check(here, advance)
        assert first.wrong is second.wrong is None
        assert np.array_equal(first.counts, second.counts)
        spoilt = here.stored.copy()
        spoilt[len(spoilt) // 2] = 77
        here = here._replace(stored=spoilt)
        found = super().check(space._replace(stored=gpu.cuda.to_device(spoilt)), advance).wrong
        assert found[2] == 77 and found == ProcessorChecker(1).check(here, advance).wrong
        return first

class Telling(Gpu):
    "Knows how often values were asked for."
    copies = 0
    def host(self, array):
        self.copies += 1
        return super().host(array)

class Half:
    "The first subspaces, solved before; it keeps what comes."
    def __init__(self, solved):
        self.tables = {one.key: one.by_mover for one in solved[: len(solved) // 2]}
    def has(self, key):
        return key in self.tables
    def read(self, *key):
        return self.tables[key]

found = []
for lasker in (False, True):
    stones = 3 if lasker else 4
    rules = replace(game("six-mens-morris").rules, stones=(stones, stones), moving_while_placing=lasker)
    square = Game("square", nested_squares(1), rules, "one square", "Square")
    engine = Telling()
    there = list(solve_morris(square, engine=engine, witness=Witness(square, Twice())))
    engine.close()
    assert sum(one.summary().positions for one in there) and engine.copies == 0
    here = list(solve_morris(square, engine=Processor(1)))
    assert [one.key for one in there] == [one.key for one in here]
    for one, other in zip(there, here):
        assert np.array_equal(one.by_mover, other.by_mover), one.key
        assert np.array_equal(one.counts, other.counts), one.key
    assert engine.copies == len(there)
    half = Half(here)
    missing = [one.key for one in here if not half.has(one.key)]
    for one in solve_morris(square, known=half, engine=engine, witness=Witness(square, GpuChecker())):
        half.tables[one.key] = one.by_mover
        assert one.key == missing.pop(0)
    assert not missing and all(np.array_equal(half.tables[one.key], one.by_mover) for one in here)
    values = sum(one.counts for one in here)
    assert values[1] and values[2] and values[255] and (lasker or values[0]), values
    found.append((len(here), sum(len(one.by_mover) for one in here)))
print(found)
"""


def test_a_gpu_makes_the_same_tables_and_finds_a_wrong_byte() -> None:
    simulated = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=simulated, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[(19, 1330), (11, 631)]\n"


@pytest.mark.skipif(cuda.is_available(), reason="there is a GPU here")  # type: ignore[no-untyped-call]
def test_a_missing_gpu_is_said_in_one_line() -> None:
    expected = "no GPU was found: expected an NVIDIA GPU with its driver, or --device cpu"
    with pytest.raises(NoGpuError, match=f"^{expected}$"):
        Gpu()
