"""Solutions, against the oracles' sweeps: value and remoteness of every reachable position; and known values.

Every reachable position is read and written here, too, so all of them are legal.
"""

import re
from functools import cache
from pathlib import Path
from random import Random

import pytest

from catalogue_names import ACHI
from noughts.games import PASS, Outcome, kind_of
from noughts.games import game as find_game
from noughts.solve import Solution, solve
from oracles import oracle
from oracles import solve as sweep

pytestmark = pytest.mark.slow

COMPARED = [
    "tictactoe",
    "mnk:3,3,2",
    "mnk:4,2,2",
    "mnk:5,2,3",
    "mnk:1,8,3",
    "arabian",
    "three-mens-morris",
    *ACHI,
]


@cache
def solution_of(name: str) -> Solution:
    """A solution, kept longer than `solve` keeps it."""
    return solve(find_game(name))


@pytest.mark.parametrize("name", COMPARED)
def test_every_reachable_position_has_the_oracles_value(name: str) -> None:
    game, slow = find_game(name), oracle(name)
    solution = solution_of(name)
    expected = sweep(slow)
    for state, (outcome, remoteness) in expected.items():
        text = slow.text(state)
        position = game.read(text)
        assert game.write(position) == text
        value = solution.value(position)
        assert (str(value.outcome), value.remoteness) == (outcome, remoteness), text
    if game.placing_only:
        assert sum(space.positions for space in solution.subspaces) == len(expected)


KNOWN = {
    "tictactoe": "draw in 9",
    "mnk:3,3,2": "win in 3",
    "mnk:4,3,3": "win in 7",  # published: the first player wins on any board larger than 3×3 with k = 3
    "mnk:4,4,3": "win in 5",
    "square4": "draw in 16",
    "three-mens-morris": "win in 9",
}


@pytest.mark.parametrize(("name", "value"), KNOWN.items())
def test_the_value_of_the_start(name: str, value: str) -> None:
    assert str(solution_of(name).value(find_game(name).start())) == value


def test_the_table_of_achi() -> None:
    """docs/games/achi.md gives the value of all 36 variants."""
    page = (Path(__file__).parents[2] / "docs/games/achi.md").read_text()
    rows = re.findall(r"^\| (\w+) \| (yes|no) \| (yes|no) \| (.*) \|$", page, re.M)
    assert len(rows) == 12
    for adjacency, placing, diagonals, values in rows:
        for blocked, value in zip(kind_of(find_game("achi")).options["blocked"], values.split(" | "), strict=True):
            options = f"adjacency={adjacency},row-while-placing={placing},diagonals={diagonals},blocked={blocked}"
            rules = find_game(f"achi:{options}")
            assert str(solution_of(rules.name).value(rules.start())) == value, rules.name


@pytest.mark.parametrize("name", ["tictactoe", "mnk:4,3,3", "square4", "achi", "arabian"])
def test_moves_come_best_first_and_the_first_has_the_positions_value(name: str) -> None:
    game = find_game(name)
    solution = solution_of(name)
    position = game.start()
    while moves := solution.moves(position):
        assert sorted(rated.move for rated in moves) == sorted(game.moves(position))
        order = [rated.value.preference() for rated in moves]
        assert order == sorted(order, reverse=True)
        assert moves[0].value == solution.value(position)
        if solution.value(position).outcome is Outcome.DRAW and not game.placing_only:
            break
        position = moves[0].position
    else:
        assert game.over(position) is not None


def test_symmetric_positions_of_square4_have_equal_values() -> None:
    """The solver knows nothing of symmetry, so it finds all 32 images of a position apart."""
    game, random = find_game("square4"), Random(4)
    solution = solution_of(game.name)
    most = 0
    for plies in [3, 5, 6, 7, 8, 9, 10, 11] * 5:
        position = game.start()
        for _ in range(plies):
            position = game.after(position, random.choice(game.moves(position) or [PASS]))
        images = game.images(position)
        most = max(most, len(images))
        assert len({solution.value(image) for image in images}) == 1
    assert most == 32
