"""The surprising positions of the documents: won, drawn and lost as they say, by the rules alone and by the search."""

import importlib.util
import json
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from noughts.games import Outcome, game
from noughts.insight.puzzles import likeness, puzzle_at, puzzles_of
from noughts.solve import knowledge
from oracles import oracle
from oracles.base import State

pytestmark = pytest.mark.slow

DOCS = Path(__file__).parents[2] / "docs"
GAME, RULES = game("mnk:5,5,4"), oracle("mnk:5,5,4")
RECORDS: list[dict[str, Any]] = json.loads((DOCS / "surprising.json").read_text("utf-8"))
FEW = 7
"""Free points on which the rest of the game is played in all ways here."""


@cache
def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_surprising", DOCS / "make_surprising.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def worth(state: State) -> tuple[str, int]:
    """The value of a position and its plies, from all games that can follow."""
    end = RULES.over(state)
    if end is not None:
        return end, 0
    after = [worth(RULES.play(state, move)) for move in RULES.moves(state)]
    lost = [plies for value, plies in after if value == "loss"]
    if lost:
        return "win", 1 + min(lost)
    if any(value == "draw" for value, _ in after):
        return "draw", state.cells.count(".")
    return "loss", 1 + max(plies for _, plies in after)


def before(value: tuple[str, int]) -> str:
    """What a move is worth that leads to such a position."""
    return f"{ {'win': 'loss', 'loss': 'win', 'draw': 'draw'}[value[0]] } in {value[1] + 1}"


@pytest.mark.parametrize("one", RECORDS, ids=lambda one: one["position"])
def test_one_move_keeps_the_value_or_all(one: dict[str, Any]) -> None:
    here = GAME.read(one["position"])
    assert sorted(one["moves"]) == sorted(GAME.write_move(move) for move in GAME.moves(here))
    value = one["value"].split()[0]
    kept = len(one["moves"]) if one["why"].startswith("all moves win") else 1
    assert [end for end in one["moves"].values() if end.startswith(value)] == kept * [one["value"]]


@pytest.mark.parametrize("one", RECORDS, ids=lambda one: one["position"])
def test_a_win_is_played_by_the_rules_to_its_end(one: dict[str, Any]) -> None:
    state = RULES.read(one["position"])
    for move in one["line"]:
        assert move in RULES.moves(state)
        state = RULES.play(state, move)
    if one["value"].startswith("win"):
        assert one["value"] == f"win in {len(one['line'])}"
        assert RULES.over(state) == "loss"
    else:
        assert one["line"] == []
    if "last stone" in one["why"]:
        assert "." not in state.cells


@pytest.mark.parametrize(
    "one", [one for one in RECORDS if one["position"].count(".") <= FEW], ids=lambda one: one["position"]
)
def test_late_in_the_game_every_value_is_that_of_all_games_that_can_follow(one: dict[str, Any]) -> None:
    state = RULES.read(one["position"])
    assert one["value"] == "{} in {}".format(*worth(state))
    assert one["moves"] == {move: before(worth(RULES.play(state, move))) for move in RULES.moves(state)}


@pytest.mark.parametrize("one", RECORDS, ids=lambda one: one["position"])
def test_what_the_search_proves_is_what_the_table_says(one: dict[str, Any]) -> None:
    here = GAME.read(one["position"])
    known = knowledge(GAME).ask(here)
    proved = {GAME.write_move(move.move): move.value for move in known.moves}
    for move, value in proved.items():
        if value.outcome is not Outcome.UNKNOWN:
            assert one["moves"][move].startswith(value.outcome)
    decided = [value for value in proved.values() if value.outcome is not Outcome.UNKNOWN]
    lost = [end for end in one["moves"].values() if end.startswith("loss")]
    assert len(decided) >= max(1, len(lost)), "every loss is proved without a table"
    if puzzle_at(GAME, here, known) is not None:
        assert likeness(GAME, here) in {likeness(GAME, puzzle.position) for puzzle in puzzles_of(GAME)}


def test_the_page_has_what_the_file_says() -> None:
    page = (DOCS / "solving.md").read_text("utf-8")
    assert maker().put(page, maker().rows(RECORDS)) == page
    assert maker().picture(RECORDS).svg() == (DOCS / "surprising.svg").read_text()
