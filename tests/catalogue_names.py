"""The games that the tests run over."""

from noughts.games.catalogue import variants

ACHI = [variant.name for variant in variants("achi")]
SMALL_MOVING = ["arabian", "three-mens-morris", "picaria", "nine-holes", "nine-holes:movement=slide", *ACHI]
PLACING = ["tictactoe", "square4", "qubic", "mnk:4,3,3", "mnk:5,2,2", "mnk:1,7,3", "mnk:6,6,4", "mnk:19,19,5"]
MORRIS = ["six-mens-morris", "nine-mens-morris", "seven-mens-morris", "lasker-morris", "morabaraba"]
"""One of every board and every rule of the family."""
MORE_MORRIS = [
    "five-mens-morris",
    "eleven-mens-morris",
    "twelve-mens-morris",
    "nine-mens-morris:flying=no",
    "six-mens-morris:diagonals=yes",
    "six-mens-morris:stones=8,moving-while-placing=yes,full-board=draws",
    "seven-mens-morris:diagonals=yes,flying=no",
    "nine-mens-morris:stones=12,diagonals=yes,moving-while-placing=yes",
]
"""The others, and what options make of them."""
EVERY = [*PLACING, *SMALL_MOVING, *MORRIS]
