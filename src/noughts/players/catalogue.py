"""The players, by name."""

from noughts.games import NoughtsError
from noughts.players.basic1 import Basic1
from noughts.players.basic2 import Basic2
from noughts.players.basic3 import Basic3
from noughts.players.basicf import BasicF
from noughts.players.c1990 import C1990
from noughts.players.casual import Casual
from noughts.players.chip1990 import Chip1990
from noughts.players.elements2021 import Elements2021
from noughts.players.human import Human
from noughts.players.knuth import Knuth
from noughts.players.novice import Novice
from noughts.players.perfect import Perfect
from noughts.players.player import Player
from noughts.players.random_player import RandomPlayer
from noughts.players.strong import Strong

__all__ = ["PLAYERS", "UnknownPlayerError", "player"]

PLAYERS: dict[str, type[Player]] = {
    kind.name: kind
    for kind in (
        *(Human, RandomPlayer, Novice, Casual, Strong, Perfect),
        *(Knuth, C1990, Chip1990, Elements2021, Basic1, Basic2, Basic3, BasicF),
    )
}


class UnknownPlayerError(NoughtsError):
    """A name that no player has."""


def player(name: str, seed: int | None = None) -> Player:
    """The player of this name that needs no person; what it does at random comes from the seed.

    A player with options takes them after a colon, as `basic2:harder=yes`.
    """
    base, colon, text = name.partition(":")
    automatic = [known for known in PLAYERS if known != Human.name]
    if base not in automatic:
        raise UnknownPlayerError(f"{name!r} is not a player that moves by itself: expected {', '.join(automatic)}")
    words = [word.partition("=") for word in text.split(",")] if colon else []
    return PLAYERS[base](seed, {option: value for option, _, value in words})
