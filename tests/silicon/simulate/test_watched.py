"""A stretch of a run is what the whole run has there, and the rest of the run goes by at the chip's own speed."""

from collections.abc import Callable

import pytest
from amaranth.hdl import ClockDomain, ClockSignal, Elaboratable, Module, ResetSignal, Signal
from amaranth.lib.wiring import Component, In, Out

from design_names import RUN
from noughts.silicon.circuit import Circuit, NotReachedError, Pins
from noughts.silicon.designs import DESIGNS
from noughts.silicon.simulate.interpreted import Interpreted
from noughts.silicon.simulate.watched import Recorder

pytestmark = pytest.mark.slow


class Counter(Component):  # type: ignore[misc]
    """Counts while `go` is high; `late` is what the count was a cycle before."""

    def __init__(self) -> None:
        super().__init__({"count": Out(6), "reset": In(1), "go": In(1), "cp": In(1)})
        self.late = Signal(6)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.domains.sync = ClockDomain(async_reset=True, local=True)
        m.d.comb += [ClockSignal().eq(self.cp), ResetSignal().eq(self.reset)]
        with m.If(self.go):
            m.d.sync += self.count.eq(self.count + 1)
        m.d.sync += self.late.eq(self.count)
        return m


COUNTER = Circuit(
    name="counter",
    year=2000,
    about="counts",
    make=Counter,
    clock="cp",
    reset="reset",
    reset_level=1,
    idle={"go": 1},
    watch=lambda counter: {"late": counter.late},
)


class Fast(Pins):
    """The counter in some lines of Python, with a `run` of its own that does not go half cycle by half cycle."""

    def __init__(self) -> None:
        self.circuit = COUNTER
        self.levels = {"count": 0, "late": 0, "reset": 0, "go": 1, "cp": 0}
        self.halves = 0
        self.reads = 0

    def set(self, pin: str, value: int) -> None:
        self.levels[pin] = value

    def get(self, pin: str) -> int:
        self.reads += 1
        return self.levels[pin]

    def half(self, clock: int) -> None:
        self.halves += 1
        self._half(clock)

    def _half(self, clock: int) -> None:
        rises = clock > self.levels["cp"]
        self.levels["cp"] = clock
        if self.levels["reset"]:
            self.levels["count"] = self.levels["late"] = 0
        elif rises:
            self.levels["late"] = self.levels["count"]
            self.levels["count"] = (self.levels["count"] + self.levels["go"]) % 64

    def run(self, pins: tuple[str, str], value: int, limit: int) -> int | None:
        for cycles in range(1, limit + 1):
            self._half(0)
            self._half(1)
            if value in (self.levels[pins[0]], self.levels[pins[1]]):
                return cycles
        return None


def busy_run(pins: Pins) -> list[int | None]:
    """Forty cycles in which the count is waited for in every way, in vain too."""
    pins.reset(2)
    found = [pins.run(("count", "count"), 5, 20)]
    pins.clock(3)
    pins.set("go", 0)
    found.append(pins.run(("count", "late"), 8, 4))
    found.append(pins.run(("count", "count"), 9, 7))
    pins.set("go", 1)
    found.append(pins.run_until("count", 20, 12))
    found.append(pins.run_until("count", 60, 50, or_pin="late"))
    pins.clock()
    return found


@pytest.mark.parametrize("make", [Fast, lambda: Interpreted(COUNTER)], ids=["fast", "interpreted"])
def test_every_stretch_is_that_of_the_whole_run(make: Callable[[], Pins]) -> None:
    whole = Recorder(make())
    found = busy_run(whole)
    assert found == [5, 1, None, 12, 40]
    assert whole.cycles == 2 + 5 + 3 + 1 + 7 + 12 + 40 + 1 == 71
    rows = whole.trace().rows
    assert len(rows) == 2 * 71
    for first in range(0, 76, 1 if make is Fast else 9):
        for last in range(first, 76, 1 if make is Fast else 9):
            part = Recorder(make(), first, last)
            assert busy_run(part) == found
            assert part.cycles == 71
            assert part.trace().rows == rows[2 * first : 2 * last + 2], (first, last)
            if last < 71:
                assert part.trace() == whole.trace().window(first, last)


def test_a_stretch_without_an_end_is_the_rest_of_the_run() -> None:
    whole, rest = Recorder(Fast()), Recorder(Fast(), 33)
    busy_run(whole)
    busy_run(rest)
    assert rest.trace() == whole.trace().window(33, 70)


def test_the_recorded_rows_are_what_the_counter_shows() -> None:
    recorder = Recorder(Fast(), 3, 4)
    recorder.reset()
    recorder.clock(9)
    trace = recorder.trace()
    assert list(trace.widths.items()) == [("reset", 1), ("cp", 1), ("go", 1), ("late", 6), ("count", 6)]
    assert trace.rows == [(0, 0, 1, 1, 2), (0, 1, 1, 2, 3), (0, 0, 1, 2, 3), (0, 1, 1, 3, 4)]
    assert [trace.time(row) for row in range(4)] == [700, 800, 900, 1000]


@pytest.mark.parametrize(("first", "last", "halves"), [(0, 4, 10), (10, 12, 6), (25, 29, 10), (40, 50, 0)])
def test_before_the_stretch_and_behind_it_the_chip_runs_at_its_own_speed(first: int, last: int, halves: int) -> None:
    chip = Fast()
    recorder = Recorder(chip, first, last)
    assert recorder.run_until("count", 30, 60) == 30
    assert recorder.cycles == 30
    assert chip.halves == halves
    assert chip.reads <= halves * (5 + 2)


@pytest.mark.parametrize(("first", "last"), [(0, 0), (0, 19), (5, 9), (20, 30)])
def test_what_does_not_come_is_waited_for_as_long_as_was_said(first: int, last: int) -> None:
    recorder = Recorder(Fast(), first, last)
    with pytest.raises(NotReachedError, match="counter: count is not 50 after 20 cycles"):
        recorder.run_until("count", 50, 20)
    assert recorder.cycles == recorder.get("count") == 20


def test_pins_go_through_to_the_chip() -> None:
    chip = Fast()
    recorder = Recorder(chip)
    recorder.set("go", 0)
    assert chip.levels["go"] == 0
    chip.levels["count"] = 33
    assert recorder.get("count") == 33


@pytest.mark.parametrize("name", RUN)
def test_reset_and_clock_come_first_then_what_goes_in_then_what_goes_on_inside(name: str) -> None:
    design = DESIGNS[name]
    recorder = Recorder(Interpreted(design), 0, 5)
    recorder.reset(3)
    recorder.clock(7)
    columns = list(recorder.trace().widths)
    pins, all_pins = design.pins(), design.pins(watch=True)
    assert recorder.trace().widths == {column: all_pins[column].width for column in columns}
    assert sorted(columns) == sorted(all_pins)
    assert columns[:2] == [design.reset, design.clock]
    kinds = [0 if column in pins and pins[column].is_input else 1 if column not in pins else 2 for column in columns]
    assert kinds == sorted(kinds)
    assert recorder.trace().column(design.clock) == [0, 1] * 6
    assert recorder.trace().column(design.reset) == [design.reset_level] * 6 + [1 - design.reset_level] * 6


def test_a_run_that_is_over_before_the_stretch_leaves_nothing() -> None:
    recorder = Recorder(Fast(), 10, 12)
    assert recorder.run_until("count", 9, 100) == 9
    assert recorder.cycles == 9
    assert recorder.trace().rows == []
    assert recorder.trace().cycles == 0
