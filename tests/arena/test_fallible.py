"""The experiment: what is played agrees with what can be expected, and nobody beats the bound."""

from math import sqrt

import pytest

from noughts.arena.fallible import POLICIES, Memory, expectation, experiment
from noughts.games import game


@pytest.fixture(scope="module")
def memory() -> Memory:
    return Memory(game("tictactoe"))


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("probability", [0.1, 0.5])
def test_the_games_played_agree_with_the_expectation(memory: Memory, policy: str, probability: float) -> None:
    found = experiment(memory, policy, probability, 2000, 7)
    start = memory.game.start()
    exact = (
        expectation(memory, policy, probability, 0, start) + expectation(memory, policy, probability, 1, start)
    ) / 2
    assert abs(found.wins / found.games - exact) < 4 * sqrt(exact * (1 - exact) / found.games)
    assert found.losses == 0


@pytest.mark.parametrize("probability", [0.1, 0.3, 0.5])
@pytest.mark.parametrize("side", [0, 1])
def test_nobody_beats_the_bound(memory: Memory, probability: float, side: int) -> None:
    start = memory.game.start()
    bound = expectation(memory, "bound", probability, side, start)
    for policy in ("perfect", "knuth"):
        assert expectation(memory, policy, probability, side, start) <= bound + 1e-12


def test_against_a_perfect_opponent_nothing_is_won(memory: Memory) -> None:
    assert all(expectation(memory, policy, 0.0, 0, memory.game.start()) == 0 for policy in POLICIES)


def test_an_experiment_repeats(memory: Memory) -> None:
    assert experiment(memory, "knuth", 0.3, 300, 5) == experiment(memory, "knuth", 0.3, 300, 5)
    low, high = experiment(memory, "knuth", 0.3, 300, 5).win_rate
    assert 0 < low < high < 1
