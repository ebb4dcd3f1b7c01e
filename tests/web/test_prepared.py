"""What comes with the package is what would be worked out, and a fresh server shows it at once."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sites import settings_in
from starlette.testclient import TestClient

from noughts.games import KINDS, game
from noughts.web.app import create_app
from noughts.web.asking import prepared as module
from noughts.web.asking import questions
from noughts.web.asking.prepared import prepared, prepared_answer, work_out

pytestmark = pytest.mark.slow


def test_the_file_has_what_is_worked_out_now() -> None:
    worked_out = {(one.question, one.arguments): json.loads(json.dumps(one.answer)) for one in work_out()}
    assert {(one.question, one.arguments): one.answer for one in prepared()} == worked_out
    assert len(worked_out) == 4 * len(KINDS) + 2


def test_of_a_game_with_a_table_here_nothing_is_taken_from_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    six = game("six-mens-morris")
    monkeypatch.setattr(module, "table_for", lambda one: "a table" if one == six else None)
    about = {one.arguments[0] for one in prepared() if one.arguments}
    assert about == {kind.example for kind in KINDS} - {six.name}


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server whose pages wait for nothing."""
    with TestClient(create_app(settings_in(tmp_path_factory.mktemp("fresh"), thinkers=1, glance=0.0))) as client:
        yield client


@pytest.mark.parametrize("name", [kind.example for kind in KINDS])
def test_what_is_known_of_the_start_is_there_at_once(fresh: TestClient, name: str) -> None:
    answer = fresh.get(f"/explore/{name}")
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "public, max-age=300"
    assert "worked out" not in answer.text


def test_knuths_classes_are_not_worked_out_for_anybody(fresh: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise AssertionError("worked out again")

    for name in ("classes", "opening_map", "rank_chart"):
        monkeypatch.setattr(questions, name, fail)
    with ThreadPoolExecutor(32) as pool:
        answers = list(pool.map(lambda _: fresh.get("/knuth"), range(32)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.text for answer in answers}) == 1
    assert len(prepared_answer(questions.knuth_classes)) == 765


def test_what_is_not_known_yet_is_shown_as_far_as_it_is(fresh: TestClient, tmp_path: Path) -> None:
    with TestClient(create_app(settings_in(tmp_path, thinkers=1, glance=0.0))) as client:
        answer = client.get("/explore/achi/X../.../...%20o%203,4")
        assert answer.status_code == 202
        assert answer.headers["Refresh"] == "1"
        assert answer.headers["Cache-Control"] == "no-store"
        assert "What this position is worth is being worked out" in answer.text
        assert 'aria-label="a1, X"' in answer.text
        assert 'aria-label="b2, empty: play here"' in answer.text
    assert fresh.get("/explore/tictactoe/X../.../...").status_code == 200, "what takes less than a millisecond is done"
