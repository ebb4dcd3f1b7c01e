"""The serial line, bit by bit."""

from collections.abc import Iterable
from typing import Any

import pytest
from amaranth.hdl import Module
from amaranth.sim import Simulator

from noughts.silicon.flow.console import Receiver, Transmitter

DIVISOR = 4
CYCLE = 1e-6


def frame(byte: int) -> list[int]:
    """The ten levels that the prose demands: low, the bits from the lowest, high."""
    return [0, *((byte >> k) & 1 for k in range(8)), 1]


def received(levels: Iterable[tuple[int, float]], divisor: int, patience: int = 60) -> list[int]:
    """The bytes that a receiver hears in levels that last for some cycles each."""
    receiver = Receiver(divisor)
    heard = []

    async def wire(context: Any) -> None:
        for level, cycles in levels:
            context.set(receiver.rx, level)
            await context.delay(cycles * CYCLE)
        await context.delay(patience * CYCLE)

    async def listen(context: Any) -> None:
        async for _clock, _reset, valid, data in context.tick().sample(receiver.valid, receiver.data):
            if valid:
                heard.append(data)

    simulator = Simulator(receiver)
    simulator.add_clock(CYCLE)
    simulator.add_testbench(wire)
    simulator.add_testbench(listen, background=True)
    simulator.run()
    return heard


def test_every_byte_is_sent_as_ten_bits_of_the_agreed_length() -> None:
    transmitter = Transmitter(DIVISOR)
    wires = {}

    async def send(context: Any) -> None:
        for byte in range(256):
            await context.tick().until(transmitter.ready)
            context.set(transmitter.data, byte)
            context.set(transmitter.valid, 1)
            await context.tick()
            context.set(transmitter.valid, 0)
            levels = []
            for _ in range(10 * DIVISOR):
                levels.append(context.get(transmitter.tx))
                await context.tick()
            wires[byte] = levels

    simulator = Simulator(transmitter)
    simulator.add_clock(CYCLE)
    simulator.add_testbench(send)
    simulator.run()
    assert wires == {byte: [bit for bit in frame(byte) for _ in range(DIVISOR)] for byte in range(256)}


def test_every_byte_comes_back_through_a_loop_without_a_pause() -> None:
    m = Module()
    m.submodules.transmitter = transmitter = Transmitter(DIVISOR)
    m.submodules.receiver = receiver = Receiver(DIVISOR)
    m.d.comb += receiver.rx.eq(transmitter.tx)
    heard = []

    async def send(context: Any) -> None:
        context.set(transmitter.valid, 1)
        for byte in range(256):
            context.set(transmitter.data, byte)
            await context.tick().until(transmitter.ready)
        context.set(transmitter.valid, 0)
        await context.tick().repeat(12 * DIVISOR)

    async def listen(context: Any) -> None:
        async for _clock, _reset, valid, data in context.tick().sample(receiver.valid, receiver.data):
            if valid:
                heard.append(data)

    simulator = Simulator(m)
    simulator.add_clock(CYCLE)
    simulator.add_testbench(send)
    simulator.add_testbench(listen, background=True)
    simulator.run()
    assert heard == list(range(256))


@pytest.mark.parametrize("speed", [0.97, 0.99, 1.01, 1.03])
def test_a_sender_a_few_percent_off_is_understood(speed: float) -> None:
    text = b"\x00\xff\x55\xaa7n"
    levels = [(bit, 26 / speed) for byte in text for bit in frame(byte)]
    assert bytes(received(levels, 26)) == text


def test_a_sender_ten_percent_off_is_not_understood() -> None:
    levels = [(bit, 26 / 1.1) for bit in frame(0x00) + frame(0x00)]
    assert received(levels, 26) != [0x00, 0x00]


def test_a_short_dip_is_no_start_bit() -> None:
    levels = [(1, 20.0), (0, 3.0), (1, 40.0), *((bit, 16.0) for bit in frame(0x35))]
    assert received(levels, 16) == [0x35]


def test_a_byte_without_a_stop_bit_is_dropped_and_the_next_one_is_heard() -> None:
    broken = [(0, 16.0 * 14), (1, 16.0)]
    assert received([*broken, *((bit, 16.0) for bit in frame(0x6E))], 16, patience=300) == [0x6E]
