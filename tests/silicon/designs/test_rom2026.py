"""The chip with four rules and a ROM: its rules in every position of some games, and its moves."""

import shutil

import pytest

from noughts.silicon.designs import design
from noughts.silicon.simulate.check import check
from noughts.solve import solve

NAME = "rom2026:game=square4"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("c++") is None and shutil.which("g++") is None, reason="needs a C++ compiler"),
]


def test_it_keeps_the_value_in_games_at_random_and_never_loses() -> None:
    """Every game that there is takes half a minute: `noughts silicon check` plays them."""
    found = check(design(NAME), games=150, seed=1)
    solution = solve("square4")
    assert found.losses == 0
    assert found.wins > 50
    assert found.slowest_cycles <= 16
    for reply in found.replies:
        after = solution.game.after(reply.position, reply.move)
        assert solution.value(after).before().outcome is solution.value(reply.position).outcome


def test_the_rom_has_every_point_once_in_either_order() -> None:
    from noughts.silicon.designs.rom2026.orders import ORDERS  # noqa: PLC0415

    assert all(sorted(order) == list(range(16)) for order in ORDERS["square4"])
