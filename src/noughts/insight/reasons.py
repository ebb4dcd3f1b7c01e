"""Why a move is good or bad, in words a ten-year-old understands: from facts that are certain, as far as there are any.

The facts: what the move is worth and what the best move is worth, by the solution of the game; the wins at hand for
either side before and after it; and **forks**, that is two wins at hand at once. The first fact that applies, in this
order, is the reason:

1. it wins at once;
2. it gives a win or a draw away, and to what;
3. it stops a loss at once;
4. it makes a fork;
5. it stops a fork;
6. it is the only move that holds, or any move would do, or it is one of several;
7. where nothing is proved: how it looks beside the best move, and how far ahead that was searched. "Looks" is never
   said of what is certain.
"""

from collections.abc import Iterator
from typing import NamedTuple

from noughts.games import SIDES, Game, Move, Outcome, Position
from noughts.solve import Answer, Rated, knowledge
from noughts.solve.at_once import loses_at_once, winning_points, wins_at_once
from noughts.solve.look import Look

__all__ = ["Reason", "why"]


class Reason(NamedTuple):
    """What kind of reason it is, and the reason in words."""

    kind: str
    """wins, gives-away, loses, blocks, fork, stops-fork, only, any, keeps, estimate or unknown."""
    words: str


def why(game: Game, position: Position, move: Move, answer: Answer | None = None) -> Reason:
    """The reason for or against a legal move; `answer` is what is known of the position, if it was asked already."""
    known = knowledge(game).ask(position) if answer is None else answer
    mine = next(rated for rated in known.moves if rated.move == move)
    return next(_reasons(game, position, mine, known))


def _reasons(game: Game, position: Position, mine: Rated, known: Answer) -> Iterator[Reason]:
    """Everything that can be said, the most important first."""
    moves, best = known.moves, known.moves[0].value
    if game.over(mine.position) is Outcome.LOSS:
        yield Reason("wins", "It wins at once.")
    if mine.value.outcome is not best.outcome:
        yield _gives_away(game, mine, moves[0])
    threatened = wins_at_once(game, position._replace(turn=1 - position.turn))
    if threatened and not loses_at_once(game, position, [mine.move]):
        yield Reason("blocks", f"It stops {_name(1 - position.turn)} from winning at once.")
    if mine.value.outcome is Outcome.WIN and _forks(game, mine.position, position.turn):
        yield Reason("fork", f"It makes a fork: two ways to win, and {_name(1 - position.turn)} can stop only one.")
    if mine.value.outcome is not Outcome.LOSS and _stops_a_fork(game, position, mine):
        yield Reason("stops-fork", f"It stops a fork: {_name(1 - position.turn)} would have had two ways to win.")
    yield _looks(game, mine, known) if mine.value.outcome is Outcome.UNKNOWN else _compared(mine, moves)


def _gives_away(game: Game, mine: Rated, first: Rated) -> Reason:
    best = first.value
    other = _name(mine.position.turn)
    if mine.value.outcome is Outcome.LOSS:
        answers = wins_at_once(game, mine.position)
        how = f"{other} wins at once with {game.write_move(answers[0])}" if answers else _later(other, mine)
        if best.outcome is Outcome.UNKNOWN:
            return Reason("loses", f"It loses: {how}.")
        lost = "the win" if best.outcome is Outcome.WIN else "the draw"
        return Reason("gives-away", f"It gives {lost} away: {how}.")
    if mine.value.outcome is Outcome.DRAW:
        return Reason("gives-away", "It gives the win away: now it is only a draw.")
    sure = "wins" if best.outcome is Outcome.WIN else "is sure to draw"
    return Reason("unknown", f"Nobody knows yet what it leads to; {game.write_move(first.move)} {sure}.")


def _later(other: str, mine: Rated) -> str:
    if mine.value.remoteness is not None:
        return f"{other} can force a win in {mine.value.remoteness - 1} moves, counting both sides'"
    if mine.at_most is not None:
        return f"{other} can force a win in at most {mine.at_most - 1} moves, counting both sides'"
    return f"{other} can force a win"


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


def _looks(game: Game, mine: Rated, known: Answer) -> Reason:
    """How a move looks of which nothing is proved."""
    if mine.look is None or not known.depth:
        return Reason("unknown", "Nobody knows yet what it leads to.")
    best = game.write_move(known.moves[0].move)
    words = {
        Look.BEST: "looks best",
        Look.GOOD: f"looks as good as {best}",
        Look.WEAKER: f"looks weaker than {best}",
        Look.BAD: f"looks bad beside {best}",
    }[mine.look]
    return Reason("estimate", f"It {words}, searched {known.depth} {'ply' if known.depth == 1 else 'plies'}.")


def _compared(mine: Rated, moves: list[Rated]) -> Reason:
    """The move next to the others, by their values."""
    alike = [rated for rated in moves if rated.value.outcome is mine.value.outcome]
    holds = {Outcome.WIN: "wins", Outcome.DRAW: "holds the draw", Outcome.LOSS: "loses"}[mine.value.outcome]
    if len(moves) == 1:
        return Reason("only", "It is the only move.")
    if any(rated.value.outcome is Outcome.UNKNOWN for rated in moves):
        return Reason("keeps", f"It {holds}; of other moves that is not known.")
    if len(alike) == 1:
        return Reason("only", f"It is the only move that {holds}.")
    if len(alike) == len(moves):
        if mine.value.outcome is Outcome.LOSS:
            return Reason("loses", f"Every move loses{_resistance(mine, moves)}.")
        return Reason("any", f"Any move {holds}.")
    return Reason("keeps", f"It {holds}, as {len(alike) - 1} other moves do." if len(alike) > 2 else f"It {holds}.")


def _resistance(mine: Rated, moves: list[Rated]) -> str:
    """How long a move holds out next to the others, all of which lose."""
    longest, plies = moves[0].value.remoteness, mine.value.remoteness or mine.at_most
    # What loses after the next move is seen at sight; a loss of unknown length takes longer.
    if plies is not None and plies < (3 if longest is None else longest):
        return ", and this one sooner than it must"
    if longest is not None and mine.value.remoteness == longest:
        return "; this one is as good as any"
    if mine.estimate is None:
        return "; this one is as good as any that is known"
    return "; this one looks hardest to beat" if mine is moves[0] else "; how long this one holds out is not known"


def _name(side: int) -> str:
    return SIDES[side].upper()
