"""The arbiter keeps the rules: games at random under it, with legal and illegal chords at every turn.

What is expected comes from `noughts.games`, whose own oracles are written from the prose of the rules.
"""

from random import Random
from typing import Any

import pytest
from amaranth.sim import Simulator

from noughts.games import Move, Outcome, game
from noughts.silicon.arbiter import Arbiter, DoesNotFitError, check_fits

GAMES = {
    "tictactoe": 9,
    "mnk:4,3,3": 12,
    "three-mens-morris": 60,
    "arabian": 60,
    "achi": 60,
    "achi:row-while-placing=no,blocked=draws": 60,
    "six-mens-morris": 40,
}
"""Games, and how many plies of each are played."""


def chord(move: Move) -> int:
    """The keys of all points that a move changes."""
    return sum(1 << point for point in move if point is not None)


@pytest.mark.parametrize("name", GAMES)
def test_the_arbiter_takes_the_legal_moves_alone_and_says_how_a_game_ends(name: str) -> None:
    played, random = game(name), Random(1)
    arbiter, points = Arbiter(played), range(len(played.layout))
    one: Any = arbiter
    ends = set()

    async def play(ctx: Any) -> None:
        left, position, touched = GAMES[name], played.start(), 0
        while left:
            legal = {chord(move): move for move in played.moves(position)}
            assert (ctx.get(one.stones0), ctx.get(one.stones1), ctx.get(one.turn)) == (*position.stones, position.turn)
            over = played.over(position)
            assert (ctx.get(one.lost), ctx.get(one.draw)) == (over is Outcome.LOSS, over is Outcome.DRAW)
            ends.add(over)
            if arbiter.counts:
                assert (ctx.get(one.hand0), ctx.get(one.hand1)) == position.hand
            movable = {point for move in legal.values() for point in (move.to, move.source) if point is not None}
            assert ctx.get(one.movable) == sum(1 << point for point in movable)
            singles = [1 << point for point in points]
            others = [sum({1 << point for point in random.choices(points, k=1 + number % 3)}) for number in range(9)]
            for keys in (*legal, *singles, *others):
                ctx.set(one.key, keys)
                own = position.stones[position.turn]
                allowed = (keys if keys & own else keys | touched) in legal
                touches = over is None and not position.hand[position.turn] and not keys & ~own
                assert (ctx.get(one.legal), ctx.get(one.illegal)) == (allowed, not allowed and not touches)
            keys = own & -own if left % 2 else others[-1]
            illegal = 0 if keys in legal or (keys | touched) in legal else keys
            ctx.set(one.key, illegal)
            await ctx.tick()
            ctx.set(one.key, 0)
            touches = over is None and not position.hand[position.turn] and not illegal & ~own
            touched = (illegal if touches else 0) if illegal else touched
            assert ctx.get(one.touched) == touched
            assert (ctx.get(one.stones0), ctx.get(one.stones1)) == position.stones
            if over is not None:
                return
            chords = [keys for keys in legal if touched and not touched & ~keys]
            keys = random.choice(chords or list(legal))
            # The stone that was touched need not be touched again.
            ctx.set(one.key, keys & ~touched if chords else keys)
            await ctx.tick()
            ctx.set(one.key, 0)
            position, touched = played.after(position, legal[keys]), 0
            left -= 1

    for seed in range(1 if len(points) > 12 else 3):
        random.seed(seed)
        simulator = Simulator(arbiter)
        simulator.add_clock(1e-6)
        simulator.add_testbench(play)
        simulator.run()
    assert None in ends
    assert len(points) > 12 or len(ends) > 1


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("mnk:9,9,5", "has 81 points: expected a game of at most 64"),
        ("achi:blocked=passes", "a blocked player passes: expected a game without passes"),
        ("lasker-morris", "stones may move while others are in hand: expected a game without that rule"),
        ("morabaraba", "a full board is drawn: expected a game without that rule"),
        ("square4:boards=4", "has points on no line: expected a game all of whose points count"),
    ],
)
def test_a_game_that_does_not_fit_is_refused_in_a_line(name: str, why: str) -> None:
    with pytest.raises(DoesNotFitError) as caught:
        check_fits(game(name))
    assert str(caught.value).endswith(why)
    assert repr(name) in str(caught.value)
