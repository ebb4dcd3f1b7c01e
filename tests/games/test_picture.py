"""Boards as SVG: well-formed, with every stone and note once."""

import re
from collections import Counter
from itertools import combinations
from xml.etree import ElementTree

import pytest

from catalogue_names import EVERY
from noughts.games import game
from noughts.games.picture import STYLE, Note, beside, draw_board, draw_stone

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", EVERY)
def test_every_board_shows_its_stones_and_notes(name: str) -> None:
    rules = game(name)
    points = rules.layout.points
    position = rules.play(points[0], points[1])
    notes = {len(points) - 1: Note("<W1>", "win")}
    root = ElementTree.fromstring(draw_board(rules, position, notes=notes, title="a & b").svg())
    drawn = Counter(one.get("class") for one in root.iter())
    assert (drawn["stone-x"], drawn["stone-o"]) == ((1, 1) if rules.layout.edges else (0, 0))
    assert (drawn["x"], drawn["o"]) == ((0, 0) if rules.layout.edges else (1, 1))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert texts.count("<W1>") == 1
    assert texts[0] == "a & b"
    if rules.layout.edges:
        (grid,) = (one.get("d", "") for one in root.iter(f"{SVG}path") if one.get("class") == "grid")
        assert grid.count("M") == len(rules.layout.edges)


def test_pictures_stand_beside_each_other() -> None:
    rules = game("tictactoe")
    one = draw_board(rules, rules.start())
    three = beside(one, one, one)
    assert (three.width, three.height) == (3 * one.width, one.height)
    ElementTree.fromstring(three.svg())


def shade(colour: str) -> float:
    """How light a colour is, from 0 for black to 1 for white: the relative luminance of WCAG 2."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_stones_are_told_apart_without_colours() -> None:
    """By how light they are, in the light as in the dark, and by what is cut into them."""
    for theme in STYLE.split("@media (prefers-color-scheme: dark)"):
        slate, ivory = (shade(colour) for colour in re.findall(r"--(?:slate|ivory): (#\w{6})", theme))
        assert (ivory + 0.05) / (slate + 0.05) > 7
    (_, cross), (_, ring) = (draw_stone(side, 0, 0) for side in (0, 1))
    assert cross.startswith("<path")
    assert ring.startswith("<circle")


@pytest.mark.parametrize("name", ["achi", "nine-mens-morris"])
def test_no_line_is_seen_through_a_stone_and_no_stone_covers_another(name: str) -> None:
    rules = game(name)
    position = rules.play(*rules.layout.points[:6])
    marks = list(ElementTree.fromstring(draw_board(rules, position).svg()))
    stones = [place for place, one in enumerate(marks) if one.get("class", "").startswith("stone-")]
    lines = [place for place, one in enumerate(marks) if one.get("class") == "grid"]
    assert max(lines) < min(stones), "what is drawn later covers what was drawn before"
    assert not re.search(r"\.stone-\w {[^}]*fill: none|\.stone-\w {[^}]*opacity", STYLE)
    places = [tuple(float(marks[one].get(key, "")) for key in ("cx", "cy", "r")) for one in stones]
    for (x, y, r), (other_x, other_y, other_r) in combinations(places, 2):
        assert (x - other_x) ** 2 + (y - other_y) ** 2 > (r + other_r) ** 2
