"""Every page, light and dark: axe finds nothing to complain of, it fits into any window, and a picture is taken of it.

The pictures are in build/screenshots, or where NOUGHTS_SCREENSHOTS says, for people to look at.
"""

import os
from pathlib import Path

import browser
import pytest
from browser import HEIGHT, Visits
from live_site import PAGES, PROBLEM
from playwright.sync_api import Page, expect
from test_accessibility import violations

chromium, visit = browser.chromium, browser.visit

FOLDER = Path(os.environ.get("NOUGHTS_SCREENSHOTS") or Path(__file__).parents[2] / "build" / "screenshots")
PICTURED = (1440, 360)
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
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_as_people_see_it(visit: Visits, name: str, theme: str) -> None:
    page = visit(PAGES[name], dark=theme == "dark", status=404 if name == PROBLEM else 200)
    assert violations(page) == []
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    for width in WIDTHS if theme == "light" else PICTURED:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        assert page.evaluate("document.documentElement.scrollWidth") == width, page.evaluate(TOO_WIDE)
        if width in PICTURED:
            photograph(page, FOLDER / f"{name}-{theme}-{width}.png", width)


def photograph(page: Page, taken: Path, width: int) -> None:
    """Take a picture of the whole page."""
    tall = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": width, "height": tall})  # so that what sticks to the edge is at its place
    picture = page.screenshot(path=taken, animations="disabled")
    assert taken.read_bytes() == picture
    assert picture.startswith(PNG)
    assert [int.from_bytes(picture[start : start + 4], "big") for start in (16, 20)] == [width, tall]
