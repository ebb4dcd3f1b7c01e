"""Reviews: every value is the oracle's, every mistake is where the value drops, and what is estimated says so."""

from functools import cache
from itertools import pairwise
from random import Random

import pytest

from noughts.games import game as find_game
from noughts.games.playing import Playing
from noughts.insight.curve import draw_curve
from noughts.insight.review import Mark, Review, Worth, as_json, look_at, looks, often, ordinal, review, settled
from noughts.solve import Effort
from oracles import Oracle, State, oracle, solve

POINTS = {"loss": 0, "draw": 1, "win": 2}
FLIPPED = {"loss": "win", "draw": "draw", "win": "loss"}
QUICK = Effort(5_000)


@cache
def solved(name: str) -> tuple[Oracle, dict[State, tuple[str, int | None]]]:
    rules = oracle(name)
    return rules, solve(rules)


def played(name: str, *moves: str) -> Playing:
    game = find_game(name)
    playing = Playing.begin(game)
    for text in moves:
        playing = playing.then(game.read_move(playing.position, text))
    return playing


def random_game(rules: Oracle, chance: Random, most: int) -> tuple[list[str], list[State]]:
    """Moves of the oracle, until the end or before a position comes back."""
    moves: list[str] = []
    states = [rules.start()]
    while len(moves) < most and (legal := rules.moves(states[-1])):
        move = chance.choice(legal)
        after = rules.play(states[-1], move)
        if after in states:
            break
        moves.append(move)
        states.append(after)
    return moves, states


@pytest.mark.parametrize(
    ("name", "games"), [("tictactoe", 150), ("achi", 25), ("arabian", 25), ("three-mens-morris", 25)]
)
def test_every_value_is_the_oracles_and_every_mistake_is_where_it_drops(name: str, games: int) -> None:
    rules, values = solved(name)
    chance, seen = Random(name), set()
    for _ in range(games):
        moves, states = random_game(rules, chance, 30)
        for ply, (state, after) in zip(review(played(name, *moves)).plies, pairwise(states), strict=True):
            assert ply is not None
            outcome, plies = values[state]
            reached, left = values[after]
            assert (ply.before.value, ply.before.remoteness) == (outcome, plies)
            assert (ply.after.value, ply.after.remoteness) == (FLIPPED[reached], None if left is None else left + 1)
            lost = POINTS[outcome] - POINTS[FLIPPED[reached]]
            at_once = any(rules.over(rules.play(after, reply)) == "loss" for reply in rules.moves(after))
            wrong = Mark.BLUNDER if lost == 2 or at_once else Mark.MISTAKE
            assert (ply.mark if ply.mark.wrong else None) == (wrong if lost else None)
            assert bool(ply.gave) == bool(lost)
            if lost:
                better = values[rules.play(state, ply.best)][0]
                assert FLIPPED[better] == outcome
                assert ply.line[0] == ply.best
            if ply.mark is Mark.ONLY:
                good = [one for one in rules.moves(state) if FLIPPED[values[rules.play(state, one)][0]] == outcome]
                assert good == [ply.move]
            seen.add(ply.mark)
    assert seen >= {Mark.NONE, Mark.ONLY, Mark.BLUNDER}
    assert Mark.DOUBTFUL not in seen


def test_what_was_given_away_adds_up_to_the_result() -> None:
    chance, results = Random(14), set()
    for _ in range(150):
        moves, _ = random_game(oracle("tictactoe"), chance, 9)
        found = review(played("tictactoe", *moves))
        lost = [0, 0]
        for ply in found.plies:
            assert ply is not None
            lost[ply.side] += POINTS[ply.before.value] - POINTS[ply.after.value]
        result = found.playing.result
        assert result is not None
        results.add(result.winner)
        assert POINTS[result.outcome(0)] == 1 - lost[0] + lost[1]
        assert [found.tally(side).mistakes + found.tally(side).blunders for side in (0, 1)] == [
            sum(ply.side == side for ply in found.wrong) for side in (0, 1)
        ]
        assert sum(found.tally(side).moves for side in (0, 1)) == len(moves)
        turning = found.turning
        assert (turning is None) == (lost == [0, 0])
        assert turning is None or result.winner is None or turning.side == 1 - result.winner
    assert results == {0, 1, None}


def test_the_curve_is_one_at_a_win_of_its_side_and_minus_one_for_the_other() -> None:
    found = review(played("tictactoe", "b2", "b1", "a1", "c3", "a3", "c1", "a2"))
    assert found.heights() == [0, 0, 1, 1, 1, 1, 1, 1]
    assert found.heights(1) == [0, 0, -1, -1, -1, -1, -1, -1]
    assert [height for height in found.heights(1) if str(height) == "-0.0"] == []


def test_it_is_told_to_whoever_played() -> None:
    found = review(played("tictactoe", "a1", "b2", "b1", "c1", "a2", "a3"))
    assert found.told(0)[:2] == [
        "Your 3rd move was the one blunder of the game: a draw became a loss in 2.",
        "Better was a3.",
    ]
    assert found.told(1)[0].startswith("X's 3rd move was")
    early = review(played("tictactoe", "b2", "b1", "a1", "c3", "a3", "c1", "a2"))
    assert early.told()[0] == "O's 1st move was the one mistake of the game: a draw became a loss in 6."
    assert early.told()[-1] == "So it was decided in the opening."
    faultless = review(played("tictactoe", "b2", "a1", "a2", "c2", "b1", "b3", "a3", "c1", "c3"))
    assert faultless.told() == ["Nobody gave anything away: with best play it is a draw, and so it was."]
    assert review(played("achi", "b2")).told() == ["Nobody has given anything away."]


def test_a_third_time_is_a_draw_that_gives_the_win_away() -> None:
    there_and_back = ["c3-b3", "a1-b1", "b3-c3", "b1-a1"]
    playing = played("three-mens-morris", "b2", "a1", "c3", "a3", "a2", "c2")
    game = playing.game
    while playing.result is None:
        move = there_and_back[(len(playing.moves) - 6) % 4]
        playing = playing.then(game.read_move(playing.position, move))
    assert playing.result.winner is None
    last = review(playing).plies[-1]
    assert last is not None
    assert last.after.value == "draw"
    *_, twice = often(playing)
    assert playing.position in twice
    again = look_at(game, playing.positions[-2], playing.moves[-1], [one for one in twice for _ in range(2)])
    assert again._replace(number=last.number) == last


def test_a_proof_is_handed_on_to_the_plies_beside_it() -> None:
    found = review(played("qubic", "1a1", "4d4", "1d1", "1b1", "4a1", "2b2", "2b3", "3c3"), QUICK)
    marks = [ply.mark for ply in found.plies if ply is not None]
    assert marks[6] is Mark.DOUBTFUL
    assert not [ply for ply in found.wrong if ply.side == 1]  # who has lost can give nothing away
    for ply, following in pairwise(found.plies):
        assert ply is not None
        assert following is not None
        assert ply.after.exact == following.before.exact
        assert not ply.after.exact or ply.after.height == -following.before.height
    lost = Worth(found.plies[1].before.value, None, None, -1.0, "a loss")  # type: ignore[union-attr]
    guessed = found.plies[7]._replace(before=lost)  # type: ignore[union-attr]
    assert settled([guessed])[0] == guessed


def test_estimates_are_called_estimates_and_stay_below_one() -> None:
    moves = ["h8", "a1", "h9", "a2", "h7", "a3", "h6", "h5", "g8"]
    found = review(played("mnk:15,15,5", *moves), Effort(30_000))
    assert found.estimated
    assert all(ply is not None and (ply.before.exact or abs(ply.before.height) < 1) for ply in found.plies)
    assert found.wrong
    assert {ply.side for ply in found.wrong} == {1}  # O's stones in the corner
    assert all(ply.estimated for ply in found.wrong[:1])
    turning = found.turning
    assert turning is not None
    assert turning.mark.wrong
    assert as_json(found)["estimated"] is True


def test_plies_come_one_after_the_other_and_a_part_of_them_is_a_review() -> None:
    playing = played("tictactoe", "a1", "b2", "b1", "c1", "a2", "a3")
    one_by_one = looks(playing)
    first = [next(one_by_one), next(one_by_one)]
    found = Review(playing, settled([*first, None, None, None, None]))
    assert (found.looked, found.heights()) == (2, [0, 0, None, None, None, None, -1])
    assert found.told() == []


def test_the_json_has_the_fields_of_the_contract() -> None:
    answer = as_json(review(played("tictactoe", "a1", "b2", "b1", "c1", "a2", "a3")))
    assert (answer["game"], answer["result"], answer["turning_point"]) == ("tictactoe", "o", 5)
    assert answer["curve"] == [0, 0, 0, 0, 0, -1, -1]
    assert answer["sides"]["x"] == {"moves": 3, "kept": 2, "mistakes": 0, "blunders": 1}
    worst = answer["plies"][4]
    assert (worst["ply"], worst["side"], worst["move"], worst["mark"], worst["best"]) == (5, "x", "a2", "??", "a3")
    assert worst["before"] == {"value": "draw", "remoteness": 5, "estimate": None}
    assert worst["after"] == {"value": "loss", "remoteness": 2, "estimate": None}


def test_the_picture_has_a_place_for_every_position_and_a_sign_for_every_mistake() -> None:
    found = review(played("tictactoe", "a1", "b2", "b1", "c1", "a2", "a3"))
    body = draw_curve(found, 0, 5, pressed=True).body
    assert [f'data-press="ply-{ply}"' in body for ply in range(8)] == [True] * 7 + [False]
    assert "data-press" not in draw_curve(found).body
    assert body.count('class="loss curve-sign"') == 1
    assert "curve-guess" not in body


@pytest.mark.parametrize(
    ("number", "words"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (21, "21st"), (113, "113th")],
)
def test_numbers_of_moves(number: int, words: str) -> None:
    assert ordinal(number) == words
