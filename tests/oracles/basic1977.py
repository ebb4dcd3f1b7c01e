"""The three-dimensional tic-tac-toe of 1977, line by line as the BASIC listing has it.

Program A of the article is version 3; program B turns it into version 2, program C into version 1, and
program F makes version 3 more defensive. Variables and line numbers are those of the listing. The scan is
damaged; read here as: line 30 `A1=A*10`, line 200 `M3=0`, line 280 `M2=M2+A6↑A6`, line 290
`IF A7=A6/5 THEN M2=M2+A7` and in program F `... THEN M2=M2+A7-1`, lines 370 and 392
`A1=INT((M4-1)/16)+1` (M5 in 370).

The listing knows no draw, and without a box that scores, versions 1 and 3 would move again where they moved
last. Lines 352 and 354, which program B adds for this, therefore stand in all versions here: the machine
takes the first free box, and if there is none the game is a draw.
"""

# The names are the listing's: capital letters.
# ruff: noqa: N802, N803, N806

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

VERSIONS = ("basic1", "basic2", "basic3", "basicf")

DATA = [
    *(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 1, 5, 9, 13, 2, 6, 10, 14),  # 72
    *(3, 7, 11, 15, 4, 8, 12, 16, 1, 6, 11, 16, 4, 7, 10, 13, 1, 22, 43, 64),  # 74
    *(5, 22, 39, 56, 9, 26, 43, 60, 13, 26, 39, 52, 2, 22, 42, 62, 14, 26, 38, 50),  # 76
    *(3, 23, 43, 63, 15, 27, 39, 51, 4, 23, 42, 61, 8, 23, 38, 53, 12, 27, 42, 57, 16, 27, 38, 49),  # 78
    *(1, 21, 41, 61, 1, 18, 35, 52, 4, 19, 34, 49, 4, 24, 44, 64),  # 83
    *(13, 25, 37, 49, 13, 30, 47, 64, 16, 31, 46, 61, 16, 28, 40, 52),  # 84
]

Combination = tuple[int, int, int, int]


@dataclass(frozen=True)
class Reply:
    """What the machine does after the user's move.

    `event` is "user won", "machine won", "move" or "draw"; `box` is where the machine moves, if it does.
    Only a win of the machine has the last two: `combination` is the number of the winning combination, which
    the article says follows the words "THE OLD"; `printed` is the number the listing really prints there,
    that of the box, because line 365 has overwritten M5.
    """

    event: str
    box: int | None = None
    combination: int | None = None
    printed: int | None = None


def box(board: int, position: int) -> int:
    """The computer's number, 1 to 64, of a position (1 to 16) on a board (1 to 4)."""
    if not (1 <= board <= 4 and 1 <= position <= 16):
        raise ValueError(f"a move is a board 1 to 4 and a position 1 to 16, not {board},{position}")
    return ((board - 1) * 16) + position  # 100


def board_position(box: int) -> tuple[int, int]:
    """The board and the position on it of a box 1 to 64."""
    if not 1 <= box <= 64:
        raise ValueError(f"a box is a number from 1 to 64, not {box}")
    A1 = (box - 1) // 16 + 1  # 370, 392
    A2 = box - ((A1 - 1) * 16)
    return A1, A2


def parse(move: str) -> int:
    """The box of a move as it is typed: board, comma, position."""
    typed = re.fullmatch(r"\s*([0-9]+)\s*,\s*([0-9]+)\s*", move)
    if typed is None:
        raise ValueError(f"a move is a board, a comma and a position, not {move!r}")
    return box(int(typed[1]), int(typed[2]))


def read_combinations() -> list[list[int]]:
    """The array W(3,76) as lines 20 to 84 fill it; the BASIC W(A1,A) is W[A1][A], and W[A1][0] is unused."""
    W = [[0] * 77 for _ in range(4)]  # 10
    READ = iter(DATA)
    for A in range(1, 11):  # 20
        for A1 in range(4):
            W[A1][A] = next(READ)
    for A in range(1, 4):  # 30
        A1 = A * 10
        for A2 in range(1, 11):
            for A3 in range(4):
                W[A3][A1 + A2] = W[A3][A2] + (16 * A)  # 40
    for A in range(41, 57):  # 50
        for A1 in range(4):
            W[A1][A] = (A1 * 16) + A - 40  # 60
    for A in range(57, 77):  # 70
        for A1 in range(4):
            W[A1][A] = next(READ)
    return W


class Machine:
    """The computer of one version of the game: "basic1", "basic2", "basic3", or "basicf" with program F.

    It remembers nothing between moves: the boxes taken say it all.
    """

    def __init__(self, version: str, *, combinations: Sequence[int] | None = None, harder: bool = False) -> None:
        """Version 2 has two options, the other versions none.

        `combinations` are the numbers of the combinations that line 220 goes through (60 to 76 in steps of
        2); `harder` is the change of line 280 that the note under program B suggests.
        """
        if version not in VERSIONS:
            raise ValueError(f"the version must be one of {', '.join(VERSIONS)}, not {version!r}")
        if version != "basic2" and (combinations is not None or harder):
            raise ValueError(f"only basic2 has options, not {version}")
        self.version = version
        self.harder = harder
        self._w = read_combinations()
        self._combinations_190: Sequence[int] = range(1, 77)
        self._boxes_205: Sequence[int] = range(1, 65)
        self._combinations_220: Sequence[int] = range(1, 77)
        if version == "basic1":  # program C
            self._combinations_190 = range(1, 11)
            self._boxes_205 = range(1, 17)
            self._combinations_220 = range(1, 11)
        if version == "basic2":  # program B
            self._combinations_220 = range(60, 77, 2) if combinations is None else tuple(combinations)
        for number in self._combinations_220:
            if not 1 <= number <= 76:
                raise ValueError(f"a combination is a number from 1 to 76, not {number}")
        # 220, 225, 228: the same for every position, so they are gone through once.
        self._combinations_of_box = [
            [A1 for A1 in self._combinations_220 if any(self._w[A2][A1] == A for A2 in range(4))] for A in range(65)
        ]

    @property
    def W(self) -> list[Combination]:
        """The 76 winning combinations as tuples of boxes; the first in the list is number 1."""
        W = self._w
        return [(W[0][A], W[1][A], W[2][A], W[3][A]) for A in range(1, 77)]

    def combinations(self) -> list[Combination]:
        """The same table as `W`."""
        return self.W

    def reply(self, user: Collection[int], machine: Collection[int]) -> Reply:
        """What the machine does when the user, who has just moved, and the machine hold these boxes.

        A move of the machine that fills the board is a "move" like any other; "draw" is the answer when it
        is the machine's turn and no box is left for it.
        """
        S = values_of_boxes(user, machine)
        V = [0] * 77  # 10
        M5 = 0  # 190
        Q = 0
        for A in self._combinations_190:
            V[A] = sum(S[self._w[A1][A]] for A1 in range(4))  # 192, 194
            if V[A] == 4:  # 196
                return Reply("user won")  # 410
            if V[A] == 3:  # 197, program B; no other version looks at Q
                Q = A
            if V[A] == 15:  # 198
                M5 = A
        if M5 != 0:  # 199
            M5_365 = self._free_box_of(M5, S)
            return Reply("machine won", M5_365, combination=M5, printed=M5_365)  # 368 to 380
        if self.version == "basic2" and Q != 0:  # 201
            return Reply("move", self._free_box_of(Q, S))  # 202, 390
        M4 = self._best_box(S, V)
        if M4 is None:
            return Reply("draw")
        return Reply("move", M4)  # 390 to 400

    def _free_box_of(self, combination: int, S: list[int]) -> int:
        """Lines 365 to 367 and 202 to 203: the free box of a combination that has just one."""
        for A1 in range(4):
            A6 = self._w[A1][combination]
            if S[A6] == 0:
                return A6
        raise AssertionError(f"combination {combination} has no free box")

    def _best_box(self, S: list[int], V: list[int]) -> int | None:
        """Lines 200 to 354: the box M4 that the machine chooses, None if none is free."""
        M4 = 0
        M3 = 0  # 200
        for A in self._boxes_205:  # 205
            M2 = 0
            if S[A] != 0:  # 210
                continue
            for A1 in self._combinations_of_box[A]:  # 220, 225, 228
                A6 = V[A1]  # 230
                if A6 == 3:  # 260
                    return A
                if A6 == 0:  # 270
                    continue
                M2 = M2 + self._points(A6)  # 280, 290
            if M2 > M3:  # 320
                M3 = M2
                M4 = A
        if M3 != 0:  # 350, program B
            return M4
        for A in self._boxes_205:  # 352, program B; 1 to 64 there, which version 2 has in line 205 too
            if S[A] == 0:
                return A
        return None

    def _points(self, A6: int) -> int:
        """Lines 280 and 290: what a combination of value A6 adds to M2."""
        if A6 < 5:  # 280
            if self.version == "basic2" and not self.harder:
                return A6
            return int(A6**A6)
        A7 = A6 // 5  # 290
        if A7 == A6 / 5:
            return A7 - 1 if self.version == "basicf" else A7
        return 0


def values_of_boxes(user: Collection[int], machine: Collection[int]) -> list[int]:
    """The array S(64): 0 for a free box, 1 for the user's, 5 for the machine's; S[0] is unused."""
    S = [0] * 65  # 10, 80
    for boxes, value in ((user, 1), (machine, 5)):
        for A in boxes:
            if not 1 <= A <= 64:  # 105
                raise ValueError(f"a box is a number from 1 to 64, not {A}")
            if S[A] != 0:  # 110
                raise ValueError(f"box {A} is taken twice")
            S[A] = value  # 120, 390
    return S
