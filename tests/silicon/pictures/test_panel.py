"""The front of a chip, read off its pins."""

import re
import shutil
from xml.etree import ElementTree

import pytest

from design_names import RUN
from noughts.games import game
from noughts.silicon.designs import design
from noughts.silicon.pictures.panel import Panel, Place, draw_panel, either, in_words
from noughts.silicon.run import Run
from noughts.silicon.simulate.runs import outline, stretch

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("c++") is None and shutil.which("g++") is None, reason="needs a C++ compiler"),
]


def panels(name: str, moves: tuple[str, ...], first: int, last: int) -> list[Panel]:
    trace = stretch(design(name), Run(moves), first, last)
    rows = trace.rows[1::2]
    return [design(name).panel(dict(zip(trace.widths, row, strict=True))) for row in rows]


def stones(panel: Panel, which: str) -> int:
    return sum(1 << number for number, place in enumerate(panel.places) if place.stone == which)


@pytest.mark.parametrize("name", RUN)
def test_the_stones_at_the_end_are_those_of_the_game(name: str) -> None:
    """The machine's are those of its mark; of two chips that play each other, the right one is the machine."""
    chip = design(name)
    points = game(chip.game).layout.points
    moves: tuple[str, ...] = ()
    if chip.driver.presses:
        moves = (points[len(points) // 2],)
        chips, users = outline(chip, Run(moves)).stones
        moves = (*moves, [point for place, point in enumerate(points) if not (chips | users) >> place & 1][-1])
    found = outline(chip, Run(moves))
    (panel,) = panels(name, moves, found.cycles - 1, found.cycles - 1)
    machine = chip.mark.lower()
    user = "x" if machine == "o" else "o"
    assert (stones(panel, machine), stones(panel, user)) == found.stones
    assert all(found.stones)


def test_an_empty_place_is_dark_in_1990_and_bright_in_2021() -> None:
    for name, lamps in (("chip1990", (False, False)), ("elements2021", (True, True)), ("referee2021", (False, False))):
        (panel,) = panels(name, (), 0, 0)
        assert {place.lamps for place in panel.places} == {lamps}


def test_a_lamp_that_may_be_on_or_off_shows_a_u() -> None:
    """The chip's stone on a1 and the end of the game are undefined; the user's on c1 is there."""
    chip = design("chip1990")
    pins = {"keyboardN": 0b111111111, "led": 0b10 << 4, "prompt": 0, "copyboard": 1, "fin": 0, "win": 0}
    panel = either(chip.panel(pins), chip.panel({**pins, "led": pins["led"] | 1, "fin": 1}))
    assert [place.lamps for place in panel.places[:3]] == [(None, False), (False, False), (False, True)]
    assert [place.stone for place in panel.places[:3]] == ["", "", "x"]
    assert panel.lamps == {"prompt": False, "copyboard": True, "fin": None, "win": False}
    assert in_words(panel) == "X on c1; no O; lit: copyboard; undefined: a1, fin"
    assert draw_panel(panel).body.count('class="panel-u"') == 2


def test_keys_are_seen_while_they_are_down() -> None:
    """In the printed run: 2, 3, 1, 4 and 5, a pause, 7; and 8 in cycle 43."""
    down = [
        [number for number, place in enumerate(panel.places) if place.down] for panel in panels("chip1990", (), 0, 49)
    ]
    assert down[:8] == [[2], [3], [1], [4], [5], [], [7], []]
    assert {cycle: keys for cycle, keys in enumerate(down) if cycle > 7 and keys} == {43: [8]}


def test_switches_stay_up_and_count_from_the_other_end() -> None:
    found = outline(design("elements2021:pruning=yes"), Run(("a1",)))
    (panel,) = panels("elements2021:pruning=yes", ("a1",), found.cycles - 1, found.cycles - 1)
    assert [place.down for place in panel.places] == [True, *[False] * 8]


def test_the_position_that_a_side_names_is_seen_at_the_referee() -> None:
    """Case I of the slides: 4, 1, 8, 5, 6 and 9, with a pause after each."""
    named = [
        [number + 1 for number, place in enumerate(panel.places) if place.down]
        for panel in panels("referee2021", (), 0, 12)
    ]
    assert named == [[], [4], [], [1], [], [8], [], [5], [], [6], [], [9], []]


def test_the_lamps_below_say_how_the_game_stands() -> None:
    lamps = [panel.lamps for panel in panels("chip1990", (), 0, 49)]
    assert lamps[6] == {"prompt": True, "copyboard": False, "fin": False, "win": False}
    assert lamps[49] == {"prompt": False, "copyboard": True, "fin": True, "win": False}


def test_the_picture_shows_every_stone_lamp_and_key() -> None:
    for panel in panels("chip1990", (), 0, 49):
        root = ElementTree.fromstring(f"<svg>{draw_panel(panel).body}</svg>")
        classes = [element.get("class", "") for element in root.iter()]
        assert classes.count("x") == stones(panel, "x").bit_count()
        assert classes.count("o") == stones(panel, "o").bit_count()
        assert classes.count("panel-down") == sum(place.down for place in panel.places)
        lamps = [*(lamp for place in panel.places for lamp in place.lamps), *panel.lamps.values()]
        assert sum("panel-on" in kind for kind in classes) == lamps.count(True)


def test_the_words_name_what_the_picture_shows() -> None:
    (panel,) = panels("chip1990", (), 6, 6)
    assert in_words(panel) == "X on c1, a2; O on b1, b2, c2; pressed: b3; lit: prompt"
    assert re.search("no X; no O", in_words(panels("referee2021", (), 0, 0)[0]))


@pytest.mark.parametrize(
    ("name", "size"), [("tictactoe", (3, 3)), ("mnk:4,3,3", (4, 3)), ("qubic", (8, 8)), ("six-mens-morris", (5, 5))]
)
def test_places_are_where_the_layout_has_them(name: str, size: tuple[int, int]) -> None:
    """The levels of the cube stand two by two."""
    layout = game(name).layout
    empty = Place("", (False, False), down=False)
    root = ElementTree.fromstring(f"<svg>{draw_panel(Panel((empty,) * len(layout), {}), layout).body}</svg>")
    corners = {}
    for group in root:
        (square,) = group.iter("rect")
        corners[group.get("data-name", "")] = (float(square.get("x", "")), float(square.get("y", "")))
    assert list(corners) == list(layout.points)
    assert len(set(corners.values())) == len(layout)
    columns, rows = (sorted({corner[part] for corner in corners.values()}) for part in (0, 1))
    assert (len(columns), len(rows)) == size
    for point, (x, y) in corners.items():
        level, row, column = layout.places[layout.index[point]]
        across = 4 if name == "qubic" else 0
        assert (columns.index(x), rows.index(y)) == (column + level % 2 * across, row + level // 2 * across)
