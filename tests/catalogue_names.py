"""The games that the tests run over."""

from noughts.games.catalogue import variants

ACHI = [variant.name for variant in variants("achi")]
SMALL_MOVING = ["arabian", "three-mens-morris", *ACHI]
PLACING = ["tictactoe", "square4", "qubic", "mnk:4,3,3", "mnk:5,2,2", "mnk:1,7,3", "mnk:6,6,4", "mnk:19,19,5"]
MORRIS = ["six-mens-morris", "nine-mens-morris"]
EVERY = [*PLACING, *SMALL_MOVING, *MORRIS]
