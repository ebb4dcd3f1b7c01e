"""The run that the paper prints in its appendix E: a position is set up, and the user ends the game with two moves.

. O X    O, the chip's stones: places 1, 4 and 5
X O O    X, the user's: places 2 and 3
. . .    the user presses 7 and, when the chip has answered with 0, 8
"""

from noughts.silicon.pins import Pins

__all__ = ["appendix_e"]

_NO_KEY = 0b111111111


def appendix_e(pins: Pins) -> None:
    """50 cycles of the appendix, from the reset to the end of the game."""
    pins.set("userbegins", 1)
    pins.set("resetN", 0)
    for key, pin, cycles in (
        (2, 0, 1),
        (3, 0, 1),
        (1, 0, 1),
        (4, 1, 1),
        (5, 1, 1),
        (None, 1, 1),
        (7, 0, 1),
        (None, 0, 36),
    ):
        pins.set("keyboardN", _NO_KEY if key is None else _NO_KEY & ~(1 << key))
        pins.set("pin", pin)
        pins.clock(cycles)
        pins.set("resetN", 1)
    pins.set("keyboardN", _NO_KEY & ~(1 << 8))
    pins.clock()
    pins.set("keyboardN", _NO_KEY)
    pins.clock(6)
