"""The page that plays without a connection: the small games, whole, inside the browser.

The page has the games' own values as JSON, and boards drawn here with all stones of both sides on them; its script
(`static/offline.js`) takes the stones off again, interprets the few fields of the rules that these games need, solves
the game it is asked for, and errs as the ladder does, by the numbers of `noughts.players.ladder`. So nothing about a
game is written down twice.

A **service worker** keeps the page and every file it names, for when there is no connection. Its scope is this page and
no other, so that no other page can ever come from the past. The fingerprint of the page, which has those of all its
files, stands in the worker: a new version is another worker, which keeps the new files and throws the old ones away.

The **manifest** lets browsers install the site as an app that begins with this page.
"""

import json
import re
from dataclasses import asdict
from functools import cache
from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, JSONResponse, Response
from markupsafe import Markup

from noughts.games import KINDS, Game, Position
from noughts.games import game as find_game
from noughts.games.picture import MARGIN, UNIT
from noughts.players.ladder import habits, skills
from noughts.players.perfect import Perfect
from noughts.solve.small import MOST_POINTS, solvable
from noughts.web.boards.linked import Click, Marks, draw_large
from noughts.web.caching import etag_of
from noughts.web.pages.home import opponents, rungs
from noughts.web.rendering import CHECKED, STATIC, answer, render, static
from noughts.web.sitting import usual_opponent

__all__ = ["PAGE", "SMALL", "kept_files", "router", "values_of"]

router = APIRouter()
PAGE = "/offline"
SMALL = tuple(
    game
    for game in (find_game(kind.base) for kind in KINDS if not kind.sizes)
    if len(game.layout) <= MOST_POINTS and solvable(game)
)
"""The games of the catalogue on so few points that a browser solves them while one looks."""
NEVER_ERRS = {"sees_row": 1, "sees_threat": 1, "errs": 0}


@router.get(PAGE, include_in_schema=False)
async def offline() -> HTMLResponse:
    """The page; the same for everybody."""
    return answer(_text())


@router.get(f"{PAGE}/worker.js", include_in_schema=False)
async def worker() -> Response:
    """The service worker, with what it is to keep; allowed for the page itself, which lies above the script."""
    told = {"PAGE": PAGE, "NAME": f"noughts-offline-{_fingerprint()}", "FILES": [PAGE, *kept_files()]}
    constants = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in told.items())
    script = constants + (STATIC / "offline-worker.js").read_text("utf-8")
    headers = {"Service-Worker-Allowed": PAGE, "Cache-Control": CHECKED}
    return Response(script, media_type="text/javascript", headers=headers)


@router.get("/manifest.webmanifest", include_in_schema=False)
async def manifest() -> JSONResponse:
    """What browsers ask for to install the site; the colours are those of base.css, in the light."""
    large = {"src": static("icon-512.png"), "type": "image/png", "sizes": "512x512"}
    told = {
        "id": PAGE,
        "name": "Noughts",
        "short_name": "Noughts",
        "description": "The games of a row; the small ones without a connection.",
        "start_url": PAGE,
        "scope": "/",
        "display": "standalone",
        "background_color": "#f4f0e6",
        "theme_color": "#1b4a3d",
        "icons": [
            {"src": static("icon.svg"), "type": "image/svg+xml", "sizes": "any"},
            {**large, "purpose": "any"},
            {**large, "purpose": "maskable"},
        ],
    }
    headers = {"Cache-Control": CHECKED}
    return JSONResponse(told, headers=headers, media_type="application/manifest+json")


def values_of(game: Game) -> dict[str, Any]:
    """Everything that the script knows about a game: its rules, its layout as sets, and how each opponent errs."""
    layout = game.layout
    levels = {f"level{rung}": habits(skill)._asdict() for rung, skill in enumerate(skills(game), start=1)}
    return {
        "name": game.name,
        "rules": asdict(game.rules),
        "points": layout.points,
        "everywhere": layout.everywhere,
        "lines": layout.line_sets,
        "on_lines": layout.on_lines,
        "neighbours": layout.neighbours,
        "spots": [[MARGIN + UNIT * (place.column + 0.5), MARGIN + UNIT * (place.row + 0.5)] for place in layout.places],
        "opponents": levels | {Perfect.name: NEVER_ERRS},
    }


def kept_files() -> list[str]:
    """The addresses of all files that the page names, so that none can be forgotten."""
    return list(dict.fromkeys(re.findall(r'(?:href|src)="(/static/[^"]+)"', _text())))


@cache
def _text() -> str:
    (perfect,) = (one for one in opponents(SMALL[0]) if one.name == Perfect.name)
    return render(
        "offline.html",
        None,
        request_path=PAGE,
        description="The small games, played inside the browser, without a connection.",
        games=[(game, json.dumps(values_of(game)), _board(game)) for game in SMALL],
        rungs=rungs(),
        against=usual_opponent(),
        perfect=perfect,
        story=Perfect.story,
    )


def _board(game: Game) -> Markup:
    """The board with every stone that may ever stand on it, for the script to take off."""
    crowded = Position((game.layout.everywhere, game.layout.everywhere), (0, 0), 0)
    clicks = [Click(point, "play", "", f"{name}, empty") for point, name in enumerate(game.layout.points)]
    return draw_large(game, crowded, clicks, {}, Marks())


def _fingerprint() -> str:
    return etag_of(_text().encode()).strip('"')[:12]
