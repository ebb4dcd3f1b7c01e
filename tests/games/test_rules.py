"""The rules, against the oracles written from their prose: the same moves, ends and counts."""

from collections import Counter
from functools import cache
from itertools import product
from random import Random

import pytest

from catalogue_names import EVERY, MORE_MORRIS
from noughts.games import PASS, Game, Move, Position, game
from noughts.games.rules import Blocked
from oracles import oracle, perft

PLIES = {
    "tictactoe": 6,
    "square4": 4,
    "qubic": 2,
    "mnk:4,3,3": 5,
    "mnk:5,2,2": 6,
    "mnk:1,7,3": 7,
    "mnk:6,6,4": 3,
    "mnk:19,19,5": 1,
    "six-mens-morris": 4,
    "nine-mens-morris": 3,
    "seven-mens-morris": 3,
    "lasker-morris": 3,
    **dict.fromkeys(["morabaraba", *MORE_MORRIS], 2),
}
"""How deep the slow oracle counts; the games on nine points go to 4."""


def count_lines(rules: Game, position: Position, depth: int) -> int:
    moves = rules.moves(position)
    if depth == 1:
        return len(moves)
    return sum(count_lines(rules, rules.after(position, move), depth - 1) for move in moves)


@pytest.mark.parametrize("name", [*EVERY, *MORE_MORRIS])
def test_perft(name: str) -> None:
    depth = PLIES.get(name, 4)
    slow = oracle(name)
    expected = [perft(slow, ply) for ply in range(1, depth + 1)]
    rules = game(name)
    assert [count_lines(rules, rules.start(), ply) for ply in range(1, depth + 1)] == expected


def test_the_tree_of_tictactoe() -> None:
    """255,168 games and 549,946 nodes, counted over 5,478 positions."""
    rules = game("tictactoe")
    positions = set()

    @cache
    def tree(position: Position) -> tuple[int, int]:
        positions.add(position)
        moves = rules.moves(position)
        below = [tree(rules.after(position, move)) for move in moves]
        return sum(games for games, _ in below) if moves else 1, 1 + sum(nodes for _, nodes in below)

    assert tree(rules.start()) == (255_168, 549_946)
    assert len(positions) == 5_478


@pytest.mark.parametrize("name", [*EVERY, *MORE_MORRIS])
def test_along_random_games_moves_and_ends_are_the_oracles(name: str) -> None:
    """Deep into the game, where captures, flying, blockades and passes are."""
    rules, slow, random = game(name), oracle(name), Random(name)
    seen: Counter[str] = Counter()
    for _ in range(2 if len(rules.layout) > 64 else 20):
        position, state = rules.start(), slow.start()
        for _ in range(200):
            assert rules.write(position) == slow.text(state)
            end = rules.over(position)
            assert (None if end is None else str(end)) == slow.over(state)
            moves = [rules.write_move(move) for move in rules.moves(position)]
            assert sorted(moves) == sorted(slow.moves(state))
            if not moves:
                seen[str(end)] += 1
                break
            text = random.choice(moves)
            seen["capture"] += text.count("x")
            seen["step"] += text.count("-")
            seen["pass"] += text == "pass"
            position, state = rules.after(position, rules.read_move(position, text)), slow.play(state, text)
    if rules.rules.captures:
        assert seen["capture"]
        assert seen["loss"]
    if not rules.placing_only:
        assert seen["step"]


@pytest.mark.parametrize(
    "name",
    [
        "tictactoe",
        "arabian",
        "achi:adjacency=orthogonal,diagonals=no,blocked=passes",
        "six-mens-morris",
        "nine-mens-morris",
        "lasker-morris",
        "six-mens-morris:stones=8,full-board=draws",
    ],
)
def test_of_all_moves_one_can_think_of_those_are_allowed_that_are_listed(name: str) -> None:
    rules, random = game(name), Random(name)
    points = [None, *range(len(rules.layout))]
    thinkable = [Move(*parts) for parts in product(points, points, points if rules.rules.captures else [None, 4])]
    seen: Counter[str] = Counter()
    for _ in range(3 if rules.rules.captures else 30):
        position = rules.start()
        for ply in range(100):
            moves = rules.moves(position)
            if not moves or ply % (13 if rules.rules.captures else 1) == 0 or moves == [PASS]:
                allowed = [move for move in thinkable if rules.rules.allow(rules.layout, position, move)]
                assert sorted(allowed, key=str) == sorted(moves, key=str), rules.write(position)
                seen[str(rules.over(position))] += 1
                seen["capture"] += any(move.capture is not None for move in moves)
                seen["pass"] += moves == [PASS]
            if not moves:
                break
            position = rules.after(position, random.choice(moves))
    assert seen["loss"]
    assert seen["capture"] or not rules.rules.captures
    assert seen["pass"] or rules.rules.blocked is not Blocked.PASSES


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # A mill with all opposing stones in mills may take any of them.
        ("OOO/.../.../XX..../.../.../..X x", ["g7-c4xa1", "g7-c4xd1", "g7-c4xg1"]),
        # A stone outside a mill must be taken first.
        ("OOO/O../.../XX..../.../.../..X x", ["g7-c4xb2"]),
    ],
)
def test_captures_in_nine_mens_morris(text: str, expected: list[str]) -> None:
    rules = game("nine-mens-morris")
    position = rules.read(text)
    captures = [rules.write_move(move) for move in rules.moves(position) if move.capture is not None]
    assert [move for move in captures if move.startswith("g7-c4")] == expected


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("XXX/.../.../....../.../.../.OO o", 0),  # two stones have lost
        ("XXX/.O./.../O....O/.../.../XO. x", 0),  # four stones, and none can slide
        ("X.X/.../.../....../.../OOO/..X x", 54),  # three fly, each to the 18 empty points
        ("X.X/.../.../X...../.../OOO/..X x", 7),  # four slide
    ],
)
def test_who_can_move_in_nine_mens_morris(text: str, count: int) -> None:
    rules = game("nine-mens-morris")
    position = rules.read(text)
    assert len({(move.source, move.to) for move in rules.moves(position)}) == count
    assert (rules.over(position) == "loss") == (count == 0)
