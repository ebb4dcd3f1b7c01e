"""The machine of 76 lines: its blocks, whose turn it is, its front, and what it does in words."""

from collections.abc import Mapping

from noughts.silicon.designs.lines1977.cube import BOXES
from noughts.silicon.pictures.drawing import Arrow, Box, Diagram, Drawings, Machine, pin_box
from noughts.silicon.pictures.panel import Panel, Place

__all__ = ["DRAWINGS", "doing", "panel"]


BLOCKS = Diagram(
    "The blocks of lines1977",
    760,
    430,
    (
        pin_box("keys", 60, 60, "place, play"),
        Box(
            *("decoder", 180, 60, 96, 48),
            path="board.decoder",
            about="a line for each of the 64 points",
            works="play",
        ),
        Box(
            *("board", 340, 60, 116, 60),
            path="board",
            about="64 times two bits: the machine's stone, the user's stone",
            works="press | reply",
        ),
        pin_box("lamps", 500, 60, "machine, user"),
        Box(*("frame", 380, 250, 720, 190, "frame"), title="decision", path="decision", about="no register in it"),
        Box(
            *("combinations", 130, 240, 144, 60),
            title="76 combinations",
            path="decision.combinations.0",
            about="how many of its four boxes are the user's, how many the machine's: points, a threat, or a win",
            works="turn",
            shows=("wins", "threats"),
        ),
        Box(
            *("boxes", 330, 240, 116, 60),
            title="64 boxes",
            path="decision.boxes.0",
            about="the points of its four or seven combinations added up; 31 if it parries a threat",
            works="turn",
        ),
        Box(
            *("tournament", 500, 240, 110, 60),
            path="decision.tournament",
            about="six rounds; of equals the first goes on",
            works="turn",
        ),
        Box(
            *("last_win", 330, 312, 116, 36),
            title="last win",
            path="decision.last_win",
            about="the last combination of the list that can be completed",
            works="wins",
        ),
        Box(*("choose", 650, 240, 80, 60), title="wins?", about="a win comes before all points", works="turn"),
        Box(
            *("control", 340, 392, 116, 44),
            title="turn",
            about="whose turn it is: the machine's for one cycle",
            works="turn",
            shows=("turn",),
        ),
        pin_box("switches", 150, 380, "go, quiet"),
        pin_box("end", 160, 404, "over"),
        pin_box("waiting", 520, 392),
    ),
    (
        Arrow("keys", "decoder", "right", "left", (), ("place", "play"), "play", ""),
        Arrow("decoder", "board", "right", "left", (), ("press",), "press"),
        Arrow("board", "lamps", "right", "left", (), ("machine", "user"), label=""),
        Arrow("board", "combinations", "bottom-20", "top", (130,), ("machine", "user"), label="machine, user"),
        Arrow("combinations", "boxes", "right", "left", (), (), "turn", "points,\nthreats"),
        Arrow("combinations", "last_win", "bottom", "left", (), ("wins",), "wins"),
        Arrow("boxes", "tournament", "right", "left", (), (), "turn", "worth"),
        Arrow("tournament", "choose", "right", "left", (), (), "turn", ""),
        Arrow("last_win", "choose", "right", "bottom", (), ("wins",), "wins", ""),
        Arrow("choose", "board", "top", "right+18", (), ("choice",), "reply", stretch=0, along=0.4),
        Arrow("switches", "control", "right", "left-12", (), ("go", "quiet"), "go | quiet", ""),
        Arrow("end", "control", "right", "left+12", (), ("over",), "over", ""),
        Arrow("control", "waiting", "right", "left", (), ("waiting",), "waiting", ""),
    ),
)

_TAKEN = "press & ~quiet"

TURNS = Diagram(
    "Whose turn it is, in lines1977",
    620,
    170,
    (
        Box("user", 170, 84, kind="state", about="waits for the user, or the game is over"),
        Box("machine", 450, 84, kind="state", about="the decision is made; the next clock sets the stone"),
    ),
    (
        Arrow("user", "machine", "right-9", "left-9", when=f"waiting & (go | {_TAKEN})", label="a stone, or go"),
        Arrow("machine", "user", "left+9", "right+9", when="turn", label="always", beside="below"),
        Arrow("user", "user", "left-12", "left+12", (70,), when=f"~(waiting & (go | {_TAKEN}))", label="else",
              stretch=1, beside="left"),
    ),
)  # fmt: skip

DRAWINGS = Drawings(
    BLOCKS,
    (Machine("turns", TURNS, ("turn",), "The machine has the turn for one cycle: all lines are looked at at once."),),
    acts_first=True,
)


def panel(pins: Mapping[str, int]) -> Panel:
    """The 64 points, and the lamps of the game."""

    def place(point: int) -> Place:
        own, users = (bool(pins[name] >> point & 1) for name in ("machine", "user"))
        return Place("o" if own else "x" if users else "", (own, users), bool(pins["play"]) and pins["place"] == point)

    return Panel(
        tuple(place(point) for point in range(BOXES)), {name: bool(pins[name]) for name in ("waiting", "over", "won")}
    )


def doing(state: str, values: Mapping[str, int]) -> str:  # noqa: ARG001
    """What it is doing, in a sentence."""
    if values["reply"]:
        if values["wins"]:
            return "It has three in a row, and fills the fourth box."
        if values["threats"]:
            return "The user has three in a row: it takes the fourth box."
        return "All 76 combinations give their points, 64 boxes add them up, and the best box is taken."
    if values["over"]:
        return "The game is over."
    return "It waits for the user."
