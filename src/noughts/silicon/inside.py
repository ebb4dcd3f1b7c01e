"""Designs with more to be seen of their inside: every register and every wire that a picture of them names.

A trace usually shows what the sources show. Whoever looks into a running chip wants the rest as well: what is on the
stack, what a move is worth so far, which flags made the controller go where it went.
"""

from dataclasses import replace
from functools import cache
from typing import Any

from amaranth.hdl import Signal

from noughts.silicon.chip1990.controller import Choose
from noughts.silicon.design import Design
from noughts.silicon.parts import PLACES
from noughts.silicon.referee2021.sides import Side

__all__ = ["inside"]

_COMMANDS = ("assignmove", "call", "pop", "init", "remember", "retbest", "negr", "sno", "clearr")
_FLAGS = ("full", "ground", "lasti", "rgea", "rgbestr", "keypressed", "validkey")
_SCORES = {0: "0", 1: "1", 3: "−1"}
"""Two bits with a sign."""


def _chip1990(chip: Any) -> dict[str, Signal]:
    core = chip.core
    return {
        **{name: getattr(core.fsm, name) for name in (*_FLAGS, *_COMMANDS)},
        "key": core.keyboard.key,
        "p": core.board.p,
        "m": core.move.m,
        "index": core.move.index,
        "nextfree": core.board.nextfree,
        "r": core.value.r,
        "bestr": core.value.bestr,
        "a": core.value.a,
        **{f"stack{number}": word for number, word in enumerate(core.stack.words)},
    }


def _elements2021(chip: Any) -> dict[str, Signal]:
    registers = {
        f"{name}{cells}": getattr(element, name)
        for cells, element in enumerate(chip.game.chain.elements, 1)
        for name in ("cell", "score", "best")
    }
    return {"turn": chip.game.turn, "empty": chip.game.chain.empty, **registers}


def _nothing(_: Any) -> dict[str, Signal]:
    return {}


_MORE = {"chip1990": _chip1990, "elements2021": _elements2021, "referee2021": _nothing}
_NAMES: dict[str, dict[str, dict[int, str]]] = {
    "chip1990": {
        "choose": {choose.value: choose.name.lower() for choose in Choose},
        "p": {0: "chip", 1: "user"},
        "r": _SCORES,
        "bestr": {0: "0", 1: "−1"},
    },
    "elements2021": {
        "turn": {0: "AI", 1: "human"},
        **{f"score{cells}": _SCORES for cells in range(1, PLACES + 1)},
    },
    "referee2021": {name: {side.value: side.name.lower() for side in Side} for name in ("turn", "who")},
}


@cache
def inside(design: Design) -> Design:
    """The same design with more that is watched, and with names for more values."""
    kind = design.name.partition(":")[0]
    more = _MORE[kind]
    return replace(
        design,
        watch=lambda chip: {**design.watch(chip), **more(chip)},
        names={**design.names, **_NAMES[kind]},
    )
