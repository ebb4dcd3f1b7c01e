"""Bounded search: what it calls proved agrees with the solution, and what it cannot see it calls unknown."""

from random import Random

import pytest

from noughts.games import Position, game
from noughts.solve import TooLargeError, analyse, solvable, solve
from noughts.solve.lookahead import look_ahead


def random_position(name: str, seed: int, plies: int) -> Position:
    rules, random = game(name), Random(seed)
    position = rules.start()
    for _ in range(plies):
        moves = rules.moves(position)
        after = [rules.after(position, move) for move in moves]
        going_on = [then for then in after if rules.over(then) is None]
        if not going_on:
            break
        position = random.choice(going_on)
    return position


@pytest.mark.parametrize("name", ["tictactoe", "mnk:4,3,3", "square4", "achi", "arabian", "three-mens-morris"])
@pytest.mark.parametrize("budget", [500, 20_000, 200_000])
def test_proved_values_are_exact(name: str, budget: int) -> None:
    rules = game(name)
    solution = solve(rules)
    proved = 0
    for seed in range(12):
        position = random_position(name, seed, 3 + seed)
        exact = {rated.move: rated.value for rated in solution.moves(position)}
        for rated, _ in look_ahead(rules, position, budget):
            if rated.value.outcome != "unknown":
                proved += 1
                assert rated.value == exact[rated.move], rules.write(position)
    assert proved or budget == 500


def test_a_win_three_plies_away_is_seen_on_a_large_board() -> None:
    rules = game("mnk:6,6,4")
    answer = analyse(rules, rules.play("c3", "a1", "c4", "a2"))
    assert str(answer.value) == "win in 3"
    assert {rules.write_move(rated.move) for rated in answer.moves if rated.value == answer.value} == {
        "c2",
        "c5",
    }


def test_a_threat_on_qubic_must_be_met() -> None:
    rules = game("qubic")
    answer = analyse(rules, rules.play("1a1", "4d1", "1b1", "4d2", "1c1"))
    assert rules.write_move(answer.moves[0].move) == "1d1"
    assert answer.value.outcome == "unknown"
    assert {str(rated.value) for rated in answer.moves[1:]} == {"loss in 2"}


def test_an_opening_beyond_reach_is_unknown() -> None:
    for name in ("mnk:6,6,5", "six-mens-morris"):
        rules = game(name)
        assert not solvable(rules)
        assert analyse(rules, rules.start()).value.outcome == "unknown"


def test_the_last_cells_of_a_large_board_are_exact() -> None:
    """Three empty cells of a 5×5 board where nobody can make five any more: a draw, and known to be one."""
    rules = game("mnk:5,5,5")
    position = rules.read("XOXOX/OXOXO/OXOXO/XOXOX/XO...")
    answer = analyse(rules, position)
    assert str(answer.value) == "draw in 3"


def test_large_games_are_not_solved() -> None:
    with pytest.raises(TooLargeError, match=r"qubic is too large.*expected a placing game of at most 20 cells"):
        solve(game("qubic"))
