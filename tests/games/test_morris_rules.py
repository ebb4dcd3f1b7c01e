"""Lasker's rule and what a full board means, against the oracle and on positions set up by hand."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from noughts.games import Game, IllegalPositionError, NotationError, Outcome, game
from noughts.games.legality import fault
from noughts.games.playing import Playing, Result
from noughts.solve import TooLargeError, knowledge, solve
from noughts.solve.engine.state import DRAWN, GOES_ON, LOST, MOST_MOVES, do, end_of, generate, new_state, pack
from noughts.solve.tables import has_tables
from oracles import oracle

LASKER = game("lasker-morris")
FULL = game("six-mens-morris:stones=8,full-board=draws")
BOTH = "six-mens-morris:stones=8,moving-while-placing=yes,full-board=draws"
LOSING = "six-mens-morris:stones=8"


@pytest.mark.parametrize("name", [LASKER.name, FULL.name, BOTH, LOSING, "five-mens-morris:moving-while-placing=yes"])
def test_along_quiet_games_moves_and_ends_are_the_oracles(name: str) -> None:
    rules, slow = game(name), oracle(name)
    lasker, full_board_draws = rules.rules.moving_while_placing, rules.rules.full_board_draws
    random, seen = Random(rules.name), Counter[str]()
    for _ in range(15):
        position, state = rules.start(), slow.start()
        for _ in range(150):
            text = slow.text(state)
            assert rules.write(position) == text
            assert rules.read(text) == position
            end = rules.over(position)
            assert (None if end is None else str(end)) == slow.over(state)
            moves = [rules.write_move(move) for move in rules.moves(position)]
            assert sorted(moves) == sorted(slow.moves(state))
            assert len(set(moves)) == len(moves)
            if not moves:
                seen[str(end)] += 1
                break
            # Captures keep the board from filling up, so they are made less often than chance would have it.
            quiet = [move for move in moves if "x" not in move]
            chosen = random.choice(quiet if quiet and full_board_draws else moves)
            seen["in the middle of placing"] += "-" in chosen and bool(slow.in_hand(state))
            position, state = rules.after(position, rules.read_move(position, chosen)), slow.play(state, chosen)
    assert bool(seen["in the middle of placing"]) == lasker
    assert bool(seen["draw"]) == full_board_draws


def test_laskers_rule_lets_one_place_or_slide_and_nobody_fly_before_the_hand_is_empty() -> None:
    position = LASKER.read("X../.../.../....../.../.../..O x 9,9")
    moves = [LASKER.write_move(move) for move in LASKER.moves(position)]
    assert len(moves) == 22 + 2
    assert moves[-2:] == ["a1-d1", "a1-a4"]
    three = LASKER.read("X../.X./.../...X../.../.O./O.O x 1,1")
    assert not LASKER.rules.jumps(three, 0)
    assert LASKER.rules.jumps(three._replace(hand=(0, 1)), 0)
    assert LASKER.rules.allow(LASKER.layout, three, LASKER.read_move(three, "a1-a4"))


def test_a_slide_with_stones_in_hand_closes_a_mill() -> None:
    position = LASKER.read("XX./.../..X/...X../.../.O./O.O x 6,7")
    assert [LASKER.write_move(move) for move in LASKER.moves(position) if move.capture is not None][:3] == [
        "g1xd6",
        "g1xa7",
        "g1xg7",
    ]
    position = LASKER.read("XX./.../.../.....X/.../.O./O.O x 6,7")
    captures = [LASKER.write_move(move) for move in LASKER.moves(position) if move.capture is not None]
    assert captures == ["g1xd6", "g1xa7", "g1xg7", "g4-g1xd6", "g4-g1xa7", "g4-g1xg7"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("X../.../.../....../.../.../... x 9,10", "x has placed 1 stones, o 0"),
        ("XX./.../.../....../.../.../... o 8,10", "x has placed 2 stones, o 0"),
        ("O../.../.../....../.../.../... x 10,9", "x has placed 0 stones, o 1"),
    ],
)
def test_by_laskers_rule_too_the_first_stones_are_placed_in_turn(text: str, words: str) -> None:
    with pytest.raises(IllegalPositionError, match=words):
        LASKER.read(text)


def test_by_laskers_rule_the_hands_do_not_tell_who_is_to_move() -> None:
    assert LASKER.read(".../.../.../....../.../.../...") == LASKER.start()
    with pytest.raises(NotationError, match="the side to move is missing"):
        LASKER.read("X../.../.../....../.../.../..O 9,9")
    for side in (0, 1):
        assert fault(LASKER.layout, LASKER.rules, LASKER.play("a1", "g7")._replace(turn=side)) is None
    assert LASKER.rules.turn_of((9, 10)) == 1
    assert LASKER.rules.turn_of((9, 9)) is None


@pytest.mark.parametrize("turn", ["x", "o"])
def test_a_full_board_is_a_draw_only_where_the_rules_say_so(turn: str) -> None:
    text = f"XXO/OOX/XXOO/OXX/XOO {turn}"
    position = FULL.read(text)
    assert FULL.over(position) is Outcome.DRAW
    assert FULL.moves(position) == []
    assert not FULL.rules.allow(FULL.layout, position, FULL.moves(FULL.start())[0])
    assert Playing.begin(FULL, position).result == Result(None, "the board is full")
    blocked = game(LOSING)
    assert blocked.over(blocked.read(text)) is Outcome.LOSS


def test_a_blocked_player_loses_while_a_point_is_empty() -> None:
    text = "XO./XOX/XXOO/XOX/XOO"
    assert FULL.over(FULL.read(f"{text} x")) is Outcome.LOSS
    assert FULL.over(FULL.read(f"{text} o")) is None


@pytest.mark.slow
def test_a_mill_captures_nothing_where_nothing_stands() -> None:
    """No game leads there, but a position can be set up so."""
    for text in ("XX./.../.../....../.../.../... x 7,7", "XX./.../.../....../.../.../... x 8,8"):
        slow = oracle(LASKER.name)
        position, legal = LASKER.read(text), slow.moves(slow.read(text))
        assert "g1" in legal
        assert sorted(map(LASKER.write_move, LASKER.moves(position))) == sorted(legal)
        assert LASKER.read_move(position, "g1").capture is None
        moves = np.zeros(MOST_MOVES, np.int64)
        count = generate(new_state(LASKER, position)[0], moves)
        assert sorted(moves[:count].tolist()) == sorted(map(pack, LASKER.moves(position)))


@pytest.mark.slow
@pytest.mark.parametrize("rules", [LASKER, FULL, game(BOTH)], ids=repr)
def test_the_engine_plays_by_the_same_rules(rules: Game) -> None:
    random, moves, drawn = Random(7), np.zeros(MOST_MOVES, np.int64), 0
    for _ in range(12):
        position = rules.start()
        state = new_state(rules, position)
        for _ in range(120):
            legal = rules.moves(position)
            assert end_of(state[0]) == {None: GOES_ON, Outcome.LOSS: LOST, Outcome.DRAW: DRAWN}[rules.over(position)]
            if not legal:
                drawn += rules.over(position) is Outcome.DRAW
                break
            count = generate(state[0], moves)
            assert sorted(map(pack, legal)) == sorted(moves[:count].tolist()), rules.write(position)
            quiet = [move for move in legal if move.capture is None]
            move = random.choice(quiet or legal)
            do(state[0], pack(move))
            position = rules.after(position, move)
    assert bool(drawn) == rules.rules.full_board_draws


def test_all_of_the_family_can_have_tables_and_without_one_nothing_is_claimed() -> None:
    for name in ("seven-mens-morris", "eleven-mens-morris", "twelve-mens-morris", "nine-mens-morris:flying=no"):
        assert has_tables(game(name))
    assert has_tables(LASKER)
    assert has_tables(FULL)
    assert not has_tables(game("achi"))
    with pytest.raises(TooLargeError):
        solve(LASKER)
    unknown = game("lasker-morris:flying=no")
    assert knowledge(unknown).at_sight(unknown.start()) is None
