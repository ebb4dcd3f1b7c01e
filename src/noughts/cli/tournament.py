"""The command `tournament`: every player against every other, as a table; kept for the web if wished."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Annotated

import typer
from rich.table import Table

from noughts.arena.tournament import Standing, Tournament, able_players, play_tournament
from noughts.cli.arguments import SEED, GameName, Json, whole_number
from noughts.cli.output import console, emit, note, progress_bar
from noughts.games import game as find_game

__all__ = ["tournament"]


def tournament(
    game: GameName,
    players: Annotated[
        list[str] | None, typer.Argument(metavar="[PLAYER]...", help="Who plays; else all who can.")
    ] = None,
    games: Annotated[int, typer.Option(parser=whole_number(1, 100_000), help="How many games a pairing.")] = 20,
    seed: Annotated[int, typer.Option(parser=SEED, help="Seed of everything random.")] = 1,
    save: Annotated[bool, typer.Option("--save", help="Keep the result: it becomes the web's leader table.")] = False,
    json: Json = False,
) -> None:
    """Let every player play every other, beginning in turn, and rank them.

    For example: noughts tournament tictactoe novice casual perfect --games 50
    """
    rules = find_game(game)
    with _keeping(save) as keep:
        began = perf_counter()
        with progress_bar(f"tournament of {rules.name}") as progress:
            played = play_tournament(rules, players or able_players(rules), games, seed, progress)
        seconds = perf_counter() - began
        number = keep(played)
    if json:
        emit(
            {
                "game": played.game,
                "games": played.games,
                "seed": played.seed,
                "standings": [_fields(standing) for standing in played.standings()],
                "pairings": [pairing._asdict() for pairing in played.pairings],
                "saved": number,
                "seconds": round(seconds, 3),
            }
        )
        return
    console().print(_table(played.standings()))
    print(f"{played.game}: {games} games a pairing, seed {seed}, {seconds:.1f} s")
    if save:
        note(f"saved as tournament {number}")


@contextmanager
def _keeping(save: bool) -> Iterator[Callable[[Tournament], int | None]]:
    """How to keep a tournament; a database that cannot be opened is known before the games, not after them."""
    if not save:
        yield lambda _played: None
        return
    from noughts.records import open_database, save_tournament  # noqa: PLC0415  few commands need a database

    database = open_database()
    try:
        yield lambda played: save_tournament(database, played)
    finally:
        database.close()


def _fields(standing: Standing) -> dict[str, str | int | float | list[float]]:
    return {**standing._asdict(), "score": standing.score, "score_95": list(standing.interval)}


def _table(standings: list[Standing]) -> Table:
    table = Table("", "player", "score", "95 % sure", "won", "drawn", "lost", box=None, pad_edge=False)
    for column in (0, 2, 3, 4, 5, 6):
        table.columns[column].justify = "right"
    for place, standing in enumerate(standings, 1):
        low, high = standing.interval
        counts = [f"{count:,}" for count in (standing.wins, standing.draws, standing.losses)]
        table.add_row(str(place), standing.player, f"{standing.score:.3f}", f"{low:.3f} to {high:.3f}", *counts)
    return table
