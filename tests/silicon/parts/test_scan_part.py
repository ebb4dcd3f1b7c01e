"""The scan path on its own: three registers of different widths, one of them signed, in every state.

The registers count down together while nothing shifts, so that a step changes many bits and a path that does not
override them is found out.
"""

from typing import Any

import pytest
from amaranth.hdl import Module, Signal, signed

from amaranth_bench import bits_of, clocked, number_of, shifted
from noughts.silicon.parts import scan_path

WIDTHS = (1, 3, 2)
WIDTH = sum(WIDTHS)


class Registers:
    """A circuit that counts down in each of its registers."""

    def __init__(self) -> None:
        self.scan, self.scanin, self.scanout = Signal(), Signal(), Signal()
        self.registers = [Signal(1), Signal(signed(3)), Signal(2, init=2)]
        self.circuit = Module()
        self.circuit.d.sync += [register.eq(register - 1) for register in self.registers]
        scan_path(self.circuit, self.scan, self.scanin, self.scanout, *self.registers)

    def state(self, ctx: Any) -> list[int]:
        """What the registers hold, as unsigned numbers."""
        return [ctx.get(register.as_unsigned()) for register in self.registers]


def joined(state: list[int]) -> int:
    """The registers in a row, the first the lowest."""
    first, second, third = state
    return first + 2 * second + 16 * third


def parted(number: int) -> list[int]:
    return [number % 2, number // 2 % 8, number // 16]


def test_every_state_goes_in_and_what_a_step_makes_of_it_comes_out() -> None:
    part = Registers()

    async def every_state(ctx: Any, _reset: Signal) -> None:
        for number in range(1 << WIDTH):
            await shifted(ctx, part, bits_of(number, WIDTH))
            assert part.state(ctx) == parted(number)
            await ctx.tick()
            stepped = [(value - 1) % (1 << width) for value, width in zip(parted(number), WIDTHS, strict=True)]
            assert part.state(ctx) == stepped
            assert number_of(await shifted(ctx, part, [0] * WIDTH)) == joined(stepped)

    clocked(part.circuit, every_state)


@pytest.mark.parametrize("pattern", [0b000001, 0b101100, 0b011010])
def test_a_bit_comes_out_after_as_many_clocks_as_there_are_bits(pattern: int) -> None:
    part = Registers()

    async def stream(ctx: Any, _reset: Signal) -> None:
        started = part.state(ctx)
        bits = bits_of(pattern, WIDTH) * 3
        assert await shifted(ctx, part, bits) == bits_of(joined(started), WIDTH) + bits[:-WIDTH]

    clocked(part.circuit, stream)


def test_a_reset_wins_over_the_scan() -> None:
    part = Registers()

    async def reset_while_shifting(ctx: Any, reset: Signal) -> None:
        await shifted(ctx, part, [1, 0, 1, 1, 0, 1])
        ctx.set(part.scan, 1)
        ctx.set(reset, 1)
        await ctx.tick()
        assert part.state(ctx) == [0, 0, 2]

    clocked(part.circuit, reset_while_shifting)
