"""The two chips and the gates between them, the states of both, and one board for the two.

Clock and reset, which go to both chips, are not drawn.
"""

from collections.abc import Mapping

from noughts.silicon.designs.chip1990.pictures import STATES
from noughts.silicon.pictures.drawing import Arrow, Box, Diagram, Drawings, Machine
from noughts.silicon.pictures.panel import Panel, Place

__all__ = ["DRAWINGS", "doing", "panel"]

_LAMPS = ("led", "prompt", "copyboard", "fin", "win")


def _chip(side: str, x: float) -> Box:
    return Box(
        *(side, x, 205, 130, 160),
        title=f"{side} chip",
        path=side,
        about="a chip of 1990",
        works=f"~({side}_prompt | {side}_fin)",
        shows=(f"{side}_statereg", f"{side}_sp"),
    )


def _keys(side: str, y: float) -> Box:
    return Box(
        *(f"{side}_keys", 380, y, 124, 60),
        title=f"{side} keys",
        path=f"{side}_keys",
        about="nine gates: a stone of the other chip that this one has not got yet is a key that is down",
        works=f"{side}_keyboardN != 511",
    )


def _pins(side: str, x: float) -> tuple[Box, ...]:
    return tuple(
        Box(f"{side}_{lamp}", x, 145 + 30 * row, 14 + 7 * len(lamp), 20, "pin", title=lamp)
        for row, lamp in enumerate(_LAMPS)
    )


def _outwards(side: str, leave: str, enter: str) -> tuple[Arrow, ...]:
    return tuple(
        Arrow(side, f"{side}_{lamp}", f"{leave}{30 * row - 60:+d}", enter, (), (lamp,), f"{side}_{lamp}", "")
        for row, lamp in enumerate(_LAMPS)
    )


BLOCKS = Diagram(
    "Two chips of 1990 and the gates between them",
    760,
    410,
    (
        _chip("left", 190),
        _chip("right", 570),
        _keys("right", 90),
        _keys("left", 320),
        Box("leftbegins", 380, 205, 84, 20, "pin"),
        *_pins("left", 54),
        *_pins("right", 706),
    ),
    (
        Arrow("left", "right_keys", "right-50", "left+20", (290,), ("led", "copyboard"), "left_copyboard", stretch=1,
              label="led,\ncopyboard", along=0.3),
        Arrow("right_keys", "right", "right+20", "left-50", (470,), ("keyboardN",), "right_keyboardN != 511", stretch=1,
              along=0.7, beside="left"),
        Arrow("right", "right_keys", "top", "top", (32,), ("led",)),
        Arrow("right", "left_keys", "left+50", "right-20", (470,), ("led", "copyboard"), "right_copyboard", stretch=1,
              label="led,\ncopyboard", along=0.3, beside="left"),
        Arrow("left_keys", "left", "left-20", "right+50", (290,), ("keyboardN",), "left_keyboardN != 511", stretch=1,
              along=0.7),
        Arrow("left", "left_keys", "bottom", "bottom", (378,), ("led",), beside="below"),
        Arrow("leftbegins", "right", "right", "left", (), ("leftbegins",), "leftbegins", "userbegins"),
        Arrow("leftbegins", "left", "left", "right", (), ("leftbegins",), "~leftbegins", "¬userbegins"),
        *_outwards("left", "left", "right"),
        *_outwards("right", "right", "left"),
    ),
)  # fmt: skip

DRAWINGS = Drawings(
    BLOCKS,
    (
        Machine("left", STATES, ("left_statereg",), "The controller of the left chip."),
        Machine("right", STATES, ("right_statereg",), "The controller of the right chip."),
    ),
)


def panel(pins: Mapping[str, int]) -> Panel:
    """The lamps of the chip that is searching, or else of the left one, which then shows the same game."""
    side = "right" if not (pins["right_prompt"] or pins["right_fin"]) and pins["left_prompt"] else "left"
    down = pins["left_keyboardN"] & pins["right_keyboardN"]

    def place(number: int) -> Place:
        own, other = (bool(pins[f"{side}_led"] >> 2 * number + bit & 1) for bit in (0, 1))
        left, right = (own, other) if side == "left" else (other, own)
        return Place("x" if left else "o" if right else "", (left, right), not down >> number & 1)

    return Panel(
        tuple(place(number) for number in range(9)),
        {
            f"{chip}_{lamp}": bool(pins[f"{chip}_{lamp}"])
            for lamp in ("prompt", "fin", "win")
            for chip in ("left", "right")
        },
    )


def doing(_: str, values: Mapping[str, int]) -> str:
    """Which of the chips is at work."""
    if values["left_fin"] and values["right_fin"]:
        return "The game is over, and both chips know it."
    for side, other in (("left", "right"), ("right", "left")):
        if values[f"{side}_keyboardN"] != 0b111111111:
            return f"The stone of the {other} chip is a key of the {side} chip."
    for side in ("left", "right"):
        if not (values[f"{side}_prompt"] or values[f"{side}_fin"]):
            deep = values[f"{side}_sp"] + 1
            return f"The {side} chip searches, {deep} move{'s' * (deep > 1)} deep."
    return "Both chips wait."
