"""The API: every answer of Noughts as JSON, under `/api/v1`; described at `/docs`, for programs at `/openapi.json`.

All of it is asked with GET, so every answer has an address and can be kept (`noughts.web.caching`). What comes in is
read here, in microseconds, before anything is worked out: a game that does not exist or a position that cannot occur
never reaches a thinker, and the same position written in two ways is one question.
"""

from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Request

from noughts import __version__
from noughts.games import NAMES, Game, NotationError, NoughtsError, Position
from noughts.games import game as find_game
from noughts.insight.puzzles import games_with_puzzles, puzzle_of, puzzle_of_the_day, puzzles_of
from noughts.insight.review import Review, as_json
from noughts.players import PLAYERS, Human, Player
from noughts.players import player as find_player
from noughts.records import History, Saved
from noughts.solve import Extent, knowledge
from noughts.web.api_schema import (
    LATER,
    MOST_RECORDS,
    NOT_THERE,
    SAME,
    UNREADABLE,
    Before,
    DailyAnswer,
    GameAnswer,
    GameInPath,
    GameName,
    GamesAnswer,
    GameSummary,
    Limit,
    MoveAnswer,
    MovesAnswer,
    MovesText,
    MoveText,
    OnlyGame,
    OnlyPlayer,
    OnlyTheme,
    PlayerAnswer,
    PlayerName,
    PlayersAnswer,
    PositionAnswer,
    PositionText,
    PuzzleAnswer,
    PuzzlesAnswer,
    ReasonAnswer,
    RecordAnswer,
    RecordNumber,
    RecordsAnswer,
    ReviewAnswer,
    Seed,
    StartText,
    examples,
    only_known,
)
from noughts.web.asking.questions import MOST_CELLS, analysis, reasons, reply, web_sized
from noughts.web.asking.reviewing import ask_plies
from noughts.web.asking.thinking import GivenUpError, StillThinkingError
from noughts.web.caching import ReadyRoute, TaggedRoute
from noughts.web.problems import NotThereError
from noughts.web.sitting import read_sitting

__all__ = ["router"]

pure = APIRouter(
    prefix="/api/v1", tags=["questions"], route_class=ReadyRoute, responses=SAME, dependencies=[Depends(only_known)]
)
fresh = APIRouter(
    prefix="/api/v1", tags=["records"], route_class=TaggedRoute, responses=SAME, dependencies=[Depends(only_known)]
)


@pure.get(
    "/games",
    summary="The games",
    responses=UNREADABLE,
    openapi_extra=examples("/api/v1/games"),
)
async def games() -> GamesAnswer:
    """The names that `game` takes, what each game is, and what is known of it."""
    return GamesAnswer(games=[_summary(name) for name in NAMES])


@pure.get(
    "/games/{game}",
    summary="One game",
    responses=UNREADABLE | NOT_THERE,
    openapi_extra=examples("/api/v1/games/qubic", "/api/v1/games/mnk:5,4,4"),
)
async def one_game(
    name: GameInPath,
) -> GameAnswer:
    """A game, its board, and who plays it."""
    game = find_game(name)
    names = game.layout.points
    with web_sized():
        return GameAnswer(
            **_summary(game.name).model_dump(),
            solvable=knowledge(game).extent is Extent.EVERY_POSITION,
            point_names=list(names),
            line_points=[[names[point] for point in line] for line in game.layout.lines],
            players=_who_plays(game),
        )


@pure.get(
    "/players",
    summary="The players",
    responses=UNREADABLE,
    openapi_extra=examples("/api/v1/players"),
)
async def players() -> PlayersAnswer:
    """Everybody who moves without being asked by a person; a machine has a year."""
    return PlayersAnswer(players=[_player(kind) for name, kind in PLAYERS.items() if name != Human.name])


@pure.get(
    "/position",
    summary="What a position is worth",
    responses=UNREADABLE | NOT_THERE | LATER,
    openapi_extra=examples(
        "/api/v1/position?game=tictactoe&position=XO./.../...",
        "/api/v1/position?game=achi",
        "/api/v1/position?game=six-mens-morris",
    ),
)
async def position(request: Request, name: GameName, position: PositionText = "") -> PositionAnswer:
    """Value and remoteness for the player to move, and every legal move, best first.

    Values are exact; where a game is too large to solve here, what bounded search does not prove is `unknown`, with an
    `estimate`, and a `look` beside the best move.
    """
    game, here = _read(name, position)
    found = await request.app.state.thinking.ask(analysis, game.name, game.write(here))
    return PositionAnswer(**found)


@pure.get(
    "/moves",
    summary="The legal moves",
    responses=UNREADABLE | NOT_THERE,
    openapi_extra=examples("/api/v1/moves?game=tictactoe&position=XO./.X./..O"),
)
async def moves(name: GameName, position: PositionText = "") -> MovesAnswer:
    """The legal moves, in the order of the points; none when the game is over."""
    game, here = _read(name, position)
    legal = [game.write_move(move) for move in game.moves(here)]
    return MovesAnswer(game=game.name, position=game.write(here), moves=legal)


@pure.get(
    "/move",
    summary="A player's move",
    responses=UNREADABLE | NOT_THERE | LATER,
    openapi_extra=examples(
        "/api/v1/move?game=tictactoe&player=chip1990&position=X../.../...", "/api/v1/move?game=qubic&player=basic2"
    ),
)
async def move(
    request: Request, name: GameName, player: PlayerName, position: PositionText = "", seed: Seed = 0
) -> MoveAnswer:
    """The move of a player in a position, and what it cost; the same seed gives the same move."""
    game, here = _read(name, position)
    with web_sized():
        find_player(player, seed).check(game)
    found = await request.app.state.thinking.ask(reply, game.name, player, game.write(here), (), seed)
    return MoveAnswer(**found, seed=seed)


@pure.get(
    "/reasons",
    summary="Why a move is good or bad",
    responses=UNREADABLE | NOT_THERE | LATER,
    openapi_extra=examples("/api/v1/reasons?game=tictactoe&position=XO./.../...&move=a2"),
)
async def why(request: Request, name: GameName, move: MoveText, position: PositionText = "") -> ReasonAnswer:
    """The most important thing that is certain about a move, in words; if nothing is, how it looks."""
    game, here = _read(name, position)
    chosen = game.write_move(game.read_move(here, move))
    found = await request.app.state.thinking.ask(reasons, game.name, game.write(here), chosen)
    return ReasonAnswer(**found)


@pure.get(
    "/puzzles",
    summary="Puzzles",
    responses=UNREADABLE | NOT_THERE,
    openapi_extra=examples("/api/v1/puzzles?game=achi&limit=3", "/api/v1/puzzles?theme=chain"),
)
async def puzzles(game: OnlyGame = None, theme: OnlyTheme = None, limit: Limit = MOST_RECORDS) -> PuzzlesAnswer:
    """Positions with one move that keeps the value, and the move; of one game or of all, easy ones of each first."""
    games = games_with_puzzles() if game is None else (puzzle_of(find_game(game), 1).game,)
    found = (puzzle for one in games for puzzle in puzzles_of(one) if theme in (None, puzzle.theme))
    return PuzzlesAnswer(puzzles=[PuzzleAnswer(**puzzle.as_json()) for puzzle in islice(found, limit)])


@fresh.get(
    "/puzzles/today",
    summary="The puzzle of the day",
    responses=UNREADABLE,
    openapi_extra=examples("/api/v1/puzzles/today"),
)
async def daily() -> DailyAnswer:
    """The puzzle of this day, the same for everybody until midnight in UTC."""
    day = datetime.now(UTC).date()
    return DailyAnswer(**puzzle_of_the_day(day).as_json(), day=day)


@pure.get(
    "/review",
    summary="A game, move by move",
    responses=UNREADABLE | NOT_THERE | LATER,
    openapi_extra=examples("/api/v1/review?game=tictactoe&moves=a1.b2.b1.c1.a2.a3"),
)
async def review(request: Request, name: GameName, moves: MovesText, start: StartText = "") -> ReviewAnswer:
    """What every position of a game was worth, which moves gave a win or a draw away, why, and what was better.

    Long games take a while: whoever is told to ask again finds what was looked at meanwhile.
    """
    playing = read_sitting(name, {"moves": moves, "start": start}).playing
    if not playing.moves:
        raise NotationError(f"moves={moves[:20]!r} has no move: expected some, as a1.b2.c3")
    patience = request.app.state.settings.patience
    plies, waiting = await ask_plies(request.app.state.thinking, playing, 1, patience)
    if None in plies:
        looked = sum(ply is not None for ply in plies)
        problem = StillThinkingError if waiting else GivenUpError
        raise problem(f"{looked} of {len(plies)} moves are looked at: ask again in a moment")
    return ReviewAnswer(**as_json(Review(playing, plies)))


@fresh.get(
    "/records",
    summary="Finished games",
    responses=UNREADABLE | LATER,
    openapi_extra=examples("/api/v1/records?limit=10", "/api/v1/records?game=tictactoe&player=human"),
)
def records(
    request: Request,
    limit: Limit = MOST_RECORDS,
    before: Before = None,
    game: OnlyGame = None,
    player: OnlyPlayer = None,
) -> RecordsAnswer:
    """Finished games, the newest first; `next` is where the older ones are."""
    history: History = request.app.state.history
    found = history.page(limit, before, game, player)
    more = None
    if len(found) == limit:
        query = {"limit": limit, "before": found[-1].id, "game": game, "player": player}
        given = {name: value for name, value in query.items() if value is not None}
        more = f"{request.url.path}?{urlencode(given)}"
    return RecordsAnswer(records=[_record(saved) for saved in found], next=more)


@fresh.get(
    "/records/{number}",
    summary="One finished game",
    responses=UNREADABLE | NOT_THERE | LATER,
    openapi_extra=examples("/api/v1/records/1"),
)
def one_record(request: Request, number: RecordNumber) -> RecordAnswer:
    """A finished game by its number."""
    history: History = request.app.state.history
    saved = history.get(number)
    if saved is None:
        raise NotThereError(f"no finished game has the number {number}: expected one that /api/v1/records lists")
    return _record(saved)


router = APIRouter()


@router.get("/health", include_in_schema=False)
def health(request: Request) -> dict[str, str]:
    """Whether the server answers and its database can be read; for proxies and whoever watches over it."""
    history: History = request.app.state.history
    history.page(1)
    return {"status": "ok", "version": __version__}


router.include_router(pure)
router.include_router(fresh)


def _read(name: str, position: str) -> tuple[Game, Position]:
    """The game and the position that are meant, or an error that says what is wrong."""
    game = find_game(name)
    return game, game.read(position) if position.strip() else game.start()


def _summary(name: str) -> GameSummary:
    """A game, or the whole family M,N,K."""
    family = "M,N,K" in name
    game = find_game(name.replace("M,N,K", "4,3,3"))
    with web_sized():
        extent = knowledge(game).extent
    solved = "not here" if extent is Extent.SOME_POSITIONS else extent.value
    return GameSummary(
        name=name,
        about="M columns, N rows, K in a row win" if family else game.about,
        points=None if family else len(game.layout),
        lines=None if family else len(game.layout.lines),
        solved=f"up to {MOST_CELLS} cells" if family else solved,
        start=game.write(game.start()),
    )


def _who_plays(game: Game) -> list[str]:
    """The players of a game that move by themselves."""
    able = []
    for name in PLAYERS:
        if name != Human.name:
            with suppress(NoughtsError):
                find_player(name).check(game)
                able.append(name)
    return able


def _player(kind: type[Player]) -> PlayerAnswer:
    return PlayerAnswer(
        name=kind.name, year=kind.year, about=kind.about, plays_only=list(kind.plays_only), options=kind.options
    )


def _record(saved: Saved) -> RecordAnswer:
    """A finished game, less its token, which belongs to those who played."""
    fields = {name: value for name, value in vars(saved).items() if name != "token"}
    return RecordAnswer.model_validate({**fields, "moves": saved.moves.split(), "plies": saved.plies})
