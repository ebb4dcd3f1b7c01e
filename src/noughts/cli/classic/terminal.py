"""A screen of 24 rows and 80 columns with a cursor, for the programs that drew one and read single keys.

A program writes into a grid of characters and then waits for a key, as with the curses library of its time. What
becomes of the grid depends on where the streams lead:

- `Addressed`: on a terminal, the screen is drawn in place and every key is heard at once, without Return.
- `Printed`: anywhere else (a pipe, a file, a terminal of which nothing is known), the screen is printed as text each
  time the program waits for more, and lines are read; their characters are the keys.

Neither uses Python's `curses`: it is missing on Windows, refuses terminals that its database does not know, and raises
an error for every character beyond the edge of a small window. The half dozen control sequences that are needed here
(ECMA-48) are understood by all terminals of today, so the grid is fitted to the window first and then written whole.
The size of the window is looked up several times a second, which needs no signal. The terminal is put back as it was
on every way out: at the end, after an error, at Ctrl-C or SIGTERM (both raise KeyboardInterrupt), and while the
process is stopped by Ctrl-Z.
"""

import os
import re
import select
import signal
import sys
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType

from noughts.cli.keyboard import LeaveError

try:
    import termios
    import tty
except ImportError:  # Windows: there the screen is printed
    CAN_HEAR_KEYS = False
else:
    CAN_HEAR_KEYS = True

__all__ = ["Screen", "fitted", "screen"]

ROWS, COLUMNS = 24, 80
GLANCE = 0.2
"""Seconds between two looks at the size of the window."""
LONGEST = 1000
"""Characters that are read at once."""
END = "\x04"
"""What Ctrl-D sends where keys are heard one by one."""
SPECIAL_KEY = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|O.|.|$)", re.DOTALL)
"""What arrows and the like send: a sequence, of which no character was meant."""
ALTERNATE, USUAL = "\x1b[?1049h", "\x1b[?1049l"
"""To a screen of its own, and back to the one with what was there before."""


class Screen(ABC):
    """The grid, the cursor, and the keys that have arrived."""

    def __init__(self) -> None:
        self._grid = [[" "] * COLUMNS for _ in range(ROWS)]
        self._row = self._column = 0
        self._keys: deque[str] = deque()

    @property
    def lines(self) -> list[str]:
        """What stands in the rows, without the blanks behind it."""
        return ["".join(row).rstrip() for row in self._grid]

    def text(self) -> str:
        """The rows as they are printed, down to the last that is not empty."""
        return "\n".join(self.lines).rstrip("\n")

    def clear(self) -> None:
        """Blanks everywhere, and the cursor at the top left."""
        self._grid = [[" "] * COLUMNS for _ in range(ROWS)]
        self.move(0, 0)

    def move(self, row: int, column: int) -> None:
        """Put the cursor there."""
        self._row, self._column = row, column

    def write(self, text: str) -> None:
        """Write at the cursor, which goes along; what would stand beyond the last column is lost."""
        for character in text:
            if self._column < COLUMNS:
                self._grid[self._row][self._column] = character
                self._column += 1

    def clear_to_end_of_line(self) -> None:
        """Blanks from the cursor on."""
        self._grid[self._row][self._column :] = " " * (COLUMNS - self._column)

    def key(self) -> str:
        """Show the screen, wait for a key and write it at the cursor, if it can be seen.

        Raises:
            LeaveError: at the end of the input, and at Ctrl-D.
        """
        if not self._keys:
            self._keys.extend(self._wait())
        key = self._keys.popleft()
        if key == END:
            raise LeaveError
        if " " <= key <= "~":
            self.write(key)
        return key

    @abstractmethod
    def refresh(self) -> None:
        """Show the screen while the program goes on."""

    @abstractmethod
    def _wait(self) -> str:
        """Show the screen and wait until there are keys, one at least."""


class Printed(Screen):
    """Printed when it waits; the keys come in lines."""

    def refresh(self) -> None:
        """Nothing: the next wait is soon enough for those who read."""

    def _wait(self) -> str:
        print(f"{self.text()}\n", flush=True)
        keys = ""
        while not keys:
            line = sys.stdin.readline(LONGEST)
            if not line:
                raise LeaveError
            keys = line.rstrip("\r\n")
        return keys


class Addressed(Screen):
    """Drawn in place; the keys are heard one by one."""

    def __init__(self) -> None:
        super().__init__()
        self._input, self._output = sys.stdin.fileno(), sys.stdout.fileno()
        self._before = termios.tcgetattr(self._input)
        self._drawn: tuple[list[str], int, int, os.terminal_size] | None = None

    def enter(self) -> None:
        """Take the terminal: keys without Return and without echo, which is ours to write."""
        tty.setcbreak(self._input, termios.TCSADRAIN)
        self._send(ALTERNATE)
        self._drawn = None

    def leave(self) -> None:
        """Give it back, if it is still there."""
        with suppress(OSError, termios.error):
            termios.tcsetattr(self._input, termios.TCSADRAIN, self._before)
            self._send(USUAL)

    def stop(self, _number: int, _frame: FrameType | None) -> None:
        """Ctrl-Z: give the terminal back, stop, and take it again when the process is told to go on."""
        self.leave()
        os.kill(os.getpid(), signal.SIGSTOP)
        self.enter()

    def refresh(self) -> None:
        """Draw the screen, unless it stands there already."""
        size = os.get_terminal_size(self._output)
        now = (self.lines, self._row, self._column, size)
        if now == self._drawn:
            return
        rows, columns = size.lines or ROWS, size.columns or COLUMNS  # a terminal without a size says 0
        shown = fitted(self.lines, self._row, rows)
        drawing = [
            f"\x1b[{number + 1};1H\x1b[2K{self.lines[shown[number]][:columns] if number < len(shown) else ''}"
            for number in range(rows)
        ]
        place = f"\x1b[{shown.index(self._row) + 1};{min(self._column, columns - 1) + 1}H"
        self._send("".join(drawing) + place)
        self._drawn = now

    def _wait(self) -> str:
        keys = ""
        while not keys:
            self.refresh()
            if select.select([self._input], [], [], GLANCE)[0]:
                heard = os.read(self._input, LONGEST)
                if not heard:
                    raise LeaveError
                keys = SPECIAL_KEY.sub("", heard.decode("ascii", "replace"))
        return keys

    def _send(self, text: str) -> None:
        """Past the buffer of `sys.stdout`, which must not be entered twice: `stop` may interrupt anything."""
        data = text.encode("ascii")
        while data:
            data = data[os.write(self._output, data) :]


def fitted(lines: Sequence[str], cursor: int, height: int) -> list[int]:
    """Which rows of a screen a window shows that is not as high, from above: always the one with the cursor.

    Empty rows are left out first, the lowest first; then those below the cursor and at last those above it, in both
    cases the uppermost first.
    """
    used = max([cursor, *(row for row, line in enumerate(lines) if line)])
    rows = range(used + 1)
    blank = [row for row in reversed(rows) if not lines[row]]
    below = [row for row in rows if row > cursor and lines[row]]
    above = [row for row in rows if row < cursor and lines[row]]
    spare = [row for row in [*blank, *below, *above] if row != cursor]
    left_out = set(spare[: max(0, len(rows) - height)])
    return [row for row in rows if row not in left_out]


@contextmanager
def screen() -> Iterator[Screen]:
    """A screen for as long as a program runs; what stood on it last is then printed, if it was drawn in place."""
    known = os.environ.get("TERM", "") not in ("", "dumb", "unknown")
    if not (CAN_HEAR_KEYS and known and sys.stdin.isatty() and sys.stdout.isatty()):
        yield Printed()
        return
    sys.stdout.flush()
    drawn = Addressed()
    before = signal.getsignal(signal.SIGTSTP)
    try:
        signal.signal(signal.SIGTSTP, drawn.stop)
        drawn.enter()
        yield drawn
    finally:
        signal.signal(signal.SIGTSTP, before)
        drawn.leave()
        print(drawn.text())
