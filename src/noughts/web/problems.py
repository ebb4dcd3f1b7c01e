"""What a visitor is told when something is wrong: a page for people, problem details (RFC 9457) for programs.

Which errors are the visitor's is known by their kind: what asks for too much at once is 503 and may be tried again,
what names something that is not there is 404, everything else that Noughts refuses is 422 with the offending value in
the detail. Anything unforeseen is 500, says nothing of the inside, and is logged.
"""

import logging

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from noughts.games import NoughtsError, UnknownGameError
from noughts.players import UnknownPlayerError
from noughts.web.rendering import page
from noughts.web.thinking import BusyError, GivenUpError, StillThinkingError

__all__ = ["NotThereError", "add_handlers", "problem"]

API = "/api/"
TITLES = {
    404: "Not found",
    405: "Method not allowed",
    413: "Too large",
    422: "Not understood",
    500: "Our mistake",
    503: "Still thinking",
}
RETRY_AFTER = "1"
_log = logging.getLogger("noughts.web")


class NotThereError(NoughtsError):
    """Something asked for by a name or number that nothing has."""


def status_of(error: NoughtsError) -> int:
    """The HTTP status that says what kind of error this is."""
    if isinstance(error, StillThinkingError | BusyError | GivenUpError):
        return 503
    if isinstance(error, NotThereError | UnknownGameError | UnknownPlayerError):
        return 404
    return 422


def problem(request: Request, status: int, detail: str) -> Response:
    """The answer to a request that cannot be answered."""
    title = TITLES.get(status, "Error")
    headers = {"Cache-Control": "no-store"}
    if status == 503:
        headers["Retry-After"] = RETRY_AFTER
    if request.url.path.startswith(API):
        body = {"type": "about:blank", "title": title, "status": status, "detail": detail, "instance": request.url.path}
        return JSONResponse(body, status, headers, media_type="application/problem+json")
    if status == 503:
        headers["Refresh"] = RETRY_AFTER
    return page(request, "problem.html", status=status, headers=headers, title=title, detail=detail)


def add_handlers(app: FastAPI) -> None:
    """Let every error become one of these answers."""

    @app.exception_handler(NoughtsError)
    async def refused(request: Request, error: NoughtsError) -> Response:
        return problem(request, status_of(error), str(error))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"][1:]) or "the request"
        value = repr(first.get("input"))[:60]
        return problem(request, 422, f"{where}: {value} is not understood: {first['msg']}")

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        return problem(request, error.status_code, str(error.detail))

    @app.exception_handler(Exception)
    async def unforeseen(request: Request, error: Exception) -> Response:
        _log.error("unforeseen error at %s", request.url.path, exc_info=error)
        return problem(request, 500, "something went wrong here; it has been noted")
