"""What a position is worth, which actions are right, and what a move gave away: exactly, in the numbers of rewards.

The **value** of a position is the reward that the player to move gets if both sides play as well as can be: 1, 0 or
-1. An action is **optimal** if it keeps that value; the **regret** of an action is how much of it is lost: 0 for an
optimal one, 1 for a win that became a draw or a draw that became a loss, 2 for a win that became a loss. How many
plies a win takes does not count: whoever wants the quickest win finds the **remoteness** beside the value.

Nothing here is guessed or searched for. A game that is small enough is solved whole when it is first asked about;
elsewhere only what a table, the book or the endings know is told, and None means that nobody here knows at sight.
(`noughts.solve.knowledge(game).ask(position)` goes on with proofs and a search.)

Where stones move, a position that comes up for the third time is a draw. A value is that of the position alone; with
the positions before it given as `history`, an action that ends the game by repetition is worth a draw.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from noughts.games import Game, IllegalMoveError, NotationError, Outcome, Position
from noughts.games import game as find_game
from noughts.games.playing import REPETITIONS
from noughts.library.board import Board
from noughts.rl.actions import actions
from noughts.solve import Answer, Value, knowledge
from noughts.solve.small import solvable
from noughts.solve.value import DRAWN

__all__ = ["REWARDS", "Exact", "Where", "exact", "known", "optimal_actions", "position_of", "quick", "regret", "value"]

Where = Position | Board | str
"""The ways to say which position is meant: itself, a board that shows it, its notation."""

REWARDS = {Outcome.WIN: 1, Outcome.DRAW: 0, Outcome.LOSS: -1}
"""What an outcome is worth to the side whose outcome it is."""
QUICK = 12
"""Points up to which a game is solved at once, and most answers of a long training are remembered."""
MOST_KEPT = 1 << 14
"""Positions whose answers are remembered: all of tic-tac-toe's, three times over."""


class Exact(NamedTuple):
    """All that is known of a position, for the player to move."""

    value: int
    """1 for a win, 0 for a draw, -1 for a loss."""
    remoteness: int | None
    """How many plies it takes under best play, at morris to the winner's next capture or the end; None for a draw
    without end, or where that is not known."""
    values: dict[int, int]
    """What every legal action is worth to the player who takes it; none when the game is over."""

    optimal_actions: tuple[int, ...]
    """The actions that keep the value, in the order of their numbers."""


def quick(game: Game) -> bool:
    """Whether asking about every position on the way costs little: solved games of up to 12 points."""
    return solvable(game) and len(game.layout) <= QUICK


def exact(game: Game | str, position: Where | None = None, history: Sequence[Position] = ()) -> Exact | None:
    """All that is known of a position at sight.

    Args:
        game: A game or its name.
        position: A position, its notation, or a board; the start if it is left out.
        history: The positions before it, where repetition matters.

    Returns:
        The value, its remoteness and the value of every action; None if they are not known without a search.

    Raises:
        NoughtsError: If there is no such game, or the notation is none of its positions.
    """
    of = find_game(game)
    found = known(of, position_of(of, position), history)
    return None if found is None else found._replace(values=dict(found.values))  # the caller's own, to write to


def value(game: Game | str, position: Where | None = None) -> int | None:
    """What a position is worth to the player to move.

    Args:
        game: A game or its name.
        position: A position, its notation, or a board; the start if it is left out.

    Returns:
        1 for a win, 0 for a draw, -1 for a loss; None if that is not known without a search.
    """
    found = exact(game, position)
    return None if found is None else found.value


def optimal_actions(game: Game | str, position: Where | None = None) -> tuple[int, ...] | None:
    """The actions that keep the value of a position.

    Args:
        game: A game or its name.
        position: A position, its notation, or a board; the start if it is left out.

    Returns:
        Their numbers, in order, none when the game is over; None if they are not known without a search.
    """
    found = exact(game, position)
    return None if found is None else found.optimal_actions


def regret(game: Game | str, position: Where | None, action: int) -> int | None:
    """How much of the value of a position an action gives away.

    Args:
        game: A game or its name.
        position: A position, its notation, or a board; None for the start.
        action: The number of a legal move.

    Returns:
        0, 1 or 2; None if that is not known without a search.

    Raises:
        UnknownActionError: If no move of the game has this number.
        IllegalMoveError: If the move is not legal in this position.
    """
    of = find_game(game)
    at = position_of(of, position)
    move = actions(of).move(action)
    if not of.rules.allow(of.layout, at, move):
        raise IllegalMoveError(
            f"action {action}, {of.write_move(move)!r}, is not legal at {of.write(at)!r}: expected one of its mask"
        )
    found = exact(of, at)
    return None if found is None else found.value - found.values[action]


def position_of(game: Game, where: Where | None) -> Position:
    """The position that is meant.

    Args:
        game: A game of which it must be one.
        where: The position, its notation, or a board; None for the start.

    Raises:
        IllegalPositionError: If it is one of another game.
        NotationError: If it is none at all.
    """
    if where is None:
        return game.start()
    if isinstance(where, str):
        return game.read(where)
    if not isinstance(where, Position | Board):
        raise NotationError(f"{where!r} is no position of {game.name}: expected a Position, a Board or its notation")
    position = where if isinstance(where, Position) else where.position
    game.check(position)
    return position


def known(game: Game, position: Position, history: Sequence[Position]) -> Exact | None:
    """What `exact` tells, without its checks, and as it is remembered, so not to be written to.

    Args:
        game: A game.
        position: A position that certainly is one of the game.
        history: The positions before it.
    """
    often = set() if game.placing_only else {at for at, times in Counter(history).items() if times + 1 >= REPETITIONS}
    if not often:
        return _fresh(game, position)
    answer = _at_sight(game, position)
    if answer is None:
        return None
    moves = [rated._replace(value=DRAWN) if rated.position in often else rated for rated in answer.moves]
    if not moves:
        return _told(game, answer)
    best = max((rated.value for rated in moves), key=Value.preference)
    return _told(game, answer._replace(moves=moves, value=best))


@lru_cache(maxsize=MOST_KEPT)
def _fresh(game: Game, position: Position) -> Exact | None:
    """What is known of a position in a game that repeats nothing."""
    answer = _at_sight(game, position)
    return None if answer is None else _told(game, answer)


def _at_sight(game: Game, position: Position) -> Answer | None:
    """What is known without a search, also of a game that is over."""
    if game.over(position) is not None:
        return knowledge(game).ask(position)
    answer = knowledge(game).at_sight(position)
    if answer is None or any(rated.value.outcome is Outcome.UNKNOWN for rated in answer.moves):
        return None  # a table that is not whole may know the position and not all of its moves
    return answer


def _told(game: Game, answer: Answer) -> Exact:
    numbers = actions(game).numbers
    values = {numbers[rated.move]: REWARDS[rated.value.outcome] for rated in answer.moves}
    value = REWARDS[answer.value.outcome]
    optimal = tuple(sorted(action for action, worth in values.items() if worth == value))
    return Exact(value, answer.value.remoteness, values, optimal)
