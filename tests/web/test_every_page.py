"""Every page, light and dark: axe finds nothing to complain of, and it fits into any window.

Where NOUGHTS_SCREENSHOTS names a folder, pictures of all pages are taken there, for people to look at.
"""

import os
from pathlib import Path
from typing import Literal

import browser
import pytest
from browser import HEIGHT, Visits
from live_site import PAGES, PROBLEM
from playwright.sync_api import Page, expect
from test_accessibility import violations

pytestmark = pytest.mark.slow

chromium, visit = browser.chromium, browser.visit

FOLDER = os.environ.get("NOUGHTS_SCREENSHOTS")
PICTURED = (1440, 360)
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WIDTHS = (360, 768, 1440)
TOO_WIDE = """
() => {
  const scrolled = (one) => one && (getComputedStyle(one).overflowX !== "visible" || scrolled(one.parentElement));
  return [...document.querySelectorAll("body *")]
    .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
    .filter((one) => !scrolled(one.parentElement))
    .map((one) => one.outerHTML.slice(0, 100)).slice(0, 3);
}
"""


@pytest.mark.parametrize("name", PAGES)
def test_a_page_as_people_see_it(visit: Visits, name: str) -> None:
    page = visit(PAGES[name], status=404 if name == PROBLEM else 200)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page) == []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        assert page.evaluate("document.documentElement.scrollWidth") == width, page.evaluate(TOO_WIDE)
        if FOLDER and width in PICTURED:
            for theme in THEMES:
                page.emulate_media(color_scheme=theme)
                photograph(page, Path(FOLDER) / f"{name}-{theme}-{width}.png", width)


def photograph(page: Page, taken: Path, width: int) -> None:
    """Take a picture of the whole page."""
    tall = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": width, "height": tall})  # so that what sticks to the edge is at its place
    page.screenshot(path=taken, animations="disabled")
