"""The chip of 1990 stepped in a browser: every cycle of the run that its paper prints, and a game of one's own."""

import csv
import re
from pathlib import Path

import browser
import pytest
from browser import Visits
from playwright.sync_api import Page, expect

from noughts.games import game

pytestmark = pytest.mark.slow

chromium, visit = browser.chromium, browser.visit

with (Path(__file__).parents[1] / "players" / "chip1990_trace.csv").open() as _file:
    PRINTED = list(csv.DictReader(_file))
"""The run that the paper of 1990 prints in its appendix E, every half cycle."""
POINTS = game("tictactoe").layout.points


def numbers(page: Page) -> dict[str, list[str]]:
    """What stands in the table of signals: for each its value in both halves of the cycle."""
    shown: dict[str, list[str]] = page.locator("[data-signal]").evaluate_all(
        "all => Object.fromEntries(all.map(row => [row.dataset.signal,"
        " [...row.querySelectorAll('[data-number]')].map(one => one.dataset.number)]))"
    )
    return shown


def check_cycle(page: Page, cycle: int) -> None:
    """A cycle of the run as the paper of 1990 prints it: every signal, the state, and the lamps on the front."""
    expect(page.locator("#where")).to_contain_text(re.compile(f"^Cycle {cycle} of 0 to 49"))
    low, high = PRINTED[2 * cycle : 2 * cycle + 2]
    shown = numbers(page)
    for name in low.keys() - {"time_ns", "state"}:
        for half, printed in enumerate((low[name], high[name])):
            assert printed in ("u", shown[name][half]), f"{name} in cycle {cycle}"
    expect(page.locator("[data-state]")).to_have_attribute("data-state", high["state"])
    front = page.get_by_role("img", name=re.compile("The front of the chip")).get_attribute("aria-label") or ""
    lamps = high["led"][::-1]
    for side, stone in ((1, "X"), (0, "O")):
        lit = [POINTS[place] for place in range(9) if lamps[2 * place + side] == "1"]
        assert (f"{stone} on {', '.join(lit)};" if lit else f"no {stone};") in front


def test_the_chip_steps_through_the_run_that_its_paper_prints(visit: Visits) -> None:
    page = visit("/silicon/chip1990")
    page.evaluate("window.marker = 'not loaded again'")
    check_cycle(page, 0)
    for cycle in range(1, 16):
        page.get_by_role("link", name="one cycle on").click()
        check_cycle(page, cycle)
    page.locator("body").focus()
    for cycle in range(16, 50):
        page.keyboard.press("ArrowRight")
        check_cycle(page, cycle)
    page.keyboard.press("Shift+ArrowLeft")
    check_cycle(page, 39)
    page.keyboard.press("ArrowLeft")
    check_cycle(page, 38)
    page.get_by_role("link", name="one cycle back").click()
    check_cycle(page, 37)
    page.get_by_role("link", name="ten cycles on").click()
    check_cycle(page, 47)
    page.get_by_role("link", name="first cycle").click()
    check_cycle(page, 0)
    page.get_by_role("link", name="last cycle").click()
    check_cycle(page, 49)
    page.get_by_label("Cycle", exact=True).fill("20")
    check_cycle(page, 20)
    assert page.evaluate("window.marker") == "not loaded again"


def test_keys_of_the_chip_are_pressed_and_it_replies(visit: Visits) -> None:
    page = visit("/silicon/chip1990")
    places = page.get_by_role("group", name="Places to press")
    places.get_by_role("link", name="press b2").click()
    expect(places.get_by_role("img", name="b2: X")).to_be_visible()
    expect(places.get_by_role("img", name="a1: O")).to_be_visible()
    expect(page.locator("#where")).to_contain_text("reply 1")
    replied = page.url
    page.get_by_role("link", name="first cycle").click()
    expect(page.locator("#where")).to_contain_text("Cycle 0 of")
    page.get_by_role("link", name="next reply").click()
    expect(page.locator("#where")).to_contain_text("reply 1")
    assert numbers(page)["led"][1] == f"{1 << 2 * POINTS.index('b2') + 1:018b}"
    assert replied.startswith(page.url.partition("&cycle")[0])
    page.get_by_role("link", name="last cycle").click()
    expect(page.locator("#where")).to_contain_text("waiting")
    front = page.get_by_role("img", name=re.compile("The front of the chip: X on b2; O on a1;.*lit: prompt"))
    expect(front).to_be_visible()
    page.get_by_role("link", name="Take back").click()
    expect(page.get_by_role("img", name=re.compile("no X; no O"))).to_be_visible()


def test_pins_are_set_by_hand_without_loading_the_page_again(visit: Visits) -> None:
    """A key is held for a cycle, then the chip replies; what was done is there as a text, and back is undo."""
    page = visit("/silicon/chip1990")
    page.evaluate("window.marker = 'not loaded again'")
    page.get_by_role("link", name="at the pins").click()
    where, key = page.locator("#where"), page.get_by_label("keyboardN4: the key of b2")
    expect(where).to_contain_text("Cycle 1 of 0 to 1")
    key.check()
    page.get_by_role("button", name="Go on", exact=True).click()
    expect(where).to_contain_text("Cycle 2 of 0 to 2")
    expect(key).to_be_checked()
    key.uncheck()
    page.get_by_label("for cycles").fill("6500")
    page.get_by_role("button", name="Go on", exact=True).click()
    expect(page.get_by_role("img", name=re.compile("The front of the chip: X on b2; O on a1;"))).to_be_visible()
    expect(page.get_by_label("What is done at the pins, as a text")).to_have_value(
        re.compile(r"500 +keyboardN +111101111\n700 +keyboardN +111111111\n1300600 +end")
    )
    assert page.evaluate("window.marker") == "not loaded again"
    page.go_back()
    expect(where).to_contain_text("Cycle 2 of 0 to 2")
