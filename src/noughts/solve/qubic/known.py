"""What is known about a position of Qubic: the certificate and chains of threats, put together.

The first player wins, and the dictionary that proves it (`noughts.solve.qubic.dictionary`) names a move where one is
needed; the search for chains of threats (`noughts.solve.qubic.chains`) finds the wins in between. Together they say of
a position that the player to move wins, or loses, or nothing. They never guess.

A win found this way is certain, but not known to be the shortest, so it has no remoteness.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from noughts.games import Game, Move, Outcome, Position
from noughts.games.points import members
from noughts.solve.at_once import winning_points
from noughts.solve.qubic.chains import BudgetSpentError, ThreatWin, find_win
from noughts.solve.qubic.dictionary import shipped_dictionary
from noughts.solve.qubic.symmetry import Key, by_canonical, canonical_key
from noughts.solve.solution import Rated, best_first
from noughts.solve.value import UNKNOWN, Value

__all__ = ["CERTAIN", "Finding", "book_move", "chain", "examine", "rate_moves", "winning_moves"]

CERTAIN = Value(Outcome.WIN)
"""A win of unknown length."""
BUDGET = 200_000
"""Threats to try before a chain counts as not found; a test sees that this is enough wherever the certificate ends."""
QUICK = 20_000
"""The same where dozens of positions are looked at for one answer."""
MOST_POSITIONS = 20_000
"""How many positions may be looked at to see whether the certificate reaches one."""
PROVED = "first player wins (proved)"


class Finding(NamedTuple):
    """A value, and how it is known."""

    value: Value
    reason: str
    threats: tuple[int, ...] = ()
    """The chain of threats, if it is one: the attacker's moves."""


@cache
def _book() -> dict[Key, int]:
    return by_canonical(shipped_dictionary().entries)


def book_move(position: Position) -> int | None:
    """The dictionary's move for the first player, if it has one here."""
    if position.turn != 0:
        return None
    key, symmetry = canonical_key(*position.stones)
    move = _book().get(key)
    return None if move is None else symmetry.index(move)


def chain(position: Position, side: int, budget: int = BUDGET) -> ThreatWin | None:
    """A chain of threats with which this side would win, were it to move; None if none was found."""
    try:
        return find_win(position.stones[side], position.stones[1 - side], budget)
    except BudgetSpentError:
        return None


def examine(game: Game, position: Position) -> Finding:
    """What is known about a position that is not over."""
    turn = position.turn
    at_once = winning_points(game, position, turn)
    if at_once:
        return Finding(Value(Outcome.WIN, 1), "completes a line", (members(at_once)[0],))
    found = chain(position, turn)
    if found:
        return Finding(CERTAIN, "a chain of threats", found.moves)
    if winning_points(game, position, 1 - turn).bit_count() > 1:
        return Finding(Value(Outcome.LOSS, 2), "two lines to stop at once")
    if _first_player_wins(game, position, set()):
        return Finding(CERTAIN if turn == 0 else Value(Outcome.LOSS), PROVED)
    return Finding(UNKNOWN, "unknown")


def _first_player_wins(game: Game, position: Position, seen: set[Position]) -> bool:
    """Whether the certificate reaches the end of every game from here; `MOST_POSITIONS` may be looked at.

    Threats of the second player made in another order meet in the same position. What was `seen` has been shown to be
    won, or the search would have ended there.
    """
    if position in seen:
        return True
    if len(seen) >= MOST_POSITIONS:
        return False
    seen.add(position)
    turn = position.turn
    at_once = winning_points(game, position, turn)
    if at_once:
        return turn == 0
    stops = winning_points(game, position, 1 - turn)
    if turn == 0 and not stops:
        return book_move(position) is not None or chain(position, 0) is not None
    if stops.bit_count() > 1:
        return turn == 1
    cells = stops or game.layout.everywhere & ~position.occupied
    return cells != 0 and all(
        _first_player_wins(game, game.after(position, Move(cell)), seen) for cell in members(cells)
    )


def rate_moves(game: Game, position: Position, won: bool = False) -> list[Rated]:
    """Every move with what is known of it at sight, best first.

    Where the position is known to be `won` and the opponent threatens to win, the move that stops him wins.
    """
    found = chain(position, position.turn)
    book = book_move(position)
    best = {cell for cell in (book, found.moves[0] if found else None) if cell is not None}
    if won and not best:
        best.update(members(winning_points(game, position, 1 - position.turn)))
    winning = {canonical_key(*game.after(position, Move(cell)).stones)[0] for cell in best}
    rated = []
    for move in game.moves(position):
        after = game.after(position, move)
        if game.over(after) is not None:
            value = Value(Outcome.WIN, 1) if game.over(after) is Outcome.LOSS else Value(Outcome.DRAW, 1)
        elif winning and canonical_key(*after.stones)[0] in winning:
            value = CERTAIN
        elif winning_points(game, after, after.turn):
            value = Value(Outcome.LOSS, 2)
        else:
            value = Value(Outcome.LOSS) if chain(after, after.turn, QUICK) else UNKNOWN
        rated.append(Rated(move, value, after))
    rated.sort(key=lambda one: _openness(game, position, one.move.to or 0), reverse=True)
    return best_first(rated)


def winning_moves(position: Position) -> Iterator[int]:
    """The cells that are known to win: where a chain of threats begins, and the certificate's move."""
    found = chain(position, position.turn)
    if found:
        yield found.moves[0]
    move = book_move(position)
    if move is not None:
        yield move


def _openness(game: Game, position: Position, cell: int) -> int:
    """How much a cell matters: stones in the lines through it that only one side holds."""
    total = 0
    for line in game.layout.lines_through[cell]:
        own, other = (position.stones[side] & line for side in (position.turn, 1 - position.turn))
        if not own or not other:
            total += 1 + 3 * (own | other).bit_count()
    return total
