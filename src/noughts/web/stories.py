"""The games and the players as they are told to people: a name, a line or two, and how strong somebody is.

How strong a player is depends on the game: whoever gives nothing away never loses a game that is a draw, and always
wins one that the first player wins, when he begins. What is told about a player stands in the player's own class.
"""

from typing import NamedTuple

from noughts.games import Game, Outcome, Position
from noughts.players import PLAYERS, Player
from noughts.web.questions import web_sized
from noughts.web.table import players_of

__all__ = [
    "GAMES",
    "Opponent",
    "Told",
    "name_of",
    "on_first_page",
    "opponents",
    "sample",
    "title_of",
    "told",
    "usual_opponent",
]


class Told(NamedTuple):
    """A game, for people."""

    title: str
    line: str
    sample: str
    """Moves that lead to a position worth a picture."""
    worth: Outcome | None = None
    """What the start is worth to the first player, where that is known."""


GAMES = {
    "tictactoe": Told("Tic-tac-toe", "Three in a row", "b2 a1 c1 a3 a2", Outcome.DRAW),
    "square4": Told("Four by four", "Four in a row", "b2 c2 c3 b3 a1 d4 d1 a4 d2", Outcome.DRAW),
    "qubic": Told("Qubic", "Four in a row, in space", "1a1 2b2 4d4 3c3 1d1 1b1 4a4 2c2 3b3 1c1 2d4", Outcome.WIN),
    "mnk:5,5,4": Told("Any board", "You choose its size", "c3 b2 c2 c4 d3 b3 b4 d2"),
    "arabian": Told("Arabian millwheel", "Three stones jump", "b2 a1 c3 c1 b1 b3", Outcome.DRAW),
    "achi": Told("Achi", "Four stones slide", "b2 a1 c3 c1 b1 b3 a3 a2", Outcome.WIN),
    "three-mens-morris": Told("Three men’s morris", "Three stones slide", "b2 c1 a1 c3 c2 a2", Outcome.WIN),
    "six-mens-morris": Told("Six men’s morris", "A mill captures", "c1 a3 e3 b2 c4 d3 c5 a5 a1"),
    "nine-mens-morris": Told("Nine men’s morris", "A mill captures", "d2 d6 b4 f4 d1 d5 b2 a4 g7 c3 f2xc3 e5 a1"),
}
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


def told(game: Game) -> Told:
    """The game for people; a relative of one on the first page goes by that one's name."""
    if game.name in GAMES:
        return GAMES[game.name]
    return Told(GAMES[on_first_page(game)].title, game.about, "")


def on_first_page(game: Game) -> str:
    """Which of the games on the first page a game is, or is a relative of."""
    base = game.name.split(":")[0]
    return next(name for name in GAMES if name.split(":")[0] == base)


def title_of(game: Game) -> str:
    """What a game is called where it stands among others."""
    base, _, options = game.name.partition(":")
    if base == "mnk":
        columns, rows, length = options.split(",")
        return f"{columns}×{rows}, {length} in a row"
    return told(game).title + (f" ({options})" if options else "")


def sample(game: Game) -> Position:
    """A position that shows what the game looks like."""
    return game.play(*told(game).sample.split())


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
    strength = kind.strength or _OF_THE_PERFECT[told(game).worth]
    return Opponent(kind.name, kind.title, kind.year, kind.story, strength, kind.design)
