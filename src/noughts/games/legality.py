"""Which positions can occur: the right numbers of stones, and no row that should have ended the game before.

In the placing games these conditions are exact: a position passes if and only if some game reaches it. In
the moving games they are necessary, and close: they count stones and rows, not the ways they got there.
"""

from functools import reduce

from noughts.games.errors import IllegalPositionError
from noughts.games.layout import Layout
from noughts.games.position import SIDES, Position
from noughts.games.rules import Movement, Rules

__all__ = ["check", "fault", "misfit"]


def check(layout: Layout, rules: Rules, position: Position, text: str) -> None:
    """Raise an error, naming the text, if no game contains this position."""
    wrong = fault(layout, rules, position)
    if wrong:
        raise IllegalPositionError(f"{text!r} is not a legal position: {wrong}")


def fault(layout: Layout, rules: Rules, position: Position) -> str | None:
    """What is wrong with a position, and what was expected; None if it can occur."""
    return _count_fault(rules, position) or (
        _shortage_fault(rules, position) if rules.captures else _row_fault(layout, rules, position)
    )


def misfit(layout: Layout, rules: Rules, position: Position) -> str | None:
    """Why a position cannot be one of this game at all, and what was expected; None if it fits the board."""
    x, o = position.stones
    if (x | o) >> len(layout):
        return f"a stone on point {(x | o).bit_length()}, expected at most {len(layout)}"
    return "two stones on one point, expected one" if x & o else _stones_fault(rules, position)


def _count_fault(rules: Rules, position: Position) -> str | None:
    """Stones in hand alternate, X first, and none appears or disappears except by capture.

    By Lasker's rule just the first stone of either side must be placed; who moves stones is behind in placing them.
    """
    wrong = _stones_fault(rules, position)
    if wrong or (position.hand == (0, 0) and rules.movement is not Movement.NONE):
        return wrong
    x_placed, o_placed = (rules.stones[side] - position.hand[side] for side in (0, 1))
    if rules.moving_while_placing and x_placed and o_placed:
        return None
    if x_placed - o_placed != position.turn:
        return (
            f"x has placed {x_placed} stones, o {o_placed}, and {SIDES[position.turn]} is to move; "
            "expected as many each with x to move, or one more of x with o to move"
        )
    return None


def _stones_fault(rules: Rules, position: Position) -> str | None:
    for side in (0, 1):
        owned = position.stones[side].bit_count() + position.hand[side]
        if position.hand[side] < 0 or owned > rules.stones[side] or (owned < rules.stones[side] and not rules.captures):
            return (
                f"{SIDES[side]} has {position.stones[side].bit_count()} stones on the board and "
                f"{position.hand[side]} in hand, expected {'at most ' if rules.captures else ''}"
                f"{rules.stones[side]} together"
            )
    return None


def _row_fault(layout: Layout, rules: Rules, position: Position) -> str | None:
    """A row ends the game: only the player who just moved can have one, made by a single stone."""
    if not rules.row_while_placing:
        return None
    own, other = position.stones[position.turn], position.stones[1 - position.turn]
    rows = layout.rows_of(other)
    if layout.has_row(own):
        if rows:
            return "both sides have a row, expected at most one"
        return f"{SIDES[position.turn]} has a row and is to move, expected the game to have ended before"
    if rows and not reduce(int.__and__, rows):
        return f"{SIDES[1 - position.turn]} has rows with no stone in common, expected one made last"
    return None


def _shortage_fault(rules: Rules, position: Position) -> str | None:
    """A side loses as soon as it falls below the fewest stones, so only the player to move can be there."""
    for side in (0, 1):
        owned = position.stones[side].bit_count() + position.hand[side]
        least = rules.fewest - (1 if side == position.turn else 0)
        if owned < least:
            return f"{SIDES[side]} has {owned} stones in all, expected at least {least}"
    return None
