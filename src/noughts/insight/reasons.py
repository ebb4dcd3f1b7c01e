"""Why a move is good or bad, in words a ten-year-old understands, and only from facts that are certain.

The facts: what the move is worth and what the best move is worth, by the solution of the game; the wins at hand for
either side before and after it; and **forks**, that is two wins at hand at once. The first fact that applies, in this
order, is the reason:

1. it wins at once;
2. it gives a win or a draw away, and to what;
3. it stops a loss at once;
4. it makes a fork;
5. it stops a fork;
6. it is the only move that holds, or any move would do, or it is one of several.
"""

from collections.abc import Iterator
from typing import NamedTuple

from noughts.games import SIDES, Game, Move, Outcome, Position
from noughts.solve import Rated, Value, knowledge
from noughts.solve.at_once import loses_at_once, winning_points, wins_at_once

__all__ = ["Reason", "why"]


class Reason(NamedTuple):
    """What kind of reason it is, and the reason in words."""

    kind: str
    """wins, gives-away, loses, blocks, fork, stops-fork, only, any, keeps or unknown."""
    words: str


def why(game: Game, position: Position, move: Move) -> Reason:
    """The reason for or against a legal move."""
    moves = knowledge(game).ask(position).moves
    mine = next(rated for rated in moves if rated.move == move)
    return next(_reasons(game, position, mine, moves))


def _reasons(game: Game, position: Position, mine: Rated, moves: list[Rated]) -> Iterator[Reason]:
    """Everything that can be said, the most important first."""
    best = moves[0].value
    if game.over(mine.position) is Outcome.LOSS:
        yield Reason("wins", "It wins at once.")
    if mine.value.outcome is not best.outcome:
        yield _gives_away(game, mine, best)
    threatened = wins_at_once(game, position._replace(turn=1 - position.turn))
    if threatened and not loses_at_once(game, position, [mine.move]):
        yield Reason("blocks", f"It stops {_name(1 - position.turn)} from winning at once.")
    if mine.value.outcome is Outcome.WIN and _forks(game, mine.position, position.turn):
        yield Reason("fork", f"It makes a fork: two ways to win, and {_name(1 - position.turn)} can stop only one.")
    if mine.value.outcome is not Outcome.LOSS and _stops_a_fork(game, position, mine):
        yield Reason("stops-fork", f"It stops a fork: {_name(1 - position.turn)} would have had two ways to win.")
    yield _compared(mine, moves)


def _gives_away(game: Game, mine: Rated, best: Value) -> Reason:
    other = _name(mine.position.turn)
    if mine.value.outcome is Outcome.LOSS:
        answers = wins_at_once(game, mine.position)
        how = f"{other} wins at once with {game.write_move(answers[0])}" if answers else _later(other, mine.value)
        if best.outcome is Outcome.UNKNOWN:
            return Reason("loses", f"It loses: {how}.")
        lost = "the win" if best.outcome is Outcome.WIN else "the draw"
        return Reason("gives-away", f"It gives {lost} away: {how}.")
    if mine.value.outcome is Outcome.DRAW:
        return Reason("gives-away", "It gives the win away: now it is only a draw.")
    return Reason("unknown", "Nobody knows yet what it leads to; there is a better move.")


def _later(other: str, value: Value) -> str:
    if value.remoteness is None:
        return f"{other} can force a win"
    return f"{other} can force a win in {value.remoteness - 1} moves, counting both sides'"


def _forks(game: Game, position: Position, side: int) -> bool:
    """Whether this side, having just moved, has two wins at hand; where stones only are placed."""
    return game.placing_only and winning_points(game, position, side).bit_count() > 1


def _stops_a_fork(game: Game, position: Position, mine: Rated) -> bool:
    """Whether the opponent could have made a fork, and no longer can."""
    if not game.placing_only:
        return False
    other = 1 - position.turn
    return _can_fork(game, position, other) and not _can_fork(game, mine.position, other)


def _can_fork(game: Game, position: Position, side: int) -> bool:
    empty = game.layout.everywhere & ~position.occupied
    own = position.stones[side]
    for point in range(len(game.layout)):
        if empty >> point & 1:
            stones = (own | 1 << point, position.stones[1 - side])
            then = position._replace(stones=stones if side == 0 else stones[::-1])
            if winning_points(game, then, side).bit_count() > 1:
                return True
    return False


def _compared(mine: Rated, moves: list[Rated]) -> Reason:
    """The move next to the others."""
    if mine.value.outcome is Outcome.UNKNOWN:
        return Reason("unknown", "Nobody knows yet what it leads to.")
    alike = [rated for rated in moves if rated.value.outcome is mine.value.outcome]
    holds = {Outcome.WIN: "wins", Outcome.DRAW: "holds the draw", Outcome.LOSS: "loses"}[mine.value.outcome]
    if len(moves) == 1:
        return Reason("only", "It is the only move.")
    if len(alike) == 1:
        return Reason("only", f"It is the only move that {holds}.")
    if len(alike) == len(moves):
        if mine.value.outcome is Outcome.LOSS:
            return Reason(
                "loses", "Every move loses; this one is as good as any." if _is_best(mine, moves) else _sooner()
            )
        return Reason("any", f"Any move {holds}.")
    return Reason("keeps", f"It {holds}, as {len(alike) - 1} other moves do." if len(alike) > 2 else f"It {holds}.")


def _is_best(mine: Rated, moves: list[Rated]) -> bool:
    return mine.value.preference() == moves[0].value.preference()


def _sooner() -> str:
    return "Every move loses, and this one sooner than it must."


def _name(side: int) -> str:
    return SIDES[side].upper()
