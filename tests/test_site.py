"""The site that `make docs` builds: whole, without a warning, without a connection, and legible to everybody.

It is built once, as a reader would build it; then its files are looked at, and in the end a browser opens them where
they lie, without a server.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, expect, sync_playwright
from sphinx.util.inventory import InventoryFile

from noughts.games import game
from noughts.solve import solve

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs").rglob("*.md"))
ASSETS = {"link": "href", "script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data"}
"""What a browser fetches without being asked."""
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


class Document(HTMLParser):
    """What is in a page that leads somewhere, and where one can lead to in it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.assets: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in ASSETS and ASSETS[tag] in given:
            self.assets.append(given[ASSETS[tag]])


class Site(NamedTuple):
    """The folder, what building it said, and its documents by their paths."""

    folder: Path
    said: str
    documents: dict[Path, Document]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder = tmp_path_factory.mktemp("docs") / "site"
    strict = ["--quiet", "--nitpicky", "--fail-on-warning", "--keep-going"]
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", *strict, str(ROOT / "docs"), str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    documents = {path: Document(path) for path in sorted(folder.rglob("*.html"))}
    return Site(folder, built.stdout + built.stderr, documents)


def of_page(site: Site, page: Path) -> Path:
    return site.folder / page.relative_to(ROOT / "docs").with_suffix(".html")


def where(path: Path, link: str) -> tuple[Path, str]:
    """The file that a link on a page leads to, and the anchor in it."""
    parts = urlsplit(link)
    return (path.parent / unquote(parts.path)).resolve() if parts.path else path, unquote(parts.fragment)


def test_it_is_built_without_a_warning(site: Site) -> None:
    assert site.said == ""


def test_every_page_is_in_the_contents(site: Site) -> None:
    index = site.folder / "index.html"
    contents = index.read_text().split('<div class="sidebar-tree">')[1].split("</aside>")[0]
    listed = {where(index, link)[0] for link in re.findall(r'href="([^"]*)"', contents)}
    assert {of_page(site, page) for page in PAGES} <= listed | {index}
    assert len(listed) > 30


def test_every_link_within_the_site_leads_somewhere(site: Site) -> None:
    """Files and anchors; the repository's own files that are linked to are there, too."""
    seen = 0
    for path, document in site.documents.items():
        for link in document.links:
            if urlsplit(link).scheme:
                continue
            target, anchor = where(path, link)
            assert target.is_file(), f"{path.name}: {link}"
            assert not anchor or anchor in site.documents[target].anchors, f"{path.name}: {link}"
            seen += 1
    assert seen > 1000


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"])
def test_the_links_of_the_documents_beside_it_lead_to_places_in_it(site: Site, name: str) -> None:
    links = re.findall(r"\]\((docs/[^)]+\.md(?:#[^)]+)?)\)", (ROOT / name).read_text())
    assert links
    for link in links:
        page, _, anchor = link.partition("#")
        document = site.documents[of_page(site, ROOT / page)]
        assert not anchor or anchor in document.anchors, f"{name}: {link}"


def test_every_example_is_told_of_and_a_notebook_shows_what_it_showed(site: Site) -> None:
    told = re.findall(r"\(\.\./examples/([^/)]+)\)", (ROOT / "docs" / "program.md").read_text())
    examples = [path for path in (ROOT / "examples").iterdir() if path.suffix in (".py", ".ipynb")]
    assert sorted(told) == sorted(path.name for path in examples)
    for notebook in [path for path in examples if path.suffix == ".ipynb"]:
        page = unescape((site.folder / "code" / "examples" / f"{notebook.name}.html").read_text())
        for cell in json.loads(notebook.read_text())["cells"]:
            for output in cell.get("outputs", []):
                data = output.get("data", {})
                shown = data.get("image/svg+xml") or data.get("text/html") or data.get("text/plain") or output["text"]
                assert unescape("".join(shown)).strip() in page


def test_the_checks_that_are_named_are_there() -> None:
    named = re.findall(r"`(tests/[^`]+)`", (ROOT / "docs" / "checked.md").read_text())
    assert len(named) > 30
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_nothing_is_fetched_from_elsewhere(site: Site) -> None:
    for path, document in site.documents.items():
        for asset in [one for one in document.assets if not one.startswith("data:")]:
            target, _ = where(path, asset)
            assert not urlsplit(asset).netloc, f"{path.name}: {asset}"
            assert target.is_file(), f"{path.name}: {asset}"
    for path in site.folder.rglob("*.css"):
        assert not re.findall(r"(?:@import|url\()\s*['\"]?(?:https?:)?//", path.read_text()), path.name


def test_the_search_knows_every_page_and_what_is_in_it(site: Site) -> None:
    index = (site.folder / "searchindex.js").read_text()
    for page in PAGES:
        name = page.relative_to(ROOT / "docs").with_suffix("").as_posix()
        assert f'"{name}"' in index, name
    for word in ("retrograd", "flip", "bitstream", "wilson", "interv"):
        assert re.search(rf"\b{word}", index), word


def test_the_reference_has_every_name_that_a_room_offers(site: Site) -> None:
    inventory = InventoryFile.loads((site.folder / "objects.inv").read_bytes(), uri="").data
    known = {name for kind, names in inventory.items() if kind.startswith("py:") for name in names}
    modules = [
        heading
        for page in sorted((ROOT / "docs" / "reference").glob("*.md"))
        for heading in re.findall(r"^#+ `(noughts\.[a-z0-9_.]+)`$", page.read_text(), re.MULTILINE)
    ]
    assert {"noughts.games", "noughts.solve", "noughts.players", "noughts.arena", "noughts.rl"} <= set(modules)
    for name in modules:
        module = import_module(name)
        for offered in getattr(module, "__all__", ()):
            one = getattr(module, offered)
            homes = {f"{name}.{offered}", f"{getattr(one, '__module__', name)}.{offered}"}
            homes |= {f"noughts.{offered}"} if name.startswith("noughts.library") else set()
            assert homes & known, f"{name}.{offered}"


def test_the_api_has_an_answer_for_every_question(site: Site) -> None:
    page = (site.folder / "http-api.html").read_text()
    asked = re.findall(r"GET</span> <span class=\"pre\">/api/v1/", page)
    assert len(asked) > 10
    assert page.count("$ curl -s") >= len(asked) - 1, "all but one finished game, of which there is none"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if path is None:
        pytest.skip("needs chromium (Debian: chromium-headless-shell)")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield opened
        opened.close()


@pytest.fixture
def page(chromium: Browser, site: Site) -> Iterator[Page]:
    """The front page, opened from its file; nothing may go wrong on it, and nothing be asked for elsewhere."""
    opened = chromium.new_page(viewport={"width": 1280, "height": 900})
    opened.set_default_timeout(30_000)
    faults: list[str] = []
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    opened.on("request", lambda asked: None if asked.url.startswith("file:") else faults.append(asked.url))
    opened.goto((site.folder / "index.html").as_uri())
    yield opened
    opened.close()
    assert not faults


def violations(page: Page) -> list[str]:
    """The rules for readers with other senses that a page breaks."""
    page.evaluate(Axe().axe_script)
    options = {"runOnly": {"type": "tag", "values": RULES}, "resultTypes": ["violations"], "preload": False}
    found = page.evaluate("options => axe.run(options).then(results => results.violations)", options)
    return [f"{rule['id']}: {node['html'][:120]}" for rule in found for node in rule["nodes"]]


def test_a_word_is_found_without_a_server(page: Page) -> None:
    page.get_by_placeholder("Search").fill("retrograde")
    page.keyboard.press("Enter")
    results = page.locator("ul.search li")
    expect(results.first).to_be_visible()
    results.get_by_role("link", name="Morris, solved", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Morris, solved")


@pytest.mark.parametrize(("name", "width"), [("index", 1280), ("games/qubic", 360)])
def test_boards_and_what_is_too_wide_are_for_everybody_in_the_light_and_in_the_dark(
    page: Page, site: Site, name: str, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    page.goto((site.folder / f"{name}.html").as_uri())
    colours = set()
    for theme in ("light", "dark"):
        page.evaluate("theme => { document.body.dataset.theme = theme; }", theme)
        assert violations(page) == []
        colours.add(page.locator(".board").first.evaluate("one => getComputedStyle(one).color"))
    assert len(colours) == 2, "boards follow the switch of the page"


def test_a_page_of_code_is_as_dark_as_the_reader_chose(page: Page, site: Site) -> None:
    page.emulate_media(color_scheme="light")
    page.get_by_role("button", name="Toggle Light / Dark / Auto color theme").first.click()
    chosen = page.evaluate("document.body.dataset.theme")
    page.goto((site.folder / "code/src/noughts/games/rules.py.html").as_uri())
    assert page.evaluate("getComputedStyle(document.body).colorScheme") == chosen == "dark"


def test_the_board_of_the_front_page_says_what_every_move_is_worth(page: Page) -> None:
    rules = game("tictactoe")
    board = page.get_by_role("group", name="Board")
    page.get_by_role("button", name="Empty board").click()
    position = rules.start()
    for move in ["b2", "b1", "a1", "c3", "c1", "a3", "b3"]:
        said = set(board.get_by_role("button").evaluate_all("all => all.map(one => one.ariaLabel)"))
        known = {f"{rules.write_move(rated.move)}: {rated.value}" for rated in solve(rules).moves(position)}
        assert known <= said
        assert len([one for one in said if ":" in one]) == len(known)
        board.get_by_role("button", name=move).click()
        position = rules.after(position, rules.read_move(position, move))
    expect(page.get_by_text("O to move: draw in 2.")).to_be_visible()
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_text("X to move: draw in 3.")).to_be_visible()


@pytest.mark.parametrize(
    "name", ["index", "http-api", "silicon", "reference/games", "games/qubic", "code/src/noughts/games/rules.py"]
)
def test_pages_fit_a_telephone(page: Page, site: Site, name: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto((site.folder / f"{name}.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
