"""Reasons for moves: each kind where it applies, and none that the facts contradict."""

import pytest

from noughts.games import game as find_game
from noughts.insight.reasons import why
from noughts.solve import UNKNOWN, knowledge, solve
from noughts.solve.at_once import winning_points

GAME = find_game("tictactoe")


@pytest.mark.parametrize(
    ("text", "move", "kind", "words"),
    [
        ("XX./OO./...", "c1", "wins", "It wins at once."),
        ("XX./OO./...", "a3", "gives-away", "It gives the win away: O wins at once with c2."),
        ("XX./OO./...", "c2", "gives-away", "It gives the win away: now it is only a draw, if O answers c1."),
        ("XX./.O./...", "c1", "blocks", "It stops X from winning at once."),
        ("X../.O./..X", "c1", "gives-away", "It gives the draw away: X can force a win in 3 moves"),
        ("O.X/.X./O..", "a2", "blocks", "It stops O from winning at once."),
        ("X../.../...", "b2", "only", "It is the only move that holds the draw."),
        (".../.../...", "b2", "any", "Any move holds the draw. After it 4 of O's 8 moves hold the draw."),
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
    assert reason[:2] == ("loses", "It loses: X wins at once with 1d1.")


def test_where_nothing_is_proved_the_reason_is_how_it_looks_and_how_far_that_was_searched() -> None:
    game = find_game("mnk:15,15,5")
    position = game.play("h8", "g7", "i8", "g8")
    known = knowledge(game).ask(position)
    best, said = known.moves[0].move, set()
    for rated in known.moves:
        reason = why(game, position, rated.move)
        assert (reason.kind, rated.value) == ("estimate", UNKNOWN)
        assert reason.words.endswith(f", searched {known.depth} plies.")
        assert (" looks best," in reason.words) is (rated.move == best)
        assert rated.move == best or game.write_move(best) in reason.words
        said.add(" ".join(reason.words.split()[:3]))
    assert said == {"It looks best,", "It looks as", "It looks weaker", "It looks bad"}


def test_a_move_beside_a_proved_win_is_not_said_to_look_like_anything() -> None:
    game = find_game("mnk:6,6,4")
    moves = [why(game, game.start(), game.read_move(game.start(), move)) for move in ("c3", "a1")]
    assert [reason.words for reason in moves] == [
        "It wins; of some other moves that is not known.",
        "What it leads to is not known here; c3 wins.",
    ]


def test_a_loss_by_force_says_in_how_many_moves_at_most() -> None:
    game = find_game("mnk:9,9,5")
    position = game.play("e5", "a1", "e4", "a2", "e6")
    reason = why(game, position, game.read_move(position, "a3"))
    assert reason.kind == "loses"
    assert reason.words.startswith("It loses: X can force a win in ")
