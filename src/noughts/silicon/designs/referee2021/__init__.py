"""The referee of 2021 in Amaranth, module by module.

Rohan and Raghav Patidar, "Tic-Tac-Toe using Verilog", course project, 2021. It does not play: two sides, the player
(01, X) and the computer (10, O), name positions 1 to 9, and it keeps the board, refuses illegal moves and says who
has won. The modules are theirs, but for the turn control, which their test bench left to its author:

    player_position, pp ───► position_decoder ──pl_en──┬────────────► position_registers ──► pos1 … pos9
    computer_position, pc ─► position_decoder ──pc_en──┤                   ▲
                                                       ▼                   │
                         pos1 … pos9 ──► illegal_move_detector ──┬── illegal_move
                              pp, pc ──► turn control ───────────┘
                                              ▲
         pos1 … pos9 ──► winner_detector ─────┤ winner, who      (eight times winner_detect_across_line)
         pos1 … pos9 ──► nospace_detector ────┘ no_space

The no-space detector, the illegal-move detector and the decoders are the shared parts that do the same.
`referee2021:slides=yes` is the referee as the slides print it (`slides`), which leaves turn and end to whoever plays.
"""

from enum import IntEnum
from typing import Any

from noughts.silicon.design import Design, Group, Story, later
from noughts.silicon.designs.referee2021.cases import HALF_NS, as_by_the_rules, as_on_the_slides
from noughts.silicon.designs.referee2021.driver import Seats, SeatsOfTheSlides
from noughts.silicon.designs.referee2021.pictures import DRAWINGS, DRAWINGS_OF_THE_SLIDES, panel

__all__ = ["DESIGN", "DESIGNS", "DESIGN_SLIDES", "Side"]


class Side(IntEnum):
    """Two bits say whose a place is, who has won and whose turn it is: the codes of the slides."""

    NOBODY = 0b00
    PLAYER = 0b01
    COMPUTER = 0b10


_STORY = Story(
    title="The referee of 2021",
    source="Rohan and Raghav Patidar: Tic-Tac-Toe using Verilog. Course project, 2021",
    words=(
        "It does not play. Two sides, the player (01, X) and the computer (10, O), name positions 1 to 9; it keeps "
        "the board, refuses illegal moves and says who has won. Everything but the board and the turn is "
        "combinational: the answer is there before the clock."
    ),
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


_POSITIONS = tuple(f"pos{number}" for number in range(1, 10))

_STORY_SLIDES = _STORY._replace(
    title="The referee of 2021, to the letter",
    words=(
        "The modules exactly as the slides print them. They refuse a play onto a stone, and nothing else: both sides "
        "may play at once, twice in a row, and after the end. A number that is no place has no effect."
    ),
    groups=(
        _STORY.groups[0],
        Group(
            "Output pins",
            {
                **{name: f"who has position {name[3:]}" for name in _POSITIONS},
                "who": "who has a row; 11 if both have",
                "winner": "somebody has",
                "no_space": "no position is free",
                "illegal_move": "a place that is named has a stone",
            },
        ),
        Group(
            "Between the modules",
            {
                "PL_en_signal": "the position that the player names, a line each, 9 first; line 0 leads nowhere",
                "PC_en_signal": "the one that the computer names",
            },
        ),
    ),
    waves=(
        *("rst", "clk", "pp", "player_position", "pc", "computer_position", "PL_en_signal", "PC_en_signal"),
        *("illegal_move", *_POSITIONS, "who", "winner", "no_space"),
    ),
)

_MODULES = {
    "position_registers": "position_registers",
    "player_decoder": "position_decoder",
    "illegal_move_detector": "illegal_move_detector",
    "turn_control": "turn_control",
    "winner_detector": "winner_detector",
    "winner_detector.u1": "winner_detect_across_line",
    "nospace_detector": "nospace_detector",
}
"""The modules of the slides, and the turn control, which is ours."""


def _watch(referee: Any) -> dict[str, Any]:
    return {
        "pl_en": referee.pl_en,
        "pc_en": referee.pc_en,
        "occupied": referee.illegal_move_detector.illegal,
        "nowhere": referee.nowhere,
        "out_of_turn": referee.turn_control.out_of_turn,
    }


def _watch_slides(slides: Any) -> dict[str, Any]:
    return {"PL_en_signal": slides.PL_en_signal, "PC_en_signal": slides.PC_en_signal}


def _console(referee: Any, game: Any) -> list[Any]:
    """Two people at one keyboard: the user is the player of the slides, the machine the computer.

    Who has to play follows from the number of stones, since only one of the two referees knows whose turn it is.
    """
    from amaranth.hdl import Cat  # noqa: PLC0415

    positions = [getattr(referee, name) for name in _POSITIONS]
    users_turn = Cat(position.any() for position in positions).xor() ^ game.user_begins
    return [
        referee.pp.eq(game.key.any() & users_turn),
        referee.pc.eq(game.key.any() & ~users_turn),
        referee.player_position.eq(game.digit),
        referee.computer_position.eq(game.digit),
        game.board.eq(Cat(position == side for position in positions for side in (Side.COMPUTER, Side.PLAYER))),
        game.finished.eq(referee.winner | referee.no_space),
        game.waiting.eq(~game.finished),
        game.machine_won.eq(referee.who == Side.COMPUTER),
        game.user_won.eq(referee.who == Side.PLAYER),
    ]


def _say_checked(found: Any) -> list[str]:
    return [
        f"referee2021: all {found.games:,} games refereed rightly, and every illegal move refused",
        f"the player wins {found.wins:,}, loses {found.losses:,}, draws {found.draws:,}",
    ]


def _say_checked_slides(found: Any) -> list[str]:
    tried = f"{found.boards:,} boards, and {found.plays:,} plays on them"
    return [f"referee2021:slides=yes: all {tried}, come out as the slides have it"]


_BITS = {code: f"{code:02b}" for code in range(4)}
"""Two bits are printed as bits, as on the slides."""

DESIGN = Design(
    name="referee2021",
    year=2021,
    about="a referee for two: registers, decoders and detectors that follow a game and refuse illegal moves",
    package=__name__,
    make=later(f"{__name__}.referee", "Referee"),
    clock="clk",
    reset="rst",
    reset_level=1,
    module_names=_MODULES,
    watch=_watch,
    names=dict.fromkeys((*_POSITIONS, "who", "turn"), _BITS),
    register_names={name: {side.value: side.name.lower() for side in Side} for name in ("turn", "who")},
    story=_STORY,
    drawings=DRAWINGS,
    panel=panel,
    driver=Seats,
    samples=as_by_the_rules,
    console=_console,
    winners=("O wins", "X wins"),
    proofs=later(f"{__name__}.proofs", "PROOFS"),
    check=later(f"{__name__}.check", "check_referee"),
    check_words=_say_checked,
)

DESIGN_SLIDES = Design(
    name="referee2021:slides=yes",
    year=2021,
    about="the referee to the letter of the slides, where a play is illegal on a stone, and nowhere else",
    package=__name__,
    make=later(f"{__name__}.slides", "Slides"),
    clock="clk",
    reset="rst",
    reset_level=1,
    half_ns=HALF_NS,
    module_names={way: name for way, name in _MODULES.items() if way != "turn_control"},
    watch=_watch_slides,
    names=dict.fromkeys((*_POSITIONS, "who"), _BITS),
    story=_STORY_SLIDES,
    drawings=DRAWINGS_OF_THE_SLIDES,
    panel=panel,
    driver=SeatsOfTheSlides,
    samples=as_on_the_slides,
    console=_console,
    winners=("O wins", "X wins"),
    check=later(f"{__name__}.check_slides", "check_slides"),
    check_words=_say_checked_slides,
)

DESIGNS = (DESIGN, DESIGN_SLIDES)
