"""The chip of 1990 in Amaranth, block by block.

Peter M. Geiser and Ambros Marzetta, "Tic-Tac-Toe", semester project, winter 1989/90. The architecture is theirs
(their figure 2): three blocks that compute, *board*, *move* and *value*; a *stack*; and a controller, *fsm*, with
eight states.

    keyboard ──► move ──index──► board ──► wins, full, validkey, lasti, nextfree
                  ▲ ▲              │
             i,m,│ │nextfree ◄────┘        value: r, bestr, a ──► rgea, rgbestr
             random│                         ▲
                  stack ◄── i, bestr, a ─────┘        fsm: all of it, a cycle at a time

`Chip` has the pins of their chapter 4; inside it, `core` has the names of their simulation, so that what they watched
as `core.fsm.wins` is called that here.
"""

from noughts.silicon.chip1990.chip import Chip
from noughts.silicon.chip1990.controller import State
from noughts.silicon.design import Design

__all__ = ["DESIGN", "Chip", "State"]

DESIGN = Design(
    name="chip1990",
    year=1990,
    about="minimax with alpha-beta cut-offs: a controller of eight states and a stack",
    make=Chip,
    clock="cp",
    reset="resetN",
    reset_level=0,
    idle={"keyboardN": 0b111111111, "userbegins": 1},
    watch=lambda chip: {
        "statereg": chip.core.fsm.statereg,
        "wins": chip.core.fsm.wins,
        "choose": chip.core.fsm.choose,
        "toggleN": chip.core.fsm.toggleN,
        "usei": chip.core.fsm.usei,
        "nexti": chip.core.fsm.nexti,
    },
    shown=(
        *("resetN", "cp", "keyboardN", "pin", "statereg", "wins", "choose", "toggleN", "usei", "nexti"),
        *("sp", "i", "fin", "win", "prompt", "led", "copyboard"),
    ),
    names={"statereg": {state.value: state.name for state in State}},
)
