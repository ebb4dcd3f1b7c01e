"""The referee of 2026: its blocks, whose turn it is, and its front; the same for every game but for hands and names."""

from collections.abc import Callable, Mapping

from noughts.games import Game
from noughts.silicon.pictures.drawing import Arrow, Box, Diagram, Drawings, Machine, pin_box
from noughts.silicon.pictures.panel import Panel, Place

__all__ = ["drawings", "panel"]


def _blocks(game: Game, counts: bool) -> Diagram:
    lines = len(game.layout.lines)
    hand = "and stones in hand" if counts else "and the turn"
    return Diagram(
        f"The referee for {game.name}",
        720,
        330,
        (
            pin_box("key", 50, 150),
            Box(
                *("judge", 226, 150, 120, 64),
                title="judge",
                path="arbiter.judge",
                about="whether the keys that are down are a legal move of the side to move",
                works="key",
            ),
            Box(
                *("registers", 420, 150, 124, 104),
                title="registers",
                about=f"the stones of both sides {hand}",
                works="legal",
                path="arbiter",
                shows=("hand_x", "hand_o") if counts else (),
            ),
            Box(
                *("win", 420, 270, 124, 52),
                title="win detector",
                path="arbiter.win",
                about=f"the {lines} lines of the game: has the side that moved last filled one?",
                works="row",
            ),
            pin_box("x", 630, 110),
            pin_box("o", 630, 140),
            pin_box("turn", 630, 170),
            pin_box("verdict", 630, 270, "x_won, o_won, draw"),
            pin_box("illegal", 226, 40),
            pin_box("movable", 226, 270),
        ),
        (
            Arrow("key", "judge", "right", "left", (), ("key",)),
            Arrow("judge", "registers", "right", "left", (), ("legal",), "legal"),
            Arrow("judge", "illegal", "top", "bottom", (), ("illegal",), "illegal", ""),
            Arrow("judge", "movable", "bottom", "top", (), ("movable",), "movable", ""),
            Arrow("registers", "judge", "top", "right-20", (70, 340), ("own", "other"), stretch=1),
            Arrow("registers", "x", "right-40", "left", (), ("x",), "", ""),
            Arrow("registers", "o", "right-10", "left", (), ("o",), "", ""),
            Arrow("registers", "turn", "right+20", "left", (), ("turn",), "", ""),
            Arrow("registers", "win", "bottom", "top", (), ("other",)),
            Arrow("win", "verdict", "right", "left", (), ("wins",), "row", ""),
        ),
    )


_TURNS = (
    Box("x", 140, 80, kind="state", about="X is to move"),
    Box("o", 550, 80, kind="state", about="O is to move"),
)


def drawings(game: Game, counts: bool) -> Drawings:
    """What there is to see of the referee for a game.

    Args:
        game: Whose rules it keeps.
        counts: Whether stones in hand are counted.
    """
    turns = Diagram(
        f"Whose turn it is at {game.name}",
        690,
        150,
        _TURNS,
        (
            Arrow("x", "o", "right-9", "left-9", when="legal"),
            Arrow("o", "x", "left+9", "right+9", when="legal", beside="below"),
            Arrow("x", "x", "left-12", "left+12", (54,), when="~legal", label="no\nlegal\nmove", stretch=1,
                  beside="left"),
            Arrow("o", "o", "right-12", "right+12", (636,), when="~legal", label="no\nlegal\nmove", stretch=1),
        ),
    )  # fmt: skip
    about = "The turn passes with every legal move. When the game is over no move is, and the turn stays."
    return Drawings(_blocks(game, counts), (Machine("turns", turns, ("turn",), about),), acts_first=True)


def panel(game: Game) -> Callable[[Mapping[str, int]], Panel]:
    """How the front of the referee for a game is read off the pins.

    Args:
        game: Whose board it has.
    """

    def read(pins: Mapping[str, int]) -> Panel:
        def place(point: int) -> Place:
            x, o = (bool(pins[name] >> point & 1) for name in ("x", "o"))
            return Place("x" if x else "o" if o else "", (x, o), bool(pins["key"] >> point & 1))

        lamps = {name: bool(pins[name]) for name in ("x_won", "o_won", "draw", "illegal")}
        return Panel(tuple(place(point) for point in range(len(game.layout))), lamps)

    return read
