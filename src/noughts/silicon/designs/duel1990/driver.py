"""At the pins of the two chips there is nothing to do but to begin: they press each other's keys.

The place on which the chip that begins sets its first stone is what its counter shows when the reset is over, so that
the length of the reset chooses, as with one chip. Where a driver needs a user and a machine, the left chip is the user.
"""

from typing import NamedTuple

from noughts.silicon.circuit import Pins
from noughts.silicon.driver import Driver, IllegalPressError, bits

__all__ = ["Onlooker", "Turn", "game", "opening"]

_LONG = 10_000_000
"""Cycles after which any reply must have come."""
_HANDED_OVER = 8
"""Cycles after which a stone must have been taken over."""
_SHOWN = 60
"""Cycles of a game that are enough to see a stone handed over and a search begin."""


class Turn(NamedTuple):
    """What one chip did after the other had set a stone."""

    handed_over: int
    """The cycles in which the stone was taken over."""
    reply: int
    """The cycles from then on until its own stone stood, or until it saw that the game was over."""


class Onlooker(Driver):
    """Lets one of the chips begin, and looks on."""

    starts = 8
    presses = False

    def begin(self, *, user_first: bool, start: int = 0) -> int:
        """Reset, let the left chip begin (`user_first`) or the right one, and wait until both say that it is over."""
        cycles = self.let_go(left_first=user_first, start=start)
        side = "right" if user_first else "left"
        while not self.is_over:
            cycles += sum(self.turn(side))
            side = "left" if side == "right" else "right"
        return cycles

    def let_go(self, *, left_first: bool, start: int) -> int:
        """Reset, and wait until the first stone is there."""
        self.pins.set("leftbegins", int(left_first))
        self.pins.reset(1 + start)
        return self.pins.run_until("left_prompt" if left_first else "right_prompt", 1, _LONG)

    def turn(self, side: str) -> Turn:
        """Wait until this chip has got the other's stone and has set its own, or has seen the end of the game."""
        handed_over = self.pins.run_until(f"{side}_prompt", 0, _HANDED_OVER)
        return Turn(handed_over, self.pins.run_until(f"{side}_prompt", 1, _LONG, or_pin=f"{side}_fin"))

    def press(self, place: int) -> int:
        raise IllegalPressError(f"{self.layout.points[place]!r} cannot be pressed: the chips press each other's keys")

    def stones(self) -> tuple[int, int]:
        led = self.pins.get("right_led")
        return bits(led, 0), bits(led, 1)

    @property
    def is_over(self) -> bool:
        return bool(self.pins.get("left_fin") and self.pins.get("right_fin"))

    @classmethod
    def is_working(cls, pins: Pins) -> bool:
        """One of the chips searches."""
        return any(not (pins.get(f"{side}_prompt") or pins.get(f"{side}_fin")) for side in ("left", "right"))


def opening(pins: Pins) -> None:
    """The first cycles of a game."""
    onlooker = Onlooker(pins)
    onlooker.let_go(left_first=True, start=0)
    pins.clock(_SHOWN)


def game(pins: Pins) -> None:
    """A whole game."""
    Onlooker(pins).begin(user_first=True)
    pins.clock()
