"""At the keys of the chip of 1990.

A key acts at the end of the cycle after the one in which it is down. The chip begins on the place that its counter
shows when the reset is over; the counter goes on through the reset, so the length of the reset chooses.
"""

from noughts.games.points import members
from noughts.silicon.driver import PlayingDriver, bits

__all__ = ["ChipDriver"]


class ChipDriver(PlayingDriver):
    """Presses keys and reads LEDs."""

    waiting = "prompt"
    over = "fin"
    won = "win"
    starts = 8

    def stones(self) -> tuple[int, int]:
        led, places = self.pins.get("led"), len(self.layout)
        return bits(led, 0, places), bits(led, 1, places)

    def _reset(self, *, user_first: bool, start: int) -> None:
        self.pins.set("userbegins", int(user_first))
        self.pins.set("pin", 0)
        self._up()
        self.pins.reset(1 + start)

    def _down(self, place: int) -> None:
        self.pins.set("keyboardN", self.layout.everywhere & ~(1 << place))

    def _up(self) -> None:
        self.pins.set("keyboardN", self.layout.everywhere)

    def set_up(self, chip: int, user: int) -> None:
        """Keys that are down when the reset ends set stones, until a cycle in which there is none.

        `pin` is not behind the register that the keys are behind: it is wanted a cycle later than its key.
        """
        self._reset(user_first=True, start=0)
        keys = [(place, pin) for pin, stones in ((0, user), (1, chip)) for place in members(stones)]
        self.pins.set("resetN", 0)
        for place, pin in keys:
            self._down(place)
            self.pins.clock()
            self.pins.set("resetN", 1)
            self.pins.set("pin", pin)
        self._up()
        self.pins.run_until(self.waiting, 1, 8)
        self.pins.set("pin", 0)
