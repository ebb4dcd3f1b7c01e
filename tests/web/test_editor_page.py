"""The board editor: every click is a link, what cannot be is explained in place, what can be leads on."""

import re
from collections.abc import Iterator
from html import unescape
from random import Random

import pytest
from fastapi.testclient import TestClient
from sites import Client, settings_in

from noughts.games import KINDS, IllegalPositionError, NotationError
from noughts.games import game as find_game
from noughts.web.app import create_app

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with Client(create_app(settings_in(tmp_path_factory.mktemp("editor"), thinkers=1, patience=60))) as client:
        yield client


def link(text: str, label: str) -> str:
    """Where the link with this label, or these words, leads."""
    found = re.search(rf'href="([^"]+)"[^>]*(?:aria-label="{label}[^"]*"|data-focus="{label}")', text)
    assert found, label
    return unescape(found[1])


def written(text: str) -> str:
    """The position that is set up."""
    return unescape(re.search(r'name="position" value="([^"]*)" maxlength', text)[1])  # type: ignore[index]


def test_stones_are_put_and_taken_away_click_by_click(client: TestClient) -> None:
    page = client.get("/explore/tictactoe/edit").text
    page = client.get(link(page, "b2, empty: put X here")).text
    assert written(page) == ".../.X./..."
    page = client.get(link(page, "stone-O")).text
    page = client.get(link(page, "a1, empty: put O here")).text
    assert written(page) == "O../.X./..."
    assert 'href="/explore/tictactoe/O../.X./..."' in page
    page = client.get(link(page, "a1, O: take it away")).text
    assert written(page) == ".../.X./..."
    page = client.get(link(page, "b2, X: put O here")).text
    assert written(page) == ".../.O./..."


def test_what_cannot_come_up_is_explained_in_place_and_leads_nowhere(client: TestClient) -> None:
    answer = client.get("/explore/tictactoe/edit?position=XX./.../...")
    assert answer.status_code == 200
    text = unescape(answer.text)
    assert "X has placed 2 stones, O 0, and O is to move; expected as many each" in text
    assert "Explore this position" not in text
    both = unescape(client.get("/explore/tictactoe/edit?position=XXX/OOO/...").text)
    assert "Both sides have a row, expected at most one." in both
    nonsense = client.get("/explore/tictactoe/edit?position=%3Cscript%3E")
    assert nonsense.status_code == 200
    assert "That could not be read" in nonsense.text
    assert "<script>" not in nonsense.text


def test_stones_in_hand_and_whose_turn_it_is_are_set_where_the_rules_leave_a_choice(client: TestClient) -> None:
    page = client.get("/explore/nine-mens-morris/edit").text
    page = client.get(link(page, "a1, empty: put X here")).text
    assert written(page).endswith(" o 8,9"), "a stone on the board is no longer in hand, and O is to move"
    page = client.get(link(page, "none-X")).text
    page = client.get(link(page, "none-O")).text
    assert written(page).endswith("... o"), "all are placed"
    page = client.get(link(page, "turn-X")).text
    assert written(page).endswith("... x")
    assert "expected at least" in unescape(page), "one stone is too few to play on with"
    page = client.get(link(page, "more-O")).text
    assert written(page).endswith(" 0,1")
    assert "To move:" not in client.get("/explore/tictactoe/edit").text
    assert "in hand:" not in client.get("/explore/achi/edit").text


@pytest.mark.parametrize("name", [kind.example for kind in KINDS])
def test_what_it_leads_to_is_what_can_be_read(client: TestClient, name: str) -> None:
    game, chance = find_game(name), Random(name)
    page = client.get(f"/explore/{name}/edit").text
    for _ in range(12):
        label = f"{chance.choice(game.layout.points)}, "
        page = client.get(link(page, chance.choice([label, label, "stone-X", "stone-O"]))).text
        position = written(page)
        try:
            game.read(position)
            legal = True
        except (IllegalPositionError, NotationError):
            legal = False
        assert ("Explore this position" in page) == legal, position


def test_a_large_board_sends_its_points_by_buttons(client: TestClient) -> None:
    answer = client.get("/explore/mnk:19,19,5/edit")
    assert len(answer.content) < 150_000
    assert 'name="play" value="k10"' in answer.text
    then = client.get("/explore/mnk:19,19,5/edit?stone=x&play=k10", follow_redirects=False)
    assert then.status_code == 303
    assert written(client.get(then.headers["location"]).text).count("X") == 1
