"""The chip of 1990: the blocks of the paper's figure 2, and the eight states of its appendix C.

Clock, reset and the scan path, which go to every block, are not drawn.
"""

from collections.abc import Mapping

from noughts.games.layout import grid
from noughts.silicon.design import Row, Table
from noughts.silicon.pictures.drawing import Arrow, Box, Diagram, Drawings, Machine, pin_box
from noughts.silicon.pictures.panel import Panel, Place
from noughts.silicon.trace import UNDEFINED, Moment, hexadecimal

__all__ = ["BLOCKS", "DRAWINGS", "STATES", "doing", "panel", "stack", "state_box"]

POINTS = grid(3, 3, 3).points
BEST = {0: "0", 1: "−1"}
"""What the values of bestr mean."""
_VALUE_COMMANDS = ("init", "remember", "retbest", "negr", "sno", "clearr", "call", "pop")


BLOCKS = Diagram(
    "The blocks of chip1990",
    700,
    505,
    (
        Box(
            *("keyboard", 80, 105, 116, 64),
            path="core.keyboard",
            about="nine keys behind a register; of several that are down the lowest counts",
            works="keypressed",
            shows=("key",),
        ),
        Box(
            *("move", 285, 105, 124, 92),
            path="core.move",
            about="the place being tried (i), the best so far (m), a random one, and the choice among them",
            works="nexti | pop | assignmove",
            shows=("i", "m", "choose"),
        ),
        Box(
            *("board", 520, 105, 150, 92),
            path="core.board",
            about="the stones, whose turn it is in the search (p), and what can be seen of a position at once",
            works="~toggleN | call | pop",
            shows=("p", "index"),
        ),
        Box(
            *("fsm", 520, 285, 150, 116),
            path="core.fsm",
            about="the controller: eight states, a cycle each",
            works="statereg != waiting",
            shows=("statereg",),
        ),
        Box(
            *("stack", 285, 447, 130, 80),
            path="core.stack",
            about="eight words of six bits: i, bestr and a of every move that is being tried",
            works="call | pop",
            shows=("sp",),
        ),
        Box(
            *("value", 520, 447, 150, 80),
            path="core.value",
            about="what the move just tried is worth (r), the best so far (bestr), and what is enough (a)",
            works=" | ".join(_VALUE_COMMANDS),
            shows=("r", "bestr", "a"),
        ),
        pin_box("keyboardN", 80, 26),
        pin_box("i", 165, 190),
        pin_box("sp", 165, 447),
        pin_box("pin", 653, 80),
        pin_box("led", 653, 130),
        *(
            pin_box(name, 653, 237 + 24 * row)
            for row, name in enumerate(("userbegins", "prompt", "copyboard", "fin", "win"))
        ),
    ),
    (
        Arrow("keyboardN", "keyboard", "bottom", "top", (), ("keyboardN",), "keyboardN != 511", ""),
        Arrow("keyboard", "move", "right", "left", (), ("key",), "keypressed"),
        Arrow("keyboard", "board", "top+36", "top-40", (44,), ("at",), "keypressed", along=0.4),
        Arrow("keyboard", "fsm", "bottom", "left-12", (), ("keypressed",), "keypressed", stretch=1, along=0.2),
        Arrow("move", "board", "right-24", "left-24", (), ("index", "i"), "~toggleN"),
        Arrow("board", "move", "left+24", "right+24", (), ("nextfree",), "nexti"),
        Arrow("move", "i", "bottom-45", "right", (), ("i",), label=""),
        Arrow("move", "stack", "bottom-22", "top-22", (), ("i",), "call", beside="left", along=0.75),
        Arrow("stack", "move", "top", "bottom", (), ("top",), "pop", along=0.8),
        Arrow("fsm", "board", "top+30", "bottom+30", (), ("toggleN", "choose", "usei", "call", "pop"),
              "~toggleN | usei | call | pop", "toggleN, choose,\nusei, call, pop"),
        Arrow("board", "fsm", "bottom-30", "top-30", (), ("wins", "full", "lasti", "validkey"),
              "wins | full | lasti | keypressed & validkey", "wins, full,\nlasti, validkey", beside="left"),
        Arrow("fsm", "move", "left-36", "bottom+40", (), ("choose", "nexti", "assignmove", "pop"),
              "~toggleN | nexti | assignmove | pop", "choose, nexti,\nassignmove, pop", stretch=0, along=0.45),
        Arrow("fsm", "stack", "left+36", "top+50", (), ("call", "pop"), "call | pop", beside="below", stretch=0),
        Arrow("stack", "fsm", "top+25", "left+12", (), ("sp",), "ground", stretch=1),
        Arrow("value", "stack", "left-18", "right-18", (), ("bestr", "a"), "call"),
        Arrow("stack", "value", "right+18", "left+18", (), ("top",), "pop", beside="below"),
        Arrow("fsm", "value", "bottom+30", "top+30", (), _VALUE_COMMANDS, " | ".join(_VALUE_COMMANDS),
              "init, remember,\nretbest, negr, sno,\nclearr, call, pop"),
        Arrow("value", "fsm", "top-30", "bottom-30", (), ("rgea", "rgbestr"), "rgea | rgbestr", beside="left"),
        Arrow("pin", "board", "left", "right-25", (), ("pin",), "pin", ""),
        Arrow("board", "led", "right+25", "left", (), ("board",), "copyboard", ""),
        Arrow("userbegins", "fsm", "left", "right-48", (), ("userbegins",), "userbegins", ""),
        *(
            Arrow("fsm", name, f"right{-24 + 24 * row:+d}", "left", (), (name,), name, "")
            for row, name in enumerate(("prompt", "copyboard", "fin", "win"))
        ),
        Arrow("stack", "sp", "left", "right", (), ("sp",), label=""),
    ),
)  # fmt: skip


def state_box(name: str, x: float, y: float, about: str) -> Box:
    """A state of a controller."""
    return Box(name, x, y, 136, kind="state", about=about)


STATES = Diagram(
    "The states of chip1990",
    760,
    470,
    (
        state_box("justreset", 96, 72, "a key sets up a stone; with none, the user or the chip begins"),
        state_box("waiting", 322, 72, "waits for the user, whose key sets a stone"),
        state_box("doingbestmove", 566, 72, "sets the chip's stone on place m"),
        state_box("userjustmoved", 322, 190, "if the board is not full, the search begins with the first free place"),
        state_box("finished", 96, 310, "the game is over; only a reset goes on"),
        state_box("setboardi", 322, 310, "sets a stone of player p on place i"),
        state_box(
            *("returned", 566, 310, "the stone on place i is worth r; it is taken back, unless it decides the search")
        ),
        state_box("rating", 322, 430, "a decided position has its worth; another one is searched in turn"),
    ),
    (
        Arrow("justreset", "justreset", "top-24", "top+24", (30,), when="keypressed & validkey", label="valid key",
              stretch=1, about="keypressed & validkey: the key sets up a stone"),
        Arrow("justreset", "waiting", "right", "left", when="~(keypressed & validkey)", label="no valid key"),
        Arrow("waiting", "waiting", "top-24", "top+24", (30,), when="~(keypressed & validkey)", label="no valid key",
              stretch=1),
        Arrow("waiting", "userjustmoved", "bottom", "top", when="keypressed & validkey", label="valid key",
              beside="left"),
        Arrow("userjustmoved", "finished", "left", "top", when="full", stretch=0),
        Arrow("userjustmoved", "setboardi", "bottom", "top", when="~full", beside="left", about="¬full: init, nexti"),
        Arrow("setboardi", "rating", "bottom-18", "top-18"),
        Arrow("rating", "setboardi", "top+18", "bottom+18", when="~wins & ~full", about="¬wins & ¬full: call, nexti"),
        Arrow("rating", "finished", "left", "bottom", when="(wins | full) & ground", stretch=0),
        Arrow("rating", "returned", "right", "bottom", when="(wins | full) & ~ground", stretch=0,
              about="(wins | full) & ¬ground: sno or clearr, pop"),
        Arrow("returned", "setboardi", "left", "right", when="~rgea & ~lasti", about="¬rgea & ¬lasti: nexti"),
        Arrow("returned", "returned", "right-12", "right+12", (652,), when="~ground & (rgea | lasti)",
              label="¬ground &\n(rgea | lasti)", stretch=1, about="¬ground & (rgea | lasti): pop"),
        Arrow("returned", "doingbestmove", "top+30", "bottom+30", when="~rgea & lasti & ground",
              label="¬rgea & lasti\n& ground"),
        Arrow("returned", "waiting", "top-30", "bottom+40", (136,), when="rgea & ground", stretch=1,
              about="rgea & ground: the stone on place i stays"),
        Arrow("doingbestmove", "waiting", "left", "right"),
        Arrow("finished", "finished", "left-12", "left+12", (8,)),
    ),
)  # fmt: skip

DRAWINGS = Drawings(
    BLOCKS,
    (Machine("states", STATES, ("statereg",), "The controller. An arrow is taken when the clock rises."),),
)


def panel(pins: Mapping[str, int], places: int = 9) -> Panel:
    def place(number: int) -> Place:
        chip, user = (bool(pins["led"] >> 2 * number + side & 1) for side in (0, 1))
        return Place("o" if chip else "x" if user else "", (chip, user), not pins["keyboardN"] >> number & 1)

    return Panel(
        tuple(place(number) for number in range(places)),
        {name: bool(pins[name]) for name in ("prompt", "copyboard", "fin", "win")},
    )


def stack(values: Moment, *, best: Mapping[int, str] = BEST, with_a: bool = True, words: int = 8) -> Table:
    """The words of the stack: the low four bits are i, then bestr, by its names, and a if there is such a register."""
    return Table(
        "The stack",
        f"Words below sp, which is {values.text('sp')}, are on the stack; the others are what is left of earlier ones.",
        ("word", "i", "bestr", *(["a"] if with_a else [])),
        tuple(
            Row((str(number), *_word(values, number, best)[: 2 + with_a]), number < values["sp"])
            for number in range(words)
        ),
    )


def _word(values: Moment, number: int, best: Mapping[int, str]) -> tuple[str, str, str]:
    """What a word of the stack has kept of i, bestr and a."""
    word, undefined = values[f"stack{number}"], values.undefined.get(f"stack{number}", 0)
    bits = max(best).bit_length()
    mask = (1 << bits) - 1
    bestr = UNDEFINED if undefined >> 4 & mask else best.get(word >> 4 & mask, "?")
    a = UNDEFINED if undefined >> 4 + bits & 1 else f"{word >> 4 + bits & 1}"
    return hexadecimal(word & 15, 4, undefined & 15), bestr, a


def doing(state: str, values: Mapping[str, int], points: tuple[str, ...] = POINTS) -> str:
    """What the chip is doing, by the places and stones of the board instead of registers.

    In *setboardi* the stone is about to be set; in *rating* and *returned* it stands on the board.
    """
    who = "X" if values["p"] else "O"
    ahead = f", {values['sp'] + 1} moves ahead" if values["sp"] else ""
    stone = f"{who} on {points[values['i']]}{ahead}" if values["i"] < len(points) else who
    match state:
        case "setboardi":
            return f"It is going to try {stone}."
        case "rating":
            end = "that wins" if values["wins"] else "the board is full" if values["full"] else "the game goes on"
            return f"It tries {stone}: {end}."
        case "returned":
            worth = {0: "a draw", 1: "a win", 3: "a loss"}.get(values["r"], "nothing that there is")
            return f"{stone}{',' * bool(ahead)} is {worth} for {who}{': that will do' if values['rgea'] else ''}."
        case "doingbestmove":
            best = points[values["m"]] if values["m"] < len(points) else "nowhere"
            return f"It has looked at everything, and plays {best}."
    return {
        "justreset": "A position is being set up.",
        "waiting": "It waits for a key.",
        "userjustmoved": "The user has moved, and it begins to think.",
        "finished": "The game is over.",
    }[state]
