"""How nine places of two bits are read: the vocabulary of all parts."""

from amaranth.hdl import Cat, Value

__all__ = ["PLACES", "occupied", "stones_of"]

PLACES = 9


def stones_of(board: Value, side: int) -> Value:
    """The stones of the machine (0) or of the user (1), a bit a place."""
    return Cat(board[2 * place + side] for place in range(PLACES))


def occupied(board: Value) -> Value:
    """Which places have a stone, a bit a place."""
    return stones_of(board, 0) | stones_of(board, 1)
