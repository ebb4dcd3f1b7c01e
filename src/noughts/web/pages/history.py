"""History: the finished games, newest first, to look through, review and take away; and who leads among the machines.

The elements of 2021 keep the last 32 final boards in a RAM. Here every game is kept, with its moves.

**My games.** There are no accounts and no cookies. A browser keeps the numbers of the games that were saved in it
(`script/mine.js`), and asks for them: `/history?mine=17.12.3`. So the server learns nothing that it does not show to
everybody, and the address of somebody's games can be kept or shared like any other. Without scripts there is no such
list, since nobody but the browser could know it.
"""

import asyncio
import re
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from itertools import islice
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi import Path as InPath
from fastapi.responses import Response, StreamingResponse
from markupsafe import Markup

from noughts.arena import wilson
from noughts.games import SIDES, NoughtsError
from noughts.games import game as find_game
from noughts.games.playing import Playing
from noughts.players import PLAYERS, Human, name_of
from noughts.records import Database, History, Saved, latest_tournaments, leaders
from noughts.records.history import MOST, line_of
from noughts.web.boards.thumbnails import thumbnail
from noughts.web.pages.review import Reviewed, numbered, show_review
from noughts.web.problems import NotThereError
from noughts.web.rendering import page
from noughts.web.sitting import GAMES, BadAddressError

__all__ = ["router"]

router = APIRouter()
ON_A_PAGE = 24
CHECKED = {True: "genuine", False: "not genuine", None: "not replayed"}
"""What the list says of a game in which a machine took part."""
LINES_AT_ONCE = 200
LARGEST = 2**63 - 1

Filter = Annotated[str, Query(max_length=100)]
Number = Annotated[int | None, Query(ge=1, le=LARGEST)]
GameNumber = Annotated[int, InPath(ge=1, le=LARGEST)]
PlyNumber = Annotated[int | None, Query(ge=0, le=LARGEST)]
Mine = Annotated[str, Query(max_length=2_000)]


class Entry(NamedTuple):
    """A finished game as the list shows it."""

    saved: Saved
    title: str
    x: str
    o: str
    result: str
    when: str
    checked: str
    """What is known of the moves of its machines."""
    picture: Markup


class Leader(NamedTuple):
    """A line among the leaders."""

    name: str
    title: str
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    win_rate: tuple[float, float]
    loss_rate: tuple[float, float]


@router.get("/history", include_in_schema=False)
def history(
    request: Request, game: Filter = "", player: Filter = "", before: Number = None, mine: Mine = ""
) -> Response:
    """A page of finished games, and the leaders; or, of these numbers, somebody's own games."""
    kept: History = request.app.state.history
    found = kept.some(_numbers(mine)) if mine else kept.page(ON_A_PAGE + 1, before, game or None, player or None)
    shown = found if mine else found[:ON_A_PAGE]
    wanted = {"game": game, "player": player}
    return page(
        request,
        "history.html",
        entries=[_entry(one) for one in shown],
        count=kept.count(),
        mine=bool(mine),
        older=_address(wanted, shown[-1].id) if len(found) > len(shown) else None,
        newest=_address(wanted, None) if before else None,
        wanted=wanted,
        games=[(name, words.title) for name, words in GAMES.items()],
        players=[(name, name_of(name)) for name in PLAYERS],
        tournaments=_leaders(request.app.state.database, game),
    )


@router.get("/history.jsonl", include_in_schema=False)
def download(request: Request) -> StreamingResponse:
    """Every game as a line of JSON."""
    lines = request.app.state.history.lines()
    headers = {"Content-Disposition": 'attachment; filename="noughts-history.jsonl"', "Cache-Control": "no-store"}
    return StreamingResponse(_in_portions(lines), media_type="application/x-ndjson", headers=headers)


@router.get("/history/{number}.json", include_in_schema=False)
def one_line(request: Request, number: GameNumber) -> Response:
    """A finished game as a line of JSON, as the file of all games has it."""
    line = f"{line_of(_found(request, number))}\n"
    return Response(line, media_type="application/json", headers=_attached(f"noughts-{number}.json"))


@router.get("/history/{number}.txt", include_in_schema=False)
def as_text(request: Request, number: GameNumber) -> Response:
    """A finished game as text that people read, and that `/review` takes."""
    saved = _found(request, number)
    turn = _replayed(saved.game, saved.start, "").position.turn
    start = f"from {saved.start}\n" if saved.start else ""
    head = f"{saved.game}, {saved.x} (X) against {saved.o} (O), {saved.finished_at:%Y-%m-%d}: {_result(saved)}\n{start}"
    text = f"{head}{numbered(saved.moves.split(), turn)}\n"
    return Response(text, media_type="text/plain; charset=utf-8", headers=_attached(f"noughts-{number}.txt"))


@router.get("/history/{number}", include_in_schema=False)
async def replay(request: Request, number: GameNumber, ply: PlyNumber = None) -> Response:
    """A finished game, reviewed at one of its plies, the last if none is asked for."""
    saved = await asyncio.to_thread(_found, request, number)
    playing = _replayed(saved.game, saved.start, saved.moves)
    entry = _entry(saved)
    told = {
        "number": saved.id,
        "finished": saved.finished_at.isoformat(),
        "when": entry.when,
        "checked": entry.checked,
        "seconds": None if saved.seconds is None else f"{saved.seconds:.1f}",
    }
    winner = SIDES.index(saved.result) if saved.result in SIDES else None
    shown = Reviewed(playing, (saved.x, saved.o), f"/history/{number}", winner, saved.reason)
    return await show_review(request, shown, ply, told)


def _attached(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}


def _found(request: Request, number: int) -> Saved:
    saved: Saved | None = request.app.state.history.get(number)
    if saved is None:
        raise NotThereError(f"there is no finished game {number}: expected one that /history lists")
    return saved


def _replayed(name: str, start: str | None, moves: str) -> Playing:
    """The moves of a finished game; an error if they are none of it."""
    game = find_game(name)
    playing = Playing.begin(game, game.read(start) if start else None)
    for text in moves.split():
        playing = playing.then(game.read_move(playing.position, text))
    return playing


def _entry(saved: Saved) -> Entry:
    return Entry(
        saved=saved,
        title=_title(saved.game),
        x=name_of(saved.x),
        o=name_of(saved.o),
        result=_result(saved),
        when=_when(saved.finished_at),
        checked=CHECKED[saved.verified] if (saved.x, saved.o) != (Human.name, Human.name) else "",
        picture=_final(saved.game, saved.start, saved.moves),
    )


def _result(saved: Saved) -> str:
    result = "a draw" if saved.result == "draw" else f"{saved.result.upper()} won"
    return result + (f" ({saved.reason})" if saved.reason else "")


@lru_cache(maxsize=1_000)
def _final(game: str, start: str | None, moves: str) -> Markup:
    """A picture of the last position; what cannot be read has none."""
    try:
        playing = _replayed(game, start, moves)
    except NoughtsError:
        return Markup("")
    return thumbnail(playing.game, playing.position)


def _title(game: str) -> str:
    """A game's name for people; the name itself if it is none that Noughts knows now."""
    try:
        return find_game(game).title
    except NoughtsError:
        return game


def _when(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y, %H:%M} UTC"


def _numbers(text: str) -> list[int]:
    """The numbers of somebody's own games, as their browser has kept them: `17.12.3`."""
    words = text.split(".")
    if not all(re.fullmatch("[0-9]{1,18}", word) for word in words) or len(words) > MOST:
        raise BadAddressError(f"mine={text[:40]!r} is not understood: expected at most {MOST} numbers, as 17.12.3")
    return [int(word) for word in words]


def _address(wanted: dict[str, str], before: int | None) -> str:
    query = {name: value for name, value in wanted.items() if value}
    if before is not None:
        query["before"] = str(before)
    return f"/history?{urlencode(query)}" if query else "/history"


def _leaders(database: Database, game: str) -> list[dict[str, Any]]:
    """The latest tournament of every game, or of the one that is looked at."""
    tournaments = []
    for latest in latest_tournaments(database):
        if game in ("", latest.game):
            rows = [
                Leader(
                    one.player,
                    name_of(one.player),
                    *(one.games, one.wins, one.draws, one.losses, one.score),
                    wilson(one.wins, one.games),
                    wilson(one.losses, one.games),
                )
                for one in leaders(database, latest.game)
            ]
            title = _title(latest.game)
            tournaments.append({"title": title, "when": _when(latest.played_at), "seed": latest.seed, "rows": rows})
    return tournaments


def _in_portions(lines: Iterator[str]) -> Iterator[str]:
    """Several lines at a time, since each portion is a message of its own."""
    while portion := list(islice(lines, LINES_AT_ONCE)):
        yield "".join(f"{line}\n" for line in portion)
