"""The stack, against a Python list: all short sequences of pushes and pops, long drawn ones, and the scan path."""

from itertools import product
from random import Random
from typing import Any

import pytest
from amaranth.hdl import Signal

from amaranth_bench import bits_of, clocked, number_of, shifted
from noughts.silicon.parts import Stack


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
