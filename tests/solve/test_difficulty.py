"""Score and difficulty on other boards: the compiled tables are the definitions, and the sign is the value."""

import pytest

from noughts.games import Outcome, game
from noughts.players import CannotPlayError, player
from noughts.solve import TooLargeError, solve
from noughts.solve.difficulty import _PlainDifficulties, difficulties
from noughts.solve.difficulty_kernel import CompiledDifficulties


@pytest.mark.parametrize("name", ["tictactoe", "mnk:3,3,2", "mnk:4,2,3", "mnk:5,2,3", "mnk:10,1,3"])
def test_the_compiled_tables_are_the_definitions(name: str) -> None:
    rules = game(name)
    plain, compiled = _PlainDifficulties(rules), CompiledDifficulties(rules)
    count = 0
    for position in solve(rules).positions():
        assert plain.appraise(position) == compiled.appraise(position), rules.write(position)
        count += 1
    assert count > 1000


@pytest.mark.parametrize("name", ["tictactoe", "mnk:4,3,3", "square4"])
def test_the_sign_of_the_score_is_the_value(name: str) -> None:
    rules = game(name)
    solution, known = solve(rules), difficulties(rules)
    for number, position in enumerate(solution.positions()):
        if number % 997 == 0 or len(rules.layout) == 9:
            score = known.appraise(position).score
            outcome = Outcome.WIN if score > 0 else Outcome.LOSS if score < 0 else Outcome.DRAW
            assert solution.value(position).outcome is outcome


def test_digits_go_beyond_eight() -> None:
    rules = game("square4")
    appraisal = difficulties(rules).appraise(rules.start())
    assert appraisal.score == 0
    assert len(appraisal.digits) == 16
    assert any(appraisal.digits[8:])


@pytest.mark.parametrize("name", ["qubic", "achi", "mnk:6,3,3"])
def test_other_games_are_refused(name: str) -> None:
    with pytest.raises(TooLargeError, match="expected a placing game of at most 16 cells"):
        difficulties(game(name))
    with pytest.raises(CannotPlayError, match="knuth cannot play"):
        player("knuth").check(game(name))


def test_the_player_keeps_value_and_leaves_the_hardest_position() -> None:
    rules = game("tictactoe")
    solution, known = solve(rules), difficulties(rules)
    knuth = player("knuth", 3)
    for position in solution.positions():
        if rules.moves(position):
            after = rules.after(position, knuth.choose(rules, position).move)
            assert solution.value(after).before().outcome is solution.value(position).outcome
            ranks = [known.appraise(rules.after(position, move)).rank() for move in rules.moves(position)]
            assert known.appraise(after).rank() == min(ranks)
