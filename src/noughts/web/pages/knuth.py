"""Knuth's 765 classes of tic-tac-toe, to look through: by moves made, score and difficulty.

The classes come with the package (`web.asking.prepared`); a page shows some of them. A filter that is left empty lets
everything through.
"""

from collections import Counter
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Annotated, Literal, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from markupsafe import Markup

from noughts.games import Position
from noughts.games import game as find_game
from noughts.games.picture import Picture
from noughts.insight.knuth import hexadecimal, in_words
from noughts.solve.difficulty import Appraisal
from noughts.web.asking.prepared import prepared_answer
from noughts.web.asking.questions import knuth_classes, knuth_pictures
from noughts.web.boards.thumbnails import inline, thumbnail
from noughts.web.problems import NotThereError
from noughts.web.rendering import answer, part_of, render
from noughts.web.sitting import explore_url

__all__ = ["rendered", "router"]

router = APIRouter()
GAME = find_game("tictactoe")
ON_A_PAGE = 60
TEMPLATE = "knuth.html"
FILTERS = ("moves", "score", "wrong")

Moves = Annotated[str, Query(pattern="^[0-9]?$")]
Score = Annotated[str, Query(pattern="^(-?[0-9])?$")]
Wrong = Annotated[str, Query(pattern="^[0-9]?$")]
Sort = Literal["knuth", "score", "difficulty", "size"]
FIRST: Sort = "difficulty"
"""The order in which the page opens: Knuth's own begins with boards on which the game is over."""


class Member(NamedTuple):
    """A class as the page shows it."""

    position: Position
    appraisal: Appraisal
    size: int

    @property
    def moves(self) -> int:
        """How many moves have been made."""
        return self.position.occupied.bit_count()

    @property
    def score(self) -> int:
        """Knuth's score."""
        return self.appraisal.score

    @property
    def wrong(self) -> int:
        """The first digit of the difficulty."""
        return self.appraisal.digits[0]

    @property
    def difficulty(self) -> str:
        """The difficulty as Knuth prints it."""
        return hexadecimal(self.appraisal)

    @property
    def words(self) -> str:
        """Score and difficulty as a sentence."""
        return in_words(self.appraisal, self.moves)

    @property
    def href(self) -> str:
        """The page about the leader of the class."""
        return explore_url(GAME.name, GAME.write(self.position))

    @property
    def picture(self) -> Markup:
        """The leader of the class."""
        return _thumbnail(self.position)


ORDERS: dict[str, Callable[[Member], tuple[int, ...]]] = {
    "score": lambda one: (-one.score, *one.appraisal.rank()),
    "difficulty": lambda one: one.appraisal.rank()[1:],
    "size": lambda one: (-one.size,),
}
"""Best, most difficult or largest first; what is alike stays in Knuth's order."""


@cache
def members() -> tuple[Member, ...]:
    """All classes, in Knuth's order."""
    return tuple(
        Member(GAME.read(one["position"]), Appraisal(one["score"], tuple(one["digits"])), one["size"])
        for one in prepared_answer(knuth_classes)
    )


@router.get("/knuth", include_in_schema=False)
async def knuth(
    request: Request,
    moves: Moves = "",
    score: Score = "",
    wrong: Wrong = "",
    sort: Sort = FIRST,
    number: Annotated[int, Query(alias="page", ge=1, le=100)] = 1,
) -> Response:
    """The classes that pass the filters.

    Not in a thread: there, what many first visitors do not find in a cache is worked out once for each of them (a
    stampede). In the event loop one comes after the other.
    """
    text = rendered(part_of(request, TEMPLATE), moves, score, wrong, sort, number)
    return answer(text, headers={"Cache-Control": "public, max-age=300"})


@lru_cache(maxsize=200)
def rendered(
    part: str | None = None, moves: str = "", score: str = "", wrong: str = "", sort: str = FIRST, number: int = 1
) -> str:
    """The page, or a part of it; a server renders the first one before the first visitor comes."""
    found = [
        one
        for one in members()
        if moves in ("", str(one.moves)) and score in ("", str(one.score)) and wrong in ("", str(one.wrong))
    ]
    found = sorted(found, key=ORDERS[sort]) if sort in ORDERS else found
    pages = [found[first : first + ON_A_PAGE] for first in range(0, len(found), ON_A_PAGE)] or [[]]
    if number > len(pages):
        raise NotThereError(f"there is no page {number}: expected 1 to {len(pages)}")
    chosen = {"moves": moves, "score": score, "wrong": wrong, "sort": sort}
    return render(
        TEMPLATE,
        part,
        request_path="/knuth",
        all=len(members()),
        shown=pages[number - 1],
        found=len(found),
        first=(number - 1) * ON_A_PAGE + 1,
        number=number,
        pages=[(one, _address(chosen, one)) for one in range(1, len(pages) + 1)],
        chosen=chosen,
        counts={kind: sorted(Counter(getattr(one, kind) for one in members()).items()) for kind in FILTERS},
        pictures=_pictures(),
    )


def _address(chosen: dict[str, str], number: int) -> str:
    query = {name: value for name, value in chosen.items() if value and (name, value) != ("sort", FIRST)}
    if number > 1:
        query["page"] = str(number)
    return f"/knuth?{urlencode(query)}" if query else "/knuth"


@cache
def _pictures() -> dict[str, Markup]:
    labels = {
        "openings": "Nine boards, one an opening, with the number of wrong moves after each reply",
        "ranks": "Bars: positions after so many moves, won, drawn and lost",
    }
    drawn = prepared_answer(knuth_pictures)
    return {name: inline(Picture(*drawn[name]), label, "plot") for name, label in labels.items()}


@cache
def _thumbnail(position: Position) -> Markup:
    return thumbnail(GAME, position)
