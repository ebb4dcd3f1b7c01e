"""The shortest way for a user who begins to beat a machine of 1977, found by search and replayed as proof.

Version 1 has so few boxes that every game against it can be played; if the user wins none, none can be won.
"""

from time import perf_counter
from typing import NamedTuple

from noughts.arena.transcript import Transcript, transcribe
from noughts.extras import need
from noughts.games import Move, NoughtsError
from noughts.games import game as find_game
from noughts.players import player
from noughts.players.basic1977 import Basic1977, point_of
from noughts.players.listing1977 import Decision
from noughts.solve import Progress

__all__ = ["Beaten", "CannotBeBeatenError", "Unbeatable", "beat"]

MOST_MOVES = 8
"""Longer wins are not looked for."""


class CannotBeBeatenError(NoughtsError):
    """A machine the search does not apply to, or against which it finds no win."""


class Beaten(NamedTuple):
    """A win over a machine, as short as can be."""

    moves: list[str]
    """The user's moves, in the machine's own notation."""
    transcript: Transcript
    """The same moves played against the machine itself."""
    replies: int
    """How many replies of the machine the search looked at."""
    seconds: float


class Unbeatable(NamedTuple):
    """A proof that no user beats a machine: all positions it can be asked in were looked at."""

    positions: int
    seconds: float


def beat(name: str, progress: Progress | None = None) -> Beaten | Unbeatable:
    """The shortest win of a user who begins; of several, the first in the order of the boxes.

    Args:
        name: A machine of 1977 and its options, as `basic3`.
        progress: Told how many moves long the wins are that are looked for, and where that ends.

    Raises:
        CannotBeBeatenError: for a player that is no machine of 1977, or one that is not beaten in `MOST_MOVES` moves.
    """
    machine = player(name)
    if not isinstance(machine, Basic1977):
        raise CannotBeBeatenError(f"{name!r} is not a machine of 1977: expected basic1, basic2, basic3 or basicf")
    began = perf_counter()
    if machine.decision.boxes < 64:
        positions = _every_game(machine.decision)
        return Unbeatable(positions, perf_counter() - began)
    boxes, replies = _shortest(name, machine.decision, progress)
    moves = [str(machine.write_own(Move(point_of(box)))) for box in boxes]
    script = transcribe(find_game(machine.plays_only[0]), player(name), moves)
    return Beaten(moves, script, replies, perf_counter() - began)


def _shortest(name: str, decision: Decision, progress: Progress | None) -> tuple[list[int], int]:
    """The boxes of the user's moves, and how many replies were looked at to find them."""
    need("numba", f"the shortest win over {name}")
    from noughts.arena.beat_kernel import arrays, shortest_win  # noqa: PLC0415  loads the compiler
    from noughts.solve.interrupt import interruptible  # noqa: PLC0415

    looked = 0
    for depth in range(4, MOST_MOVES + 1):
        if progress:
            progress(depth, MOST_MOVES + 1)
        found, replies = interruptible(shortest_win, *arrays(decision), depth)
        looked += replies
        if len(found):
            return found.tolist(), looked
    raise CannotBeBeatenError(f"{name!r} is not beaten in {MOST_MOVES} moves: expected a weaker machine")


def _every_game(decision: Decision) -> int:
    """How many positions a small machine can be asked in; an error if the user wins in one of them."""
    need("numba", "every game with a machine of 1977")
    from noughts.arena.beat_kernel import arrays, every_game  # noqa: PLC0415  loads the compiler
    from noughts.solve.interrupt import interruptible  # noqa: PLC0415

    positions, winner = interruptible(every_game, *arrays(decision))
    if winner >= 0:
        raise CannotBeBeatenError(f"beaten after all, with boxes {winner:b}: expected the machine to hold")
    return positions
