"""What every first move is worth, game by game, as a picture: writes openings.svg.

python examples/openings.py
"""

from pathlib import Path

import noughts
from noughts.games.picture import beside, draw_board

pictures = []
for name in ("tictactoe", "mnk:4,3,3", "achi", "three-mens-morris"):
    board = noughts.board(name)
    found = board.analyse()
    print(f"{board.game.title}: {found.value} for the first player, with {', '.join(board.best())}")
    pictures.append(draw_board(board.game, board.position, notes=found.notes(), title=board.game.title))
Path("openings.svg").write_text(beside(*pictures).svg())
