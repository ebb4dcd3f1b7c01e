"""The server: uvicorn with our application, on loopback unless told otherwise.

Told to end (SIGTERM, Ctrl-C), it takes no more connections, finishes what is in flight, and goes. With several workers
each is a process of its own; if the one that started them is killed, they end in the same way. What would keep it from
starting is tried first, so that it can be said in a line; where it is, is said only once it answers.

**Connections are bounded.** uvicorn alone lets a connection wait forever for its first request, or for the end of a
header that comes byte by byte (slow loris): a thousand of those, and nobody else gets in. Here a whole request head
has to arrive within `SECONDS_TO_ASK`, and the answer has to be gone within `SECONDS_TO_ANSWER`. There may be so many
connections in all, and so many an address; one more takes the place of the one that has been waiting longest for a
request, so those who ask get in whatever the silent ones do.
"""

import asyncio
import errno
import os
import signal
import socket
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from ipaddress import ip_address
from multiprocessing import parent_process
from threading import Thread
from time import monotonic

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.supervisors import Multiprocess

from noughts.games import NoughtsError
from noughts.records import open_database
from noughts.web.app import Settings, create_app
from noughts.web.asking.questions import warm_up
from noughts.web.limits import network_of
from noughts.web.listening import end_all

__all__ = ["BoundedProtocol", "from_environment", "serve"]

DATABASE, NAMES, BOUNDS = "NOUGHTS_DATABASE_URL", "NOUGHTS_NAMES", "NOUGHTS_BOUNDS"
OFFER = "NOUGHTS_OFFER_TABLES"
"""What is said in the environment: it reaches the workers, too."""
SECONDS_TO_ASK = 15.0
"""In which a request has to arrive, from the beginning of a connection or from the answer before."""
SECONDS_TO_ANSWER = 120.0
"""In which a request has to be answered and the answer taken, however slow the reader."""
SECONDS_TO_FINISH = 10
"""How long requests in flight have to finish when the server is told to end."""
MOST_CONNECTIONS = 800
"""In all; below the 1,024 open files that many systems allow a process."""
MOST_OF_ADDRESS = 400
LOOK = 0.5
"""Seconds between two looks at who has waited too long."""


def serve(
    host: str,
    port: int,
    workers: int,
    *,
    names: tuple[str, ...] = (),
    proxy: str | None = None,
    tables: bool = False,
    ready: Callable[[str], None] = lambda _: None,
) -> None:
    """Serve until told to end.

    `names` are names of this server besides loopback's and the host's own. The addresses in `proxy`, between commas,
    are believed when they say for whom they ask. With `tables`, others may read this user's tables. `ready` is called
    with the address once the server answers there.
    """
    os.environ[NAMES] = ",".join((*names, *_names_of(host), *filter(None, [os.environ.get(NAMES)])))
    if tables:
        os.environ[OFFER] = "on"
    open_database(os.environ.get(DATABASE)).close()
    config = uvicorn.Config(
        "noughts.web.server:from_environment",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        http=BoundedProtocol,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=proxy is not None,
        forwarded_allow_ips=proxy,
        timeout_graceful_shutdown=SECONDS_TO_FINISH,
        timeout_keep_alive=int(SECONDS_TO_ASK),
    )
    sockets = _listen(host, port)
    Thread(target=_tell, args=(host, port, ready), daemon=True).start()
    with suppress(KeyboardInterrupt):
        if workers == 1:
            uvicorn.Server(config).run(sockets=sockets)
        else:
            _Workers(config, sockets).run()


class _Workers(Multiprocess):
    """uvicorn's workers, which pass on the signal that ended them when all is done, as a single server does.

    Else whoever sent it would take its exit code for that of a server that ended by itself.
    """

    def __init__(self, config: uvicorn.Config, sockets: list[socket.socket]) -> None:
        self._before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        self._ended_by: signal.Signals | None = None
        super().__init__(config, sockets)

    def run(self) -> None:
        """Serve until told to end."""
        super().run()
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if self._ended_by is not None:
            signal.raise_signal(self._ended_by)

    def handle_int(self) -> None:
        """Ctrl-C."""
        self._ended_by = signal.SIGINT
        super().handle_int()

    def handle_term(self) -> None:
        """SIGTERM."""
        self._ended_by = signal.SIGTERM
        super().handle_term()


def from_environment() -> object:
    """The application, as a worker process makes it."""
    Thread(target=_end_with_parent, daemon=True).start()
    warm_up()
    return create_app(
        Settings(
            database_url=os.environ.get(DATABASE),
            names=tuple(name for name in os.environ.get(NAMES, "").split(",") if name),
            tables=os.environ.get(OFFER) == "on",
            bounded=os.environ.get(BOUNDS) != "off",
        )
    )


def _names_of(host: str) -> tuple[str, ...]:
    """What visitors call a server that listens there: where it listens on all addresses, by the machine's names too."""
    if not _everywhere(host):
        return (host,)
    machine = socket.gethostname()
    return host, machine, socket.getfqdn(), f"{machine}.local"


def _everywhere(host: str) -> bool:
    with suppress(ValueError):
        return ip_address(host).is_unspecified
    return False


def _listen(host: str, port: int) -> list[socket.socket]:
    """Sockets on which the kernel takes connections from now on; an error in one line if that cannot be."""
    opened: list[socket.socket] = []
    try:
        for family, _, _, _, address in socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        ):
            try:
                opened.append(socket.create_server(address[:2], family=family, backlog=2048))
            except OSError as error:
                # A name such as localhost may have an address of IPv6 on a machine without it.
                if family != socket.AF_INET6 or error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                    raise
    except (OSError, UnicodeError) as error:
        for one in opened:
            one.close()
        number: int = getattr(error, "errno", None) or 0
        reason = f"{os.strerror(number)}; expected a free port" if number > 0 else "expected an address of this machine"
        raise NoughtsError(f"cannot listen on {host}:{port}: {reason}") from error
    if not opened:
        raise NoughtsError(f"cannot listen on {host}:{port}: no address of this machine; expected one of its own")
    for one in opened:
        one.set_inheritable(True)
    return opened


def _tell(host: str, port: int, ready: Callable[[str], None]) -> None:
    """Say where the server is once it answers; until then the kernel keeps our request."""
    shown = f"[{host}]" if ":" in host else host
    reached = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    with suppress(OSError, HTTPException):
        connection = HTTPConnection(reached, port, timeout=60)
        connection.request("GET", "/health")
        connection.getresponse().read()
        connection.close()
        ready(f"http://{shown}:{port}")


def _end_with_parent() -> None:
    """A worker's watch over the process that started it."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


class _Connections:
    """The connections of this process: those that wait for a request and those whose request is being answered.

    Both are kept in the order in which they began to, so that whoever is too late stands in front.
    """

    def __init__(self) -> None:
        self.waiting: OrderedDict[BoundedProtocol, float] = OrderedDict()
        self.answering: OrderedDict[BoundedProtocol, float] = OrderedDict()
        self.of_network: Counter[str] = Counter()
        self._looking = False

    def add(self, one: "BoundedProtocol") -> None:
        """Let a connection in, in place of one that waits if there are too many; without one, close it."""
        self.of_network[one.network] += 1
        if self.of_network[one.network] > MOST_OF_ADDRESS and not one.trusted:
            self._make_room(one, (other for other in self.waiting if other.network == one.network))
        elif len(self.waiting) + len(self.answering) >= MOST_CONNECTIONS:
            self._make_room(one, iter(self.waiting))
        if not one.transport.is_closing():
            self.waiting[one] = monotonic()
        if not self._looking:
            self._looking = True
            asyncio.get_running_loop().call_later(LOOK, self._look)

    def remove(self, one: "BoundedProtocol") -> None:
        """A connection has ended."""
        self.waiting.pop(one, None)
        self.answering.pop(one, None)
        self.of_network[one.network] -= 1
        if not self.of_network[one.network]:
            del self.of_network[one.network]

    def _make_room(self, new: "BoundedProtocol", waiting: Iterator["BoundedProtocol"]) -> None:
        longest = next(waiting, new)
        self.waiting.pop(longest, None)  # at once, since the connection is lost only in the next turn of the event loop
        longest.transport.abort()

    def _look(self) -> None:
        """Close those who are too late; look again as long as there is anybody."""
        now = monotonic()
        for those, seconds in ((self.waiting, SECONDS_TO_ASK), (self.answering, SECONDS_TO_ANSWER)):
            for one, since in list(those.items()):
                if now - since < seconds:
                    break
                one.transport.abort()
        self._looking = bool(self.waiting or self.answering)
        if self._looking:
            asyncio.get_running_loop().call_later(LOOK, self._look)


_connections = _Connections()


class BoundedProtocol(HttpToolsProtocol):
    """uvicorn's connection, which says when it waits for a request and when it answers one."""

    network = ""
    trusted = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has come."""
        super().connection_made(transport)
        self.network = network_of(self.client[0] if self.client else "")
        self.trusted = self.config.proxy_headers
        _connections.add(self)

    def on_headers_complete(self) -> None:
        """A request has arrived; perhaps not its body, for which nobody here waits."""
        if _connections.waiting.pop(self, None) is not None:
            _connections.answering[self] = monotonic()
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        """It has been answered; another one may already be there (pipelining)."""
        super().on_response_complete()
        if _connections.answering.pop(self, None) is not None:
            those = _connections.answering if self.pipeline else _connections.waiting
            those[self] = monotonic()

    def shutdown(self) -> None:
        """The server is told to end: so are streams, which would go on."""
        end_all()
        super().shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        _connections.remove(self)
        super().connection_lost(exc)
