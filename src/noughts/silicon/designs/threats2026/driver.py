"""At the pins of the referee that sees threats: whose turn it is names a point and holds `play` for a clock.

The user of pages and commands plays whoever begins, X; or O, where the other side does.
"""

from noughts.silicon.circuit import Pins
from noughts.silicon.design import Sample
from noughts.silicon.driver import Driver, IllegalPressError

__all__ = ["SAMPLES", "Seats"]


class Seats(Driver):
    """Both sides in turn."""

    def __init__(self, pins: Pins) -> None:
        super().__init__(pins)
        self.user_is_x = True

    def begin(self, *, user_first: bool, start: int = 0) -> int:  # noqa: ARG002
        """Reset the board; X begins, whoever that is."""
        for pin in ("play", "show", "other"):
            self.pins.set(pin, 0)
        self.pins.reset()
        self.user_is_x = user_first
        return 1

    def press(self, place: int) -> int:
        """One move, held for a cycle; then a cycle of quiet."""
        stones = self.stones()
        over = self.is_over
        self.pins.set("place", place)
        self.pins.set("play", 1)
        self.pins.clock()
        self.pins.set("play", 0)
        self.pins.clock()
        if over or (stones[0] | stones[1]) >> place & 1:
            why = "the game is over" if over else "there is a stone"
            raise IllegalPressError(f"{self.layout.points[place]!r} is not a move: {why}")
        return 2

    def stones(self) -> tuple[int, int]:
        """O's and X's, or the other way round where the user is O; a marked point is none."""
        x, o = self.pins.get("x_lamps"), self.pins.get("o_lamps")
        x, o = x & ~o, o & ~x
        return (o, x) if self.user_is_x else (x, o)

    @property
    def is_over(self) -> bool:
        return any(self.pins.get(pin) for pin in ("x_won", "o_won", "full"))

    @classmethod
    def is_working(cls, pins: Pins) -> int:
        """Somebody plays."""
        return pins.get("play") * (pins.get("place") + 1)


def _fork(pins: Pins) -> None:
    """X makes two threats at once on the middle of the cube, and each set is shown before."""
    seats = Seats(pins)
    seats.begin(user_first=True)
    for place in (0, 1, 21, 2, 3, 4, 22, 5):
        seats.press(place)
    for other in (0, 1):
        pins.set("other", other)
        for show in (1, 2, 3):
            pins.set("show", show)
            pins.clock()
    pins.set("show", 0)
    pins.set("other", 0)
    pins.clock()


SAMPLES = (Sample("fork", "Eight moves; then the points that win, threaten and fork are shown, of both sides.", _fork),)
