"""A chip whose cycles are counted: when it works and when it waits, and not more of them than somebody allows."""

from noughts.games import NoughtsError
from noughts.silicon.pins import Pins

__all__ = ["Counted", "RunTooLongError"]

_IDLE = {
    "chip1990": ("prompt", "fin"),
    "elements2021": ("LEDG0", "LEDG2"),
    "elements2021:pruning=yes": ("LEDG0", "LEDG2"),
}
"""The pins that are high while a chip has nothing to do: it waits for the user, or the game is over."""


class RunTooLongError(NoughtsError):
    """A run of more cycles than are allowed."""


class Counted(Pins):
    """Stands between a driver and a chip. Values come out without a sign, as they do from every compiled chip."""

    def __init__(self, chip: Pins, most: int) -> None:
        self.design = chip.design
        self.cycles = 0
        self._chip, self._most = chip, most
        self._widths = {name: pin.width for name, pin in self.design.pins(watch=True).items()}
        self._stretches: list[tuple[int, int]] = []
        self._since: int | None = None

    @property
    def replies(self) -> tuple[tuple[int, int], ...]:
        """First and last cycle of every stretch in which the chip works, or somebody plays at the referee."""
        last = [] if self._since is None else [(self._since, self.cycles - 1)]
        return (*self._stretches, *last)

    def set(self, pin: str, value: int) -> None:
        self._chip.set(pin, value)

    def get(self, pin: str) -> int:
        return self._chip.get(pin) & (1 << self._widths[pin]) - 1

    def half(self, clock: int) -> None:
        if self.cycles >= self._most:
            raise self._too_long()
        self._chip.half(clock)
        if clock:
            self._passed(1)

    def run(self, pins: tuple[str, str], value: int, limit: int) -> int | None:
        """In one go, as drivers do while the chip works."""
        allowed = min(limit, self._most - self.cycles)
        cycles = self._chip.run(pins, value, allowed)
        if cycles is None and allowed < limit:
            raise self._too_long()
        self._passed(allowed if cycles is None else cycles)
        return cycles

    def _passed(self, cycles: int) -> None:
        """So many cycles; in all but the last of them the chip did what it did before."""
        self.cycles += cycles
        if not self._works():
            if self._since is not None:
                self._stretches.append((self._since, self.cycles - 2))
            self._since = None
        elif self._since is None:
            self._since = self.cycles - 1

    def _works(self) -> bool:
        pins = _IDLE.get(self.design.name)
        if pins is None:
            return bool(self.get("pp") or self.get("pc"))
        return not any(self.get(pin) for pin in pins)

    def _too_long(self) -> RunTooLongError:
        return RunTooLongError(
            f"this run of {self.design.name} has more than {self._most:,} cycles: expected fewer moves, "
            "a shorter search or, where designs are not compiled yet, verilator and a C++ compiler"
        )
