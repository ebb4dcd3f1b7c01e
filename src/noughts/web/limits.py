"""What every answer has in common: headers that say what a browser may do with it, and bounds on what is asked.

A browser may show our pages and run our own scripts, nothing else. What is too large to be meant seriously is refused
before anybody reads it. HEAD is answered as GET without the body. And an error that nobody foresaw becomes an answer
here, so that it has these headers too, before it goes on to be logged.

A plain ASGI middleware, since it stands in the way of every request.
"""

from http import HTTPStatus

from fastapi import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from noughts.web.problems import problem

__all__ = ["HEADERS", "SecureHeaders"]

MOST_URL = 16_000
MOST_BODY = 64_000
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_RAW = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]


class SecureHeaders:
    """Adds the headers; turns away what is too large; answers when something went wrong."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False
        without_body = scope["method"] == "HEAD"

        async def with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                given = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(header for header in _RAW if header[0] not in given)]
            elif without_body:
                message = {**message, "body": b""}
            await send(message)

        if without_body:
            scope = {**scope, "method": "GET"}
        refusal = _too_large(scope)
        if refusal:
            await problem(Request(scope), *refusal)(scope, receive, with_headers)
            return
        try:
            await self._app(scope, receive, with_headers)
        except Exception:
            if not started:
                sorry = problem(Request(scope), 500, "something went wrong here; it has been noted")
                await sorry(scope, receive, with_headers)
            raise


def _too_large(scope: Scope) -> tuple[int, str] | None:
    """The status and the words for a request that is larger than any we answer."""
    size = len(scope.get("raw_path") or b"") + len(scope["query_string"])
    if size > MOST_URL:
        return HTTPStatus.REQUEST_URI_TOO_LONG, f"the address has {size:,} characters: expected at most {MOST_URL:,}"
    for name, value in scope["headers"]:
        if name == b"transfer-encoding":
            return HTTPStatus.LENGTH_REQUIRED, "the length of the request is not given: expected Content-Length"
        if name == b"content-length" and not (len(value) < 9 and value.isdigit() and int(value) <= MOST_BODY):
            shown = value[:20].decode("latin-1")
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"{shown!r} bytes are too many: expected at most {MOST_BODY:,}"
    return None
