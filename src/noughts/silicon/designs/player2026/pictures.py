"""The player of 2026: its blocks, whose turn it is, and its front."""

from collections.abc import Callable, Mapping

from noughts.games import Game
from noughts.silicon.pictures.drawing import Arrow, Box, Diagram, Drawings, Machine, pin_box
from noughts.silicon.pictures.panel import Panel, Place

__all__ = ["drawings", "panel"]


def drawings(game: Game) -> Drawings:
    """What there is to see of the player of a game.

    Args:
        game: What it plays.
    """
    blocks = Diagram(
        f"The player of {game.name}",
        720,
        270,
        (
            pin_box("key", 60, 80),
            pin_box("user_begins", 60, 20),
            Box(
                *("logic", 190, 190, 120, 60),
                path="logic",
                about="the policy as gates, without registers: the points that the machine's move changes",
                works="~turn & ~over",
            ),
            Box(
                *("keys", 270, 80, 90, 52),
                about="the user's keys in the user's turn, else the logic's",
                works="keys",
            ),
            Box(
                *("arbiter", 470, 80, 130, 84),
                path="arbiter",
                about="the rules of the game round its board: it makes the legal moves, and no others",
                works="legal",
                shows=("turn",),
            ),
            pin_box("board", 650, 60, "mine, theirs"),
            pin_box("end", 650, 100, "over, won, lost"),
        ),
        (
            Arrow("key", "keys", "right", "left", (), ("key",)),
            Arrow("logic", "keys", "right", "bottom", (), ("move",), "~turn", "move"),
            Arrow("keys", "arbiter", "right", "left", (), ("key",), "keys", "keys"),
            Arrow("user_begins", "arbiter", "right", "top", (), ("user_begins",), "user_begins", ""),
            Arrow("arbiter", "board", "right-20", "left", (), ("mine", "theirs"), "", ""),
            Arrow("arbiter", "end", "right+20", "left", (), ("over", "won", "lost"), "over", ""),
            Arrow("arbiter", "logic", "bottom", "left", (245, 90), ("mine", "theirs"), stretch=1, beside="above"),
        ),
    )
    turns = Diagram(
        f"Whose turn it is at {game.name}",
        690,
        150,
        (
            Box("chip", 140, 80, kind="state", about="the machine is to move"),
            Box("user", 550, 80, kind="state", about="the user is to move"),
        ),
        (
            Arrow("chip", "user", "right-9", "left-9", when="legal"),
            Arrow("user", "chip", "left+9", "right+9", when="legal", beside="below"),
            Arrow("chip", "chip", "left-12", "left+12", (54,), when="~legal", label="over", stretch=1, beside="left"),
            Arrow("user", "user", "right-12", "right+12", (636,), when="~legal", label="no\nlegal\nmove", stretch=1),
        ),
    )  # fmt: skip
    about = "The machine's turn lasts one clock, unless the game is over: then no move is legal, and the turn stays."
    return Drawings(blocks, (Machine("turns", turns, ("turn",), about),), acts_first=True)


def panel(game: Game) -> Callable[[Mapping[str, int]], Panel]:
    """How the front of the player of a game is read off the pins; the user has X.

    Args:
        game: What it plays.
    """

    def read(pins: Mapping[str, int]) -> Panel:
        def place(point: int) -> Place:
            mine, theirs = (bool(pins[name] >> point & 1) for name in ("mine", "theirs"))
            return Place("o" if mine else "x" if theirs else "", (mine, theirs), bool(pins["key"] >> point & 1))

        lamps = {name: bool(pins[name]) for name in ("waiting", "over", "won", "lost", "illegal")}
        return Panel(tuple(place(point) for point in range(len(game.layout))), lamps)

    return read
