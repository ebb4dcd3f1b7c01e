"""The pins of every design, and the package of 1990 against what its paper prints, slips included."""

import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

from design_names import MADE
from noughts.cli.main import run
from noughts.silicon.design import Design
from noughts.silicon.designs import DESIGNS
from noughts.silicon.pictures.package import package_file
from noughts.silicon.pinout import PinRow, pin_rows, tally
from noughts.silicon.verilog import verilog

SVG = "{http://www.w3.org/2000/svg}"
DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "sources" / "chip1990.md").read_text()
CHIP = DESIGNS["chip1990"]

PRINTED = """
1 - 64 P Vdd core, 2 I keyboardN 8 63 -, 3 I userbegins 62 O copyboard, 4 I scan 61 O sp 2, 5 I win 60 O led 8,
6 I sp 0 59 O sp 1, 7 I piN 58 O fin, 8 - 57 -, 9 I scanin 56 O scanout, 10 I resetN 55 O prompt, 11 - 54 -,
12 P Vdd pads 53 -, 13 - 52 -, 14 P Vss pads 51 O led 5, 15 - 50 O led 11, 16 I keyboardN 1 49 O led 7,
17 I keyboardN 8 48 O led 9, 18 I keyboardN 6 47 O led 0, 19 - 46 O led 6, 20 I cp 45 O led 4, 21 - 44 O led 8,
22 O i 0 43 O led 2, 23 I keyboardN 1 42 O led 16, 24 I keyboardN 5 41 O led 15, 25 O i 1 40 O led 1,
26 O i 2 39 O led 12, 27 O i 3 38 O led 10, 28 I keyboardN 4 37 O led 17, 29 I keyboardN 0 36 O led 14,
30 I keyboardN 3 35 O led 13, 31 - 34 -, 32 P Vss core 33 -
"""
"""Appendix D as the scan has it: a number, a letter for the direction, a name; nothing behind a dash."""

WAYS = {"I": "in", "O": "out", "P": "power", "-": "none"}
CELLS = (
    *("a", "bestr", "board", "boardmove", "boardreg", "boardreg2", "chip", "choose", "counter", "data", "dec18e"),
    *("dec8e", "dec9", "empty", "findfree", "full", "move", "move1", "mux9", "stack", "stackregs", "value", "win"),
    "win1",
)
"""Appendix B: the names below its drawings."""
BUNDLES = {"keyboardN": 9, "led": 18, "i": 4, "sp": 3}
"""How many pins each bundle has, by chapter 4."""


def printed() -> dict[int, tuple[str, str]]:
    """Direction and name of every pin, as printed."""
    found = re.findall(r"(\d+) ([IOP-])((?: (?!\d+ [IOP-])[\w]+)*)", PRINTED)
    return {int(number): (WAYS[way], name.strip()) for number, way, name in found}


def rows_of(design: Design) -> list[PinRow]:
    return pin_rows(design, {name: pin.width for name, pin in design.pins().items()})


def test_the_paper_prints_64_pins() -> None:
    assert sorted(printed()) == list(range(1, 65))


def test_every_certain_pin_is_as_the_paper_prints_it() -> None:
    """But for its name of `pin`, and for the two outputs that it calls inputs."""
    for row in rows_of(CHIP):
        assert row.number is not None
        way, name = printed()[row.number]
        if not row.ours:
            assert row.name == {"piN": "pin"}.get(name, name if name.startswith("V") else name.replace(" ", ""))
        assert row.direction == ("out" if row.name in ("win", "sp0") else way)
        assert bool(row.reading) == (row.ours or row.name in ("win", "sp0", "pin"))


def test_a_pin_is_our_choice_exactly_where_its_printed_name_stands_twice() -> None:
    names = Counter(name for _, name in printed().values() if name)
    twice = {number for number, (_, name) in printed().items() if names[name] > 1}
    assert {row.number for row in rows_of(CHIP) if row.ours} == twice == {2, 16, 17, 23, 44, 60}
    for name in (name for name, count in names.items() if count > 1):
        kept = [row for row in rows_of(CHIP) if row.number in twice and row.name == name.replace(" ", "")]
        assert len(kept) == 1, "one of the two is as printed"


def test_every_signal_of_chapter_four_has_exactly_one_pin() -> None:
    names = [row.name for row in rows_of(CHIP) if row.direction in ("in", "out")]
    single = set(CHIP.pins()) - set(BUNDLES)
    expected = single | {f"{name}{bit}" for name, width in BUNDLES.items() for bit in range(width)}
    assert Counter(names) == Counter(expected)


def test_49_pins_are_used_with_the_supplies_among_them() -> None:
    counts = tally(rows_of(CHIP))
    assert counts == {"in": 15, "out": 30, "power": 4, "none": 15}
    assert counts["in"] + counts["out"] + counts["power"] == 49


@pytest.mark.parametrize("name", MADE)
def test_the_table_has_every_pin_of_a_design_once_with_its_direction(name: str) -> None:
    counts = tally(rows_of(DESIGNS[name]))
    pins = DESIGNS[name].pins().values()
    assert counts["in"] == sum(pin.width for pin in pins if pin.is_input)
    assert counts["out"] == sum(pin.width for pin in pins if not pin.is_input)
    assert all(row.about for row in rows_of(DESIGNS[name]))


@pytest.mark.parametrize("name", MADE)
def test_pins_that_are_told_one_by_one_are_all_told(name: str) -> None:
    for bundle, words in DESIGNS[name].bits.items():
        assert len(words) == DESIGNS[name].pins()[bundle].width


def test_the_package_is_drawn_with_its_legs_in_order() -> None:
    """Numbers 1 to 32 down the left side, 64 to 33 down the right."""
    root = ElementTree.fromstring(package_file(CHIP, {}))
    legs = [group for group in root.iter(f"{SVG}g") if group.get("data-leg")]
    places = {}
    for leg in legs:
        (rect,) = (one for one in leg.iter(f"{SVG}rect") if one.get("class") == "package-leg")
        places[int(leg.get("data-leg", ""))] = (float(rect.get("x", "")), float(rect.get("y", "")))
    left, right = sorted(range(1, 65), key=lambda leg: places[leg])[:32], list(range(64, 32, -1))
    assert left == list(range(1, 33))
    assert sorted(range(33, 65), key=lambda leg: places[leg][1]) == right
    assert [places[leg][1] for leg in left] == [places[leg][1] for leg in right]


def test_the_picture_in_the_docs_is_what_the_command_draws(tmp_path: Path) -> None:
    assert run(["silicon", "pins", "chip1990", "--svg", str(tmp_path / "drawn.svg")]) == 0
    assert (tmp_path / "drawn.svg").read_text() == (DOCS / "chip1990-package.svg").read_text()


def test_the_table_in_the_docs_is_that_of_the_design() -> None:
    told = re.findall(r"^\| (\d+) \| (.*?) \| (.*?) \| (.*?) \| (.*?) ?\|$", PAGE, re.MULTILINE)
    assert len(told) == 64
    for (number, name, way, about, reading), row in zip(told, rows_of(CHIP), strict=True):
        assert (int(number), name.strip("`"), way or "none", about) == (row.number, row.name, row.direction, row.about)
        assert reading == ("*ours*: " if row.ours else "") + row.reading


def test_every_cell_of_appendix_b_has_its_place_in_our_verilog() -> None:
    """The names of the 24 cells, and for each a module that we write and what is said to be in it."""
    modules = dict(re.findall(r"^module (\w+) (.*?)^endmodule", verilog(CHIP), re.MULTILINE | re.DOTALL))
    section = PAGE.partition("## A and B")[2].partition("\n## ")[0]
    told = re.findall(r"^\| (\w+) \| (?!presumably)[^|]+ \| (`.+`) \|$", section, re.MULTILINE)
    assert tuple(cell for cell, _ in told) == CELLS
    assert len(CELLS) == 24
    for cell, here in told:
        module, *inside = re.findall("`([^`]+)`", here)
        assert module in modules, cell
        for name in inside:
            assert re.search(rf"\b{name}\b", modules[module]), (cell, name)
