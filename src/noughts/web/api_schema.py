"""The API as it is described: what it takes, what it answers, and `/docs`, which shows both to people.

Fields that `noughts --json` has too have the same names and the same meaning. The page is made from the description
that programs read at `/openapi.json`.
"""

import re
from collections.abc import Callable
from datetime import date, datetime
from difflib import get_close_matches
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple

from fastapi import APIRouter, FastAPI, Path, Query, Request
from fastapi.openapi.utils import get_openapi
from fastapi.responses import HTMLResponse
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, Field

from noughts.games import NoughtsError
from noughts.insight.puzzles import Theme
from noughts.insight.reasons import Kind
from noughts.web.limits import MOST_URL
from noughts.web.problems import MEDIA_TYPE, Problem
from noughts.web.rendering import page

__all__ = [
    "EXAMPLES",
    "LATER",
    "MOST_RECORDS",
    "NOT_THERE",
    "SAME",
    "UNREADABLE",
    "Before",
    "DailyAnswer",
    "GameAnswer",
    "GameInPath",
    "GameName",
    "GameSummary",
    "GamesAnswer",
    "Limit",
    "MoveAnswer",
    "MoveText",
    "MovesAnswer",
    "MovesText",
    "OnlyGame",
    "OnlyPlayer",
    "OnlyTheme",
    "PlayerAnswer",
    "PlayerName",
    "PlayersAnswer",
    "PositionAnswer",
    "PositionText",
    "Problem",
    "PuzzleAnswer",
    "PuzzlesAnswer",
    "RatedMove",
    "ReasonAnswer",
    "RecordAnswer",
    "RecordNumber",
    "RecordsAnswer",
    "ReviewAnswer",
    "Seed",
    "StartText",
    "UnknownParameterError",
    "describe",
    "examples",
    "only_known",
    "router",
]

Responses = dict[int | str, dict[str, Any]]
PROBLEM = "#/components/schemas/Problem"
"""Where the description has the shape of a problem."""
LONGEST = 40
"""Characters of a wrong name that are repeated."""
MOST_RECORDS = 100
"""On one page."""
LONGEST_GAME, LONGEST_PLAYER = 120, 60
"""Characters of a name with all its options."""
LARGEST = 2**63 - 1
"""The largest whole number that is taken anywhere."""


class UnknownParameterError(NoughtsError):
    """A parameter that means nothing here, or is given twice."""


def _problem(description: str) -> dict[str, Any]:
    return {"description": description, "content": {MEDIA_TYPE: {"schema": {"$ref": PROBLEM}}}}


def describe(app: FastAPI) -> Callable[[], dict[str, Any]]:
    """The description of an application, worked out once, with the one shape that all problems have."""

    @cache
    def description() -> dict[str, Any]:
        found = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        found["components"]["schemas"]["Problem"] = Problem.model_json_schema()
        return found

    return description


async def only_known(request: Request) -> None:
    """Raise an error for a parameter that this part of the API does not take, or that is given twice.

    Otherwise `pos=…` for `position=…` would be answered, for the empty board. (`async`, since FastAPI runs what is
    not in a thread, which takes longer than all the rest.)
    """
    route: APIRoute = request.scope["route"]
    known = [field.alias for field in route.dependant.query_params]
    given = [name for name, _ in request.query_params.multi_items()]
    for name in given:
        if name not in known:
            raise UnknownParameterError(f"{name[:LONGEST]!r} is not a parameter here: {_expected(name, known)}")
        if given.count(name) > 1:
            raise UnknownParameterError(f"{name!r} is given {given.count(name)} times: expected once")


def _expected(name: str, known: list[str]) -> str:
    if not known:
        return "expected none"
    begun = [one for one in known if name and one.startswith(name.lower())]
    near = begun or get_close_matches(name.lower(), known, 1)
    return f"expected {near[0]}" if near else f"expected {', '.join(known)}"


def examples(*addresses: str) -> dict[str, list[str]]:
    """Addresses to try, for the page that describes the API."""
    return {EXAMPLES: list(addresses)}


SAME: Responses = {304: {"description": "You have this answer already, by the ETag in If-None-Match."}}
UNREADABLE: Responses = {
    414: _problem(f"An address of more than {MOST_URL:,} characters."),
    422: _problem("A value that means nothing here, or that the rules forbid; the detail names it."),
}
NOT_THERE: Responses = {404: _problem("A game, a player or a record that does not exist; the detail names it.")}
LATER: Responses = {
    429: _problem("Too many questions from your address: ask again after Retry-After seconds."),
    503: _problem("Still thinking, or too many questions at once: ask again after Retry-After seconds."),
}

GameName = Annotated[
    str,
    Query(
        alias="game",
        min_length=1,
        max_length=LONGEST_GAME,
        description="A game, as in /api/v1/games.",
        examples=["tictactoe"],
    ),
]
PositionText = Annotated[
    str,
    Query(
        max_length=500,
        description="A position; if it is left out, the start. Rows of X, O and . between slashes, levels between |; "
        "where stones move, the side to move follows, and the stones in hand.",
        examples=["XO./.X./..O"],
    ),
]
Seed = Annotated[int, Query(ge=0, le=LARGEST, description="Decides everything random.", examples=[0])]
MoveText = Annotated[str, Query(min_length=1, max_length=20, description="A legal move.", examples=["b2"])]
PlayerName = Annotated[
    str,
    Query(
        min_length=1,
        max_length=LONGEST_PLAYER,
        description="A player, as in /api/v1/players; options follow a colon.",
        examples=["chip1990"],
    ),
]
GameInPath = Annotated[
    str, Path(alias="game", min_length=1, max_length=LONGEST_GAME, description="Its name.", examples=["qubic"])
]
MovesText = Annotated[
    str,
    Query(
        min_length=1, max_length=2_000, description="The moves of a game, between dots.", examples=["a1.b2.b1.c1.a2.a3"]
    ),
]
StartText = Annotated[
    str, Query(max_length=500, description="The position it began with; if it is left out, the usual one.")
]
Limit = Annotated[int, Query(ge=1, le=MOST_RECORDS, description="How many.", examples=[10])]
Before = Annotated[int | None, Query(ge=1, le=LARGEST, description="Only games before this number.")]
OnlyGame = Annotated[str | None, Query(max_length=LONGEST_GAME, description="Only this game.", examples=["tictactoe"])]
OnlyPlayer = Annotated[
    str | None, Query(max_length=LONGEST_PLAYER, description="Only games of this player, on any side.")
]
OnlyTheme = Annotated[Theme | None, Query(description="Only puzzles of this theme.", examples=["fork"])]
RecordNumber = Annotated[int, Path(ge=1, le=LARGEST, description="Its number.", examples=[1])]


Outcome = Literal["win", "draw", "loss", "unknown"]
Surety = Literal["nothing", "estimate", "exact", "distance"]


class Answer(BaseModel):
    """What all answers have in common: they are values."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class GameSummary(Answer):
    """A game in a line."""

    name: str = Field(description="Its name; M, N and K stand for numbers.", examples=["tictactoe"])
    about: str = Field(description="What it is, in a line.", examples=["three in a row win"])
    points: int | None = Field(description="Cells or points of the board; null if the name decides.", examples=[9])
    lines: int | None = Field(description="Lines that can become rows; null if the name decides.", examples=[8])
    solved: str = Field(description="What is known of its positions here.", examples=["yes"])
    start: str = Field(description="The position before the first move.", examples=[".../.../..."])


class GamesAnswer(Answer):
    """The catalogue."""

    games: list[GameSummary]


class GameAnswer(GameSummary):
    """A game and its board."""

    solvable: bool = Field(description="Whether every position's value can be had here.")
    point_names: list[str] = Field(description="The points, in the order of the notation.", examples=[["a1", "b1"]])
    line_points: list[list[str]] = Field(description="The lines, by their points.", examples=[[["a1", "b1", "c1"]]])
    players: list[str] = Field(description="Who plays it.", examples=[["random", "perfect"]])


class PlayerAnswer(Answer):
    """A player."""

    name: str = Field(examples=["chip1990"])
    year: int | None = Field(description="When the machine was made, if it has a history.", examples=[1990])
    about: str = Field(examples=["the VLSI chip of 1990, with its clock cycles"])
    plays_only: list[str] = Field(description="The games it plays, if not all.", examples=[["tictactoe"]])
    options: dict[str, str] = Field(description="What can be set, as in basic2:harder=yes, and the usual values.")


class PlayersAnswer(Answer):
    """All players that move by themselves."""

    players: list[PlayerAnswer]


class RatedMove(Answer):
    """A move and what it is worth to the player who makes it."""

    move: str = Field(examples=["b2"])
    value: Outcome = Field(examples=["win"])
    remoteness: int | None = Field(description="Plies to the end under best play, where that is known.", examples=[3])
    position: str = Field(description="Where the move leads.", examples=["XO./.X./..."])
    at_most: int | None = Field(
        description="Plies that the win or the loss takes at most, where it is proved and its remoteness is not.",
        examples=[None],
    )
    estimate: int | None = Field(
        description="What the engine makes of a move of unknown value, the greater the better; no value.",
        examples=[None],
    )
    look: Literal["best", "as good", "weaker", "bad"] | None = Field(
        description="How a move of unknown value looks beside the best, by its estimate.", examples=[None]
    )


class PositionAnswer(Answer):
    """What a position is worth to the player to move, and every legal move, best first."""

    game: str = Field(examples=["tictactoe"])
    position: str = Field(examples=["XO./.../..."])
    value: Outcome = Field(examples=["win"])
    remoteness: int | None = Field(description="Plies to the end under best play, where that is known.", examples=[5])
    reason: str = Field(description="How the value is known, where it is not from a whole solution.", examples=[""])
    threats: list[str] = Field(description="The chain of threats that wins, if one is known.", examples=[[]])
    surety: Surety = Field(
        description="How surely the value is known: with its distance, exactly, not at all, or by an estimate only.",
        examples=["distance"],
    )
    depth: int | None = Field(description="Plies that the engine looked ahead, if it was asked.", examples=[None])
    at_most: int | None = Field(
        description="Plies that the win or the loss takes at most, where it is proved and its remoteness is not.",
        examples=[None],
    )
    estimate: int | None = Field(
        description="What the engine makes of a position of unknown value, for the player to move; no value.",
        examples=[None],
    )
    lead: Literal["ahead", "about even", "behind"] | None = Field(
        description="How things look for the player to move, by the estimate.", examples=[None]
    )
    moves: list[RatedMove]


class MovesAnswer(Answer):
    """The legal moves, in the order of the points; none when the game is over."""

    game: str = Field(examples=["achi"])
    position: str = Field(examples=["XOX/O.X/O.. o 1,1"])
    moves: list[str] = Field(examples=[["b2", "b3", "c3"]])


class MoveAnswer(Answer):
    """The move of a player, and what it cost where the player counts."""

    game: str = Field(examples=["tictactoe"])
    position: str = Field(examples=["X../.../..."])
    player: str = Field(examples=["chip1990"])
    seed: int = Field(description="What everything random came from.", examples=[0])
    move: str = Field(examples=["b2"])
    result_position: str = Field(examples=["X../.O./..."])
    cycles: int | None = Field(description="Clock cycles of a chip.", examples=[5779])
    nodes: int | None = Field(description="Positions visited.", examples=[None])
    statements: int | None = Field(
        description="Statements of BASIC that a program of 1977 would have executed.", examples=[None]
    )
    remark: str | None = Field(description="What the machine says with it.", examples=[None])
    seconds: float = Field(description="How long it took here.", examples=[0.007])


class ReasonAnswer(Answer):
    """Why a move is good or bad."""

    game: str = Field(examples=["tictactoe"])
    position: str = Field(examples=["XO./.../..."])
    move: str = Field(examples=["a2"])
    kind: Kind = Field(examples=["keeps"])
    words: str = Field(examples=["It wins, as 3 other moves do."])
    chain: list[str] = Field(
        description="The chain of threats that the move begins: threat and forced answer in turn.", examples=[[]]
    )
    holding: int | None = Field(
        description="How many of the opponent's replies keep what the position is then worth, where it is a reason.",
        examples=[None],
    )
    replies: int | None = Field(description="How many replies the opponent then has.", examples=[None])


class PuzzleAnswer(Answer):
    """A position in which one move keeps what it is worth."""

    game: str = Field(examples=["achi"])
    number: int = Field(description="Among the puzzles of its game, from 1; easy ones come first.", examples=[16])
    position: str = Field(examples=["OXO/OXX/XO. x"])
    value: Literal["win", "draw"] = Field(description="What is to be kept.", examples=["win"])
    plies: int | None = Field(
        description="How deep it is: plies to the win, or to the next capture at the morris games; of a draw, those in "
        "which the best of the plausible wrong moves loses; null where that is not known.",
        examples=[3],
    )
    theme: Theme = Field(examples=["quiet"])
    grade: int = Field(description="From 1, seen at sight, to 5, very hard.", examples=[3])
    solution: list[str] = Field(description="The moves that keep the value.", examples=[["c2-c3"]])


class PuzzlesAnswer(Answer):
    """Puzzles, by game and number."""

    puzzles: list[PuzzleAnswer]


class DailyAnswer(PuzzleAnswer):
    """The puzzle of the day."""

    day: date = Field(description="The day, in UTC.")


class PlyWorth(Answer):
    """What a position or a move is worth to the player who moves."""

    value: Outcome = Field(examples=["draw"])
    remoteness: int | None = Field(description="Plies to the end under best play, where that is known.", examples=[5])
    estimate: int | None = Field(
        description="What the engine makes of it where the value is unknown, the greater the better; no value.",
        examples=[None],
    )


class PlyAnswer(Answer):
    """One move of a game, beside what would have been best."""

    ply: int = Field(description="1 for the first move.", examples=[5])
    side: Literal["x", "o"] = Field(description="Who moved.", examples=["x"])
    move: str = Field(examples=["a2"])
    position: str = Field(description="Before the move.", examples=["XXO/.O./..."])
    before: PlyWorth = Field(description="What the position was worth to the player who moved.")
    after: PlyWorth = Field(description="What the move was worth to them, counted from before it.")
    mark: Literal["", "!", "?!", "?", "??"] = Field(
        description="! the only move, ?! doubtful, ? a mistake, ?? a blunder.", examples=["??"]
    )
    gave: str = Field(description="What was given away, in words.", examples=["a draw became a loss in 2"])
    why: str = Field(description="The reason for or against the move.", examples=["It gives the draw away."])
    best: str = Field(description="The best move.", examples=["a3"])
    line: list[str] = Field(
        description="How the best move might go on, where something was given away.", examples=[["a3", "a2"]]
    )
    estimated: bool = Field(description="Whether it rests on an estimate.", examples=[False])
    depth: int | None = Field(description="Plies that the engine looked ahead, if it was asked.", examples=[None])


class TallyAnswer(Answer):
    """How a side has played."""

    moves: int = Field(examples=[3])
    kept: int = Field(description="Moves that gave nothing away.", examples=[2])
    mistakes: int = Field(examples=[0])
    blunders: int = Field(examples=[1])


class SidesAnswer(Answer):
    """Both sides."""

    x: TallyAnswer
    o: TallyAnswer


class ReviewAnswer(Answer):
    """A game move by move: what it was worth, and what was given away."""

    game: str = Field(examples=["tictactoe"])
    start: str = Field(description="Where it began.", examples=[".../.../..."])
    moves: list[str] = Field(examples=[["a1", "b2"]])
    result: Literal["x", "o", "draw"] | None = Field(
        description="The side that won; null if the game is not over.", examples=["o"]
    )
    curve: list[float] = Field(
        description="What every position was worth to X, from -1 to 1; between them an estimate.", examples=[[0, 0]]
    )
    turning_point: int | None = Field(
        description="The ply of the last mistake of the side that lost, or of both; null if there was none.",
        examples=[5],
    )
    estimated: bool = Field(description="Whether anything here is an estimate.", examples=[False])
    sides: SidesAnswer
    plies: list[PlyAnswer]


class RecordAnswer(Answer):
    """A finished game."""

    id: int = Field(description="Its number.", examples=[17])
    game: str = Field(examples=["tictactoe"])
    x: str = Field(description="Who played X.", examples=["human"])
    o: str = Field(description="Who played O.", examples=["chip1990"])
    start: str | None = Field(description="Where it began; null for the usual start.", examples=[None])
    moves: list[str] = Field(examples=[["b2", "a1", "c1"]])
    result: Literal["x", "o", "draw"] = Field(description="The side that won.", examples=["draw"])
    reason: str = Field(description="Why it ended.", examples=["no move is left"])
    plies: int = Field(description="How many moves were made.", examples=[9])
    seconds: float | None = Field(description="How long the machines thought in all.", examples=[0.02])
    verified: bool | None = Field(
        description="Whether every move of a machine was replayed and is what it plays; null where nobody has looked.",
        examples=[True],
    )
    finished_at: datetime = Field(description="When it was saved, in UTC.")


class RecordsAnswer(Answer):
    """Finished games, the newest first."""

    records: list[RecordAnswer]
    next: str | None = Field(
        description="Where the games before these are; null if there are none.",
        examples=["/api/v1/records?limit=100&before=17"],
    )


EXAMPLES = "x-examples"
"""The field of the description in which an endpoint lists addresses to try."""
PREFIX = "/api/v1/"

router = APIRouter()


class Row(NamedTuple):
    """A parameter, or a field of an answer."""

    name: str
    kind: str
    needed: bool
    words: str


class Endpoint(NamedTuple):
    """One question that can be asked."""

    anchor: str
    path: str
    title: str
    words: list[str]
    parameters: list[Row]
    examples: list[str]
    answer: str
    fields: list[Row]
    statuses: list[tuple[str, str]]


@router.get("/docs", include_in_schema=False)
async def docs(request: Request) -> HTMLResponse:
    """Every endpoint with its parameters, its answer and addresses to try."""
    endpoints = read_description(request.app.openapi())
    return page(request, "docs.html", endpoints=endpoints, here=str(request.base_url).rstrip("/"))


def read_description(description: dict[str, Any]) -> list[Endpoint]:
    """The endpoints of the API, in the order in which they are described."""
    schemas = description["components"]["schemas"]
    return [
        _endpoint(path, methods["get"], schemas)
        for path, methods in description["paths"].items()
        if path.startswith(PREFIX) and "get" in methods
    ]


def _endpoint(path: str, about: dict[str, Any], schemas: dict[str, Any]) -> Endpoint:
    answer = about["responses"]["200"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
    shape = schemas[answer]
    return Endpoint(
        anchor=re.sub("[^a-z0-9]+", "-", path.removeprefix(PREFIX)).strip("-"),
        path=path,
        title=about["summary"],
        words=[" ".join(part.split()) for part in about["description"].split("\n\n")],
        parameters=[
            Row(
                parameter["name"],
                _kind(parameter["schema"]),
                parameter["required"],
                parameter.get("description", ""),
            )
            for parameter in about.get("parameters", [])
        ],
        examples=about.get(EXAMPLES, []),
        answer=shape.get("description", ""),
        fields=_fields(shape, schemas),
        statuses=[(code, response["description"]) for code, response in about["responses"].items() if code != "200"],
    )


def _fields(shape: dict[str, Any], schemas: dict[str, Any], before: str = "") -> list[Row]:
    """The fields of an answer, and of what it holds: `moves[].value`, `sides.x`."""
    found = []
    for name, field in shape["properties"].items():
        found.append(Row(before + name, _kind(field), True, field.get("description", "")))
        inside = field.get("items", field).get("$ref")
        if inside:
            each = "[]" if "items" in field else ""
            found += _fields(schemas[inside.rpartition("/")[2]], schemas, f"{before}{name}{each}.")
    return found


def _kind(schema: dict[str, Any]) -> str:
    """What a value is, in a word or two."""
    if "enum" in schema:
        return " | ".join(schema["enum"])
    if "$ref" in schema:
        return "names and values"
    if "anyOf" in schema:
        return " or ".join(_kind(one) for one in schema["anyOf"])
    words = {"integer": "whole number", "string": "text", "object": "names and values", "boolean": "true or false"}
    if schema.get("format") == "date-time":
        return "time"
    if schema.get("type") == "array":
        return "list"
    kind = str(schema["type"])
    return words.get(kind, kind) + _bounds(schema)


def _bounds(schema: dict[str, Any]) -> str:
    if "maxLength" in schema:
        return f", up to {schema['maxLength']} characters"
    if "minimum" in schema and schema.get("maximum", 1_000) < 1_000:
        return f" from {schema['minimum']} to {schema['maximum']}"
    if "minimum" in schema:
        return f" from {schema['minimum']}"
    return ""
