"""The chip of 1990: the printed run in every simulator, every game, the scan path, and positions set up by hand."""

import shutil
from collections.abc import Callable
from random import Random

import pytest

from appendix_e import PRINTED
from noughts.games import game
from noughts.players.chip1990 import Controller
from noughts.silicon.circuit import Pins
from noughts.silicon.design import Design
from noughts.silicon.designs import design
from noughts.silicon.designs.chip1990 import State
from noughts.silicon.designs.chip1990.driver import ChipDriver
from noughts.silicon.run import Run, perform
from noughts.silicon.simulate import interpreted as icarus
from noughts.silicon.simulate.check import Checked, check
from noughts.silicon.simulate.compiled import Model, compiled
from noughts.silicon.simulate.interpreted import Interpreted
from noughts.silicon.simulate.undefined import ThreeValued, three_valued
from noughts.silicon.simulate.watched import Recorder
from noughts.silicon.trace import Trace

pytestmark = pytest.mark.slow

CHIP: Design = design("chip1990")

BITS = 9 + 18 + 1 + 3 + 4 + 4 + 2 + 1 + 1 + 3 + 8 * 6 + 3
"""Keyboard, board, p, counter, i, m, r, bestr, a, stack pointer, stack, state: every register of the chip."""


def recorded(pins: Pins, beside: Callable[[], ThreeValued] | None = None) -> Trace:
    recorder = Recorder(pins, 0, 49, beside=beside)
    perform(CHIP, recorder, Run(sample="appendix-e"))
    return recorder.trace()


def differences(trace: Trace) -> list[tuple[str, str, str, str]]:
    """Where a trace differs from the printed one: time, signal, printed, seen.

    A trace of two values cannot show what is undefined, and nothing is asked of it there.
    """
    signals = [name for name in PRINTED[0] if name in trace.widths]
    named = trace.table(["statereg"])
    wrong = []
    for printed, seen, state in zip(PRINTED, trace.coded().table(signals), named, strict=True):
        for name, text in seen.items():
            if printed[name] != text and (printed[name] != "u" or trace.undefined is not None):
                wrong.append((printed["time_ns"], name, printed[name], text))
        if printed["state"] and printed["state"] != state["statereg"]:
            wrong.append((printed["time_ns"], "state", printed["state"], state["statereg"]))
    return wrong


def test_all_that_the_paper_prints_is_watched() -> None:
    assert set(PRINTED[0]) - set(CHIP.pins(watch=True)) == {"time_ns", "state"}


def test_appendix_e_comes_out_of_amaranths_simulator() -> None:
    assert differences(recorded(Interpreted(CHIP))) == []


def test_appendix_e_comes_out_of_the_exported_verilog_with_every_undefined_value_and_no_other() -> None:
    trace = recorded(compiled(CHIP, watch=True), lambda: three_valued(CHIP))
    assert trace.undefined is not None
    assert differences(trace) == []


def test_appendix_e_comes_out_of_the_gates() -> None:
    assert differences(recorded(compiled(CHIP, watch=True, gates=True))) == []


@pytest.mark.parametrize("gates", [False, True])
def test_appendix_e_comes_out_of_icarus(gates: bool) -> None:
    if shutil.which("iverilog") is None:
        pytest.skip("needs iverilog")
    trace = recorded(compiled(CHIP, watch=True), lambda: three_valued(CHIP))
    assert differences(icarus.replay(CHIP, trace, gates=gates)) == []
    if gates:
        assert icarus.replay(CHIP, trace, gates=True, undefined=True) == trace, "switched on anyhow"


def test_a_wrong_trace_is_noticed() -> None:
    trace = recorded(compiled(CHIP, watch=True))
    column = list(trace.widths).index("nexti")
    rows = [*trace.rows]
    rows[40] = (*rows[40][:column], 1 - rows[40][column], *rows[40][column + 1 :])
    assert [(time, name) for time, name, _, _ in differences(trace._replace(rows=rows))] == [("4100", "nexti")]


@pytest.fixture(scope="module")
def checked() -> Checked:
    return check(CHIP)


def test_the_gates_play_as_the_verilog_does(checked: Checked) -> None:
    assert check(CHIP, gates=True) == checked


def test_the_chip_never_loses(checked: Checked) -> None:
    assert checked.losses == 0
    assert checked.wins
    assert checked.draws


def test_every_reply_and_its_cycles_are_those_of_the_player(checked: Checked) -> None:
    compared = 0
    for reply in checked.replies:
        turn = reply.position.turn
        if reply.position.occupied:
            run = Controller(reply.position.stones[turn], reply.position.stones[1 - turn]).run()
            assert (reply.place, reply.cycles) == (run.place, len(run.states)), reply
            compared += 1
        else:
            assert reply.cycles == 1
    assert compared > 2_000


def test_the_chip_begins_on_each_place_that_its_counter_can_name(checked: Checked) -> None:
    firsts = [reply.place for reply in checked.replies if not reply.position.occupied]
    assert sorted(firsts) == list(range(8))


def test_the_slowest_reply_is_to_place_seven(checked: Checked) -> None:
    cycles = {place: reply.cycles for place, reply in checked.openings.items()}
    assert cycles == {
        0: 5779,
        1: 7574,
        2: 8806,
        3: 10168,
        4: 6496,
        5: 10237,
        6: 10004,
        7: 15007,
        8: 10314,
        None: 1,
    }
    assert checked.slowest_cycles == 15007


def test_all_users_are_met(checked: Checked) -> None:
    """After the chip's replies, the user has tried every free place in every position that came up."""
    played = game("tictactoe")
    for user_first in (True, False):
        replied = {reply.position: reply.place for reply in checked.replies if reply.user_first == user_first}
        for position, place in replied.items():
            after = played.after(position, played.read_move(position, played.layout.points[place]))
            for move in played.moves(after) if played.over(after) is None else []:
                next_one = played.after(after, move)
                assert played.over(next_one) is not None or next_one in replied


def shift(chip: Model, bits: list[int]) -> list[int]:
    """Bits in at `scanin`, as many out at `scanout`; the first to come out is the end of the path."""
    out = []
    chip.set("scan", 1)
    for bit in bits:
        chip.set("scanin", bit)
        chip.half(0)
        out.append(chip.get("scanout"))
        chip.half(1)
    chip.set("scan", 0)
    return out


def test_the_scan_path_has_every_register_once() -> None:
    chip, random = compiled(CHIP), Random(1990)
    chip.set("resetN", 1)
    bits = [random.getrandbits(1) for _ in range(BITS)]
    shift(chip, bits)
    assert shift(chip, [0] * BITS) == bits


@pytest.mark.parametrize("cycle", [0, 1, 2, 3, 57, 400, 1_234, 5_000, 5_783])
def test_a_state_shifted_in_goes_on_as_the_state_it_was_taken_from(cycle: int) -> None:
    """State in, some steps, state out: in step with a chip that got there by playing."""
    natural, other = compiled(CHIP), compiled(CHIP)
    driver = ChipDriver(natural)
    driver.begin(user_first=True)
    natural.set("keyboardN", 0b111111110)
    natural.clock()
    natural.set("keyboardN", 0b111111111)
    natural.clock(cycle)
    here = natural.save()
    state = shift(natural, [0] * BITS)
    natural.restore(here)

    other.set("resetN", 1)
    shift(other, state)
    outputs = [name for name, pin in CHIP.pins().items() if not pin.is_input]
    for _ in range(40):
        assert [other.get(pin) for pin in outputs] == [natural.get(pin) for pin in outputs]
        other.clock()
        natural.clock()
    assert shift(other, [0] * BITS) == shift(natural, [0] * BITS)


def test_any_position_can_be_set_up() -> None:
    chip, random = compiled(CHIP), Random(7)
    driver = ChipDriver(chip)
    for _ in range(200):
        chip_stones = random.getrandbits(9)
        user_stones = random.getrandbits(9) & ~chip_stones
        driver.set_up(chip_stones, user_stones)
        assert driver.stones() == (chip_stones, user_stones)
        assert chip.get("prompt") == 1


def test_keys_that_are_held_count_once() -> None:
    chip = compiled(CHIP)
    driver = ChipDriver(chip)
    driver.begin(user_first=True)
    chip.set("keyboardN", 0b111101111)
    chip.run_until("prompt", 0, 5)
    chip.run_until("prompt", 1, 20_000)
    chip.clock(100)
    assert driver.stones() == (0b1, 0b10000)


def test_a_reset_needs_no_clock() -> None:
    chip = compiled(CHIP, watch=True)
    driver = ChipDriver(chip)
    driver.begin(user_first=True)
    driver.press(4)
    assert driver.stones() != (0, 0)
    chip.set("resetN", 0)
    chip.half(0)
    assert driver.stones() == (0, 0)
    assert chip.get("statereg") == State.justreset
