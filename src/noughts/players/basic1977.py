"""The BASIC program of 1977 in its four versions.

*3-D Tic-Tac-Toe*, a magazine article of 1977 with a listing of sixty lines in Altair BASIC. The cube is 64
boxes, numbered board by board and down the columns, and a list of 76 winning combinations, numbered as in the
article's figure 3. A box is worth 0 if it is empty, 1 if the user holds it and 5 if the machine does; a
combination is worth the sum of its boxes. From these 76 numbers all decisions follow:

- 15: the machine completes the combination and wins; the last such in the list counts.
- 3: the user threatens to win. The free box is taken: in versions 1, 3 and F the first such box of the board,
  in version 2 that of the last such combination of the list.
- Otherwise every free box gets points for each combination it lies in, by the combination's worth, and the
  first box with the most points is taken. If no box has any, the first free one.

The last rule is not in the listing of versions 1 and 3, which would repeat an old move there; it is what
version 2 does. Boxes are numbered from 0 here, and printed from 1.

The versions differ in which boxes and combinations count and in the points (`Decision`); each tells its own story.
"""

import re
from typing import ClassVar, NamedTuple

from noughts.games import Game, Move, Outcome, Position
from noughts.players.player import Choice, Player

__all__ = [
    "COMBINATIONS",
    "THROUGH",
    "Basic1",
    "Basic2",
    "Basic3",
    "Basic1977",
    "BasicF",
    "Decision",
    "decide",
]

USER, MACHINE = 1, 5
BOXES = 64
FIRST_BOARD = 16


def _combinations() -> tuple[tuple[int, int, int, int], ...]:
    """The 76 winning combinations in the order of the listing (its lines 20 to 84)."""
    board = [tuple(range(first, first + 4)) for first in (1, 5, 9, 13)]
    board += [tuple(range(first, 17, 4)) for first in (1, 2, 3, 4)]
    board += [(1, 6, 11, 16), (4, 7, 10, 13)]
    flat = [tuple(box + 16 * level for box in line) for level in range(4) for line in board]
    upright = [tuple(box + 16 * level for level in range(4)) for box in range(1, 17)]
    slanted = [(1, 22, 43, 64), (5, 22, 39, 56), (9, 26, 43, 60), (13, 26, 39, 52), (2, 22, 42, 62)]
    slanted += [(14, 26, 38, 50), (3, 23, 43, 63), (15, 27, 39, 51), (4, 23, 42, 61), (8, 23, 38, 53)]
    slanted += [(12, 27, 42, 57), (16, 27, 38, 49), (1, 21, 41, 61), (1, 18, 35, 52), (4, 19, 34, 49)]
    slanted += [(4, 24, 44, 64), (13, 25, 37, 49), (13, 30, 47, 64), (16, 31, 46, 61), (16, 28, 40, 52)]
    return tuple((a - 1, b - 1, c - 1, d - 1) for a, b, c, d in [*flat, *upright, *slanted])


COMBINATIONS = _combinations()
THROUGH = tuple(
    tuple(number for number, combination in enumerate(COMBINATIONS) if box in combination) for box in range(BOXES)
)
"""For every box, the combinations it lies in, in the order of the list."""


def figure_number(combination: int) -> int:
    """The number of a combination in figure 3, where 53 and 54 have changed places."""
    return {52: 54, 53: 53}.get(combination, combination + 1)


class Decision(NamedTuple):
    """What differs between the versions; see `decide`."""

    boxes: int
    """How many boxes the machine may take: 64, or 16 in version 1."""
    lines: int
    """How many combinations count: 76, or 10 in version 1."""
    counted: tuple[bool, ...]
    """For every combination, whether it gives points."""
    points: tuple[int, ...]
    """By a combination's worth, 0 to 15, the points it gives to a box."""
    last_threat: bool
    """Whether the last threat in the list is parried, not the first on the board."""


def decide(worth: list[int], decision: Decision) -> tuple[int, int | None]:
    """The box to take, and the combination that wins with it; the box is −1 if none is left to take."""
    totals = [sum(worth[box] for box in line) for line in COMBINATIONS[: decision.lines]]
    if 3 * MACHINE in totals:
        win = _last(totals, 3 * MACHINE)
        return _free(worth, win), win
    if 3 * USER in totals and decision.last_threat:
        return _free(worth, _last(totals, 3 * USER)), None
    return _by_points(worth, totals, decision), None


def _by_points(worth: list[int], totals: list[int], decision: Decision) -> int:
    """The first box that parries a threat, or else the first with the most points, or else the first free."""
    best, most = -1, 0
    for box in range(decision.boxes):
        if worth[box]:
            continue
        lines = [number for number in THROUGH[box] if number < decision.lines]
        if any(totals[number] == 3 * USER for number in lines):
            return box
        points = sum(decision.points[totals[number]] for number in lines if decision.counted[number])
        if points > most or best < 0:
            best, most = box, points
    return best


def _last(totals: list[int], total: int) -> int:
    return max(number for number, found in enumerate(totals) if found == total)


def _free(worth: list[int], number: int) -> int:
    return next(box for box in COMBINATIONS[number] if not worth[box])


def points(*, two: int = 4, five: int = 1, ten: int = 2) -> tuple[int, ...]:
    """Points by worth: one of the user's gives 1, two `two`; one of the machine's `five`, two `ten`."""
    table = [0] * (4 * MACHINE + 1)
    table[USER], table[2 * USER], table[MACHINE], table[2 * MACHINE] = 1, two, five, ten
    return tuple(table)


EVERYWHERE = Decision(BOXES, len(COMBINATIONS), (True,) * 76, points(), last_threat=False)
"""Version 3; the others change a field or two."""


class Basic1977(Player):
    """A version of the program: its decision, its notation and what it prints."""

    machine = True
    year = 1977
    last_words: ClassVar[dict[Outcome, str]] = {Outcome.LOSS: "YOU WON"}
    decision: Decision

    def choose(self, game: Game, position: Position) -> Choice:
        """The program's move; with a winning one, the words it wins with."""
        worth = [0] * BOXES
        for point in range(len(game.layout)):
            for side, value in ((position.turn, MACHINE), (1 - position.turn, USER)):
                if position.stones[side] >> point & 1:
                    worth[box_of(point)] = value
        box, combination = decide(worth, self.decision)
        if box < 0:
            return Choice(game.moves(position)[0])
        remark = None if combination is None else f"THE OLD {figure_number(combination)}"
        return Choice(Move(point_of(box)), remark=remark)

    def read_own(self, text: str) -> Move | None:
        """A board, a comma and a position, as `1,4`."""
        match = re.fullmatch(r"([1-4]) ?, ?([1-9]|1[0-6])", text.strip())
        return Move(point_of(16 * (int(match[1]) - 1) + int(match[2]) - 1)) if match else None

    def write_own(self, move: Move) -> str | None:
        """The board and the position of a move."""
        assert move.to is not None
        box = box_of(move.to)
        return f"{box // 16 + 1},{box % 16 + 1}"


class Basic1(Basic1977):
    """Version 1, program A with the changes of program C: 4×4, on the first of its four boards, with a quick reply.

    Only the combinations 1 to 10 and the boxes 1 to 16 count. The user may still name another board; then, the
    article warns, the turn is lost. `square4:boards=4` is that game; the machine plays plain `square4` as well.
    """

    name = "basic1"
    about = "the 1977 BASIC program, version 1: the flat 4×4 board"
    title = "BASIC version 1"
    story = "Sixty lines in a magazine brought it to home computers. Here on one flat board."
    strength = "never loses if you begin"
    plays_only = ("square4:boards=4", "square4")
    decision = EVERYWHERE._replace(boxes=FIRST_BOARD, lines=10)


class Basic2(Basic1977):
    """Version 2, program A with the changes of program B: it can be beaten, and moved in 25 seconds or less.

    It gives points only for some combinations, by its line 220: 60 to 76 in steps of 2. Attack counts as much as
    defence: two boxes in a combination give 2, whoever holds them. Both can be changed, as the article suggests:

        basic2:from=41,to=76,step=1      other combinations
        basic2:harder=yes                two of the user's boxes give 4 (line 280 with A6↑A6)
    """

    name = "basic2"
    about = "the 1977 BASIC program, version 2: can be beaten; options from, to, step, harder"
    title = "BASIC version 2"
    story = "Sixty lines from a magazine. Counts only some of the 76 lines, so that it moved in 25 seconds or less."
    strength = "can be beaten in six moves"
    plays_only = ("qubic",)
    options: ClassVar[dict[str, str]] = {"from": "60", "to": "76", "step": "2", "harder": "no"}

    def __init__(self, seed: int | None = None, options: dict[str, str] | None = None) -> None:
        super().__init__(seed, options)
        first, last, step = (self.number(option, 1, 76) for option in ("from", "to", "step"))
        wanted = range(first, last + 1, step)
        self.decision = EVERYWHERE._replace(
            counted=tuple(number in wanted for number in range(1, 77)),
            points=points(two=4 if self.truth("harder") else 2),
            last_threat=True,
        )


class Basic3(Basic1977):
    """Version 3, program A: "almost unbeatable" in the words of its author.

    One user's box in a combination gives 1 point, two give 4; one machine's box 1, two 2. So it defends rather
    than attacks, since the user is always a move ahead. It took about three minutes for its first move.
    """

    name = "basic3"
    about = 'the 1977 BASIC program, version 3: "almost unbeatable"'
    title = "BASIC version 3"
    story = "“Almost unbeatable”, said its author. It defends rather than attacks; its first move took three minutes."
    strength = "can be beaten in six moves"
    plays_only = ("qubic",)
    decision = EVERYWHERE


class BasicF(Basic1977):
    """Version 3 with the line of program F, "the ultimate unbeatable game".

    A combination with machine's boxes gives one point less than in version 3, so that the machine defends even
    more. The author had not tried it: he had not beaten version 3 yet.
    """

    name = "basicf"
    about = 'the 1977 BASIC program, version 3 with program F: "the ultimate unbeatable game"'
    title = "The ultimate BASIC"
    story = "Version 3 with one line changed, to defend even more. Its author had not tried it."
    strength = "can be beaten in eight moves"
    plays_only = ("qubic",)
    decision = EVERYWHERE._replace(points=points(five=0, ten=1))


def box_of(point: int) -> int:
    """The box of a point: boxes run down the columns, points along the rows."""
    level, row, column = point // 16, point // 4 % 4, point % 4
    return 16 * level + 4 * column + row


point_of = box_of
"""Exchanging rows and columns twice changes nothing."""
