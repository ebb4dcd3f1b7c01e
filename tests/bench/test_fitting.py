"""The fitting of the ladder: curves that are known are found again, and steps on them are even."""

import json
from collections.abc import Sequence
from math import isclose
from pathlib import Path

import numpy as np
import pytest

from noughts.bench.ladder import GRID, STEP, Pairing, curve, even_steps, fit, measure, table
from noughts.players.ladder import RUNGS, SKILLS

pytestmark = pytest.mark.slow

DOCS = Path(__file__).parents[2] / "docs"
MANY = 1_000_000


def results(ratings: Sequence[float], reach: int) -> list[Pairing]:
    """What players with these ratings would score against those near them, in very many games."""
    found = []
    for low in range(len(GRID)):
        for high in range(low + 1, min(low + reach, len(GRID) - 1) + 1):
            points = 1 / (1 + 10 ** ((ratings[low] - ratings[high]) / 400))
            wins = round(MANY * points)
            found.append(Pairing(GRID[low], GRID[high], wins, 0, MANY - wins))
    return found


@pytest.mark.parametrize("reach", [1, 2])
def test_the_curve_behind_the_results_is_found(reach: int) -> None:
    ratings = [0, 90, 160, 161, 300, 420, 500, 580, 600, 640, 700, 800, 950]
    assert np.abs(curve(results(ratings, reach)) - ratings).max() < 0.5


def test_pairs_between_the_skills_of_the_grid_count_in_proportion() -> None:
    """Ten points of eleven between 0.25 and 0.65: 400 of rating over a step and six tenths, and nothing beyond."""
    found = curve([Pairing(0.25, 0.65, 10 * MANY, 0, MANY)], [0, 0.25, 0.5, 0.75, 1])
    assert isclose(found[2] - found[1] + 0.6 * (found[3] - found[2]), 400, abs_tol=0.1)
    assert found[1] == 0
    assert found[4] == found[3]


def test_the_curve_never_falls() -> None:
    ratings = [0, 100, 50, 150, 150, 150, 100, 300, 300, 310, 320, 330, 340]
    assert (np.diff(curve(results(ratings, 2))) >= 0).all()


def test_steps_are_even_and_as_long_as_allowed() -> None:
    straight = np.array(GRID)
    assert np.allclose(even_steps(2_000 * straight), [rung * STEP / 2_000 for rung in range(RUNGS)], atol=1e-3)
    assert np.allclose(even_steps(70 * straight), np.linspace(0, 1, RUNGS), atol=1e-3)


@pytest.mark.parametrize("ratings", [[0, 70, 70, *range(70, 140, 7)], [0] * 13, [*range(12), 11]])
def test_levels_differ_even_where_the_curve_does_not_rise(ratings: list[int]) -> None:
    found = even_steps(np.array(ratings, float))
    assert found == sorted(found)
    assert len(set(found)) == RUNGS
    assert found[-1] == 1


def test_the_margin_is_that_of_a_binomial_and_less_with_draws() -> None:
    assert isclose(Pairing(0, 1, 50, 0, 50).margin, 0.098, abs_tol=1e-3)
    assert isclose(Pairing(0, 1, 25, 50, 25).margin, 0.098 / 2**0.5, abs_tol=1e-3)
    assert Pairing(0, 1, 100, 0, 0).margin > 0


def test_a_fit_is_the_same_with_one_process_and_with_two(tmp_path: Path) -> None:
    file = tmp_path / "skills.json"
    file.write_text('{"other": {"skills": []}}')
    said: list[str] = []
    found = fit(["tictactoe"], 20, 2, file=file, say=said.append)
    assert fit(["tictactoe"], 20, 1)["tictactoe"] == found["tictactoe"]
    assert json.loads(file.read_text()) == found
    assert set(found) == {"other", "tictactoe"}, "what is known of other games stays"
    row = found["tictactoe"]
    assert row["skills"] == sorted(set(row["skills"]))
    assert len(row["points"]) == len(row["margins"]) == RUNGS - 1
    assert len(said) == 3


def test_a_measurement_that_is_interrupted_gives_what_it_has() -> None:
    def tell(done: int, total: int) -> None:
        assert total == 14 * (RUNGS - 1) // 2
        if done == 10:
            raise KeyboardInterrupt

    found = measure(["tictactoe"], 14, 1, progress=tell)
    name, pairings = next(found)
    assert name == "tictactoe"
    assert sum(one.games for one in pairings) == 20
    with pytest.raises(KeyboardInterrupt):
        next(found)


def test_the_table_in_the_docs_is_what_was_measured() -> None:
    assert table(json.loads(SKILLS.read_text("utf-8"))) in (DOCS / "players.md").read_text("utf-8")
