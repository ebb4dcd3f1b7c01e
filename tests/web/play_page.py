"""A page of a game as a browser sees it: its points, its buttons, its words, and the addresses behind them."""

import re
from functools import cached_property
from html.parser import HTMLParser
from random import Random
from urllib.parse import parse_qsl, unquote, urlsplit
from xml.etree import ElementTree

from httpx2 import Response
from starlette.testclient import TestClient

from noughts.web.sitting import Sitting, read_sitting

__all__ = ["PlayPage", "go", "keep", "reachable", "read", "wander"]


class PlayPage(HTMLParser):
    """The links of a page by what they are, and its words."""

    def __init__(self, response: Response) -> None:
        super().__init__()
        self.status = response.status_code
        self.headers = response.headers
        self.url = str(response.url)
        self.html = response.text
        self.points: dict[str, dict[str, str]] = {}
        self.links: dict[str, str] = {}
        self.share = ""
        self.forms: list[dict[str, str]] = []
        self.words: dict[str, str] = {}
        self._inside: list[tuple[str, str]] = []
        self.feed(response.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {key: value or "" for key, value in attrs}
        assert "style" not in found
        assert tag != "style"
        assert not any(key.startswith("on") for key in found)
        if tag == "script":
            assert found["src"].startswith("/static/")
        if "data-point" in found:
            assert found["data-point"] not in self.points
            self.points[found["data-point"]] = found
        elif "data-focus" in found and "href" in found:
            assert found["data-focus"] not in self.links
            self.links[found["data-focus"]] = found["href"]
        if tag == "form":
            self.forms.append(found)
        if found.get("id") == "share":
            self.share = found["value"]
        if tag not in ("meta", "link", "input", "rect", "circle", "path", "line", "ellipse", "polygon"):
            self._inside.append((tag, found.get("id", "")))

    def handle_startendtag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert "style" not in dict(attrs)

    def handle_endtag(self, tag: str) -> None:
        while self._inside and self._inside.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        for _, name in self._inside:
            if name:
                self.words[name] = " ".join([self.words.get(name, ""), *data.split()]).strip()

    @property
    def said(self) -> str:
        """What stands in the line that is read out."""
        return self.words.get("status", "")

    @cached_property
    def sitting(self) -> Sitting:
        """The sitting of its address."""
        return read(self.url)

    def leading_on(self, *kinds: str) -> dict[str, str]:
        """The points whose links lead on, and where to."""
        return {name: found["href"] for name, found in self.points.items() if found["class"].split()[1] in kinds}

    def boards(self) -> list[ElementTree.Element]:
        """Its drawings; an error if one of them is not well-formed."""
        return [ElementTree.fromstring(svg) for svg in re.findall("<svg.*?</svg>", self.html, re.DOTALL)]


def read(url: str) -> Sitting:
    """The sitting of an address."""
    parts = urlsplit(url)
    return read_sitting(unquote(parts.path).removeprefix("/play/"), dict(parse_qsl(parts.query)))


def go(client: TestClient, url: str) -> PlayPage:
    """The page at an address."""
    return PlayPage(client.get(url))


def keep(client: TestClient, page: PlayPage, **headers: str) -> PlayPage:
    """The page after its form was submitted, as a browser does it."""
    (form,) = page.forms
    assert (form["method"], form["data-swap"]) == ("post", "game")
    return PlayPage(client.post(form["action"], headers=headers or {"Sec-Fetch-Site": "same-origin"}))


def reachable(client: TestClient, page: PlayPage) -> set[str]:
    """The moves that the links of a page lead to, in one click or several."""
    known = page.sitting.moves
    found = {read(url).moves[len(known)] for url in page.leading_on("play").values()}
    for url in page.leading_on("pick").values():
        if read(url).part.startswith(page.sitting.part):
            found |= reachable(client, go(client, url))
    return found


def wander(client: TestClient, url: str, seed: int, clicks: int) -> list[PlayPage]:
    """Pages of a game that is played by clicking on points at random, to its end or for so many clicks."""
    dice = Random(seed)
    pages = [go(client, url)]
    while len(pages) <= clicks:
        leads = pages[-1].leading_on("play", "pick")
        if not leads:
            break
        pages.append(go(client, dice.choice(list(leads.values()))))
    return pages
