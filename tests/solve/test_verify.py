"""The forward check passes on everything that is solved here, and finds a single wrong value."""

import numpy as np
import pytest

from catalogue_names import ACHI
from noughts.games import Outcome, game
from noughts.solve import Value, solve
from noughts.solve.moving import MovingSolution, solve_moving
from noughts.solve.placing import ILLEGAL, PlacingSolution, solve_placing
from noughts.solve.verify import verify

pytestmark = pytest.mark.slow

SOLVED = [
    "tictactoe",
    "mnk:4,3,3",
    "mnk:4,4,3",
    "mnk:5,3,3",
    "mnk:7,2,2",
    "square4",
    "arabian",
    *ACHI[::5],  # all variants are compared with an oracle elsewhere
]


@pytest.mark.parametrize("name", SOLVED)
def test_every_value_follows_from_its_successors(name: str) -> None:
    solution = solve(game(name))
    checked, wrong = verify(solution)
    assert wrong is None
    assert checked == sum(space.positions for space in solution.subspaces) > 100


def test_square4_has_9722011_positions_in_10165779_slots() -> None:
    spaces = solve(game("square4")).subspaces
    assert sum(space.slots for space in spaces) == 10_165_779
    assert sum(space.positions for space in spaces) == 9_722_011


@pytest.mark.parametrize("name", ["tictactoe", "mnk:5,3,3"])
@pytest.mark.parametrize("seed", range(5))
def test_one_wrong_byte_is_found(name: str, seed: int) -> None:
    solution = solve_placing(game(name))
    assert isinstance(solution, PlacingSolution)
    legal = np.flatnonzero(solution.scores != ILLEGAL)
    slot = np.random.default_rng(seed).choice(legal)
    solution.scores[slot] = 0 if solution.scores[slot] else -98
    _, wrong = verify(solution)
    assert wrong is not None
    assert wrong.stored != wrong.expected


def test_one_wrong_value_of_a_moving_game_is_found() -> None:
    right = solve_moving(game("achi"))
    values = {position: right.value(position) for position in right.positions()}
    lost = next(position for position, value in values.items() if value.remoteness == 4)
    values[lost] = Value(Outcome.LOSS, 6)
    _, wrong = verify(MovingSolution(game("achi"), values, 0.0))
    assert wrong is not None
