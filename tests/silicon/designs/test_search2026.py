"""The search of 1990 from the lines of a game: at tic-tac-toe the chip of 1990, elsewhere a search that may lose."""

import pytest

from noughts.silicon.design import playing_driver
from noughts.silicon.designs import design
from noughts.silicon.simulate.interpreted import Interpreted

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("chip", "user", "place"), [(0b000110010, 0b000001100, 7), (0b000010010, 0b010000001, 3)])
def test_tic_tac_toe_is_searched_as_in_1990_cycle_for_cycle(chip: int, user: int, place: int) -> None:
    answers = []
    for name in ("chip1990", "search2026:game=tictactoe"):
        driver = playing_driver(design(name), Interpreted(design(name)))
        driver.set_up(chip, user)
        answers.append((driver.press(place), driver.stones(), driver.is_over, driver.has_won))
    assert answers[0] == answers[1]
    assert answers[0][0] > 10


def test_a_chip_that_has_lost_plays_on_and_sees_the_end() -> None:
    """On 4×3 with three in a row: two threats at once, of which one is parried."""
    name = "search2026:game=mnk:4,3,3"
    driver = playing_driver(design(name), Interpreted(design(name)))
    points = {point: number for number, point in enumerate(driver.layout.points)}
    user, chip = (sum(1 << points[point] for point in side) for side in (("b1", "c1"), ("a2", "d2", "b3")))
    driver.set_up(chip, user)
    driver.press(points["c2"])
    stones = driver.stones()
    assert (stones[0] & ~chip).bit_count() == 1
    for point in ("a1", "d1", "c3"):
        if not (stones[0] | stones[1]) >> points[point] & 1:
            driver.press(points[point])
            break
    assert (driver.is_over, driver.has_won) == (True, False)
