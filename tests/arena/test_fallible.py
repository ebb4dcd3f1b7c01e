"""The experiment: what is played agrees with what can be expected, and nobody beats the bound."""

from math import sqrt

import pytest

from noughts.arena.fallible import POLICIES, Lore, expectation, experiment
from noughts.games import game


@pytest.fixture(scope="module")
def lore() -> Lore:
    return Lore(game("tictactoe"))


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("probability", [0.1, 0.5])
def test_the_games_played_agree_with_the_expectation(lore: Lore, policy: str, probability: float) -> None:
    found = experiment(lore, policy, probability, 2000, 7)
    start = lore.game.start()
    exact = (expectation(lore, policy, probability, 0, start) + expectation(lore, policy, probability, 1, start)) / 2
    assert abs(found.wins / found.games - exact) < 4 * sqrt(exact * (1 - exact) / found.games)
    assert found.losses == 0


@pytest.mark.parametrize("probability", [0.1, 0.3, 0.5])
@pytest.mark.parametrize("side", [0, 1])
def test_nobody_beats_the_bound(lore: Lore, probability: float, side: int) -> None:
    start = lore.game.start()
    bound = expectation(lore, "bound", probability, side, start)
    for policy in ("perfect", "knuth"):
        assert expectation(lore, policy, probability, side, start) <= bound + 1e-12


def test_against_a_perfect_opponent_nothing_is_won(lore: Lore) -> None:
    assert all(expectation(lore, policy, 0.0, 0, lore.game.start()) == 0 for policy in POLICIES)


def test_an_experiment_repeats(lore: Lore) -> None:
    assert experiment(lore, "knuth", 0.3, 300, 5) == experiment(lore, "knuth", 0.3, 300, 5)
    low, high = experiment(lore, "knuth", 0.3, 300, 5).win_rate
    assert 0 < low < high < 1
