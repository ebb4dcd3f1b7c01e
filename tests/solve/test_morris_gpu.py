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
from noughts.solve.morris.retrograde import WrongValueError, solve_morris

class Known:
    def has(self, key): return True
    def read(self, mover, other): return table

six, engine = game("six-mens-morris"), Gpu()
[one] = solve_morris(six, 3, engine=engine, check=True)
table = one.by_mover
found = {"sha256": sha256(table).hexdigest(), "counts": one.counts.tolist()}
table[np.flatnonzero(table == 3)[0]] = 5
try:
    [*_] = solve_morris(six, 3, known=Known(), engine=engine, check=True)
except WrongValueError as error:
    found["error"] = str(error)
print(json.dumps(found))
"""


def test_a_gpu_makes_the_same_table_and_finds_a_wrong_byte() -> None:
    simulated = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=simulated, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    expected = six().solved[0]
    assert (expected.mover, expected.other) == (3, 3)
    assert found["sha256"] == sha256(expected.by_mover.tobytes()).hexdigest()
    assert found["counts"] == expected.counts.tolist()
    assert found["error"].startswith("3-3: the value in slot ")
    assert found["error"].endswith(" does not follow from its successors")


@pytest.mark.skipif(cuda.is_available(), reason="there is a GPU here")  # type: ignore[no-untyped-call]
def test_a_missing_gpu_is_said_in_one_line() -> None:
    with pytest.raises(
        NoGpuError, match=r"^no GPU was found: expected an NVIDIA GPU with its driver, or --device cpu$"
    ):
        Gpu()
