"""What a move does, by the rules alone: it stops a row, closes a mill, shuts in a stone, and so on.

A **deed** is a fact about one legal move that needs no search and no value: whoever knows the rules can check it on the
board. Deeds are what reasons are made of (`noughts.insight.reasons`), the most telling first. They are told by two
files, since a row means two things: where it wins, `noughts.insight.rows`; where it captures, `noughts.insight.mills`.
What both have in common stands here: stones that can no longer move, and points with many ways out.

The words of a deed go on after "It", and after "which": `stops X from winning at once`.
"""

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from noughts.games import PASS, SIDES, Game, Move, Outcome, Position
from noughts.games.points import members
from noughts.games.rules import Movement

__all__ = ["Deed", "DeedKind", "line_of", "listed", "movable", "name_of_side", "named", "sliding_deeds"]


DeedKind = Literal[
    "blocks",
    "fork",
    "chain",
    "stops-fork",
    "threat",
    "open",
    "closes-mill",
    "double-mill",
    "breaks-double-mill",
    "two-mills",
    "blocks-mill",
    "opens-mill",
    "threatens-mill",
    "allows-mill",
    "no-move",
    "shuts-in",
    "crossing",
]


class Deed(NamedTuple):
    """Something that a move does."""

    kind: DeedKind
    words: str
    chain: tuple[Move, ...] = ()
    """Of a chain of threats: threat and forced answer in turn, the last threat without an answer."""

    @property
    def brief(self) -> str:
        """The words without what explains them."""
        return self.words.partition(":")[0]


def name_of_side(side: int) -> str:
    """X or O.

    Args:
        side: 0 for X, 1 for O.
    """
    return SIDES[side].upper()


def named(game: Game, points: int) -> list[str]:
    """The names of a set of points.

    Args:
        game: The game that is played.
        points: The set, as a bit mask.
    """
    return [game.layout.points[point] for point in members(points)]


def listed(names: Iterable[str], last: str = "and") -> str:
    """Names in a sentence: `a1`, `a1 and b2`, `a1, b2 and c3`.

    Args:
        names: At least one.
        last: The word before the last of them.
    """
    *most, final = names
    return f"{', '.join(most)} {last} {final}" if most else final


def line_of(game: Game, line: int) -> str:
    """A line by its points, `a1–a4–a7`.

    Args:
        game: The game that is played.
        line: The points of the line, as a bit mask.
    """
    return "–".join(named(game, line))


def movable(game: Game, position: Position, side: int) -> int:
    """The stones of this side that have an empty point beside them.

    Args:
        game: The game that is played.
        position: A position of it.
        side: 0 for X, 1 for O.

    Returns:
        The points of these stones, as a bit mask.
    """
    empty = game.layout.everywhere & ~position.occupied
    found = 0
    for point in members(position.stones[side]):
        if game.layout.neighbours[point] & empty:
            found |= 1 << point
    return found


def sliding_deeds(game: Game, position: Position, move: Move) -> Iterator[Deed]:
    """What a move does where stones slide, whatever a row means: it shuts in stones, or takes a crossing.

    Args:
        game: A game in which stones slide.
        position: Where the move is made.
        move: A legal move.
    """
    if game.rules.movement is not Movement.SLIDE:
        return
    after = game.after(position, move)
    other = 1 - position.turn
    name = name_of_side(other)
    if game.rules.full_board_draws and after.occupied == game.layout.everywhere:
        yield Deed("no-move", "fills the board, which is a draw")
    elif game.over(after) is Outcome.DRAW:
        yield Deed("no-move", f"leaves {name} without a move, which is a draw")
    elif game.moves(after) == [PASS]:
        yield Deed("no-move", f"leaves {name} without a move, so that {name} must pass")
    elif not after.hand[other] and not game.rules.jumps(after, other):
        shut = movable(game, position, other) & ~movable(game, after, other) & after.stones[other]
        if shut:
            stones = named(game, shut)
            which = f"stone on {stones[0]}" if len(stones) == 1 else f"stones on {listed(stones)}"
            yield Deed("shuts-in", f"shuts in the {which}, which can no longer move")
    ways = [near.bit_count() for near in game.layout.neighbours]
    if move.source is None and move.to is not None and ways[move.to] == max(ways) > min(ways):
        yield Deed("crossing", f"takes a crossing: {max(ways)} lines lead on from {game.layout.points[move.to]}")
