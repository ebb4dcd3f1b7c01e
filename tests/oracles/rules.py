"""The oracle of each game by name, and the number of move sequences from its start."""

from __future__ import annotations

from .base import Oracle, State
from .boards import (
    anywhere,
    cube,
    cube_lines,
    grid,
    morris_board,
    morris_mills,
    morris_neighbours,
    small_board_neighbours,
    straight_lines,
)
from .morris import MorrisGame
from .rows import MovingGame, PlacingGame

ACHI_OPTIONS = {
    "adjacency": ("lines", "orthogonal", "king"),
    "row-while-placing": ("yes", "no"),
    "diagonals": ("yes", "no"),
    "blocked": ("loses", "draws", "passes"),
}

MORRIS_GAMES = {
    "five-mens-morris": {"stones": "5"},
    "six-mens-morris": {"stones": "6"},
    "seven-mens-morris": {"stones": "7"},
    "nine-mens-morris": {"stones": "9"},
    "lasker-morris": {"stones": "10", "moving-while-placing": "yes"},
    "eleven-mens-morris": {"stones": "11", "diagonals": "yes"},
    "twelve-mens-morris": {"stones": "12", "diagonals": "yes", "full-board": "draws"},
    "morabaraba": {"stones": "12", "diagonals": "yes", "full-board": "draws"},
}
"""In what the morris games differ from nine men's morris, apart from the board."""


def oracle(name: str) -> Oracle:
    """The oracle of the game with this name."""
    kind, _, options = name.partition(":")
    if kind == "mnk":
        columns, rows, length = (int(number) for number in options.split(","))
        return in_a_row(columns, rows, length)
    if kind == "achi":
        return achi(options)
    if name == "tictactoe":
        return in_a_row(3, 3, 3)
    if name == "square4":
        return in_a_row(4, 4, 4)
    if name == "qubic":
        return PlacingGame(cube(), cube_lines(), 4)
    if name == "arabian":
        return MovingGame(grid(3, 3), 3, straight_lines(3, 3, 3), anywhere(grid(3, 3)))
    if name in ("three-mens-morris", "tapatan"):
        return MovingGame(grid(3, 3), 3, straight_lines(3, 3, 3), small_board_neighbours("lines"))
    if name == "picaria":
        return MovingGame(grid(3, 3), 3, straight_lines(3, 3, 3), small_board_neighbours("king"))
    if kind == "nine-holes":
        reach = small_board_neighbours("orthogonal") if options == "movement=slide" else anywhere(grid(3, 3))
        return MovingGame(grid(3, 3), 3, straight_lines(3, 3, 3, diagonals=False), reach)
    if kind in MORRIS_GAMES:
        return morris(kind, options)
    raise ValueError(f"no such game: {name!r}")


def in_a_row(columns: int, rows: int, length: int) -> Oracle:
    """Place on a rectangle; so many or more in a row horizontally, vertically or diagonally win."""
    if not (1 <= columns <= 26 and rows >= 1 and length >= 1):
        raise ValueError("impossible board")
    return PlacingGame(grid(columns, rows), straight_lines(columns, rows, length), length)


def achi(options: str) -> Oracle:
    """Achi with options written as opt=val,opt=val; what is not mentioned has the first value allowed."""
    chosen = {option: values[0] for option, values in ACHI_OPTIONS.items()}
    for assignment in options.split(",") if options else []:
        option, _, value = assignment.partition("=")
        if value not in ACHI_OPTIONS.get(option, ()):
            raise ValueError(f"no such option of achi: {assignment!r}")
        chosen[option] = value
    return MovingGame(
        grid(3, 3),
        stones_each=4,
        lines=straight_lines(3, 3, 3, diagonals=chosen["diagonals"] == "yes"),
        reach=small_board_neighbours(chosen["adjacency"]),
        row_while_placing=chosen["row-while-placing"] == "yes",
        blocked=chosen["blocked"],
    )


def morris(kind: str, options: str = "") -> Oracle:
    """A game of mills: two squares up to seven men, of which seven have the centre as well; three squares for more."""
    chosen = {"diagonals": "no", "flying": "yes", "moving-while-placing": "no", "full-board": "loses"}
    chosen |= MORRIS_GAMES[kind] | dict(option.split("=") for option in options.split(",") if option)
    squares, centre = 2 if kind.startswith(("five", "six", "seven")) else 3, kind.startswith("seven")
    diagonals = chosen["diagonals"] == "yes"
    return MorrisGame(
        morris_board(squares, centre),
        int(chosen["stones"]),
        morris_mills(squares, diagonals, centre),
        morris_neighbours(squares, diagonals, centre),
        flying=chosen["flying"] == "yes",
        lasker=chosen["moving-while-placing"] == "yes",
        full_board_draws=chosen["full-board"] == "draws",
    )


def perft(game: Oracle, depth: int) -> int:
    """The number of move sequences of exactly this length from the start; finished games are not extended."""

    def sequences(state: State, length: int) -> int:
        moves = game.moves(state)
        if length == 1:
            return len(moves)
        return sum(sequences(game.play(state, move), length - 1) for move in moves)

    return sequences(game.start(), depth) if depth > 0 else 1
