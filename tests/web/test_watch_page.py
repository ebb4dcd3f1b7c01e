"""The pages on which a search is watched, read as visitors read them: step by step, by links alone."""

import math
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import urlencode
from xml.etree import ElementTree

import pytest
from sites import Client, settings_in
from starlette.testclient import TestClient

from noughts.games import Outcome, game
from noughts.insight.searching import HOWS, How, StepKind, count, explain, search, whole_tree
from noughts.players import player
from noughts.solve import solve
from noughts.web.app import create_app
from noughts.web.pages.watch_runs import CHIPS, MOST_STEPS
from noughts.web.pages.watch_tree import MOST_DRAWN

pytestmark = pytest.mark.slow

TICTACTOE = game("tictactoe")
SMALL = "XOX/.O./..."
TOO_LONG = " too long to watch"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server that waits for its answers."""
    with Client(create_app(settings_in(tmp_path_factory.mktemp("watch"), thinkers=1, patience=60))) as client:
        yield client


def get(client: TestClient, **query: object) -> str:
    answer = client.get(f"/watch?{urlencode({name: str(value) for name, value in query.items()})}")
    assert answer.status_code == 200, answer.text
    return answer.text


def follow(client: TestClient, text: str, step: str) -> str | None:
    """The page that a link of a step leads to, if it has one."""
    found = re.search(rf'<a [^>]*href="([^"]+)"[^>]*data-step="{step}"', text)
    return client.get(unescape(found[1])).text if found else None


def sentence(text: str) -> str:
    found = re.search(r'<p id="where"[^>]*>(.*?)</p>', text, re.DOTALL)
    assert found
    return unescape(re.sub("<[^>]+>", "", found[1]))


def counts(text: str) -> dict[str, list[str]]:
    """The table of counts: the numbers beside each name."""
    rows = re.findall(r'<th scope="row">(.*?)</th>(.*?)</tr>', text, re.DOTALL)
    plain = {re.sub("<[^>]+>", "", name).removesuffix(TOO_LONG): cells for name, cells in rows}
    return {name: re.findall(r"<td[^>]*>([^<]*)</td>", cells) for name, cells in plain.items()}


@pytest.mark.parametrize("how", HOWS, ids=lambda how: how.name)
def test_every_step_is_a_page_with_its_sentence(client: TestClient, how: How) -> None:
    """From link to link, forwards; each sentence is that of the search, and the tree has as many marks as positions."""
    steps = list(search(TICTACTOE, TICTACTOE.read("XOX/OO./X.."), how))
    text: str | None = get(client, position="XOX/OO./X..", how=how.name)
    for number, step in enumerate(steps):
        assert text is not None
        told = explain(TICTACTOE, how, step, steps[number - 1] if number else None)
        assert sentence(text) == f"Step {number} of {len(steps) - 1}, {how.title}: {told}"
        visited = count(steps[: number + 1]).visited
        assert f"The tree so far: {visited} positions" in text
        assert marks_of(text) == visited
        text = follow(client, text, "on")
    assert text is None


def marks_of(text: str) -> int:
    """How many positions the whole tree shows: boards that are not pale, or crosses, dashes, rings and dots."""
    if 'class="game-tree"' in text:
        boards = re.findall(r'<g class="gt-node([^"]*)"', text)
        return sum(not {"off", "later"} & set(kinds.split()) for kinds in boards)
    parts = {"x-wins": "l7 7m", "drawn": "h8", "o-wins": "a4 4 0 1 0 8", "open": "h0"}
    return sum(
        path.count(parts[kind])
        for kind, path in re.findall(r'<path class="tree-([\w-]+)" d="([^"]*)"', text)
        if kind in parts
    )


def test_a_tree_that_is_too_large_for_boards_has_a_mark_for_every_position(client: TestClient) -> None:
    steps = list(search(TICTACTOE, TICTACTOE.read(SMALL), HOWS[1]))
    for number in (0, 36, 90, 184):
        text = get(client, position=SMALL, step=number)
        assert '<svg class="tree"' in text
        assert 'class="game-tree"' not in text
        assert marks_of(text) == count(steps[: number + 1]).visited


def test_the_order_of_moves_can_be_chosen_where_the_tree_is_small(client: TestClient) -> None:
    """The example of the report of 2021: after C (c3) neither A (a3) nor B (b3) need be looked at."""
    text = get(client, position="XOX/OOX/...", how="figure1")
    orders = re.findall(r'<a class="button" href="([^"]+)"[^>]*>(as they stand|a3|b3|c3)</a>', text)
    assert [words for _, words in orders] == ["as they stand", "a3", "b3", "c3"]
    after = client.get(f"{unescape({words: url for url, words in orders}['c3'])}&step=3").text
    assert sentence(after).startswith("Step 3 of 3, Figure 1 of 1990: Done: X wins (+1).")
    assert marks_of(after) == 2
    assert after.count('class="gt-bar"') == 2
    assert 'name="first" value="c3"' in after
    assert "in the order of the points, but c3 first," in after
    (address,) = re.findall(r'<a href="([^"]+)">As a picture</a>', after)
    file = client.get(unescape(address))
    assert file.headers["content-type"] == "image/svg+xml"
    words = [mark.text for mark in ElementTree.fromstring(file.text).iter("{http://www.w3.org/2000/svg}text")]
    assert words[0] == "Figure 1 of 1990, c3 first: 2 of 11 positions searched"
    assert client.get(f"/watch.svg?position={SMALL}").status_code == 422, "too large"
    assert client.get("/watch.svg?game=achi").status_code == 422, "no tree"
    assert "Tried first" not in get(client, position="XOX/OOX/...", how="minimax"), "there the order changes nothing"
    assert "Tried first" not in get(client, position=SMALL)


def test_links_lead_back_ten_on_to_the_next_cut_off_and_to_the_end(client: TestClient) -> None:
    text = get(client, position=SMALL, step=20)
    goals = {step: follow(client, text, step) for step in ("first", "back10", "back", "on10", "on100", "last", "reply")}
    numbers = {step: int(re.findall(r"Step (\d+) of", sentence(page or ""))[0]) for step, page in goals.items()}
    cuts = [
        number
        for number, step in enumerate(search(TICTACTOE, TICTACTOE.read(SMALL), HOWS[1]))
        if step.kind is StepKind.CUT
    ]
    nearest = min(cut for cut in cuts if cut > 20)
    assert numbers == {"first": 0, "back10": 10, "back": 19, "on10": 30, "on100": 120, "last": 184, "reply": nearest}
    assert "cut-off" in sentence(goals["reply"] or "")


def test_the_line_shows_every_move_on_the_way_and_strikes_out_what_is_cut_off(client: TestClient) -> None:
    """Step 36: after X a2, O a3, X c3 the move b3 of O is cut off."""
    text = get(client, position=SMALL, step=36)
    (picture,) = re.findall(r'<svg class="line".*?</svg>', text, re.DOTALL)
    root = ElementTree.fromstring(picture)
    boards = list(root.iter("g"))
    assert [group.get("class", "").split()[1] for group in boards].count("way") == 4
    words = {
        kind: [group.findtext("text") for group in boards if kind in group.get("class", "").split()]
        for kind in ("now", "cut", "done", "later")
    }
    assert words == {
        "now": ["c3"],
        "cut": ["b3"],
        "done": ["c2 +1", "c2 −1", "b3 0", "c2 ≤0"],
        "later": ["c2", "a3", "b3", "c3", "b3", "c3"],
    }
    assert "The line: X a2, O a3, X c3" in text
    assert sum("strike" in path.get("class", "") for path in root.iter("path")) == 1


@pytest.mark.parametrize("position", [SMALL, ".../.X./...", ".../.../..."])
def test_the_counts_stand_side_by_side(client: TestClient, position: str) -> None:
    """Positions, ends, cut-offs and looked up, as the steps count them; the chips with the cycles of their players."""
    rows = counts(get(client, position=position, how="symmetries"))
    here = TICTACTOE.read(position)
    for how in HOWS[1:]:
        found = count(search(TICTACTOE, here, how))
        shown = [found.visited, found.leaves, found.cut_offs, found.looked_up]
        assert rows[how.title] == [f"{number:,}" if number else "" for number in shown]
    empty = position == ".../.../..."
    minimax = rows["Minimax"]
    assert not empty or minimax[:2] == ["549,946", "255,168"]
    cycles = player("elements2021").choose(TICTACTOE, here).cycles
    assert rows["Nine elements of 2021 as Minimax"] == [*minimax[:3], f"{cycles:,}"]
    assert ("The chip of 1990 as The C program of 1990" in rows) is not empty
    if not empty:
        cycles = player("chip1990").choose(TICTACTOE, here).cycles
        assert rows["The chip of 1990 as The C program of 1990"][-1] == f"{cycles:,}"
        cycles = player("chip1990:search=figure1").choose(TICTACTOE, here).cycles
        assert rows["The chip of 1990 (search=figure1) as Figure 1 of 1990"] == [
            *rows["Figure 1 of 1990"][:3],
            f"{cycles:,}",
        ]


def test_a_chip_is_led_to_with_the_game_it_would_have_played(client: TestClient) -> None:
    assert 'href="/silicon/chip1990?moves=b2"' in get(client, position=".../.X./...")
    replied = TICTACTOE.play("b2", "a1", "c1")
    assert 'href="/silicon/chip1990?moves=b2.c1"' in get(client, position=TICTACTOE.write(replied))
    assert 'href="/silicon/chip1990"' in get(client, position="X.O/.X./..."), "it would have replied elsewhere"


def test_with_seven_empty_points_of_nine_every_search_can_be_watched_and_with_six_on_any_board() -> None:
    """As the page promises; a tree is largest if no game ends before the board is full."""
    pairs = [position for position in solve(TICTACTOE).positions() if position.occupied.bit_count() == 2]
    assert len(pairs) == 72
    assert max(counts.steps for one in pairs if (counts := whole_tree(TICTACTOE, one, 10_000))) < MOST_STEPS
    visited = sum(math.perm(6, moves) for moves in range(7))
    assert 2 * visited - math.factorial(6) < MOST_STEPS


def test_what_is_too_long_is_counted_and_not_shown(client: TestClient) -> None:
    text = get(client, position=".../.../...", how="minimax")
    assert sentence(text) == "Minimax visits 549,946 positions from here: too many to watch one by one."
    assert 'data-step="on"' not in text
    text = get(client, game="mnk:4,3,3", position="..../..../....", how="alpha-beta")
    assert "visits more positions than are counted here" in text


def test_a_large_tree_is_not_drawn_whole_and_its_line_is(client: TestClient) -> None:
    text = get(client, position="X../.O./...", how="minimax", step=5_000)
    assert "The whole tree has 7,332 positions, too many to draw." in text
    assert '<svg class="tree"' not in text
    assert '<svg class="line"' in text
    assert MOST_DRAWN < 7_332
    assert len(text) < 60_000


def test_a_press_on_the_board_puts_a_stone_there(client: TestClient) -> None:
    text = get(client, position=SMALL, how="table")
    (address,) = re.findall(r'<a class="hit" href="([^"]+)"[^>]*aria-label="put X on c3"', text)
    after = client.get(unescape(address)).text
    assert 'value="XOX/.O./..X"' in after
    assert "O is to move." in after
    assert "Step 0 of" in sentence(after)
    assert "With a table" in re.findall(r'<a class="button"[^>]*aria-current="true">([^<]+)<', after)


def test_explore_leads_here_where_there_is_something_to_watch(client: TestClient) -> None:
    def leads(address: str) -> list[str]:
        return [unescape(href) for href in re.findall(r'href="(/watch\?[^"]+)"', client.get(address).text)]

    (address,) = leads("/explore/tictactoe/XO./.X./..O")
    assert sentence(client.get(address).text).startswith("Step 0 of")
    assert len(leads("/explore/achi")) == 1
    assert leads("/explore/tictactoe/XXX/OO./...") == leads("/explore/qubic") == leads("/explore/square4") == []


def test_a_finished_game_is_a_search_of_one_step(client: TestClient) -> None:
    text = get(client, position="XXX/OO./...")
    assert sentence(text) == "Step 0 of 0, Alpha-beta: X has a row: X wins (+1)."


def test_the_waves_of_a_moving_game(client: TestClient) -> None:
    """Every wave in turn, with its number of positions; draws are said at the end."""
    morris = game("three-mens-morris")
    solution = solve(morris)
    text: str | None = get(client, game="three-mens-morris")
    decided = 0
    for wave in range(11):
        assert text is not None
        size = sum(
            value.remoteness == wave and value.outcome is not Outcome.DRAW
            for value in map(solution.value, solution.positions())
        )
        decided += size
        assert f"Wave {wave} of 10: " in sentence(text)
        assert f"There are {size:,} such positions" in sentence(text)
        assert f"<b>{decided:,}</b> of 3,870 positions" in text
        assert len(re.findall('<a href="/explore/three-mens-morris[^"]*"><svg', text)) <= 12
        last, text = text, follow(client, text, "on")
    assert text is None
    assert "936 positions are in no wave: draws." in last
    wins = solution.value(morris.start())
    assert f"The start is in wave {wins.remoteness}: X wins." in last


def test_a_script_gets_the_run_alone(client: TestClient) -> None:
    for address in (f"/watch?position={SMALL}&step=7", "/watch?game=achi&step=2"):
        answer = client.get(address, headers={"X-Noughts-Part": "run"})
        assert answer.text.strip().startswith('<section id="run"')
        assert answer.text.strip().endswith("</section>")


@pytest.mark.parametrize(
    ("query", "status", "words"),
    [
        ("how=beta", 422, "'beta' is not a search: expected minimax, alpha-beta"),
        ("game=chess", 404, "chess"),
        ("game=qubic", 422, "is too large to watch: expected a game of placing stones on at most 16 points"),
        ("game=nine-mens-morris", 422, "is too large to watch"),
        ("game=mnk:4,3,3&how=c1990", 422, "'c1990' does not search"),
        ("game=mnk:5,3,4&how=symmetries", 422, "expected minimax, alpha-beta, table"),
        (f"position={SMALL}&step=185", 422, "step 185 is behind the search: expected 0 to 184"),
        (f"step={MOST_STEPS + 1}", 422, "step"),
        ("step=-1", 422, "step"),
        ("game=achi&step=12", 422, "step 12 is behind the last wave: expected 0 to 11"),
        ("position=XXX/OOO/...", 422, "is not a legal position"),
        ("position=XOX/OOX/...&first=a1", 422, "'a1' is not a legal move: a1 is occupied; expected one of a3, b3, c3"),
        ("first=<b>", 422, "&lt;b&gt;"),
        ("position=<script>", 422, "&lt;script&gt;"),
    ],
)
def test_a_bad_address_is_told_what_was_expected(client: TestClient, query: str, status: int, words: str) -> None:
    answer = client.get(f"/watch?{query}")
    assert answer.status_code == status, answer.text
    assert words.lower() in answer.text.replace("&#39;", "'").lower()


def test_a_small_position_waits_for_nobody(tmp_path: Path) -> None:
    """So the page that the menu leads to is there at once, on a fresh server, too."""
    with TestClient(create_app(settings_in(tmp_path, thinkers=1, patience=0.0001))) as hurried:
        for address in ("/watch", "/watch?how=c1990&step=3", "/watch?position=XO./OX./..."):
            answer = hurried.get(address)
            assert answer.status_code == 200
            assert "Side by side" in answer.text
            assert len(counts(answer.text)) == len(HOWS) + len(CHIPS)


def test_until_a_search_is_there_the_page_says_so_and_comes_again(tmp_path: Path) -> None:
    with TestClient(create_app(settings_in(tmp_path, thinkers=1, patience=0.001))) as hurried:
        answer = hurried.get("/watch?position=.O./.X./...")
        assert answer.status_code == 202
        assert answer.headers["Refresh"] == "1"
        assert 'data-wait="1000"' in answer.text
        assert sentence(answer.text) == "Alpha-beta is searching …"
