"""At the keys of the player of 2026: a point is pressed; where stones move, the stone and its new point together."""

from noughts.games import Move
from noughts.silicon.driver import IllegalPressError, PlayingDriver

__all__ = ["PlayerDriver"]


class PlayerDriver(PlayingDriver):
    """Presses keys and reads the board."""

    waiting = "waiting"
    over = "over"
    won = "won"

    _held = 0
    """The key of the stone that moves."""

    def stones(self) -> tuple[int, int]:
        return self.pins.get("mine"), self.pins.get("theirs")

    def play(self, move: Move) -> int:
        """The user's move, and the cycles that the reply takes.

        A person may as well touch the stone first, and its new point later; but the chip would remember a stone that
        was touched in vain, so here both keys go down at once. Two keys do not say which of them was first: a move from
        an empty point to a stone would be taken for its reverse, and is not pressed.
        """
        if move.to is None or move.capture is not None or move.source == move.to:
            raise IllegalPressError(f"{self.game.write_move(move)!r} is not a move here: expected one point, or two")
        chip, user = self.stones()
        if move.source is not None and user >> move.to & 1 and not (chip | user) >> move.source & 1:
            points = self.layout.points
            raise IllegalPressError(f"{self.game.write_move(move)!r} is not a move: {points[move.source]} is empty")
        self._held = 0 if move.source is None else 1 << move.source
        return self._last_press(move.to, move)

    def _reset(self, *, user_first: bool, start: int) -> None:  # noqa: ARG002
        self._up()
        self.pins.set("user_begins", int(user_first))
        self.pins.reset()

    def _down(self, place: int) -> None:
        self.pins.set("key", 1 << place | self._held)

    def _up(self) -> None:
        self.pins.set("key", 0)
        self._held = 0
