"""Environments for two agents: PettingZoo's own tests for every game, and the oracle of the rules beside every step."""

import copy
import pickle
import warnings
from collections import Counter
from functools import partial
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test
from pettingzoo.test.state_test import test_state as state_of
from pettingzoo.test.state_test import test_state_space as state_space_of

import noughts.rl
from catalogue_names import ACHI, EVERY, MORRIS, PLACING
from noughts.games import (
    Game,
    IllegalMoveError,
    IllegalPositionError,
    NotationError,
    NoughtsError,
    Position,
    UnknownGameError,
    game,
)
from noughts.games.layout import grid
from noughts.games.rules import Blocked, Movement, Rules
from noughts.rl.actions import UnknownActionError
from oracles.base import State, opponent
from oracles.rules import oracle
from oracles.values import solve

AGENTS = {"x": "player_1", "o": "player_2"}
WORTH = {"win": 1, "draw": 0, "loss": -1}
THOROUGHLY = ["tictactoe", "mnk:5,2,2", "arabian", "three-mens-morris", "achi", ACHI[-1]]
EXPECTED = (
    "Observation is not a NumPy array",  # but a dictionary, as with their own board games, which they know by name
    "Observation space for each agent probably should be",
    "Observation numpy array is all zeros",  # the empty board
    "Observation has more than 3 dimensions",  # Qubic has a dimension more than others
    "Action mask is a single number",
)


def made(name: str, **options: Any) -> Any:
    """Solving all 36 sorts of achi would take most of the time, and shows nothing that solving two does not."""
    return noughts.rl.env(name, exact=None if name in THOROUGHLY else False, **options)


def played(env: Any, *actions: int) -> Any:
    env.reset()
    for action in actions:
        env.step(action)
    return env


def expected(found: list[warnings.WarningMessage]) -> None:
    unexpected = [str(one.message) for one in found if not str(one.message).startswith(EXPECTED)]
    assert unexpected == []


@pytest.mark.parametrize("name", EVERY)
def test_every_game_passes_the_test_of_the_interface(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        api_test(made(name), num_cycles=60 if name in THOROUGHLY else 6)
    expected(found)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("name", EVERY)
def test_every_game_passes_the_tests_of_seeds_and_of_the_state(name: str) -> None:
    seed_test(lambda: made(name), num_cycles=30 if name in THOROUGHLY else 4)
    env = made(name)
    with warnings.catch_warnings(record=True):
        state_space_of(env)
        state_of(env, num_cycles=2)


@pytest.mark.parametrize("name", [*PLACING, "arabian", "three-mens-morris", "achi", *MORRIS])
def test_every_board_passes_the_test_of_rendering(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    whole = {"svg": lambda picture: picture.startswith("<svg") and picture.endswith("</svg>\n")}
    render_test(partial(made, name), whole)
    assert "to move" in capsys.readouterr().out


def test_the_benchmark_of_pettingzoo_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """It takes five seconds of the clock; here they are a few looks at it."""
    clock = iter(range(10_000))
    monkeypatch.setattr("time.time", lambda: next(clock))
    performance_benchmark(noughts.rl.env("arabian"))
    assert "turns per second" in capsys.readouterr().out


@pytest.mark.parametrize("name", [name for name in EVERY if name not in ACHI[1::3]])
def test_play_at_random_is_what_the_oracle_of_the_rules_says_at_every_step(name: str) -> None:
    judge, random = oracle(name), Random(5)
    env = made(name).unwrapped
    for _ in range(4 if name in THOROUGHLY else 1):
        env.reset()
        state = judge.start()
        seen: Counter[State] = Counter()
        while True:
            agent = env.agent_selection
            seen[state] += 1
            assert env.game.write(env.playing.position) == judge.text(state)
            repeated = not judge.placing_only and seen[state] == 3
            end = "draw" if repeated else judge.over(state)
            assert env.terminations == dict.fromkeys(env.agents, end is not None)
            assert agent == AGENTS[state.turn]
            mask = env.observe(agent)["action_mask"]
            assert not env.observe(AGENTS[opponent(state.turn)])["action_mask"].any()
            if end is not None:
                loss = -1 if end == "loss" else 0
                assert env.rewards == {agent: loss, AGENTS[opponent(state.turn)]: -loss}
                assert not mask.any()
                break
            assert not any(env.rewards.values())
            assert {env.actions.names[action] for action in np.flatnonzero(mask)} == set(judge.moves(state))
            action = random.choice(np.flatnonzero(mask).tolist())
            state = judge.play(state, env.actions.names[action])
            env.step(action)


@settings(max_examples=40, deadline=None)
@given(choices=st.lists(st.integers(0, 8), max_size=9))
def test_any_actions_at_all_end_in_rewards_that_fit_what_was_played(choices: list[int]) -> None:
    """An illegal move costs its maker 1 and gives the other nothing; everything else is the rules' business."""
    env = noughts.rl.env("tictactoe")
    env.reset()
    judge = oracle("tictactoe")
    state = judge.start()
    for action in choices:
        agent, move = env.agent_selection, judge.names[action]
        env.step(action)
        other = AGENTS[opponent(state.turn)]
        if move not in judge.moves(state):
            assert env.rewards == {agent: -1, other: 0}
            assert all(env.terminations.values())
            return
        state = judge.play(state, move)
        end = judge.over(state)
        assert env.rewards == ({agent: 1, other: -1} if end == "loss" else {agent: 0, other: 0})
        if end:
            return


def test_a_position_for_the_third_time_is_a_draw() -> None:
    env = played(noughts.rl.raw_env("arabian"))
    moves = ["a1", "b1", "b3", "a3", "c2", "c3"] + ["a1-a2", "b1-c1", "a2-a1", "c1-b1"] * 2
    for move in moves[:-1]:
        env.step(env.actions.names.index(move))
    assert not any(env.terminations.values())
    env.step(env.actions.names.index(moves[-1]))
    assert env.terminations == {"player_1": True, "player_2": True}
    assert env.rewards == {"player_1": 0, "player_2": 0}
    assert not any(env.truncations.values())


def test_a_game_with_moving_stones_is_cut_off_in_the_end() -> None:
    env = played(noughts.rl.env("arabian", max_cycles=2), 0, 1, 4)
    assert not any(env.truncations.values())
    env.step(8)
    assert env.truncations == {"player_1": True, "player_2": True}
    assert not any(env.terminations.values())
    assert env.rewards == {"player_1": 0, "player_2": 0}
    assert not env.observe("player_1")["action_mask"].any()
    assert env.infos["player_1"]["optimal_actions"] == ()
    assert env.infos["player_1"]["value"] == noughts.rl.value("arabian", "XO./.X./..O x 1,1")
    assert noughts.rl.raw_env("nine-mens-morris").max_cycles == 250
    assert all(noughts.rl.raw_env(name).max_cycles is None for name in PLACING)


def test_infos_say_exactly_how_things_stand() -> None:
    env = played(noughts.rl.raw_env("tictactoe"), 0)
    assert env.infos == {
        "player_1": {"value": 0, "remoteness": 8, "optimal_actions": (), "regret": 0},
        "player_2": {"value": 0, "remoteness": 8, "optimal_actions": (4,)},
    }
    env.step(1)
    assert env.infos["player_1"]["value"] == 1
    assert env.infos["player_2"] == {"value": -1, "remoteness": 5, "optimal_actions": (), "regret": 1}
    assert env.infos["player_1"]["regret"] == 0


@pytest.mark.parametrize("name", ["tictactoe", "arabian"])
def test_infos_are_what_the_oracle_of_values_says_at_every_step(name: str) -> None:
    """Where stones move, a move to a position that came up twice before is worth a draw."""
    judge, random, env = oracle(name), Random(8), noughts.rl.raw_env(name)
    values = solve(judge)
    repeated = 0
    for _ in range(12):
        env.reset()
        state = judge.start()
        seen = Counter([state])
        regrets: dict[str, int | None] = dict.fromkeys(AGENTS.values())
        while not any(env.terminations.values()):
            agent, other = AGENTS[state.turn], AGENTS[opponent(state.turn)]
            after = {move: judge.play(state, move) for move in judge.moves(state)}
            again = {move for move, to in after.items() if not judge.placing_only and seen[to] == 2}
            worth = {move: 0 if move in again else -WORTH[values[to][0]] for move, to in after.items()}
            best = max(worth.values())
            repeated += bool(again)
            assert (env.infos[agent]["value"], env.infos[other]["value"]) == (best, -best)
            told = {env.actions.names[action] for action in env.infos[agent]["optimal_actions"]}
            assert told == {move for move in worth if worth[move] == best}
            assert env.infos[other]["optimal_actions"] == ()
            assert {one: env.infos[one].get("regret") for one in regrets} == regrets
            move = max(worth, key=worth.__getitem__) if random.random() < 0.8 else random.choice(list(worth))
            regrets[agent] = best - worth[move]
            state = after[move]
            seen[state] += 1
            env.step(env.actions.names.index(move))
        assert {one: env.infos[one]["value"] for one in env.agents} == env.rewards
    assert (repeated > 0) == (not judge.placing_only)


def test_at_the_end_the_value_is_the_reward() -> None:
    env = played(noughts.rl.raw_env("tictactoe"), 0, 3, 1, 4, 2)
    assert env.infos == {
        "player_1": {"value": 1, "remoteness": 0, "optimal_actions": (), "regret": 0},
        "player_2": {"value": -1, "remoteness": 0, "optimal_actions": (), "regret": 0},
    }


def test_infos_and_the_text_of_the_board_tell_of_an_illegal_move() -> None:
    """After the corner X has a draw; whoever wins and plays illegally gives away all there is."""
    env = played(noughts.rl.env("tictactoe", render_mode="ansi"), 0, 1, 0)
    assert env.rewards == {"player_1": -1, "player_2": 0}
    assert env.infos == {
        "player_1": {"value": -1, "remoteness": 0, "optimal_actions": (), "regret": 2},
        "player_2": {"value": 0, "remoteness": 0, "optimal_actions": (), "regret": 1},
    }
    assert "player_1 (x) loses by an illegal move" in env.render()
    env.reset()
    assert "player_1 (x) to move" in env.render()


def test_a_wrapper_that_reads_what_others_read_finds_the_rewards_of_whoever_moved() -> None:
    """As PettingZoo's own tutorials for Stable-Baselines and RLlib do: after a step they read what it brought."""
    env = played(noughts.rl.env("tictactoe"), 0, 3, 1, 4)
    mover = env.agent_selection
    env.step(2)
    assert (env._cumulative_rewards[mover], env.terminations[mover], env.truncations[mover]) == (1, True, False)


def test_infos_are_empty_where_that_would_take_time_unless_one_asks() -> None:
    assert played(noughts.rl.raw_env("square4"), 0).infos == {"player_1": {}, "player_2": {}}
    assert played(noughts.rl.raw_env("tictactoe", exact=False), 0).infos == {"player_1": {}, "player_2": {}}
    assert played(noughts.rl.raw_env("mnk:7,7,5", exact=True), 0).infos == {"player_1": {}, "player_2": {}}


def test_a_draw_without_end_has_no_remoteness() -> None:
    assert set(played(noughts.rl.raw_env("arabian"), 4).infos["player_2"]) == {"value", "optimal_actions"}


def test_a_copy_goes_on_by_itself_and_so_does_a_pickle() -> None:
    env = played(noughts.rl.env("achi"), 4, 0)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert (other.state() == env.state()).all()
        other.step(8)
        assert other.state()[..., 0].sum() == env.state()[..., 0].sum() + 1


def test_a_game_can_begin_at_another_position() -> None:
    env = noughts.rl.env("tictactoe")
    env.reset(options={"position": "XO./.X./..."})
    assert env.agent_selection == "player_2"
    assert env.infos["player_2"]["value"] == -1
    seen = env.state()
    for same in (env.unwrapped.playing.position, noughts.board("tictactoe", "XO./.X./...")):
        env.reset(options={"position": same})
        assert (env.state() == seen).all()
    with pytest.raises(IllegalPositionError, match="no game begins at 'XXX/OO"):
        env.reset(options={"position": "XXX/OO./..."})
    with pytest.raises(IllegalPositionError, match="a position of another game, not of tictactoe"):
        env.reset(options={"position": game("achi").start()})
    with pytest.raises(IllegalPositionError, match="is not a legal position"):
        env.reset(options={"position": Position((3, 0), (3, 4), 1)})
    with pytest.raises(NotationError, match="3 is no position of tictactoe: expected a Position, a Board or"):
        env.reset(options={"position": 3})


def test_what_is_wrong_is_said_in_one_line() -> None:
    env = played(noughts.rl.raw_env("tictactoe"), 4)
    with pytest.raises(IllegalMoveError, match="action 4, 'b2', is not legal at "):
        env.step(4)
    with pytest.raises(UnknownActionError, match="9 is no action of tictactoe: expected a number from 0 to 8"):
        env.step(9)
    with pytest.raises(IllegalMoveError, match="player_2 is to move"):
        env.step(None)
    for unknown in ("chess", None, 5):
        with pytest.raises(UnknownGameError, match="is not a game: expected one of"):
            noughts.rl.env(unknown)  # type: ignore[arg-type]
    with pytest.raises(NoughtsError, match="'film' is no render mode: expected one of human, ansi, svg, rgb_array"):
        noughts.rl.env(render_mode="film")
    for limit in (0, 2.5, "3"):
        with pytest.raises(NoughtsError, match=f"max_cycles is {limit!r}: expected a whole number, at least 1"):
            noughts.rl.env(max_cycles=limit)  # type: ignore[arg-type]


def test_the_numbers_of_points_are_those_of_the_board_seen() -> None:
    """Action 1 is b1, to the right of a1: PettingZoo's own tic-tac-toe counts downwards."""
    seen = played(noughts.rl.raw_env("tictactoe"), 1).observe("player_1")["observation"]
    assert seen[0, 1, 0] == 1
    assert game("tictactoe").layout.points[1] == "b1"


def test_a_game_of_ones_own_is_an_environment_too() -> None:
    """Rules that no game of the catalogue has: two stones each on a strip of five, which slide; two in a row win."""
    strip = grid(5, 1, 2, adjacency="orthogonal")
    own = Game("strip", strip, Rules((2, 2), Movement.SLIDE, Blocked.PASSES), "two in a row win", "Strip")
    env = noughts.rl.env(own)
    with warnings.catch_warnings(record=True):
        api_test(env, num_cycles=20)
    assert env.action_space("player_1").n == 5 + 2 * 4 + 1
    played(env, 0, 1)
    assert env.infos["player_1"]["value"] == noughts.rl.value(own, "XO... x 1,1")
