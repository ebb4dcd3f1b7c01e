"""The page that plays without a connection, in a browser: its rules and values are the server's, position by position;
it goes on when the connection ends; and no other page is touched."""

import json
from collections.abc import Iterator
from typing import Any

import browser
import pytest
from browser import Visits
from live_site import shared_site
from playwright.sync_api import Browser, Page, expect

from noughts.games import SIDES, Game, Move, Outcome, Position, game
from noughts.games.points import point_set
from noughts.solve.small import solve
from noughts.solve.value import Value
from noughts.web.pages.offline import SMALL, values_of
from noughts.web.rendering import static

pytestmark = pytest.mark.slow

chromium, visit = browser.chromium, browser.visit

VARIANTS = (
    "achi:adjacency=orthogonal,blocked=passes",
    "achi:row-while-placing=no,blocked=draws",
    "mnk:3,2,2",
)
"""Games that are not on the page, but whose rules have every other value that its script knows of."""
EVERY_POSITION = """
async ([address, game]) => {
  const { best, key, moves, over, solve } = await import(address);
  const known = solve(game);
  return JSON.stringify([...known.values()].map(({ at, value, plies }) =>
    [key(at), [over(game, at), moves(game, at), value, plies, best(game, known, at)]]));
}
"""
CHOICES = """
async ([address, game, draws]) => {
  const { choose, key, solve } = await import(address);
  const known = solve(game);
  let drawn = 0;
  Math.random = () => draws[drawn++ % draws.length];
  return JSON.stringify([...known.values()].filter(({ next }) => next.length)
    .map(({ at }) => [key(at), choose(game, known, at, [], game.opponents.perfect)]));
}
"""


def whole(rules: Game) -> dict[str, list[Any]]:
    """Every position that can come up, by its numbers, with what the rules and the solution say of it."""
    solution = solve(rules)
    values: dict[Position, Value] = {}
    waiting = [rules.start()]
    following: dict[Position, list[tuple[Move, Position]]] = {}
    while waiting:
        position = waiting.pop()
        if position not in values:
            values[position] = solution.value(position)
            following[position] = [(move, rules.after(position, move)) for move in rules.moves(position)]
            waiting += [after for _, after in following[position]]
    found = {}
    for position, value in values.items():
        worth = [values[after].before().preference() for _, after in following[position]]
        found[",".join(map(str, (*position.stones, *position.hand, position.turn)))] = [
            rules.over(position),
            written([move for move, _ in following[position]]),
            value.outcome,
            None if value.outcome is Outcome.DRAW else value.remoteness,
            written([move for (move, _), one in zip(following[position], worth, strict=True) if one == max(worth)]),
        ]
    return found


def written(moves: list[Move]) -> list[list[int | None]]:
    return [[move.source, move.to] for move in moves]


@pytest.fixture(scope="module")
def page(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """One page for all games."""
    visits = Visits(chromium, shared_site(request.session))
    yield visits("/offline")
    visits.close()
    assert not visits.faults


# Tapatan is three men's morris (tests/games/test_catalogue.py).
@pytest.mark.parametrize("name", [*(one.name for one in SMALL if one.name != "tapatan"), *VARIANTS])
def test_moves_ends_values_and_best_moves_of_every_position_are_those_of_the_server(page: Page, name: str) -> None:
    rules = game(name)
    assert dict(json.loads(page.evaluate(EVERY_POSITION, [static("offline.js"), values_of(rules)]))) == whole(rules)


def test_perfect_never_gives_the_value_away(page: Page) -> None:
    rules = game("three-mens-morris")
    solution = solve(rules)
    chosen = json.loads(page.evaluate(CHOICES, [static("offline.js"), values_of(rules), [0.0, 0.37, 0.74, 0.99]]))
    assert len(chosen) > 1_000
    for position, (source, to) in chosen:
        x, o, *hand, turn = map(int, position.split(","))
        here = Position((x, o), (hand[0], hand[1]), turn)
        after = rules.after(here, Move(to, source))
        assert solution.value(after).before().outcome is solution.value(here).outcome, position


def stones(page: Page) -> int:
    return page.locator("#game [data-stone]").count()


def test_a_whole_game_is_played_without_a_connection_and_a_win_leads_up_the_ladder(visit: Visits) -> None:
    page = visit("/offline", touch=True)
    expect(page.locator("#kept")).to_contain_text("This browser has kept the page")
    page.context.set_offline(True)
    page.reload()
    page.evaluate("Math.random = () => 0.999")  # the opponent overlooks whatever it may, and plays the last it can
    status = page.locator("#status")
    expect(status).to_contain_text("Your turn, X: place a stone.")
    page.locator('[data-point="a1"]').tap()
    expect(status).to_contain_text("Level 2 answered b2.")
    page.locator('[data-point="b2"]').tap()
    expect(status).to_contain_text("b2 is occupied: place your stone on an empty point.")
    page.locator('[data-point="b1"]').tap()
    expect(status).to_contain_text("Level 2 answered c3.")
    page.locator('[data-point="c1"]').tap()
    expect(status).to_contain_text("You won: 3 in a row.")
    expect(page.locator(".mark-row")).to_have_count(1)
    expect(page.get_by_role("radio", name="Level 3")).to_be_checked()
    page.get_by_role("button", name="New game").tap()
    assert stones(page) == 0


def shown(page: Page, rules: Game) -> Position:
    """What is on the board, where X is to move."""
    names = page.locator("#game [data-stone]").evaluate_all("all => all.map((one) => one.dataset.stone)")
    x, o = (point_set(rules.layout.index[name[:-1]] for name in names if name[-1] == side) for side in SIDES)
    return Position((x, o), (rules.rules.stones[0] - x.bit_count(), rules.rules.stones[1] - o.bit_count()), 0)


def press(page: Page, *points: int) -> None:
    for point in points:
        page.locator("#game [data-point]").nth(point).focus()
        page.keyboard.press("Enter")


def test_whoever_begins_wins_three_mens_morris_against_perfect_in_nine_plies_by_the_keyboard(visit: Visits) -> None:
    rules = game("three-mens-morris")
    page = visit("/offline")
    for choice in ("Three men’s morris", "Perfect"):
        page.get_by_role("radio", name=choice).check()
    status = page.locator("#status")
    press(page, rules.layout.index["a1"])
    page.keyboard.press("ArrowRight")
    expect(page.locator('[data-point="b1"]')).to_be_focused()
    page.get_by_role("button", name="Take back").click()
    assert stones(page) == 0
    for moves in range(1, 6):
        here = shown(page, rules)
        move = solve(rules).moves(here)[0].move
        press(page, *(point for point in (move.source, move.to) if point is not None))
        expect(status).to_contain_text("You won: 3 in a row." if moves == 5 else "Perfect answered")
        if moves == 3:
            expect(status).to_contain_text("pick one of your stones to move it")


def test_a_new_worker_clears_what_older_ones_have_kept_and_touches_no_other_page(visit: Visits) -> None:
    page = visit("/")
    page.evaluate("Promise.all(['noughts-offline-old', 'of-others'].map((name) => caches.open(name)))")
    for path, touched in (("/offline", True), ("/", False), ("/learn", False)):
        page.goto(path)
        if touched:
            expect(page.locator("#kept")).to_contain_text("This browser has kept the page")
            page.wait_for_function("caches.has('noughts-offline-old').then((found) => !found)")
            names = page.evaluate("caches.keys()")
            assert len(names) == 2
            assert "of-others" in names
            page.reload()
        assert page.evaluate("navigator.serviceWorker.controller !== null") is touched, path
