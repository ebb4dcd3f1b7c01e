"""The free-running counter: one more every cycle, whatever happens.

The reset is one that waits for the clock: in Amaranth's simulator, though not in the hardware it makes, a reset that
does not wait clocks the registers that have none.
"""

from typing import Any

import pytest
from amaranth.hdl import Signal

from amaranth_bench import bits_of, clocked, number_of, shifted
from noughts.silicon.parts import Counter


@pytest.mark.parametrize("width", [1, 3, 5])
def test_it_counts_in_a_circle_through_resets(width: int) -> None:
    part = Counter(width)

    async def count(ctx: Any, reset: Signal) -> None:
        number = ctx.get(part.count)
        for cycle in range(5 << width):
            ctx.set(reset, cycle % 7 in (2, 3, 4))
            assert ctx.get(part.count) == number
            await ctx.tick()
            number = (number + 1) % (1 << width)
            assert ctx.get(part.count) == number

    clocked(part, count)


@pytest.mark.parametrize("width", [1, 3, 5])
def test_it_goes_on_from_any_number_shifted_in(width: int) -> None:
    part = Counter(width)

    async def every_number(ctx: Any, _reset: Signal) -> None:
        for number in range(1 << width):
            await shifted(ctx, part, bits_of(number, width))
            assert ctx.get(part.count) == number
            await ctx.tick()
            assert number_of(await shifted(ctx, part, [0] * width)) == (number + 1) % (1 << width)

    clocked(part, every_number)
