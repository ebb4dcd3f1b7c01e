"""What the paper of 1990 weighs and does not build, each as a chip with the same pins and the same moves.

- `chip1990:search=figure1`. Figure 1 of the paper cuts off at a win alone; the chip follows the C program of its
  appendix F, which also hands down what is enough, a. Without a there is a register less, and the stack has five bits.
- `chip1990:search=minimax`. Nothing is cut off: what alpha-beta is measured against.
- `chip1990:search=table`. The "big move-table" that its authors "have chosen not to implement" (`table.py`).

They differ from the chip only where they must, and are told here by what differs.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from noughts.silicon.circuit import Pins
from noughts.silicon.design import Design, Group, Sample, Story
from noughts.silicon.designs.chip1990.driver import ChipDriver
from noughts.silicon.designs.chip1990.pictures import BLOCKS, POINTS, STATES, doing, stack, state_box
from noughts.silicon.pictures.drawing import Arrow, Box, Diagram, Drawings, Machine, pin_box

__all__ = ["variants_of"]

TABLE_STATES = ("justreset", "waiting", "userjustmoved", "rating", "finished")
OF_THE_SEARCH = ("usei", "nexti", "sp")
"""What is shown of a chip that searches, and is not there, or always 0, where moves are looked up."""


def variants_of(chip: Design, makers: Mapping[str, Callable[[], Any]]) -> tuple[Design, ...]:
    """The designs that differ from the chip, which is made by search."""
    return (
        replace(
            chip,
            name="chip1990:search=figure1",
            about="the chip of 1990 by its figure 1, in which only a win is cut off: the same moves, later",
            make=makers["figure1"],
            story=_without(
                chip.story._replace(
                    title="The chip of 1990, by its figure 1",
                    words=(
                        "The figure in the paper stops at a win and at nothing else. The chip knows more: what is "
                        "enough, since the opponent has as much elsewhere. Here it does without, with a register and "
                        "eight bits of the stack less, and finds the same moves later: the slowest takes three times "
                        "as long."
                    ),
                    reported=(),
                ),
                "a",
            ),
            drawings=_drawings("figure1", "eight words of five bits: i and bestr", FIGURE1_STATES),
            table=partial(stack, with_a=False),
            samples=(_SAME_GAME,),
            reported={},
            search="figure1",
            proofs=tuple,
        ),
        replace(
            chip,
            name="chip1990:search=minimax",
            about="the chip of 1990 without cut-offs, full minimax: the same moves, much later",
            make=makers["minimax"],
            register_names={**chip.register_names, "bestr": chip.register_names["r"]},
            story=_renamed(
                _without(
                    chip.story._replace(
                        title="The chip of 1990, without cut-offs",
                        words=(
                            "Full minimax: every place of every board is tried, to the end of every game. The moves "
                            "are those of the chip, and the slowest takes thirteen times as long. Nothing is enough "
                            "here, so that the best so far can be a win, and a stone that wins is compared like any "
                            "other."
                        ),
                        reported=(),
                    ),
                    "a",
                ),
                {"sno": ("spo", "r = 1"), "remember": ("remember", "bestr = r")},
            ),
            drawings=_drawings("minimax", "eight words of six bits: i and bestr", MINIMAX_STATES),
            table=partial(stack, best=chip.register_names["r"], with_a=False),
            doing=_doing_minimax,
            samples=(_SAME_GAME,),
            reported={},
            search="minimax",
            proofs=tuple,
        ),
        replace(
            chip,
            name="chip1990:search=table",
            about="a table of moves in place of the search, which the paper decided against: the same moves, at once",
            make=_make_table,
            watch=_watch_table,
            shown=tuple(name for name in chip.shown if name not in OF_THE_SEARCH),
            printed=tuple(name for name in chip.printed if name not in OF_THE_SEARCH),
            names={
                "statereg": {code: name for code, name in chip.names["statereg"].items() if name in TABLE_STATES},
            },
            registers=_registers_table,
            register_names={"choose": {**chip.register_names["choose"], 2: "table"}},
            story=_story_table(chip.story),
            drawings=Drawings(TABLE_BLOCKS, (_machine(TABLE_STATES_DIAGRAM),)),
            table=None,
            doing=_doing_table,
            samples=(_SAME_GAME,),
            reported={},
            search="",
            proofs=tuple,
        ),
    )


def _same_game(pins: Pins) -> None:
    """The position of appendix E, and its two moves; the second when the chip has answered the first."""
    driver = ChipDriver(pins)
    driver.set_up(0b000110010, 0b000001100)
    driver.press(7)
    driver.press(8)
    pins.clock()


_SAME_GAME = Sample(
    "same-game",
    "The game that the paper prints in its appendix E: the same position, set up while the reset ends, and the same "
    "two keys, each as soon as the chip waits for it.",
    _same_game,
)


# The story: signals that are not there are left out, and some mean something else.


def _without(story: Story, *signals: str) -> Story:
    groups = (
        Group(group.title, {name: words for name, words in group.signals.items() if name not in signals})
        for group in story.groups
    )
    waves = tuple(name for name in story.waves if name not in signals)
    return story._replace(groups=tuple(group for group in groups if group.signals), waves=waves)


def _renamed(story: Story, other: Mapping[str, tuple[str, str]]) -> Story:
    groups = (
        Group(group.title, dict(other.get(name, (name, words)) for name, words in group.signals.items()))
        for group in story.groups
    )
    return story._replace(groups=tuple(groups))


def _story_table(story: Story) -> Story:
    searching = [
        *("p", "m", "r", "bestr", "a", "lasti", "ground", "rgea", "rgbestr", "usei", "nexti", "assignmove"),
        *("call", "pop", "init", "remember", "retbest", "negr", "sno", "clearr", "nextfree"),
    ]
    told = _without(story, *searching)
    return _renamed(
        told._replace(
            title="The chip of 1990, with a table",
            words=(
                "A table of moves in place of the search: a circuit that gives a place for every board, so that every "
                "reply takes two cycles. The authors decided against “a big move-table, where each possible position "
                "could be looked up”. The search and its stack are gone, and it needs about three times the gates."
            ),
            reported=(),
            waves=tuple(name for name in told.waves if name != "sp"),
        ),
        {
            "i": ("i", "the place that the table has"),
            "sp": ("sp", "always 0: there is no stack"),
            "wins": ("wins", "the chip has three in a row"),
            "choose": ("choose", "on which place: random, the table’s or the key"),
        },
    )


# The diagrams.


def _machine(states: Diagram) -> Machine:
    return Machine("states", states, ("statereg",), "The controller. An arrow is taken when the clock rises.")


def _drawings(search: str, stack_about: str, states: Diagram) -> Drawings:
    """The blocks of a search without a."""
    sets = {"figure1": "sno", "minimax": "spo"}[search]
    boxes = {
        "stack": BLOCKS.box("stack")._replace(about=f"{stack_about} of every move that is being tried"),
        "value": BLOCKS.box("value")._replace(
            about="what the move just tried is worth (r), and the best so far (bestr)",
            works=BLOCKS.box("value").works.replace("sno", sets),
            shows=("r", "bestr"),
        ),
    }

    def changed(arrow: Arrow) -> Arrow:
        if arrow.name == "value→stack":
            return arrow._replace(signals=("bestr",))
        if arrow.name == "fsm→value":
            signals = tuple(sets if name == "sno" else name for name in arrow.signals)
            label = None if arrow.label is None else arrow.label.replace("sno", sets)
            return arrow._replace(signals=signals, when=arrow.when.replace("sno", sets), label=label)
        return arrow

    blocks = BLOCKS._replace(
        title=f"The blocks of chip1990:search={search}",
        boxes=tuple(boxes.get(box.name, box) for box in BLOCKS.boxes),
        arrows=tuple(changed(arrow) for arrow in BLOCKS.arrows),
    )
    return Drawings(blocks, (_machine(states),))


FIGURE1_STATES = STATES._replace(title="The states of chip1990:search=figure1")

_MINIMAX_ARROWS = {
    "waiting→waiting": Arrow("waiting", "waiting", "top-24", "top+24", (30,),
                             when="~wins & ~full & ~(keypressed & validkey)", label="no valid key", stretch=1),
    "waiting→userjustmoved": Arrow("waiting", "userjustmoved", "bottom", "top",
                                   when="~wins & ~full & keypressed & validkey", label="valid key"),
    "rating→finished": Arrow("waiting", "finished", "bottom-40", "top-30", (136,), when="wins | full", stretch=1,
                             about="wins | full: the move that was made has ended the game"),
    "rating→returned": Arrow("rating", "returned", "right", "bottom", when="wins | full", stretch=0,
                             about="wins | full: spo or clearr"),
    "returned→setboardi": Arrow("returned", "setboardi", "left", "right", when="~lasti", about="¬lasti: nexti"),
    "returned→returned": Arrow("returned", "returned", "right-12", "right+12", (652,), when="~ground & lasti",
                               label="¬ground\n& lasti", stretch=1, about="¬ground & lasti: pop"),
    "returned→doingbestmove": Arrow("returned", "doingbestmove", "top+30", "bottom+30", when="lasti & ground"),
}  # fmt: skip

MINIMAX_STATES = STATES._replace(
    title="The states of chip1990:search=minimax",
    arrows=tuple(_MINIMAX_ARROWS.get(arrow.name, arrow) for arrow in STATES.arrows if arrow.name != "returned→waiting"),
)

TABLE_BLOCKS = Diagram(
    "The blocks of chip1990:search=table",
    700,
    420,
    (
        BLOCKS.box("keyboard"),
        Box(
            *("move", 285, 105, 124, 64),
            path="core.move",
            about="a random place, the table’s or the key’s: the choice among them",
            works="~toggleN",
            shows=("choose",),
        ),
        BLOCKS.box("board")._replace(
            about="the stones, and what can be seen of a position at once", works="~toggleN", shows=("index",)
        ),
        Box(
            *("table", 285, 215, 124, 64),
            path="core.table",
            about="the place of the next move, for every board",
            works="statereg == userjustmoved",
            shows=("i",),
        ),
        BLOCKS.box("fsm")._replace(y=330, about="the controller: five states, a cycle each"),
        pin_box("keyboardN", 80, 26),
        pin_box("i", 165, 215),
        pin_box("pin", 653, 80),
        pin_box("led", 653, 130),
        *(
            pin_box(name, 653, 282 + 24 * row)
            for row, name in enumerate(("userbegins", "prompt", "copyboard", "fin", "win"))
        ),
    ),
    (
        Arrow("keyboardN", "keyboard", "bottom", "top", (), ("keyboardN",), "keyboardN != 511", ""),
        Arrow("keyboard", "move", "right", "left", (), ("key",), "keypressed"),
        Arrow("keyboard", "board", "top+36", "top-40", (44,), ("at",), "keypressed", along=0.4),
        Arrow("keyboard", "fsm", "bottom", "left+30", (), ("keypressed",), "keypressed", stretch=1, along=0.3),
        Arrow("move", "board", "right-12", "left-12", (), ("index",), "~toggleN"),
        Arrow("board", "table", "bottom-60", "right", (), ("board",), "statereg == userjustmoved", stretch=1,
              along=0.25),
        Arrow("table", "move", "top", "bottom", (), ("place",), "statereg == userjustmoved"),
        Arrow("table", "i", "left", "right", (), ("place",), label=""),
        Arrow("fsm", "move", "left-30", "right+20", (400,), ("choose",), "~toggleN", stretch=0, beside="below"),
        Arrow("fsm", "board", "top+30", "bottom+30", (), ("toggleN", "choose"), "~toggleN", "toggleN,\nchoose"),
        Arrow("board", "fsm", "bottom-30", "top-30", (), ("wins", "full", "validkey"),
              "wins | full | keypressed & validkey", "wins, full,\nvalidkey", beside="left", along=0.75),
        Arrow("pin", "board", "left", "right-25", (), ("pin",), "pin", ""),
        Arrow("board", "led", "right+25", "left", (), ("board",), "copyboard", ""),
        Arrow("userbegins", "fsm", "left", "right-48", (), ("userbegins",), "userbegins", ""),
        *(
            Arrow("fsm", name, f"right{-24 + 24 * row:+d}", "left", (), (name,), name, "")
            for row, name in enumerate(("prompt", "copyboard", "fin", "win"))
        ),
    ),
)  # fmt: skip

TABLE_STATES_DIAGRAM = Diagram(
    "The states of chip1990:search=table",
    510,
    346,
    (
        STATES.box("justreset"),
        STATES.box("waiting"),
        state_box("userjustmoved", 322, 190, "if the board is not full, sets the stone where the table says"),
        STATES.box("finished"),
        state_box("rating", 322, 310, "sees whether the game is over"),
    ),
    (
        *(arrow for arrow in STATES.arrows if {arrow.source, arrow.target} <= {"justreset", "waiting", "finished"}),
        Arrow("waiting", "userjustmoved", "bottom", "top", when="keypressed & validkey", label="valid key",
              beside="left"),
        Arrow("userjustmoved", "finished", "left", "top", when="full", stretch=0),
        Arrow("userjustmoved", "rating", "bottom", "top", when="~full", beside="left"),
        Arrow("rating", "finished", "left", "right", when="wins | full"),
        Arrow("rating", "waiting", "right", "right", (420,), when="~wins & ~full", stretch=1, label="¬wins\n& ¬full"),
    ),
)  # fmt: skip


# In plain words.


def _doing_minimax(state: str, values: Mapping[str, int]) -> str:
    """As of the chip, but that it sees the end of a game late."""
    if state == "waiting" and (values["wins"] or values["full"]):
        return "It sees that the game is over."
    return doing(state, values)


def _doing_table(state: str, values: Mapping[str, int]) -> str:
    match state:
        case "userjustmoved" if not values["full"]:
            return f"The user has moved: the table says {POINTS[values['i']]}."
        case "userjustmoved":
            return "The user has taken the last place."
        case "rating":
            over = values["wins"] or values["full"]
            return f"It has moved, and sees that the game {'is over' if over else 'goes on'}."
    return doing(state, {**values, "p": 0, "sp": 0})


# What is inside the chip with the table.


def _make_table() -> Any:
    from noughts.silicon.designs.chip1990.circuit import Chip  # noqa: PLC0415
    from noughts.silicon.designs.chip1990.table import TableCore  # noqa: PLC0415

    return Chip(TableCore())


def _watch_table(chip: Any) -> dict[str, Any]:
    return {name: getattr(chip.core.fsm, name) for name in ("statereg", "wins", "choose", "toggleN")}


def _registers_table(chip: Any) -> dict[str, Any]:
    core = chip.core
    return {
        **{name: getattr(core.fsm, name) for name in ("full", "keypressed", "validkey")},
        "keys": core.keyboard.register,
        "count": core.move.counter.count,
        "key": core.keyboard.key,
        "index": core.move.index,
    }
