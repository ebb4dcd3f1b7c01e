"""Who plays: people, grades, machines with a history; all behind `Player.choose`."""

from noughts.players.catalogue import PLAYERS, UnknownPlayerError, player
from noughts.players.ladder import LEVELS, Level
from noughts.players.player import CannotPlayError, Choice, Human, NoMoveFoundError, Player
from noughts.players.words import called, end_words, last_words, name_of

__all__ = [
    "LEVELS",
    "PLAYERS",
    "CannotPlayError",
    "Choice",
    "Human",
    "Level",
    "NoMoveFoundError",
    "Player",
    "UnknownPlayerError",
    "called",
    "end_words",
    "last_words",
    "name_of",
    "player",
]
