"""How moves look of which nothing is proved: in the order of their estimates, and never where a value is known."""

import pytest

from noughts.games import Game, Outcome, Position
from noughts.games import game as find_game
from noughts.solve import UNKNOWN, Lead, Look, Source, Surety, knowledge
from noughts.solve.look import dot, lead, look

BOARD = find_game("mnk:15,15,5")
SIX, LASKER = find_game("six-mens-morris"), find_game("lasker-morris:flying=no")


@pytest.mark.parametrize(("game", "whole"), [(BOARD, 128), (SIX, 320)])
def test_a_whole_lead_given_away_looks_bad_and_a_quarter_of_one_weaker(game: Game, whole: int) -> None:
    looks = [look(game, -away, 0) for away in (0, whole // 4 - 1, whole // 4, whole - 1, whole, 10 * whole)]
    assert looks == [Look.GOOD, Look.GOOD, Look.WEAKER, Look.WEAKER, Look.BAD, Look.BAD]
    assert look(game, 1000 - whole, 1000) is Look.BAD
    assert [lead(game, estimate) for estimate in (-whole, 1 - whole, whole - 1, whole)] == [
        Lead.BEHIND,
        Lead.EVEN,
        Lead.EVEN,
        Lead.AHEAD,
    ]


def test_the_better_a_move_looks_the_larger_its_dot_and_a_bad_one_has_none() -> None:
    sizes = [found.radius for one in (Look.BEST, Look.GOOD, Look.WEAKER) if (found := dot(one))]
    assert len(sizes) == 3
    assert sizes == sorted(sizes, reverse=True)
    assert dot(Look.BAD) is None
    assert dot(None) is None


@pytest.mark.parametrize(
    ("game", "position"),
    [
        (BOARD, BOARD.play("h8", "g7", "i8", "g8")),
        (LASKER, LASKER.play("d2", "d6")),
        (find_game("qubic"), find_game("qubic").play("1b2", "3c3")),
    ],
)
def test_where_nothing_is_proved_one_move_looks_best_and_the_others_by_what_they_give_away(
    game: Game, position: Position
) -> None:
    answer = knowledge(game).ask(position)
    assert (answer.source, answer.surety, answer.value) == (Source.SEARCH, Surety.ESTIMATE, UNKNOWN)
    assert answer.lead is not None
    assert answer.moves[0].words == "looks best"
    assert [one.look for one in answer.moves].count(Look.BEST) == 1
    most = max(one.estimate or 0 for one in answer.moves)
    worst = {
        one: max(most - (rated.estimate or 0) for rated in answer.moves if rated.look is one)
        for one in GIVEN
        if any(rated.look is one for rated in answer.moves)
    }
    assert list(worst.values()) == sorted(worst.values())
    assert len(worst) > 1


GIVEN = (Look.GOOD, Look.WEAKER, Look.BAD)


@pytest.mark.parametrize("moves", [(), ("2b2", "1a1")])
def test_beside_a_proved_win_nothing_looks_like_anything(moves: tuple[str, ...]) -> None:
    game = find_game("qubic")
    answer = knowledge(game).ask(game.play(*moves))
    assert answer.value.outcome is Outcome.WIN
    assert UNKNOWN in {one.value for one in answer.moves}
    assert {one.look for one in answer.moves} == {None}


def test_in_a_lost_position_of_qubic_every_move_loses_and_the_engine_says_which_first() -> None:
    game = find_game("qubic")
    answer = knowledge(game).ask(game.play("1a1"))
    assert (answer.source, str(answer.value)) == (Source.PROOF, "loss")
    assert {one.value.outcome for one in answer.moves} == {Outcome.LOSS}
    estimates = [one.estimate or 0 for one in answer.moves]
    assert estimates[1:] == sorted(estimates[1:], reverse=True)
    assert len(set(estimates)) > 1
