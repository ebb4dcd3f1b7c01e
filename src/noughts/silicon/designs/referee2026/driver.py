"""At the keys of the referee of 2026: whoever is to move presses the keys of the points that the move changes."""

from noughts.games import Move
from noughts.silicon.circuit import Pins
from noughts.silicon.driver import Driver, IllegalPressError

__all__ = ["Keys", "chord"]


def chord(move: Move) -> int:
    """The keys of all points that a move changes, as a set of bits.

    Args:
        move: Any move.
    """
    return sum(1 << point for point in {move.to, move.source, move.capture} if point is not None)


class Keys(Driver):
    """Both sides take turns at the same keys. X begins in every game, and is what is called the user's side here."""

    def begin(self, *, user_first: bool, start: int = 0) -> int:  # noqa: ARG002
        """Reset the board; X is to move."""
        self.pins.set("key", 0)
        self.pins.reset()
        return 1

    def press(self, place: int) -> int:
        return self.play(Move(place))

    def play(self, move: Move) -> int:
        """One move, held for a cycle; then a cycle of quiet. The referee takes it if the turn passes."""
        over, turn = self.is_over, self.pins.get("turn")
        self.pins.set("key", chord(move))
        self.pins.clock()
        self.pins.set("key", 0)
        self.pins.clock()
        if over or self.pins.get("turn") == turn:
            why = "the game is over" if over else "the rules do not allow it here"
            raise IllegalPressError(f"{self.game.write_move(move)!r} is not a move: {why}")
        return 2

    def stones(self) -> tuple[int, int]:
        return self.pins.get("o"), self.pins.get("x")

    @property
    def is_over(self) -> bool:
        return any(self.pins.get(pin) for pin in ("x_won", "o_won", "draw"))

    @classmethod
    def is_working(cls, pins: Pins) -> int:
        """Keys are down; other keys are another play."""
        return pins.get("key")
