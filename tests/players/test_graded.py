"""The graded opponents: the rates they state, and an order of strength."""

from itertools import pairwise
from math import sqrt
from random import Random

import pytest

from noughts.arena import play_match
from noughts.games import Move
from noughts.games import game as find_game
from noughts.games.playing import Playing
from noughts.players import PLAYERS, player
from noughts.players.graded import Graded
from noughts.solve import solve
from noughts.solve.engine import rate as rate_moves
from noughts.solve.tables import opening

pytestmark = pytest.mark.slow

GRADES = ["novice", "casual", "strong"]
TRIES = 2_000
GAME = find_game("tictactoe")


def kind(name: str) -> type[Graded]:
    found = PLAYERS[name]
    assert issubclass(found, Graded)
    return found


def rate(name: str, text: str, good: set[str]) -> float:
    """How often a player chooses one of these moves."""
    position = GAME.read(text)
    grade = player(name, 5)
    return sum(GAME.write_move(grade.choose(GAME, position).move) in good for _ in range(TRIES)) / TRIES


def near(seen: float, expected: float) -> bool:
    """Within four standard deviations."""
    return abs(seen - expected) <= 4 * sqrt(max(expected * (1 - expected), 1e-9) / TRIES) + 1e-9


@pytest.mark.parametrize("name", GRADES)
def test_a_win_in_one_is_taken_at_the_stated_rate(name: str) -> None:
    assert near(rate(name, "XX./OO./...", {"c1"}), kind(name).sees_win)


@pytest.mark.parametrize("name", GRADES)
def test_a_threat_is_parried_at_the_stated_rate(name: str) -> None:
    """Unseen threats are parried too, by the best move or by luck: one free place in six."""
    grade = kind(name)
    lucky = (1 - grade.sees_threat) * ((1 - grade.errs) + grade.errs / 6)
    assert near(rate(name, "XX./.../O..", {"c1"}), grade.sees_threat + lucky)


@pytest.mark.parametrize("name", GRADES)
def test_without_either_a_bad_move_is_as_frequent_as_stated(name: str) -> None:
    """After a corner only the centre holds: the other seven places lose."""
    moves = solve(GAME).moves(GAME.read("X../.../..."))
    assert [str(rated.value) for rated in moves].count("draw in 8") == 1
    wrong = 1 - rate(name, "X../.../...", {"b2"})
    assert near(wrong, kind(name).errs * 7 / 8)


def test_strength_grows() -> None:
    order = ["random", *GRADES, "perfect"]
    for weaker, stronger in pairwise(order):
        match = play_match(GAME, (stronger, weaker), 400, 3)
        assert match.wins - match.losses > 0, (stronger, weaker)
        assert match.win_rate[0] > match.loss_rate[0]


def test_every_rate_grows_with_strength() -> None:
    rates = [(kind(name).sees_win, kind(name).sees_threat, -kind(name).errs) for name in GRADES]
    assert rates == sorted(rates)
    assert all(len(set(column)) == 3 for column in zip(*rates, strict=True))


def cling(playing: Playing) -> Move:
    """A defender who seeks repetition among the moves that look nearly best a few plies ahead."""
    moves = rate_moves(playing.game, playing.position, nodes=20_000).moves
    least = (moves[0].estimate or 0) - 40
    sound = [one for one in moves if (one.estimate or 0) >= least]
    return max(sound, key=lambda one: playing.positions.count(one.position)).move


@pytest.mark.parametrize(
    ("text", "seed"), [("O.X/.../O.X/OXXXXX/..X/XO./... x", 47), ("XX./.OO/X../..X.XO/..X/XXX/O.. x", 97)]
)
def test_nine_stones_against_four_do_not_repeat_into_a_draw(
    text: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without an eye on the game so far, both came to a third repetition within twenty plies."""
    monkeypatch.setattr(kind("strong"), "errs", 0.0)
    game = find_game("nine-mens-morris")
    playing = Playing.begin(game, game.read(text))
    strong = player("strong", seed)
    while playing.position.stones[1].bit_count() == 4:
        assert playing.result is None, playing.result
        assert len(playing.moves) < 60
        playing = playing.then(cling(playing) if playing.position.turn else strong.reply(playing).move)


def test_the_book_that_comes_with_noughts_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the position of a game at random in which the book tells moves apart, strong plays one of the book's best."""
    monkeypatch.setattr(kind("strong"), "errs", 0.0)
    game, random, told_apart = find_game("nine-mens-morris"), Random(1), 0
    while told_apart < 5:
        position = game.start()
        for _ in range(random.randrange(4, 9)):
            position = game.after(position, random.choice(game.moves(position)))
        found = opening(game, position)
        if found is None or found[1][0].value.outcome is found[1][-1].value.outcome:
            continue
        told_apart += 1
        best = {one.move for one in found[1] if one.value == found[1][0].value}
        assert player("strong", told_apart).choose(game, position).move in best
