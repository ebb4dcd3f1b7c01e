"""Explore: everything that is known of a position, and links to all that follow from it.

The page is a function of its address, so it may be kept for a while. What may take long is asked for in
`noughts.web.thinking`: what is not there at a glance comes later, and the page shows the board, says so, and comes
again by itself. What the start of every game is worth comes with the package (`noughts.web.prepared`).
"""

from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query, Request
from fastapi import Path as InPath
from fastapi.responses import RedirectResponse, Response

from noughts.games import SIDES, Game, Outcome, Position, kind_of
from noughts.games import game as find_game
from noughts.games.picture import Note
from noughts.games.playing import Playing
from noughts.players import Human
from noughts.solve import TO_CAPTURE, Look
from noughts.solve.look import dot
from noughts.web.boards.thumbnails import Link, in_words, inline, picture_of, thumbnail
from noughts.web.pages.play_view import lead_words, searched, worth
from noughts.web.questions import AT_HAND, analysis, aspects, reasons
from noughts.web.rendering import page
from noughts.web.sitting import GAMES, explore_url, picture_url, play_on_url, usual_opponent
from noughts.web.thinker import Question
from noughts.web.thinking import BusyError, GivenUpError, StillThinkingError, Thinking

__all__ = ["router"]

router = APIRouter()
MOST_DRAWN = 25
"""Points of the largest board that is drawn many times on a page."""
SHOWN_MOVES, SHOWN_LOOKS = 24, 12
"""Moves that are listed at once, and where they are only estimated; all others at a click."""
LONGEST_POSITION = 500
KEPT = {"Cache-Control": "public, max-age=300"}
PROOFS = {
    "first player wins (proved)": ", as the proof of Qubic shows",
    "a chain of threats": ", by a chain of threats",
}
"""How a value without a number of plies is known, to go on with after "wins" or "loses"."""
UNFINISHED = {"Cache-Control": "no-store", "Refresh": "1", "Retry-After": "1"}

GameName = Annotated[str, InPath(alias="game", max_length=100)]
PositionText = Annotated[str, InPath(max_length=LONGEST_POSITION)]
Typed = Annotated[str | None, Query(max_length=LONGEST_POSITION)]
MoveText = Annotated[str | None, Query(max_length=20)]


class Step(NamedTuple):
    """A move as the page shows it."""

    move: str
    colour: str
    words: str
    href: str
    why: str
    picture: Any


@router.get("/explore", include_in_schema=False)
def begin() -> RedirectResponse:
    """Tic-tac-toe, if nothing else is asked for."""
    return RedirectResponse(f"/explore/{AT_HAND}", 303)


@router.get("/explore/{game}", include_in_schema=False)
async def explore_start(request: Request, name: GameName, position: Typed = None, move: MoveText = None) -> Response:
    """The start of a game, or a position that somebody typed."""
    game = find_game(name)
    if position is None or not position.strip():
        return await _explored(request, game, game.start(), move)
    here = game.read(position)
    address = explore_url(game.name, game.write(here), move)
    if "position=" in address:
        return await _explored(request, game, here, move)
    return RedirectResponse(address, 303)


@router.get("/explore/{game}/{position:path}", include_in_schema=False)
async def explore(request: Request, name: GameName, position: PositionText, move: MoveText = None) -> Response:
    """A position."""
    game = find_game(name)
    return await _explored(request, game, game.read(position), move)


async def _explored(request: Request, game: Game, position: Position, move: str | None) -> Response:
    text = game.write(position)
    wanted = game.write_move(game.read_move(position, move)) if move else None
    found, waiting = await _soon(request, analysis, game.name, text)
    if found is None and not waiting:
        raise GivenUpError("what this position is worth took too long to work out: expected an easier question")
    moves = found["moves"] if found else []
    asked = wanted or (moves[0]["move"] if moves else None)
    rest, unfinished = await _soon(request, aspects, game.name, text) if found else (None, True)
    reason, waits = await _soon(request, reasons, game.name, text, asked) if found and asked else (None, False)
    links = {point: link for one in moves for point, link in _link(game, position, one).items()}
    notes = _notes(game, position, moves)
    picture = picture_of(game, position, notes=notes, links=links)
    steps = [_step(game, text, one, draw=number < SHOWN_MOVES) for number, one in enumerate(moves)]
    few = SHOWN_LOOKS if found and found["lead"] else SHOWN_MOVES
    return page(
        request,
        "explore.html",
        status=200 if found else 202,
        headers=UNFINISHED if unfinished or waits else KEPT,
        game=game,
        title=game.title,
        picked=kind_of(game).example,
        games=[(name, words.title) for name, words in GAMES.items()],
        position=text,
        board=inline(picture, in_words(game, position), "large", role="group"),
        noted=bool(notes),
        guessed=searched(found) if found and any(one["look"] for one in moves) else "",
        turn=SIDES[position.turn].upper(),
        start=position == game.start(),
        verdict=verdict(game, position, found) if found else "What this position is worth is being worked out …",
        looked_up=_looked_up(found["reason"]) if found else "",
        colour=_colour(found["value"]) if found else "soft",
        threats=found["threats"] if found else [],
        steps=steps[:few],
        more_steps=steps[few:],
        asked=asked,
        reason=reason,
        rest=rest,
        line=_film(game, position, rest["line"]["plies"]) if rest else [],
        images=[_frame(game, image) for image in rest["images"]["shown"]] if rest and rest["images"] else [],
        unfinished=unfinished,
        play=_play(game, position),
        preview=str(request.base_url).rstrip("/") + picture_url(game.name, text),
        description=f"{game.title}: what this position is worth, and every move, with reasons.",
    )


async def _soon(request: Request, question: Question, *arguments: str) -> tuple[Any, bool]:
    """An answer that the page can do without at first, and whether it is worth coming back for it."""
    thinking: Thinking = request.app.state.thinking
    try:
        return await thinking.ask(question, *arguments, patience=request.app.state.settings.glance), False
    except (StillThinkingError, BusyError):
        return None, True
    except GivenUpError:
        return None, False


def verdict(game: Game, position: Position, found: dict[str, Any]) -> str:
    """What a position is worth, as a sentence."""
    mover, other = SIDES[position.turn].upper(), SIDES[1 - position.turn].upper()
    result = Playing.begin(game, position).result
    if result is not None:
        return f"Over: a draw, {result.reason}." if result.winner is None else f"{other} has won: {result.reason}."
    plies = found["remoteness"]
    when = "" if plies is None else f" in {_plies(plies)}"
    if plies is None and found["at_most"] is not None:
        when = f" in at most {_plies(found['at_most'])}"
    if when and found["reason"].endswith(TO_CAPTURE):
        when = f": the winner's next capture, or the end, comes{when}"
    how = PROOFS.get(found["reason"], "")
    match found["value"]:
        case Outcome.WIN:
            return f"{mover} is to move and wins{when}{how}."
        case Outcome.LOSS:
            return f"{mover} is to move and loses{when}{how}."
        case Outcome.DRAW:
            end = "neither side can force more" if plies is None else f"the board is full after {_plies(plies)}"
            return f"{mover} is to move. With best play it is a draw: {end}."
    looks = f"; {lead_words(mover, found)}" if found["lead"] else ": no search reaches the end from here"
    return f"{mover} is to move. What this is worth is not known{looks}."


def _looked_up(reason: str) -> str:
    """Where a value is from, as a sentence, if it was looked up."""
    return f"{reason[0].upper()}{reason[1:].partition(';')[0]}." if reason.startswith("from ") else ""


def _plies(count: int) -> str:
    return "1 ply" if count == 1 else f"{count} plies"


def _worth(one: dict[str, Any]) -> str:
    """What a move is worth, in a word or five; a draw with its plies, too."""
    drawn = one["value"] == Outcome.DRAW and one["remoteness"] is not None
    return f"draw in {one['remoteness']}" if drawn else worth(one)


def _colour(value: str) -> str:
    """The class that colours a word about a value."""
    return "soft" if value == Outcome.UNKNOWN else value


def _notes(game: Game, position: Position, moves: list[dict[str, Any]]) -> dict[int, Note]:
    """On every point the best that moving there is worth, as W3, where that is known; else a dot for how it looks.

    The first in the list is best.
    """
    notes: dict[int, Note | None] = {}
    for one in moves:
        to = game.read_move(position, one["move"]).to
        if to is None or to in notes:
            continue
        if one["value"] == Outcome.UNKNOWN:
            notes[to] = dot(Look(one["look"])) if one["look"] else None
        else:
            plies = "" if one["remoteness"] is None else one["remoteness"]
            notes[to] = Note(f"{one['value'][0].upper()}{plies}", one["value"])
    return {to: note for to, note in notes.items() if note}


def _link(game: Game, position: Position, one: dict[str, Any]) -> dict[int, Link]:
    """Where a click on a point leads, if it says all there is to say about the move."""
    move = game.read_move(position, one["move"])
    if move.to is None or move.source is not None or move.capture is not None:
        return {}
    return {move.to: Link(explore_url(game.name, one["position"]), f"{one['move']}: {_worth(one)}")}


def _step(game: Game, position: str, one: dict[str, Any], draw: bool) -> Step:
    drawn = draw and len(game.layout) <= MOST_DRAWN
    return Step(
        one["move"],
        _colour(one["value"]),
        _worth(one),
        explore_url(game.name, one["position"]),
        explore_url(game.name, position, one["move"]) + "#why",
        thumbnail(game, game.read(one["position"])) if drawn else "",
    )


def _film(game: Game, position: Position, plies: list[dict[str, str]]) -> list[tuple[str, str, str, Any]]:
    """The line of best play: who moves, the move, where it leads, and a picture of small boards."""
    frames = []
    side = position.turn
    for ply in plies:
        after = game.read(ply["position"])
        picture = thumbnail(game, after) if len(game.layout) <= MOST_DRAWN else ""
        frames.append((SIDES[side].upper(), ply["move"], explore_url(game.name, ply["position"]), picture))
        side = after.turn
    return frames


def _frame(game: Game, position: str) -> tuple[str, str, Any]:
    return position, explore_url(game.name, position), thumbnail(game, game.read(position))


def _play(game: Game, position: Position) -> str | None:
    """Where to play on from here; nowhere if the game is over."""
    if game.over(position) is not None:
        return None
    opponent = usual_opponent()
    names = (Human.name, opponent) if position.turn == 0 else (opponent, Human.name)
    return play_on_url(Playing.begin(game, position), names)
