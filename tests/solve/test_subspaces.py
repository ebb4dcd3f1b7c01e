"""The summary of a solution adds up."""

import pytest

from noughts.games import game
from noughts.solve import solve


@pytest.mark.parametrize("name", ["tictactoe", "mnk:4,3,3", "arabian", "achi:blocked=draws"])
def test_a_subspace_counts_the_values_of_its_positions(name: str) -> None:
    solution = solve(game(name))
    values = [solution.value(position) for position in solution.positions()]
    spaces = solution.subspaces
    assert len(values) == sum(space.positions for space in spaces)
    for outcome, field in [("win", "wins"), ("draw", "draws"), ("loss", "losses")]:
        assert sum(v.outcome == outcome for v in values) == sum(getattr(space, field) for space in spaces)
    longest = max(v.remoteness or 0 for v in values if v.outcome == "win")
    assert longest == max(space.deepest_win or 0 for space in spaces)


def test_the_layers_of_tictactoe() -> None:
    """Positions after k moves, as Knuth counts them: rank by rank."""
    spaces = solve(game("tictactoe")).subspaces
    assert [space.positions for space in spaces] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert [space.name for space in spaces][:4] == ["0-0", "0-1", "1-1", "1-2"]


def test_the_placed_stones_of_arabian_millwheel() -> None:
    """1,680 ways to put down three stones each, less those with a row of the side to move."""
    last = solve(game("arabian")).subspaces[-1]
    assert (last.name, last.slots) == ("3-3", 1680)
    assert last.positions == 1680 - 8 * 20
