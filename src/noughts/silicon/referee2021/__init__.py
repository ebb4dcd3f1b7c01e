"""The referee of 2021 in Amaranth, module by module.

Rohan and Raghav Patidar, "Tic-Tac-Toe using Verilog", course project, 2021. It does not play: two sides, the player
(01, X) and the computer (10, O), name positions 1 to 9, and it keeps the board, refuses illegal moves and says who
has won. The modules are theirs, but for the turn control, which their test bench left to its author:

    player_position, pp ───► position_decoder ──pl_en──┬────────────► position_registers ──► pos1 … pos9
    computer_position, pc ─► position_decoder ──pc_en──┤                   ▲
                                                       ▼                   │
                         pos1 … pos9 ──► illegal_move_detector ──┬── illegal_move
                              pp, pc ──► turn control ───────────┘
                                              ▲
         pos1 … pos9 ──► winner_detector ─────┤ winner, who      (eight times winner_detect_across_line)
         pos1 … pos9 ──► nospace_detector ────┘ no_space

The no-space detector, the illegal-move detector and the decoders are the shared parts that do the same.
"""

from noughts.silicon.design import Design
from noughts.silicon.referee2021.referee import Referee
from noughts.silicon.referee2021.sides import Side

__all__ = ["DESIGN", "Referee", "Side"]

DESIGN = Design(
    name="referee2021",
    year=2021,
    about="a referee for two: registers, decoders and detectors that follow a game and refuse illegal moves",
    make=Referee,
    clock="clk",
    reset="rst",
    reset_level=1,
    watch=lambda referee: {
        "pl_en": referee.pl_en,
        "pc_en": referee.pc_en,
        "occupied": referee.illegal_move_detector.illegal,
        "nowhere": referee.nowhere,
        "out_of_turn": referee.turn_control.out_of_turn,
    },
)
