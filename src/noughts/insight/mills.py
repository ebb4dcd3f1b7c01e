"""What a move does where a row is a mill, which captures: it closes, opens, blocks and threatens mills.

A side **can close** a mill on an empty point if, were it to move, a stone of it could come there and fill a line: from
the hand, from a neighbouring point, or, flying, from anywhere. In this order:

- `closes-mill`: the move fills a line and captures; told with what the capture brings: a stone out of a mill, a mill
  that the opponent can no longer close, or that with three stones left the opponent flies;
- `double-mill`: it makes a stone that stands in a mill and can step out of it into another one, so that it swings to
  and fro and closes a mill every turn; told once all own stones are placed;
- `breaks-double-mill`: the opponent had such a stone, and has none any more;
- `two-mills`: now this side can close mills on two points or more, of which the opponent can occupy only one;
- `blocks-mill`: it takes a point on which the opponent could close a mill;
- `opens-mill`: a stone leaves a mill of its own; told with whether the mill can be closed again next turn;
- `threatens-mill`: now this side can close a mill on one point.

And there is one **drawback**, `allows-mill`: after the move the opponent, who is to move, can close a mill.
"""

from collections.abc import Iterator

from noughts.games import Game, Move, Position
from noughts.games.points import members
from noughts.insight.deeds import Deed, line_of, listed, name_of_side, named, sliding_deeds
from noughts.solve.at_once import row_points

__all__ = ["allows_mill", "mill_deeds", "swings"]


def mill_deeds(game: Game, position: Position, move: Move) -> Iterator[Deed]:
    """What a move does that does not win at once, the most telling first."""
    side, other = position.turn, 1 - position.turn
    after = game.after(position, move)
    assert move.to is not None
    if move.capture is not None:
        closed = [line for line in game.layout.lines_through[move.to] if line & after.stones[side] == line]
        yield Deed("closes-mill", f"closes {_mills(game, closed)} and takes {_taken(game, position, move)}")
    if game.rules.can_step(after, side) and not swings(game, position, side):
        for swing in swings(game, after, side)[:1]:
            yield Deed("double-mill", _double(game, *swing))
    if game.rules.can_step(position, other) and swings(game, position, other) and not swings(game, after, other):
        yield Deed("breaks-double-mill", f"breaks the double mill of {name_of_side(other)}")
    ready = row_points(game, after, side)
    if ready.bit_count() > 1:
        where = f"{'either' if ready.bit_count() == 2 else 'any'} of {listed(named(game, ready))}"
        yield Deed("two-mills", f"threatens to close a mill on {where}, and {name_of_side(other)} can take only one")
    if row_points(game, position, other) >> move.to & 1:
        own = position.stones[other] | 1 << move.to
        lines = [line for line in game.layout.lines_through[move.to] if line & own == line]
        yield Deed("blocks-mill", f"blocks {_mills(game, lines)} of {name_of_side(other)}")
    yield from _opened(game, position, move, after)
    if ready.bit_count() == 1 and move.source != ready.bit_length() - 1:
        yield Deed("threatens-mill", f"threatens to close a mill on {named(game, ready)[0]}")
    yield from sliding_deeds(game, position, move)


def allows_mill(game: Game, after: Position) -> Deed | None:
    """That whoever is to move after a move can close a mill, if so."""
    points = row_points(game, after, after.turn)
    if not points or game.over(after) is not None:
        return None
    name, where = name_of_side(after.turn), listed(named(game, points), "or")
    return Deed("allows-mill", f"lets {name} close a mill on {where}")


def swings(game: Game, position: Position, side: int) -> list[tuple[int, int, int, int]]:
    """The double mills of a side: from where to where a stone swings, and between which two lines.

    A side that may not move stones yet has those that it would have with empty hands.
    """
    layout, own = game.layout, position.stones[side]
    empty = layout.everywhere & ~position.occupied
    now = position if game.rules.can_step(position, side) else position._replace(hand=(0, 0))
    anywhere = game.rules.jumps(now, side)
    found = []
    for mill in layout.rows_of(own):
        for stone in members(mill):
            for point in members(empty if anywhere else empty & layout.neighbours[stone]):
                moved = own & ~(1 << stone) | 1 << point
                found += [(stone, point, mill, line) for line in layout.lines_through[point] if line & moved == line]
    return found


def _double(game: Game, stone: int, _point: int, mill: int, line: int) -> str:
    where = game.layout.points[stone]
    return (
        f"makes a double mill: the stone on {where} swings between {line_of(game, mill)} and {line_of(game, line)}, "
        "closing one of them every turn"
    )


def _opened(game: Game, position: Position, move: Move, after: Position) -> Iterator[Deed]:
    """That a stone leaves a mill."""
    if move.source is None:
        return
    side, other = position.turn, 1 - position.turn
    left = [line for line in game.layout.lines_through[move.source] if line & position.stones[side] == line]
    if not left:
        return
    words = f"opens {_mills(game, left)}"
    if row_points(game, after, side) >> move.source & 1:
        them = "it" if len(left) == 1 else "them"
        words += f", to close {them} again next turn"
        if _can_reach(game, after, other, move.source):
            words += f" unless {name_of_side(other)} steps in"
    yield Deed("opens-mill", words)


def _can_reach(game: Game, position: Position, side: int, point: int) -> bool:
    """Whether a stone of this side, were it to move, could come to an empty point."""
    if position.hand[side] or game.rules.jumps(position, side):
        return True
    return bool(game.layout.neighbours[point] & position.stones[side])


def _mills(game: Game, lines: list[int]) -> str:
    """`the mill a1–a4–a7`, or both of two."""
    which = listed(line_of(game, line) for line in lines)
    return f"the mill {which}" if len(lines) == 1 else f"{'both ' if len(lines) == 2 else ''}the mills {which}"


def _taken(game: Game, position: Position, move: Move) -> str:
    """The captured stone, and what its capture brings."""
    assert move.capture is not None
    side, other = position.turn, 1 - position.turn
    after = game.after(position, move)
    words = game.layout.points[move.capture]
    lines = [line for line in game.layout.lines_through[move.capture] if line & position.stones[other] == line]
    stopped = row_points(game, position, other) & ~row_points(game, after, other) & ~after.stones[side]
    if lines:
        words += f" out of {_mills(game, lines)}"
    elif stopped:
        words += f"; {name_of_side(other)} can no longer close a mill on {listed(named(game, stopped), 'or')}"
    left = after.stones[other].bit_count()
    if not after.hand[other] and left == game.rules.flying < position.stones[other].bit_count():
        words += f"; with {left} stones left, {name_of_side(other)} flies from now on"
    return words
