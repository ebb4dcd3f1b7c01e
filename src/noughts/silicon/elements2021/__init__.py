"""The nine minimax elements of 2021 in Amaranth, block by block.

Anant Kumar, Kalpit Agrawal, Nimesh Shedge and Rohan Nimesh, "Implementation of TicTacToe using Minimax algorithm",
project report, VLSI design lab EE705, 2021. Hardware has no recursion, so the search is unrolled (their figure 4):
element k searches boards with k empty cells and hands those with k−1 to element k−1.

    SW ──► register ──► game: board, phase                                       LEDR, LEDG0–2
                          │   ▲                │
             check, board │   │ best move i,j  │ final board
               and turn   ▼   │ done, state    ▼
    chain:  element9 ⇄ element8 ⇄ … ⇄ element1       history: 32 words of 18 bits
            (the way in is at the element whose number is that of the empty cells)

`DE2115` has the pins of their chapter 4.5. Their elements search every branch to its end, and so do these;
`pruning=True` adds the alpha-beta cut-offs that their chapter 5 leaves to future work. The moves are the same.

How long it takes. A search of a board lasts from the cycle in which the element is asked (`check` is high) to the one
in which it is complete, both included. It is 3 cycles (the one of being asked, the last visit to `start`, which finds
nothing more to do, and `complete`), and for each cell tried

- 2 cycles (`start`, `current_check`) if the stone there makes a row or fills the board;
- otherwise 3 cycles (those and `fetch_result`) and the search of the board with that stone, the other side to move:
  `fetch` is the cycle in which the child is asked, and `fetch_wait` ends with the one in which it is complete.

Without pruning every empty cell is tried. With pruning they are tried in the order of places until the score has
reached the limit. At the root, score and limit are −1 and 1. With the AI to move, a stone worth more than the score
raises the score to that worth, and the limit is reached when the score is at least the limit. With the human to move,
less and lowers and at most. A child starts with its parent's limit, as it is at that moment, for its score, and with
its parent's score for its limit. What a stone that is not searched is worth: 1 for a row of the AI, −1 for one of the
human, 0 for a full board; what a searched one is worth: the score with which its search ends.

Around a search of C cycles. If the AI begins, LEDG0 (the human is to move) comes on with the (C + 3)rd rising edge
after the reset, since settle, begin and judge take a cycle each; if the human begins, with the second. A switch that
goes up while LEDG0 is on sets the stone and puts LEDG0 out with the second edge. It is then out for C + 2 cycles, with
judge before the search and behind it. Where the AI's stone ends the game, LEDG2 comes on instead; where the human's
does, LEDG2 comes on one cycle after LEDG0 has gone out.
"""

from functools import partial
from typing import Any

from amaranth.hdl import Signal

from noughts.silicon.design import Design
from noughts.silicon.elements2021.chain import Chain
from noughts.silicon.elements2021.de2115 import DE2115
from noughts.silicon.elements2021.handshake import State
from noughts.silicon.elements2021.tictactoe import Phase
from noughts.silicon.parts import PLACES

__all__ = ["DE2115", "DESIGN", "DESIGN_PRUNING", "Chain", "Phase", "State"]


def _watch(chip: Any) -> dict[str, Signal]:
    elements = {f"state{cells}": element.state for cells, element in enumerate(chip.game.chain.elements, 1)}
    return {"phase": chip.game.phase, "board": chip.game.board, **elements}


def _names() -> dict[str, dict[int, str]]:
    states = {state.value: state.name for state in State}
    phases = {phase.value: phase.name for phase in Phase}
    return {"phase": phases, **{f"state{cells}": states for cells in range(1, PLACES + 1)}}


def _design(name: str, about: str, *, pruning: bool) -> Design:
    return Design(
        name=name,
        year=2021,
        about=about,
        make=partial(DE2115, pruning=pruning),
        clock="CLOCK_50",
        reset="KEY0",
        reset_level=0,
        idle={"KEY0": 1},
        watch=_watch,
        names=_names(),
    )


DESIGN = _design(
    "elements2021",
    "full minimax: nine elements of seven states, one for each number of empty cells, and a history of games",
    pruning=False,
)

DESIGN_PRUNING = _design(
    "elements2021:pruning=yes",
    "the nine elements with alpha-beta cut-offs passed down the chain; the same moves, sooner",
    pruning=True,
)
