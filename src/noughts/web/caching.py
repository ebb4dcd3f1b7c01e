"""Answers that need not be worked out twice: by this server, by a proxy, by a browser.

Every answer of the API carries an ETag, a fingerprint of its bytes; whoever has the answer already sends it back, and
gets 304 and no body. Most answers depend on their URL alone (`ReadyRoute`): they may be kept anywhere for an hour, and
the server itself keeps their bytes, so that asked again they go out without any further work.

What is kept here is bounded by its size, not by its number, and least recently used goes first (LRU): the answer about
a board of 361 points is a hundred times as long as one about tic-tac-toe, and a visitor may ask for either.
"""

from collections.abc import Callable, Coroutine, Hashable
from contextlib import suppress
from hashlib import blake2b
from typing import Any, NamedTuple

from cachetools import LRUCache
from fastapi import Request
from fastapi.responses import Response
from fastapi.routing import APIRoute
from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["Entry", "Memory", "ReadyAnswers", "ReadyRoute", "TaggedRoute", "etag_of"]

BESIDES = 400
"""Bytes that an answer takes besides its own: its key, its place, its headers."""


class Entry(NamedTuple):
    """Bytes that are kept, and what is kept with them."""

    body: bytes
    with_it: tuple[tuple[bytes, bytes], ...] = ()


class Memory(LRUCache[Hashable, Entry]):
    """A bounded store of bytes by key; what was used least recently goes first."""

    def __init__(self, most: int) -> None:
        super().__init__(most, getsizeof=lambda entry: len(entry.body) + BESIDES)

    def put(self, key: Hashable, entry: Entry) -> None:
        """Keep something, and let go what no longer fits; what is larger than everything is not kept."""
        self.pop(key, None)
        with suppress(ValueError):  # too large
            self[key] = entry


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


class ReadyAnswers:
    """A middleware that sends answers which are ready, before anybody looks for who would work them out."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answer that is ready, if there is one."""
        entry = _ready(scope).get(_key(scope)) if scope["type"] == "http" and scope["method"] == "GET" else None
        if entry is None:
            await self._app(scope, receive, send)
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
