"""At the keys of the chip with a ROM: a key is held for a cycle, and the lamps are read."""

from noughts.silicon.driver import PlayingDriver, bits

__all__ = ["RomDriver"]


class RomDriver(PlayingDriver):
    """Presses keys and reads the board."""

    waiting = "waiting"
    over = "over"
    won = "win"

    def stones(self) -> tuple[int, int]:
        board, places = self.pins.get("board"), len(self.layout)
        return bits(board, 0, places), bits(board, 1, places)

    def _reset(self, *, user_first: bool, start: int) -> None:  # noqa: ARG002
        self.pins.set("userbegins", int(user_first))
        self._up()
        self.pins.reset()

    def _down(self, place: int) -> None:
        self.pins.set("key", 1 << place)

    def _up(self) -> None:
        self.pins.set("key", 0)
