"""What the next move brings, seen without trying every move."""

from random import Random

import pytest

from noughts.games import Outcome
from noughts.games import game as find_game
from noughts.solve.at_once import loses_at_once, wins_at_once


@pytest.mark.parametrize("name", ["tictactoe", "square4", "mnk:5,5,4", "arabian", "achi"])
def test_wins_and_losses_in_one_are_those_that_trying_every_move_finds(name: str) -> None:
    game, random = find_game(name), Random(name)
    found = 0
    for _ in range(30):
        position = game.start()
        while moves := game.moves(position):
            wins = [m for m in moves if game.over(game.after(position, m)) is Outcome.LOSS]
            assert wins_at_once(game, position) == wins
            others = [m for m in moves if m not in wins]
            blunders = []
            for move in others:
                then = game.after(position, move)
                if any(game.over(game.after(then, reply)) is Outcome.LOSS for reply in game.moves(then)):
                    blunders.append(move)
            assert loses_at_once(game, position, others) == blunders
            found += len(wins) + len(blunders)
            position = game.after(position, random.choice(moves))
    assert found
