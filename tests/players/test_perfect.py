"""Perfect play gives nothing away, hurries to win and delays a loss."""

import pytest

from noughts.games import Outcome
from noughts.games import game as find_game
from noughts.players import player
from noughts.solve import solve


@pytest.mark.parametrize("name", ["tictactoe", "arabian", "achi:row-while-placing=no", "three-mens-morris"])
def test_every_move_keeps_value_and_remoteness(name: str) -> None:
    game = find_game(name)
    solution = solve(game)
    perfect = player("perfect", 1)
    for number, position in enumerate(solution.positions()):
        if number % 3 or not game.moves(position):
            continue
        after = game.after(position, perfect.choose(game, position).move)
        assert solution.value(after).before() == solution.value(position)


def test_among_equals_the_seed_decides() -> None:
    game = find_game("tictactoe")
    corners = {player("perfect", seed).choose(game, game.start()).move.to for seed in range(60)}
    assert corners == set(range(9))
    assert solve(game).value(game.start()).outcome is Outcome.DRAW
