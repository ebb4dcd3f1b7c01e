"""Gates: the netlist has the cells it claims, is the circuit of the source, and is counted right."""

import gzip
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from amaranth.hdl import ClockDomain, ClockSignal, Elaboratable, Module, ResetSignal
from amaranth.lib.wiring import Component, In

from noughts.silicon.circuit import Circuit
from noughts.silicon.designs import DESIGNS
from noughts.silicon.designs.elements2021.de2115 import History
from noughts.silicon.flow.gates import depth, gates, longest_way, netlist
from noughts.silicon.flow.synthesis import UnknownFamilyError, for_family, for_gates
from noughts.silicon.tools import CacheError, once, remembered
from verilog_checks import is_equivalent, lint

pytestmark = pytest.mark.slow

CHIP1990, REFEREE = DESIGNS["chip1990"], DESIGNS["referee2021"]


class Remembering(Component):  # type: ignore[misc]
    """The history of the elements of 2021 by itself, the only memory that a design has."""

    def __init__(self) -> None:
        self.history = History()
        super().__init__({"clk": In(1), "rst": In(1), **self.history.signature.members})

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.domains.sync = ClockDomain(async_reset=True, local=True)
        m.submodules.history = history = self.history
        m.d.comb += [ClockSignal().eq(self.clk), ResetSignal().eq(self.rst), self.word.eq(history.word)]
        m.d.comb += [getattr(history, name).eq(getattr(self, name)) for name in ("board", "record", "address")]
        return m


HISTORY = Circuit(
    name="history", year=2021, about="final boards", make=Remembering, clock="clk", reset="rst", reset_level=1
)
# How gates are counted and written does not depend on the design: a small one of each kind will do. The elements of
# 2021 alone take longer than all of them; `noughts silicon check elements2021 --gates` plays every game on theirs.
CHIPS = pytest.mark.parametrize("chip", [CHIP1990, REFEREE, HISTORY], ids=lambda chip: chip.name)

TWO_INPUTS: dict[str, Callable[[bool, bool], bool]] = {
    "AND": lambda a, b: a and b,
    "NAND": lambda a, b: not (a and b),
    "OR": lambda a, b: a or b,
    "NOR": lambda a, b: not (a or b),
    "XOR": lambda a, b: a != b,
    "XNOR": lambda a, b: a == b,
    "ANDNOT": lambda a, b: a and not b,
    "ORNOT": lambda a, b: a or not b,
}
FLIP_FLOPS = {"DFF", "DFFR", "DFFS"}


def instances(text: str) -> list[tuple[str, dict[str, str]]]:
    """The cells of a netlist, read from its text: type, and what is connected to each pin."""
    top = text[: text.index("endmodule")]
    found = re.findall(r"^  ([A-Z]+) (?:#\(.*?\) )?\w+ \((.*)\);$", top, re.MULTILINE)
    return [(kind, dict(re.findall(r"\.(\w)\(([^)]*)\)", pins))) for kind, pins in found]


@CHIPS
def test_the_netlist_has_gates_inverters_and_flip_flops_and_as_many_as_counted(chip: Circuit) -> None:
    counted = gates(chip)
    kinds = Counter(kind for kind, _ in instances(netlist(chip)))
    assert set(kinds) <= {*TWO_INPUTS, *FLIP_FLOPS, "NOT"}
    assert counted.cells == kinds
    assert counted.two_input_gates == sum(kinds[kind] for kind in TWO_INPUTS)
    assert counted.flip_flops == sum(kinds[kind] for kind in FLIP_FLOPS)


@CHIPS
def test_there_is_a_flip_flop_for_every_bit_of_a_register(chip: Circuit) -> None:
    source = chip.rtlil()
    bits = sum(int(width) * int(size) for width, size in re.findall(r"memory width (\d+) size (\d+)", source))
    for cell in re.findall(r"cell \$(?:a?dff|memrd_v2) .*?\n  end", source, re.DOTALL):
        if "CLK_ENABLE 0" not in cell:
            bits += int(re.search(r"\\WIDTH (\d+)", cell)[1])  # type: ignore[index]
    assert gates(chip).flip_flops == bits


@CHIPS
def test_every_family_needs_some_luts_and_a_history_some_memory(chip: Circuit) -> None:
    counted = gates(chip)
    assert counted.ice40_luts > 0
    assert counted.ecp5_luts > 0
    has_memory = "memory width" in chip.rtlil()
    assert (counted.ice40_block_rams > 0) == has_memory
    assert (counted.ecp5_block_rams + counted.ecp5_lut_rams > 0) == has_memory


@CHIPS
def test_linters_and_simulators_take_the_netlist_alone(chip: Circuit, tmp_path: Path) -> None:
    assert lint(netlist(chip), tmp_path, f"{chip.identifier}.v") == ""
    icarus = shutil.which("iverilog") or pytest.skip("needs iverilog")
    run = subprocess.run(
        [icarus, "-Wall", "-s", chip.identifier, "-o", "chip", f"{chip.identifier}.v"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stderr == ""


@pytest.mark.parametrize("watch", [False, True])
@CHIPS
def test_the_netlist_is_the_same_circuit_as_the_source(chip: Circuit, watch: bool) -> None:
    """At all times, whatever is done at the pins: so every game is played by the gates as it is by the Verilog."""
    assert is_equivalent(chip.rtlil(watch=watch), netlist(chip, watch=watch), chip.identifier)


def test_the_scan_path_of_chip1990_runs_through_every_flip_flop() -> None:
    """A lone 1 that is shifted in comes out after as many clocks as there are flip-flops."""
    text = netlist(CHIP1990)
    cells = instances(text)
    driver = {pins["Y"]: (kind, pins) for kind, pins in cells if "Y" in pins}
    registers = [pins for kind, pins in cells if kind in FLIP_FLOPS]
    scanout = re.search(r"assign scanout = \{(\w+)\};", text)[1]  # type: ignore[index]
    state = {pins["Q"]: False for pins in registers}
    came_out = []
    for cycle in range(3 * len(registers)):
        known = {**state, "scan": True, "resetN": True, "scanin": cycle == len(registers), "1'b0": False, "1'b1": True}

        def level(net: str, known: dict[str, bool] = known) -> bool:
            if net not in known and net in driver:
                kind, pins = driver[net]
                a = level(pins["A"])
                known[net] = not a if kind == "NOT" else TWO_INPUTS[kind](a, level(pins["B"]))
            return known.get(net, False)

        assert not any(level(pins["R"]) for pins in registers if "R" in pins)
        came_out.append(level(scanout))
        state = {pins["Q"]: level(pins["D"]) for pins in registers}
    assert [cycle for cycle, high in enumerate(came_out) if high] == [2 * len(registers)]


@CHIPS
def test_the_depth_is_the_longest_way_through_gates_of_two_inputs(chip: Circuit) -> None:
    driver = {pins["Y"]: (kind, pins) for kind, pins in instances(netlist(chip)) if "Y" in pins}

    @cache
    def behind(net: str) -> int:
        if net not in driver:
            return 0
        kind, pins = driver[net]
        return (kind in TWO_INPUTS) + max(behind(pins[pin]) for pin in "AB" if pin in pins)

    assert gates(chip).depth == max(behind(net) for net in driver)


def test_the_longest_way_of_1990_is_the_chain_that_its_authors_named() -> None:
    way = gates(CHIP1990).longest_way
    assert way[0] == "core.value.r"
    assert "core.board.findfree.last" in way


def test_inverters_and_flip_flops_add_nothing_to_the_depth() -> None:
    """Two ways to net 9: 3 gates by way of 5, 6 and 8, with an inverter between; the flip-flop starts a new one."""
    cells = [
        ("$_AND_", {"A": [2], "B": [3], "Y": [5]}),
        ("$_NOT_", {"A": [5], "Y": [6]}),
        ("$_XOR_", {"A": [6], "B": [4], "Y": [8]}),
        ("$_ORNOT_", {"A": [8], "B": [3], "Y": [9]}),
        ("$_DFF_P_", {"C": [1], "D": [9], "Q": [10]}),
        ("$_NAND_", {"A": [10], "B": ["1"], "Y": [11]}),
    ]
    module = {"cells": {str(k): {"type": kind, "connections": pins} for k, (kind, pins) in enumerate(cells)}}
    assert depth(module) == 3
    wires = {"in": [2], "x$7": [8], "out": [9], "q": [10]}
    named = {name: {"hide_name": 0, "bits": bits} for name, bits in wires.items()}
    assert longest_way({**module, "netnames": named}) == ("in", "x", "out", "q")
    assert longest_way({"cells": {}}) == ()
    assert depth({"cells": {}}) == 0


def test_synthesis_gives_the_same_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time with an empty cache, so that it is done again, and by this Yosys."""

    def all_kinds() -> list[str]:
        families = [for_family(family, REFEREE.rtlil(), REFEREE.identifier) for family in ("ice40", "ecp5")]
        return [for_gates.__wrapped__(CHIP1990, False), *families]

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "first"))
    before = all_kinds()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "second"))
    assert all_kinds() == before
    kept = [gzip.decompress(file.read_bytes()).decode() for file in (tmp_path / "second").rglob("pyosys-*.gz")]
    assert sorted(kept) == sorted(before)


def test_what_was_synthesised_before_is_not_synthesised_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless something of it is different, or nothing can be kept."""
    made: list[str] = []

    def maker(words: str) -> Callable[[], str]:
        def make() -> str:
            made.append(words)
            return words

        return make

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for parts, words in ((("a", "b"), "first"), (("a", "b"), "never"), (("ab",), "second")):
        assert remembered("pyosys", "a test", parts, maker(words)) == ("first" if words == "never" else words)
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert remembered("pyosys", "a test", ("a", "b"), maker("third")) == "third"
    assert made == ["first", "second", "third"]


@pytest.mark.parametrize("broken", [b"", b"no gzip", gzip.compress(b"as it was", mtime=0)[:-9]])
def test_what_was_kept_and_cannot_be_read_is_made_again(
    broken: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert remembered("pyosys", "a test", ("a",), lambda: "as it was") == "as it was"
    (kept,) = tmp_path.rglob("*.gz")
    kept.write_bytes(broken)
    assert remembered("pyosys", "a test", ("a",), lambda: "made again") == "made again"


def test_a_cache_in_which_nothing_can_be_locked_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert remembered("pyosys", "a test", ("a",), lambda: "kept") == "kept"
    (kept,) = tmp_path.rglob("*.gz")
    kept.unlink()
    lock = kept.with_name(f"{kept.name}.lock")
    lock.unlink(missing_ok=True)
    lock.mkdir()
    assert remembered("pyosys", "a test", ("a",), lambda: "made anew") == "made anew"
    with pytest.raises(CacheError, match="cannot be written: Is a directory; expected a writable cache"):
        once(kept, lambda _: None)


def test_an_unknown_family_is_named() -> None:
    with pytest.raises(UnknownFamilyError, match="'spartan6' is not a family of FPGAs: expected ice40 or ecp5"):
        for_family("spartan6", REFEREE.rtlil(), REFEREE.identifier)
