"""Answers that a browser, a proxy or this server need not work out twice.

Every answer of the API carries an ETag, a fingerprint of its bytes; whoever has the answer already sends it back, and
gets 304 and no body. Most answers depend on their URL alone (`ReadyRoute`): they may be kept anywhere for an hour, and
the server itself keeps their bytes, so that asked again they go out without any further work.
"""

from collections.abc import Callable, Coroutine
from hashlib import blake2b
from typing import Any

from fastapi import Request
from fastapi.responses import Response
from fastapi.routing import APIRoute
from starlette.types import Receive, Scope, Send

from noughts.web.memory import Entry, Memory

__all__ = ["ReadyRoute", "TaggedRoute", "etag_of"]

FRESH = "no-cache"
"""May be kept, but must be asked for again every time."""
PURE = "public, max-age=3600"
MOST_BYTES = 32 * 2**20
"""What all ready answers may take."""

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


def etag_of(body: bytes) -> str:
    """The fingerprint of an answer."""
    return f'"{blake2b(body, digest_size=12).hexdigest()}"'


class TaggedRoute(APIRoute):
    """A part of the API whose answers carry an ETag."""

    cache_control = FRESH

    def get_route_handler(self) -> Handler:
        """Answer, and add the headers."""
        usual = super().get_route_handler()

        async def tagged(request: Request) -> Response:
            response = await usual(request)
            if response.status_code != 200:
                return response
            body = bytes(response.body)
            response.headers["ETag"] = etag_of(body)
            response.headers["Cache-Control"] = self.cache_control
            self.keep(request, body, response)
            if _has_it(request.scope, response.headers["ETag"].encode()):
                headers = {name: response.headers[name] for name in ("ETag", "Cache-Control")}
                return Response(status_code=304, headers=headers)
            return response

        return tagged

    def keep(self, request: Request, body: bytes, response: Response) -> None:
        """Nothing is kept of what may change."""


class ReadyRoute(TaggedRoute):
    """A part of the API whose answers depend on their URL alone."""

    cache_control = PURE

    def keep(self, request: Request, body: bytes, response: Response) -> None:
        """Have the answer ready for the next time."""
        headers = tuple(response.headers.raw)
        _ready(request.scope).put(_key(request.scope), Entry(body, headers))

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answer that is ready, if there is one."""
        entry = _ready(scope).get(_key(scope)) if scope["method"] == "GET" else None
        if entry is None:
            await super().handle(scope, receive, send)
            return
        tag = next(value for name, value in entry.with_it if name == b"etag")
        status, headers, body = 200, list(entry.with_it), entry.body
        if _has_it(scope, tag):
            status, body = 304, b""
            headers = [header for header in headers if header[0] in (b"etag", b"cache-control")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def _key(scope: Scope) -> tuple[str, bytes]:
    return scope["path"], scope["query_string"]


def _ready(scope: Scope) -> Memory:
    """The ready answers of this application."""
    state = scope["app"].state
    if not hasattr(state, "ready"):
        state.ready = Memory(MOST_BYTES)
    ready: Memory = state.ready
    return ready


def _has_it(scope: Scope, tag: bytes) -> bool:
    """Whether who asks has this answer already, by the header If-None-Match."""
    for name, value in scope["headers"]:
        if name == b"if-none-match":
            known = [one.strip().removeprefix(b"W/") for one in value.split(b",")]
            if tag in known or b"*" in known:
                return True
    return False
