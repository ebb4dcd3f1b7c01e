"""Two chips of 1990 that play each other, wired pin to pin.

Geiser and Marzetta wanted "a system being able to play a game against a human opponent or another chip", with as few
components around it as possible (chapter 6); how two chips are to be joined they do not say. The wiring is ours:

               led, copyboard              keyboardN
    left chip ───────────────► nine gates ───────────► right chip
        ▲                                                  │ led, copyboard
        └───────────────────── nine gates ◄────────────────┘

The stones of one chip are the keys of the other (`circuit`). Nobody sits at the pins: a switch says who begins, a reset
starts the game, and both chips know its end.
"""

from typing import Any

from noughts.games import game as find_game
from noughts.silicon.design import Design, Group, Sample, Story, later
from noughts.silicon.designs.chip1990 import State
from noughts.silicon.designs.duel1990.driver import Onlooker, game, opening
from noughts.silicon.designs.duel1990.pictures import DRAWINGS, doing, panel

__all__ = ["DESIGN", "DESIGNS"]

_SIDES = ("left", "right")
_LAMPS = {
    "led": "its board, place 8 first: 01 its own stone, 10 the other chip's",
    "copyboard": "its lamps show the game, not a move being tried",
    "prompt": "it waits for the other's stone",
    "fin": "it knows that the game is over",
    "win": "it has won",
}
_INSIDE = {
    "keyboardN": "its keys, place 8 first; low where the other has a stone that it does not know yet",
    "statereg": "the state of its controller",
    "sp": "its stack pointer: how deep its search is",
}

_STORY = Story(
    title="Two chips of 1990",
    source="Peter M. Geiser and Ambros Marzetta: Tic-Tac-Toe. Semester project, winter 1989/90; the wiring is ours",
    words=(
        "Two chips of 1990 play each other, and nothing is between them but nine gates in either direction. "
        "A stone that one chip sets is a key of the other that is down, until the other has taken the stone over. "
        "While one chip searches, the other waits and its lamps stand still. Every game between them is a draw."
    ),
    sides=("the left chip", "the right chip"),
    reported=(
        ("The aim", "“to play a game against a human opponent or another chip”"),
        ("Around it", "“as little additional components as possible”"),
    ),
    groups=(
        Group(
            "Input pins",
            {
                "cp": "the clock of both; registers change when it rises",
                "resetN": "low: a new game",
                "leftbegins": "high: the left chip begins, low: the right one",
            },
        ),
        Group(
            "Output pins",
            {f"{side}_{lamp}": f"{side} chip: {about}" for side in _SIDES for lamp, about in _LAMPS.items()},
        ),
        Group(
            "Between and inside the chips",
            {f"{side}_{name}": f"{side} chip: {about}" for side in _SIDES for name, about in _INSIDE.items()},
        ),
    ),
    waves=(
        *("resetN", "cp", "leftbegins"),
        *(
            f"{side}_{name}"
            for side in _SIDES
            for name in ("keyboardN", "statereg", "sp", "prompt", "led", "copyboard")
        ),
        *("left_fin", "right_fin"),
    ),
)


def _watch(duel: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for side in _SIDES:
        chip = getattr(duel, side)
        found |= {
            f"{side}_keyboardN": chip.keyboardN,
            f"{side}_statereg": chip.core.fsm.statereg,
            f"{side}_sp": chip.sp,
        }
    return found


def _console(duel: Any, game: Any) -> list[Any]:
    """Two people look on: `n` lets the left chip begin, X, and `m` the right one, O. A digit does nothing."""
    return [
        duel.leftbegins.eq(game.user_begins),
        game.board.eq(duel.right_led),
        game.waiting.eq(0),
        game.finished.eq(duel.left_fin & duel.right_fin),
        game.machine_won.eq(duel.right_win),
        game.user_won.eq(duel.left_win),
    ]


def _say_checked(found: Any) -> list[str]:
    """The games that the chips play, move by move; those that the right one begins are the same."""
    from noughts.silicon.designs.duel1990.check import games_of  # noqa: PLC0415

    lines = [
        f"duel1990: {found.games} games, all that the two chips can play: either begins, on any of eight places",
        f"the left chip wins {found.wins}, draws {found.draws}, loses {found.losses}",
        f"a game takes {min(found.lengths):,} to {max(found.lengths):,} cycles",
    ]
    points = find_game(DESIGN.game).layout.points
    games = [[points[reply.place] for reply in game] for game in games_of(found) if game[0].user_first]
    both = sorted(zip(games, found.lengths, strict=False))
    return lines + [f"  {' '.join(moves)}  {length:>6,} cycles" for moves, length in both]


DESIGN = Design(
    name="duel1990",
    year=1990,
    about="two chips of 1990 that play each other: the stones of one are the keys of the other",
    package=__name__,
    make=later(f"{__name__}.circuit", "Duel"),
    clock="cp",
    reset="resetN",
    reset_level=0,
    idle={"leftbegins": 1},
    counters="*.counter.*",
    module_names={"left": "chip1990"},
    watch=_watch,
    shown=("resetN", "cp", *_STORY.waves[2:]),
    names={f"{side}_statereg": {state.value: state.name for state in State} for side in _SIDES},
    story=_STORY,
    drawings=DRAWINGS,
    panel=panel,
    doing=doing,
    driver=Onlooker,
    samples=(
        Sample(
            "opening",
            "The left chip begins; its stone is a key of the right chip, which takes it over and begins to search.",
            opening,
            counters=True,
        ),
        Sample("game", "A whole game, which the left chip begins.", game, counters=True),
    ),
    console=_console,
    winners=("the right chip wins", "the left chip wins"),
    check=later(f"{__name__}.check", "check_duel"),
    check_words=_say_checked,
)

DESIGNS = (DESIGN,)
