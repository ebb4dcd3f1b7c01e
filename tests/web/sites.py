"""Applications for tests: their settings, and a client that asks them without a server.

The settings have a database in a folder of its own, no bound on what one address asks, and pages that wait for their
answers as long as the API does.

Starlette's client for tests runs the application in a second thread, and changes eight times between the two for every
request. `Client` is the same client, but the application runs in the test's own thread: requests cost half as much.
What goes on beside requests, as with thinkers that answer, is noticed during the next one. Tests that ask from several
threads at once, or want something to happen between two requests, use Starlette's.
"""

import asyncio
from pathlib import Path
from typing import Any, Self

from fastapi import FastAPI
from httpx2 import BaseTransport, ByteStream, Request, Response
from starlette.testclient import TestClient
from starlette.types import Message

from noughts.web.app import Settings

__all__ = ["Client", "settings_in"]


def settings_in(folder: Path, **chosen: Any) -> Settings:
    """The settings, with the name that Starlette's client for tests calls a server by."""
    usual = {"database_url": f"sqlite:///{folder}/games.db", "names": ("testserver",), "bounded": False}
    return Settings(**{**usual, **({"glance": chosen["patience"]} if "patience" in chosen else {}), **chosen})


class Client(TestClient):
    """Starlette's client for tests, with the application in the test's own thread; to be used in a `with`."""

    def __init__(self, app: FastAPI, **options: Any) -> None:
        super().__init__(app, **options)
        self._loop = asyncio.new_event_loop()
        self._life = app.router.lifespan_context(app)
        self._transport = _Here(app, self._loop)

    def __enter__(self) -> Self:
        """Start the application."""
        self._loop.run_until_complete(self._life.__aenter__())
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self._loop.run_until_complete(self._life.__aexit__(None, None, None))
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()


class _Here(BaseTransport):
    """Calls an application as a server does (ASGI); an exception of the application is one of the test."""

    def __init__(self, app: FastAPI, loop: asyncio.AbstractEventLoop) -> None:
        self._app, self._loop = app, loop

    def handle_request(self, request: Request) -> Response:
        """Ask, and wait for the whole answer."""
        path, _, query = request.url.raw_path.partition(b"?")
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": request.method,
            "path": request.url.path,
            "raw_path": path,
            "root_path": "",
            "scheme": request.url.scheme,
            "query_string": query,
            "headers": [(key.lower().encode(), value.encode()) for key, value in request.headers.multi_items()],
            "client": ("testclient", 50000),
            "server": (request.url.host, request.url.port or 80),
            "extensions": {},
            "state": {},
        }
        asked = [{"type": "http.request", "body": request.read()}]
        over = asyncio.Event()
        told: list[Message] = []

        async def receive() -> Message:
            if asked:
                return asked.pop()
            await over.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            told.append(message)
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                over.set()

        self._loop.run_until_complete(self._app(scope, receive, send))
        begun, *bodies = told
        assert begun["type"] == "http.response.start"
        assert over.is_set()
        headers = [(key.decode(), value.decode()) for key, value in begun["headers"]]
        body = b"" if request.method == "HEAD" else b"".join(bytes(one.get("body", b"")) for one in bodies)
        return Response(begun["status"], headers=headers, stream=ByteStream(body), request=request)
