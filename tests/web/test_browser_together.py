"""Two telephones, a whole game: what one does the other sees by itself; who has only the watching link cannot move."""

import re
from urllib.parse import urlsplit

import browser
import pytest
from browser import Visits
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.slow

chromium, visit = browser.chromium, browser.visit

SMALL = {"width": 360, "height": 640}


def status(page: Page, words: str) -> None:
    expect(page.locator("#status")).to_contain_text(words)


def phone(visit: Visits, address: str) -> Page:
    page = visit(address, touch=True)
    page.set_viewport_size(SMALL)  # type: ignore[arg-type]
    return page


def path_in(page: Page, field: str) -> str:
    """The address that stands in a field, within its server."""
    return urlsplit(page.locator(f"#{field}").input_value()).path


def tap(page: Page, point: str) -> None:
    page.locator(f'[data-point="{point}"]').tap()


def press(page: Page, words: str) -> None:
    page.get_by_role("button", name=words).tap()


def test_two_telephones_play_a_whole_game_with_take_back_and_rematch_before_a_watcher(visit: Visits) -> None:
    ada = phone(visit, "/together")
    ada.get_by_label("Your name").fill("Ada")
    press(ada, "Make the two links")
    status(ada, "Your turn, X")
    ben, eve = phone(visit, path_in(ada, "friend")), phone(visit, path_in(ada, "watch"))
    status(ben, "Ada (X) is to move")

    tap(ada, "b2")
    status(ben, "Your turn, O")
    expect(ben).to_have_title("● Your turn · Tic-tac-toe")
    expect(ada).to_have_title("Tic-tac-toe")
    status(eve, "O is to move")
    tap(ben, "a2")
    status(ada, "Your turn, X")

    press(ben, "Ask to take back")
    status(ada, "asks to take back")
    press(ada, "Agree")
    status(ben, "Your turn, O")
    expect(ada.locator('[data-point="a2"]')).to_have_attribute("aria-label", re.compile("a2, empty"))

    tap(eve, "c3")
    status(eve, "You are watching")
    expect(eve.locator("form")).to_have_count(0)

    # A double click is one move.
    ben.locator('[data-point="a1"]').dblclick()
    status(ada, "Your turn, X")
    for page, other, point, sees in (
        (ada, ben, "b1", "Your turn, O"),
        (ben, ada, "c3", "Your turn, X"),
        (ada, ben, "b3", "You lost: Ada has three in a row"),
    ):
        tap(page, point)
        status(other, sees)
    status(ada, "You won")
    status(eve, "Ada won")

    press(ben, "Play again")
    status(ada, "asks to play again")
    press(ada, "Agree")
    status(ben, "Your turn, X")
    status(ada, "is to move")
    status(eve, "X is to move")
    expect(ada.get_by_text("So far: You 1, Your friend 0, drawn 0.")).to_be_visible()
    assert len({page.url for page in (ada, ben, eve)}) == 3
    tap(ben, "b2")
    status(ada, "Your turn, O")
    for page in (ada, ben, eve):
        assert page.evaluate("document.documentElement.scrollWidth") == SMALL["width"]


def test_a_move_that_finds_no_server_is_sent_again_and_a_game_goes_on_without_scripts(visit: Visits) -> None:
    ada = visit("/together?game=three-mens-morris")
    ada.get_by_role("button", name="Make the two links").click()
    status(ada, "Your turn, X")
    ben = visit(path_in(ada, "friend"), scripts=False)
    ada.context.set_offline(True)
    ada.locator('[data-point="b2"]').click()
    status(ada, "The server does not answer. Trying again")
    ada.context.set_offline(False)
    status(ada, "Your friend (O) is to move")
    status(ben, "Your turn, O")  # it has come again by itself
    ben.locator('[data-point="a1"]').click()
    ben.get_by_role("button", name="Play a1").click()
    status(ben, "Your friend (X) is to move")
    status(ada, "Your turn, X")
    visit.faults.clear()  # that there was no connection


def test_a_classroom_as_its_teacher_sees_it(visit: Visits) -> None:
    teacher = visit("/together/class", width=1440)
    teacher.get_by_label("Against").select_option("human")
    teacher.get_by_role("button", name="Open the classroom").click()
    pupils = path_in(teacher, "pupils")
    boards = []
    for name in ("Ada", "Ben"):
        page = phone(visit, pupils)
        page.get_by_label("Your name").fill(name)
        press(page, "Get my board")
        expect(page.locator("#game")).to_be_visible()
        boards.append(page)
    expect(teacher.get_by_text("Ada – Ben")).to_be_visible()
    status(boards[0], "Your turn, X")
    tap(boards[0], "b2")
    expect(teacher.get_by_text("Ben (O) is to move.")).to_be_visible()
