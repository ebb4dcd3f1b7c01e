"""Boards as SVG: well-formed, with every stone and note once."""

from xml.etree import ElementTree

import pytest

from catalogue_names import EVERY
from noughts.games import game
from noughts.games.picture import Note, beside, draw_board

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", EVERY)
def test_every_board_shows_its_stones_and_notes(name: str) -> None:
    rules = game(name)
    points = rules.layout.points
    position = rules.play(points[0], points[1])
    notes = {len(points) - 1: Note("<W1>", "win")}
    root = ElementTree.fromstring(draw_board(rules, position, notes=notes, title="a & b").svg())
    assert len([path for path in root.iter(f"{SVG}path") if path.get("class") == "x"]) == 2
    assert len([circle for circle in root.iter(f"{SVG}circle") if circle.get("class") == "o"]) == 1
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert texts.count("<W1>") == 1
    assert texts[0] == "a & b"
    assert len(list(root.iter(f"{SVG}line"))) == len(rules.layout.edges)


def test_pictures_stand_beside_each_other() -> None:
    rules = game("tictactoe")
    one = draw_board(rules, rules.start())
    three = beside(one, one, one)
    assert (three.width, three.height) == (3 * one.width, one.height)
    ElementTree.fromstring(three.svg())
