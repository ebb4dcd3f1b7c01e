"""The placing phase of a morris game, solved backwards: one layer a ply, from the last stone in hand to the first.

A game of placing cannot go round in circles, so a layer follows from the next one at once: a position is won if some
stone leads to a position that is lost for the opponent, lost if all lead to won ones. The layer after the last stone is
the table of the placed positions. Within a layer the positions are numbered as in the tables, subspace by subspace: a
placed stone leaves the other side's stones where they are, so that all quiet placings from a block of the other side's
set lead into one block of the next layer. A byte a position: 0 lost, 1 drawn, 2 won for the side to move.

How many stones a side may have lost by a ply is bounded: a mill needs three stones, so of p stones placed by the
opponent at most p − 2 closed one.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby, pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game
from noughts.solve.morris.blocks import Blocks, blocks_of
from noughts.solve.morris.compiled import compiled
from noughts.solve.morris.index import combinations, index_of, sets_of
from noughts.solve.morris.kernel import DRAW, Movers, Tables, functions
from noughts.solve.morris.manifest import slots_of
from noughts.solve.morris.openings_kernel import DRAWN, LOST, WON, Captures, placing_functions
from noughts.solve.solution import Progress

__all__ = ["Engine", "Layer", "PlacingWork", "ProcessorLayers", "layers", "subspaces_at"]

PARTS = 8
"""Into how many parts a sweep is cut for every core."""

Bytes = NDArray[np.uint8]
Key = tuple[int, int]


class Layer(NamedTuple):
    """All positions after so many plies, by the stones of the side to move and of the other on the board."""

    ply: int
    tables: dict[Key, Any]
    """By the mover's set, in the memory of the engine."""


class PlacingWork(NamedTuple):
    """What it takes to solve a subspace of a layer."""

    slots: int
    """Of the table by the mover."""
    size: int
    """Bytes of a block of it."""
    words: NDArray[np.uint32]
    """The mover's sets beside the other side's, before a stone is placed."""
    after: NDArray[np.uint32]
    """And after."""
    following: Any
    """The next layer's table that quiet stones lead to, by the set of the side that is then to move."""
    mills: bool
    """Whether the mover has stones enough to close one."""
    captures: Captures
    blocks: Blocks
    movers: Movers
    ranking: Tables


class Engine(Protocol):
    """Whoever does the work: the processor, or a GPU."""

    def outcomes(self, table: Bytes, /) -> Any:
        """Bytes of plies as outcomes, in the engine's memory."""

    def place(self, work: PlacingWork, /) -> Any:
        """The table by the mover of a subspace of a layer."""

    def host(self, table: Any, /) -> Bytes:
        """A table in the memory of this process."""


def subspaces_at(game: Game, ply: int) -> list[Key]:
    """The numbers of stones on the board, of the side to move and of the other, that can occur after so many plies.

    Without those in which a side owns too few stones to go on.
    """
    placed = ((ply + 1) // 2, ply // 2)
    turn = ply % 2
    owned = [
        range(max(fewest, placed[side] - max(0, placed[1 - side] - 2)), placed[side] + 1)
        for side in (turn, 1 - turn)
        for fewest in [game.rules.fewest - (game.rules.stones[side] - placed[side])]
    ]
    return [(mover, other) for mover in owned[0] for other in owned[1]]


def layers(
    game: Game,
    read: Callable[[int, int], Bytes],
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> Iterator[Layer]:
    """The layers from the last stone in hand to the empty board; `read` gives the tables of the placed positions.

    A layer's tables are dropped from it while the layer before it is made: there is memory for hardly more than one.
    """
    engine = engine or ProcessorLayers()
    following: dict[Key, Any] = {}
    done, total = 0, sum(slots_of(game, key) for ply in _plies(game) for key in subspaces_at(game, ply))

    def after(key: Key) -> Any:
        if key not in following:
            following[key] = engine.outcomes(read(*key))
        return following[key]

    for ply in _plies(game):
        tables: dict[Key, Any] = {}
        for mover, keys in groupby(subspaces_at(game, ply), key=lambda key: key[0]):
            for key in keys:
                if progress:
                    progress(done, total)
                tables[key] = engine.place(_work(game, ply, key, after))
                done += slots_of(game, key)
            for used in [key for key in following if key[1] == mover + 1]:
                del following[used]
        yield Layer(ply, tables)
        following = tables


def bytes_needed(game: Game) -> int:
    """The most bytes that `layers` holds at once, with those of a table that is being read."""
    most = 0
    following: dict[Key, int] = {}
    for ply in _plies(game):
        tables: dict[Key, int] = {}
        for mover, keys in groupby(subspaces_at(game, ply), key=lambda key: key[0]):
            for key in keys:
                for needed in filter(None, _leads_to(game, ply, key)):
                    following.setdefault(needed, slots_of(game, needed))
                tables[key] = slots_of(game, key)
                most = max(most, sum(following.values()) + sum(tables.values()) + max(following.values()))
            for used in [key for key in following if key[1] == mover + 1]:
                del following[used]
        following = tables
    return most


def _plies(game: Game) -> range:
    """The plies of the placing phase, the last first."""
    return range(sum(game.rules.stones) - 1, -1, -1)


def _leads_to(game: Game, ply: int, key: Key) -> tuple[Key, Key | None]:
    """Where a quiet stone leads in the next layer, and where a capture does, if the game can go on after one."""
    mover, other = key
    goes_on = mover >= 2 and other > 0 and not _wins(game, ply, other)
    return (other, mover + 1), (other - 1, mover + 1) if goes_on else None


def _wins(game: Game, ply: int, other: int) -> bool:
    """Whether a capture leaves the other side too few stones, on the board and in hand."""
    side = 1 - ply % 2
    in_hand = game.rules.stones[side] - (ply + 1 - side) // 2
    return other + in_hand - 1 < game.rules.fewest


def _work(game: Game, ply: int, key: Key, following: Callable[[Key], Any]) -> PlacingWork:
    mover, other = key
    layout, points = game.layout, len(game.layout)
    index = index_of(layout)
    quiet, capture = _leads_to(game, ply, key)
    if capture:
        lesser, table = sets_of(layout, capture[0]), following(capture)
    else:
        lesser, table = sets_of(layout, other), _NOTHING
    own = sets_of(layout, mover)
    size = len(combinations(points - mover, other))
    beyond = len(combinations(points - lesser.stones, mover + 1))
    return PlacingWork(
        len(own.representatives) * size,
        size,
        combinations(points - other, mover),
        combinations(points - other, mover + 1),
        following(quiet),
        mover >= 2 and other > 0,
        Captures(_wins(game, ply, other), table, beyond, lesser.representatives, lesser.class_of, lesser.symmetry_of),
        blocks_of(layout, other),
        Movers(own.representatives, own.class_of, own.symmetry_of, own.keepers),
        Tables(*index[1:]),
    )


_NOTHING = np.zeros(1, np.uint8)
_OUTCOMES = np.where(np.arange(256) == DRAW, DRAWN, np.where(np.arange(256) % 2 == 1, WON, LOST)).astype(np.uint8)

_do = functions(compiled)
_spread = _do.spread
_placing = placing_functions(compiled, _do)
_capture, _best_stone = _placing.capture, _placing.best_stone


class ProcessorLayers:
    """Works in the memory of this process; all cores share out the blocks."""

    def __init__(self, cores: int | None = None) -> None:
        self.cores = cores or os.cpu_count() or 1

    def outcomes(self, table: Bytes) -> Bytes:
        """Bytes of plies as outcomes."""
        return _OUTCOMES[table]

    def host(self, table: Bytes) -> Bytes:
        """The same."""
        return table

    def place(self, work: PlacingWork) -> Bytes:
        """The table by the mover of a subspace of a layer."""
        by_mover = np.full(work.slots, DRAWN, np.uint8)
        blocks, rest = len(work.blocks.sets), tuple[Any, ...](work[1:])
        cuts = np.linspace(0, blocks, 1 + min(blocks, PARTS * self.cores)).astype(int).tolist()
        with ThreadPoolExecutor(self.cores) as pool:
            rooms = [np.zeros(len(work.after), np.uint8) for _ in cuts[1:]]
            parts = [
                pool.submit(_place, first, last, room, by_mover, *rest)
                for (first, last), room in zip(pairwise(cuts), rooms, strict=True)
            ]
            for part in parts:
                part.result()
        return by_mover


@compiled
def _place(
    first: int,
    last: int,
    closed: Bytes,
    by_mover: Bytes,
    size: int,
    words: NDArray[np.uint32],
    after: NDArray[np.uint32],
    following: Bytes,
    mills: bool,
    captures: Captures,
    blocks: Blocks,
    movers: Movers,
    tables: Tables,
) -> None:
    """Decide every position of a range of blocks; `closed` is room for what mills bring in a block."""
    for block in range(first, last):
        if mills:
            for number in range(len(after)):
                closed[number] = _capture(after[number], block, blocks, captures, tables)
        quiet = following[block * len(after) : (block + 1) * len(after)]
        for word in words:
            best = _best_stone(word, block, blocks, closed, quiet, tables)
            if best != DRAWN:
                _spread(best, word, block, blocks, movers, by_mover, size, tables)
