"""Waveforms, parsed: every step, band and label against the trace; the paper is measured by the lines of the axis."""

import re
from itertools import groupby, pairwise
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appendix_e import printed_run
from noughts.silicon.pictures.waveform import TraceTooLongError, waveform
from noughts.silicon.trace import Trace, UnknownSignalError

RUN = printed_run()
SVG = "{http://www.w3.org/2000/svg}"
MONOSPACED = 6
"""Pixels of a letter of a value, as browsers set it."""


class Drawn(NamedTuple):
    """A stretch found in the picture, in half cycles."""

    first: float
    end: float
    tooltip: str
    label: str | None
    pixels: float


class Sheet:
    """A waveform, with its paper measured: rising edges are lines, one in the middle of every cycle."""

    def __init__(self, trace: Trace, text: str) -> None:
        self.root = ElementTree.fromstring(text)
        lines = [float(line.get("x1", "")) for line in self.root.iter(f"{SVG}line") if line.get("x1") == line.get("x2")]
        edges = [row for row in range(len(trace.rows)) if (trace.start + row) % 2 == 1]
        assert len(lines) == len(edges)
        self.half = (lines[-1] - lines[0]) / (edges[-1] - edges[0])
        self.left = lines[0] - edges[0] * self.half
        self.edges = lines

    def row(self, x: float) -> float:
        return round((x - self.left) / self.half, 3)

    def group(self, name: str) -> ElementTree.Element:
        (found,) = (group for group in self.root.iter(f"{SVG}g") if group.get("data-name") == name)
        return found

    def wave(self, name: str) -> list[tuple[float, float]]:
        """The corners of a square wave: half cycle and height."""
        (path,) = self.group(name).iter(f"{SVG}path")
        corners, y = [], 0.0
        for command, numbers in re.findall(r"([MLH])([-\d. ]+)", path.get("d", "")):
            x, *rest = map(float, numbers.split())
            y = rest[0] if command != "H" else y
            corners.append((self.row(x), y))
        return corners

    def bands(self, name: str) -> list[Drawn]:
        """The bands of a bus, each with the label that stands in it."""
        found = []
        labels = {float(text.get("x", "")): text for text in self.group(name).iter(f"{SVG}text")}
        for polygon in self.group(name).iter(f"{SVG}polygon"):
            xs = [float(corner.split(",")[0]) for corner in polygon.get("points", "").split()]
            inside = [text.text for x, text in labels.items() if min(xs) < x < max(xs)]
            assert len(inside) < 2
            label = inside[0] if inside else None
            tooltip = polygon.findtext(f"{SVG}title", "")
            found.append(Drawn(self.row(min(xs)), self.row(max(xs)), tooltip, label, max(xs) - min(xs)))
        return found


def stretches(column: list[int]) -> list[tuple[int, int, int]]:
    """First row, row behind the last, and value of all that stays the same."""
    runs = [[row for row, _ in run] for _, run in groupby(enumerate(column), key=lambda pair: pair[1])]
    return [(run[0], run[-1] + 1, column[run[0]]) for run in runs]


def is_wave(trace: Trace, name: str) -> bool:
    return trace.widths[name] == 1 and not trace.names.get(name)


def check_waves(trace: Trace, sheet: Sheet) -> int:
    """Every one-bit signal is level over its stretches, high above low, and steps upright in between."""
    changes = 0
    for name in filter(lambda name: is_wave(trace, name), trace.widths):
        corners = sheet.wave(name)
        flat = [(a, b) for a, b in pairwise(corners) if a[1] == b[1]]
        upright = [(a, b) for a, b in pairwise(corners) if a[1] != b[1]]
        expected = stretches(trace.column(name))
        assert [(a[0], b[0]) for a, b in flat] == [(first, end) for first, end, _ in expected], name
        assert [a[0] for a, b in upright] == [b[0] for a, b in upright] == [first for first, _, _ in expected[1:]]
        heights = {(a[1], value) for (a, _), (_, _, value) in zip(flat, expected, strict=True)}
        assert len(heights) == len({value for _, _, value in expected})
        assert [value for _, value in sorted(heights)] in ([0], [1], [1, 0]), "high is nearer to the top"
        changes += len(upright)
    return changes


def check_bands(trace: Trace, sheet: Sheet) -> int:
    """Every bus is cut where it changes; labels say the value and fit, and are missing only where they would not."""
    labels = 0
    for name in filter(lambda name: not is_wave(trace, name), trace.widths):
        bands, expected = sheet.bands(name), stretches(trace.column(name))
        assert [(band.first, band.end) for band in bands] == [(first, end) for first, end, _ in expected], name
        for band, (_, _, value) in zip(bands, expected, strict=True):
            named = trace.names.get(name, {}).get(value)
            whole = named or f"{value:x}".zfill((trace.widths[name] + 3) // 4)
            room = band.pixels / MONOSPACED
            assert band.tooltip.startswith(f"{name} = {trace.text(name, value)}")
            if band.label is None:
                assert room < (4 if named else len(whole)) + 1
                continue
            labels += 1
            assert len(band.label) <= room
            assert band.label == whole or (named and band.label[-1] == "…" and whole.startswith(band.label[:-1]))
            assert band.label == whole or room < len(whole) + 1
    return labels


@pytest.mark.parametrize("trace", [RUN, RUN.window(6, 20), RUN.window(40, 49)], ids=["all", "window", "end"])
def test_every_change_of_the_printed_run_is_where_it_belongs(trace: Trace) -> None:
    sheet = Sheet(trace, waveform(trace))
    changes = {
        name: sum(before[place] != after[place] for before, after in pairwise(trace.rows))
        for place, name in enumerate(trace.widths)
    }
    waves = {name for name in trace.widths if is_wave(trace, name)}
    buses = {"keyboardN", "statereg", "choose", "sp", "i", "led"}
    assert waves | buses == set(trace.widths)
    assert check_waves(trace, sheet) == sum(changes[name] for name in waves)
    assert check_bands(trace, sheet) == sum(changes[name] + 1 for name in buses), "every band has a label here"


@settings(deadline=None)
@given(st.data())
def test_every_change_of_any_trace_is_where_it_belongs(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.sampled_from([1, 1, 2, 4, 5, 18]), min_size=1, max_size=5))
    values = st.tuples(*(st.integers(0, 2**size - 1) for size in sizes))
    rows = data.draw(st.lists(values, min_size=4, max_size=60))
    names = {"s0": {0: "ready", 1: "a name too long for a cycle"}} if data.draw(st.booleans()) else {}
    widths = {f"s{number}": size for number, size in enumerate(sizes)}
    trace = Trace("d", 100, data.draw(st.integers(0, 99)), widths, rows, names)
    sheet = Sheet(trace, waveform(trace))
    check_waves(trace, sheet)
    check_bands(trace, sheet)


def test_what_is_undefined_is_a_hatched_band_and_no_line() -> None:
    """One bit, a number and a state, each undefined for a while; the number in one of its two digits."""
    masks: list[tuple[int, ...]] = [*[(1, 0xF0, 3)] * 4, *[(0, 0x10, 0)] * 4, *[(0, 0, 0)] * 4]
    trace = Trace("d", 100, 0, {"bit": 1, "bus": 8, "state": 2}, [(0, 5, 0)] * 12, {"state": {0: "ready"}}, masks)
    sheet = Sheet(trace, waveform(trace))
    assert [(band.first, band.end, band.label) for band in sheet.bands("bit")] == [(0, 4, "u")]
    assert [(band.first, band.end, band.label) for band in sheet.bands("bus")] == [
        *((0, 4, "u5"), (4, 8, "u5"), (8, 12, "05")),
    ]
    assert [(band.first, band.end, band.label) for band in sheet.bands("state")] == [(0, 4, "u"), (4, 12, "ready")]
    hatched, line = sheet.group("bit").findall(f"{SVG}path")
    assert (hatched.get("class"), line.get("class")) == ("hatching", "wave")
    assert [sheet.row(float(x)) for x in re.findall(r"[MH]([\d.]+)", line.get("d", ""))] == [4, 12]
    kinds = [polygon.get("class") for polygon in sheet.root.iter(f"{SVG}polygon")]
    assert kinds == ["band undefined"] * 3 + ["band", "band undefined", "band named"]


def test_in_a_short_window_every_name_stands_whole() -> None:
    window = RUN.window(7, 18)
    bands = Sheet(window, waveform(window)).bands("statereg")
    names = [window.names["statereg"][value] for _, _, value in stretches(window.column("statereg"))]
    cut = [name for name, band in zip(names, bands, strict=True) if band.label != name and band.end - band.first > 1]
    assert len(names) > 8
    assert cut == []


def test_a_number_that_does_not_fit_is_not_cut_short_but_left_to_the_pointer() -> None:
    trace = Trace("d", 100, 0, {"count": 12}, [(row,) for row in range(200)], {})
    sheet = Sheet(trace, waveform(trace))
    assert check_bands(trace, sheet) == 0
    tooltips = [band.tooltip.split(",")[0] for band in sheet.bands("count")]
    assert tooltips == [f"count = {row:012b} ({row:03x})" for row in range(200)]


def test_no_signal_leaves_the_paper_or_touches_its_neighbour() -> None:
    root = ElementTree.fromstring(waveform(RUN, title="t"))
    width, height = float(root.get("width", "")), float(root.get("height", ""))
    spans = []
    for group in root.iter(f"{SVG}g"):
        marks = [mark for mark in group.iter() if mark.tag in (f"{SVG}rect", f"{SVG}polygon")]
        boxes = [_box(mark) for mark in marks]
        assert all(0 < left < right < width for left, right, _, _ in boxes)
        spans.append((min(top for _, _, top, _ in boxes), max(bottom for _, _, _, bottom in boxes)))
    assert len(spans) == len(RUN.widths)
    assert spans[0][0] > 0
    assert spans[-1][1] < height
    assert all(above[1] < below[0] for above, below in pairwise(spans))


def _box(mark: ElementTree.Element) -> tuple[float, float, float, float]:
    if mark.tag == f"{SVG}rect":
        x, y, width, height = (float(mark.get(key, "")) for key in ("x", "y", "width", "height"))
        return x, x + width, y, y + height
    corners = [tuple(map(float, corner.split(","))) for corner in mark.get("points", "").split()]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), max(xs), min(ys), max(ys)


@pytest.mark.parametrize("trace", [RUN, RUN.window(6, 20)], ids=["all", "window"])
def test_cycle_numbers_and_times_stand_over_and_under_the_rising_edges(trace: Trace) -> None:
    sheet = Sheet(trace, waveform(trace))
    clock = trace.column("cp")
    rising = [row for row in range(1, len(clock)) if clock[row - 1 : row + 1] == [0, 1]]
    assert [sheet.row(x) for x in sheet.edges] == rising
    texts = [text for text in sheet.root.iter(f"{SVG}text") if text.get("class") == "wave-axis"]
    lowest = max(float(text.get("y", "")) for text in texts)
    numbers: list[tuple[int, str | None]] = []
    times: list[tuple[int, str | None]] = []
    for text in texts:
        row = int(sheet.row(float(text.get("x", ""))))
        (times if float(text.get("y", "")) == lowest else numbers).append((row, text.text))
    assert numbers == [(row, str((trace.start + row) // 2)) for row in rising]
    assert set(times) <= {(row, trace.table()[row]["time_ns"]) for row in rising}
    assert len(times) >= len(rising) // 2


def test_the_pointer_finds_every_stretch_of_every_wave_with_its_value_and_times() -> None:
    sheet = Sheet(RUN, waveform(RUN))
    for name in filter(lambda name: is_wave(RUN, name), RUN.widths):
        tooltips = [rect.findtext(f"{SVG}title", "") for rect in sheet.group(name).iter(f"{SVG}rect")]
        expected = [
            f"{name} = {value}, {100 * (first + 1)} to {100 * (end + 1)} ns"
            for first, end, value in stretches(RUN.column(name))
        ]
        assert [tooltip.rpartition(", ")[0] for tooltip in tooltips] == expected
    assert sheet.bands("keyboardN")[0].tooltip == "keyboardN = 111111011 (1fb), 100 to 300 ns, cycle 0"
    assert sheet.bands("statereg")[1].tooltip == "statereg = waiting (0), 1400 to 1600 ns, cycles 6 to 7"


def test_signals_are_drawn_in_the_order_asked_for() -> None:
    root = ElementTree.fromstring(waveform(RUN, ["led", "cp"]))
    assert [group.get("data-name") for group in root.iter(f"{SVG}g")] == ["led", "cp"]
    with pytest.raises(UnknownSignalError, match="'clk' is not a signal"):
        waveform(RUN, ["clk"])


def test_names_of_signals_and_values_and_titles_may_hold_any_character() -> None:
    wave, bus, state, title = "a<b>&'\"", "é[3:0]", '<&">', 'x < y & "z"'
    trace = Trace("d", 100, 0, {wave: 1, bus: 4}, [(0, 1)] * 8, {bus: {1: state}})
    sheet = Sheet(trace, waveform(trace, title=title))
    assert sheet.root.findtext(f"{SVG}text") == title
    assert [sheet.group(name).findtext(f"{SVG}text") for name in (wave, bus)] == [wave, bus]
    (band,) = sheet.bands(bus)
    assert band.label == state
    assert band.tooltip.startswith(f"{bus} = {state} (1), ")


def test_without_a_title_there_is_none_and_less_paper() -> None:
    bare, titled = (ElementTree.fromstring(waveform(RUN, title=title)) for title in (None, "run"))
    assert float(bare.get("height", "")) < float(titled.get("height", ""))
    assert not [text for text in bare.iter(f"{SVG}text") if "title" in text.get("class", "")]


def test_a_trace_without_rows_is_a_picture_of_names() -> None:
    root = ElementTree.fromstring(waveform(RUN._replace(rows=[])))
    assert [group.findtext(f"{SVG}text") for group in root.iter(f"{SVG}g")] == list(RUN.widths)


def test_four_hundred_cycles_are_drawn_and_one_more_is_refused() -> None:
    long = RUN._replace(rows=(RUN.rows * 9)[:802])
    with pytest.raises(TraceTooLongError, match=r"401 cycles are too many to draw: expected at most 400; .* window"):
        waveform(long)
    longest = long.window(1, 400)
    check_waves(longest, Sheet(longest, waveform(longest)))
