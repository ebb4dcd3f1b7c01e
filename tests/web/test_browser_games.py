"""Whole games in a real browser: by mouse, by finger, by keyboard alone, without scripts, and across a killed server.

The tests decide on their moves themselves, by the rules of `noughts.games`. They press what a person would press, and
after every move compare what the page says stands on each point with what the rules make of the moves in the address.
"""

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple
from urllib.parse import parse_qs, quote, unquote, urlsplit

import browser
import pytest
from browser import Visits
from hands import HANDS, Finger, Hand, Mouse
from live_site import Site, open_site
from playwright.sync_api import Locator, Page, expect

from noughts.games import Game, Outcome, Position, game
from noughts.games.playing import Playing, Result
from noughts.players import player

pytestmark = pytest.mark.slow

chromium, visit = browser.chromium, browser.visit

Chooser = Callable[[Game, Position], str]
"""How the person at the page decides on a move."""
SHIFT = 0.1
"""The sum of shifts above which people are said to be disturbed."""
STONES = """
() => {
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const points = [...document.querySelectorAll("[data-point]")].map((one) => [one.dataset.point, ...middle(one)]);
  const drawn = {};
  for (const [kind, name] of [[".x, .stone-x", "X"], [".o, .stone-o", "O"]]) {
    for (const stone of document.querySelectorAll(`[data-stone]:is(${kind}), [data-stone] :is(${kind})`)) {
      const [x, y] = middle(stone);
      const far = ([, toX, toY]) => Math.hypot(toX - x, toY - y);
      const nearest = points.reduce((best, one) => (far(one) < far(best) ? one : best));
      drawn[nearest[0]] = (drawn[nearest[0]] ?? "").replace(name, "") + name;
    }
  }
  return drawn;
}
"""
"""What is drawn on the points, by their names; a stone may consist of several strokes."""


class Sitting(NamedTuple):
    """A game as its address has it."""

    playing: Playing
    machine: int | None
    """The side that a machine plays, if one does."""
    part: str

    @property
    def moves(self) -> list[str]:
        return [self.playing.game.write_move(move) for move in self.playing.moves]

    @property
    def settled(self) -> bool:
        """Whether a person is to do something, or nobody is."""
        return self.playing.result is not None or self.playing.position.turn != self.machine


def read(url: str) -> Sitting:
    parts = urlsplit(url)
    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
    rules = game(unquote(parts.path).removeprefix("/play/"))
    playing = Playing.begin(rules, rules.read(query["start"]) if "start" in query else None)
    for text in query.get("moves", "").split("."):
        if text:
            playing = playing.then(rules.read_move(playing.position, text))
    machine = next((side for side, seat in enumerate("xo") if query[seat] != "human"), None)
    return Sitting(playing, machine, query.get("part", ""))


def point(page: Page, name: str) -> Locator:
    return page.locator(f'[data-point="{name}"]')


def look(page: Page) -> Sitting:
    """The game, after making sure that the page shows it as its address has it."""
    sitting = read(page.url)
    board, position = sitting.playing.game.layout, sitting.playing.position
    labels = page.locator("[data-point]").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    standing = dict(words.split(", ", 1) for words in re.findall("(?m)^[0-9a-z]+, (?:X|O|empty)", "\n".join(labels)))
    assert standing == {
        name: "X" if position.stones[0] >> number & 1 else "O" if position.stones[1] >> number & 1 else "empty"
        for number, name in enumerate(board.points)
    }
    assert page.evaluate(STONES) == {name: stone for name, stone in standing.items() if stone != "empty"}
    if not sitting.playing.game.placing_only:
        expect(page.get_by_text(re.compile("In hand"))).to_have_text(
            f"In hand: X {position.hand[0]}, O {position.hand[1]}"
        )
    return sitting


def layout(page: Page) -> list[float]:
    """How far down the page, once all of it is there, the board and the list of moves begin, in pixels."""
    page.wait_for_load_state("load")
    # In one go, since the page is swapped once more when a game that has ended is saved.
    return list(
        page.evaluate("""() => {
            const heading = [...document.querySelectorAll("h2")].find((one) => one.textContent === "Moves");
            const starts = [document.querySelector("[data-point]"), heading];
            return starts.map((one) => Math.round(one.getBoundingClientRect().y + scrollY));
        }""")
    )


def make(page: Page, hand: Hand, move: str) -> None:
    """Press what makes this move, and wait for the machine's reply; everything stays where it is."""
    before, places = read(page.url), layout(page)
    for name in re.findall("[0-9]?[a-z][0-9]", move):
        old = page.url
        hand.press(point(page, name))
        page.wait_for_url(lambda url, old=old: url != old and read(url).settled)  # type: ignore[misc]
        now = read(page.url)
        assert layout(page) == pytest.approx(places, abs=1), "what a person sees moves under their finger"
        if now.moves != before.moves:
            break
        assert move.startswith(now.part)
    assert now.moves[: len(before.moves) + 1] == [*before.moves, move]
    replies = 0 if before.machine is None or now.playing.back(len(now.moves) - len(before.moves) - 1).result else 1
    assert len(now.moves) == len(before.moves) + 1 + replies


def ending(result: Result, person: int) -> str:
    """How the page begins to say that a game has ended, to a person on this side."""
    if result.winner is None:
        return f"It's a draw: {result.reason}."
    return "You won: " if result.winner == person else "You lost: "


def play_out(page: Page, hand: Hand, choose: Chooser) -> Sitting:
    """Play to the end, on one and the same page."""
    page.evaluate("window.marker = 'not loaded again'")
    sitting = look(page)
    while sitting.playing.result is None:
        make(page, hand, choose(sitting.playing.game, sitting.playing.position))
        sitting = look(page)
    assert page.evaluate("window.marker") == "not loaded again"
    assert page.evaluate("window.shifts.reduce((sum, shift) => sum + shift, 0)") < SHIFT
    return sitting


def check_saved(page: Page, hand: Hand, sitting: Sitting) -> None:
    """The page says how it ended, and as what it was saved; the history shows the same game."""
    assert sitting.playing.result is not None
    status = page.locator("#status")
    person = 0 if sitting.machine is None else 1 - sitting.machine
    expect(status).to_contain_text(ending(sitting.playing.result, person))
    expect(status).to_contain_text(re.compile("Saved as game [0-9]+"))
    saved = status.get_by_role("link", name=re.compile("^game [0-9]+$"))
    number = saved.inner_text().removeprefix("game ")
    hand.press(saved)
    page.wait_for_url(f"**/history/{number}")
    listed = page.locator(".plies li").all_inner_texts()
    assert [words.split()[:3] for words in listed] == [["start"]] + [
        [f"{ply}.", "XO"[position.turn], move]
        for ply, (position, move) in enumerate(zip(sitting.playing.positions, sitting.moves, strict=False), 1)
    ]
    expect(page.get_by_role("heading", level=1)).to_contain_text(ending(sitting.playing.result, person))


def like(name: str) -> Chooser:
    """Chooses as a player of Noughts does."""
    who = player(name, 1)
    return lambda rules, position: rules.write_move(who.choose(rules, position).move)


def greedily(seed: int) -> Chooser:
    """Wins, else captures, and otherwise prepares the most captures: enough against dice, and quick."""
    dice = Random(seed)

    def choose(rules: Game, position: Position) -> str:
        def promise(following: Position) -> tuple[bool, int]:
            again = following._replace(turn=position.turn)
            won = rules.over(following) is Outcome.LOSS
            return won, 0 if won else sum(move.capture is not None for move in rules.moves(again))

        moves = rules.moves(position)
        moves = [move for move in moves if move.capture is not None] or moves
        dice.shuffle(moves)
        return rules.write_move(max(moves, key=lambda move: promise(rules.after(position, move))))

    return choose


GAMES = {"achi": ("perfect", "perfect"), "qubic": ("random", "basicf"), "six-mens-morris": ("random", None)}
"""Somebody who loses to whoever begins, and who to play like to beat them."""


@pytest.mark.parametrize("hand", HANDS.values(), ids=HANDS)
def test_from_the_first_page_to_the_end_of_a_game(visit: Visits, hand: Hand) -> None:
    page = visit("/", touch=hand.touch)
    hand.press(page.get_by_role("navigation", name="Games").get_by_role("link", name=re.compile("Achi")))
    expect(page.get_by_role("heading", name="Achi", exact=True)).to_be_in_viewport()
    hand.press(page.get_by_role("navigation", name="Games").get_by_role("link", name=re.compile("Tic-tac-toe")))
    expect(page.get_by_role("heading", name="Tic-tac-toe", exact=True)).to_be_in_viewport()
    hand.press(page.get_by_role("radio", name="Level 2"))
    hand.press(page.get_by_role("radio", name="The other"))
    hand.press(page.get_by_role("button", name="Play", exact=True))
    page.wait_for_url(lambda url: "/play/tictactoe?x=level2&o=human" in url and read(url).settled)
    assert len(look(page).moves) == 1
    check_saved(page, hand, play_out(page, hand, like("perfect")))


def test_the_first_click_begins_and_the_ladder_is_climbed(visit: Visits) -> None:
    """The first stone is placed on the first page; a win leads a level up, a loss one down."""
    page = visit("/", touch=True)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_in_viewport(ratio=1)
    page.evaluate("localStorage.setItem('noughts.levels', JSON.stringify({ tictactoe: 1 }))")
    page.reload()
    expect(page.get_by_role("radio", name="Level 1")).to_be_checked()
    ended, level = "", 1
    while ended != "won":
        point(page, "b2").tap()
        page.wait_for_url(lambda url: "/play/tictactoe?x=human&o=level1" in url and read(url).settled)
        play_out(page, Finger(), like("perfect"))
        ended = page.locator("#game").get_attribute("data-ended") or ""
        level += ended == "won"
        page.goto("/")
        expect(page.get_by_role("radio", name=f"Level {level}")).to_be_checked()
    expect(page.locator('[data-point="b2"]')).to_have_attribute("href", re.compile("&o=level2&"))
    page.evaluate("localStorage.setItem('noughts.levels', JSON.stringify({ tictactoe: 8 }))")
    page.goto("/play/tictactoe?x=human&o=level8&moves=a1.b2.c2.b1.c3.c1&id=forked")
    point(page, "b3").tap()
    expect(page.locator("#game")).to_have_attribute("data-ended", "lost")
    page.reload()
    expect(page.locator("#game")).to_have_attribute("data-ended", "lost")
    page.goto("/")
    expect(page.get_by_role("radio", name="Level 7")).to_be_checked()


@pytest.mark.parametrize(("hand", "name"), list(zip(HANDS.values(), GAMES, strict=True)), ids=HANDS)
def test_a_game_from_its_start_to_its_end(visit: Visits, hand: Hand, name: str) -> None:
    opponent, model = GAMES[name]
    page = visit(f"/play/{name}?x=human&o={opponent}&id=browser-1", touch=hand.touch)
    sitting = play_out(page, hand, like(model) if model else greedily(1))
    assert sitting.playing.result is not None
    assert sitting.playing.result.winner == 0
    slides = any(move.source is not None for move in sitting.playing.moves[::2])
    assert slides == (not sitting.playing.game.placing_only)
    check_saved(page, hand, sitting)


def test_at_the_end_of_a_morris_game_stones_fly(visit: Visits) -> None:
    start = "X.X/X../.../O..O../.../.O./..O x"
    page = visit(f"/play/nine-mens-morris?x=human&o=random&id=flying&start={quote(start)}", touch=True)
    sitting = play_out(page, Finger(), greedily(2))
    beside = {frozenset(edge) for edge in sitting.playing.game.layout.edges}
    assert any(frozenset((move.source, move.to)) not in beside for move in sitting.playing.moves[::2])
    check_saved(page, Finger(), sitting)


@pytest.mark.parametrize("hand", [Mouse(), Finger()], ids=["mouse", "touch"])
def test_qubic_can_be_played_on_the_cube(visit: Visits, hand: Hand) -> None:
    page = visit("/play/qubic?x=human&o=random&id=cube&view=boards", touch=hand.touch)
    hand.press(page.get_by_role("link", name="Cube"))
    page.wait_for_url(lambda url: "view=" not in url)
    hand.press(page.get_by_role("link", name="Rotate left"))
    page.wait_for_url("**rotate=**")
    check_saved(page, hand, play_out(page, hand, like("basicf")))


def test_a_thumb_plays_on_a_board_of_19_by_19(visit: Visits) -> None:
    """The whole board fits; a tap comes closer, the next one plays; from then on the board stays where it is."""
    page = visit("/play/mnk:19,19,5?x=human&o=random&id=thumb", touch=True)
    page.set_viewport_size({"width": 360, "height": 740})

    def place(name: str) -> dict[str, float]:
        box = point(page, name).bounding_box()
        assert box is not None
        return {"x": box["x"], "y": box["y"], "width": box["width"], "height": box["height"]}

    def tap(name: str) -> None:
        box = place(name)
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def in_sight(name: str) -> bool:
        """Whether a point is within what is seen of the board."""
        seen, box = page.locator("[data-zoom]").bounding_box(), place(name)
        assert seen is not None
        return (
            seen["x"] <= box["x"] + 1
            and box["x"] + box["width"] <= seen["x"] + seen["width"] + 1
            and seen["y"] <= box["y"] + 1
            and box["y"] + box["height"] <= seen["y"] + seen["height"] + 1
        )

    names = game("mnk:19,19,5").layout.points
    assert all(in_sight(names[corner]) for corner in (0, 18, -19, -1))
    where = layout(page)
    before = place("m7")
    tap("m7")
    assert read(page.url).moves == [], "the first tap only comes closer"
    after = place("m7")
    assert min(after["width"], after["height"]) >= 44
    assert abs(after["x"] + after["width"] / 2 - before["x"] - before["width"] / 2) < after["width"] / 2
    assert abs(after["y"] + after["height"] / 2 - before["y"] - before["height"] / 2) < after["height"] / 2
    tap("m7")
    page.wait_for_url(lambda url: len(read(url).moves) == 2)
    moves = look(page).moves
    assert moves[0] == "m7"
    assert in_sight(moves[1]), "the reply is in sight"
    assert place("m7")["width"] == pytest.approx(after["width"])
    assert layout(page)[1:] == where[1:], "what stands below the board stays there"
    settled = [place(name) for name in ("m7", moves[1])]
    page.reload()
    assert [place(name) for name in ("m7", moves[1])] == [pytest.approx(box, abs=2) for box in settled]
    page.get_by_role("button", name="Zoom out").tap()
    page.get_by_role("button", name="Zoom out").tap()
    assert all(in_sight(names[corner]) for corner in (0, 18, -19, -1))
    point(page, "a1").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: len(read(url).moves) == 4)
    assert look(page).moves[2] == "a1", "the keyboard needs no second press"


BESIDE = """
() => [...document.querySelectorAll(".sheet .label")].filter((one) => /[0-9]/.test(one.textContent)).map((one) => {
  const box = one.getBoundingClientRect();
  return [one.textContent, box.left - one.ownerSVGElement.getBoundingClientRect().left];
})
"""


@pytest.mark.parametrize("name", ["mnk:15,15,5", "mnk:5,12,4"])
def test_the_numbers_of_all_rows_lie_on_the_paper(visit: Visits, name: str) -> None:
    found = visit(f"/play/{name}?x=human&o=human&id=numbers").evaluate(BESIDE)
    assert [number for number, _ in found] == [str(row + 1) for row in range(len(game(name).layout.rows[0]))]
    assert all(left >= 0 for _, left in found)


def test_without_scripts_links_play_a_whole_game(visit: Visits) -> None:
    page = visit("/", scripts=False)
    page.get_by_role("button", name="Play", exact=True).click()
    choose = like("perfect")
    while (sitting := look(page)).playing.result is None:
        make(page, Mouse(), choose(sitting.playing.game, sitting.playing.position))
    page.get_by_role("button", name="Save this game").click()
    check_saved(page, Mouse(), sitting)


@pytest.fixture(scope="module")
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server of these tests' own, to be killed; each of them leaves it running."""
    opened = open_site(tmp_path_factory.mktemp("mortal"))
    yield opened
    opened.kill()


@pytest.mark.parametrize("waiting", [False, True], ids=["between two moves", "while a move is on its way"])
def test_a_server_that_is_killed_in_mid_game_goes_on_with_it(visit: Visits, mortal: Site, waiting: bool) -> None:
    page = visit(f"/play/tictactoe?x=human&o=novice&id=killed{waiting:d}", site=mortal)
    page.evaluate("window.marker = 'not loaded again'")
    choose, rules = like("perfect"), game("tictactoe")
    make(page, Mouse(), choose(rules, rules.start()))
    sitting = look(page)
    mortal.kill()
    if waiting:
        point(page, choose(rules, sitting.playing.position)).click()
        expect(page.locator("#status")).to_contain_text("The server does not answer. Trying again")
        look(page)
        mortal.start()
        page.wait_for_url(lambda url: len(read(url).moves) > len(sitting.moves) and read(url).settled)
        visit.faults.clear()
    else:
        mortal.start()
    sitting = play_out(page, Mouse(), choose)
    assert len(sitting.moves) >= 5
    check_saved(page, Mouse(), sitting)
