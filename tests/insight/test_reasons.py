"""Reasons for moves: each kind where it applies, and none that the facts contradict."""

import re
from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from noughts.games import game as find_game
from noughts.insight.reasons import why
from noughts.solve import UNKNOWN, knowledge, solve
from noughts.solve.at_once import winning_points
from oracles import Oracle, State, oracle
from oracles import solve as sweep
from oracles.deeds import other_to_move, wins

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


@pytest.mark.parametrize(("name", "count"), [("tictactoe", 500), ("three-mens-morris", 300)])
def test_every_number_and_every_only_is_true_by_the_oracles_values(name: str, count: int) -> None:
    game, judge = find_game(name), oracle(name)
    values = sweep(judge)
    told: Counter[str] = Counter()
    for state in Random(8).sample(sorted(state for state in values if not judge.over(state)), count):
        position = game.read(judge.text(state))
        worth = {move: outcome_before(values[judge.play(state, move)]) for move in judge.moves(state)}
        best = max(worth.values(), key=lambda one: ORDER[one[0]])[0]
        keeping = [move for move, one in worth.items() if one[0] == best]
        shares = {move: share_of(judge, values, judge.play(state, move)) for move in keeping}
        known = knowledge(game).ask(position)
        for move, (outcome, plies) in worth.items():
            reason = why(game, position, game.read_move(position, move), known)
            words = reason.words
            won = (outcome, plies) == ("win", 1)
            assert (reason.kind == "wins") == won
            assert (reason.kind == "gives-away") == (outcome != best)
            assert ("Every move loses" in words or words == "It is the only move, and it loses.") == (best == "loss")
            if best != "loss" and len(worth) > 1 and not won:
                alone = "the only move that" in words or "No other move" in words
                assert alone == (keeping == [move]), words
            if found := re.search(r"as (\d+) other moves do", words):
                assert int(found[1]) == len(keeping) - 1
            if found := re.search(r"can force a win in (\d+) moves", words):
                assert (outcome, int(found[1])) == ("loss", plies - 1)
            if found := re.search(r"After (?:it|this one) (?:only )?(\d+) of [XO]'s (\d+) moves (hold|win)", words):
                assert Fraction(int(found[1]), int(found[2])) == shares[move]
                told["hard"] += 1
            after = judge.play(state, move)
            if found := re.search(r"only a draw, if [XO] answers (\S+)\.", words):
                holding = [one for one in judge.moves(after) if values[judge.play(after, one)][0] == "draw"]
                assert holding == [found[1]]
                told["answer"] += 1
            if found := re.search(r"(?:wins at once with|beginning with) ([a-c1-3-]+)", words):
                then = values[judge.play(after, found[1])]
                assert then[0] == "loss"
                assert ("at once" in words.partition(",")[0]) == (then[1] == 0)
                told["refuted"] += 1
            if "no other is harder to answer" in words:
                hard = {one: 1 if plain(judge, judge.play(state, one)) else share for one, share in shares.items()}
                assert hard[move] == min(hard.values()) < max(hard.values())
                told["hardest"] += 1
            told[reason.kind] += 1
    assert min(told[kind] for kind in ("hard", "gives-away", "wins", "loses", "keeps", "refuted")) > 5, told
    assert told["hardest"]
    assert told["answer"] or name != "tictactoe"


def plain(judge: Oracle, state: State) -> bool:
    """Whether a row is about to be filled by either side, which everybody sees."""
    return bool(wins(judge, state) or wins(judge, other_to_move(state)))


ORDER = {"loss": -1, "draw": 0, "win": 1}


def outcome_before(value: tuple[str, int | None]) -> tuple[str, int]:
    """What the move into a position is worth, and in how many plies; a draw in none."""
    outcome, plies = value
    return {"loss": "win", "draw": "draw", "win": "loss"}[outcome], 0 if plies is None else plies + 1


def share_of(judge: Oracle, values: dict[State, tuple[str, int | None]], state: State) -> Fraction:
    """The share of the moves that keep what a position is worth; all of them where it is over or lost."""
    moves = judge.moves(state)
    if not moves or values[state][0] == "loss":
        return Fraction(1)
    after = [outcome_before(values[judge.play(state, move)])[0] for move in moves]
    return Fraction(after.count(values[state][0]), len(moves))


def test_reasons_never_contradict_the_values() -> None:
    solution = solve(GAME)
    kinds = set()
    for position in solution.positions():
        if position != GAME.canonical(position):
            continue
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
