"""The referee of 2021: the modules of the slides, and whose turn it is.

Clock and reset are not drawn. What is asked for is illegal if the place is occupied, if it is the other side's turn or
the game is over, or if the position is not one of 1 to 9 (`nowhere`).
"""

from collections.abc import Mapping

from noughts.silicon.pictures.drawing import Arrow, Box, Diagram, Drawings, Machine, pin_box
from noughts.silicon.pictures.panel import Panel, Place

__all__ = ["DRAWINGS", "DRAWINGS_OF_THE_SLIDES", "panel"]


BLOCKS = Diagram(
    "The modules of referee2021",
    730,
    452,
    (
        pin_box("pp", 74, 50),
        pin_box("player_position", 74, 82),
        pin_box("pc", 74, 148),
        pin_box("computer_position", 74, 180),
        Box(
            *("player_decoder", 226, 66, 104, 60),
            title="player\ndecoder",
            path="player_decoder",
            about="position_decoder: a line for each position",
            works="pp",
        ),
        Box(
            *("computer_decoder", 226, 164, 104, 60),
            title="computer\ndecoder",
            path="computer_decoder",
            about="position_decoder: a line for each position",
            works="pc",
        ),
        Box(
            *("position_registers", 402, 115, 110, 146),
            title="position\nregisters",
            path="position_registers",
            about="nine times two bits: 00 nobody's, 01 the player's, 10 the computer's",
            works="(pl_en | pc_en) & ~illegal_move",
        ),
        pin_box("positions", 568, 22, "pos1 … pos9"),
        Box(
            *("winner_detector", 574, 80, 100, 60),
            title="winner\ndetector",
            path="winner_detector",
            about="eight times winner_detect_across_line",
            works="winner",
            shows=("who",),
        ),
        Box(
            *("nospace_detector", 574, 164, 100, 52),
            title="no-space\ndetector",
            path="nospace_detector",
            works="no_space",
        ),
        pin_box("winner", 688, 66),
        pin_box("who", 688, 94),
        pin_box("no_space", 688, 164),
        Box(
            *("illegal_move_detector", 402, 268, 124, 52),
            title="illegal-move\ndetector",
            path="illegal_move_detector",
            about="somebody points at a place that has a stone",
            works="occupied",
        ),
        Box(
            *("or", 574, 268, 56, 44),
            about="illegal, out_of_turn, or a position that is nowhere",
            works="illegal_move",
        ),
        pin_box("illegal_move", 674, 268),
        pin_box("play", 200, 358, "pp, pc"),
        pin_box("end", 200, 382, "winner | no_space"),
        Box(
            *("turn_control", 402, 370, 124, 60),
            title="turn control",
            path="turn_control",
            about="who may play now: either may begin, then they take turns",
            works="(pp | pc) & ~illegal_move",
            shows=("turn",),
        ),
        pin_box("turn", 402, 438),
    ),
    (
        Arrow("pp", "player_decoder", "right", "left-16", (), ("pp",), "pp", ""),
        Arrow("player_position", "player_decoder", "right", "left+16", (), ("player_position",), "pp", ""),
        Arrow("pc", "computer_decoder", "right", "left-16", (), ("pc",), "pc", ""),
        Arrow("computer_position", "computer_decoder", "right", "left+16", (), ("computer_position",), "pc", ""),
        Arrow("player_decoder", "position_registers", "right-10", "left-59", (), ("pl_en",), "pl_en"),
        Arrow("computer_decoder", "position_registers", "right-6", "left+43", (), ("pc_en",), "pc_en", along=0.7),
        Arrow("player_decoder", "illegal_move_detector", "right+14", "left-10", (300,), ("pl_en",), "pl_en", ""),
        Arrow("computer_decoder", "illegal_move_detector", "bottom", "left+10", (), ("pc_en",), "pc_en", ""),
        Arrow("position_registers", "positions", "top", "left", (), ("board",), label=""),
        Arrow("position_registers", "winner_detector", "right-35", "left", (), ("board",)),
        Arrow("position_registers", "nospace_detector", "right+49", "left", (), ("board",)),
        Arrow("position_registers", "illegal_move_detector", "bottom-35", "top-35", (), ("board",), beside="left"),
        Arrow("winner_detector", "winner", "right-14", "left", (), ("winner",), "winner", ""),
        Arrow("winner_detector", "who", "right+14", "left", (), ("who",), "winner", ""),
        Arrow("nospace_detector", "no_space", "right", "left", (), ("full",), "no_space", ""),
        Arrow("illegal_move_detector", "or", "right", "left", (), ("illegal",), "occupied"),
        Arrow("or", "position_registers", "top", "bottom+30", (218,), ("illegal_move",), "illegal_move", stretch=1),
        Arrow("or", "illegal_move", "right", "left", (), ("illegal_move",), "illegal_move", ""),
        Arrow("play", "turn_control", "right", "left-12", (), ("pp", "pc"), "pp | pc", ""),
        Arrow("end", "turn_control", "right", "left+12", (), ("over",), "winner | no_space", beside="below"),
        Arrow("or", "turn_control", "bottom-14", "right-14", (), ("illegal_move",), "illegal_move", stretch=1),
        Arrow(
            "turn_control",
            "or",
            "right+14",
            "bottom+14",
            (),
            ("out_of_turn",),
            "out_of_turn",
            stretch=0,
            beside="below",
        ),
        Arrow("turn_control", "turn", "bottom", "top", (), ("turn",), label=""),
    ),
)

_PLAYER, _COMPUTER = "pp & ~illegal_move", "pc & ~illegal_move"

TURNS = Diagram(
    "Whose turn it is, in referee2021",
    690,
    270,
    (
        Box("nobody", 345, 72, kind="state", about="either may begin"),
        Box("player", 140, 214, kind="state", about="the player is to play"),
        Box("computer", 550, 214, kind="state", about="the computer is to play"),
    ),
    (
        Arrow("nobody", "nobody", "top-24", "top+24", (30,), when=f"~({_PLAYER} | {_COMPUTER})",
              label="no legal play", stretch=1),
        Arrow("nobody", "player", "left", "top", when=_COMPUTER, stretch=0),
        Arrow("nobody", "computer", "right", "top", when=_PLAYER, stretch=0),
        Arrow("player", "computer", "right-9", "left-9", when=_PLAYER),
        Arrow("computer", "player", "left+9", "right+9", when=_COMPUTER, beside="below"),
        Arrow("player", "player", "left-12", "left+12", (54,), when=f"~({_PLAYER})", label="no\nlegal\nplay", stretch=1,
              beside="left"),
        Arrow("computer", "computer", "right-12", "right+12", (636,), when=f"~({_COMPUTER})", label="no\nlegal\nplay",
              stretch=1),
    ),
)  # fmt: skip

DRAWINGS = Drawings(
    BLOCKS,
    (
        Machine(
            "turns",
            TURNS,
            ("turn",),
            "The turn control. When the game is over no play is legal, and the turn stays where it is.",
        ),
    ),
    acts_first=True,
)


_OURS = {"or", "play", "end", "turn_control", "turn"}
_NAMES = {"pl_en": "PL_en_signal", "pc_en": "PC_en_signal", "board": "pos1", "full": "no_space"}
_LABELS = {"pl_en": "PL_en", "pc_en": "PC_en"}


def _on_the_slides(box: Box) -> Box:
    if box.name == "illegal_move":
        return box._replace(x=574)
    works = {
        "position_registers": "(PL_en_signal | PC_en_signal) & ~illegal_move",
        "illegal_move_detector": "illegal_move",
    }
    return box._replace(works=works.get(box.name, box.works))


BLOCKS_OF_THE_SLIDES = Diagram(
    "The modules of the slides",
    730,
    320,
    tuple(_on_the_slides(box) for box in BLOCKS.boxes if box.name not in _OURS),
    (
        *(
            arrow._replace(
                signals=tuple(_NAMES.get(signal, signal) for signal in arrow.signals),
                when=_NAMES.get(arrow.when, arrow.when),
                label=_LABELS.get(arrow.signals[0], arrow.signals[0]) if arrow.label is None else arrow.label,
            )
            for arrow in BLOCKS.arrows
            if not {arrow.source, arrow.target} & _OURS
        ),
        Arrow("illegal_move_detector", "illegal_move", "right", "left", (), ("illegal_move",), "illegal_move", ""),
        Arrow(
            *("illegal_move_detector", "position_registers", "top+30", "bottom+30", (), ("illegal_move",)),
            *("illegal_move", ""),
        ),
    ),
)

DRAWINGS_OF_THE_SLIDES = Drawings(BLOCKS_OF_THE_SLIDES, (), acts_first=True)


def panel(pins: Mapping[str, int]) -> Panel:
    asked = {
        pins[position] for play, position in (("pp", "player_position"), ("pc", "computer_position")) if pins[play]
    }

    def place(number: int) -> Place:
        held = pins[f"pos{number + 1}"]
        return Place(("", "x", "o", "")[held], (bool(held & 2), bool(held & 1)), number + 1 in asked)

    return Panel(
        tuple(place(number) for number in range(9)),
        {name: bool(pins[name]) for name in ("illegal_move", "winner", "no_space")},
    )
