"""The index of the placing games is a bijection without gaps, and both engines fill it alike."""

from math import comb

import numpy as np
import pytest

from noughts.games import game as find_game
from noughts.solve import placing, placing_kernel
from noughts.solve.placing import ILLEGAL, index_of


@pytest.mark.parametrize("cells", [1, 2, 7, 9, 12])
def test_every_slot_belongs_to_one_position(cells: int) -> None:
    index = index_of(cells)
    slots = []
    for layer in index.layers:
        xs, os = index.stones_at(layer)
        for x, o in zip(xs.ravel().tolist(), os.ravel().tolist(), strict=True):
            assert x & o == 0
            assert (x.bit_count(), o.bit_count()) == ((layer.stones + 1) // 2, layer.stones // 2)
            slots.append(index.slot(x, o))
    assert slots == list(range(index.slots))


@pytest.mark.parametrize(("cells", "slots"), [(9, 6_046), (16, 10_165_779), (20, 741_365_049)])
def test_there_is_a_slot_for_every_way_to_put_the_stones_down(cells: int, slots: int) -> None:
    assert sum(comb(cells, k) * comb(k, k // 2) for k in range(cells + 1)) == slots
    assert index_of(cells).slots == slots


@pytest.mark.parametrize("name", ["mnk:1,1,1", "mnk:2,1,2", "tictactoe", "mnk:4,3,3", "mnk:5,2,2", "mnk:13,1,4"])
def test_the_plain_and_the_compiled_engine_agree(name: str) -> None:
    game = find_game(name)
    index = index_of(len(game.layout))
    plain, compiled = np.empty(index.slots, np.int8), np.empty(index.slots, np.int8)
    for layer in reversed(index.layers):
        placing.solve_layer(index, layer, game.layout.line_sets, plain)
        placing_kernel.solve_layer(index, layer, game.layout.line_sets, compiled)
    legal = plain != ILLEGAL
    assert np.array_equal(plain, compiled)
    assert legal[0]
