"""A dictionary of strategic moves in the format in which Patashnik's circulates, with prose in our own words."""

import re
from collections.abc import Sequence

from noughts.solve.qubic.dictionary import Entry

PROSE = """\
A dictionary for the game of four in a row in space
===================================================

    There are 64 cells on four floors. x moves first.
x and o
64 cells
2929 entries

The cells are numbered like this, floor beside floor:

{numbers}

A line is a position and a move. A position is read in the order of the
numbers: x is a stone of the first player, o one of the second, and a
number is so many empty cells.  Those after the last stone are left
out.  For example

\t{example}

is this position, in which the _ marks the move:

{drawn}

 ----------
 1980
The empty board comes first, and so the first line begins with a blank.
"""


def published(entries: Sequence[Entry]) -> str:
    """A dictionary as Patashnik's circulates: prose with a picture of the numbers and an example, then the entries."""
    shown = entries[len(entries) // 2]
    marks = ["x" if shown.x >> cell & 1 else "o" if shown.o >> cell & 1 else "-" for cell in range(64)]
    marks[shown.move] = "_"
    prose = PROSE.format(
        numbers=beside([f"{cell:2}" for cell in range(64)]), example=line_of(shown), drawn=beside(marks)
    )
    return prose + "".join(f"{line_of(entry)}\n" for entry in entries)


def line_of(entry: Entry) -> str:
    cells = "".join("x" if entry.x >> cell & 1 else "o" if entry.o >> cell & 1 else "." for cell in range(64))
    return re.sub(r"\.+", lambda run: str(len(run[0])), cells.rstrip(".")) + f" {entry.move}"


def beside(cells: list[str]) -> str:
    """Four lines, four floors beside each other, each floor row by row."""
    rows = [[cells[16 * floor + 4 * row : 16 * floor + 4 * row + 4] for floor in range(4)] for row in range(4)]
    return "\n".join("   ".join(" ".join(part) for part in row) for row in rows)
