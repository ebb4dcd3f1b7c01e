"""The first page: pick a game, somebody to play it with, and who begins.

A game is picked by a link, `/?game=achi`; the rest is a form whose one button leads to `/new`, which decides by chance
what chance shall decide and sends the visitor to the board. Boards of free size and the options of a game, as the open
rules of Achi, are chosen by small forms that lead back here.

How strong an opponent is depends on the game: whoever gives nothing away never loses a game that is a draw, and always
wins one that the first player wins, when he begins. What is told about a player stands in the player's own class.
"""

import secrets
from typing import Annotated, Literal, NamedTuple

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from noughts.games import KINDS, Game, Outcome, Position, kind_of
from noughts.games import game as find_game
from noughts.games.catalogue import LARGEST_SIDE
from noughts.games.playing import Playing
from noughts.players import LEVELS, Human, Player, player
from noughts.web.boards.thumbnails import in_words, inline, picture_of, thumbnail
from noughts.web.questions import web_sized
from noughts.web.rendering import page
from noughts.web.sitting import GAMES, Sitting, new_id, players_of, usual_opponent

__all__ = ["Opponent", "opponents", "router", "sample"]

router = APIRouter()
Name = Annotated[str, Query(max_length=100)]
Number = Annotated[int | None, Query(ge=1, le=LARGEST_SIDE)]


class Opponent(NamedTuple):
    """Somebody to play against, for people."""

    name: str
    title: str
    year: int | None
    story: str
    strength: str
    design: str | None
    """The chip whose inside can be looked at, if it is one."""
    rung: bool
    """Whether it is a rung of the ladder; those stand together."""


_OF_THE_PERFECT = {
    Outcome.DRAW: "never loses",
    Outcome.WIN: "always wins when it begins",
    None: "gives nothing away",
}
"""How strong a player is who gives nothing away, by what the start is worth to whoever begins."""


@router.get("/", include_in_schema=False)
async def home(
    request: Request, game: Name = "tictactoe", columns: Number = None, rows: Number = None, length: Number = None
) -> Response:
    """Games, opponents, who begins."""
    chosen = find_game(_name(request, game, (columns, rows, length)))
    kind = kind_of(chosen)
    position = sample(chosen)
    return page(
        request,
        "home.html",
        games=[(one.example, one, thumbnail(find_game(one.example), sample(find_game(one.example)))) for one in KINDS],
        chosen=chosen,
        picked=kind.example,
        kind=kind,
        worth=kind.worth if chosen.name == kind.example else None,
        board=inline(picture_of(chosen, position, labels=False), in_words(chosen, position), "large", cropped=True),
        opponents=opponents(chosen),
        usual=usual_opponent(chosen),
        sizes=chosen.name.partition(":")[2].split(",") if kind.sizes else None,
        largest=LARGEST_SIDE,
        options=_options(chosen),
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
    sitting = Sitting(chosen, names, Playing.begin(chosen), new_id())
    return RedirectResponse(sitting.url(), 303, {"Cache-Control": "no-store"})


def _name(request: Request, game: str, sizes: tuple[int | None, ...]) -> str:
    """The name of the game that was asked for, put together from what the small forms send."""
    kind = next((kind for kind in KINDS if kind.base == game), None)
    if kind is None:
        return game
    if kind.sizes:
        return f"{game}:" + ",".join(str(size or usual) for size, usual in zip(sizes, kind.sizes, strict=True))
    wanted = [f"{option}={request.query_params[option]}" for option in kind.options if option in request.query_params]
    return game + ":" * bool(wanted) + ",".join(wanted)


def _options(game: Game) -> dict[str, list[tuple[str, bool]]]:
    """The rules that can be chosen: for each every value, and whether the game has it."""
    kind = kind_of(game)
    chosen = kind.chosen(game)
    return {option: [(value, chosen[option] == value) for value in values] for option, values in kind.options.items()}


def sample(game: Game) -> Position:
    """A position that shows what the game looks like."""
    kind = kind_of(game)
    return game.play(*kind.sample.split()) if game.name == kind.example else game.start()


def opponents(game: Game) -> list[Opponent]:
    """Who plays a game: machines with a history first, others from the strongest to the weakest, the ladder."""
    with web_sized():
        able = list(players_of(game).values())
    machines = [kind for kind in able if kind.machine]
    others = [kind for kind in reversed(able) if not kind.machine and kind not in LEVELS]
    return [_opponent(kind, game) for kind in (*machines, *others, *LEVELS)]


def _opponent(kind: type[Player], game: Game) -> Opponent:
    strength = kind.strength or _OF_THE_PERFECT[kind_of(game).worth if game.name in GAMES else None]
    return Opponent(kind.name, kind.title, kind.year, kind.story, strength, kind.design, kind in LEVELS)
