"""At the keys of the one-cycle player.

A key that is down when the clock rises is a stone, and one clock later the reply is there.
"""

from noughts.silicon.driver import SettingDriver

__all__ = ["Fingers"]


class Fingers(SettingDriver):
    """Presses keys and reads the two lamps of every place."""

    def stones(self) -> tuple[int, int]:
        stone, own = self.pins.get("stone"), self.pins.get("own")
        return own, stone & ~own

    def _down(self, place: int) -> None:
        self.pins.set("key", 1 << place)

    def _up(self) -> None:
        self.pins.set("key", 0)
