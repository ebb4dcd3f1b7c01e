"""The first page: pick a game, somebody to play it with, and who begins.

A game is picked by a link, `/?game=achi`; the rest is a form whose one button leads to `/new`, which decides by chance
what chance shall decide and sends the visitor to the board. Boards of free size and the open rules of Achi are chosen
by small forms that lead back here.
"""

import secrets
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from noughts.games import Game
from noughts.games import game as find_game
from noughts.games.catalogue import ACHI_OPTIONS, LARGEST_SIDE
from noughts.games.playing import Playing
from noughts.players import Human, player
from noughts.web.questions import web_sized
from noughts.web.rendering import page
from noughts.web.stories import GAMES, on_first_page, opponents, sample, told, usual_opponent
from noughts.web.table import Table, new_id
from noughts.web.thumbnails import in_words, inline, picture_of, thumbnail

__all__ = ["router"]

router = APIRouter()
Name = Annotated[str, Query(max_length=100)]
Number = Annotated[int | None, Query(ge=1, le=LARGEST_SIDE)]


@router.get("/", include_in_schema=False)
async def home(
    request: Request, game: Name = "tictactoe", columns: Number = None, rows: Number = None, length: Number = None
) -> Response:
    """Games, opponents, who begins."""
    chosen = find_game(_name(request, game, (columns, rows, length)))
    position = sample(chosen)
    return page(
        request,
        "home.html",
        games=[(name, words, thumbnail(find_game(name), sample(find_game(name)))) for name, words in GAMES.items()],
        chosen=chosen,
        picked=on_first_page(chosen),
        told=told(chosen),
        board=inline(picture_of(chosen, position, labels=False), in_words(chosen, position), "large", cropped=True),
        opponents=opponents(chosen),
        usual=usual_opponent(chosen),
        sizes=chosen.name.removeprefix("mnk:").split(",") if chosen.name.startswith("mnk:") else None,
        largest=LARGEST_SIDE,
        options=_achi_options(chosen),
    )


@router.get("/new", include_in_schema=False)
async def new(
    game: Name, opponent: Name = Human.name, begins: Literal["you", "machine", "chance"] = "you"
) -> RedirectResponse:
    """Begin a game."""
    chosen = find_game(game)
    if opponent != Human.name:
        with web_sized():
            player(opponent).check(chosen)
    you_begin = secrets.choice((True, False)) if begins == "chance" else begins == "you"
    names = (Human.name, opponent) if you_begin else (opponent, Human.name)
    table = Table(chosen, names, Playing.begin(chosen), new_id())
    return RedirectResponse(table.url(), 303, {"Cache-Control": "no-store"})


def _name(request: Request, game: str, sizes: tuple[int | None, ...]) -> str:
    """The name of the game that was asked for, put together from what the small forms send."""
    if game == "mnk":
        usual = (5, 5, 4)
        return "mnk:" + ",".join(str(size or other) for size, other in zip(sizes, usual, strict=True))
    if game == "achi":
        asked = request.query_params
        wanted = [f"{option}={asked[option]}" for option in ACHI_OPTIONS if option in asked]
        return "achi" + ":" * bool(wanted) + ",".join(wanted)
    return game


def _achi_options(game: Game) -> dict[str, list[tuple[str, bool]]]:
    """The open rules of Achi: for each every value, and whether it is chosen; nothing for other games."""
    base, _, text = game.name.partition(":")
    if base != "achi":
        return {}
    chosen = dict(word.split("=") for word in text.split(",") if word)
    return {
        option: [(value, chosen.get(option, values[0]) == value) for value in values]
        for option, values in ACHI_OPTIONS.items()
    }
