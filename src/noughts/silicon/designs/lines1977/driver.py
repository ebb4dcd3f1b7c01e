"""At the pins of the machine of 76 lines: a number and a button, and two lamps a point.

`play` that is high when the clock rises sets a stone on the point whose number is at `place`, and one clock later the
reply is there. Any stones without a row of four can be set up, as in program E of the article, and then the user moves.
"""

from collections.abc import Callable

from noughts.silicon.circuit import Pins
from noughts.silicon.design import Sample
from noughts.silicon.driver import SettingDriver

__all__ = ["SAMPLES", "LinesDriver"]


class LinesDriver(SettingDriver):
    """Names points and reads the lamps."""

    def stones(self) -> tuple[int, int]:
        return self.pins.get("machine"), self.pins.get("user")

    def _down(self, place: int) -> None:
        self.pins.set("place", place)
        self.pins.set("play", 1)

    def _up(self) -> None:
        self.pins.set("play", 0)


def _game(*moves: int) -> Callable[[Pins], None]:
    def drive(pins: Pins) -> None:
        driver = LinesDriver(pins)
        driver.begin(user_first=True)
        for place in moves:
            driver.press(place)
        pins.clock()

    return drive


def _begin(pins: Pins) -> None:
    LinesDriver(pins).begin(user_first=False)
    pins.clock()


SAMPLES = (
    Sample(
        "beaten",
        "The shortest way to beat the “almost unbeatable” program: six moves, of which the fifth makes two threats.",
        _game(27, 28, 31, 25, 19, 23),
    ),
    Sample("begin", "The machine begins: no box has points, so it takes the first.", _begin),
)
"""The moves of `noughts beat basic3`: 2,15 2,4 2,16 2,7 2,13 2,14 in the article's notation."""
