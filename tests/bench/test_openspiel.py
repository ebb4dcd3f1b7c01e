"""The bridge to OpenSpiel: both sides allow the same moves, and end the same games.

OpenSpiel is an extra, which a usual environment for tests does not have: then all but the first test are skipped.
"""

from importlib.util import find_spec
from random import Random

import pytest

from noughts.bench import engine
from noughts.bench.openspiel import LONGEST, THEIRS, agreed_state, monte_carlo
from noughts.games import Game, NoughtsError
from noughts.games import game as find_game
from noughts.games.playing import Playing

here = pytest.mark.skipif(find_spec("pyspiel") is None, reason="OpenSpiel is not installed")


def test_where_it_is_not_installed_the_rows_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "installed", lambda: False)
    rows = list(engine.measure(engine.QUICK, parts=["peer", "peer10"]))
    assert [row["game"] for row in rows] == [*reversed(THEIRS)] * 2
    assert {(row["figure"], row["notes"]) for row in rows} == {(None, "OpenSpiel is not installed: the extra [bench]")}


@here
@pytest.mark.parametrize(("name", "games"), [("mnk:6,6,4", 5), ("mnk:9,9,5", 3), ("nine-mens-morris", 60)])
def test_both_allow_the_same_moves_in_random_games_and_end_them_alike(name: str, games: int) -> None:
    game, ended = find_game(name), 0
    for seed in range(games):
        playing, random = Playing.begin(game), Random(seed)
        while game.over(playing.position) is None and len(playing.moves) < LONGEST:
            assert not agreed_state(playing).is_terminal()
            playing = playing.then(random.choice(game.moves(playing.position)))
        if game.over(playing.position) is not None:
            ended += 1
            state, result = agreed_state(playing), playing.result
            assert state.is_terminal()
            assert result is not None
            points = {None: [0, 0], 0: [1, -1], 1: [-1, 1]}
            assert state.returns() == points[result.winner]
    assert ended > 0.9 * games, "few random games are long"


@here
def test_at_nine_mens_morris_it_ends_after_two_hundred_turns_and_knows_no_repetition() -> None:
    playing = _shuffled(find_game("nine-mens-morris"), 30)
    assert playing.result is not None
    assert playing.result.reason == "the position came up for the third time"
    assert not agreed_state(playing).is_terminal()
    playing = _shuffled(find_game("nine-mens-morris"), LONGEST - 1)
    assert not agreed_state(playing).is_terminal()
    with pytest.raises(NoughtsError, match="OpenSpiel disagrees at"):
        agreed_state(_shuffled(find_game("nine-mens-morris"), LONGEST))


def _shuffled(game: Game, plies: int) -> Playing:
    """Stones placed without a mill, and then moved to and fro."""
    playing = _played(game, "a1 d1 g1 a4 b2 d2 f2 g4 d3 c3 c4 e3 f4 e4 c5 b4 a7 d5")
    while len(playing.moves) < plies:
        back = playing.moves[-2] if len(playing.moves) >= 20 else None
        quiet = [move for move in game.moves(playing.position) if move.capture is None]
        there = [move for move in quiet if back and (move.to, move.source) == (back.source, back.to)]
        playing = playing.then((there or quiet)[0])
    return playing


@here
def test_the_bot_completes_a_row_and_captures_where_a_mill_is_closed() -> None:
    game = find_game("mnk:6,6,4")
    playing = _played(game, "c3 a1 c4 a2 c2 e5")
    assert game.write_move(monte_carlo(0.1)(1)(playing)) in {"c1", "c5"}
    game = find_game("nine-mens-morris")
    playing = _played(game, "a1 b2 d1 f2")
    move = monte_carlo(0.1)(1)(playing)
    assert move in game.moves(playing.position)
    playing = _played(game, "a1 b2 d1 d3 f4 f2 f6")  # d2 makes a mill
    move = monte_carlo(0.2)(1)(playing)
    assert move in game.moves(playing.position)
    assert (move.to, move.capture is not None) == (game.layout.index["d2"], True)


def _played(game: Game, moves: str) -> Playing:
    playing = Playing.begin(game)
    for text in moves.split():
        playing = playing.then(game.read_move(playing.position, text))
    return playing
