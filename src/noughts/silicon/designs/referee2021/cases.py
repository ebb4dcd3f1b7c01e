"""The three test cases of the slides, and what their test bench prints.

The slides show three final boards, and the plays of the first match alone. Their test bench enables the player first in
every round, and then the computer. The boards of cases II and III do not arise so under the rules: in II the computer
has a stone more, and in III it would play once more after the player has won. So where the rules are kept
(`as_by_the_rules`) the computer begins those two, and where they are not (`as_on_the_slides`) the player does, as
printed. In which order the stones of these two came is not told.

As in the printed bench both sides name their positions when a round begins, the computer long before it is enabled; the
times between the plays are those of the bench, too. Its clock is not shown, nor how long it holds the reset: here a
cycle takes 10 ns, so that every play is held for several cycles (the first stores the stone, and in the others
`illegal_move` is high), and the reset 100 ns.
"""

from collections.abc import Callable
from itertools import zip_longest
from typing import NamedTuple

from noughts.silicon.circuit import Pins
from noughts.silicon.design import Message, Sample
from noughts.silicon.designs.referee2021.driver import Seats

__all__ = ["HALF_NS", "as_by_the_rules", "as_on_the_slides"]

HALF_NS = 5
_RESET_NS, _PLAY_NS = 100, 50
_MEANING = (
    "If winner is 01, it means player won, else if winner is 10, it means computer won , "
    "else Winner is not decided yet. \n"
)


class _Case(NamedTuple):
    name: str
    about: str
    ordinal: str
    player: tuple[int, ...]
    computer: tuple[int, ...]
    player_begins: bool
    """If turns are kept."""


_CASES = (
    _Case(
        *("case-1", "Case I of the slides: the computer wins on the diagonal 1, 5, 9.", "first"),
        *((4, 8, 6), (1, 5, 9), True),
    ),
    _Case(
        "case-2", "Case II of the slides: nobody wins, and the match is not over.", "second", (1, 9), (4, 6, 8), False
    ),
    _Case(
        *("case-3", "Case III of the slides: the player wins on the diagonal 3, 5, 7.", "third"),
        *((3, 5, 7), (4, 8, 9), False),
    ),
)


def _samples(drive: Callable[[_Case], Callable[[Pins], None]]) -> tuple[Sample, ...]:
    return tuple(Sample(case.name, case.about, drive(case), _printed(case.ordinal)) for case in _CASES)


def _printed(ordinal: str) -> tuple[Message, ...]:
    rows = (tuple(f"pos{number + column}" for column in range(3)) for number in (1, 4, 7))
    return (
        Message(_MEANING),
        Message(f"Below is 3X3 matrix generated after {ordinal} match :\n"),
        *(Message(" %b %b %b \n", row) for row in rows),
        Message("Winner Decided is : %b \n", ("who",)),
    )


def _by_the_rules(case: _Case) -> Callable[[Pins], None]:
    """A side at a time, each play held for a cycle."""
    sides = (case.player, case.computer) if case.player_begins else (case.computer, case.player)
    plays = [numbers[turn] for turn in range(3) for numbers in sides if turn < len(numbers)]

    def drive(pins: Pins) -> None:
        seats = Seats(pins)
        seats.begin(user_first=case.player_begins)
        for position in plays:
            seats.press(position - 1)

    return drive


def _on_the_slides(case: _Case) -> Callable[[Pins], None]:
    """Rounds: both name their positions, then the player is enabled for a while, and then the computer.

    Whoever has no stone left is passed.
    """

    def wait(pins: Pins, time: int) -> None:
        pins.clock(time // (2 * HALF_NS))

    def drive(pins: Pins) -> None:
        for pin, level in {"rst": 1, "pp": 0, "pc": 0, "player_position": 0, "computer_position": 0}.items():
            pins.set(pin, level)
        wait(pins, _RESET_NS)
        pins.set("rst", 0)
        wait(pins, _RESET_NS)
        for player, computer in zip_longest(case.player, case.computer):
            for position, number in (("player_position", player), ("computer_position", computer)):
                if number is not None:
                    pins.set(position, number)
            for number, own, other in ((player, "pp", "pc"), (computer, "pc", "pp")):
                if number is not None:
                    pins.set(own, 1)
                    pins.set(other, 0)
                    wait(pins, _PLAY_NS)
        pins.set("pp", 0)
        pins.set("pc", 0)
        wait(pins, _PLAY_NS)

    return drive


as_by_the_rules = _samples(_by_the_rules)
as_on_the_slides = _samples(_on_the_slides)
