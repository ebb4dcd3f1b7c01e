r"""A run of a chip as data: a value for every watched signal, half cycle by half cycle.

Cycle n is the half cycles 2n, with the clock low, and 2n + 1, with the clock high: inputs change in the first, and
registers at the rising edge between the two. A half cycle is known by the time at which the simulation of 1990 printed
it: the first of a run at one step, the next at two steps. A source may have another step and another first time.

    cycle          0         1
    half cycle   0    1    2    3
    time in ns  100  200  300  400
    cp          ____/▔▔▔▔\____/▔▔▔▔

A bit that nothing has defined yet, since no reset touches its register, is neither 0 nor 1. Values have a 0 there, and
beside them stand masks of such bits. They are printed as the simulation of 1990 did, as `u`: in a signal that is
printed bit by bit for the bit, in a number for the digit that it is part of, and for all of a value that would have a
name.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, TextIO

from noughts.games import NoughtsError

__all__ = [
    "UNDEFINED",
    "Moment",
    "Outline",
    "Trace",
    "UnknownCycleError",
    "UnknownSignalError",
    "as_printed",
    "binary",
    "hexadecimal",
    "time_ns",
    "write_vcd",
]

UNDEFINED = "u"
"""How a bit is printed that nothing has defined yet."""

BINARY_FROM = 9
"""Signals of at least so many bits are printed bit by bit, a bit a place of the board; smaller ones are numbers."""


def time_ns(half_cycle: int, step_ns: int, first_ns: int | None) -> int:
    """The time of a half cycle of a run, in nanoseconds.

    Args:
        half_cycle: Its number, from 0 on.
        step_ns: How long a half cycle is.
        first_ns: The time of half cycle 0, if that is not one step.
    """
    return (step_ns if first_ns is None else first_ns) + half_cycle * step_ns


NAMED = 8
"""Signals that an error names: the elements of 2021 have a hundred."""


class UnknownSignalError(NoughtsError):
    """A name that is no signal's of this trace."""


class UnknownCycleError(NoughtsError):
    """Cycles that this trace has not."""


class Trace(NamedTuple):
    """What was seen on a chip, or in a stretch of a longer run."""

    design: str
    """The design's name."""
    step_ns: int
    """The time of one half cycle."""
    start: int
    """The number of the first half cycle kept, 0 for a whole run."""
    widths: dict[str, int]
    """The bits of every signal, in the order in which they are shown; the clock is among them."""
    rows: list[tuple[int, ...]]
    """A value for every signal, in that order; a row a half cycle."""
    names: dict[str, dict[int, str]]
    """For signals whose values have names, as states have: value to name."""
    undefined: list[tuple[int, ...]] | None = None
    """For every value the bits that are undefined, which are 0 in it; None if this was not followed."""
    first_ns: int | None = None
    """The time of half cycle 0, if that is not one step."""

    @property
    def cycles(self) -> int:
        """The number of whole cycles."""
        return max(0, self._end_cycle - self._first_cycle)

    @property
    def _first_cycle(self) -> int:
        return (self.start + 1) // 2

    @property
    def _end_cycle(self) -> int:
        return (self.start + len(self.rows)) // 2

    def time(self, row: int) -> int:
        """When a row was seen, in nanoseconds; what it shows holds for a step from then.

        Args:
            row: Its number, from 0 on.
        """
        return time_ns(self.start + row, self.step_ns, self.first_ns)

    def column(self, name: str) -> list[int]:
        """All values of a signal.

        Args:
            name: Of the signal.
        """
        (place,) = self._places([name])
        return [row[place] for row in self.rows]

    def undefined_column(self, name: str) -> list[int]:
        """The undefined bits of all values of a signal.

        Args:
            name: Of the signal.
        """
        (place,) = self._places([name])
        return [0] * len(self.rows) if self.undefined is None else [row[place] for row in self.undefined]

    def moment(self, row: int) -> "Moment":
        """All values of a half cycle.

        Args:
            row: Its number, from 0 on.
        """
        undefined = {} if self.undefined is None else dict(zip(self.widths, self.undefined[row], strict=True))
        return Moment(self, dict(zip(self.widths, self.rows[row], strict=True)), undefined)

    def window(self, first_cycle: int, last_cycle: int) -> "Trace":
        """A stretch of the trace, both cycles included; cycles count from the beginning of the run.

        Args:
            first_cycle: The first that is shown.
            last_cycle: The last.

        Raises:
            UnknownCycleError: If the trace has no such cycles.
        """
        if not self._first_cycle <= first_cycle <= last_cycle < self._end_cycle:
            known = f"cycles from {self._first_cycle} to {self._end_cycle - 1}" if self.cycles else "no whole cycle"
            raise UnknownCycleError(f"{first_cycle} to {last_cycle} is not a part of this trace: expected {known}")
        kept = slice(2 * first_cycle - self.start, 2 * last_cycle + 2 - self.start)
        undefined = None if self.undefined is None else self.undefined[kept]
        return self._replace(start=2 * first_cycle, rows=self.rows[kept], undefined=undefined)

    def coded(self) -> "Trace":
        """The same trace with numbers for all values that have names."""
        return self._replace(names={})

    def text(self, name: str, value: int, undefined: int = 0) -> str:
        """A value of a signal as it is printed: its name, its bits, or a hexadecimal number.

        Args:
            name: Of the signal.
            value: Its value.
            undefined: Which of its bits nothing has defined, as a bit mask.
        """
        width = self.widths[name]
        names = self.names.get(name, {})
        if names and undefined:
            return UNDEFINED
        if value in names:
            return names[value]
        return binary(value, width, undefined) if width >= BINARY_FROM else hexadecimal(value, width, undefined)

    def table(self, signals: Iterable[str] | None = None) -> list[dict[str, str]]:
        """Rows ready to print: `time_ns`, then the signals asked for, or all of them.

        Args:
            signals: The names of signals, in the order of the columns.

        Raises:
            UnknownSignalError: If the trace has none of such a name.
        """
        shown = list(self.widths) if signals is None else list(signals)
        self._places(shown)
        return [
            {"time_ns": str(self.time(row))} | {name: moment.text(name) for name in shown}
            for row, moment in enumerate(map(self.moment, range(len(self.rows))))
        ]

    def _places(self, signals: list[str]) -> list[int]:
        """Where in a row the signals stand."""
        place_of = {name: place for place, name in enumerate(self.widths)}
        for name in signals:
            if name not in place_of:
                some = ", ".join(list(place_of)[:NAMED]) + (" or another" if len(place_of) > NAMED else "")
                raise UnknownSignalError(f"{name[:60]!r} is not a signal of this trace: expected {some}")
        return [place_of[name] for name in signals]


class Moment(dict[str, int]):
    """All values of one half cycle, by the names of the signals; bits that are undefined are 0 in them."""

    def __init__(self, trace: Trace, values: Mapping[str, int], undefined: Mapping[str, int]) -> None:
        super().__init__(values)
        self.undefined = undefined
        """The undefined bits of the values that have some, or of all."""
        self._trace = trace

    def ones(self) -> dict[str, int]:
        """All values, with a 1 for every bit that is undefined."""
        return {name: value | self.undefined.get(name, 0) for name, value in self.items()}

    def text(self, name: str) -> str:
        """A value as it is printed.

        Args:
            name: Of the signal.
        """
        return self._trace.text(name, self[name], self.undefined.get(name, 0))

    def number(self, name: str) -> str:
        """A value as it is printed if it has no name.

        Args:
            name: Of the signal.
        """
        return self._trace.coded().text(name, self[name], self.undefined.get(name, 0))


def binary(value: int, width: int, undefined: int = 0) -> str:
    """So many bits, the highest first.

    Args:
        value: The number.
        width: How many bits.
        undefined: Which of them nothing has defined, as a bit mask.
    """
    return _marked(f"{value:0{width}b}", f"{undefined:0{width}b}")


def hexadecimal(value: int, width: int, undefined: int = 0) -> str:
    """A number of so many bits, with as many digits as the largest of them.

    Args:
        value: The number.
        width: How many bits.
        undefined: Which of them nothing has defined, as a bit mask.
    """
    digits = -(-width // 4)
    return _marked(f"{value:0{digits}x}", f"{undefined:0{digits}x}")


def _marked(digits: str, undefined: str, mark: str = UNDEFINED) -> str:
    """Digits, but a mark for those of which a bit is undefined."""
    if undefined.strip("0") == "":
        return digits
    return "".join(digit if bits == "0" else mark for digit, bits in zip(digits, undefined, strict=True))


def as_printed(trace: Trace, signals: Iterable[str], clock: str) -> Iterator[str]:
    """A trace as the simulator of 1990 printed it: names from top to bottom, times, numbers, a blank between columns.

    It could not print names of states; a program of the authors put them at the ends of the lines, where the clock has
    risen.

    Args:
        trace: What was seen.
        signals: The names of signals, in the order of the columns.
        clock: The name of the clock.
    """
    shown = list(signals)
    coded = trace.coded()
    rows = coded.table(shown)
    wide = {name: len(rows[0][name]) if rows else 1 for name in shown}
    for line in range(max(map(len, shown))):
        yield "#       " + " ".join(f"{name[line : line + 1]:<{wide[name]}}" for name in shown).rstrip()
    yield "#"
    for number, row in enumerate(rows):
        moment = trace.moment(number)
        states = [moment.text(name) for name in shown if trace.names.get(name)] if moment[clock] else []
        time = f"{row['time_ns']}.0"
        yield " ".join([f"{time:<7}", *(row[name] for name in shown), *states])


class Outline(NamedTuple):
    """A run as a whole."""

    cycles: int
    replies: tuple[tuple[int, int], ...]
    """First and last cycle of every stretch in which the chip works."""
    stones: tuple[int, int]
    """The places of the machine's and of the user's stones at the end, as sets of bits."""
    over: bool
    simulator: str
    said: tuple[tuple[int, str], ...] = ()
    """What the source's test bench prints, each line with the time of the rising edge that it is printed at, in ns."""


# A trace as a value change dump, the file that waveform viewers open.
#
# Times are those of the trace's rows, so what a viewer shows at a time is the row printed with that time. A signal
# whose values have names appears twice: as a number, and under `…_name` as text, which GTKWave and Surfer show as it
# is. An undefined bit is an x. The same trace gives the same file: there is no date in it.


def write_vcd(trace: Trace, file: TextIO) -> None:
    """Write all of a trace.

    Args:
        trace: What was seen.
        file: Where the dump goes, open for writing.
    """
    from vcd import VCDWriter  # noqa: PLC0415

    with VCDWriter(file, timescale="1 ns", date="", version="noughts", init_timestamp=trace.time(0)) as writer:
        scope = (trace.design,)
        numbers = {name: writer.register_var(scope, name, "wire", width) for name, width in trace.widths.items()}
        # What is called by its digits needs no second line.
        called = {name: trace.names.get(name, {}).values() for name in trace.widths}
        named = [name for name, texts in called.items() if not all(text.isdecimal() for text in texts)]
        texts = {name: writer.register_var(scope, f"{name}_name", "string") for name in named}
        for row in range(len(trace.rows)):
            time, moment = trace.time(row), trace.moment(row)
            for name, value in moment.items():
                undefined, width = moment.undefined.get(name, 0), trace.widths[name]
                bits = _marked(f"{value:0{width}b}", f"{undefined:0{width}b}", "x") if undefined else value
                writer.change(numbers[name], time, bits)
                if name in texts:
                    writer.change(texts[name], time, moment.text(name))
        writer.flush(trace.time(len(trace.rows)))
