"""The parts that keep something between cycles: every command from many states, and the scan path."""

from itertools import product
from random import Random
from typing import Any

import pytest
from amaranth.hdl import Module, Signal, signed

from amaranth_bench import bits_of, clocked, number_of, shifted
from noughts.silicon.parts import BoardRegister, Counter, Stack, scan_path

# The board register: every command from many boards, and the scan path.

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


# The free-running counter: one more every cycle, whatever happens.
#
# The reset is one that waits for the clock: in Amaranth's simulator, though not in the hardware it makes, a reset that
# does not wait clocks the registers that have none.


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


# The stack, against a Python list: all short sequences of pushes and pops, long drawn ones, and the scan path.


async def step(ctx: Any, part: Stack, order: str, word: int) -> None:
    """One cycle with a push, a pop or neither; the word is there in any case."""
    ctx.set(part.push, order == "push")
    ctx.set(part.pop, order == "pop")
    ctx.set(part.word, word)
    await ctx.tick()
    ctx.set(part.push, 0)
    ctx.set(part.pop, 0)


async def follow(ctx: Any, part: Stack, held: list[int], order: str, word: int, depth: int) -> None:
    """One cycle of the stack and of a list, which must agree about the top and about how many there are."""
    await step(ctx, part, order, word)
    if order == "push":
        held.append(word)
    elif order == "pop":
        held.pop()
    assert ctx.get(part.sp) == len(held) % depth
    if held:
        assert ctx.get(part.top) == held[-1]


@pytest.mark.parametrize("depth", [2, 4])
def test_all_short_sequences(depth: int) -> None:
    """A stack that holds all its words has a pointer of 0 again, and still gives them back."""
    part = Stack(width=3, depth=depth)
    random = Random(depth)

    async def every_sequence(ctx: Any, reset: Signal) -> None:
        for orders in product(("push", "pop", "wait"), repeat=7):
            ctx.set(reset, 1)
            await ctx.tick()
            ctx.set(reset, 0)
            assert ctx.get(part.sp) == 0
            held: list[int] = []
            for order in orders:
                if (order == "pop" and not held) or (order == "push" and len(held) == depth):
                    break
                await follow(ctx, part, held, order, random.randrange(8), depth)

    clocked(part, every_sequence)


@pytest.mark.parametrize(("width", "depth"), [(6, 8), (1, 2), (18, 16)])
def test_long_sequences_from_empty_to_full_and_back(width: int, depth: int) -> None:
    part = Stack(width, depth)
    random = Random(width)

    async def wander(ctx: Any, _reset: Signal) -> None:
        held: list[int] = []
        seen = set()
        for _ in range(120 * depth):
            orders = ["wait", *["push"] * 2 * (len(held) < depth), *["pop"] * 2 * (len(held) > 0)]
            await follow(ctx, part, held, random.choice(orders), random.randrange(1 << width), depth)
            seen.add(len(held))
        assert seen == set(range(depth + 1))

    clocked(part, wander)


def test_the_pointer_goes_round_both_ways_and_the_last_words_stay() -> None:
    part = Stack(width=6, depth=8)

    async def round_and_round(ctx: Any, _reset: Signal) -> None:
        for pops in range(1, 20):
            await step(ctx, part, "pop", 0)
            assert ctx.get(part.sp) == -pops % 8
        for pushes in range(19):
            await step(ctx, part, "push", pushes)
            assert ctx.get(part.top) == pushes
        assert ctx.get(part.sp) == 0
        for last in reversed(range(11, 19)):
            assert ctx.get(part.top) == last
            await step(ctx, part, "pop", 0)

    clocked(part, round_and_round)


@pytest.mark.parametrize("async_reset", [False, True])
def test_a_reset_empties_it(async_reset: bool) -> None:
    part = Stack()

    async def fill_and_reset(ctx: Any, reset: Signal) -> None:
        for count in range(5):
            await step(ctx, part, "push", count)
        ctx.set(reset, 1)
        if not async_reset:
            await ctx.tick()
        assert ctx.get(part.sp) == 0

    clocked(part, fill_and_reset, async_reset=async_reset)


def test_a_state_shifted_in_is_there_and_what_a_step_makes_of_it_comes_out() -> None:
    """The pointer is nearest to the way in, and the words follow, the first to be pushed first."""
    part = Stack(width=6, depth=8)
    random = Random(2021)

    async def shift_step_shift(ctx: Any, _reset: Signal) -> None:
        for pointer, order in product(range(8), ("push", "pop", "wait")):
            words = [random.randrange(64) for _ in range(8)]
            pushed = random.randrange(64)
            # An order that is given while the path shifts must not be obeyed.
            ctx.set(part.push, 1)
            ctx.set(part.word, random.randrange(64))
            await shifted(ctx, part, bits_of(joined(pointer, words), 51))
            assert (ctx.get(part.sp), ctx.get(part.top)) == (pointer, words[pointer - 1])
            await step(ctx, part, order, pushed)
            if order == "push":
                words[pointer] = pushed
            stepped = (pointer + {"push": 1, "pop": -1, "wait": 0}[order]) % 8
            assert number_of(await shifted(ctx, part, [0] * 51)) == joined(stepped, words)

    clocked(part, shift_step_shift)


def joined(pointer: int, words: list[int]) -> int:
    return pointer | sum(word << 3 + 6 * number for number, word in enumerate(words))


# The scan path on its own: three registers of different widths, one of them signed, in every state.
#
# The registers count down together while nothing shifts, so that a step changes many bits and a path that does not
# override them is found out.

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


def in_a_row(state: list[int]) -> int:
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
            assert number_of(await shifted(ctx, part, [0] * WIDTH)) == in_a_row(stepped)

    clocked(part.circuit, every_state)


@pytest.mark.parametrize("pattern", [0b000001, 0b101100, 0b011010])
def test_a_bit_comes_out_after_as_many_clocks_as_there_are_bits(pattern: int) -> None:
    part = Registers()

    async def stream(ctx: Any, _reset: Signal) -> None:
        started = part.state(ctx)
        bits = bits_of(pattern, WIDTH) * 3
        assert await shifted(ctx, part, bits) == bits_of(in_a_row(started), WIDTH) + bits[:-WIDTH]

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
