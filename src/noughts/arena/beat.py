"""The shortest way for a user who begins to beat a machine of 1977, found by search and replayed as proof.

Version 1 has so few boxes that every game against it can be played; if the user wins none, none can be won.
"""

from time import perf_counter
from typing import NamedTuple

from noughts.arena.transcript import Transcript, transcribe
from noughts.games import Move, NoughtsError, game
from noughts.games.points import point_set
from noughts.players import player
from noughts.players.basic1977 import COMBINATIONS, MACHINE, USER, Basic1977, Decision, decide, point_of
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
    """The shortest win of a user who begins; of several, the first in the order of the boxes."""
    machine = player(name)
    if not isinstance(machine, Basic1977):
        raise CannotBeBeatenError(f"{name!r} is not a machine of 1977: expected basic1, basic2, basic3 or basicf")
    began = perf_counter()
    if machine.decision.boxes < 64:
        positions = _every_game(machine.decision, progress)
        return Unbeatable(positions, perf_counter() - began)
    boxes, replies = _shortest(name, machine.decision, progress)
    moves = [str(machine.write_own(Move(point_of(box)))) for box in boxes]
    script = transcribe(game(machine.plays_only[0]), player(name), moves)
    return Beaten(moves, script, replies, perf_counter() - began)


def _shortest(name: str, decision: Decision, progress: Progress | None) -> tuple[list[int], int]:
    """The boxes of the user's moves, and how many replies were looked at to find them."""
    import numpy as np  # noqa: PLC0415  only this command needs it, and the compiler

    from noughts.arena.beat_kernel import shortest_win  # noqa: PLC0415
    from noughts.solve.interrupt import interruptible  # noqa: PLC0415

    counted, points = np.array(decision.counted, np.int64), np.array(decision.points, np.int64)
    looked = 0
    for depth in range(4, MOST_MOVES + 1):
        if progress:
            progress(depth, MOST_MOVES + 1)
        found, replies = interruptible(
            shortest_win, decision.lines, decision.boxes, counted, points, decision.last_threat, depth
        )
        looked += replies
        if len(found):
            return found.tolist(), looked
    raise CannotBeBeatenError(f"{name!r} is not beaten in {MOST_MOVES} moves: expected a weaker machine")


def _every_game(decision: Decision, progress: Progress | None) -> int:
    """How many positions a small machine can be asked in; an error if the user wins in one of them.

    Besides the boxes of the board the user has one more move: a lost turn, on another board.
    """
    lines = [point_set(line) for line in COMBINATIONS[: decision.lines]]
    seen: set[tuple[int, int]] = set()
    waiting = [(0, 0)]
    while waiting:
        user, machine = waiting.pop()
        free = [box for box in range(decision.boxes) if not (user | machine) >> box & 1]
        for after in [user, *(user | 1 << box for box in free)]:
            if (after, machine) in seen:
                continue
            seen.add((after, machine))
            if any(after & line == line for line in lines):
                raise CannotBeBeatenError(f"beaten after all, with boxes {after:b}: expected the machine to hold")
            worth = [USER * (after >> box & 1) + MACHINE * (machine >> box & 1) for box in range(64)]
            box, won = decide(worth, decision)
            if box >= 0 and won is None:
                waiting.append((after, machine | 1 << box))
        if progress:
            progress(len(seen), len(seen) + len(waiting))
    return len(seen)
