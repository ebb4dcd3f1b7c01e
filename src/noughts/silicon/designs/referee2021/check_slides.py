"""Every board that the referee of the slides can hold, and what every play does there.

It knows neither turn nor end, so each of the 3^9 boards can come up, the ones with two winners among them. On each, the
player, the computer and both at once name every number from 0 to 15: both the same, and both different ones. What must
happen is written here from the slides' own words, for all boards together.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from noughts.silicon.design import Design
from noughts.silicon.simulate.check import Checked, WrongError
from noughts.silicon.simulate.compiled import Model, compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["check_slides"]

PLAYER, COMPUTER = 0b01, 0b10
BOARDS = 3**9
ROWS = ((1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9), (1, 5, 9), (3, 5, 7))
NOBODY_NAMES = -1
_NUMBERS = range(16)
PLAYS = (
    *((number, NOBODY_NAMES) for number in _NUMBERS),
    *((NOBODY_NAMES, number) for number in _NUMBERS),
    *((number, number) for number in _NUMBERS),
    *((number, (number + 5) % 16) for number in _NUMBERS),
)
"""What the player names and what the computer names."""
_INPUTS = ("clk", "pp", "pc", "player_position", "computer_position")
_POSITIONS = tuple(f"pos{number}" for number in range(1, 10))
_SEEN = (*_POSITIONS, "who", "winner", "no_space", "illegal_move")


def _held(player: int, computer: int) -> tuple[int, int, int, int]:
    return int(player >= 0), int(computer >= 0), max(player, 0), max(computer, 0)


_TRIES = np.array([[(clock, *_held(*play)) for clock in (0, 1)] for play in PLAYS], np.uint64)
"""The inputs before the rising clock, and after it."""


def check_slides(design: Design, *, gates: bool = False, progress: Callable[[int, int], None] | None = None) -> Checked:
    """Try all plays on all boards."""
    model = compiled(design, gates=gates)
    model.reset()
    boards = np.empty((BOARDS, 9), np.uint8)
    shown = np.empty((BOARDS, len(PLAYS), 2, len(_SEEN)), np.uint8)
    for number, board in enumerate(_boards(model, ())):
        boards[number] = board
        shown[number] = model.tries(_INPUTS, _TRIES, _SEEN)[0]
        if progress and number % 500 == 0:
            progress(number, BOARDS)
    for number, (player, computer) in enumerate(PLAYS):
        illegal = _occupied(boards, player) | _occupied(boards, computer)
        after = boards.copy()
        for named, stone in ((player, PLAYER), (computer, COMPUTER)):
            if 1 <= named <= 9:
                after[:, named - 1] = np.where(illegal, boards[:, named - 1], stone)
        illegal_then = _occupied(after, player) | _occupied(after, computer)
        for half, (expected, flag) in enumerate(((boards, illegal), (after, illegal_then))):
            _compare(shown[:, number, half], expected, flag, f"{player} by the player, {computer} by the computer")
    return Checked(0, 0, 0, [], boards=len(boards), plays=shown.shape[0] * shown.shape[1])


def _boards(model: Model, stones: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Put the model on every board that begins with these stones, one after the other."""
    if len(stones) == len(_POSITIONS):
        yield stones
        return
    here = model.save()
    number = len(stones) + 1
    for stone, play in ((0, (NOBODY_NAMES, NOBODY_NAMES)), (PLAYER, (number, -1)), (COMPUTER, (-1, number))):
        model.restore(here)
        for pin, level in zip(_INPUTS[1:], _held(*play), strict=True):
            model.set(pin, level)
        model.clock()
        yield from _boards(model, (*stones, stone))


def _occupied(boards: "NDArray[np.uint8]", named: int) -> "NDArray[np.bool_]":
    """Whether a number that a side names is that of a place with a stone."""
    return boards[:, named - 1] != 0 if 1 <= named <= 9 else np.zeros(len(boards), np.bool_)


def _compare(shown: "NDArray[np.uint8]", boards: "NDArray[np.uint8]", illegal: "NDArray[np.bool_]", play: str) -> None:
    """What the pins show, beside what the slides say of these boards."""
    rows = [boards[:, [number - 1 for number in row]] for row in ROWS]
    who = np.zeros(len(boards), np.uint8)
    for stone in (PLAYER, COMPUTER):
        has = np.any([(row == stone).all(axis=1) for row in rows], axis=0)
        who |= (has * stone).astype(np.uint8)
    expected = np.column_stack([boards, who, who != 0, (boards != 0).all(axis=1), illegal])
    wrong = np.flatnonzero((shown != expected).any(axis=1))
    if len(wrong):
        first = wrong[0]
        found, wanted = dict(zip(_SEEN, shown[first], strict=True)), dict(zip(_SEEN, expected[first], strict=True))
        pins = ", ".join(f"{pin} {found[pin]}: expected {wanted[pin]}" for pin in _SEEN if found[pin] != wanted[pin])
        raise WrongError(f"{play}: {pins}, with {boards[first].tolist()} on the board")
