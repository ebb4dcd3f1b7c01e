"""Puzzles: `/puzzles` to pick one, `/puzzles/today`, and `/puzzles/{game}/{number}` to solve one.

An attempt is its address, as a game is: `?moves=b2.a1` are the moves since the puzzle's position, those of whoever
solves it and the answers by turns. After a right move the browser is sent on to the address with the best defence,
until the point is made (`noughts.insight.puzzles`); a wrong one stays, with its refutation on the board and a way back.
Whether the first move is right stands in the file of puzzles; everything else is asked of `web.asking.thinking`, and
the page comes again where that takes longer than a glance. Which puzzles were solved is known to the browser alone
(`script/puzzles.js`).

    moves     the moves so far, between dots
    part      the beginning of a move that takes several clicks
    try       a point that was clicked and leads nowhere
    hint      1: the theme; 2: also where the move begins; after the first move: a good one
    show      1: the solution; what is solved then does not count
    view, rotate      Qubic as `boards` or as a `cube`, and how far the cube is rotated, in degrees
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import groupby
from typing import Annotated, Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Query, Request
from fastapi import Path as InPath
from fastapi.responses import RedirectResponse, Response

from noughts.games import SIDES, Game, Move, Position
from noughts.games import game as find_game
from noughts.games.picture import Note
from noughts.games.playing import Playing
from noughts.games.points import point_set
from noughts.insight.puzzles import (
    GRADES,
    THEMES,
    Puzzle,
    games_with_puzzles,
    puzzle_of,
    puzzle_of_the_day,
    puzzles_of,
)
from noughts.players import Human
from noughts.web.asking.questions import analysis, judgement
from noughts.web.asking.thinking import BusyError, GivenUpError, StillThinkingError
from noughts.web.boards.clicking import Clicking
from noughts.web.boards.linked import ROTATION, STEP, Marks, draw_cube, draw_links
from noughts.web.boards.thumbnails import thumbnail
from noughts.web.pages.play_view import Button
from noughts.web.rendering import page
from noughts.web.sitting import SAFE, BadAddressError, explore_url, play_on_url, usual_view

__all__ = ["of_this_day", "router"]

router = APIRouter()
MOST_MOVES = 80
"""Of an attempt."""
OPPONENT = "expert"
"""Who plays on where a puzzle ends."""

GameName = Annotated[str, InPath(alias="game", max_length=100)]
Number = Annotated[int, InPath(ge=1, le=10_000)]
Moves = Annotated[str, Query(max_length=1_000)]
Part = Annotated[str, Query(pattern="^([a-z][0-9]{1,2}-)?([a-z][0-9]{1,2}x)?$")]
Point = Annotated[str, Query(alias="try", pattern="^([0-9]?[a-z][0-9]{1,2})?$")]
Hint = Annotated[int, Query(ge=0, le=2)]
Show = Annotated[int, Query(ge=0, le=1)]
View = Annotated[str, Query(pattern="^(boards|cube)?$")]
Rotation = Annotated[int, Query(ge=0, lt=360)]
OnlyGame = Annotated[str, Query(alias="game", max_length=100)]
OnlyTheme = Annotated[str, Query(max_length=20)]


@dataclass(frozen=True)
class Attempt:
    """How far somebody has come with a puzzle."""

    puzzle: Puzzle
    playing: Playing
    part: str
    hint: int
    show: int
    view: str
    rotate: int

    @property
    def cube(self) -> bool:
        """Whether the board is drawn as a cube."""
        return len(self.puzzle.game.layout.rows) > 1 and (self.view or usual_view(self.puzzle.game)) == "cube"

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves so far."""
        return tuple(self.puzzle.game.write_move(move) for move in self.playing.moves)

    @property
    def answered(self) -> bool:
        """Whether it is the turn of whoever solves it."""
        return len(self.playing.moves) % 2 == 0

    @property
    def begun_right(self) -> bool:
        """Whether the first move keeps the value."""
        return not self.playing.moves or self.playing.moves[0] in self.puzzle.solution

    @property
    def own(self) -> int:
        """Which ply was the last of whoever solves it."""
        return len(self.playing.moves) - (2 if self.answered else 1)

    def url(self, moves: Iterable[str] | None = None, **query: str | int) -> str:
        """The address with these moves; a hint stays only until a move is made."""
        words = self.moves if moves is None else tuple(moves)
        kept: dict[str, str | int] = {"moves": ".".join(words), "show": self.show, "view": self.view}
        if self.cube and self.rotate != ROTATION:
            kept |= {"rotate": self.rotate}
        if moves is None:
            kept |= {"hint": self.hint}
        return puzzle_url(self.puzzle, {name: value for name, value in {**kept, **query}.items() if value})


def puzzle_url(puzzle: Puzzle, query: dict[str, str | int] | None = None) -> str:
    """The page of a puzzle."""
    base = f"/puzzles/{quote(puzzle.game.name, safe=SAFE)}/{puzzle.number}"
    return f"{base}?{urlencode(query, safe=SAFE)}" if query else base


def today() -> date:
    """The day, the same for everybody."""
    return datetime.now(UTC).date()


@router.get("/puzzles", include_in_schema=False)
def pick(request: Request, game: OnlyGame = "", theme: OnlyTheme = "") -> Response:
    """Today's puzzle, and all others by game and theme."""
    chosen = find_game(game) if game else None
    if chosen is not None and not puzzles_of(chosen):
        puzzle_of(chosen, 1)  # which says what there is
    if theme and theme not in THEMES:
        raise BadAddressError(f"theme={theme!r} is not a theme: expected one of {', '.join(THEMES)}")
    return page(
        request,
        "puzzles.html",
        headers={"Cache-Control": "no-cache"},
        daily=of_this_day(),
        games=[
            (one, len(puzzles_of(one)), thumbnail(one, _shown(one).position), _picked_of(one, theme))
            for one in games_with_puzzles()
        ],
        themes=[(name, words, _picked(game, name)) for name, words in THEMES.items() if _any_of(chosen, name)],
        game=chosen,
        theme=theme,
        everything=_picked(game, ""),
        sets=_sets(chosen, theme) if game or theme else [],
        theme_words=THEMES[theme] if theme else "",
    )


def of_this_day() -> dict[str, Any]:
    """The day's puzzle, as a card shows it (`daily.html`)."""
    day = today()
    puzzle = puzzle_of_the_day(day)
    return {
        "day": day.isoformat(),
        "puzzle": puzzle,
        "href": puzzle_url(puzzle),
        "grade": GRADES[puzzle.grade - 1],
        "board": thumbnail(puzzle.game, puzzle.position),
    }


def _shown(game: Game) -> Puzzle:
    """The puzzle that stands for a game: one that is neither the first nor hard."""
    found = puzzles_of(game)
    return found[len(found) // 3]


def _picked(game: str, theme: str) -> str:
    query = {name: value for name, value in (("game", game), ("theme", theme)) if value}
    return f"/puzzles?{urlencode(query, safe=SAFE)}" if query else "/puzzles"


def _picked_of(game: Game, theme: str) -> str:
    """The puzzles of a game, of the theme if it has any of it."""
    return _picked(game.name, theme if _any_of(game, theme) else "")


def _any_of(game: Game | None, theme: str) -> bool:
    """Whether there are puzzles of a theme, of one game or of any."""
    return any(
        puzzle.theme == theme for one in ([game] if game else games_with_puzzles()) for puzzle in puzzles_of(one)
    )


def _sets(game: Game | None, theme: str) -> list[tuple[Game, list[tuple[str, list[Puzzle]]]]]:
    """By game and grade, the puzzles that were asked for."""
    found = []
    for one in [game] if game else games_with_puzzles():
        puzzles = [puzzle for puzzle in puzzles_of(one) if theme in ("", puzzle.theme)]
        grades = [(GRADES[grade - 1], list(some)) for grade, some in groupby(puzzles, lambda puzzle: puzzle.grade)]
        if grades:
            found.append((one, grades))
    return found


@router.get("/puzzles/today", include_in_schema=False)
def of_the_day() -> Response:
    """On to the puzzle of the day."""
    return RedirectResponse(puzzle_url(puzzle_of_the_day(today())), 303, {"Cache-Control": "no-store"})


@router.get("/puzzles/{game}/{number}", include_in_schema=False)
async def solve(
    request: Request,
    name: GameName,
    number: Number,
    moves: Moves = "",
    part: Part = "",
    tried: Point = "",
    hint: Hint = 0,
    show: Show = 0,
    view: View = "",
    rotate: Rotation = ROTATION,
) -> Response:
    """A puzzle, as far as somebody has come with it."""
    puzzle = puzzle_of(find_game(name), number)
    attempt = Attempt(puzzle, _played(puzzle, moves), part, hint, show, view, rotate)
    _check_part(attempt)
    if not attempt.begun_right and len(attempt.moves) > 1:
        return _send_on(attempt.url(attempt.moves[:1]))
    if not attempt.moves:
        you = SIDES[puzzle.position.turn].upper()
        return _show(request, attempt, [puzzle.task, f"You are {you}. Only one move does it."], tried=tried)
    found, wait = await _judged(request, attempt)
    if found is None:
        return _unjudged(request, attempt, wait)
    if attempt.answered:
        if not found["keeps"]:
            return _send_on(attempt.url(attempt.moves[: attempt.own + 1]))
        said = [_right(attempt, found), _go_on(attempt, found)]
        return _show(request, attempt, said, tried=tried, advised=await _advised(request, attempt))
    right = attempt.begun_right if attempt.own == 0 else found["keeps"]
    if not right:
        return _show(request, attempt, _refuted(attempt, found), reply=found["reply"], wrong=True)
    if found["made"] or attempt.playing.result is not None:
        return _show(request, attempt, [_right(attempt, found), _done(attempt)], done=True)
    return _send_on(attempt.url([*attempt.moves, found["reply"]]))


def _played(puzzle: Puzzle, moves: str) -> Playing:
    """The moves of an address, each checked."""
    playing = Playing.begin(puzzle.game, puzzle.position)
    words = [word for word in moves.split(".") if word]
    if len(words) > MOST_MOVES:
        raise BadAddressError(f"moves has {len(words)} moves: expected at most {MOST_MOVES}")
    for word in words:
        playing = playing.then(puzzle.game.read_move(playing.position, word))
    return playing


def _check_part(attempt: Attempt) -> None:
    """Raise an error unless the part of a move is the beginning of a legal one."""
    game, part = attempt.puzzle.game, attempt.part
    legal = (game.write_move(move) for move in game.moves(attempt.playing.position)) if part else ()
    if part and not any(move.startswith(part) for move in legal):
        raise BadAddressError(f"part={part!r} begins no legal move: expected the beginning of one")


async def _judged(request: Request, attempt: Attempt) -> tuple[dict[str, Any] | None, bool]:
    """What the last move of whoever solves it is worth; whether to come again for that."""
    own, state = attempt.own, request.app.state
    question = attempt.puzzle.game.write(attempt.playing.positions[own]), attempt.moves[own]
    try:
        found = await state.thinking.ask(judgement, attempt.puzzle.game.name, *question, patience=state.settings.glance)
    except (StillThinkingError, BusyError):
        return None, True
    except GivenUpError:
        return None, False
    return found, False


async def _advised(request: Request, attempt: Attempt) -> str:
    """A move to go on with, if one is asked for and known at a glance."""
    game, state = attempt.puzzle.game, request.app.state
    if not attempt.hint or attempt.playing.result is not None:
        return ""
    question = analysis, game.name, game.write(attempt.playing.position)
    try:
        found = await state.thinking.ask(*question, patience=state.settings.patience)
    except (StillThinkingError, BusyError, GivenUpError):
        return ""
    return str(found["threats"][0] if found["threats"] else found["moves"][0]["move"])


def _unjudged(request: Request, attempt: Attempt, again: bool) -> Response:
    """The page while a move is looked at."""
    words = "Looking at your move …" if again else "This took too long to work out, so it was given up."
    return _show(request, attempt, [f"{attempt.moves[attempt.own]}.", words], wait=again, status=202 if again else 503)


def _right(attempt: Attempt, found: dict[str, Any]) -> str:
    opening = "Right" if attempt.own == 0 else "Good"
    return f"{opening}: {attempt.moves[attempt.own]}. {found['words']}"


def _go_on(attempt: Attempt, found: dict[str, Any]) -> str:
    """The answer that was made, and what is left to do."""
    them = SIDES[attempt.playing.position.turn ^ 1].upper()
    left = f"within {found['plies'] // 2} moves" if found["plies"] and found["plies"] > 3 else "with your next move"
    what = "the next capture comes" if attempt.puzzle.game.rules.captures else "you win"
    if attempt.playing.result is not None:
        return f"{them} answers {attempt.moves[-1]}, and it is a draw: {attempt.playing.result.reason}. Begin again."
    return f"{them} answers {attempt.moves[-1]}. Go on: {what} {left}."


def _done(attempt: Attempt) -> str:
    result = attempt.playing.result
    if result is not None and result.winner is not None:
        return f"Solved: {SIDES[result.winner].upper()} has won by {result.reason}."
    return "Solved."


def _refuted(attempt: Attempt, found: dict[str, Any]) -> list[str]:
    move, them = attempt.moves[-1], SIDES[attempt.playing.position.turn].upper()
    if found["keeps"] is None:
        return [f"{move}: whether that still wins is not known here.", "Try again: there is a move that surely does."]
    told = not found["reply"] or found["reply"] in found["words"]
    return [f"Not {move}. {found['words']}", "" if told else f"{them} answers {found['reply']}."]


def _send_on(url: str) -> Response:
    return RedirectResponse(url, 303, {"Cache-Control": "no-store"})


def _show(
    request: Request,
    attempt: Attempt,
    said: list[str],
    *,
    tried: str = "",
    advised: str = "",
    reply: str | None = None,
    wrong: bool = False,
    done: bool = False,
    wait: bool = False,
    status: int = 200,
) -> Response:
    """The page, with these words on it."""
    puzzle, game = attempt.puzzle, attempt.puzzle.game
    over = attempt.playing.result is not None
    asked = attempt.answered and not over
    clicking = Clicking(
        game,
        attempt.playing.position,
        attempt.part,
        after=lambda move: attempt.url([*attempt.moves, move]),
        picking=lambda begun: attempt.url(part=begun),
        trying=lambda point: attempt.url(**{"try": point} if asked else {}),
        closed=not asked,
    )
    if tried and asked:
        if tried not in game.layout.index:
            raise BadAddressError(
                f"try={tried!r} is not a point of this board: expected one, as {game.layout.points[0]}"
            )
        said = [said[0], clicking.what_is_wrong(tried) or said[-1]]
    elif attempt.part:
        said = [said[0], _next_click(attempt)]
    if asked and attempt.hint and not attempt.moves:
        said = [*said, f"Hint: {THEMES[puzzle.theme].lower()}."]
    if advised:
        said = [*said, f"Hint: {advised} will do."]
    if attempt.show and not attempt.moves:
        said = [*said, f"Solution: {_either(puzzle)}."]
    position, notes, marks = _drawn(attempt, clicking, reply, advised)
    headers = {"Refresh": "1", "Retry-After": "1", "Cache-Control": "no-store"} if wait else {}
    total = len(puzzles_of(game))
    day = today()
    return page(
        request,
        "puzzle.html",
        status=status,
        headers=headers,
        puzzle=puzzle,
        game=game,
        total=total,
        grade=GRADES[puzzle.grade - 1],
        said=[words for words in said if words],
        wrong=wrong or bool(tried and asked),
        refuted=wrong,
        done=done,
        wait=wait,
        solved=attempt.begun_right and bool(attempt.moves) and not attempt.show,
        day=day.isoformat() if puzzle == puzzle_of_the_day(day) else "",
        boards=[draw_cube(game, position, clicking.clicks(), notes, marks, attempt.rotate)]
        if attempt.cube
        else draw_links(game, position, clicking.clicks(), notes, marks),
        cube=attempt.cube,
        views=_views(attempt),
        levels=len(game.layout.rows) > 1,
        hand=position.hand if not game.placing_only and position.hand != (0, 0) else None,
        again=attempt.url(attempt.moves[: attempt.own]) if wrong else "",
        anew=attempt.url([]) if attempt.moves and not wrong else "",
        cancel=attempt.url(part="") if attempt.part else "",
        hinting=attempt.url(hint=attempt.hint + 1) if asked and attempt.hint < (1 if attempt.moves else 2) else "",
        showing=attempt.url(show=1) if asked and not attempt.moves and not attempt.show else "",
        following=puzzle_url(puzzles_of(game)[puzzle.number % total]),
        explore=explore_url(game.name, game.write(puzzle.position)),
        play_on=_play_on(attempt) if done and not over else "",
    )


def _play_on(attempt: Attempt) -> str:
    """Where the game can be played to its end, against the strongest that plays every game."""
    names = (Human.name, OPPONENT) if attempt.puzzle.position.turn == 0 else (OPPONENT, Human.name)
    return play_on_url(Playing.begin(attempt.puzzle.game, attempt.playing.position), names)


def _views(attempt: Attempt) -> list[Button]:
    """The other view, and both ways to rotate the cube."""
    if len(attempt.puzzle.game.layout.rows) == 1:
        return []
    if not attempt.cube:
        return [Button("view", "Cube", attempt.url(view="cube"), "c")]
    left, right = (attempt.url(rotate=(attempt.rotate + step) % 360) for step in (STEP, -STEP))
    return [
        Button("left", "Rotate left", left, "["),
        Button("right", "Rotate right", right, "]"),
        Button("view", "Four boards", attempt.url(view="boards"), "c"),
    ]


def _next_click(attempt: Attempt) -> str:
    if attempt.part.endswith("x"):
        return "A mill! Capture one of the other side's stones."
    return f"Where should {attempt.part.rstrip('-')} go?"


def _either(puzzle: Puzzle) -> str:
    return " or ".join(puzzle.game.write_move(move) for move in puzzle.solution)


def _drawn(
    attempt: Attempt, clicking: Clicking, reply: str | None, advised: str
) -> tuple[Position, dict[int, Note], Marks]:
    """The position to show, with a refutation drawn on it: 1 is the move, 2 the answer."""
    game, playing, marks = attempt.puzzle.game, attempt.playing, clicking.marks()
    notes: dict[int, Note] = {}
    if reply is not None:
        mine = playing.moves[-1]
        answer = game.read_move(playing.position, reply)
        playing = playing.then(answer)
        notes = {
            point: Note(number, colour)
            for move, number, colour in ((mine, "1", "loss"), (answer, "2", "win"))
            if (point := move.to) is not None
        }
    won = game.winning_rows(playing.position)
    hint = 0
    if attempt.answered and not attempt.moves and (attempt.show or attempt.hint == 2):
        hint = _pointed_out(attempt.puzzle.solution, whole=bool(attempt.show))
    elif advised:
        hint = _pointed_out((game.read_move(playing.position, advised),), whole=True)
    last = playing.moves[-1] if playing.moves else None
    shown = clicking.shown if reply is None else playing.position
    return shown, notes, marks._replace(last=last, won=won, hint=hint)


def _pointed_out(solution: tuple[Move, ...], whole: bool) -> int:
    """The points of the right moves, or only those at which they begin."""
    found = [
        point
        for move in solution
        for point in (([move.source, move.to]) if whole else [move.to if move.source is None else move.source])
        if point is not None
    ]
    return point_set(found)
