"""A game looked through: what every position was worth, and the move that lost it.

python examples/where_it_was_lost.py
"""

import noughts
from noughts.insight.review import review

game = noughts.board("tictactoe", moves="a1 b2 c3 c1 a3 b3 a2")
print(game)
found = review(game.playing)
for ply in found.wrong:
    print(f"Move {ply.number}, {ply.move}: {ply.gave}. {ply.why}")
    print(f"Better was {ply.best}: {ply.because}")

# The same by hand, with a board alone: a move is a mistake if it is not one of the best.
for before, move in zip(game.boards, game.history, strict=False):
    if move not in before.best():
        print(f"{before.turn} played {move}, best was {', '.join(before.best())}")
