"""Games at the pins of a chip, whatever game it is made for."""

from noughts.games import Move, Position
from noughts.silicon.driver import Driver

__all__ = ["MANY", "user_moves", "user_position"]

MANY = 20
"""Moves of a user after which a game that may go on for ever has gone on for long enough."""


def user_moves(driver: Driver) -> list[Move]:
    """What the user may do now, by the rules."""
    return driver.game.moves(user_position(driver))


def user_position(driver: Driver) -> Position:
    """The position in which the user is to move, who has as many stones as the chip, or begins second."""
    chip, user = driver.stones()
    user_first = chip.bit_count() == user.bit_count()
    stones = (user, chip) if user_first else (chip, user)
    x, o = (count - held.bit_count() for count, held in zip(driver.game.rules.stones, stones, strict=True))
    return Position(stones, (x, o), 0 if user_first else 1)
