"""Noughts plays, solves, explains and builds the games of a row.

    noughts.board("tictactoe")         a board to play on, to print, to look at in a notebook, to ask what it is worth
    noughts.game("achi")               the rules of a game
    noughts.solve(game)                the value of every position of a small game
    noughts.player("casual")           somebody to play against
    noughts.analyse(board)             what is known of a board and of every move
    noughts.NoughtsError               what all errors are that bad input causes

Importing it loads nothing; each of these loads what it needs when it is first asked for. Behind them are rooms with
more in them, a package each, loaded in the same way: `noughts.games`, `noughts.solve`, `noughts.players`,
`noughts.insight`, `noughts.arena`, `noughts.silicon`, `noughts.rl`.
"""

__version__ = "0.2.0"

__all__ = [
    "Analysis",
    "Board",
    "Effort",
    "Game",
    "NoughtsError",
    "Player",
    "Solution",
    "Value",
    "__version__",
    "analyse",
    "board",
    "game",
    "player",
    "solve",
]

TYPE_CHECKING = False  # that of `typing`, which takes milliseconds to load; checkers of types know the name
if TYPE_CHECKING:
    from noughts.games import Game, NoughtsError, game
    from noughts.library.analysis import Analysis, analyse
    from noughts.library.board import Board, board
    from noughts.players import Player
    from noughts.players.catalogue import player
    from noughts.solve import Effort, Solution, Value, solve

_HOMES = {
    "Analysis": "library.analysis",
    "Board": "library.board",
    "Effort": "solve",
    "Game": "games",
    "NoughtsError": "games",
    "Player": "players",
    "Solution": "solve",
    "Value": "solve",
    "analyse": "library.analysis",
    "board": "library.board",
    "game": "games",
    "player": "players",
}
"""Where each of them lives. `solve` is missing, since the package of that name can be called (`noughts.solve`)."""
_ROOMS = ("arena", "games", "insight", "players", "rl", "silicon", "solve")

if not TYPE_CHECKING:  # a checker would take every name for one that is there, and `noughts.bord` for right

    def __getattr__(name: str) -> object:
        from importlib import import_module  # noqa: PLC0415  whoever asks for nothing loads nothing

        if name in _ROOMS:
            return import_module(f"noughts.{name}")
        if name not in _HOMES:
            raise AttributeError(f"module 'noughts' has no attribute {name!r}: expected one of {', '.join(__all__)}")
        found = getattr(import_module(f"noughts.{_HOMES[name]}"), name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_ROOMS})
