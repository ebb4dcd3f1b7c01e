"""How positions and moves are written down.

A position is its cells row by row, `X`, `O` or `.`, rows separated by `/` and levels by `|`. In games with
moving stones the side to move follows, `x` or `o`, and, while there are any, the stones in hand: X's, a
comma, O's. A reader may leave out what the cells say already, and takes small letters for capitals.

    XO./.X./..O            tic-tac-toe, X to move
    XX./OO./... x 1,1      three stones each, one each still in hand

A move is the point on which a stone is placed, `b2`; two points for a stone that slides or jumps, `a1-b2`;
with `x` and a point for the stone it captures, `a1-b2xc3`; or `pass`. Columns are letters, rows are numbers
from the top; on a cube the level comes first, `2b3`.
"""

import re

from noughts.games.errors import NotationError, UnknownPointError
from noughts.games.layout import Layout
from noughts.games.position import PASS, SIDES, Move, Position
from noughts.games.rules import Movement, Rules

__all__ = ["read_move", "read_position", "write_move", "write_position"]

_MOVE = re.compile(r"(?:(?P<source>[0-9]?[a-z][0-9]+)-)?(?P<to>[0-9]?[a-z][0-9]+)(?:x(?P<capture>[a-z][0-9]+))?")
_HAND = re.compile(r"([0-9]{1,3}),([0-9]{1,3})")
_LONGEST = 200
_EMPTIED = str.maketrans("XOxo", "....")
# The cells as digits of a number in base two: those of X, those of O.
_DIGITS = tuple(
    str.maketrans(f"{own}{own.lower()}{other}{other.lower()}.", "11000", "/|") for own, other in ("XO", "OX")
)


def write_position(layout: Layout, rules: Rules, position: Position) -> str:
    """The notation of a position."""
    x, o = position.stones
    cells = "|".join(
        "/".join("".join("X" if x >> p & 1 else "O" if o >> p & 1 else "." for p in row) for row in level)
        for level in layout.rows
    )
    if rules.movement is Movement.NONE:
        return cells
    hand = f" {position.hand[0]},{position.hand[1]}" if position.hand != (0, 0) else ""
    return f"{cells} {SIDES[position.turn]}{hand}"


def read_position(layout: Layout, rules: Rules, text: str) -> Position:
    """The position this text notes, of the right shape but perhaps not one that can occur."""
    if not isinstance(text, str):
        raise NotationError(f"{_quoted(text)} is not the notation of a position: expected text, as {layout.empty!r}")
    cells, *rest = text.split() or [""]
    stones = _read_cells(layout, cells)
    side = hand = None
    for word in rest:
        if word.lower() in ("x", "o") and side is None:
            side = SIDES.index(word.lower())
        elif (match := _HAND.fullmatch(word)) and hand is None:
            hand = (int(match[1]), int(match[2]))
        else:
            raise NotationError(
                f"{word!r} in {text[:_LONGEST]!r} is neither the side to move (x or o) nor stones in hand (as 3,2)"
            )
    if hand is None:
        hand = _hand_from_cells(rules, stones, side)
    if side is None:
        side = rules.turn_of(hand)
    if side is None:
        raise NotationError("the side to move is missing: expected x or o after the cells")
    return Position(stones, hand, side)


def _read_cells(layout: Layout, cells: str) -> tuple[int, int]:
    shape = layout.empty
    if cells.translate(_EMPTIED) != shape:
        expected = f"{shape!r} with X and O in it" if len(shape) < 80 else f"{len(layout)} cells X, O or ."
        raise NotationError(f"{cells[:_LONGEST]!r} is not a board of this game: expected {expected}")
    # The first cell is the lowest bit.
    x, o = (int(cells.translate(digits)[::-1], 2) for digits in _DIGITS)
    return x, o


def _hand_from_cells(rules: Rules, stones: tuple[int, int], side: int | None) -> tuple[int, int]:
    """What is not on the board is in hand, except in games that capture: there, silence means empty hands."""
    if rules.captures:
        return (0, 0) if stones != (0, 0) or side is not None else rules.stones
    return (rules.stones[0] - stones[0].bit_count(), rules.stones[1] - stones[1].bit_count())


def _quoted(wrong: object) -> str:
    """What somebody wrote, or passed instead, as a message names it."""
    return repr(wrong[:_LONGEST]) if isinstance(wrong, str) else repr(wrong)[:_LONGEST]


def write_move(layout: Layout, move: Move) -> str:
    """The notation of a move."""
    if move.to is None:
        return "pass"
    source = f"{layout.points[move.source]}-" if move.source is not None else ""
    capture = f"x{layout.points[move.capture]}" if move.capture is not None else ""
    return f"{source}{layout.points[move.to]}{capture}"


def read_move(layout: Layout, text: str) -> Move:
    """The move this text notes; whether it is legal is another question."""
    wanted = text.strip().lower() if isinstance(text, str) else ""
    if wanted == "pass":
        return PASS
    match = _MOVE.fullmatch(wanted)
    if not match:
        raise NotationError(
            f"{_quoted(text)} is not a move: expected a point as {layout.points[0]}, or two as "
            f"{layout.points[0]}-{layout.points[1]}, and x and a point for a capture"
        )

    def point(name: str | None) -> int | None:
        if name is None:
            return None
        if name not in layout.index:
            raise UnknownPointError(
                f"{name!r} is not a point of this board: expected {layout.points[0]} to {layout.points[-1]}"
            )
        return layout.index[name]

    return Move(point(match["to"]), point(match["source"]), point(match["capture"]))
