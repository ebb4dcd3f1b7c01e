"""What is done at the pins of a chip, as a text: when, at which pin, which level.

    # a key is held for three cycles     what follows # is for people
    100   resetN        0                a time in ns, an input pin, its level
    300   resetN        1
    500   keyboardN     111101111        a bundle of pins: its bits, the highest first
    1100  keyboardN[4]  1                one line of a bundle; the others stay as they are
    4000  end                            until when

Times are those of a trace (`trace`): a level that is given at 300 ns is seen in the row of 300 ns. The clock runs by
itself. Inputs arrive when it falls, which is at 100, 300, 500 … ns for the chip of 1990 and at 0, 20, 40 … ns for the
elements of 2021; the end is a whole number of cycles. Lines stand in the order of their times; of two at the same time
the second is done second. A pin of which the text says nothing keeps the level that it has when nobody touches it.

    0     counters      0                counters that nobody resets hold 0 when the chip is switched on

Without that line they are undefined, as is all that depends on them: the place where a chip of 1990 begins.

The text may come from anywhere, so it is bounded, and every line is checked before the first cycle.
"""

import re
from collections.abc import Callable, Iterable
from importlib.resources import files
from typing import NamedTuple

from noughts.games import NoughtsError
from noughts.silicon.circuit import Circuit, Pins

__all__ = [
    "MOST_CYCLES",
    "MOST_TEXT",
    "Event",
    "Stimulus",
    "StimulusError",
    "apply",
    "read_stimulus",
    "stimulus_file",
    "write_stimulus",
]

MOST_TEXT = 1 << 17
"""The longest text, in characters: some six thousand lines."""
MOST_CYCLES = 10_000_000
"""The longest run. A compiled chip takes some seconds for it."""

_END, _COUNTERS = "end", "counters"
_SHOWN = 40
"""Of a word that is wrong, as much as is quoted."""


class StimulusError(NoughtsError):
    """A text that is no stimulus: which line, which word, and what was expected."""


class Event(NamedTuple):
    """A level that an input pin, or a bundle, gets at the beginning of a cycle."""

    cycle: int
    pin: str
    level: int


class Stimulus(NamedTuple):
    """All that is done at the pins, in this order, and for how long."""

    cycles: int
    events: tuple[Event, ...]
    counters: bool = False
    """Whether counters that nobody resets are known to hold 0 when the chip is switched on."""


def apply(pins: Pins, stimulus: Stimulus) -> None:
    """Do it at the pins of a chip that has just been switched on.

    Args:
        pins: A running chip.
        stimulus: What is done, and when.
    """
    now = 0
    for event in stimulus.events:
        pins.clock(event.cycle - now)
        now = event.cycle
        pins.set(event.pin, event.level)
    pins.clock(stimulus.cycles - now)


def stimulus_file(package: str, name: str) -> Callable[[Pins], None]:
    """Who does at the pins what a file says that comes with a package.

    Args:
        package: The package that has the file.
        name: Of the file.
    """
    return lambda pins: apply(pins, read_stimulus(pins.circuit, (files(package) / name).read_text(encoding="utf-8")))


def read_stimulus(circuit: Circuit, text: str) -> Stimulus:
    """Read a text for this circuit; raise `StimulusError` if anything in it is not as it must be.

    Args:
        circuit: Whose pins the text names.
        text: The stimulus, a line a change.

    Raises:
        StimulusError: If anything in it is not as it must be; the line is named.
    """
    if len(text) > MOST_TEXT:
        raise StimulusError(f"the stimulus is too long: expected at most {MOST_TEXT:,} characters")
    reader = _Reader(circuit)
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if words:
            try:
                reader.line(words)
            except StimulusError as error:
                raise StimulusError(f"line {number}: {error}") from None
    if reader.cycles is None:
        raise StimulusError(f"the stimulus does not end: expected a last line as '{reader.time_of_end(50)} {_END}'")
    return Stimulus(reader.cycles, tuple(reader.events), reader.counters)


class _Reader:
    """What the lines so far have said."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.widths = _inputs(circuit)
        self.levels = _idle(circuit)
        self.events: list[Event] = []
        self.cycles: int | None = None
        self.counters = False
        self._last = 0

    def line(self, words: list[str]) -> None:
        """One more line, as its words."""
        if self.cycles is not None:
            raise StimulusError(f"{_quoted(words[0])} stands behind the end: expected nothing more")
        time = self._time(words[0])
        if words[1:] == [_END]:
            self.cycles = self._end(time)
        elif words[1:2] == [_COUNTERS]:
            self._counters(words)
        elif len(words) == len(Event._fields):
            self.events.append(self._event(time, words[1], words[2]))
        else:
            raise StimulusError(
                f"{_quoted(' '.join(words))} says nothing: expected a time, a pin and a level, or a time and {_END!r}"
            )

    def time_of_end(self, cycles: int) -> int:
        """When so many cycles are over."""
        return 2 * self.circuit.half_ns * cycles

    def _time(self, word: str) -> int:
        latest = self.time_of_end(MOST_CYCLES)
        if not re.fullmatch("[0-9]{1,15}", word) or int(word) > latest:
            raise StimulusError(f"{_quoted(word)} is not a time: expected nanoseconds, at most {latest}")
        time = int(word)
        if time < self._last:
            raise StimulusError(f"{word!r} is before {self._last} ns of an earlier line: expected the order of time")
        self._last = time
        return time

    def _event(self, time: int, name: str, level: str) -> Event:
        first, second = (self.circuit.time_ns(half) for half in (0, 2))
        cycle, rest = divmod(time - first, second - first)
        if rest or time < first:
            raise StimulusError(
                f"'{time}' is not when the clock falls: expected {first}, {second} or so on, every {second - first} ns"
            )
        if cycle == MOST_CYCLES:
            raise StimulusError(f"'{time}' is too late: expected at most {MOST_CYCLES:,} cycles")
        pin, line = self._pin(name)
        width = self.widths[pin] if line is None else 1
        if not re.fullmatch(f"[01]{{{width}}}", level):
            bits = "0 or 1" if width == 1 else f"{width} bits, as {self.levels[pin]:0{width}b}"
            raise StimulusError(f"{_quoted(level)} is not a level of {name}: expected {bits}")
        if line is None:
            self.levels[pin] = int(level, 2)
        else:
            self.levels[pin] = self.levels[pin] & ~(1 << line) | int(level) << line
        return Event(cycle, pin, self.levels[pin])

    def _counters(self, words: list[str]) -> None:
        if words != ["0", _COUNTERS, "0"] or not self.circuit.counters:
            expected = f"'0 {_COUNTERS} 0'" if self.circuit.counters else f"no such line for {self.circuit.name}"
            raise StimulusError(f"{_quoted(' '.join(words))} cannot be: expected {expected}")
        self.counters = True

    def _pin(self, name: str) -> tuple[str, int | None]:
        """The pin of this name; or a bundle, and which of its lines."""
        if name == self.circuit.clock:
            raise StimulusError(f"{name!r} is the clock, which runs by itself: expected another input")
        found = re.fullmatch(r"([A-Za-z0-9_]{1,64})(?:\[([0-9]{1,3})\])?", name)
        if found is None or found[1] not in self.widths:
            known = ", ".join(self.widths)
            raise StimulusError(f"{_quoted(name)} is not an input of {self.circuit.name}: expected {known}")
        pin, line = found[1], found[2]
        if line is None:
            return pin, None
        width = self.widths[pin]
        if width == 1 or int(line) >= width:
            lines = f"{pin}[0] to {pin}[{width - 1}]" if width > 1 else pin
            raise StimulusError(f"{name!r} is not a line of {pin}: expected {lines}")
        return pin, int(line)

    def _end(self, time: int) -> int:
        cycle = self.time_of_end(1)
        after = self.events[-1].cycle + 1 if self.events else 1
        if time % cycle or time // cycle < after:
            least = self.time_of_end(after)
            raise StimulusError(
                f"'{time}' is not the end of a cycle: expected a multiple of {cycle} ns, {least} or more"
            )
        return time // cycle


def _quoted(word: str) -> str:
    return repr(word if len(word) <= _SHOWN else f"{word[:_SHOWN]}…")


def _inputs(circuit: Circuit) -> dict[str, int]:
    """The input pins and bundles without the clock, the reset first: how many lines each has."""
    widths = {name: pin.width for name, pin in circuit.pins().items() if pin.is_input and name != circuit.clock}
    return {circuit.reset: widths[circuit.reset], **widths}


def _idle(circuit: Circuit) -> dict[str, int]:
    """The levels that nobody touches."""
    return {name: circuit.idle.get(name, 0) for name in _inputs(circuit)}


def write_stimulus(circuit: Circuit, stimulus: Stimulus, about: Iterable[str] = ()) -> str:
    """A text that reads as this stimulus; `about` is said in comments at its top.

    It begins with the levels of all pins, so that one sees what there is to change; then every change is a line.

    Args:
        circuit: Whose pins are driven.
        stimulus: What is done, and when.
        about: Lines of comment.
    """
    widths, levels = _inputs(circuit), _idle(circuit)
    last = {(0, name): level for name, level in levels.items()}
    last |= {(event.cycle, event.pin): event.level for event in stimulus.events}
    end = 2 * circuit.half_ns * stimulus.cycles
    wide, long = len(str(end)), max(map(len, widths))
    lines = [f"# {line}".rstrip() for line in about]
    lines += [f"{0:<{wide}}  {_COUNTERS:<{long}}  0"] if stimulus.counters else []
    for (cycle, name), level in last.items():
        if not cycle or levels[name] != level:
            time = circuit.time_ns(2 * cycle)
            lines.append(f"{time:<{wide}}  {name:<{long}}  {level:0{widths[name]}b}")
        levels[name] = level
    return "\n".join([*lines, f"{end:<{wide}}  {_END}", ""])
