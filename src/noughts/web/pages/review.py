"""The review of a game: what it was worth move by move, every mistake, and what would have been better.

`/review/{game}?x=…&o=…&moves=…&ply=…` has the words of `/play`, and the ply that is looked at. A finished game of the
history is reviewed at its own address, `/history/{number}`, with the same page. `/review` is where a game is pasted.

The moves are looked at beside the server (`web.asking.reviewing`). A page waits for them at a glance, shows what there
is, says how much that is, and comes again for the rest by itself.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, NamedTuple
from urllib.parse import parse_qsl

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from noughts.games import SIDES, Move, NoughtsError, Outcome
from noughts.games.playing import Playing
from noughts.games.points import point_set
from noughts.insight.curve import draw_curve
from noughts.insight.review import Mark, Ply, Review, ordinal
from noughts.library.pasted import MOST_PASTED, read_pasted
from noughts.players import Human, called, end_words, name_of
from noughts.solve import Lead
from noughts.web.asking.reviewing import ask_plies
from noughts.web.boards.linked import Marks, draw_links
from noughts.web.boards.thumbnails import in_words, inline, side_stones
from noughts.web.problems import NotThereError
from noughts.web.rendering import page
from noughts.web.sitting import GAMES, embed_url, explore_url, picture_url, play_on_url, read_sitting, review_url

__all__ = ["Reviewed", "numbered", "router", "show_review"]

router = APIRouter()
LARGEST = 2**63 - 1
UNFINISHED = {"Cache-Control": "no-store"}
KEPT = {"Cache-Control": "public, max-age=300"}

PlyNumber = Annotated[int | None, Query(ge=0, le=LARGEST)]
Text = Annotated[str, Query(max_length=MOST_PASTED)]


@dataclass(frozen=True)
class Reviewed:
    """A game that is to be reviewed, and where its pages are."""

    playing: Playing
    names: tuple[str, str]
    address: str
    """Where the review is."""
    winner: int | None = None
    reason: str = ""
    """Who won, if anybody did, and why, where the moves alone do not show that the game is over: somebody resigned."""

    def at(self, ply: int) -> str:
        """The address of the review at a ply."""
        return f"{self.address}{'&' if '?' in self.address else '?'}ply={ply}"

    @property
    def form(self) -> tuple[str, list[tuple[str, str]]]:
        """The same for a form: where it leads, and what is in it besides the ply.

        The moves of a game stand in every address, so links to all of its plies would take the square of their number.
        """
        path, _, query = self.address.partition("?")
        return path, parse_qsl(query)

    @cached_property
    def you(self) -> int | None:
        """The side of the one person who played, if it was one."""
        return self.names.index(Human.name) if self.names.count(Human.name) == 1 else None

    @property
    def side(self) -> int:
        """Whose win is at the top of the curve."""
        return self.you or 0


class Step(NamedTuple):
    """A move in the list."""

    number: int
    side: str
    move: str
    mark: str
    words: str
    """What the mark means; empty where there is none."""
    kind: str
    """The class of the mark."""


@router.get("/review", include_in_schema=False)
def paste(request: Request, game: Annotated[str, Query(max_length=100)] = "", text: Text = "") -> Response:
    """A form for a game that somebody has; or the review of what was pasted there."""
    wrong = ""
    if text.strip():
        try:
            found = read_pasted(text, game or None)
            if not found.playing.moves:
                raise NotThereError("the game has no moves: expected some, as b2 a1 c3")
            return RedirectResponse(review_url(found.playing, _seats(found.playing, found.names)), 303)
        except NoughtsError as error:
            wrong = str(error)
    return page(
        request,
        "review_paste.html",
        status=422 if wrong else 200,
        game=game,
        text=text,
        wrong=f"{wrong[0].upper()}{wrong[1:]}." if wrong else "",
        games=[(name, words.title) for name, words in GAMES.items()],
        most=MOST_PASTED,
        description="Paste a game of tic-tac-toe, Qubic, Achi or morris, and see where it was won and lost.",
    )


def _seats(playing: Playing, names: tuple[str, str]) -> tuple[str, str]:
    """Who played, as far as it is somebody that Noughts knows."""
    query = {"x": names[0], "o": names[1]}
    try:
        read_sitting(playing.game.name, query)
    except NoughtsError:
        return Human.name, Human.name
    return names


@router.get("/review/{game}", include_in_schema=False)
async def review_game(request: Request, game: str, ply: PlyNumber = None) -> Response:
    """The review of a game that stands in the address."""
    sitting = read_sitting(game, {name: text for name, text in request.query_params.items() if name in KNOWN})
    if not sitting.moves:
        return RedirectResponse("/review", 303)
    shown = Reviewed(sitting.playing, sitting.names, review_url(sitting.playing, sitting.names))
    return await show_review(request, shown, ply)


KNOWN = ("x", "o", "moves", "start")
"""What of an address of a game counts here."""


async def show_review(
    request: Request, shown: Reviewed, ply: int | None, saved: dict[str, Any] | None = None
) -> Response:
    """The page of a review at a ply; without one, at the end."""
    playing, last = shown.playing, len(shown.playing.moves)
    if ply is not None and ply > last:
        raise NotThereError(f"the game has no ply {ply}: expected 0 to {last}")
    glance = request.app.state.settings.glance
    plies, waiting = await ask_plies(request.app.state.thinking, playing, last if ply is None else ply, glance)
    review = Review(playing, plies)
    here = last if ply is None else ply
    return page(
        request,
        "review.html",
        headers=UNFINISHED if waiting else KEPT,
        waiting=waiting,
        **_values(request, shown, review, here),
        saved=saved,
    )


def _values(request: Request, shown: Reviewed, review: Review, here: int) -> dict[str, Any]:
    """What the page shows of a game at a ply."""
    playing, game = shown.playing, shown.playing.game
    last = len(playing.moves)
    then = playing.back(last - here)
    ply = review.plies[here - 1] if here else None
    following = review.plies[here] if here < last else None
    better = _better(ply, following)
    record = numbered([game.write_move(move) for move in playing.moves], playing.positions[0].turn)
    curve = draw_curve(review, shown.side, here, pressed=True, you=shown.you is not None)
    origin = str(request.base_url).rstrip("/")
    names = _seats(playing, shown.names)
    return {
        "title": game.title,
        "game": game,
        "headline": _headline(shown),
        "seats": [_seat(shown, side) for side in (0, 1)],
        "stones": side_stones(game),
        "told": review.told(shown.you) if review.looked == last else [],
        "sides": [(_seat(shown, side), review.tally(side)) for side in (0, 1)],
        "looked": review.looked,
        "last": last,
        "here": here,
        "at": shown.at,
        "form": shown.form,
        "boards": draw_links(game, then.position, (), {}, _marks(then, better)),
        "levels": len(game.layout.rows) > 1,
        "said": in_words(game, then.position),
        "ply": ply,
        "whose": _whose(shown, review, ply) if ply else "",
        "better": better,
        "instead": bool(ply and ply.gave and better),
        "worth": _worth_now(shown, review, here),
        "curve": inline(curve, _curve_words(shown, review), "curve", role="group"),
        "steps": [_step(shown, review, number) for number in range(1, last + 1)],
        "estimated": review.estimated,
        "play": play_on_url(then, shown.names) if then.result is None and (here < last or not shown.reason) else None,
        "turning": shown.at(review.turning.number) if review.turning else None,
        "again": play_on_url(playing.back(last - here + 1), shown.names) if ply and _yours(shown, ply) else None,
        "explore": explore_url(game.name, game.write(then.position)) if then.result is None else None,
        "record": record,
        "share": origin + shown.at(here),
        "frame": origin + embed_url(game.name, playing, names, here),
        "picture": origin + picture_url(game.name, game.write(then.position), "svg"),
        "preview": origin + picture_url(game.name, game.write(then.position)),
        "description": " ".join([_headline(shown), *review.told(shown.you)]),
    }


def _yours(shown: Reviewed, ply: Ply) -> bool:
    """Whether a person made this move and gave something away with it, so that it is worth another try."""
    return bool(ply.gave) and shown.names[ply.side] == Human.name


def _better(ply: Ply | None, following: Ply | None) -> str:
    """The move to point out: what was better than the last one if it gave something away, else what is best now."""
    if ply is not None and ply.gave:
        return ply.best if ply.best != ply.move else ""
    return following.best if following is not None else ""


def _marks(then: Playing, better: str) -> Marks:
    """The last move, the row that won, and the better move."""
    index = then.game.layout.index
    hint = point_set(index[name] for name in better.replace("x", "-").split("-") if name in index)
    last: Move | None = then.moves[-1] if then.moves else None
    return Marks(last=last, won=then.game.winning_rows(then.position), hint=hint)


def _headline(shown: Reviewed) -> str:
    """How it ended, said to the person who played."""
    result = shown.playing.result
    names = (called(shown.names[0]), called(shown.names[1]))
    if result is None:
        if not shown.reason:
            return "A game that is not over."
        if shown.winner is None:
            return f"A draw: {shown.reason}."
        return f"{'You' if shown.winner == shown.you else SIDES[shown.winner].upper()} won: {shown.reason}."
    if shown.you is None:
        names = (f"{names[0]} (X)", f"{names[1]} (O)") if names[0] != names[1] else ("X", "O")
    return end_words(shown.playing.game, result, names, shown.you)


def _seat(shown: Reviewed, side: int) -> str:
    if side == shown.you:
        return "you"
    return name_of(shown.names[side])


def _whose(shown: Reviewed, review: Review, ply: Ply) -> str:
    """Which move it is: "your 3rd move"."""
    number = ordinal(review.own_number(ply))
    return f"Your {number} move" if ply.side == shown.you else f"{SIDES[ply.side].upper()}'s {number} move"


def _worth_now(shown: Reviewed, review: Review, here: int) -> str:
    """What the position is worth to the side to move, as a sentence; empty if that is not known, or it is the end."""
    worth, position = review.standing(here), shown.playing.positions[here]
    if worth is None or shown.playing.game.over(position) is not None:
        return ""
    yours = position.turn == shown.you
    who = "you" if yours else SIDES[position.turn].upper()
    if not worth.exact:
        who = "it" if worth.words == Lead.EVEN else who
        return f"{who.capitalize()} {'look' if who == 'you' else 'looks'} {worth.words} now: an estimate."
    if worth.value is Outcome.DRAW:
        return "With best play it is a draw now."
    verb = {Outcome.WIN: "win", Outcome.LOSS: "lose"}[worth.value] + "s" * (not yours)
    many = "" if worth.remoteness is None else _in_moves(worth.remoteness)
    return f"With best play {who} {verb} now{many}."


def _in_moves(plies: int) -> str:
    return f" in {plies} moves, counting both sides'" if plies > 1 else " with the next move"


def _curve_words(shown: Reviewed, review: Review) -> str:
    """What the curve shows, for those who do not see it."""
    wrong = ", ".join(f"{ply.number} ({ply.mark.words})" for ply in review.wrong)
    whose = "you" if shown.you is not None else SIDES[shown.side].upper()
    return f"What the game was worth to {whose}, ply by ply; " + (f"mistakes at ply {wrong}" if wrong else "no mistake")


KINDS = {Mark.ONLY: "good", Mark.DOUBTFUL: "doubtful", Mark.MISTAKE: "wrong", Mark.BLUNDER: "worse", Mark.NONE: ""}


def _step(shown: Reviewed, review: Review, number: int) -> Step:
    ply, playing = review.plies[number - 1], shown.playing
    mark = ply.mark if ply else Mark.NONE
    return Step(
        number,
        SIDES[playing.positions[number - 1].turn].upper(),
        playing.game.write_move(playing.moves[number - 1]),
        str(mark),
        mark.words,
        KINDS[mark],
    )


def numbered(moves: list[str], turn: int) -> str:
    """The moves with numbers, as they are printed: "1. b2 a1 2. c3"."""
    words = []
    for number, move in enumerate(moves, turn):
        if number % 2 == 0:
            words.append(f"{number // 2 + 1}.")
        elif number == turn:
            words.append("1. …")
        words.append(move)
    return " ".join(words)
