"""What can be wrong with what a person wrote: one named error each, each message naming the culprit."""

__all__ = [
    "IllegalMoveError",
    "IllegalPositionError",
    "NotationError",
    "NoughtsError",
    "UnknownGameError",
    "UnknownPointError",
]


class NoughtsError(ValueError):
    """Something asked of Noughts that it cannot do; the message says what was wrong and what was expected."""


class UnknownGameError(NoughtsError):
    """A game that is not in the catalogue, or an option or size its rules do not have."""


class NotationError(NoughtsError):
    """Text that is not a move or a position of the game at all."""


class UnknownPointError(NotationError, KeyError):
    """A point that the board does not have; a KeyError, too, as `board["z9"]` raises one by custom."""

    __str__ = Exception.__str__  # that of KeyError puts the message in quotes


class IllegalPositionError(NoughtsError):
    """A well-formed position that no game can contain."""


class IllegalMoveError(NoughtsError):
    """A well-formed move that the rules do not allow in this position."""
