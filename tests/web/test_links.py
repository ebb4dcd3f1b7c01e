"""Every link on Home, Puzzles, Explore, Knuth and History leads to a page; so do the links on those pages."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from html import unescape
from pathlib import Path
from random import Random
from urllib.parse import urljoin, urlsplit

import pytest
from fastapi.testclient import TestClient
from sites import Client, settings_in

from noughts.records import Finished
from noughts.web.app import create_app

pytestmark = pytest.mark.slow

FEW = 2
"""Links of one kind that are followed from each page of the first level."""
SOME = 1
"""Links that are followed from each page of the second level; all of them would be thousands."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("links")
    app = create_app(settings_in(folder, thinkers=2, patience=60))
    with Client(app) as client:
        moves = "a1 b2 b1 c1 a2 a3"
        app.state.history.save(
            Finished(token="t", game="tictactoe", x="human", o="chip1990", moves=moves, result="o", reason="a row")
        )
        yield client


def links(address: str, text: str) -> list[str]:
    """Where a page leads within this server, each once, without what comes after a number sign."""
    found = (urljoin(address, unescape(href)).split("#")[0] for href in re.findall(r'href="([^"]*)"', text))
    return list(dict.fromkeys(href for href in found if not urlsplit(href).netloc))


def some_of_each(found: list[str]) -> list[str]:
    """Of links that differ only in what comes after a question mark, a few: the points of a board are all alike.

    And of games with a chip those with the chip itself: every option of it would be compiled anew.
    """
    kinds: dict[str, list[str]] = {}
    for href in found:
        if re.match("/silicon/.*%3A.*moves=", href):
            continue
        kinds.setdefault(href.partition("?")[0], []).append(href)
    return [href for alike in kinds.values() for href in alike[:FEW]]


@pytest.fixture(scope="module")
def fetched(client: TestClient) -> Callable[[str], str]:
    """The text of a page, which is fetched once for all tests."""

    @cache
    def fetch(address: str) -> str:
        answer = client.get(address)
        assert answer.status_code == 200, f"{address} answers {answer.status_code}"
        return answer.text if "html" in answer.headers["content-type"] else ""

    return fetch


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/?game=qubic",
        "/?game=achi:diagonals=no",
        "/explore/tictactoe/XO./.X./..O",
        "/explore/mnk:2,3,2",
        "/explore/achi/edit",
        "/watch?position=.X./.../...&step=5",
        "/watch?game=three-mens-morris",
        "/together/class",
        "/puzzles?game=tictactoe&theme=fork",
        "/learn",
        "/learn/achi?step=3",
        "/silicon/referee2021?sample=case-1",
        "/knuth?moves=2",
        "/history",
        "/history/1?ply=3",
        "/review",
        "/review/achi?x=human&o=novice&moves=b2.c1.a2.c2.c3.a1&ply=2",
    ],
)
def test_links_resolve_two_levels_deep(fetched: Callable[[str], str], address: str) -> None:
    chance = Random(address)
    known: set[str] = set()
    for href in some_of_each(links(address, fetched(address))):
        further = links(href, fetched(href))
        known.add(href)
        for other in chance.sample(further, min(SOME, len(further))):
            known.add(other)
            fetched(other)
    assert len(known) > 20


def test_addresses_that_are_named_beside_the_sources_are_answered(client: TestClient) -> None:
    pages = (Path(__file__).parents[2] / "docs" / "sources").glob("*.md")
    named = {address for page in pages for address in re.findall(r"`(/[a-z][^`\s]*)`", page.read_text())}
    assert len(named) > 8
    for address in named:
        assert client.get(address, follow_redirects=False).status_code in (200, 303), address
