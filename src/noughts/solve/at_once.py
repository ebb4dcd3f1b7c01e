"""What the next move brings: wins at once, and losses.

No search is needed where stones are only placed: a win is an empty point that completes a line, and after any move the
opponent's wins are the points that complete one of his lines, unless the move took them. Where stones move, the moves
are tried.
"""

from noughts.games import Game, Move, Outcome, Position

__all__ = ["loses_at_once", "winning_points", "wins_at_once"]


def winning_points(game: Game, position: Position, side: int) -> int:
    """The empty points on which a stone of this side completes a line."""
    stones, empty = position.stones[side], game.layout.everywhere & ~position.occupied
    found = 0
    for line in game.layout.line_sets:
        missing = line & ~stones
        if missing & (missing - 1) == 0:
            found |= missing & empty
    return found


def wins_at_once(game: Game, position: Position) -> list[Move]:
    """The moves that win on the spot."""
    moves = game.moves(position)
    if game.placing_only:
        wins = winning_points(game, position, position.turn)
        return [move for move in moves if move.to is not None and wins >> move.to & 1]
    return [move for move in moves if game.over(game.after(position, move)) is Outcome.LOSS]


def loses_at_once(game: Game, position: Position, moves: list[Move]) -> list[Move]:
    """Those of the moves, none of them a win, after which the opponent wins on the spot."""
    if game.placing_only:
        threats = winning_points(game, position, 1 - position.turn)
        return [move for move in moves if move.to is not None and threats & ~(1 << move.to)]
    return [move for move in moves if wins_at_once(game, game.after(position, move))]
