"""Pixels show what the notation says, in the places and colours of the SVG."""

import numpy as np
import pytest

from catalogue_names import MORRIS
from noughts.games import KINDS, game
from noughts.games.picture import LIGHT, UNIT
from noughts.rl import rendering
from noughts.rl.rendering import as_pixels


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.base)
def test_a_stone_is_drawn_where_it_stands_and_nowhere_else(kind: object) -> None:
    """A board differs from the empty one only within half a square of the points that hold stones."""
    of = game(kind.example)  # type: ignore[attr-defined]
    position = of.play(*kind.sample.split())  # type: ignore[attr-defined]
    changed = (as_pixels(of, position) != as_pixels(of, of.start())).any(axis=-1)
    wide = 1 + max(place.column for place in of.layout.places)
    for point, place in enumerate(of.layout.places):
        right = rendering.MARGIN + UNIT * place.column + (wide * UNIT + rendering.MARGIN) * place.level
        down = rendering.MARGIN + UNIT * place.row
        square = changed[2 * down + 4 : 2 * (down + UNIT) - 4, 2 * right + 4 : 2 * (right + UNIT) - 4]
        assert square.any() == bool(position.occupied >> point & 1)
        changed[2 * down + 4 : 2 * (down + UNIT) - 4, 2 * right + 4 : 2 * (right + UNIT) - 4] = False
    assert not changed.any()


def test_the_colours_are_those_of_the_svg_on_light_paper() -> None:
    assert rendering.COLOURS["x"] == (0x26, 0x4F, 0x78)
    assert rendering.INK == (0x25, 0x22, 0x1D)
    assert all(f"#{bytes(colour).hex()}" in LIGHT for colour in rendering.COLOURS.values())


@pytest.mark.parametrize("name", ["tictactoe", "mnk:19,19,5", "mnk:19,1,3", "mnk:1,19,3", *MORRIS])
def test_pixels_are_bytes_of_red_green_and_blue(name: str) -> None:
    of = game(name)
    pixels = as_pixels(of, of.start())
    assert pixels.dtype == np.uint8
    assert pixels.ndim == 3
    assert pixels.shape[2] == 3
    assert max(pixels.shape) <= 1000


def test_the_middle_of_a_mark_has_its_own_colour_and_its_edge_a_mixture() -> None:
    of = game("tictactoe")
    pixels = as_pixels(of, of.play("b2"))
    middle = pixels.shape[0] // 2
    assert tuple(pixels[middle, middle]) == rendering.COLOURS["x"]
    across = {tuple(pixel) for pixel in pixels[middle].tolist()}
    assert rendering.PAPER in across
    assert len(across) > 3
