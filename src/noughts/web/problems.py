"""What a visitor is told when something is wrong: a page for people, problem details (RFC 9457) for programs.

Which errors are the visitor's is known by their kind: what asks for too much at once is 503 and may be tried again,
what comes too often from one address is 429, what names something that is not there is 404, everything else that
Noughts refuses is 422 with the offending value in the detail. Anything unforeseen is 500 and says nothing of the
inside (`noughts.web.limits`).

The page says what is wrong and what can be done now: to ask again for what comes later, to go on with a game from its
last move that makes sense, to begin the game that the address names, or to choose another.
"""

import logging
from collections.abc import Mapping
from http import HTTPStatus
from math import ceil
from typing import Literal, NamedTuple
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.routing import Match

from noughts.games import SIDES, Game, NoughtsError, UnknownGameError
from noughts.games import game as find_game
from noughts.games.playing import Playing
from noughts.insight.puzzles import NoPuzzleError
from noughts.players import Human, UnknownPlayerError
from noughts.records import DatabaseError
from noughts.solve.table_error import TableError
from noughts.solve.web_folder import WebFolderError
from noughts.web.asking.thinking import BusyError, GivenUpError, StillThinkingError
from noughts.web.rendering import page
from noughts.web.sitting import MOST_TEXT, Sitting, players_of

__all__ = [
    "API",
    "MEDIA_TYPE",
    "RETRY_AFTER",
    "ForbiddenError",
    "NotThereError",
    "Problem",
    "TooManyError",
    "add_handlers",
    "problem",
]

API = "/api/"
MEDIA_TYPE = "application/problem+json"
TITLES = {
    403: "Not from here",
    404: "Not found",
    405: "Method not allowed",
    413: "Too large",
    414: "Too long",
    421: "Another server",
    422: "Not understood",
    429: "Too many at once",
    500: "Our mistake",
    502: "Tables out of reach",
    503: "Still thinking",
}
"""For people; programs get the names that HTTP gives."""
RETRY_AFTER = "1"
"""Seconds after which to ask again for what is being worked on."""
MUCH_LATER = "600"
"""Seconds after which to ask again for what was given up."""
LONGEST = 60
"""Characters of an offending value that are repeated."""
_log = logging.getLogger("noughts.web")


class Problem(BaseModel):
    """What is wrong, as RFC 9457 has it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: Literal["about:blank"] = Field(description="Always this: the status says it all.")
    title: str = Field(description="The name of the status.", examples=["Unprocessable Entity"])
    status: int = Field(description="The HTTP status.", examples=[422])
    detail: str = Field(
        description="The value that is wrong, and what was expected.",
        examples=["'XX' is not a board of this game: expected '.../.../...' with X and O in it"],
    )
    instance: str = Field(description="The path that was asked for.", examples=["/api/v1/position"])


class NotThereError(NoughtsError):
    """Something asked for by a name or number that nothing has."""


class ForbiddenError(NoughtsError):
    """A request to change something that no page of ours has sent."""


class TooManyError(BusyError):
    """More from one address than it may cause; `wait` seconds later there is room again."""

    def __init__(self, words: str, wait: float = 1.0) -> None:
        super().__init__(words)
        self.wait = wait


def status_of(error: NoughtsError) -> int:
    """The HTTP status that says what kind of error this is."""
    if isinstance(error, ForbiddenError):
        return 403
    if isinstance(error, TooManyError):
        return 429
    if isinstance(error, StillThinkingError | BusyError | GivenUpError | DatabaseError):
        return 503
    if isinstance(error, WebFolderError):
        return 502
    if isinstance(error, NotThereError | NoPuzzleError | UnknownGameError | UnknownPlayerError):
        return 404
    return 422


def problem(
    request: Request, status: int, detail: str, *, title: str | None = None, headers: dict[str, str] | None = None
) -> Response:
    """The answer to a request that cannot be answered."""
    given = {"Cache-Control": "no-store", **(headers or {})}
    path = request.url.path
    if path.startswith(API):
        given.pop("Refresh", None)  # which is for browsers
        body = Problem(type="about:blank", title=_phrase(status), status=status, detail=detail, instance=path[:LONGEST])
        return Response(body.model_dump_json(), status, given, media_type=MEDIA_TYPE)
    words = title or TITLES.get(status, _phrase(status))
    game = _game_in(path)
    return page(
        request,
        "problem.html",
        status=status,
        headers=given,
        title=words,
        detail=f"{detail[:1].upper()}{detail[1:]}",
        game=game,
        ways=_ways(request, status, game),
    )


class Way(NamedTuple):
    """Something that can be done now."""

    href: str
    words: str


def _ways(request: Request, status: int, game: Game | None) -> list[Way]:
    """What can be done after an error, the most helpful first."""
    ways = []
    if status in (429, 503) and request.method == "GET":
        ways.append(Way(f"{request.url.path}?{request.url.query}".rstrip("?"), "Try again"))
    if game:
        last = _last_sense(game, request.query_params) if request.url.path.startswith("/play/") else None
        if last:
            ways.append(Way(last.url(), f"Go on from the last move that makes sense, {last.moves[-1]}"))
        name = quote(game.name, safe=":,=")
        ways += [
            Way(f"/?game={name}", f"Begin {game.title}"),
            Way(f"/learn/{name}", f"How to play {game.title}"),
            Way(f"/explore/{name}", f"Explore {game.title}"),
        ]
    return [*ways, Way("/", "All games")]


def _game_in(path: str) -> Game | None:
    """The game that an address speaks of, if it speaks of one."""
    _, _, name, *_ = *path.split("/"), "", ""
    try:
        return find_game(name[:LONGEST]) if name else None
    except UnknownGameError:
        return None


def _last_sense(game: Game, query: Mapping[str, str]) -> Sitting | None:
    """The game of a broken address as far as its moves make sense; None if not even the first of them does."""
    playing = Playing.begin(game)
    for text in query.get("moves", "")[:MOST_TEXT].split("."):
        try:
            playing = playing.then(game.read_move(playing.position, text))
        except NoughtsError:
            break
    able = {Human.name, *players_of(game)}
    names = [query.get(side, "") for side in SIDES]
    seats = tuple(name if name in able else Human.name for name in names)
    return Sitting(game, (seats[0], seats[1]), playing, "") if playing.moves else None


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Error"


def add_handlers(app: FastAPI) -> None:
    """Let every error become one of these answers."""

    @app.exception_handler(NoughtsError)
    async def refused(request: Request, error: NoughtsError) -> Response:
        if isinstance(error, GivenUpError):
            headers = {"Retry-After": MUCH_LATER}
            return problem(request, 503, str(error), title="No answer found", headers=headers)
        if isinstance(error, DatabaseError):
            _log.error("the database cannot be used: %s", error)
            detail = "the games that were saved cannot be reached at present: try again in a moment"
            return problem(request, 503, detail, title="Not at present", headers={"Retry-After": RETRY_AFTER})
        if isinstance(error, TooManyError):
            return problem(request, 429, str(error), headers={"Retry-After": str(ceil(error.wait))})
        if isinstance(error, TableError):
            _log.error("a table cannot be used: %s", error)
            return problem(request, 500, "a table here is damaged: it has to be made again, which its owner can do")
        status = status_of(error)
        headers = {"Retry-After": RETRY_AFTER, "Refresh": RETRY_AFTER} if status == 503 else {}
        return problem(request, status, str(error), headers=headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"][1:]) or "the request"
        if first["type"] == "missing":
            return problem(request, 422, f"{where} is missing: expected {where}=…, as /docs shows")
        value = repr(first.get("input"))
        shown = value if len(value) <= LONGEST else f"{value[:LONGEST]}…"
        return problem(request, 422, f"{where}: {shown} is not understood: {first['msg']}")

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        shorter = _without_slash(request) if error.status_code == 404 else ""
        if shorter:
            return RedirectResponse(shorter, 303)
        return problem(request, error.status_code, _detail(request, error), headers=dict(error.headers or {}))


def _without_slash(request: Request) -> str:
    """The address of a page that was asked for with a slash too many; empty if there is none."""
    path = request.url.path.rstrip("/")
    asked_for = request.method == "GET" and request.url.path == f"{path}/" and not path.startswith(("//", API))
    scope = {**request.scope, "path": path}
    there = asked_for and any(route.matches(scope)[0] is Match.FULL for route in request.app.routes)
    query = f"?{request.url.query}" if request.url.query else ""
    return f"{quote(path, safe='/:,=|.')}{query}" if there else ""


def _detail(request: Request, error: HTTPException) -> str:
    """What is wrong with a request that no page and no part of the API takes."""
    if error.detail != _phrase(error.status_code):
        return str(error.detail)
    path = request.url.path[:LONGEST]
    if error.status_code == 404:
        return f"{path!r} is not here: expected an address that a page links to, or one that /docs lists"
    if error.status_code == 405:
        return f"{request.method} is not possible at {path!r}: expected {(error.headers or {}).get('Allow', 'GET')}"
    return str(error.detail)
