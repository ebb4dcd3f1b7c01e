"""What the API takes and what can go wrong, as its description says: parameters with their bounds, and statuses."""

from typing import Annotated, Any

from fastapi import Path, Query

from noughts.web.answers import Problem
from noughts.web.api_docs import EXAMPLES
from noughts.web.problems import MEDIA_TYPE

__all__ = [
    "LATER",
    "MOST_RECORDS",
    "NOT_THERE",
    "SAME",
    "UNREADABLE",
    "Before",
    "GameInPath",
    "GameName",
    "Limit",
    "MoveText",
    "OnlyGame",
    "OnlyPlayer",
    "PlayerName",
    "PositionText",
    "RecordNumber",
    "Seed",
    "examples",
]

Responses = dict[int | str, dict[str, Any]]
MOST_RECORDS = 100
"""On one page."""
LONGEST_GAME, LONGEST_PLAYER = 120, 60
"""Characters of a name with all its options."""
LARGEST = 2**63 - 1
"""The largest whole number that is taken anywhere."""


def _problem(description: str) -> dict[str, Any]:
    return {"description": description, "content": {MEDIA_TYPE: {"schema": Problem.model_json_schema()}}}


def examples(*addresses: str) -> dict[str, list[str]]:
    """Addresses to try, for the page that describes the API."""
    return {EXAMPLES: list(addresses)}


SAME: Responses = {304: {"description": "You have this answer already, by the ETag in If-None-Match."}}
UNREADABLE: Responses = {
    422: _problem("A value that means nothing here, or that the rules forbid; the detail names it.")
}
NOT_THERE: Responses = {404: _problem("A game, a player or a record that does not exist; the detail names it.")}
LATER: Responses = {
    503: _problem("Still thinking, or too many questions at once: ask again after Retry-After seconds.")
}

GameName = Annotated[
    str,
    Query(min_length=1, max_length=LONGEST_GAME, description="A game, as in /api/v1/games.", examples=["tictactoe"]),
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
GameInPath = Annotated[str, Path(min_length=1, max_length=LONGEST_GAME, description="Its name.", examples=["qubic"])]
Limit = Annotated[int, Query(ge=1, le=MOST_RECORDS, description="How many.", examples=[10])]
Before = Annotated[int | None, Query(ge=1, le=LARGEST, description="Only games before this number.")]
OnlyGame = Annotated[str | None, Query(max_length=LONGEST_GAME, description="Only this game.", examples=["tictactoe"])]
OnlyPlayer = Annotated[
    str | None, Query(max_length=LONGEST_PLAYER, description="Only games of this player, on any side.")
]
RecordNumber = Annotated[int, Path(ge=1, le=LARGEST, description="Its number.", examples=[1])]
