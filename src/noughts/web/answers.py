"""The answers of the API, field by field, as its description lists them.

Fields that `noughts --json` has too have the same names and the same meaning.
"""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "GameAnswer",
    "GameSummary",
    "GamesAnswer",
    "MoveAnswer",
    "MovesAnswer",
    "PlayerAnswer",
    "PlayersAnswer",
    "PositionAnswer",
    "Problem",
    "RatedMove",
    "ReasonAnswer",
    "RecordAnswer",
    "RecordsAnswer",
]

Outcome = Literal["win", "draw", "loss", "unknown"]
Kind = Literal["wins", "gives-away", "loses", "blocks", "fork", "stops-fork", "only", "any", "keeps", "unknown"]


class Answer(BaseModel):
    """What all answers have in common: they are values."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Problem(Answer):
    """What is wrong, as RFC 9457 has it."""

    type: Literal["about:blank"] = Field(description="Always this: the status says it all.")
    title: str = Field(description="The name of the status.", examples=["Unprocessable Entity"])
    status: int = Field(description="The HTTP status.", examples=[422])
    detail: str = Field(
        description="The value that is wrong, and what was expected.",
        examples=["'XX' is not a board of this game: expected '.../.../...' with X and O in it"],
    )
    instance: str = Field(description="The path that was asked for.", examples=["/api/v1/position"])


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


class PositionAnswer(Answer):
    """What a position is worth to the player to move, and every legal move, best first."""

    game: str = Field(examples=["tictactoe"])
    position: str = Field(examples=["XO./.../..."])
    value: Outcome = Field(examples=["win"])
    remoteness: int | None = Field(description="Plies to the end under best play, where that is known.", examples=[5])
    reason: str = Field(description="How the value is known, where it is not from a whole solution.", examples=[""])
    threats: list[str] = Field(description="The chain of threats that wins, if one is known.", examples=[[]])
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
    remark: str | None = Field(description="What the machine says with it.", examples=[None])
    seconds: float = Field(description="How long it took here.", examples=[0.007])


class ReasonAnswer(Answer):
    """Why a move is good or bad."""

    game: str = Field(examples=["tictactoe"])
    position: str = Field(examples=["XO./.../..."])
    move: str = Field(examples=["a2"])
    kind: Kind = Field(examples=["keeps"])
    words: str = Field(examples=["It wins, as 3 other moves do."])


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
    finished_at: datetime = Field(description="When it was saved, in UTC.")


class RecordsAnswer(Answer):
    """Finished games, the newest first."""

    records: list[RecordAnswer]
    next: str | None = Field(
        description="Where the games before these are; null if there are none.",
        examples=["/api/v1/records?limit=100&before=17"],
    )
