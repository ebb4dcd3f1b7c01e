"""The folder for Tiny Tapeout: its files as their tools read them, and its test, which plays at the pads."""

import json
import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from noughts.cli import main
from noughts.extras import MissingToolError
from noughts.silicon.design import DoesNotPlayError
from noughts.silicon.designs import design
from noughts.silicon.flow import layout as layouts
from noughts.silicon.flow import tapeout
from noughts.silicon.flow.layout.steps import UnroutedError
from noughts.silicon.flow.tapeout import TILES, estimate, submission
from noughts.silicon.flow.tapeout.tile import GLYPHS, lamps, on_tile
from verilog_checks import lint

NAME = "chip1990"
QUICK = "noughts2026"
"""It answers at once, so that every game with it is played in a moment."""
made = cache(submission)


def test_the_pads_are_those_of_tiny_tapeout() -> None:
    """Their widths and directions are fixed: every tile of a chip is wired alike."""
    pins = on_tile(design(NAME)).pins()
    assert {name: pin.width for name, pin in pins.items() if pin.is_input} == {
        "ui_in": 8,
        "uio_in": 8,
        "ena": 1,
        "clk": 1,
        "rst_n": 1,
    }
    assert {name: pin.width for name, pin in pins.items() if not pin.is_input} == {
        "uo_out": 8,
        "uio_out": 8,
        "uio_oe": 8,
    }


def test_info_yaml_has_what_tiny_tapeout_checks() -> None:
    folder = made(design(NAME)).files
    text = folder["info.yaml"]
    assert isinstance(text, str)
    fields = dict(re.findall(r"^ *([\w\[\]]+): (.+)$", text, re.MULTILINE))
    values = {name: json.loads(value) for name, value in fields.items()}
    assert values["yaml_version"] == 6
    assert values["top_module"].startswith("tt_um_")
    assert f"module {values['top_module']}" in str(folder["src/project.sv"])
    assert values["tiles"] in TILES
    assert isinstance(values["clock_hz"], int)
    assert all(values[name] for name in ("title", "author", "description", "language"))
    pads = {f"{side}[{number}]" for side in ("ui", "uo", "uio") for number in range(8)}
    assert pads == {name for name in values if "[" in name}
    sources = re.findall(r'^ +- "(.+)"$', text, re.MULTILINE)
    assert {f"src/{name}" for name in sources} == {name for name in folder if name.endswith(".sv")}


def test_no_two_things_that_the_display_can_show_look_alike() -> None:
    assert len(set(GLYPHS.values())) == len(GLYPHS)
    # Segments from the top clockwise, the middle one last; an 8 has all, a 1 the two on the right.
    assert (GLYPHS["8"], GLYPHS["1"], GLYPHS["-"]) == (0b1111111, 0b0000110, 0b1000000)


def test_the_lamps_lie_as_the_board_does() -> None:
    assert lamps(design(NAME)).rows == ((0, 1, 2), (3, 4, 5), (6, 7, 8))


def test_an_estimate_says_the_smallest_size_that_is_large_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    found = estimate(design(NAME))
    assert found.tiles == "1x1"
    assert found.area_um2 < 0.6 * 161 * 111.52
    monkeypatch.setattr(tapeout, "DENSITY", 0.9 * found.filled)
    assert estimate(design(NAME)).tiles == "1x2"
    monkeypatch.setattr(tapeout, "DENSITY", 1e-3)
    assert estimate(design(NAME)).tiles is None


def test_a_design_that_does_not_play_is_refused() -> None:
    with pytest.raises(DoesNotPlayError, match="'referee2021' does not play against a person"):
        on_tile(design("referee2021"))


def test_the_command_writes_the_folder_and_says_how_large_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "tile"
    assert main.run(["silicon", "tapeout", NAME, "--out", str(target), "--no-layout", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    written = {str(path.relative_to(target)) for path in target.rglob("*") if path.is_file()}
    assert written == set(answer["files"]) == set(made(design(NAME)).files)
    assert (answer["design"], answer["tiles"], answer["top"]) == (NAME, "1x1", "tt_um_noughts_chip1990")
    assert main.run(["silicon", "tapeout", NAME, "--out", str(target)]) == 2


def test_without_the_tools_of_a_layout_the_folder_is_written_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def without(*_: object, **__: object) -> None:
        raise MissingToolError("a layout needs qrouter, which is not installed: expected it from Debian's qrouter")

    monkeypatch.setattr(layouts, "layout", without)
    assert main.run(["silicon", "tapeout", NAME, "--out", str(tmp_path / "tile"), "--json"]) == 0
    answer = capsys.readouterr()
    assert json.loads(answer.out)["layout"] is None
    assert "skipped: a layout needs qrouter" in answer.err
    assert (tmp_path / "tile" / "info.yaml").exists()
    assert not (tmp_path / "tile" / "layout").exists()


def test_a_layout_goes_into_the_folder_be_it_the_second(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = layouts.kept_layout(design(NAME))
    assert kept is not None

    def the_second_will_do(_: object, seed: int, **__: object) -> layouts.Layout:
        if seed == 1:
            raise UnroutedError("nets are open")
        return kept

    monkeypatch.setattr(layouts, "layout", the_second_will_do)
    assert main.run(["silicon", "tapeout", NAME, "--out", str(tmp_path / "tile"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["layout"] == kept.figures
    assert (tmp_path / "tile" / "layout" / f"{kept.name}.gds").read_bytes() == kept.gds
    assert main.run(["silicon", "tapeout", NAME, "--out", str(tmp_path / "first"), "--seed", "1", "--json"]) == 0
    said = capsys.readouterr()
    assert (json.loads(said.out)["layout"], said.err) == (None, "skipped: nets are open\n")


@pytest.mark.slow
def test_verilator_has_nothing_to_say_of_the_circuit(tmp_path: Path) -> None:
    text = made(design(NAME)).files["src/project.sv"]
    assert isinstance(text, str)
    # Pads that a project does not use are left open; Tiny Tapeout's own examples gather them, too.
    warnings = [line for line in lint(text, tmp_path, "project.sv").splitlines() if line.startswith("%")]
    assert all("UNUSEDSIGNAL" in line for line in warnings), warnings


@pytest.mark.slow
def test_the_test_in_the_folder_plays_every_game_at_the_pads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runner: Any = pytest.importorskip("cocotb_tools.runner")
    if shutil.which("iverilog") is None:
        pytest.skip("needs iverilog")
    for name, content in made(design(QUICK)).files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content.encode() if isinstance(content, str) else content)
    monkeypatch.setenv("EVERY", "1")
    icarus = runner.get_runner("icarus")
    icarus.build(
        sources=[tmp_path / "src" / "project.sv", tmp_path / "test" / "tb.v"],
        hdl_toplevel="tb",
        build_dir=tmp_path / "build",
    )
    results = icarus.test(
        hdl_toplevel="tb", test_module="test", test_dir=tmp_path / "test", build_dir=tmp_path / "build"
    )
    assert runner.get_results(results) == (1, 0)
