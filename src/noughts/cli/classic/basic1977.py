"""The screen of 1977: four boards of UU and CC, and a conversation in capitals, line by line as the listing has it.

What the program remembers is its array S: what every box is worth. Line 80 empties it, 85 greets; 90 to 120 ask for a
board and a position until they name a free box; 190 to 400 are the machine's move (`noughts.players.listing1977`);
1000 to 1130 print the boards. After YOU WON a new game begins at once (line 410), after I WON when READY? is answered
(382).

**The columns** are those of the TABs: positions at 24, 40, 56 and 72, headings every 15. BASIC prints a number with a
blank before it, for the sign, and one behind. The lines 1000 to 1130 are damaged in print; read here as: FOR where it
is missing (1110), S$ for S (1120: else the worth would be printed), two blanks for an empty box, as the text says
(line 80 has one). As printed, a board would be 20 columns wide (1120: blanks around each slash) and the rule below it
ten (1127), under headings every 15. What can be seen is kept: a slash after every box, ten in a rule; the blanks are
set so that boards and rules stand under their headings.

**INPUT** wants numbers, here whole ones. It asks again with ?? where some are missing, drops what is too much, and
wants words once more. Here QUIT leaves, an empty line is asked again (it stopped the program), and any other answer
to READY? will do.

**What the article lets one change**: no boards (its "1000 RETURN"); the combinations asked for first (program D);
stones set up before each game (program E, whose second line needs `<> 0` where `= 0` is printed); and after THE OLD
the number of the box, as the listing prints it (line 365 has overwritten the combination), or of the combination, as
the text says.

Ours is only the end of a game that nobody can win: the listing would refuse every move for ever.
"""

import re
import select
import sys
import time
from typing import NamedTuple

from noughts.cli.keyboard import LeaveError, question
from noughts.games import Game, NoughtsError, Position
from noughts.players import Player
from noughts.players.basic1977 import Basic1977, worths
from noughts.players.listing1977 import (
    BOXES,
    COMBINATIONS,
    MACHINE,
    USER,
    decide,
    figure_number,
    in_seconds,
    statements,
    user_won,
)

__all__ = ["THE_OLD", "Changes", "play"]

THE_OLD = ("box", "combination")
"""What may follow the words THE OLD: as the listing prints it, and as the text says."""


class Changes(NamedTuple):
    """What is changed in the listing."""

    boards: bool = True
    """Whether they are printed; if not, line 1000 is RETURN."""
    combinations: bool = False
    """Whether program D is put in: ask for a range of combinations, and print them."""
    the_old: str | None = None
    """One of `THE_OLD`; None stands for the first."""
    as_slow: bool = False
    """Whether a reply takes as long as it did."""

    @property
    def options(self) -> list[str]:
        """The options of `noughts play` by which these changes are wished for."""
        wished = {
            "--no-boards": not self.boards,
            "--combinations": self.combinations,
            "--the-old": self.the_old is not None,
            "--as-slow-as-1977": self.as_slow,
        }
        return [option for option, given in wished.items() if given]


def play(_game: Game, machine: Player, position: Position | None, changes: Changes, setup: bool) -> None:
    """Play game after game against the machine until the person leaves.

    Args:
        machine: the opponent.
        position: where the first game begins, if not with empty boards.
        changes: what is changed in the listing.
        setup: whether program E is put in: ask for the user's boxes, then for the machine's.
    """
    assert isinstance(machine, Basic1977)
    if changes.the_old not in (None, *THE_OLD):
        raise NoughtsError(f"--the-old {changes.the_old!r}: expected {' or '.join(THE_OLD)}")
    if changes.combinations and setup:
        raise NoughtsError("--combinations does not go with --setup: expected one of them, both are lines 81 and 82")
    while True:
        _Game(machine, changes, position, setup).play()
        position = None


class _Game:
    """One run of the program from line 80 on."""

    def __init__(self, machine: Basic1977, changes: Changes, position: Position | None, setup: bool) -> None:
        self.decision = machine.decision
        self.changes = changes
        self.setup = setup
        self.worth = [0] * BOXES if position is None else worths(position, 1)
        self.machine_first = position is not None and position.turn == 1

    def play(self) -> None:
        """Lines 81 to 410."""
        if self.changes.combinations:
            _show_combinations()
        if self.setup:
            self._set_up(81, USER)
            self._set_up(82, MACHINE)
        print("YOUR MOVES ARE UU AND I'M CC")
        going_on = not self.machine_first or self._reply()
        while going_on:
            if all(self.worth[: self.decision.boxes]):
                self._draw()
                return
            self.worth[self._users_box()] = USER
            going_on = self._reply()

    def _set_up(self, line: int, value: int) -> None:
        """Program E: boxes from 1 to 64, one at a time, until 0; any number of them, also taken ones."""
        while True:
            (box,) = _input("", 1)
            if box == 0:
                return
            if 1 <= box <= BOXES:
                self.worth[box - 1] = value
            else:
                _complain(box, line)

    def _users_box(self) -> int:
        """Lines 90 to 110. Only the box is checked, so that 1,17 is box 17, which is 2,1."""
        while True:
            self._print_boards()
            board, place = _input("YOUR BOARD, POSITION", 2)
            box = 16 * (board - 1) + place
            if not 1 <= box <= BOXES:
                print("ILLEGAL MOVE")
            elif self.worth[box - 1]:
                print("YOU CAN'T MOVE THERE")
            else:
                return box - 1

    def _reply(self) -> bool:
        """Lines 190 to 410; whether the game goes on."""
        if self.changes.as_slow:
            _wait(in_seconds(statements(self.worth, self.decision)))
        if user_won(self.worth, self.decision):
            print("\nYOU WON")
            self._print_boards()
            return False
        box, combination = decide(self.worth, self.decision)
        if box < 0:
            self._draw()
            return False
        self.worth[box] = MACHINE
        where = f"BOARD{_number(box // 16 + 1)}POSITION{_number(box % 16 + 1)}"
        if combination is None:
            print(f"I WANT {where}")
            return True
        print(f"THE OLD{_number(figure_number(combination) if self.changes.the_old == THE_OLD[1] else box + 1)}")
        print(f"I WON WITH {where}")
        self._print_boards()
        _answer("READY? ")
        return False

    def _draw(self) -> None:
        print("\nNO BOX IS LEFT. IT IS A DRAW")
        self._print_boards()
        _answer("READY? ")

    def _print_boards(self) -> None:
        """Lines 1000 to 1130."""
        if not self.changes.boards:
            return
        for row in range(4):
            line = "POSITIONS ARE" if row == 0 else ""
            for first in (1, 5, 9, 13):
                line = line.ljust(20 + first * 4) + _number(row + first)
            print(line)
        headings = ""
        for board in range(4):
            headings = headings.ljust(board * 15) + f"BOARD{_number(board + 1)}"
        print(f"\n\n{headings}\n\n")
        marks = {0: "  ", USER: "UU", MACHINE: "CC"}
        for row in range(4):
            boxes = [16 * board + 4 * column + row for board in range(4) for column in range(4)]
            print("".join(f"{marks[self.worth[box]]}/{'   ' * (box % 16 >= 12)}" for box in boxes))
            if row < 3:
                print(("/" * 10 + " " * 5) * 4)
        print("\n")


def _show_combinations() -> None:
    """Program D: from which to which combination? Then on with a number up to 1, or another range.

    The numbers are the program's, in which 53 and 54 stand the other way round than in figure 3.
    """
    again = True
    while again:
        first, last = _input("", 2)
        for number in range(first, max(first, last) + 1):
            if not 0 <= number <= len(COMBINATIONS):
                _complain(number, 81)
                break
            boxes = [box + 1 for box in COMBINATIONS[number - 1]] if number else [0] * 4
            print("".join(_number(box) for box in boxes))
        (answer,) = _input("", 1)
        again = answer > 1


def _input(prompt: str, wanted: int) -> list[int]:
    """So many whole numbers, separated by commas, as BASIC's INPUT asks for them."""
    found: list[int] = []
    while len(found) < wanted:
        text = _answer("?? " if found else f"{prompt}? ")
        words = [word.strip() for word in text.split(",")]
        if all(re.fullmatch("[+-]?[0-9]{1,6}", word) for word in words):
            found += [int(word) for word in words]
        elif text:
            print("?REDO FROM START")
            found = []
    if len(found) > wanted:
        print("?EXTRA IGNORED")
    return found[:wanted]


def _answer(prompt: str) -> str:
    """What the person types, unless it is a wish to leave."""
    text = question(prompt)
    if text.lower() in ("q", "quit", "exit"):
        raise LeaveError
    return text


def _complain(number: int, line: int) -> None:
    """The error of a subscript that an array does not have; the program stopped, here it asks again."""
    print(f"?{'FC' if number < 0 else 'BS'} ERROR IN{_number(line).rstrip()}")


def _number(number: int) -> str:
    """A number as BASIC prints it: a blank for the sign, and one behind."""
    return f"{number: } "


def _wait(seconds: float) -> None:
    """Say nothing for so long; at a terminal, Enter ends it."""
    if sys.stdin.isatty():
        try:
            if select.select([sys.stdin], [], [], seconds)[0]:
                sys.stdin.readline()
            return
        except OSError:
            pass  # there are systems that select from sockets alone
    time.sleep(seconds)
