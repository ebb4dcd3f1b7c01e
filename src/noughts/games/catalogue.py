"""The games Noughts knows, by name.

Some names take more after a colon. `mnk:M,N,K` is a board of M columns and N rows on which K in a row
win. `achi` takes options, since its sources leave four points of the rules open; the first value of each
is what `achi` alone means:

    achi:adjacency=lines|orthogonal|king     where stones slide: along the lines of the board, that is
                                             orthogonally and through the centre; never diagonally; anywhere
    achi:row-while-placing=yes|no            no: rows count only once all stones are on the board; from then
                                             on a player who has one at the end of his turn wins
    achi:diagonals=yes|no                    no: only rows and columns win
    achi:blocked=loses|draws|passes          what happens to a player who cannot move

`square4:boards=4` is the flat game as the BASIC program of 1977 has it: three more boards stand beside it,
and a stone on one of them is a lost turn.
"""

import re
from functools import cache, lru_cache
from itertools import product

from noughts.games.errors import UnknownGameError
from noughts.games.game import Game
from noughts.games.layout import Layout, cube, grid, nested_squares
from noughts.games.rules import Blocked, Movement, Rules

__all__ = ["ACHI_OPTIONS", "NAMES", "achi_variants", "game"]

NAMES = (
    "tictactoe",
    "square4",
    "qubic",
    "mnk:M,N,K",
    "arabian",
    "achi",
    "three-mens-morris",
    "six-mens-morris",
    "nine-mens-morris",
)

ACHI_OPTIONS = {
    "adjacency": ("lines", "orthogonal", "king"),
    "row-while-placing": ("yes", "no"),
    "diagonals": ("yes", "no"),
    "blocked": ("loses", "draws", "passes"),
}

LARGEST_SIDE = 19


def game(name: str) -> Game:
    """The game of this name; the same object for the same game every time."""
    text = name.strip().lower()
    base, colon, arguments = text.partition(":")
    if base == "mnk":
        return _mnk(*_sizes(name, arguments))
    if base == "achi":
        return _achi(*_options(name, arguments) if colon else _options(name, None))
    if text == "square4:boards=4":
        return _square4_of_1977()
    if colon or base not in NAMES:
        raise UnknownGameError(f"{name!r} is not a game: expected one of {', '.join(NAMES)}")
    return _named(base)


def achi_variants() -> list[Game]:
    """Achi with every combination of its options, the usual one first."""
    return [_achi(*values) for values in product(*ACHI_OPTIONS.values())]


def _sizes(name: str, arguments: str) -> tuple[int, int, int]:
    match = re.fullmatch(r"([0-9]{1,3}),([0-9]{1,3}),([0-9]{1,3})", arguments)
    if not match:
        raise UnknownGameError(f"{name!r} is not a game: expected mnk:M,N,K, three numbers, as mnk:4,3,3")
    m, n, k = int(match[1]), int(match[2]), int(match[3])
    if not (1 <= m <= LARGEST_SIDE and 1 <= n <= LARGEST_SIDE):
        raise UnknownGameError(f"{name!r} is not a game: expected M and N from 1 to {LARGEST_SIDE}")
    if not 1 <= k <= max(m, n):
        raise UnknownGameError(f"{name!r} is not a game: {k} in a row do not fit, expected K from 1 to {max(m, n)}")
    return m, n, k


def _options(name: str, arguments: str | None) -> tuple[str, ...]:
    chosen = {option: values[0] for option, values in ACHI_OPTIONS.items()}
    for word in arguments.split(",") if arguments is not None else []:
        option, _, value = word.partition("=")
        if option not in ACHI_OPTIONS:
            raise UnknownGameError(f"{word!r} in {name!r} is not an option of achi: expected {', '.join(ACHI_OPTIONS)}")
        if value not in ACHI_OPTIONS[option]:
            raise UnknownGameError(
                f"{value!r} in {name!r} is not a value of {option}: expected {' or '.join(ACHI_OPTIONS[option])}"
            )
        chosen[option] = value
    return tuple(chosen.values())


@lru_cache(maxsize=64)
def _mnk(m: int, n: int, k: int) -> Game:
    about = f"{m} columns, {n} rows, {k} in a row win"
    return Game(f"mnk:{m},{n},{k}", grid(m, n, k), _filling(m * n), about)


@cache
def _achi(*values: str) -> Game:
    adjacency, row_while_placing, diagonals, blocked = values
    options = [
        f"{option}={value}"
        for (option, usual), value in zip(ACHI_OPTIONS.items(), values, strict=True)
        if value != usual[0]
    ]
    rules = Rules((4, 4), Movement.SLIDE, Blocked(blocked), row_while_placing=row_while_placing == "yes")
    about = "African millwheel: four stones each are placed, then slide; three in a row win"
    layout = grid(3, 3, 3, diagonals=diagonals == "yes", adjacency=adjacency)
    return Game("achi" + ":" * bool(options) + ",".join(options), layout, rules, about)


@cache
def _square4_of_1977() -> Game:
    """The 4×4 game of the 1977 program: four boards, of which only the first has lines."""
    whole, flat = cube(4), grid(4, 4, 4)
    layout = Layout(whole.points, whole.places, flat.lines)
    return Game("square4:boards=4", layout, _filling(64), "as in 1977: only the first of four boards counts")


@cache
def _named(name: str) -> Game:
    layout, rules, about = {
        "tictactoe": (grid(3, 3, 3), _filling(9), "three in a row win"),
        "square4": (grid(4, 4, 4), _filling(16), "4×4, four in a row win"),
        "qubic": (cube(4), _filling(64), "4×4×4, four in a row in any direction win"),
        "arabian": (
            grid(3, 3, 3),
            Rules((3, 3), Movement.JUMP, Blocked.LOSES),
            "Arabian millwheel: three stones each are placed, then jump; three in a row win",
        ),
        "three-mens-morris": (
            grid(3, 3, 3, adjacency="lines"),
            Rules((3, 3), Movement.SLIDE, Blocked.LOSES),
            "three stones each are placed, then slide; three in a row win",
        ),
        "six-mens-morris": (
            nested_squares(2),
            _milling(6),
            "two squares, six stones each; a mill captures",
        ),
        "nine-mens-morris": (
            nested_squares(3),
            _milling(9),
            "three squares, nine stones each; a mill captures",
        ),
    }[name]
    return Game(name, layout, rules, about)


def _filling(cells: int) -> Rules:
    """Placing until the board is full."""
    return Rules(((cells + 1) // 2, cells // 2))


def _milling(stones: int) -> Rules:
    """Placing, sliding, and capturing with mills; three stones fly, and two have lost."""
    return Rules((stones, stones), Movement.SLIDE, Blocked.LOSES, captures=True, flying=3, fewest=3)
