"""A sitting is its address: whatever can be at the sitting can be written into a URL and read from it again."""

from dataclasses import replace
from random import Random
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from catalogue_names import ACHI, EVERY
from noughts.games import NoughtsError, game
from noughts.games.playing import Playing
from noughts.players import CannotPlayError, UnknownPlayerError
from noughts.web import sitting as table_module
from noughts.web.sitting import BadAddressError, Sitting, new_id, players_of, read_sitting

SIZED = [name for name in EVERY if name not in ACHI[1:]]


def read(url: str) -> Sitting:
    parts = urlsplit(url)
    return read_sitting(unquote(parts.path).removeprefix("/play/"), dict(parse_qsl(parts.query)))


def some_sitting(name: str, seed: int, plies: int, names: tuple[str, str] = ("human", "human")) -> Sitting:
    """A sitting after so many moves at random, or fewer if the game ends before."""
    dice = Random(seed)
    sitting = Sitting(game(name), names, Playing.begin(game(name)), "some-id")
    while len(sitting.moves) < plies and not sitting.over:
        sitting = sitting.then(sitting.game.write_move(dice.choice(sitting.game.moves(sitting.playing.position))))
    return sitting


sittings = st.builds(
    some_sitting,
    st.sampled_from(SIZED),
    st.integers(0, 1000),
    st.integers(0, 24),
    st.sampled_from([("human", "human"), ("human", "random"), ("random", "human"), ("random", "random")]),
)


@given(sittings, st.booleans(), st.booleans(), st.integers(0, 359))
@settings(max_examples=150, deadline=None)
def test_a_sitting_is_read_back_from_its_address(sitting: Sitting, values: bool, hint: bool, rotation: int) -> None:
    looked_at = sitting.back().seen_as("boards" if values or len(sitting.game.layout.rows) == 1 else "cube")
    rotation = rotation if looked_at.cube else sitting.rotation
    looked_at = replace(looked_at, values=values, hint=hint, rotation=rotation, cost="12.6496.-.-", spent=77)
    assert read(looked_at.url()) == looked_at


@given(sittings)
@settings(max_examples=100, deadline=None)
def test_the_short_way_to_an_address_leads_to_the_same_table(sitting: Sitting) -> None:
    for plies in range(len(sitting.moves) + 1):
        assert sitting.url_at(plies) == sitting.at(plies).url()
    before = replace(sitting.back(), future=())
    for move in before.game.moves(before.playing.position)[:5]:
        text = before.game.write_move(move)
        assert before.url_after(text) == before.then(text).url()


@given(sittings)
@settings(max_examples=100, deadline=None)
def test_redo_undoes_undo(sitting: Sitting) -> None:
    before = sitting.back()
    if before is sitting:
        assert "human" not in sitting.names[: len(sitting.moves)] or not sitting.moves
        return
    assert before.moves + before.future == sitting.moves
    if "human" in sitting.names:
        assert before.turn_name == "human"
    forward = before.forth()
    while forward.future:
        forward = forward.forth()
    assert forward.playing == sitting.playing


def test_undo_goes_back_to_the_last_turn_of_a_person() -> None:
    url = "/play/tictactoe?x=human&o=c1990&moves=b2.a1.c1.a3&id=a"
    assert read(url).back().moves == ("b2", "a1")
    assert read(url).back().back().moves == ()
    assert read(url).back().back().future == ("b2", "a1", "c1", "a3")
    assert read(url).back().back().forth().moves == ("b2", "a1")
    machine_began = read("/play/tictactoe?x=c1990&o=human&moves=a1&id=a")
    assert machine_began.back() is machine_began


def test_between_machines_and_between_people_undo_takes_one_move() -> None:
    for names in ("x=random&o=c1990", "x=human&o=human"):
        assert read(f"/play/tictactoe?{names}&moves=b2.a1&id=a").back().moves == ("b2",)


def test_another_move_forgets_what_was_taken_back_and_the_same_move_does_not() -> None:
    sitting = read("/play/tictactoe?x=human&o=c1990&moves=b2.a1.c1.a3&id=a").back().back()
    assert read(sitting.url_after("c3")).future == ()
    again = read(sitting.url_after("b2"))
    assert again.moves == ("b2", "a1")
    assert again.future == ("c1", "a3")


def test_a_machine_answers_a_person_but_not_while_earlier_moves_are_looked_at() -> None:
    assert read("/play/tictactoe?x=human&o=c1990&moves=b2&id=a").answers_by_itself
    assert not read("/play/tictactoe?x=human&o=c1990&moves=b2&future=a1&id=a").answers_by_itself
    assert not read("/play/tictactoe?x=random&o=c1990&moves=b2&id=a").answers_by_itself
    assert not read("/play/tictactoe?x=human&o=c1990&moves=b2.a1&id=a").answers_by_itself
    assert not read("/play/tictactoe?x=human&o=c1990&moves=a1.b1.a2.b2.a3&id=a").answers_by_itself


def test_swapping_exchanges_the_names_and_nothing_else() -> None:
    sitting = read("/play/achi?x=human&o=casual&moves=b2.a1&id=a&values=1")
    assert sitting.swapped().names == ("casual", "human")
    assert replace(sitting.swapped(), names=sitting.names) == sitting


def test_a_new_game_begins_where_this_one_began_without_its_id_and_its_past() -> None:
    sitting = read("/play/tictactoe?x=human&o=c1990&start=XO./.../...&moves=b2.a3&id=a&hint=1&cost=1.2.3&spent=9")
    fresh = sitting.anew()
    assert (fresh.start, fresh.moves, fresh.future, fresh.id) == ("XO./.../...", (), (), "")
    assert (fresh.hint, fresh.cost, fresh.spent, fresh.names) == (False, "", 0, sitting.names)


def test_what_is_shared_is_the_game_and_not_what_one_person_looks_at() -> None:
    sitting = read("/play/tictactoe?moves=b2&future=a1&values=1&hint=1&cost=1.2.3&spent=4&id=a")
    assert sitting.shared() == "/play/tictactoe?x=human&o=human&moves=b2&id=a"


def seed(sitting: Sitting) -> int:
    return sitting.question(len(sitting.moves))[-1]


def test_dice_are_the_same_when_asked_again_and_others_at_every_move_and_in_every_game() -> None:
    urls = [f"/play/achi?x=human&o=casual&moves={moves}&id={name}" for moves in ("b2", "b2.a1.c1") for name in "ab"]
    assert len({seed(read(url)) for url in urls}) == 4
    assert seed(read(urls[0])) == seed(replace(read(urls[0]), values=True, future=(), spent=99))


def test_ids_are_new_every_time_and_fit_where_they_are_kept() -> None:
    ids = {new_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert all(read(f"/play/tictactoe?id={name}").id == name for name in ids)


def test_a_game_of_as_many_moves_as_an_address_holds_goes_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = read("/play/tictactoe?x=human&o=c1990&moves=b2.a1.c1&id=a")
    assert sitting.answers_by_itself
    monkeypatch.setattr(table_module, "MOST_MOVES", 3)
    assert sitting.full
    assert not sitting.answers_by_itself


def test_every_full_board_fits_into_an_address() -> None:
    sitting = some_sitting("mnk:19,19,19", 1, 361)
    assert len(sitting.moves) > 300
    assert read(sitting.url()) == sitting


@pytest.mark.parametrize(
    ("url", "culprit"),
    [
        ("/play/tictactoe?moves=" + "a" * 4001, "4,001"),
        ("/play/tictactoe?moves=" + ".".join(["b2"] * 401), "401"),
        ("/play/tictactoe?moves=" + "b2xc3abcdefghi", "b2xc3abcdefghi"),
        ("/play/tictactoe?moves=b2.b2", "'b2'"),
        ("/play/tictactoe?moves=e9", "e9"),
        ("/play/tictactoe?moves=a1.b1.a2.b2.a3.c3", "'c3'"),
        ("/play/tictactoe?moves=b2&future=b2", "'b2'"),
        ("/play/tictactoe?moves=a1.b1.a2.b2&future=a3.c3", "'c3'"),
        ("/play/tictactoe?start=XXX/.../...", "XXX"),
        ("/play/tictactoe?start=nonsense", "nonsense"),
        ("/play/tictactoe?id=%3Cscript%3E", "<script>"),
        ("/play/tictactoe?id=" + "a" * 41, "a" * 40),
        ("/play/tictactoe?part=a1-", "a1-"),
        ("/play/tictactoe?part=%3Cscript%3E", "<script>"),
        ("/play/tictactoe?cost=1.2", "'1.2'"),
        ("/play/tictactoe?cost=1.2.3.4.5", "1.2.3.4.5"),
        ("/play/tictactoe?spent=-1", "-1"),
        ("/play/qubic?view=cube&rotate=-15", "-15"),
        ("/play/tictactoe?x=" + "a" * 61, "61"),
        ("/play/" + "a" * 300, "300"),
        ("/play/nonsense", "nonsense"),
        ("/play/tictactoe?x=nobody", "nobody"),
        ("/play/achi?x=c1990", "achi"),
        ("/play/tictactoe?o=basic2:depth=3", "depth"),
    ],
)
def test_what_means_nothing_is_refused_by_name(url: str, culprit: str) -> None:
    with pytest.raises(NoughtsError) as error:
        read(url)
    assert culprit in str(error.value)
    assert "\n" not in str(error.value)


KEYS = ["x", "o", "moves", "start", "future", "part", "id", "cost", "spent", "rotate"]
NEARLY = st.text("abc123.-xXO/ ,", max_size=14)


@example({"rotate": "1"})
@given(st.dictionaries(st.sampled_from(KEYS), NEARLY | st.text()))
@settings(max_examples=300, deadline=None)
def test_any_text_is_a_sitting_or_an_error_with_a_name(query: dict[str, str]) -> None:
    try:
        sitting = read_sitting("achi", query)
    except NoughtsError:
        return
    assert read(sitting.url()) == sitting


def test_unknown_names_are_told_from_bad_addresses() -> None:
    with pytest.raises(UnknownPlayerError):
        read("/play/tictactoe?x=nobody")
    with pytest.raises(CannotPlayError):
        read("/play/achi?x=chip1990")
    with pytest.raises(BadAddressError):
        read("/play/tictactoe?id=%20")


def test_the_cube_is_for_boards_that_have_levels() -> None:
    assert read("/play/qubic?view=cube&rotate=375").rotation == 15
    assert read("/play/qubic?view=cube").cube
    assert read("/play/qubic").cube
    assert read("/play/qubic?view=sphere").cube
    assert not read("/play/qubic?view=boards").cube
    assert not read("/play/tictactoe?view=cube").cube
    assert read("/play/square4:boards=4?view=cube").cube
    assert not read("/play/square4:boards=4").cube


def test_machines_are_offered_for_the_games_they_play() -> None:
    assert {"c1990", "chip1990", "elements2021", "perfect", "casual"} <= set(players_of(game("tictactoe")))
    assert {"basic2", "basic3", "basicf", "perfect"} <= set(players_of(game("qubic")))
    assert "c1990" not in players_of(game("qubic"))
    assert "perfect" not in players_of(game("nine-mens-morris"))
    assert "human" not in players_of(game("tictactoe"))


def test_perfect_play_is_not_offered_where_the_web_does_not_afford_it() -> None:
    assert "perfect" in players_of(game("square4"))
    assert "perfect" not in players_of(game("mnk:5,4,4"))
    with pytest.raises(CannotPlayError):
        read("/play/mnk:5,4,4?o=perfect")
