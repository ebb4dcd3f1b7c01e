"""The command `solve`, and what `check` does with a table.

Small games are solved in memory, in seconds; larger boards in layers, in minutes, and the morris games in minutes to
hours, both into a table on disk if one is wanted.
"""

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli.arguments import GameName, Json, named_path, whole_number
from noughts.cli.output import counted, emit, note, print_columns, progress_bar
from noughts.extras import installed, need
from noughts.games import Game, NoughtsError
from noughts.games import game as find_game
from noughts.solve import Solution, TooLargeError
from noughts.solve import solve as solve_game
from noughts.solve.small import PLAIN, check_rules, solvable
from noughts.solve.subspaces import MILLED, MOST_POINTS, MOST_WEIGHED, layered, milled, weighed

if TYPE_CHECKING:
    from noughts.solve import Subspace
    from noughts.solve.value import Value
    from noughts.solve.verify import Verified

__all__ = ["check_table", "is_table", "solve", "solve_in_layers", "solve_outcomes", "solve_tables"]


def solve(
    name: GameName,
    check: Annotated[bool, typer.Option("--check", help="Then work out every value from its successors.")] = False,
    out: Annotated[
        Path | None, typer.Option(parser=named_path, metavar="DIR", help="Keep a table here, and go on with it.")
    ] = None,
    upto: Annotated[
        int | None, typer.Option(parser=whole_number(3, 12), help="Morris: all stones placed, most of them a side.")
    ] = None,
    device: Annotated[str, typer.Option(help="Of layers and morris: cpu or gpu.")] = "cpu",
    cluster: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Likewise: a Ray cluster, or local.")] = None,
    json: Json = False,
) -> None:
    """Work out the value of every position of a game.

    Of the morris games, with stones in hand and without; with --upto N, without and with at most N a side.
    For example: noughts solve square4 --check, noughts solve mnk:5,5,4 --out tables/mnk:5,5,4,
    noughts solve mnk:7,4,4 --device gpu, noughts solve six-mens-morris,
    noughts solve nine-mens-morris --upto 9 --out tables/nine-mens-morris
    """
    game = find_game(name)
    if game.rules.captures:
        if not milled(game):
            raise NoughtsError(f"{game.name!r} cannot be solved with a table: expected {MILLED}")
        solve_tables(game, out, upto, json, device=device, cluster=cluster, check=check)
        return
    if upto is not None:
        raise NoughtsError(
            f"--upto is for the morris games, not for {game.name!r}: expected nine-mens-morris or another"
        )
    check_rules(game)
    if weighed(game):
        solve_outcomes(game, out, json, check=check, device=device, cluster=cluster)
        return
    checked_in_layers = check and game.placing_only and len(game.layout) > PLAIN and installed("numba")
    if out is not None or device != "cpu" or cluster is not None or checked_in_layers or not solvable(game):
        solve_in_layers(game, out, json, check=check, device=device, cluster=cluster)
        return
    began = perf_counter()
    with progress_bar(f"solving {game.name}") as progress:
        solution = solve_game(game, progress)
    seconds = perf_counter() - began
    if check:
        _check(solution)
    _say(game, solution.value(game.start()), solution.subspaces, seconds, json=json, check=check)


def _say(
    game: Game,
    start: "Value",
    spaces: Sequence["Subspace"],
    seconds: float,
    *,
    json: bool,
    check: bool,
    timed: bool = False,
    first_moves: dict[str, str] | None = None,
) -> None:
    """The answer of a game that is solved whole."""
    if json:
        emit(
            {
                "game": game.name,
                "value": str(start.outcome),
                "remoteness": start.remoteness,
                **_sums(spaces),
                **({"checked": True} if check else {}),
                **({"first_moves": first_moves} if first_moves else {}),
                "seconds": round(seconds, 6),
                "subspaces": _fields(spaces),
            }
        )
        return
    _print_subspaces(spaces, timed=timed)
    positions = counted(_sums(spaces)["positions"], "position")
    print(f"{game.name}: {start} for the first player; {positions}, {seconds:.2f} s")
    _print_first_moves(first_moves or {})


def solve_in_layers(
    game: Game,
    out: Path | None,
    json: bool,
    *,
    check: bool = False,
    device: str = "cpu",
    cluster: str | None = None,
) -> None:
    """Solve a placing game layer by layer, into a table or only for the counts."""
    if not layered(game):
        large = "too large to solve completely" if game.placing_only else "not solved in layers"
        raise TooLargeError(
            f"{game.name} is {large}: expected a placing game of at most {MOST_POINTS} points, or a morris game"
        )
    need("numba", f"solving {game.name}")
    if out is not None:
        need("zarr", f"a table of {game.name}")
    from noughts.solve.layers.making import Making  # noqa: PLC0415  loads the compiler

    making = Making(game, out, check, device, cluster)
    began = perf_counter()
    try:
        with progress_bar(f"solving {game.name}") as progress:
            rows = making.solve(progress)
    except KeyboardInterrupt:
        if making.store is not None:
            note(making.store.kept())
        raise
    seconds = perf_counter() - began
    if check:
        note(f"checked: {sum(row.positions for row in rows):,} values follow from their successors")
    _say(game, making.start(rows), rows, seconds, json=json, check=check, timed=True)


def solve_outcomes(
    game: Game,
    out: Path | None,
    json: bool,
    *,
    check: bool = False,
    device: str = "cpu",
    cluster: str | None = None,
) -> None:
    """Solve a placing game for win, draw and loss alone, on a GPU."""
    points = f"{game.name} has {len(game.layout)} points"
    if device != "gpu" or cluster is not None:
        raise TooLargeError(
            f"{points}: expected at most {MOST_POINTS}, or --device gpu alone, which tells win, draw and loss "
            f"of up to {MOST_WEIGHED}"
        )
    if out is not None:
        raise NoughtsError(f"{points}, and a table has at most {MOST_POINTS}: expected no --out")
    need("numba_cuda", "--device gpu")
    from noughts.solve.layers.making import start_of  # noqa: PLC0415  loads the compiler
    from noughts.solve.layers.outcomes import solve_outcomes  # noqa: PLC0415  loads CUDA

    began = perf_counter()
    with progress_bar(f"solving {game.name}") as progress:
        found = solve_outcomes(game, progress, check)
    seconds = perf_counter() - began
    if check:
        note(f"checked: {sum(row.positions for row in found.rows):,} outcomes follow from their successors")
    moves = {game.layout.points[point]: str(worth) for point, worth in enumerate(found.first_moves)}
    start = start_of(found.rows[0], len(game.layout))
    _say(game, start, found.rows, seconds, json=json, check=check, timed=True, first_moves=moves)


def _check(solution: Solution) -> None:
    """The forward check, which never fails unless something is broken."""
    from noughts.solve.verify import verify  # noqa: PLC0415  needs NumPy

    with progress_bar(f"checking {solution.game.name}") as progress:
        checked, wrong = verify(solution, progress)
    if wrong is not None:
        text = solution.game.write(wrong.position)
        raise NoughtsError(f"{text!r} is stored as {wrong.stored}, expected {wrong.expected}")
    note(f"checked: {checked:,} values follow from their successors")


def solve_tables(
    game: Game,
    out: Path | None,
    upto: int | None,
    json: bool,
    *,
    device: str = "cpu",
    cluster: str | None = None,
    check: bool = False,
) -> None:
    """Solve a morris game, into a table or only for the counts."""
    need("zarr", f"a table of {game.name}")
    need("numba", f"a table of {game.name}")
    from noughts.solve.morris.making import Making, Wanted  # noqa: PLC0415  loads the compiler

    making = Making(Wanted(game, upto, out, device, cluster, check))
    began = perf_counter()
    try:
        with progress_bar(f"solving {game.name}") as progress:
            making.solve(progress)
    except KeyboardInterrupt:
        kept = making.kept()
        if kept:
            note(kept)
        raise
    moves = {point: str(value) for point, value in making.first_moves().items()}
    seconds, rows = perf_counter() - began, making.rows()
    if check:
        note(f"checked: {_sums(rows)['positions']:,} values follow from their successors")
    _report(game, rows, making.start(), moves, seconds, json=json, check=check)


def check_table(path: Path, sample: int | None, json: bool, device: str = "cpu") -> None:
    """Work out every value of a table from its successors; the exit code is 1 if one is wrong."""
    need("zarr", "a table")
    need("numba", "checking a table")
    from noughts.solve.store import Store  # noqa: PLC0415  loads Zarr

    began = perf_counter()
    store = Store.open(path)
    with progress_bar(f"checking {path.name}") as progress:
        if store.game.rules.captures:
            from noughts.solve.morris import making  # noqa: PLC0415  loads the compiler

            found = making.check_table(store, sample, device, progress)
        else:
            from noughts.solve.layers.check import verify_layers  # noqa: PLC0415  the same

            if device == "gpu":
                raise NoughtsError("--device gpu is for the morris games: expected cpu")
            if device != "cpu":
                raise NoughtsError(f"--device {device!r} is unknown: expected cpu")
            found = verify_layers(store, sample, progress)
    many = (len(store.keys()), len(store.form.order()))
    _say_verdict(path, store.game, sample, found, many, perf_counter() - began, json)
    if found.first_wrong is not None:
        raise typer.Exit(1)


def is_table(path: Path) -> bool:
    """Whether `noughts check` is asked about a table, not about a proof."""
    return path.is_dir()


def _report(
    game: Game,
    rows: list["Subspace"],
    start: "Value | None",
    moves: dict[str, str],
    seconds: float,
    *,
    json: bool,
    check: bool,
) -> None:
    """The answer of a morris game; `start` is None if only positions with empty hands were solved."""
    if json:
        value, remoteness = (None, None) if start is None else (str(start.outcome), start.remoteness)
        answer: dict[str, Any] = {"game": game.name, "value": value, "remoteness": remoteness, **_sums(rows)}
        answer |= {"checked": True} if check else {}
        answer |= {"first_moves": moves} if moves else {}
        emit({**answer, "seconds": round(seconds, 6), "subspaces": _fields(rows)})
        return
    _print_subspaces([row for row in rows if "+" not in row.name], timed=True)
    if start is not None:
        print()
        _print_subspaces(_by_stones_in_hand(rows), timed=True, what="in hand")
    positions = counted(_sums(rows)["positions"], "position")
    print(f"{game.name}{', all stones placed' if start is None else ''}: {positions}, {seconds:.2f} s")
    if start is not None:
        print(f"the empty board: {start}")
        _print_first_moves(moves)


def _print_first_moves(moves: dict[str, str]) -> None:
    """A line for all moves that are worth the same."""
    for value in dict.fromkeys(moves.values()):
        alike = [move for move, worth in moves.items() if worth == value]
        what = "every first move" if len(alike) == len(moves) else f"first moves {', '.join(alike)}"
        print(f"{what}: {value}")


def _by_stones_in_hand(rows: Sequence["Subspace"]) -> list["Subspace"]:
    """All subspaces with as many stones in hand, of both sides together, as one row."""
    found: dict[int, Subspace] = {}
    for row in rows:
        number = sum(map(int, row.name.partition("+")[2].split("-"))) if "+" in row.name else 0
        if number == 0:
            continue
        one = found.get(number)
        found[number] = row._replace(name=str(number)) if one is None else _together(one, row)
    return list(found.values())


def _together(one: "Subspace", other: "Subspace") -> "Subspace":
    """Two rows as one."""

    def deepest(*plies: int | None) -> int | None:
        return max((each for each in plies if each is not None), default=None)

    return one._replace(
        slots=one.slots + other.slots,
        positions=one.positions + other.positions,
        wins=one.wins + other.wins,
        losses=one.losses + other.losses,
        draws=one.draws + other.draws,
        deepest_win=deepest(one.deepest_win, other.deepest_win),
        deepest_loss=deepest(one.deepest_loss, other.deepest_loss),
        seconds=one.seconds + other.seconds,
    )


def _sums(rows: Sequence["Subspace"]) -> dict[str, int]:
    fields = ("slots", "positions", "wins", "losses", "draws")
    return {field: sum(getattr(row, field) for row in rows) for field in fields}


def _fields(rows: Sequence["Subspace"]) -> list[dict[str, Any]]:
    return [{**row._asdict(), "seconds": round(row.seconds, 6)} for row in rows]


def _print_subspaces(rows: Sequence["Subspace"], *, timed: bool = False, what: str = "stones") -> None:
    heads = [what, "positions", "wins", "draws", "losses", "longest win", "longest loss"]
    cells = []
    for row in rows:
        counts = [f"{count:,}" for count in (row.positions, row.wins, row.draws, row.losses)]
        deepest = ["" if plies is None else str(plies) for plies in (row.deepest_win, row.deepest_loss)]
        cells.append([row.name, *counts, *deepest, *([f"{row.seconds:.1f}"] if timed else [])])
    heads += ["seconds"] if timed else []
    print_columns(heads, cells, right=heads[1:])


def _say_verdict(
    path: Path,
    game: Game,
    sample: int | None,
    found: "Verified",
    many: tuple[int, int],
    seconds: float,
    json: bool,
) -> None:
    """`many` are the subspaces that are there, and all that the game has."""
    if json:
        answer = {"file": str(path), "game": game.name, "right": found.first_wrong is None, "checked": found.checked}
        answer |= {"sample": sample, "first_wrong": found.first_wrong, "unchecked": list(found.unchecked)}
        answer |= {"subspaces": many[0], "of": many[1]}
        emit({**answer, "seconds": round(seconds, 3)})
        return
    if many[0] < many[1]:
        note(f"{many[0]} of {many[1]} subspaces are there")
    if found.unchecked:
        note(f"not checked, since their successors are not there yet: {', '.join(found.unchecked)}")
    if found.first_wrong is not None:
        print(f"wrong: {found.first_wrong}")
    else:
        print(f"right: {found.checked:,} values follow from their successors")
