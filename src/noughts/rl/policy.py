"""A policy: for every position that is not over, how likely which move is.

Whatever decides like that can be judged exactly (`noughts.rl.evaluation`), and may be given as

- the **name** of one of our players, or a player: `"random"`, `"level3"`, `"perfect"`. Its odds are worked out from its
  own code (`Player.odds`); it is asked about the position alone, not about the positions before;
- a **dictionary** from positions, as values or as text, to what is played there;
- a **function of a board**, which answers what is played there;
- a **function of observations and masks**, as an environment shows them, but of many positions at once: the first index
  counts them. It answers with one row of probabilities, or with one action, for each: a trained network, in a line;
- a `Policy`.

What is played at a position is a move as text, a `Move` or an action; or, where chance decides, a dictionary from such
moves to their probabilities. Probabilities must not be negative, be 0 for what is illegal and add up to 1, to within
one in ten thousand: single precision will do, and what is missing is made up for.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noughts.games import Game, Move, NoughtsError, Position
from noughts.games.playing import Playing
from noughts.library.board import Board
from noughts.players import NoMoveFoundError, Player
from noughts.players import player as find_player
from noughts.rl.layers import Layer

__all__ = [
    "Given",
    "Odds",
    "Policy",
    "PolicyError",
    "as_policy",
    "by_board",
    "by_observation",
    "by_position",
]

Odds = NDArray[np.float64]
"""By position and move of a layer: how likely. A row of zeros means that no move was found: the game is lost."""
Played = str | Move | int | Mapping[Any, float]
"""What is played at a position: a move, or moves with their probabilities."""
BATCH = 1 << 16
"""Positions that a function is asked about at once."""
TOLERANCE = 1e-4
"""How far from 1 probabilities may add up to."""


class PolicyError(NoughtsError):
    """Something that is no policy, or a policy's answer that is none."""


class Policy(ABC):
    """Decides every position of a game, by chance or not."""

    name: str = "the policy"
    """What it is called in messages and tables."""

    @abstractmethod
    def odds(self, layer: Layer) -> Odds:
        """How likely it makes each of the moves of these positions.

        Args:
            layer: The positions, with their moves.
        """

    def check(self, game: Game) -> None:  # noqa: B027  most policies play whatever they are asked about
        """Raise an error if it does not play this game.

        Args:
            game: The game to be played.

        Raises:
            CannotPlayError: If it does not play this game.
        """


Given = Policy | Player | str | Mapping[Any, Any] | Callable[..., Any]
"""Whatever can be taken for a policy."""


def as_policy(given: Given) -> Policy:
    """What a person gives as a policy, as a policy.

    Args:
        given: The name of a player, a player, a dictionary, a function of a board, one of observations and masks,
            or a policy.

    Returns:
        The policy.

    Raises:
        PolicyError: If it is none of these.
        UnknownPlayerError: If no player has this name.
    """
    if isinstance(given, Policy):
        return given
    if isinstance(given, str | Player):
        return of_player(given)
    if isinstance(given, Mapping):
        return by_position(given)
    if callable(given):
        return _of_function(given)
    raise PolicyError(
        f"{given!r} is no policy: expected the name of a player, a dictionary, a function of a board, or a function of "
        "observations and masks"
    )


def of_player(given: Player | str) -> Policy:
    """A player as a policy, with its exact odds."""
    if given == "random":
        return Uniform()
    if given == "perfect":
        return Best()
    return _OfPlayer(find_player(given) if isinstance(given, str) else given, given if isinstance(given, str) else "")


class Uniform(Policy):
    """The player `random`: all legal moves alike."""

    name = "random"

    def odds(self, layer: Layer) -> Odds:
        """The same for all."""
        return layer.legal / np.count_nonzero(layer.legal, axis=1, keepdims=True)


class Best(Policy):
    """The player `perfect`: all best moves alike, that is the quickest wins, any draws, the slowest losses."""

    name = "perfect"

    def odds(self, layer: Layer) -> Odds:
        """The same for all best moves."""
        return layer.best / np.count_nonzero(layer.best, axis=1, keepdims=True)


class _OfPlayer(Policy):
    def __init__(self, player: Player, name: str) -> None:
        self.player, self.name = player, name or player.name

    def check(self, game: Game) -> None:
        self.player.check(game)

    def odds(self, layer: Layer) -> Odds:
        return _one_by_one(layer, self._played)

    def _played(self, game: Game, position: Position) -> Mapping[Move, float] | None:
        try:
            return self.player.odds(game, position)
        except NoMoveFoundError:
            return None


def by_position(entries: Mapping[Any, Played], otherwise: Given | None = None) -> Policy:
    """A policy that is looked up.

    Args:
        entries: By position, as a `Position`, a `Board` or its notation: what is played there.
        otherwise: The policy for all other positions; without one, all of them must be in the dictionary.

    Returns:
        The policy.
    """
    return _ByPosition(entries, None if otherwise is None else as_policy(otherwise))


class _ByPosition(Policy):
    name = "the dictionary"

    def __init__(self, entries: Mapping[Any, Played], otherwise: Policy | None) -> None:
        self.otherwise = otherwise
        self.entries = {getattr(key, "position", key): played for key, played in entries.items()}

    def check(self, game: Game) -> None:
        for key in self.entries:
            if not isinstance(key, Position):
                game.read(key)

    def odds(self, layer: Layer) -> Odds:
        odds = _one_by_one(layer, self._played)
        if self.otherwise is not None:
            left = np.flatnonzero(~odds.any(axis=1))
            odds[left] = self.otherwise.odds(layer.part(left))
        return odds

    def _played(self, game: Game, position: Position) -> Played | None:
        found = self.entries.get(position)
        if found is None:
            found = self.entries.get(game.write(position))
        if found is None and self.otherwise is None:
            raise PolicyError(
                f"the dictionary says nothing about {game.write(position)!r}: expected an entry for every position, or "
                "otherwise="
            )
        return found


def by_board(function: Callable[[Board], Played]) -> Policy:
    """A policy given by a function of a board.

    Args:
        function: Called with a `Board` that shows a position and knows nothing of the moves before; answers with a move
            as text, a `Move`, an action, or a dictionary from such moves to their probabilities.

    Returns:
        The policy.
    """
    return _ByBoard(function)


class _ByBoard(Policy):
    def __init__(self, function: Callable[[Board], Played]) -> None:
        self.function = function
        self.name = getattr(function, "__name__", self.name)

    def odds(self, layer: Layer) -> Odds:
        return _one_by_one(layer, self._played)

    def _played(self, game: Game, position: Position) -> Played:
        answer = self.function(Board(Playing.begin(game, position)))
        if answer is None:
            raise PolicyError(f"{self.name} answers {game.write(position)!r} with None: expected a move")
        return answer


def by_observation(function: Callable[..., ArrayLike], batch: bool = True) -> Policy:
    """A policy given by a function of what an environment shows.

    Args:
        function: Called with observations and action masks; answers with probabilities for all actions, or with an
            action.
        batch: Whether it is called with many positions at once, the first index counting them, and answers with a
            row or an action for each; else with one position at a time.

    Returns:
        The policy.
    """
    return _ByObservation(function, batch)


class _ByObservation(Policy):
    def __init__(self, function: Callable[..., ArrayLike], batch: bool) -> None:
        self.function, self.batch = function, batch
        self.name = getattr(function, "__name__", self.name)

    def odds(self, layer: Layer) -> Odds:
        return np.concatenate(
            [self._part(layer.part(slice(first, first + BATCH))) for first in range(0, len(layer), BATCH)]
        )

    def _part(self, layer: Layer) -> Odds:
        seen, masks = layer.observations, layer.masks
        if self.batch:
            answer = np.asarray(self.function(seen, masks))
        else:
            answer = np.stack([np.asarray(self.function(*one)) for one in zip(seen, masks, strict=True)])
        count, actions = masks.shape
        if answer.shape == (count,) and np.issubdtype(answer.dtype, np.integer):
            chosen = layer.moves == answer[:, None]
            silent = np.flatnonzero(~chosen.any(axis=1))
            if len(silent):
                raise _refusal(layer, int(silent[0]), f"action {answer[silent[0]]} is not legal")
            found: Odds = chosen.astype(np.float64)
            return found
        if answer.shape != (count, actions):
            raise PolicyError(
                f"{self.name} answers {count} positions with an array of shape {answer.shape} and type {answer.dtype}: "
                f"expected probabilities of shape {(count, actions)}, or whole numbers of shape {(count,)}"
            )
        return _checked(layer, answer.astype(np.float64))


def _of_function(function: Callable[..., Any]) -> Policy:
    """A function of one parameter is asked about boards, one of two about observations and masks."""
    try:
        parameters = signature(function).parameters.values()
    except (TypeError, ValueError):
        parameters = ()  # type: ignore[assignment]
    needed = [one for one in parameters if one.default is Parameter.empty]
    if all(one.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD) for one in needed):
        if len(needed) == 1:
            return by_board(function)
        if len(needed) == 2:
            return by_observation(function)
    raise PolicyError(
        f"{function!r} could be asked in several ways: expected by_board(function) or by_observation(function), or a "
        "function of one parameter, the board, or of two, observations and masks"
    )


def _one_by_one(layer: Layer, played: Callable[[Game, Position], Played | None]) -> Odds:
    """The odds of somebody who is asked about one position after another; zeros where the answer is None."""
    odds = np.zeros((len(layer), len(layer.actions)))
    silent = []
    for row, position in enumerate(layer):
        answer = played(layer.game, position)
        if answer is None:
            silent.append(row)
        else:
            moves = answer if isinstance(answer, Mapping) else {answer: 1.0}
            for move, likely in moves.items():
                odds[row, _action(layer, row, move)] += likely
    odds[silent, layer.moves[silent, 0]] = 1  # only to be checked with the others
    found = _checked(layer, odds)
    found[silent] = 0
    return found


def _action(layer: Layer, row: int, move: str | Move | int) -> int:
    """The number of a move, in whatever way it is given."""
    actions = layer.actions
    if isinstance(move, str) and move in actions.names:
        return actions.names.index(move)
    if isinstance(move, Move) and move in actions.numbers:
        return actions.numbers[move]
    if isinstance(move, int | np.integer) and 0 <= move < len(actions):
        return int(move)
    raise _refusal(layer, row, f"{move!r} is no move")


def _checked(layer: Layer, odds: Odds) -> Odds:
    """The odds of the legal moves, from those of all actions."""
    legal = np.take_along_axis(odds, np.maximum(layer.moves, 0).astype(np.int64), axis=1)
    legal[~layer.legal] = 0
    total = legal.sum(axis=1)
    # Written so that a NaN is found, too.
    fine = (np.abs(total - 1) <= TOLERANCE) & (odds.min(axis=1) >= 0) & (odds.sum(axis=1) - total <= TOLERANCE)
    if not fine.all():
        row = int(np.argmin(fine))
        illegal = odds[row] * (layer.part(slice(row, row + 1)).masks[0] == 0)
        if np.abs(illegal).max() > TOLERANCE:
            worst = int(np.argmax(np.abs(illegal)))
            raise _refusal(
                layer, row, f"{layer.actions.names[worst]} has the probability {illegal[worst]:g}, and is not legal"
            )
        if odds[row].min() < 0:
            raise _refusal(layer, row, f"a probability is {odds[row].min():g}")
        raise _refusal(layer, row, f"the probabilities of the legal moves add up to {total[row]:g}")
    normal: Odds = legal / total[:, None]
    return normal


def _refusal(layer: Layer, row: int, why: str) -> PolicyError:
    where = layer.game.write(next(iter(layer.part(slice(row, row + 1)))))
    return PolicyError(f"wrong answer at {where!r}: {why}; expected legal moves, and probabilities that add up to 1")
