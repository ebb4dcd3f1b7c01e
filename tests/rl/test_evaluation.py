"""Policies judged exactly, beside plain recursion over strings and values that are known."""

from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from noughts.arena.fallible import Opponent, Study
from noughts.games import Position
from noughts.games import game as find_game
from noughts.rl.answers import Odds, PolicyError
from noughts.rl.backwards import Responding
from noughts.rl.evaluation import Judge, Response
from noughts.rl.layers import Layer
from noughts.rl.loops import without_subtraction
from noughts.rl.policy import Given, Policy, as_policy, by_observation, by_position
from noughts.solve import TooLargeError
from oracles import policies as plain

Array = NDArray[Any]
judge_of = cache(Judge)
TICTACTOE = judge_of("tictactoe")


def position_of(board: str) -> Position:
    x, o = (sum(1 << cell for cell in range(9) if board[cell] == stone) for stone in "XO")
    return Position((x, o), (5 - x.bit_count(), 4 - o.bit_count()), x.bit_count() - o.bit_count())


def uniform(board: str) -> dict[int, float]:
    cells = plain.after(board)
    return dict.fromkeys(cells, 1 / len(cells))


def first(board: str) -> dict[int, float]:
    return {board.index("."): 1.0}


def perfect(board: str) -> dict[int, float]:
    """One that keeps the value, the last: not the player of that name."""
    return {[cell for cell, then in plain.after(board).items() if -plain.value(then) == plain.value(board)][-1]: 1.0}


def drawn_at_random(seed: int, zeros: bool) -> plain.Policy:
    @cache
    def odds(board: str) -> dict[int, float]:
        random = Random(f"{seed} {board}")
        weights = {cell: 0.0 if zeros and random.random() < 0.5 else random.random() for cell in plain.after(board)}
        total = sum(weights.values())
        return {cell: weight / total for cell, weight in weights.items()} if total else uniform(board)

    return odds


PLAIN = {
    "uniform": uniform,
    "first": first,
    "perfect": perfect,
    "random table": drawn_at_random(1, zeros=False),
    "random table with gaps": drawn_at_random(2, zeros=True),
}


def as_table(policy: plain.Policy) -> Policy:
    return by_position({position_of(board): policy(board) for board in plain.boards()})


@pytest.mark.parametrize("name", PLAIN)
def test_tictactoe_is_judged_as_plain_recursion_judges_it(name: str) -> None:
    policy = PLAIN[name]
    verdict = TICTACTOE.verdict(as_table(policy), against=("random", as_table(PLAIN["random table"])))
    responses = plain.best_response(policy, "X"), plain.best_response(policy, "O")
    assert verdict.exploitability == pytest.approx(sum(responses) / 2, abs=1e-14)
    assert verdict.gives_away == pytest.approx((responses[1], responses[0]), abs=1e-14)
    assert verdict.mistakes == pytest.approx(plain.mistakes(policy), abs=1e-14)
    for result, other in zip(verdict.results, (uniform, PLAIN["random table"]), strict=True):
        assert result.as_x == pytest.approx(plain.outcomes(policy, other), abs=1e-14)
        assert result.as_o == pytest.approx(plain.outcomes(other, policy)[::-1], abs=1e-14)


def test_mistakes_are_weighed_by_how_likely_they_are_reached() -> None:
    policy, other = PLAIN["first"], PLAIN["random table with gaps"]
    result = TICTACTOE.result(as_table(policy), as_table(other))
    assert result.mistakes == pytest.approx(plain.mistakes_in_games(policy, other), abs=1e-14)


def test_dice_at_tictactoe_come_out_as_is_known() -> None:
    as_x, as_o = TICTACTOE.result("random", "random")[1:3]
    assert as_x == pytest.approx((Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420)), abs=1e-15)
    assert as_o == pytest.approx(as_x[::-1], abs=1e-15)


@pytest.mark.parametrize("name", ["tictactoe", "mnk:3,2,3", "achi"])
def test_nobody_gains_anything_against_perfect_play(name: str) -> None:
    judge = judge_of(name)
    verdict = judge.verdict("perfect")
    assert verdict.exploitability == pytest.approx(0, abs=1e-12)
    assert verdict.mistakes == 0
    assert verdict.results[1].as_x.mean == pytest.approx(judge.value, abs=1e-12)
    for side, line in zip((1, -1), verdict.lines, strict=True):
        assert (line is None) == (judge.value != side)


@pytest.mark.parametrize("name", ["tictactoe", "achi"])
def test_the_best_response_gets_what_it_is_said_to_get(name: str) -> None:
    judge = judge_of(name)
    for policy in ("random", lambda board: board.moves[-1]):
        response = judge.response(policy)
        result = judge.result(response, policy)
        assert (result.as_x.mean, result.as_o.mean) == pytest.approx(response.values, abs=1e-9)


def test_a_line_beats_a_policy_that_leaves_nothing_to_chance() -> None:
    game = find_game("tictactoe")
    response = TICTACTOE.response(as_table(first))
    for side in "xo":
        line = response.line(side)
        assert line is not None
        assert line.likely == 1
        position = game.start()
        for move in line.moves:
            if "xo"[position.turn] != side:
                assert move == game.write_move(game.moves(position)[0])
            position = game.after(position, game.read_move(position, move))
        assert game.over(position) == "loss"
        assert "xo"[1 - position.turn] == side
    quickest = response.line()
    assert quickest is not None
    assert quickest.side == "x"
    assert len(quickest.moves) == 5  # three stones of X, two of O
    with pytest.raises(PolicyError, match="'X' is no side: expected x or o"):
        response.line("X")


def test_opponents_who_err_are_judged_as_the_study_of_them_does() -> None:
    study = Study(find_game("tictactoe"))

    result = TICTACTOE.result("perfect", Slipping(0.3))
    for side, shares in enumerate((result.as_x, result.as_o)):
        found = study.expectation("perfect", Opponent(0.3, blind=True), side)
        assert (shares.won, shares.lost) == pytest.approx(found, abs=1e-12)


def moving_graph(judge: Judge) -> tuple[list[Position], dict[Position, list[tuple[float, Position]]]]:
    """All positions of a moving game, by the rules alone, and what follows them, all moves alike."""
    game, seen, waiting = judge.game, {judge.game.start()}, [judge.game.start()]
    graph = {}
    while waiting:
        position = waiting.pop()
        then = [game.after(position, move) for move in game.moves(position)]
        graph[position] = [(1 / len(then), one) for one in then]
        waiting += set(then) - seen
        seen |= set(then)
    return list(graph), graph


@pytest.mark.slow
def test_value_iteration_comes_to_the_same_best_response_at_achi() -> None:
    judge = judge_of("achi")
    positions, graph = moving_graph(judge)
    response = judge.response("random")
    for side in (0, 1):
        value = dict.fromkeys(positions, 0.0)
        for position in positions:
            if judge.game.over(position) == "loss":
                value[position] = 1.0 if position.turn != side else -1.0
        change = 1.0
        while change > 1e-13:
            change = 0.0
            for position in reversed(positions):
                if graph[position]:
                    after = graph[position]
                    own = position.turn == side
                    new = max(value[one] for _, one in after) if own else sum(p * value[one] for p, one in after)
                    change, value[position] = max(change, abs(new - value[position])), new
        assert response.values[side] == pytest.approx(value[judge.game.start()], abs=1e-9)


@pytest.mark.parametrize("name", ["achi", "achi:blocked=passes"])
def test_a_policy_without_chance_is_a_maze_for_its_opponent(name: str) -> None:
    """Won if a win can be reached, lost if every way leads to a loss, else drawn: by search, not by equations."""
    judge = judge_of(name)
    game, positions, graph = judge.game, *moving_graph(judge)
    response = judge.response(lambda board: board.moves[-1])
    for side in (0, 1):
        after = {
            position: [one for _, one in (then if position.turn == side else then[-1:])]
            for position, then in graph.items()
        }
        lost = {position for position in positions if game.over(position) == "loss" and position.turn == side}
        won = {position for position in positions if game.over(position) == "loss" and position.turn != side}
        count = -1
        while count != len(won) + len(lost):
            count = len(won) + len(lost)
            won |= {position for position in positions if won & set(after[position])}
            lost |= {position for position in positions if after[position] and set(after[position]) <= lost}
        start = game.start()
        assert response.values[side] == pytest.approx((start in won) - (start in lost), abs=1e-9)


class Slipping(Policy):
    """Plays perfectly, but for a slip now and then."""

    def __init__(self, often: float) -> None:
        self.often = often

    def odds(self, layer: Layer) -> Odds:
        every, best = (moves / moves.sum(axis=1, keepdims=True) for moves in (layer.legal, layer.best))
        return np.asarray((1 - self.often) * best + self.often * every)


def test_what_a_slip_costs_is_known_however_rare_it_is() -> None:
    judge = judge_of("achi:adjacency=king,row-while-placing=no,diagonals=no,blocked=draws")
    assert judge.value == 0
    costs = [judge.exploitability(Slipping(often)) / often for often in (1e-7, 1e-11, 1e-15)]
    assert costs[1:] == pytest.approx(costs[:1] * 2, rel=1e-6)


@pytest.mark.slow
def test_whoever_waits_beats_a_slip_however_rare_it_is() -> None:
    assert judge_of("arabian").exploitability(Slipping(1e-13)) == pytest.approx(1)


def exactly(chances: list[list[Fraction]], total: list[Fraction]) -> list[Fraction]:
    """The solution of v = total + chances v, by elimination with fractions."""
    count = len(total)
    rows = [[Fraction(int(i == j)) - chances[i][j] for j in range(count)] + [total[i]] for i in range(count)]
    for pivot in range(count):
        rows[pivot] = [entry / rows[pivot][pivot] for entry in rows[pivot]]
        for row in range(count):
            if row != pivot:
                factor = rows[row][pivot]
                rows[row] = [entry - factor * above for entry, above in zip(rows[row], rows[pivot], strict=True)]
    return [row[-1] for row in rows]


def test_equations_that_are_all_but_singular_are_solved_to_the_last_digits() -> None:
    random = Random(3)
    weights = [
        [Fraction(random.randrange(1, 9)) * Fraction(10) ** -random.randrange(0, 30, 10) for _ in range(8)]
        for _ in range(6)
    ]
    for row in weights:
        row[-2:] = [entry / 10**25 for entry in row[-2:]]  # the chances to win and to lose
    rows = [[entry / sum(row) for entry in row] for row in weights]
    chances, won = [row[:6] for row in rows], [row[6] for row in rows]
    leaves = [row[6] + row[7] for row in rows]
    found = without_subtraction(np.array(chances, float), np.array(won, float)[:, None], np.array(leaves, float))
    assert found[:, 0] == pytest.approx([float(one) for one in exactly(chances, won)], rel=1e-13)


def test_a_network_that_is_given_as_a_function_is_asked_in_batches() -> None:
    asked: list[tuple[int, ...]] = []

    def network(observations: Array, masks: Array) -> Array:
        asked.append(observations.shape)
        return np.asarray(masks / masks.sum(axis=1, keepdims=True), np.float32)

    assert TICTACTOE.exploitability(network) == pytest.approx(TICTACTOE.exploitability("random"), abs=1e-6)
    assert len(asked) == 9 + 5  # of the small layers a second time
    assert sum(shape[0] for shape in dict.fromkeys(asked)) == 4520
    assert all(shape[1:] == (3, 3, 2) for shape in asked)


class Overheard(Policy):
    """A policy, and what it has been asked about."""

    def __init__(self, policy: Policy) -> None:
        self.policy, self.asked = policy, list[Position]()

    def odds(self, layer: Layer) -> Odds:
        self.asked += layer
        return self.policy.odds(layer)


@pytest.mark.parametrize("name", PLAIN)
def test_a_best_response_asks_a_policy_only_where_games_against_it_get(name: str) -> None:
    policy = PLAIN[name]
    overheard = Overheard(as_table(policy))
    responses = plain.best_response(policy, "X"), plain.best_response(policy, "O")
    assert TICTACTOE.response(overheard).values == pytest.approx(responses, abs=1e-14)
    reached = {board for side in "XO" for board in plain.reached(policy, side)}
    assert sorted(overheard.asked) == sorted(map(position_of, reached))


def test_rounding_makes_no_policy_worse_than_the_worst() -> None:
    found = Responding()
    found.values = [np.array([1 + 4e-16]), np.array([1.0])]
    found.plies = [np.zeros(1, np.int16)] * 2
    assert found.values[0] > 1
    assert Response(TICTACTOE, as_policy("random"), found, []).exploitability == 1


def test_a_single_opponent_may_be_named() -> None:
    assert TICTACTOE.verdict("random", against="perfect") == TICTACTOE.verdict("random", against=("perfect",))


@pytest.mark.parametrize("name", ["qubic", "mnk:17,1,3", "six-mens-morris"])
def test_a_game_too_large_is_refused_in_a_line(name: str) -> None:
    with pytest.raises(TooLargeError, match=f"{name} is too large to judge a policy exactly: .* of at most 16 cells"):
        Judge(name)


@pytest.mark.parametrize("policy", ["c1990", "chip1990", by_observation(lambda _o, m: m.argmax(axis=1))])
def test_whoever_never_loses_value_is_not_exploitable_and_others_are(policy: Given) -> None:
    never = policy in ("c1990", "chip1990")
    assert (TICTACTOE.exploitability(policy) == 0) == never
