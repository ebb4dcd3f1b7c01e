"""Every page, light and dark: it breaks no rule of WCAG 2 (A, AA) nor a good practice that axe can check, it fits into
any window, and it is light.

Where NOUGHTS_SCREENSHOTS names a folder, pictures of all pages are taken there, for people to look at.
"""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import browser
import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from browser import HEIGHT, PHONE, Visits
from live_site import PAGES, PROBLEM, shared_site
from playwright.sync_api import Browser, Page, expect

from noughts.web.rendering import MADE, STATIC, static

pytestmark = pytest.mark.slow

chromium, visit = browser.chromium, browser.visit

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OF_COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules among these that look at colours; all that is different in the dark."""
FINGER = 44
"""Pixels that a finger needs, across."""
FOLDER = os.environ.get("NOUGHTS_SCREENSHOTS")
PICTURED = (1440, 360)
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WIDTHS = (360, 768, 1440)
HEAVIEST = 150_000
"""Bytes of a page with its styles, script and typeface, before compression."""
WEIGHT = """
() => ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
  .reduce((sum, one) => sum + one.decodedBodySize, 0)
"""
TOO_WIDE = """
() => {
  const scrolled = (one) => one && (getComputedStyle(one).overflowX !== "visible" || scrolled(one.parentElement));
  return [...document.querySelectorAll("body *")]
    .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
    .filter((one) => !scrolled(one.parentElement))
    .map((one) => one.outerHTML.slice(0, 100)).slice(0, 3);
}
"""


def violations(page: Page, **only: object) -> list[str]:
    """The rules that are broken, each with where and how; of all rules, or of those named."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    # What `preload` fetches once more are style sheets, for rules that are not among these.
    options = {"runOnly": only or {"type": "tag", "values": TAGS}, "resultTypes": ["violations"], "preload": False}
    found = page.evaluate("options => axe.run(options).then(results => results.violations)", options)
    return [
        f"{rule['id']}: {json.dumps(node['target'])} {node['failureSummary']}"
        for rule in found
        for node in rule["nodes"]
    ]


@pytest.fixture(scope="module")
def window(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Visits]:
    """One window for all pages."""
    visits = Visits(chromium, shared_site(request.session))
    yield visits
    visits.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_as_people_see_it(window: Visits, name: str) -> None:
    window.faults.clear()
    page = window.in_one_window(PAGES[name], status=404 if name == PROBLEM else 200)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    assert 30_000 < page.evaluate(WEIGHT) < HEAVIEST
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, type="rule", values=OF_COLOURS) == []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        assert page.evaluate("document.documentElement.scrollWidth") == width, page.evaluate(TOO_WIDE)
        if FOLDER and width in PICTURED:
            for theme in THEMES:
                page.emulate_media(color_scheme=theme)
                photograph(page, Path(FOLDER) / f"{name}-{theme}-{width}.png", width)
    assert not window.faults


def photograph(page: Page, taken: Path, width: int) -> None:
    """Take a picture of the whole page."""
    tall = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": width, "height": tall})  # so that what sticks to the edge is at its place
    page.screenshot(path=taken, animations="disabled")


def test_in_the_dark_only_colours_are_different() -> None:
    styles = [file.read_text() for file in STATIC.glob("*.css")] + [style for made in MADE.values() for style in made]
    dark = [
        block
        for style in styles
        for start in re.findall(r"@media \(prefers-color-scheme: dark\) ({.*)", style, re.DOTALL)
        for block in re.findall(r"\A{\s*[^{}]+{([^{}]*)}\s*}", start)
    ]
    assert len(dark) == sum(style.count("prefers-color-scheme") for style in styles) >= 2
    for block in dark:
        assert re.fullmatch(r"\s*((--[\w-]+|color): #[0-9a-f]{6};\s*)+", block)


def test_a_board_has_the_colours_of_the_page_it_is_on() -> None:
    page, board = (
        [dict(re.findall(r"--(win|draw|loss|x|o): (#\w{6})", theme)) for theme in style.split("prefers-color-scheme")]
        for style in ((STATIC / "base.css").read_text(), "".join(MADE["boards.css"]))
    )
    assert page == board
    assert [len(theme) for theme in page] == [5, 5]


def test_the_typeface_is_asked_for_by_what_is_in_it() -> None:
    """So that browsers keep it for good; and it comes with its licence."""
    assert re.findall(r'url\("(.*?)"\)', (STATIC / "base.css").read_text()) == [static("bitter.woff2")]
    assert "SIL OPEN FONT LICENSE" in (STATIC / "bitter-OFL.txt").read_text()


def test_axe_does_complain_where_it_should(visit: Visits) -> None:
    page = visit("/")
    page.evaluate("""() => {
      document.querySelector("main").append(Object.assign(document.createElement("img"), { src: "/static/icon.svg" }));
      document.querySelector("footer").style.color = "#cccccc";
    }""")
    assert {found.partition(":")[0] for found in violations(page)} == {"image-alt", "color-contrast"}
    (contrast,) = violations(page, type="rule", values=OF_COLOURS)
    assert contrast.startswith("color-contrast")


@pytest.mark.parametrize("name", ["home", "play-morris", "silicon-chip1990", "history"])
def test_nor_does_it_on_a_telephone_that_has_everything_unfolded(visit: Visits, name: str) -> None:
    page = visit(PAGES[name], width=PHONE)
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert violations(page) == []


@pytest.mark.parametrize("name", ["play-tictactoe", "play-achi", "play-qubic", "play-morris"])
def test_a_finger_hits_every_point_and_every_button(visit: Visits, name: str) -> None:
    page = visit(PAGES[name], touch=True)
    sizes = (
        page.get_by_role("group")
        .get_by_role("link")
        .evaluate_all("""all => all.map((one) => {
      const { width, height } = one.getBoundingClientRect();
      return [Math.min(width, height), one.outerHTML.slice(0, 200)];
    })""")
    )
    assert len(sizes) > 9
    narrow = 32 if name == "play-qubic" else FINGER  # four boards side by side leave less for a point
    assert [size for size in sizes if size[0] < narrow] == []


def test_what_happens_is_read_out(visit: Visits) -> None:
    page = visit("/play/tictactoe?x=human&o=chip1990&id=heard")
    live = page.locator("[aria-live=polite]")
    heard = live.element_handle()
    page.locator('[data-point="b2"]').click()
    expect(live).to_contain_text("The chip of 1990 answered a1")
    assert heard is not None
    assert heard.evaluate("one => one.isConnected"), "only changes of an element that stays are read out"


def test_the_keyboard_can_skip_the_menu(visit: Visits) -> None:
    page = visit("/")
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
