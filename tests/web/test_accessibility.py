"""Nothing on any page, light or dark, breaks a rule of WCAG 2 (A, AA) or a good practice that axe can check."""

import json

import browser
import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from browser import PHONE, Visits
from live_site import PAGES
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.slow

chromium, visit = browser.chromium, browser.visit

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
FINGER = 44
"""Pixels that a finger needs, across."""


def violations(page: Page) -> list[str]:
    """The rules that are broken, each with where and how."""
    found = Axe().run(page, options={"runOnly": TAGS, "resultTypes": ["violations"]}).response["violations"]
    return [
        f"{rule['id']}: {json.dumps(node['target'])} {node['failureSummary']}"
        for rule in found
        for node in rule["nodes"]
    ]


def test_axe_does_complain_where_it_should(visit: Visits) -> None:
    page = visit("/")
    page.evaluate("""() => {
      document.querySelector("main").append(Object.assign(document.createElement("img"), { src: "/static/icon.svg" }));
      document.querySelector("footer").style.color = "#cccccc";
    }""")
    assert {found.partition(":")[0] for found in violations(page)} == {"image-alt", "color-contrast"}


@pytest.mark.parametrize("name", ["home", "play-morris", "silicon-chip1990", "history"])
def test_nor_does_it_on_a_telephone_that_has_everything_unfolded(visit: Visits, name: str) -> None:
    page = visit(PAGES[name], width=PHONE)
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert violations(page) == []


@pytest.mark.parametrize("name", ["play-tictactoe", "play-achi", "play-qubic", "play-morris"])
def test_a_finger_hits_every_point_and_every_button(visit: Visits, name: str) -> None:
    page = visit(PAGES[name], touch=True)
    for goal in page.get_by_role("group").get_by_role("link").all():
        box = goal.bounding_box()
        assert box is not None
        narrow = 32 if name == "play-qubic" else FINGER  # four boards side by side leave less for a point
        assert min(box["width"], box["height"]) >= narrow, goal.evaluate("one => one.outerHTML.slice(0, 200)")


def test_what_happens_is_read_out(visit: Visits) -> None:
    page = visit("/play/tictactoe?x=human&o=chip1990&id=heard")
    live = page.locator("[aria-live=polite]")
    heard = live.element_handle()
    page.locator('[data-point="b2"]').click()
    expect(live).to_contain_text("chip1990 answered a1")
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
