"""The parts that the chips share: small circuits, one a file, each with an exhaustive test of its own.

Places are numbered 0 to 8, row by row from the top left. A board is 18 bits: bit 2·place is the machine's stone,
bit 2·place+1 the user's. A part that keeps something between cycles has a scan path: while `scan` is high, every
clock shifts its registers by one bit, in at `scanin` and out at `scanout`.
"""

from noughts.silicon.parts.board_register import BoardRegister
from noughts.silicon.parts.counter import Counter
from noughts.silicon.parts.decoder import PositionDecoder
from noughts.silicon.parts.full import FullDetector
from noughts.silicon.parts.illegal import IllegalMoveDetector
from noughts.silicon.parts.next_free import NextFree
from noughts.silicon.parts.places import PLACES, occupied, stones_of
from noughts.silicon.parts.stack import Stack
from noughts.silicon.parts.win import WinDetector

__all__ = [
    "PLACES",
    "BoardRegister",
    "Counter",
    "FullDetector",
    "IllegalMoveDetector",
    "NextFree",
    "PositionDecoder",
    "Stack",
    "WinDetector",
    "occupied",
    "stones_of",
]
