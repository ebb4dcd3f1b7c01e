"""A referee for 4×4×4 that sees every threat: all 76 lines at once, and no search. Ours, of 2026.

It does not play. Two sides name points in turn; it keeps the board, refuses what is not legal, and says who has four in
a row. For either side it shows the points that complete a row at once, those that make a threat, and those that make
two threats at once, a fork (`referee`). Everything but the board and the turn is gates alone.
"""

from enum import IntEnum
from typing import Any

from noughts.silicon.design import Design, Group, Story, later
from noughts.silicon.designs.threats2026.driver import SAMPLES, Seats
from noughts.silicon.designs.threats2026.pictures import DRAWINGS, doing, panel

__all__ = ["DESIGN", "DESIGNS", "Show"]


class Show(IntEnum):
    """Which points are marked, beside the stones."""

    STONES = 0
    WINS = 1
    THREATS = 2
    FORKS = 3


_STORY = Story(
    title="The referee that sees threats",
    source="Noughts, 2026",
    words=(
        "It does not play: two sides name points of 4×4×4 in turn. It keeps the board, refuses what is not legal, says "
        "who has four in a row, and marks what a player would like to see: where a stone wins, where it threatens to "
        "win, and where it does so twice, a fork. All 76 lines are looked at at once, by gates alone."
    ),
    sides=("X", "O"),
    reported=(
        ("Lines", "76: 48 along the edges of the cube, 24 aslant on a board, 4 through the whole of it"),
        ("A threat", "three of four in a row, the fourth point empty"),
        ("A fork", "one stone that makes two threats: only one of them can be stopped"),
    ),
    groups=(
        Group(
            "Input pins",
            {
                "clk": "the clock; registers change when it rises",
                "rst": "high: an empty board",
                "play": "high: the side to move plays on the point at place",
                "place": "the number of a point, 0 to 63: level by level, row by row",
                "show": "which points are marked: none, or those that win, threaten or fork",
                "other": "high: those of the side that is not to move",
            },
        ),
        Group(
            "Output pins",
            {
                "x_lamps": "the stones of X, point 63 first; and every marked point",
                "o_lamps": "the stones of O, point 63 first; and every marked point",
                "turn": "whose turn it is",
                "x_won": "X has four in a row",
                "o_won": "O has four in a row",
                "full": "no point is empty",
                "illegal": "the next clock would not take this play",
                "can_win": "the side to move can complete a row at once",
                "must_stop": "the other side could, if it were to move",
            },
        ),
        Group(
            "Inside",
            {
                "x": "the stones of X, point 63 first",
                "o": "the stones of O",
                "marks": "the points that are marked",
                "at": "the stone that the next clock sets",
            },
        ),
    ),
    waves=(
        *("rst", "clk", "play", "place", "show", "other", "turn", "x", "o", "marks"),
        *("illegal", "can_win", "must_stop", "x_won", "o_won", "full"),
    ),
)


def _watch(referee: Any) -> dict[str, Any]:
    return {"x": referee.board.x, "o": referee.board.o, "marks": referee.marks}


def _registers(referee: Any) -> dict[str, Any]:
    return {"at": referee.board.at}


def _console(referee: Any, game: Any) -> list[Any]:
    """Two people at one keyboard; the user plays X if he begins, and O if the machine does."""
    from amaranth.hdl import Cat, Mux  # noqa: PLC0415

    users = Mux(game.user_begins, referee.x_lamps, referee.o_lamps)
    machines = Mux(game.user_begins, referee.o_lamps, referee.x_lamps)
    return [
        referee.play.eq(game.key.any()),
        referee.place.eq(game.digit - 1),
        game.board.eq(Cat(bit for point in range(64) for bit in (machines[point], users[point]))),
        game.finished.eq(referee.x_won | referee.o_won | referee.full),
        game.waiting.eq(~game.finished),
        game.machine_won.eq(Mux(game.user_begins, referee.o_won, referee.x_won)),
        game.user_won.eq(Mux(game.user_begins, referee.x_won, referee.o_won)),
    ]


def _say_checked(found: Any) -> list[str]:
    return [
        f"threats2026: {found.games:,} games, a sample, refereed rightly, and every illegal move refused",
        f"on {found.boards:,} boards all points that win, threaten or fork are marked, for either side, and no others",
        f"X wins {found.wins:,}, O {found.losses:,}; {found.draws:,} draws",
    ]


DESIGN = Design(
    name="threats2026",
    year=2026,
    about="a referee for 4×4×4 that marks every winning point, every threat and every fork, by gates alone",
    game="qubic",
    package=__name__,
    make=later(f"{__name__}.referee", "Referee"),
    clock="clk",
    reset="rst",
    reset_level=1,
    watch=_watch,
    names={"turn": {0: "x", 1: "o"}},
    register_names={"show": {show.value: show.name.lower() for show in Show}},
    registers=_registers,
    module_names={
        "finder": "threat_finder",
        "finder.line1": "line_of_four",
        "finder.point0": "point_on_seven",
        "finder.point1": "point_on_four",
    },
    story=_STORY,
    drawings=DRAWINGS,
    panel=panel,
    doing=doing,
    driver=Seats,
    samples=SAMPLES,
    console=_console,
    winners=("O wins", "X wins"),
    proofs=later(f"{__name__}.proofs", "PROOFS"),
    check=later(f"{__name__}.check", "check_threats"),
    check_words=_say_checked,
)

DESIGNS = (DESIGN,)
