"""The first page offers every game, and for each those who play it; `/new` seats them as asked."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from fastapi.testclient import TestClient
from sites import Client, settings_in

from noughts.games import NAMES, NoughtsError, game
from noughts.players import PLAYERS, player
from noughts.solve import knowledge
from noughts.web.app import create_app
from noughts.web.pages.home import opponents, sample
from noughts.web.sitting import GAMES, Sitting, name_of, read_sitting, usual_opponent


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("home")
    with Client(create_app(settings_in(folder, thinkers=1))) as client:
        yield client


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


@pytest.mark.parametrize("name", [*GAMES, "square4:boards=4", "mnk:3,3,3", "mnk:19,19,5", "achi:diagonals=no"])
def test_those_who_play_a_game_are_offered_and_nobody_else(client: TestClient, name: str) -> None:
    rules = game(name)
    able = {"human"}
    for who in PLAYERS:
        try:
            player(who).check(rules)
        except NoughtsError:
            continue
        able.add(who)
    text = client.get("/", params={"game": name}).text
    assert set(offered(text)) == able
    assert len(offered(text)) == len(able)
    checked = re.findall(r'value="([^"]+)" checked', text)
    assert checked == [usual_opponent(rules), "you"]
    assert checked[0] in able


def test_a_board_too_large_for_the_web_to_solve_is_not_offered_to_perfect(client: TestClient) -> None:
    player("perfect").check(game("mnk:5,4,4"))
    assert "perfect" not in offered(client.get("/?game=mnk:5,4,4").text)
    assert client.get("/new?game=mnk:5,4,4&opponent=perfect").status_code == 422


def test_the_usual_opponents() -> None:
    assert [usual_opponent(game(name)) for name in ("tictactoe", "qubic", "achi")] == ["c1990", "basic3", "casual"]


def test_what_is_told_of_the_games_is_what_the_solver_says() -> None:
    told = {name: words.worth for name, words in GAMES.items() if words.worth}
    assert set(told) == {"tictactoe", "square4", "qubic", "arabian", "achi", "three-mens-morris", "nine-mens-morris"}
    for name, worth in told.items():
        rules = game(name)
        assert knowledge(rules).ask(rules.start()).value.outcome is worth, name


@pytest.mark.parametrize("name", GAMES)
def test_the_sample_is_a_position_of_a_game_in_progress(name: str) -> None:
    rules = game(name)
    assert rules.over(sample(rules)) is None
    assert sample(rules) != rules.start()


def test_every_machine_has_its_year_story_and_strength() -> None:
    met = {one.name: one for name in GAMES for one in opponents(game(name))}
    assert set(met) == set(PLAYERS) - {"human"}
    for name, one in met.items():
        assert one.year == PLAYERS[name].year
        assert 30 < len(one.story) < 130
        assert one.strength
    assert met["chip1990"].design == "chip1990"
    assert {one.name for one in met.values() if one.design} == {"chip1990", "elements2021"}


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
    assert 'name="game" value="mnk:7,6,4"' in sized
    ruled = client.get("/?game=achi&adjacency=lines&row-while-placing=no&diagonals=yes&blocked=draws").text
    assert 'name="game" value="achi:row-while-placing=no,blocked=draws"' in ruled
    assert game("mnk:7,6,4").title == "7×6, 4 in a row"
    assert game("achi:diagonals=no").title == "Achi (diagonals=no)"


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
        ("/?game=mnk&columns=2&rows=2&length=9", 404),
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
