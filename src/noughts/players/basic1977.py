"""The BASIC program of 1977 in its four versions.

*3-D Tic-Tac-Toe*, a magazine article of 1977 with a listing of sixty lines in Altair BASIC. How it decides, and how
long that took, is in `noughts.players.listing1977`; here are the players, who differ in which boxes and combinations
count and in the points (`Decision`). Each tells its own story.
"""

import re
from typing import ClassVar

from noughts.games import Game, Move, Outcome, Position
from noughts.players.listing1977 import (
    BOXES,
    COMBINATIONS,
    FIRST_BOARD,
    MACHINE,
    USER,
    Decision,
    decide,
    figure_number,
    points,
    statements,
)
from noughts.players.player import Choice, Player

__all__ = ["Basic1", "Basic2", "Basic3", "Basic1977", "BasicF", "box_of", "point_of", "worths"]

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
        worth = worths(position, position.turn)
        box, combination = decide(worth, self.decision)
        cost = statements(worth, self.decision)
        if box < 0:
            return Choice(game.moves(position)[0], statements=cost)
        remark = None if combination is None else f"THE OLD {figure_number(combination)}"
        return Choice(Move(point_of(box)), remark=remark, statements=cost)

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
        wanted = range(first, max(first, last) + 1, step)  # the first always: BASIC looks at the end of a loop
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


def worths(position: Position, machine: int) -> list[int]:
    """What every box is worth in a position, the machine being the side given; the listing's array S."""
    worth = [0] * BOXES
    for box in range(BOXES):
        for side, value in ((machine, MACHINE), (1 - machine, USER)):
            if position.stones[side] >> point_of(box) & 1:
                worth[box] = value
    return worth


def box_of(point: int) -> int:
    """The box of a point: boxes run down the columns, points along the rows."""
    level, row, column = point // 16, point // 4 % 4, point % 4
    return 16 * level + 4 * column + row


point_of = box_of
"""Exchanging rows and columns twice changes nothing."""
