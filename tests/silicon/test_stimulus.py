"""What is done at the pins, as a text: read, refused with the line and the word, written, and done."""

import re
from contextlib import suppress
from random import Random

import pytest

from appendix_e import PRINTED
from design_names import MADE
from noughts.silicon import kept
from noughts.silicon.circuit import Circuit, Pins
from noughts.silicon.designs import DESIGNS, design
from noughts.silicon.run import Run, perform
from noughts.silicon.simulate.interpreted import Interpreted
from noughts.silicon.simulate.watched import Counted, Recorder, RunTooLongError
from noughts.silicon.stimulus import (
    MOST_CYCLES,
    MOST_TEXT,
    Event,
    Stimulus,
    StimulusError,
    apply,
    read_stimulus,
    write_stimulus,
)

CHIP = design("chip1990")
NO_KEY = 0b111111111


def test_a_line_is_a_time_a_pin_and_a_level() -> None:
    text = """
    # the whole line is for people
    100 resetN 0        # so is this
    300\tresetN   1
    300 keyboardN 111101111
    500 keyboardN[4] 1
    500 keyboardN[0] 0
    2000 end
    """
    assert read_stimulus(CHIP, text) == Stimulus(
        10,
        (
            Event(0, "resetN", 0),
            Event(1, "resetN", 1),
            Event(1, "keyboardN", NO_KEY - 16),
            Event(2, "keyboardN", NO_KEY),
            Event(2, "keyboardN", NO_KEY - 1),
        ),
    )


def test_a_line_of_a_bundle_starts_from_what_nobody_touches() -> None:
    assert read_stimulus(CHIP, "100 keyboardN[8] 0\n200 end").events == (Event(0, "keyboardN", 0b011111111),)


WRONG = {
    "100 resetn 0": r"line 1: 'resetn' is not an input of chip1990: expected resetN, keyboardN, userbegins, pin, .*",
    "100 led 0": "line 1: 'led' is not an input of chip1990: expected .*",
    "# one\n\n100 cp 1": "line 3: 'cp' is the clock, which runs by itself: expected another input",
    "100 resetN 2": "line 1: '2' is not a level of resetN: expected 0 or 1",
    "100 resetN ٠": "line 1: '٠' is not a level of resetN: expected 0 or 1",
    "100 keyboardN 1": "line 1: '1' is not a level of keyboardN: expected 9 bits, as 111111111",
    "100 keyboardN[9] 1": r"line 1: 'keyboardN\[9\]' is not a line of keyboardN: expected keyboardN\[0\] to .*\[8\]",
    "100 keyboardN[3] 11": r"line 1: '11' is not a level of keyboardN\[3\]: expected 0 or 1",
    "100 resetN[0] 1": r"line 1: 'resetN\[0\]' is not a line of resetN: expected resetN",
    "100 keyboardN[-1] 1": r"line 1: 'keyboardN\[-1\]' is not an input .*",
    "200 resetN 1": "line 1: '200' is not when the clock falls: expected 100, 300 or so on, every 200 ns",
    "0 resetN 1": "line 1: '0' is not when the clock falls: .*",
    "150 resetN 1": "line 1: '150' is not when the clock falls: .*",
    "-100 resetN 1": "line 1: '-100' is not a time: expected nanoseconds, at most 2000000000",
    "1e3 resetN 1": "line 1: '1e3' is not a time: .*",
    "2000000001 resetN 1": "line 1: '2000000001' is not a time: .*",
    f"{'9' * 5000} resetN 1": f"line 1: '{'9' * 40}…' is not a time: .*",
    "300 resetN 1\n100 pin 1": "line 2: '100' is before 300 ns of an earlier line: expected the order of time",
    "100 resetN": "line 1: '100 resetN' says nothing: expected a time, a pin and a level, or a time and 'end'",
    "100 resetN 1 0": "line 1: '100 resetN 1 0' says nothing: .*",
    "100": "line 1: '100' says nothing: .*",
    "100 resetN 1\n100 end": "line 2: '100' is not the end of a cycle: expected a multiple of 200 ns, 200 or more",
    "300 resetN 1\n300 end": "line 2: '300' is not the end of a cycle: expected a multiple of 200 ns, 400 or more",
    "0 end": "line 1: '0' is not the end of a cycle: .*",
    "200 end\n300 pin 1": "line 2: '300' stands behind the end: expected nothing more",
    "": "the stimulus does not end: expected a last line as '10000 end'",
    "100 resetN 0": "the stimulus does not end: .*",
    "#" * (MOST_TEXT + 1): "the stimulus is too long: expected at most 131,072 characters",
}


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_what_is_wrong_is_said_with_its_line_and_its_word(text: str) -> None:
    with pytest.raises(StimulusError) as caught:
        read_stimulus(CHIP, text)
    assert re.fullmatch(WRONG[text], str(caught.value))


def test_the_longest_run_is_read_and_no_longer_one() -> None:
    latest = 200 * MOST_CYCLES
    assert read_stimulus(CHIP, f"{latest - 100} pin 1\n{latest} end").cycles == MOST_CYCLES
    with pytest.raises(StimulusError, match=f"line 1: '{latest + 200}' is not a time"):
        read_stimulus(CHIP, f"{latest + 200} end")


def test_nothing_but_stimulus_errors_comes_of_any_text() -> None:
    """Lines put together of words that could be right and of words that could not."""
    random, read = Random(1990), 0
    words = [*"0123", "100", "300", "end", "resetN", "keyboardN", "keyboardN[3]", "111111110", "[", "#", "\x00", "²"]
    for _ in range(3_000):
        lines = [" ".join(random.choices(words, k=random.choice((2, 3)))) for _ in range(random.randrange(3))]
        text = "\n".join([*lines, "400 end"])
        with suppress(StimulusError):
            read_stimulus(CHIP, text)
            read += 1
    assert 300 < read < 2_000


class Noted(Pins):
    """Pins at which nothing happens but that it is noted."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.levels = {name: circuit.idle.get(name, 0) for name, pin in circuit.pins().items() if pin.is_input}
        self.rows: list[dict[str, int]] = []

    def set(self, pin: str, value: int) -> None:
        self.levels[pin] = value

    def get(self, pin: str) -> int:
        return self.levels[pin]

    def half(self, clock: int) -> None:
        self.levels[self.circuit.clock] = clock
        self.rows.append({**self.levels})


def test_every_level_is_there_when_the_text_says_and_until_it_says_otherwise() -> None:
    """Any stimulus, done as it is and done as it is written, against what its lines say half cycle by half cycle."""
    random = Random(7)
    for known in (DESIGNS[name] for name in MADE):
        inputs = {name: pin.width for name, pin in known.pins().items() if pin.is_input and name != known.clock}
        for _ in range(20):
            cycles = random.randrange(1, 30)
            begins = sorted(random.randrange(cycles) for _ in range(random.randrange(20)))
            pins = random.choices(list(inputs), k=len(begins))
            events = tuple(
                Event(cycle, pin, random.getrandbits(inputs[pin])) for cycle, pin in zip(begins, pins, strict=True)
            )
            stimulus = Stimulus(cycles, events)
            text = write_stimulus(known, stimulus)
            done, read = Noted(known), Noted(known)
            apply(done, stimulus)
            apply(read, read_stimulus(known, text))
            assert read.rows == done.rows
            assert len(done.rows) == 2 * cycles
            levels = {name: known.idle.get(name, 0) for name in inputs}
            for half, row in enumerate(done.rows):
                levels |= {event.pin: event.level for event in events if 2 * event.cycle == half}
                assert row == levels | {known.clock: half % 2}
            assert write_stimulus(known, read_stimulus(known, text)) == text


@pytest.mark.parametrize(("name", "run"), [("chip1990", Run()), ("referee2021", Run(("5", "1", "9"), False))])
def test_the_stimulus_of_a_run_gives_the_same_run(name: str, run: Run) -> None:
    known = design(name)
    first, again = Recorder(Interpreted(known)), Recorder(Interpreted(known))
    perform(known, first, run)
    text = write_stimulus(known, first.stimulus, ["the same run", ""])
    assert text.startswith("# the same run\n#\n")
    perform(known, again, Run(stimulus=text))
    assert again.trace() == first.trace()
    assert write_stimulus(known, again.stimulus, ["the same run", ""]) == text


class Slowly(Counted):
    """Counts cycle by cycle."""

    def clock(self, cycles: int = 1) -> None:
        Pins.clock(self, cycles)


def test_cycles_are_counted_in_one_go_as_they_are_one_by_one() -> None:
    """The run of the appendix twice, the first time with a reset in the middle of the search."""
    text = (CHIP.folder / "appendix-e.txt").read_text()
    events = read_stimulus(CHIP, text).events
    twice = Stimulus(
        90,
        (
            *(event for event in events if event.cycle < 20),
            *(event._replace(cycle=event.cycle + 20) for event in events),
        ),
    )
    quick, slow = (kind(Interpreted(CHIP), CHIP.driver, 1_000) for kind in (Counted, Slowly))
    for pins in (quick, slow):
        apply(pins, twice)
    assert quick.cycles == slow.cycles == 90
    assert quick.replies == slow.replies == ((0, 5), (7, 25), (27, 57), (64, 66))
    with pytest.raises(RunTooLongError):
        quick.clock(1_000)
    assert quick.cycles == 1_000


# The runs of ours that come with the chip of 1990 are variations of the one that the paper prints, and are compared
# with it, column by column. What is recorded is what the simulators give (`test_kept`).

COLUMNS = [name for name in PRINTED[0] if name not in ("time_ns", "state")]


def rows(sample: str) -> list[dict[str, str]]:
    recording = kept.recording(CHIP, sample)
    assert recording is not None
    return recording.trace.coded().table()


def differences(printed: list[dict[str, str]], seen: list[dict[str, str]]) -> set[tuple[str, str, str]]:
    """Signal, as printed, and as seen, wherever the two are not the same."""
    both = zip(printed, seen, strict=True)
    return {(name, one[name], other[name]) for one, other in both for name in COLUMNS if one[name] != other[name]}


def test_keys_that_are_held_change_nothing_but_the_keys() -> None:
    """3.1: an illegal key is simply ignored; and in a search nobody looks at them."""
    found = differences(PRINTED, rows("held-keys"))
    assert {name for name, _, _ in found} == {"keyboardN"}
    assert ("keyboardN", "111111111", "001111111") in found


def test_a_reset_in_the_middle_of_a_search_begins_the_printed_run_anew() -> None:
    """C.3: it empties the board and gives the chip the turn; i and the keys keep what they hold, defined now."""
    seen = rows("reset")
    assert differences(PRINTED[:40], seen[:40]) == set()
    assert (seen[39]["sp"], seen[39]["i"]) == ("1", "8"), "in the middle of a search"
    assert differences(PRINTED, seen[40:]) == {("choose", "u", "0"), ("toggleN", "u", "1"), ("i", "u", "8")}
    assert [seen[40][name] for name in ("statereg", "led", "sp", "p", "a")] == ["3", "0" * 18, "0", "0", "1"]


PATH = {"statereg": 3, **{f"stack{number}": 6 for number in range(7, -1, -1)}, "sp": 3, "a": 1, "bestr": 1, "r": 2}
PATH |= {"m": 4, "i": 4, "count": 3, "p": 1, "led": 18, "keys": 9}
"""Every register of the chip and its bits, as they come out."""
BITS = sum(PATH.values())


def held(row: dict[str, str], name: str) -> str:
    """What a register holds, bit by bit, the highest first."""
    text, width = row[name], PATH[name]
    return "u" * width if "u" in text else f"{int(text, 2 if width > 8 else 16):0{width}b}"


def test_a_scan_of_all_registers_out_and_in_again_leaves_the_chip_as_it_was() -> None:
    """Before it and behind it, but for the time that it takes, the run is the printed one, undefined values and all."""
    seen = rows("scan")
    assert differences(PRINTED[:40], seen[:40]) == set()
    assert differences(PRINTED[40:], seen[40 + 2 * BITS :]) == set()
    scanned = seen[40 : 40 + 2 * BITS]
    assert {row["scan"] for row in scanned} == {"1"}
    out, put_in = ("".join(row[name] for row in scanned[::2]) for name in ("scanout", "scanin"))
    assert out.replace("u", "0") == put_in, "what comes out is what goes in"
    bits = {name: held(seen[39], name) for name in PATH}
    assert out == "".join(bits.values())
    assert {name for name, text in bits.items() if "u" in text} == {*(f"stack{n}" for n in range(2, 8)), "m", "count"}
