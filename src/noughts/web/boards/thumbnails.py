"""Boards inside pages: the pictures of `noughts.games.picture`, without a style of their own and cut to fit.

The levels of a cube stand two by two, since side by side they would be too small for a telephone. A finished row is
marked. Points may be links, so that a board can be walked on with the mouse; every such link has a twin in a list for
those who use the keyboard, hence it is left out of the order of the tab key.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from markupsafe import Markup, escape

from noughts.games import SIDES, Game, Outcome, Position
from noughts.games.layout import Layout, Place
from noughts.games.picture import MARGIN, STONE, UNIT, Note, Picture, above, beside, draw_board, draw_stone
from noughts.games.points import members

__all__ = ["Link", "in_words", "inline", "picture_of", "side_stones", "thumbnail", "trimmed"]

TITLE = 24
"""How much lower a board stands under a title."""
PADDING = 6
"""Paper that is left around a board without labels."""


class Link(NamedTuple):
    """Where a click on a point leads, and what is said of it."""

    href: str
    label: str


def picture_of(
    game: Game,
    position: Position,
    *,
    notes: Mapping[int, Note] | None = None,
    links: Mapping[int, Link] | None = None,
    labels: bool = True,
) -> Picture:
    """A position; the levels of a cube two by two."""
    levels = len(game.layout.rows)
    boards = [_level(game, position, level, notes or {}, links or {}, labels) for level in range(levels)]
    rows = [beside(*boards[first : first + 2]) for first in range(0, levels, 2)]
    return boards[0] if levels == 1 else above(*rows)


def inline(picture: Picture, label: str, kind: str, *, cropped: bool = False, role: str = "img") -> Markup:
    """A picture as an element of a page; `cropped` cuts off where the labels would be."""
    left = MARGIN - PADDING if cropped else 0
    right = MARGIN / 2 - PADDING if cropped else 0
    box = f"{left:g} {left:g} {picture.width - left - right:g} {picture.height - left - right:g}"
    return Markup('<svg class="{}" viewBox="{}" role="{}" aria-label="{}">{}</svg>').format(
        kind, box, role, label, Markup(picture.body)
    )


def trimmed(picture: Picture) -> Picture:
    """The same without the paper for labels, for a file of its own."""
    left, right = MARGIN - PADDING, MARGIN / 2 - PADDING
    body = f'<g transform="translate({-left} {-left})">\n{picture.body}\n</g>'
    return Picture(body, picture.width - left - right, picture.height - left - right)


def thumbnail(game: Game, position: Position) -> Markup:
    """A small board without labels."""
    return inline(picture_of(game, position, labels=False), in_words(game, position), "thumbnail", cropped=True)


def side_stones(game: Game) -> tuple[Markup, Markup]:
    """What each side's stones look like, to stand beside names; nothing where they are the letters X and O anyway."""
    if not game.layout.edges:
        return Markup(), Markup()
    half = STONE + 1
    x, o = (
        Markup(f'<svg class="side-stone" viewBox="0 0 {2 * half:g} {2 * half:g}" aria-hidden="true">')
        + Markup("".join(draw_stone(side, half, half)))
        + Markup("</svg>")
        for side in (0, 1)
    )
    return x, o


def in_words(game: Game, position: Position) -> str:
    """Who stands where and who is to move, for those who do not see the picture."""
    parts = []
    for side, stones in enumerate(position.stones):
        points = ", ".join(game.layout.points[point] for point in members(stones))
        parts.append(f"{SIDES[side].upper()} on {points}" if points else f"no {SIDES[side].upper()}")
    end = game.over(position)
    if end is Outcome.LOSS:
        parts.append(f"{SIDES[1 - position.turn].upper()} has won")
    else:
        parts.append("drawn" if end else f"{SIDES[position.turn].upper()} to move")
    return "; ".join(parts)


@cache
def _flat(board: Layout, level: int) -> tuple[Layout, int]:
    """One level of a board as a board of its own, and the number of its first point."""
    points = [point for point, place in enumerate(board.places) if place.level == level]
    places = tuple(Place(0, board.places[point].row, board.places[point].column) for point in points)
    return Layout(tuple(board.points[point] for point in points), places, ()), points[0]


def _level(
    game: Game,
    position: Position,
    level: int,
    notes: Mapping[int, Note],
    links: Mapping[int, Link],
    labels: bool,
) -> Picture:
    board, first = (game.layout, 0) if len(game.layout.rows) == 1 else _flat(game.layout, level)
    here = range(first, first + len(board))
    x, o = (stones >> first & board.everywhere for stones in position.stones)
    title = f"level {level + 1}" if labels and len(game.layout.rows) > 1 else ""
    drawn = draw_board(
        replace(game, layout=board),
        position._replace(stones=(x, o)),
        notes={point - first: note for point, note in notes.items() if point in here},
        title=title,
        labels=labels,
    )
    down = TITLE if title else 0
    marks = [_row_mark(board.places[point - first], down) for point in _won(game, position) if point in here]
    hits = [_hit(board.places[point - first], down, link) for point, link in links.items() if point in here]
    return drawn._replace(body="\n".join([*marks, drawn.body, *hits]))


def _won(game: Game, position: Position) -> list[int]:
    """The points of the rows that ended the game."""
    return sorted({point for row in game.winning_rows(position) for point in members(row)})


def _row_mark(place: Place, down: float) -> str:
    x, y = MARGIN + UNIT * (place.column + 0.5), MARGIN + down + UNIT * (place.row + 0.5)
    return f'<circle class="win halo" cx="{x:g}" cy="{y:g}" r="{UNIT / 2 - 2:g}"/>'


def _hit(place: Place, down: float, link: Link) -> str:
    x, y = MARGIN + UNIT * place.column, MARGIN + down + UNIT * place.row
    return (
        f'<a class="hit" href="{escape(link.href)}" tabindex="-1" aria-label="{escape(link.label)}">'
        f'<rect x="{x:g}" y="{y:g}" width="{UNIT}" height="{UNIT}"/></a>'
    )
