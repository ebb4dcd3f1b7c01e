"""Keeping the tree: without one it is the chip, with one it has the same moves and tries no stone twice in vain."""

from pathlib import Path
from statistics import fmean

import pytest

from noughts.bench.keeping import Node, _anew, replies, reply
from noughts.games import game as find_game
from noughts.players import NoMoveFoundError, player
from noughts.solve import solve
from oracles.machine1990 import figure1

pytestmark = pytest.mark.slow

GAME = find_game("tictactoe")
CLAIMS = Path(__file__).parents[2] / "docs" / "claims.md"


@pytest.mark.parametrize("search", ["alpha-beta", "figure1", "minimax"])
def test_without_a_tree_it_is_the_chip(search: str) -> None:
    chip, program = player(f"chip1990:search={search}"), player(f"c1990:search={search}")
    few = [one for one in solve(GAME).positions() if one.occupied.bit_count() >= 6 and GAME.over(one) is None]
    compared = 0
    for position in [*few[::5], GAME.play("b2", "a1", "c1")]:
        own, other = position.stones[position.turn], position.stones[1 - position.turn]
        try:
            expected = program.choose(GAME, position).nodes, chip.choose(GAME, position).cycles
        except NoMoveFoundError:
            continue
        made = reply(own, other, search, Node())
        assert (made.tried, made.cycles) == expected, GAME.write(position)
        assert made.kept == made.tried
        compared += 1
    assert compared > 100


def test_with_a_tree_the_moves_are_the_same_and_never_later() -> None:
    """All games of alpha-beta: the first reply is the same work, every later one at most as much."""
    fewer = 0
    every = list(replies("alpha-beta"))
    for asked in every:
        assert asked.kept.place == asked.anew.place
        if asked.number == 1:
            assert asked.kept == asked.anew
        else:
            assert asked.kept.tried <= asked.anew.tried
            fewer += asked.kept.tried < asked.anew.tried
    assert fewer > 100
    for number in range(1, 5):
        these = [one for one in every if one.number == number]
        means = [
            fmean(cost.cycles for cost in costs) for costs in zip(*((one.anew, one.kept) for one in these), strict=True)
        ]
        most = [
            max(cost.cycles for cost in costs) for costs in zip(*((one.anew, one.kept) for one in these), strict=True)
        ]
        quoted = f"| {number} | {most[0]:,} | {means[0]:,.1f} | {most[1]:,} | {means[1]:,.1f} |"
        assert quoted in CLAIMS.read_text()


def test_by_figure_1_every_worth_is_exact_so_that_a_later_reply_only_reads() -> None:
    """But for what its own win has skipped: from the second reply to an opening in the corner nothing is tried."""
    tree = Node()
    first = reply(0, 1, "figure1", tree)
    assert first.tried == figure1("X........", "O").tried == tree.size()
    for place in (1, 2, 5, 8):
        below = tree.children[first.place].children[place]
        after = reply(1 << first.place, 1 | 1 << place, "figure1", below)
        assert after.tried == 0
        assert after.place == _anew("figure1", 1 << first.place, 1 | 1 << place).place
        assert after.cycles <= 9
