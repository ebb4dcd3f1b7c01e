"""The first page: a board whose first click is the first move of a game, and everything else there is to choose.

The live board is the start of a game with every point a link to `/play/…` after that move, against a rung of the ladder
that a beginner beats. Beside it stand the ladder as a slider of radio buttons, the other opponents as cards, and who
begins: a form whose one button leads to `/new`, which decides by chance what chance shall decide and sends the visitor
to the board. Another game is picked by a link, `/?game=achi`. The sizes of a free board and the open rules of a game
are fields of the same form, so what stands there is what Play starts; a second button only shows the board. Sizes that
no board can have are explained where they stand.

Below it stand the puzzle of the day, the games, the machines in the order of their years, and what is proved here.

How strong an opponent is depends on the game: whoever gives nothing away never loses a game that is a draw, and always
wins one that the first player wins, when he begins. What is told about a player stands in the player's own class, what
is told about a game in its entry of the catalogue.
"""

import re
import secrets
from itertools import groupby
from typing import Annotated, Literal, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response
from markupsafe import Markup

from noughts.games import KINDS, Game, Outcome, kind_of
from noughts.games import game as find_game
from noughts.games.catalogue import LARGEST_SIDE, Kind, families, sample_of
from noughts.games.numbers import counted
from noughts.games.playing import Playing
from noughts.players import LEVELS, PLAYERS, Human, Level, Player, player
from noughts.web.asking.questions import web_sized
from noughts.web.boards.linked import Click, Marks, draw_links, is_large
from noughts.web.boards.thumbnails import in_words, inline, picture_of, thumbnail
from noughts.web.pages.puzzles import of_this_day
from noughts.web.rendering import page
from noughts.web.sitting import GAMES, Sitting, new_id, players_of, usual_opponent

__all__ = ["PROVED", "Opponent", "Rung", "opponents", "router", "rungs", "years"]

router = APIRouter()
Name = Annotated[str, Query(max_length=100)]
Size = Annotated[str, Query(max_length=20)]
Begins = Literal["you", "machine", "chance"]
SIZES = ("columns", "rows", "in a row")


class Opponent(NamedTuple):
    """Somebody to play against, for people."""

    name: str
    title: str
    year: int | None
    story: str
    strength: str
    design: str | None
    """The chip whose inside can be looked at, if it is one."""
    game: str = ""
    """The game it was made for, if it is a machine."""


class Rung(NamedTuple):
    """A rung of the ladder, for people."""

    number: int
    name: str
    strength: str
    story: str


class Proof(NamedTuple):
    """Something that has been proved here."""

    claim: str
    how: str
    href: str


PROVED = (
    Proof(
        "Tic-tac-toe is a draw",
        "All 5,478 positions, each with its value and the number of moves to the end.",
        "/explore/tictactoe",
    ),
    Proof(
        "Whoever begins wins Qubic",
        "A certificate of 1,672 strategic moves comes with Noughts; the first, of 1980, had 2,929.",
        "/explore/qubic",
    ),
    Proof(
        "Nine men’s morris is a draw",
        "Solved backwards from its ends: 26,751,579,218 positions, from the last captures to the empty board.",
        "/explore/nine-mens-morris",
    ),
    Proof(
        "Whoever begins wins twelve men’s morris",
        "111,908,673,644 positions, every one with its distance; Lasker’s morris, with 133 billion, is a draw.",
        "/explore/twelve-mens-morris",
    ),
    Proof(
        "Achi is won by whoever begins",
        "In 11 plies, as most people play it. Its sources leave four rules open; all 36 games are solved.",
        "/explore/achi",
    ),
    Proof(
        "Four in a row on 7×4 is a draw",
        "Whatever X begins with: 3,340,492,143,849 positions are solved, and every one was worked out twice.",
        "/explore/mnk:7,4,4",
    ),
    Proof(
        "Five in a row on 5×5 is a draw",
        "Pair the cells so that every row has both of a pair: whoever answers in the other cell is never beaten.",
        "/explore/mnk:5,5,5",
    ),
    Proof(
        "The “almost unbeatable” is beaten",
        "The BASIC program of 1977, version 3, loses in 6 moves, and in no fewer.",
        "/new?game=qubic&opponent=basic3",
    ),
)
"""Each of them stands in the documentation, with the command that shows it."""

_OF_THE_PERFECT = {
    Outcome.DRAW: "never loses",
    Outcome.WIN: "always wins when it begins",
    None: "gives nothing away",
}
"""How strong a player is who gives nothing away, by what the start is worth to whoever begins."""


@router.get("/", include_in_schema=False)
async def home(
    request: Request,
    game: Name = "tictactoe",
    columns: Size = "",
    rows: Size = "",
    length: Size = "",
    opponent: Name = "",
    begins: Begins = "you",
) -> Response:
    """A live board, and what else there is to choose."""
    kind = _kind(game)
    sizes = _sizes(kind, (columns, rows, length))
    wrong = _impossible(sizes) if sizes else ""
    chosen = find_game(kind.example if wrong and kind else _name(request, kind, game, sizes))
    kind = kind_of(chosen)
    able = opponents(chosen)
    known = {Human.name} | {one.name for one in able} | {one.name for one in rungs()}
    against = opponent if opponent in known else usual_opponent()
    return page(
        request,
        "home.html",
        status=422 if wrong else 200,
        many=counted(len(KINDS)).capitalize(),
        families={
            family: [
                (one.example, one, thumbnail(find_game(one.example), sample_of(find_game(one.example))))
                for one in kinds
            ]
            for family, kinds in families().items()
        },
        chosen=chosen,
        picked=kind.example,
        kind=kind,
        worth=kind.worth if chosen.name == kind.example else None,
        boards=[] if wrong else live(chosen, against),
        only_shown=is_large(chosen),
        opponents=able,
        rungs=rungs(),
        against=against,
        given=against == opponent,
        begins=begins,
        sizes=_written(chosen, sizes),
        largest=LARGEST_SIDE,
        options=_options(chosen),
        wrong=wrong,
        daily=of_this_day(),
        years=years(),
        proved=PROVED,
    )


@router.get("/new", include_in_schema=False)
async def new(
    request: Request,
    game: Name,
    opponent: Name = Human.name,
    begins: Begins = "you",
    columns: Size = "",
    rows: Size = "",
    length: Size = "",
) -> RedirectResponse:
    """Begin a game; or back to the first page, which explains what is wrong with the board that was asked for."""
    kind = _kind(game)
    sizes = _sizes(kind, (columns, rows, length))
    if sizes and _impossible(sizes):
        asked = {**dict(zip(("columns", "rows", "length"), sizes, strict=True)), "opponent": opponent, "begins": begins}
        return RedirectResponse(f"/?{urlencode({'game': game, **asked})}", 303, {"Cache-Control": "no-store"})
    chosen = find_game(_name(request, kind, game, sizes))
    if opponent != Human.name:
        with web_sized():
            player(opponent).check(chosen)
    you_begin = secrets.choice((True, False)) if begins == "chance" else begins == "you"
    names = (Human.name, opponent) if you_begin else (opponent, Human.name)
    sitting = Sitting(chosen, names, Playing.begin(chosen), new_id())
    return RedirectResponse(sitting.url(), 303, {"Cache-Control": "no-store"})


@router.get("/play", include_in_schema=False)
async def no_game() -> RedirectResponse:
    """Whoever wants to play, but does not say what, chooses here."""
    return RedirectResponse("/", 303)


def _kind(game: str) -> Kind | None:
    """The entry of the catalogue whose sizes or options are chosen in the form; None if a whole name is given."""
    return next((kind for kind in KINDS if kind.base == game), None)


def _sizes(kind: Kind | None, given: tuple[str, str, str]) -> tuple[str, ...] | None:
    """The sizes that are asked for, as they were written; None for a game that has none."""
    if kind is None or not kind.sizes:
        return None
    return tuple(size.strip() or str(usual) for size, usual in zip(given, kind.sizes, strict=True))


def _impossible(sizes: tuple[str, ...]) -> str:
    """What is wrong with the sizes of a board; empty if it can be played."""
    for what, text in zip(SIZES, sizes, strict=True):
        if not re.fullmatch("[0-9]{1,3}", text) or not 1 <= int(text) <= LARGEST_SIDE:
            return f"“{text}” for {what}: expected a number from 1 to {LARGEST_SIDE}."
    columns, rows, length = map(int, sizes)
    if length > max(columns, rows):
        return f"{length} in a row do not fit on a board of {columns}×{rows}: expected at most {max(columns, rows)}."
    return ""


def _name(request: Request, kind: Kind | None, game: str, sizes: tuple[str, ...] | None) -> str:
    """The name of the game that was asked for, put together from the fields of the form."""
    if kind is None:
        return game
    if sizes:
        return f"{game}:{','.join(sizes)}"
    wanted = [f"{option}={request.query_params[option]}" for option in kind.options if option in request.query_params]
    return game + ":" * bool(wanted) + ",".join(wanted)


def _written(game: Game, sizes: tuple[str, ...] | None) -> list[tuple[str, str, str]]:
    """The fields for the sizes of a board: name, label, and what stands there; none for a board of one size."""
    if not kind_of(game).sizes:
        return []
    values = sizes or tuple(game.name.partition(":")[2].split(","))
    return list(zip(("columns", "rows", "length"), SIZES, values, strict=True))


def _options(game: Game) -> dict[str, list[tuple[str, bool]]]:
    """The rules that can be chosen: for each every value, and whether the game has it."""
    kind = kind_of(game)
    chosen = kind.chosen(game)
    return {option: [(value, chosen[option] == value) for value in values] for option, values in kind.options.items()}


def live(game: Game, opponent: str) -> list[Markup]:
    """The empty board, a level each, every point a link to the game that begins with a stone there.

    The points of a large board would be too small here for a finger: it is only shown.
    """
    start = game.start()
    if is_large(game):
        return [inline(picture_of(game, start, labels=False), in_words(game, start), "large", cropped=True)]
    sitting = Sitting(game, (Human.name, opponent), Playing.begin(game), "")
    clicks = [
        Click(point, "play", sitting.url_after(name), f"{name}, empty: begin here")
        for point, name in enumerate(game.layout.points)
    ]
    return draw_links(game, start, clicks, {}, Marks())


def rungs() -> list[Rung]:
    """The ladder, from the lowest to the highest; it plays every game."""
    return [Rung(kind.rung, kind.name, kind.strength or "", kind.story) for kind in LEVELS]


def opponents(game: Game) -> list[Opponent]:
    """Who plays a game besides the ladder: machines with a history first, others from the strongest to the weakest."""
    with web_sized():
        able = [kind for kind in players_of(game).values() if not issubclass(kind, Level)]
    machines = [kind for kind in able if kind.machine]
    return [_opponent(kind, game) for kind in (*machines, *(kind for kind in reversed(able) if not kind.machine))]


def years() -> list[tuple[str, list[Opponent]]]:
    """The machines by the year they were made."""
    machines = sorted((kind for kind in PLAYERS.values() if kind.machine), key=lambda kind: kind.year or 0)
    shown = (_opponent(kind, find_game(next(iter(kind.plays_only), "tictactoe"))) for kind in machines)
    return [(str(year), list(group)) for year, group in groupby(shown, key=lambda one: one.year)]


def _opponent(kind: type[Player], game: Game) -> Opponent:
    strength = kind.strength or _OF_THE_PERFECT[kind_of(game).worth if game.name in GAMES else None]
    return Opponent(kind.name, kind.title, kind.year, kind.story, strength, kind.design, game.name)
