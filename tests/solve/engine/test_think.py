"""The engine: what it proves is so, it finds what there is to find, and it keeps to the rules and to its time."""

import os
import signal
import threading
from collections.abc import Iterator
from functools import cache
from multiprocessing import get_context
from random import Random
from time import perf_counter, process_time

import numpy as np
import pytest

from catalogue_names import EVERY
from noughts.games import Game, Move, Outcome, Position
from noughts.games import game as find_game
from noughts.games.points import members
from noughts.solve import UNKNOWN, Value, solve
from noughts.solve.engine import rate, think
from noughts.solve.engine.state import new_state
from noughts.solve.engine.threats import find
from noughts.solve.engine.work import SEARCH
from noughts.solve.qubic.chains import find_win

pytestmark = pytest.mark.slow


def some_position(game: Game, random: Random, plies: int) -> Position:
    """A position that is not over, so many random moves from the start, or fewer."""
    position = game.start()
    for _ in range(plies):
        then = game.after(position, random.choice(game.moves(position)))
        if game.over(then) is not None:
            break
        position = then
    return position


def classes(game: Game) -> Iterator[Position]:
    """One position of each class that a solution holds and that is not over."""
    seen = set()
    for position in solve(game).positions():
        if game.over(position) is None and (least := game.canonical(position)) not in seen:
            seen.add(least)
            yield position


def test_every_position_of_tictactoe_is_solved_with_its_distance() -> None:
    game = find_game("tictactoe")
    solution, count = solve(game), 0
    for position in classes(game):
        expected = {rated.move: rated.value for rated in solution.moves(position)}
        found = rate(game, position)
        assert found.value == solution.value(position), game.write(position)
        assert count % 8 or think(game, position).value == found.value
        for rated in found.moves:
            assert rated.value.outcome == expected[rated.move].outcome
            assert rated.value.remoteness in (expected[rated.move].remoteness, None)
        assert found.moves[0].value == expected[found.moves[0].move]
        count += 1
    assert count == 765 - 138  # all classes but those that are over


@pytest.mark.parametrize("name", ["achi", "achi:blocked=passes", "arabian", "three-mens-morris"])
def test_where_stones_move_all_wins_and_losses_are_found(name: str) -> None:
    """A draw is play without end there, which no search of a tree can prove."""
    game = find_game(name)
    solution = solve(game)
    decided = 0
    for position in classes(game):
        value = solution.value(position)
        found = think(game, position, nodes=1_000 if value.outcome is Outcome.DRAW else 100_000)
        assert found.value == (UNKNOWN if value.outcome is Outcome.DRAW else value), game.write(position)
        decided += value.outcome is not Outcome.DRAW
    assert decided > 100


@pytest.mark.parametrize("name", ["mnk:4,3,3", "square4", "mnk:5,3,3", "mnk:6,3,4"])
@pytest.mark.parametrize("nodes", [300, 30_000])
def test_what_is_called_proved_agrees_with_the_solution(name: str, nodes: int) -> None:
    game, random = find_game(name), Random(name)
    solution = solve(game)
    proved = 0
    for number in range(60):
        position = some_position(game, random, 2 + number % 12)
        exact = {rated.move: rated.value for rated in solution.moves(position)}
        found = rate(game, position, nodes=nodes)
        for rated in found.moves:
            if rated.value != UNKNOWN:
                proved += 1
                assert rated.value.outcome == exact[rated.move].outcome, game.write(position)
                assert rated.value.remoteness in (exact[rated.move].remoteness, None), game.write(position)
                assert_within(rated.at_most, exact[rated.move], rated.value)
        if found.value != UNKNOWN:
            assert found.value.outcome == solution.value(position).outcome
            assert found.value.remoteness in (solution.value(position).remoteness, None)
            assert found.at_most is None or found.at_most >= (solution.value(position).remoteness or 0)
    assert proved > 50


def assert_within(at_most: int | None, exact: Value, said: Value) -> None:
    """A bound stands where a win or loss has no distance, and the solution is not beyond it."""
    bounded = said.outcome in (Outcome.WIN, Outcome.LOSS) and said.remoteness is None
    assert (at_most is not None) is bounded
    assert at_most is None or at_most >= (exact.remoteness or 0)


def test_a_loss_of_known_distance_is_said_of_the_position_and_bounds_every_move() -> None:
    game = find_game("mnk:6,6,4")
    found = rate(game, game.play("c3"))
    assert str(found.value) == "loss in 10"
    assert found.moves[0].value == found.value
    assert {one.value.remoteness or one.at_most for one in found.moves} == {10}


def test_what_is_proved_of_a_move_holds_for_its_images() -> None:
    game = find_game("mnk:6,6,4")
    wins = {game.write_move(one.move) for one in rate(game, game.start()).moves if one.value.outcome is Outcome.WIN}
    assert wins == {"c3", "d3", "c4", "d4"}


def rows_at_once(game: Game, stones: int, other: int) -> list[int]:
    """The points that fill a line: by looking at every line."""
    return [
        point
        for point in range(len(game.layout))
        if not (stones | other) >> point & 1
        and any(line & ~(stones | 1 << point) == 0 for line in game.layout.lines_through[point])
    ]


def follow(game: Game, start: Position, plies: int) -> int:
    """Play the engine's moves against every reply, and see it win in so many plies; how many positions it took."""
    winner = start.turn
    seen: dict[Position, int] = {}

    def to_move(position: Position, left: int) -> None:
        least = game.canonical(position)
        if seen.get(least, -1) >= left:
            return
        seen[least] = left
        own, other = position.stones[winner], position.stones[1 - winner]
        assert left >= 1, game.write(position)
        if rows_at_once(game, own, other):
            return
        found = think(game, position, nodes=100_000)
        assert found.value.outcome is Outcome.WIN, game.write(position)
        then = game.after(position, found.moves[0].move)
        own, other = then.stones[winner], then.stones[1 - winner]
        assert not rows_at_once(game, other, own), "the other side fills a row first"
        wins = rows_at_once(game, own, other)
        for point in wins[:1] or members(game.layout.everywhere & ~then.occupied):
            to_move(game.after(then, Move(point)), left - 2)

    to_move(start, plies)
    return len(seen)


@pytest.mark.parametrize(("name", "plies"), [("mnk:5,5,3", 5), ("mnk:7,3,3", 7), ("mnk:6,6,4", 11), ("mnk:6,5,4", 11)])
def test_the_first_player_wins_and_the_win_holds_against_every_reply(name: str, plies: int) -> None:
    game = find_game(name)
    found = think(game, game.start())
    assert found.value == Value(Outcome.WIN, plies)
    assert follow(game, game.start(), plies) > 5


def quickest(game: Game, position: Position, plies: int) -> bool:
    """Whether the player to move wins within so many plies: by trying everything, from the rules alone."""

    @cache
    def wins(at: Position, left: int) -> bool:
        return left > 0 and any(loses(game.after(at, move), left - 1) for move in game.moves(at))

    @cache
    def loses(at: Position, left: int) -> bool:
        end = game.over(at)
        if end is not None:
            return end is Outcome.LOSS
        return left > 0 and all(wins(game.after(at, move), left - 1) for move in game.moves(at))

    return wins(position, plies)


def test_on_seven_by_three_nobody_wins_sooner_than_in_seven() -> None:
    game = find_game("mnk:7,3,3")
    assert not quickest(game, game.start(), 5)


@pytest.mark.parametrize(("name", "centre"), [("mnk:9,9,5", "e5"), ("mnk:15,15,5", "h8"), ("mnk:19,19,5", "j10")])
def test_the_first_stone_on_a_large_board_goes_to_its_centre(name: str, centre: str) -> None:
    game = find_game(name)
    for ask in (think, rate):
        assert game.layout.points[ask(game, game.start(), nodes=2000).moves[0].move.to or 0] == centre


def test_a_win_three_plies_away_is_seen_on_a_large_board() -> None:
    game = find_game("mnk:6,6,4")
    found = rate(game, game.play("c3", "a1", "c4", "a2"))
    assert str(found.value) == "win in 3"
    assert {game.write_move(rated.move) for rated in found.moves if rated.value == found.value} == {"c2", "c5"}


@pytest.mark.parametrize("name", EVERY)
def test_moves_are_legal_in_any_position(name: str) -> None:
    game, random = find_game(name), Random(name)
    for number in range(40):
        position = some_position(game, random, number)
        legal = game.moves(position)
        assert think(game, position, nodes=200).moves[0].move in legal, game.write(position)
        rated = rate(game, position, nodes=200).moves
        assert sorted(map(str, legal)) == sorted(str(one.move) for one in rated)
        assert all(one.position == game.after(position, one.move) for one in rated)


@pytest.mark.parametrize("name", ["mnk:9,9,5", "nine-mens-morris", "qubic"])
def test_the_same_question_has_the_same_answer(name: str) -> None:
    game = find_game(name)
    position = some_position(game, Random(4), 8)
    assert think(game, position, nodes=20_000) == think(game, position, nodes=20_000)
    assert rate(game, position, nodes=20_000) == rate(game, position, nodes=20_000)


def test_nodes_are_counted_and_bounded() -> None:
    game = find_game("mnk:15,15,5")
    found = think(game, game.start(), nodes=10_000)
    assert 9_000 < found.nodes < 11_000


def spin(until: float) -> None:
    while process_time() < until:
        pass


@pytest.mark.parametrize("name", ["mnk:19,19,5", "qubic", "nine-mens-morris", "mnk:19,19,19"])
def test_time_is_kept_on_a_loaded_machine(name: str) -> None:
    game = find_game(name)
    position = some_position(game, Random(1), 10)
    think(game, position, nodes=10)
    others = [get_context("spawn").Process(target=spin, args=(4.0,), daemon=True) for _ in range(os.cpu_count() or 2)]
    for other in others:
        other.start()
    try:
        for ask in (think, rate):
            began = perf_counter()
            ask(game, position, nodes=None, seconds=0.2)
            assert perf_counter() - began < 0.45
    finally:
        for other in others:
            other.kill()


def test_time_is_kept_in_another_thread_too() -> None:
    game = find_game("mnk:15,15,5")
    think(game, game.start(), nodes=10)
    taken: list[float] = []

    def ask() -> None:
        began = perf_counter()
        think(game, game.start(), nodes=None, seconds=0.1)
        taken.append(perf_counter() - began)

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    assert 0.09 < taken[0] < 0.5


def test_ctrl_c_ends_a_search() -> None:
    game = find_game("mnk:15,15,5")
    think(game, game.start(), nodes=10)
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
    began = perf_counter()
    with pytest.raises(KeyboardInterrupt):
        think(game, game.start(), nodes=None)
    assert perf_counter() - began < 1


def test_chains_of_threats_are_those_that_the_search_for_qubic_finds() -> None:
    """Two implementations, one on sets of 64 bits, one on counts of stones in lines."""
    game, random = find_game("qubic"), Random(3)
    work = np.zeros(1, SEARCH)
    won = 0
    for _ in range(400):
        position = some_position(game, random, random.randrange(8, 26))
        if rows_at_once(game, position.stones[position.turn], position.stones[1 - position.turn]):
            continue
        other = find_win(position.stones[position.turn], position.stones[1 - position.turn])
        work[0]["budget"] = 1 << 40
        plies = find(new_state(game, position)[0], work[0], position.turn, 0, 0)
        assert (plies > 0) == (other is not None), game.write(position)
        won += plies > 0
    assert 50 < won < 350
