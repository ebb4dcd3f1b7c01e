"""What a specification demands, position by position, as the search for small logic takes it.

A position is a setting of the inputs. In each some outputs are *allowed*; exactly one of them must be raised, or at
least one and no other. Either all positions count, or those that the logic's own policy leads to: then there are
*roots*, where its play begins, and for every position and output the positions in which it may have to move next.

Everything is arrays of bits, 64 positions a word, for the kernels. The values come from `noughts.solve`; what a search
finds by them is checked by `verify`, which shares nothing with this file.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from noughts.games import Outcome, Position, game
from noughts.silicon.logic.specification import INPUTS, POINTS, Specification
from noughts.solve import solve

__all__ = ["Case", "Conditions", "conditions", "of_cases"]


class Case(NamedTuple):
    """A position as the logic sees it."""

    inputs: int
    """Which inputs are 1, as a set of bits."""
    allowed: int
    """Which outputs may be raised, as a set of bits."""


class Conditions(NamedTuple):
    """What a logic must do."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    given: npt.NDArray[np.uint64]
    """A row an input: its value in every position."""
    allowed: npt.NDArray[np.uint64]
    """A row an output: where it may be raised."""
    valid: npt.NDArray[np.uint64]
    """Which bits are positions: all but some of the last word."""
    several: bool
    """Whether more than one output may be raised."""
    roots: npt.NDArray[np.int32]
    """Where the logic's own play begins; none if all positions count. Positions with fewer stones come first."""
    start: npt.NDArray[np.int32]
    child: npt.NDArray[np.int32]
    """`child[start[n * p + m] : start[n * p + m + 1]]`: what may come next when output m of n is followed in p."""
    cases: tuple[Case, ...]


def _packed(bits: Sequence[int], width: int) -> npt.NDArray[np.uint64]:
    """Rows of bits from numbers: row i has bit i of every number, 64 a word."""
    words = -(-len(bits) // 64)
    rows = np.zeros((width, 64 * words), np.uint8)
    for i in range(width):
        rows[i, : len(bits)] = [number >> i & 1 for number in bits]
    return np.packbits(rows, axis=1, bitorder="little").view(np.uint64)


def of_cases(
    inputs: Sequence[str],
    outputs: Sequence[str],
    cases: Sequence[Case],
    *,
    several: bool = False,
    roots: Iterable[int] = (),
    after: Callable[[int, int], Iterable[int]] | None = None,
) -> Conditions:
    """The conditions of any logic.

    Args:
        inputs: The names of the inputs, bit 0 of `Case.inputs` first.
        outputs: The names of the outputs, bit 0 of `Case.allowed` first.
        cases: The positions; no inputs twice. Of a logic that follows its own play, those that it can never meet are
            left out, and the others keep their order.
        several: Whether more than one output may be raised.
        roots: Where the logic's own play begins; none if all positions count.
        after: The positions (numbers of cases) that may come next when an output is followed; none if not given.
    """
    next_, begins = dict[tuple[int, int], list[int]](), sorted(roots)
    if begins:
        # A position that no allowed output leads to never counts; it would be evaluated with the others for nothing.
        met, todo = set(begins), list(begins)
        while todo:
            number = todo.pop()
            for output in range(len(outputs)):
                if after is not None and cases[number].allowed >> output & 1:
                    next_[number, output] = list(after(number, output))
                    new = set(next_[number, output]) - met
                    met |= new
                    todo += new
        old = sorted(met)
        renumbered = {number: index for index, number in enumerate(old)}
        cases, begins = [cases[number] for number in old], [renumbered[number] for number in begins]
        next_ = {(renumbered[case], o): [renumbered[number] for number in then] for (case, o), then in next_.items()}
    start, child = [0], list[int]()
    for key in product(range(len(cases) if begins else 1), range(len(outputs))):
        child += next_.get(key, [])
        start.append(len(child))
    given = _packed([case.inputs for case in cases], len(inputs))
    allowed = _packed([case.allowed for case in cases], len(outputs))
    valid = _packed([1] * len(cases), 1)[0]
    return Conditions(
        tuple(inputs), tuple(outputs), given, allowed, valid, several, np.array(begins, np.int32),
        np.array(start, np.int32), np.array(child, np.int32), tuple(cases),
    )  # fmt: skip


def conditions(wanted: Specification) -> Conditions:
    """The conditions of a specification of tic-tac-toe.

    Args:
        wanted: The specification.
    """
    tictactoe = game("tictactoe")
    solution = solve(tictactoe)

    def key(position: Position) -> tuple[int, int]:
        return position.stones[position.turn], position.stones[1 - position.turn]

    # Whose turn it is follows from the number of stones, and so who the machine is that moves.
    positions = sorted(
        (
            position
            for position in solution.positions()
            if tictactoe.over(position) is None and (wanted.everywhere or position.turn in wanted.turns)
        ),
        key=lambda position: (position.occupied.bit_count(), key(position)),
    )
    numbers = {key(position): number for number, position in enumerate(positions)}
    cases, following = [], {}
    for number, position in enumerate(positions):
        mine, theirs = key(position)
        rated = solution.moves(position)
        allowed = 0
        for one in rated:
            outcome, to = one.value.outcome, one.move.to
            assert to is not None
            if not (outcome is rated[0].value.outcome if wanted.keeps_value else outcome is not Outcome.LOSS):
                continue
            allowed |= 1 << to
            moved = tictactoe.after(position, one.move)
            if not wanted.everywhere and tictactoe.over(moved) is None:
                replies = (tictactoe.after(moved, reply) for reply in tictactoe.moves(moved))
                following[number, to] = [numbers[key(next_)] for next_ in replies if tictactoe.over(next_) is None]
        cases.append(Case(mine | theirs << len(POINTS), allowed))
    opening = [number for number, position in enumerate(positions) if position.occupied.bit_count() < 2]
    return of_cases(
        INPUTS,
        POINTS,
        cases,
        several=not wanted.one_move,
        roots=[] if wanted.everywhere else opening,
        after=lambda number, output: following.get((number, output), ()),
    )
