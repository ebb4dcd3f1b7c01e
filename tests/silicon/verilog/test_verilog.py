"""Verilog: linters are silent, three tools read it, and it is the same circuit as the source."""

import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from amaranth.hdl import (
    Array,
    Cat,
    ClockDomain,
    ClockSignal,
    Const,
    Elaboratable,
    Module,
    Mux,
    ResetSignal,
    Signal,
    signed,
)
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import Component, In, Out

from design_names import RUN
from noughts.silicon import kept
from noughts.silicon.circuit import Circuit
from noughts.silicon.design import Design
from noughts.silicon.designs import DESIGNS
from noughts.silicon.verilog import KeywordError, verilog
from noughts.silicon.verilog.bench import bench
from noughts.silicon.verilog.rtlil import RtlilError
from verilog_checks import is_equivalent, lint

pytestmark = pytest.mark.slow

CHIPS = pytest.mark.parametrize("chip", [DESIGNS[name] for name in RUN], ids=RUN)
text_of = cache(verilog)
"""Written once for all tests: the large designs take a second each."""
WATCHED = pytest.mark.parametrize("watch", [False, True], ids=["pins", "watched"])


class Kinds(Component):  # type: ignore[misc]
    """Pins, clock and reset among them, and what `fill` puts between them."""

    def __init__(self, pins: dict[str, Any], fill: Callable[[Any, Module], None]) -> None:
        super().__init__({"clk": In(1), "nrst": In(1), **pins})
        self.fill = fill

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        self.fill(self, m)
        return m


def design_of(pins: dict[str, Any], fill: Callable[[Any, Module], None]) -> Circuit:
    make = partial(Kinds, pins, fill)
    return Circuit(name="all kinds", year=2000, about="for tests", make=make, clock="clk", reset="nrst", reset_level=0)


def everything(c: Any, m: Module) -> None:
    """Every operator, statement and memory that Verilog is written for, and a name that Verilog has for itself."""
    m.domains.sync = ClockDomain(async_reset=True)
    m.domains.fall = ClockDomain(clk_edge="neg", reset_less=True)
    m.domains.also = ClockDomain()
    m.d.comb += [ClockSignal(name).eq(c.clk) for name in ("sync", "fall", "also")]
    m.d.comb += [ResetSignal("sync").eq(~c.nrst), ResetSignal("also").eq(c.clear)]
    operators(c, m)
    statements(c, m)
    memories(c, m)


def operators(c: Any, m: Module) -> None:
    part = Signal(4)
    m.d.comb += part.eq(c.a + c.b)
    results = [c.a + c.s, (c.s - c.b)[:5], (c.a * c.s)[:7], -c.s, ~c.a, abs(c.s)]
    results += [c.a & c.s, c.a | (c.b ^ Const(0, 6)), c.a.any(), c.a.all(), c.a.xor()]
    results += [c.s >> c.by, c.a >> c.by, c.a << c.by, c.a.bit_select(c.by, 2), c.b.word_select(c.by[:1], 3)]
    results += [c.s < 0, c.s >= c.a, c.a > c.b, c.s == -3, c.s != c.a]
    results += [Mux(c.s > 0, c.a - 1, c.s), part, c.a.rotate_left(2), Cat(c.s, c.s[-1], c.s[-1])]
    m.d.sync += c.results.eq(Cat(*results) ^ (Cat(*reversed(results)) >> 13))


def statements(c: Any, m: Module) -> None:
    table, state = Array(Signal(3, name=f"entry{k}", init=k) for k in range(5)), Signal(3, init=5)
    count = Signal(2, name="logic")
    with m.Switch(c.a):
        with m.Case("1----0", "01---1"):
            m.d.comb += c.choices[:3].eq(table[c.by])
        with m.Case("--0--1"):
            m.d.comb += c.choices[2:6].eq(c.b)
        with m.Case(3, 5):
            pass
        with m.Default():
            m.d.comb += c.choices[4:].eq(c.s)
    with m.Switch(c.by):
        with m.Case("1-0"):
            m.d.comb += c.more.eq(c.a)
        with m.Case("0--"):
            m.d.comb += c.more.eq(c.b)
    with m.If(c.high):
        m.d.also += state.eq(state + 3)
    with m.Elif(c.a[0] & ~c.b[0]):
        pass
    with m.Elif(c.a[1]):
        m.d.also += [table[state].eq(c.b), state[1:].eq(c.by)]
    with m.Else():
        m.d.fall += count.eq(count + c.high + c.a)
    with m.If(Const(0, 1)):
        m.d.also += state.eq(0)
    m.d.comb += c.state.eq(Cat(count, state[:2]))


def memories(c: Any, m: Module) -> None:
    m.submodules.words = words = Memory(shape=8, depth=6, init=[3, 1, 4, 1, 5, 9])
    m.submodules.bits = bits = Memory(shape=4, depth=8, init=[])
    write, now, later = words.write_port(granularity=4), words.read_port(domain="comb"), words.read_port()
    other_write, other_now = bits.write_port(domain="fall"), bits.read_port(domain="comb")
    m.d.comb += [
        Cat(write.addr, now.addr, later.addr, other_write.addr, other_now.addr).eq(Cat(c.a, c.b, c.by)),
        *(write.data.eq(c.results), write.en.eq(c.s), later.en.eq(c.high)),
        *(other_write.data.eq(c.a), other_write.en.eq(c.high)),
        c.stored.eq(Cat(now.data, later.data, other_now.data)),
    ]


EVERYTHING = design_of(
    {"a": In(6), "b": In(6), "s": In(signed(4)), "by": In(3), "high": In(1), "clear": In(1)}
    | {"results": Out(64), "choices": Out(12), "more": Out(6), "stored": Out(24), "state": Out(4)},
    everything,
)


@CHIPS
@WATCHED
def test_verilator_finds_nothing_to_warn_of(chip: Circuit, watch: bool, tmp_path: Path) -> None:
    text = text_of(chip, watch=watch)
    assert re.findall(r"lint_\w+ \w+", text) == ["lint_off DECLFILENAME"], "all modules are in one file, and no more"
    assert lint(text, tmp_path, f"{chip.identifier}.sv") == ""


def test_verilator_finds_nothing_to_warn_of_in_all_kinds_of_things(tmp_path: Path) -> None:
    assert lint(verilog(EVERYTHING), tmp_path, f"{EVERYTHING.identifier}.sv") == ""


def test_verilator_is_asked_for_every_warning(tmp_path: Path) -> None:
    text = "module bad (input logic [1:0] a, output logic b);\n  assign b = a;\nendmodule\n"
    assert "WIDTHTRUNC" in lint(text, tmp_path, "bad.sv")


@CHIPS
@WATCHED
def test_icarus_reads_it(chip: Circuit, watch: bool, tmp_path: Path) -> None:
    icarus = shutil.which("iverilog") or pytest.skip("needs iverilog")
    (tmp_path / "chip.sv").write_text(text_of(chip, watch=watch))
    subprocess.run([icarus, "-g2012", "-o", "chip", "chip.sv"], cwd=tmp_path, capture_output=True, check=True)


@CHIPS
def test_icarus_runs_the_test_bench_that_comes_with_it(chip: Design, tmp_path: Path) -> None:
    """To its end: wires that change back and forth in one moment would keep some versions of it busy for ever."""
    icarus = shutil.which("iverilog") or pytest.skip("needs iverilog")
    recorded = ((one, kept.recording(chip, one.name)) for one in chip.samples)
    traces = [(one, known.trace) for one, known in recorded if known]
    (tmp_path / "chip.sv").write_text(text_of(chip) + bench(chip, traces))
    subprocess.run([icarus, "-g2012", "-o", "chip", "chip.sv"], cwd=tmp_path, capture_output=True, check=True)
    run = subprocess.run(["vvp", "-n", "chip"], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60)
    assert [line.split(":")[0] for line in run.stdout.splitlines() if line.endswith("half cycles as recorded")] == [
        one.name for one, _ in traces
    ]
    assert traces


def test_a_table_with_a_row_for_every_value_is_one_assignment() -> None:
    """In every case, or in none: no wire gets a value that the next line corrects."""
    text = text_of(DESIGNS["elements2021"])
    (table,) = set(re.findall(r"always_comb begin\n    case \(best\)\n.*?endcase", text, re.DOTALL))
    assert table.count("best_move_i = ") == 10
    assert "default: begin" in table


@CHIPS
def test_it_is_the_same_circuit_as_the_source(chip: Circuit) -> None:
    assert is_equivalent(chip.rtlil(watch=True), text_of(chip, watch=True), chip.identifier)


def test_all_kinds_of_things_are_the_same_circuit_as_the_source() -> None:
    assert is_equivalent(EVERYTHING.rtlil(), verilog(EVERYTHING), EVERYTHING.identifier)


def test_a_wrong_bit_deep_inside_is_another_circuit() -> None:
    chip = DESIGNS["chip1990"]
    right = text_of(chip)
    wrong = right.replace("count + 3'd1", "count + 3'd3")
    assert wrong != right
    assert not is_equivalent(chip.rtlil(), wrong, chip.identifier)


def ports_of_top(text: str) -> dict[str, tuple[bool, int]]:
    header = text[text.index("module ") : text.index(");")]
    found = re.findall(r"(input|output)\s+logic\s+(?:\[(\d+):0\]\s+)?(\w+)", header)
    return {name: (direction == "input", int(high or 0) + 1) for direction, high, name in found}


@CHIPS
@WATCHED
def test_the_top_module_has_the_name_of_the_design_and_its_pins(chip: Circuit, watch: bool) -> None:
    text = text_of(chip, watch=watch)
    assert re.search(r"^module (\w+)", text, re.MULTILINE)[1] == chip.identifier  # type: ignore[index]
    assert ports_of_top(text) == {name: tuple(pin) for name, pin in chip.pins(watch=watch).items()}


@CHIPS
def test_it_says_what_it_is_and_nothing_of_where_it_was_made(chip: Circuit) -> None:
    text = text_of(chip)
    comment = " ".join(line.removeprefix("// ") for line in text.splitlines() if line.startswith("// "))
    assert chip.name in comment
    assert str(chip.year) in comment
    assert chip.about in comment
    assert not re.search(r"yosys|\.py|/home|/work|src|\d+:\d+:\d+", text, re.IGNORECASE)


@CHIPS
def test_the_same_design_gives_the_same_text(chip: Circuit) -> None:
    assert (again := replace(chip)) is not chip
    assert verilog(again) == text_of(chip)


def test_names_are_those_of_the_source_and_need_no_escape() -> None:
    text = text_of(DESIGNS["chip1990"])
    assert "\\" not in text
    assert "$" not in text.replace("$signed", "")
    for name in ("statereg", "bestr", "rgbestr", "nextfree", "keypressed", "word7"):
        assert re.search(rf"\b{name}\b", text)


@CHIPS
@WATCHED
def test_what_the_source_does_not_name_is_named_by_what_it_carries(chip: Circuit, watch: bool) -> None:
    declared = re.findall(r"^  logic (?:\[\d+:0\] )?(\w+)", text_of(chip, watch=watch), re.MULTILINE)
    assert declared
    assert [name for name in declared if re.fullmatch(r"w?_?\d+|\w", name) and name not in "abimpr"] == []


def test_names_say_how_a_result_comes_about() -> None:
    text = text_of(DESIGNS["chip1990"])
    assert "assign wins_or_full = wins | full;" in text
    assert "assign wins_or_full_and_ground = wins_or_full & ground;" in text
    assert "assign r_at_least_0 = $signed(r) >= $signed(2'd0);" in text


@CHIPS
def test_messages_of_other_tools_name_the_file_they_were_given(chip: Circuit, tmp_path: Path) -> None:
    """A mistake in the last module is reported with the file and the line in which it is."""
    lines = text_of(chip).splitlines()
    assert not any("`" in line for line in lines), "no directives"
    lines[-1] = "oops"
    assert f"mine.sv:{len(lines)}" in lint("\n".join(lines), tmp_path, "mine.sv")


def compares_with_nothing(c: Any, m: Module) -> None:
    m.submodules.inner = inner = Module()
    level = Signal(4)
    inner.d.comb += c.same.eq((level == 0) & c.clk)


def test_a_comparison_of_constants_that_amaranth_has_shortened_to_nothing_is_one_bit(tmp_path: Path) -> None:
    text = verilog(design_of({"same": Out(1)}, compares_with_nothing))
    assert "{}" not in text
    assert "Error" not in lint(text, tmp_path, "all_kinds.sv")


def test_states_are_called_by_their_names() -> None:
    text = text_of(DESIGNS["chip1990"])
    assert "3'd6: begin // doingbestmove" in text
    assert "statereg <= 3'd3; // justreset" in text


def test_modules_that_read_the_same_are_written_once() -> None:
    text = text_of(DESIGNS["elements2021"])
    modules = re.findall(r"^module (\w+)", text, re.MULTILINE)
    elements = re.findall(r"^  (\w+) minimaxelemt_\d \(", text, re.MULTILINE)
    assert len(modules) == len(set(modules))
    # The first has nobody to ask, and the last is asked by nobody but the top.
    assert elements == ["minimaxelemt_1", *["minimaxelemt"] * 7, "minimaxelemt_9"]


@pytest.mark.parametrize("name", ["elements2021", "elements2021:timing=reported"])
def test_the_elements_have_the_modules_and_the_signals_of_their_report(name: str) -> None:
    """Figure 6: three signals into an element and five out of it, besides clock and reset."""
    text = text_of(DESIGNS[name])
    assert "module tictactoe (" in text
    found = re.search(r"^module minimaxelemt \((.*?)^\);", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    ports = re.findall(r"^ +(input|output) +logic +(?:\[\S+\] +)?(\w+)", found[1], re.MULTILINE)
    own = {way: {port for one, port in ports if one == way and "child" not in port} for way in ("input", "output")}
    assert own["input"] == {"clk", "rst", "check_present", "current_board", "turn"}
    assert own["output"] == {"score", "best_move_i", "best_move_j", "done_out", "state_out"}
    child = {port.removeprefix("child__") for _, port in ports if port.startswith("child__")}
    assert {"check_next", "current_board", "done_out", "state_out", "score"} <= child


def reads_what_is_written(c: Any, m: Module) -> None:
    m.domains.sync = ClockDomain(reset_less=True)
    m.submodules.memory = memory = Memory(shape=4, depth=4, init=[])
    write = memory.write_port()
    read = memory.read_port(transparent_for=(write,))
    m.d.comb += [ClockSignal().eq(c.clk), write.addr.eq(c.address), read.addr.eq(c.address)]
    m.d.comb += [write.data.eq(c.data), write.en.eq(c.nrst), c.word.eq(read.data)]


def begins(c: Any, m: Module) -> None:
    m.d.comb += c.begin.eq(c.clk)


def reads_itself(c: Any, m: Module) -> None:
    with m.If(c.nrst):
        m.d.comb += [c.pair[0].eq(c.clk), c.pair[1].eq(~c.pair[0])]


def test_what_cannot_be_written_is_named() -> None:
    with pytest.raises(KeywordError, match="pin 'begin' of all kinds: expected a name"):
        verilog(design_of({"begin": Out(1)}, begins))
    with pytest.raises(RtlilError, match="memory: a port that reads what is being written has no Verilog here"):
        verilog(design_of({"address": In(2), "data": In(4), "word": Out(4)}, reads_what_is_written))
    with pytest.raises(RtlilError, match="pair waits for itself"):
        verilog(design_of({"pair": Out(2)}, reads_itself))


def test_modules_are_called_as_in_the_source_behind_them() -> None:
    """Eight detectors of lines are one module; the top has the name of the design."""
    text = verilog(DESIGNS["referee2021"])
    assert re.findall(r"^module (\w+)", text, re.MULTILINE) == [
        "referee2021",
        "position_registers",
        "position_decoder",
        "illegal_move_detector",
        "turn_control",
        "winner_detector",
        "winner_detect_across_line",
        "nospace_detector",
    ]
    assert len(re.findall(r"^  winner_detect_across_line u[1-8] \(", text, re.MULTILINE)) == 8
