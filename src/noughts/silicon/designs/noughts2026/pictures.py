"""The one-cycle player: its five blocks, whose turn it is, and its front.

Clock and reset are not drawn.
"""

from collections.abc import Mapping

from noughts.games.layout import grid
from noughts.silicon.pictures.drawing import Arrow, Box, Diagram, Drawings, Machine, pin_box
from noughts.silicon.pictures.panel import Panel, Place

__all__ = ["DRAWINGS", "doing", "panel"]

_POINTS = grid(3, 3, 3).points


BLOCKS = Diagram(
    "The blocks of noughts2026",
    700,
    352,
    (
        Box(
            *("keys", 150, 92, 110, 60),
            path="keys",
            about="the lowest key that is down on a free place, while the chip waits",
            works="pressed & waiting",
        ),
        Box(
            *("board", 352, 92, 120, 60),
            path="board",
            about="two flip-flops a place: there is a stone, and it is the chip's",
            works="pressed & waiting | reply",
        ),
        Box(
            *("logic", 352, 230, 84, 60),
            path="logic",
            about="gates alone: in every position in play one line, that of a move which keeps the value",
            works="reply",
        ),
        Box(
            *("judge", 548, 160, 110, 60),
            path="judge",
            about="whether who has moved last has a row, and whether the board is full",
            works="over",
        ),
        Box(
            *("control", 150, 290, 110, 60),
            path="control",
            about="one flip-flop: whose turn it is",
            works="turn",
            shows=("turn",),
        ),
        pin_box("key", 36, 92),
        pin_box("mine", 352, 22),
        pin_box("quiet", 36, 278),
        pin_box("go", 36, 304),
        pin_box("stone", 652, 76),
        pin_box("own", 652, 104),
        pin_box("over", 652, 150),
        pin_box("won", 652, 176),
        pin_box("waiting", 150, 340),
    ),
    (
        Arrow("key", "keys", "right", "left", (), ("key",), "key", ""),
        Arrow("keys", "board", "right-10", "left-10", (), ("press",), "pressed & waiting"),
        Arrow("board", "keys", "left+16", "right+16", (), ("stone",), "stone", beside="below"),
        Arrow("keys", "control", "bottom-20", "top-20", (), ("pressed",), "pressed & waiting", beside="left"),
        Arrow("control", "keys", "top+20", "bottom+20", (), ("waiting",), "waiting"),
        Arrow("mine", "board", "bottom", "top", (), ("mine",), "mine", ""),
        Arrow("board", "logic", "bottom+30", "top+30", (), ("own",), "reply"),
        Arrow("logic", "board", "top-30", "bottom-30", (), ("move",), "reply"),
        Arrow("board", "judge", "right+16", "top-20", (), ("stone", "own"), "stone", stretch=0, beside="below"),
        Arrow("judge", "logic", "bottom-20", "right", (), ("last",), "reply", stretch=1),
        Arrow("control", "board", "right-14", "bottom-50", (), ("reply",), "reply", stretch=0, along=0.3),
        Arrow("control", "judge", "right+4", "bottom", (), ("turn",), "turn", stretch=0, along=0.25),
        Arrow("judge", "control", "bottom+20", "right+20", (), ("over",), "over", stretch=1, beside="below"),
        Arrow("quiet", "control", "right", "left-12", (), ("quiet",), "quiet", ""),
        Arrow("go", "control", "right", "left+14", (), ("go",), "go", ""),
        Arrow("control", "waiting", "bottom", "top", (), ("waiting",), "waiting", ""),
        Arrow("board", "stone", "right-16", "left", (), ("stone",), "stone", ""),
        Arrow("board", "own", "right", "left", (630,), ("own",), "own", ""),
        Arrow("judge", "over", "right-10", "left", (), ("over",), "over", ""),
        Arrow("judge", "won", "right+16", "left", (), ("won",), "won", ""),
    ),
)  # fmt: skip

_ASKED = "waiting & (pressed & ~quiet | go)"

TURNS = Diagram(
    "Whose turn it is, in noughts2026",
    520,
    176,
    (
        Box("user", 130, 92, kind="state", about="the chip waits; also when it has won, or set the last stone"),
        Box("chip", 390, 92, kind="state", about="the chip moves; it stays so if the user's stone has ended the game"),
    ),
    (
        Arrow("user", "chip", "right-9", "left-9", when=_ASKED, label="a key, or go",
              about="a key on a free place that is not quiet, or go"),
        Arrow("chip", "user", "left+9", "right+9", when="~over", beside="below", about="the reply is made"),
        Arrow("user", "user", "top-24", "top+24", (34,), when=f"~({_ASKED})", label="else", stretch=1),
        Arrow("chip", "chip", "top-24", "top+24", (34,), when="over", stretch=1),
    ),
)  # fmt: skip

DRAWINGS = Drawings(
    BLOCKS,
    (Machine("turns", TURNS, ("turn",), "All that the chip remembers beside the board: whose turn it is."),),
    acts_first=True,
)


def panel(pins: Mapping[str, int]) -> Panel:
    """The first lamp of a place says that there is a stone, the second that it is the chip's."""

    def place(number: int) -> Place:
        stone, own = (bool(pins[name] >> number & 1) for name in ("stone", "own"))
        return Place(("x" if not own else "o") if stone else "", (stone, own), bool(pins["key"] >> number & 1))

    return Panel(
        tuple(place(number) for number in range(9)),
        {name: bool(pins[name]) for name in ("waiting", "over", "won")},
    )


def doing(state: str, values: Mapping[str, int]) -> str:
    """What the chip is doing, in plain words."""
    if values["over"]:
        return "The game is over."
    if state == "user":
        return "It waits for a key."
    move = [point for place, point in enumerate(_POINTS) if values["move"] >> place & 1]
    return f"It moves: the logic says {' and '.join(move) or 'nothing'}."
