"""The games and the players as they are told to people: a name, a line or two, and how strong somebody is.

How strong a player is depends on the game: whoever gives nothing away never loses a game that is a draw, and always
wins one that the first player wins, when he begins. What is told about a player stands in the player's own class.
"""

from typing import NamedTuple

from noughts.games import KINDS, Game, Outcome, Position, kind_of
from noughts.players import PLAYERS, Player
from noughts.web.questions import web_sized
from noughts.web.sitting import players_of

__all__ = [
    "GAMES",
    "Opponent",
    "name_of",
    "opponents",
    "sample",
    "usual_opponent",
]


GAMES = {kind.example: kind for kind in KINDS}
"""The games on the first page, in order; the board of free size with one that is neither tiny nor known by heart."""


class Opponent(NamedTuple):
    """Somebody to play against, for people."""

    name: str
    title: str
    year: int | None
    story: str
    strength: str
    design: str | None
    """The chip whose inside can be looked at, if it is one."""


_OF_THE_PERFECT = {
    Outcome.DRAW: "never loses",
    Outcome.WIN: "always wins when it begins",
    None: "gives nothing away",
}


def sample(game: Game) -> Position:
    """A position that shows what the game looks like."""
    kind = kind_of(game)
    return game.play(*kind.sample.split()) if game.name == kind.example else game.start()


def usual_opponent(game: Game) -> str:
    """Whom to meet first."""
    return {"tictactoe": "c1990", "qubic": "basic3", "square4:boards=4": "basic1"}.get(game.name, "casual")


def name_of(player: str) -> str:
    """A player's name for people; the name itself if there is none."""
    base, _, options = player.partition(":")
    if base not in PLAYERS:
        return player
    kind = PLAYERS[base]
    return kind.title + (f", {kind.year}" if kind.year else "") + (f" ({options})" if options else "")


def opponents(game: Game) -> list[Opponent]:
    """Who plays a game: machines with a history first, then the others from the strongest to the weakest."""
    with web_sized():
        able = list(players_of(game).values())
    machines = [kind for kind in able if kind.machine]
    others = [kind for kind in reversed(able) if not kind.machine]
    return [_opponent(kind, game) for kind in (*machines, *others)]


def _opponent(kind: type[Player], game: Game) -> Opponent:
    strength = kind.strength or _OF_THE_PERFECT[kind_of(game).worth if game.name in GAMES else None]
    return Opponent(kind.name, kind.title, kind.year, kind.story, strength, kind.design)
