"""The games and the players as they are told to people: a name, a line or two, and how strong somebody is.

How strong a player is depends on the game: whoever gives nothing away never loses a game that is a draw, and always
wins one that the first player wins, when he begins. The stories are short forms of what stands at the top of each
player's own file.
"""

from typing import NamedTuple

from noughts.games import Game, Outcome, Position
from noughts.players import PLAYERS, Human
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


_TITLES_AND_STORIES = {
    "random": ("Dice", "Plays any legal move, all equally likely: the weakest player that knows the rules."),
    "novice": (
        "Novice",
        "Has just learnt the rules. Sees most wins, misses many threats, and guesses every other move.",
    ),
    "casual": ("Casual", "Plays now and then. Rarely misses what is one move away, and errs in one move of five."),
    "strong": ("Strong", "Has played a lot. Misses nothing that is one move away, and errs in one move of twenty."),
    "perfect": ("Perfect", "Knows what every move is worth. Wins as fast and loses as slowly as can be."),
    "knuth": (
        "Knuth",
        "Plays by Donald Knuth’s scores: gives nothing away, and leaves you the position in which you can err most.",
    ),
    "c1990": (
        "The C program",
        "Written by Geiser and Marzetta to try out the search for their chip: minimax with alpha-beta, place by place.",
    ),
    "chip1990": (
        "The chip",
        "Geiser and Marzetta’s semester project, clock cycle by clock cycle: a state machine with a stack, in silicon.",
    ),
    "elements2021": (
        "Nine elements",
        "Kumar, Agrawal, Shedge and Nimesh’s lab project on an FPGA: nine minimax elements in a chain, no recursion.",
    ),
    "basic1": ("BASIC, version 1", "Sixty lines in a magazine brought it to home computers. Here on one flat board."),
    "basic2": (
        "BASIC, version 2",
        "Sixty lines from a magazine. Counts only some of the 76 lines, so that it moved in 25 seconds or less.",
    ),
    "basic3": (
        "BASIC, version 3",
        "“Almost unbeatable”, said its author. It defends rather than attacks; its first move took three minutes.",
    ),
    "basicf": (
        "BASIC, the ultimate game",
        "Version 3 with one line changed, to defend even more. Its author had not tried it.",
    ),
}
_MACHINES = ("c1990", "chip1990", "elements2021", "basic1", "basic2", "basic3", "basicf", "knuth")
_DESIGNS = ("chip1990", "elements2021")
_NEVER_LOSES = "never loses"
_STRENGTHS = {
    "random": "easy to beat",
    "novice": "easy to beat",
    "casual": "can be beaten",
    "strong": "hard to beat",
    "c1990": _NEVER_LOSES,
    "chip1990": _NEVER_LOSES,
    "elements2021": _NEVER_LOSES,
    "basic1": "never loses if you begin",
    "basic2": "can be beaten in six moves",
    "basic3": "can be beaten in six moves",
    "basicf": "can be beaten in eight moves",
}
_OF_THE_PERFECT = {
    Outcome.DRAW: _NEVER_LOSES,
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
    if player == Human.name:
        return "a person"
    base, _, options = player.partition(":")
    if base not in _TITLES_AND_STORIES:
        return player
    year = PLAYERS[base].year
    return _TITLES_AND_STORIES[base][0] + (f", {year}" if year else "") + (f" ({options})" if options else "")


def opponents(game: Game) -> list[Opponent]:
    """Who plays a game: machines with a history first, then the others from the strongest to the weakest."""
    with web_sized():
        able = players_of(game)
    others = [name for name in reversed(PLAYERS) if name in able and name not in _MACHINES]
    return [_opponent(name, game) for name in (*(name for name in _MACHINES if name in able), *others)]


def _opponent(name: str, game: Game) -> Opponent:
    title, story = _TITLES_AND_STORIES[name]
    strength = _STRENGTHS.get(name) or _OF_THE_PERFECT[told(game).worth]
    return Opponent(name, title, PLAYERS[name].year, story, strength, name if name in _DESIGNS else None)
