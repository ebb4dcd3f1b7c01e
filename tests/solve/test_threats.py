"""Wins and losses in one, against trying every move."""

from random import Random

import pytest

from noughts.games import Outcome, game
from noughts.solve.threats import loses_at_once, wins_at_once


@pytest.mark.parametrize("name", ["tictactoe", "square4", "mnk:5,5,4", "arabian", "achi"])
def test_the_next_move(name: str) -> None:
    rules, random = game(name), Random(name)
    found = 0
    for _ in range(30):
        position = rules.start()
        while moves := rules.moves(position):
            wins = [m for m in moves if rules.over(rules.after(position, m)) is Outcome.LOSS]
            assert wins_at_once(rules, position) == wins
            others = [m for m in moves if m not in wins]
            blunders = []
            for move in others:
                then = rules.after(position, move)
                if any(rules.over(rules.after(then, reply)) is Outcome.LOSS for reply in rules.moves(then)):
                    blunders.append(move)
            assert loses_at_once(rules, position, others) == blunders
            found += len(wins) + len(blunders)
            position = rules.after(position, random.choice(moves))
    assert found
