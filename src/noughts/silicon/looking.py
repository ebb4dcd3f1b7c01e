"""Looking into a run of a chip: how long it is, when the chip works, and every signal in some of its cycles.

A run is a design, the moves of a user and who begins; nothing else decides what the chip does in any cycle. So a run
is never kept: whoever looks at a stretch of it has it run anew, up to there. That is quick where the design can be
compiled, millions of cycles a second; where it cannot, Amaranth's own simulator does it, and long runs are refused.
"""

from functools import cache

from noughts.silicon.compiled import Model, compiled
from noughts.silicon.counted import Counted
from noughts.silicon.designs import design
from noughts.silicon.drivers import DRIVERS, driver
from noughts.silicon.inside import inside
from noughts.silicon.interpreted import Interpreted
from noughts.silicon.outline import Outline
from noughts.silicon.pins import Pins
from noughts.silicon.recorder import Recorder
from noughts.silicon.runs import read_place, run
from noughts.silicon.tools import MissingToolError, ToolError
from noughts.silicon.trace import Trace

__all__ = ["outline", "stretch"]

MOST_COMPILED = 3_000_000
"""Cycles in a compiled simulation: a second or two. The longest game of all designs has fewer."""
MOST_INTERPRETED = 60_000
"""Cycles in Amaranth's simulator: some twenty seconds."""


def outline(name: str, moves: tuple[str, ...], *, user_first: bool) -> Outline:
    """How long a run is, when the chip works, and how it ends."""
    counted, simulator = _chip(name)
    _play(counted, moves, user_first)
    return Outline(counted.cycles, counted.replies, *_ending(counted), simulator)


def stretch(name: str, moves: tuple[str, ...], first: int, last: int, *, user_first: bool) -> Trace:
    """All signals in the cycles of a run from the first to the last of these."""
    recorder = Recorder(_chip(name)[0], first, last)
    _play(recorder, moves, user_first)
    return recorder.trace()


def _play(pins: Pins, moves: tuple[str, ...], user_first: bool) -> None:
    run(pins.design, pins, [(move, read_place(pins.design, move)) for move in moves], user_first=user_first)


def _ending(pins: Pins) -> tuple[tuple[int, int], bool]:
    """The stones, and whether the game is over."""
    if pins.design.name in DRIVERS:
        player = driver(pins.design, pins)
        return player.stones(), player.is_over
    held = [pins.get(f"pos{number}") for number in range(1, 10)]
    player_stones, computer_stones = (
        sum((code >> bit & 1) << place for place, code in enumerate(held)) for bit in (0, 1)
    )
    return (computer_stones, player_stones), bool(pins.get("winner") or pins.get("no_space"))


def _chip(name: str) -> tuple[Counted, str]:
    """A chip as it is when it is switched on, and who simulates it."""
    chip = inside(design(name))
    model = _compiled(name)
    if model is None:
        return Counted(Interpreted(chip), MOST_INTERPRETED), "Amaranth"
    model.restore(_switched_on(name))
    return Counted(model, MOST_COMPILED), "Verilator"


@cache
def _compiled(name: str) -> Model | None:
    """The compiled chip, if it can be compiled here. It serves all runs, since its memory is never given back."""
    try:
        return compiled(inside(design(name)), watch=True)
    except (MissingToolError, ToolError):
        return None


@cache
def _switched_on(name: str) -> bytes:
    """The state of the compiled chip before its first run."""
    model = _compiled(name)
    assert model is not None
    return model.save()
