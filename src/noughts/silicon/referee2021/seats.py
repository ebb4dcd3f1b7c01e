"""At the inputs of the referee of 2021: two seats, the player's and the computer's, and how each plays."""

from noughts.silicon.driver import IllegalPressError, place_name
from noughts.silicon.pins import Pins

__all__ = ["Seats", "case_one"]


class Seats:
    """Whose turn it is plays; the other side is quiet."""

    def __init__(self, pins: Pins) -> None:
        self.pins = pins
        self.player_next = True

    def begin(self, *, player_first: bool) -> None:
        """Reset the board."""
        self._quiet()
        self.pins.reset()
        self.player_next = player_first

    def press(self, place: int) -> None:
        """One move, held for a cycle; then a cycle of quiet."""
        button, position = ("pp", "player_position") if self.player_next else ("pc", "computer_position")
        self.pins.set(position, place + 1)
        self.pins.set(button, 1)
        over = bool(self.pins.get("winner") or self.pins.get("no_space"))
        occupied = bool(self.pins.get(f"pos{place + 1}"))
        self.pins.clock()
        self._quiet()
        self.pins.clock()
        if over or occupied:
            why = "the game is over" if over else "there is a stone"
            raise IllegalPressError(f"{place_name(place)!r} is not a move: {why}")
        self.player_next = not self.player_next

    def _quiet(self) -> None:
        self.pins.set("pp", 0)
        self.pins.set("pc", 0)


def case_one(pins: Pins) -> None:
    """The first case of the slides' test bench: the computer wins on the diagonal."""
    seats = Seats(pins)
    seats.begin(player_first=True)
    for position in (4, 1, 8, 5, 6, 9):
        seats.press(position - 1)
