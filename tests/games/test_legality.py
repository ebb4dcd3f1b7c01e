"""Legal positions: where stones are only placed, exactly those that some game reaches."""

from itertools import product

import pytest

from catalogue_names import MORRIS
from noughts.games import IllegalPositionError, Position, game
from noughts.games.legality import fault
from oracles import oracle
from oracles.values import reachable


def patterns(cells: int) -> list[tuple[str, ...]]:
    return list(product(".XO", repeat=cells))


@pytest.mark.parametrize("name", ["tictactoe", "mnk:3,3,2", "mnk:4,2,3", "mnk:5,2,2", "mnk:8,1,3", "mnk:3,3,1"])
def test_in_placing_games_legal_means_reachable(name: str) -> None:
    rules = game(name)
    expected = {oracle(name).text(state) for state in reachable(oracle(name))}
    width = len(rules.layout.rows[0][0])
    legal = set()
    for cells in patterns(len(rules.layout)):
        flat = "".join(cells)
        text = "/".join(flat[i : i + width] for i in range(0, len(flat), width))
        try:
            rules.read(text)
        except IllegalPositionError:
            continue
        legal.add(text)
    assert legal == expected


@pytest.mark.parametrize("name", ["arabian", "three-mens-morris", "achi"])  # all variants: tests/solve/test_values.py
def test_in_moving_games_the_reachable_is_legal(name: str) -> None:
    rules, slow = game(name), oracle(name)
    for state in reachable(slow):
        assert rules.write(rules.read(slow.text(state))) == slow.text(state)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("tictactoe", "XXX/OOO/...", "both sides have a row, expected at most one"),
        ("tictactoe", "OOO/XX./XX.", "o has a row and is to move"),
        ("tictactoe", "XX./.../...", "x has placed 2 stones, o 0"),
        ("tictactoe", "X../.../... x", "x is to move; expected as many each with x to move"),
        ("tictactoe", "O../.../...", "x has placed 0 stones, o 1"),
        ("tictactoe", "XXX/OO./O..", "x has a row and is to move"),
        ("square4", "XXXX/XXXX/OOOO/OOO.", "both sides have a row"),
        ("square4", "XOOX/OXXO/OXXO/XO.X", "x has rows with no stone in common"),
        ("arabian", "XXX/OOO/... x", "both sides have a row"),
        ("arabian", "XX./OO./.XX x", "x has 4 stones on the board and -1 in hand, expected 3 together"),
        ("arabian", "XXX/OO./..O x", "x has a row and is to move"),
        ("arabian", "XX./OO./... x 2,2", "x has 2 stones on the board and 2 in hand"),
        ("nine-mens-morris", "XXX/XXX/XXX/X...../.../.../OOO x", "x has 10 stones on the board"),
        (
            "nine-mens-morris",
            "X../.../.../....../.../.../OOO x",
            "x has 1 stones in all, expected at least 2",
        ),
        (
            "nine-mens-morris",
            "XXX/.../.../....../.../.../.OO x",
            "o has 2 stones in all, expected at least 3",
        ),
        ("nine-mens-morris", "X../.../.../....../.../.../... x 8,9", "x has placed 1 stones, o 0"),
    ],
)
def test_illegal_positions_are_named(name: str, text: str, words: str) -> None:
    with pytest.raises(IllegalPositionError) as caught:
        game(name).read(text)
    assert repr(text) in str(caught.value)
    assert words in str(caught.value)


@pytest.mark.parametrize("name", MORRIS)
def test_the_start_is_legal(name: str) -> None:
    rules = game(name)
    assert fault(rules.layout, rules.rules, rules.start()) is None
    assert fault(rules.layout, rules.rules, Position((1, 0), rules.rules.stones, 1)) is not None
