"""The pins of a chip that is running somewhere: what a driver holds in its hands.

A cycle is two halves: the clock falls, which is when new inputs arrive, and it rises, which is when registers change.
"""

from abc import ABC, abstractmethod

from noughts.games import NoughtsError
from noughts.silicon.design import Design

__all__ = ["NotReachedError", "Pins"]


class NotReachedError(NoughtsError):
    """A pin that did not get the value that was waited for."""


class Pins(ABC):
    """A running chip. Whoever can do half a cycle can do the rest; a faster one does it faster."""

    design: Design

    @abstractmethod
    def set(self, pin: str, value: int) -> None:
        """Put a level on an input pin; it is seen from the next half cycle on."""

    @abstractmethod
    def get(self, pin: str) -> int:
        """The level of a pin or of a watched signal."""

    @abstractmethod
    def half(self, clock: int) -> None:
        """One half cycle, in which the clock is low or high."""

    def clock(self, cycles: int = 1) -> None:
        """Let whole cycles pass."""
        for _ in range(cycles):
            self.half(0)
            self.half(1)

    def run_until(self, pin: str, value: int, limit: int, *, or_pin: str | None = None) -> int:
        """Whole cycles until a pin, or one of two, has a value, at least one; how many they were."""
        cycles = self.run((pin, or_pin or pin), value, limit)
        if cycles is None:
            raise NotReachedError(f"{self.design.name}: {pin} is not {value} after {limit:,} cycles")
        return cycles

    def run(self, pins: tuple[str, str], value: int, limit: int) -> int | None:
        """As `run_until`, but None if the limit is reached first."""
        for cycles in range(1, limit + 1):
            self.clock()
            if value in (self.get(pins[0]), self.get(pins[1])):
                return cycles
        return None

    def reset(self, cycles: int = 1) -> None:
        """Hold the reset for some cycles and let it go."""
        self.set(self.design.reset, self.design.reset_level)
        self.clock(cycles)
        self.set(self.design.reset, 1 - self.design.reset_level)
