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

A function says how likely what is; it does not draw. Whoever asks it twice must hear the same: about the positions of
small layers it is asked twice, so that one that draws (an agent that still explores, a network with dropout) is found.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noughts.games import Game, Move, Position
from noughts.games.playing import Playing
from noughts.library.board import Board
from noughts.players import NoMoveFoundError, Player
from noughts.players import player as find_player
from noughts.rl.answers import Odds, Played, PolicyError, checked, one_by_one, refusal, steady
from noughts.rl.layers import Layer

__all__ = [
    "Given",
    "Policy",
    "as_policy",
    "by_board",
    "by_observation",
    "by_position",
]

BATCH = 1 << 16
"""Positions that a function is asked about at once."""


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
        return one_by_one(layer, self._played)

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

    Raises:
        PolicyError: If this is no dictionary.
    """
    if not isinstance(entries, Mapping):
        raise PolicyError(f"{entries!r} is no dictionary: expected positions, and what is played there")
    return _ByPosition(entries, None if otherwise is None else as_policy(otherwise))


class _ByPosition(Policy):
    name = "the dictionary"

    def __init__(self, entries: Mapping[Any, Played], otherwise: Policy | None) -> None:
        self.entries, self.otherwise = entries, otherwise
        self.game: Game | None = None
        self.known: dict[Position, Played] = {}

    def check(self, game: Game) -> None:
        """Read the keys as positions of the game; however they are written, they are the same ones."""
        if self.otherwise is not None:
            self.otherwise.check(game)
        if self.game != game:
            self.known = {_position(game, key): played for key, played in self.entries.items()}
            self.game = game

    def odds(self, layer: Layer) -> Odds:
        self.check(layer.game)
        odds = one_by_one(layer, self._played)
        if self.otherwise is not None:
            left = np.flatnonzero(~odds.any(axis=1))
            odds[left] = self.otherwise.odds(layer.part(left))
        return odds

    def _played(self, game: Game, position: Position) -> Played | None:
        found = self.known.get(position)
        if found is None and self.otherwise is None:
            raise PolicyError(
                f"the dictionary says nothing about {game.write(position)!r}: expected an entry for every position, or "
                "otherwise="
            )
        return found


def _position(game: Game, key: Any) -> Position:
    """The position that a key of a dictionary means."""
    if isinstance(key, Board):
        if key.game != game:
            raise PolicyError(f"{key!r} is a board of {key.game.name}: expected one of {game.name}")
        return key.position
    if isinstance(key, Position):
        game.check(key)
        return key
    return game.read(key)


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
        return steady(self.name, layer, lambda: one_by_one(layer, self._played))

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
        parts = [layer.part(slice(first, first + BATCH)) for first in range(0, len(layer), BATCH)]
        return steady(self.name, layer, lambda: np.concatenate([self._part(part) for part in parts]))

    def _part(self, layer: Layer) -> Odds:
        seen, masks = layer.observations, layer.masks
        count, actions = masks.shape
        answers = (
            self.function(seen, masks) if self.batch else [self.function(*one) for one in zip(seen, masks, strict=True)]
        )
        try:
            answer = np.asarray(answers)
        except ValueError:
            raise PolicyError(
                f"{self.name} answers with rows of different lengths: expected {actions} probabilities, or an action, "
                "for every position"
            ) from None
        if answer.shape == (count,) and np.issubdtype(answer.dtype, np.integer):
            chosen = layer.moves == answer[:, None]
            silent = np.flatnonzero(~chosen.any(axis=1))
            if len(silent):
                raise refusal(layer, int(silent[0]), f"action {answer[silent[0]]} is not legal")
            found: Odds = chosen.astype(np.float64)
            return found
        if answer.shape != (count, actions) or answer.dtype.kind not in "biuf":
            raise PolicyError(
                f"{self.name} answers {count} positions with an array of shape {answer.shape} and type {answer.dtype}: "
                f"expected probabilities of shape {(count, actions)}, or whole numbers of shape {(count,)}"
            )
        return checked(layer, answer.astype(np.float64))


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
