"""Bounded search: what it calls proved agrees with the solution, and what it cannot see it calls unknown."""

from random import Random

import pytest

from noughts.games import Outcome, Position
from noughts.games import game as find_game
from noughts.solve import Extent, TooLargeError, knowledge, solve
from noughts.solve.search import loses_at_once, search, wins_at_once


def random_position(name: str, seed: int, plies: int) -> Position:
    game, random = find_game(name), Random(seed)
    position = game.start()
    for _ in range(plies):
        moves = game.moves(position)
        after = [game.after(position, move) for move in moves]
        going_on = [then for then in after if game.over(then) is None]
        if not going_on:
            break
        position = random.choice(going_on)
    return position


@pytest.mark.parametrize("name", ["tictactoe", "mnk:4,3,3", "square4", "achi", "arabian", "three-mens-morris"])
@pytest.mark.parametrize("budget", [500, 20_000, 200_000])
def test_proved_values_are_exact(name: str, budget: int) -> None:
    game = find_game(name)
    solution = solve(game)
    proved = 0
    for seed in range(12):
        position = random_position(name, seed, 3 + seed)
        exact = {rated.move: rated.value for rated in solution.moves(position)}
        for rated in search(game, position, budget=budget).moves:
            if rated.value.outcome != "unknown":
                proved += 1
                assert rated.value == exact[rated.move], game.write(position)
    assert proved or budget == 500


def test_a_win_three_plies_away_is_seen_on_a_large_board() -> None:
    game = find_game("mnk:6,6,4")
    answer = knowledge(game).ask(game.play("c3", "a1", "c4", "a2"))
    assert str(answer.value) == "win in 3"
    assert {game.write_move(rated.move) for rated in answer.moves if rated.value == answer.value} == {
        "c2",
        "c5",
    }


def test_a_threat_on_qubic_must_be_met() -> None:
    game = find_game("qubic")
    answer = knowledge(game).ask(game.play("1a1", "4d1", "1b1", "4d2", "1c1"))
    assert game.write_move(answer.moves[0].move) == "1d1"
    assert answer.value.outcome == "unknown"
    assert {str(rated.value) for rated in answer.moves[1:]} == {"loss in 2"}


def test_an_opening_beyond_reach_is_unknown() -> None:
    for name in ("mnk:6,6,5", "six-mens-morris"):
        game = find_game(name)
        assert knowledge(game).extent is Extent.SOME_POSITIONS
        assert knowledge(game).ask(game.start()).value.outcome == "unknown"


def test_the_last_cells_of_a_large_board_are_exact() -> None:
    """Three empty cells of a 5×5 board where nobody can make five any more: a draw, and known to be one."""
    game = find_game("mnk:5,5,5")
    position = game.read("XOXOX/OXOXO/OXOXO/XOXOX/XO...")
    answer = knowledge(game).ask(position)
    assert str(answer.value) == "draw in 3"


def test_large_games_are_not_solved() -> None:
    with pytest.raises(TooLargeError, match=r"qubic is too large.*expected a placing game of at most 20 cells"):
        solve(find_game("qubic"))


@pytest.mark.parametrize("name", ["tictactoe", "square4", "mnk:5,5,4", "arabian", "achi"])
def test_wins_and_losses_in_one_are_those_that_trying_every_move_finds(name: str) -> None:
    game, random = find_game(name), Random(name)
    found = 0
    for _ in range(30):
        position = game.start()
        while moves := game.moves(position):
            wins = [m for m in moves if game.over(game.after(position, m)) is Outcome.LOSS]
            assert wins_at_once(game, position) == wins
            others = [m for m in moves if m not in wins]
            blunders = []
            for move in others:
                then = game.after(position, move)
                if any(game.over(game.after(then, reply)) is Outcome.LOSS for reply in game.moves(then)):
                    blunders.append(move)
            assert loses_at_once(game, position, others) == blunders
            found += len(wins) + len(blunders)
            position = game.after(position, random.choice(moves))
    assert found
