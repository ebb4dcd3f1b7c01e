"""A run as data: the printed run comes out as it went in, and windows keep their place in time."""

import pytest
from appendix_e import PRINTED, printed_run

from noughts.silicon.trace import Trace, UnknownCycleError, UnknownSignalError

RUN = printed_run()


def test_the_table_prints_the_run_as_the_paper_does() -> None:
    table = RUN.table()
    assert len(table) == len(PRINTED) == 100
    for row, printed in zip(table, PRINTED, strict=True):
        assert list(row) == ["time_ns", *RUN.widths]
        for name, text in row.items():
            if name == "statereg":
                assert text == printed["state"] or (not printed["state"] and printed["cp"] == "0")
            elif printed[name] != "u":
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


def test_an_unknown_signal_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownSignalError, match="'leds' is not a signal of this trace: expected resetN, cp,"):
        RUN.column("leds")
    with pytest.raises(UnknownSignalError, match="'leds'"):
        RUN.table(["cp", "leds"])


def test_nine_bits_are_printed_one_by_one_and_eight_as_two_hexadecimal_digits() -> None:
    trace = Trace("d", 100, 0, {"nine": 9, "eight": 8, "five": 5, "four": 4}, [(5, 10, 31, 15)], {})
    assert trace.table() == [{"time_ns": "100", "nine": "000000101", "eight": "0a", "five": "1f", "four": "f"}]


def test_a_value_without_a_name_is_printed_as_a_number() -> None:
    trace = Trace("d", 50, 4, {"state": 2}, [(1,), (2,)], {"state": {1: "idle"}})
    assert trace.table() == [{"time_ns": "250", "state": "idle"}, {"time_ns": "300", "state": "2"}]
