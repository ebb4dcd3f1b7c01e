"""The screen of 1990: the main program of the chip's authors (appendix F.3), which tried their algorithm on a person.

    0    T I C - T A C - T O E            the title
    2      !---!---!---!                  the board: the stone of place i in row (i / 3) * 2 + 3
    3    1 !   ! X !   !                  and column (i % 3) * 4 + 4
    ⋮
    9        A   B   C
    12   It's a draw                      the last words
    14   Please enter your move : B1      questions; a letter and a digit, or Y and N, without Return
    16   Time for 2. move :      33 milliseconds.      a line a reply; both sides' moves are counted

The scan of the paper has lost blanks inside the strings of the board; the coordinates of the stones say how many. The
person is X whoever begins, the program O. A key that is no answer is passed over, and the question asked again; it
stays on the screen until something is written over it. As in the original, the last move of the person does too.

What differs: q, Ctrl-D and the end of the input leave (the original knew Ctrl-C alone). And the chip can sit where
the C program sat. The C program's time is that of the processor, as then, in whole milliseconds; the chip's is the
number of its clock cycles, and what they take at 6 MHz.

The program kept a log, which grew from run to run: a line a game, a move as its place from 0 to 8, and after each of
the program's own the time (`noughts play --classic --log FILE`). For the chip that is in cycles.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time

from noughts.cli.classic.terminal import Screen, screen
from noughts.cli.keyboard import LeaveError
from noughts.cli.output import append_to_file, counted
from noughts.games import Game, Move
from noughts.games.playing import Playing
from noughts.players import Choice, Player

__all__ = ["play"]

TITLE, BOARD, LAST_WORDS, QUESTION, TIMES = 0, 2, 12, 14, 16
"""The rows in which these stand, or begin."""
RULE = "  !---!---!---!"
PERSON, PROGRAM = "X", "O"
KILOHERTZ = 6000
"""The clock at which the paper says that the chip will work."""


def play(game: Game, machine: Player, log: Path | None = None) -> None:
    """Play game after game against the machine, until the person has had enough.

    Args:
        game: tic-tac-toe.
        machine: the C program, or the chip.
        log: a file to which moves and times are added.

    Raises:
        LeaveError: if the person leaves in the middle, or the input ends.
    """
    note = partial(append_to_file, log) if log is not None else _nothing
    note("\n")  # before the screen is there: a log that cannot be written is told of in time
    with screen() as drawn:
        again = True
        while again:
            _Game(game, machine, drawn, note).play()
            again = _yes(drawn, "Do you want to play again? ")
            if again:
                note("\n")


class _Game:
    """One game on the screen."""

    def __init__(self, game: Game, machine: Player, drawn: Screen, note: Callable[[str], None]) -> None:
        self._playing = Playing.begin(game)
        self._machine = machine
        self._screen = drawn
        self._note = note
        self._replies = 0

    def play(self) -> None:
        """Play to the end and say how it ended."""
        self._show_board()
        persons_turn = _yes(self._screen, "Do you want to play first?")
        while self._playing.result is None:
            if persons_turn:
                self._ask_move()
            else:
                self._reply()
            persons_turn = not persons_turn
        if self._playing.result.winner is None:
            words = "It's a draw"
        else:  # the winner has moved last, and the turn has passed
            words = "I won." if persons_turn else "You won."
        self._screen.move(LAST_WORDS, 0)
        self._screen.write(words)

    def _show_board(self) -> None:
        self._screen.clear()
        self._screen.write("T I C - T A C - T O E")
        rows = [RULE, *(line for number in "123" for line in (f"{number} !   !   !   !", RULE)), "    A   B   C"]
        for row, line in enumerate(rows, start=BOARD):
            self._screen.move(row, 0)
            self._screen.write(line)

    def _ask_move(self) -> None:
        """Ask until two keys name a place that is free."""
        while True:
            self._screen.move(QUESTION, 0)
            self._screen.write("Please enter your move : ")
            column = _key(self._screen).upper()
            if column not in ("A", "B", "C"):
                continue
            row = _key(self._screen)
            if row not in ("1", "2", "3"):
                continue
            place = "ABC".index(column) + 3 * "123".index(row)
            if not self._playing.position.occupied >> place & 1:
                break
        self._place(place, PERSON)
        self._note(f"{place}      ")
        self._playing = self._playing.then(Move(place))
        self._screen.refresh()

    def _reply(self) -> None:
        began = process_time()
        choice = self._machine.reply(self._playing)
        words, noted = _time(choice, process_time() - began)
        self._playing = self._playing.then(choice.move)
        self._screen.move(TIMES + self._replies, 0)
        self._screen.write(f"Time for {len(self._playing.moves)}. move :{words}")
        self._replies += 1
        assert choice.move.to is not None
        self._place(choice.move.to, PROGRAM)
        self._note(f"{choice.move.to}{noted:6d} ")

    def _place(self, place: int, stone: str) -> None:
        self._screen.move(place // 3 * 2 + 3, place % 3 * 4 + 4)
        self._screen.write(stone)


def _nothing(_: str) -> None:
    """A log that nobody keeps."""


def _time(choice: Choice, seconds: float) -> tuple[str, int]:
    """How long a reply took: in words, and as the log has it."""
    if choice.cycles is None:
        milliseconds = int(seconds * 1000)
        return f"{milliseconds:8d} milliseconds.", milliseconds
    return f"{choice.cycles / KILOHERTZ:8.3f} milliseconds. ({counted(choice.cycles, 'cycle')})", choice.cycles


def _yes(drawn: Screen, asked: str) -> bool:
    """Ask until the key is Y or N, and take the question away."""
    drawn.move(QUESTION, 0)
    drawn.write(f"{asked} (Y/N)")
    key = ""
    while key not in ("Y", "N"):
        key = _key(drawn).upper()
    drawn.move(QUESTION, 0)
    drawn.clear_to_end_of_line()
    drawn.refresh()
    return key == "Y"


def _key(drawn: Screen) -> str:
    key = drawn.key()
    if key in ("q", "Q"):
        raise LeaveError
    return key
