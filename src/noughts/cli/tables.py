"""The commands that make and check tables: `solve` and `check` for the games that have them."""

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import typer
from rich.table import Table

from noughts.cli.output import console, emit, note, progress_bar
from noughts.games import Game

if TYPE_CHECKING:
    from noughts.solve import Subspace
    from noughts.solve.morris.check import Verified
    from noughts.solve.value import Value

__all__ = ["check_table", "is_table", "solve_tables"]


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
    """Solve a morris game once all stones are placed, into a table or only for the counts."""
    from noughts.solve.morris.making import Making, Wanted  # noqa: PLC0415  loads the compiler

    making = Making(Wanted(game, upto, out, device, cluster, check, book))
    for line in making.notes:
        note(line)
    began = perf_counter()
    try:
        with progress_bar(f"solving {game.name}") as progress:
            making.solve(progress)
        if making.plies:
            with progress_bar(f"solving the placing phase of {game.name}") as progress:
                making.make_book(progress)
    except KeyboardInterrupt:
        kept = making.kept()
        if kept:
            note(kept)
        raise
    _report(game, making.rows(), making.start(), perf_counter() - began, json)


def check_table(path: Path, sample: int | None, json: bool, device: str = "cpu") -> None:
    """Work out every value of a table from its successors, and some of its book; the exit code is 1 if one is wrong."""
    from noughts.solve.morris import making  # noqa: PLC0415  loads the compiler
    from noughts.solve.morris.store import Store  # noqa: PLC0415  loads Zarr

    began = perf_counter()
    store = Store.open(path)
    with progress_bar(f"checking {path.name}") as progress:
        found = making.check_table(store, sample, device, progress)
    _say_verdict(path, store.game, sample, found, perf_counter() - began, json)
    if found.first_wrong is not None:
        raise typer.Exit(1)


def is_table(path: Path) -> bool:
    """Whether `noughts check` is asked about a table, not about a proof."""
    return path.is_dir()


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
