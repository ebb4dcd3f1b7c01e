"""Games that people paste: every way in which one may be written is read, and what is wrong is named."""

import json

import pytest

from noughts.games import NoughtsError
from noughts.library.pasted import MOST_PASTED, Pasted, read_pasted


def moves_of(pasted: Pasted) -> str:
    game = pasted.playing.game
    return " ".join(game.write_move(move) for move in pasted.playing.moves)


@pytest.mark.parametrize(
    "text",
    [
        "b2 a1 c3",
        " B2  A1\nC3 ",
        "1. b2 a1 2. c3",
        "1.b2 a1 2.c3 *",
        "1) b2 a1 2) c3",
        "1 b2 2 a1 3 c3",
        "b2, a1, c3",
        "b2.a1.c3",
        "b2! a1?? c3?!",
        "X: b2 O: a1 X: c3 1-0",
        "x b2 o a1 x c3",
        "4 0 8",
        "4, 0, 8",
        '{"game": "tictactoe", "x": "human", "o": "chip1990", "moves": ["b2", "a1", "c3"], "result": "x"}',
        '{"moves": "b2 a1 c3"}\n{"moves": "a1"}',
        "/play/tictactoe?x=human&o=chip1990&moves=b2.a1.c3&id=abc",
        "http://127.0.0.1:8000/review/tictactoe?x=human&o=chip1990&moves=b2.a1.c3&ply=2",
    ],
)
def test_every_way_to_write_a_game_is_read(text: str) -> None:
    assert moves_of(read_pasted(text, "tictactoe")) == "b2 a1 c3"


@pytest.mark.parametrize(
    ("name", "text", "moves"),
    [
        ("qubic", "1,1 4,16 1,4", "1a1 4d4 1a4"),
        ("qubic", "1a1 4d4", "1a1 4d4"),
        ("achi", "1. b2 c1 2. a2 c2 3. c3 a1 4. b1 b3 5. a2-a3", "b2 c1 a2 c2 c3 a1 b1 b3 a2-a3"),
        ("nine-mens-morris", "e3 c4 c3 d2 d3xc4", "e3 c4 c3 d2 d3xc4"),
        ("mnk:19,19,5", "s19 a1", "s19 a1"),
    ],
)
def test_the_notations_of_other_games(name: str, text: str, moves: str) -> None:
    assert moves_of(read_pasted(text, name)) == moves


def test_a_line_of_the_history_says_who_played_and_where_it_began() -> None:
    line = {"game": "tictactoe", "x": "casual", "o": "human", "start": "XX./OO./...", "moves": ["c1"]}
    found = read_pasted(json.dumps(line))
    assert found.names == ("casual", "human")
    assert found.playing.result is not None
    address = "/play/achi:diagonals%3Dno?x=human&o=casual&moves=b2.a1"
    assert read_pasted(address).playing.game.name == "achi:diagonals=no"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there are no moves"),
        ("...", "holds no moves"),
        ("b2 b2", "move 2: 'b2' is not a legal move: b2 is occupied"),
        ("b2 d4", "move 2: 'd4' is not a point of this board"),
        ("b2 hello", "'hello' is not a move: expected moves as b2"),
        ("4 4", "move 2: '4' is not a legal move here"),
        ("b2 b1 a1 c3 a3 c1 a2 c2", "move 8, 'c2', comes after the end: expected 7 moves"),
        ("{", "is not a line of the history"),
        ("{" * 5_000, "is not a line of the history"),
        ('{"game": "tictactoe"}', "the moves 'None' are none: expected a list"),
        ('{"game": "chess", "moves": []}', "chess"),
        ('{"game": 3, "moves": []}', "game is '3': expected a text"),
        ('{"game": "tictactoe", "moves": [1]}', "expected a list"),
        ("/play/chess?moves=e4", "chess"),
        ("http://[/play/tictactoe?moves=b2", "is not an address: Invalid IPv6 URL; expected one of ours"),
        ("tictactoe from" + " " * 4_900 + "x", "'tictactoe' is not a move"),
        ("a1 " * MOST_PASTED, "characters: expected at most"),
        ("a1 b1 " * 300, "the game has 600 moves: expected at most 400"),
    ],
)
def test_what_is_wrong_is_named(text: str, words: str) -> None:
    with pytest.raises(NoughtsError) as error:
        read_pasted(text, "tictactoe")
    assert words in str(error.value)


def test_moves_alone_need_a_game() -> None:
    with pytest.raises(NoughtsError, match="does not say which game it is of: expected a game and its moves"):
        read_pasted("b2 a1")
