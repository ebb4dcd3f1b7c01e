"""The GPU as an engine, in Numba's simulator of one: every kernel as it is written, a Python thread a thread."""

import json
import os
import subprocess
import sys
from hashlib import sha256

import pytest
from numba import cuda

from morris_six import six
from noughts.solve.morris.gpu import Gpu, NoGpuError

SCRIPT = """
import json, warnings
from hashlib import sha256
import numpy as np
warnings.simplefilter("ignore")
from noughts.games import game
from noughts.solve.morris.gpu import Gpu
from noughts.solve.morris.retrograde import solve_morris

class Twice(Gpu):
    def check(self, work, following):
        first = super().check(work, following)
        self.slot = int(np.flatnonzero(self.host(work.table) == 3)[0])
        work.table[self.slot] = 5
        self.found = super().check(work, following)
        return first

engine = Twice()
[one] = solve_morris(game("six-mens-morris"), 3, engine=engine, check=True)
print(json.dumps([sha256(one.by_mover).hexdigest(), one.counts.tolist(), engine.slot, engine.found]))
"""


def test_a_gpu_makes_the_same_table_and_finds_a_wrong_byte() -> None:
    simulated = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=simulated, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    digest, counts, slot, (wrong, first) = json.loads(done.stdout)
    expected = six().solved[0]
    assert (expected.mover, expected.other) == (3, 3)
    assert digest == sha256(expected.by_mover.tobytes()).hexdigest()
    assert counts == expected.counts.tolist()
    assert (wrong, first) == (1, slot)


@pytest.mark.skipif(cuda.is_available(), reason="there is a GPU here")  # type: ignore[no-untyped-call]
def test_a_missing_gpu_is_said_in_one_line() -> None:
    with pytest.raises(
        NoGpuError, match=r"^no GPU was found: expected an NVIDIA GPU with its driver, or --device cpu$"
    ):
        Gpu()
