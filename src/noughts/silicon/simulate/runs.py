"""Runs of a chip to look at: how long one is, when the chip works, and every signal in some of its cycles.

A run (`noughts.silicon.run`) is never kept: whoever looks at a stretch of it has it run anew, up to there. That is
quick where the design can be compiled, millions of cycles a second; where it cannot, Amaranth's own simulator does it,
and long runs are refused.
"""

from collections.abc import Sequence
from functools import cache

from noughts.extras import MissingToolError
from noughts.silicon.design import Design, Message
from noughts.silicon.run import Run, counters_known, perform, sample_of
from noughts.silicon.simulate.compiled import Model, compiled
from noughts.silicon.simulate.interpreted import Interpreted
from noughts.silicon.simulate.undefined import ThreeValued, three_valued
from noughts.silicon.simulate.watched import Counted, Recorder, RunTooLongError
from noughts.silicon.stimulus import Stimulus
from noughts.silicon.tools import ToolError
from noughts.silicon.trace import Outline, Trace

__all__ = ["is_quick", "outline", "stimulus_of", "stretch"]

MOST_COMPILED = 6_000_000
"""Cycles in a compiled simulation: two or three seconds. Two games of elements2021, one after the other, have five
million, and no run that a source shows is longer."""
MOST_INTERPRETED = 60_000
"""Cycles in Amaranth's simulator: some twenty seconds."""


def is_quick(design: Design) -> bool:
    """Compile a design, unless it has been; whether its runs are quick now, and long ones allowed."""
    if _compiled(design) is None:
        return False
    _three_valued(design, counters_known(design, Run()))
    return True


def outline(design: Design, run: Run) -> Outline:
    """How long a run is, when the chip works, and how it ends."""
    shown = sample_of(design, run)
    counted, simulator = _switched_on(design, shown.messages if shown else ())
    perform(design, counted, run)
    ended = design.driver(counted)
    return Outline(counted.cycles, counted.replies, ended.stones(), ended.is_over, simulator, counted.said)


def stretch(design: Design, run: Run, first: int, last: int) -> Trace:
    """All signals in the cycles of a run from the first to the last of these; what comes behind is not run."""
    counted, _ = _switched_on(design, most=last + 1)
    known = counters_known(design, run)
    recorder = Recorder(counted, first, last, beside=lambda: _beside(design, known))
    try:
        perform(design, recorder, run)
    except RunTooLongError:
        if counted.cycles <= last:
            raise
    return recorder.trace()


def stimulus_of(design: Design, run: Run) -> Stimulus:
    """What is done at the pins in a run."""
    recorder = Recorder(_switched_on(design)[0], 0, 0)
    perform(design, recorder, run)
    return recorder.stimulus._replace(counters=bool(design.counters) and counters_known(design, run))


def _switched_on(design: Design, messages: Sequence[Message] = (), most: int = MOST_COMPILED) -> tuple[Counted, str]:
    """A chip as it is when it is switched on, to be run for so many cycles at most, and who simulates it."""
    found = _compiled(design)
    if found is None:
        allowed = min(most, MOST_INTERPRETED)
        return Counted(Interpreted(design.inside()), design.driver, allowed, messages), "Amaranth"
    model, fresh = found
    model.restore(fresh)
    return Counted(model, design.driver, min(most, MOST_COMPILED), messages), "Verilator"


@cache
def _compiled(design: Design) -> tuple[Model, bytes] | None:
    """The compiled chip, if it can be compiled here, and its state before the first run.

    One serves all runs, since the memory of a compiled chip is never given back.
    """
    try:
        model = compiled(design.inside(), watch=True)
    except (MissingToolError, ToolError):
        return None
    return model, model.save()


def _beside(design: Design, counters: bool) -> ThreeValued | None:
    """The chip of three values as it is when it is switched on, if there is one."""
    found = _three_valued(design, counters)
    if found is None:
        return None
    model, fresh = found
    model.restore(fresh)
    return model


@cache
def _three_valued(design: Design, counters: bool) -> tuple[ThreeValued, bytes] | None:
    if _compiled(design) is None:
        return None
    try:
        model = three_valued(design, counters=counters)
    except (MissingToolError, ToolError):
        return None
    return model, model.save()
