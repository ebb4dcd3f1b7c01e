"""How many positions of the morris games are won, drawn and lost: docs/morris.json says what the solver says."""

import json
import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytestmark = pytest.mark.slow

DOCS = Path(__file__).parents[1] / "docs"
MADE = SimpleNamespace(**runpy.run_path(str(DOCS / "make_morris_counts.py")))
SAID: dict[str, list[list[Any]]] = json.loads((DOCS / "morris.json").read_text("utf-8"))["games"]


def test_the_file_has_all_games_and_says_what_a_row_has() -> None:
    assert set(SAID) == {*MADE.WHOLE, *MADE.LARGE}
    assert tuple(json.loads((DOCS / "morris.json").read_text("utf-8"))["fields"]) == MADE.FIELDS


@pytest.mark.parametrize("name", MADE.WHOLE)
def test_the_small_games_are_what_the_solver_finds(name: str) -> None:
    assert SAID[name] == MADE.solved(name, None), "python docs/make_morris_counts.py"


@pytest.mark.parametrize("name", MADE.LARGE)
def test_the_large_games_begin_as_the_solver_finds_them(name: str) -> None:
    rows = MADE.solved(name, 4)
    assert [row for row in SAID[name] if row[0] in ("3-3", "3-4", "4-3", "4-4")] == rows


@pytest.mark.parametrize("name", SAID)
def test_every_position_is_won_drawn_or_lost(name: str) -> None:
    for _, positions, wins, draws, losses, *_deepest in SAID[name]:
        assert positions == wins + draws + losses
