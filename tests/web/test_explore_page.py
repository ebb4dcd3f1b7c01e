"""Explore says what the solver says, and every link of it leads somewhere."""

import re
from collections.abc import Iterator
from html import unescape
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qsl, unquote

import httpx2
import pytest
from fastapi.testclient import TestClient
from sites import Client, settings_in

from noughts.games import Game, Outcome, Position, game
from noughts.insight.knuth import hexadecimal, in_words, opinion
from noughts.insight.reasons import why
from noughts.solve import knowledge
from noughts.web.app import create_app
from noughts.web.asking.prepared import prepared_answer
from noughts.web.asking.questions import aspects
from noughts.web.asking.thinker import Question
from noughts.web.asking.thinking import BusyError, GivenUpError, StillThinkingError
from noughts.web.sitting import explore_url
from noughts.web.walk import MOST_STEPS, read_walk

pytestmark = pytest.mark.slow

STEP = re.compile(r'<a class="to" href="([^"]+)">.*?<strong>([^<]+)</strong> <span class="\w+">([^<]+)</span>', re.S)
CHOICE = re.compile(r'<li class="choice.*?</li>', re.S)
FRAME = re.compile(r'<li><a href="([^"]+)">.{0,9000}?<span>\d+\. [XO] <strong>([^<]+)</strong>', re.S)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("explore")
    with Client(create_app(settings_in(folder, thinkers=1, patience=60))) as client:
        yield client


def seen(client: TestClient, address: str) -> httpx2.Response:
    """A page with everything on it."""
    answer: httpx2.Response = client.get(address)
    assert "worked out" not in answer.text
    return answer


def heading(text: str) -> str:
    return unescape(re.search(r"<h1[^>]*>(.*?)</h1>", text, re.S)[1])  # type: ignore[index]


def some_positions(rules: Game, count: int) -> list[Position]:
    chance = Random(6)
    positions: list[Position] = []
    while len(positions) < count:
        position = rules.start()
        for _ in range(chance.randrange(9)):
            moves = rules.moves(position)
            if moves:
                position = rules.after(position, chance.choice(moves))
        positions.append(position)
    return positions


def shown_worth(outcome: Outcome, remoteness: int | None) -> str:
    return str(outcome) if remoteness is None else f"{outcome} in {remoteness}"


@pytest.mark.parametrize("name", ["tictactoe", "achi"])
def test_every_choice_stands_there_best_first_with_the_solvers_value(client: TestClient, name: str) -> None:
    rules = game(name)
    for position in some_positions(rules, 30):
        found = {rules.write_move(one.move): one for one in knowledge(rules).ask(position).moves}
        here = rules.write(position)
        text = seen(client, explore_url(name, here)).text
        steps = [(unescape(href), move, worth) for href, move, worth in STEP.findall(text)]
        assert steps == [
            (
                explore_url(name, here, None, {"moves": move}),
                move,
                shown_worth(found[move].value.outcome, found[move].value.remoteness),
            )
            for _, move, _ in steps
        ]
        ranks = [found[move].value.preference() for _, move, _ in steps]
        assert ranks == sorted(ranks, reverse=True)
        assert {found[move].value for _, move, _ in steps} == {one.value for one in found.values()}


def test_moves_alike_are_one_card(client: TestClient) -> None:
    text = seen(client, "/explore/nine-mens-morris").text
    assert "24 moves, of which 4 differ" in text
    assert len(CHOICE.findall(text)) == 4
    (crossing,) = [card for card in CHOICE.findall(text) if "<strong>d2</strong>" in card]
    assert "alike: b4, f4, d6" in crossing
    assert "Takes a crossing." in crossing
    corners = seen(client, "/explore/tictactoe").text
    assert [move for _, move, _ in STEP.findall(corners)] == ["a1", "b1", "b2"], "the corner is hardest for O"
    assert "Only 1 of O's 8 moves holds the draw." in unescape(corners)


@pytest.mark.parametrize(("name", "plies"), [("tictactoe", 9), ("achi", 11)])
def test_a_line_as_long_as_the_game_with_best_play_leads_to_its_end(client: TestClient, name: str, plies: int) -> None:
    rules = game(name)
    assert knowledge(rules).ask(rules.start()).value.remoteness == plies
    assert f"{plies} plies to the end, if nobody errs" in seen(client, f"/explore/{name}").text


def test_where_only_the_win_is_proved_the_length_of_a_line_is_no_promise(client: TestClient) -> None:
    rules = game("qubic")
    assert knowledge(rules).ask(rules.start()).value.remoteness is None
    text = seen(client, "/explore/qubic").text
    plies = len(FRAME.findall(text))
    assert "to the end, if nobody errs" not in text
    assert f"One line of the proof: {plies} plies; in how few X can win is not known." in text


@pytest.mark.parametrize("name", ["tictactoe", "achi", "qubic", "twelve-mens-morris", "arabian"])
def test_plies_are_promised_where_a_note_on_the_board_has_some(client: TestClient, name: str) -> None:
    text = seen(client, f"/explore/{name}").text
    notes = re.findall(r'<text class="(?:win|draw|loss) note[^"]*"[^>]*>([^<]+)<', text)
    assert notes
    assert ("and in how many plies" in text) == any(len(note) > 1 for note in notes)


def test_a_walk_keeps_its_way_and_leads_back_step_by_step(client: TestClient) -> None:
    text = seen(client, "/explore/tictactoe?moves=b2.a1.c3").text
    trail = re.search(r'<nav class="trail".*?</nav>', text, re.S)[0]  # type: ignore[index]
    assert [(unescape(href), words) for href, words in re.findall(r'<a href="([^"]+)"[^>]*>([^<]+)</a>', trail)] == [
        ("/explore/tictactoe/.../.../...", "start"),
        ("/explore/tictactoe/.../.../...?moves=b2", "X b2"),
        ("/explore/tictactoe/.../.../...?moves=b2.a1", "O a1"),
        ("/explore/tictactoe/.../.../...?moves=b2.a1.c3", "X c3"),
    ]
    assert back_of(text) == "/explore/tictactoe/.../.../...?moves=b2.a1"
    assert heading(text) == heading(seen(client, "/explore/tictactoe/O../.X./..X").text)


def back_of(text: str) -> str:
    return unescape(re.search(r'href="([^"]+)"[^>]*>One move back<', text)[1])  # type: ignore[index]


def test_a_long_walk_forgets_where_it_began_and_no_address_grows_without_end(client: TestClient) -> None:
    rules = game("arabian")
    walk = read_walk(rules, None, {})
    chance = Random(3)
    while len(walk.playing.moves) < 30:
        moves = [move for move in rules.moves(walk.position) if rules.over(rules.after(walk.position, move)) is None]
        walk = walk.then(rules.write_move(chance.choice(moves)))
        found = read_walk(rules, *_parts(walk.url()))
        assert found.position == walk.position
        assert found.back().position == walk.back().position
        assert len(found.playing.moves) == min(MOST_STEPS, len(walk.playing.moves))
    assert len(walk.url()) < 200
    assert client.get(walk.url()).status_code == 200


def _parts(address: str) -> tuple[str, dict[str, str]]:
    path, _, query = address.partition("?")
    return unquote(path.removeprefix("/explore/arabian/")), dict(parse_qsl(query))


def test_the_end_of_a_game_explains_itself_and_leads_back(client: TestClient) -> None:
    walked = seen(client, "/explore/tictactoe?moves=a1.a2.b1.b2.c1").text
    assert heading(walked) == "X has won: a row."
    assert not CHOICE.findall(walked)
    assert "Play from here" not in walked
    assert back_of(walked) == "/explore/tictactoe/.../.../...?moves=a1.a2.b1.b2"
    assert "One move before, perhaps" not in walked
    told = seen(client, "/explore/tictactoe/XXX/OO./...").text
    before = re.search(r"One move before, perhaps.*?</ul>", told, re.S)[0]  # type: ignore[index]
    assert set(re.findall(r'href="([^"]+)"', before)) == {
        f"/explore/tictactoe/{cells}" for cells in (".XX/OO./...", "X.X/OO./...", "XX./OO./...")
    }
    blocked = seen(client, "/explore/achi/OX./XXO/OOX x").text
    assert heading(blocked).startswith("X is to move"), "it is not over while a stone can move"


def test_a_move_of_several_clicks_is_made_on_the_board(client: TestClient) -> None:
    here = "/explore/achi/.XO/OXX/XOO x"
    first = unescape(seen(client, here).text)
    assert 'href="/explore/achi/.XO/OXX/XOO%20x?part=b1-"' not in first, "a stone with one way to go goes there at once"
    assert 'href="/explore/achi/.XO/OXX/XOO%20x?moves=b1-a1"' in first
    wrong = unescape(seen(client, f"{here}?try=c1").text)
    assert "c1 belongs to O" in wrong
    picked = seen(client, "/explore/nine-mens-morris/X../XOX/OOO/X.OX../.../.../... x?part=a4-").text
    assert "Put it back" in picked
    assert "moves=a4-b4" in picked


def test_qubic_is_a_cube_that_rotates_unless_boards_are_wished(client: TestClient) -> None:
    cube = seen(client, "/explore/qubic").text
    assert 'class="cube"' in cube
    assert "rotate=45" in cube
    boards = seen(client, "/explore/qubic?view=boards").text
    assert 'class="cube"' not in boards
    assert boards.count("<svg") >= 4
    assert "?moves=2b2&amp;view=boards" in boards


def test_a_chain_of_threats_can_be_walked_move_by_move(client: TestClient) -> None:
    text = seen(client, "/explore/tictactoe/.../OX./...?move=a1").text
    chain = re.search(r'<ol class="chain".*?</ol>', text, re.S)[0]  # type: ignore[index]
    assert [(words, unescape(href)) for href, words in re.findall(r'<a href="([^"]+)"[^>]*>([^<]+)</a>', chain)] == [
        (words, f"/explore/tictactoe/.../OX./...?moves={moves}")
        for words, moves in (("X a1", "a1"), ("O c3", "a1.c3"), ("X b1", "a1.c3.b1"))
    ]
    assert '<ol class="chain"' not in seen(client, "/explore/tictactoe/.../OX./...?move=c2").text


def test_the_tree_holds_what_the_position_is_worth() -> None:
    def check(rules: Game, position: Position, branches: list[dict[str, Any]]) -> int:
        best = knowledge(rules).ask(position).value
        count = 0
        for one in branches:
            after = rules.after(position, rules.read_move(position, one["move"]))
            assert knowledge(rules).ask(after).value.before() == best
            count += 1 + check(rules, after, one["branches"])
        return count

    for name, cells, nodes in (("tictactoe", "X../.../...", 8), ("achi", None, 4), ("nine-mens-morris", None, 30)):
        rules = game(name)
        position = rules.start() if cells is None else rules.read(cells)
        assert check(rules, position, aspects(name, rules.write(position))["tree"]) >= nodes


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("/explore/tictactoe", "X is to move. With best play it is a draw: the board is full after 9 plies."),
        ("/explore/tictactoe/XO./.X./..O", "X is to move and wins in 3 plies."),
        (
            "/explore/tictactoe/X../.O./..X",
            "O is to move. With best play it is a draw: the board is full after 6 plies.",
        ),
        ("/explore/tictactoe/XX./OO./..X", "O is to move and wins in 1 ply."),
        ("/explore/tictactoe/XXX/OO./...", "X has won: a row."),
        ("/explore/tictactoe/XOX/XOO/OXX", "Over: a draw, no move is left."),
        ("/explore/achi", "X is to move and wins in 11 plies."),
        ("/explore/arabian", "X is to move. With best play it is a draw: neither side can force more."),
        ("/explore/qubic", "X is to move and wins, as the proof of Qubic shows."),
        ("/explore/mnk:6,6,4", "X is to move and wins in at most 25 plies."),
        (
            "/explore/lasker-morris:flying=no",
            "X is to move. What this is worth is not known here; it looks about even, searched ",
        ),
        (
            "/explore/nine-mens-morris/X../XOX/OOO/X.OX../.../.../... x",
            "X is to move and wins: the winner's next capture, or the end, comes in 33 plies.",
        ),
        ("/explore/mnk:7,6,4", "X is to move. What this is worth is not known here; X looks ahead, searched"),
    ],
)
def test_the_value_is_said_in_words(client: TestClient, address: str, words: str) -> None:
    answer = seen(client, address)
    assert answer.status_code == 200
    assert heading(answer.text).startswith(words)


def test_what_was_looked_up_says_where(client: TestClient) -> None:
    ending = seen(client, "/explore/nine-mens-morris/X../XOX/OOO/X.OX../.../.../... x")
    assert '<p class="soft">From the endings that come with Noughts.</p>' in ending.text
    assert '<p class="soft">From the book of openings.</p>' in seen(client, "/explore/nine-mens-morris").text
    assert '<p class="soft">From' not in seen(client, "/explore/achi").text


def test_the_line_of_best_play_gives_nothing_away() -> None:
    for name in ("tictactoe", "achi", "three-mens-morris"):
        rules = game(name)
        line = aspects(name, rules.write(rules.start()))["line"]
        whole = knowledge(rules).ask(rules.start()).value
        assert line["end"] == "over"
        assert len(line["plies"]) == whole.remoteness
        values = [whole, *(knowledge(rules).ask(rules.read(ply["position"])).value for ply in line["plies"])]
        assert all(after.before() == before for before, after in pairwise(values))


def test_a_line_without_end_stops_where_a_position_comes_back() -> None:
    line = aspects("arabian", ".../.../...")["line"]
    assert line["end"] == "again"
    positions = [ply["position"] for ply in line["plies"]]
    assert positions[-1] in positions[:-1]


def test_the_line_of_a_chain_of_threats_is_played_to_the_end() -> None:
    cells = "XX../X.../..../....|..../.X../..../....|..O./..../.O../....|..../.O../..../...O"
    line = aspects("qubic", cells)["line"]
    rules = game("qubic")
    assert line["end"] == "over"
    assert [ply["move"] for ply in line["plies"]][:4] == ["1d1", "1c1", "1a4", "1a3"]
    assert rules.over(rules.read(line["plies"][-1]["position"])) is Outcome.LOSS
    whole = prepared_answer(aspects, "qubic", rules.write(rules.start()))["line"]
    assert whole["end"] == "over"
    assert rules.play(*(ply["move"] for ply in whole["plies"])) == rules.read(whole["plies"][-1]["position"])
    assert len(whole["plies"]) % 2 == 1, "the first player has moved last, and won"


def test_the_line_is_on_the_page_and_says_where_knowledge_ends(client: TestClient) -> None:
    text = seen(client, "/explore/tictactoe/XO./.X./..O").text
    assert [move for _, move in FRAME.findall(text)] == ["a2", "c1", "c2"]
    assert "3 plies to the end" in text
    assert "It is not known here which move is best" in seen(client, "/explore/mnk:7,6,4").text


def test_symmetric_positions_are_counted_and_linked(client: TestClient) -> None:
    text = seen(client, "/explore/tictactoe/XO./.X./..O").text
    assert "8 symmetries of the board this position looks 8 ways" in text
    rules = game("tictactoe")
    for image in rules.images(rules.read("XO./.X./..O")):
        assert f'<li><a href="{explore_url("tictactoe", rules.write(image))}"' in text
    assert len(re.findall("standard</span>", text)) == 1
    standard = rules.write(rules.canonical(rules.read("XO./.X./..O")))
    assert aspects("tictactoe", "..X/.X./O..")["images"]["count"] == 4
    assert aspects("tictactoe", "XO./.X./..O")["images"]["shown"][0] == standard
    assert "All 192 symmetries" in seen(client, "/explore/qubic").text


def test_knuths_opinion_is_knuths(client: TestClient) -> None:
    for name, cells in (("tictactoe", "X../.../..."), ("tictactoe", "XO./.X./..O"), ("mnk:4,3,3", "X.../..../....")):
        rules = game(name)
        position = rules.read(cells)
        found = opinion(position, rules).appraisal
        text = unescape(seen(client, explore_url(name, cells)).text)
        assert f"Score <strong>{found.score}</strong>" in text
        assert f"<code>{hexadecimal(found)}</code>" in text
        assert in_words(found, position.occupied.bit_count()) in text
    assert "Knuth’s opinion" not in seen(client, "/explore/achi").text
    assert "Knuth’s opinion" not in seen(client, "/explore/qubic").text


def test_every_move_has_its_reason(client: TestClient) -> None:
    rules = game("tictactoe")
    position = rules.read("XX./OO./...")
    best = knowledge(rules).ask(position).moves[0].move
    usual = unescape(client.get("/explore/tictactoe/XX./OO./...").text)
    assert why(rules, position, best).words in usual
    for move in rules.moves(position):
        text = unescape(client.get(f"/explore/tictactoe/XX./OO./...?move={rules.write_move(move)}").text)
        assert f"Why {rules.write_move(move)}?" in text
        assert why(rules, position, move).words in text


def test_the_board_notes_the_best_that_moving_there_is_worth(client: TestClient) -> None:
    text = client.get("/explore/tictactoe/XO./.X./..O").text
    notes = re.findall(r'<text class="(\w+) note"[^>]*>([^<]+)</text>', text)
    assert sorted(notes) == [("draw", "D5")] * 3 + [("win", "W3")] * 2


def test_nothing_is_noted_where_nothing_is_known(client: TestClient) -> None:
    text = seen(client, "/explore/lasker-morris:flying=no").text
    assert " note" not in text
    assert "the most promising first" in text


def test_where_several_stones_can_go_the_better_move_is_noted(client: TestClient) -> None:
    rules = game("achi")
    moves = knowledge(rules).ask(rules.read(".XO/OXX/XOO x")).moves
    assert [(rules.write_move(one.move), str(one.value)) for one in moves] == [
        ("b1-a1", "win in 3"),
        ("b2-a1", "loss in 4"),
    ]
    text = seen(client, "/explore/achi/.XO/OXX/XOO x").text
    assert re.findall(r'<text class="(\w+) note"[^>]*>([^<]+)</text>', text) == [("win", "W3")]


def test_a_typed_position_gets_an_address_of_its_own(client: TestClient) -> None:
    answer = client.get("/explore/tictactoe", params={"position": " XO./.X./..O "}, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/explore/tictactoe/XO./.X./..O")
    moving = client.get("/explore/arabian", params={"position": "XX./OO./..."}, follow_redirects=False)
    assert moving.headers["location"] == "/explore/arabian/XX./OO./...%20x%201,1"
    assert seen(client, moving.headers["location"]).status_code == 200


def test_rows_that_browsers_would_take_for_steps_up_stay_in_the_query(client: TestClient) -> None:
    assert explore_url("mnk:2,2,2", "X./..") == "/explore/mnk:2,2,2?position=X./.."
    answer = seen(client, explore_url("mnk:2,2,2", "X./.."))
    assert answer.status_code == 200
    assert heading(answer.text) == "O is to move and loses in 2 plies."
    assert all("/../" not in href.split("?")[0] for href in re.findall(r'href="([^"]+)"', answer.text))


def test_pages_may_be_kept_once_they_are_whole(client: TestClient) -> None:
    assert client.get("/explore/tictactoe").headers["cache-control"] == "public, max-age=300"


@pytest.mark.parametrize(
    ("error", "refresh", "words"),
    [
        (StillThinkingError("wait"), "1", "still being worked out"),
        (BusyError("wait"), "1", "still being worked out"),
        (GivenUpError("too long"), None, "took too long"),
    ],
)
def test_a_page_does_not_wait_for_what_it_can_do_without(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, error: Exception, refresh: str | None, words: str
) -> None:
    thinking = client.app.state.thinking  # type: ignore[attr-defined]
    usual = thinking.ask

    async def ask(question: Question, *arguments: str, **how: float) -> Any:
        if question is aspects:
            raise error
        return await usual(question, *arguments, **how)

    monkeypatch.setattr(thinking, "ask", ask)
    answer = client.get("/explore/tictactoe/X../.../.O.")
    assert answer.status_code == 200
    assert answer.headers.get("refresh") == refresh
    assert words in answer.text
    assert len(STEP.findall(answer.text)) == 7
    if refresh:
        assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/explore/chess", 404),
        ("/explore/%3Cscript%3Ealert(1)%3C%2Fscript%3E", 404),
        ("/explore/tictactoe/%3Cscript%3E", 422),
        ("/explore/tictactoe/XXX/XXX/XXX", 422),
        ("/explore/tictactoe/XX./.../...", 422),
        ("/explore/tictactoe/" + "X" * 501, 422),
        ("/explore/" + "x" * 101, 422),
        ("/explore/tictactoe/%00", 422),
        ("/explore/tictactoe/%FF%FE", 422),
        ("/explore/tictactoe/..%2f..%2f..%2fetc%2fpasswd", 422),
        ("/explore/tictactoe/XO./.X./..O?move=b2", 422),
        ("/explore/tictactoe/XO./.X./..O?move=%3Cb%3E", 422),
        ("/explore/tictactoe/XO./.X./..O?move=" + "b" * 21, 422),
        ("/explore/tictactoe/XXX/OO./...?move=c3", 422),
        ("/explore/tictactoe?position=%22%3E%3Cscript%3E", 422),
        ("/explore/tictactoe?moves=b2.b2", 422),
        ("/explore/tictactoe?moves=" + "b2." * 70, 422),
        ("/explore/tictactoe?moves=%3Cscript%3E", 422),
        ("/explore/tictactoe?moves=a1.a2.b1.b2.c1.c2", 422),
        ("/explore/achi?part=%3Cb%3E", 422),
        ("/explore/tictactoe?try=z9", 422),
        ("/explore/tictactoe?play=z9", 422),
        ("/explore/qubic?rotate=%C2%B2", 422),
        ("/explore/tictactoe/edit?stone=z", 422),
        ("/explore/tictactoe/edit?position=" + "X" * 501, 422),
        ("/explore/chess/edit", 404),
        ("/explore/mnk:20,20,5", 404),
        ("/explore/mnk:0,0,0", 404),
        ("/explore/achi/.../.../...%20x%20999,999", 422),
        ("/explore/nine-mens-morris/.../.../.../....../.../.../...%20q", 422),
    ],
)
def test_hostile_addresses_are_refused(client: TestClient, address: str, status: int) -> None:
    answer = client.get(address)
    assert answer.status_code == status
    assert "<script>" not in answer.text
    assert "<b>" not in answer.text


@pytest.mark.parametrize("name", ["square4:boards=4", "mnk:19,19,1", "mnk:19,1,19"])
def test_a_board_with_countless_symmetries_has_a_page_without_them(client: TestClient, name: str) -> None:
    answer = client.get(f"/explore/{name}")
    assert answer.status_code == 200
    assert "The same, seen differently" not in answer.text
