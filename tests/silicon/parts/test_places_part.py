"""How boards are read: whose stone is which bit, by the words of the parts' own page."""

from random import Random
from typing import Any

from amaranth.hdl import Module, Signal

from amaranth_bench import settled
from noughts.silicon.parts import PLACES, occupied, stones_of


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
