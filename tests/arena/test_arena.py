"""Matches repeat, count and are sure of themselves to a stated degree; transcripts speak both notations."""

import pytest

from noughts.arena import play_game, play_match, transcribe
from noughts.arena.confidence import wilson
from noughts.games import IllegalMoveError, game
from noughts.players import CannotPlayError, player

RULES = game("tictactoe")


def test_a_match_repeats_with_its_seed() -> None:
    matches = [play_match(RULES, ("novice", "casual"), 60, seed) for seed in (1, 1, 2)]
    assert matches[0] == matches[1] != matches[2]
    assert matches[0].wins + matches[0].draws + matches[0].losses == 60


def test_players_begin_in_turn() -> None:
    """On a board where the first stone wins, each player wins the games it begins."""
    match = play_match(game("mnk:3,3,1"), ("random", "perfect"), 11, 1)
    assert (match.wins, match.draws, match.losses) == (6, 0, 5)
    assert match.score == 6 / 11


def test_perfect_players_draw() -> None:
    match = play_match(RULES, ("perfect", "c1990"), 40, 1)
    assert (match.draws, match.score) == (40, 0.5)


def test_a_game_without_end_is_a_draw_by_repetition() -> None:
    playing, result = play_game(game("arabian"), (player("perfect", 1), player("perfect", 2)))
    assert result.winner is None
    assert playing.positions.count(playing.position) == 3


def test_a_player_must_know_the_game() -> None:
    with pytest.raises(CannotPlayError, match="c1990 plays only tictactoe"):
        play_match(game("achi"), ("random", "c1990"), 1, 1)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662)],
)
def test_wilson(successes: int, trials: int, low: float, high: float) -> None:
    """Published examples of the score interval, 95 %."""
    assert wilson(successes, trials) == pytest.approx((low, high), abs=2e-4)


def test_a_transcript_answers_in_the_notation_it_is_asked_in() -> None:
    keys = transcribe(RULES, player("chip1990"), ["7", "0", "8"])
    points = transcribe(RULES, player("chip1990"), ["b3", "a1", "c3"])
    assert [exchange.reply for exchange in keys.exchanges] == ["1", "6", "4"]
    assert [exchange.reply for exchange in points.exchanges] == ["b1", "a3", "b2"]
    assert keys.playing == points.playing
    assert keys.exchanges[0].choice is not None
    assert keys.exchanges[0].choice.cycles == 15_007
    assert keys.result == "unfinished"


def test_a_transcript_to_the_end() -> None:
    lost = transcribe(RULES, player("c1990"), ["a1", "a3", "c3"])
    assert lost.result == "win"
    with pytest.raises(IllegalMoveError, match="'b1' cannot be played: the game is over"):
        transcribe(RULES, player("c1990"), ["a1", "a3", "c3", "b1"])


def test_the_player_may_begin() -> None:
    script = transcribe(RULES, player("c1990"), ["b2"], begins=True)
    assert script.exchanges[0][:2] == (None, "a1")
    assert script.exchanges[1].user == "b2"


@pytest.mark.parametrize("text", ["b2", "4"])
def test_an_occupied_place_is_refused_in_either_notation(text: str) -> None:
    with pytest.raises(IllegalMoveError, match=f"'{text}' is not a legal move"):
        transcribe(RULES, player("chip1990"), ["b2", text])
