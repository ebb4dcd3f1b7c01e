"""At the pins of the machine of 76 lines: a number and a button, and two lamps a point.

`play` that is high when the clock rises sets a stone on the point whose number is at `place`, and one clock later the
reply is there. Stones are set up in the same way while `quiet` is high, `mine` says whose; `go` gives the machine the
turn. Program E of the article did the same: any stones, and then the user moves.
"""

from collections.abc import Callable

from noughts.silicon.circuit import Pins
from noughts.silicon.design import Sample
from noughts.silicon.driver import PlayingDriver

__all__ = ["SAMPLES", "LinesDriver"]


class LinesDriver(PlayingDriver):
    """Names points and reads the lamps."""

    waiting, over, won = "waiting", "over", "won"

    def begin(self, *, user_first: bool, start: int = 0) -> int:
        """Reset; where the machine begins, the cycles of its move."""
        self._reset(user_first=user_first, start=start)
        return self.pins.run_until(self.waiting, 1, 1) if user_first else self.let_move()

    def let_move(self) -> int:
        """The machine moves, whatever is on the board; the cycles from the one in which it has the turn."""
        self.pins.set("go", 1)
        self.pins.clock()
        self.pins.set("go", 0)
        return self.pins.run_until(self.waiting, 1, 1, or_pin=self.over)

    def stones(self) -> tuple[int, int]:
        return self.pins.get("machine"), self.pins.get("user")

    def _reset(self, *, user_first: bool, start: int) -> None:  # noqa: ARG002
        for pin in ("play", "mine", "quiet", "go"):
            self.pins.set(pin, 0)
        self.pins.reset()

    def _down(self, place: int) -> None:
        self.pins.set("place", place)
        self.pins.set("play", 1)

    def _up(self) -> None:
        self.pins.set("play", 0)

    def set_up(self, chip: int, user: int) -> None:
        """Any stones without a row of four, with which the game would be over."""
        self._reset(user_first=True, start=0)
        self.pins.set("quiet", 1)
        for mine, stones in enumerate((user, chip)):
            self.pins.set("mine", mine)
            for place in range(64):
                if stones >> place & 1:
                    self._down(place)
                    self.pins.clock()
        for pin in ("play", "mine", "quiet"):
            self.pins.set(pin, 0)
        self.pins.half(0)


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
