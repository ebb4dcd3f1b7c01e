"""A page of a game as a browser sees it: its points, its buttons, its words, and the addresses behind them."""

import re
from functools import cached_property
from html import unescape
from random import Random
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit
from xml.etree import ElementTree

from httpx2 import Response
from starlette.testclient import TestClient

from noughts.web.sitting import Sitting, read_sitting

__all__ = ["PlayPage", "go", "keep", "reachable", "read", "wander"]


MARKUP = re.compile(
    r"""<!(?:--.*?--|[^>]*)>
    | <(?P<end>/?)(?P<tag>[a-zA-Z][a-zA-Z0-9-]*)(?P<attributes>(?:\s+[^\s=>/"']+(?:="[^"]*")?)*)\s*(?P<alone>/?)>
    | (?P<words>[^<]+)""",
    re.DOTALL | re.VERBOSE,
)
"""What a page is made of, one piece after the other. Python's own parser takes more, and twice as long."""
ATTRIBUTE = re.compile(r"""([^\s=>/"']+)(?:="([^"]*)")?""")
VOID = ("meta", "link", "input", "rect", "circle", "path", "line", "ellipse", "polygon")


class PlayPage:
    """The links and buttons of a page by what they are, and its words."""

    def __init__(self, response: Response) -> None:
        self.status = response.status_code
        self.headers = response.headers
        self.url = str(response.url)
        self.html = response.text
        self.points: dict[str, dict[str, str]] = {}
        self.links: dict[str, str] = {}
        self.share = ""
        self.forms: list[dict[str, str]] = []
        self._here: dict[str, str] = {}
        """What the form of the board says, besides the button that is pressed."""
        self._said: dict[str, list[str]] = {}
        self._inside: list[tuple[str, str]] = []
        self._read()

    def _read(self) -> None:
        place = 0
        while place < len(self.html):
            piece = MARKUP.match(self.html, place)
            assert piece, f"not the markup of a page: {self.html[place : place + 100]!r}"
            place = piece.end()
            if piece["words"]:
                self._hear(unescape(piece["words"]).split())
            elif piece["end"]:
                while self._inside and self._inside.pop()[0] != piece["tag"]:
                    pass
            elif piece["tag"]:
                found = {name: unescape(value) for name, value in ATTRIBUTE.findall(piece["attributes"])}
                assert "style" not in found
                if not piece["alone"]:
                    self._begin(piece["tag"], found)

    def _begin(self, tag: str, found: dict[str, str]) -> None:
        assert tag != "style"
        assert not any(key.startswith("on") for key in found)
        if tag == "script":
            assert found["src"].startswith("/static/")
        if tag == "button" and "name" in found:
            self._press(found)
        if found.get("type") == "hidden":
            self._here[found["name"]] = found["value"]
        if "data-point" in found:
            assert found["data-point"] not in self.points
            self.points[found["data-point"]] = found
        elif "data-focus" in found and "href" in found:
            assert found["data-focus"] not in self.links
            self.links[found["data-focus"]] = found["href"]
        if tag == "form" and found.get("method") == "post":
            self.forms.append(found)
        if found.get("id") == "share":
            self.share = found["value"]
        if tag not in VOID:
            self._inside.append((tag, found.get("id", "")))

    def _press(self, found: dict[str, str]) -> None:
        """A button of the form of the board leads where a link with the same words in its address would."""
        found["href"] = f"{urlsplit(self.url).path}?{urlencode(self._here | {found['name']: found['value']})}"
        if found["name"] == "to":
            self.links[f"ply{found['value']}"] = found["href"]
        found["class"] = f"point {'wrong' if found['name'] == 'try' else found['name']}"

    def _hear(self, words: list[str]) -> None:
        for _, name in self._inside:
            if name:
                self._said.setdefault(name, []).extend(words)

    @cached_property
    def words(self) -> dict[str, str]:
        """What stands in the elements that have an id."""
        return {name: " ".join(words) for name, words in self._said.items()}

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
