"""The smallest circuits that play, lit up as one plays against them.

    /silicon/logic                              the records: what each must do, and what it is made of
    /silicon/logic/A?moves=b2.c1&begin=circuit  a game against one: the visitor's moves, and who begins
    /silicon/logic/A.txt                        its netlist
    /silicon/logic/A.svg?moves=b2.c1            the picture alone

An address has the visitor's moves only: what the circuit answers it answers again. Shown is the position in which it
was asked last, with what every wire carried there.
"""

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from markupsafe import Markup

from noughts.games import Move, Outcome, Position, game
from noughts.silicon.logic.best import best, best_text, known
from noughts.silicon.logic.counts import PUBLISHED, counts
from noughts.silicon.logic.specification import POINTS, SPECIFICATIONS, Specification
from noughts.silicon.logic.verify import levels_of, moves_of
from noughts.silicon.pictures.netlist import circuit_file, draw_circuit
from noughts.web.boards.linked import Click, Marks, draw_links
from noughts.web.problems import NotThereError
from noughts.web.rendering import page
from noughts.web.sitting import BadAddressError

__all__ = ["router"]

router = APIRouter(include_in_schema=False)

GAME = game("tictactoe")
USER, CIRCUIT = "user", "circuit"
_SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

Moves = Annotated[str, Query(max_length=40)]
Begin = Annotated[str, Query(max_length=10)]


class Met(NamedTuple):
    """A game against a circuit, as far as it has gone."""

    asked: Specification
    begin: str
    users: tuple[str, ...]
    """The visitor's moves."""
    position: Position
    """After all moves, the circuit's among them."""
    seen: Position
    """In which the circuit was asked last; the empty board if it was not yet."""
    reply: str
    """What it said there."""

    @property
    def side(self) -> int:
        """The circuit's."""
        return 0 if self.begin == CIRCUIT else 1

    @property
    def over(self) -> Outcome | None:
        """How the game has ended for the side to move."""
        return GAME.over(self.position)

    def url(self, users: Sequence[str], begin: str = "") -> str:
        """The address with other moves."""
        query = {"moves": ".".join(users), "begin": begin or self.begin}
        return f"/silicon/logic/{self.asked.name}?{urlencode({name: text for name, text in query.items() if text})}"


@router.get("/silicon/logic")
async def list_page(request: Request) -> Response:
    """All records."""
    return page(request, "logic_list.html", records=[_record(name) for name in known()])


@router.get("/silicon/logic/{name}.txt")
async def netlist_file(name: str) -> Response:
    """The netlist of a record."""
    return Response(best_text(_known(name).name), media_type="text/plain; charset=utf-8")


@router.get("/silicon/logic/{name}.svg")
async def picture_file(name: str, moves: Moves = "", begin: Begin = "") -> Response:
    """A circuit as a picture."""
    met = _met(_known(name), moves, begin)
    netlist = best(met.asked.name)
    headers = {"Content-Security-Policy": _SVG_POLICY}
    return Response(circuit_file(netlist, levels_of(netlist, met.seen)), media_type="image/svg+xml", headers=headers)


@router.get("/silicon/logic/{name}")
async def logic_page(request: Request, name: str, moves: Moves = "", begin: Begin = "") -> Response:
    """A circuit that is being played with."""
    met = _met(_known(name), moves, begin)
    netlist = best(met.asked.name)
    drawn = draw_circuit(netlist, levels_of(netlist, met.seen) if met.reply else None)
    sides = met.asked.turns or (0, 1)
    return page(
        request,
        "logic.html",
        met=met,
        record=_record(met.asked.name),
        records=known(),
        picture=Markup(drawn.body),
        size=(round(drawn.width), round(drawn.height)),
        board=_board(met),
        words=_words(met),
        beginnings=[(who, met.url((), who)) for who, side in ((USER, 1), (CIRCUIT, 0)) if side in sides],
        back=met.url(met.users[:-1]) if met.users else "",
    )


def _known(name: str) -> Specification:
    if name not in known():
        raise NotThereError(f"{name[:40]!r} is no circuit: expected {', '.join(known())}")
    return SPECIFICATIONS[name]


def _record(name: str) -> dict[str, Any]:
    """What is told of a record."""
    return {
        "name": name,
        "about": SPECIFICATIONS[name].about,
        "published": PUBLISHED.get(name, ""),
        **counts(best(name))._asdict(),
    }


def _met(asked: Specification, moves: str, begin: str) -> Met:
    """Play a game of an address; or an error that says what is wrong with it."""
    sides = {CIRCUIT if side == 0 else USER for side in asked.turns or (0, 1)}
    begin = begin or (USER if USER in sides else CIRCUIT)
    if begin not in sides:
        raise BadAddressError(f"begin={begin!r} does not go with {asked.name}: expected {' or '.join(sorted(sides))}")
    netlist = best(asked.name)
    users = tuple(word for word in moves.split(".") if word)
    position = seen = GAME.start()
    reply = ""
    waiting = list(users)
    side = 0 if begin == CIRCUIT else 1
    while GAME.over(position) is None:
        if position.turn == side:
            seen, reply = position, moves_of(netlist, position)[0]
            position = GAME.after(position, Move(POINTS.index(reply)))
        elif waiting:
            position = GAME.after(position, GAME.read_move(position, waiting.pop(0)))
        else:
            break
    if waiting:
        raise BadAddressError(f"{waiting[0]!r} comes after the end of the game: expected no more moves")
    return Met(asked, begin, users, position, seen, reply)


def _board(met: Met) -> Markup:
    clicks = []
    if met.over is None:
        for point, name in enumerate(POINTS):
            if met.position.occupied >> point & 1:
                clicks.append(Click(point, "wrong", met.url(met.users), f"{name}, taken", swap="logic"))
            else:
                clicks.append(Click(point, "play", met.url([*met.users, name]), f"play {name}", (name,), "logic"))
    last = Move(POINTS.index(met.reply)) if met.reply else None
    return draw_links(GAME, met.position, clicks, {}, Marks(last=last, won=GAME.winning_rows(met.position)))[0]


def _words(met: Met) -> str:
    """How it stands, in a sentence."""
    said = f"The circuit says {met.reply}." if met.reply else ""
    if met.over is None:
        return f"{said} Your move: click an empty square.".strip()
    if met.over is Outcome.DRAW:
        return f"{said} A draw.".strip()
    won = met.position.turn != met.side
    return f"{said} {'The circuit has won.' if won else 'You have won.'}".strip()
