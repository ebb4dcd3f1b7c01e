"""A search and a chip that run by themselves in a browser, are stopped, and are stepped through."""

import re
from time import monotonic

import browser
import pytest
from browser import Visits
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.slow

chromium, visit = browser.chromium, browser.visit


def number(page: Page) -> int:
    """The step or cycle that is shown."""
    found = re.match(r"(?:Step|Cycle|Wave) ([\d,]+)", page.locator("#where").inner_text())
    assert found
    return int(found[1].replace(",", ""))


def runs_and_stops(page: Page, speed: str, beyond: int) -> int:
    """Run until it is past a step; the number at which it stands still when it is paused."""
    page.get_by_label("Speed").select_option(label=speed)
    page.get_by_role("button", name=re.compile("^Run")).click()
    began = monotonic()
    while number(page) <= beyond:
        page.wait_for_timeout(50)
        assert monotonic() - began < 30
    expect(page.locator("[data-run]")).to_have_attribute("aria-pressed", "true")
    page.locator("[data-run]").click()
    expect(page.locator("[data-run]")).to_have_attribute("aria-pressed", "false")
    page.wait_for_timeout(300)
    stands = number(page)
    page.wait_for_timeout(300)
    assert number(page) == stands
    return stands


def test_a_search_runs_is_stopped_and_stepped_through(visit: Visits) -> None:
    page = visit("/watch?position=XOX/.O./...&how=alpha-beta", width=360)
    page.evaluate("window.marker = 'not loaded again'")
    page.locator("#program summary").click()
    stands = runs_and_stops(page, "quick", 3)
    expect(page.locator("#program")).to_have_attribute("open", "")
    assert f"step={stands}" in page.url, "every step has its address"
    page.locator("body").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#where")).to_contain_text(f"Step {stands + 1} of 184")
    page.get_by_role("link", name="one step back").click()
    expect(page.locator("#where")).to_contain_text(f"Step {stands} of 184")
    page.get_by_role("link", name="to the next cut-off").click()
    expect(page.locator("#where")).to_contain_text("cut-off.")
    expect(page.locator(".mini.cut")).not_to_have_count(0)
    page.get_by_label("Step", exact=True).fill("180")
    expect(page.locator("#where")).to_contain_text("Step 180 of 184")
    seen = page.locator(".tree-now").bounding_box()
    assert seen
    assert 0 <= seen["x"] <= 360, "the present position is in sight"
    page.get_by_role("button", name=re.compile("^Run")).click()
    expect(page.locator("#where")).to_contain_text("Done: a draw (0).")
    expect(page.locator("[data-run]")).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("window.marker") == "not loaded again"


def test_a_chip_runs_beside_its_board(visit: Visits) -> None:
    """The run that the paper prints: the lamps show other boards, the fold that was opened stays open."""
    page = visit("/silicon/chip1990")
    page.locator("#fold-waves > summary").click()
    front = page.get_by_role("img", name=re.compile("The front of the chip"))
    before = front.get_attribute("aria-label")
    stands = runs_and_stops(page, "tens", 15)
    assert stands >= 16
    assert front.get_attribute("aria-label") != before
    expect(page.locator(".wave-now")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Run")).click()
    expect(page.locator("#where")).to_contain_text("Cycle 49 of 0 to 49")
    expect(page.locator("[data-run]")).to_have_attribute("aria-pressed", "false")


def test_folded_no_page_is_longer_than_a_few_screens(visit: Visits) -> None:
    for path in ("/silicon/chip1990", "/silicon/elements2021", "/silicon/referee2021", "/watch?step=40"):
        page = visit.in_one_window(path)
        page.set_viewport_size({"width": 360, "height": 800})
        assert page.evaluate("document.documentElement.scrollHeight") < 3_500, path


def test_without_scripts_there_are_links_and_no_button_that_does_nothing(visit: Visits) -> None:
    page = visit("/watch?position=XOX/.O./...", scripts=False)
    expect(page.locator("[data-run]")).to_be_hidden()
    page.get_by_role("link", name="to the next cut-off").click()
    expect(page.locator("#where")).to_contain_text("Step 8 of 184")
    page.get_by_role("link", name="With symmetries").click()
    expect(page.locator("#where")).to_contain_text("Step 0 of")
