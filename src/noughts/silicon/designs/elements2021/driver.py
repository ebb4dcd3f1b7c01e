"""At the switches of the DE2-115.

A switch that is up stays up until the next game: on a place that has a stone it means nothing.
"""

from noughts.silicon.circuit import Pins
from noughts.silicon.driver import PlayingDriver, bits

__all__ = ["ElementsDriver", "first_search"]

_HUMAN_BEGINS = 1 << 17
_ALL_LIT = (1 << 18) - 1


class ElementsDriver(PlayingDriver):
    """Puts switches up and reads LEDs. LEDR2k+1 goes out for the AI's stone at switch k, LEDR2k for the human's."""

    waiting = "LEDG0"
    over = "LEDG2"
    won = "LEDG1"

    def stones(self) -> tuple[int, int]:
        dark = _ALL_LIT & ~self.pins.get("LEDR")
        return _mirrored(bits(dark, 1)), _mirrored(bits(dark, 0))

    def _reset(self, *, user_first: bool, start: int) -> None:  # noqa: ARG002
        self.pins.set("SW", _HUMAN_BEGINS if user_first else 0)
        self.pins.reset()

    def _down(self, place: int) -> None:
        self.pins.set("SW", self.pins.get("SW") | 1 << 8 - place)

    def _up(self) -> None:
        pass


def _mirrored(places: int) -> int:
    """Switches count from the bottom right, places from the top left."""
    return int(f"{places:09b}"[::-1], 2)


def first_search(pins: Pins) -> None:
    """The first 120 cycles after KEY0: the chain is entered at element 9 and soon reaches element 1."""
    pins.reset()
    pins.clock(119)
