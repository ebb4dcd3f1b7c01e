"""The application: pages, API, errors, headers, and what they share while the server runs."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles

from noughts import __version__
from noughts.records import History, open_database
from noughts.web import api, api_schema, explore, history, home, knuth, play, rendering, silicon
from noughts.web.limits import SecureHeaders
from noughts.web.problems import add_handlers
from noughts.web.rendering import STATIC
from noughts.web.thinking import Thinking

__all__ = ["Settings", "create_app"]


@dataclass(frozen=True)
class Settings:
    """How much work visitors may cause, and where finished games go."""

    database_url: str | None = None
    """Where finished games are kept; None for the user's own file, or what NOUGHTS_DATABASE_URL says."""
    thinkers: int = 2
    """Processes that work out what takes long."""
    waiting: int = 16
    """Questions that may wait for one of them; more are turned away."""
    patience: float = 1.5
    """Seconds a request waits for an answer before it says "still thinking"."""
    limit: float = 60.0
    """Seconds after which a question is given up."""
    kept_answers: int = 20_000
    """Answers that are remembered."""


def create_app(settings: Settings | None = None) -> FastAPI:
    """The application; `app.state` holds `settings`, `thinking` and `history` while it runs."""
    chosen = settings or Settings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        database = await asyncio.to_thread(open_database, chosen.database_url)
        app.state.database = database
        app.state.history = History(database)
        app.state.thinking = Thinking(
            chosen.thinkers, chosen.waiting, chosen.patience, chosen.limit, chosen.kept_answers
        )
        yield
        app.state.thinking.close()
        database.close()

    app = FastAPI(
        title="Noughts",
        version=__version__,
        description="Exact answers about the games of a row: values, moves, reasons, players, finished games.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        redirect_slashes=False,
        lifespan=lifespan,
    )
    app.state.settings = chosen
    app.add_middleware(SecureHeaders)
    add_handlers(app)
    for room in (api, api_schema, rendering, home, play, explore, silicon, knuth, history):
        app.include_router(room.router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    return app
