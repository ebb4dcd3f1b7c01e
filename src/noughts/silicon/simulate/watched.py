"""A chip with somebody beside it who writes its run down, or counts its cycles."""

from collections.abc import Callable, Sequence

from noughts.games import NoughtsError
from noughts.silicon.circuit import Pins
from noughts.silicon.design import Message
from noughts.silicon.driver import Driver, PlayingDriver
from noughts.silicon.simulate.undefined import FOLLOWED, ThreeValued
from noughts.silicon.stimulus import Event, Stimulus
from noughts.silicon.trace import Trace

__all__ = ["Counted", "Recorder", "RunTooLongError"]

# A chip whose run is written down: half cycle by half cycle, all of it or a stretch.
#
# Beside it there may be the same chip with three values, which is given the same inputs until the end of the stretch:
# what is written down comes from the first, and which bits of it are undefined from the second.


class Recorder(Pins):
    """Stands between a driver and a chip; outside the stretch that is kept the chip runs at its own speed."""

    def __init__(
        self,
        chip: Pins,
        first_cycle: int = 0,
        last_cycle: int | None = None,
        *,
        beside: Callable[[], ThreeValued | None] | None = None,
    ) -> None:
        self.circuit = chip.circuit
        self._chip = chip
        self._beside = beside() if beside and last_cycle is not None and last_cycle < FOLLOWED else None
        self._first, self._last = first_cycle, last_cycle
        self._halves = 0
        self._rows: list[tuple[int, ...]] = []
        self._events: list[Event] = []
        pins = self.circuit.pins(watch=True)
        watched = [name for name in pins if name not in self.circuit.pins()]
        inputs = [name for name, pin in pins.items() if pin.is_input]
        first = [self.circuit.reset, self.circuit.clock]
        ordered = [*first, *(name for name in inputs if name not in first), *watched]
        ordered += [name for name in pins if name not in ordered]
        self._widths = {name: pins[name].width for name in ordered}
        self._read = chip.reader(ordered)
        self._undefined: list[tuple[int, ...]] = []
        self._read_undefined = self._beside.undefined_reader(ordered) if self._beside else tuple

    def set(self, pin: str, value: int) -> None:
        self._chip.set(pin, value)
        if self._beside:
            self._beside.set(pin, value)
        self._events.append(Event(self._halves // 2, pin, value))

    def get(self, pin: str) -> int:
        return self._chip.get(pin)

    def clock(self, cycles: int = 1) -> None:
        """Before the stretch and behind it, in one go."""
        before = min(cycles, max(0, self._first - self._halves // 2))
        self._chip.clock(before)
        self._skipped(before)
        inside = cycles - before
        if self._last is not None:
            inside = min(inside, max(0, self._last + 1 - self._halves // 2))
        super().clock(inside)
        behind = cycles - before - inside
        self._chip.clock(behind)
        self._halves += 2 * behind

    def half(self, clock: int) -> None:
        self._chip.half(clock)
        cycle = self._halves // 2
        self._halves += 1
        if self._last is not None and cycle > self._last:
            return
        if self._beside:
            self._beside.half(clock)
        if self._first <= cycle:
            self._keep(self._read(), self._read_undefined())

    def _keep(self, row: tuple[int, ...], undefined: tuple[int, ...]) -> None:
        if self._beside:
            row = tuple(value & ~bits for value, bits in zip(row, undefined, strict=True))
            self._undefined.append(undefined)
        self._rows.append(row)

    def _skipped(self, cycles: int) -> None:
        """So many cycles have gone by before the stretch."""
        self._halves += 2 * cycles
        if self._beside:
            self._beside.clock(cycles)

    def run(self, pins: tuple[str, str], value: int, limit: int) -> int | None:
        """Before the stretch and behind it, in one go."""
        before = min(limit, max(0, self._first - self._halves // 2))
        cycles = self._chip.run(pins, value, before)
        self._skipped(before if cycles is None else cycles)
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

    @property
    def stimulus(self) -> Stimulus:
        """What was done at the pins in the whole run."""
        return Stimulus(self.cycles, tuple(self._events))

    def trace(self) -> Trace:
        """What was written down."""
        circuit = self.circuit
        undefined = self._undefined if self._beside else None
        start, widths, names = 2 * self._first, self._widths, circuit.names
        return Trace(circuit.name, circuit.half_ns, start, widths, self._rows, names, undefined, circuit.first_ns)


# A chip whose cycles are counted: when it works and when it waits, and not more of them than somebody allows.


class RunTooLongError(NoughtsError):
    """A run of more cycles than are allowed."""


class Counted(Pins):
    """Stands between a driver and a chip."""

    def __init__(self, chip: Pins, driver: type[Driver], most: int, messages: Sequence[Message] = ()) -> None:
        self.circuit = chip.circuit
        self.cycles = 0
        self._chip, self._driver, self._most = chip, driver, most
        self._stretches: list[tuple[int, int]] = []
        self._working, self._since = 0, 0
        self._said: list[tuple[int, str]] = []
        self._widths = {name: pin.width for name, pin in self.circuit.pins(watch=True).items()}
        self._messages = tuple(messages)
        self._high = dict.fromkeys((message.when for message in messages if message.when), 0)

    @property
    def replies(self) -> tuple[tuple[int, int], ...]:
        """First and last cycle of every stretch of work: of a chip that plays, or of a play at the referee."""
        last = [(self._since, self.cycles - 1)] if self._working else []
        return (*self._stretches, *last)

    @property
    def said(self) -> tuple[tuple[int, str], ...]:
        """What has been printed, and what is printed if the run ends now."""
        return (*self._said, *self._printed(""))

    def _printed(self, when: str) -> list[tuple[int, str]]:
        """The messages of one moment, at the time of the last rising edge."""
        time = (2 * self.cycles - 1) * self.circuit.half_ns
        return [
            (time, message.said((f"{self.get(pin):0{self._widths[pin]}b}" for pin in message.pins), time))
            for message in self._messages
            if message.when == when
        ]

    def set(self, pin: str, value: int) -> None:
        self._chip.set(pin, value)

    def get(self, pin: str) -> int:
        return self._chip.get(pin)

    def reader(self, pins: Sequence[str]) -> Callable[[], tuple[int, ...]]:
        return self._chip.reader(pins)

    def half(self, clock: int) -> None:
        if self.cycles >= self._most:
            raise self._too_long()
        self._chip.half(clock)
        if clock:
            self._passed(1)

    def clock(self, cycles: int = 1) -> None:
        """In one go for as long as a chip that plays waits, or works."""
        if not issubclass(self._driver, PlayingDriver):
            super().clock(cycles)
            return
        waiting, over = self._driver.waiting, self._driver.over
        while cycles:
            shown = next((pin for pin in (waiting, over) if self.get(pin)), None)
            passed = self.run((waiting, over), 1, cycles) if shown is None else self.run((shown, shown), 0, cycles)
            cycles -= cycles if passed is None else passed

    def run(self, pins: tuple[str, str], value: int, limit: int) -> int | None:
        """In one go, as drivers do while the chip works."""
        allowed = min(limit, self._most - self.cycles)
        cycles = self._chip.run(pins, value, allowed)
        self._passed(allowed if cycles is None else cycles)
        if cycles is None and allowed < limit:
            raise self._too_long()
        return cycles

    def _passed(self, cycles: int) -> None:
        """So many cycles; in all but the last of them the chip did what it did before.

        So a pin that a message waits for must be one that rises when the chip stops working.
        """
        self.cycles += cycles
        for pin, before in self._high.items():
            self._high[pin] = self.get(pin)
            if self._high[pin] and not before:
                self._said += self._printed(pin)
        before, self._working = self._working, self._driver.is_working(self)
        if self._working != before:
            if before:
                self._stretches.append((self._since, self.cycles - 2))
            self._since = self.cycles - 1

    def _too_long(self) -> RunTooLongError:
        return RunTooLongError(
            f"this run of {self.circuit.name} has more than {self._most:,} cycles: expected fewer moves, "
            "a shorter search or, where designs are not compiled yet, verilator and a C++ compiler"
        )
