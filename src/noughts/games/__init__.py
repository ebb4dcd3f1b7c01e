"""The rules: boards, positions, moves and their notation, and the catalogue of games. Pure values."""

from noughts.games.catalogue import KINDS, NAMES, Kind, game, kind_of
from noughts.games.errors import (
    IllegalMoveError,
    IllegalPositionError,
    NotationError,
    NoughtsError,
    UnknownGameError,
    UnknownPointError,
)
from noughts.games.game import Game
from noughts.games.layout import Layout
from noughts.games.position import PASS, SIDES, Move, Outcome, Position
from noughts.games.rules import Rules

__all__ = [
    "KINDS",
    "NAMES",
    "PASS",
    "SIDES",
    "Game",
    "IllegalMoveError",
    "IllegalPositionError",
    "Kind",
    "Layout",
    "Move",
    "NotationError",
    "NoughtsError",
    "Outcome",
    "Position",
    "Rules",
    "UnknownGameError",
    "UnknownPointError",
    "game",
    "kind_of",
]
