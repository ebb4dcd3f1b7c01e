"""The page on which games are played: `/play/{game}?…`, where the address is the game (see `table`).

A request shows the game as its address has it, with one exception: where a machine has to answer a person, it is asked,
and the browser is sent on to the address with its move. Where two machines play, one move is made for every `go=1`.
A game that has ended is saved before the page says so. While a machine thinks, or values are worked out, the page shows
the board and asks to be loaded again.
"""

import asyncio
import logging
from dataclasses import replace
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from noughts.games import SIDES, NoughtsError
from noughts.games.playing import Result
from noughts.players import Human, NoMoveFoundError
from noughts.records import Finished
from noughts.web.clicks import what_is_wrong
from noughts.web.play_view import play_view
from noughts.web.play_words import cost_words, ending, hint_words, turn_words
from noughts.web.questions import analysis, reasons, reply
from noughts.web.rendering import page
from noughts.web.table import Table, new_id, read_table
from noughts.web.thinking import BusyError, GivenUpError, StillThinkingError, Thinking

__all__ = ["router"]

router = APIRouter()
_log = logging.getLogger("noughts.web")


class _Wait(NamedTuple):
    """An answer that is not there: what to say, with which status, and whether to come again by itself."""

    words: str
    status: int
    again: bool


class _Worth(NamedTuple):
    """What is known about a position, as far as it was asked for."""

    analysis: dict[str, Any] | None = None
    words: tuple[str, ...] = ()
    wait: _Wait | None = None


@router.get("/play/{name}", include_in_schema=False)
async def play(request: Request, name: str) -> Response:
    """A game as its address has it."""
    query = dict(request.query_params)
    table = read_table(name, query)
    if not table.id:
        return _send_on(replace(table, id=new_id()))
    asked = query.get("go") == "1" and table.machine_to_move and not table.full
    if asked or table.answers_by_itself:
        return await _answer(request, table)
    if table.playing.result is not None:
        return await _end(request, table, table.playing.result, query.get("try", ""))
    wrong = what_is_wrong(table, query["try"]) if query.get("try") else ""
    worth = await _worth(request.app.state.thinking, table)
    said = (
        [turn_words(table), wrong, *worth.words] if wrong or worth.words else [turn_words(table), _cost(request, table)]
    )
    return _show(request, table, said, analysis=worth.analysis, wait=worth.wait, wrong=bool(wrong))


async def _answer(request: Request, table: Table) -> Response:
    """On to the machine's move, or a page that says why there is none yet."""
    try:
        found = await request.app.state.thinking.ask(reply, *_reply_question(table))
    except NoMoveFoundError:
        name, side = table.turn_name, table.playing.position.turn
        result = Result(1 - side, f"{name} finds no move and resigns")
        return await _end(request, table, result)
    except (StillThinkingError, BusyError, GivenUpError) as error:
        wait = _wait(error, f"{table.turn_name} is thinking …")
        return _show(request, table, [wait.words], wait=wait)
    milliseconds = round(found["seconds"] * 1000)
    counts = (found["cycles"], found["nodes"])
    cost = ".".join(str(count) for count in (milliseconds, *("-" if count is None else count for count in counts)))
    return _send_on(replace(table.then(found["move"]), cost=cost, spent=table.spent + milliseconds))


async def _end(request: Request, table: Table, result: Result, tried: str = "") -> Response:
    """The page of a game that has ended, saved if it has any moves."""
    said = [ending(table, result), _cost(request, table)]
    if tried:
        said = [ending(table, result), what_is_wrong(table, tried)]
    saved, failed = None, False
    if table.moves:
        try:
            saved = (await asyncio.to_thread(request.app.state.history.save, _finished(table, result))).id
        except NoughtsError as error:
            _log.warning("a game was not saved: %s", error)
            failed = True
    return _show(request, table, said, result=result, saved=saved, failed=failed, wrong=bool(tried))


def _finished(table: Table, result: Result) -> Finished:
    return Finished(
        token=table.id,
        game=table.game.name,
        x=table.names[0],
        o=table.names[1],
        start=None if table.usual_start else table.start,
        moves=" ".join(table.moves),
        result="draw" if result.winner is None else SIDES[result.winner],
        reason=result.reason,
        seconds=None if table.names == (Human.name, Human.name) else table.spent / 1000,
    )


def _reply_question(table: Table) -> tuple[str, str, str, tuple[str, ...], int]:
    """What is asked of the machine to move."""
    return table.game.name, table.turn_name, table.start, table.moves, table.seed


def _cost(request: Request, table: Table) -> str:
    """What the last reply cost, and what the machine said with it, if that is still known."""
    if not table.cost or not table.moves:
        return ""
    before = table.at(len(table.moves) - 1)
    found = request.app.state.thinking.remembered(reply, *_reply_question(before))
    return cost_words(table, found["remark"] if found and found["move"] == table.moves[-1] else None)


async def _worth(thinking: Thinking, table: Table) -> _Worth:
    """What the moves are worth, and a hint, if they are to be shown."""
    if table.full or not (table.values or table.hint):
        return _Worth()
    found, words = None, []
    try:
        found = await thinking.ask(analysis, table.game.name, table.game.write(table.playing.position))
        if table.hint:
            best = found["moves"][0]
            certain = best["value"] != "unknown" and not found["threats"]
            question = (found["game"], found["position"], best["move"])
            reason = (await thinking.ask(reasons, *question))["words"] if certain else ""
            words.append(hint_words(found, reason))
    except (StillThinkingError, BusyError, GivenUpError) as error:
        return _Worth(found, tuple(words), _wait(error, "Working out what the moves are worth …"))
    return _Worth(found, tuple(words))


def _wait(error: NoughtsError, thinking: str) -> _Wait:
    if isinstance(error, GivenUpError):
        return _Wait("This took too long, so it was given up. Take a move back, or try again later.", 503, False)
    if isinstance(error, BusyError):
        return _Wait("Many questions have come at once; this one is next in a moment …", 503, True)
    return _Wait(thinking, 202, True)


def _show(
    request: Request,
    table: Table,
    said: list[str],
    *,
    result: Result | None = None,
    analysis: dict[str, Any] | None = None,
    wait: _Wait | None = None,
    saved: int | None = None,
    failed: bool = False,
    wrong: bool = False,
) -> Response:
    """The page, with these words on it."""
    headers = {"Cache-Control": "no-store"} if wait or failed else {}
    if wait and wait.again:
        headers |= {"Refresh": "1", "Retry-After": "1"}
    if wait and wait.words not in said:
        said = [*said, wait.words]
    here = f"{request.url.path}?{request.url.query}"
    values = play_view(table, result, analysis, str(request.base_url).rstrip("/"))
    values |= {"said": [words for words in said if words], "wait": wait, "saved": saved, "failed": failed}
    return page(
        request, "play.html", status=wait.status if wait else 200, headers=headers, here=here, wrong=wrong, **values
    )


def _send_on(table: Table) -> Response:
    return RedirectResponse(table.url(), 303, {"Cache-Control": "no-store"})
