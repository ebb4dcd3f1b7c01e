"""How fast morris is solved, checked and looked up: the processor's cores and a GPU side by side, in one run.

The part of nine men's morris with at most five stones a side is solved, 67 million slots; smaller subspaces first, once
more, so that compiling is not measured. A table of up to four stones is then checked and probed; the user's own is
probed too, if it is whole.
"""

import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from numba import cuda

from noughts.games import Game, Position
from noughts.games import game as find_game
from noughts.games.points import point_set
from noughts.solve.morris.making import solve_into
from noughts.solve.morris.processor import Processor
from noughts.solve.morris.retrograde import Engine, solve_morris
from noughts.solve.morris.subspaces import FEWEST
from noughts.solve.morris.table import open_table
from noughts.solve.morris.verify import verify
from noughts.solve.solution import Progress
from noughts.solve.store import Store
from noughts.solve.tables import Table, table_for

__all__ = ["bench_morris"]

MOST = 5
TABLE = 4
PROBES = 200

Row = dict[str, Any]


def bench_morris(progress: Progress) -> list[Row]:
    """Slots solved and checked a second, and the time to look all moves of a position up."""
    nine = find_game("nine-mens-morris")
    cores = os.cpu_count() or 1
    engines: dict[str, Callable[[], Engine]] = {"solve, 1 core": lambda: Processor(1)}
    if cores > 1:
        engines[f"solve, {cores} cores"] = lambda: Processor(cores)
    if cuda.is_available():  # type: ignore[no-untyped-call]
        engines["solve, GPU"] = _gpu
    rows: list[Row] = []
    for number, (what, engine) in enumerate(engines.items()):
        progress(number, len(engines) + 1)
        slots, seconds = _solve(nine, engine())
        rows.append(_row(what, slots, seconds))
        rows[-1]["ratio"] = round(rows[-1]["million/s"] / rows[0]["million/s"], 1)
    progress(len(engines), len(engines) + 1)
    with TemporaryDirectory() as name:
        folder = Path(name) / "table"
        store = Store.create(folder, nine)
        solve_into(store, TABLE)
        verify(store, 1)
        began = perf_counter()
        checked = verify(store).checked
        rows.append(_row(f"check, {cores} cores", checked, perf_counter() - began))
        rows += _probe(open_table(folder), nine, TABLE)
    whole = table_for(nine)
    if whole is not None and whole.complete:
        rows += _probe(whole, nine, nine.rules.stones[0])
    return rows


def _gpu() -> Engine:
    from noughts.solve.morris.gpu import Gpu  # noqa: PLC0415  needs a GPU

    return Gpu()


def _solve(game: Game, engine: Engine) -> tuple[int, float]:
    """Slots, and seconds of solving."""
    for _ in solve_morris(game, TABLE, engine=engine):
        pass
    rows = [one.summary() for one in solve_morris(game, MOST, engine=engine)]
    return sum(row.slots for row in rows), sum(row.seconds for row in rows)


def _probe(table: Table, game: Game, most: int) -> list[Row]:
    """Positions with up to so many stones a side: the first time, when chunks are read, and again."""
    random = Random(1)
    positions = []
    for _ in range(PROBES):
        own, other = random.randint(FEWEST, most), random.randint(FEWEST, most)
        places = random.sample(range(len(game.layout)), own + other)
        positions.append(Position((point_set(places[:own]), point_set(places[own:])), (0, 0), 0))
    rows = []
    for what in (f"all moves, up to {most} stones, first time", f"all moves, up to {most} stones, again"):
        times = []
        for position in positions:
            began = perf_counter()
            table.moves(position)
            times.append(perf_counter() - began)
        rows.append(_row(what, None, sorted(times)[PROBES // 2]))
    return rows


def _row(what: str, slots: int | None, seconds: float) -> Row:
    speed = None if slots is None else round(slots / seconds / 1e6, 1)
    return {"what": what, "slots": slots, "ms": round(seconds * 1000, 3), "million/s": speed, "ratio": None}
