"""Puzzles in a browser: by touch and without scripts; what was solved is remembered, and the days in a row."""

import json
import re
from datetime import UTC, datetime, timedelta

import browser
import pytest
from browser import Visits
from playwright.sync_api import Page, expect

from noughts.games import game as find_game
from noughts.insight.puzzles import Puzzle, puzzle_of_the_day, puzzles_of

pytestmark = pytest.mark.slow

chromium, visit = browser.chromium, browser.visit

MORRIS = find_game("nine-mens-morris")
CAPTURE = next(one for one in puzzles_of(MORRIS) if one.theme == "capture" and one.position.hand == (0, 0))
ADDRESS = f"/puzzles/{MORRIS.name}/{CAPTURE.number}"


def texts(puzzle: Puzzle, right: bool) -> list[str]:
    moves = [move for move in puzzle.game.moves(puzzle.position) if (move in puzzle.solution) == right]
    return [puzzle.game.write_move(move) for move in moves]


def make(page: Page, move: str, touch: bool = True) -> None:
    """Click the points of a move one after the other."""
    for point in re.split("[-x]", move):
        link, before = page.locator(f'[data-point="{point}"]'), page.url
        (link.tap if touch else link.click)()
        expect(page).not_to_have_url(before)


def wrong_capture() -> str:
    step = texts(CAPTURE, True)[0].partition("x")[0]
    return next(text for text in texts(CAPTURE, False) if text.startswith(f"{step}x"))


def test_a_wrong_capture_is_refuted_the_right_one_solves_and_is_remembered(visit: Visits) -> None:
    page = visit(ADDRESS, touch=True)
    status = page.locator("#status")
    make(page, wrong_capture())
    expect(status).to_contain_text(f"Not {wrong_capture()}.")
    expect(page.locator("text.note.small")).to_have_text(["1", "2"])
    expect(page.locator("[data-solved]")).to_have_count(0)
    page.get_by_role("link", name="Try again").tap()
    expect(page).to_have_url(re.compile(f"{ADDRESS}$"))
    make(page, texts(CAPTURE, True)[0])
    expect(status).to_contain_text(f"Right: {texts(CAPTURE, True)[0]}.")
    page.goto(f"/puzzles?game={MORRIS.name}")
    marked = page.locator(".numbers .done")
    expect(marked).to_have_count(1)
    expect(marked).to_contain_text(f"{CAPTURE.number}✓")
    expect(page.locator(f'[data-solved-of="{MORRIS.name}"]')).to_have_text(", 1 solved")


def test_without_scripts_every_click_is_a_link(visit: Visits) -> None:
    page = visit(ADDRESS, scripts=False)
    make(page, wrong_capture(), touch=False)
    expect(page.locator("#status")).to_contain_text("Not ")
    page.get_by_role("link", name="Try again").click()
    make(page, texts(CAPTURE, True)[0], touch=False)
    expect(page.locator("#status")).to_contain_text("Right: ")


def test_the_streak_grows_by_a_day_and_begins_anew_after_a_gap(visit: Visits) -> None:
    day = datetime.now(UTC).date()
    today = puzzle_of_the_day(day)
    solved = f"/puzzles/{today.game.name}/{today.number}?moves={texts(today, True)[0]}"
    page = visit("/puzzles")
    expect(page.locator("[data-streak]")).to_be_hidden()
    for gap, words in ((1, "Your streak: 5 days in a row."), (2, "Your streak: 1 day.")):
        kept = json.dumps({"solved": {}, "last": (day - timedelta(gap)).isoformat(), "days": 4})
        page.evaluate("kept => localStorage.setItem('noughts.puzzles', kept)", kept)
        page.goto(solved)
        expect(page.locator("[data-solved]")).to_have_count(1)
        page.goto("/puzzles")
        expect(page.locator("[data-streak]")).to_have_text(words)
        expect(page.locator(".daily .solved-mark")).to_be_visible()
