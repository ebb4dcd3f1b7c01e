"""The chip of 1990 in Amaranth, block by block.

Peter M. Geiser and Ambros Marzetta, "Tic-Tac-Toe", semester project, winter 1989/90. The architecture is theirs
(their figure 2): three blocks that compute, *board*, *move* and *value*; a *stack*; and a controller, *fsm*, with
eight states.

    keyboard ──► move ──index──► board ──► wins, full, validkey, lasti, nextfree
                  ▲ ▲              │
             i,m,│ │nextfree ◄────┘        value: r, bestr, a ──► rgea, rgbestr
             random│                         ▲
                  stack ◄── i, bestr, a ─────┘        fsm: all of it, a cycle at a time

`Chip` has the pins of their chapter 4; inside it, `core` has the names of their simulation, so that what they watched
as `core.fsm.wins` is called that here. What they weighed and did not build are designs as well (`variants.py`).
"""

from enum import IntEnum, StrEnum
from functools import partial
from typing import Any

from noughts.silicon.design import Design, Group, Sample, Story, later
from noughts.silicon.designs.chip1990.driver import ChipDriver
from noughts.silicon.designs.chip1990.pictures import DRAWINGS, doing, panel, stack
from noughts.silicon.designs.chip1990.pinout import BITS, PINOUT
from noughts.silicon.designs.chip1990.variants import variants_of
from noughts.silicon.stimulus import stimulus_file

__all__ = ["DESIGN", "DESIGNS", "Choose", "Search", "State"]


class State(IntEnum):
    """The states by their codes in the state register."""

    waiting = 0
    returned = 1
    rating = 2
    justreset = 3
    finished = 4
    userjustmoved = 5
    doingbestmove = 6
    setboardi = 7


class Search(StrEnum):
    """What ends the loop over the places: r ≥ a; by figure 1 of the paper a win alone; nothing."""

    ALPHA_BETA = "alpha-beta"
    FIGURE1 = "figure1"
    MINIMAX = "minimax"


class Choose(IntEnum):
    """Where the index of the bit to be inverted comes from."""

    RANDOM = 0
    I = 1  # noqa: E741
    M = 2
    KEY = 3


_STORY = Story(
    title="The chip of 1990",
    source="Peter M. Geiser and Ambros Marzetta: Tic-Tac-Toe. Semester project, winter 1989/90",
    words=(
        "Minimax with alpha-beta cut-offs, in silicon: three blocks that compute (board, move and value), a stack "
        "for what a recursive program would keep in its frames, and a controller of eight states. A cycle sets or "
        "takes back one stone. While it thinks, the lamps show the positions it looks at."
    ),
    sides=("you", "the chip"),
    reported=(
        ("States of the controller", "8"),
        ("Stack", "8 words of 6 bits"),
        ("Pins used", "49, in a package of 64"),
        ("Clock", "6 MHz"),
        ("A move", "at most one millisecond"),
        ("Around it", "a clock generator, 18 LEDs and a few buttons"),
    ),
    groups=(
        Group(
            "Input pins",
            {
                "cp": "the clock; registers change when it rises",
                "resetN": "low: a new game",
                "keyboardN": "nine keys, place 8 first; low while pressed",
                "userbegins": "high: the user begins",
                "pin": "high: keys set the chip's stones, to set up a position",
                "scan": "high: all registers are one shift register, for tests",
                "scanin": "what is shifted in",
            },
        ),
        Group(
            "Output pins",
            {
                "led": "the board, place 8 first: 01 the chip's stone, 10 the user's",
                "prompt": "the user is to move",
                "copyboard": "the lamps show the game, not a move being tried",
                "fin": "the game is over",
                "win": "the chip has won",
                "i": "the place being tried",
                "sp": "the stack pointer: how deep the search is",
                "scanout": "what is shifted out",
            },
        ),
        Group(
            "Registers",
            {
                "statereg": "the state of the controller",
                "keys": "the nine keys as they were a cycle before; low: pressed",
                "count": "counts endlessly, and nobody resets it: where the chip begins",
                "p": "whose stone is set in the search",
                "m": "the best place so far",
                "r": "what the move just tried is worth",
                "bestr": "what the best one so far is worth",
                "a": "what is enough: no need to look further",
            },
        ),
        Group(
            "What the controller sees",
            {
                "wins": "player p has three in a row",
                "full": "no place is free",
                "lasti": "no place is free behind i",
                "ground": "the stack is empty",
                "rgea": "r is at least a",
                "rgbestr": "r is more than bestr",
                "keypressed": "a key was down",
                "validkey": "and its place is free",
            },
        ),
        Group(
            "What it commands",
            {
                "toggleN": "low: a stone is set or taken back",
                "choose": "on which place: random, i, m or the key",
                "nexti": "i becomes the next free place",
                "usei": "the next one behind i, not of all",
                "assignmove": "m = i",
                "call": "push i, bestr and a: one move deeper",
                "pop": "back again",
                "init": "bestr = −1",
                "remember": "bestr = 0",
                "retbest": "r = −bestr",
                "negr": "r = −r",
                "sno": "r = −1",
                "clearr": "r = 0",
            },
        ),
        Group(
            "Between the blocks",
            {
                "key": "the key that was down, as a number",
                "index": "the place that choose points at",
                "nextfree": "the next free place",
            },
        ),
    ),
    waves=(
        *("resetN", "cp", "keyboardN", "pin", "statereg", "wins", "choose", "toggleN", "usei", "nexti"),
        *("sp", "i", "fin", "win", "prompt", "led", "copyboard"),
    ),
    numbered=(("stack", "word {} of the stack: what was pushed, i in its low four bits"),),
)

_FLAGS = ("full", "ground", "lasti", "rgea", "rgbestr", "keypressed", "validkey")
_COMMANDS = ("assignmove", "call", "pop", "init", "remember", "retbest", "negr", "sno", "spo", "clearr")


def _make(search: Search) -> Any:
    from noughts.silicon.designs.chip1990.circuit import Chip, Core  # noqa: PLC0415

    return Chip(Core(search))


def _watch(chip: Any) -> dict[str, Any]:
    """What the paper's simulation printed, by the names it printed."""
    return {name: getattr(chip.core.fsm, name) for name in ("statereg", "wins", "choose", "toggleN", "usei", "nexti")}


def _registers(chip: Any) -> dict[str, Any]:
    """What is on the stack, what a move is worth so far, which flags made the controller go where it went."""
    core = chip.core
    return {
        **{name: getattr(core.fsm, name) for name in (*_FLAGS, *_COMMANDS) if hasattr(core.fsm, name)},
        "keys": core.keyboard.register,
        "count": core.move.counter.count,
        "key": core.keyboard.key,
        "p": core.board.p,
        "m": core.move.m,
        "index": core.move.index,
        "nextfree": core.board.nextfree,
        **{name: getattr(core.value, name) for name in ("r", *core.value.kept)},
        **{f"stack{number}": word for number, word in enumerate(core.stack.words)},
    }


def _console(chip: Any, game: Any) -> list[Any]:
    return [
        chip.keyboardN.eq(~game.key),
        chip.userbegins.eq(game.user_begins),
        game.board.eq(chip.led),
        game.waiting.eq(chip.prompt),
        game.finished.eq(chip.fin),
        game.machine_won.eq(chip.win),
    ]


DESIGN = Design(
    name="chip1990",
    year=1990,
    about="minimax with alpha-beta cut-offs: a controller of eight states and a stack",
    package=__name__,
    make=partial(_make, Search.ALPHA_BETA),
    clock="cp",
    reset="resetN",
    reset_level=0,
    idle={"keyboardN": 0b111111111, "userbegins": 1},
    counters="*.counter.*",
    watch=_watch,
    shown=(
        *("resetN", "cp", "keyboardN", "pin", "statereg", "wins", "choose", "toggleN", "usei", "nexti"),
        *("sp", "i", "fin", "win", "prompt", "led", "copyboard"),
    ),
    printed=(
        *("resetN", "cp", "keyboardN", "statereg", "wins", "choose", "toggleN", "usei", "nexti"),
        *("sp", "i", "fin", "win", "prompt", "led", "copyboard"),
    ),
    names={"statereg": {state.value: state.name for state in State}},
    registers=_registers,
    register_names={
        "choose": {choose.value: choose.name.lower() for choose in Choose},
        "p": {0: "chip", 1: "user"},
        "r": {0: "0", 1: "1", 3: "−1"},  # two bits with a sign
        "bestr": {0: "0", 1: "−1"},
    },
    story=_STORY,
    pinout=PINOUT,
    bits=BITS,
    drawings=DRAWINGS,
    panel=panel,
    table=stack,
    doing=doing,
    driver=ChipDriver,
    samples=(
        Sample(
            "appendix-e",
            "The run that the paper prints in its appendix E: a position is set up while the reset ends, "
            "and the user finishes the game with two keys.",
            stimulus_file(__name__, "appendix-e.txt"),
        ),
        Sample(
            "held-keys",
            "Ours: the same run with keys that are held for long, two at a time. Only keys that count change anything.",
            stimulus_file(__name__, "held-keys.txt"),
        ),
        Sample(
            "reset",
            "Ours: the same run with a reset in the middle of the first search, and then once more from its beginning.",
            stimulus_file(__name__, "reset.txt"),
        ),
        Sample(
            "scan",
            "Ours: the same run, in the middle of whose first search all registers are shifted out at scanout and in "
            "again at scanin; then it goes on as if nothing had been.",
            stimulus_file(__name__, "scan.txt"),
        ),
    ),
    console=_console,
    search="c1990",
    reported={"clock": "6 MHz", "slowest reply": "at most 1 ms"},
    proofs=later(f"{__name__}.proofs", "PROOFS"),
)

DESIGNS = (DESIGN, *variants_of(DESIGN, {search.value: partial(_make, search) for search in Search}))
