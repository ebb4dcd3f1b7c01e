"""The games Noughts knows, by name: one entry of `KINDS` each, and nothing else to touch to add one.

Some names take more after a colon. `mnk:M,N,K` is a board of M columns and N rows on which K in a row
win. `achi` takes options, since its sources leave four points of the rules open; the first value of each
is what `achi` alone means:

    achi:adjacency=lines|orthogonal|king     where stones slide: along the lines of the board, that is
                                             orthogonally and through the centre; never diagonally; anywhere
    achi:row-while-placing=yes|no            no: rows count only once all stones are on the board; from then
                                             on a player who has one at the end of his turn wins
    achi:diagonals=yes|no                    no: only rows and columns win
    achi:blocked=loses|draws|passes          what happens to a player who cannot move

The morris games are one board of squares inside each other, with choices that every one of them leaves open; what its
name alone means is its first value of each, which stands in its entry:

    nine-mens-morris:stones=5|…|12           how many stones each begins with; on two squares up to eight
    nine-mens-morris:diagonals=no|yes        whether corners of squares are joined; rows of three there are mills
    nine-mens-morris:flying=yes|no           whether the stones of a player with three left go to any empty point
    nine-mens-morris:moving-while-placing=no|yes
                                             yes: Lasker's rule, a player with stones in hand may move one instead
    nine-mens-morris:full-board=loses|draws  what it means for the player to move that no point is empty

`square4:boards=4` is the flat game as the BASIC program of 1977 has it: three more boards stand beside it,
and a stone on one of them is a lost turn.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import product

from noughts.games.errors import UnknownGameError
from noughts.games.game import Game
from noughts.games.layout import Layout, cube, grid, nested_squares
from noughts.games.numbers import counted
from noughts.games.position import Outcome, Position
from noughts.games.rules import Blocked, Movement, Rules

__all__ = [
    "BASES",
    "KINDS",
    "LARGEST_SIDE",
    "NAMES",
    "Kind",
    "families",
    "game",
    "kind_of",
    "knows",
    "sample_of",
    "variants",
]

LARGEST_SIDE = 19

Made = tuple[Layout, Rules, str]
"""What a game is made of: its layout, its rules, and a line about them."""


@dataclass(frozen=True, eq=False)
class Kind:
    """One entry of the catalogue: a game, or a family of games that differ in what stands after the colon."""

    name: str
    """As the catalogue lists it; what stands before a colon is the name that a person writes."""
    title: str
    """Its name for people."""
    line: str
    """How it is won, in a few words."""
    special: str
    """What makes it worth a game, in a sentence."""
    make: Callable[..., Made]
    """Called with the values of the options in their order, or with the sizes."""
    sample: str
    """Moves that lead to a position worth a picture (of the `example`)."""
    worth: Outcome | None = None
    """What the start is worth to the first player, where that is known."""
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The options and their values; the first value is the usual one."""
    sizes: tuple[int, int, int] | None = None
    """Of a family of boards: the sizes of the one that is shown first."""

    @property
    def base(self) -> str:
        """The name without what may follow the colon."""
        return self.name.partition(":")[0]

    @property
    def family(self) -> str:
        """What the games that are played like it have in common, in a few words."""
        rules = game(self.example).rules
        return (
            "Mills that capture"
            if rules.captures
            else "Stones that stay"
            if rules.movement is Movement.NONE
            else "Stones that move"
        )

    @property
    def example(self) -> str:
        """The name of the game that stands for the family."""
        return f"{self.base}:{','.join(map(str, self.sizes))}" if self.sizes else self.base

    def chosen(self, game: Game) -> dict[str, str]:
        """The value that a game of this kind has for every option.

        Args:
            game: A game of this kind.
        """
        if not self.options:
            return {}
        text = game.name.partition(":")[2]
        return dict(zip(self.options, _options(self, game.name, text or None), strict=True))

    def __repr__(self) -> str:
        return f"Kind({self.name!r})"


def game(name: Game | str) -> Game:
    """The game of this name; the same object for the same game every time.

    Args:
        name: A name of the catalogue, with what may follow a colon: `achi`, `achi:blocked=passes`, `mnk:5,5,4`. A game
            is given back as it is, so that whoever takes a game can take a name as well.

    Raises:
        UnknownGameError: If no game has this name; the message says what was expected.
    """
    if isinstance(name, Game):
        return name
    base, colon, text = name.strip().lower().partition(":") if isinstance(name, str) else ("", "", "")
    kind = _BY_BASE.get(base)
    if kind is None:
        raise UnknownGameError(f"{name!r} is not a game: expected one of {', '.join(NAMES)}")
    if kind.sizes:
        return _sized(kind, *_read_sizes(kind, name, text))
    if colon and not kind.options:
        raise UnknownGameError(f"{name!r} is not a game: {base} takes no options, expected {base!r}")
    return _chosen(kind, *_options(kind, name, text if colon else None))


def kind_of(game: Game) -> Kind:
    """The entry of the catalogue that a game belongs to.

    Args:
        game: A game of the catalogue.
    """
    return _BY_BASE[game.name.partition(":")[0]]


def knows(one: Game) -> bool:
    """Whether a game is one of the catalogue's: whoever likes can make others."""
    try:
        return game(one.name) == one
    except UnknownGameError:
        return False


def sample_of(game: Game) -> Position:
    """A position worth a picture: that of the catalogue, or the start where it has none."""
    kind = _BY_BASE.get(game.name.partition(":")[0])
    return game.play(*kind.sample.split()) if kind and game.name == kind.example else game.start()


def families() -> dict[str, list[Kind]]:
    """The entries of the catalogue in its order, those that are played alike under what they have in common."""
    found: dict[str, list[Kind]] = {}
    for kind in KINDS:
        found.setdefault(kind.family, []).append(kind)
    return found


def variants(base: str) -> list[Game]:
    """A game with every combination of its options, the usual one first."""
    kind = _BY_BASE[base]
    return [_chosen(kind, *values) for values in product(*kind.options.values())]


def _read_sizes(kind: Kind, name: str, text: str) -> tuple[int, int, int]:
    match = re.fullmatch(r"([0-9]{1,3}),([0-9]{1,3}),([0-9]{1,3})", text)
    if not match:
        raise UnknownGameError(f"{name!r} is not a game: expected {kind.name}, three numbers, as {kind.example}")
    m, n, k = int(match[1]), int(match[2]), int(match[3])
    if not (1 <= m <= LARGEST_SIDE and 1 <= n <= LARGEST_SIDE):
        raise UnknownGameError(f"{name!r} is not a game: expected M and N from 1 to {LARGEST_SIDE}")
    if not 1 <= k <= max(m, n):
        raise UnknownGameError(f"{name!r} is not a game: {k} in a row do not fit, expected K from 1 to {max(m, n)}")
    return m, n, k


def _options(kind: Kind, name: str, text: str | None) -> tuple[str, ...]:
    """The value of every option: the usual one where the text says nothing."""
    chosen = {option: values[0] for option, values in kind.options.items()}
    for word in text.split(",") if text is not None else []:
        option, _, value = word.partition("=")
        if option not in kind.options:
            raise UnknownGameError(
                f"{word!r} in {name!r} is not an option of {kind.base}: expected {', '.join(kind.options)}"
            )
        if value not in kind.options[option]:
            raise UnknownGameError(
                f"{value!r} in {name!r} is not a value of {option}: expected {' or '.join(kind.options[option])}"
            )
        chosen[option] = value
    return tuple(chosen.values())


# Boards of free size are countless, so only the latest used are kept (LRU). The others are few, and each stays the
# same object for as long as the process lives.
@lru_cache(maxsize=64)
def _sized(kind: Kind, m: int, n: int, k: int) -> Game:
    return Game(f"{kind.base}:{m},{n},{k}", *kind.make(m, n, k), f"{m}×{n}, {k} in a row")


@cache
def _chosen(kind: Kind, *values: str) -> Game:
    unusual = ",".join(
        f"{option}={value}"
        for (option, known), value in zip(kind.options.items(), values, strict=True)
        if value != known[0]
    )
    name, title = (f"{kind.base}:{unusual}", f"{kind.title} ({unusual})") if unusual else (kind.base, kind.title)
    return Game(name, *kind.make(*values), title)


def _filling(cells: int) -> Rules:
    """Placing until the board is full."""
    return Rules(((cells + 1) // 2, cells // 2))


@dataclass(frozen=True)
class _Morris:
    """The maker of the morris games: placing, sliding and capturing with mills, on so many squares."""

    squares: int
    centre: bool = False

    def __call__(self, stones: str, diagonals: str, flying: str, moving_while_placing: str, full_board: str) -> Made:
        slanted, flies, lasker = (option == "yes" for option in (diagonals, flying, moving_while_placing))
        number = int(stones)
        rules = Rules(
            (number, number),
            Movement.SLIDE,
            Blocked.LOSES,
            captures=True,
            flying=_LEAST if flies else 0,
            fewest=_LEAST,
            moving_while_placing=lasker,
            full_board_draws=full_board == "draws",
        )
        parts = [
            f"{counted(self.squares)} squares",
            *(["a centre"] if self.centre else []),
            *(["diagonals"] if slanted else []),
            f"{counted(number)} stones each; a mill captures",
            *([] if flies else ["nobody flies"]),
            *(["one may move while one has stones in hand"] if lasker else []),
        ]
        return nested_squares(self.squares, diagonals=slanted, centre=self.centre), rules, ", ".join(parts)

    def options(
        self, stones: int, *, diagonals: bool = False, lasker: bool = False, full_board_draws: bool = False
    ) -> dict[str, tuple[str, ...]]:
        """What can be chosen, and what a name with these values means alone."""
        points = 8 * self.squares + self.centre
        return {
            "stones": tuple(map(str, sorted(range(5, points // 2 + 1), key=lambda number: number != stones))),
            "diagonals": _either("yes", "no", first=diagonals),
            "flying": ("yes", "no"),
            "moving-while-placing": _either("yes", "no", first=lasker),
            "full-board": _either("draws", "loses", first=full_board_draws),
        }


_LEAST = 3
"""Stones with which a morris player plays on, and flies where that is the rule; a player with fewer has lost."""
_TWO, _TWO_AND_CENTRE, _THREE = _Morris(2), _Morris(2, centre=True), _Morris(3)


def _either(one: str, other: str, *, first: bool) -> tuple[str, str]:
    """Two values of an option, the usual one first."""
    return (one, other) if first else (other, one)


def _square4(boards: str) -> Made:
    flat = grid(4, 4, 4)
    if boards == "1":
        return flat, _filling(16), "4×4, four in a row win"
    whole = cube(4)
    return (
        Layout(whole.points, whole.places, flat.lines),
        _filling(64),
        "as in 1977: only the first of four boards counts",
    )


def _nine_holes(movement: str) -> Made:
    if movement == "jump":
        how, layout = "jump", grid(3, 3, 3, diagonals=False)
    else:
        how, layout = "slide", grid(3, 3, 3, diagonals=False, adjacency="orthogonal")
    rules = Rules((3, 3), Movement(movement), Blocked.LOSES)
    return layout, rules, f"three stones each are placed, then {how}; three in a row or column win"


def _achi(adjacency: str, row_while_placing: str, diagonals: str, blocked: str) -> Made:
    return (
        grid(3, 3, 3, diagonals=diagonals == "yes", adjacency=adjacency),
        Rules((4, 4), Movement.SLIDE, Blocked(blocked), row_while_placing=row_while_placing == "yes"),
        "African millwheel: four stones each are placed, then slide; three in a row win",
    )


KINDS = (
    Kind(
        "tictactoe",
        "Tic-tac-toe",
        "Three in a row",
        "Everybody knows it; few know the fork that beats them.",
        lambda: (grid(3, 3, 3), _filling(9), "three in a row win"),
        "b2 a1 c1 a3 a2",
        Outcome.DRAW,
    ),
    Kind(
        "square4",
        "Four by four",
        "Four in a row",
        "A little more room: ten rows, and a draw if nobody sleeps.",
        _square4,
        "b2 c2 c3 b3 a1 d4 d1 a4 d2",
        Outcome.DRAW,
        options={"boards": ("1", "4")},
    ),
    Kind(
        "qubic",
        "Qubic",
        "Four in a row, in space",
        "A cube of 64 cells and 76 rows. Whoever begins can always win, if they can see how.",
        lambda: (cube(4), _filling(64), "4×4×4, four in a row in any direction win"),
        "1a1 2b2 4d4 3c3 1d1 1b1 4a4 2c2 3b3 1c1 2d4",
        Outcome.WIN,
    ),
    Kind(
        "mnk:M,N,K",
        "Any board",
        "You choose its size",
        "Up to 19×19, with a row as long as you like: five on 15×15 is gomoku.",
        lambda m, n, k: (grid(m, n, k), _filling(m * n), f"{m} columns, {n} rows, {k} in a row win"),
        "c3 b2 c2 c4 d3 b3 b4 d2",
        Outcome.DRAW,
        sizes=(5, 5, 4),
    ),
    Kind(
        "arabian",
        "Arabian millwheel",
        "Three stones jump",
        "Three stones each; once placed, they jump anywhere. Best play never ends.",
        lambda: (
            grid(3, 3, 3),
            Rules((3, 3), Movement.JUMP, Blocked.LOSES),
            "Arabian millwheel: three stones each are placed, then jump; three in a row win",
        ),
        "b2 a1 c3 c1 b1 b3",
        Outcome.DRAW,
    ),
    Kind(
        "achi",
        "Achi",
        "Four stones slide",
        "Eight stones on nine points: every move goes to the one empty place.",
        _achi,
        "b2 a1 c3 c1 b1 b3 a3 a2",
        Outcome.WIN,
        options={
            "adjacency": ("lines", "orthogonal", "king"),
            "row-while-placing": ("yes", "no"),
            "diagonals": ("yes", "no"),
            "blocked": ("loses", "draws", "passes"),
        },
    ),
    Kind(
        "three-mens-morris",
        "Three men’s morris",
        "Three stones slide",
        "The smallest morris: whoever begins can win in nine plies.",
        lambda: (
            grid(3, 3, 3, adjacency="lines"),
            Rules((3, 3), Movement.SLIDE, Blocked.LOSES),
            "three stones each are placed, then slide; three in a row win",
        ),
        "b2 c1 a1 c3 c2 a2",
        Outcome.WIN,
    ),
    Kind(
        "tapatan",
        "Tapatan",
        "Three stones slide",
        "What three men’s morris is called in the Philippines.",
        lambda: (
            grid(3, 3, 3, adjacency="lines"),
            Rules((3, 3), Movement.SLIDE, Blocked.LOSES),
            "three men’s morris of the Philippines: three stones each are placed, then slide; three in a row win",
        ),
        "a1 b2 c3 c1 a3 a2",
        Outcome.WIN,
    ),
    Kind(
        "picaria",
        "Picaria",
        "Three stones slide, every way",
        "The Pueblo peoples’ board has four lines more: from every point stones slide in all directions.",
        lambda: (
            grid(3, 3, 3, adjacency="king"),
            Rules((3, 3), Movement.SLIDE, Blocked.LOSES),
            "three stones each are placed, then slide to any point beside them; three in a row win",
        ),
        "a2 b2 b1 b3 c3 c1",
        Outcome.DRAW,
    ),
    Kind(
        "nine-holes",
        "Nine holes",
        "Three stones jump, no diagonals",
        "Only rows and columns win, and stones go from any hole to any other.",
        _nine_holes,
        "a1 b2 c3 b1 b3 a3",
        Outcome.DRAW,
        options={"movement": ("jump", "slide")},
    ),
    Kind(
        "five-mens-morris",
        "Five men’s morris",
        "A mill captures",
        "Two squares and five stones: whoever loses three of them has lost.",
        _TWO,
        "c1 a3 e3 c4 b2 d2 a5 b4 b3",
        Outcome.DRAW,
        options=_TWO.options(5),
    ),
    Kind(
        "six-mens-morris",
        "Six men’s morris",
        "A mill captures",
        "Two squares and eight mills. A row no longer wins: it takes a stone.",
        _TWO,
        "c1 a3 e3 b2 c4 d3 c5 a5 a1",
        Outcome.DRAW,
        options=_TWO.options(6),
    ),
    Kind(
        "seven-mens-morris",
        "Seven men’s morris",
        "Mills through the centre, too",
        "Two squares around a centre, in which the mills of two long lines meet.",
        _TWO_AND_CENTRE,
        "c3 c2 c4 c5 b2 d2 b3 d3 a3xc2 a5 e1",
        Outcome.WIN,
        options=_TWO_AND_CENTRE.options(7),
    ),
    Kind(
        "nine-mens-morris",
        "Nine men’s morris",
        "A mill captures",
        "Three squares, sixteen mills, and at the end stones that fly.",
        _THREE,
        "d2 d6 b4 f4 d1 d5 b2 a4 g7 c3 f2xc3 e5 a1",
        Outcome.DRAW,
        options=_THREE.options(9),
    ),
    Kind(
        "lasker-morris",
        "Lasker’s morris",
        "Place or slide, as you like",
        "Ten stones, and while some are in hand one may slide instead of placing: the chess champion’s own rule.",
        _THREE,
        "d2 d6 f4 b4 d1 g7 d2-b2 c3",
        Outcome.DRAW,
        options=_THREE.options(10, lasker=True),
    ),
    Kind(
        "eleven-mens-morris",
        "Eleven men’s morris",
        "Mills along diagonals, too",
        "Lines through the corners make it twenty mills, and two points stay free.",
        _THREE,
        "b2 d2 f6 d6 b6 f2 b4xd2 d2 d3 e3 g7",
        Outcome.WIN,
        options=_THREE.options(11, diagonals=True),
    ),
    Kind(
        "twelve-mens-morris",
        "Twelve men’s morris",
        "Mills along diagonals, too",
        "As many stones as points, and twenty mills. A board that fills up is a draw.",
        _THREE,
        "b2 f6 f2 b6 d2xb6 b6 d6 d1 a1 c3 g7",
        Outcome.WIN,
        options=_THREE.options(12, diagonals=True, full_board_draws=True),
    ),
    Kind(
        "morabaraba",
        "Morabaraba",
        "Twelve cows, and mills along diagonals",
        "Southern Africa’s game of the herd: what stands in no mill can be shot.",
        _THREE,
        "d2 b4 f2 f4 b6 f6 e5 b2 a7 c5 d3",
        Outcome.WIN,
        options=_THREE.options(12, diagonals=True, full_board_draws=True),
    ),
)

NAMES = tuple(kind.name for kind in KINDS)
BASES = tuple(kind.base for kind in KINDS)
"""What stands before a colon."""
_BY_BASE = {kind.base: kind for kind in KINDS}
