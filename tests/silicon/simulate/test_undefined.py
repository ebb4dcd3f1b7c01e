"""Undefined values: what is called defined is right, however the chip was switched on; and what defines it."""

import shutil
from collections.abc import Callable
from random import Random

import pytest

from noughts.silicon.designs import design
from noughts.silicon.run import Run, perform
from noughts.silicon.simulate.compiled import Model, compiled
from noughts.silicon.simulate.undefined import FOLLOWED, ThreeValued, three_valued
from noughts.silicon.simulate.watched import Recorder
from noughts.silicon.stimulus import Event, Stimulus, apply
from noughts.silicon.trace import Trace

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("c++") is None and shutil.which("g++") is None, reason="needs a C++ compiler"),
]

CHIP = design("chip1990")
BITS = 97
"""Of all registers, which a scan path joins."""
SWITCHED_ON = (Event(0, "resetN", 1),)
"""Without a reset."""


@pytest.fixture(scope="module")
def chips() -> Callable[[], tuple[Model, ThreeValued]]:
    """The chip with two values and with three, as they are when they are switched on."""
    two, three = compiled(CHIP.inside(), watch=True), three_valued(CHIP.inside())
    first, second = two.save(), three.save()

    def fresh() -> tuple[Model, ThreeValued]:
        two.restore(first)
        three.restore(second)
        return two, three

    return fresh


def recorded(two: Model, three: ThreeValued, stimulus: Stimulus, first: int = 0, last: int | None = None) -> Trace:
    recorder = Recorder(two, first, stimulus.cycles - 1 if last is None else last, beside=lambda: three)
    apply(recorder, stimulus)
    return recorder.trace()


def any_stimulus(random: Random, cycles: int) -> Stimulus:
    """Every input changes now and then; the reset and the scan path seldom."""
    events = []
    for cycle in range(1, cycles):
        events += [Event(cycle, name, random.getrandbits(1)) for name in ("userbegins", "pin", "scanin")]
        key = random.choice([0, 0, 0, 1 << random.randrange(9), random.getrandbits(9)])
        events += [Event(cycle, "keyboardN", 0b111111111 ^ key)]
        events += [Event(cycle, "scan", int(random.random() < 0.05))]
        events += [Event(cycle, "resetN", int(random.random() < 0.97))]
    return Stimulus(cycles, (*SWITCHED_ON, *events))


def test_what_is_defined_is_what_a_chip_shows_that_was_switched_on_somehow(
    chips: Callable[[], tuple[Model, ThreeValued]],
) -> None:
    """The chip of two values was: its registers hold 0, or 1 where that is what nobody pressing a key gives."""
    random, undefined, defined = Random(1990), 0, 0
    names = list(CHIP.inside().pins(watch=True))
    for _ in range(8):
        two, three = chips()
        read_two, read_three, read_undefined = two.reader(names), three.reader(names), three.undefined_reader(names)
        stimulus = any_stimulus(random, 60)
        for cycle in range(60):
            for event in (event for event in stimulus.events if event.cycle == cycle):
                two.set(event.pin, event.level)
                three.set(event.pin, event.level)
            for clock in (0, 1):
                two.half(clock)
                three.half(clock)
                for name, value, seen, bits in zip(names, read_two(), read_three(), read_undefined(), strict=True):
                    assert value & ~bits == seen, name
                    undefined += bool(bits)
                    defined += not bits
    assert undefined > 5_000
    assert defined > 5_000


def test_without_a_reset_nothing_is_known_and_a_reset_defines_what_the_paper_says(
    chips: Callable[[], tuple[Model, ThreeValued]],
) -> None:
    """C.3: p, a and the board; the state, and the stack pointer with it. Not i, m, r, bestr, the stack, the counter."""
    stimulus = Stimulus(8, (*SWITCHED_ON, Event(4, "resetN", 0), Event(5, "resetN", 1)))
    table = recorded(*chips(), stimulus).table()
    registers = ["p", "a", "led", "statereg", "sp", "i", "m", "r", "bestr", "count", *(f"stack{n}" for n in range(8))]
    for row in table[:8]:
        assert all(set(row[name]) == {"u"} for name in registers)
    reset = table[8]
    assert [reset[name] for name in registers[:5]] == ["chip", "1", "0" * 18, "justreset", "0"]
    assert all(set(reset[name]) == {"u"} for name in registers[5:])


def test_a_scan_defines_everything_and_not_before_its_last_bit(
    chips: Callable[[], tuple[Model, ThreeValued]],
) -> None:
    random = Random(7)
    bits = [Event(cycle, "scanin", random.getrandbits(1)) for cycle in range(BITS)]
    trace = recorded(*chips(), Stimulus(BITS, (*SWITCHED_ON, Event(0, "scan", 1), *bits)))
    assert trace.undefined is not None
    assert not any(trace.undefined[-1])
    assert all(map(any, trace.undefined[:-1]))


def test_a_stretch_has_what_is_undefined_in_it(chips: Callable[[], tuple[Model, ThreeValued]]) -> None:
    stimulus = any_stimulus(Random(3), 40)
    whole = recorded(*chips(), stimulus)
    for first, last in ((0, 3), (5, 5), (7, 30), (20, 39)):
        assert recorded(*chips(), stimulus, first, last) == whole.window(first, last)


def test_what_is_looked_at_late_has_two_values() -> None:
    """And no chip of three is compiled for it."""

    def compile_it() -> ThreeValued:
        raise AssertionError

    recorder = Recorder(compiled(CHIP, watch=True), FOLLOWED - 3, FOLLOWED, beside=compile_it)
    perform(CHIP, recorder, Run())
    assert recorder.trace().undefined is None
