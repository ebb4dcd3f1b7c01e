"""The page on which games are played: `/play/{game}?…`, where the address is the game (see `sitting`).

A request shows the game as its address has it, with one exception: where a machine has to answer a person, it is
asked, and the browser is sent on to the address with its move. Where two machines play, one move is made for every
`go=1`. A game that has ended is saved by a POST of its address, which only our own pages may send
(`limits.same_origin`): a form that a script of ours submits where the game was just played to its end, and people
where it was not. Before, the moves of machines are replayed, so that the history can say which games are genuine.
While a machine thinks, or values are worked out, the page shows the board and asks to be loaded again.
"""

import asyncio
import logging
from dataclasses import replace
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from noughts.games import SIDES, NoughtsError
from noughts.games.playing import Result
from noughts.players import Human, NoMoveFoundError, called, name_of
from noughts.records import DatabaseError, Finished, RecordError
from noughts.web.asking.questions import analysis, reasons, reply
from noughts.web.asking.thinker import Question
from noughts.web.asking.thinking import BusyError, GivenUpError, StillThinkingError, Thinking
from noughts.web.limits import same_origin
from noughts.web.pages.play_view import play_view, what_is_wrong
from noughts.web.pages.play_words import cost_words, ending, hint_words, quotation, turn_words
from noughts.web.problems import TooManyError
from noughts.web.rendering import page
from noughts.web.sitting import BadAddressError, Sitting, new_id, read_sitting

__all__ = ["router"]

router = APIRouter()
NOT_SAVED = "The game could not be saved just now; nothing of it is lost, for it stands in the address."
_log = logging.getLogger("noughts.web")


class _Wait(NamedTuple):
    """An answer that is not there: what to say, with which status, and whether to come again by itself."""

    words: str
    status: int
    again: bool


class _Saving(NamedTuple):
    """How far a finished game is from being saved: a form saves it, unless it has a number already."""

    number: int | None = None
    words: str = ""
    """What is to be said about it."""
    wait: int | None = None
    """Milliseconds after which a script of ours presses the button; None if only people may."""


class _Worth(NamedTuple):
    """What is known about a position, as far as it was asked for."""

    analysis: dict[str, Any] | None = None
    words: tuple[str, ...] = ()
    wait: _Wait | None = None


@router.get("/play/{name}", include_in_schema=False)
async def play(request: Request, name: str) -> Response:
    """A game as its address has it."""
    query = dict(request.query_params)
    sitting = read_sitting(name, query)
    if not sitting.id:
        return _send_on(replace(sitting, id=new_id()))
    if leads := sitting.url_of_button(query):
        return RedirectResponse(leads, 303, {"Cache-Control": "no-store"})
    asked = query.get("go") == "1" and sitting.machine_to_move and not sitting.full
    if asked or sitting.answers_by_itself:
        return await _answer(request, sitting)
    if sitting.playing.result is not None:
        return await _end(request, sitting, sitting.playing.result, query.get("try", ""))
    wrong = what_is_wrong(sitting, query["try"]) if query.get("try") else ""
    worth = await _worth(request, sitting)
    said = [wrong, *worth.words] if wrong else [turn_words(sitting), *(worth.words or (cost_words(sitting),))]
    return _show(request, sitting, said, analysis=worth.analysis, wait=worth.wait, wrong=bool(wrong))


async def _answer(request: Request, sitting: Sitting) -> Response:
    """On to the machine's move, or a page that says why there is none yet."""
    try:
        found = await _ask(request, reply, *sitting.question(len(sitting.moves)))
    except NoMoveFoundError:
        return await _end(request, sitting, _resigned(sitting))
    except (StillThinkingError, BusyError, GivenUpError) as error:
        wait = _wait(error, f"{name_of(sitting.turn_name)} is thinking …")
        return _show(request, sitting, [wait.words], wait=wait)
    milliseconds = round(found["seconds"] * 1000)
    counts = (found["cycles"], found["nodes"], found["statements"])
    cost = ".".join(str(count) for count in (milliseconds, *("-" if count is None else count for count in counts)))
    return _send_on(replace(sitting.then(found["move"]), cost=cost, spent=sitting.spent + milliseconds))


async def _ask(request: Request, question: Question, *arguments: Any) -> Any:
    """An answer, if it is there at a glance: the page comes again for others."""
    return await request.app.state.thinking.ask(question, *arguments, patience=request.app.state.settings.glance)


def _resigned(sitting: Sitting) -> Result:
    """The end of a game whose machine finds no move."""
    return Result(1 - sitting.playing.position.turn, f"{called(sitting.turn_name)} finds no move and resigns")


async def _end(request: Request, sitting: Sitting, result: Result, tried: str = "") -> Response:
    """The page of a game that has ended: it says where it was saved, or has a form that saves it."""
    said = [ending(sitting, result), what_is_wrong(sitting, tried) if tried else ""]
    saving = None
    if sitting.moves:
        try:
            saved = await asyncio.to_thread(request.app.state.history.find, _finished(sitting, result, None))
            # A click that leads nowhere is no end of a game: the page may have come from anybody's address.
            saving = _Saving(number=saved.id) if saved else _Saving(wait=None if tried else 0)
        except NoughtsError as error:
            _log.warning("whether a game was saved is not known: %s", error)
            saving = _Saving(words=NOT_SAVED)
    quote = "" if tried else quotation(sitting, result, _remark(request, sitting))
    return _show(request, sitting, said, result=result, saving=saving, wrong=bool(tried), quote=quote)


@router.post("/play/{name}", include_in_schema=False)
async def save(request: Request, name: str) -> Response:
    """Save the game that has ended at this address, and go back there."""
    same_origin(request)
    sitting, state = read_sitting(name, dict(request.query_params)), request.app.state
    result = sitting.playing.result
    try:
        if result is None and sitting.answers_by_itself:
            result = await _resignation(state.thinking, sitting)
        if result is None or not sitting.moves or not sitting.id:
            raise BadAddressError("this game cannot be saved: expected one with an id that has ended")
        finished = _finished(sitting, result, await verified(state.thinking, sitting))
    except (StillThinkingError, BusyError):  # what was replayed is remembered, so the next try begins further on
        saving = _Saving(words="The moves of the machine are being replayed; then the game is saved.", wait=1000)
        return _unsaved(request, sitting, result, saving, 202)
    try:
        if not await asyncio.to_thread(state.history.find, finished):
            state.saves.pay()
        await asyncio.to_thread(state.history.save, finished)
    except TooManyError as error:
        return _unsaved(request, sitting, result, _Saving(words=f"The game was not saved: {error}."), 429)
    except (DatabaseError, RecordError) as error:
        _log.warning("a game was not saved: %s", error)
        return _unsaved(request, sitting, result, _Saving(words=NOT_SAVED), 503)
    return _send_on(sitting)


async def _resignation(thinking: Thinking, sitting: Sitting) -> Result | None:
    """The end of a game whose machine finds no move; None if it finds one."""
    try:
        await thinking.ask(reply, *sitting.question(len(sitting.moves)))
    except NoMoveFoundError:
        return _resigned(sitting)
    return None


def _unsaved(request: Request, sitting: Sitting, result: Result | None, saving: _Saving, status: int) -> Response:
    """The page of a game that has ended but is not saved."""
    said = [ending(sitting, result) if result else turn_words(sitting)]
    return _show(request, sitting, said, result=result, saving=saving, status=status)


async def verified(thinking: Thinking, sitting: Sitting) -> bool | None:
    """Whether every move of a machine in this game is the one it plays there; None if no machine took part.

    Anybody can write an address in which a machine plays badly. Asked with the seed that belongs to the address, a
    machine answers as it did in the game, mostly from memory. A game in which sides were exchanged does not pass.
    """
    if sitting.names == (Human.name, Human.name):
        return None
    for plies, move in enumerate(sitting.moves):
        question = sitting.question(plies)
        if question[1] == Human.name:
            continue
        try:
            found = await thinking.ask(reply, *question)
        except (NoMoveFoundError, GivenUpError):
            return False
        if found["move"] != move:
            return False
    return True


def _finished(sitting: Sitting, result: Result, genuine: bool | None) -> Finished:
    return Finished(
        token=sitting.id,
        game=sitting.game.name,
        x=sitting.names[0],
        o=sitting.names[1],
        start=None if sitting.usual_start else sitting.start,
        moves=" ".join(sitting.moves),
        result="draw" if result.winner is None else SIDES[result.winner],
        reason=result.reason,
        seconds=None if sitting.names == (Human.name, Human.name) else sitting.spent / 1000,
        verified=genuine,
    )


def _remark(request: Request, sitting: Sitting) -> str | None:
    """What the machine said with its last move, if that is still known."""
    if not sitting.cost or not sitting.moves:
        return None
    found = request.app.state.thinking.remembered(reply, *sitting.question(len(sitting.moves) - 1))
    return found["remark"] if found and found["move"] == sitting.moves[-1] else None


async def _worth(request: Request, sitting: Sitting) -> _Worth:
    """What the moves are worth, and a hint, if they are to be shown."""
    if sitting.full or not (sitting.values or sitting.hint):
        return _Worth()
    found, words = None, []
    try:
        found = await _ask(request, analysis, sitting.game.name, sitting.game.write(sitting.playing.position))
        if sitting.hint:
            best = found["moves"][0]
            certain = best["value"] != "unknown" and not found["threats"]
            question = (found["game"], found["position"], best["move"])
            reason = (await _ask(request, reasons, *question))["words"] if certain else ""
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
    sitting: Sitting,
    said: list[str],
    *,
    result: Result | None = None,
    analysis: dict[str, Any] | None = None,
    wait: _Wait | None = None,
    saving: _Saving | None = None,
    status: int = 200,
    wrong: bool = False,
    quote: str = "",
) -> Response:
    """The page, with these words on it."""
    headers = {"Cache-Control": "no-store"} if wait or saving else {}
    if wait and wait.again:
        headers |= {"Refresh": "1", "Retry-After": "1"}
    if wait and wait.words not in said:
        said = [*said, wait.words]
    here = f"{request.url.path}?{request.url.query}"
    values = play_view(sitting, result, analysis, str(request.base_url).rstrip("/"))
    values |= {"said": [words for words in said if words], "wait": wait, "saving": saving}
    values |= {"wrong": wrong, "quote": quote, "here": here}
    return page(request, "play.html", status=wait.status if wait else status, headers=headers, **values)


def _send_on(sitting: Sitting) -> Response:
    return RedirectResponse(sitting.url(), 303, {"Cache-Control": "no-store"})
