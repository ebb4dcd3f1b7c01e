"""The page of Knuth's classes shows all 765, and only those that pass the filters."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sites import Client, settings_in

from noughts.games import game
from noughts.insight.knuth import classes, hexadecimal, in_words
from noughts.web.app import create_app
from noughts.web.sitting import explore_url

pytestmark = pytest.mark.slow

BY_MOVES = (1, 3, 12, 38, 108, 174, 204, 153, 57, 15)
"""As TICTACTOE2 prints them."""
SHOWN = re.compile(
    r'<li><a href="([^"]+)" title="([^"]+)">.*?<strong>(-?\d+)</strong> <code>([0-9a-f]{8})</code>', re.S
)
RULES = game("tictactoe")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("knuth")
    with Client(create_app(settings_in(folder, thinkers=1))) as client:
        yield client


def shown(client: TestClient, **query: str) -> list[tuple[str, str, str, str]]:
    """What all pages show together: address, words, score and difficulty."""
    found: list[tuple[str, str, str, str]] = []
    for number in range(1, 100):
        answer = client.get("/knuth", params={**query, "page": str(number)})
        if answer.status_code == 404:
            break
        assert answer.status_code == 200
        found += SHOWN.findall(answer.text)
    return found


def test_all_765_classes_are_there_in_knuths_order_with_his_numbers(client: TestClient) -> None:
    expected = [
        (
            explore_url("tictactoe", RULES.write(one.leader.position)),
            in_words(one.appraisal, one.leader.rank),
            str(one.appraisal.score),
            hexadecimal(one.appraisal),
        )
        for one in classes()
    ]
    found = [
        (unescape(href), unescape(words), score, digits) for href, words, score, digits in shown(client, sort="knuth")
    ]
    assert len(found) == 765
    assert found == expected


@pytest.mark.parametrize("moves", range(10))
def test_the_filter_by_moves_counts_as_knuth_does(client: TestClient, moves: int) -> None:
    found = shown(client, moves=str(moves))
    assert len(found) == BY_MOVES[moves]
    for href, *_ in found:
        cells = href.removeprefix("/explore/tictactoe/")
        assert sum(cell in "XO" for cell in cells) == moves


def test_scores_and_difficulties_can_be_picked_out(client: TestClient) -> None:
    everything = shown(client)
    for score in ("-6", "0", "7"):
        assert shown(client, score=score) == [one for one in everything if one[2] == score]
    for wrong in ("0", "5", "7"):
        assert shown(client, wrong=wrong) == [one for one in everything if one[3][0] == wrong]
    both = shown(client, score="0", wrong="5", moves="0")
    assert [(score, digits) for _, _, score, digits in both] == [("0", "57551000")]


def test_the_order_can_be_chosen(client: TestClient) -> None:
    everything = shown(client)
    scores = [int(one[2]) for one in shown(client, sort="score")]
    assert scores == sorted(scores, reverse=True)
    hardest = shown(client, sort="difficulty")
    assert sorted(hardest) == sorted(everything)
    first = [one[3][0] for one in hardest]
    assert first == sorted(first, reverse=True)
    # A larger second digit makes it easier for the player.
    seconds = [one[3][1] for one in hardest if one[3][0] == "5"]
    assert seconds == sorted(seconds)


def test_the_page_opens_on_boards_where_one_can_go_wrong(client: TestClient) -> None:
    first = SHOWN.findall(client.get("/knuth").text)
    assert all(int(digits[0]) >= 1 for _, _, _, digits in first)
    assert first == SHOWN.findall(client.get("/knuth?sort=difficulty").text)


def test_nothing_found_is_said(client: TestClient) -> None:
    assert "No class is like that" in client.get("/knuth?moves=0&score=9").text


def test_a_page_stays_light_and_has_both_pictures(client: TestClient) -> None:
    answer = client.get("/knuth")
    assert len(SHOWN.findall(answer.text)) == 60
    assert len(answer.content) < 150_000
    assert answer.text.count('class="plot"') == 2
    assert "<style" not in answer.text
    assert "TICTACTOE2" in answer.text


def test_a_script_may_ask_for_the_classes_alone(client: TestClient) -> None:
    part = client.get("/knuth?moves=1", headers={"X-Noughts-Part": "classes"}).text
    assert part.strip().startswith('<section id="classes"')
    assert part.strip().endswith("</section>")
    assert len(SHOWN.findall(part)) == 3


@pytest.mark.parametrize(
    "query",
    ["moves=10", "moves=x", "moves=-1", "score=%3Cscript%3E", "score=10", "wrong=zz", "sort=size%27--", "page=0",
     "page=101", "page=x", "moves=1%00"],
)  # fmt: skip
def test_filters_that_mean_nothing_are_refused(client: TestClient, query: str) -> None:
    answer = client.get(f"/knuth?{query}")
    assert answer.status_code == 422
    assert "<script>" not in answer.text


def test_a_page_that_is_not_there_is_not_found(client: TestClient) -> None:
    assert client.get("/knuth?page=13").status_code == 200
    assert client.get("/knuth?page=14").status_code == 404
