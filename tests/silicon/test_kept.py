"""What comes with the designs as files: recordings of what the simulator gives, and figures that the docs quote."""

import gzip
import json
import shutil
import sys
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from design_names import RUN
from noughts.silicon import kept
from noughts.silicon.designs import DESIGNS, design
from noughts.silicon.flow.timing import Timing
from noughts.silicon.run import Run, perform
from noughts.silicon.simulate.interpreted import Interpreted
from noughts.silicon.simulate.watched import Counted, Recorder, RunTooLongError

pytestmark = pytest.mark.slow

needs_a_compiler = pytest.mark.skipif(
    shutil.which("c++") is None and shutil.which("g++") is None, reason="needs a C++ compiler"
)
DOCS = Path(__file__).parents[2] / "docs" / "silicon.md"


record = cache(kept.record)
"""Some runs have millions of cycles, and one is enough for all tests."""
SAMPLES = [(name, sample.name) for name, known in DESIGNS.items() for sample in known.samples]
RECORDED = [name for name in RUN if ":" not in name and name != "duel1990"]
"""Whose recordings are made again. What is undefined takes a compiler as long as all else, so variants are left out."""
RUN_SAMPLES = [(name, sample) for name, sample in SAMPLES if name in RECORDED]


@needs_a_compiler
@pytest.mark.parametrize(("name", "sample"), RUN_SAMPLES)
def test_a_recording_is_what_the_simulator_gives(name: str, sample: str) -> None:
    assert kept.recording(design(name), sample) == record(design(name), sample), (
        "python -m noughts.silicon.kept makes it again"
    )


@pytest.mark.parametrize(("name", "sample"), SAMPLES)
def test_a_recording_is_what_amaranths_simulator_gives(name: str, sample: str) -> None:
    """On the pins, all that is defined.

    A long run is stopped where the recording ends. To Amaranth the beginning of a reset that needs no clock is a clock
    for registers that it does not touch, as i; so that is another one after a reset in the middle.
    """
    recorded = kept.recording(design(name), sample)
    assert recorded is not None
    cycles = min(recorded.outline.cycles, kept.KEPT_CYCLES)
    pins = Interpreted(design(name).inside())
    if name == "duel1990":
        pins.clock(7)  # the counter that chooses the first place, and that nothing resets, is one ahead here
    recorder = Recorder(Counted(pins, design(name).driver, cycles))
    with suppress(RunTooLongError):
        perform(design(name), recorder, Run(sample=sample))
    again = recorder.trace()
    assert again.widths == recorded.trace.widths
    assert len(again.rows) == len(recorded.trace.rows) == 2 * cycles
    for pin in design(name).pins():
        undefined = recorded.trace.undefined_column(pin)
        seen = [value & ~bits for value, bits in zip(again.column(pin), undefined, strict=True)]
        assert seen == recorded.trace.column(pin) or (sample, pin) == ("reset", "i"), pin


@needs_a_compiler
def test_the_files_are_made_by_one_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = {(name, sample): kept.recording(DESIGNS[name], sample) for name, sample in RUN_SAMPLES}
    monkeypatch.setattr("noughts.silicon.designs.DESIGNS", {name: DESIGNS[name] for name in RECORDED})
    monkeypatch.setattr("noughts.silicon.design.files", lambda package: tmp_path / package)
    monkeypatch.setattr(kept, "record", record)
    monkeypatch.setattr(sys, "argv", ["kept"])
    for package in {known.package for known in DESIGNS.values()}:
        (tmp_path / package).mkdir()
    kept.main()
    assert {(name, sample): kept.recording(replace(DESIGNS[name]), sample) for name, sample in RUN_SAMPLES} == shipped
    for file in tmp_path.rglob("*.gz"):
        assert file.read_bytes() == gzip.compress(gzip.decompress(file.read_bytes()), mtime=0), "nothing but the runs"


def test_the_docs_quote_the_figures_that_come_with_the_designs() -> None:
    quoted: dict[tuple[str, str], str] = {}
    head: list[str] = []
    for line in DOCS.read_text().partition("\n## Figures\n")[2].splitlines():
        cells = [cell.strip(" `") for cell in line.strip("|").split("|")]
        if cells[0] == "design":
            head = cells
        elif cells[0] in DESIGNS:
            quoted |= {(cells[0], figure): value for figure, value in zip(head, cells, strict=True)}
    for known in DESIGNS.values():
        figures = kept.measured(known)
        assert len(figures) > 5
        for figure, value in figures:
            assert quoted[known.name, figure] == value, (known.name, figure, "python docs/make_figures.py")


@needs_a_compiler
@pytest.mark.parametrize("name", ["noughts2026", "player2026:game=achi"])
def test_what_a_design_was_tried_with_comes_out_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    timed = Timing(name, {}, [], 15.0, {})
    monkeypatch.setattr("noughts.silicon.flow.timing.timing", lambda _design: timed)
    found, quoted = kept.figures(design(name)), dict(kept.measured(design(name)))
    again = {figure: f"{value:,}" for figure, value in found.items() if figure in quoted}
    assert again == {figure: value for figure, value in quoted.items() if "MHz" not in figure and "µs" not in figure}
    assert {"states", "won", "drawn", "lost", "gates", "flip-flops"} <= set(again)


def test_every_design_of_a_folder_is_in_its_figures() -> None:
    for known in DESIGNS.values():
        assert known.name in json.loads((known.folder / "figures.json").read_text())
