"""The commands in which players meet: match, tournament, and the shortest win over a machine of 1977.

Ctrl-C ends a match or a tournament; what was played until then is shown, and said to be incomplete.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Annotated, TypeVar

import typer

from noughts.arena import (
    Match,
    Standing,
    Tournament,
    Unbeatable,
    able_players,
    match_so_far,
    tournament_so_far,
)
from noughts.arena import beat as beat_machine
from noughts.cli.arguments import SEED, GameName, Json, complete_player, whole_number
from noughts.cli.output import counted, emit, note, print_columns, progress_bar
from noughts.extras import need
from noughts.games import game as find_game

__all__ = ["beat", "match", "tournament"]

Contest = TypeVar("Contest", Match, Tournament)


def match(
    name: GameName,
    first: Annotated[str, typer.Argument(metavar="PLAYER", help="One player.", autocompletion=complete_player)],
    second: Annotated[str, typer.Argument(metavar="PLAYER", help="The other.", autocompletion=complete_player)],
    games: Annotated[int, typer.Option(parser=whole_number(1, 1_000_000), help="How many games.")] = 100,
    seed: Annotated[int, typer.Option(parser=SEED, help="Seed of everything random.")] = 1,
    json: Json = False,
) -> None:
    """Let two players play many games, beginning in turn.

    For example: noughts match tictactoe casual c1990 --games 200
    """
    game = find_game(name)
    began = perf_counter()
    with progress_bar(f"{first} against {second}") as progress:
        played, complete = _as_far_as_it_goes(
            match_so_far(game, (first, second), games, seed), lambda so_far: progress(so_far.games, games)
        )
    if json:
        emit(
            {
                "game": played.game,
                "players": list(played.players),
                "games": played.games,
                "wins": played.wins,
                "draws": played.draws,
                "losses": played.losses,
                "score": played.score,
                "win_rate_95": list(played.win_rate),
                "loss_rate_95": list(played.loss_rate),
                "seed": seed,
                "complete": complete,
                "seconds": round(perf_counter() - began, 3),
            }
        )
    else:
        print(f"{first} against {second}, {counted(played.games, 'game')} of {game.name}, seed {seed}")
        rows = [("won", played.wins, played.win_rate), ("lost", played.losses, played.loss_rate)]
        for word, count, (low, high) in rows:
            print(f"  {first} {word} {count} ({count / played.games:.1%}; 95 % sure: {low:.1%} to {high:.1%})")
        print(f"  drawn {played.draws}; {played.score:.3f} points a game")
    if not complete:
        note(f"interrupted after {played.games:,} of {counted(games, 'game')}")
        raise typer.Exit(130)


def tournament(
    name: GameName,
    players: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PLAYER]...", help="Who plays; else all who can.", autocompletion=complete_player),
    ] = None,
    games: Annotated[int, typer.Option(parser=whole_number(1, 100_000), help="How many games a pairing.")] = 20,
    seed: Annotated[int, typer.Option(parser=SEED, help="Seed of everything random.")] = 1,
    save: Annotated[bool, typer.Option("--save", help="Keep the result: it becomes the web's leader table.")] = False,
    json: Json = False,
) -> None:
    """Let every player play every other, beginning in turn, and rank them.

    For example: noughts tournament tictactoe novice casual perfect --games 50
    """
    game = find_game(name)
    names = players or able_players(game)
    total = games * len(names) * (len(names) - 1) // 2
    with _keeping(save) as keep:
        began = perf_counter()
        with progress_bar(f"tournament of {game.name}") as progress:
            played, complete = _as_far_as_it_goes(
                tournament_so_far(game, names, games, seed), lambda so_far: progress(so_far.played, total)
            )
        seconds = perf_counter() - began
        number = keep(played) if complete else None
    if json:
        emit(
            {
                "game": played.game,
                "games": played.games,
                "seed": played.seed,
                "standings": [_fields(standing) for standing in played.standings()],
                "pairings": [pairing._asdict() for pairing in played.pairings],
                "saved": number,
                "complete": complete,
                "seconds": round(seconds, 3),
            }
        )
    else:
        _print_standings(played.standings())
        print(f"{played.game}: {counted(games, 'game')} a pairing, seed {seed}, {seconds:.1f} s")
    if not complete:
        lost = ", and not saved" if save else ""
        note(f"interrupted after {played.played:,} of {counted(total, 'game')}{lost}")
        raise typer.Exit(130)
    if save and not json:
        note(f"saved as tournament {number}")


def _as_far_as_it_goes(results: Iterator[Contest], report: Callable[[Contest], None]) -> tuple[Contest, bool]:
    """The last of these results, and whether it is the last of all; Ctrl-C before the first is raised again."""
    latest = None
    try:
        for latest in results:
            report(latest)
    except KeyboardInterrupt:
        if latest is None:
            raise
        return latest, False
    assert latest is not None, "there is at least one game"
    return latest, True


@contextmanager
def _keeping(save: bool) -> Iterator[Callable[[Tournament], int | None]]:
    """How to keep a tournament; a database that cannot be opened is known before the games, not after them."""
    if not save:
        yield lambda _played: None
        return
    need("sqlalchemy", "tournament --save")
    from noughts.records import open_database, save_tournament  # noqa: PLC0415  few commands need a database

    database = open_database()
    try:
        yield lambda played: save_tournament(database, played)
    finally:
        database.close()


def _fields(standing: Standing) -> dict[str, str | int | float | list[float]]:
    return {**standing._asdict(), "score": standing.score, "score_95": list(standing.interval)}


def _print_standings(standings: list[Standing]) -> None:
    heads = ("", "player", "score", "95 % sure", "won", "drawn", "lost")
    rows = []
    for place, standing in enumerate(standings, 1):
        low, high = standing.interval
        counts = [f"{count:,}" for count in (standing.wins, standing.draws, standing.losses)]
        rows.append([str(place), standing.player, f"{standing.score:.3f}", f"{low:.3f} to {high:.3f}", *counts])
    print_columns(heads, rows, name="player", right=[head for head in heads if head != "player"])


def beat(
    player: Annotated[
        str, typer.Argument(metavar="PLAYER", help="A machine of 1977, as basic3.", autocompletion=complete_player)
    ],
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
