"""The pages of the chips, read as visitors read them: the printed run, games, files, and addresses without meaning."""

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit
from xml.etree import ElementTree

import pytest
from sites import Client, settings_in
from starlette.testclient import TestClient

from design_names import MADE, RUN
from noughts import extras
from noughts.games import game
from noughts.players import player
from noughts.silicon import kept
from noughts.silicon.designs import DESIGNS
from noughts.silicon.flow.layout import kept_layouts
from noughts.silicon.flow.sky130 import kept_tiles
from noughts.silicon.pinout import pin_rows
from noughts.web.app import create_app
from noughts.web.pages.chip_runs import chip_ready

pytestmark = pytest.mark.slow

SVG = "{http://www.w3.org/2000/svg}"
PART = {"X-Noughts-Part": "run"}

with (Path(__file__).parents[1] / "players" / "chip1990_trace.csv").open() as _file:
    PRINTED = list(csv.DictReader(_file))
"""The run of the paper's appendix E, half cycle by half cycle."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server that waits for its answers, however long they take."""
    folder: Path = tmp_path_factory.mktemp("silicon")
    settings = settings_in(folder, thinkers=1, patience=1000, limit=2000)
    with Client(create_app(settings)) as client:
        yield client


def get(client: TestClient, address: str, **query: object) -> str:
    # An empty dictionary would take away the query that the address has.
    answer = client.get(address, params={name: str(value) for name, value in query.items()} or None)
    assert answer.status_code == 200, answer.text
    return answer.text


def chip(client: TestClient, name: str = "chip1990", **query: object) -> str:
    return get(client, f"/silicon/{quote(name, safe='')}", **query)


def numbers(text: str) -> dict[str, tuple[str, str]]:
    """What a page says of every signal: its value with the clock low, and with the clock high."""
    rows = re.findall(r'<tr data-signal="(\w+)"[^>]*>.*?data-number="(\w+)".*?data-number="(\w+)"', text, re.DOTALL)
    return {name: (low, high) for name, low, high in rows}


def lit(text: str, kind: str) -> list[str]:
    return re.findall(rf'<g class="{kind} chip-lit" data-name="([^"]+)">', text)


def step(text: str, which: str) -> str | None:
    found = re.search(rf'<a [^>]*href="([^"]+)"[^>]*data-step="{which}"', text)
    return unescape(found[1]) if found else None


def places(text: str) -> dict[str, str | None]:
    """The board of the visitor's game: where a click on each place leads."""
    links = re.findall(r'<a class="place" href="([^"]+)"[^>]*aria-label="press (\w+)"', text)
    taken = re.findall(r'<span class="place taken"[^>]*aria-label="(\w+): ', text)
    return {point: unescape(href) for href, point in links} | dict.fromkeys(taken)


def cycle_of(text: str) -> int:
    found = re.search(r"<b>Cycle ([\d,]+)</b> of 0 to", text)
    assert found
    return int(found[1].replace(",", ""))


def check_printed(text: str, cycle: int) -> None:
    """That a page shows what the paper prints of this cycle, undefined values included."""
    shown = numbers(text)
    for half in (0, 1):
        row = PRINTED[2 * cycle + half]
        for name, printed in row.items():
            if name not in ("time_ns", "state"):
                assert shown[name][half] == printed, (cycle, half, name)
    assert lit(text, "chip-box chip-state") == [PRINTED[2 * cycle + 1]["state"]]


def test_the_printed_run_can_be_stepped_through_forwards_and_backwards(client: TestClient) -> None:
    """From link to link; every value of every half cycle, and the state that is lit, are those of the paper."""
    text = chip(client)
    visited = [cycle_of(text)]
    while address := step(text, "on"):
        check_printed(text, visited[-1])
        text = get(client, address)
        visited.append(cycle_of(text))
    assert visited == list(range(50))
    while address := step(text, "back"):
        check_printed(text, visited[-1])
        text = get(client, address)
        visited.append(cycle_of(text))
    check_printed(text, 0)
    assert visited == [*range(50), *range(48, -1, -1)]


def test_the_transition_that_was_taken_is_lit(client: TestClient) -> None:
    before = PRINTED[1]["state"]
    for cycle in range(1, 50):
        after = PRINTED[2 * cycle + 1]["state"]
        arrows = lit(chip(client, cycle=cycle), "chip-arrow")
        assert f"{before}→{after}" in arrows, cycle
        before = after


def test_plain_words_name_the_stone_that_the_lamps_show(client: TestClient) -> None:
    """What is tried stands on the board in the cycle after; what is looked at, or rated, stands there now."""
    seen = 0
    for cycle in range(49):
        now, then = (unescape(chip(client, cycle=cycle + later)) for later in (0, 1))
        found = re.search(r"</b> of 0 to 49[^.]*\. (It is going to try |It tries |)([XO]) on (\w+)", now)
        state = PRINTED[2 * cycle + 1]["state"]
        assert (found is not None) is (state in ("setboardi", "rating", "returned")), cycle
        if found is None:
            continue
        seen += 1
        assert found[1] == {"setboardi": "It is going to try ", "rating": "It tries ", "returned": ""}[state]
        assert stands(now, found[2], found[3]) is (state != "setboardi"), cycle
        assert state != "setboardi" or stands(then, found[2], found[3]), cycle
        assert state != "rating" or ("that wins" in now) is (PRINTED[2 * cycle + 1]["wins"] == "1")
    assert seen > 20


def stands(text: str, stone: str, point: str) -> bool:
    """Whether the front of the chip shows a stone on a point."""
    found = re.search(r"The front of the chip: (?:X on ([^;]*)|no X); (?:O on ([^;]*)|no O);", text)
    assert found
    return point in (found[1 if stone == "X" else 2] or "").split(", ")


def test_blocks_light_up_with_their_commands(client: TestClient) -> None:
    """The stack with call and pop; the board with these and with toggleN, which is low when it commands."""
    for cycle in range(50):
        text = chip(client, cycle=cycle)
        shown = numbers(text)
        blocks = lit(text, "chip-box chip-block")
        assert ("stack" in blocks) == ("1" in (shown["call"][1], shown["pop"][1]))
        assert ("board" in blocks) == (shown["toggleN"][1] == "0" or "stack" in blocks)
        assert ("fsm" in blocks) == (PRINTED[2 * cycle + 1]["state"] != "waiting")


def test_the_stack_holds_what_was_pushed(client: TestClient) -> None:
    """By a stack of its own that the commands on the page are played on."""
    words: list[tuple[str, ...]] = []
    before: dict[str, tuple[str, str]] = {}
    for cycle in range(50):
        text = chip(client, cycle=cycle)
        shown = numbers(text)
        if before and before["call"][1] == "1":
            worth = "−1" if before["bestr"][1] == "1" else "0"
            words.append((str(len(words)), before["i"][1], worth, before["a"][1]))
        elif before and before["pop"][1] == "1":
            words.pop()
        before = shown
        rows = re.findall(
            r'<tr class="on"><th scope="row">(\d)</th><td>(.+?)</td><td>(.+?)</td><td>(.+?)</td></tr>', text
        )
        assert rows == words, cycle
    assert len(words) == 0


def test_other_steps_lead_where_they_say(client: TestClient) -> None:
    text = chip(client, cycle=20)
    goals = {which: step(text, which) for which in ("first", "back10", "back", "on", "on10", "last", "reply")}
    assert {which: goal and int(goal.partition("cycle=")[2]) for which, goal in goals.items()} == {
        "first": 0, "back10": 10, "back": 19, "on": 21, "on10": 30, "last": 49, "reply": 44,
    }  # fmt: skip
    last = chip(client, cycle=49)
    assert [step(last, which) for which in ("on", "on10", "last", "reply")] == [None] * 4
    assert step(chip(client, cycle=5), "back10") is None


def test_the_waveform_marks_the_cycle_and_shows_what_is_around_it(client: TestClient) -> None:
    for cycle, first in ((0, 0), (3, 0), (20, 14), (49, 37)):
        text = chip(client, cycle=cycle)
        assert f"Waveform of cycles {first} to {first + 12}" in text
        (picture,) = re.findall(r'<svg class="waves".*?</svg>', text, re.DOTALL)
        root = ElementTree.fromstring(picture)
        (mark,) = (rect for rect in root.iter("rect") if rect.get("class") == "wave-now")
        middle = float(mark.get("x", "")) + float(mark.get("width", "")) / 2
        numbered = {
            label.text: float(label.get("x", "")) for label in root.iter("text") if label.get("class") == "wave-axis"
        }
        assert numbered[str(cycle)] == pytest.approx(middle)


def test_a_script_gets_the_run_alone(client: TestClient) -> None:
    answer = client.get("/silicon/chip1990?cycle=7", headers=PART)
    assert answer.text.strip().startswith('<section id="run"')
    assert answer.text.strip().endswith("</section>")
    assert numbers(answer.text) == numbers(chip(client, cycle=7))


@pytest.mark.parametrize("name", MADE)
def test_every_design_has_its_page(client: TestClient, name: str) -> None:
    text = chip(client, name)
    assert DESIGNS[name].story.title in text
    assert DESIGNS[name].samples[0].about in text
    assert ("Reported by the source" in text) == bool(DESIGNS[name].story.reported)
    for title, value in DESIGNS[name].story.reported:
        assert title in text
        assert value in unescape(text)


@pytest.mark.parametrize("name", MADE)
def test_every_design_has_a_page_of_its_pins(client: TestClient, name: str) -> None:
    """Which its page links to; the table is that of the command."""
    address = f"/silicon/{quote(name, safe='')}/pins"
    assert f'href="{address}"' in chip(client, name)
    text = get(client, address)
    rows = pin_rows(DESIGNS[name], {pin: facts.width for pin, facts in DESIGNS[name].pins().items()})
    told = re.findall(
        r'<code>(\w+)</code>[*]? <span class="soft">(in|out)</span></td>(?:<td[^>]*>\w+</td>)?<td>([^<]*)', text
    )
    assert [(pin, way, unescape(about).strip()) for pin, way, about in told] == [
        (row.name, row.direction, row.about) for row in rows if row.direction in ("in", "out")
    ]


@pytest.mark.parametrize("name", MADE)
def test_nothing_is_left_out_of_the_signals(client: TestClient, name: str) -> None:
    shown = set(numbers(chip(client, name)))
    assert set(DESIGNS[name].pins()) <= shown
    elements = {f"state_out_{cells}" for cells in range(1, 10)}
    assert set(DESIGNS[name].pins(watch=True)) - shown <= elements


@pytest.mark.parametrize("name", MADE)
def test_every_run_that_the_source_shows_is_offered(client: TestClient, name: str) -> None:
    text = chip(client, name)
    links = [unescape(href) for href in re.findall(r'<a class="run" href="([^"]+)"', text)]
    assert len(links) == len(DESIGNS[name].samples) + 1, "and the pins"
    for sample, link in zip(DESIGNS[name].samples, links, strict=False):
        shown = get(client, link)
        assert sample.about in unescape(shown)
        assert re.search(rf'<a class="run"[^>]*data-focus="run-{sample.name}"[^>]*aria-current="true"', shown)


def test_the_text_of_appendix_e_is_the_printed_run(client: TestClient) -> None:
    """Sent as a text, comments and all, it leads to an address at which every cycle is that of the paper."""
    written = (Path(str(DESIGNS["chip1990"].folder)) / "appendix-e.txt").read_text()
    text = chip(client, stimulus=written)
    assert cycle_of(text) == 49, "the end is what one sees first"
    address = step(text, "first")
    assert address is not None
    assert "stimulus=" not in address
    for cycle in (0, 1, 5, 6, 12, 30, 44, 49):
        check_printed(get(client, address.replace("cycle=0", f"cycle={cycle}")), cycle)


def press(client: TestClient, text: str, cycles: int, do: str = "go", **changed: list[str]) -> str:
    """Send the form of a page, some of its fields changed; the page that comes back."""
    (form,) = re.findall(r'<form class="fields".*?</form>', text, re.DOTALL)
    fields: dict[str, list[str]] = {}
    for tag in re.findall("<input [^>]*>", form):
        found = {key: unescape(value) for key, value in re.findall(r'(\w+)="([^"]*)"', tag)}
        if found["type"] != "checkbox" or " checked" in tag:
            fields.setdefault(found["name"], []).append(found["value"])
    fields |= {f"at-{name}": values for name, values in changed.items()} | {"cycles": [str(cycles)], "do": [do]}
    answer = client.get(re.findall('action="([^"]+)"', form)[0], params=fields)
    assert answer.status_code == 200, answer.text
    return answer.text


def test_a_game_is_played_at_the_pins_and_broken_off_by_a_reset(client: TestClient) -> None:
    """A key held for a cycle, and as many cycles as the chip needs; the same stones as in a game of moves."""
    text = get(client, "/silicon/chip1990/hand")
    text = press(client, text, 1, keyboardN=["4"])
    assert numbers(text)["keyboardN"][1] == "111101111"
    text = press(client, text, 6_600, keyboardN=[])
    board = numbers(text)["led"][1]
    game = chip(client, moves="b2")
    assert board == numbers(get(client, step(game, "last") or ""))["led"][1]
    assert numbers(text)["prompt"][1] == "1"
    text = press(client, text, 1, do="reset")
    assert numbers(text)["led"][1] == "0" * 18
    assert 'id="stimulus"' in text


def test_a_position_is_set_up_and_bits_are_scanned_by_hand(client: TestClient) -> None:
    """As chapter 4 of the paper has it: a key down when the reset ends sets a stone, with pin high the chip's."""
    text = press(client, get(client, "/silicon/chip1990/hand"), 1, do="reset", keyboardN=["2"])
    text = press(client, text, 1, keyboardN=["0"])
    text = press(client, text, 2, keyboardN=[], pin=["0"])
    led = int(numbers(text)["led"][1], 2)
    assert led == 1 << 2 * 2 + 1 | 1 << 2 * 0
    text = press(client, text, 97, pin=[], scan=["0"], scanin=["0"])
    assert int(numbers(text)["led"][1], 2) == (1 << 18) - 1, "97 ones fill every register"
    assert numbers(text)["scanout"][1] == "1"


def test_whoever_played_goes_on_at_the_pins(client: TestClient) -> None:
    """What the driver did becomes a text, at the end of which the chip is as it was."""
    game = chip(client, moves="b2.c1")
    last = get(client, step(game, "last") or "")
    text = get(client, "/silicon/chip1990/hand?moves=b2.c1")
    assert numbers(text) == numbers(last)
    assert cycle_of(text) == cycle_of(last)
    begun = press(client, get(client, "/silicon/chip1990/hand?begin=chip"), 1)
    assert numbers(begun)["led"][1].count("1") == 1, "where it began is known, and stays known"


def test_a_text_that_is_no_stimulus_is_shown_again_with_what_is_wrong(client: TestClient) -> None:
    answer = client.get("/silicon/chip1990", params={"stimulus": "100 resetX 0 <script>\n400 end"})
    assert answer.status_code == 422
    assert re.search(r'<p class="wrong" role="alert">Line 1: .*? says nothing', answer.text)
    assert "&lt;script&gt;</textarea>" not in answer.text
    assert "100 resetX 0 &lt;script&gt;" in answer.text
    assert '<details id="fold-hand" class="hand" open>' in answer.text


def test_the_waveform_shows_the_signals_that_are_chosen(client: TestClient) -> None:
    """Also those that no table has, as the words of the stack; links keep the choice."""
    text = chip(client, signals="cp.bestr.stack0", cycle=20)
    (picture,) = re.findall(r'<svg class="waves".*?</svg>', text, re.DOTALL)
    assert re.findall('<g class="signal" data-name="([^"]+)">', picture) == ["cp", "bestr", "stack0"]
    assert "signals=cp.bestr.stack0" in (step(text, "on") or "")
    ticked = re.findall(r'name="signals" value="(\w+)" checked', text)
    assert sorted(ticked) == ["bestr", "cp", "stack0"]
    offered = set(re.findall(r'type="checkbox" name="signals" value="(\w+)"', text))
    assert offered == set(DESIGNS["chip1990"].inside().pins(watch=True))
    root = ElementTree.fromstring(get(client, "/silicon/chip1990.svg?signals=sp&signals=i"))
    assert [group.get("data-name") for group in root.iter(f"{SVG}g")] == ["sp", "i"]


def test_a_page_with_the_longest_stimulus_is_small(client: TestClient) -> None:
    lines = [f"{100 + 200 * cycle} keyboardN {pow(5, cycle, 509):09b}" for cycle in range(200)]
    text = chip(client, stimulus="\n".join([*lines, "50000 end"]))
    assert len(re.search(r'name="pins" value="([^"]+)"', text)[1]) > 1_000  # type: ignore[index]
    assert len(text) < 150_000


def test_a_page_with_many_replies_is_small_and_leads_to_those_around(client: TestClient) -> None:
    """A reset every other cycle: as many stretches of work as lines fit."""
    lines = [f"{100 + 200 * cycle} resetN {cycle % 2}" for cycle in range(360)]
    text = chip(client, stimulus="\n".join([*lines, "72000 end"]))
    assert len(text) < 150_000
    replies = re.findall(r"cycles? ([\d,]+)(?: to [\d,]+)?</span></li>", text)
    assert len(replies) == 10
    assert all(int(first.replace(",", "")) > 330 for first in replies), "the end is shown, so these are the last ones"
    (busy,) = re.findall(r'<path class="busy" d="([^"]+)"', text)
    assert busy.count("M") > 150, "but the line above has them all"


def test_the_package_is_drawn(client: TestClient) -> None:
    root = ElementTree.fromstring(get(client, "/silicon/chip1990/package.svg"))
    legs = [group.get("data-leg") for group in root.iter(f"{SVG}g") if group.get("data-leg")]
    assert len(legs) == 64
    assert 'src="/silicon/referee2021/package.svg"' in get(client, "/silicon/referee2021/pins")


def test_designs_that_differ_in_options_stand_together(client: TestClient) -> None:
    text = get(client, "/silicon")
    cards = re.findall(r'<article class="card design">.*?</article>', text, re.DOTALL)
    families = {name.partition(":")[0] for name in DESIGNS}
    assert len(cards) == len(families)
    for name in DESIGNS:
        (card,) = (one for one in cards if f'href="/silicon/{quote(name, safe="")}"' in one)
        family = [one for one in DESIGNS if one.partition(":")[0] == name.partition(":")[0]]
        assert all(f'href="/silicon/{quote(one, safe="")}"' in card for one in family)


def test_the_list_leads_to_every_design(client: TestClient) -> None:
    text = get(client, "/silicon")
    for name, story in ((known.name, known.story) for known in DESIGNS.values()):
        assert f'href="/silicon/{quote(name, safe="")}"' in text
        assert story.title in text


def test_no_page_has_a_style_or_a_script_inside(client: TestClient) -> None:
    for text in (get(client, "/silicon"), chip(client), chip(client, "elements2021")):
        assert "<style" not in text
        assert not re.search(r"\sstyle=|\son\w+=", text)
        assert all("src=" in tag for tag in re.findall("<script[^>]*>", text))


def test_a_game_is_played_by_pressing_places(client: TestClient) -> None:
    """First c1, then always the first place that is left, until the chip has won."""
    text = chip(client)
    pressed = ["c1"]
    text = get(client, places(text)["c1"] or "")
    assert "prompt" in text
    while free := {point: href for point, href in places(text).items() if href}:
        pressed.append(min(free))
        text = get(client, free[min(free)] or "")
    assert "The game is over." in text
    last = get(client, step(text, "last") or "")
    assert numbers(last)["fin"][1] == "1"
    assert numbers(last)["win"][1] == "1"
    assert len(pressed) >= 3


def test_a_new_move_is_shown_where_the_chip_begins_to_think(client: TestClient) -> None:
    text = chip(client, moves="b2.b1")
    assert lit(text, "chip-box chip-state") == ["userjustmoved"]
    assert numbers(text)["prompt"] == ("1", "0")


def test_the_replies_are_as_long_as_the_player_says(client: TestClient) -> None:
    """The cycles between the links of the page and those of the player of 1990, which was written from the paper."""
    tictactoe = game("tictactoe")
    choice = player("chip1990").choose(tictactoe, tictactoe.read(".../.X./..."))
    text = unescape(chip(client, moves="b2"))
    found = re.search(r"reply 1</a>\s*<span[^>]*>cycles ([\d,]+) to ([\d,]+)<", text)
    assert found
    first, last = (int(number.replace(",", "")) for number in found.groups())
    assert last + 1 - first == choice.cycles


def test_the_chip_may_begin(client: TestClient) -> None:
    text = chip(client, begin="chip", cycle=2)
    assert numbers(text)["userbegins"] == ("0", "0")
    assert sorted(places(text).values(), key=str)[-1] is None
    assert "begin=chip" in (places(text)["c3"] or "")


def test_the_referee_shows_the_case_of_the_slides(client: TestClient) -> None:
    shown = numbers(chip(client, "referee2021", cycle=12))
    held = [shown[f"pos{number}"][1] for number in range(1, 10)]
    assert held == ["2", "0", "0", "1", "2", "1", "0", "1", "2"]
    assert shown["who"][1] == "2"


def test_what_the_test_bench_of_the_slides_prints_is_shown_with_its_moment(client: TestClient) -> None:
    text = unescape(chip(client, "referee2021", sample="case-3"))
    assert "Winner Decided is : 01" in text
    assert " 00 00 01 \n 10 01 00 \n 01 10 10 \n" in text
    (moment,) = re.findall(r'<p class="soft printed">At <a href="([^"]+)"', text)
    assert numbers(get(client, moment))["who"][1] == "1"


def test_the_referee_lights_up_when_it_takes_a_move(client: TestClient) -> None:
    """In every other cycle from the second on, the player first; a decoder, the registers and the turn."""
    for cycle in range(13):
        decoder = "player_decoder" if cycle % 4 == 1 else "computer_decoder"
        expected = {decoder, "position_registers", "turn_control"} if cycle % 2 else set()
        blocks = set(lit(chip(client, "referee2021", cycle=cycle), "chip-box chip-block"))
        assert blocks - {"winner_detector"} == expected, cycle


def test_the_report_of_2021_leads_to_its_worked_example_as_a_tree(client: TestClient) -> None:
    (address,) = re.findall(r'href="([^"]+)">The source’s example as a tree', chip(client, "elements2021"))
    text = get(client, unescape(address))
    assert re.findall(r'class="gt-letter"[^>]*>(\w)<', text) == list("ABCDEFGHIJ")
    values = re.findall(r'class="gt-value \w+"[^>]*>([^<]+)<', text)
    assert values == ["+1", "−1", "0", "+1", "−1", "0", "+1", "0", "0", "+1", "0"]
    assert "as a tree" not in chip(client, "referee2021")


def test_the_search_of_2021_goes_down_the_chain(client: TestClient) -> None:
    """An element is lit exactly while it is not ready."""
    for cycle in range(0, 50, 7):
        text = chip(client, "elements2021", cycle=cycle)
        rows = re.findall(r'<tr( class="on")?><th scope="row">(\d)</th><td>(\w+)</td>', text)
        assert [int(cells) for _, cells, _ in rows] == list(range(9, 0, -1))
        at_work = {f"element{cells}" for on, cells, state in rows if state != "ready"}
        assert {f"element{cells}" for on, cells, _ in rows if on} == at_work
        assert {name for name in lit(text, "chip-box chip-block") if name.startswith("element")} == at_work


def links(text: str) -> set[str]:
    found = {unescape(href) for href in re.findall(r'(?:href|src)="([^"]+)"', text)}
    return {href for href in found if urlsplit(href).path.startswith(("/silicon", "/static"))}


@pytest.mark.parametrize("name", [name for name in RUN if ":" not in name])
def test_every_link_of_a_page_leads_somewhere(client: TestClient, name: str) -> None:
    text = chip(client, name, cycle=1)
    seen = links(text) | links(get(client, "/silicon"))
    assert len(seen) > 15
    for address in seen:
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert answer.content


def test_verilog_is_handed_out(client: TestClient) -> None:
    answer = client.get("/silicon/elements2021%3Apruning%3Dyes.sv")
    assert "module elements2021_pruning_yes" in answer.text
    assert answer.headers["Content-Disposition"] == 'attachment; filename="elements2021_pruning_yes.sv"'


def test_a_dump_holds_the_cycles_that_are_asked_for(client: TestClient) -> None:
    text = get(client, "/silicon/chip1990.vcd", moves="b2", first=500)
    times = [int(time) for time in re.findall(r"^#(\d+)$", text, re.MULTILINE)]
    assert (min(times), max(times)) == (100_100, 200_100)
    assert "$var string 1" in text


def test_a_waveform_is_a_picture_with_its_own_style(client: TestClient) -> None:
    answer = client.get("/silicon/chip1990.svg?moves=b2&first=100")
    root = ElementTree.fromstring(answer.text)
    assert root.find(f"{SVG}style") is not None
    assert "chip1990, cycles 100 to 199" in "".join(root.itertext())
    assert "script-src" not in answer.headers["Content-Security-Policy"]


def test_a_diagram_is_a_picture_too(client: TestClient) -> None:
    root = ElementTree.fromstring(get(client, "/silicon/chip1990/states.svg"))
    assert {"waiting", "rating"} <= {group.get("data-name") for group in root.iter(f"{SVG}g")}


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("/silicon/chip1991", 404, "is not a design: expected chip1990"),
        ("/silicon/" + "x" * 3_000, 404, "is not a design"),
        ("/silicon/%3Cscript%3E", 404, "&lt;script&gt;"),
        ("/silicon/chip1991.sv", 404, "is not a design"),
        ("/silicon/chip1991.vcd", 404, "is not a design"),
        ("/silicon/chip1991.svg", 404, "is not a design"),
        ("/silicon/chip1990/nothing.svg", 404, "is not a diagram of chip1990: expected blocks, states, package"),
        ("/silicon/chip1990?sample=nothing", 404, "is not a sample of chip1990"),
        ("/silicon/chip1990?pins=AAAA", 422, "is no stimulus"),
        ("/silicon/chip1990?pins=" + "A" * 1_600, 422, "pins"),
        ("/silicon/chip1990?signals=cp.nothing", 422, "is not a signal of this trace"),
        ("/silicon/chip1990/hand?cycles=0", 422, "cycles"),
        ("/silicon/chip1990/hand?cycles=1&at-keyboardN=9", 422, "is not a line of keyboardN: expected 0 to 8"),
        ("/silicon/chip1990?signals=" + ".".join(f"a{n}" for n in range(30)), 422, "expected at most 26"),
        ("/silicon/chip1991/hand", 404, "is not a design"),
        ("/silicon/chip1991/pins", 404, "is not a design"),
        ("/silicon/chip1990?cycle=50", 422, "cycle 50 is behind the run: expected 0 to 49"),
        ("/silicon/chip1990?cycle=-1", 422, "cycle"),
        ("/silicon/chip1990?cycle=" + "9" * 30, 422, "cycle"),
        ("/silicon/chip1990?cycle=b2", 422, "cycle"),
        ("/silicon/chip1990?moves=d4", 422, "is not a place: expected a1 to c3"),
        ("/silicon/chip1990?moves=b2.b2", 422, "there is a stone"),
        ("/silicon/chip1990?moves=b1.c1.b2.c2.b3", 422, "the game is over"),
        ("/silicon/chip1990?moves=" + ".".join(["a1"] * 20), 422, "moves"),
        ("/silicon/chip1990?begin=nobody", 422, "is nobody: expected user or chip"),
        ("/silicon/chip1990?begin=<script>", 422, "&lt;script&gt;"),
        ("/silicon/referee2021?moves=a1.a1", 422, "there is a stone"),
        ("/silicon/chip1990.vcd?first=50", 422, "behind the run"),
        ("/silicon/chip1990.svg?first=1e9", 422, "first"),
        ("/silicon/chip1990.svg?moves=%00", 422, "is not a place"),
    ],
)
def test_a_bad_address_is_told_what_was_expected(client: TestClient, address: str, status: int, words: str) -> None:
    answer = client.get(address)
    assert answer.status_code == status, answer.text
    assert words.lower() in answer.text.replace("&#39;", "'").lower()


class _NobodyThinks:
    """In place of the thinkers: nothing may be asked of them."""

    async def ask(self, question: object, *_: object) -> None:
        raise AssertionError(f"{question} was asked")

    def close(self) -> None:
        pass


@pytest.mark.parametrize("name", RUN)
def test_the_first_visitor_of_a_fresh_server_waits_for_nothing(tmp_path: Path, name: str) -> None:
    """Every cycle of the run that the source shows comes with the design, and so do its files."""
    with TestClient(create_app(settings_in(tmp_path, thinkers=1))) as fresh:
        app: Any = fresh.app
        app.state.thinking.close()
        app.state.thinking = _NobodyThinks()
        recorded = kept.recording(DESIGNS[name], DESIGNS[name].samples[0].name)
        assert recorded is not None
        last = recorded.outline.cycles - 1
        assert cycle_of(chip(fresh, name)) == 0
        for sample in DESIGNS[name].samples:
            assert cycle_of(chip(fresh, name, sample=sample.name)) == 0
        for cycle in (1, 19, 20, last - 1, last):
            assert cycle_of(chip(fresh, name, cycle=min(cycle, last))) == min(cycle, last)
        address = f"/silicon/{quote(name, safe='')}"
        assert "$enddefinitions" in get(fresh, f"{address}.vcd")
        assert "<svg" in get(fresh, f"{address}.svg")


def test_until_a_run_is_there_the_page_says_so_and_asks_again(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, thinkers=1, patience=0.01)
    with TestClient(create_app(settings)) as hurried:
        answer = hurried.get("/silicon/chip1990?moves=a1")
        assert answer.status_code == 503
        assert answer.headers["Refresh"] == "1"
        assert 'id="run"' in answer.text
        assert 'data-wait="1000"' in answer.text
        assert "The chip is being compiled into a program" in answer.text
        assert answer.text.count('<svg class="diagram"') == 2, "its states and its blocks are shown meanwhile"
        assert hurried.get("/silicon/chip1990.sv").status_code == 503
        assert 'data-wait="1000"' in hurried.get("/silicon/chip1990/hand?moves=a1").text


def test_many_visitors_with_different_games_wait_for_one_compiler(tmp_path: Path) -> None:
    with TestClient(create_app(settings_in(tmp_path, thinkers=2, patience=0.01))) as hurried:
        app: Any = hurried.app
        for moves in ("a1", "b2", "c3", "b2.a1"):
            answer = hurried.get(f"/silicon/chip1990?moves={moves}")
            assert answer.status_code == 503
            assert "once for all its runs" in answer.text
        waiting = [(work.question, work.arguments) for work in app.state.thinking._works.values()]
        assert waiting == [(chip_ready, ("chip1990",))]


def test_without_amaranth_the_pages_say_what_to_install(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    answer = client.get("/silicon/chip1990?moves=b2")
    assert answer.status_code == 422
    assert "pip install 'noughts[silicon]'" in unescape(answer.text)
    assert client.get("/silicon/chip1990").status_code == 200, "its run is recorded"
    assert client.get("/silicon").status_code == 200
    assert client.get("/silicon/chip1990/blocks.svg").status_code == 200


def test_what_was_measured_is_shown(client: TestClient) -> None:
    """The figures that come with the designs."""
    text = chip(client)
    kept_of = {name: json.loads((DESIGNS[name].folder / "figures.json").read_text())[name] for name in DESIGNS}
    assert kept_of["chip1990"]["user begins: slowest cycles"] == 15_007
    assert re.search(r"user begins: slowest cycles</th><td[^>]*>15,007<", text)
    shown = re.findall(r'<tr><th scope="row">([^<]+)</th><td class="number">', chip(client, "referee2021"))
    assert shown == list(kept_of["referee2021"])
    assert "source: clock" not in text


def test_without_figures_nothing_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.silicon.design.files", lambda _: tmp_path)
    chip, pruning = replace(DESIGNS["chip1990"]), replace(DESIGNS["elements2021:pruning=yes"])
    assert kept.measured(chip) == []
    assert kept.recording(chip, chip.samples[0].name) is None
    (tmp_path / "figures.json").write_text(json.dumps({"chip1990": {"depth": 17}}))
    assert kept.measured(replace(chip)) == [("depth", "17")]
    assert kept.measured(pruning) == []


def test_layouts_are_shown_at_one_scale_and_can_be_taken_along(client: TestClient) -> None:
    text = unescape(get(client, "/silicon/layouts"))
    root = ElementTree.fromstring(get(client, "/silicon/layouts.svg"))
    assert f'width="{root.get("width")}" height="{root.get("height")}"' in text
    for name, made in kept_layouts().items():
        assert made.title in {node.text for node in root.iter("{http://www.w3.org/2000/svg}text")}
        assert all(value in text for _, value in made.rows())
        assert f'href="/silicon/{name}.gds"' in text
    assert client.get("/silicon/chip1990.gds").content == kept_layouts()["chip1990"].gds
    for name, made in kept_tiles().items():
        assert f'href="/silicon/{name}.tile.gds"' in text
        assert client.get(f"/silicon/{name}.tile.gds").content == made.gds
    assert "the highest clock is told too high" in text
    assert ElementTree.fromstring(get(client, "/silicon/tiles.svg")).get("width")
    answer = client.get("/silicon/referee2021.gds")
    assert answer.status_code == 404
    assert "comes without a layout: expected chip1990" in unescape(answer.text)
