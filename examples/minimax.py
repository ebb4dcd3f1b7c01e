"""Perfect play in ten lines: minimax on a board, and what Noughts itself says of the same moves.

python examples/minimax.py
"""

from functools import cache

import noughts


@cache
def worth(board: noughts.Board) -> int:
    """1 if the player to move can win, 0 for a draw, -1 if the other can: the best move is worth the most."""
    if board.over:
        return 0 if board.winner is None else -1
    return max(-worth(board.play(move)) for move in board.moves)


board = noughts.board("tictactoe", moves="a1 b2 c3")
print(board)
mine = {move: -worth(board.play(move)) for move in board.moves}
theirs = {one.move: one.value.outcome for one in noughts.analyse(board).moves}
for move in board.moves:
    print(f"{move}: {mine[move]:2} by minimax, a {theirs[move]} by Noughts")
assert all({"win": 1, "draw": 0, "loss": -1}[theirs[move]] == mine[move] for move in board.moves)
