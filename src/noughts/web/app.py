"""The application: pages, API, errors, headers, and what they share while the server runs."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from noughts import __version__
from noughts.records import History, LiveGames, open_database
from noughts.solve.tables import nobody_waits
from noughts.web import api, api_schema, rendering
from noughts.web.api_schema import describe
from noughts.web.asking.prepared import prepared
from noughts.web.asking.thinking import Thinking
from noughts.web.caching import ReadyAnswers
from noughts.web.limits import BEGINNINGS, BOUNDLESS, CHUNKS, PRICES, QUESTIONS, SAVES, Limits, Tolls
from noughts.web.listening import Listening
from noughts.web.pages import PAGES, knuth
from noughts.web.problems import add_handlers
from noughts.web.rendering import Files
from noughts.web.replying import Replies

__all__ = ["Settings", "create_app"]

COMPRESSED_FROM = 1_400
"""Bytes of an answer from which on it is compressed: a shorter one is a single packet anyway."""


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
    """Seconds a question of the API waits for its answer before it is told "still thinking"."""
    glance: float = 0.12
    """Seconds a page waits: then it shows what there is, says what is missing, and comes again by itself."""
    limit: float = 60.0
    """Seconds after which a question is given up."""
    kept_answers: int = 20_000
    """Answers that are remembered."""
    names: tuple[str, ...] = ()
    """Names by which visitors know this server, besides those of loopback."""
    tables: bool = False
    """Whether others may read this user's tables from here."""
    bounded: bool = True
    """Whether there is a bound on what each address may save and ask for; measurements do without."""


def create_app(settings: Settings | None = None) -> FastAPI:
    """The application; `app.state` holds `settings`, `thinking` and `history` while it runs."""
    chosen = settings or Settings()

    questions, saves, beginnings, chunks = (
        Tolls(QUESTIONS if chosen.bounded else BOUNDLESS, "hard questions"),
        Tolls(SAVES if chosen.bounded else BOUNDLESS, "finished games"),
        Tolls(BEGINNINGS if chosen.bounded else BOUNDLESS, "live games"),
        Tolls(CHUNKS if chosen.bounded else BOUNDLESS, "chunks of tables"),
    )

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        database = await asyncio.to_thread(open_database, chosen.database_url)
        app.state.database = database
        app.state.history = History(database)
        app.state.live_games = LiveGames(database)
        app.state.listening = Listening(app.state.live_games, chosen.bounded)
        app.state.thinking = Thinking(
            chosen.thinkers,
            chosen.waiting,
            chosen.patience,
            chosen.limit,
            chosen.kept_answers,
            admit=lambda effort: questions.pay(PRICES[effort]),
        )
        app.state.replies = Replies(app.state.live_games, app.state.thinking, app.state.listening)
        rendering.read_templates()
        knuth.rendered()
        for one in prepared():
            app.state.thinking.remember(one.answer, one.question, *one.arguments)
        with nobody_waits():
            yield
        app.state.listening.end()
        app.state.replies.end()
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
    app.state.settings, app.state.saves, app.state.beginnings, app.state.chunks = chosen, saves, beginnings, chunks
    # What is added last is passed first on the way in, and last on the way out.
    app.add_middleware(ReadyAnswers)
    app.add_middleware(GZipMiddleware, minimum_size=COMPRESSED_FROM, compresslevel=5)
    app.add_middleware(Limits, names=chosen.names)
    add_handlers(app)
    for room in (api, api_schema, *PAGES):
        app.include_router(room.router)
    app.mount("/static", Files(), name="static")
    app.openapi = describe(app)  # type: ignore[method-assign]
    return app
