"""What is said between two elements: three signals go down to the child, five come up (the report's figure 5).

Down: `check` for one cycle, and in it the board to be searched and whose turn it is, low for the AI. With pruning,
also the window alpha to beta of scores that still matter to those above. Up: the score, the best move as row i and
column j, `done`, and the state. The answer is there in the cycle in which `done` is high, which is the one in state
complete, and stays until the next check.
"""

from enum import IntEnum

from amaranth.hdl import signed
from amaranth.lib.wiring import In, Out, Signature

from noughts.silicon.parts import PLACES

__all__ = ["SCORE", "State", "handshake"]

SCORE = signed(2)
"""1 if the AI wins, 0 for a draw, −1 if the human wins."""


class State(IntEnum):
    """The seven states of an element."""

    ready = 0
    start = 1
    current_check = 2
    fetch = 3
    fetch_wait = 4
    fetch_result = 5
    complete = 6


def handshake(*, pruning: bool) -> Signature:
    """The signals as the parent sees them."""
    window = {"alpha": Out(SCORE), "beta": Out(SCORE)} if pruning else {}
    return Signature(
        {
            "check": Out(1),
            "board": Out(2 * PLACES),
            "turn": Out(1),
            **window,
            "score": In(SCORE),
            "best_move_i": In(2),
            "best_move_j": In(2),
            "done": In(1),
            "state": In(State),
        }
    )
