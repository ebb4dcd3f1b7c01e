"""Our own chip: it answers one clock after the key, and never gives anything away.

Noughts, 2026. The chip of 1990 searches, up to 15,007 cycles for a move; this one has its moves as gates, found by a
search beforehand (`noughts.silicon.logic`, specification A). What is left is a board, a judge, and one more flip-flop:

    key ──► keys ──press──► board ──stone──► judge ──► over, won
              ▲               │ ▲              │
              │               │ └─move─┐       │
            waiting           └──own─► logic ◄─┘ last        control: whose turn it is

It may begin or not; stones of either side may be set up by keys, while `quiet` is high, and then it moves, or the user
does. In every position in play its move keeps the value: it wins what can be won, and does not lose what is not lost.
The netlist is the record that comes with Noughts (`logic/best/A.txt`): a smaller record makes a smaller chip.
"""

from typing import Any

from noughts.silicon.circuit import Pins
from noughts.silicon.design import Design, Group, Sample, Story, later
from noughts.silicon.designs.noughts2026.driver import Fingers
from noughts.silicon.designs.noughts2026.pictures import DRAWINGS, doing, panel

__all__ = ["DESIGN", "DESIGNS"]

_STORY = Story(
    title="The one-cycle player of 2026",
    source="Noughts, 2026",
    words=(
        "It does not search: a logic of gates alone says the move in every position, and its gates were searched for "
        "beforehand, as few as we could find. A key sets the user's stone with one clock, and with the next the reply "
        "is there. It may begin or not, and goes on from any position that is set up, without ever giving a win or a "
        "draw away."
    ),
    sides=("you", "the chip"),
    reported=(
        ("Flip-flops", "two a place, and one for whose turn it is"),
        ("A move", "one clock after the key"),
        ("The logic", "a netlist of specification A: one move that keeps the value, in all 4,520 positions in play"),
        ("Around it", "a clock, nine keys and a few switches, 18 lamps"),
    ),
    groups=(
        Group(
            "Input pins",
            {
                "clk": "the clock; registers change when it rises",
                "rst": "high: an empty board",
                "key": "nine keys, place 8 first; high while pressed",
                "mine": "high: a key sets a stone of the chip's, to set up a position",
                "quiet": "high: a key gets no reply",
                "go": "high: the chip moves, as if the user had; so it begins",
            },
        ),
        Group(
            "Output pins",
            {
                "stone": "which places have a stone, place 8 first",
                "own": "which of these stones are the chip's",
                "waiting": "the user is to move",
                "over": "the game is over",
                "won": "the chip has won",
            },
        ),
        Group(
            "Inside",
            {
                "turn": "whose turn it is",
                "press": "the stone that the keys set: the lowest key that counts",
                "pressed": "a key is down on a free place; or keys are locked",
                "last": "the stones of who has moved last",
                "row": "three of them are in a row",
                "move": "what the logic says; it counts while reply is high",
                "reply": "the chip moves with the next clock",
            },
        ),
    ),
    waves=(
        "rst",
        "clk",
        "key",
        "mine",
        "quiet",
        "go",
        "turn",
        "move",
        "reply",
        "stone",
        "own",
        "waiting",
        "over",
        "won",
    ),
)


def _make() -> Any:
    from noughts.silicon.designs.noughts2026.chip import Chip  # noqa: PLC0415
    from noughts.silicon.logic.best import best  # noqa: PLC0415
    from noughts.silicon.logic.component import Logic  # noqa: PLC0415

    return Chip(Logic(best("A")))


def _watch(chip: Any) -> dict[str, Any]:
    return {"turn": chip.control.turn, "move": chip.logic.move, "reply": chip.control.reply}


def _registers(chip: Any) -> dict[str, Any]:
    return {
        "press": chip.keys.press,
        "pressed": chip.keys.pressed,
        "last": chip.judge.last,
        "row": chip.judge.row,
    }


def _console(chip: Any, game: Any) -> list[Any]:
    """`go` is high while the board is empty and the machine begins. The user never wins, so that nobody says so."""
    from amaranth.hdl import Cat  # noqa: PLC0415

    return [
        chip.key.eq(game.key),
        chip.go.eq(~game.user_begins & ~chip.stone.any()),
        game.board.eq(Cat(bit for own, stone in zip(chip.own, chip.stone, strict=True) for bit in (own, stone & ~own))),
        game.waiting.eq(chip.waiting),
        game.finished.eq(chip.over),
        game.machine_won.eq(chip.won),
    ]


def _game(pins: Pins) -> None:
    """The user overlooks a row of two."""
    fingers = Fingers(pins)
    fingers.begin(user_first=True)
    for place in (4, 3, 1):
        if not fingers.is_over and not fingers.pins.get("stone") >> place & 1:
            fingers.press(place)
    pins.clock()


DESIGN = Design(
    name="noughts2026",
    year=2026,
    about="answers one clock after the key, by gates alone, and never gives value away",
    package=__name__,
    make=_make,
    clock="clk",
    reset="rst",
    reset_level=1,
    watch=_watch,
    names={"turn": {0: "user", 1: "chip"}},
    registers=_registers,
    story=_STORY,
    drawings=DRAWINGS,
    panel=panel,
    doing=doing,
    driver=Fingers,
    samples=(Sample("game", "A game that the user begins: every reply comes with the clock after the key.", _game),),
    console=_console,
    beside="chip1990",
    proofs=later(f"{__name__}.proofs", "PROOFS"),
    check=later(f"{__name__}.check", "check_player"),
    check_words=later(f"{__name__}.check", "say_checked"),
)

DESIGNS = (DESIGN,)
