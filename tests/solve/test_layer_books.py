"""The books of large boards: as many positions are won, drawn and lost as were counted, and the best moves agree."""

import json
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from noughts.games import Game, Outcome, Position, game
from noughts.games.points import point_set
from noughts.players import player
from noughts.solve import Source, knowledge
from noughts.solve.book import PLIES, shipped_book
from noughts.solve.tables import book_value, opening

DOCS = Path(__file__).parents[2] / "docs"
BOARDS = [name for name in PLIES if name.startswith("mnk:")]
ORDER = {Outcome.LOSS: 0, Outcome.DRAW: 1, Outcome.WIN: 2}


@pytest.fixture(autouse=True)
def _no_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_TABLES", str(tmp_path))


def every_position(rules: Game, x_stones: int, o_stones: int) -> list[Position]:
    """All positions with so many stones; nobody can have a row yet."""
    points, hand = range(len(rules.layout)), (rules.rules.stones[0] - x_stones, rules.rules.stones[1] - o_stones)
    return [
        Position((point_set(x), point_set(o)), hand, (x_stones + o_stones) % 2)
        for x in combinations(points, x_stones)
        for o in combinations([point for point in points if point not in x], o_stones)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", BOARDS)
def test_as_many_positions_are_won_drawn_and_lost_as_were_counted(name: str) -> None:
    rules, file = game(name), "layers.json" if len(game(name).layout) <= 25 else "outcomes.json"
    rows = {row["name"]: row for row in json.loads((DOCS / file).read_text())[name]["subspaces"]}
    for stones in range(min(PLIES[name], 4) + 1):
        found = [book_value(rules, one) for one in every_position(rules, (stones + 1) // 2, stones // 2)]
        assert None not in found
        counts = [sum(value.outcome is outcome for value in found if value) for outcome in ORDER]
        row = rows[f"{stones // 2}-{(stones + 1) // 2}"]
        assert counts == [row["losses"], row["draws"], row["wins"]]


@pytest.mark.parametrize("name", BOARDS)
def test_every_value_is_that_of_the_best_move(name: str) -> None:
    rules, random = game(name), Random(5)
    for _ in range(60):
        position = rules.start()
        for _ply in range(PLIES[name]):
            found = opening(rules, position)
            assert found is not None
            assert ORDER[found[0].outcome] == max(ORDER[rated.value.outcome] for rated in found[1])
            position = random.choice(found[1]).position
        assert book_value(rules, position) is not None
        assert opening(rules, position) is None
        assert book_value(rules, rules.after(position, rules.moves(position)[0])) is None


def test_the_first_moves_of_7x4_are_those_that_the_gpu_found() -> None:
    rules = game("mnk:7,4,4")
    answer = knowledge(rules).ask(rules.start())
    assert (str(answer.value), answer.source) == ("draw in 28", Source.BOOK)
    told = json.loads((DOCS / "outcomes.json").read_text())["mnk:7,4,4"]["first_moves"]
    assert {rules.write_move(one.move): str(one.value.outcome) for one in answer.moves} == told


def test_other_boards_have_no_such_book() -> None:
    assert shipped_book(game("mnk:5,5,3")) is None
    assert shipped_book(game("mnk:4,7,4")) is None
    assert shipped_book(game("mnk:19,19,5")) is None


def test_what_the_search_proves_has_its_plies_and_the_book_tells_the_rest() -> None:
    rules = game("mnk:5,5,4")
    answer = knowledge(rules).ask(rules.play("b2", "a1"))
    assert (answer.value.outcome, answer.source) == (Outcome.WIN, Source.SEARCH)
    assert answer.value.remoteness is not None or answer.at_most is not None
    assert [one.move for one in answer.moves if one.value.outcome is Outcome.UNKNOWN] == []
    held = knowledge(rules).ask(rules.play("b2"))
    assert (held.value.outcome, held.source, held.reason) == (Outcome.DRAW, Source.BOOK, "from the book of openings")
    best = [one for one in held.moves if one.value.outcome is Outcome.DRAW]
    assert [rules.write_move(one.move) for one in best] == ["c3"], "and 23 replies lose"
    assert {one.value.outcome for one in held.moves if one not in best} == {Outcome.LOSS}


def test_among_moves_that_draw_expert_takes_one_that_looks_best() -> None:
    rules = game("mnk:5,5,4")
    assert {one.value.outcome for one in knowledge(rules).ask(rules.start()).moves} == {Outcome.DRAW}
    chosen = {
        rules.write_move(player("expert:nodes=3000", seed).choose(rules, rules.start()).move) for seed in range(3)
    }
    assert chosen == {"c3"}
