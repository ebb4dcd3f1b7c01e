"""Names of games: those that mean one, and what is said of those that do not."""

import pytest

from catalogue_names import ACHI, EVERY
from noughts.games import UnknownGameError, game


@pytest.mark.parametrize("name", EVERY)
def test_a_game_is_one_object_and_knows_its_name(name: str) -> None:
    assert game(name) is game(name)
    assert game(name).name == name
    assert game(f" {name.upper()} ") is game(name)


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
        ("achi:", "'' in 'achi:' is not an option"),
        ("square4:boards=0", "'0' in 'square4:boards=0' is not a value of boards: expected 1 or 4"),
        ("square4:board=4", "'board=4' in 'square4:board=4' is not an option of square4: expected boards"),
    ],
)
def test_other_names_are_refused(name: str, words: str) -> None:
    with pytest.raises(UnknownGameError) as caught:
        game(name)
    assert words in str(caught.value)
