"""The board register: every command from many boards, and the scan path."""

from itertools import product
from random import Random
from typing import Any

import pytest
from amaranth.hdl import Signal

from amaranth_bench import bits_of, clocked, number_of, shifted
from noughts.silicon.parts import BoardRegister

COMMANDS = list(product(range(16), (0, 1), (0, 1)))


def after(stones: set[tuple[int, int]], index: int, side: int, toggle: int) -> set[tuple[int, int]]:
    """A stone is set where there is none and taken back where there is one; only nine places exist."""
    return stones ^ {(index, side)} if toggle and index < 9 else stones


def content(stones: set[tuple[int, int]]) -> int:
    return sum(1 << 2 * place + side for place, side in stones)


async def command(ctx: Any, part: BoardRegister, index: int, side: int, toggle: int) -> int:
    ctx.set(part.index, index)
    ctx.set(part.side, side)
    ctx.set(part.toggle, toggle)
    await ctx.tick()
    return int(ctx.get(part.board))


def test_a_command_inverts_one_bit_and_again_takes_it_back() -> None:
    part = BoardRegister()
    random = Random(1990)

    async def every_command_from_many_boards(ctx: Any, _reset: Signal) -> None:
        stones: set[tuple[int, int]] = set()
        for _ in range(60):
            for order in random.sample(COMMANDS, len(COMMANDS)):
                expected = after(stones, *order)
                assert await command(ctx, part, *order) == content(expected), (stones, order)
                assert len(expected ^ stones) == (order[2] and order[0] < 9)
                assert await command(ctx, part, *order) == content(stones), (stones, order)
            wander = random.choice(COMMANDS)
            stones = after(stones, *wander)
            assert await command(ctx, part, *wander) == content(stones)

    clocked(part, every_command_from_many_boards)


def test_nothing_happens_before_the_end_of_the_cycle() -> None:
    part = BoardRegister()

    async def look_early(ctx: Any, _reset: Signal) -> None:
        for index, side in product(range(9), (0, 1)):
            ctx.set(part.index, index)
            ctx.set(part.side, side)
            ctx.set(part.toggle, 1)
            before = ctx.get(part.board)
            await ctx.tick()
            assert ctx.get(part.board) == before | 1 << 2 * index + side != before

    clocked(part, look_early)


@pytest.mark.parametrize("async_reset", [False, True])
def test_a_reset_takes_all_stones_away(async_reset: bool) -> None:
    part = BoardRegister()

    async def fill_and_reset(ctx: Any, reset: Signal) -> None:
        await shifted(ctx, part, [1] * 18)
        assert ctx.get(part.board) == (1 << 18) - 1
        ctx.set(reset, 1)
        if not async_reset:
            await ctx.tick()
        assert ctx.get(part.board) == 0

    clocked(part, fill_and_reset, async_reset=async_reset)


def test_a_board_shifted_in_is_there_and_what_a_step_makes_of_it_comes_out() -> None:
    part = BoardRegister()
    random = Random(2021)

    async def shift_step_shift(ctx: Any, _reset: Signal) -> None:
        for order in COMMANDS:
            board = random.randrange(1 << 18)
            # A command that is given while the path shifts must not be obeyed.
            ctx.set(part.index, random.randrange(9))
            ctx.set(part.toggle, 1)
            await shifted(ctx, part, bits_of(board, 18))
            assert ctx.get(part.board) == board
            stones = {(place, side) for place in range(9) for side in (0, 1) if board >> 2 * place + side & 1}
            await command(ctx, part, *order)
            assert number_of(await shifted(ctx, part, [0] * 18)) == content(after(stones, *order))

    clocked(part, shift_step_shift)
