"""The server: uvicorn with our application, on loopback unless told otherwise.

Told to end (SIGTERM, Ctrl-C), it takes no more connections, finishes what is in flight, and goes. With several workers
each is a process of its own; if the one that started them is killed, they end in the same way. What would keep it from
starting is looked at first, so that it can be said in a line.
"""

import os
import signal
import socket
from multiprocessing import parent_process
from threading import Thread

import uvicorn

from noughts.games import NoughtsError
from noughts.records import open_database
from noughts.web.app import Settings, create_app
from noughts.web.questions import warm_up

__all__ = ["from_environment", "serve"]

_DATABASE = "NOUGHTS_DATABASE_URL"
SECONDS_TO_FINISH = 10
"""How long requests in flight have to finish when the server is told to end."""
MOST_CONNECTIONS = 1_000


def serve(host: str, port: int, workers: int) -> None:
    """Serve until told to end."""
    options = {
        "host": host,
        "port": port,
        "log_level": "warning",
        "access_log": False,
        "server_header": False,
        "timeout_graceful_shutdown": SECONDS_TO_FINISH,
        "timeout_keep_alive": 30,
        "limit_concurrency": MOST_CONNECTIONS,
        "h11_max_incomplete_event_size": 64 * 1024,
    }
    _check_port(host, port)
    open_database(os.environ.get(_DATABASE)).close()
    if workers == 1:
        uvicorn.run(from_environment(), **options)  # type: ignore[arg-type]
    else:
        uvicorn.run("noughts.web.server:from_environment", factory=True, workers=workers, **options)  # type: ignore[arg-type]


def _check_port(host: str, port: int) -> None:
    """Raise an error if nobody can listen there."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "this is no address"
        raise NoughtsError(f"cannot listen on {host}:{port}: {reason}; expected a free port") from error


def from_environment() -> object:
    """The application, as a worker process makes it."""
    Thread(target=_end_with_parent, daemon=True).start()
    warm_up()
    return create_app(Settings(database_url=os.environ.get(_DATABASE)))


def _end_with_parent() -> None:
    """A worker's watch over the process that started it."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
