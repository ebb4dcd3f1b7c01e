"""Many games at once are the games of the rules, step by step; their random moves are legal, even and repeatable."""

import pickle
from collections.abc import Callable
from copy import copy, deepcopy
from dataclasses import replace
from itertools import permutations
from math import factorial
from typing import Any

import numpy as np
import pytest

from noughts import extras
from noughts.games import Game
from noughts.games import game as find_game
from noughts.games.layout import grid, nested_squares
from noughts.games.rules import Rules
from noughts.rl import Batch
from noughts.rl.actions import actions as numbered
from noughts.rl.batch import MOST, BatchError
from noughts.rl.observation import observe
from oracles.rules import oracle

BOARDS = [
    *("tictactoe", "square4", "square4:boards=4", "qubic", "mnk:1,1,1", "mnk:5,2,1", "mnk:2,7,3", "mnk:3,3,2"),
    *("mnk:8,8,5", "mnk:13,5,4", "mnk:19,19,4", "mnk:19,1,19"),
]


@pytest.mark.parametrize("name", BOARDS)
def test_every_step_is_that_of_the_rules(name: str) -> None:
    game, many = find_game(name), 6
    moves, batch = numbered(game), Batch(name, many, seed=5)
    positions, ended = [game.start()] * many, 0
    for _ in range(min(120, 3 * len(game.layout))):
        for number, position in enumerate(positions):
            assert batch.position(number) == position
            assert batch.turns[number] == position.turn
            assert np.array_equal(batch.action_mask[number], moves.mask(position))
            assert np.array_equal(batch.observation[number], observe(game, position, position.turn))
        chosen = batch.random_actions().copy()
        batch.step(chosen)
        for number, action in enumerate(chosen):
            mover, move = positions[number].turn, moves.move(int(action))
            assert move in game.moves(positions[number])
            then = game.after(positions[number], move)
            over = game.over(then)
            expected = [0, 0]
            if over == "loss":
                expected[mover], expected[1 - mover] = 1, -1
            assert batch.rewards[number].tolist() == expected
            assert batch.terminations[number] == (over is not None)
            ended += over is not None
            positions[number] = then if over is None else game.start()
    assert ended > 0


@pytest.mark.parametrize("name", ["tictactoe", "mnk:4,3,3", "mnk:6,6,4", "qubic"])
def test_every_step_is_that_of_the_oracle_too(name: str) -> None:
    """Which looks for k or more stones along whole lines, and not for lines of k through the last stone."""
    judge, many = oracle(name), 8
    batch, states, ended = Batch(name, many, seed=6), [oracle(name).start()] * many, 0
    for _ in range(60):
        assert [batch.game.write(batch.position(number)) for number in range(many)] == [*map(judge.text, states)]
        chosen = batch.random_actions().copy()
        batch.step(chosen)
        for number, action in enumerate(chosen):
            states[number] = judge.play(states[number], judge.names[action])
            over = judge.over(states[number])
            assert batch.terminations[number] == (over is not None)
            assert bool(batch.rewards[number].any()) == (over == "loss")
            if over:
                ended += 1
                states[number] = judge.start()
    assert ended > 3


def test_all_255168_games_of_tictactoe_end_as_is_known() -> None:
    """Every order of the nine points is played to its first end: a game of n plies occurs (9 - n)! times."""
    orders = np.array(list(permutations(range(9))), np.int64)
    batch = Batch("tictactoe", len(orders))
    going, draws = np.ones(len(orders), bool), 0
    wins: dict[int, int] = {}
    for ply in range(9):
        _, rewards, terminations, truncations, _ = batch.step(orders[:, ply])
        now = going & terminations
        assert not (rewards[now, ply % 2] < 0).any()
        wins[ply + 1] = int((rewards[now, ply % 2] == 1).sum()) // factorial(8 - ply)
        draws += int((rewards[now] == 0).all(axis=1).sum())
        going &= ~terminations
        assert not truncations.any()
    assert wins == {1: 0, 2: 0, 3: 0, 4: 0, 5: 1_440, 6: 5_328, 7: 47_952, 8: 72_576, 9: 81_792}
    assert draws == 46_080
    assert not going.any()


def test_at_random_x_wins_737_games_of_1260_and_160_are_drawn() -> None:
    """Of the first game of each: which games end before some step depends on how they end."""
    batch, x, drawn = Batch("tictactoe", 100_000, seed=1), 0, 0
    going = np.ones(batch.num_envs, bool)
    for _ in range(9):
        _, rewards, terminations, _, _ = batch.step(batch.random_actions())
        first = going & terminations
        x += int((rewards[first, 0] == 1).sum())
        drawn += int((rewards[first, 0] == 0).sum())
        going &= ~terminations
    assert not going.any()
    for found, share in ((x, 737 / 1260), (drawn, 160 / 1260)):
        assert abs(found / batch.num_envs - share) < 4 * (share * (1 - share) / batch.num_envs) ** 0.5


@pytest.mark.parametrize("name", ["tictactoe", "qubic"])
def test_every_free_point_is_as_likely(name: str) -> None:
    """On small boards they are counted, on large ones drawn: of either sort one."""
    batch, taken = Batch(name, 50_000, seed=2), [0, 1, 4, 7]
    for point in taken:
        batch.step(np.full(batch.num_envs, point))
    counts = np.bincount(batch.random_actions(), minlength=len(batch.game.layout))
    free = np.delete(counts, taken)
    assert not counts[taken].any()
    mean = batch.num_envs / len(free)
    surprise = float(((free - mean) ** 2 / mean).sum())  # chi-squared, whose mean is the degrees of freedom
    degrees = len(free) - 1
    assert abs(surprise - degrees) < 4 * (2 * degrees) ** 0.5


@pytest.mark.parametrize("action", [4, -1, 9, 2**62, -(2**62)])
def test_an_illegal_action_loses_one_point_and_a_new_game_begins(action: int) -> None:
    batch = Batch("tictactoe", 3)
    batch.step([4, 4, 4])
    observations, rewards, terminations, _, infos = batch.step([0, action, 1])
    assert rewards.tolist() == [[0, 0], [0, -1], [0, 0]]
    assert terminations.tolist() == [False, True, False]
    assert infos["turns"].tolist() == [0, 0, 0]
    assert observations["observation"][1].sum() == 0
    assert observations["action_mask"][1].all()
    assert batch.position(1) == batch.game.start()
    assert batch.game.write(batch.position(2)) == ".O./.X./..."


def test_a_seed_repeats_the_games_and_a_game_does_not_depend_on_how_many_there_are() -> None:
    def played(batch: Batch) -> list[list[int]]:
        found = []
        for _ in range(30):
            found.append(batch.random_actions()[:5].tolist())
            batch.step(batch.random_actions())
        return found

    for name in ("tictactoe", "qubic"):
        first = played(Batch(name, 5, seed=7))
        assert played(Batch(name, 50, seed=7)) == first
        assert played(Batch(name, 5, seed=8)) != first
        assert played(Batch(name, 5)) != played(Batch(name, 5))
        batch = Batch(name, 5, seed=1)
        played(batch)
        batch.reset(seed=7)
        assert played(batch) == first


def test_nothing_is_copied_and_nothing_can_be_written() -> None:
    batch = Batch("tictactoe", 4)
    observations, infos = batch.reset()
    again, rewards, terminations, truncations, _ = batch.step([0, 1, 2, 3])
    assert again is observations
    assert observations["observation"] is batch.observation
    assert batch.observation.sum() == 4, "the array that reset gave shows the stones of the step"
    shown = [*observations.values(), *infos.values(), rewards, terminations, truncations]
    assert not any(array.flags.writeable for array in shown)
    with pytest.raises(ValueError, match="read-only"):
        batch.observation[0, 0, 0, 0] = 1


def test_actions_of_any_whole_type_will_do_and_others_are_refused() -> None:
    batch = Batch("tictactoe", 2)
    for kind in (np.int8, np.uint8, np.int32, np.uint64, np.int64):
        batch.reset()
        batch.step(np.array([3, 5], kind))
        assert np.flatnonzero(batch.action_mask == 0).tolist() == [3, 14]
    expected = r"expected whole numbers of shape \(2,\)$"
    wrongs: list[Any] = [[1], 1, [[1], [2]], [1.0, 2.0], [True, False], ["a1", "b2"]]
    for wrong in wrongs:
        with pytest.raises(BatchError, match=expected):
            batch.step(wrong)
    ragged: Any = [1, [2]]
    with pytest.raises(BatchError, match=r"lists of several lengths: expected 2 whole numbers$"):
        batch.step(ragged)


@pytest.mark.parametrize("again", [copy, deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_a_copy_goes_on_alike_and_apart(again: Callable[[Batch], Batch]) -> None:
    batch = Batch("mnk:5,4,3", 20, seed=3)
    for _ in range(7):
        batch.step(batch.random_actions())
    other = again(batch)
    for _ in range(30):
        assert np.array_equal(other.random_actions(), batch.random_actions())
        before = batch.observation.copy()
        other.step(other.random_actions())
        assert np.array_equal(batch.observation, before)
        batch.step(batch.random_actions())
        for name in ("observation", "action_mask", "turns", "rewards", "terminations"):
            assert np.array_equal(getattr(other, name), getattr(batch, name))


def test_the_spaces_are_those_of_the_environment_and_hold_what_is_seen() -> None:
    pytest.importorskip("pettingzoo")
    batch = Batch("qubic", 3, seed=4)
    for _ in range(20):
        observations = batch.step(batch.random_actions())[0]
    assert batch.single_action_space.n == 64
    assert batch.single_observation_space.contains({name: array[2] for name, array in observations.items()})


def test_a_game_of_ones_own_will_do() -> None:
    """Three in a row on a strip of six, which needs no entry of the catalogue."""
    own = Game("strip", grid(6, 1, 3), Rules((3, 3)), "three in a row win", "Strip")
    batch = Batch(own, 1)
    for point in (1, 0, 2, 5, 3):
        assert not batch.terminations[0]
        batch.step([point])
    assert batch.rewards.tolist() == [[1, -1]]


def test_a_batch_that_cannot_be_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    few = Game("few", grid(3, 3, 3), Rules((2, 2)), "two stones each", "Few")
    rings = Game("rings", nested_squares(2), Rules((8, 8)), "on a board with gaps", "Rings")
    mixed = Game(
        "mixed", replace(grid(3, 1, 2), lines=((0, 1), (0, 1, 2))), Rules((2, 1)), "rows of two sorts", "Mixed"
    )
    expected = "expected a game in which stones are placed until the board is full, as tictactoe, qubic or mnk:5,5,4$"
    for wrong in (find_game("achi"), find_game("nine-mens-morris"), few, rings, mixed):
        with pytest.raises(BatchError, match=rf"^no batch of {wrong.name}: {expected}"):
            Batch(wrong, 4)
    with pytest.raises(BatchError, match=r"^the seed is -1: expected a number from 0$"):
        Batch("tictactoe", 4, seed=-1)
    for many in (0, -1, MOST + 1):
        with pytest.raises(BatchError, match=rf"^{many} games: expected 1 to 1,048,576$"):
            Batch("tictactoe", many)
    monkeypatch.setattr(extras, "find_spec", lambda _name: None)
    with pytest.raises(extras.MissingExtraError, match=r"^a batch of games needs numba.*noughts\[engine\]"):
        Batch("tictactoe", 4)
