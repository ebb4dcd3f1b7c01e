"""What a table says of one position and of its moves, read block by block.

A table holds, for every position with empty hands, one byte: 255 for a draw, else plies, odd for a win of the side to
move. They are the plies *to the winner's next capture or to the end*; the loser's captures do not end the count. So the
remoteness of a value from a table is not the length of the game: after the winner's capture the count begins anew, with
fewer stones. For the same reason a capture that keeps a win is worth a win in 1, whatever comes after it.

All quiet moves lead to positions in one block, that of the stones that stay where they are; captures lead to one block
for every stone that may be captured. These are all that is read, and the latest are kept.
"""

from threading import Lock
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game, NoughtsError, Outcome, Position
from noughts.solve.morris.numbering import Numbering, numbering_of
from noughts.solve.solution import Rated
from noughts.solve.value import DRAWN, UNKNOWN, Value

__all__ = ["BlockSource", "Lookup", "NotPlacedError", "Probe", "before"]

DRAW = 255
FEWEST = 3
KEPT_LEADS = 4096
"""Sets whose class is remembered."""
KEPT_BYTES = 32 << 20
"""How much of a table is kept in memory, in blocks: a search comes back to the same few hundred."""

LOST = Value(Outcome.LOSS, 0)
_VALUES = [Value(Outcome.WIN if byte % 2 else Outcome.LOSS, byte) for byte in range(DRAW)] + [DRAWN]


class NotPlacedError(NoughtsError):
    """A position with stones in hand, where only placed stones are known."""


class BlockSource(Protocol):
    """A table, wherever it is kept."""

    def has(self, key: tuple[int, int], /) -> bool:
        """Whether the subspace with so many stones of the mover and so many of the other side is there."""

    def block(self, mover: int, other: int, number: int, /) -> bytes | memoryview | NDArray[np.uint8]:
        """The bytes of one block of the table by the mover."""


def before(value: Value, captures: bool) -> Value:
    """What a move is worth, by what the position after it is worth to the opponent."""
    if captures and value.outcome is Outcome.LOSS:
        return Value(Outcome.WIN, 1)
    return value.before()


class Lookup:
    """Single positions of a source, with the blocks that were read last."""

    def __init__(self, source: BlockSource, numbering: Numbering) -> None:
        self.source = source
        self.numbering = numbering
        self._leads: dict[int, tuple[int, int, int]] = {}
        self._kept: dict[tuple[int, int, int], bytes] = {}
        self._bytes = 0
        self._lock = Lock()

    def byte(self, own: int, other: int) -> int | None:
        """The byte of a position, by the stones of the side to move and of the other; None if it is not there."""
        key = (own.bit_count(), other.bit_count())
        if not self.source.has(key):
            return None
        lead, symmetry, number = self._leads.get(own) or self._lead(own)
        place = self.numbering.rank_beside(self.numbering.image(symmetry, other), lead)
        block = self._kept.get((*key, number)) or self._read((*key, number))
        return block[place]

    def _lead(self, own: int) -> tuple[int, int, int]:
        """The representative of a set, the symmetry to it, and the number of its class."""
        lead, symmetry = self.numbering.lead(own)
        if len(self._leads) >= KEPT_LEADS:
            self._leads.clear()
        found = self._leads[own] = (lead, symmetry, self.numbering.class_of(lead))
        return found

    def _read(self, key: tuple[int, int, int]) -> bytes:
        """A block, copied out of whatever the source has read with it; the oldest are forgotten."""
        block = bytes(self.source.block(*key))
        with self._lock:
            self._bytes += len(block) - len(self._kept.pop(key, b""))
            self._kept[key] = block
            while self._bytes > KEPT_BYTES and len(self._kept) > 1:
                self._bytes -= len(self._kept.pop(next(iter(self._kept))))
        return block


class Probe:
    """Looks positions with empty hands up in a table."""

    def __init__(self, source: BlockSource, game: Game) -> None:
        self.game = game
        self.lookup = Lookup(source, numbering_of(game.layout))

    def value(self, position: Position) -> Value:
        """What a position is worth to the player to move; `unknown` where the table does not reach.

        The remoteness counts to the winner's next capture or to the end.
        """
        if position.hand != (0, 0):
            raise NotPlacedError(
                f"{self.game.write(position)!r} has stones in hand: expected a position with all stones placed"
            )
        own, other = position.stones[position.turn], position.stones[1 - position.turn]
        if own.bit_count() < FEWEST:
            return LOST
        byte = self.lookup.byte(own, other)
        return UNKNOWN if byte is None else _VALUES[byte]

    def moves(self, position: Position) -> list[Rated]:
        """All moves, best first; among captures that win, those after which the next capture is near."""
        rated = []
        for move in self.game.moves(position):
            after = self.game.after(position, move)
            value = self.value(after)
            rated.append((Rated(move, before(value, move.capture is not None), after), value.before().preference()))
        rated.sort(key=lambda one: (one[0].value.preference(), one[1]), reverse=True)
        return [one for one, _ in rated]
