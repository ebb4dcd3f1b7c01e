"""Transcripts speak both notations, and say how the game ended."""

import pytest

from noughts.arena import transcribe
from noughts.games import IllegalMoveError, game
from noughts.players import player

TICTACTOE = game("tictactoe")


def test_a_transcript_answers_in_the_notation_it_is_asked_in() -> None:
    keys = transcribe(TICTACTOE, player("chip1990"), ["7", "0", "8"])
    points = transcribe(TICTACTOE, player("chip1990"), ["b3", "a1", "c3"])
    assert [exchange.reply for exchange in keys.exchanges] == ["1", "6", "4"]
    assert [exchange.reply for exchange in points.exchanges] == ["b1", "a3", "b2"]
    assert keys.playing == points.playing
    assert keys.exchanges[0].choice is not None
    assert keys.exchanges[0].choice.cycles == 15_007
    assert keys.result == "unfinished"


def test_a_transcript_to_the_end() -> None:
    lost = transcribe(TICTACTOE, player("c1990"), ["a1", "a3", "c3"])
    assert lost.result == "win"
    with pytest.raises(IllegalMoveError, match="'b1' cannot be played: the game is over"):
        transcribe(TICTACTOE, player("c1990"), ["a1", "a3", "c3", "b1"])


def test_the_player_may_begin() -> None:
    script = transcribe(TICTACTOE, player("c1990"), ["b2"], begins=True)
    assert script.exchanges[0][:2] == (None, "a1")
    assert script.exchanges[1].user == "b2"


@pytest.mark.parametrize("text", ["b2", "4"])
def test_an_occupied_place_is_refused_in_either_notation(text: str) -> None:
    with pytest.raises(IllegalMoveError, match=f"'{text}' is not a legal move"):
        transcribe(TICTACTOE, player("chip1990"), ["b2", text])
