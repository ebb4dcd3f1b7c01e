"""Reasons for moves: each kind where it applies, and none that the facts contradict."""

import pytest

from noughts.games import game as find_game
from noughts.insight.reasons import why
from noughts.solve import solve
from noughts.solve.at_once import winning_points

GAME = find_game("tictactoe")


@pytest.mark.parametrize(
    ("text", "move", "kind", "words"),
    [
        ("XX./OO./...", "c1", "wins", "It wins at once."),
        ("XX./OO./...", "a3", "gives-away", "It gives the win away: O wins at once with c2."),
        ("XX./OO./...", "c2", "gives-away", "It gives the win away: now it is only a draw."),
        ("XX./.O./...", "c1", "blocks", "It stops X from winning at once."),
        ("X../.O./..X", "c1", "gives-away", "It gives the draw away: X can force a win in 3 moves"),
        ("O.X/.X./O..", "a2", "blocks", "It stops O from winning at once."),
        ("X../.../...", "b2", "only", "It is the only move that holds the draw."),
        (".../.../...", "b2", "any", "Any move holds the draw."),
        ("XO./.X./..O", "a2", "fork", "It makes a fork: two ways to win, and O can stop only one."),
        ("X.X/.O./X.O", "b1", "loses", "Every move loses; this one is as good as any."),
    ],
)
def test_each_kind(text: str, move: str, kind: str, words: str) -> None:
    position = GAME.read(text)
    reason = why(GAME, position, GAME.read_move(position, move))
    assert reason.kind == kind
    assert words in reason.words


def test_a_fork_is_stopped_on_a_larger_board() -> None:
    game = find_game("mnk:4,3,3")
    found = set()
    for position in list(solve(game).positions())[1000:9000:37]:
        for move in game.moves(position):
            found.add(why(game, position, move).kind)
    assert "stops-fork" in found


def test_reasons_never_contradict_the_values() -> None:
    solution = solve(GAME)
    kinds = set()
    for position in solution.positions():
        for rated in solution.moves(position):
            reason = why(GAME, position, rated.move)
            kinds.add(reason.kind)
            best = solution.value(position).outcome
            assert (reason.kind == "gives-away") == (rated.value.outcome != best)
            assert (reason.kind == "wins") == (rated.value.remoteness == 1 and rated.value.outcome == "win")
            if reason.kind == "fork":
                assert winning_points(GAME, rated.position, position.turn).bit_count() > 1
            if reason.kind == "blocks":
                assert winning_points(GAME, position, 1 - position.turn)
                assert not winning_points(GAME, rated.position, 1 - position.turn)
            if reason.kind == "only":
                alike = [one for one in solution.moves(position) if one.value.outcome == rated.value.outcome]
                assert len(alike) == 1
    assert kinds >= {"wins", "gives-away", "blocks", "fork", "stops-fork", "only", "any", "keeps", "loses"}


@pytest.mark.parametrize(
    ("name", "moves"), [("achi", []), ("arabian", ["b2"]), ("qubic", []), ("nine-mens-morris", [])]
)
def test_every_game_has_reasons(name: str, moves: list[str]) -> None:
    game = find_game(name)
    position = game.play(*moves)
    for move in game.moves(position)[:3]:
        assert why(game, position, move).words.endswith(".")


def test_nothing_is_given_away_where_nobody_knows_what_there_is() -> None:
    game = find_game("qubic")
    position = game.play("1b1", "4d1", "1c1", "4d2", "1a1")
    reason = why(game, position, game.read_move(position, "2b2"))
    assert reason == ("loses", "It loses: X wins at once with 1d1.")
