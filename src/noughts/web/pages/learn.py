"""How to play: `/learn` shows all games, `/learn/{game}?step=2` a rule of one, with a board on which the reader moves.

The lessons are those of `noughts.insight.lessons`. A page is a function of its address: `part` is the beginning of a
move that takes several clicks, `done` a move that was made, `show=1` asks for one that is right. A right move is shown
on the board, with what it did; after any other the page says what is missing, and the board is as it was. The last step
is a game against somebody who can be beaten. The pictures for the panel of the page where games are played are files
of their own, `/learn/{game}/2.svg`, so that only those load them who open it.
"""

from typing import Annotated, Any, NamedTuple
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Query, Request
from fastapi import Path as InPath
from fastapi.responses import Response
from markupsafe import Markup

from noughts.games import PASS, Game, Move, Position, kind_of
from noughts.games import game as find_game
from noughts.games.catalogue import Kind, families, sample_of
from noughts.insight.lessons import Lesson, lessons, reply, rows_made
from noughts.insight.puzzles import games_with_puzzles
from noughts.players import LEVELS
from noughts.web.boards.clicking import Clicking
from noughts.web.boards.linked import Marks, draw_cube, draw_links
from noughts.web.boards.thumbnails import in_words, inline, picture_of, thumbnail, trimmed
from noughts.web.problems import NotThereError
from noughts.web.rendering import page
from noughts.web.sitting import SAFE, BadAddressError, picture_url

__all__ = ["learn_url", "router"]

router = APIRouter()
MOST_STEPS = 99
"""More than any game has."""
KEPT = {"Cache-Control": "public, max-age=300"}
FIRST = LEVELS[1]
"""Whom to meet after the last lesson."""

GameName = Annotated[str, InPath(alias="game", max_length=120)]
Step = Annotated[int, Query(ge=1, le=MOST_STEPS)]
Text = Annotated[str, Query(max_length=20)]


class _Said(NamedTuple):
    """What stands beside the board: words, and what they are about."""

    words: str
    kind: str
    """`task`, `fact`, `right`, `shown` or `wrong`."""


@router.get("/learn", include_in_schema=False)
def all_games(request: Request) -> Response:
    """Every game, to pick one."""
    cards = {family: [_card(kind) for kind in kinds] for family, kinds in families().items()}
    return page(request, "learn.html", headers=KEPT, families=cards)


def _card(kind: Kind) -> tuple[Game, Kind, Markup]:
    """A game in the list of all."""
    game = find_game(kind.example)
    return game, kind, thumbnail(game, sample_of(game))


@router.get("/learn/{game}", include_in_schema=False)
def learn(
    request: Request,
    name: GameName,
    step: Step = 1,
    part: Text = "",
    done: Text = "",
    tried: Annotated[str, Query(alias="try", max_length=20)] = "",
    show: Annotated[bool, Query()] = False,
) -> Response:
    """One step: a lesson, or the end, where one plays."""
    game = find_game(name)
    course = lessons(game)
    step = min(step, len(course) + 1)
    values: dict[str, Any] = {
        "game": game,
        "kind": kind_of(game),
        "step": step,
        "titles": [*(lesson.title for lesson in course), "Now play"],
        "url": lambda number: learn_url(game, number),
        "options": _options(game),
        "preview": str(request.base_url).rstrip("/") + picture_url(game.name, game.write(sample_of(game))),
        "description": f"How to play: {game.title}, a rule at a time, each on a small board.",
    }
    if step > len(course):
        picture = picture_of(game, sample_of(game), labels=False)
        board = inline(picture, in_words(game, sample_of(game)), "large", cropped=True)
        return page(
            request,
            "learn_step.html",
            headers=KEPT,
            lesson=None,
            boards=[board],
            opponent=FIRST,
            hand=None,
            puzzles=game in games_with_puzzles(),
            **values,
        )
    lesson = course[step - 1]
    move = _move(lesson, done, show)
    said = _said(lesson, move, part, show)
    right = said.kind in ("right", "shown")
    clicking = _clicking(lesson, game, step, "" if move else part)
    if tried and not right:
        said = _tried(clicking, tried)
    after = lesson.game.after(lesson.position, move) if move and right else None
    marks = Marks(last=move, won=rows_made(lesson.game, lesson.position, move)) if move and right else clicking.marks()
    position = after or clicking.shown
    return page(
        request,
        "learn_step.html",
        headers=KEPT,
        lesson=lesson,
        hand=position.hand if any(position.hand) and not game.placing_only else None,
        said=said,
        picking=bool(clicking.part),
        boards=_boards(lesson, position, marks, clicking if lesson.task and not right else None),
        passing=learn_url(game, step, done="pass") if lesson.right == (PASS,) and not right else "",
        show_me=learn_url(game, step, show="1") if lesson.task and not right else "",
        again=learn_url(game, step) if right else "",
        levels=len(lesson.game.layout.rows) > 1,
        cube=_in_space(lesson.game),
        smaller=lesson.game is not game,
        **values,
    )


@router.get("/learn/{game}/{number}.svg", include_in_schema=False)
def picture(name: GameName, number: Annotated[int, InPath(ge=1, le=MOST_STEPS)]) -> Response:
    """The board of a lesson."""
    course = lessons(find_game(name))
    if number > len(course):
        raise NotThereError(f"there is no lesson {number}: expected 1 to {len(course)}")
    lesson = course[number - 1]
    drawn = trimmed(picture_of(lesson.game, lesson.position, labels=False))
    return Response(drawn.svg(), media_type="image/svg+xml", headers={"Cache-Control": "public, max-age=86400"})


def learn_url(game: Game, step: int = 1, **query: str) -> str:
    """The address of a step."""
    chosen = {name: value for name, value in query.items() if value}
    return f"/learn/{quote(game.name, safe=SAFE)}?{urlencode({'step': step, **chosen}, safe=SAFE)}"


def _move(lesson: Lesson, done: str, show: bool) -> Move | None:
    """The move that was made, or is to be shown."""
    if not lesson.task:
        return None
    if show:
        return lesson.right[0]
    return lesson.game.read_move(lesson.position, done) if done else None


def _said(lesson: Lesson, move: Move | None, part: str, show: bool) -> _Said:
    if move is None and part.endswith("x"):
        return _Said("A mill! Now click the stone of O’s that you capture.", "task")
    if move is None and part:
        return _Said(f"You have picked {part.rstrip('-')}. Now click where it goes.", "task")
    if move is None:
        return _Said(lesson.task, "task") if lesson.task else _Said("There is nothing to do here: just go on.", "fact")
    answer = reply(lesson, move)
    if show:
        return _Said(f"Like this, {lesson.game.write_move(move)}: {answer.words}", "shown")
    return _Said(answer.words, "right" if answer.done else "wrong")


def _tried(clicking: Clicking, name: str) -> _Said:
    """What is wrong with a click on this point."""
    if name not in clicking.game.layout.index:
        raise BadAddressError(
            f"try={name!r} is not a point of this board: expected one, as {clicking.game.layout.points[0]}"
        )
    return _Said(clicking.what_is_wrong(name) or "That is possible: click there.", "wrong")


def _clicking(lesson: Lesson, game: Game, step: int, part: str) -> Clicking:
    moves = [lesson.game.write_move(move) for move in lesson.game.moves(lesson.position)]
    if part and not (part[-1] in "-x" and any(move.startswith(part) for move in moves)):
        raise BadAddressError(f"part={part!r} begins no legal move: expected the beginning of one, as a1-")
    return Clicking(
        lesson.game,
        lesson.position,
        part,
        after=lambda move: learn_url(game, step, done=move),
        picking=lambda part: learn_url(game, step, part=part),
        trying=lambda name: learn_url(game, step, part=part, **{"try": name}),
        closed=not lesson.task,
    )


def _boards(lesson: Lesson, position: Position, marks: Marks, clicking: Clicking | None) -> list[Markup]:
    clicks = clicking.clicks() if clicking else []
    if _in_space(lesson.game):
        return [draw_cube(lesson.game, position, clicks, {}, marks)]
    return draw_links(lesson.game, position, clicks, {}, marks)


def _in_space(game: Game) -> bool:
    """Whether rows run through several levels, so that one should see them above each other."""
    places = game.layout.places
    return any(places[line[0]].level != places[line[-1]].level for line in game.layout.lines)


def _options(game: Game) -> list[tuple[str, list[tuple[str, str, bool]]]]:
    """The rules that can be chosen: for each every value, where its lessons are, and whether the game has it."""
    kind = kind_of(game)
    chosen = kind.chosen(game)
    found = []
    for option, values in kind.options.items():
        links = []
        for value in values:
            words = ",".join(f"{one}={text}" for one, text in {**chosen, option: value}.items())
            links.append((value, learn_url(find_game(f"{kind.base}:{words}")), value == chosen[option]))
        found.append((option.replace("-", " "), links))
    return found
