"""A game of your own: a board and rules make a game, and everything else follows.

Nine Holes is played on three by three holes with three stones each. Once placed, a stone may jump to any empty hole;
three in a row or column win, diagonals do not count.

    python examples/own_game.py
"""

import noughts
from noughts.games.layout import grid
from noughts.games.rules import Blocked, Movement, Rules

game = noughts.Game(
    name="nine-holes",
    layout=grid(3, 3, 3, diagonals=False),
    rules=Rules(stones=(3, 3), movement=Movement.JUMP, blocked=Blocked.LOSES),
    about="three stones each are placed, then jump; three in a row or column win",
    title="Nine holes",
)

solution = noughts.solve(game)
print(solution)
print(f"With best play: {solution.value(game.start())}")

board = noughts.board(game)
while not board.over and len(board) < 12:
    board = board.reply("perfect" if board.turn == "x" else "random", seed=len(board))
print(board)
print("as a line:", board.write())
assert noughts.Board.read(board.write(), game) == board  # the line has its name, you have its rules
