"""Expectations against opponents who err: exact, and nobody beats the bound."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from noughts.arena.fallible import POLICIES, Opponent, Study
from noughts.games import game
from oracles import knuth as oracle

CHOSEN: dict[str, Callable[[oracle.Position], frozenset[oracle.Position]]] = {
    "perfect": lambda position: frozenset(
        later for later in oracle.successors(position) if oracle.score(later, True) == -oracle.score(position, True)
    ),
    "knuth": oracle.followers,
    "early": lambda position: oracle.followers(position, early=True),
    "losing": lambda position: oracle.followers(position, losing=True),
    "both": lambda position: oracle.followers(position, early=True, losing=True),
}


@pytest.fixture(scope="module")
def study() -> Study:
    return Study(game("tictactoe"))


@pytest.mark.parametrize("blind", [False, True])
@pytest.mark.parametrize("policy", CHOSEN)
def test_wins_are_those_of_an_exact_recursion_over_all_positions(study: Study, policy: str, blind: bool) -> None:
    for side, name in enumerate("XO"):
        found = study.expectation(policy, Opponent(0.3, blind), side)
        assert abs(found.won - oracle.expected_wins(CHOSEN[policy], name, Fraction(3, 10), blind)) < 1e-12
        assert found.lost == 0


@pytest.mark.parametrize("opponent", [Opponent(0.1), Opponent(0.5), Opponent(0.3, blind=True)])
def test_nobody_beats_the_bound(study: Study, opponent: Opponent) -> None:
    for side in (0, 1):
        bound = study.expectation("bound", opponent, side).points
        found = [study.expectation(policy, opponent, side).points for policy in POLICIES]
        assert max(found) <= bound + 1e-12
        assert min(found) < bound


def test_the_table_in_the_documents_is_right(study: Study) -> None:
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in (Path(__file__).parents[2] / "docs" / "claims.md").read_text().splitlines()
        if line.startswith("| tictactoe | won |")
    ]
    assert len(rows) == 4
    for _, _, opponent, *figures in rows:
        kind, p = opponent.split()
        met = Opponent(float(p), kind == "blind")
        for policy, figure in zip(POLICIES, figures, strict=True):
            assert f"{sum(study.expectation(policy, met, side).won for side in (0, 1)) / 2:.2%}" == figure


def test_against_a_perfect_opponent_nothing_is_won(study: Study) -> None:
    assert all(study.expectation(policy, Opponent(0.0), 0) == (0, 0) for policy in POLICIES)


def test_wins_and_losses_make_points() -> None:
    won = Study(game("mnk:5,1,2"))
    found = won.expectation("knuth", Opponent(0.5, blind=True), 1)
    assert 0 < found.won < found.lost < 1
    assert found.points == pytest.approx(found.won + (1 - found.won - found.lost) / 2)
    assert won.expectation("knuth", Opponent(0.5, blind=True), 0) == (1, 0)


def test_the_order_of_wins_does_not_matter_where_a_draw_is_held(study: Study) -> None:
    for opponent in (Opponent(0.2), Opponent(0.2, blind=True)):
        for side in (0, 1):
            expected = {policy: study.expectation(policy, opponent, side) for policy in POLICIES}
            assert expected["early"] == expected["knuth"]
            assert expected["both"] == expected["losing"]


def test_digits_of_losing_moves_mend_five_by_two() -> None:
    narrow = Study(game("mnk:5,2,3"))
    found = {
        policy: sum(narrow.expectation(policy, Opponent(0.1), side).won for side in (0, 1)) / 2 for policy in POLICIES
    }
    assert found["knuth"] < found["perfect"] < found["losing"]
    assert found["losing"] == pytest.approx(found["bound"], abs=1e-12)
