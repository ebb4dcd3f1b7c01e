"""The referee that sees threats: its blocks, whose turn it is, and its front.

A marked point has both lamps lit and no stone.
"""

from collections.abc import Mapping

from noughts.silicon.pictures.drawing import Arrow, Box, Diagram, Drawings, Machine, pin_box
from noughts.silicon.pictures.panel import Panel, Place

__all__ = ["DRAWINGS", "doing", "panel"]


BLOCKS = Diagram(
    "The blocks of threats2026",
    760,
    390,
    (
        pin_box("keys", 64, 60, "place, play"),
        Box(
            *("decoder", 190, 60, 96, 48),
            path="board.decoder",
            about="a line for each of the 64 points",
            works="play",
        ),
        Box(*("board", 360, 60, 124, 60), title="board", path="board", about="64 times two bits", works="at"),
        Box(
            *("illegal_gate", 190, 150, 96, 44),
            title="illegal?",
            about="a stone is there, or the game is over",
            works="illegal",
        ),
        pin_box("illegal", 64, 150),
        Box(*("frame", 300, 262, 540, 120, "frame"), title="threat finder", path="finder", about="no register in it"),
        Box(
            *("lines", 180, 270, 124, 60),
            title="76 lines",
            path="finder.lines.0",
            about="of either side: four stones; three and an empty point; two and two empty points",
            works="x | o",
        ),
        Box(
            *("points", 420, 270, 124, 60),
            title="64 points",
            path="finder.points.0",
            about="an empty point asks the four or seven lines through it",
            works="x | o",
        ),
        pin_box("winner", 180, 360, "x_won, o_won, full"),
        pin_box("urgent", 420, 360, "can_win, must_stop"),
        Box(
            *("lamps", 640, 270, 110, 60),
            title="lamps",
            about="stones, and with both lamps the points that show asks for",
            works="marks",
        ),
        pin_box("asked", 640, 360, "show, other"),
        pin_box("out", 640, 60, "x_lamps, o_lamps"),
        Box(
            *("turn_control", 530, 138, 100, 44),
            title="turn",
            about="X begins; every legal move passes it",
            works="at",
            shows=("turn",),
        ),
        pin_box("turn", 660, 138),
    ),
    (
        Arrow("keys", "decoder", "right", "left", (), ("place", "play"), "play", ""),
        Arrow("decoder", "board", "right", "left", (), ("at",), "at"),
        Arrow("decoder", "illegal_gate", "bottom", "top", (), (), "play", ""),
        Arrow("illegal_gate", "illegal", "left", "right", (), ("illegal",), "illegal", ""),
        Arrow("board", "illegal_gate", "bottom-40", "right", (), ("x", "o"), "x | o", ""),
        Arrow("board", "lines", "bottom", "top", (190,), ("x", "o"), "x | o"),
        Arrow("lines", "points", "right", "left", (), (), "x | o", "three, two"),
        Arrow("lines", "winner", "bottom", "top", (), ("x_won", "o_won", "full"), "x_won | o_won | full", ""),
        Arrow("points", "urgent", "bottom", "top", (), ("can_win", "must_stop"), "can_win | must_stop", ""),
        Arrow("points", "lamps", "right", "left", (), ("marks",), "marks"),
        Arrow("asked", "lamps", "top", "bottom", (), ("show", "other"), "show", ""),
        Arrow("lamps", "out", "right", "right", (728,), ("x_lamps", "o_lamps"), "x_lamps | o_lamps", ""),
        Arrow("board", "turn_control", "right", "top", (), (), "at", ""),
        Arrow("turn_control", "turn", "right", "left", (), ("turn",), "turn", ""),
    ),
)

_PLAYED = "play & ~illegal"

TURNS = Diagram(
    "Whose turn it is, in threats2026",
    620,
    170,
    (
        Box("x", 190, 84, kind="state", title="X", about="X is to play"),
        Box("o", 430, 84, kind="state", title="O", about="O is to play"),
    ),
    (
        Arrow("x", "o", "right-9", "left-9", when=_PLAYED, label="a legal play"),
        Arrow("o", "x", "left+9", "right+9", when=_PLAYED, label="a legal play", beside="below"),
        Arrow("x", "x", "left-12", "left+12", (90,), when=f"~({_PLAYED})", label="else", stretch=1, beside="left"),
        Arrow("o", "o", "right-12", "right+12", (530,), when=f"~({_PLAYED})", label="else", stretch=1),
    ),
)

DRAWINGS = Drawings(
    BLOCKS,
    (Machine("turns", TURNS, ("turn",), "When the game is over no play is legal, and the turn stays where it is."),),
    acts_first=True,
)


def panel(pins: Mapping[str, int]) -> Panel:
    """The 64 points, and the lamps of the verdict."""

    def place(point: int) -> Place:
        x, o = (bool(pins[name] >> point & 1) for name in ("x_lamps", "o_lamps"))
        return Place(
            "x" if x and not o else "o" if o and not x else "", (x, o), bool(pins["play"]) and pins["place"] == point
        )

    lamps = ("illegal", "can_win", "must_stop", "x_won", "o_won", "full")
    return Panel(tuple(place(point) for point in range(64)), {name: bool(pins[name]) for name in lamps})


def doing(state: str, values: Mapping[str, int]) -> str:  # noqa: ARG001
    """What it says, in a sentence."""
    if values["x_won"] or values["o_won"]:
        return f"{'X' if values['x_won'] else 'O'} has four in a row."
    if values["full"]:
        return "No point is empty: a draw."
    side, other = ("O", "X") if values["turn"] else ("X", "O")
    if values["illegal"]:
        return f"{side} plays where there is a stone: it is refused."
    if values["show"]:
        whose = other if values["other"] else side
        what = ("", "that win for", "where a stone threatens for", "where a stone makes two threats for")[
            values["show"]
        ]
        return f"The points {what} {whose} are marked: {values['marks'].bit_count()} of them."
    if values["can_win"]:
        return f"{side} is to move, and can win at once."
    return f"{side} is to move{', and must stop a row' if values['must_stop'] else ''}."
