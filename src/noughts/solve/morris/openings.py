"""The placing phase of a morris game, solved backwards: one layer a ply, from the last stone in hand to the first.

A game of placing cannot go round in circles, so a layer follows from the next one at once: a position is won if some
stone leads to a position that is lost for the opponent, lost if all lead to won ones. After the last stone come the
placed positions, which are solved before. Within a layer the positions are numbered as those are, subspace by subspace:
a placed stone leaves the other side's stones where they are, so that all quiet placings from a block of the other
side's set lead into one block of the next layer. A byte a position: 0 lost, 1 drawn, 2 won for the side to move.

How many stones a side may have lost by a ply is bounded: a mill needs three stones, so of p stones placed by the
opponent at most p − 2 closed one.

The first layers make a book (`noughts.solve.morris.book`), which `check_book` compares with what follows from it.
"""

import json
import os
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game, Outcome, Position
from noughts.solve.morris.book import CHUNK, FORMAT, Book, BookError
from noughts.solve.morris.kernel import Captures, PlacingWork
from noughts.solve.morris.numbering import blocks_of, combinations, index_of, sets_of
from noughts.solve.morris.processor import Processor
from noughts.solve.morris.subspaces import Key, slots_of
from noughts.solve.morris.table import BlockSource, Placing
from noughts.solve.solution import Progress
from noughts.solve.value import UNKNOWN, Value

__all__ = ["Layer", "Placer", "bytes_needed", "check_book", "layers", "make_book", "subspaces_at"]

GAMES = 10
"""For every ply, so many games at random lead to positions by which a book is checked."""
SEED = 1
MOST_NODES = 1_000_000
"""Positions that a search may look at to check one of a book."""

Bytes = NDArray[np.uint8]

_NOTHING = np.zeros(1, np.uint8)


class Layer(NamedTuple):
    """All positions after so many plies, by the stones of the side to move and of the other on the board."""

    ply: int
    outcomes: dict[Key, Any]
    """By the mover's set, in the memory of the engine."""


class Placer(Protocol):
    """What an engine offers to the placing phase: the processor and the GPU do, a cluster does not."""

    def outcomes(self, values: Bytes, /) -> Any:
        """Bytes of plies as outcomes, in the engine's memory."""

    def place(self, work: PlacingWork, slots: int, /) -> Any:
        """The outcomes by the mover of a subspace of a layer, so many bytes."""

    def host(self, array: Any, /) -> Bytes:
        """An array as NumPy has it."""


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
    engine: Placer | None = None,
    progress: Progress | None = None,
) -> Iterator[Layer]:
    """The layers from the last stone in hand to the empty board; `read` gives the values of the placed positions.

    A layer's subspaces are dropped from it while the layer before it is made: there is memory for hardly more than one.
    """
    engine = engine or Processor()
    following: dict[Key, Any] = {}
    done, total = 0, sum(slots_of(game, key) for ply in _plies(game) for key in subspaces_at(game, ply))

    def after(key: Key) -> Any:
        if key not in following:
            following[key] = engine.outcomes(read(*key))
        return following[key]

    for ply in _plies(game):
        outcomes: dict[Key, Any] = {}
        for mover, keys in groupby(subspaces_at(game, ply), key=lambda key: key[0]):
            for key in keys:
                if progress:
                    progress(done, total)
                outcomes[key] = engine.place(_work(game, ply, key, after), slots_of(game, key))
                done += slots_of(game, key)
            for used in [key for key in following if key[1] == mover + 1]:
                del following[used]
        yield Layer(ply, outcomes)
        following = outcomes


def bytes_needed(game: Game) -> int:
    """The most bytes that `layers` holds at once, with those of a subspace that is being read."""
    most = 0
    following: dict[Key, int] = {}
    for ply in _plies(game):
        outcomes: dict[Key, int] = {}
        for mover, keys in groupby(subspaces_at(game, ply), key=lambda key: key[0]):
            for key in keys:
                for needed in filter(None, _leads_to(game, ply, key)):
                    following.setdefault(needed, slots_of(game, needed))
                outcomes[key] = slots_of(game, key)
                most = max(most, sum(following.values()) + sum(outcomes.values()) + max(following.values()))
            for used in [key for key in following if key[1] == mover + 1]:
                del following[used]
        following = outcomes
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
    quiet, capture = _leads_to(game, ply, key)
    lesser = sets_of(layout, capture[0] if capture else other)
    return PlacingWork(
        by_mover=None,
        closed=None,
        size=len(combinations(points - mover, other)),
        words=combinations(points - other, mover),
        after=combinations(points - other, mover + 1),
        following=following(quiet),
        mills=mover >= 2 and other > 0,
        captures=Captures(
            _wins(game, ply, other),
            following(capture) if capture else _NOTHING,
            len(combinations(points - lesser.stones, mover + 1)),
            lesser,
        ),
        blocks=blocks_of(layout, other),
        movers=sets_of(layout, mover),
        ranking=index_of(layout),
    )


def make_book(
    game: Game,
    read: Callable[[int, int], Bytes],
    plies: int,
    path: Path,
    progress: Progress | None = None,
    engine: Placer | None = None,
) -> Book:
    """Solve the placing phase from the values of all placed positions, and write what the first plies are worth.

    `read` gives the values by the mover of a subspace; the book holds the positions after 0 to `plies` plies. The
    engine is the processor, unless another is given.
    """
    last = sum(game.rules.stones) - 1
    if not 0 <= plies <= last:
        raise BookError(f"a book of {plies} plies of {game.name}: expected 0 to {last}")
    rows: list[dict[str, Any]] = []
    packed: list[bytes] = []
    engine = engine or Processor()
    for layer in layers(game, read, engine, progress):
        if layer.ply <= plies:
            for (mover, other), outcomes in layer.outcomes.items():
                chunks = _pack(engine.host(outcomes))
                packed += chunks
                row = {"ply": layer.ply, "mover": mover, "other": other, "slots": len(outcomes)}
                rows.append({**row, "chunks": list(map(len, chunks))})
    header = {"format": FORMAT, "game": game.name, "plies": plies, "tables": rows}
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            file.write(json.dumps(header).encode() + b"\n")
            file.writelines(packed)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        raise BookError(f"the book {str(path)!r} cannot be written: {error.strerror}; expected more room") from error
    finally:
        beside.unlink(missing_ok=True)
    return Book(path, game)


def _pack(outcomes: Bytes) -> list[bytes]:
    """The chunks, compressed by all cores."""
    pieces = (outcomes[start : start + CHUNK].tobytes() for start in range(0, len(outcomes), CHUNK))
    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        return list(pool.map(zlib.compress, pieces))
    finally:
        pool.shutdown(cancel_futures=True)


def check_book(book: Book, source: BlockSource, progress: Progress | None = None) -> tuple[int, str | None]:
    """Read every chunk of a book, and compare positions at random: how many, and the first thing that is wrong.

    A position with more stones to come within the book must be worth what its best move is worth by the book. One at
    the end of the book must be worth what a search finds that reaches the placed positions.
    """
    try:
        book.check()
    except BookError as error:
        return 0, str(error)
    random, compared = Random(SEED), 0
    # One search for all: what it has found of one position it remembers for the next.
    placing = Placing(source, book.game)
    for ply in range(book.plies + 1):
        if progress:
            progress(ply, book.plies + 1)
        for _ in range(GAMES):
            position = _after(book.game, ply, random)
            if book.game.over(position) is not None:
                continue
            compared += 1
            said, expected = book.value(position), _expected(book, placing, position, ply)
            if said != expected:
                return compared, f"{book.game.write(position)!r} is {said} in the book, expected {expected}"
    return compared, None


def _after(game: Game, ply: int, random: Random) -> Position:
    """A position after so many plies at random, or after fewer if the game is over."""
    position = game.start()
    for _ in range(ply):
        if game.over(position) is not None:
            break
        position = game.after(position, random.choice(game.moves(position)))
    return position


def _expected(book: Book, placing: Placing, position: Position, ply: int) -> Value:
    """What a position is worth by what follows from it."""
    game = book.game
    if ply == book.plies:
        return Value(placing.value(position, MOST_NODES).outcome)
    values = []
    for move in game.moves(position):
        after = game.after(position, move)
        lost = game.over(after) is Outcome.LOSS
        values.append((Value(Outcome.LOSS) if lost else book.value(after) or UNKNOWN).before())
    return max(values, key=Value.preference)
