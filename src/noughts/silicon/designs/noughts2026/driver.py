"""At the keys of the one-cycle player.

A key that is down when the clock rises is a stone, and one clock later the reply is there. Stones that are set up are
keys as well, while `quiet` is high; `mine` says whose they are. `go` gives the turn to the chip.
"""

from noughts.silicon.driver import PlayingDriver

__all__ = ["Fingers"]


class Fingers(PlayingDriver):
    """Presses keys and reads the two lamps of every place."""

    waiting = "waiting"
    over = "over"
    won = "won"

    def begin(self, *, user_first: bool, start: int = 0) -> int:
        """Reset; where the chip begins, the cycles of its move."""
        self._reset(user_first=user_first, start=start)
        if user_first:
            return self.pins.run_until(self.waiting, 1, 1)
        return self.let_move()

    def let_move(self) -> int:
        """The chip moves, whatever is on the board; the cycles from the one in which it has the turn."""
        self.pins.set("go", 1)
        self.pins.clock()
        self.pins.set("go", 0)
        return self.pins.run_until(self.waiting, 1, 1, or_pin=self.over)

    def stones(self) -> tuple[int, int]:
        stone, own = self.pins.get("stone"), self.pins.get("own")
        return own, stone & ~own

    def _reset(self, *, user_first: bool, start: int) -> None:  # noqa: ARG002
        for pin in ("key", "mine", "quiet", "go"):
            self.pins.set(pin, 0)
        self.pins.reset()

    def _down(self, place: int) -> None:
        self.pins.set("key", 1 << place)

    def _up(self) -> None:
        self.pins.set("key", 0)

    def set_up(self, chip: int, user: int) -> None:
        """The user's stones first: a row of the chip's ends the game."""
        self._reset(user_first=True, start=0)
        self.pins.set("quiet", 1)
        for mine, stones in enumerate((user, chip)):
            self.pins.set("mine", mine)
            for place in range(9):
                if stones >> place & 1:
                    self._down(place)
                    self.pins.clock()
        for pin in ("key", "mine", "quiet"):
            self.pins.set(pin, 0)
        self.pins.half(0)
