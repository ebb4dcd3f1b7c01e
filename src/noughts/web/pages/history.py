"""History: the finished games, newest first, to look through, replay and take away; and who leads among the machines.

The elements of 2021 keep the last 32 final boards in a RAM. Here every game is kept, with its moves.
"""

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
from noughts.players import PLAYERS, Human
from noughts.records import Database, History, Saved, latest_tournaments, leaders
from noughts.web.boards.thumbnails import in_words, inline, picture_of, thumbnail
from noughts.web.problems import NotThereError
from noughts.web.rendering import page
from noughts.web.sitting import GAMES, explore_url, name_of, play_on_url

__all__ = ["router"]

router = APIRouter()
ON_A_PAGE = 24
CHECKED = {True: "genuine", False: "not genuine", None: "not replayed"}
"""What the list says of a game in which a machine took part."""
LINES_AT_ONCE = 200
LARGEST = 2**63 - 1

Filter = Annotated[str, Query(max_length=100)]
Number = Annotated[int | None, Query(ge=1, le=LARGEST)]


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
def history(request: Request, game: Filter = "", player: Filter = "", before: Number = None) -> Response:
    """A page of finished games, and the leaders."""
    kept: History = request.app.state.history
    found = kept.page(ON_A_PAGE + 1, before, game or None, player or None)
    shown = found[:ON_A_PAGE]
    wanted = {"game": game, "player": player}
    return page(
        request,
        "history.html",
        entries=[_entry(one) for one in shown],
        count=kept.count(),
        older=_address(wanted, shown[-1].id) if len(found) > ON_A_PAGE else None,
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


@router.get("/history/{number}", include_in_schema=False)
def replay(
    request: Request,
    number: Annotated[int, InPath(ge=1, le=LARGEST)],
    ply: Annotated[int | None, Query(ge=0, le=LARGEST)] = None,
) -> Response:
    """A finished game at one of its plies, the last if none is asked for."""
    saved = request.app.state.history.get(number)
    if saved is None:
        raise NotThereError(f"there is no finished game {number}: expected one that /history lists")
    playing = _replayed(saved.game, saved.start, saved.moves)
    last = len(playing.moves)
    here = last if ply is None else ply
    if here > last:
        raise NotThereError(f"game {number} has no ply {here}: expected 0 to {last}")
    return page(
        request,
        "replay.html",
        headers={"Cache-Control": "public, max-age=300"},
        **_replay_values(saved, playing, here),
    )


def _replay_values(saved: Saved, playing: Playing, here: int) -> dict[str, Any]:
    """What the page shows of a game at a ply."""
    game, last = playing.game, len(playing.moves)
    then = playing.back(last - here)
    picture = picture_of(game, then.position)
    turns = [SIDES[position.turn].upper() for position in playing.positions]
    moves = [game.write_move(move) for move in playing.moves]
    return {
        "saved": saved,
        "entry": _entry(saved),
        "board": inline(picture, in_words(game, then.position), "large"),
        "said": in_words(game, then.position),
        "here": here,
        "last": last,
        "moves": list(zip(turns, moves, strict=False)),
        "seconds": None if saved.seconds is None else f"{saved.seconds:.1f}",
        "play": play_on_url(then, (saved.x, saved.o)) if then.result is None else None,
        "explore": explore_url(game.name, game.write(then.position)),
    }


def _replayed(name: str, start: str | None, moves: str) -> Playing:
    """The moves of a finished game; an error if they are none of it."""
    game = find_game(name)
    playing = Playing.begin(game, game.read(start) if start else None)
    for text in moves.split():
        playing = playing.then(game.read_move(playing.position, text))
    return playing


def _entry(saved: Saved) -> Entry:
    result = "a draw" if saved.result == "draw" else f"{saved.result.upper()} won"
    reason = f" ({saved.reason})" if saved.reason else ""
    return Entry(
        saved=saved,
        title=_title(saved.game),
        x=name_of(saved.x),
        o=name_of(saved.o),
        result=result + reason,
        when=_when(saved.finished_at),
        checked=CHECKED[saved.verified] if (saved.x, saved.o) != (Human.name, Human.name) else "",
        picture=_final(saved.game, saved.start, saved.moves),
    )


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
