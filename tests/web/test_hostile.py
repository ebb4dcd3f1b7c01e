"""Whatever is sent, the answer is an answer: no failure, no echo that a browser would run, nothing from elsewhere.

Three ways: schemathesis makes up requests from the description of the API, good and bad; a list of hostile values goes
into every part of every address there is; and what is not an address at all is asked for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute, RouteContext, iter_route_contexts
from httpx2 import Response
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sites import Client, settings_in
from starlette.testclient import TestClient

from noughts import web
from noughts.web.app import create_app
from noughts.web.limits import EMBEDDED, HEADERS, MOST_BODY, MOST_URL, PICTURE_POLICY

# Loaded by the tests that use it: every worker imports this file, and one runs it.
if TYPE_CHECKING:
    import schemathesis
    from schemathesis.checks import CheckFunction

pytestmark = pytest.mark.slow

SCRIPT = "<script>alert(1)</script>"
HOSTILE = [
    "",
    " ",
    "\0",
    "a\0b",
    "\r\nX-Injected: yes",
    "%0d%0aX-Injected: yes",
    "x\r\nSet-Cookie: a=b\r\n\r\n" + SCRIPT,
    SCRIPT,
    f'"><img src=x onerror=alert(1)>{SCRIPT}',
    "{{ 7 * 7 }}{% raw %}",
    "' OR 1=1; DROP TABLE games; --",
    "../../../../etc/passwd",
    "..%2f..%2f..%2fetc/passwd",
    "/etc/passwd",
    "//elsewhere.example/",
    "http://elsewhere.example/",
    "javascript:alert(1)",
    ".",
    "..",
    "-1",
    "0",
    "-0",
    "1e9",
    "1" * 40,
    "9" * 5_000,
    str(2**63),
    str(-(2**63) - 1),
    "NaN",
    "Infinity",
    "null",
    "[]",
    "{}",
    "x" * 3_000,
    "X" * 500,
    "../" * 1_000,
    "．．／",
    "тiсtасtое",
    "tictactoe\u200b",
    "\u202eeotcatcit",
    "𝔱𝔦𝔠𝔱𝔞𝔠𝔱𝔬𝔢",
    "İ",
    "٣",
    "🏴‍☠️" * 50,
    "\ufffe\uffff",
    "a" + "\u0301" * 300,
    "mnk:19,19,19",
    "mnk:1000,1000,5",
    "mnk:0,0,0",
    "mnk:-1,3,3",
    "mnk:٣,٣,٣",
    "achi:" + ",".join(["diagonals=no"] * 30),
    "basic2:harder=" + "y" * 30,
    "XXX/XXX/XXX",
    ".../.../... x 999,999",
]
LIKELY = {
    "game": "tictactoe",
    "name": "tictactoe",
    "position": "XO./.../...",
    "player": "casual",
    "move": "c3",
    "number": "1",
    "design": "chip1990",
    "how": "symmetries",
    "step": "1",
    "seed": "1",
    "limit": "5",
    "x": "human",
    "o": "casual",
    "moves": "a1.b2",
    "start": ".../.../...",
    "id": "abc",
}
"""What stands in the other places, so that one hostile value is met as late as possible."""
LIKELY_OF_CHIPS = {"name": "chip1990", "cycle": "1", "cycles": "1"}
"""The same for the pages of the chips, whose runs are one thing: moves would keep all else from being looked at."""
ON_THE_PLAY_PAGE = (
    "x",
    "o",
    "moves",
    "start",
    "id",
    "future",
    "part",
    "values",
    "hint",
    "view",
    "rotate",
    "cost",
    "spent",
)
ASKED = ("go", "try")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    folder = tmp_path_factory.mktemp("hostile")
    return create_app(settings_in(folder, patience=0.1, limit=1))


@pytest.fixture(scope="module")
def client(app: FastAPI) -> Iterator[TestClient]:
    with Client(app, follow_redirects=False) as client:
        yield client


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> schemathesis.schemas.BaseSchema:
    import schemathesis  # noqa: PLC0415

    folder = tmp_path_factory.mktemp("described")
    app = create_app(settings_in(folder, patience=0.5, limit=1))
    return schemathesis.openapi.from_asgi("/openapi.json", app).include(path_regex="^/api/")


# Made-up names are hardly ever names of games: half of the time real ones are put in their place.
REAL = st.fixed_dictionaries(
    {},
    optional={
        "game": st.sampled_from(["tictactoe", "achi", "mnk:4,3,3", "arabian", "qubic", "nine-mens-morris"]),
        "position": st.sampled_from(["", "XO./.../...", "XXX/OO./...", "XO./.../... x 2,2", "X../..."]),
        "player": st.sampled_from(["random", "perfect", "chip1990", "basic2", "human"]),
        "move": st.sampled_from(["a1", "c3", "a1-b2", "2b3", "pass"]),
        "moves": st.sampled_from(["a1", "b2.a1.c3", "a1.a1", "1a1.4d4", "..."]),
    },
)


@pytest.mark.parametrize("good", [True, False], ids=["positive", "negative"])
def test_the_api_does_what_its_description_says(described: schemathesis.schemas.BaseSchema, good: bool) -> None:
    from schemathesis import GenerationMode  # noqa: PLC0415
    from schemathesis.checks import not_a_server_error  # noqa: PLC0415
    from schemathesis.core.result import Err  # noqa: PLC0415
    from schemathesis.specs.openapi.checks import positive_data_acceptance  # noqa: PLC0415

    mode = GenerationMode.POSITIVE if good else GenerationMode.NEGATIVE
    # What is a word of the right length may still be no position: the description cannot say which are. And 503, which
    # it allows, counts as a failure there; all other failures are looked for below.
    too_strict: list[CheckFunction] = [positive_data_acceptance, not_a_server_error]
    statuses = Counter[int]()
    for result in described.get_all_operations():
        assert not isinstance(result, Err)
        operation = result.ok()
        if not good and not (operation.query or operation.path_parameters):
            continue

        @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
        @given(case=operation.as_strategy(generation_mode=mode), real=REAL)
        def conforms(case: schemathesis.Case[Any], real: dict[str, str]) -> None:
            if good:
                case.query.update({name: value for name, value in real.items() if name in case.query})
                case.path_parameters.update({name: real[name] for name in case.path_parameters if name in real})
            answer = case.call()
            if answer.status_code != HTTPStatus.REQUEST_URI_TOO_LONG:  # refused unread
                case.validate_response(answer, excluded_checks=too_strict)
            assert answer.status_code < 500 or answer.status_code == 503
            statuses[answer.status_code] += 1

        conforms()
    assert statuses[422] > 20
    assert statuses[200] > 50 or not good


def routes(app: FastAPI) -> list[RouteContext]:
    """Everything that can be asked for with GET and has something to fill in."""
    return [route for route in iter_route_contexts(app.routes) if "GET" in (route.methods or ()) and any(places(route))]


def places(route: RouteContext) -> tuple[list[str], list[str]]:
    """What can be filled in: in the path, and in the query."""
    in_path = list(route.param_convertors)
    if not isinstance(route.original_route, APIRoute):
        return in_path, []
    declared = [field.alias for part in (route.dependant, *route.dependant.dependencies) for field in part.query_params]
    if (route.path or "").startswith("/play/"):
        declared = [*ON_THE_PLAY_PAGE, *ASKED]
    if (route.path or "").startswith(("/review/", "/embed/")):
        declared = [*declared, "x", "o", "moves", "start"]
    return in_path, declared


def address(route: RouteContext, chosen: dict[str, str]) -> str:
    """An address of this route with these values in it."""
    in_path, in_query = places(route)
    path = route.path_format or ""
    likely = LIKELY_OF_CHIPS if path.startswith("/silicon") else LIKELY
    for name in in_path:
        path = path.replace(f"{{{name}}}", quote(chosen.get(name, likely.get(name, "1")), safe=""))
    values = {name: chosen.get(name, likely.get(name)) for name in in_query}
    return f"{path}?{urlencode({name: value for name, value in values.items() if value is not None})}"


@pytest.mark.parametrize("route", routes(create_app()), ids=lambda route: route.path)
def test_every_hostile_value_in_every_place_is_answered(client: TestClient, route: RouteContext) -> None:
    for place in [name for group in places(route) for name in group]:
        for value in HOSTILE:
            assert_sound(client.get(address(route, {place: value})), f"{route.path} {place}={value[:40]!r}")


def test_there_is_a_lot_that_can_be_asked_for() -> None:
    assert len(routes(create_app())) >= 12


def assert_sound(answer: Response, where: str) -> None:
    """No failure, nothing that a browser would run, all headers, no cookies."""
    assert answer.status_code < 500 or (answer.status_code == 503 and answer.headers["Retry-After"]), where
    expected = HEADERS
    if answer.url.path.startswith("/api/"):
        expected = HEADERS | {"Cross-Origin-Resource-Policy": "cross-origin"}
    if answer.url.path.startswith("/embed/"):
        drawn = answer.headers.get("Content-Type") == "image/svg+xml"
        expected = EMBEDDED | ({"Content-Security-Policy": PICTURE_POLICY} if drawn else {})
    if answer.headers.get("Content-Type") == "image/svg+xml" and answer.url.path.startswith("/silicon/"):
        expected = HEADERS | {"Content-Security-Policy": PICTURE_POLICY.replace("; frame-ancestors *", "")}
    for name, value in expected.items():
        assert answer.headers[name] == value, where
    assert "Set-Cookie" not in answer.headers, where
    assert "X-Injected" not in answer.headers, where
    assert SCRIPT not in answer.text or not answer.headers["Content-Type"].startswith("text/html"), where
    location = answer.headers.get("Location", "/").removeprefix("http://testserver")
    assert location.startswith("/"), where
    assert not location.startswith("//"), where


@pytest.mark.parametrize("name", sorted({place for places in (LIKELY, ON_THE_PLAY_PAGE) for place in places}))
def test_a_value_given_twice_or_as_a_list_is_answered(client: TestClient, name: str) -> None:
    for path in (
        *("/api/v1/position", "/api/v1/move", "/api/v1/records", "/play/tictactoe", "/explore/tictactoe"),
        *("/review", "/review/tictactoe", "/embed/tictactoe", "/embed/tictactoe.svg", "/embed/tictactoe.png"),
    ):
        for query in (f"{name}=a&{name}=b", f"{name}[]=a", f"{name}[0][x]=a", name, f"{name}=%", f"{name}=%ff%fe%00"):
            assert_sound(client.get(f"{path}?{query}"), f"{path}?{query}")


@pytest.mark.parametrize(
    "path",
    [
        "/static/../settings.py",
        "/static/..%2fsettings.py",
        "/static/%2e%2e/settings.py",
        "/static/%2e%2e%2f%2e%2e%2f__init__.py",
        "/static/....//settings.py",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/..\\settings.py",
        "/static/..%5csettings.py",
        "/static/noughts.css%00.html",
        "/static/" + "a" * 3_000,
        "/static/" + "a/" * 2_000,
        "/static/",
        "/static",
        "/static/templates/base.html",
    ],
)
def test_nothing_but_static_files_comes_out_of_static(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert_sound(answer, path)
    assert answer.status_code in (307, 404)
    assert "dataclass" not in answer.text


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/docs", "/openapi.json", "/static/noughts.css", "/static/boards.css", "/nothing"),
        *("/offline", "/offline/worker.js", "/manifest.webmanifest"),
    ],
)
def test_every_answer_has_the_headers_and_no_cookie(client: TestClient, path: str) -> None:
    assert_sound(client.get(path), path)
    assert_sound(client.head(path), path)


def test_an_address_that_is_too_long_is_refused_before_anybody_reads_it(client: TestClient) -> None:
    for path in ("/api/v1/games", "/play/tictactoe"):
        answer = client.get(f"{path}?x={'y' * MOST_URL}")
        assert answer.status_code == 414
        assert_sound(answer, path)
        assert "expected at most 16,000" in answer.text


def test_a_body_that_is_too_long_is_refused_before_anybody_reads_it(client: TestClient) -> None:
    answer = client.post("/play/tictactoe", content=b"x" * (MOST_BODY + 1))
    assert answer.status_code == 413
    assert_sound(answer, "body")
    answer = client.post("/api/v1/games", content=(b"x" for _ in range(3)))
    assert answer.status_code == 411
    assert_sound(answer, "chunks")


@pytest.mark.parametrize("length", ["-1", "1e3", "٣", "9" * 30, "1, 2", ""])
def test_a_length_that_is_no_number_is_refused(client: TestClient, length: str) -> None:
    answer = client.get("/api/v1/games", headers={b"Content-Length": length.encode()})
    assert answer.status_code == 413
    assert_sound(answer, length)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Host", "["),
        ("Host", "a b"),
        ("Host", f"{SCRIPT}.example"),
        ("Host", "x" * 5_000),
        ("If-None-Match", ",,,,"),
        ("If-None-Match", '"' * 5_000),
        ("Accept", "\xff\xfe"),
        ("Accept-Language", "x" * 5_000),
        ("X-Noughts-Part", "main"),
        ("X-Noughts-Part", "__class__"),
        ("X-Noughts-Part", SCRIPT),
        ("X-Forwarded-Host", "elsewhere.example"),
        ("Range", "bytes=0-0,-1,5-"),
        ("Range", "bytes=" + "0-0," * 500),
        ("Cookie", "a=b; " * 500),
        ("If-Modified-Since", "yesterday"),
    ],
)
def test_hostile_headers_are_answered(client: TestClient, name: str, value: str) -> None:
    for path in ("/", "/docs", "/api/v1/games", "/api/v1/nothing", "/static/noughts.css", "/play/tictactoe?id=abc"):
        assert_sound(client.get(path, headers={name.encode(): value.encode("latin-1")}), f"{path} {name}")


def parts_of_pages() -> list[str]:
    """The names of all parts that a script of ours could ask for, or somebody else."""
    folder = Path(web.__file__).parent / "templates"
    return sorted({name for file in folder.glob("*.html") for name in re.findall(r"{% block (\w+)", file.read_text())})


@pytest.mark.parametrize("path", ["/", "/docs", "/knuth", "/history", "/silicon", "/explore/achi", "/play/achi?id=abc"])
def test_any_part_of_any_page_can_be_asked_for(client: TestClient, path: str) -> None:
    for part in parts_of_pages():
        assert_sound(client.get(path, headers={"X-Noughts-Part": part}), f"{path} {part}")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "GE\tT"])
def test_other_methods_are_refused(client: TestClient, method: str) -> None:
    for path in ("/api/v1/games", "/api/v1/records/1", "/docs", "/static/noughts.css"):
        answer = client.request(method, path)
        assert answer.status_code == 405, path
        assert_sound(answer, path)
