"""Pictures of every page, light and dark, on a desk and on a telephone: for people to look at.

They are left in the folder that NOUGHTS_SCREENSHOTS names, or in build/screenshots. Nothing is compared with them: the
tests only say that there is a picture of the whole page as wide as the window, and that nothing went wrong on the page.
"""

import os
from pathlib import Path

import browser
import pytest
from browser import HEIGHT, Visits
from live_site import PAGES, PROBLEM
from playwright.sync_api import expect

chromium, visit = browser.chromium, browser.visit

FOLDER = Path(os.environ.get("NOUGHTS_SCREENSHOTS") or Path(__file__).parents[2] / "build" / "screenshots")
WIDTHS = (1440, 360)
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_a_picture_is_taken_of_the_whole_page(visit: Visits, name: str, theme: str) -> None:
    page = visit(PAGES[name], dark=theme == "dark", status=404 if name == PROBLEM else 200)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        tall = page.evaluate("document.documentElement.scrollHeight")
        page.set_viewport_size({"width": width, "height": tall})  # so that what sticks to the edge is at its place
        taken = FOLDER / f"{name}-{theme}-{width}.png"
        picture = page.screenshot(path=taken, animations="disabled")
        assert taken.read_bytes() == picture
        assert picture.startswith(PNG)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert [int.from_bytes(picture[start : start + 4], "big") for start in (16, 20)] == [width, tall]
