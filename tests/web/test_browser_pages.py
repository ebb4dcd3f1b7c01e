"""Pages as a browser shows them: they fit, nothing goes wrong on them, and what can be pressed does what it says."""

import re

import browser
import pytest
from browser import Visits
from live_site import PAGES
from playwright.sync_api import Page, expect

from noughts.games import game
from noughts.insight.reasons import why
from noughts.solve import knowledge

pytestmark = pytest.mark.slow

chromium, visit = browser.chromium, browser.visit

"""What reaches beyond the right edge of the window, for the message."""


def moves(page: Page) -> str:
    return played(page.url)


def played(url: str) -> str:
    """The moves of an address."""
    found = re.search("moves=([^&]*)", url)
    return found[1] if found else ""


def label(page: Page, point: str) -> str:
    return page.locator(f'[data-point="{point}"]').get_attribute("aria-label") or ""


def button(page: Page, words: str) -> None:
    page.get_by_role("group", name="This game").get_by_role("link", name=words, exact=True).click()


def test_every_entry_of_the_menu_leads_to_its_page(visit: Visits) -> None:
    page = visit("/")
    menu = page.get_by_role("navigation", name="Main")
    for words in menu.get_by_role("link").all_inner_texts():
        menu.get_by_role("link", name=words, exact=True).click()
        expect(menu.locator("[aria-current=page]")).to_have_text(words)
        expect(page.get_by_role("heading", level=1)).to_have_count(1)


def test_on_a_telephone_the_menu_opens_without_a_script_and_a_finger_hits_all_of_it(visit: Visits) -> None:
    page = visit("/", touch=True, scripts=False)
    menu = page.get_by_role("navigation", name="Main")
    expect(menu).to_be_hidden()
    page.get_by_role("button", name="Menu").tap()
    for entry in menu.get_by_role("link").all():
        expect(entry).to_be_in_viewport(ratio=1)
        box = entry.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
    menu.get_by_role("link", name="API").tap()
    page.wait_for_url("**/docs")


def test_back_is_undo_and_forward_is_redo(visit: Visits) -> None:
    page = visit("/play/tictactoe?x=human&o=chip1990&id=back")
    seen = [page.url]
    for point, then in (("b2", "b2.a1"), ("b1", "b2.a1.b1.b3")):
        page.locator(f'[data-point="{point}"]').click()
        # While the chip thinks, the address has the move without its reply.
        page.wait_for_url(lambda url, then=then: played(url) == then)  # type: ignore[misc]
        seen.append(page.url)
    for url in reversed(seen[:-1]):
        page.go_back()
        assert page.url == url
        expect(page.locator('[aria-label^="b1, empty"]')).to_be_visible()
    expect(page.locator('[aria-label^="b2, empty"]')).to_be_visible()
    for url in seen[1:]:
        page.go_forward()
        assert page.url == url
        expect(page.locator('[aria-label^="b2, X"]')).to_be_visible()
    expect(page.locator('[aria-label^="b1, X"]')).to_be_visible()


def test_undo_and_redo_take_a_move_back_and_make_it_again(visit: Visits) -> None:
    page = visit("/play/tictactoe?x=human&o=chip1990&moves=b2.a1.b1.b3&id=undo")
    button(page, "Undo")
    expect(page.locator('[aria-label^="b1, empty"]')).to_be_visible()
    assert moves(page) == "b2.a1"
    page.keyboard.press("u")
    expect(page.locator('[aria-label^="b2, empty"]')).to_be_visible()
    assert moves(page) == ""
    button(page, "Redo")
    expect(page.locator('[aria-label^="b2, X"]')).to_be_visible()
    assert moves(page) == "b2.a1"
    page.keyboard.press("r")
    expect(page.locator('[aria-label^="b1, X"]')).to_be_visible()
    assert moves(page) == "b2.a1.b1.b3"


def test_a_shared_address_shows_somebody_else_the_same_game(visit: Visits) -> None:
    page = visit("/play/nine-mens-morris?x=human&o=random&id=shared&values=1&view=cube")
    page.locator('[data-point="d6"]').click()
    page.wait_for_url("**moves=d6.**")
    address = page.get_by_label("Share this game").input_value()
    assert address.startswith(visit.site.address)
    points = page.locator("[data-point]")
    stones = "all => all.map(one => one.getAttribute('aria-label').split(/[,:] /, 2).join())"
    other = visit(address.removeprefix(visit.site.address))
    assert other.locator("[data-point]").evaluate_all(stones) == points.evaluate_all(stones)
    assert moves(other) == moves(page)


def test_the_address_to_share_can_be_copied(visit: Visits) -> None:
    page = visit("/play/tictactoe?x=human&o=human&moves=b2&id=copied")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.get_by_label("Share this game").input_value()


@pytest.mark.parametrize(
    ("path", "point", "words"),
    [
        ("tictactoe?moves=b2.a1", "a1", "a1 is occupied: place your stone on an empty point."),
        ("achi?moves=b2.a1.c1.a3.a2.c2.b3.b1", "a3", "a3 belongs to O: pick one of your own stones, X."),
        ("achi?moves=b2.a1.c1.a3.a2.c2.b3.b1", "c3", "c3 is empty: first pick the stone of yours that should move."),
        ("tictactoe?moves=b2.a1.c1.c3.a3", "b1", "The game is over. Take a move back, or begin a new game."),
    ],
)
def test_a_click_that_leads_nowhere_says_why(visit: Visits, path: str, point: str, words: str) -> None:
    page = visit(f"/play/{path}&x=human&o=human&id=wrong")
    before = page.url
    page.locator(f'[data-point="{point}"]').click()
    expect(page.locator("#status")).to_contain_text(words)
    assert page.url == before
    assert page.evaluate("history.length") == 2
    expect(page.locator("form[data-submit]")).to_have_count(0)


@pytest.mark.parametrize(("name", "before"), [("tictactoe", "a1.b2.b1.c1"), ("achi", "b2.a1.c1.a3.a2.c2.b3")])
def test_values_and_hint_are_those_of_the_solver(visit: Visits, name: str, before: str) -> None:
    rules = game(name)
    page = visit(f"/play/{name}?x=human&o=human&moves={before}&id=values")
    found = knowledge(rules).ask(rules.play(*before.split(".")))
    page.keyboard.press("v")
    page.wait_for_url("**values=1**")
    for rated in found.moves:
        worth = str(rated.value.outcome)
        if worth != "draw" and rated.value.remoteness is not None:
            worth += f" in {rated.value.remoteness}"
        assert rated.move.to is not None
        point = page.locator(f'[data-point="{rules.layout.points[rated.move.to]}"]')
        # The page comes at once, and again when the values are there.
        expect(point).to_have_attribute("aria-label", re.compile(f", {worth}$"), timeout=20_000)
    button(page, "Hint")
    best = rules.write_move(found.moves[0].move)
    reason = why(rules, rules.play(*before.split(".")), found.moves[0].move)
    expect(page.locator("#status")).to_contain_text(f"Hint: {best}. {reason.words}")
    page.locator(f'[data-point="{best}"]').click()
    page.wait_for_url(f"**moves={before}.{best}&**")


def test_the_present_move_is_in_sight_in_the_list(visit: Visits) -> None:
    page = visit(PAGES["play-morris"])
    present = page.locator("[aria-current=step]")
    expect(present).to_contain_text("b4-b2")
    expect(present).to_be_in_viewport(ratio=0.9, timeout=5000)
    page.locator('[data-point="a4"]').click()
    expect(present).to_contain_text("e4-f4xa4")
    expect(present).to_be_in_viewport(ratio=0.9, timeout=5000)


def test_the_cube_turns_when_it_is_dragged(visit: Visits) -> None:
    page = visit("/play/qubic?x=human&o=human&moves=1a1&id=drag")
    point = page.locator('[data-point="2b2"]')
    before, box = point.bounding_box(), page.get_by_role("group", name="cube").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 35, y, steps=2)
    page.wait_for_url("**rotate=15**")
    page.mouse.move(x + 70, y, steps=2)
    page.wait_for_url(re.compile("rotate=0"))
    page.mouse.up()
    assert moves(page) == "1a1"
    assert point.bounding_box() != before
    page.keyboard.press("c")
    page.wait_for_url("**view=boards**")
    expect(page.get_by_role("group", name="level 4")).to_be_visible()


def test_two_machines_play_when_they_are_asked_to(visit: Visits) -> None:
    page = visit("/play/tictactoe?x=chip1990&o=c1990&id=machines")
    while "draw" not in page.locator("#status").inner_text():
        before = moves(page)
        page.keyboard.press("m")
        page.wait_for_url(lambda url, before=before: played(url) != before)  # type: ignore[misc]
        assert len(re.findall("[abc]", moves(page))) == len(re.findall("[abc]", before)) + 1
    expect(page.locator("#status")).to_contain_text("It's a draw")
    expect(page.locator("#status")).to_contain_text("Saved as game")


def test_the_classes_of_knuth_are_filtered_without_loading_the_page_again(visit: Visits) -> None:
    page = visit("/knuth")
    page.evaluate("window.marker = 'not loaded again'")
    page.get_by_label("moves made").select_option("4")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**moves=4**")
    expect(page.get_by_role("heading", name=re.compile("^108 classes"))).to_be_visible()
    assert page.evaluate("window.marker") == "not loaded again"


def test_a_finished_game_is_reviewed_by_mouse_and_keys(visit: Visits) -> None:
    page = visit("/history/1?ply=0")
    page.evaluate("window.marker = 'not loaded again'")
    where = page.get_by_role("navigation", name="Moves, one by one").get_by_role("status")
    for ply in range(1, 5):
        page.get_by_role("link", name="next", exact=True).click()
        expect(where).to_contain_text(f"{ply} of 6")
    page.keyboard.press("ArrowRight")
    expect(where).to_contain_text("5 of 6")
    expect(page.locator("[aria-current=step]")).to_have_text(re.compile(r"5. X a2 \?\?"))
    expect(page.get_by_role("heading", name="Your 3rd move: a2 ?? a blunder")).to_be_visible()
    page.keyboard.press("Home")
    expect(where).to_contain_text("0 of 6")
    page.locator(".curve-hit").nth(6).click()
    expect(where).to_contain_text("6 of 6")
    assert page.evaluate("window.marker") == "not loaded again"
    page.go_back()
    expect(where).to_contain_text("0 of 6")
    page.get_by_role("link", name="To the turning point").click()
    page.get_by_role("link", name="Try it again from before").click()
    page.wait_for_url("**/play/tictactoe?**")
    assert label(page, "a3").startswith("a3, empty")


def test_a_long_game_is_looked_at_while_one_waits(visit: Visits) -> None:
    moves = "b2.d4.c3.e5.c4.e4.c5.c2.d3.e2.b5.a6.e1"
    page = visit(f"/review/mnk:6,6,4?x=human&o=human&moves={moves}&ply=1")
    expect(page.locator("#review-told")).not_to_contain_text("moves looked at")
    assert page.locator(".curve-line, .curve-guess").count() == len(moves.split("."))


def test_a_browser_knows_which_games_were_saved_in_it(visit: Visits) -> None:
    page = visit("/history")
    mine = page.get_by_role("link", name="My games")
    expect(mine).to_be_hidden()
    page.goto(page.url.replace("/history", "/play/tictactoe?x=human&o=human&moves=b2.a1.c1.c3&id=mine"))
    page.locator('[data-point="a3"]').click()
    expect(page.locator("#status")).to_contain_text("Saved as game")
    page.goto(page.url.partition("/play")[0] + "/history")
    mine.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("My games")
    expect(page.locator(".finished li")).to_have_count(1)


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_walk_through_explore_on_a_telephone_there_and_back_and_a_position_of_ones_own(
    visit: Visits, scripts: bool
) -> None:
    page = visit("/explore/achi", touch=True, scripts=scripts)
    page.locator('[data-point="b2"]').tap()
    expect(page.locator(".trail [aria-current=step]")).to_have_text("X b2")
    page.locator('[data-point="a1"]').tap()
    expect(page.locator(".trail li")).to_have_count(3)
    assert played(page.url) == "b2.a1"
    page.get_by_role("link", name="One move back").tap()
    expect(page.locator(".trail [aria-current=step]")).to_have_text("X b2")
    page.locator(".choice .to").first.tap()
    expect(page.locator(".trail li")).to_have_count(3)
    page.locator(".tree a").first.tap()
    expect(page.locator(".trail li")).to_have_count(4)
    page.get_by_role("link", name="Set up a position").tap()
    page.get_by_role("link", name="Empty the board").tap()
    page.locator('[data-point="a1"]').tap()
    expect(page.get_by_text("This can come up in a game.")).to_be_visible()
    page.locator('[data-point="b1"]').tap()
    expect(page.get_by_text("X has placed 2 stones, O 0")).to_be_visible()
    page.get_by_role("link", name="O", exact=True).tap()
    page.locator('[data-point="c3"]').tap()
    page.get_by_role("link", name="Explore this position").tap()
    expect(page.locator('[data-point="c3"]')).to_have_attribute("aria-label", re.compile("^c3, O"))


def test_a_link_of_explore_leads_into_a_game(visit: Visits) -> None:
    page = visit("/explore/tictactoe/XO./.X./..O")
    page.get_by_role("link", name="Play from here").click()
    page.wait_for_url("**/play/tictactoe?**")
    assert label(page, "a1").startswith("a1, X")
    assert label(page, "c3").startswith("c3, O")


MOVING = """
() => document.getAnimations().map(({ effect }) => {
  const stone = effect.target;
  const kind = stone.matches(".mark-row") ? "row" : Object.keys(effect.getKeyframes()[0])
    .filter((one) => ["transform", "opacity"].includes(one)).sort().join("+");
  return [stone.dataset.stone ?? "", kind];
})
"""
"""What moves now: the stone, if it is still on the board, and what of it changes."""


def moving(page: Page, point: str) -> set[tuple[str, str]]:
    """What begins to move when this point is clicked."""
    before = page.url
    page.evaluate(
        f"() => document.addEventListener('noughts:swapped', () => {{ window.seen = ({MOVING})(); }}, {{ once: true }})"
    )
    page.locator(f'[data-point="{point}"]').click()
    page.wait_for_url(lambda url: url != before)
    return {(stone, kind) for stone, kind in page.evaluate("window.seen")}


def test_stones_glide_fade_and_appear_and_a_row_is_drawn(visit: Visits) -> None:
    page = visit(PAGES["play-morris"].replace("&part=e4-f4x", "&part=e4-"), moving=True)
    assert moving(page, "f4") == {("f4x", "transform")}, "a stone on its way"
    assert ("", "opacity") in moving(page, "a4"), "a stone that is captured, perhaps while the other is on its way"
    page = visit("/play/tictactoe?x=human&o=human&moves=a1.b1.a2.b2&id=row", moving=True)
    assert moving(page, "a3") == {("a3x", "opacity+transform"), ("", "row")}
    still = visit("/play/tictactoe?x=human&o=human&moves=a1.b1.a2.b2&id=still")
    below = still.get_by_role("heading", name="Moves").bounding_box()
    assert moving(still, "a3") == set()
    expect(still.locator("#status")).to_contain_text("Saved as")  # the last swap
    assert still.get_by_role("heading", name="Moves").bounding_box() == below, "what stands below stays there"


def test_sounds_are_off_until_they_are_turned_on_and_stay_on(visit: Visits) -> None:
    page = visit("/play/tictactoe?x=human&o=human&moves=a1.b1.a2&id=sound")
    count = """() => {
      window.tones = 0;
      const make = AudioContext.prototype.createOscillator;
      AudioContext.prototype.createOscillator = function () { window.tones += 1; return make.call(this); };
    }"""
    page.evaluate(count)
    page.locator('[data-point="b2"]').click()
    page.wait_for_url("**b2&**")
    assert page.evaluate("window.tones") == 0
    page.get_by_role("button", name="Sound off").click()
    page.reload()
    page.evaluate(count)
    expect(page.get_by_role("button", name="Sound on")).to_have_attribute("aria-pressed", "true")
    page.locator('[data-point="c2"]').click()
    page.wait_for_url("**c2&**")
    assert page.evaluate("window.tones") == 1
