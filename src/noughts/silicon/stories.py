"""The designs as they are told to people: where each comes from, how it works, and what its signals mean.

What can be measured stands elsewhere; here is what the sources say, and what each name stands for.
"""

from typing import NamedTuple

__all__ = ["STORIES", "Group", "Story"]


class Group(NamedTuple):
    """Signals that belong together, each with what it means."""

    title: str
    signals: dict[str, str]


class Story(NamedTuple):
    """A design, for people."""

    title: str
    source: str
    words: str
    """How it works, in a few sentences."""
    sample: str
    """The run that is shown if nobody gives moves."""
    sides: tuple[str, str]
    """Who begins: with `begin=user`, and with `begin=chip`."""
    reported: tuple[tuple[str, str], ...]
    """What the source reports of its own."""
    groups: tuple[Group, ...]
    """All signals of a run but those of the tables; the pins first."""
    waves: tuple[str, ...]
    """The signals that the waveform shows."""


_CHIP1990 = Story(
    title="The chip of 1990",
    source="Peter M. Geiser and Ambros Marzetta: Tic-Tac-Toe. Semester project, winter 1989/90",
    words=(
        "Minimax with alpha-beta cut-offs, in silicon: three blocks that compute (board, move and value), a stack "
        "for what a recursive program would keep in its frames, and a controller of eight states. A cycle sets or "
        "takes back one stone. While it thinks, the lamps show the positions it looks at."
    ),
    sample=(
        "The run that the paper prints in its appendix E: a position is set up while the reset ends, "
        "and the user finishes the game with two keys."
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
)

_ELEMENTS2021 = Story(
    title="The elements of 2021",
    source=(
        "Anant Kumar, Kalpit Agrawal, Nimesh Shedge and Rohan Nimesh: Implementation of TicTacToe using Minimax "
        "algorithm. VLSI design lab EE705, 2021"
    ),
    words=(
        "Hardware has no recursion, so the search is unrolled: nine elements in a chain, and element k searches the "
        "boards with k empty cells. Each sets a stone, hands the board to the next, waits for its score, and keeps "
        "the best. A memory keeps the final boards of 32 games."
    ),
    sample="The first 120 cycles after KEY0: the AI begins, and the search goes down the chain from element 9.",
    sides=("you", "the AI"),
    reported=(
        ("Elements", "9, of 7 states each"),
        ("Highest clock", "72.1 MHz (slow model, 1100 mV, 85 °C)"),
        ("Slack", "setup 1.131 ns, hold 0.284 ns"),
        ("History", "a RAM of 32 words of 18 bits"),
        ("Board", "DE2-115, clock of 50 MHz"),
        ("A simulated game", "50,433,110 ns"),
    ),
    groups=(
        Group(
            "Input pins",
            {
                "CLOCK_50": "the clock; registers change when it rises",
                "KEY0": "low: a new game",
                "SW": "SW17 first. SW8 to SW0: the places; SW17: the human begins; SW16: show the history",
            },
        ),
        Group(
            "Output pins",
            {
                "LEDR": "the board, LEDR17 first: both on, empty; odd off, the AI's X; even off, the human's O",
                "LEDG0": "the human is to move",
                "LEDG1": "the AI has won",
                "LEDG2": "the game is over",
            },
        ),
        Group(
            "The top level",
            {
                "phase": "what it is doing",
                "turn": "whose turn it is; who moved last, while that is judged",
                "board": "the board, place 8 first: 01 the AI's stone, 10 the human's",
                "empty": "how many cells are empty: the number of the element that is asked",
            },
        ),
    ),
    waves=(
        *("KEY0", "CLOCK_50", "SW", "phase", "board"),
        *(f"state{cells}" for cells in range(9, 0, -1)),
        *("LEDG0", "LEDG1", "LEDG2", "LEDR"),
    ),
)

_PRUNING = _ELEMENTS2021._replace(
    title="The elements of 2021, with cut-offs",
    words=(
        "The nine elements with what the report leaves to future work: every element also hands down the window of "
        "scores that still matter, alpha to beta, and stops as soon as its own score reaches the far end. The moves "
        "are the same, and come sooner."
    ),
)

_REFEREE2021 = Story(
    title="The referee of 2021",
    source="Rohan and Raghav Patidar: Tic-Tac-Toe using Verilog. Course project, 2021",
    words=(
        "It does not play. Two sides, the player (01, X) and the computer (10, O), name positions 1 to 9; it keeps "
        "the board, refuses illegal moves and says who has won. Everything but the board and the turn is "
        "combinational: the answer is there before the clock."
    ),
    sample="Case I of the slides: the computer wins on the diagonal 1, 5, 9.",
    sides=("the player", "the computer"),
    reported=(
        ("A place", "two bits: 00 nobody's, 01 the player's, 10 the computer's"),
        ("Lines", "eight, a detector each"),
        ("Case I", "the computer wins: 10"),
        ("Case II", "nobody wins: 00"),
        ("Case III", "the player wins: 01"),
    ),
    groups=(
        Group(
            "Input pins",
            {
                "clk": "the clock; registers change when it rises",
                "rst": "high: an empty board",
                "pp": "the player plays",
                "player_position": "where, 1 to 9",
                "pc": "the computer plays",
                "computer_position": "where, 1 to 9",
            },
        ),
        Group(
            "Output pins",
            {
                **{f"pos{number}": f"who has position {number}" for number in range(1, 10)},
                "who": "who has won",
                "winner": "somebody has",
                "no_space": "no position is free",
                "illegal_move": "the next clock would not take this play",
                "turn": "whose turn it is; nobody's while either may begin",
            },
        ),
        Group(
            "Between the modules",
            {
                "pl_en": "the position that the player names, a line each, position 9 first",
                "pc_en": "the one that the computer names",
                "occupied": "it has a stone already",
                "nowhere": "it is not one of 1 to 9",
                "out_of_turn": "it is not this side's turn, or the game is over",
            },
        ),
    ),
    waves=(
        *("rst", "clk", "pp", "player_position", "pc", "computer_position", "pl_en", "pc_en"),
        *("occupied", "nowhere", "out_of_turn", "illegal_move", "turn"),
        *(f"pos{number}" for number in range(1, 10)),
        *("who", "winner", "no_space"),
    ),
)

STORIES = {
    "chip1990": _CHIP1990,
    "elements2021": _ELEMENTS2021,
    "elements2021:pruning=yes": _PRUNING,
    "referee2021": _REFEREE2021,
}
"""By the designs' names."""
