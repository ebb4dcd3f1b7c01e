"""Environments for one agent: Gymnasium's own checks, seeds, opponents, and the registries."""

import subprocess
import sys
import warnings
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import noughts.rl
from catalogue_names import MORRIS
from noughts.extras import MissingExtraError
from noughts.games import KINDS, Game, NoughtsError, Position
from noughts.players import CannotPlayError, Choice, Player, UnknownPlayerError
from noughts.rl.actions import UnknownActionError


def games(env: Any, count: int, seed: int, choose: Any = min) -> list[tuple[Any, ...]]:
    """Games against the opponent, told move by move."""
    told = []
    for number in range(count):
        _, info = env.reset(seed=seed if number == 0 else None)
        ended, reward = False, 0.0
        while not ended:
            action = choose(info.get("optimal_actions") or np.flatnonzero(env.unwrapped.action_masks()).tolist())
            _, reward, terminated, truncated, info = env.step(action)
            ended = terminated or truncated
        told.append((env.unwrapped.agent, reward, env.unwrapped._env.playing.moves))
    return told


@pytest.mark.parametrize("name", ["tictactoe", "square4", "qubic", "mnk:9,9,5", "arabian", "achi", *MORRIS])
@pytest.mark.parametrize("side", ["x", "o"])
def test_every_board_passes_the_checks_of_gymnasium(name: str, side: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(noughts.rl.single(name, "random", side, render_mode="ansi"), skip_render_check=True)


def test_all_ways_to_show_a_board_pass_the_checks_of_gymnasium(capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make("noughts/achi-v0", opponent="random", render_mode="rgb_array").unwrapped)
    assert "to move" in capsys.readouterr().out


def test_the_same_seed_is_the_same_games_and_another_seed_others() -> None:
    once, again, others = (games(noughts.rl.single(opponent="casual", side="random"), 6, seed) for seed in (1, 1, 2))
    assert once == again
    assert once != others
    assert {agent for agent, _, _ in once} == {"player_1", "player_2"}


def test_perfect_never_loses_to_an_agent_that_takes_any_optimal_action_nor_wins() -> None:
    told = games(noughts.rl.single(opponent="perfect", side="random"), 8, 3, choose=max)
    assert {reward for _, reward, _ in told} == {0.0}


def test_rewards_are_the_agents_own_on_both_sides() -> None:
    for side in "xo":
        told = games(noughts.rl.single("three-mens-morris", "random", side), 5, 4)
        assert max(reward for _, reward, _ in told) == 1.0


def test_an_illegal_move_ends_the_game_with_minus_one() -> None:
    env = noughts.rl.single(opponent="random")
    env.reset(seed=1)
    env.step(4)
    observation, reward, terminated, truncated, info = env.step(4)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert (info["value"], info["optimal_actions"]) == (-1, ())
    assert info["regret"] > 0
    assert not observation["action_mask"].any()


def test_a_step_needs_a_game_that_goes_on_and_a_number_that_is_an_action() -> None:
    env = noughts.rl.single(opponent="random")
    with pytest.raises(ResetNeeded, match="no game is going on: expected a reset before this step"):
        env.step(4)
    games(env, 1, 1)
    with pytest.raises(ResetNeeded):
        env.step(4)
    env.reset()
    for wrong in (9, -1, 2.5, "4", None):
        with pytest.raises(UnknownActionError, match="is no action of tictactoe: expected a number from 0 to 8"):
            env.step(wrong)  # type: ignore[arg-type]


def test_a_player_of_ones_own_is_an_opponent_and_plays_by_the_seed() -> None:
    class Wild(Player):
        name = "wild"

        def choose(self, game: Game, position: Position) -> Choice:
            return Choice(self.random.choice(game.moves(position)))

    own = Wild(7)
    once, again, others = (games(noughts.rl.single(opponent=own, side="o"), 3, seed) for seed in (1, 1, 2))
    assert once == again
    assert once != others
    assert own.random.getstate() == Wild(7).random.getstate()


def test_the_masks_are_those_of_the_observation() -> None:
    env = noughts.rl.single("achi", "random", "o")
    observation, _ = env.reset(seed=5)
    assert env.action_masks().dtype == np.bool_
    assert (env.action_masks() == observation["action_mask"]).all()
    assert env.action_masks().sum() == 8


def test_masks_are_reached_through_wrappers() -> None:
    """That is how sb3-contrib asks for them."""
    env = gymnasium.make("noughts/tictactoe-v0", opponent="random")
    env.reset(seed=1)
    assert env.get_wrapper_attr("action_masks")().sum() == 9


def test_many_at_once_are_stepped_where_only_some_know_how_far_the_end_is() -> None:
    many = gymnasium.make_vec("noughts/arabian-v0", 6, "sync", opponent="random", side="random")
    seen, told = many.reset(seed=1)
    random, known = Random(2), set()
    for _ in range(25):
        legal = [np.flatnonzero(mask).tolist() for mask in seen["action_mask"]]
        seen, _, _, _, told = many.step(np.array([random.choice(one or [0]) for one in legal]))
        known |= set(told["_remoteness"].tolist()) if "remoteness" in told else set()
        assert told["_value"].all()
    assert known == {True, False}


def test_a_game_may_begin_where_one_likes() -> None:
    env = noughts.rl.single(opponent="perfect", side="x")
    observation, info = env.reset(options={"position": "XO./.X./..."})
    assert info["value"] == 1
    assert observation["observation"][2, 2, 1] == 1  # the opponent was to move, and stopped the row


def test_a_machine_that_finds_no_move_has_lost() -> None:
    """The C program of 1990 gives up where two rows threaten, be it after a move or at once."""
    env = noughts.rl.single(opponent="c1990")
    env.reset(options={"position": "X.X/.O./..O"})
    assert env.step(6)[1:4] == (1.0, True, False)
    env.reset(options={"position": "X.X/.O./X.O"})
    assert env.step(0)[1:4] == (1.0, True, False)


def test_a_game_that_the_opponents_first_move_ends_is_told_by_the_first_step() -> None:
    env = noughts.rl.single(opponent="perfect", side="o")
    observation, info = env.reset(options={"position": "XX./OO./..."})
    assert not observation["action_mask"].any()
    assert info["value"] == -1
    assert env.step(8)[1:4] == (-1.0, True, False)


def test_human_shows_the_board_once_a_step(capsys: pytest.CaptureFixture[str]) -> None:
    env = noughts.rl.single(opponent="random", render_mode="human")
    env.reset(seed=1)
    env.step(4)
    assert capsys.readouterr().out.count("player_1 (x) to move") == 2
    assert env.render() is None


def test_what_is_wrong_is_said_in_one_line() -> None:
    for nobody in ("nobody", None):
        with pytest.raises(UnknownPlayerError, match="is not a player that moves by itself: expected"):
            noughts.rl.single(opponent=nobody)  # type: ignore[arg-type]
    with pytest.raises(CannotPlayError):
        noughts.rl.single("qubic", opponent="chip1990")
    with pytest.raises(NoughtsError, match="'white' is no side: expected x, o or random"):
        noughts.rl.single(side="white")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.base)
def test_both_registries_have_every_kind_of_game(kind: Any) -> None:
    one = gymnasium.make(f"noughts/{kind.base}-v0", opponent="random")
    assert one.unwrapped.game.name == kind.example  # type: ignore[attr-defined]
    two = pettingzoo.make("aec", f"noughts/{kind.base}_v0")
    assert two.unwrapped.game.name == kind.example
    assert str(two) == f"noughts/{kind.example}_v0"


def test_other_boards_are_asked_for_by_name() -> None:
    made = gymnasium.make("noughts/mnk-v0", game="mnk:4,4,3", opponent="perfect", side="o")
    assert made.action_space.n == 16  # type: ignore[attr-defined]
    assert pettingzoo.make("aec", "noughts/mnk-v0", game="mnk:4,4,3", max_cycles=3).unwrapped.max_cycles == 3


@pytest.mark.parametrize("gone", [["gymnasium", "pettingzoo"], ["pettingzoo"]])
def test_without_the_extra_the_package_loads_and_an_environment_names_what_is_missing(gone: list[str]) -> None:
    code = f"""
import sys
gone = {gone}
sys.modules.update(dict.fromkeys(gone))
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name: None if name in gone else found(name)
import noughts.rl
print(noughts.rl.value("tictactoe"))
ask = [lambda: noughts.rl.env("achi"), lambda: noughts.rl.single("achi")]
if "gymnasium" not in gone:
    import gymnasium
    ask.append(lambda: gymnasium.make("noughts/achi-v0"))
for one in ask:
    try:
        one()
    except ModuleNotFoundError as error:
        print(type(error).__name__, error)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    value, *told = run.stdout.splitlines()
    missing = f"needs {gone[0]}, which is not installed: pip install 'noughts[rl]'"
    asked = ["env", "single", *([] if "gymnasium" in gone else ["SingleEnv"])]
    assert value == "0"
    assert told == [f"{MissingExtraError.__name__} noughts.rl.{name} {missing}" for name in asked]
