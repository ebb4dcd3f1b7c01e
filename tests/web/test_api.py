"""The API answers what the library knows, says what is wrong, and spares everybody to work things out twice."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from sites import Client, settings_in
from starlette.testclient import TestClient

from noughts import __version__, web
from noughts.games import NAMES, game
from noughts.players import PLAYERS
from noughts.records import Finished, History
from noughts.records.database import connect, find_address
from noughts.solve import solve
from noughts.web.app import create_app
from noughts.web.asking.thinking import BusyError, GivenUpError, StillThinkingError
from noughts.web.limits import HEADERS

GAMES = 25
EIGHT = ["/".join("X" + "." * 8 if row == number else "." * 9 for row in range(9)) for number in range(8)]
"""Boards of nine by nine with one stone."""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    folder = tmp_path_factory.mktemp("api")
    return create_app(settings_in(folder, patience=30))


@pytest.fixture(scope="module")
def client(app: FastAPI) -> Iterator[TestClient]:
    with Client(app) as client:
        history: History = app.state.history
        for number in range(GAMES):
            history.save(
                Finished(
                    token=f"secret{number}",
                    game="tictactoe" if number % 2 else "achi",
                    x="human",
                    o="casual" if number % 3 else "chip1990",
                    moves="a1 b1 a2 b2 a3",
                    result="x",
                    reason="a row",
                    seconds=0.25,
                )
            )
        yield client


def get(client: TestClient, path: str, **query: object) -> Any:
    """The answer to a question that has one."""
    answer = client.get(f"/api/v1/{path}", params={name: str(value) for name, value in query.items()})
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == "application/json"
    return answer.json()


def problem(client: TestClient, status: int, path: str, **query: object) -> str:
    """What is said about a question that has none."""
    answer = client.get(f"/api/v1/{path}", params={name: str(value) for name, value in query.items()})
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["Cache-Control"] == "no-store"
    told = answer.json()
    assert set(told) == {"type", "title", "status", "detail", "instance"}
    assert told["status"] == status
    assert told["instance"] == f"/api/v1/{path}"
    return str(told["detail"])


def test_the_games_are_those_of_the_catalogue(client: TestClient) -> None:
    games = get(client, "games")["games"]
    assert [one["name"] for one in games] == list(NAMES)
    assert {one["name"]: one["points"] for one in games}["qubic"] == 64
    assert {one["name"]: one["solved"] for one in games} == {
        "tictactoe": "yes",
        "square4": "yes",
        "qubic": "first player wins",
        "mnk:M,N,K": "up to 16 cells",
        "arabian": "yes",
        "achi": "yes",
        **dict.fromkeys(("three-mens-morris", "tapatan", "picaria", "nine-holes"), "yes"),
        **dict.fromkeys(("five-mens-morris", "six-mens-morris", "seven-mens-morris", "nine-mens-morris"), "not here"),
        **dict.fromkeys(("lasker-morris", "eleven-mens-morris", "twelve-mens-morris", "morabaraba"), "not here"),
    }


def test_a_game_has_its_lines_and_those_who_play_it(client: TestClient) -> None:
    qubic = get(client, "games/qubic")
    assert len(qubic["line_points"]) == qubic["lines"] == 76
    assert ["1a1", "2b2", "3c3", "4d4"] in qubic["line_points"]
    assert {"perfect", "basic2", "basicf"} <= set(qubic["players"])
    assert not qubic["solvable"]
    large = get(client, "games/mnk:5,4,4")
    assert large["points"] == 20
    assert not large["solvable"]
    assert "perfect" not in large["players"]


def test_the_players_are_all_that_move_by_themselves(client: TestClient) -> None:
    players = {one["name"]: one for one in get(client, "players")["players"]}
    assert set(players) == set(PLAYERS) - {"human"}
    assert players["chip1990"]["year"] == 1990
    assert players["chip1990"]["plays_only"] == ["tictactoe"]
    assert players["elements2021"]["options"] == {"pruning": "no", "timing": "ours"}


@pytest.mark.parametrize("text", ["", "X../.../...", "XO./.X./..O", "XXX/OO./...", "XOX/XOO/OXX"])
def test_a_position_has_the_value_of_the_solution(client: TestClient, text: str) -> None:
    rules = game("tictactoe")
    here = rules.read(text) if text else rules.start()
    solution = solve(rules)
    found = get(client, "position", game="tictactoe", position=text)
    assert found["position"] == rules.write(here)
    assert (found["value"], found["remoteness"]) == solution.value(here)
    expected = [] if rules.over(here) else solution.moves(here)
    assert [(one["move"], one["value"], one["remoteness"], one["position"]) for one in found["moves"]] == [
        (rules.write_move(one.move), *one.value, rules.write(one.position)) for one in expected
    ]


@pytest.mark.parametrize(
    ("name", "value", "remoteness"),
    [
        ("achi", "win", 11),
        ("arabian", "draw", None),
        ("mnk:4,3,3", "win", 7),
        ("six-mens-morris", "draw", None),
        ("lasker-morris", "draw", None),
        ("twelve-mens-morris", "win", None),
        ("lasker-morris:flying=no", "unknown", None),
    ],
)
def test_a_missing_position_is_the_start(client: TestClient, name: str, value: str, remoteness: int | None) -> None:
    found = get(client, "position", game=name)
    assert (found["value"], found["remoteness"]) == (value, remoteness)
    assert found["position"] == game(name).write(game(name).start())


def test_the_first_player_wins_qubic(client: TestClient) -> None:
    found = get(client, "position", game="qubic")
    assert (found["value"], found["reason"]) == ("win", "first player wins (proved)")


def test_a_game_that_is_too_large_to_solve_here_is_answered_honestly(client: TestClient) -> None:
    found = get(client, "position", game="mnk:7,7,5")
    assert (found["value"], found["surety"], found["lead"]) == ("unknown", "estimate", "about even")
    assert found["depth"] > 3
    assert (found["moves"][0]["look"], found["moves"][0]["estimate"]) == ("best", found["estimate"])
    opened = get(client, "position", game="mnk:5,5,4")
    assert (opened["value"], opened["surety"], opened["reason"]) == ("draw", "distance", "from the book of openings")
    drawn = get(client, "position", game="mnk:5,4,4")
    assert (drawn["value"], drawn["surety"], drawn["estimate"], drawn["lead"]) == ("draw", "distance", None, None)
    won = get(client, "position", game="mnk:5,5,4", position="XXX../OOO../...../...../.....")
    assert (won["value"], won["remoteness"], won["moves"][0]["move"]) == ("win", 1, "d1")


def test_the_legal_moves_are_those_of_the_rules(client: TestClient) -> None:
    found = get(client, "moves", game="achi", position="XOX/OXO/.XO x")
    assert found["moves"] == ["b2-a3", "b3-a3"]
    assert get(client, "moves", game="tictactoe", position="XXX/OO./...")["moves"] == []


def test_a_player_moves_and_says_what_it_cost(client: TestClient) -> None:
    found = get(client, "move", game="tictactoe", player="chip1990", position="X../.../...")
    assert found["seconds"] >= 0
    del found["seconds"]
    assert found == {
        "game": "tictactoe",
        "position": "X../.../...",
        "player": "chip1990",
        "seed": 0,
        "move": "b2",
        "result_position": "X../.O./...",
        "cycles": 5779,
        "nodes": None,
        "statements": None,
        "remark": None,
    }


def test_a_seed_makes_a_move_repeatable(client: TestClient) -> None:
    moves = {seed: get(client, "move", game="qubic", player="random", seed=seed)["move"] for seed in range(5)}
    assert len(set(moves.values())) > 1
    assert get(client, "move", game="qubic", player="random", position="", seed=3)["move"] == moves[3]
    assert get(client, "move", game="qubic", player="random")["move"] == moves[0]


def test_a_machine_says_its_words(client: TestClient) -> None:
    position = "XXX./..../..../....|OO../..../..../....|O.../..../..../....|..../..../..../...."
    found = get(client, "move", game="qubic", player="basic3", position=position)
    assert (found["move"], found["remark"]) == ("1d1", "THE OLD 5")
    assert found["statements"] == 631


def test_reasons_are_given_in_words(client: TestClient) -> None:
    found = get(client, "reasons", game="tictactoe", position="XO./.../...", move="C3")
    assert (found["move"], found["kind"]) == ("c3", "gives-away")
    assert found["words"] == "It gives the win away: now it is only a draw, if O answers b2."


def test_records_come_newest_first_and_page_by_page(client: TestClient) -> None:
    seen, path = [], "/api/v1/records?limit=10"
    while path:
        page = client.get(path).json()
        assert len(page["records"]) <= 10
        seen += [one["id"] for one in page["records"]]
        path = page["next"]
    assert seen == sorted(seen, reverse=True)
    assert len(seen) == len(set(seen)) == GAMES


def test_records_can_be_picked_by_game_and_player(client: TestClient) -> None:
    found = get(client, "records", game="achi", player="chip1990")["records"]
    assert len(found) == len([number for number in range(GAMES) if number % 6 == 0])
    assert {(one["game"], one["o"]) for one in found} == {("achi", "chip1990")}
    assert get(client, "records", player="nobody") == {"records": [], "next": None}


def test_a_record_is_whole_and_keeps_the_token_to_itself(client: TestClient) -> None:
    found = get(client, "records/1")
    assert found.pop("finished_at").endswith(("Z", "+00:00"))
    assert found == {
        "id": 1,
        "game": "achi",
        "x": "human",
        "o": "chip1990",
        "start": None,
        "moves": ["a1", "b1", "a2", "b2", "a3"],
        "result": "x",
        "reason": "a row",
        "plies": 5,
        "seconds": 0.25,
        "verified": None,
    }
    assert "secret" not in client.get("/api/v1/records").text


@pytest.mark.parametrize(
    ("status", "path", "query", "words"),
    [
        (404, "position", {"game": "chess"}, "'chess' is not a game: expected one of tictactoe"),
        (404, "position", {"game": "mnk:1000,1000,5"}, "'mnk:1000,1000,5' is not a game: expected mnk:M,N,K"),
        (404, "position", {"game": "mnk:999,999,5"}, "'mnk:999,999,5' is not a game: expected M and N from 1 to 19"),
        (404, "games/chess", {}, "'chess' is not a game"),
        (404, "move", {"game": "achi", "player": "hal9000"}, "'hal9000' is not a player that moves by itself"),
        (404, "move", {"game": "achi", "player": "human"}, "'human' is not a player that moves by itself"),
        (404, "records/4711", {}, "no finished game has the number 4711"),
        (404, "nothing", {}, "'/api/v1/nothing' is not here"),
        (422, "position", {}, "game is missing"),
        (422, "position", {"game": ""}, "game: '' is not understood"),
        (422, "position", {"game": "tictactoe", "position": "XX"}, "'XX' is not a board of this game: expected"),
        (422, "position", {"game": "tictactoe", "position": "XXX/.../..."}, "'XXX/.../...' is not a legal position"),
        (422, "position", {"game": "tictactoe", "position": "X" * 501}, "position: 'XXXX"),
        (422, "moves", {"game": "achi", "position": "XOX/OXO/.XO"}, "the side to move is missing"),
        (422, "move", {"game": "achi", "player": "chip1990"}, "chip1990 plays only tictactoe, not 'achi'"),
        (422, "move", {"game": "mnk:5,4,4", "player": "perfect"}, "perfect cannot play 'mnk:5,4,4'"),
        (422, "move", {"game": "qubic", "player": "basic2:nicer=yes"}, "'nicer' is not an option of basic2"),
        (422, "move", {"game": "tictactoe", "player": "random", "position": "XXX/OO./..."}, "'XXX/OO./...' is over"),
        (422, "move", {"game": "tictactoe", "player": "random", "seed": -1}, "seed: '-1' is not understood"),
        (422, "move", {"game": "tictactoe", "player": "random", "seed": 2**63}, f"seed: '{2**63}' is not understood"),
        (422, "move", {"game": "tictactoe", "player": "c1990", "position": "XOX/.../X.O"}, "no move found"),
        (422, "reasons", {"game": "tictactoe", "move": "z9"}, "'z9' is not a point of this board"),
        (422, "reasons", {"game": "tictactoe", "move": "a1", "position": "X../.../..."}, "a1 is occupied"),
        (422, "records", {"limit": 0}, "limit: '0' is not understood"),
        (422, "records", {"limit": 101}, "limit: '101' is not understood"),
        (422, "records", {"before": "yesterday"}, "before: 'yesterday' is not understood"),
        (422, "records/first", {}, "number: 'first' is not understood"),
        (
            422,
            "position",
            {"game": "tictactoe", "pos": "XO./.../..."},
            "'pos' is not a parameter here: expected position",
        ),
        (
            422,
            "position",
            {"game": "tictactoe", "Position": "X"},
            "'Position' is not a parameter here: expected position",
        ),
        (422, "move", {"game": "achi", "player": "casual", "sede": 1}, "'sede' is not a parameter here: expected seed"),
        (422, "moves", {"game": "achi", "colour": "x"}, "'colour' is not a parameter here: expected game, position"),
        (422, "games", {"name": "achi"}, "'name' is not a parameter here: expected none"),
        (422, "records/1", {"x" * 50: 1}, f"'{'x' * 40}' is not a parameter here: expected none"),
    ],
)
def test_what_is_wrong_is_said_with_the_offending_value(
    client: TestClient, status: int, path: str, query: dict[str, Any], words: str
) -> None:
    assert words in problem(client, status, path, **query)


def test_a_parameter_that_is_given_twice_is_refused(client: TestClient) -> None:
    answer = client.get("/api/v1/position?game=achi&position=&game=tictactoe")
    assert answer.status_code == 422
    assert answer.json()["detail"] == "'game' is given 2 times: expected once"


def test_scripts_of_other_sites_may_read_the_api_and_nothing_else(client: TestClient) -> None:
    asked = {"Origin": "http://elsewhere.example"}
    for path in ("/api/v1/games", "/api/v1/position?game=tictactoe", "/api/v1/nothing"):
        for method in ("GET", "HEAD"):
            assert client.request(method, path, headers=asked).headers["Access-Control-Allow-Origin"] == "*"
    for path in ("/", "/history.jsonl", "/play/achi?id=a", "/static/base.css"):
        assert "Access-Control-Allow-Origin" not in client.get(path, headers=asked).headers
    before = client.options("/api/v1/games", headers={**asked, "Access-Control-Request-Method": "GET"})
    assert before.status_code == 204
    assert before.headers["Access-Control-Allow-Methods"] == "GET, HEAD"
    assert "If-None-Match" in before.headers["Access-Control-Allow-Headers"]
    refused = client.options("/play/achi?id=a", headers={**asked, "Access-Control-Request-Method": "POST"})
    assert "Access-Control-Allow-Origin" not in refused.headers


def test_a_long_answer_is_compressed_for_who_can_read_it(client: TestClient) -> None:
    for path in ("/api/v1/games/qubic", "/", "/static/noughts.js"):
        plain = client.get(path, headers={"Accept-Encoding": "identity"})
        packed = client.get(path, headers={"Accept-Encoding": "gzip"})
        assert "Content-Encoding" not in plain.headers
        assert packed.headers["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in packed.headers["Vary"]
        assert int(packed.headers["Content-Length"]) < int(plain.headers["Content-Length"]) / 2
        assert packed.content == plain.content
    assert "Content-Encoding" not in client.get("/health", headers={"Accept-Encoding": "gzip"}).headers


@pytest.mark.parametrize(
    ("page", "made", "loaded"),
    [("/play/qubic?id=a", "boards.css", 5), ("/silicon", "chips.css", 6), ("/silicon/chip1990", "chips.css", 6)],
)
def test_static_files_are_kept_forever_at_an_address_that_changes_with_them(
    client: TestClient, page: str, made: str, loaded: int
) -> None:
    addresses = re.findall(r'(?:href|src)="(/static/[^"]+)"', client.get(page).text)
    assert len(addresses) >= loaded
    for address in addresses:
        answer = client.get(address)
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable", address
        other = client.get(f"{address}x")
        assert (other.headers["Cache-Control"], other.content) == ("no-cache", answer.content)
        assert other.headers["ETag"]
    style = next(address for address in addresses if made in address)
    assert style == f"/static/{made}?v={client.get(style).headers['ETag'][1:13]}"


def test_the_health_of_the_server_is_that_of_its_database(client: TestClient, app: FastAPI) -> None:
    answer = client.get("/health")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok", "version": __version__})
    app.state.history, working = History(connect(find_address("sqlite:////nowhere/games.db"))), app.state.history
    try:
        assert client.get("/health").status_code == 503
    finally:
        app.state.history = working


def test_hard_questions_of_one_address_are_bounded(tmp_path: Path) -> None:
    app = create_app(settings_in(tmp_path, thinkers=1, patience=0, bounded=True, waiting=1_000))
    with TestClient(app) as client:
        paths = [
            f"/api/v1/position?game=mnk:9,9,{length}&position={stone}" for length in range(3, 9) for stone in EIGHT
        ]
        statuses = [client.get(path).status_code for path in paths]
        assert statuses[:30] == [503] * 30
        assert statuses[31:] == [429] * len(statuses[31:])
        refused = client.get(paths[-1])
        assert 1 <= int(refused.headers["Retry-After"]) <= 2
        assert "too many hard questions from your address: expected at most 10 a second" in refused.json()["detail"]
        assert client.get("/api/v1/position?game=tictactoe").status_code == 200, "what is easy is free"
        assert client.get(paths[0]).status_code == 503, "so is what is being worked on"


def test_another_method_is_refused_and_told_which_is_right(client: TestClient) -> None:
    answer = client.post("/api/v1/games")
    assert answer.status_code == 405
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["Allow"] == "GET"
    assert "POST is not possible at '/api/v1/games': expected GET" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("error", "retry"),
    [(StillThinkingError("still thinking"), "1"), (BusyError("16 questions"), "1"), (GivenUpError("no answer"), "600")],
)
def test_who_cannot_be_answered_now_is_told_when_to_ask_again(
    app: FastAPI, client: TestClient, monkeypatch: pytest.MonkeyPatch, error: Exception, retry: str
) -> None:
    async def ask(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(app.state.thinking, "ask", ask)
    answer = client.get("/api/v1/position?game=achi&position=X../.../...")
    assert answer.status_code == 503
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["Retry-After"] == retry
    assert "Refresh" not in answer.headers
    assert answer.json()["detail"] == str(error)


def test_an_unforeseen_error_says_nothing_of_the_inside(tmp_path: Path) -> None:
    async def ask(*_: object) -> None:
        raise ZeroDivisionError("the inside")

    app = create_app(settings_in(tmp_path))
    with TestClient(app, raise_server_exceptions=False) as client:
        app.state.thinking.ask = ask
        answer = client.get("/api/v1/position?game=achi&position=O../.X./...")
    assert answer.status_code == 500
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["detail"] == "something went wrong here; it has been noted"
    for name, value in HEADERS.items():
        assert answer.headers[name] == value or name == "Cross-Origin-Resource-Policy"


@pytest.mark.parametrize(
    "path",
    ["games", "games/achi", "players", "position?game=tictactoe", "moves?game=achi", "reasons?game=tictactoe&move=b2"],
)
def test_a_pure_answer_may_be_kept_and_is_not_sent_twice(client: TestClient, path: str) -> None:
    first = client.get(f"/api/v1/{path}")
    assert first.headers["Cache-Control"] == "public, max-age=3600"
    tag = first.headers["ETag"]
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = client.get(f"/api/v1/{path}", headers={"If-None-Match": known})
        assert again.status_code == 304
        assert again.content == b""
        assert again.headers["ETag"] == tag
        assert again.headers["Cache-Control"] == "public, max-age=3600"
        assert again.headers["Content-Security-Policy"]
    different = client.get(f"/api/v1/{path}", headers={"If-None-Match": '"other"'})
    assert different.status_code == 200
    assert different.content == first.content
    assert different.headers == first.headers


def test_records_are_asked_for_again_every_time(app: FastAPI, client: TestClient) -> None:
    first = client.get("/api/v1/records?game=square4")
    assert first.headers["Cache-Control"] == "no-cache"
    same = client.get("/api/v1/records?game=square4", headers={"If-None-Match": first.headers["ETag"]})
    assert same.status_code == 304
    draw = Finished(token="t", game="square4", x="a", o="b", moves="a1", result="draw", reason="no move is left")
    app.state.history.save(draw)
    changed = client.get("/api/v1/records?game=square4", headers={"If-None-Match": first.headers["ETag"]})
    assert changed.status_code == 200
    assert changed.headers["ETag"] != first.headers["ETag"]
    assert len(changed.json()["records"]) == 1


def test_an_error_is_never_kept(client: TestClient) -> None:
    for _ in range(2):
        answer = client.get("/api/v1/position?game=chess")
        assert answer.status_code == 404
        assert "ETag" not in answer.headers


def test_the_same_position_written_in_two_ways_is_one_question(app: FastAPI, client: TestClient) -> None:
    asked = []
    usual = app.state.thinking.ask

    async def ask(question: Any, *arguments: Any) -> Any:
        asked.append(arguments)
        return await usual(question, *arguments)

    app.state.thinking.ask = ask
    try:
        for text in ("XX./OO./...", "XX./OO./... x", "XX./OO./... x 1,1", " XX./OO./... "):
            get(client, "position", game="Arabian", position=text)
    finally:
        app.state.thinking.ask = usual
    assert set(asked) == {("arabian", "XX./OO./... x 1,1")}


def test_head_is_answered_like_get_without_the_body(client: TestClient) -> None:
    got, head = client.get("/api/v1/games"), client.head("/api/v1/games")
    assert head.status_code == 200
    assert head.content == b""
    assert head.headers == got.headers


def test_the_description_lists_every_part_and_every_status(client: TestClient) -> None:
    description = client.get("/openapi.json").json()
    paths = {path for path in description["paths"] if path.startswith("/api/")}
    assert paths == {
        "/api/v1/games",
        "/api/v1/games/{game}",
        "/api/v1/players",
        "/api/v1/position",
        "/api/v1/moves",
        "/api/v1/move",
        "/api/v1/reasons",
        "/api/v1/puzzles",
        "/api/v1/puzzles/today",
        "/api/v1/review",
        "/api/v1/records",
        "/api/v1/records/{number}",
    }
    for path in paths:
        about = description["paths"][path]["get"]
        assert about["summary"]
        assert about["description"]
        assert about["x-examples"]
        for code, response in about["responses"].items():
            if int(code) >= 400:
                shape = {"schema": {"$ref": "#/components/schemas/Problem"}}
                assert response["content"] == {"application/problem+json": shape}
        for parameter in about.get("parameters", []):
            assert parameter["description"]
    thinking = description["paths"]["/api/v1/position"]["get"]["responses"]
    assert set(thinking) == {"200", "304", "404", "414", "422", "429", "503"}
    shapes = description["components"]["schemas"]
    assert set(shapes["Problem"]["properties"]) == {"type", "title", "status", "detail", "instance"}
    assert not {"HTTPValidationError", "ValidationError"} & set(shapes)


def test_every_example_of_the_description_can_be_tried(client: TestClient) -> None:
    description = client.get("/openapi.json").json()
    tried = 0
    for methods in description["paths"].values():
        for address in methods["get"].get("x-examples", []):
            assert client.get(address).status_code == 200, address
            tried += 1
    assert tried >= 9


def test_the_description_for_people_shows_every_part_with_its_examples(client: TestClient) -> None:
    page = client.get("/docs")
    assert page.status_code == 200
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    for methods in client.get("/openapi.json").json()["paths"].values():
        for address in methods["get"].get("x-examples", []):
            shown = address.replace("&", "&amp;")
            assert f'href="{shown}"' in page.text
            assert (
                f"curl &#39;http://testserver{shown}&#39;" in page.text
                or f"curl 'http://testserver{shown}'" in page.text
            )
    for foreign in ("https://", "style="):
        assert foreign not in page.text
    assert re.findall("<script[^>]*>", page.text) == re.findall('<script type="module" src="/static/[^"]*">', page.text)


def test_the_api_has_nothing_from_elsewhere() -> None:
    folder = Path(web.__file__).parent
    assert "http" not in (folder / "static" / "docs.css").read_text()
