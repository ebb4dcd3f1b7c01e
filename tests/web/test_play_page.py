"""The page of a game: whole games are played by following the links that it has."""

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from play_page import PlayPage, go, keep, reachable, read, wander
from sites import Client, settings_in
from starlette.testclient import TestClient

from noughts.games import game
from noughts.games.picture import Note, draw_board
from noughts.games.playing import Playing
from noughts.players import name_of, player
from noughts.records import DatabaseError, Finished
from noughts.web.app import create_app
from noughts.web.asking.questions import analysis, reasons, reply
from noughts.web.boards.linked import draw_cube

pytestmark = pytest.mark.slow

HOSTILE = "<script>alert('x')</script>\"'&%00\x00"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with Client(
        create_app(settings_in(tmp_path_factory.mktemp("played"), thinkers=1, patience=30)),
        raise_server_exceptions=False,
    ) as made:
        yield made


def test_a_game_without_an_id_gets_one(client: TestClient) -> None:
    first = client.get("/play/achi?x=human&o=human&moves=b2", follow_redirects=False)
    assert first.status_code == 303
    sitting = read(first.headers["location"])
    assert sitting.id
    assert (sitting.names, sitting.moves) == (("human", "human"), ("b2",))
    assert read(client.get("/play/achi", follow_redirects=False).headers["location"]).id != sitting.id


@pytest.mark.parametrize("seed", range(3))
def test_tictactoe_is_played_to_its_end_against_the_program_of_1990(client: TestClient, seed: int) -> None:
    pages = wander(client, "/play/tictactoe?x=human&o=c1990", seed, 9)
    sitting = pages[-1].sitting
    assert sitting.over
    assert pages[-1].said.startswith(
        (
            "You lost: the C program of 1990 has three in a row. “I won.”",
            "It's a draw: no move is left. “It's a draw”",
        )
    )
    machine = player("c1990")
    for plies in range(1, len(sitting.moves), 2):
        choice = machine.choose(sitting.game, sitting.playing.positions[plies])
        assert sitting.moves[plies] == sitting.game.write_move(choice.move)
        if not pages[(plies + 1) // 2].sitting.over:
            assert f"{choice.nodes:,} positions" in pages[(plies + 1) // 2].said


@pytest.mark.parametrize(
    "name", ["tictactoe", "achi", "arabian", "six-mens-morris", "lasker-morris", "mnk:5,3,3", "square4:boards=4"]
)
def test_exactly_the_legal_moves_lead_on(client: TestClient, name: str) -> None:
    for page in wander(client, f"/play/{name}?id=a", 5, 24):
        sitting = page.sitting
        if sitting.part:
            continue
        legal = {sitting.game.write_move(move) for move in sitting.game.moves(sitting.playing.position)}
        assert reachable(client, page) == (set() if sitting.over else legal)
        assert set(page.points) == set(sitting.game.layout.points)


@pytest.mark.parametrize(
    ("seed", "end"),
    [(1, "It's a draw: the position came up for the third time."), (5, "X won: O has only two stones left.")],
)
def test_nine_mens_morris_is_played_with_sliding_and_capturing(client: TestClient, seed: int, end: str) -> None:
    pages = wander(client, f"/play/nine-mens-morris?id=morris{seed}", seed, 200)
    sitting = pages[-1].sitting
    assert any("x" in move for move in sitting.moves)
    assert any("-" in move for move in sitting.moves)
    assert pages[-1].said.startswith(end)
    for page in pages:
        if page.sitting.part.endswith("x"):
            assert "Capture one of the stones" in page.said
            other = 1 - page.sitting.playing.position.turn
            for name in page.leading_on("play"):
                assert page.sitting.playing.position.stones[other] >> page.sitting.game.layout.index[name] & 1


def test_a_stone_is_picked_and_put_back_and_another_one_picked(client: TestClient) -> None:
    page = go(client, "/play/three-mens-morris?moves=a1.b2.c3.a3.c1.b1&id=a")
    assert set(page.leading_on("pick")) == {"c1", "c3"} - set(page.leading_on("play"))
    picked = go(client, page.leading_on("pick")["c3"])
    assert picked.sitting.part == "c3-"
    assert "where should c3 go?" in picked.said
    assert {"b3", "c2"} <= set(picked.leading_on("play"))
    assert read(picked.leading_on("back")["c3"]).part == ""
    assert read(picked.links["cancel"]).part == ""
    assert read(picked.leading_on("play")["b3"]).moves[-1] == "c3-b3"
    circles = [element for board in picked.boards() for element in board.iter() if element.tag == "circle"]
    assert sum(circle.get("class") == "mark-picked" for circle in circles) == 1
    assert sum(circle.get("class") == "mark-open" for circle in circles) == 2


def buttons(page: PlayPage) -> dict[str, str]:
    """The words of the buttons below a board, by their slots."""
    return dict(re.findall(r'<a class="button slot-(\w+)[^>]*>([^<]*)</a>', page.html))


def test_only_what_can_be_done_now_has_a_button_and_always_in_the_same_slot(client: TestClient) -> None:
    def at(url: str) -> dict[str, str]:
        return buttons(go(client, f"/play/{url}&id=a"))

    advice, new, swap = {"first": "Hint", "second": "Values"}, {"new": "New game"}, {"swap": "Swap sides"}
    assert at("tictactoe?") == advice | new
    assert at("tictactoe?moves=b2") == advice | new | {"back": "Undo"}
    assert at("tictactoe?future=b2") == advice | new | {"forth": "Redo"}
    assert at("tictactoe?x=human&o=c1990&moves=b2.a1") == advice | new | swap | {"back": "Undo"}
    waiting = {"both": "Let the C program of 1990 move", "back": "Undo", "forth": "Redo"}
    assert at("tictactoe?x=human&o=c1990&moves=b2&future=c3") == new | swap | waiting
    assert at("achi?x=novice&o=perfect") == new | swap | {"both": "Let Novice move"}
    morris = "three-mens-morris?moves=a1.b2.c3.a3.c1.b1"
    assert at(f"{morris}&part=c3-") == advice | new | {"back": "Put it back"}
    ended = {"first": "Review this game", "second": "Play again", "back": "Undo"}
    assert at("tictactoe?moves=a1.b1.a2.b2.a3") == ended


@pytest.mark.parametrize(
    ("x", "o", "level", "told", "next_one"),
    [
        ("human", "level3", "3", "won", "Meet Level 4"),
        ("level3", "human", "3", "lost", "Meet Level 2"),
        ("human", "casual", "4", "won", "Meet Level 5"),
        ("human", "level8", "8", "won", ""),
        ("level1", "human", "1", "lost", ""),
        ("human", "c1990", "", "won", ""),
        ("human", "human", "", "", ""),
        ("level2", "level3", "", "", ""),
    ],
)
def test_after_the_end_the_next_level_is_offered(
    client: TestClient, x: str, o: str, level: str, told: str, next_one: str
) -> None:
    page = go(client, f"/play/tictactoe?x={x}&o={o}&moves=a1.b1.a2.b2.a3&id=a")
    (tag,) = re.findall('<div id="game"[^>]*>', page.html)
    assert dict(re.findall('data-(game|level|ended)="([^"]*)"', tag)) == {
        name: words for name, words in (("game", "tictactoe"), ("level", level), ("ended", told)) if words
    }
    assert page.links["review"] == f"/review/tictactoe?x={x}&o={o}&moves=a1.b1.a2.b2.a3"
    main = re.findall('<a class="button slot-[^"]* main"[^>]*data-focus="([^"]*)"', page.html)
    assert main == [{"lost": "review", "won": "level" if next_one else "new", "": "new"}[told]]
    assert buttons(page).get("new", "Swap sides") == (next_one or "Swap sides")
    if next_one:
        following = read(page.links["level"])
        assert (following.moves, following.id) == ((), "")
        assert set(following.names) == {"human", f"level{next_one[-1]}"}
        assert following.names.index("human") == page.sitting.names.index("human")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("tictactoe?moves=a1.b1.a2.b2.a3", "X won: three in a row."),
        ("tictactoe?x=novice&o=level3&moves=a1.b1.a2.b2.a3", "Novice (X) won: three in a row."),
        ("tictactoe?x=c1990&o=perfect&moves=a1.b1.a2.b2.a3", "The C program of 1990 (X) won: three in a row."),
        ("tictactoe?x=human&o=c1990&moves=a1.b1.a2.b2.a3", "You won: three in a row. “You won.”"),
        ("mnk:5,5,4?x=strong&o=human&moves=a1.b1.a2.b2.a3.b3.a4", "You lost: Strong has four in a row."),
        ("qubic?x=human&o=basic3&moves=1a1.2a1.1b1.2b1.1c1.2c1.1d1", "You won: four in a row. “YOU WON”"),
        ("achi?x=human&o=level4&start=XX./OXX/OOO x", "You lost: Level 4 has three in a row."),
        ("achi?x=human&o=casual&start=.OX/OOX/XXO x", "You lost: you cannot move."),
        ("achi?x=casual&o=human&start=.OX/OOX/XXO x", "You won: Casual cannot move."),
        ("nine-mens-morris?start=X../.../.../.X.O../.O./O../O.. x", "O won: X has only two stones left."),
        ("nine-mens-morris?x=human&o=casual&start=X../.../.../.X.O../.O./O../O.. x", "You lost: you have only two"),
        ("nine-mens-morris?x=casual&o=human&start=X../.../.../.X.O../.O./O../O.. x", "You won: Casual has only two"),
    ],
)
def test_the_end_is_told_to_whoever_played(client: TestClient, url: str, words: str) -> None:
    assert go(client, f"/play/{url}&id=a").said.startswith(words)


def test_at_the_end_explore_shows_the_position_in_which_something_could_still_be_done(client: TestClient) -> None:
    page = go(client, "/play/tictactoe?moves=a1.b1.a2.b2.a3&id=a")
    assert page.links["explore"] == "/explore/tictactoe/.../.../...?moves=a1.b1.a2.b2"


def test_the_stone_that_moved_last_can_be_seen_to_be_one_of_those_to_capture(client: TestClient) -> None:
    page = go(client, "/play/nine-mens-morris?moves=a1.a7.d1.d7.b2.b6&part=g1x&id=a")
    drawn = [one.attrib for board in page.boards() for one in board.iter("circle") if one.get("class")]
    rings = [(one["cx"], one["cy"]) for one in drawn if one["class"] == "mark-target"]
    assert len(rings) == len(page.leading_on("play")) == 3
    (last,) = [one for one in drawn if one["class"] == "mark-last"]
    (ring,) = [
        one for one in drawn if one["class"] == "mark-target" and (one["cx"], one["cy"]) == (last["cx"], last["cy"])
    ]
    assert drawn.index(last) < drawn.index(ring), "the ring lies above"


def test_a_move_that_can_end_in_one_way_only_is_played_at_once(client: TestClient) -> None:
    page = go(client, "/play/achi?moves=a1.b2.c3.a3.c1.b1.b3.c2&id=a")
    assert page.leading_on("pick") == {}
    assert read(page.leading_on("play")["a1"]).moves[-1] == "a1-a2"
    assert page.points["a1"]["aria-label"] == "a1, X: move it to a2"
    mill = go(client, "/play/nine-mens-morris?moves=a1.a7.d1.g7.b2.d7xb2.c3.b4&id=a")
    assert read(mill.leading_on("play")["g1"]).moves[-1] == "g1xb4"
    assert mill.points["g1"]["aria-label"] == "g1, empty: play here and capture b4"


@pytest.mark.parametrize("view", ["&view=boards", "&rotate=45"])
def test_qubic_is_played_on_boards_and_on_the_cube(client: TestClient, view: str) -> None:
    pages = wander(client, f"/play/qubic?id=cube{view}", 3, 64)
    assert pages[-1].sitting.over
    assert all(set(page.points) == set(game("qubic").layout.points) for page in pages)
    cube = view == "&rotate=45"
    assert all(len(page.boards()) == (1 if cube else 4) for page in pages)
    assert pages[-1].sitting.cube == cube


def test_the_cube_turns_in_both_directions_and_all_around(client: TestClient) -> None:
    page = go(client, "/play/qubic?view=cube&moves=1a1&id=a")
    seen = set()
    for _ in range(24):
        seen.add(page.html[page.html.index("<svg") :])
        page = go(client, page.links["left"])
    assert len(seen) == 24
    assert page.sitting.rotation == 30
    assert read(go(client, page.links["right"]).links["left"]).rotation == 30
    assert not read(page.links["view"]).cube
    assert read(go(client, page.links["view"]).links["view"]).cube


@pytest.mark.parametrize("rotation", range(0, 360, 15))
def test_however_the_cube_is_rotated_no_floor_covers_another_and_all_are_on_paper(
    client: TestClient, rotation: int
) -> None:
    (drawing,) = go(client, f"/play/qubic?view=cube&rotate={rotation}&id=a").boards()
    _, _, width, height = map(float, drawing.attrib["viewBox"].split())
    lowest = 0.0
    for level in "1234":
        links = [link for link in drawing.iter("a") if link.attrib["data-point"].startswith(level)]
        corners = [pair.split(",") for link in links for pair in link[0].attrib["points"].split()]
        assert len(corners) == 4 * 16
        assert all(0 <= float(x) <= width for x, _ in corners)
        assert min(float(y) for _, y in corners) >= lowest
        lowest = max(float(y) for _, y in corners)
    assert lowest <= height


@pytest.mark.parametrize(
    ("url", "point", "words"),
    [
        ("/play/tictactoe?moves=b2", "b2", "b2 is occupied"),
        ("/play/tictactoe?moves=a1.b1.a2.b2.a3", "c3", "The game is over"),
        ("/play/tictactoe?x=random&o=c1990", "c3", "It is the turn of Dice"),
        ("/play/three-mens-morris?moves=a1.b2.c3.a3.c1.b1", "a2", "a2 is empty: first pick"),
        ("/play/three-mens-morris?moves=a1.b2.c3.a3.c1.b1", "b2", "b2 belongs to O"),
        (
            "/play/three-mens-morris?moves=a1.b2.c3.a3.c1.b1&part=c3-",
            "a2",
            "a2 is not beside c3: it can move to c2 or b3",
        ),
        ("/play/three-mens-morris?moves=a1.b2.c3.a3.c1.b1&part=c3-", "b2", "b2 is occupied: c3 can move to c2 or b3"),
        ("/play/achi?moves=a1.b2.c3.a3.c1.b1.b3.c2", "c1", "c1 cannot move"),
        ("/play/nine-mens-morris?moves=a1.a7.d1.d7.b2.b6&part=g1x", "a1", "capture one of the stones of O, not a1"),
        ("/play/nine-mens-morris?moves=a1.a7.d1.d7.b2.b6&part=g1x", "g7", "capture one of the stones of O, not g7"),
        ("/play/nine-mens-morris?moves=a1.a7.d1.d7.b2.g7xa1.a1.g4&part=g1x", "a7", "a7 stands in a mill"),
    ],
)
def test_a_wrong_click_is_explained_and_changes_nothing(client: TestClient, url: str, point: str, words: str) -> None:
    page = go(client, f"{url}&id=wrong")
    assert point in page.leading_on("wrong")
    told = go(client, page.leading_on("wrong")[point])
    assert told.status == 200
    assert words in told.said
    assert told.sitting == page.sitting
    assert page.points[point]["data-history"] == "none"


def test_every_wrong_click_of_a_game_is_explained(client: TestClient) -> None:
    for page in wander(client, "/play/six-mens-morris?id=a", 8, 40)[::5]:
        for name, url in page.leading_on("wrong").items():
            told = go(client, url)
            assert told.sitting == page.sitting
            assert told.said != page.said
            assert name in told.said or "over" in told.said


def test_by_laskers_rule_a_stone_is_placed_or_picked(client: TestClient) -> None:
    here = "/play/lasker-morris?x=human&o=human&moves=a1.d1.d7.a4&id=a"
    page = go(client, here)
    assert "place a stone, or pick one of yours to move it." in page.said
    assert "d7" in page.leading_on("pick")
    assert "g1" in page.leading_on("play")
    assert page.html.count('class="mark-open"') == 1, "of all that may be clicked, the stone that can move stands out"
    assert "a1 cannot move: no point beside it is empty." in go(client, f"{here}&try=a1").said
    other = "d1 belongs to O: place a stone on an empty point, or pick one of yours, X."
    assert other in go(client, f"{here}&try=d1").said


def test_a_click_that_leads_on_is_not_called_wrong(client: TestClient) -> None:
    assert go(client, "/play/tictactoe?try=b2&id=a").said == go(client, "/play/tictactoe?id=a").said


def test_undo_redo_and_the_list_of_moves_lead_through_the_game(client: TestClient) -> None:
    last = wander(client, "/play/tictactoe?x=human&o=elements2021&id=a", 4, 2)[-1]
    before = go(client, last.links["undo"])
    assert before.sitting.moves == last.sitting.moves[:-2]
    assert before.sitting.turn_name == "human"
    assert go(client, before.links["redo"]).sitting.moves == last.sitting.moves
    assert "undo" not in go(client, "/play/tictactoe?x=human&o=c1990&id=a").links
    for plies in range(len(last.sitting.moves) + 1):
        there = go(client, last.links[f"ply{plies}"])
        assert there.sitting.moves == last.sitting.moves[:plies]
        assert f"ply{len(last.sitting.moves)}" in there.links


def test_while_earlier_moves_are_looked_at_the_machine_moves_only_when_asked(client: TestClient) -> None:
    page = go(client, "/play/tictactoe?x=human&o=c1990&moves=b2&future=c3&id=a")
    assert page.sitting.moves == ("b2",)
    assert "The C program of 1990 (O) is to move" in page.said
    assert go(client, page.links["go"]).sitting.moves == ("b2", "a1")


def test_sides_are_swapped_and_the_machine_goes_on_for_the_person(client: TestClient) -> None:
    page = go(client, "/play/tictactoe?x=human&o=c1990&moves=b2.a1&id=a")
    swapped = go(client, page.links["swap"])
    assert swapped.sitting.names == ("c1990", "human")
    assert len(swapped.sitting.moves) == 3
    assert "swap" not in go(client, "/play/tictactoe?id=a").links


def test_after_the_end_sides_are_swapped_for_a_new_game(client: TestClient) -> None:
    page = go(client, "/play/tictactoe?x=human&o=random&moves=a1.b1.a2.b2.a3&id=a")
    assert page.said.startswith("You won: three in a row.")
    swapped = read(page.links["swap"])
    assert (swapped.names, swapped.moves, swapped.id) == (("random", "human"), (), "")
    assert read(page.links["new"]).moves == ()
    assert go(client, page.links["new"]).sitting.id not in ("", "a")


@pytest.mark.parametrize(
    ("name", "moves"),
    [("tictactoe", "a1"), ("tictactoe", "a1.b2.c3"), ("achi", "b2.a1"), ("qubic", "1a1.2b2.1b1.2c2.1c1")],
)
def test_values_on_the_board_are_those_of_the_analysis(client: TestClient, name: str, moves: str) -> None:
    page = go(client, f"/play/{name}?moves={moves}&id=a&values=1")
    found = analysis(name, game(name).write(page.sitting.playing.position))
    worth = {rated["move"]: _short(rated) for rated in found["moves"] if not rated["look"]}
    assert worth
    notes = [e.text for board in page.boards() for e in board.iter() if "note" in e.get("class", "").split()]
    assert notes == [worth[point] for point in game(name).layout.points if point in worth]
    for rated in found["moves"]:
        label = page.points[rated["move"]]["aria-label"]
        assert label.endswith(f", {_long(rated)}")


def _long(rated: dict[str, Any]) -> str:
    if rated["value"] == "unknown":
        return f"looks {rated['look']}" if rated["look"] else "not known"
    if rated["value"] == "draw":
        return "draw"
    if rated["remoteness"] is not None:
        return f"{rated['value']} in {rated['remoteness']}"
    return str(rated["value"]) if rated["at_most"] is None else f"{rated['value']} in at most {rated['at_most']}"


def test_estimates_are_dots_the_larger_the_better_and_never_letters(client: TestClient) -> None:
    page = go(client, "/play/eleven-mens-morris:flying=no?moves=d2.d6&id=a&values=1")
    found = analysis("eleven-mens-morris:flying=no", page.sitting.game.write(page.sitting.playing.position))
    drawn = [element for board in page.boards() for element in board.iter()]
    assert not [element for element in drawn if "note" in element.get("class", "").split()]
    sizes = [float(element.get("r", "0")) for element in drawn if "dot" in element.get("class", "").split()]
    looks = {rated["move"]: rated["look"] for rated in found["moves"]}
    shown = [looks[point] for point in page.sitting.game.layout.points if looks.get(point, "bad") != "bad"]
    by_look = {look: {size for size, one in zip(sizes, shown, strict=True) if one == look} for look in set(shown)}
    assert all(len(size) == 1 for size in by_look.values())
    assert max(by_look["best"]) > max(by_look["as good"]) > max(by_look["weaker"])
    assert all(page.points[move]["aria-label"].endswith(f", looks {look}") for move, look in looks.items())


def test_what_is_not_known_has_no_halo_on_any_board() -> None:
    qubic, flat = game("qubic"), game("tictactoe")
    for note, halos in [(Note("?", "unknown"), 0), (Note("W3", "win"), 1)]:
        for drawn in (
            draw_cube(qubic, qubic.start(), notes={0: note}),
            draw_board(flat, flat.start(), notes={0: note}).body,
        ):
            assert drawn.count("halo") == halos
            assert f">{note.text}</text>" in drawn


def test_in_a_morris_ending_moves_are_counted_to_the_next_capture(client: TestClient) -> None:
    page = go(client, "/play/nine-mens-morris?start=X../XOX/OOO/X.OX../.../.../...%20x&id=a&values=1")
    told = "X wins: the winner's next capture, or the end, comes in 33 plies."
    assert told in unescape(page.html)


def _short(rated: dict[str, Any]) -> str:
    if rated["value"] in ("draw", "unknown"):
        return {"draw": "D", "unknown": "?"}[rated["value"]]
    return str(rated["value"])[0].upper() + str("" if rated["remoteness"] is None else rated["remoteness"])


def test_stones_that_can_move_show_the_worth_of_their_best_move_and_then_of_every_target(client: TestClient) -> None:
    url = "/play/three-mens-morris?moves=a1.b2.c3.a3.c1.b1&id=a&values=1"
    page = go(client, url)
    found = analysis("three-mens-morris", page.sitting.game.write(page.sitting.playing.position))
    best: dict[str, str] = {}
    for rated in found["moves"]:
        best.setdefault(rated["move"].partition("-")[0], _short(rated))
    notes = [e.text for board in page.boards() for e in board.iter() if "note" in e.get("class", "").split()]
    assert notes == [best[point] for point in page.sitting.game.layout.points if point in best]
    picked = go(client, f"{url}&part=c3-")
    targets = {rated["move"].partition("-")[2]: _short(rated) for rated in found["moves"] if rated["move"][:2] == "c3"}
    notes = [e.text for board in picked.boards() for e in board.iter() if "note" in e.get("class", "").split()]
    assert notes == [targets[point] for point in page.sitting.game.layout.points if point in targets]


@pytest.mark.parametrize("moves", ["a1", "a1.b2.c3", "b2.a2", "a1.b1.a2"])
def test_a_hint_is_the_best_move_and_its_reason(client: TestClient, moves: str) -> None:
    page = go(client, f"/play/tictactoe?moves={moves}&id=a&hint=1")
    position = page.sitting.game.write(page.sitting.playing.position)
    best = analysis("tictactoe", position)["moves"][0]["move"]
    assert f"Hint: {best}. {reasons('tictactoe', position, best)['words']}" in page.said
    assert not read(page.leading_on("play")[best]).hint


def test_a_hint_where_nothing_is_proved_says_so_and_one_for_a_chain_names_it(client: TestClient) -> None:
    unknown = game("lasker-morris:flying=no")
    start = analysis(unknown.name, unknown.write(unknown.start()))
    hint = f"Hint: {start['moves'][0]['move']} looks best, searched {start['depth']} plies."
    assert hint in go(client, f"/play/{unknown.name}?id=a&hint=1").said
    page = go(client, "/play/qubic?moves=1a1.2b2.1b1.2c2.1c1.3c3.1a2.3b2.1a3.2a3&id=a&hint=1")
    found = analysis("qubic", page.sitting.game.write(page.sitting.playing.position))
    assert found["threats"]
    assert f"Hint: {found['threats'][0]}. It completes a row and wins at once." in page.said


@pytest.mark.parametrize(
    ("name", "machine", "moves"),
    [("achi", "casual", ("b2",)), ("nine-mens-morris", "random", ("d2",)), ("tictactoe", "chip1990", ("b2",))],
)
def test_the_machine_plays_what_the_player_plays_with_the_same_dice(
    client: TestClient, name: str, machine: str, moves: tuple[str, ...]
) -> None:
    page = go(client, f"/play/{name}?x=human&o={machine}&moves={'.'.join(moves)}&id=dice")
    before = page.sitting.at(len(moves))
    expected = reply(*before.question(len(moves)))
    assert page.sitting.moves == (*moves, expected["move"])
    assert f"{name_of(machine)} answered {expected['move']} in " in page.said
    if expected["cycles"] is not None:
        assert f"{expected['cycles']:,} clock cycles" in page.said
    assert (
        go(client, f"/play/{name}?x=human&o={machine}&moves={'.'.join(moves)}&id=dice").sitting.moves
        == page.sitting.moves
    )


def test_the_appendix_of_1990_is_on_the_page(client: TestClient) -> None:
    page = go(client, "/play/tictactoe?x=human&o=chip1990&moves=b2&id=a")
    assert "The chip of 1990 answered a1 in" in page.said
    assert "6,496 clock cycles" in page.said


def test_a_machine_that_begins_does_so(client: TestClient) -> None:
    page = go(client, "/play/qubic?x=basic3&o=human")
    assert len(page.sitting.moves) == 1
    assert page.sitting.turn_name == "human"
    assert "53,904 statements, 180 s in 1977." in page.said


def test_two_machines_make_one_move_a_click(client: TestClient) -> None:
    page = go(client, "/play/tictactoe?x=elements2021&o=chip1990&id=a")
    assert page.sitting.moves == ()
    for plies in range(1, 10):
        answer = client.get(page.links["go"], follow_redirects=False)
        assert answer.status_code == 303
        page = go(client, answer.headers["location"])
        assert len(page.sitting.moves) == plies
        assert page.leading_on("play", "pick") == {}
    assert page.said.startswith("It's a draw: no move is left.")
    assert "go" not in page.links


def test_while_a_machine_thinks_the_page_says_so_and_asks_to_be_loaded_again(tmp_path: Path) -> None:
    with TestClient(create_app(settings_in(tmp_path, thinkers=1, patience=0.0))) as client:
        url = "/play/achi?x=human&o=perfect&moves=b2&id=a"
        page = go(client, url)
        assert page.status == 202
        assert page.said == "Perfect is thinking …"
        assert page.headers["refresh"] == "1"
        assert page.headers["cache-control"] == "no-store"
        assert "data-wait" in page.html
        assert set(page.points) == set(game("achi").layout.points)
        until = time.monotonic() + 60
        while page.status == 202 and time.monotonic() < until:
            time.sleep(0.05)
            page = go(client, url)
        assert page.status == 200
        assert len(page.sitting.moves) == 2
        assert "refresh" not in page.headers


def test_while_values_are_worked_out_the_game_can_go_on(tmp_path: Path) -> None:
    with TestClient(create_app(settings_in(tmp_path, thinkers=1, patience=0.0))) as client:
        page = go(client, "/play/achi?moves=b2&id=a&values=1&hint=1")
        assert page.status == 202
        assert "Working out what the moves are worth" in page.said
        assert len(page.leading_on("play")) == 8


def test_too_many_questions_at_once_are_told_kindly_and_asked_again(tmp_path: Path) -> None:
    settings = replace(settings_in(tmp_path, patience=0.0), waiting=0)
    with TestClient(create_app(settings)) as client:
        page = go(client, "/play/nine-mens-morris?x=human&o=strong&moves=d2&id=a")
        assert page.status == 503
        assert "in a moment" in page.said
        assert page.headers["refresh"] == "1"
        assert set(page.points) == set(game("nine-mens-morris").layout.points)


FINISHED = "/play/tictactoe?x=human&o=human&moves=a1.b1.a2.b2.a3&id=once"


def test_looking_at_a_finished_game_writes_nothing(tmp_path: Path) -> None:
    app = create_app(settings_in(tmp_path, thinkers=1))
    with TestClient(app) as client:
        assert client.head(FINISHED).status_code == 200
        page = go(client, FINISHED)
        assert "X won: three in a row. Not saved yet." in page.said
        assert "saved" not in page.links
        assert page.headers["Cache-Control"] == "no-store"
        assert app.state.history.count() == 0


def test_a_finished_game_is_saved_once_when_its_page_asks_for_it(tmp_path: Path) -> None:
    app = create_app(settings_in(tmp_path, thinkers=1, patience=30))
    with TestClient(app) as client:
        page = keep(client, go(client, FINISHED))
        assert (page.status, page.url) == (200, f"http://testserver{FINISHED}")
        assert "X won: three in a row. Saved as game 1 ." in page.said
        assert page.links["saved"] == "/history/1"
        assert page.forms == []
        saved = app.state.history.get(1)
        assert (saved.token, saved.game, saved.x, saved.o) == ("once", "tictactoe", "human", "human")
        assert (saved.moves, saved.result, saved.reason) == ("a1 b1 a2 b2 a3", "x", "a row")
        assert saved.verified is None, "there was no machine whose moves could be replayed"
        for again in (FINISHED, f"{FINISHED}&try=c3", f"{FINISHED}&values=1"):
            assert go(client, again).links["saved"] == "/history/1"
        client.post(FINISHED, headers={"Sec-Fetch-Site": "same-origin"})
        assert app.state.history.count() == 1
        assert keep(client, go(client, FINISHED.replace("once", "twice"))).links["saved"] == "/history/2"
        assert go(client, FINISHED.replace("a2.b2.a3", "a2.b2")).links.get("saved") is None


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://testserver"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "http://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": "http://testserver.elsewhere.example"},
        {"Origin": "http://testserver:81"},
    ],
    ids=str,
)
def test_no_other_page_can_have_a_game_saved(client: TestClient, headers: dict[str, str]) -> None:
    answer = client.post(FINISHED.replace("once", "foreign"), headers=headers)
    assert answer.status_code == 403
    assert "expected a request from a page of this site" in answer.text
    assert "saved" not in go(client, FINISHED.replace("once", "foreign")).links


def test_an_older_browser_says_only_its_origin(client: TestClient) -> None:
    page = go(client, FINISHED.replace("once", "older"))
    assert "saved" in keep(client, page, Origin="http://testserver").links


def test_a_game_that_has_not_ended_cannot_be_saved(client: TestClient) -> None:
    for query in ("moves=a1.b1&id=a", "id=a", "moves=a1.b1.a2.b2.a3", "x=human&o=chip1990&moves=b2&id=a"):
        answer = client.post(f"/play/tictactoe?{query}", headers={"Sec-Fetch-Site": "same-origin"})
        assert answer.status_code == 422
        assert "expected one with an id that has ended" in answer.text


def test_a_thousand_games_at_once_are_not_saved_for_one_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("noughts.web.limits.monotonic", lambda: 0.0)  # at once, however slow the machine is
    app = create_app(settings_in(tmp_path, thinkers=1, bounded=True))
    with TestClient(app) as client:
        pages = [keep(client, go(client, FINISHED.replace("once", f"game{number}"))) for number in range(61)]
        assert app.state.history.count() == 60
        assert pages[-1].status == 429
        assert "The game was not saved: too many finished games from your address" in pages[-1].said
        assert "data-submit" not in pages[-1].forms[0], "no script presses the button again"
        assert "saved" in go(client, pages[0].url).links


def test_a_game_is_genuine_if_its_machine_plays_those_moves(tmp_path: Path) -> None:
    app = create_app(settings_in(tmp_path, thinkers=1, patience=30))
    with TestClient(app) as client:
        page = wander(client, "/play/tictactoe?x=human&o=novice&id=played", 1, 9)[-1]
        assert keep(client, page).links["saved"] == "/history/1"
        assert app.state.history.get(1).verified is True
        made_up = "/play/tictactoe?x=human&o=perfect&moves=a1.b1.a2.b2.a3&id=made-up"
        assert keep(client, go(client, made_up)).links["saved"] == "/history/2"
        assert app.state.history.get(2).verified is False
        texts = {number: client.get(f"/history/{number}").text for number in (1, 2)}
        assert '<span class="tag">genuine</span>' in texts[1]
        assert '<span class="tag">not genuine</span>' in texts[2]
        assert [one["verified"] for one in client.get("/api/v1/records").json()["records"]] == [False, True]


def test_while_moves_are_replayed_the_page_says_so_and_asks_again(tmp_path: Path) -> None:
    app = create_app(settings_in(tmp_path, thinkers=1, patience=0.0))
    with TestClient(app) as client:
        page = go(client, "/play/achi?x=human&o=perfect&moves=a1.b1.b2.c1.c3&id=a")
        assert page.forms[0]["data-submit"] == "0"
        page = keep(client, page)
        assert page.status == 202
        assert "The moves of the machine are being replayed" in page.said
        assert page.forms[0]["data-submit"] == "1000"
        assert app.state.history.count() == 0


def test_what_machines_thought_is_kept_with_the_game(tmp_path: Path) -> None:
    app = create_app(settings_in(tmp_path, thinkers=1, patience=30))
    with TestClient(app) as client:
        pages = wander(client, "/play/tictactoe?x=human&o=chip1990&id=a", 1, 9)
        assert pages[-1].sitting.over
        keep(client, pages[-1])
        costs = [int(page.sitting.cost.partition(".")[0]) for page in pages if page.sitting.cost]
        assert len(costs) == len(pages[-1].sitting.moves) // 2
        assert app.state.history.get(1).seconds == sum(costs) / 1000


def test_a_game_that_cannot_be_saved_is_not_called_saved(tmp_path: Path) -> None:
    app = create_app(settings_in(tmp_path, thinkers=1, patience=30))

    def refuse(_finished: Finished) -> None:
        raise DatabaseError("the disk is full")

    with TestClient(app) as client:
        working, app.state.history.save = app.state.history.save, refuse
        page = keep(client, go(client, FINISHED))
        assert page.status == 503
        assert "could not be saved" in page.said
        assert "saved" not in page.links
        assert "data-submit" not in page.forms[0], "no script presses the button again"
        assert "disk" not in page.html
        app.state.history.save = working
        assert keep(client, page).links["saved"] == "/history/1"


def test_a_game_that_begins_at_its_end_is_nothing_to_save(client: TestClient) -> None:
    page = go(client, "/play/tictactoe?start=XXX/OO./...&id=a")
    assert page.said == "X won: three in a row."


def test_a_machine_that_finds_no_move_resigns(client: TestClient) -> None:
    page = go(client, "/play/tictactoe?x=human&o=chip1990&start=X.X/.O./..O&moves=a3&id=lost")
    assert page.said.startswith("You won: the chip of 1990 finds no move and resigns.")
    assert "saved" in keep(client, page).links
    assert read(page.links["undo"]).moves == ()


def test_who_has_no_move_passes(client: TestClient) -> None:
    page = go(client, f"/play/achi:blocked=passes?start={quote('.OX/OOX/XXO x')}&id=a")
    assert "pass" in page.said
    assert page.leading_on("play", "pick") == {}
    assert read(page.links["pass"]).moves == ("pass",)
    assert "no move here but to pass" in go(client, page.leading_on("wrong")["a1"]).said


def test_stones_in_hand_are_counted(client: TestClient) -> None:
    assert "In hand: X 3 , O 4" in go(client, "/play/achi?moves=b2&id=a").words["game"]
    assert "In hand" not in go(client, "/play/tictactoe?moves=b2&id=a").words["game"]


def test_the_last_move_and_the_row_that_won_are_marked(client: TestClient) -> None:
    page = go(client, "/play/tictactoe?moves=a1.b1.a2.b2.a3&id=a")
    kinds = [element.get("class") for board in page.boards() for element in board.iter()]
    assert kinds.count("mark-won") == 3
    assert kinds.count("mark-row") == 1
    assert kinds.count("mark-last") == 1
    slid = go(client, "/play/achi?moves=a1.b2.c3.a3.c1.b1.b3.c2.a1-a2&id=a")
    assert "mark-from" in [element.get("class") for board in slid.boards() for element in board.iter()]


@pytest.mark.parametrize("view", ["&view=boards", "&view=cube"])
def test_a_row_through_all_levels_is_marked(client: TestClient, view: str) -> None:
    page = go(client, f"/play/qubic?moves=1a1.1b1.2b2.1c1.3c3.1d4.4d4&id=a{view}")
    kinds = [element.get("class") for board in page.boards() for element in board.iter()]
    assert kinds.count("mark-won") == 4


def test_drawings_are_well_formed_and_their_links_have_names(client: TestClient) -> None:
    for name in ("tictactoe", "achi", "nine-mens-morris", "qubic", "mnk:19,19,5", "square4:boards=4"):
        page = go(client, f"/play/{name}?id=a&values=1")
        assert page.boards()
        assert set(page.points) == set(game(name).layout.points)
        assert all(found["aria-label"] and found["href"] for found in page.points.values())


LARGE = "/play/mnk:19,19,5?x=human&o=human&id=large"


def test_on_a_large_board_the_buttons_of_a_form_play(client: TestClient) -> None:
    pages = wander(client, LARGE, 6, 12)
    assert len(pages[-1].sitting.moves) == 12
    page = pages[-1]
    assert page.url == f"http://testserver{page.sitting.url()}", "what the button adds is gone from the address"
    assert set(page.leading_on("play")) == set(page.points) - set(page.sitting.moves)
    assert set(page.leading_on("wrong")) == set(page.sitting.moves)
    occupied = page.sitting.moves[3]
    assert f"{occupied} is occupied" in go(client, page.leading_on("wrong")[occupied]).said
    assert page.points[occupied]["aria-label"] == f"{occupied}, O"


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("moves=j10&play=j10", "j10"),
        ("moves=j10&play=nowhere-at-all", "has 14 characters"),
        ("x=random&play=j10", "expected a game in which it is a person"),
        ("moves=j10&to=2", "expected a ply from 0 to 1"),
        ("moves=j10&to=-1", "expected the number of a ply"),
    ],
)
def test_a_button_that_no_page_has_is_refused(client: TestClient, query: str, words: str) -> None:
    answer = client.get(f"/play/mnk:19,19,5?id=a&{query}")
    assert answer.status_code == 422
    assert words in unescape(answer.text)


MOST = 150_000
"""Bytes that a page may have with all that it loads, before compression."""


@pytest.mark.parametrize(
    ("name", "plies"), [("mnk:19,19,5", 0), ("mnk:19,19,5", 120), ("mnk:19,19,19", 240), ("nine-mens-morris", 200)]
)
def test_a_page_is_light_with_all_that_it_loads(client: TestClient, name: str, plies: int) -> None:
    dice, playing = Random(3), Playing.begin(game(name))
    while len(playing.moves) < plies:
        after = playing.then(dice.choice(playing.game.moves(playing.position)))
        playing = playing.back(2) if after.result else after
    moves = ".".join(playing.game.write_move(move) for move in playing.moves)
    page = go(client, f"/play/{name}?x=human&o=human&id=a&moves={moves}")
    assert page.status == 200
    found = {*re.findall('(?:src|href)="(/static/[^"]*)"', page.html)}
    style = "".join(client.get(path).text for path in found if ".css" in path)
    loaded = [client.get(path).content for path in {*found, *re.findall(r'url\("(/static/[^"]*)"\)', style)}]
    assert len(loaded) >= 5, "styles, a script, a picture and a typeface"
    assert len(page.html.encode()) + sum(map(len, loaded)) < MOST


def test_a_script_gets_the_part_it_asks_for_and_nothing_else(client: TestClient) -> None:
    answer = client.get("/play/tictactoe?moves=b2&id=a", headers={"X-Noughts-Part": "game"})
    assert answer.text.strip().startswith('<div id="game"')
    assert answer.text.strip().endswith("</div>")
    assert "<html" not in answer.text
    assert answer.headers["vary"] == "X-Noughts-Part, Accept-Encoding"
    assert set(PlayPage(answer).points) == set(game("tictactoe").layout.points)


def test_the_address_to_share_is_whole_and_shows_the_same_game(client: TestClient) -> None:
    page = go(client, "/play/achi?x=human&o=human&moves=b2.a1&values=1&hint=1&id=a")
    assert page.share == "http://testserver/play/achi?x=human&o=human&moves=b2.a1&id=a"
    assert go(client, page.share).sitting.moves == ("b2", "a1")
    assert page.links["explore"] == f"/explore/achi/{quote('.../.../... x 4,4', safe=',/.')}?moves=b2.a1"


def test_the_program_of_1977_says_what_it_wins_with(client: TestClient) -> None:
    page = go(client, "/play/qubic?x=human&o=basic3&id=old")
    for _ in range(40):
        if page.sitting.over:
            break
        # Whoever takes the last free point again and again loses.
        page = go(client, list(page.leading_on("play").values())[-1])
    assert re.match("You lost: BASIC version 3 of 1977 has four in a row. “THE OLD [0-9]+”", page.said)


KEYS = ("x", "o", "moves", "start", "id", "future", "part", "cost", "spent", "try", "rotate", "play", "to")


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("value", [HOSTILE, "b2" * 2001, "ÿ\ud7ff", "-1", "1e9", "../../etc", "a1.b2.c3;drop"])
def test_hostile_values_are_refused_and_nothing_is_repeated_unescaped(client: TestClient, key: str, value: str) -> None:
    query = {"id": "a", "view": "cube"} | {key: value}
    answer = client.get("/play/qubic", params=query)
    assert answer.status_code in (200, 404, 422)
    assert "<script>alert" not in answer.text
    if value == HOSTILE or len(value) > 4000:
        assert answer.status_code in (404, 422)


@pytest.mark.parametrize(
    "path",
    [
        "/play/nonsense",
        f"/play/{quote(HOSTILE)}",
        "/play/" + "x" * 5000,
        "/play/mnk:99,99,5",
        "/play/mnk:3,3,٣",
        "/play/achi:blocked=%3Cscript%3E",
        "/play/tictactoe/more",
        "/play/tictactoe%2Fmore",
        "/play/tictactoe?x=%3Cscript%3Ealert%3C/script%3E",
        "/play/tictactoe?o=elements2021:pruning=%3Cscript%3Ealert&moves=b2&id=a",
        "/play/tictactoe?moves=%ff%fe",
        "/play/tictactoe?moves=" + "b2." * 1500,
        "/play/tictactoe?try=%3Cscript%3Ealert&id=a",
    ],
)
def test_addresses_that_mean_nothing_are_refused(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code in (404, 422)
    assert "<script>alert" not in answer.text


def test_a_hostile_host_is_repeated_only_escaped(client: TestClient) -> None:
    answer = client.get("/play/tictactoe?id=a", headers={"Host": 'evil"><script>alert(1)</script>'})
    assert answer.status_code < 500
    assert "<script>alert" not in answer.text


def test_unknown_keys_do_no_harm(client: TestClient) -> None:
    assert go(client, f"/play/tictactoe?id=a&{quote(HOSTILE)}={quote(HOSTILE)}").status == 200
