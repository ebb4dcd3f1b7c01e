"""The BASIC program of 1977 as a machine in which all 76 lines are looked at at once.

*3-D Tic-Tac-Toe*, a magazine article of 1977, has a listing of sixty lines for 4×4×4, whose version 3 took about three
minutes for its first move: it goes through 76 winning combinations for every one of 64 boxes. Nothing in that depends
on what came before; so here each combination and each box is a circuit of its own (`circuit`), and the move is there
one clock after the user's stone. It is move for move that of the player `basic3`. The circuit is ours, of 2026.

    place, play ──► decoder ──press──► board ──machine, user──► decision ──choice──┐
                                         ▲                                        │
                                         └────────────────────────────────────────┘
"""

from typing import Any

from noughts.silicon.design import Design, Group, Story, later
from noughts.silicon.designs.lines1977.driver import SAMPLES, LinesDriver
from noughts.silicon.designs.lines1977.pictures import DRAWINGS, doing, panel

__all__ = ["DESIGN", "DESIGNS"]

_STORY = Story(
    title="The BASIC program of 1977, all lines at once",
    source="3-D Tic-Tac-Toe, a magazine article with a listing in BASIC, 1977; the circuit is ours, Noughts, 2026",
    words=(
        "Its move is there one clock after yours, and it is the program's, box for box, which took about three minutes "
        "for its first. The program looks at 76 winning combinations for each of 64 boxes, one after the other. Here "
        "every combination and every box is a circuit of its own, and six rounds of a tournament find the best box."
    ),
    sides=("you", "the machine"),
    reported=(
        ("First move", "about three minutes, in BASIC on a home computer"),
        ("Statements of BASIC", "some 53,000 for it; here one cycle"),
        ("Points", "1 and 4 for one and two of yours in a combination, 1 and 2 for its own"),
        ("Strength", "“almost unbeatable”: it can be beaten in six moves"),
    ),
    groups=(
        Group(
            "Input pins",
            {
                "clk": "the clock; registers change when it rises",
                "rst": "high: an empty board",
                "play": "high: a stone on the point at place",
                "place": "the number of a point, 0 to 63: level by level, row by row",
                "mine": "high: the stone is the machine's, to set up a position",
                "quiet": "high: a stone gets no reply",
                "go": "high: the machine moves, as if the user had; so it begins",
            },
        ),
        Group(
            "Output pins",
            {
                "machine": "the machine's stones, point 63 first",
                "user": "the user's stones, point 63 first",
                "waiting": "the user is to move",
                "over": "the game is over",
                "won": "the machine has four in a row",
            },
        ),
        Group(
            "Inside",
            {
                "turn": "whose turn it is",
                "reply": "the machine moves with the next clock",
                "choice": "the point that the decision chooses; it counts while reply is high",
                "press": "the stone that the user sets with the next clock",
                "wins": "some combination can be completed by the machine",
                "threats": "some combination can be completed by the user",
            },
        ),
    ),
    waves=(
        "rst",
        "clk",
        "play",
        "place",
        "go",
        "turn",
        "wins",
        "threats",
        "choice",
        "user",
        "machine",
        "waiting",
        "over",
        "won",
    ),
)


def _watch(chip: Any) -> dict[str, Any]:
    return {"turn": chip.board.turn, "reply": chip.board.reply, "choice": chip.choice}


def _registers(chip: Any) -> dict[str, Any]:
    return {"press": chip.board.press, "wins": chip.wins, "threats": chip.threats}


def _console(chip: Any, game: Any) -> list[Any]:
    """`go` is high while the board is empty and the machine begins."""
    from amaranth.hdl import Cat  # noqa: PLC0415

    taken = chip.machine | chip.user
    both = zip(chip.machine, chip.user, strict=True)
    return [
        chip.play.eq(game.key.any()),
        chip.place.eq(game.digit - 1),
        chip.go.eq(~game.user_begins & ~taken.any()),
        game.board.eq(Cat(bit for stones in both for bit in stones)),
        game.waiting.eq(chip.waiting),
        game.finished.eq(chip.over),
        game.machine_won.eq(chip.won),
        game.user_won.eq(chip.over & ~chip.won & ~taken.all()),
    ]


def _say_checked(found: Any) -> list[str]:
    return [
        f"lines1977: {found.games:,} games, a sample, and every one of {len(found.replies):,} replies is the program's",
        f"in {found.positions:,} different positions, each in one cycle",
        f"the machine wins {found.wins:,}, loses {found.losses:,}, draws {found.draws:,}",
    ]


DESIGN = Design(
    name="lines1977",
    year=1977,
    about="the BASIC program of 1977, version 3, with all 76 lines at once: its move in one cycle",
    game="qubic",
    package=__name__,
    make=later(f"{__name__}.circuit", "Lines"),
    clock="clk",
    reset="rst",
    reset_level=1,
    watch=_watch,
    names={"turn": {0: "user", 1: "machine"}},
    registers=_registers,
    module_names={
        "decision": "decision",
        "decision.combination1": "combination",
        "decision.box1": "box_of_seven",
        "decision.box2": "box_of_four",
        "decision.tournament": "tournament",
        "decision.tournament.round1_0": "better",
        "decision.last_win": "last_win",
    },
    story=_STORY,
    drawings=DRAWINGS,
    panel=panel,
    doing=doing,
    driver=LinesDriver,
    samples=SAMPLES,
    console=_console,
    reported={"first move": "about three minutes"},
    proofs=later(f"{__name__}.proofs", "PROOFS"),
    check=later(f"{__name__}.check", "check_lines"),
    check_words=_say_checked,
)

DESIGNS = (DESIGN,)
