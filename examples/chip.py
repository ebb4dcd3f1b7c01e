"""The chip of 1990 at its pins: a key is pressed, the search runs cycle by cycle, the lamps show where it has moved.

Needs the chips, `pip install 'noughts[silicon]'`, and writes chip1990.v, for the tools that make hardware of it.

    python examples/chip.py
"""

from pathlib import Path

import noughts
from noughts.silicon.designs import design
from noughts.silicon.simulate.interpreted import Interpreted
from noughts.silicon.verilog import verilog

chip = design("chip1990")
driver = chip.driver(Interpreted(chip))  # in Amaranth's simulator
driver.begin(user_first=True)

board = noughts.board("tictactoe")
for move in ("b2", "a3"):
    board = board.play(move)
    cycles = driver.press(board.game.layout.index[move])
    own, _ = driver.stones()
    reply = next(name for place, name in enumerate(board.game.layout.points) if own >> place & 1 and not board[name])
    board = board.play(reply)
    print(f"key {move}: the chip plays {reply} after {cycles:,} clock cycles")
print(board)
assert board.history[1::2] == [noughts.board(moves="b2").choose("chip1990"), board.undo().choose("chip1990")]

Path("chip1990.v").write_text(verilog(chip))
