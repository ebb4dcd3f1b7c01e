"""The commands that answer a question: games, players, value, move, transcript."""

from collections import Counter
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer
from rich.text import Text

from noughts.arena import transcribe
from noughts.cli.arguments import Cells, GameName, Json, Seed, complete_game, complete_player, output_file, whole_number
from noughts.cli.draw import draw
from noughts.cli.output import clock, console, counted, emit, print_columns, progress_bar, speaks_unicode, write_file
from noughts.games import SIDES, Game, IllegalPositionError, NoughtsError, Outcome, Position
from noughts.games import game as find_game
from noughts.games.catalogue import KINDS, Kind
from noughts.games.picture import draw_board
from noughts.games.symmetry import MOST_SYMMETRIES, TooManySymmetriesError
from noughts.library.analysis import value_notes
from noughts.players import LEVELS, PLAYERS, Choice, player
from noughts.players.basic1977 import point_of
from noughts.players.listing1977 import COMBINATIONS, figure_number, in_seconds
from noughts.solve import UNKNOWN, USUAL, Answer, Effort, Rated, knowledge
from noughts.solve.look import Lead
from noughts.solve.small import MOST_CELLS
from noughts.solve.subspaces import MOST_POINTS

__all__ = ["COLOURS", "games", "move", "players", "show_board", "transcript", "value"]

MOST_ROWS, FIRST_ROWS = 24, 10
"""Of a position with more moves than fit a screen, only the first are listed."""
LONGEST_POSITION = 60
"""Characters of a position that is worth a column."""
COLOURS = {Outcome.WIN: "green", Outcome.DRAW: "yellow", Outcome.LOSS: "red", Outcome.UNKNOWN: "dim"}


def games(
    name: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="One game; else all.", autocompletion=complete_game)
    ] = None,
    lines: Annotated[bool, typer.Option("--lines", help="List the lines that count as a row.")] = False,
    json: Json = False,
) -> None:
    """List the games, or show one: its board, its rules, its lines.

    The lines of qubic are numbered as in the article of 1977, with its numbers of the boxes.

    For example: noughts games, noughts games qubic --lines
    """
    if name is not None:
        _show_game(find_game(name), lines, json)
        return
    if lines:
        raise NoughtsError("--lines needs a game: expected as in noughts games qubic --lines")
    rows = [_row(kind) for kind in KINDS]
    if json:
        emit(rows)
        return
    print_columns(("game", "about", "solved"), [[str(row[key]) for key in ("name", "about", "solved")] for row in rows])


def _row(kind: Kind) -> dict[str, Any]:
    """An entry of the catalogue; of a family of boards, what is true of all of them."""
    game, family = find_game(kind.example), kind.sizes is not None
    return {
        "name": kind.name,
        "about": "M columns, N rows, K in a row win" if family else game.about,
        "points": None if family else len(game.layout),
        "lines": None if family else len(game.layout.lines),
        "solved": f"up to {MOST_CELLS} cells, {MOST_POINTS} with a table" if family else knowledge(game).solved,
        "start": game.write(game.start()),
    }


def _show_game(game: Game, lines: bool, json: bool) -> None:
    board = game.layout
    listed: list[dict[str, Any]] = [
        {"number": number, "points": [board.points[point] for point in line]}
        for number, line in enumerate(board.lines, 1)
    ]
    if game.name == "qubic":
        listed = sorted(
            (
                {
                    "number": figure_number(number),
                    "points": [board.points[point_of(box)] for box in boxes],
                    "boxes": [box + 1 for box in boxes],
                }
                for number, boxes in enumerate(COMBINATIONS)
            ),
            key=lambda line: line["number"],
        )
    try:
        symmetries = len(game.symmetries)
    except TooManySymmetriesError:
        symmetries = None
    if json:
        row = {"name": game.name, "about": game.about, "points": len(board)}
        row |= {"start": game.write(game.start()), "symmetries": symmetries}
        emit({**row, "lines": listed if lines else len(listed)})
        return
    if lines:
        for line in listed:
            boxes = "".join(f"{box:>3}" for box in line.get("boxes", []))
            print(f"{line['number']:>3}){boxes}   {' '.join(line['points'])}")
        return
    show_board(game, game.start())
    print(f"{game.name}: {game.about}.")
    many = f"over {MOST_SYMMETRIES:,} symmetries"
    found = many if symmetries is None else counted(symmetries, "symmetry", "symmetries")
    print(f"{counted(len(board), 'point')}, {counted(len(listed), 'line')}, {found}.")


def players(json: Json = False) -> None:
    """List the players.

    For example: noughts players
    """
    rows = [
        {
            "name": kind.name,
            "about": kind.about,
            "year": kind.year,
            "plays_only": list(kind.plays_only),
            "options": kind.options,
        }
        for kind in PLAYERS.values()
    ]
    if json:
        emit(rows)
        return
    cells = [(kind.name, str(kind.year or ""), kind.plays, kind.about) for kind in PLAYERS.values()]
    # Eight lines that say the same become one.
    first = list(PLAYERS).index(LEVELS[0].name)
    told = "a ladder: each errs less than the one below, in even steps at every game"
    cells[first : first + len(LEVELS)] = [(f"{LEVELS[0].name} to {LEVELS[-1].name}", "", LEVELS[0].plays, told)]
    print_columns(("player", "year", "plays", "about"), cells)


def value(
    name: GameName,
    position: Cells = None,
    svg: Annotated[
        Path | None, typer.Option(parser=output_file, metavar="FILE", help="Draw the board and its values.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="List all moves, however many.")] = False,
    nodes: Annotated[
        int | None,
        typer.Option(parser=whole_number(1, 10**10), help="Positions that a search may look at (else 200,000)."),
    ] = None,
    seconds: Annotated[
        int | None, typer.Option(parser=whole_number(1, 3_600), help="Seconds that a search may take.")
    ] = None,
    json: Json = False,
) -> None:
    """Say what a position is worth to the player to move, and every move, best first.

    What is not proved is unknown; how it looks to the engine stands beside it. With more --nodes or --seconds a search
    may prove more.

    For example: noughts value tictactoe XO./.X./..O, noughts value square4 --svg values.svg
    """
    game, place = _read(name, position)
    effort = USUAL if nodes is None and seconds is None else Effort(nodes, seconds)
    with progress_bar(f"solving {game.name}") as progress, clock(progress, seconds):
        answer = knowledge(game).ask(place, progress=progress, effort=effort)
    if svg is not None:
        write_file(svg, draw_board(game, place, notes=value_notes(answer.moves), title=game.name).svg())
    if json:
        emit(_as_json(game, place, answer))
        return
    out = console()
    show_board(game, place)
    turn = "the game is over" if not answer.moves else f"{SIDES[place.turn]} to move"
    words = Text(f"{turn}: ").append(answer.words, COLOURS[answer.value.outcome])
    if answer.lead is not None:
        words.append(f"; {'it' if answer.lead is Lead.EVEN else SIDES[place.turn]} looks {answer.lead}")
    out.print(words)
    if answer.threats:
        out.print(f"by {answer.reason}: {', '.join(_threats(game, answer.threats))}")
    elif answer.lead is not None:
        out.print(f"{game.write_move(answer.moves[0].move)} looks best, {answer.reason}")
    elif answer.reason:
        out.print(answer.reason)
    if answer.moves:
        few = len(answer.moves) <= MOST_ROWS or every
        _print_moves(game, answer.moves if few else answer.moves[:FIRST_ROWS])
        if not few:
            print(_rest(answer.moves[FIRST_ROWS:]))


def _as_json(game: Game, place: Position, answer: Answer) -> dict[str, Any]:
    return {
        "game": game.name,
        "position": game.write(place),
        **_value(answer.value.outcome, answer.value.remoteness),
        "source": answer.source,
        "surety": answer.surety.name.lower(),
        **_known({"depth": answer.depth, "at_most": answer.at_most}),
        **_known({"estimate": answer.estimate, "lead": answer.lead}),
        **({"reason": answer.reason} if answer.reason else {}),
        **({"threats": _threats(game, answer.threats)} if answer.threats else {}),
        "moves": [
            {
                "move": game.write_move(rated.move),
                **_value(rated.value.outcome, rated.value.remoteness),
                "position": game.write(rated.position),
                **_known({"at_most": rated.at_most}),
                **(_known({"estimate": rated.estimate, "look": rated.look}) if rated.value == UNKNOWN else {}),
            }
            for rated in answer.moves
        ],
    }


def _print_moves(game: Game, moves: list[Rated]) -> None:
    """A row for each move: its value, how it looks where that is not known, and where it leads, if that is short."""
    heads, looks = ["move", "value"], any(rated.look for rated in moves)
    rows: list[list[str | Text]] = []
    for rated in moves:
        rows.append(
            [game.write_move(rated.move), Text(rated.value.within(rated.at_most), COLOURS[rated.value.outcome])]
        )
        if looks:
            rows[-1].append(rated.look or "")
        rows[-1].append(game.write(rated.position))
    heads += ["looks"] if looks else []
    if max(len(str(row[-1])) for row in rows) > LONGEST_POSITION:
        rows = [row[:-1] for row in rows]
    else:
        heads.append("leads to")
    print_columns(heads, rows, fold=("leads to",))


def _rest(moves: list[Rated]) -> str:
    """The moves that are not listed, counted by what is known of them."""
    kinds = Counter((rated.look, rated.value.outcome) for rated in moves)
    counts = ", ".join(
        f"{count} {'looks' if count == 1 else 'look'} {look}" if look else f"{count} {outcome}"
        for (look, outcome), count in kinds.items()
    )
    return f"and {len(moves)} more, {counts}; --all lists them"


def move(
    name: GameName,
    position: Cells = None,
    player_name: Annotated[
        str, typer.Option("--player", help="Who moves, as c1990.", autocompletion=complete_player)
    ] = "perfect",
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Let one player make one move.

    For example: noughts move tictactoe X../.O./... --player c1990
    """
    game, place = _read(name, position)
    mover = player(player_name, seed)
    mover.check(game)
    if not game.moves(place):
        raise IllegalPositionError(f"{game.write(place)!r} is over: expected a position with a move to make")
    began = perf_counter()
    with progress_bar(f"{player_name} thinks"):
        choice = mover.choose(game, place)
    seconds = perf_counter() - began
    after = game.after(place, choice.move)
    if json:
        emit(
            {
                "game": game.name,
                "position": game.write(place),
                "player": player_name,
                "move": game.write_move(choice.move),
                "result_position": game.write(after),
                **_cost(choice),
                "seconds": round(seconds, 6),
            }
        )
        return
    show_board(game, after)
    print(f"{player_name} plays {game.write_move(choice.move)}{_cost_in_words(choice)}")


def transcript(
    player_name: Annotated[
        str, typer.Argument(metavar="PLAYER", help="Who replies, as c1990.", autocompletion=complete_player)
    ],
    moves: Annotated[list[str] | None, typer.Argument(metavar="MOVE...", help="Your moves, as b2.")] = None,
    name: Annotated[
        str | None,
        typer.Option(
            "--game", metavar="GAME", help="The game, if the player plays more than one.", autocompletion=complete_game
        ),
    ] = None,
    begins: Annotated[bool, typer.Option("--begins", help="The player begins, not you.")] = False,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Show a player's replies to your moves.

    A machine with a notation of its own answers in it when spoken to in it.

    For example: noughts transcript c1990 b2 a3
    """
    replier = player(player_name, seed)
    game = find_game(name or (*replier.plays_only, "tictactoe")[0])
    script = transcribe(game, replier, moves or [], begins=begins)
    if json:
        emit(
            {
                "player": player_name,
                "game": game.name,
                "moves": [
                    {"user": user, "reply": reply, **(_cost(choice) if choice else {})}
                    for user, reply, choice in script.exchanges
                ],
                "result": script.result,
                "position": game.write(script.playing.position),
            }
        )
        return
    for user, reply, choice in script.exchanges:
        cost = _cost_in_words(choice) if choice else ""
        print(f"{user or '-':<8} {reply or '-'}{cost}")
    show_board(game, script.playing.position)
    print(f"{player_name}: {script.result}")


def show_board(game: Game, position: Position) -> None:
    """Print a board as wide as the terminal allows."""
    out = console()
    out.print(draw(game, position, width=out.width, unicode=speaks_unicode(out)))


def _read(name: str, position: list[str] | None) -> tuple[Game, Position]:
    game = find_game(name)
    return game, game.read(" ".join(position)) if position else game.start()


def _threats(game: Game, cells: tuple[int, ...]) -> list[str]:
    return [game.layout.points[cell] for cell in cells]


def _known(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields that are there."""
    return {name: value for name, value in fields.items() if value is not None}


def _value(outcome: Outcome, remoteness: int | None) -> dict[str, Any]:
    return {"value": str(outcome), "remoteness": remoteness}


def _cost(choice: Choice) -> dict[str, int]:
    counts = {"cycles": choice.cycles, "nodes": choice.nodes, "statements": choice.statements}
    return {name: count for name, count in counts.items() if count is not None}


def _cost_in_words(choice: Choice) -> str:
    words = [counted(count, name.removesuffix("s")) for name, count in _cost(choice).items()]
    if choice.statements is not None:
        words.append(f"{in_seconds(choice.statements):.0f} s in 1977")
    return f"  ({', '.join(words)})" if words else ""
