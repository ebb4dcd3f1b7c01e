"""Names of games: those that mean one, and what is said of those that do not."""

import pytest

from catalogue_names import ACHI, EVERY
from noughts.games import UnknownGameError, game


@pytest.mark.parametrize("name", EVERY)
def test_a_game_is_one_object_and_knows_its_name(name: str) -> None:
    assert game(name) is game(name)
    assert game(name).name == name
    assert game(f" {name.upper()} ") is game(name)


@pytest.mark.parametrize(("name", "same"), [("tapatan", "three-mens-morris"), ("twelve-mens-morris", "morabaraba")])
def test_two_names_of_one_game(name: str, same: str) -> None:
    assert game(name) != game(same)
    assert (game(name).layout, game(name).rules) == (game(same).layout, game(same).rules)


@pytest.mark.parametrize(
    ("name", "points", "lines", "edges", "symmetries"),
    [
        ("five-mens-morris", 16, 8, 20, 16),
        ("six-mens-morris:diagonals=yes", 16, 8, 24, 16),
        ("seven-mens-morris", 17, 14, 24, 8),
        ("nine-mens-morris", 24, 16, 32, 16),
        ("morabaraba", 24, 20, 40, 16),
    ],
)
def test_the_boards_of_the_morris_games(name: str, points: int, lines: int, edges: int, symmetries: int) -> None:
    """As Takeda and Hoki count them, who number the positions of these games (2020); the diagonals of six are ours."""
    layout = game(name).layout
    counts = (len(layout), len(layout.lines), len(layout.edges), len(game(name).symmetries))
    assert counts == (points, lines, edges, symmetries)


def test_a_morris_game_is_what_its_options_say() -> None:
    lasker = game("nine-mens-morris:stones=10,moving-while-placing=yes")
    assert (lasker.layout, lasker.rules) == (game("lasker-morris").layout, game("lasker-morris").rules)
    twelve = game("nine-mens-morris:stones=12,diagonals=yes,full-board=draws")
    assert (twelve.layout, twelve.rules) == (game("morabaraba").layout, game("morabaraba").rules)
    assert game("morabaraba:diagonals=no,stones=9,full-board=loses").rules == game("nine-mens-morris").rules
    assert game("nine-mens-morris:flying=no").rules.flying == 0
    assert game("nine-mens-morris:stones=9") is game("nine-mens-morris")
    assert game("lasker-morris:moving-while-placing=no").rules.moving_while_placing is False


def test_achi_has_36_variants_and_the_first_is_achi() -> None:
    assert len(set(ACHI)) == 36
    assert ACHI[0] == "achi"
    assert game("achi:blocked=loses") is game("achi")
    assert game("achi:blocked=draws,adjacency=king").name == "achi:adjacency=king,blocked=draws"


@pytest.mark.parametrize("name", ["mnk:1,1,1", "mnk:19,1,19", "mnk:2,7,7", "mnk:5,4,3"])
def test_sensible_sizes(name: str) -> None:
    rules = game(name)
    m, n, _ = (int(number) for number in name[4:].split(","))
    assert len(rules.layout) == m * n
    assert len(rules.layout.rows[0]) == n


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("chess", "'chess' is not a game: expected one of tictactoe, square4"),
        ("", "'' is not a game"),
        ("qubic:3", "'qubic:3' is not a game: qubic takes no options, expected 'qubic'"),
        ("mnk:M,N,K", "expected mnk:M,N,K, three numbers"),
        ("mnk:3,3", "expected mnk:M,N,K, three numbers"),
        ("mnk:3,3,-1", "expected mnk:M,N,K, three numbers"),
        ("mnk:3,3,4", "4 in a row do not fit, expected K from 1 to 3"),
        ("mnk:3,3,0", "0 in a row do not fit"),
        ("mnk:20,3,3", "expected M and N from 1 to 19"),
        ("mnk:0,3,3", "expected M and N from 1 to 19"),
        ("achi:colour=red", "'colour=red' in 'achi:colour=red' is not an option of achi: expected adjacency"),
        (
            "achi:blocked=wins",
            "'wins' in 'achi:blocked=wins' is not a value of blocked: expected loses or draws",
        ),
        ("six-mens-morris:stones=9", "'9' in 'six-mens-morris:stones=9' is not a value of stones: expected 6 or 5"),
        ("achi:", "'' in 'achi:' is not an option"),
        ("square4:boards=0", "'0' in 'square4:boards=0' is not a value of boards: expected 1 or 4"),
        ("square4:board=4", "'board=4' in 'square4:board=4' is not an option of square4: expected boards"),
    ],
)
def test_other_names_are_refused(name: str, words: str) -> None:
    with pytest.raises(UnknownGameError) as caught:
        game(name)
    assert words in str(caught.value)
