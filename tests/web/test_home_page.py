"""The first page has a live board, every game, and for each those who play it; `/new` seats them as asked."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlsplit

import pytest
from fastapi.testclient import TestClient
from sites import Client, settings_in

from noughts.games import NAMES, NoughtsError, Outcome, game
from noughts.games.catalogue import sample_of
from noughts.players import LEVELS, PLAYERS, Level, name_of, player
from noughts.solve import knowledge
from noughts.web.app import create_app
from noughts.web.pages.home import PROVED, opponents, years
from noughts.web.sitting import GAMES, Sitting, read_sitting, usual_opponent


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("home")
    with Client(create_app(settings_in(folder, thinkers=1))) as client:
        yield client


ROOT = Path(__file__).parents[2]


def board(text: str) -> dict[str, str]:
    """Where the points of the live board lead."""
    found = re.findall(r'<a class="point play" href="([^"]+)"[^>]*data-point="([^"]+)"', text)
    return {point: unescape(href) for href, point in found}


def offered(text: str) -> list[str]:
    return re.findall(r'name="opponent" value="([^"]+)"', text)


def table_after(client: TestClient, **query: str) -> Sitting:
    answer = client.get("/new", params=query, follow_redirects=False)
    assert answer.status_code == 303
    where = urlsplit(answer.headers["location"])
    return read_sitting(unquote(where.path.removeprefix("/play/")), dict(parse_qsl(where.query)))


def test_every_game_of_the_catalogue_is_on_the_page(client: TestClient) -> None:
    text = client.get("/").text
    for name in NAMES:
        assert any(one.split(":")[0] == name.split(":")[0] for one in GAMES)
    for name, words in GAMES.items():
        assert f'href="/?game={name}"' in text
        assert words.title in text
        assert words.line in text
        assert words.special in unescape(text)


@pytest.mark.parametrize("name", [*GAMES, "square4:boards=4", "mnk:3,3,3", "mnk:19,19,5", "achi:diagonals=no"])
def test_those_who_play_a_game_are_offered_and_nobody_else(client: TestClient, name: str) -> None:
    rules = game(name)
    able = {"human"}
    for who in set(PLAYERS) - {"novice", "casual", "strong"}:  # which are rungs of the ladder by other names
        try:
            player(who).check(rules)
        except NoughtsError:
            continue
        able.add(who)
    text = client.get("/", params={"game": name}).text
    assert set(offered(text)) == able
    assert len(offered(text)) == len(able)
    checked = re.findall(r'<input type="radio" name="(\w+)" value="([^"]+)"[^>]* checked', text)
    assert checked == [("begins", "you"), ("opponent", usual_opponent())]


@pytest.mark.parametrize("name", [*GAMES, "square4:boards=4", "mnk:8,8,5", "achi:diagonals=no"])
def test_the_first_click_is_the_first_move_of_a_game_that_can_be_won(client: TestClient, name: str) -> None:
    rules = game(name)
    points = board(client.get("/", params={"game": name}).text)
    assert list(points) == list(rules.layout.points)
    for point, href in list(points.items())[:: len(points) // 5]:
        where = urlsplit(href)
        sitting = read_sitting(unquote(where.path.removeprefix("/play/")), dict(parse_qsl(where.query)))
        assert (sitting.game, sitting.names, sitting.moves) == (rules, ("human", usual_opponent()), (point,))
    rung = next(kind.rung for kind in LEVELS if kind.name == usual_opponent())
    assert rung <= len(LEVELS) // 2
    assert "easy" in (PLAYERS[usual_opponent()].strength or "")


def test_a_script_may_ask_for_the_choice_alone(client: TestClient) -> None:
    answer = client.get("/?game=achi", headers={"X-Noughts-Part": "choice"})
    assert answer.status_code == 200
    assert answer.text.strip().startswith('<div id="choice"')
    assert len(board(answer.text)) == 9


def test_a_board_too_large_for_fingers_is_shown_and_begun_by_the_button(client: TestClient) -> None:
    text = client.get("/?game=mnk:19,19,5").text
    assert not board(text)
    assert "Press Play" in text
    assert len(text) < 90_000


def test_who_was_chosen_stays_chosen_while_the_board_changes(client: TestClient) -> None:
    text = client.get("/?game=mnk&columns=4&rows=4&length=3&opponent=expert&begins=chance").text
    checked = re.findall(r'<input type="radio" name="(\w+)" value="([^"]+)"[^>]* checked', text)
    assert checked == [("begins", "chance"), ("opponent", "expert")]
    assert all("o=expert" in href for href in board(text).values())
    assert "data-given" in text
    assert "data-given" not in client.get("/?game=tictactoe&opponent=basic3").text, "who does not play this game"


def test_a_board_too_large_for_the_web_to_solve_is_not_offered_to_perfect(client: TestClient) -> None:
    player("perfect").check(game("mnk:5,4,4"))
    assert "perfect" not in offered(client.get("/?game=mnk:5,4,4").text)
    assert client.get("/new?game=mnk:5,4,4&opponent=perfect").status_code == 422


def test_the_ladder_has_all_its_rungs_each_with_its_words(client: TestClient) -> None:
    text = unescape(client.get("/").text)
    for kind in LEVELS:
        assert f'aria-label="Level {kind.rung}: {kind.strength}"' in text
        assert kind.story in text


def test_what_is_called_proved_stands_in_the_documentation() -> None:
    docs = " ".join(" ".join(page.read_text().split()) for page in (ROOT / "docs").rglob("*.md"))
    for one in PROVED:
        for figure in re.findall(r"\b[0-9]{1,3}(?:,[0-9]{3})+\b", one.how):
            assert figure in docs, one.claim
    for row in (
        "| lines | yes | yes | win in 11 |",
        "`mnk:10,10,7` | draw |",
        "basic3 is beaten in 6 moves, and in no fewer",
    ):
        assert row in docs


def test_what_makes_a_game_special_is_true() -> None:
    def lines(name: str) -> int:
        return len(game(name).layout.lines)

    assert "76 rows" in GAMES["qubic"].special
    assert "sixteen mills" in GAMES["nine-mens-morris"].special
    assert "eight mills" in GAMES["six-mens-morris"].special
    assert "ten rows" in GAMES["square4"].special
    assert [lines(name) for name in ("qubic", "nine-mens-morris", "six-mens-morris", "square4")] == [76, 16, 8, 10]
    assert "Eight stones on nine points" in GAMES["achi"].special
    assert (sum(game("achi").rules.stones), len(game("achi").layout)) == (8, 9)
    assert "in nine plies" in GAMES["three-mens-morris"].special
    morris = game("three-mens-morris")
    assert knowledge(morris).ask(morris.start()).value.remoteness == 9


def test_the_machines_stand_in_the_order_of_their_years(client: TestClient) -> None:
    assert [year for year, _ in years()] == ["1977", "1990", "2006", "2021", "2026"]
    text = client.get("/").text
    for _, machines in years():
        for one in machines:
            assert table_after(client, game=one.game, opponent=one.name).names == ("human", one.name)
            assert f"/new?game={quote(one.game)}&amp;opponent={one.name}" in text


@pytest.mark.parametrize("name", GAMES)
def test_what_is_told_of_a_game_is_what_the_solver_says(name: str, client: TestClient) -> None:
    """Of a game that is solved the first page tells it; of the others it tells nothing."""
    rules = game(name)
    worth = GAMES[name].worth
    assert knowledge(rules).ask(rules.start()).value.outcome is (worth or Outcome.UNKNOWN)
    text = client.get("/", params={"game": name}).text
    assert ("With best play on both sides it is a draw." in text) == (worth is Outcome.DRAW)
    assert ("With best play the first player wins." in text) == (worth is Outcome.WIN)


@pytest.mark.parametrize(
    ("address", "entry"),
    [
        ("/", "Play"),
        ("/?game=achi", "Play"),
        ("/play/tictactoe?moves=b2&id=a", "Play"),
        ("/learn/tictactoe", "Learn"),
        ("/explore/achi", "Explore"),
        ("/history", "History"),
        ("/review", "History"),
        ("/review/tictactoe?moves=b2.a1", "History"),
    ],
)
def test_the_menu_marks_the_entry_that_a_page_belongs_to(client: TestClient, address: str, entry: str) -> None:
    menu = re.search(r'<nav id="menu".*?</nav>', client.get(address).text, re.S)
    assert menu
    assert re.findall(r'aria-current="page">([^<]+)<', menu[0]) == [entry]


@pytest.mark.parametrize("name", GAMES)
def test_the_sample_is_a_position_of_a_game_in_progress(name: str) -> None:
    rules = game(name)
    assert rules.over(sample_of(rules)) is None
    assert sample_of(rules) != rules.start()


def test_every_machine_has_its_year_story_and_strength() -> None:
    met = {one.name: one for name in GAMES for one in opponents(game(name))}
    assert set(met) == {name for name, kind in PLAYERS.items() if name != "human" and not issubclass(kind, Level)}
    for name, one in met.items():
        assert one.year == PLAYERS[name].year
        assert 30 < len(one.story) < 130
        assert one.strength
    assert met["chip1990"].design == "chip1990"
    assert {one.name for one in met.values() if one.design} == {"chip1990", "elements2021", "noughts2026"}


def test_strength_depends_on_the_game() -> None:
    def strength(name: str, who: str) -> str:
        return next(one.strength for one in opponents(game(name)) if one.name == who)

    assert strength("tictactoe", "perfect") == "never loses"
    assert strength("achi", "perfect") == "always wins when it begins"
    assert strength("achi:diagonals=no", "perfect") == "gives nothing away"
    assert strength("qubic", "basicf") == "can be beaten in eight moves"


def test_the_chips_can_be_looked_into(client: TestClient) -> None:
    text = client.get("/").text
    assert 'href="/silicon/chip1990"' in text
    assert 'href="/silicon/elements2021"' in text


def test_you_or_the_machine_begin(client: TestClient) -> None:
    first = table_after(client, game="qubic", opponent="basic3", begins="you")
    second = table_after(client, game="qubic", opponent="basic3", begins="machine")
    assert (first.game.name, first.names, second.names) == ("qubic", ("human", "basic3"), ("basic3", "human"))
    assert first.moves == ()
    assert first.id
    assert first.id != second.id


def test_chance_seats_both_ways(client: TestClient) -> None:
    seats = {table_after(client, game="achi", opponent="casual", begins="chance").names for _ in range(60)}
    assert seats == {("human", "casual"), ("casual", "human")}


def test_two_people_can_play(client: TestClient) -> None:
    assert table_after(client, game="mnk:5,5,4", opponent="human", begins="chance").names == ("human", "human")


def test_a_new_game_is_never_kept_by_a_cache(client: TestClient) -> None:
    answer = client.get("/new?game=tictactoe&opponent=c1990", follow_redirects=False)
    assert answer.headers["cache-control"] == "no-store"


def test_sizes_and_rules_can_be_set_without_scripts(client: TestClient) -> None:
    sized = client.get("/?game=mnk&columns=7&rows=6&length=4").text
    assert re.findall(r'<input type="number" name="(\w+)"[^>]* value="(\d+)"', sized) == [
        ("columns", "7"), ("rows", "6"), ("length", "4"),
    ]  # fmt: skip
    assert len(board(sized)) == 42
    ruled = client.get("/?game=achi&adjacency=lines&row-while-placing=no&diagonals=yes&blocked=draws").text
    assert re.findall("<option selected>([a-z]+)", ruled) == ["lines", "no", "yes", "draws"]
    assert all("/play/achi:row-while-placing=no,blocked=draws?" in href for href in board(ruled).values())
    assert game("mnk:7,6,4").title == "7×6, 4 in a row"
    assert game("achi:diagonals=no").title == "Achi (diagonals=no)"


def test_what_is_written_there_is_what_play_starts(client: TestClient) -> None:
    sized = table_after(client, game="mnk", columns="7", rows="6", length="4", opponent="level2", begins="you")
    assert sized.game.name == "mnk:7,6,4"
    ruled = table_after(client, game="achi", diagonals="no", blocked="draws", opponent="level2", begins="you")
    assert ruled.game.name == "achi:diagonals=no,blocked=draws"


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        (("2", "2", "9"), "9 in a row do not fit on a board of 2×2: expected at most 2."),
        (("20", "3", "3"), "“20” for columns: expected a number from 1 to 19."),
        (("3", "0", "3"), "“0” for rows: expected a number from 1 to 19."),
        (("3", "3", "<b>"), "“<b>” for in a row: expected a number from 1 to 19."),
    ],
)
def test_an_impossible_board_is_explained_where_it_is_written(
    client: TestClient, sizes: tuple[str, str, str], words: str
) -> None:
    query = dict(zip(("columns", "rows", "length"), sizes, strict=True))
    answer = client.get("/new", params={"game": "mnk", "opponent": "expert", "begins": "chance", **query})
    assert (answer.status_code, answer.url.path) == (422, "/")
    text = unescape(answer.text)
    assert f'<p id="wrong" class="loss" role="alert">{words}</p>' in text
    assert [value for _, value in re.findall(r'<input type="number" name="(\w+)"[^>]* value="([^"]*)"', text)] == [
        *sizes
    ]
    assert 'value="expert" data-focus="expert" checked' in text
    assert "<b>" not in answer.text
    assert not board(answer.text), "no click begins another game than the one that is written there"


@pytest.mark.parametrize(
    ("address", "to"),
    [
        ("/play", "/"),
        ("/play/", "/play"),
        ("/puzzles/", "/puzzles"),
        ("/play/tictactoe/", "/play/tictactoe"),
        ("/play/mnk:4,4,3/?x=human&o=level1", "/play/mnk:4,4,3?x=human&o=level1"),
    ],
)
def test_an_address_that_is_nearly_right_leads_on(client: TestClient, address: str, to: str) -> None:
    answer = client.get(address, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, to)


@pytest.mark.parametrize(
    ("address", "status", "ways"),
    [
        ("/nothing", 404, ["/"]),
        ("/play/chess", 404, ["/"]),
        ("/explore/achi/XXXX", 422, ["/?game=achi", "/learn/achi", "/explore/achi", "/"]),
        (
            "/play/achi?x=human&o=level3&moves=b2.a1.b2&id=broken",
            422,
            ["/play/achi?x=human&o=level3&moves=b2.a1", "/?game=achi", "/learn/achi", "/explore/achi", "/"],
        ),
        (
            "/play/tictactoe?x=nobody&o=%3Cb%3E&moves=b2.a1",
            404,
            [
                "/play/tictactoe?x=human&o=human&moves=b2.a1",
                "/?game=tictactoe",
                "/learn/tictactoe",
                "/explore/tictactoe",
                "/",
            ],
        ),
    ],
)
def test_an_error_says_what_can_be_done_now(client: TestClient, address: str, status: int, ways: list[str]) -> None:
    answer = client.get(address)
    assert answer.status_code == status
    assert [unescape(href) for href in re.findall(r'<li><a class="button[^"]*" href="([^"]+)"', answer.text)] == ways
    for way in ways:
        assert client.get(way).status_code in (200, 202)


def test_players_are_named_for_people() -> None:
    assert name_of("human") == "a person"
    assert name_of("chip1990") == "The chip of 1990"
    assert name_of("basic2:harder=yes") == "BASIC version 2 of 1977 (harder=yes)"
    assert name_of("<nobody>") == "<nobody>"


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/?game=chess", 404),
        ("/?game=%3Cscript%3E", 404),
        ("/?game=mnk&columns=0", 422),
        ("/?game=mnk&columns=99999999999999999999", 422),
        ("/?game=mnk&columns=x", 422),
        ("/?game=mnk&columns=2&rows=2&length=9", 422),
        ("/?game=mnk&columns=" + "1" * 21, 422),
        ("/?game=mnk:2,2,9", 404),
        ("/?begins=never", 422),
        ("/play/chess/x/", 404),
        ("/play/%2F%2Fexample.org/", 404),
        ("/%2Fexample.org/", 404),
        ("/api/v1/games/", 404),
        ("/?game=achi&diagonals=perhaps", 404),
        ("/?game=" + "x" * 101, 422),
        ("/new", 422),
        ("/new?game=chess", 404),
        ("/new?game=qubic&opponent=c1990", 422),
        ("/new?game=qubic&opponent=nobody", 404),
        ("/new?game=tictactoe&opponent=basic2:harder=perhaps", 422),
        ("/new?game=tictactoe&opponent=c1990&begins=never", 422),
        ("/new?game=tictactoe&opponent=%00%FF", 404),
    ],
)
def test_what_makes_no_sense_is_refused(client: TestClient, address: str, status: int) -> None:
    answer = client.get(address, follow_redirects=False)
    assert answer.status_code == status
    assert "<script>" not in answer.text
