"""The Monte-Carlo tree search of OpenSpiel at our games: its bot as a player, and the bridge between the two.

A game of ours is replayed in OpenSpiel, and before the bot thinks, both must allow the same moves. Points have the same
numbers in both: row by row, ours from below, theirs from above, so that they see the board upside down. A stone placed
on a point is the action with the point's number. At nine men's morris a stone moved from p to q is action 24 + 24p + q,
and a capture is an action of its own, after the one that closes the mill.

In three things OpenSpiel's nine men's morris differs from ours. It knows no draw by repetition, so that the bot does
not see one coming. It ends in a draw after 200 turns (`LONGEST`), and so do the games that are played against it here.
And the bot thinks twice where it closes a mill: it has its time again to choose what it captures.
"""

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from noughts.games import Game, Move, NoughtsError
from noughts.games.playing import Playing

__all__ = ["LONGEST", "THEIRS", "agreed_state", "installed", "monte_carlo"]

THEIRS = {
    "mnk:6,6,4": "mnk(m=6,n=6,k=4)",
    "mnk:9,9,5": "mnk(m=9,n=9,k=5)",
    "mnk:15,15,5": "mnk(m=15,n=15,k=5)",
    "nine-mens-morris": "nine_mens_morris",
}
"""What OpenSpiel calls our games."""
LONGEST = 200
"""Turns after which OpenSpiel calls a game of nine men's morris a draw."""
EXPLORATION = 2.0
"""The constant of UCT, as in OpenSpiel's own examples."""
SIMULATIONS = 1_000_000_000
"""More than there is time for."""
MEMORY = 1_000
"""Megabytes that its tree may take: more than it needs in some seconds."""


def installed() -> bool:
    """Whether OpenSpiel is here."""
    return find_spec("pyspiel") is not None


def monte_carlo(seconds: float) -> Callable[[int], Callable[[Playing], Move]]:
    """Makes bots by their seeds: UCT with random rollouts, for so long a move."""
    return partial(_bot, seconds)


def _bot(seconds: float, seed: int) -> Callable[[Playing], Move]:
    spiel: Any = import_module("pyspiel")

    def choose(playing: Playing) -> Move:
        state = agreed_state(playing)
        number = seed + len(playing.moves)
        rollouts = spiel.RandomRolloutEvaluator(1, number)
        policy = spiel.ChildSelectionPolicy.UCT
        bot = spiel.MCTSBot(
            state.get_game(), rollouts, EXPLORATION, SIMULATIONS, MEMORY, True, number, False, policy, seconds
        )
        side, actions = state.current_player(), []
        while state.current_player() == side:
            actions.append(bot.step(state))
            state.apply_action(actions[-1])
        return _move(playing.game, actions)

    return choose


def agreed_state(playing: Playing) -> Any:
    """OpenSpiel's state after the same moves, in which it agrees with us on what can be played.

    Raises:
        NoughtsError: where it does not.
    """
    game, position = playing.game, playing.position
    state = import_module("pyspiel").load_game(THEIRS[game.name]).new_initial_state()
    for move in playing.moves:
        for action in _actions(game, move):
            state.apply_action(action)
    ours, theirs = set(game.moves(position)), set(_moves(game, state))
    if ours != theirs:
        differ = ", ".join(sorted(game.write_move(move) for move in ours ^ theirs))
        raise NoughtsError(f"OpenSpiel disagrees at {game.write(position)!r} on {differ}; expected the same moves")
    return state


def _actions(game: Game, move: Move) -> Iterator[int]:
    """A move in OpenSpiel's numbers."""
    assert move.to is not None
    points = len(game.layout)
    yield move.to if move.source is None else points + points * move.source + move.to
    if move.capture is not None:
        yield move.capture


def _move(game: Game, actions: list[int]) -> Move:
    """Actions of one turn as a move."""
    first, *captures = actions
    source, to = divmod(first - len(game.layout), len(game.layout))
    return Move(to, source if source >= 0 else None, captures[0] if captures else None)


def _moves(game: Game, state: Any) -> Iterator[Move]:
    """The legal moves, captures included; none when the game is over."""
    for action in state.legal_actions():
        then = state.child(action)
        if then.current_player() == state.current_player():
            yield from (_move(game, [action, capture]) for capture in then.legal_actions())
        else:
            yield _move(game, [action])
