"""The sweep of line 220: its settings, its users, and the games it counts."""

from typing import Any

import numpy as np
import pytest

from noughts.arena.beat_kernel import Numbers, arrays
from noughts.bench.line220 import LISTED, Machine, Setting, against_user, duel, every_setting, users_box
from noughts.players import player
from noughts.players.basic1977 import Basic1977
from noughts.players.listing1977 import COMBINATIONS

pytestmark = pytest.mark.slow


def machine(name: str) -> Machine:
    found = player(name)
    assert isinstance(found, Basic1977)
    return arrays(found.decision)


def test_every_setting_counts_other_combinations() -> None:
    settings = every_setting()
    plain = {tuple(setting.counted) for setting in settings if not setting.harder}
    assert len(settings) == 2 * len(plain) == 2 * 11_604
    assert set(LISTED.values()) - {"basic3", "basicf"} <= set(settings)
    for setting in settings[::997]:
        found = player(setting.player)
        assert isinstance(found, Basic1977)
        assert [number + 1 for number, counts in enumerate(found.decision.counted) if counts] == list(setting.counted)
    assert [Setting(*numbers).where for numbers in ((1, 40, 1), (41, 76, 1), (40, 41, 1))] == [
        "up to 40",
        "above 40",
        "both",
    ]


def totals_of(worth: Numbers) -> Numbers:
    return np.array([sum(worth[box] for box in line) for line in COMBINATIONS])


@pytest.mark.parametrize("careful", [False, True])
def test_a_user_fills_his_row_and_parries_the_machines(careful: bool) -> None:
    worth = np.zeros(64, np.int64)
    worth[[0, 1, 2]] = 5
    assert users_box(worth, totals_of(worth), careful) == 3
    worth[[16, 17, 18]] = 1
    assert users_box(worth, totals_of(worth), careful) == 19


def test_a_careful_user_takes_a_box_of_seven_combinations_and_a_careless_one_any() -> None:
    worth = np.zeros(64, np.int64)
    boxes = {careful: {users_box(worth, totals_of(worth), careful) for _ in range(200)} for careful in (True, False)}
    assert boxes[True] == {0, 3, 12, 15, 21, 22, 25, 26, 37, 38, 41, 42, 48, 51, 60, 63}
    assert len(boxes[False]) > 40


def test_counting_more_combinations_pays() -> None:
    """What the sweep finds, in small; in Python, since compiling takes longer."""
    play: Any = against_user
    names = ["basic2", "basic2:from=1,step=1"]
    few, many = (play.py_func(*machine(name), 40, 3, False) for name in names)
    assert few[0] + few[1] / 2 < many[0] + many[1] / 2


def test_a_machine_takes_half_of_the_points_from_itself_and_fewer_from_a_better_one() -> None:
    play: Any = duel
    two, three = machine("basic2"), machine("basic3")
    assert play.py_func(two, two, 6, 1) == 6
    assert play.py_func(two, three, 6, 1) + play.py_func(three, two, 6, 1) == 12
    assert play.py_func(two, three, 6, 1) < 6
