"""Values, optimal actions and regret, against an oracle that shares nothing with the solver."""

import pytest

import noughts.rl
from noughts.games import IllegalMoveError, game
from noughts.rl.actions import actions
from noughts.rl.exact_values import exact
from oracles.rules import oracle
from oracles.values import solve

WORTH = {"win": 1, "draw": 0, "loss": -1}


@pytest.mark.parametrize("name", ["tictactoe", "three-mens-morris"])
def test_every_position_has_the_values_regrets_and_optimal_actions_of_the_oracle(name: str) -> None:
    of, judge = game(name), oracle(name)
    names = actions(of).names
    values = solve(judge)
    for state, (worth, remoteness) in list(values.items())[:: 1 if name == "tictactoe" else 4]:
        position = of.read(judge.text(state))
        found = exact(of, position)
        assert found is not None
        assert (found.value, found.remoteness) == (WORTH[worth], remoteness)
        after = {move: -WORTH[values[judge.play(state, move)][0]] for move in judge.moves(state)}
        assert {names[action]: worth for action, worth in found.values.items()} == after
        kept = {move for move, worth in after.items() if worth == found.value}
        assert {names[action] for action in found.optimal_actions} == kept
        for action in found.values:
            assert noughts.rl.regret(of, position, action) == found.value - after[names[action]]


def test_games_and_positions_may_be_given_as_text() -> None:
    assert noughts.rl.value("tictactoe") == 0
    assert noughts.rl.value("achi") == 1
    assert noughts.rl.value("tictactoe", "XO./.../...") == 1
    assert noughts.rl.value("tictactoe", noughts.board("tictactoe", moves="a1 b1")) == 1
    assert noughts.rl.optimal_actions("tictactoe", "X../.../...") == (4,)
    assert noughts.rl.regret("tictactoe", "X../.../...", 4) == 0
    assert noughts.rl.regret("tictactoe", "X../.../...", 1) == 1
    assert noughts.rl.regret("tictactoe", "XX./OO./...", 8) == 2


def test_what_nobody_knows_at_sight_is_none() -> None:
    assert noughts.rl.value("mnk:7,7,5") is None
    assert noughts.rl.optimal_actions("mnk:7,7,5") is None
    assert noughts.rl.regret("mnk:7,7,5", None, 0) is None


def test_the_regret_of_an_illegal_move_is_refused() -> None:
    with pytest.raises(IllegalMoveError, match="action 0, 'a1', is not legal"):
        noughts.rl.regret("tictactoe", "X../.../...", 0)


def test_a_move_that_repeats_for_the_third_time_is_worth_a_draw() -> None:
    """The start of three men's morris is won; here the positions after the winning moves were there twice before."""
    of = game("three-mens-morris")
    start = of.start()
    fresh = exact(of, start)
    assert fresh is not None
    assert fresh.value == 1
    numbered = actions(of)
    twice = [of.after(start, numbered.moves[action]) for action in fresh.optimal_actions] * 2
    tired = exact(of, start, twice)
    assert tired is not None
    assert (tired.value, tired.remoteness) == (0, None)
    assert set(fresh.optimal_actions) <= set(tired.optimal_actions)
    assert exact(of, start, twice[: len(twice) // 2]) == fresh


def test_what_is_told_is_the_askers_own() -> None:
    found = exact("tictactoe")
    assert found is not None
    found.values[0] = 5
    again = exact("tictactoe")
    assert again is not None
    assert again.values[0] == 0


def test_a_finished_game_has_a_value_and_no_actions() -> None:
    found = exact("tictactoe", "XXX/OO./...")
    assert found is not None
    assert (found.value, found.remoteness, found.optimal_actions) == (-1, 0, ())
