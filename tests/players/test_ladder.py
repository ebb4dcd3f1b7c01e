"""The ladder: how its levels err, that they err less from rung to rung, and that they play every game."""

from itertools import pairwise
from math import sqrt
from pathlib import Path

import pytest

from noughts.arena import play_match
from noughts.bench.ladder import Skilled
from noughts.games import Move
from noughts.games import game as find_game
from noughts.games.playing import Playing
from noughts.players import PLAYERS, player
from noughts.players.ladder import LEVELS, habits, measured_games, relative, skills
from noughts.solve import solve
from noughts.solve.engine import rate as rate_moves

pytestmark = pytest.mark.slow

TRIES = 2_000
TICTACTOE = find_game("tictactoe")
GOMOKU = find_game("mnk:15,15,5")


def rate(skill: float, text: str, good: set[str]) -> float:
    """How often a player of this skill chooses one of these moves."""
    position = TICTACTOE.read(text)
    one = Skilled(skill, 5)
    return sum(TICTACTOE.write_move(one.choose(TICTACTOE, position).move) in good for _ in range(TRIES)) / TRIES


def near(seen: float, expected: float) -> bool:
    """Within four standard deviations."""
    return abs(seen - expected) <= 4 * sqrt(max(expected * (1 - expected), 1e-9) / TRIES) + 1e-9


@pytest.mark.parametrize("skill", [0.0, 0.3, 0.7, 1.0])
def test_a_row_is_filled_at_the_stated_rate(skill: float) -> None:
    """A row that is overlooked is filled by luck: one free place in five, unless O's threat is seen and parried."""
    own = habits(skill)
    assert near(rate(skill, "XX./OO./...", {"c1"}), own.sees_row + (1 - own.sees_row) * (1 - own.sees_threat) / 5)


@pytest.mark.parametrize("skill", [0.0, 0.3, 0.7, 1.0])
def test_a_threat_is_parried_at_the_stated_rate(skill: float) -> None:
    """A threat that is overlooked is parried by luck: one free place in six."""
    seen = habits(skill).sees_threat
    assert near(rate(skill, "XX./.../O..", {"c1"}), seen + (1 - seen) / 6)


@pytest.mark.parametrize("skill", [0.0, 0.3, 0.7, 1.0])
def test_without_either_a_bad_move_is_as_frequent_as_stated(skill: float) -> None:
    """After a corner only the centre holds: the other seven places lose."""
    moves = solve(TICTACTOE).moves(TICTACTOE.read("X../.../..."))
    assert [str(rated.value) for rated in moves].count("draw in 8") == 1
    assert near(1 - rate(skill, "X../.../...", {"b2"}), habits(skill).errs * 7 / 8)


def test_a_mill_that_wins_is_closed_when_it_is_seen() -> None:
    game = find_game("nine-mens-morris")
    position = game.read("XX./.O./.../.O...X/.../..X/.O. x")
    closing = {move for move in game.moves(position) if move.capture is not None}
    assert closing
    closed = [sum(Skilled(skill, s).choose(game, position).move in closing for s in range(60)) for skill in (0, 1)]
    assert 20 < closed[0] < 50
    assert closed[1] == 60


def test_every_habit_is_better_with_more_skill() -> None:
    for less, more in pairwise(habits(number / 100) for number in range(101)):
        assert less.sees_row < more.sees_row
        assert less.sees_threat < more.sees_threat
        assert less.errs > more.errs
        assert less.nodes <= more.nodes
    assert habits(1.0) == (1.0, 1.0, 0.0, 20_000)
    assert habits(0.0).errs + habits(0.0).sees_row > 1, "the lowest level plays mostly at random"
    assert habits(0.0).sees_row < 0.5 > habits(0.0).sees_threat, "and misses most rows"


@pytest.mark.parametrize("skill", [0.0, 0.25, 0.5, 0.75, 1.0])
def test_the_habits_are_those_of_the_docs(skill: float) -> None:
    row, threat, errs, nodes = habits(skill)
    line = f"| {skill:.2f} | {100 * row:.0f} % | {100 * threat:.0f} % | {100 * errs:.0f} % | {nodes:,} |"
    assert line in (Path(__file__).parents[2] / "docs" / "players.md").read_text("utf-8")


@pytest.mark.parametrize("name", measured_games())
def test_skill_grows_from_rung_to_rung_at_every_game(name: str) -> None:
    found = skills(find_game(name))
    assert len(found) == len(LEVELS) == 8
    assert found[0] == 0.0
    assert all(less < more for less, more in pairwise(found))
    assert found[-1] <= 1


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mnk:3,3,3", "tictactoe"),
        ("mnk:4,4,4", "square4"),
        ("mnk:8,8,5", "mnk:7,7,5"),
        ("mnk:18,19,5", "mnk:19,19,5"),
        ("mnk:10,10,4", "qubic"),
        ("mnk:19,19,7", "mnk:19,19,5"),
        ("mnk:1,1,1", "tictactoe"),
        ("square4:boards=4", "square4"),
        ("achi:adjacency=king,blocked=passes", "achi"),
        ("three-mens-morris", "three-mens-morris"),
    ],
)
def test_a_game_that_was_not_measured_takes_the_skills_of_its_nearest_relative(name: str, expected: str) -> None:
    assert relative(find_game(name)) == expected
    assert skills(find_game(name)) == skills(find_game(expected))


@pytest.mark.parametrize("name", measured_games())
def test_levels_play_legal_moves_that_follow_from_the_seed(name: str) -> None:
    game = find_game(name)
    for kind in (LEVELS[0], LEVELS[3], LEVELS[7]):
        playing, twins = Playing.begin(game), (kind(3), kind(3))
        while playing.result is None and len(playing.moves) < 14:
            choices = [twin.reply(playing).move for twin in twins]
            assert choices[0] == choices[1]
            assert choices[0] in game.moves(playing.position)
            playing = playing.then(choices[0])


def distance(one: str, other: str) -> int:
    """In steps to any of the eight neighbours, on a board with letters and numbers."""
    return max(abs(ord(one[0]) - ord(other[0])), abs(int(one[1:]) - int(other[1:])))


@pytest.mark.parametrize("stones", [[], ["h8"], ["c3", "m12"]])
def test_errors_on_a_large_board_stay_near_the_stones(stones: list[str]) -> None:
    position = GOMOKU.play(*stones)
    beginner = Skilled(0.0, 1)
    chosen = {GOMOKU.write_move(beginner.choose(GOMOKU, position).move) for _ in range(400)}
    close = [
        point
        for point in GOMOKU.layout.points
        if point not in stones and any(distance(point, stone) <= 2 for stone in stones or ["h8"])
    ]
    assert chosen == set(close), "all of them, and no others"


@pytest.mark.parametrize(("name", "games", "least"), [("tictactoe", 400, 0.55), ("mnk:6,6,4", 60, 0.65)])
def test_the_first_rung_loses_to_the_third(name: str, games: int, least: float) -> None:
    match = play_match(find_game(name), ("level3", "level1"), games, 1)
    assert match.score > least
    assert match.win_rate[0] > match.loss_rate[1]


def test_strength_grows() -> None:
    order = ["random", "level1", "novice", "casual", "strong", "level8"]
    for weaker, stronger in pairwise(order):
        match = play_match(TICTACTOE, (stronger, weaker), 1_000, 3)
        assert match.win_rate[0] > match.loss_rate[1], (stronger, weaker)


def test_the_grades_are_rungs_of_the_ladder() -> None:
    for name, rung in (("novice", 2), ("casual", 4), ("strong", 6)):
        position = TICTACTOE.read("X../.../...")
        for seed in range(50):
            assert player(name, seed).choose(TICTACTOE, position) == player(f"level{rung}", seed).choose(
                TICTACTOE, position
            )
        assert PLAYERS[f"level{rung}"].title == f"Level {rung}"


def cling(playing: Playing) -> Move:
    """A defender who seeks repetition among the moves that look nearly best a few plies ahead."""
    moves = rate_moves(playing.game, playing.position, nodes=20_000).moves
    least = (moves[0].estimate or 0) - 40
    sound = [one for one in moves if (one.estimate or 0) >= least]
    return max(sound, key=lambda one: playing.positions.count(one.position)).move


@pytest.mark.parametrize(
    ("text", "seed"), [("O.X/.../O.X/OXXXXX/..X/XO./... x", 47), ("XX./.OO/X../..X.XO/..X/XXX/O.. x", 97)]
)
def test_nine_stones_against_four_do_not_repeat_into_a_draw(text: str, seed: int) -> None:
    """Without an eye on the game so far, both came to a third repetition within twenty plies."""
    game = find_game("nine-mens-morris")
    playing = Playing.begin(game, game.read(text))
    skilled = Skilled(1.0, seed)
    while playing.position.stones[1].bit_count() == 4:
        assert playing.result is None, playing.result
        assert len(playing.moves) < 60
        playing = playing.then(cling(playing) if playing.position.turn else skilled.reply(playing).move)
