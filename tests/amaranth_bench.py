"""A part in Amaranth's simulator: its pins to set and read, a clock and a reset where it has registers.

A testbench is an async function of Amaranth's context. Values settle as soon as a pin is set, so a circuit without
registers needs no clock; with one, `await ctx.tick()` is one cycle, and what is read afterwards is what it left.
"""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from amaranth.hdl import ClockDomain, Module, Signal
from amaranth.sim import Simulator

__all__ = ["bits_of", "clocked", "number_of", "settled", "shifted"]


def settled(part: Any, testbench: Callable[[Any], Awaitable[None]]) -> None:
    """Run a testbench with a part that has no registers."""
    simulator = Simulator(part)
    simulator.add_testbench(testbench)
    simulator.run()


def clocked(part: Any, testbench: Callable[[Any, Signal], Awaitable[None]], *, async_reset: bool = False) -> None:
    """Run a testbench with a part that has registers; the testbench is given the reset as well."""
    top = Module()
    top.domains.sync = domain = ClockDomain(async_reset=async_reset, local=True)
    top.submodules.part = part

    async def with_reset(ctx: Any) -> None:
        await testbench(ctx, domain.rst)

    simulator = Simulator(top)
    simulator.add_clock(1e-6)
    simulator.add_testbench(with_reset)
    simulator.run()


async def shifted(ctx: Any, part: Any, bits: Iterable[int]) -> list[int]:
    """Shift these bits into the scan path, a clock each, and return those that come out."""
    came_out = []
    ctx.set(part.scan, 1)
    for bit in bits:
        ctx.set(part.scanin, bit)
        came_out.append(ctx.get(part.scanout))
        await ctx.tick()
    ctx.set(part.scan, 0)
    return came_out


def bits_of(number: int, width: int) -> list[int]:
    """The bits in the order of a scan path: it is the highest that goes in and comes out first."""
    return [number >> position & 1 for position in reversed(range(width))]


def number_of(bits: Iterable[int]) -> int:
    """The number whose bits these are, the highest first."""
    number = 0
    for bit in bits:
        number = 2 * number + bit
    return number
