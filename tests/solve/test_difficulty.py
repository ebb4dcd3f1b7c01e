"""Score and difficulty on other boards: the compiled tables are the definitions, and the sign is the value."""

import numpy as np
import pytest

from noughts.games import Game, Outcome
from noughts.games import game as find_game
from noughts.players import CannotPlayError, player
from noughts.players.player import PlayerOptionError
from noughts.solve import TooLargeError, solve
from noughts.solve.difficulty import VARIANTS, Measure, _PlainDifficulties, difficulties
from noughts.solve.difficulty_kernel import CompiledDifficulties
from noughts.solve.placing import ILLEGAL, PlacingSolution


@pytest.mark.parametrize(
    ("name", "variant"),
    [
        ("tictactoe", "knuth"),
        ("mnk:3,3,2", "both"),
        ("mnk:4,2,3", "losing"),
        ("mnk:4,2,3", "early"),
        ("mnk:5,2,3", "knuth"),
        ("mnk:10,1,3", "both"),
    ],
)
def test_the_compiled_tables_are_the_definitions(name: str, variant: str) -> None:
    game, measure = find_game(name), VARIANTS[variant]
    plain, compiled = _PlainDifficulties(game, measure), CompiledDifficulties(game, measure)
    count = 0
    for position in solve(game).positions():
        assert plain.appraise(position) == compiled.appraise(position), game.write(position)
        count += 1
    assert count > 1000


def test_the_sign_of_the_score_is_the_value() -> None:
    game = find_game("tictactoe")
    solution, known = solve(game), difficulties(game)
    for position in solution.positions():
        score = known.appraise(position).score
        outcome = Outcome.WIN if score > 0 else Outcome.LOSS if score < 0 else Outcome.DRAW
        assert solution.value(position).outcome is outcome


@pytest.mark.parametrize("name", ["mnk:4,3,3", "square4"])
def test_the_sign_of_the_score_is_the_value_in_every_slot_of_larger_boards(name: str) -> None:
    solution, known = solve(find_game(name)), difficulties(find_game(name))
    assert isinstance(solution, PlacingSolution)
    assert isinstance(known, CompiledDifficulties)
    legal = solution.scores != ILLEGAL
    assert np.array_equal(np.sign(solution.scores[legal]), np.sign(known.scores[legal]))


def test_digits_go_beyond_eight() -> None:
    game = find_game("square4")
    appraisal = difficulties(game).appraise(game.start())
    assert appraisal.score == 0
    assert len(appraisal.digits) == 16
    assert any(appraisal.digits[8:])


@pytest.mark.parametrize("name", ["qubic", "achi", "mnk:6,3,3"])
def test_other_games_are_refused(name: str) -> None:
    with pytest.raises(TooLargeError, match="expected a placing game of at most 16 cells"):
        difficulties(find_game(name))
    with pytest.raises(CannotPlayError, match="knuth cannot play"):
        player("knuth").check(find_game(name))


def test_the_player_keeps_value_and_leaves_the_hardest_position() -> None:
    game = find_game("tictactoe")
    solution, known = solve(game), difficulties(game)
    knuth = player("knuth", 3)
    for position in solution.positions():
        if game.moves(position):
            after = game.after(position, knuth.choose(game, position).move)
            assert solution.value(after).before().outcome is solution.value(position).outcome
            ranks = [known.appraise(game.after(position, move)).rank() for move in game.moves(position)]
            assert known.appraise(after).rank() == min(ranks)


def test_a_worth_compares_as_wins_are_preferred_and_gives_the_score_back() -> None:
    scores = [*range(-9, -4), 0, *range(5, 10)]  # of the opponent: the first is the best for whoever moves there
    late, early = Measure(), Measure(wins="early")
    assert sorted(scores, key=lambda score: late.worth(score, 9)) == scores
    hurrying = [-5, -6, -7, -8, -9, 0, 9, 8, 7, 6, 5]
    assert sorted(scores, key=lambda score: early.worth(score, 9)) == hurrying
    assert [early.worth(early.worth(score, 9), 9) for score in scores] == scores


def test_the_player_has_the_variants_as_options() -> None:
    def opens(name: str, game: Game, cells: str) -> set[str]:
        position = game.read(cells)
        return {game.write_move(player(name, seed).choose(game, position).move) for seed in range(9)}

    game, narrow = find_game("tictactoe"), find_game("mnk:5,2,3")
    assert opens("knuth", game, ".../X.X/OO.") == {"c3"}  # a later win than b2
    assert opens("knuth:wins=early", game, ".../X.X/OO.") == {"b2"}
    assert opens("knuth", narrow, "...../.....") <= {"a1", "a2", "e1", "e2"}
    assert opens("knuth:wins=early,digits=losing", narrow, "...../.....") <= {"c1", "c2"}
    with pytest.raises(PlayerOptionError, match="wins='soon' of knuth: expected late, early"):
        player("knuth:wins=soon")
    with pytest.raises(PlayerOptionError, match="digits='all' of knuth: expected nonoptimal, losing"):
        player("knuth:digits=all")
