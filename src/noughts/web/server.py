"""The server: uvicorn with our application, on loopback unless told otherwise."""

import os

import uvicorn

from noughts.games import NoughtsError
from noughts.web.app import create_app
from noughts.web.settings import Settings

__all__ = ["from_environment", "serve"]

_DATABASE = "NOUGHTS_DATABASE_URL"
SECONDS_TO_FINISH = 10
"""How long requests in flight have to finish when the server is told to end."""


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
        "limit_concurrency": 1_000,
        "h11_max_incomplete_event_size": 64 * 1024,
    }
    try:
        if workers == 1:
            uvicorn.run(from_environment(), **options)  # type: ignore[arg-type]
        else:
            uvicorn.run("noughts.web.server:from_environment", factory=True, workers=workers, **options)  # type: ignore[arg-type]
    except OSError as error:
        raise NoughtsError(f"cannot listen on {host}:{port}: {error.strerror}; expected a free port") from error


def from_environment() -> object:
    """The application, as a worker process makes it."""
    return create_app(Settings(database_url=os.environ.get(_DATABASE)))
