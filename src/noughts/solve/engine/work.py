"""What a search writes down while it works, in one record: its limits and counts, and a row for every ply."""

from typing import Any

import numpy as np
from numba import from_dtype

from noughts.solve.engine.state import MOST_MOVES, MOST_POINTS

__all__ = ["LONGEST_CHAIN", "MOST_PAST", "MOST_PLIES", "SEARCH", "SEARCH_RECORD", "Search"]

MOST_PLIES = 120
MOST_PAST = 400
"""Positions of the game before the root that are minded."""
LONGEST_CHAIN = 48
"""More fours than any chain that the search has time to find."""
REFUTED = 1 << 16

SEARCH = np.dtype(
    [
        ("nodes", np.int64),
        ("limit", np.int64),
        ("aborted", np.int64),
        ("guessed", np.int64),
        ("plain", np.int64),
        ("endings", np.int64),
        ("draws", np.int64),
        ("past", np.int64),
        ("budget", np.int64),
        ("path", np.uint64, (MOST_PAST + MOST_PLIES + 2,)),
        ("since", np.int64, (MOST_PAST + MOST_PLIES + 2,)),
        ("killers", np.int64, (MOST_PLIES + 2, 2)),
        ("history", np.int64, (2, 26, MOST_POINTS)),
        ("moves", np.int64, (MOST_PLIES + 2, MOST_MOVES)),
        ("order", np.int64, (MOST_PLIES + 2, MOST_MOVES)),
        ("lost", np.int64, (MOST_PLIES + 2, MOST_MOVES)),
        ("chain", np.int64, (MOST_PLIES + 2, LONGEST_CHAIN)),
        ("replies", np.int64, (LONGEST_CHAIN,)),
        ("marks", np.int64, (MOST_POINTS,)),
        ("marked", np.int64),
        ("refuted", np.uint64, (REFUTED,)),
    ],
    align=True,
)
"""What the search writes down: its limits and counts, the path from the game's past, and a row for every ply.

`endings` tells whether the endings of morris are to be looked up, `draws` whether the draws among them are believed.
"""

SEARCH_RECORD = from_dtype(SEARCH)
Search = Any
