"""The machine of 76 lines decides as the player basic3 does, who follows the listing of 1977 line by line.

A compiler works on the whole chip for a quarter of a minute, so the decision is asked in Amaranth's own simulator, and
the chip by `noughts silicon check lines1977`, whose answers are held against the player here.
"""

import random
from typing import Any

import pytest
from amaranth.hdl import Fragment
from amaranth.sim import Simulator

from noughts.games import Game, Position, game
from noughts.players import player
from noughts.players.listing1977 import COMBINATIONS, THROUGH
from noughts.silicon.designs.lines1977 import cube
from noughts.silicon.designs.lines1977.check import answer
from noughts.silicon.designs.lines1977.circuit import Board, Decision, Tournament

QUBIC: Game = game("qubic")
BASIC3 = player("basic3", 0)


def in_boxes(points: int) -> int:
    return sum((points >> cube.point_of(box) & 1) << box for box in range(64))


def positions(games: int, seed: int) -> list[Position]:
    """Where basic3 has to move in games against users who see rows of three, more or less often."""
    chance = random.Random(seed)
    users = [player(name, seed) for name in ("random", "basic2", "basicf")]
    found = []
    for number in range(games):
        position, user, machine = QUBIC.start(), users[number % len(users)], number // len(users) % 2
        while QUBIC.over(position) is None:
            if position.turn == machine:
                found.append(position)
                move = BASIC3.choose(QUBIC, position).move
            elif chance.random() < 0.2:
                move = chance.choice(QUBIC.moves(position))
            else:
                move = user.choose(QUBIC, position).move
            position = QUBIC.after(position, move)
    return found


def set_up_anyhow(count: int, seed: int) -> list[tuple[int, int]]:
    """Boards of the machine's stones and the user's without a row, as program E takes them."""
    chance = random.Random(seed)
    boards: list[tuple[int, int]] = []
    while len(boards) < count:
        machine, user = 0, 0
        for point in chance.sample(range(64), chance.randrange(64)):
            stone = 1 << point
            if chance.random() < 0.5 and not QUBIC.layout.has_row(machine | stone):
                machine |= stone
            elif not QUBIC.layout.has_row(user | stone):
                user |= stone
        boards.append((machine, user))
    return boards


def basic3s(machine: int, user: int) -> int:
    hands = (32, 32)
    choice = BASIC3.choose(QUBIC, Position((machine, user), hands, 0))
    assert choice.move.to is not None
    return choice.move.to


def test_the_combinations_are_those_of_the_listing() -> None:
    assert cube.COMBINATIONS == COMBINATIONS
    assert cube.THROUGH == THROUGH


@pytest.mark.slow
def test_what_the_check_expects_is_what_the_player_answers() -> None:
    """The prose of the article against the listing, in hundreds of positions."""
    reached = positions(60, seed=3)
    assert len({position.stones for position in reached}) > 400
    for position in reached:
        own, others = position.stones[position.turn], position.stones[1 - position.turn]
        assert answer(own, others) == BASIC3.choose(QUBIC, position).move.to
    for machine, user in set_up_anyhow(100, seed=5):
        assert answer(machine, user) == basic3s(machine, user)


@pytest.mark.slow
def test_the_circuit_decides_as_the_player() -> None:
    """In the simulator of Amaranth, a hundredth of a second a board: in games, and on boards set up anyhow."""
    reached = random.Random(7).sample(positions(12, seed=11), 40)
    boards = [(p.stones[p.turn], p.stones[1 - p.turn]) for p in reached] + set_up_anyhow(20, seed=13)
    decision = Decision()
    simulator = Simulator(decision)

    async def bench(context: Any) -> None:
        for machine, user in boards:
            context.set(decision.machine, in_boxes(machine))
            context.set(decision.user, in_boxes(user))
            assert in_boxes(context.get(decision.chosen)) == 1 << basic3s(machine, user), (machine, user)

    simulator.add_testbench(bench)
    simulator.run()


@pytest.mark.slow
def test_the_tournament_finds_the_first_of_the_best() -> None:
    chance = random.Random(17)
    tournament = Tournament()
    simulator = Simulator(tournament)

    async def bench(context: Any) -> None:
        for most in (0, 1, 3, 63) * 3:
            worths = [chance.randint(0, most) for _ in range(64)]
            for box, worth in enumerate(worths):
                context.set(getattr(tournament, f"worth{box}"), worth)
            assert context.get(tournament.chosen) == 1 << worths.index(max(worths))

    simulator.add_testbench(bench)
    simulator.run()


def test_a_stone_gets_its_reply_one_clock_later_unless_it_is_set_up_quietly() -> None:
    board = Board()
    Fragment.get(board, None)
    simulator = Simulator(board)
    simulator.add_clock(1e-6)

    async def bench(context: Any) -> None:
        context.set(board.choice, 1 << 9)
        context.set(board.place, 5)
        context.set(board.play, 1)
        context.set(board.quiet, 1)
        context.set(board.mine, 1)
        await context.tick()
        assert (context.get(board.machine), context.get(board.user), context.get(board.turn)) == (1 << 5, 0, 0)
        context.set(board.quiet, 0)
        context.set(board.mine, 0)
        await context.tick()  # there is a stone
        assert (context.get(board.user), context.get(board.turn)) == (0, 0)
        context.set(board.place, 6)
        await context.tick()
        assert (context.get(board.user), context.get(board.turn), context.get(board.waiting)) == (1 << 6, 1, 0)
        context.set(board.place, 7)
        await context.tick()  # the machine's turn: keys do nothing
        assert (context.get(board.machine), context.get(board.user)) == (1 << 5 | 1 << 9, 1 << 6)
        assert context.get(board.waiting) == 1
        context.set(board.over, 1)
        await context.tick()
        assert (context.get(board.user), context.get(board.turn)) == (1 << 6, 0)

    simulator.add_testbench(bench)
    simulator.run()
