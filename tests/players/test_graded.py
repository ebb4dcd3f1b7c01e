"""The graded opponents: the rates they state, and an order of strength."""

from itertools import pairwise
from math import sqrt

import pytest

from noughts.arena import play_match
from noughts.games import game
from noughts.players import PLAYERS, player
from noughts.players.graded import Graded
from noughts.solve import solve

GRADES = ["novice", "casual", "strong"]
TRIES = 2_000
RULES = game("tictactoe")


def kind(name: str) -> type[Graded]:
    found = PLAYERS[name]
    assert issubclass(found, Graded)
    return found


def rate(name: str, text: str, good: set[str]) -> float:
    """How often a player chooses one of these moves."""
    position = RULES.read(text)
    grade = player(name, 5)
    return sum(RULES.write_move(grade.choose(RULES, position).move) in good for _ in range(TRIES)) / TRIES


def near(seen: float, expected: float) -> bool:
    """Within four standard deviations."""
    return abs(seen - expected) <= 4 * sqrt(max(expected * (1 - expected), 1e-9) / TRIES) + 1e-9


@pytest.mark.parametrize("name", GRADES)
def test_a_win_in_one_is_taken_at_the_stated_rate(name: str) -> None:
    assert near(rate(name, "XX./OO./...", {"c1"}), kind(name).sees_win)


@pytest.mark.parametrize("name", GRADES)
def test_a_threat_is_parried_at_the_stated_rate(name: str) -> None:
    """Unseen threats are parried too, by the best move or by luck: one free place in six."""
    grade = kind(name)
    lucky = (1 - grade.sees_threat) * ((1 - grade.errs) + grade.errs / 6)
    assert near(rate(name, "XX./.../O..", {"c1"}), grade.sees_threat + lucky)


@pytest.mark.parametrize("name", GRADES)
def test_without_either_a_bad_move_is_as_frequent_as_stated(name: str) -> None:
    """After a corner only the centre holds: the other seven places lose."""
    moves = solve(RULES).moves(RULES.read("X../.../..."))
    assert [str(rated.value) for rated in moves].count("draw in 8") == 1
    wrong = 1 - rate(name, "X../.../...", {"b2"})
    assert near(wrong, kind(name).errs * 7 / 8)


def test_strength_grows() -> None:
    order = ["random", *GRADES, "perfect"]
    for weaker, stronger in pairwise(order):
        match = play_match(RULES, (stronger, weaker), 400, 3)
        assert match.wins - match.losses > 0, (stronger, weaker)
        assert match.win_rate[0] > match.loss_rate[0]


def test_every_rate_grows_with_strength() -> None:
    rates = [(kind(name).sees_win, kind(name).sees_threat, -kind(name).errs) for name in GRADES]
    assert rates == sorted(rates)
    assert all(len(set(column)) == 3 for column in zip(*rates, strict=True))
