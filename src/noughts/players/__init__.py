"""Who plays: one file a player, all behind `Player.choose`."""

from noughts.players.catalogue import PLAYERS, UnknownPlayerError, player
from noughts.players.human import Human
from noughts.players.player import CannotPlayError, Choice, NoMoveFoundError, Player

__all__ = [
    "PLAYERS",
    "CannotPlayError",
    "Choice",
    "Human",
    "NoMoveFoundError",
    "Player",
    "UnknownPlayerError",
    "player",
]
