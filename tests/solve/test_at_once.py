"""What the next move brings, seen without trying every move."""

from random import Random

import pytest

from noughts.games import Game, Move, Outcome, Position
from noughts.games import game as find_game
from noughts.games.points import point_set
from noughts.solve.at_once import fills_row, loses_at_once, row_points, wins_at_once


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


def made(game: Game, position: Position, move: Move) -> bool:
    """Whether a move makes a row, by what it brings: a stone of the other's, or the game by a row."""
    if game.rules.captures:
        return move.capture is not None
    after = game.after(position, move)
    return game.over(after) is Outcome.LOSS and game.layout.has_row(after.stones[position.turn])


@pytest.mark.parametrize(
    "name",
    ["square4", "mnk:6,6,4", "arabian", "achi", "achi:row-while-placing=no", "six-mens-morris", "nine-mens-morris"],
)
def test_rows_in_one_are_those_that_trying_every_move_finds(name: str) -> None:
    game, random = find_game(name), Random(name)
    found = 0
    for _ in range(12):
        position = game.start()
        for _ in range(80):
            moves = game.moves(position)
            if not moves:
                break
            # Were the other to move before his last stone is placed, his rows would not count in one of these games.
            other = position._replace(turn=1 - position.turn) if game.rules.row_while_placing else position
            for seen in (position, other):
                if not game.rules.captures and game.layout.has_row(seen.stones[seen.turn]):
                    continue  # a row that did not count yet
                rows = [move for move in game.moves(seen) if made(game, seen, move)]
                assert [move for move in game.moves(seen) if fills_row(game, seen, move)] == rows
                assert row_points(game, seen, seen.turn) == point_set({move.to for move in rows if move.to is not None})
                found += len(rows)
            position = game.after(position, random.choice(moves))
    assert found > 20
