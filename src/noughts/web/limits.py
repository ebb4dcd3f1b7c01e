"""What every request passes on its way in, and every answer on its way out.

- **Whose server this is.** `Host` has to be one of our names. Otherwise a foreign page could reach a server on loopback
  under a name of its own that it lets point here (DNS rebinding), and read everything as if it came from us.
- **Sizes.** What is too large to be meant seriously is refused before anybody reads it.
- **Addresses.** Saving games and asking for what takes long are bounded for each address by a token bucket: it holds so
  many tokens, each deed takes some, and they come back at a steady rate; who finds it empty is told when to come again
  (429, Retry-After). Addresses of IPv6 count by their network of 64 bits, since one household has all of those.
- **Who may write.** A request that changes something has to come from one of our own pages (`same_origin`).
- **Who may read.** Scripts of other sites may read the API (CORS), and nothing else.
- **Headers.** A browser may show our pages and run our own scripts, nothing else. No other site may have our pages in a
  frame, or our pictures in its pages, but those under `/embed/`, which are made for that and change nothing.

HEAD is answered as GET without the body. And an error that nobody foresaw becomes an answer here, so that it has these
headers too, before it goes on to be logged. A plain ASGI middleware, since it stands in the way of every request.
"""

from contextvars import ContextVar
from functools import lru_cache
from http import HTTPStatus
from ipaddress import ip_address, ip_network
from time import monotonic
from typing import NamedTuple
from urllib.parse import urlsplit

from cachetools import LRUCache
from fastapi import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from noughts.web.asking.questions import Effort
from noughts.web.problems import API, ForbiddenError, TooManyError, problem

__all__ = [
    "BEGINNINGS",
    "BOUNDLESS",
    "CHUNKS",
    "EMBED",
    "EMBEDDED",
    "HEADERS",
    "LOOPBACK",
    "PICTURE_POLICY",
    "PRICES",
    "QUESTIONS",
    "SAVES",
    "Bucket",
    "Limits",
    "Tolls",
    "network_of",
    "same_origin",
    "visitor",
]

MOST_URL = 16_000
MOST_BODY = 64_000
LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""Names of this machine that no foreign page can make its own."""
ANY_ADDRESS = ("0.0.0.0", "::")
"""A server that listens on all addresses may be asked by any of them; only names can be made to point here."""
MOST_NETWORKS = 10_000
"""Whose buckets are remembered; the least recently seen is forgotten first, which fills its bucket."""
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "font-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "manifest-src 'self'",
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
EMBED = "/embed/"
"""Where pages and pictures are that other sites may show."""
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors *"
"""For an SVG, which has its style inside and runs nothing."""
EMBEDDED = HEADERS | {
    "Content-Security-Policy": POLICY.replace("frame-ancestors 'none'", "frame-ancestors *"),
    "Cross-Origin-Resource-Policy": "cross-origin",
}
_RAW = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
_RAW_EMBEDDED = [(name.lower().encode(), value.encode()) for name, value in EMBEDDED.items()]
_READABLE = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"ETag, Retry-After"),
    (b"cross-origin-resource-policy", b"cross-origin"),
]
"""For answers of the API, which scripts of any site may read."""
_ALWAYS_READABLE = [*_READABLE, *(header for header in _RAW if header[0] not in dict(_READABLE))]
_PREFLIGHT = [
    *_READABLE,
    (b"access-control-allow-methods", b"GET, HEAD"),
    (b"access-control-allow-headers", b"If-None-Match"),
    (b"access-control-max-age", b"86400"),
]

_visitor: ContextVar[str] = ContextVar("visitor", default="")
"""The network of whoever made the request that is being answered."""


def visitor() -> str:
    """The network of whoever is being answered; empty for nobody."""
    return _visitor.get()


class Bucket(NamedTuple):
    """How much may be done: at once, and then every second."""

    size: float
    refill: float


SAVES = Bucket(60, 1)
"""Games that an address may save: a class that finishes many at once, but not a thousand in four seconds."""
QUESTIONS = Bucket(300, 10)
"""What an address may ask thinkers, in quick questions; a long one counts for ten."""
BEGINNINGS = Bucket(120, 0.2)
"""Live games and classrooms that an address may begin: two school classes at once, then one every five seconds."""
CHUNKS = Bucket(5_000, 50)
"""Chunks of tables that an address may fetch: many answers at once, but a whole table only by and by."""
BOUNDLESS = Bucket(float("inf"), 1)
PRICES = {Effort.NONE: 0.0, Effort.QUICK: 1.0, Effort.LONG: 10.0}


class Tolls:
    """The token buckets of all addresses, for one kind of deed."""

    def __init__(self, bucket: Bucket, what: str) -> None:
        self._bucket, self._what = bucket, what
        self._levels: LRUCache[str, tuple[float, float]] = LRUCache(MOST_NETWORKS)

    def pay(self, price: float = 1.0) -> None:
        """Take tokens from the bucket of whoever is being answered; an error if there are too few."""
        who, now = _visitor.get(), monotonic()
        if not who:  # nobody: a deed of the server itself
            return
        level, since = self._levels.get(who, (self._bucket.size, now))
        level = min(self._bucket.size, level + (now - since) * self._bucket.refill)
        if level < price:
            self._levels[who] = (level, now)
            raise TooManyError(
                f"too many {self._what} from your address: expected at most {self._bucket.refill:g} a second",
                wait=(price - level) / self._bucket.refill,
            )
        self._levels[who] = (level - price, now)


@lru_cache(4_096)
def network_of(address: str) -> str:
    """Whose an address is: itself, or of IPv6 its network of 64 bits."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    return str(ip_network((int(found), 64), strict=False)) if found.version == 6 else address


def same_origin(request: Request) -> None:
    """Raise an error unless a page of ours has sent this request.

    Browsers say so in Sec-Fetch-Site, older ones at least in Origin; neither can be set by a script of another page.
    """
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    ours = origin is not None and urlsplit(origin).netloc.lower() == request.headers.get("Host", "").lower()
    if not (site == "same-origin" if site is not None else ours):
        said = f"Sec-Fetch-Site: {site}" if site is not None else f"Origin: {origin or 'none'}"
        raise ForbiddenError(f"{said[:80]!r} may not change anything here: expected a request from a page of this site")


class Limits:
    """The middleware."""

    def __init__(self, app: ASGIApp, names: tuple[str, ...]) -> None:
        self._app = app
        self._names = tuple(name.lower() for name in (*LOOPBACK, *names))
        self._is_ours = lru_cache(256)(self._know)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        _visitor.set(network_of(scope["client"][0]) if scope.get("client") else "")
        started = False
        without_body = scope["method"] == "HEAD"
        readable = scope["path"].startswith(API)
        always = _ALWAYS_READABLE if readable else _RAW_EMBEDDED if scope["path"].startswith(EMBED) else _RAW

        async def with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                given = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(header for header in always if header[0] not in given)]
            elif without_body:
                message = {**message, "body": b""}
            await send(message)

        if without_body:
            scope = {**scope, "method": "GET"}
        if readable and scope["method"] == "OPTIONS" and _header(scope, b"access-control-request-method"):
            await send({"type": "http.response.start", "status": HTTPStatus.NO_CONTENT, "headers": _PREFLIGHT})
            await send({"type": "http.response.body"})
            return
        refusal = self._foreign(scope) or _too_large(scope)
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

    def _foreign(self, scope: Scope) -> tuple[int, str] | None:
        """The status and the words for a request that is meant for another server."""
        host = _header(scope, b"host") or b""
        if self._is_ours(host):
            return None
        shown = host[:60].decode("latin-1")
        expected = ", ".join(self._names[:8])
        return HTTPStatus.MISDIRECTED_REQUEST, f"this server is not {shown!r}: expected {expected}; --name adds a name"

    def _know(self, host: bytes) -> bool:
        try:
            name = urlsplit(f"//{host.decode('ascii')}").hostname or ""
        except ValueError:
            return False
        if name in self._names:
            return True
        try:
            ip_address(name)
        except ValueError:
            return False
        return any(wildcard in self._names for wildcard in ANY_ADDRESS)


def _header(scope: Scope, wanted: bytes) -> bytes | None:
    return next((value for name, value in scope["headers"] if name == wanted), None)


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
