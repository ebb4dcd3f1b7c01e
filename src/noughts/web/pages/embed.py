"""Boards for other people's pages: as a picture, and as a small page in a frame.

    /embed/achi.svg?position=…            a board as an SVG; or the game's: moves=b2.a1&ply=1
    /embed/achi.png?position=…            the same as a PNG of 1200 by 630 pixels, for previews of links
    /embed/achi?x=…&o=…&moves=…&ply=…     a game to step through, for an <iframe>

The addresses have the words of `/play` and `/review`. These pages and no others may stand in frames and pictures of
other sites (`noughts.web.limits`): they hold nothing that a click could change.
"""

from typing import Annotated, NamedTuple

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from noughts.games import Game, Move, Position
from noughts.games import game as find_game
from noughts.games.playing import Playing
from noughts.players import name_of
from noughts.web.boards.linked import Marks, draw_links
from noughts.web.boards.raster import png_board
from noughts.web.boards.thumbnails import in_words, picture_of
from noughts.web.limits import EMBED, PICTURE_POLICY
from noughts.web.problems import NotThereError
from noughts.web.rendering import page
from noughts.web.sitting import embed_url, read_sitting, review_url

__all__ = ["router"]

router = APIRouter()
LONGEST_POSITION = 500
LARGEST = 2**63 - 1
KEPT = {"Cache-Control": "public, max-age=3600"}
"""A picture depends on its address alone."""
KNOWN = ("x", "o", "moves", "start")
assert embed_url("tictactoe").startswith(EMBED)

PositionText = Annotated[str, Query(max_length=LONGEST_POSITION)]
PlyNumber = Annotated[int | None, Query(ge=0, le=LARGEST)]


class Shown(NamedTuple):
    """What a picture shows."""

    game: Game
    position: Position
    last: Move | None


@router.get("/embed/{game}.svg", include_in_schema=False)
def as_svg(request: Request, game: str, position: PositionText = "", ply: PlyNumber = None) -> Response:
    """A board as an SVG with a style of its own."""
    shown = _shown(request, game, position, ply)
    text = picture_of(shown.game, shown.position).svg()
    return Response(text, media_type="image/svg+xml", headers={**KEPT, "Content-Security-Policy": PICTURE_POLICY})


@router.get("/embed/{game}.png", include_in_schema=False)
def as_png(request: Request, game: str, position: PositionText = "", ply: PlyNumber = None) -> Response:
    """A board as a PNG."""
    return Response(png_board(*_shown(request, game, position, ply)), media_type="image/png", headers=KEPT)


@router.get("/embed/{game}", include_in_schema=False)
def as_page(request: Request, game: str, ply: PlyNumber = None) -> Response:
    """A game to step through, without anything around it."""
    sitting = read_sitting(game, _query(request))
    playing, last = sitting.playing, len(sitting.moves)
    here = last if ply is None else ply
    then = _at(playing, here)
    marks = Marks(last=then.moves[-1] if then.moves else None)
    return page(
        request,
        "embed.html",
        headers=KEPT,
        title=playing.game.title,
        seats=[name_of(name) for name in sitting.names],
        boards=draw_links(playing.game, then.position, (), {}, marks),
        levels=len(playing.game.layout.rows) > 1,
        said=in_words(playing.game, then.position),
        here=here,
        last=last,
        at=lambda number: embed_url(playing.game.name, playing, sitting.names, number),
        review=review_url(playing, sitting.names, here) if sitting.moves else sitting.url(),
    )


def _shown(request: Request, name: str, position: str, ply: int | None) -> Shown:
    """The position that an address means, and the move that led to it."""
    if position.strip():
        game = find_game(name)
        return Shown(game, game.read(position), None)
    playing = read_sitting(name, _query(request)).playing
    then = _at(playing, len(playing.moves) if ply is None else ply)
    return Shown(playing.game, then.position, then.moves[-1] if then.moves else None)


def _query(request: Request) -> dict[str, str]:
    return {name: text for name, text in request.query_params.items() if name in KNOWN}


def _at(playing: Playing, ply: int) -> Playing:
    last = len(playing.moves)
    if ply > last:
        raise NotThereError(f"the game has no ply {ply}: expected 0 to {last}")
    return playing.back(last - ply)
