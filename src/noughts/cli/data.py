"""The command that writes data sets: positions with all that is known of them, for programs that learn."""

from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from noughts.cli.arguments import SEED, GameName, Json, named_path, whole_number
from noughts.cli.output import check_writable, counted, emit, progress_bar
from noughts.games import NoughtsError
from noughts.games import game as find_game

__all__ = ["data"]


def data(
    name: GameName,
    out: Annotated[
        Path, typer.Option(parser=named_path, metavar="FILE", help="Where to: a name.parquet or a name.zarr.")
    ],
    sample: Annotated[
        int | None,
        typer.Option(parser=whole_number(1, 10**9), metavar="N", help="So many, drawn uniformly; else all of them."),
    ] = None,
    seed: Annotated[int, typer.Option(parser=SEED, help="Seed of the sample and of what is held out.")] = 1,
    classes: Annotated[
        bool, typer.Option("--classes", help="One position for all that are alike by symmetry.")
    ] = False,
    nodes: Annotated[
        int | None,
        typer.Option(parser=whole_number(1, 10**8), help="Games not solved: positions a search looks at for a row."),
    ] = None,
    json: Json = False,
) -> None:
    """Write the positions of a game with value, remoteness, best moves and difficulty, for programs that learn.

    Every position, or a uniform sample; of games too large to be solved a sample of random play, with what is known
    of it. A card beside the file says what is in it. For example: noughts data tictactoe --out tictactoe.parquet,
    noughts data square4 --sample 100000 --classes --out square4.zarr
    """
    from noughts.rl.data import DataSet, write  # noqa: PLC0415  loads NumPy
    from noughts.rl.data.files import card_of, check_place  # noqa: PLC0415

    game = find_game(name)
    wanted = DataSet(game, sample, seed, classes) if nodes is None else DataSet(game, sample, seed, classes, nodes)
    if nodes is not None and wanted.whole:
        raise NoughtsError(f"--nodes does not go with {game.name}: expected a game that is too large to be solved")
    check_place(out)
    for place in (out, card_of(out)):
        check_writable(place)
    began = perf_counter()
    with progress_bar(f"positions of {game.name}") as progress:
        written = write(wanted, out, progress)
    seconds, tally = perf_counter() - began, written.tally
    if json:
        emit(
            {
                "game": game.name,
                "file": str(written.path),
                "card": str(written.card),
                **tally.counts,
                "sample": sample,
                "seed": seed,
                "classes": classes,
                "columns": written.columns,
                "bytes": written.size,
                "seconds": round(seconds, 3),
            }
        )
        return
    unknown = f", {tally.unknown:,} unknown" if tally.unknown else ""
    print(f"{written.path}: {counted(tally.rows, 'row')}, {written.size:,} bytes")
    wins, losses = counted(tally.wins, "win"), counted(tally.losses, "loss", "losses")
    print(f"for the player to move {wins}, {counted(tally.draws, 'draw')}, {losses}{unknown}")
    print(f"what is in it: {written.card}")
