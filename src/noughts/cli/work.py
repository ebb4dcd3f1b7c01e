"""The commands that work for a while: match, solve, bench, doctor."""

from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from noughts.arena import Unbeatable, play_match
from noughts.arena import beat as beat_machine
from noughts.cli.arguments import SEED, GameName, Json, whole_number
from noughts.cli.output import console, emit, note, progress_bar
from noughts.cli.tables import solve_tables
from noughts.games import NoughtsError
from noughts.games import game as find_game
from noughts.silicon.tools import MissingToolError
from noughts.solve import Solution
from noughts.solve import solve as solve_game

__all__ = ["beat", "bench", "doctor", "match", "solve"]


def match(
    game: GameName,
    first: Annotated[str, typer.Argument(metavar="PLAYER", help="One player.")],
    second: Annotated[str, typer.Argument(metavar="PLAYER", help="The other.")],
    games: Annotated[int, typer.Option(parser=whole_number(1, 1_000_000), help="How many games.")] = 100,
    seed: Annotated[int, typer.Option(parser=SEED, help="Seed of everything random.")] = 1,
    json: Json = False,
) -> None:
    """Let two players play many games, beginning in turn.

    For example: noughts match tictactoe casual c1990 --games 200
    """
    rules = find_game(game)
    began = perf_counter()
    with progress_bar(f"{first} against {second}") as progress:
        result = play_match(rules, (first, second), games, seed, progress)
    seconds = perf_counter() - began
    if json:
        emit(
            {
                "game": result.game,
                "players": list(result.players),
                "games": result.games,
                "wins": result.wins,
                "draws": result.draws,
                "losses": result.losses,
                "score": result.score,
                "win_rate_95": list(result.win_rate),
                "loss_rate_95": list(result.loss_rate),
                "seed": seed,
                "seconds": round(seconds, 3),
            }
        )
        return
    print(f"{first} against {second}, {games} games of {rules.name}, seed {seed}")
    rows = [("won", result.wins, result.win_rate), ("lost", result.losses, result.loss_rate)]
    for word, count, (low, high) in rows:
        print(f"  {first} {word} {count} ({count / games:.1%}; 95 % sure: {low:.1%} to {high:.1%})")
    print(f"  drawn {result.draws}; {result.score:.3f} points a game")


def beat(
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="A machine of 1977, as basic3.")],
    json: Json = False,
) -> None:
    """Find the shortest way to beat a machine of 1977 when you begin, and replay it.

    For example: noughts beat basic3
    """
    with progress_bar(f"looking for a win over {player}") as progress:
        found = beat_machine(player, progress)
    if isinstance(found, Unbeatable):
        answer = {"player": player, "beaten": False, "positions": found.positions}
        words = f"{player} cannot be beaten: the user wins in none of its {found.positions:,} positions."
    else:
        replies = [exchange.reply for exchange in found.transcript.exchanges]
        answer = {"player": player, "beaten": found.transcript.result == "loss", "moves": found.moves}
        answer |= {"replies": replies, "positions": found.replies}
        lines = [f"{move:<8} {reply or ''}".rstrip() for move, reply in zip(found.moves, replies, strict=True)]
        words = "\n".join([*lines, f"{player} is beaten in {len(found.moves)} moves, and in no fewer."])
    if json:
        emit({**answer, "seconds": round(found.seconds, 3)})
        return
    print(words)


def solve(
    game: GameName,
    check: Annotated[bool, typer.Option("--check", help="Then work out every value from its successors.")] = False,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Morris: keep the table here.")] = None,
    upto: Annotated[int | None, typer.Option(parser=whole_number(3, 9), help="Morris: most stones a side.")] = None,
    device: Annotated[str, typer.Option(help="Morris: cpu or gpu.")] = "cpu",
    cluster: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Morris: a Ray cluster, or local.")] = None,
    book: Annotated[
        int | None,
        typer.Option(parser=whole_number(0, 17), metavar="PLIES", help="Morris: plies of the book."),
    ] = None,
    json: Json = False,
) -> None:
    """Work out the value of every position of a game.

    Of the morris games, every position once all stones are placed. For example: noughts solve square4 --check,
    noughts solve nine-mens-morris --out tables/nine-mens-morris
    """
    rules = find_game(game)
    if rules.rules.captures:
        solve_tables(rules, out, upto, json, device=device, cluster=cluster, check=check, book=book)
        return
    if out is not None or upto is not None or cluster is not None or book is not None or device != "cpu":
        options = "--out, --upto, --device, --cluster and --book"
        wanted = "expected six-mens-morris or nine-mens-morris"
        raise NoughtsError(f"{options} are for tables, {rules.name!r} has none: {wanted}")
    began = perf_counter()
    with progress_bar(f"solving {rules.name}") as progress:
        solution = solve_game(rules, progress)
    seconds = perf_counter() - began
    if check:
        _check(solution)
    start = solution.value(rules.start())
    spaces = solution.subspaces
    sums = {
        field: sum(getattr(space, field) for space in spaces)
        for field in ("slots", "positions", "wins", "losses", "draws")
    }
    if json:
        emit(
            {
                "game": rules.name,
                "value": str(start.outcome),
                "remoteness": start.remoteness,
                **sums,
                **({"checked": True} if check else {}),
                "seconds": round(seconds, 6),
                "subspaces": [{**space._asdict(), "seconds": round(space.seconds, 6)} for space in spaces],
            }
        )
        return
    table = Table(
        "stones",
        "positions",
        "wins",
        "draws",
        "losses",
        "longest win",
        "longest loss",
        box=None,
        pad_edge=False,
    )
    for column in table.columns[1:]:
        column.justify = "right"
    for space in spaces:
        deepest = ["" if plies is None else str(plies) for plies in (space.deepest_win, space.deepest_loss)]
        counts = [f"{count:,}" for count in (space.positions, space.wins, space.draws, space.losses)]
        table.add_row(space.name, *counts, *deepest)
    terminal = console()
    terminal.print(table)
    terminal.print(f"{rules.name}: {start} for the first player; {sums['positions']:,} positions, {seconds:.2f} s")


def _check(solution: Solution) -> None:
    """The forward check, which never fails unless something is broken."""
    from noughts.solve.verify import verify  # noqa: PLC0415  needs NumPy

    with progress_bar(f"checking {solution.game.name}") as progress:
        checked, wrong = verify(solution, progress)
    if wrong is not None:
        text = solution.game.write(wrong.position)
        raise NoughtsError(f"{text!r} is stored as {wrong.stored}, expected {wrong.expected}")
    note(f"checked: {checked:,} values follow from their successors")


def bench(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Which; else all.")] = None,
    json: Json = False,
) -> None:
    """Run the measurements that the documents quote, side by side with peers where they are installed.

    For example: noughts bench solve
    """
    from noughts.bench import BENCHES  # noqa: PLC0415  most commands measure nothing

    for name in names or []:
        if name not in BENCHES:
            raise NoughtsError(f"{name!r} is not a benchmark: expected {', '.join(BENCHES)}")
    answers = {}
    for name in names or list(BENCHES):
        with progress_bar(f"measuring {name}") as progress:
            try:
                rows = BENCHES[name](progress)
            except MissingToolError as error:
                if names:
                    raise
                note(f"skipped: {error}")
                continue
        answers[name] = rows
        if not json:
            console().print(_bench_table(name, rows))
    if json:
        emit(answers)


def _bench_table(name: str, rows: list[dict[str, Any]]) -> Table:
    table = Table(title=f"bench {name}", title_justify="left", box=None, pad_edge=False)
    for column, cell in rows[0].items():
        table.add_column(column, justify="left" if isinstance(cell, str) else "right", overflow="fold")
    for row in rows:
        table.add_row(
            *(f"{cell:,}" if isinstance(cell, int) else str("" if cell is None else cell) for cell in row.values())
        )
    return table


def doctor(json: Json = False) -> None:
    """Say which optional tools and devices are here, and what each would add.

    For example: noughts doctor
    """
    from noughts.cli.doctor import examine  # noqa: PLC0415  looks around on the machine

    found = examine()
    if json:
        emit([part._asdict() for part in found])
        return
    table = Table("here", "part", "version or place", "unlocks", box=None, pad_edge=False)
    for part in found:
        mark = Text("yes", "green") if part.found else Text("no", "dim")
        table.add_row(mark, part.name, part.found or "", Text(part.unlocks))
    console().print(table)
