"""The elements of 2021: the top level and the chain of the report's figure 4, and the seven states of its figure 7.

Clock and reset are not drawn. With pruning, the window alpha to beta goes down the chain, and an element is done as
soon as its score reaches the far end of it.
"""

from collections.abc import Mapping
from itertools import pairwise

from noughts.silicon.design import Row, Table
from noughts.silicon.pictures.drawing import Arrow, Box, Diagram, Drawings, Machine
from noughts.silicon.pictures.panel import Panel, Place
from noughts.silicon.trace import Moment

__all__ = ["drawings", "elements", "panel"]

_COLUMNS, _ROWS = (125, 345, 565), (274, 362, 450)
_UP = ("score", "best_move_i", "best_move_j", "done_out", "state_out")


def _element(cells: int) -> Box:
    """Nine first: to the right, down, back to the left, down, and to the right again."""
    row, column = divmod(9 - cells, 3)
    return Box(
        *(f"element{cells}", _COLUMNS[2 - column if row == 1 else column], _ROWS[row], 146, 52),
        title=f"element {cells}",
        path=f"game.chain.elements.{cells - 1}",
        about=f"searches boards with {cells} empty cell{'s' if cells > 1 else ''}",
        works=f"state_out_{cells} != ready",
        shows=(f"state_out_{cells}",),
    )


def _joined(parent: Box, child: Box, down: tuple[str, ...]) -> tuple[Arrow, Arrow]:
    """Down from parent to child, and up again."""
    asked, answered = f"{parent.shows[0]} == fetch", f"{child.shows[0]} == complete"
    if parent.x == child.x:
        return (
            Arrow(parent.name, child.name, "bottom-14", "top-14", (), down, asked, "check_next", "left"),
            Arrow(child.name, parent.name, "top+14", "bottom+14", (), _UP, answered, "score", "right"),
        )
    there, back = ("right", "left") if parent.x < child.x else ("left", "right")
    return (
        Arrow(parent.name, child.name, f"{there}-9", f"{back}-9", (), down, asked, "check_next", "above"),
        Arrow(child.name, parent.name, f"{back}+9", f"{there}+9", (), _UP, answered, "score", "below"),
    )


def _blocks(pruning: bool) -> Diagram:
    down = ("check_next", "current_board", "turn", *(("alpha", "beta") if pruning else ()))
    elements = [_element(cells) for cells in range(9, 0, -1)]
    return Diagram(
        "The blocks of elements2021",
        690,
        506,
        (
            Box("SW", 78, 30, 40, 20, "pin", about="the switches"),
            Box(
                *("switches", 78, 100, 112, 52),
                about="a register behind the switches: they are moved when the clock does not look",
                works="SW",
            ),
            Box(
                *("game", 328, 100, 144, 110),
                title="tictactoe",
                path="game",
                about="the top level: holds the board, lets the human move, asks the chain for the AI's moves",
                works="phase != wait",
                shows=("phase", "turn", "empty"),
            ),
            Box(
                *("history", 522, 92, 108, 48),
                path="history",
                about="32 words of 18 bits: the final boards of games",
                works="phase == over",
            ),
            Box("LEDR", 652, 92, 54, 20, "pin"),
            Box("LEDG", 535, 140, 76, 20, "pin", title="LEDG0–2"),
            Box("chain", 345, 360, 674, 276, "frame", title="chain", path="game.chain"),
            *elements,
        ),
        (
            Arrow("SW", "switches", "bottom", "top", (), ("SW",), "SW", ""),
            Arrow("switches", "game", "right", "left", (), ("human_places", "human_begins"), "SW",
                  "human_places,\nhuman_begins"),
            Arrow("switches", "history", "top+38", "top", (26,), ("address",)),
            Arrow("game", "history", "right-8", "left", (), ("board", "record"), label="board,\nrecord"),
            Arrow("game", "LEDR", "right-48", "top", (), ("board",), along=0.85),
            Arrow("history", "LEDR", "right", "left", (), ("word",)),
            Arrow("game", "LEDG", "right+40", "left", (), ("waiting", "ai_won", "over"), "LEDG0 | LEDG1 | LEDG2",
                  "waiting,\nai_won, over", "below"),
            Arrow("game", "chain", "bottom-28", "top-45", (), ("check_next", "current_board", "turn", "empty"),
                  "phase == ask", "check_next, current_board,\nturn, empty", "left"),
            Arrow("chain", "game", "top+11", "bottom+28", (), _UP,
                  label="score, best_move_i, best_move_j,\ndone_out, state_out"),
            *(arrow for parent, child in pairwise(elements) for arrow in _joined(parent, child, down)),
        ),
    )  # fmt: skip


def _state(name: str, x: float, y: float, about: str, width: float = 116) -> Box:
    return Box(name, x, y, width, 42, "state", about=about)


PHASES = Diagram(
    "The phases of a game of elements2021",
    690,
    336,
    (
        _state("settle", 66, 72, "gives the switches a cycle to come through their register"),
        _state("begin", 238, 72, "looks who begins"),
        _state("human", 458, 72, "waits for a switch that is up at an empty place"),
        _state("ask", 238, 190, "asserts check_next to the element whose number is that of the empty cells"),
        _state("judge", 458, 190, "looks whether the stone just set makes a row or fills the board"),
        _state("over", 628, 190, "the game is over, and recorded"),
        _state("wait", 238, 304, "holds until that element is done, and sets its best move"),
    ),
    (
        Arrow("settle", "begin", "right", "left"),
        Arrow("begin", "human", "right", "left", when="human_begins"),
        Arrow("begin", "ask", "bottom", "top", when="~human_begins", beside="left"),
        Arrow("human", "human", "top-24", "top+24", (30,), label="no legal switch", stretch=1),
        Arrow("human", "judge", "bottom-18", "top-18", label="a legal switch", beside="left"),
        Arrow("judge", "human", "top+18", "bottom+18", when="~record & ~turn"),
        Arrow("judge", "ask", "left", "right", when="~record & turn"),
        Arrow("judge", "over", "right", "left", when="record"),
        Arrow("ask", "wait", "bottom", "top"),
        Arrow("wait", "wait", "left-12", "left+12", (160,), when="~done_out", stretch=1, beside="left"),
        Arrow("wait", "judge", "right", "bottom", when="done_out", stretch=0),
        Arrow("over", "over", "top-24", "top+24", (148,)),
    ),
)  # fmt: skip


def _element_states(pruning: bool, reported: bool) -> Diagram:
    # With the timing of the report, element 1 goes from ready to complete, and complete takes two cycles.
    later = (
        Arrow("ready", "complete", "bottom-24", "top-24", label="element 1", beside="right", along=0.2),
        Arrow("complete", "complete", "bottom-24", "bottom+24", (236,), when="~done_out", stretch=1, beside="below"),
    )
    return Diagram(
        "The states of an element of elements2021",
        690,
        336,
        (
            _state("ready", 92, 72, "waits for check_present"),
            _state("start", 310, 72, "picks the next empty cell"),
            _state("complete", 92, 190, "done_out is high, and the score is there"),
            _state("current_check", 310, 190, "a stone that makes a row has its score at once", 134),
            _state("fetch_result", 530, 190, "takes the child's score"),
            _state("fetch", 310, 304, "hands the child the board with the stone"),
            _state("fetch_wait", 530, 304, "until the child is complete"),
        ),
        (
            Arrow("ready", "ready", "top-24", "top+24", (30,), when="~check_present", stretch=1),
            Arrow("ready", "start", "right", "left", when="check_present"),
            Arrow("start", "complete", "bottom-42", "top", (130,), when="last | enough" if pruning else "last",
                  stretch=1),
            Arrow("start", "current_check", "bottom-18", "top-18", when="~last & ~enough" if pruning else "~last",
                  label="else" if pruning else None, beside="left", along=0.72),
            Arrow("current_check", "start", "top+18", "bottom+18", when="wins"),
            Arrow("current_check", "fetch", "bottom", "top", when="~wins", beside="left"),
            Arrow("fetch", "fetch_wait", "right", "left"),
            Arrow("fetch_wait", "fetch_wait", "right-12", "right+12", (612,), label="child not\ncomplete", stretch=1),
            Arrow("fetch_wait", "fetch_result", "top", "bottom", label="child complete"),
            Arrow("fetch_result", "start", "top", "right"),
            Arrow("complete", "ready", "left", "left", (12,)),
            *(later if reported else ()),
        ),
    )  # fmt: skip


def drawings(*, pruning: bool, reported: bool) -> Drawings:
    """The diagrams of one of the three."""
    elements = tuple(f"state_out_{cells}" for cells in range(1, 10))
    return Drawings(
        _blocks(pruning),
        (
            Machine("phases", PHASES, ("phase",), "The top level. An arrow is taken when the clock rises."),
            Machine(
                "elements",
                _element_states(pruning, reported),
                elements,
                "Every element has these states; beside each, the elements that are in it, and lit the one at work. "
                + (
                    "Element 1 has no child and but one stone to try: it rates it while it is asked."
                    if reported
                    else "Element 1 has no child: its stone fills the board, so it always goes back to start."
                ),
            ),
        ),
    )


def panel(pins: Mapping[str, int]) -> Panel:
    """Switches and lamps count from the bottom right, and a lamp goes out for a stone."""

    def place(number: int) -> Place:
        switch = 8 - number
        odd, even = (bool(pins["LEDR"] >> 2 * switch + lamp & 1) for lamp in (1, 0))
        return Place("" if odd and even else "x" if even else "o", (odd, even), bool(pins["SW"] >> switch & 1))

    return Panel(
        tuple(place(number) for number in range(9)), {name: bool(pins[name]) for name in ("LEDG0", "LEDG1", "LEDG2")}
    )


def elements(values: Moment) -> Table:
    """The nine elements, with what each has found so far."""
    names = ("state_out", "busy", "cell", "score", "best_move_i", "best_move_j", "done_out")
    return Table(
        "The elements",
        "The cell each is trying, the best score it has found, and its row and column. A score counts for the AI.",
        ("element", *names),
        tuple(
            Row(
                (str(cells), *(values.text(f"{name}_{cells}") for name in names)),
                values[f"state_out_{cells}"] != 0,
            )
            for cells in range(9, 0, -1)
        ),
    )
