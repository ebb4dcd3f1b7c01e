"""The parts that remember nothing: every input, or as many as tell them apart."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest
from amaranth.hdl import Module, Signal

from amaranth_bench import settled
from noughts.silicon.parts import (
    PLACES,
    FullDetector,
    IllegalMoveDetector,
    NextFree,
    PositionDecoder,
    WinDetector,
    occupied,
    stones_of,
)

pytestmark = pytest.mark.slow

# How boards are read: whose stone is which bit, by the words of the parts' own page.


def test_even_bits_are_the_machines_stones_and_odd_bits_the_users() -> None:
    board, machine, user, either = Signal(18), Signal(9), Signal(9), Signal(9)
    reader = Module()
    reader.d.comb += [machine.eq(stones_of(board, 0)), user.eq(stones_of(board, 1)), either.eq(occupied(board))]
    random = Random(1990)

    async def boards(ctx: Any) -> None:
        for _ in range(2000):
            mine, yours = random.randrange(1 << 9), random.randrange(1 << 9)
            content = 0
            for place in range(PLACES):
                content |= (mine >> place & 1) << 2 * place | (yours >> place & 1) << 2 * place + 1
            ctx.set(board, content)
            assert (ctx.get(machine), ctx.get(user), ctx.get(either)) == (mine, yours, mine | yours)

    settled(reader, boards)


# The position decoder: every number, of every width that a design might want.


@pytest.mark.parametrize("width", range(1, 7))
def test_the_line_with_the_number_is_high_and_no_other(width: int) -> None:
    part = PositionDecoder(width)

    async def every_number(ctx: Any) -> None:
        for number in range(1 << width):
            ctx.set(part.index, number)
            ctx.set(part.enable, 1)
            lines = f"{ctx.get(part.lines):b}".zfill(1 << width)
            assert [line for line, level in enumerate(reversed(lines)) if level == "1"] == [number]
            ctx.set(part.enable, 0)
            assert ctx.get(part.lines) == 0

    settled(part, every_number)


# The win detector, with the stones of one side anywhere.

ROWS = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}]
COLUMNS = [{0, 3, 6}, {1, 4, 7}, {2, 5, 8}]
DIAGONALS = [{0, 4, 8}, {2, 4, 6}]


def test_three_in_a_row_win_and_nothing_else_does() -> None:
    part = WinDetector()

    async def every_set_of_stones(ctx: Any) -> None:
        for stones in range(1 << 9):
            places = {place for place in range(9) if stones >> place & 1}
            ctx.set(part.stones, stones)
            assert ctx.get(part.wins) == any(line <= places for line in ROWS + COLUMNS + DIAGONALS), places

    settled(part, every_set_of_stones)


# The full detector, with all 4^9 contents of the board register: nobody's, one side's and both sides' stones.


def test_a_board_is_full_when_no_place_is_empty() -> None:
    part = FullDetector()

    async def every_board(ctx: Any) -> None:
        for board, places in enumerate(product(range(4), repeat=9)):
            ctx.set(part.board, board)
            assert ctx.get(part.full) == (0 not in places), places

    settled(part, every_board)


# The illegal-move detector: every set of occupied places with every set of places pointed at.
#
# All contents of a board register with all nine lines would be 2^27 cases: those are for the proof of `illegal`, in
# test_formal.py. Here every pair of sets is tried once; whose stone it is, one side's or both', is drawn.


def test_pointing_at_a_stone_is_illegal_whosever_it_is() -> None:
    part = IllegalMoveDetector()
    random = Random(1990)

    async def every_pair_of_sets(ctx: Any) -> None:
        for taken in range(1 << 9):
            stones = [random.choice((1, 2, 3)) if taken >> place & 1 else 0 for place in range(9)]
            ctx.set(part.board, sum(code << 2 * place for place, code in enumerate(stones)))
            for at in range(1 << 9):
                ctx.set(part.at, at)
                expected = any(stones[place] and at >> place & 1 for place in range(9))
                assert ctx.get(part.illegal) == expected, (stones, at)

    settled(part, every_pair_of_sets)


# The next-free chain: every set of occupied places, from before the board and from behind every place.
#
# Every set is tried with the machine's stones, with the user's, and with a drawn mixture of both.


def boards() -> Iterator[tuple[int, set[int]]]:
    """Contents of the board register, with the places that are free."""
    random = Random(1990)
    for taken in range(1 << 9):
        places = [place for place in range(9) if taken >> place & 1]
        free = set(range(9)).difference(places)
        for codes in ((1,), (2,), (1, 2, 3)):
            yield sum(random.choice(codes) << 2 * place for place in places), free


def test_behind_a_place_it_finds_the_next_free_one() -> None:
    part = NextFree()

    async def every_board(ctx: Any) -> None:
        ctx.set(part.usei, 1)
        for board, free in boards():
            ctx.set(part.board, board)
            for i in range(9):
                ctx.set(part.i, i)
                behind = {place for place in free if place > i}
                assert ctx.get(part.last) == (not behind), (free, i)
                assert ctx.get(part.place) == (min(behind) if behind else 0), (free, i)

    settled(part, every_board)


def test_without_i_it_finds_the_first_free_place_whatever_i_is() -> None:
    part = NextFree()

    async def every_board(ctx: Any) -> None:
        ctx.set(part.usei, 0)
        for board, free in boards():
            ctx.set(part.board, board)
            for i in range(16):
                ctx.set(part.i, i)
                assert ctx.get(part.last) == (not free), (free, i)
                assert ctx.get(part.place) == (min(free) if free else 0), (free, i)

    settled(part, every_board)


def test_the_example_of_the_paper() -> None:
    """Places 3, 4 and 5 are occupied, by white or black: behind 2 comes 6."""
    part = NextFree()

    async def example(ctx: Any) -> None:
        ctx.set(part.usei, 1)
        ctx.set(part.i, 2)
        ctx.set(part.board, 0b00_00_00_10_01_10_00_00_00)
        assert (ctx.get(part.place), ctx.get(part.last)) == (6, 0)

    settled(part, example)
