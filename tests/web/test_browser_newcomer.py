"""Somebody who has never seen nine men's morris learns it, loses, sees why, solves puzzles, wins, and plays a friend.

All of it on a telephone with one finger, from the first page on, by what the pages themselves offer: no address is
typed. With `NOUGHTS_SCREENSHOTS=FOLDER` every step leaves a picture there.
"""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import browser
import pytest
from browser import Visits
from playwright.sync_api import Locator, Page, expect
from test_browser_games import read

from noughts.games import Game, Move, Position, game
from noughts.games.playing import Playing
from noughts.insight.lessons import lessons, reply
from noughts.insight.puzzles import puzzle_of
from noughts.players import player

pytestmark = pytest.mark.slow

chromium, visit = browser.chromium, browser.visit

FOLDER = os.environ.get("NOUGHTS_SCREENSHOTS")
MORRIS = game("nine-mens-morris")
TITLE = "Nine men’s morris"
PUZZLES = 3

Chooser = Callable[[Playing], Move]
"""How the newcomer decides on a move."""


@dataclass
class Phone:
    """A telephone with a finger on it, and the pictures of what it shows."""

    page: Page
    owner: str
    pictures: "count[int]"

    def picture(self, name: str) -> None:
        """Keep what is to be seen now, if pictures are wanted; nothing may be wider than the screen."""
        expect(self.page.locator("html")).to_have_js_property("scrollWidth", 360)
        if FOLDER:
            number = next(self.pictures)
            self.page.screenshot(path=Path(FOLDER) / f"newcomer-{number:02}-{self.owner}-{name}.png")

    def link(self, name: str) -> Locator:
        return self.page.get_by_role("link", name=name).first

    def menu(self, name: str, path: str) -> None:
        """Go to a page by the menu."""
        self.page.get_by_role("button", name="Menu").tap()
        self.page.get_by_role("navigation", name="Main").get_by_role("link", name=name).tap()
        self.page.wait_for_url(f"**{path}")
        self.page.wait_for_load_state()

    def make(self, move: str) -> None:
        """Tap the points of a move, and wait until the page knows of it."""
        for point in re.findall("[a-g][1-7]", move):
            old = self.page.url
            self.page.locator(f'[data-point="{point}"]').tap()
            self.page.wait_for_url(lambda url, old=old: url != old)  # type: ignore[misc]
            if "part=" not in self.page.url:  # the move was clear before its last point
                break

    def play(self, choose: Chooser) -> Playing:
        """Play the game that is on the page to its end."""
        while True:
            self.page.wait_for_url(lambda url: read(url).settled)
            playing = read(self.page.url).playing
            if playing.result is not None:
                return playing
            plies = len(playing.moves)
            move = MORRIS.write_move(choose(playing))
            for point in re.findall("[a-g][1-7]", move):
                old = self.page.url
                self.page.locator(f'[data-point="{point}"]').tap()
                self.page.wait_for_url(lambda url, old=old: url != old and read(url).settled)  # type: ignore[misc]
                if len(read(self.page.url).moves) > plies:
                    break


def carelessly(seed: int) -> Chooser:
    """Captures only where it must, and leaves the other as many mills to close as it can."""
    dice = Random(seed)

    def worth(rules: Game, position: Position, move: Move) -> tuple[bool, int, float]:
        following = rules.after(position, move)
        return move.capture is not None, -len(_captures(rules, following)), dice.random()

    def choose(playing: Playing) -> Move:
        moves = playing.game.moves(playing.position)
        return min(moves, key=lambda move: worth(playing.game, playing.position, move))

    return choose


def _captures(rules: Game, position: Position) -> list[Move]:
    return [move for move in rules.moves(position) if move.capture is not None]


def well() -> Chooser:
    who = player("level8", 1)
    return lambda playing: who.reply(playing).move


def test_a_newcomer_learns_loses_sees_why_solves_puzzles_wins_and_plays_a_friend(visit: Visits) -> None:
    page = visit("/", touch=True)
    page.set_viewport_size({"width": 360, "height": 740})
    me = Phone(page, "me", count(1))
    me.picture("first-page")
    pick_the_game(me)
    me.picture("the-game")
    learn(me)
    lose(me)
    see_why(me)
    solve_puzzles(me)
    win(me)
    play_a_friend(me, visit)


def pick_the_game(me: Phone) -> None:
    me.page.get_by_role("navigation", name="Games").get_by_role("link", name=re.compile(TITLE)).tap()
    expect(me.page.get_by_role("heading", name=TITLE, exact=True)).to_be_in_viewport()


def learn(me: Phone) -> None:
    status = me.page.locator("#status")
    me.link("How to play").tap()
    for lesson in lessons(MORRIS):
        expect(me.page.get_by_role("heading", level=1)).to_have_text(lesson.title)
        if lesson.right:
            me.make(MORRIS.write_move(lesson.right[0]))
            expect(status).to_contain_text(f"Well done! {reply(lesson, lesson.right[0]).words}")
            expect(status).to_be_in_viewport(ratio=1)
        me.picture("lesson")
        following = me.page.get_by_role("link", name="Next")
        expect(following).to_be_in_viewport(ratio=1)
        following.tap()
    expect(me.page.get_by_role("heading", level=1)).to_have_text("Now play")
    me.picture("all-rules")


def lose(me: Phone) -> None:
    me.link("Play against").tap()
    me.page.wait_for_url("**/play/nine-mens-morris?*")
    me.picture("a-game-begins")
    me.page.locator("#how summary").tap()
    expect(me.page.get_by_text("a stone flies to any empty point")).to_be_visible()
    me.page.locator("#how summary").tap()
    lost = me.play(carelessly(1))
    assert lost.result is not None
    assert lost.result.winner == 1
    expect(me.page.locator("#status")).to_contain_text("You lost")
    me.picture("lost")


def see_why(me: Phone) -> None:
    me.link("Review this game").tap()
    expect(me.page).to_have_url(re.compile("/review/"))
    expect(me.page.locator("[data-wait]")).to_have_count(0)
    expect(me.page.locator("#review-told")).to_contain_text(
        re.compile("your [0-9]+[a-z]+ move was the (turning point|one (mistake|blunder) of the game)", re.IGNORECASE)
    )
    me.picture("why")
    me.link("To the turning point").tap()
    expect(me.page.get_by_role("region", name="This move")).to_contain_text("Better was")
    me.picture("the-turning-point")


def solve_puzzles(me: Phone) -> None:
    page = me.page
    me.menu("Puzzles", "/puzzles")
    me.picture("puzzles")
    page.get_by_role("navigation", name="Games").get_by_role("link", name=re.compile(TITLE)).tap()
    page.wait_for_url("**/puzzles?game=nine-mens-morris*")
    me.picture("puzzles-of-the-game")
    page.locator(".numbers a").first.tap()
    for _ in range(PUZZLES):
        page.wait_for_url(re.compile(r"/puzzles/nine-mens-morris/[0-9]+$"))
        puzzle = puzzle_of(MORRIS, int(page.url.rpartition("/")[2]))
        me.picture("a-puzzle")
        me.make(MORRIS.write_move(puzzle.solution[0]))
        expect(page.locator("#status")).to_contain_text("Right")
        me.picture("right")
        me.link("Next puzzle").tap()


def win(me: Phone) -> None:
    me.menu("Play", "/")
    pick_the_game(me)
    me.page.get_by_role("button", name="Play", exact=True).tap()
    me.page.wait_for_url("**/play/nine-mens-morris?*")
    assert "o=level1" in me.page.url, "after a loss the next opponent is a level weaker"
    won = me.play(well())
    assert won.result is not None
    assert won.result.winner == 0
    expect(me.page.locator("#status")).to_contain_text("You won")
    me.picture("won")


def play_a_friend(me: Phone, visit: Visits) -> None:
    me.menu("Together", "/together")
    me.page.locator("label").filter(has_text=TITLE).tap()
    me.page.get_by_role("button", name="Make the two links").tap()
    expect(me.page.locator("#friend")).to_be_visible()
    me.picture("two-links")
    other = visit(urlsplit(me.page.locator("#friend").input_value()).path, touch=True)
    other.set_viewport_size({"width": 360, "height": 740})
    friend = Phone(other, "friend", me.pictures)
    for phone, opposite, point in ((me, friend, "d2"), (friend, me, "d6"), (me, friend, "f4")):
        expect(phone.page.locator("#status")).to_contain_text("Your turn")
        phone.page.locator(f'[data-point="{point}"]').tap()
        expect(opposite.page.locator(f'[data-point="{point}"]')).not_to_have_attribute(
            "aria-label", re.compile("empty")
        )
        opposite.picture(f"sees-{point}")
