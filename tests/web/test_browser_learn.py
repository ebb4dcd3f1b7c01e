"""Somebody who has never seen nine men's morris learns it on a telephone, with a finger."""

import re

import browser
import pytest
from browser import Visits
from playwright.sync_api import expect

from noughts.games import game
from noughts.insight.lessons import lessons, reply

pytestmark = pytest.mark.slow

chromium, visit = browser.chromium, browser.visit


def test_a_newcomer_walks_through_nine_mens_morris_on_a_phone(visit: Visits) -> None:
    morris = game("nine-mens-morris")
    page = visit("/learn", touch=True)
    page.set_viewport_size({"width": 360, "height": 740})
    page.get_by_role("link", name="Nine men’s morris").tap()
    for lesson in lessons(morris):
        expect(page.get_by_role("heading", level=1)).to_have_text(lesson.title)
        move = lesson.right[0] if lesson.right else None
        for point in (move.source, move.to, move.capture) if move else ():
            if point is not None:
                page.locator(f'[data-point="{morris.layout.points[point]}"]').tap()
                expect(page.locator("#game[aria-busy]")).to_have_count(0)
        if move:
            expect(page.locator("#status")).to_contain_text(f"Well done! {reply(lesson, move).words}")
            expect(page.locator("#status")).to_be_in_viewport(ratio=1)
        following = page.get_by_role("link", name="Next")
        expect(following).to_be_in_viewport(ratio=1)
        following.tap()
    page.get_by_role("link", name="Play against").tap()
    expect(page).to_have_url(re.compile(r"/play/nine-mens-morris\?"))
    page.locator("#how summary").tap()
    told = page.get_by_text("a stone flies to any empty point")
    expect(told).to_be_visible()
    page.locator('[data-point="d2"]').tap()
    expect(page.locator("#status")).to_contain_text("answered")
    expect(told).to_be_visible()
