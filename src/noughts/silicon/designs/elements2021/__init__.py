"""The nine minimax elements of 2021 in Amaranth, block by block.

Anant Kumar, Kalpit Agrawal, Nimesh Shedge and Rohan Nimesh, "Implementation of TicTacToe using Minimax algorithm",
project report, VLSI design lab EE705, 2021. Hardware has no recursion, so the search is unrolled (their figure 4):
element k searches boards with k empty cells and hands those with k−1 to element k−1.

    SW ──► register ──► tictactoe: board, phase                                  LEDR, LEDG0–2
                          │   ▲                │
              check_next, │   │ best_move_i, j │ final board
    current_board, turn   ▼   │ done_out       ▼
    chain:  element 9 ⇄ element 8 ⇄ … ⇄ element 1    history: 32 words of 18 bits
            (the way in is at the element whose number is that of the empty cells)

`DE2115` has the pins of their chapter 4.5. Their elements search every branch to its end, and so do these;
`pruning=True` adds the alpha-beta cut-offs that their chapter 5 leaves to future work. The moves are the same.

How long it takes. A search of a board lasts from the cycle in which the element is asked (`check_next` is high) to the
one in which it is done, both included. It is 3 cycles (the one of being asked, the last visit to `start`, which finds
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

The report's own times, two games in 50,433,110 ns and 50,400,440 ns, are those of a machine that takes a little longer,
`reported=True`: `check_next` goes through a register to become the child's `check_present`, `done_next` through another
to become `done_out`, and element 1 rates its one stone while it is asked. So a search is 5 cycles (being asked; the
same seen by the child; the last visit to `start`; `complete`, twice) and the cells as above; that of element 1 is 4 in
all (being asked, the same seen, `complete` twice). How these were found: `noughts.bench.elements`.

Around a search of C cycles. If the AI begins, LEDG0 (the human is to move) comes on with the (C + 3)rd rising edge
after the reset, since settle, begin and judge take a cycle each; if the human begins, with the second. A switch that
goes up while LEDG0 is on sets the stone and puts LEDG0 out with the second edge. It is then out for C + 2 cycles, with
judge before the search and behind it. Where the AI's stone ends the game, LEDG2 comes on instead; where the human's
does, LEDG2 comes on one cycle after LEDG0 has gone out.
"""

from enum import IntEnum
from functools import partial
from typing import Any

from noughts.games.layout import grid
from noughts.silicon.design import Design, Group, Story
from noughts.silicon.designs.elements2021.driver import SAMPLES, ElementsDriver
from noughts.silicon.designs.elements2021.pictures import drawings, elements, panel
from noughts.silicon.sites import SITES

__all__ = ["DESIGN", "DESIGNS", "DESIGN_PRUNING", "DESIGN_REPORTED", "Phase", "State"]

_ELEMENTS = range(1, 10)


class State(IntEnum):
    """The seven states of an element."""

    ready = 0
    start = 1
    current_check = 2
    fetch = 3
    fetch_wait = 4
    fetch_result = 5
    complete = 6


class Phase(IntEnum):
    """The states of the top level."""

    settle = 0
    begin = 1
    human = 2
    ask = 3
    wait = 4
    judge = 5
    over = 6


_STORY = Story(
    title="The elements of 2021",
    source=(
        "Anant Kumar, Kalpit Agrawal, Nimesh Shedge and Rohan Nimesh: Implementation of TicTacToe using Minimax "
        "algorithm. VLSI design lab EE705, 2021"
    ),
    words=(
        "Hardware has no recursion, so the search is unrolled: nine elements in a chain, and element k searches the "
        "boards with k empty cells. Each sets a stone, hands the board to the next, waits for its score, and keeps "
        "the best. A memory keeps the final boards of 32 games."
    ),
    sides=("you", "the AI"),
    reported=(
        ("Elements", "9, of 7 states each"),
        ("Highest clock", "72.1 MHz (slow model, 1100 mV, 85 °C)"),
        ("Slack", "setup 1.131 ns, hold 0.284 ns"),
        ("History", "a RAM of 32 words of 18 bits"),
        ("Board", "DE2-115, on labsland.com"),
        ("Two simulated games", "50,433,110 ns and 50,400,440 ns; the clock is not told"),
    ),
    groups=(
        Group(
            "Input pins",
            {
                "CLOCK_50": "the clock; registers change when it rises",
                "KEY0": "low: a new game",
                "SW": (
                    "SW17 first. SW8 to SW0: the places; SW17: the human begins; SW16: show the history, "
                    "of it the game whose number is on SW14 to SW10"
                ),
            },
        ),
        Group(
            "Output pins",
            {
                "LEDR": "the board, LEDR17 first: both on, empty; odd off, the AI's X; even off, the human's O",
                "LEDG0": "the human is to move",
                "LEDG1": "the AI has won",
                "LEDG2": "the game is over",
            },
        ),
        Group(
            "The top level",
            {
                "phase": "what it is doing",
                "turn": "whose turn it is; who moved last, while that is judged",
                "board": "the board, place 8 first: 01 the AI's stone, 10 the human's",
                "empty": "how many cells are empty: the number of the element that is asked",
            },
        ),
    ),
    waves=(
        *("KEY0", "CLOCK_50", "SW", "phase", "board"),
        *(f"state_out_{cells}" for cells in range(9, 0, -1)),
        *("LEDG0", "LEDG1", "LEDG2", "LEDR"),
    ),
    numbered=(
        ("state_out_", "the state of element {}"),
        ("check_present_", "element {} is asked for a search"),
        ("current_board_", "the board that element {} is given"),
        ("busy_", "element {} is at work"),
        ("cell_", "the cell that element {} tries"),
        ("score_", "the best score that element {} has found"),
        ("best_move_i_", "the row of the best move of element {}"),
        ("best_move_j_", "the column of the best move of element {}"),
        ("done_out_", "element {} has its answer"),
    ),
    # Chapter 2.2.1, whose figures are lost: of the positions that fit its prose the one of the tutorial it refers to.
    example="XOX/OOX/...",
)

_STORY_PRUNING = _STORY._replace(
    title="The elements of 2021, with cut-offs",
    words=(
        "The nine elements with what the report leaves to future work: every element also hands down the window of "
        "scores that still matter, alpha to beta, and stops as soon as its own score reaches the far end. The moves "
        "are the same, and come sooner."
    ),
)


_POINTS = grid(3, 3, 3).points[::-1]
"""The places as switches and LEDs count them: from the bottom right."""

_BITS = {
    "SW": (
        *(f"the human plays {point}" for point in _POINTS),
        "not used",
        *(f"which game of the history; bit {bit}" for bit in range(5)),
        "not used",
        "up: show the history",
        "up: the human begins",
    ),
    "LEDR": tuple(f"off: {whose} stone on {point}" for point in _POINTS for whose in ("the human's", "the AI's")),
}
"""Switches and LEDs that are told one by one."""


_STORY_REPORTED = _STORY._replace(
    title="The elements of 2021, in the report’s time",
    words=(
        "The nine elements with the state machine that takes as long as the report says: what one of a pair says to "
        "the other goes through a register, and the last element rates its one stone while it is asked. Two games "
        "that the AI wins end at 50,433,110 ns and 100,833,550 ns, as in the report’s transcript."
    ),
)


_MODULES = {
    "game": "tictactoe",
    "game.chain.minimaxelemt_1": "minimaxelemt_1",
    "game.chain.minimaxelemt_2": "minimaxelemt",
    "game.chain.minimaxelemt_9": "minimaxelemt_9",
}
"""The report's names. It has an entity for each element; those from 2 to 8 read the same, and are one module here. At
element 9 it is always the AI's turn."""


def _make(*, pruning: bool, reported: bool) -> Any:
    from noughts.silicon.designs.elements2021.de2115 import DE2115  # noqa: PLC0415

    return DE2115(pruning=pruning, reported=reported)


def _watch(chip: Any) -> dict[str, Any]:
    return {"phase": chip.game.phase, "board": chip.game.board, **_of_elements(chip, "state_out")}


def _registers(chip: Any) -> dict[str, Any]:
    return {"turn": chip.game.turn, "empty": chip.game.chain.empty, **_of_elements(chip, *_INSIDE)}


_INSIDE = (
    *("check_present", "current_board", "busy", "cell"),
    *("score", "best_move_i", "best_move_j", "done_out"),
)
"""What can be watched in every element, besides its state."""


def _of_elements(chip: Any, *names: str) -> dict[str, Any]:
    """Signals of all elements, as score_9."""
    elements = chip.game.chain.elements
    return {f"{name}_{cells}": getattr(elements[cells - 1], name) for cells in _ELEMENTS for name in names}


def _console(chip: Any, game: Any) -> list[Any]:
    """Everything here counts places from the far end: reversed, place 8 comes first, and its bits are swapped."""
    from amaranth.hdl import Cat, Const  # noqa: PLC0415

    return [
        chip.SW.eq(Cat(game.key[::-1], Const(0, 8), game.user_begins)),
        game.board.eq(~chip.LEDR[::-1]),
        game.waiting.eq(chip.LEDG0),
        game.machine_won.eq(chip.LEDG1),
        game.finished.eq(chip.LEDG2),
    ]


def _design(
    name: str, about: str, story: Story, reported: dict[str, str], *, pruning: bool = False, timing: str = "ours"
) -> Design:
    states = {state.value: state.name for state in State}
    literal = timing == "reported"
    return Design(
        name=name,
        year=2021,
        about=about,
        package=__name__,
        make=partial(_make, pruning=pruning, reported=literal),
        clock="CLOCK_50",
        reset="KEY0",
        reset_level=0,
        idle={"KEY0": 1},
        half_ns=10,
        first_ns=0,
        loaded="*history.*",
        module_names=_MODULES,
        watch=_watch,
        names={
            "phase": {phase.value: phase.name for phase in Phase},
            **{f"state_out_{cells}": states for cells in _ELEMENTS},
        },
        registers=_registers,
        register_names={
            "turn": {0: "AI", 1: "human"},
            **{f"score_{cells}": {0: "0", 1: "1", 3: "−1"} for cells in _ELEMENTS},  # two bits with a sign
        },
        story=story,
        bits=_BITS,
        sites=SITES,
        drawings=drawings(pruning=pruning, reported=literal),
        panel=panel,
        table=elements,
        driver=ElementsDriver,
        samples=SAMPLES,
        console=_console,
        mark="X",
        search="window" if pruning else "minimax",
        reported=reported,
    )


DESIGN = _design(
    "elements2021",
    "full minimax: nine elements of seven states, one for each number of empty cells, and a history of games",
    _STORY,
    {"clock": "72.1 MHz", "slowest reply": "about 50 ms a game, simulated"},
)

DESIGN_PRUNING = _design(
    "elements2021:pruning=yes",
    "the nine elements with alpha-beta cut-offs passed down the chain; the same moves, sooner",
    _STORY_PRUNING,
    {},
    pruning=True,
)

DESIGN_REPORTED = _design(
    "elements2021:timing=reported",
    "the nine elements with registers between them, as slow as the report says: the same moves, its times to the ns",
    _STORY_REPORTED,
    {},
    timing="reported",
)

DESIGNS = (DESIGN, DESIGN_PRUNING, DESIGN_REPORTED)
