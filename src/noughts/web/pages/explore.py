"""Explore: everything that is known of a position, and links to all that follow from it.

A walk through a game is an address (`noughts.web.walk`), so a page is a function of its address and may be
kept for a while. What may take long is asked for in `web.asking.thinking`: what is not there at a glance comes later,
and the page shows the board, says so, and comes again by itself. What the start of every game is worth comes with the
package (`web.asking.prepared`). A position of one's own is set up in the editor (`noughts.web.pages.editor`).
"""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi import Path as InPath
from fastapi.responses import RedirectResponse, Response

from noughts.games import game as find_game
from noughts.web.asking.questions import AT_HAND, analysis, aspects, choices, reasons
from noughts.web.asking.thinker import Question
from noughts.web.asking.thinking import BusyError, GivenUpError, StillThinkingError, Thinking
from noughts.web.pages.explore_view import chain_view, explore_view
from noughts.web.rendering import page
from noughts.web.sitting import picture_url
from noughts.web.walk import LONGEST_POSITION, Walk, read_walk

__all__ = ["router"]

router = APIRouter()
KEPT = {"Cache-Control": "public, max-age=300"}
UNFINISHED = {"Cache-Control": "no-store", "Refresh": "1", "Retry-After": "1"}

GameName = Annotated[str, InPath(alias="game", max_length=100)]
PositionText = Annotated[str, InPath(max_length=LONGEST_POSITION)]
Typed = Annotated[str | None, Query(max_length=LONGEST_POSITION)]


@router.get("/explore", include_in_schema=False)
def begin() -> RedirectResponse:
    """Tic-tac-toe, if nothing else is asked for."""
    return RedirectResponse(f"/explore/{AT_HAND}", 303)


@router.get("/explore/{game}", include_in_schema=False)
async def explore_start(request: Request, name: GameName, position: Typed = None) -> Response:
    """The start of a game, or a position that somebody typed."""
    game = find_game(name)
    typed = position is not None and bool(position.strip())
    walk = read_walk(game, position if typed else None, dict(request.query_params))
    clicked = {"play", "try"} & set(request.query_params)
    if typed and not clicked and "position=" not in walk.url():
        return RedirectResponse(walk.url(), 303)
    return await _explored(request, walk)


@router.get("/explore/{game}/{position:path}", include_in_schema=False)
async def explore(request: Request, name: GameName, position: PositionText) -> Response:
    """A position, or where moves lead from it."""
    return await _explored(request, read_walk(find_game(name), position, dict(request.query_params)))


async def _explored(request: Request, walk: Walk) -> Response:
    """The page; or on to the address with the move that a button of a large board has sent."""
    sent = request.query_params.get("play")
    if sent:
        return RedirectResponse(walk.after(walk.game.write_move(walk.game.read_move(walk.position, sent))), 303)
    subject = (walk.game.name, walk.game.write(walk.position))
    found, waiting = await _soon(request, analysis, *subject)
    if found is None and not waiting:
        raise GivenUpError("what this position is worth took too long to work out: expected an easier question")
    (grouped, late), (rest, later) = (None, True), (None, True)
    if found:
        asking = (_soon(request, question, *subject) for question in (choices, aspects))
        (grouped, late), (rest, later) = await asyncio.gather(*asking)
    # The reason that is given unasked is that of the choice that stands first.
    asked = walk.move or (grouped[0]["move"] if grouped else None)
    reason, latest = await _soon(request, reasons, *subject, asked) if asked else (None, False)
    unfinished = late or later or latest
    return page(
        request,
        "explore.html",
        status=200 if found else 202,
        headers=UNFINISHED if unfinished else KEPT,
        asked=asked,
        reason=reason,
        rest=rest,
        unfinished=unfinished,
        late=later,
        chain=chain_view(walk, reason["chain"]) if reason else [],
        **explore_view(walk, found, grouped, rest, request.query_params.get("try", "")),
        preview=str(request.base_url).rstrip("/") + picture_url(*subject),
        description=f"{walk.game.title}: what this position is worth, and every choice, with reasons.",
    )


async def _soon(request: Request, question: Question, *arguments: str) -> tuple[Any, bool]:
    """An answer that the page can do without at first, and whether it is worth coming back for it."""
    thinking: Thinking = request.app.state.thinking
    try:
        return await thinking.ask(question, *arguments, patience=request.app.state.settings.glance), False
    except (StillThinkingError, BusyError):
        return None, True
    except GivenUpError:
        return None, False
