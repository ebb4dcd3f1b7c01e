"""Small policies: what they lead to, counted by kernels, and played out here by the rules alone."""

from collections.abc import Iterator

import numpy as np
import pytest

from noughts.games import Game, Move, Outcome, Position, game
from noughts.silicon.designs.rom2026.orders import ORDERS
from noughts.solve import solve
from noughts.solve.policies import Walker, entropy, everything, solved


def policy(of: Game, position: Position, order: tuple[int, ...]) -> int:
    """Win; else block; else make two threats; else take the point of the other's two; else any: first in the order."""
    mine, theirs = position.stones[position.turn], position.stones[1 - position.turn]
    free = [point for point in order if not position.occupied >> point & 1]

    def threats(own: int, other: int) -> set[int]:
        missing = {line & ~own for line in of.layout.line_sets if not line & other}
        return {points.bit_length() - 1 for points in missing if points.bit_count() == 1}

    for own, other in ((mine, theirs), (theirs, mine)):
        now = threats(own, other)
        if now:
            return next(point for point in free if point in now)
    for own, other in ((mine, theirs), (theirs, mine)):
        for point in free:
            if len(threats(own | 1 << point, other)) > 1:
                return point
    return free[0]


def played_out(of: Game, order: tuple[int, ...], begins: int) -> Iterator[tuple[Position, Position]]:
    """Every position in which the policy is asked, and the one after its move, in all games by the rules."""
    start = of.start()
    waiting = [start] if begins == 0 else [of.after(start, move) for move in of.moves(start)]
    known = set(waiting)
    while waiting:
        position = waiting.pop()
        after = of.after(position, Move(policy(of, position, order)))
        yield position, after
        for answer in of.moves(after):
            asked = of.after(after, answer)
            if of.over(asked) is None and asked not in known:
                known.add(asked)
                waiting.append(asked)
            assert of.over(asked) is not Outcome.LOSS, f"lost at {of.write(asked)}"


@pytest.mark.slow
def test_four_rules_and_an_order_play_four_by_four_perfectly_when_they_begin() -> None:
    square4 = game("square4")
    solution = solve(square4)
    order = ORDERS["square4"][0]
    count = 0
    for position, after in played_out(square4, order, 0):
        count += 1
        assert solution.value(after).before().outcome is solution.value(position).outcome
    found = Walker(solved(square4)).walk(order, rules=4, keeping=True, begins=0)
    assert (found.reached, found.wrong) == (count, 0)


def test_tic_tac_toe_has_as_many_positions_in_play_as_are_known() -> None:
    positions, classes, kinds = everything(solved(game("tictactoe")))
    assert (positions, kinds.sum()) == (4_520, 4_520)
    assert classes == 627  # the 765 of the literature less 138 in which the game is over
    assert kinds[0] == 0


def test_the_kernel_goes_where_the_rules_go() -> None:
    tictactoe = game("tictactoe")
    walker = Walker(solved(tictactoe))
    order = (4, 0, 8, 2, 6, 1, 3, 5, 7)
    found = walker.walk(order, rules=4, keeping=True, begins=0)
    assert found.wrong == 0
    assert found.reached == len(list(played_out(tictactoe, order, 0)))


def test_a_policy_that_goes_wrong_is_counted() -> None:
    walker = Walker(solved(game("tictactoe")))
    assert walker.walk(range(9), rules=0).wrong > walker.walk(range(9), rules=2).wrong > 0


def test_an_image_stands_for_all() -> None:
    walker = Walker(solved(game("tictactoe")))
    plain, symmetric = (walker.walk(range(9), symmetric=symmetric) for symmetric in (False, True))
    assert plain.reached == len(plain.mine) > 2 * symmetric.reached
    assert all(chosen & allowed for chosen, allowed in zip(plain.chosen, plain.allowed, strict=True))


def test_what_may_be_anything_takes_no_bits_and_one_of_two_a_bit() -> None:
    free, either = np.zeros(4, int), np.zeros(4, int)
    free[0b11] = 100
    either[0b01] = either[0b10] = 50
    assert entropy(free, 2) == pytest.approx(0)
    assert entropy(either, 2) == pytest.approx(100)


@pytest.mark.slow
def test_every_third_point_is_an_order_that_never_loses_on_4_by_4_but_leaves_wins() -> None:
    walker = Walker(solved(game("square4")))
    order = [3 * step % 16 for step in range(16)]
    assert walker.walk(order, rules=4).wrong == 0
    assert walker.walk(order, rules=4, keeping=True).wrong > 0
