"""What the order of moves is worth: the kernels of `lookahead` and `orders` against searches written apart.

The kernels are tried as plain Python, since compiling them takes longer than all of this.
"""

import json
import subprocess
import sys
from math import inf

import pytest

from noughts.games import game as find_game
from noughts.players.chip1990 import Controller

pytestmark = pytest.mark.slow

SCRIPT = """
import json, os
os.environ["NUMBA_DISABLE_JIT"] = "1"
import numpy as np
from noughts.bench import lookahead, orders
from noughts.games import game
from noughts.solve import interrupt
lookahead.stopped = orders.stopped = lambda stop: False
square4, tictactoe = game("square4"), game("tictactoe")
np.seterr(all="ignore")
def first(nodes, many):
    return [next(nodes) for _ in range(many)]
opened = lookahead.Tree("tictactoe", 1, 9)
ways = {way.name: way for way in lookahead.WAYS}
print(json.dumps({
    "minimax": first(lookahead._minimax(tictactoe, opened), 4),
    "points": first(lookahead._alpha_beta(tictactoe, opened, ways["order of the points"]), 4),
    "sorted": first(lookahead._alpha_beta(tictactoe, opened, ways["well ordered"]), 4),
    "random": first(lookahead._alpha_beta(tictactoe, opened, ways["random order"]), 4),
    "least": first(lookahead._least(square4, lookahead.Tree("square4", 2, 1)), 4),
    "as built": [orders.slowest_replies([orders.AS_BUILT], begins=begins)[0] for begins in (False, True)],
    "quickest": orders.slowest_replies([(4, 0, 8, 2, 1, 3, 6, 5, 7)]),
    "orders": [sum(1 for _ in orders.orders())],
    "depths": lookahead.depths(iter([10, 100, 1_000]), (1, 10, 50, 100, 500, 5_000)),
}))
"""


@pytest.fixture(scope="module")
def found() -> dict[str, list[float]]:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    answer: dict[str, list[float]] = json.loads(done.stdout)
    return answer


LINES = [set(line) for line in find_game("tictactoe").layout.lines]


class Negamax:
    """Boards of letters, and every visit counted."""

    def __init__(self, order: str) -> None:
        self.order = order
        self.visited = 0

    def static(self, cells: str, who: str) -> int:
        value = 0
        for line in LINES:
            stones = [cells[point] for point in line if cells[point] != "."]
            if len(set(stones)) == 1:
                value += 4 ** (len(stones) - 1) * (1 if stones[0] == who else -1)
        return value

    def value(self, cells: str, who: str, depth: int, alpha: float, beta: float) -> float:
        self.visited += 1
        other = "XO"["OX".index(who)]
        if any(all(cells[point] == other for point in line) for line in LINES):
            return -1_000
        if "." not in cells:
            return 0
        if depth == 0:
            return self.static(cells, who)
        after = [cells[:point] + who + cells[point + 1 :] for point in range(9) if cells[point] == "."]
        if self.order == "sorted":
            after.sort(key=lambda one: -self.static(one, who))
        best = -inf
        for one in after:
            best = max(best, -self.value(one, other, depth - 1, -beta, -alpha))
            if self.order != "minimax":
                alpha = max(alpha, best)
                if alpha >= beta:
                    break
        return best


@pytest.mark.parametrize("order", ["minimax", "points", "sorted"])
def test_as_many_positions_are_visited_as_by_a_textbook(found: dict[str, list[float]], order: str) -> None:
    for depth in range(1, 5):
        plain = Negamax(order)
        for opening in range(9):
            plain.value("." * opening + "X" + "." * (8 - opening), "O", depth, -inf, inf)
        assert found[order][depth - 1] == pytest.approx(plain.visited / 9)


def test_in_random_order_there_are_fewer_than_all_and_more_than_well_ordered(found: dict[str, list[float]]) -> None:
    for depth in (3, 4):
        assert found["sorted"][depth - 1] < found["random"][depth - 1] < found["minimax"][depth - 1]


def test_the_chip_as_it_was_built_is_one_of_the_orders(found: dict[str, list[float]]) -> None:
    """By its player; where the chip begins there are two stones on the board."""
    assert (
        found["as built"] == [slowest_after(0), max(slowest_after(1 << place) for place in range(9))] == [15_007, 7_303]
    )


def slowest_after(chip: int) -> int:
    return max(len(Controller(chip, 1 << user).run().states) for user in range(9) if 1 << user != chip)


QUICKEST = (4, 0, 8, 2, 1, 3, 6, 5, 7)


def test_in_another_order_the_chip_would_keep_its_millisecond(found: dict[str, list[float]]) -> None:
    """The centre, two corners opposite each other, and so on: 5,752 cycles by a search of letters."""

    def cycles(cells: str, who: str, a: int, ground: bool) -> tuple[int, int]:
        """What the search is worth to the opponent, and the cycles of *setboardi*, *rating* and *returned*."""
        best, spent = -1, 0
        for place in (place for place in QUICKEST if cells[place] == "."):
            after = cells[:place] + who + cells[place + 1 :]
            spent += 2
            if any(all(after[point] == who for point in line) for line in LINES):
                return -1, spent
            if "." not in after:
                return 0, spent
            worth, more = cycles(after, "XO"["OX".index(who)], -best, False)
            spent += more + 1
            best = max(best, worth)
            if worth >= a:
                break
        return -best, spent + (2 if ground and best < 1 else int(ground))

    openings = ["." * place + "X" + "." * (8 - place) for place in range(9)]
    assert found["quickest"] == [max(cycles(cells, "O", 1, True)[1] for cells in openings)] == [5_752]
    assert found["orders"] == [362_880 / 8]


def test_the_least_is_knuth_and_moores(found: dict[str, list[float]]) -> None:
    """On 14 free points: 14 + 1 − 1 more at depth 1, then 14 + 13 − 1, then 14·12 + 13 − 1, then 14·12 + 13·11 − 1."""
    assert found["least"] == [15, 41, 41 + 180, 41 + 180 + 310]


def test_between_two_depths_the_logarithm_counts(found: dict[str, list[float]]) -> None:
    one, two, between, three, further, all_of_it = found["depths"]
    assert (one, two, three) == (0, 1, 2)
    assert between == pytest.approx(1.69897, abs=1e-5)
    assert further == pytest.approx(2.69897, abs=1e-5)
    assert all_of_it is None
