"""Two bits say whose a place is, who has won and whose turn it is."""

from enum import IntEnum

__all__ = ["Side"]


class Side(IntEnum):
    """The codes of the slides."""

    NOBODY = 0b00
    PLAYER = 0b01
    COMPUTER = 0b10
