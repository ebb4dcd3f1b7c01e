"""What there is to see of the chip with a ROM: its blocks, its three states and its front."""

from collections.abc import Mapping

from noughts.games import game
from noughts.silicon.pictures.drawing import Arrow, Box, Diagram, Drawings, Machine
from noughts.silicon.pictures.panel import Panel, Place

__all__ = ["doing", "drawings", "panel"]


def drawings(name: str) -> Drawings:
    """The diagrams of the design with this name."""
    blocks = Diagram(
        f"The blocks of {name}",
        640,
        330,
        (
            Box("register", 330, 60, 130, 60, path="register", about="the board: two bits a point", works="hit | key"),
            Box("rules", 500, 170, 120, 60, path="rules", about="the points that the first rule names which names any",
                works="state == look"),
            Box("rom", 150, 270, 120, 60, path="rom", about="two orders of the points, one for either beginner",
                works="state == look", shows=("point",)),
            Box("control", 330, 170, 130, 64, about="three states; a look-up a cycle", works="state != wait",
                shows=("state", "step")),
            Box("key", 80, 60, 40, 20, "pin"),
            Box("board", 590, 60, 60, 20, "pin"),
            Box("userbegins", 90, 170, 90, 20, "pin"),
        ),
        (
            Arrow("key", "register", "right", "left", (), ("key",), "key", ""),
            Arrow("register", "board", "right", "left", (), ("board",), label=""),
            Arrow("register", "rules", "right+20", "top", (), ("board",), "state == look", "board", stretch=1),
            Arrow("rules", "control", "left", "right", (), ("named",), "state == look", "named"),
            Arrow("control", "rom", "bottom-20", "right-10", (), ("step",), "state == look", "step", stretch=1),
            Arrow("rom", "register", "left", "left+20", (40,), ("point",), "hit", "point", stretch=0),
            Arrow("userbegins", "control", "right", "left", (), ("userbegins",), "userbegins", ""),
        ),
    )  # fmt: skip
    states = Diagram(
        f"The states of {name}",
        560,
        250,
        (
            Box("begin", 90, 70, 110, kind="state", about="a reset has ended, and it looks who begins"),
            Box("wait", 290, 70, 110, kind="state", about="waits for the user, or the game is over"),
            Box("look", 290, 190, 110, kind="state", about="looks at the next point of the order"),
        ),
        (
            Arrow("begin", "wait", "right", "left", when="userbegins", label="user begins"),
            Arrow("begin", "look", "bottom", "left", when="~userbegins", label="chip begins", stretch=0),
            Arrow("wait", "look", "bottom-20", "top-20", label="legal key", beside="left"),
            Arrow("look", "wait", "top+20", "bottom+20", when="ended | hit", label="hit or over"),
            Arrow("look", "look", "right-10", "right+10", (420,), when="~ended & ~hit", label="¬hit", stretch=1),
            Arrow("wait", "wait", "right-10", "right+10", (420,), label="none", stretch=1),
        ),
    )
    return Drawings(blocks, (Machine("states", states, ("state",), "The controller, a cycle a state."),))


def panel(pins: Mapping[str, int], places: int) -> Panel:
    """The front: keys and stones, and three lamps."""

    def place(number: int) -> Place:
        held = pins["board"] >> 2 * number & 3
        return Place(("", "o", "x", "")[held], (bool(held & 1), bool(held & 2)), bool(pins["key"] >> number & 1))

    return Panel(tuple(map(place, range(places))), {name: bool(pins[name]) for name in ("waiting", "over", "win")})


def doing(state: str, values: Mapping[str, int], name: str) -> str:
    """What the chip is doing, in plain words."""
    if state == "begin":
        return "A game begins."
    if state == "wait":
        return "The game is over." if values["over"] else "It waits for a key."
    if values["ended"]:
        return "It sees that the game is over."
    point = game(name).layout.points[values["point"]]
    verdict = "there it plays" if values["hit"] else "not named by the rules"
    return f"Step {values['step'] + 1} of its order is {point}: {verdict}."
