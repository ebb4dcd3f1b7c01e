"""A chip whose run is written down: half cycle by half cycle, all of it or a stretch."""

from noughts.silicon.pins import Pins
from noughts.silicon.trace import STEP_NS, Trace

__all__ = ["Recorder"]


class Recorder(Pins):
    """Stands between a driver and a chip; outside the stretch that is kept the chip runs at its own speed."""

    def __init__(self, chip: Pins, first_cycle: int = 0, last_cycle: int | None = None) -> None:
        self.design = chip.design
        self._chip = chip
        self._first, self._last = first_cycle, last_cycle
        self._halves = 0
        self._rows: list[tuple[int, ...]] = []
        pins = self.design.pins(watch=True)
        watched = [name for name in pins if name not in self.design.pins()]
        inputs = [name for name, pin in pins.items() if pin.is_input]
        first = [self.design.reset, self.design.clock]
        ordered = [*first, *(name for name in inputs if name not in first), *watched]
        ordered += [name for name in pins if name not in ordered]
        self._widths = {name: pins[name].width for name in ordered}

    def set(self, pin: str, value: int) -> None:
        self._chip.set(pin, value)

    def get(self, pin: str) -> int:
        return self._chip.get(pin)

    def half(self, clock: int) -> None:
        self._chip.half(clock)
        cycle = self._halves // 2
        self._halves += 1
        if self._first <= cycle and (self._last is None or cycle <= self._last):
            self._rows.append(tuple(self._chip.get(name) for name in self._widths))

    def run(self, pins: tuple[str, str], value: int, limit: int) -> int | None:
        """Before the stretch and behind it, in one go."""
        before = min(limit, max(0, self._first - self._halves // 2))
        cycles = self._chip.run(pins, value, before)
        self._halves += 2 * (before if cycles is None else cycles)
        if cycles is not None:
            return cycles
        inside = limit - before
        if self._last is not None:
            inside = min(inside, max(0, self._last + 1 - self._halves // 2))
        cycles = super().run(pins, value, inside)
        if cycles is not None:
            return before + cycles
        rest = limit - before - inside
        behind = self._chip.run(pins, value, rest)
        self._halves += 2 * (rest if behind is None else behind)
        return None if behind is None else before + inside + behind

    @property
    def cycles(self) -> int:
        """The cycles of the whole run, kept or not."""
        return self._halves // 2

    def trace(self) -> Trace:
        """What was written down."""
        return Trace(self.design.name, STEP_NS, 2 * self._first, self._widths, self._rows, self.design.names)
