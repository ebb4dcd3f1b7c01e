"""What the next move brings: rows, wins at once, and losses.

No search is needed where stones are only placed: a win is an empty point that completes a line, and after any move the
opponent's wins are the points that complete one of his lines, unless the move took them. Where stones move, the moves
are tried.

A **row** that is filled wins, or captures where mills do. To see one no move need be tried: a line lacks one stone
only, and there is a stone outside the line that can come.
"""

from noughts.games import Game, Move, Outcome, Position

__all__ = ["fills_row", "loses_at_once", "row_points", "winning_points", "wins_at_once"]


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


def row_points(game: Game, position: Position, side: int) -> int:
    """The empty points on which this side fills a row, were it to move."""
    rules, layout = game.rules, game.layout
    if not rules.row_while_placing and sum(position.hand) > 1:
        return 0
    if position.hand[side]:
        return winning_points(game, position, side)
    stones, empty = position.stones[side], layout.everywhere & ~position.occupied
    anywhere = rules.jumps(position, side)
    found = 0
    for line in layout.line_sets:
        missing = line & ~stones
        if missing & (missing - 1) == 0 and missing & empty:
            near = layout.everywhere if anywhere else layout.neighbours[missing.bit_length() - 1]
            if stones & ~line & near:
                found |= missing
    return found


def fills_row(game: Game, position: Position, move: Move) -> bool:
    """Whether a legal move fills a row that counts."""
    if move.to is None or (not game.rules.row_while_placing and sum(position.hand) > 1):
        return False
    stones = position.stones[position.turn] | 1 << move.to
    if move.source is not None:
        stones ^= 1 << move.source
    for line in game.layout.lines_through[move.to]:  # noqa: SIM110  any() takes three times as long
        if stones & line == line:
            return True
    return False
