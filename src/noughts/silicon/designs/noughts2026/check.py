"""Every game with the one-cycle player, and every board in play on which it may be to move.

The games are those of `simulate.check`. The boards come from the rules: every position that two people can reach, with
the chip's stones those of the side to move. Each is set up at the keys, and the chip is told to go; where the user has
a stone, the same board is also come to by a key of the user's, for each of these stones. Whichever way, the chip must
answer a clock later with a move that keeps the value, by the game's solution (`noughts.solve`).
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

from noughts.games import Position, game
from noughts.games.points import members
from noughts.silicon.design import Design
from noughts.silicon.designs.noughts2026.driver import Fingers
from noughts.silicon.simulate.check import Checked, WrongError
from noughts.silicon.simulate.check import check as check_games
from noughts.silicon.simulate.compiled import compiled
from noughts.solve import solve

__all__ = ["check_player", "say_checked"]

_GAME = game("tictactoe")


def check_player(design: Design, *, gates: bool = False, progress: Callable[[int, int], None] | None = None) -> Checked:
    """All games, then all boards; `boards` and `plays` of what is found say how many boards, and how many replies."""
    found = check_games(replace(design, check=None), gates=gates, progress=progress)
    fingers = Fingers(compiled(design, gates=gates))
    boards = plays = 0
    for position in boards_in_play():
        boards += 1
        for last in (None, *members(position.stones[1 - position.turn])):
            plays += 1
            _reply(fingers, position, last)
    return found._replace(boards=boards, plays=plays)


def boards_in_play() -> Iterator[Position]:
    """Every position in which somebody is to move: the chip."""
    return (position for position in solve(_GAME).positions() if _GAME.over(position) is None)


def _reply(fingers: Fingers, position: Position, last: int | None) -> None:
    """Set up a board, all of it or all but the user's last stone, and look at the reply."""
    own, user = position.stones[position.turn], position.stones[1 - position.turn]
    fingers.set_up(own, user if last is None else user & ~(1 << last))
    cycles = fingers.let_move() if last is None else fingers.press(last)
    now, others = fingers.stones()
    added = now & ~own
    if (cycles, others, now & own, added.bit_count()) != (1, user, own, 1) or added & position.occupied:
        raise WrongError(f"at {_GAME.write(position)!r} the chip has {now:09b} and the user {others:09b} on the board")
    keeping, after = _keeping(position), added.bit_length() - 1
    if after not in keeping:
        points = [_GAME.layout.points[place] for place in (after, *keeping)]
        raise WrongError(f"at {_GAME.write(position)!r} it plays {points[0]}: expected {' or '.join(points[1:])}")
    won = _GAME.layout.has_row(now)
    over = won or now | others == _GAME.layout.everywhere
    if (fingers.is_over, fingers.has_won) != (over, won):
        raise WrongError(f"over and won are {fingers.is_over} and {fingers.has_won} after {_GAME.write(position)!r}")


@cache
def _keeping(position: Position) -> list[int]:
    """Where a stone leaves the position worth what it was."""
    worth = solve(_GAME).value(position).outcome
    good = [one.move.to for one in solve(_GAME).moves(position) if one.value.outcome is worth]
    return [place for place in good if place is not None]


def say_checked(found: Checked) -> list[str]:
    """What was found, for people."""
    return [
        f"noughts2026: {found.games:,} games, every one a user can play",
        f"it wins {found.wins:,}, draws {found.draws:,}, loses {found.losses:,}",
        f"every reply comes after {found.slowest_cycles} cycle",
        f"{found.boards:,} boards, all in which it may be to move, set up in {found.plays:,} ways: "
        "every reply keeps the value",
    ]
