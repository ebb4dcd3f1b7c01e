"""A player judged exactly: what a best response gains, how often it errs, and the shortest way to beat it.

python examples/judge.py
"""

import noughts
from noughts.rl.evaluation import Judge

FAVOURITES = ["b2", "a1", "c1", "a3", "c3", "b1", "a2", "c2", "b3"]


def child(board: noughts.Board) -> str:
    """Win at once if that can be done; else the centre, else a corner, else a side."""
    wins = [move for move in board.moves if board.play(move).winner]
    return next(move for move in [*wins, *FAVOURITES] if move in board.moves)


judge = Judge("tictactoe")
for policy in (child, "level3", "perfect"):
    print(judge.verdict(policy), end="\n\n")
assert judge.exploitability("perfect") == 0
