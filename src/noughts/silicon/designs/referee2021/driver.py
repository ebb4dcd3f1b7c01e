"""At the inputs of the referee of 2021: two seats, the player's and the computer's, and how each plays.

The user of pages and commands is the player of the slides; the referee's own side, where it must have one, is the
computer. The referee counts positions from 1.
"""

from typing import ClassVar

from noughts.silicon.circuit import Pins
from noughts.silicon.driver import Driver, IllegalPressError

__all__ = ["Seats", "SeatsOfTheSlides"]


class Seats(Driver):
    """Whose turn it is plays; the other side is quiet."""

    first_number = 1
    refused_after_the_end: ClassVar[bool] = True

    def __init__(self, pins: Pins) -> None:
        super().__init__(pins)
        self.player_next = True

    def begin(self, *, user_first: bool, start: int = 0) -> int:  # noqa: ARG002
        """Reset the board."""
        self._quiet()
        self.pins.reset()
        self.player_next = user_first
        return 1

    def press(self, place: int) -> int:
        """One move, held for a cycle; then a cycle of quiet."""
        button, position = ("pp", "player_position") if self.player_next else ("pc", "computer_position")
        self.pins.set(position, place + 1)
        self.pins.set(button, 1)
        over = self.is_over and self.refused_after_the_end
        occupied = bool(self.pins.get(f"pos{place + 1}"))
        self.pins.clock()
        self._quiet()
        self.pins.clock()
        if over or occupied:
            why = "the game is over" if over else "there is a stone"
            raise IllegalPressError(f"{self.layout.points[place]!r} is not a move: {why}")
        self.player_next = not self.player_next
        return 2

    def stones(self) -> tuple[int, int]:
        held = [self.pins.get(f"pos{number}") for number in range(1, 10)]
        player, computer = (sum((code >> bit & 1) << place for place, code in enumerate(held)) for bit in (0, 1))
        return computer, player

    @property
    def is_over(self) -> bool:
        return bool(self.pins.get("winner") or self.pins.get("no_space"))

    @classmethod
    def is_working(cls, pins: Pins) -> int:
        """Somebody plays. Another side or another position is another play, even if there is no quiet between them."""
        player = pins.get("pp") * (pins.get("player_position") + 1)
        computer = pins.get("pc") * (pins.get("computer_position") + 1)
        return player << 5 | computer

    def _quiet(self) -> None:
        self.pins.set("pp", 0)
        self.pins.set("pc", 0)


class SeatsOfTheSlides(Seats):
    """At the referee of the slides, which knows no end: only a stone on the place refuses a play."""

    refused_after_the_end = False
