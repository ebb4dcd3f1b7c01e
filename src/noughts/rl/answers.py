"""What a policy answers, made into odds and checked: nothing that is not a distribution over legal moves goes on.

A policy is asked about a whole layer. What comes back is one row of odds for each of its positions, in the order of
the layer's moves. Whoever answers about one position after another, with moves in whatever way they are written, is
asked by `one_by_one`; whoever answers for all actions of the game is read by `checked`; and whoever ought always to
answer alike is asked by `steady`. `asked` is how a judge asks: there, people's own policies are checked, too.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from operator import index
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game, Move, NoughtsError, Position
from noughts.rl.layers import Layer

__all__ = ["Odds", "Played", "PolicyError", "asked", "checked", "one_by_one", "refusal", "steady"]

Odds = NDArray[np.float64]
"""By position and move of a layer: how likely. A row of zeros means that no move was found: the game is lost."""
Played = str | Move | int | Mapping[Any, float]
"""What is played at a position: a move, or moves with their probabilities."""
TOLERANCE = 1e-4
"""How far from 1 probabilities may add up to."""
ASKED_TWICE = 256
"""Positions of a layer, at most, about which a function is asked twice."""


class PolicyError(NoughtsError):
    """Something that is no policy, or a policy's answer that is none."""


class Answering(Protocol):
    """A policy, as `noughts.rl.policy` has it."""

    name: str

    def odds(self, layer: Layer) -> Odds:
        """How likely it makes each of the moves of these positions."""


def asked(policy: Answering, layer: Layer) -> Odds:
    """The odds of a policy, of whatever class it is.

    Raises:
        PolicyError: If they are none.
    """
    odds = np.asarray(policy.odds(layer))
    if odds.shape != layer.moves.shape or odds.dtype.kind != "f":
        raise PolicyError(
            f"{policy.name} answers with an array of shape {odds.shape} and type {odds.dtype}: expected the odds of "
            f"the layer's moves, of shape {layer.moves.shape}"
        )
    total = np.einsum("ij->i", odds)
    fine = (np.abs(total - 1) <= TOLERANCE) | (total == 0)  # not so if it is infinite or not a number
    if not (fine.all() and odds.min() >= 0):
        row = int(np.argmin(fine & (odds.min(axis=1) >= 0)))
        raise refusal(layer, row, f"the odds are {odds[row].tolist()}")
    return odds


def steady(name: str, layer: Layer, ask: Callable[[], Odds]) -> Odds:
    """The answer, unless a second one is another."""
    odds = ask()
    if len(layer) <= ASKED_TWICE:
        changed = np.abs(ask() - odds).max(axis=1) > TOLERANCE
        if changed.any():
            where = layer.game.write(next(iter(layer.part(np.flatnonzero(changed)[:1]))))
            raise PolicyError(
                f"{name} answers {where!r} in two ways when it is asked twice: expected probabilities where "
                "chance decides, not a draw"
            )
    return odds


def one_by_one(layer: Layer, played: Callable[[Game, Position], Played | None]) -> Odds:
    """The odds of somebody who is asked about one position after another; zeros where the answer is None."""
    odds = np.zeros((len(layer), len(layer.actions)))
    silent = []
    for row, position in enumerate(layer):
        answer = played(layer.game, position)
        if answer is None:
            silent.append(row)
        else:
            for move, likely in answer.items() if isinstance(answer, Mapping) else [(answer, 1.0)]:
                odds[row, _action(layer, row, move)] += _probability(layer, row, likely)
    odds[silent, layer.moves[silent, 0]] = 1  # only to be checked with the others
    found = checked(layer, odds)
    found[silent] = 0
    return found


def _probability(layer: Layer, row: int, likely: Any) -> float:
    try:
        return float(likely)
    except (TypeError, ValueError):
        raise refusal(layer, row, f"{likely!r} is no probability") from None


def _action(layer: Layer, row: int, move: Any) -> int:
    """The number of a move, in whatever way it is given."""
    actions = layer.actions
    if isinstance(move, str) and move in actions.names:
        return actions.names.index(move)
    if isinstance(move, Move) and move in actions.numbers:
        return actions.numbers[move]
    with suppress(TypeError):
        number = index(move)  # an int, or what NumPy and other libraries have for one
        if 0 <= number < len(actions):
            return number
    raise refusal(layer, row, f"{move!r} is no move")


def checked(layer: Layer, odds: Odds) -> Odds:
    """The odds of the legal moves, from those of all actions."""
    legal = np.take_along_axis(odds, np.maximum(layer.moves, 0).astype(np.int64), axis=1)
    legal[~layer.legal] = 0
    total = legal.sum(axis=1)
    with np.errstate(invalid="ignore"):  # written so that what is infinite or not a number is found, too
        fine = (np.abs(total - 1) <= TOLERANCE) & (odds.min(axis=1) >= 0) & (odds.sum(axis=1) - total <= TOLERANCE)
    if not fine.all():
        row = int(np.argmin(fine))
        infinite = odds[row][~np.isfinite(odds[row])]
        if len(infinite):
            raise refusal(layer, row, f"a probability is {infinite[0]:g}")
        illegal = odds[row] * (layer.part(slice(row, row + 1)).masks[0] == 0)
        if np.abs(illegal).max() > TOLERANCE:
            worst = int(np.argmax(np.abs(illegal)))
            raise refusal(
                layer, row, f"{layer.actions.names[worst]} has the probability {illegal[worst]:g}, and is not legal"
            )
        if odds[row].min() < 0:
            raise refusal(layer, row, f"a probability is {odds[row].min():g}")
        raise refusal(layer, row, f"the probabilities of the legal moves add up to {total[row]:g}")
    normal: Odds = legal / total[:, None]
    return normal


def refusal(layer: Layer, row: int, why: str) -> PolicyError:
    where = layer.game.write(next(iter(layer.part(slice(row, row + 1)))))
    return PolicyError(f"wrong answer at {where!r}: {why}; expected legal moves, and probabilities that add up to 1")
