"""Headers of every answer: what a browser may do with a page (nothing but show it and run our own scripts).

A plain ASGI middleware, since it stands in the way of every request. It also refuses what is too large to be meant
seriously before anybody reads it.
"""

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["SecureHeaders"]

MOST_URL = 16_000
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


class SecureHeaders:
    """Adds the headers; turns away URLs that are too long."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        if len(scope["raw_path"] or b"") + len(scope["query_string"]) > MOST_URL:
            refusal = PlainTextResponse(f"the address is too long: expected at most {MOST_URL:,} characters", 414)
            await refusal(scope, receive, with_headers)
            return
        await self._app(scope, receive, with_headers)
