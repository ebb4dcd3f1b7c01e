"""What every design owes: pins that are there, a clock that clocks, and names for whatever has some."""

import re
import shutil

import pytest

from chip_games import MANY, user_moves
from design_names import MADE, RUN
from noughts.games import game
from noughts.silicon.circuit import Pins
from noughts.silicon.design import Design, playing_driver
from noughts.silicon.designs import DESIGNS, PACKAGES, UnknownDesignError, design
from noughts.silicon.run import Run, perform
from noughts.silicon.simulate.compiled import Model, compiled
from noughts.silicon.simulate.interpreted import Interpreted
from noughts.silicon.simulate.watched import Recorder

pytestmark = pytest.mark.slow

KEYWORDS = {"module", "input", "output", "wire", "reg", "logic", "begin", "end", "case", "table", "cell", "design"}

every_design = pytest.mark.parametrize("chip", [DESIGNS[name] for name in MADE], ids=MADE)
every_design_that_is_run = pytest.mark.parametrize("chip", [DESIGNS[name] for name in RUN], ids=RUN)
needs_a_compiler = pytest.mark.skipif(
    shutil.which("c++") is None and shutil.which("g++") is None, reason="needs a C++ compiler"
)

PLAYING = [name for name, known in DESIGNS.items() if known.plays]


def test_the_designs_of_the_three_sources_are_there() -> None:
    assert set(DESIGNS) >= {"chip1990", "elements2021", "referee2021"}
    assert all(known.name == name for name, known in DESIGNS.items())


def test_each_has_a_run_to_show_and_each_that_plays_somebody_at_its_pins() -> None:
    assert not {"referee2021", "referee2021:slides=yes", "duel1990"} & set(PLAYING)
    assert all(known.samples for known in DESIGNS.values())
    assert all(known.plays or known.check for known in DESIGNS.values())


@every_design
def test_its_board_is_that_of_a_game(chip: Design) -> None:
    """The panel has a place for every point."""
    panel = chip.panel(dict.fromkeys(chip.inside().pins(watch=True), 0))
    assert len(panel.places) == len(game(chip.game).layout)


@pytest.mark.parametrize("name", ["", "hal", "Chip1990"])
def test_an_unknown_design_is_named_beside_one_of_each_family(name: str) -> None:
    with pytest.raises(UnknownDesignError) as caught:
        design(name)
    said, _, expected = str(caught.value).partition(": expected ")
    assert said == f"{name!r} is not a design"
    assert [known.partition(":")[0] for known in expected.split(", ")] == list(PACKAGES)


@pytest.mark.parametrize("name", ["elements2021:pruning=no", "player2026", "player2026:game=qubic"])
def test_an_unknown_design_of_a_family_is_named_beside_all_of_it(name: str) -> None:
    with pytest.raises(UnknownDesignError) as caught:
        design(name)
    family = [known for known in DESIGNS if known.startswith(name.partition(":")[0])]
    assert str(caught.value) == f"{name!r} is not a design: expected {', '.join(family)}"


@every_design
def test_a_design_is_told_in_one_line(chip: Design) -> None:
    assert chip.about
    assert "\n" not in chip.about
    assert not chip.about.endswith(".")
    assert chip.name.partition(":")[0].endswith(str(chip.year))
    assert design(chip.name) is chip


@every_design
def test_clock_reset_and_idle_pins_are_inputs(chip: Design) -> None:
    pins = chip.pins()
    assert pins[chip.clock] == pins[chip.reset] == (True, 1)
    assert chip.clock != chip.reset
    assert chip.reset_level in (0, 1)
    for name, level in chip.idle.items():
        assert pins[name].is_input
        assert 0 < level < 1 << pins[name].width
    assert chip.clock not in chip.idle


@every_design
def test_what_is_watched_comes_out_besides_the_pins(chip: Design) -> None:
    pins, watched = chip.pins(), chip.pins(watch=True)
    assert {name: pin for name, pin in watched.items() if name in pins} == pins
    inside = {name: pin for name, pin in watched.items() if name not in pins}
    assert inside
    assert not any(pin.is_input for pin in inside.values())
    assert all(pin.width > 0 for pin in watched.values())
    assert any(not pin.is_input for pin in pins.values())


@every_design
def test_what_is_shown_and_what_has_names_can_be_watched(chip: Design) -> None:
    pins = chip.pins(watch=True)
    assert set(chip.shown) <= set(pins)
    assert len(set(chip.shown)) == len(chip.shown)
    for name, names in chip.names.items():
        assert all(0 <= value < 1 << pins[name].width for value in names)
        assert len(set(names.values())) == len(names)
        assert all(re.fullmatch(r"\w+", text) for text in names.values())


@every_design
def test_everything_that_can_be_watched_is_told_in_words(chip: Design) -> None:
    for signal in chip.inside().pins(watch=True):
        assert chip.story.about(signal), signal


@every_design
def test_the_identifier_is_a_name_in_verilog(chip: Design) -> None:
    assert re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", chip.identifier)
    assert chip.identifier not in KEYWORDS
    assert chip.identifier not in chip.pins(watch=True)
    assert f"module \\{chip.identifier}\n" in chip.rtlil()


def test_no_two_designs_have_one_identifier() -> None:
    assert len({chip.identifier for chip in DESIGNS.values()}) == len(DESIGNS)


@every_design_that_is_run
def test_registers_change_when_the_clock_rises(chip: Design) -> None:
    """Where the clock falls and no other input changes, nothing changes; and where it rises, something does."""
    recorder = Recorder(Interpreted(chip))
    perform(chip, recorder, Run())
    recorder.clock(10)
    trace = recorder.trace()
    clock = list(trace.widths).index(chip.clock)
    inputs = [column for column, name in enumerate(trace.widths) if chip.pins(watch=True)[name].is_input]
    falls = rises = 0
    for before, after in zip(trace.rows, trace.rows[1:], strict=False):
        if any(before[column] != after[column] for column in inputs if column != clock):
            continue
        others = [
            (one, other) for column, (one, other) in enumerate(zip(before, after, strict=True)) if column != clock
        ]
        changed = any(one != other for one, other in others)
        if after[clock]:
            rises += changed
        else:
            falls += 1
            assert not changed
    assert falls > 5
    assert rises > 5


@every_design_that_is_run
def test_a_reset_needs_no_clock_and_leaves_nothing_to_be_seen(chip: Design) -> None:
    """But for the place that the chip of 1990 tried last: its register is written before it is used."""
    pins = Interpreted(chip)
    outputs = [name for name, pin in chip.pins(watch=True).items() if not pin.is_input]
    pins.reset(2)
    first = {name: pins.get(name) for name in outputs}
    perform(chip, pins, Run())
    assert {name: pins.get(name) for name in outputs} != first
    pins.set(chip.reset, chip.reset_level)
    pins.half(0)
    again = {name: pins.get(name) for name in outputs}
    assert {name for name in outputs if again[name] != first[name]} <= ({"i"} if chip.name == "chip1990" else set())


@every_design_that_is_run
def test_pins_that_nobody_touches_have_their_idle_levels(chip: Design) -> None:
    _assert_idle(Interpreted(chip))


@needs_a_compiler
@every_design_that_is_run
def test_pins_of_a_compiled_chip_that_nobody_touches_have_their_idle_levels(chip: Design) -> None:
    _assert_idle(compiled(chip, watch=True))


def _assert_idle(pins: Pins) -> None:
    inputs = [name for name, pin in pins.circuit.pins().items() if pin.is_input]
    for clock in (0, 1):
        pins.half(clock)
        expected = {name: pins.circuit.idle.get(name, 0) for name in inputs} | {pins.circuit.clock: clock}
        assert {name: pins.get(name) for name in inputs} == expected


class Census(Pins):
    """Stands between a driver and a compiled chip and notes every value of the signals whose values have names."""

    def __init__(self, model: Model) -> None:
        self.circuit = model.circuit
        self.model = model
        pins = self.circuit.pins(watch=True)
        self.seen: dict[str, set[int]] = {name: set() for name in self.circuit.names}
        self.possible = {(name, value) for name in self.circuit.names for value in range(1 << pins[name].width)}

    def set(self, pin: str, value: int) -> None:
        self.model.set(pin, value)

    def get(self, pin: str) -> int:
        return self.model.get(pin)

    def half(self, clock: int) -> None:
        self.model.half(clock)
        for name, seen in self.seen.items():
            seen.add(self.model.get(name))

    def run(self, pins: tuple[str, str], value: int, limit: int) -> int | None:
        """Run once for the caller, and once more over the same cycles for every value that may yet turn up."""
        before = self.model.save()
        cycles = self.model.run(pins, value, limit)
        behind = self.model.save()
        for name, wanted in self.possible:
            if wanted not in self.seen[name]:
                self.model.restore(before)
                if self.model.run((name, name), wanted, limit if cycles is None else cycles) is not None:
                    self.seen[name].add(wanted)
        self.model.restore(behind)
        return cycles


@needs_a_compiler
@pytest.mark.parametrize("name", [name for name in RUN if name in PLAYING])
def test_names_cover_exactly_the_values_that_occur_in_a_game(name: str) -> None:
    """Element 1 has no child to ask and element 9 nothing to do where the human begins: so the alike count together."""
    chip = design(name)
    census = Census(compiled(chip, watch=True))
    player = playing_driver(chip, census)
    player.begin(user_first=True)
    for _ in range(MANY):
        if not player.is_over:
            player.play(user_moves(player)[0])
    for names in chip.names.values():
        alike = [signal for signal, others in chip.names.items() if others == names]
        assert set().union(*(census.seen[signal] for signal in alike)) == set(names), alike
        assert all(len(census.seen[signal]) > 1 for signal in alike if signal != "state_out_9")
