"""What may be given as a policy, and what is refused."""

from random import choice
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import noughts
from noughts.games import Move, NoughtsError
from noughts.games import game as find_game
from noughts.library.board import Board
from noughts.players import CannotPlayError, UnknownPlayerError, player
from noughts.rl.actions import actions
from noughts.rl.answers import Odds, PolicyError
from noughts.rl.evaluation import Judge
from noughts.rl.layers import Layer, layers
from noughts.rl.observation import observe
from noughts.rl.policy import Given, Policy, as_policy, by_board, by_observation, by_position
from noughts.solve import solve

Array = NDArray[Any]
LITTLE = layers(find_game("mnk:3,2,3"))
ACHI = layers(find_game("achi"))


def first_of_mask(_observations: Array, masks: Array) -> Array:
    return np.asarray(masks.argmax(axis=1))


def first_as_probabilities(_observations: Array, masks: Array) -> Array:
    odds: Array = np.eye(masks.shape[1], dtype=np.float32)[masks.argmax(axis=1)]
    return odds


FIRST: dict[str, Given] = {
    "move as text": lambda board: board.moves[0],
    "moves as text with probabilities": lambda board: dict(zip(board.moves, [1.0] + [0.0] * 9, strict=False)),
    "move": by_board(lambda board: board.game.moves(board.position)[0]),
    "action of a batch": first_of_mask,
    "probabilities of a batch": first_as_probabilities,
    "action of a single one": by_observation(lambda _seen, mask: mask.argmax(), batch=False),
    "dictionary of texts": {
        game.write(position): game.write_move(game.moves(position)[0])
        for game in (find_game("mnk:3,2,3"),)
        for position in solve(game).positions()
        if game.moves(position)
    },
}


@pytest.mark.parametrize("form", FIRST)
def test_one_policy_in_every_form_has_the_same_odds(form: str) -> None:
    for layer in LITTLE:
        odds = as_policy(FIRST[form]).odds(layer)
        assert (odds[:, 0] == 1).all()
        assert (odds[:, 1:] == 0).all()


@pytest.mark.parametrize("name", ["random", "perfect"])
def test_what_is_read_off_arrays_are_the_odds_of_the_player(name: str) -> None:
    for layer in (*LITTLE, *ACHI[5:]):
        part = layer.part(slice(0, 120))
        quickly, asked = as_policy(name).odds(part), as_policy(player(name)).odds(part)
        assert np.allclose(quickly, asked, rtol=0, atol=1e-15)


def test_observations_and_masks_are_those_of_the_environment() -> None:
    for layer in (*LITTLE, *ACHI[3::5]):
        rows = slice(None, None, max(1, len(layer) // 50))
        part = layer.part(rows)
        for position, seen, mask in zip(part, part.observations, part.masks, strict=True):
            assert (seen == observe(layer.game, position, position.turn)).all()
            assert (mask == actions(layer.game).mask(position)).all()


@pytest.mark.parametrize("name", ["tictactoe", "achi", "arabian"])
def test_a_judge_lists_every_position_that_is_not_over_once(name: str) -> None:
    game = find_game(name)
    listed = [position for layer in layers(game) for position in layer]
    expected = {position for position in solve(game).positions() if game.moves(position)}
    swapped = (
        {position.swapped() for position in expected if position.hand == (0, 0)} if not game.placing_only else set()
    )
    assert len(listed) == len(set(listed))
    assert set(listed) <= expected | swapped
    if game.placing_only:
        assert set(listed) == expected


def test_a_dictionary_may_leave_the_rest_to_another_policy() -> None:
    judge = Judge("tictactoe")
    game = judge.game
    corner = by_position({game.start(): {"a1": 0.5, "c3": 0.5}}, otherwise="perfect")
    assert judge.exploitability(corner) == 0
    for after in ("X../.../...", "x../.../...", game.play("a1"), noughts.board().play("a1")):
        blunder = by_position({after: "b1"}, otherwise="perfect")
        assert judge.response(blunder).gives_away == pytest.approx((0, 1))


class Careless(Policy):
    """Somebody's own, who answers whatever is asked alike."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def odds(self, layer: Layer) -> Odds:
        return np.asarray(self.answer if np.ndim(self.answer) else np.full(layer.moves.shape, self.answer))


def uneven(board: Board) -> dict[str, float]:
    return dict.fromkeys(board.moves, 0.3)


def negative(_observations: Array, masks: Array) -> Array:
    odds = first_as_probabilities(masks, masks)
    return np.where(np.cumsum(masks, axis=1) == 2, -0.5, odds * 1.5)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (lambda _board: "c9", "wrong answer at .*: 'c9' is no move"),
        (lambda _board: Move(0, 1), "is no move"),
        (lambda _board: 99, "99 is no move"),
        (lambda _board: "a1", "a1 has the probability 1, and is not legal"),
        (lambda _board: None, "answers .* with None: expected a move"),
        (uneven, "add up to 1.8"),
        (negative, "a probability is -0.5"),
        (lambda _observations, masks: masks * np.nan, "a probability is nan"),
        (lambda _observations, masks: np.where(masks, 1 / masks.sum(), np.inf), "a probability is inf"),
        (lambda _observations, masks: masks * 1j, "type complex128: expected probabilities"),
        (lambda _observations, _masks: [[1.0], [0.5, 0.5]], "rows of different lengths: expected 6 probabilities"),
        (lambda board: board.moves, r"\['a1', .*\] is no move"),
        (lambda board: dict.fromkeys(board.moves, "likely"), "'likely' is no probability"),
        (lambda board: choice(board.moves), "in two ways when it is asked twice: expected probabilities where chance"),
        (Careless(-5.0), r"the odds are \[-5.0, .*\]; expected"),
        (Careless(np.nan), r"the odds are \[nan, .*\]; expected"),
        (Careless(np.array([0.5, 0.5])), r"an array of shape \(2,\) .* expected the odds of the layer's moves"),
        ({noughts.board("mnk:2,3,3"): "a1"}, "is a board of mnk:2,3,3: expected one of mnk:3,2,3"),
        (lambda _observations, masks: masks / masks.shape[1], "add up to 0.8"),
        (lambda _observations, masks: np.zeros(len(masks), int), "action 0 is not legal"),
        (lambda _observations, masks: masks[:, :2] / 1.0, r"an array of shape \(\d+, 2\) and type float64: expected"),
        ({}, "the dictionary says nothing about"),
        (lambda a, b, c: 0, "could be asked in several ways: expected by_board"),  # noqa: ARG005
        (print, "could be asked in several ways"),
        (3, "3 is no policy: expected the name of a player"),
    ],
)
def test_what_is_no_policy_is_refused_in_a_line(given: Any, words: str) -> None:
    with pytest.raises(PolicyError, match=words) as caught:
        Judge("mnk:3,2,3").exploitability(given)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ("hal9000", UnknownPlayerError),
        ("c1990", CannotPlayError),
        (Judge("mnk:3,1,3").response("random"), CannotPlayError),
        ({"X..": "a1"}, NoughtsError),
        ({find_game("achi").start(): "a1"}, NoughtsError),
        ("", NoughtsError),
    ],
)
def test_players_and_positions_that_are_not_of_the_game_are_refused(given: Given, error: type[NoughtsError]) -> None:
    with pytest.raises(error):
        Judge("mnk:3,2,3").exploitability(given)


def test_a_batch_is_never_larger_than_is_said() -> None:
    sizes: list[int] = []

    def network(observations: Array, masks: Array) -> Array:
        sizes.append(len(observations))
        return first_of_mask(observations, masks)

    assert Judge("mnk:5,2,5").exploitability(network) >= 0
    assert max(sizes) <= 1 << 16


def test_a_layer_is_part_of_itself() -> None:
    layer: Layer = ACHI[-1]
    assert layer.loop
    assert (layer.part(slice(None)).keys == np.sort(layer.keys)).all()
