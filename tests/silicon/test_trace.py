"""A run as data: the printed run comes out as it went in, and windows keep their place in time."""

from bisect import bisect_right
from io import BytesIO, StringIO
from typing import Any

import pytest
from amaranth.sim import Simulator
from hypothesis import given, settings
from hypothesis import strategies as st
from vcd.common import TimescaleUnit
from vcd.reader import TokenKind, tokenize

from appendix_e import PRINTED, printed_run
from noughts.silicon.designs.chip1990 import DESIGN
from noughts.silicon.trace import Trace, UnknownCycleError, UnknownSignalError, write_vcd

RUN = printed_run()


def test_the_table_prints_the_run_as_the_paper_does() -> None:
    table = printed_run(undefined=True).table()
    assert len(table) == len(PRINTED) == 100
    for row, printed in zip(table, PRINTED, strict=True):
        assert list(row) == ["time_ns", *RUN.widths]
        for name, text in row.items():
            if name == "statereg":
                assert text == printed["state"] or (not printed["state"] and printed["cp"] == "0")
            else:
                assert text == printed[name], f"{name} at {printed['time_ns']}"


def test_a_table_shows_the_signals_asked_for_in_that_order() -> None:
    table = RUN.table(name for name in ("led", "cp"))
    assert [list(row) for row in table] == [["time_ns", "led", "cp"]] * 100
    assert [row["led"] for row in table] == [printed["led"] for printed in PRINTED]


def test_the_run_has_fifty_cycles() -> None:
    assert RUN.cycles == 50


@pytest.mark.parametrize("start", [0, 1, 6, 7])
@pytest.mark.parametrize("length", range(6))
def test_whole_cycles_are_those_of_which_both_halves_are_there(start: int, length: int) -> None:
    kept = range(start, start + length)
    trace = RUN._replace(start=start, rows=[(0,)] * length, widths={"cp": 1})
    assert trace.cycles == sum(2 * cycle in kept and 2 * cycle + 1 in kept for cycle in range(20))


def test_every_window_keeps_its_rows_their_times_and_its_cycle_numbers() -> None:
    whole = RUN.table()
    for first in range(50):
        for last in range(first, 50):
            window = RUN.window(first, last)
            assert window.cycles == last - first + 1
            assert window.table(["led"]) == [
                {name: row[name] for name in ("time_ns", "led")} for row in whole[2 * first : 2 * last + 2]
            ]
            assert window.window(first, last) == window
            assert window.window(last, last) == RUN.window(last, last)


def test_a_window_of_a_trace_that_begins_within_a_cycle_begins_with_a_whole_one() -> None:
    late = RUN._replace(start=5, rows=RUN.rows[5:])
    assert late.window(3, 4) == RUN.window(3, 4)
    with pytest.raises(UnknownCycleError, match=r"2 to 4 .* expected cycles from 3 to 49"):
        late.window(2, 4)


@pytest.mark.parametrize(("first", "last"), [(-1, 3), (3, 50), (4, 3), (50, 50)])
def test_a_window_outside_the_run_is_refused(first: int, last: int) -> None:
    with pytest.raises(UnknownCycleError, match=f"{first} to {last} is not .* expected cycles from 0 to 49"):
        RUN.window(first, last)


def test_a_trace_of_half_a_cycle_has_no_window() -> None:
    with pytest.raises(UnknownCycleError, match="expected no whole cycle"):
        RUN._replace(rows=RUN.rows[:1]).window(0, 0)


def test_a_column_is_all_values_of_one_signal() -> None:
    for place, name in enumerate(RUN.widths):
        assert RUN.column(name) == [row[place] for row in RUN.rows]


def test_an_unknown_signal_is_refused_with_some_that_are_known() -> None:
    with pytest.raises(UnknownSignalError, match="'leds' is not a signal of this trace: expected resetN, cp,"):
        RUN.column("leds")
    with pytest.raises(UnknownSignalError, match="'leds'"):
        RUN.table(["cp", "leds"])
    many = Trace("d", 100, 0, {f"s{number}": 1 for number in range(100)}, [], {})
    with pytest.raises(UnknownSignalError, match=r"expected s0, s1, s2, s3, s4, s5, s6, s7 or another$"):
        many.column("x" * 5000)


def test_nine_bits_are_printed_one_by_one_and_eight_as_two_hexadecimal_digits() -> None:
    trace = Trace("d", 100, 0, {"nine": 9, "eight": 8, "five": 5, "four": 4}, [(5, 10, 31, 15)], {})
    assert trace.table() == [{"time_ns": "100", "nine": "000000101", "eight": "0a", "five": "1f", "four": "f"}]


def test_an_undefined_bit_is_a_u_and_so_is_the_digit_or_the_name_that_it_is_part_of() -> None:
    """Nine bits bit by bit, six as two digits of which the first has two bits, and a state."""
    widths = {"nine": 9, "six": 6, "state": 2}
    masks: list[tuple[int, ...]] = [(0, 0, 0), (0b100000010, 0b000001, 0b01), (0b111111111, 0b110000, 0b11)]
    trace = Trace("d", 100, 0, widths, [(5, 0x2A, 2), (5, 0x2A, 2), (0, 0x0A, 0)], {"state": {2: "busy"}}, masks)
    shown = [tuple(row.values())[1:] for row in trace.table()]
    assert shown == [("000000101", "2a", "busy"), ("u000001u1", "2u", "u"), ("uuuuuuuuu", "ua", "u")]
    assert [row["state"] for row in trace.coded().table()] == ["2", "u", "u"]
    assert trace.undefined_column("six") == [0, 1, 0b110000]
    assert (trace.moment(1)["six"], trace.moment(1).undefined["six"], trace.moment(0).number("state")) == (0x2A, 1, "2")


def test_a_window_keeps_what_is_undefined() -> None:
    run = printed_run(undefined=True)
    assert run.window(4, 9).table() == run.table()[8:20]
    assert [row["i"] for row in run.window(7, 8).table()] == ["u", "u", "u", "0"]


def test_a_value_without_a_name_is_printed_as_a_number() -> None:
    trace = Trace("d", 50, 4, {"state": 2}, [(1,), (2,)], {"state": {1: "idle"}})
    assert trace.table() == [{"time_ns": "250", "state": "idle"}, {"time_ns": "300", "state": "2"}]


# Value change dumps, read back: by their own words, and next to the dump that Amaranth's simulator writes.

CHANGES = {TokenKind.CHANGE_SCALAR, TokenKind.CHANGE_VECTOR, TokenKind.CHANGE_STRING}


class Dump:
    """A value change dump: the width and the changes of every variable, by its path."""

    def __init__(self, text: str) -> None:
        self.widths: dict[str, int] = {}
        self.last = 0
        self.unit: TimescaleUnit | None = None
        self._code: dict[str, str] = {}
        self._times: dict[str, list[int]] = {}
        self._values: dict[str, list[str | int]] = {}
        path: list[str] = []
        for token in tokenize(BytesIO(text.encode())):
            if token.kind is TokenKind.TIMESCALE:
                self.unit = token.timescale.unit
            elif token.kind is TokenKind.SCOPE:
                path.append(token.scope.ident)
            elif token.kind is TokenKind.UPSCOPE:
                path.pop()
            elif token.kind is TokenKind.VAR:
                self.widths["/".join([*path, token.var.reference])] = token.var.size
                self._code["/".join([*path, token.var.reference])] = token.var.id_code
            elif token.kind is TokenKind.CHANGE_TIME:
                self.last = token.time_change
            elif token.kind in CHANGES:
                self._change(token.data)

    def _change(self, change: Any) -> None:
        self._times.setdefault(change.id_code, []).append(self.last)
        self._values.setdefault(change.id_code, []).append(change.value)

    def at(self, path: str, time: int) -> str:
        """The value of a variable at a time, as text; numbers are decimal."""
        code = self._code[path]
        return str(self._values[code][bisect_right(self._times[code], time) - 1])

    def first(self, path: str) -> int:
        """The time of a variable's first value."""
        return self._times[self._code[path]][0]


def written(trace: Trace) -> str:
    file = StringIO()
    write_vcd(trace, file)
    return file.getvalue()


def check(trace: Trace, dump: Dump) -> None:
    """Every row of the trace is what the dump shows at its time, to the end of its half cycle."""
    assert dump.unit is TimescaleUnit.nanosecond
    for name, width in trace.widths.items():
        assert dump.widths[f"{trace.design}/{name}"] == width
        for row, value in enumerate(trace.column(name)):
            begin = (trace.start + row + 1) * trace.step_ns
            for time in (begin, begin + trace.step_ns - 1):
                assert dump.at(f"{trace.design}/{name}", time) == str(value)
        if trace.rows:
            assert dump.first(f"{trace.design}/{name}") == (trace.start + 1) * trace.step_ns
            assert dump.last == (trace.start + len(trace.rows) + 1) * trace.step_ns


@pytest.mark.parametrize("trace", [RUN, RUN.window(0, 0), RUN.window(7, 31)], ids=["all", "first", "window"])
def test_every_value_of_the_printed_run_is_in_its_dump(trace: Trace) -> None:
    dump = Dump(written(trace))
    check(trace, dump)
    assert set(dump.widths) == {f"chip1990/{name}" for name in (*trace.widths, "statereg_name")}
    for row, state in enumerate(trace.column("statereg")):
        assert dump.at("chip1990/statereg_name", trace.time(row)) == trace.names["statereg"][state]


@settings(deadline=None)
@given(st.data())
def test_every_value_of_any_trace_is_in_its_dump(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(1, 40), min_size=1, max_size=5))
    values = st.tuples(*(st.integers(0, 2**size - 1) for size in sizes))
    rows = data.draw(st.lists(values, min_size=1, max_size=20))
    start, step = data.draw(st.integers(0, 10**6)), data.draw(st.integers(1, 1000))
    trace = Trace("some.design", step, start, {f"s{n}": size for n, size in enumerate(sizes)}, rows, {})
    check(trace, Dump(written(trace)))


def test_an_undefined_bit_is_an_x_in_the_dump() -> None:
    run = printed_run(undefined=True)
    dump = Dump(written(run))
    for row, printed in enumerate(PRINTED):
        for name, width in run.widths.items():
            shown = dump.at(f"chip1990/{name}", run.time(row))
            assert shown == ("x" * width if printed[name] == "u" else str(run.column(name)[row])), name
    masks: list[tuple[int, ...]] = [(0b100,), (0,), (0b111,)]
    some = Dump(written(Trace("d", 100, 0, {"state": 3}, [(1,), (1,), (0,)], {"state": {1: "busy"}}, masks)))
    assert [some.at("d/state", time) for time in (100, 200, 300)] == ["x01", "1", "xxx"]
    assert [some.at("d/state_name", time) for time in (100, 200, 300)] == ["u", "busy", "u"]


def test_names_with_blanks_and_values_without_names_come_back() -> None:
    trace = Trace("d", 100, 0, {"state": 2}, [(0,), (1,), (3,)], {"state": {0: "at rest", 1: "back\\slash"}})
    dump = Dump(written(trace))
    texts = [dump.at("d/state_name", time) for time in (100, 200, 300)]
    assert not any(" " in text for text in texts), "a blank ends a value"
    assert [text.encode().decode("unicode_escape") for text in texts] == ["at rest", "back\\slash", "3"]


def test_the_same_trace_gives_the_same_text_without_a_date() -> None:
    assert written(RUN) == written(printed_run())
    assert "$date" not in written(RUN)


def test_a_value_too_wide_for_its_signal_is_refused() -> None:
    with pytest.raises(ValueError, match="4"):
        written(Trace("d", 100, 0, {"two": 2}, [(4,)], {}))


def simulated() -> tuple[Trace, str]:
    """The printed run once more, in Amaranth's simulator: what was read there, and the dump that it wrote."""
    chip: Any = DESIGN.make()
    inside = DESIGN.watch(chip)
    signals = {name: inside.get(name, getattr(chip, name, None)) for name in RUN.widths}
    stimulus = {name: RUN.column(name) for name in ("resetN", "keyboardN", "pin", "cp")}
    rows: list[tuple[int, ...]] = []

    async def bench(ctx: Any) -> None:
        ctx.set(chip.userbegins, 1)
        for row in range(len(RUN.rows)):
            for name, levels in stimulus.items():
                ctx.set(getattr(chip, name), levels[row])
            await ctx.delay(RUN.step_ns * 1e-9)
            rows.append(tuple(int(ctx.get(signal)) for signal in signals.values()))

    simulator = Simulator(chip)
    simulator.add_testbench(bench)
    file = StringIO()
    with simulator.write_vcd(file):
        simulator.run()
    return RUN._replace(rows=rows), file.getvalue()


def test_the_dump_shows_what_amaranths_own_dump_shows() -> None:
    trace, theirs_text = simulated()
    ours, theirs = Dump(written(trace)), Dump(theirs_text)
    assert theirs.unit is TimescaleUnit.femtosecond
    for name in trace.widths:
        path = f"bench/top/{name}" if f"bench/top/{name}" in theirs.widths else f"bench/top/core/fsm/{name}"
        our_path = "chip1990/statereg_name" if name == "statereg" else f"chip1990/{name}"
        for row in range(len(trace.rows)):
            end = (row + 1) * trace.step_ns * 10**6
            assert ours.at(our_path, trace.time(row)) == theirs.at(path, end - 1), f"{name} in row {row}"
