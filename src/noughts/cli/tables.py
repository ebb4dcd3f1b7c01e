"""The commands that make and check tables: `solve` and `check` for the games that have them."""

from functools import partial
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import typer
from rich.table import Table

from noughts.cli.output import console, emit, note, progress_bar
from noughts.games import Game, NoughtsError

if TYPE_CHECKING:
    from noughts.solve import Progress, Subspace
    from noughts.solve.morris.store import Solver, Store
    from noughts.solve.morris.verify import Verified
    from noughts.solve.value import Value

__all__ = ["check_table", "is_table", "solve_tables"]

OVERHEAD = 500_000_000
"""Bytes for the program, its compiler and the index."""
SEARCHED = 5
"""Stones in hand from which a search reaches the tables while somebody waits: a book goes so far."""


def solve_tables(
    game: Game,
    out: Path | None,
    upto: int | None,
    json: bool,
    *,
    device: str = "cpu",
    cluster: str | None = None,
    check: bool = False,
    book: int | None = None,
) -> None:
    """Solve a morris game once all stones are placed, into a table or only for the counts.

    A table that is whole gets a book of the first plies of the placing phase: from its end a search reaches the tables
    at once. `book` says of how many plies; 0 is none.
    """
    from noughts.solve.morris.retrograde import FEWEST  # noqa: PLC0415  loads the compiler

    stones = game.rules.stones[0]
    most = stones if upto is None else upto
    if not FEWEST <= most <= stones:
        raise NoughtsError(f"{upto} is not a number of stones a side in {game.name}: expected {FEWEST} to {stones}")
    if book and (out is None or most < stones):
        raise NoughtsError(f"--book {book} takes all stones and a place to keep it: expected --out DIR, and no --upto")
    if device == "cpu":
        check_memory(game, most, memory_available())
    plies = 0 if out is None or most < stones else _plies_of_book(game, out, device, book)
    solver = _solver(game, most, device, cluster, out, check)
    began = perf_counter()
    if out is None:
        with progress_bar(f"solving {game.name}") as progress:
            rows = [solved.summary() for solved in solver(game, most, progress, None)]
    else:
        from noughts.solve.morris.store import Store, solve_into  # noqa: PLC0415  loads Zarr

        store = Store.create(out, game)
        try:
            with progress_bar(f"solving {game.name}") as progress:
                solve_into(store, most, progress, solver)
        except KeyboardInterrupt:
            note(f"{len(store.keys())} subspaces are kept in {str(out)!r}; the same command goes on from there")
            raise
        rows = [row for row in store.rows() if max(map(int, row.name.split("-"))) <= most]
        if plies:
            _add_book(store, plies, device)
    _report(game, rows, _start(game, out), perf_counter() - began, json)


def _plies_of_book(game: Game, out: Path, device: str, asked: int | None) -> int:
    """How many plies of a book are to be made: none if it is there, or, unless asked for, if memory is too little."""
    from noughts.solve.morris.book import FILE_NAME, Book  # noqa: PLC0415  loads NumPy
    from noughts.solve.morris.openings import bytes_needed  # noqa: PLC0415  loads the compiler

    plies = sum(game.rules.stones) - SEARCHED if asked is None else asked
    last = sum(game.rules.stones) - 1
    if plies > last:
        raise NoughtsError(f"--book {plies} is more than the placing phase of {game.name} has: expected 0 to {last}")
    path = out / FILE_NAME
    if plies == 0 or (path.exists() and Book(path, game).plies >= plies):
        return 0
    needed, there = bytes_needed(game) + OVERHEAD, memory_available()
    if device == "cpu" and there is not None and there < needed:
        expected = f"expected {needed / 1e9:.1f} GB to solve the placing phase of {game.name}"
        problem = f"{there / 1e9:.1f} GB of memory are available: {expected}"
        if asked is not None:
            raise NoughtsError(problem)
        note(f"the table will have no book: {problem}")
        return 0
    return plies


def _add_book(store: "Store", plies: int, device: str) -> None:
    """Solve the placing phase down to the empty board and keep the first plies beside the tables."""
    from noughts.solve.morris.book import FILE_NAME, make_book  # noqa: PLC0415  loads the compiler

    engine = None
    if device == "gpu":
        from noughts.solve.morris.openings_gpu import GpuLayers  # noqa: PLC0415

        engine = GpuLayers()
    with progress_bar(f"solving the placing phase of {store.game.name}") as progress:
        make_book(store.game, store.read, plies, store.folder / FILE_NAME, progress, engine)


def _start(game: Game, out: Path | None) -> "Value | None":
    """What the empty board is worth, if a book says so."""
    from noughts.solve.morris.book import book_of  # noqa: PLC0415  loads NumPy

    book = book_of(game, out)
    return None if book is None else book.value(game.start())


def _solver(game: Game, most: int, device: str, cluster: str | None, out: Path | None, check: bool) -> "Solver":
    """Whoever is to do the work."""
    from noughts.solve.morris.retrograde import solve_morris  # noqa: PLC0415

    if device not in ("cpu", "gpu"):
        raise NoughtsError(f"--device {device!r} is unknown: expected cpu or gpu")
    if cluster is not None:
        if device == "gpu" or check or out is None:
            raise NoughtsError(f"--cluster {cluster!r} fills a table on processors: expected --out DIR alone with it")
        from noughts.solve.morris.cluster import solve_on_cluster  # noqa: PLC0415

        rounds = out.with_name(f".{out.name}.rounds")
        return lambda game, most, progress, known: solve_on_cluster(game, most, cluster, rounds, progress, known)
    if device == "gpu":
        if find_spec("numba_cuda") is None:
            raise NoughtsError("--device gpu needs numba-cuda: expected pip install 'noughts[gpu]' to have been run")
        from noughts.solve.morris.gpu import Gpu  # noqa: PLC0415

        engine = Gpu()
        check_memory(game, most, engine.free_bytes(), "GPU memory")
        return partial(solve_morris, engine=engine, check=check)
    return partial(solve_morris, check=check)


def check_table(path: Path, sample: int | None, json: bool, device: str = "cpu") -> None:
    """Work out every value of a table from its successors, and some of its book; the exit code is 1 if one is wrong."""
    from noughts.solve.morris.book import FILE_NAME, Book  # noqa: PLC0415  loads NumPy
    from noughts.solve.morris.check_book import check_book  # noqa: PLC0415
    from noughts.solve.morris.store import Store  # noqa: PLC0415  loads the compiler
    from noughts.solve.morris.verify import Verified, verify  # noqa: PLC0415

    began = perf_counter()
    store = Store.open(path)
    if not store.keys():
        raise NoughtsError(f"{str(path)!r} holds no subspace yet: {store.how_to_make(store.game.rules.stones[0])}")
    with progress_bar(f"checking {path.name}") as progress:
        if device == "cpu":
            found = verify(store, sample, progress)
        else:
            found = Verified(*_check_on(device, store, progress), ())
    if found.first_wrong is None and (path / FILE_NAME).exists():
        with progress_bar(f"checking the book of {path.name}") as progress:
            compared, wrong = check_book(Book(path / FILE_NAME, store.game), store, progress)
        found = found._replace(checked=found.checked + compared, first_wrong=wrong)
    _say_verdict(path, store.game, sample, found, perf_counter() - began, json)
    if found.first_wrong is not None:
        raise typer.Exit(1)


def _check_on(device: str, store: "Store", progress: "Progress") -> tuple[int, str | None]:
    """The check of a whole table by another engine than the processor: how many values, and what is wrong."""
    from noughts.solve.morris.retrograde import WrongValueError  # noqa: PLC0415

    solver = _solver(store.game, store.most, device, None, None, check=True)
    try:
        for _ in solver(store.game, store.most, progress, store):
            pass
    except WrongValueError as error:
        return 0, str(error)
    return sum(row.slots for row in store.rows()), None


def is_table(path: Path) -> bool:
    """Whether `noughts check` is asked about a table, not about a proof."""
    return path.is_dir()


def check_memory(game: Game, most: int, there: int | None, kind: str = "memory") -> None:
    """Complain now if solving would need more memory than there is."""
    needed = memory_needed(game, most)
    if there is not None and there < needed:
        expected = f"expected {needed / 1e9:.1f} GB to solve {game.name} with up to {most} stones a side"
        raise NoughtsError(f"{there / 1e9:.1f} GB of {kind} are available: {expected}")


def memory_needed(game: Game, most: int) -> int:
    """The most bytes that solving holds at once.

    While a pair is solved there are three tables of each of its subspaces, and one of all others with as many stones in
    all or with one less.
    """
    from noughts.solve.morris.manifest import keys_upto, slots_of  # noqa: PLC0415  loads the compiler

    keys = keys_upto(most)
    size = {key: slots_of(game, key) for key in keys}
    peak = 0
    for mover, other in keys:
        kept = sum(size[key] for key in keys if sum(key) in (mover + other, mover + other - 1))
        pair = size[mover, other] + (size[other, mover] if mover != other else 0)
        peak = max(peak, kept + 2 * pair)
    return peak + OVERHEAD


def memory_available() -> int | None:
    """Bytes that this process may take: what the machine has left, or its limit if that is less; None if unsaid."""
    found = []
    try:
        words = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        found.append(int(words["MemAvailable"].split()[0]) * 1024)
    except (OSError, KeyError, ValueError):
        pass
    for name in ("memory.max", "memory/memory.limit_in_bytes"):
        try:
            found.append(int((Path("/sys/fs/cgroup") / name).read_text()))
        except (OSError, ValueError):
            continue
    return min(found, default=None)


def _report(game: Game, rows: list["Subspace"], start: "Value | None", seconds: float, json: bool) -> None:
    fields = ("slots", "positions", "wins", "losses", "draws")
    sums = {field: sum(getattr(row, field) for row in rows) for field in fields}
    if json:
        # The value of the empty board is a matter of placing, of which only a book tells.
        value = None if start is None else str(start.outcome)
        answer = {"game": game.name, "value": value, "remoteness": None, **sums, "seconds": round(seconds, 6)}
        emit({**answer, "subspaces": [{**row._asdict(), "seconds": round(row.seconds, 6)} for row in rows]})
        return
    heads = ("stones", "positions", "wins", "draws", "losses", "longest win", "longest loss", "seconds")
    table = Table(*heads, box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    for row in rows:
        counts = [f"{count:,}" for count in (row.positions, row.wins, row.draws, row.losses)]
        deepest = ["" if plies is None else str(plies) for plies in (row.deepest_win, row.deepest_loss)]
        table.add_row(row.name, *counts, *deepest, f"{row.seconds:.1f}")
    out = console()
    out.print(table)
    out.print(f"{game.name}, all stones placed: {sums['positions']:,} positions, {seconds:.2f} s")
    if start is not None:
        out.print(f"the empty board: {start}")


def _say_verdict(path: Path, game: Game, sample: int | None, found: "Verified", seconds: float, json: bool) -> None:
    if json:
        answer = {"file": str(path), "game": game.name, "right": found.first_wrong is None, "checked": found.checked}
        answer |= {"sample": sample, "first_wrong": found.first_wrong, "unchecked": list(found.unchecked)}
        emit({**answer, "seconds": round(seconds, 3)})
        return
    if found.unchecked:
        note(f"not checked, since their successors are not there yet: {', '.join(found.unchecked)}")
    if found.first_wrong is not None:
        print(f"wrong: {found.first_wrong}")
    else:
        print(f"right: {found.checked:,} values follow from their successors")
