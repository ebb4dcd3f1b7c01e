"""Layouts: those that come with designs are what they say, read again from their files; a missing tool is named."""

import json
import struct
import sys
from collections import Counter
from importlib import import_module
from itertools import pairwise, product
from pathlib import Path

import pytest
from typer.testing import CliRunner

from noughts.cli.main import app
from noughts.extras import MissingToolError
from noughts.silicon.design import Design, playing_driver
from noughts.silicon.designs import DESIGNS
from noughts.silicon.flow import layout as made_by
from noughts.silicon.flow.layout import Layout, kept_layout, kept_layouts, layout
from noughts.silicon.flow.layout.cells import Cell, Cells, Simulation, functions
from noughts.silicon.flow.layout.gds import GdsError, structures, without_dates
from noughts.silicon.flow.layout.play import LaidOut, extracted
from noughts.silicon.flow.layout.steps import LIBERTY, draw
from noughts.silicon.kept import recording
from noughts.silicon.pictures.layout import SORTS, draw_layouts, sort_of
from noughts.silicon.tools import ToolError, run_without_a_screen

KEPT = [design for design in DESIGNS.values() if kept_layout(design)]
needs_library = pytest.mark.skipif(not LIBERTY.exists(), reason="needs Debian's qflow-tech-osu035")


def kept(design: Design) -> Layout:
    found = kept_layout(design)
    assert found
    return found


def test_the_chip_of_1990_and_our_own_come_with_a_layout() -> None:
    assert {"chip1990", "noughts2026"} <= {design.name for design in KEPT}


@pytest.mark.parametrize("design", KEPT, ids=str)
def test_a_layout_that_comes_with_a_design_breaks_no_rule_and_is_its_netlist(design: Design) -> None:
    made = kept(design)
    assert made.clean
    assert made.files["drc.txt"].decode().splitlines()[0] == "drc total 0"
    # The checker was shown a wire that is too thin, and saw it.
    assert int(made.files["drc.txt"].decode().split("drc trial ")[1]) > 0
    assert made.files["lvs.txt"].decode().rstrip().endswith("Circuits match uniquely.")


def references(gds: bytes) -> Counter[str]:
    """What the last structure of a GDSII file refers to, by the format's description: length, kind, data."""
    found: Counter[str] = Counter()
    at = 0
    while at < len(gds) and (length := struct.unpack_from(">H", gds, at)[0]):
        kind, data = gds[at + 2], gds[at + 4 : at + length].rstrip(b"\0").decode("latin-1")
        if kind == 0x06:  # the name of a structure that begins here
            found = Counter()
        elif kind == 0x12:  # the name of a structure that is referred to
            found[data] += 1
        at += length
    return found


@pytest.mark.parametrize("design", KEPT, ids=str)
def test_the_gds_file_has_the_cells_of_the_netlist_and_no_other_but_fill(design: Design) -> None:
    made = kept(design)
    found = references(made.gds)
    fill = found.pop("FILL", 0)
    assert dict(sorted(found.items())) == made.drawn().kinds() == made.figures["kinds"]
    assert fill == made.figures["fill_cells"]
    # The outlines in DEF are the same cells, beside each other and inside the die.
    plan = made.plan()
    assert Counter(cell.kind for cell in plan.cells) == found + Counter(FILL=fill)
    assert all(cell.x >= 0 and cell.x + cell.width <= plan.width for cell in plan.cells)
    assert all(cell.y >= 0 and cell.y + cell.height <= plan.height for cell in plan.cells)
    rows: dict[float, list[tuple[float, float]]] = {}
    for cell in plan.cells:
        rows.setdefault(cell.y, []).append((round(cell.x, 3), round(cell.x + cell.width, 3)))
    for row in rows.values():
        row.sort()
        assert all(one[1] <= other[0] for one, other in pairwise(row))


@pytest.mark.parametrize("design", KEPT, ids=str)
def test_nets_of_the_layout_are_nets_of_the_netlist_one_by_one(design: Design) -> None:
    made = kept(design)
    drawn = {cell.name: cell for cell in made.drawn().cells}
    pairs = {(net, drawn[cell.name].pins[pin]) for cell in extracted(made).cells for pin, net in cell.pins.items()}
    assert len(drawn) == len(extracted(made).cells)
    assert len({one for one, _ in pairs}) == len({other for _, other in pairs}) == len(pairs) == made.figures["nets"]
    pins = {*made.drawn().inputs, *made.drawn().outputs, "vdd", "gnd"}
    assert all(one == other for one, other in pairs if one in pins or other in pins)


@needs_library
@pytest.mark.parametrize("design", KEPT, ids=str)
def test_the_netlist_of_the_layout_runs_as_the_design_was_recorded(design: Design) -> None:
    pins = {name: pin for name, pin in design.pins().items() if name != design.clock}
    for sample in design.samples:
        seen = set()
        known = recording(design, sample.name)
        assert known
        trace = known.trace
        chip = Simulation(extracted(kept(design)), LIBERTY)
        columns = {name: list(trace.widths).index(name) for name in pins}
        for half, row in enumerate(trace.rows):
            if half % 2 == 0:
                for name, pin in pins.items():
                    for bit in range(pin.width if pin.is_input else 0):
                        chip.set(f"{name}_{bit}", row[columns[name]] >> bit & 1)
                chip.settle()
            else:
                chip.clock()
            undefined = trace.undefined[half] if trace.undefined else (0,) * len(row)
            levels = []
            for name, pin in pins.items():
                if not pin.is_input:
                    level = sum(chip.get(f"{name}_{bit}") << bit for bit in range(pin.width))
                    sure = ~undefined[columns[name]]
                    assert level & sure == row[columns[name]] & sure, f"{sample.name}, half cycle {half}: {name}"
                    levels.append(level)
            seen.add(tuple(levels))
        # A stone changes what is to be seen at the pins: a run in which nothing happens compares nothing.
        assert len(seen) > sum(stones.bit_count() for stones in known.outline.stones) > 0


@pytest.mark.slow
@needs_library
def test_a_game_with_what_was_drawn_is_that_of_the_design() -> None:
    """The shortest to wait for: all 1,955 take minutes, and were played when the layout was made."""
    design = DESIGNS["chip1990"]
    driver = playing_driver(design, LaidOut(design, extracted(kept(design))))
    driver.begin(user_first=True)
    assert driver.press(0) == 5_779
    assert driver.stones() == (1 << 4, 1 << 0)
    assert kept(design).figures["played"] == {"games": 1_955, "wins": 1_666, "draws": 289, "losses": 0}


@pytest.mark.parametrize("design", KEPT, ids=str)
def test_figures_of_a_layout_follow_from_its_files(design: Design) -> None:
    made = kept(design)
    figures, plan = made.figures, made.plan()
    area = sum(cell.width * cell.height for cell in plan.cells if cell.kind != "FILL")
    assert figures["cells_um2"] == pytest.approx(area)
    assert figures["utilisation"] == pytest.approx(area / (plan.width * plan.height), abs=1e-3)
    assert figures["flip_flops"] == sum(cell.kind.startswith("DFF") for cell in plan.cells)
    # Wires make it slower; how much, by what qrouter says of them, is little at this size.
    assert 0.8 * figures["fmax_mhz_before_layout"] < figures["fmax_mhz"] < figures["fmax_mhz_before_layout"]
    assert figures["hold_slack_ns"] > 0
    assert figures["power_mw_at_10_mhz"] > 0


def test_layouts_are_small_files() -> None:
    assert sum(len(Path(str(design.folder / made_by.KEPT)).read_bytes()) for design in KEPT) < 1_500_000


@needs_library
def test_functions_of_cells_are_those_of_their_names() -> None:
    known = functions(LIBERTY)
    wanted = {
        "INVX1": "not A",
        "BUFX2": "A",
        "NAND3X1": "not (A and B and C)",
        "NOR3X1": "not (A or B or C)",
        "AOI21X1": "not (A and B or C)",
        "OAI21X1": "not ((A or B) and C)",
        "XOR2X1": "A != B",
        "XNOR2X1": "A == B",
        "MUX2X1": "not (A if S else B)",
    }
    for kind, words in wanted.items():
        for levels in product((0, 1), repeat=4):
            pins = dict(zip("ABCS", levels, strict=True))
            assert eval(known[kind], pins.copy()) & 1 == bool(eval(words, pins.copy())), (kind, pins)


@needs_library
def test_a_simulation_has_lanes_that_know_nothing_of_each_other() -> None:
    flop = Cell("DFFSR_1", "DFFSR", {"CLK": "c_0", "D": "n1", "Q": "q_0", "R": "r_0", "S": "vdd"})
    cells = (flop, Cell("INVX1_1", "INVX1", {"A": "q_0", "Y": "n1"}))
    chip = Simulation(Cells("toggle", ("c_0", "r_0"), ("q_0",), cells, {"DFFSR_1": "q"}), LIBERTY, lanes=2)
    chip.set("r_0", 0b10)
    chip.settle()
    assert chip.get("q_0") == 0
    chip.clock()
    assert chip.get("q_0") == 0b10  # the other lane is held in reset
    chip.set("r_0", 0b11)
    chip.clock()
    assert chip.get("q_0") == 0b01


def test_a_layout_is_drawn_with_every_cell_and_to_scale() -> None:
    plan = kept(DESIGNS["chip1990"]).plan()
    one, two = draw_layouts([("one", plan)]), draw_layouts([("one", plan), ("two", plan)])
    assert one.body.count("h") > len(plan.cells)
    assert two.width == one.width
    assert two.height - one.height == pytest.approx(1.5 * plan.height, abs=60)
    assert {sort_of(cell.kind) for cell in plan.cells} == set(SORTS)


def test_the_docs_have_the_layouts_of_today(monkeypatch: pytest.MonkeyPatch) -> None:
    docs = Path(__file__).parents[3] / "docs"
    monkeypatch.syspath_prepend(docs)
    made = import_module("make_layouts")
    page = (docs / "tapeout.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in made.table("layouts") for name in kept_layouts())
    for name in made.SORTS:
        assert made.table(name) in page
        assert made.picture(name) == (docs / f"{name}.svg").read_text(encoding="utf-8")


def test_what_is_no_gdsii_is_refused() -> None:
    for data in (b"", b"\x00\x02\x00\x02", b"\xff\xff\x00\x02ab", b"\x00\x06\x00\x02\x02\x58"):
        with pytest.raises(GdsError, match="expected"):
            structures(data)


def test_the_same_layout_at_another_time_is_the_same_file() -> None:
    gds = kept(DESIGNS["chip1990"]).gds
    dated = bytearray(gds)
    at = gds.index(b"\x00\x1c\x01\x02") + 4  # the library's own dates
    dated[at : at + 24] = bytes(range(24))
    assert bytes(dated) != gds
    assert without_dates(bytes(dated)) == gds


def test_a_missing_program_is_named_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MissingToolError, match=r"^the layout of chip1990 needs graywolf, .* Debian's graywolf$"):
        layout(DESIGNS["chip1990"])


@needs_library
def test_a_step_that_cannot_be_run_is_named_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ToolError, match=r"^qrouter cannot be run: No such file or directory; expected Debian's$"):
        draw(kept(DESIGNS["chip1990"]).drawn(), 1, tmp_path, print)


def test_without_the_tools_the_layout_that_comes_with_a_design_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    out = tmp_path / "made"
    done = CliRunner().invoke(app, ["silicon", "layout", "chip1990", "--out", str(out), "--json"])
    assert done.exit_code == 0
    answer = json.loads(done.stdout)
    assert sorted(answer["files"]) == sorted(file.name for file in out.iterdir())
    assert (out / "chip1990.gds").read_bytes() == kept(DESIGNS["chip1990"]).gds
    assert "needs graywolf" in done.stderr
    assert "the layout that comes with chip1990, of seed 1" in done.stderr
    refused = CliRunner().invoke(app, ["silicon", "layout", "duel1990", "--out", str(tmp_path / "none")])
    assert isinstance(refused.exception, MissingToolError)
    assert not (tmp_path / "none").exists()


def test_a_tool_runs_without_a_screen_and_in_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setenv("LC_ALL", "de_CH")
    program = "import os, sys; print(os.environ.get('DISPLAY'), os.environ['LC_ALL'], os.environ['X'], os.getcwd())"
    command = [sys.executable, "-c", f"{program}; sys.exit('and fails')"]
    assert run_without_a_screen(command, tmp_path, 60, "python", {"X": "y"}) == (1, f"None C y {tmp_path}\nand fails\n")


def test_a_tool_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import time; time.sleep(60)"]
    with pytest.raises(ToolError, match=r"^the sleeper was ended after 0 s: expected a layout sooner$"):
        run_without_a_screen(command, tmp_path, 0, "the sleeper")


@pytest.mark.parametrize("room", ["layout", "sky130"])
def test_an_unknown_design_is_refused_before_anything_is_made(
    room: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = import_module(f"noughts.silicon.flow.{room}.__main__")
    monkeypatch.setattr("sys.argv", [room, "noughts2026", "noughts2027"])
    with pytest.raises(SystemExit, match="2"):
        command.main()
    written = capsys.readouterr()
    assert "'noughts2027' is not a design: expected chip1990" in written.err
    assert written.out == ""


def test_without_names_the_layouts_are_made_again_that_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    asked_for = import_module("noughts.silicon.flow.layout.__main__").asked_for
    monkeypatch.setattr("sys.argv", ["layout"])
    assert [asked for asked, _ in asked_for("layout", None, made_by.KEPT)] == KEPT
    monkeypatch.setattr("sys.argv", ["layout", "referee2021"])
    ((asked, file),) = asked_for("layout", None, made_by.KEPT)
    assert (asked.name, file.name, file.exists()) == ("referee2021", "layout.zip", False)
