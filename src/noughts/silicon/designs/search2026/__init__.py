"""The searching chip of 1990 with its stack, for other boards and other depths: Noughts, 2026.

`search2026:game=tictactoe` is the chip of 1990 again, cycle for cycle, from the lines of the game instead of by hand.
The others are what its architecture comes to elsewhere: 4×3 with three in a row searched to the end, and 4×4 to a few
plies, with a draw as the worth of all that lies behind (`circuit.py` says where the controller differs).
"""

from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from noughts.games import game
from noughts.silicon.circuit import Pins
from noughts.silicon.design import Design, Group, Sample, later
from noughts.silicon.designs.chip1990 import DESIGN as CHIP1990
from noughts.silicon.designs.chip1990.driver import ChipDriver
from noughts.silicon.designs.chip1990.pictures import DRAWINGS, doing, panel, stack
from noughts.silicon.pictures.drawing import Diagram, Drawings

__all__ = ["DESIGNS", "SEARCHES", "Searched"]


class Searched(NamedTuple):
    """A game, and how many plies deep it is searched."""

    game: str
    depth: int

    @property
    def name(self) -> str:
        """The name of the design; a search to the end has no depth in it."""
        whole = self.depth == len(game(self.game).layout)
        return f"search2026:game={self.game}" + ("" if whole else f",depth={self.depth}")


SEARCHES = (Searched("tictactoe", 9), Searched("mnk:4,3,3", 12), Searched("square4", 5))
"""The chips that come with Noughts; any other is a line here."""

SAMPLED = 2
"""Moves of the sample run."""
SAMPLED_GAMES = 1000
"""Games that a check plays with a chip that does not search to the end, and so has too many."""


def _make(searched: Searched) -> Any:
    from noughts.silicon.designs.search2026.circuit import SearchChip  # noqa: PLC0415

    return SearchChip(game(searched.game).layout, searched.depth)


def _registers(chip: Any) -> dict[str, Any]:
    return {**CHIP1990.registers(chip), **{name: getattr(chip.core.fsm, name) for name in ("lost", "horizon", "found")}}


def _drawings(name: str, places: int, words: int) -> Drawings:
    """The diagrams of 1990, with other numbers."""
    about = {
        "keyboard": f"{places} keys behind a register; of several that are down the lowest counts",
        "stack": f"{words} words: i, bestr and a of every move that is being tried",
    }
    works = {"keyboardN": f"keyboardN != {(1 << places) - 1}"}
    blocks = DRAWINGS.blocks._replace(
        title=f"The blocks of {name}",
        boxes=tuple(box._replace(about=about[box.name]) if box.name in about else box for box in DRAWINGS.blocks.boxes),
        arrows=tuple(
            arrow._replace(when=works[arrow.source]) if arrow.source in works else arrow
            for arrow in DRAWINGS.blocks.arrows
        ),
    )
    (machine,) = DRAWINGS.machines
    return Drawings(blocks, (machine._replace(diagram=_states(name, machine.diagram)),))


def _states(name: str, states: Diagram) -> Diagram:
    """A line of the user's ends the game, and so does the horizon a branch of the search."""
    changed: dict[str, dict[str, Any]] = {
        "userjustmoved→finished": {"when": "full | lost", "label": "over"},
        "userjustmoved→setboardi": {"when": "~full & ~lost", "label": "¬over", "about": "¬full & ¬lost: init, nexti"},
        "rating→setboardi": {
            "when": "~wins & ~full & ~(horizon & ~ground)",
            "label": "¬decided",
            "about": "¬wins & ¬full, and not at the horizon: call, nexti",
        },
        "rating→returned": {
            "when": "(wins | full | horizon) & ~ground",
            "label": "decided & ¬ground",
            "about": "(wins | full | horizon) & ¬ground: sno or clearr, pop",
        },
    }
    arrows = tuple(arrow._replace(**changed.get(arrow.name, {})) for arrow in states.arrows)
    return states._replace(title=f"The states of {name}", arrows=arrows)


def _sample(pins: Pins) -> None:
    """The user begins on the last point and goes on with the last empty one, until the chip has answered twice."""
    driver = ChipDriver(pins)
    driver.begin(user_first=True)
    for _ in range(SAMPLED):
        chip, user = driver.stones()
        driver.press((driver.layout.everywhere & ~(chip | user)).bit_length() - 1)
    pins.clock()


def _design(searched: Searched) -> Design:
    layout, title = game(searched.game).layout, game(searched.game).title
    places = len(layout)
    deep = "to the end" if searched.depth == places else f"{searched.depth} plies deep"
    words = 1 << (min(searched.depth, places - 1) - 1).bit_length()
    keys = {"keyboardN": f"{places} keys, the last point first; low while pressed"}
    lamps = {"led": "the board, the last point first: 01 the chip's stone, 10 the user's"}
    more = {
        "lost": "the user has filled a line",
        "horizon": "the stone on place i is on the last ply that is looked at",
        "found": "a move is remembered in m",
    }
    groups = tuple(
        group._replace(signals={name: {**keys, **lamps}.get(name, words) for name, words in group.signals.items()})
        for group in CHIP1990.story.groups
    )
    return replace(
        CHIP1990,
        name=searched.name,
        year=2026,
        about=f"the searching chip of 1990 with its stack, on the board of {title}, {deep}",
        game=searched.game,
        package=__name__,
        make=partial(_make, searched),
        idle={**CHIP1990.idle, "keyboardN": layout.everywhere},
        registers=_registers,
        story=CHIP1990.story._replace(
            title=f"The search of 1990 for any board: {title}",
            source="Noughts, 2026, after the chip of P. M. Geiser and A. Marzetta, 1989/90",
            words=(
                f"Minimax with alpha-beta cut-offs as the chip of 1990 does it, from the lines of the game: {deep}. "
                "What lies behind the last ply counts as a draw. It sees when the user has won, which the chip of 1990 "
                "never had to, and plays the first move it has tried where all of them lose."
            ),
            reported=(),
            groups=(*groups, Group("Not in the chip of 1990", more)),
            example="",
        ),
        pinout=None,
        bits={},
        drawings=_drawings(searched.name, places, words),
        panel=partial(panel, places=places),
        table=partial(stack, words=words),
        doing=partial(doing, points=layout.points),
        samples=(
            Sample("two-moves", "Ours: the user plays the last empty point twice, and the chip answers.", _sample),
        ),
        search="",
        reported={},
        proofs=partial(later(f"{__name__}.proofs", "proofs_of"), searched),
        sampled_games=0 if searched.depth == places else SAMPLED_GAMES,
    )


DESIGNS = tuple(map(_design, SEARCHES))
