"""Every machine has a page: each player with a history, and each chip; their pictures are what the code draws."""

import re
import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from noughts.cli.main import run
from noughts.players.catalogue import PLAYERS
from noughts.silicon.designs import DESIGNS, PACKAGES

pytestmark = pytest.mark.slow

DOCS = Path(__file__).parents[1] / "docs"
PAGES = {page.stem: page.read_text("utf-8") for page in (DOCS / "machines").glob("*.md")}
SECTIONS = ["How it thinks", "How strong it is", "Try it", "Read on"]
MACHINES = [kind.name for kind in PLAYERS.values() if kind.machine]


def load(script: str) -> Any:
    """A script of the documents, as a module."""
    return SimpleNamespace(**runpy.run_path(str(DOCS / f"{script}.py")))


@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_page_tells_what_the_machine_was_how_it_thinks_and_how_to_try_it(name: str) -> None:
    page = PAGES[name]
    assert re.findall(r"^## (.*)$", page, re.M) == SECTIONS
    assert re.search(r"^(!\[.+\]\(.+\)|```\{board\} .+)$", page, re.M), "a picture"
    assert "$ noughts " in page.partition("\n## How strong it is\n")[2].partition("\n## ")[0], "strength, measured"
    read_on = page.partition("\n## Read on\n")[2]
    assert "../sources/" in read_on
    assert "../claims.md#" in read_on


def test_every_chip_and_every_machine_has_its_page() -> None:
    make_games = load("make_games")
    pages = {re.findall(r"machines/(\w+)\.md", make_games.link_to_machine(PLAYERS[name]))[0] for name in MACHINES}
    assert {*PACKAGES, *pages} == set(PAGES)
    for name in MACHINES:
        page = PAGES[re.findall(r"machines/(\w+)\.md", make_games.link_to_machine(PLAYERS[name]))[0]]
        assert f"`{name}`" in page or f"--o {name}" in page


@pytest.mark.parametrize("name", PACKAGES)
def test_block_diagrams_are_those_of_the_designs(name: str) -> None:
    drawn = (DOCS / "machines" / f"{name}.svg").read_text("utf-8")
    assert drawn == load("make_machines").blocks(name), "python docs/make_machines.py"


def test_a_chip_that_is_measured_by_another_has_the_figures_of_both_on_its_page() -> None:
    measured = [known for known in DESIGNS.values() if known.beside]
    assert [known.name for known in measured] == ["noughts2026"]
    for known in measured:
        table = load("make_figures").beside(known)
        assert "| slowest reply, cycles | 1 | 15,007 |" in table
        assert table in PAGES[known.name], "python docs/make_figures.py"


def test_the_search_of_1990_is_drawn_as_the_command_draws_it(tmp_path: Path) -> None:
    assert run([*load("make_machines").SEARCH, str(tmp_path / "search.svg")]) == 0
    assert (tmp_path / "search.svg").read_text() == (DOCS / "machines" / "c1990.svg").read_text()
