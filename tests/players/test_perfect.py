"""Perfect play gives nothing away, hurries to win and delays a loss."""

import pytest

from noughts.games import Outcome, game
from noughts.players import player
from noughts.solve import solve


@pytest.mark.parametrize("name", ["tictactoe", "arabian", "achi:row-while-placing=no", "three-mens-morris"])
def test_every_move_keeps_value_and_remoteness(name: str) -> None:
    rules = game(name)
    solution = solve(rules)
    perfect = player("perfect", 1)
    for number, position in enumerate(solution.positions()):
        if number % 3 or not rules.moves(position):
            continue
        after = rules.after(position, perfect.choose(rules, position).move)
        assert solution.value(after).before() == solution.value(position)


def test_among_equals_the_seed_decides() -> None:
    rules = game("tictactoe")
    corners = {player("perfect", seed).choose(rules, rules.start()).move.to for seed in range(60)}
    assert corners == set(range(9))
    assert solve(rules).value(rules.start()).outcome is Outcome.DRAW
