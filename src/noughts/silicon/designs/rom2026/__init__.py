"""A perfect player whose policy is a ROM of two orders of the points: Noughts, 2026.

How many bits does a perfect policy of 4×4 need? With four rules in logic (win, block, fork, take the other's fork), no
more than an order of the points for either beginner: 32 words of four bits (docs/policies.md and `noughts bench
policies`). This chip is made of that. It never loses, and it takes every win that it is offered.
"""

from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING, Any

from noughts.games import game
from noughts.silicon.circuit import Pins
from noughts.silicon.design import Design, Group, Sample, Story
from noughts.silicon.designs.rom2026.driver import RomDriver
from noughts.silicon.designs.rom2026.orders import ORDERS
from noughts.silicon.designs.rom2026.pictures import doing, drawings, panel

if TYPE_CHECKING:
    from noughts.silicon.formal import Property

__all__ = ["DESIGNS", "State"]


class State(IntEnum):
    """The states by their codes."""

    begin = 0
    wait = 1
    look = 2


def _make(name: str) -> Any:
    from noughts.silicon.designs.rom2026.circuit import RomChip  # noqa: PLC0415

    return RomChip(game(name).layout, ORDERS[name])


def _watch(chip: Any) -> dict[str, Any]:
    return {"state": chip.state, "point": chip.rom.point, "hit": chip.hit}


def _registers(chip: Any) -> dict[str, Any]:
    return {
        "second": chip.second,
        "ended": chip.ended,
        **{name: getattr(chip.rules, name) for name in ("named", "wins", "blocks", "forks", "takes")},
    }


def _proofs() -> "tuple[Property, ...]":
    from noughts.silicon.designs.rom2026.proofs import PROOFS  # noqa: PLC0415

    return PROOFS


def _console(chip: Any, game: Any) -> list[Any]:
    return [
        chip.key.eq(game.key),
        chip.userbegins.eq(game.user_begins),
        game.board.eq(chip.board),
        game.waiting.eq(chip.waiting),
        game.finished.eq(chip.over),
        game.machine_won.eq(chip.win),
    ]


def _sample(pins: Pins) -> None:
    """The user begins, and plays the first empty point until the game is over."""
    driver = RomDriver(pins)
    driver.begin(user_first=True)
    while not driver.is_over:
        chip, user = driver.stones()
        driver.press(next(point for point in range(len(driver.layout)) if not (chip | user) >> point & 1))
    pins.clock()


def _design(of: str) -> Design:
    name, title, places = f"rom2026:game={of}", game(of).title, len(game(of).layout)
    return Design(
        name=name,
        year=2026,
        about=f"a perfect player of {title} whose policy is a ROM of {2 * places} words: an order of the points",
        game=of,
        package=__name__,
        make=partial(_make, of),
        clock="clk",
        reset="rst",
        reset_level=1,
        idle={"userbegins": 1},
        watch=_watch,
        shown=("clk", "rst", "key", "state", "step", "point", "hit", "board", "waiting", "over", "win"),
        names={"state": {state.value: state.name for state in State}},
        registers=_registers,
        story=Story(
            title=f"Four rules and a ROM: {title}",
            source="Noughts, 2026",
            words=(
                "Win if you can, block if you must, make two threats at once, or take the point where the other could: "
                "the first of these rules that names a point decides, and else every empty point will do. Of those "
                "points the chip takes the first in an order that stands in its ROM, one word a cycle; there are two "
                "orders, one for either beginner. That is a perfect policy: it never loses, and takes every win."
            ),
            sides=("you", "the chip"),
            reported=(),
            groups=(
                Group(
                    "Input pins",
                    {
                        "clk": "the clock; registers change when it rises",
                        "rst": "high: a new game",
                        "userbegins": "high when the reset ends: the user begins",
                        "key": "a key a point, high while pressed",
                    },
                ),
                Group(
                    "Output pins",
                    {
                        "board": "the board, two bits a point: 01 the chip's stone, 10 the user's",
                        "waiting": "the user is to move",
                        "over": "the game is over",
                        "win": "the chip has won",
                        "step": "how far it has looked in its order",
                    },
                ),
                Group(
                    "Inside",
                    {
                        "state": "the state of the controller",
                        "second": "the user has begun",
                        "point": "the point at this step of the order",
                        "hit": "the rules name that point",
                        "ended": "a line is filled, or the board",
                        "named": "the points that the rules name",
                        "wins": "points that complete a line of the chip",
                        "blocks": "points that complete a line of the user",
                        "forks": "points that make two threats of the chip",
                        "takes": "points that would make two threats of the user",
                    },
                ),
            ),
            waves=("clk", "rst", "key", "state", "step", "point", "hit", "board", "waiting", "over", "win"),
        ),
        drawings=drawings(name),
        panel=partial(panel, places=places),
        doing=partial(doing, name=of),
        driver=RomDriver,
        samples=(Sample("first-free", "The user begins and plays the first empty point again and again.", _sample),),
        proofs=_proofs,
        console=_console,
    )


DESIGNS = tuple(map(_design, ORDERS))
