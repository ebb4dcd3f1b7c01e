"""Every game of the catalogue has a page, and what its table of facts says is what the solver says now."""

import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from noughts.games.catalogue import KINDS, Kind

pytestmark = pytest.mark.slow

DOCS = Path(__file__).parents[1] / "docs"
SECTIONS = ("How it is played", "What is known", "Openings", "History", "Who plays it well")


@pytest.fixture(scope="module")
def maker() -> Iterator[Any]:
    """The script that makes the facts; meanwhile the small morris games have tables."""
    made = SimpleNamespace(**runpy.run_path(str(DOCS / "make_games.py")))
    with made.small_tables():
        yield made


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.base)
def test_every_game_has_a_page_that_tells_all(kind: Kind) -> None:
    page = (DOCS / "games" / f"{kind.base}.md").read_text("utf-8")
    assert page.startswith(f"# {kind.title.replace('’', chr(39))}\n")
    assert f"```{{board}} {kind.example}" in page
    headings = re.findall(r"^## (.*)$", page, re.M)
    assert [heading for heading in headings if heading in SECTIONS] == list(SECTIONS)
    assert "$ noughts " in page, "an example that is run"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.base)
def test_the_facts_of_a_game_are_what_the_solver_says(kind: Kind, maker: Any) -> None:
    assert maker.between(maker.page_of(kind)) == maker.facts(kind), "python docs/make_games.py"
    assert maker.line_about(kind) in maker.between(maker.OVERVIEW).splitlines(), "python docs/make_games.py"


def test_the_table_of_all_games_has_them_all_and_no_other(maker: Any) -> None:
    linked = re.findall(r"\(games/([a-z0-9-]+)\.md\)", maker.between(maker.OVERVIEW))
    assert linked == [kind.base for kind in KINDS]
    assert {page.stem for page in (DOCS / "games").glob("*.md")} == set(linked)


def test_every_option_of_a_game_is_named_in_the_overview() -> None:
    overview = (DOCS / "games.md").read_text("utf-8")
    for kind in KINDS:
        assert all(f"`{option}" in overview for option in kind.options), kind.name
