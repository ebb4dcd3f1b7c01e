"""The command `noughts review`: a game looked through move by move, with its mistakes and what was better.

The curve goes down the screen, a line a ply, so that it fits every terminal: left the other side wins, right X does.
"""

import textwrap
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from noughts.cli.arguments import Json, complete_game, named_path, output_file, whole_number
from noughts.cli.output import console, counted, emit, progress_bar, speaks_unicode, write_file
from noughts.cli.saved import last_game, read_text
from noughts.games import SIDES, NoughtsError
from noughts.games import game as find_game
from noughts.games.playing import Playing
from noughts.games.record import is_record
from noughts.insight.curve import CURVE_STYLE, draw_curve
from noughts.insight.review import Mark, Ply, Review, as_json, looks, settled
from noughts.library.pasted import Pasted, read_pasted
from noughts.players import Human
from noughts.solve import USUAL, Effort

__all__ = ["review"]

WIDEST, NARROWEST = 41, 13
"""Characters of the curve."""
BESIDE = 30
"""Characters of a line that are not the curve."""
COLOURS = {Mark.ONLY: "green", Mark.DOUBTFUL: "yellow", Mark.MISTAKE: "red", Mark.BLUNDER: "bold red"}


def review(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]", help="The game, as tictactoe; a record says it itself.", autocompletion=complete_game
        ),
    ] = None,
    moves: Annotated[
        list[str] | None, typer.Argument(metavar="[MOVE]...", help="Its moves, as b2 a1 c3, with numbers or without.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(parser=named_path, metavar="FILE", help="Read the game from here; - for standard input."),
    ] = None,
    svg: Annotated[
        Path | None, typer.Option(parser=output_file, metavar="FILE", help="Draw the curve of the values.")
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option(parser=whole_number(1, 10**10), help="Positions that a search may look at for each move."),
    ] = None,
    json: Json = False,
) -> None:
    """Look through a game: what it was worth move by move, every mistake, why it was one, and what was better.

    A game is its moves, a line as `noughts play --save` writes it, an address of a game on the web, or a line of its
    history; in --file, one of these, or several lines as of --save, of which the last is taken. Where values are not
    proved the engine's estimates are compared, and called so.

    For example: noughts review tictactoe b2 b1 a1 c3 a3 c1 a2, noughts review achi --file game.txt --svg curve.svg
    """
    playing = _read(name, moves, file).playing
    if not playing.moves:
        raise NoughtsError("the game has no moves: expected some, as noughts review tictactoe b2 a1")
    found = _look_through(playing, USUAL if nodes is None else Effort(nodes))
    if svg is not None:
        picture = draw_curve(found)
        write_file(svg, picture._replace(body=f"{CURVE_STYLE}\n{picture.body}").svg())
    if json:
        emit(as_json(found))
        return
    _print_curve(found)
    _print_mistakes(found)
    _print_summary(found)


def _read(name: str | None, moves: list[str] | None, file: Path | None) -> Pasted:
    """The game that is meant, wherever it stands."""
    if file is not None:
        if moves:
            raise NoughtsError(f"{moves[0]!r} and --file are two games: expected one of them")
        content = read_text(file)
        saved = last_game(content)
        found = read_pasted(content, name) if saved is None else Pasted(saved, (Human.name, Human.name))
        if name is not None and find_game(name) != found.playing.game:
            raise NoughtsError(
                f"the game in {str(file)!r} is {found.playing.game.name}, not {name!r}: expected that or none"
            )
        return found
    if name is None:
        raise NoughtsError("no game is given: expected as in noughts review tictactoe b2 a1 c3, or --file FILE")
    whole = " ".join([name, *(moves or [])])
    if is_record(whole) or (not moves and ("?" in name or name.startswith("{"))):
        return read_pasted(whole)
    return read_pasted(" ".join(moves or []), name)


def _look_through(playing: Playing, effort: Effort) -> Review:
    found: list[Ply] = []
    with progress_bar("looking at the moves") as progress:
        for ply in looks(playing, effort):
            found.append(ply)
            progress(len(found), len(playing.moves))
    return Review(playing, settled(found))


def _print_curve(found: Review) -> None:
    """A line a ply: its number, the move, where the game stands after it, and the mark."""
    out = console()
    fancy = speaks_unicode(out)
    wide = max(NARROWEST, min(WIDEST, out.width - BESIDE)) // 2 * 2 + 1
    longest = max(5, *(len(move) for move in found.moves))
    room = " " * (longest + 6)
    out.print(Text(f"{room}{'O wins':<{wide // 2 - 1}}draw{'X wins':>{wide - wide // 2 - 3}}", "dim"), soft_wrap=True)
    proved = [ply is not None and ply.before.exact for ply in found.plies]
    last = found.plies[-1]
    proved.append(last is not None and last.after.exact)
    for number, height in enumerate(found.heights()):
        ply = found.plies[number - 1] if number else None
        side = SIDES[ply.side] if ply else " "
        line = Text(f"{number or '':>3} {side} {ply.move if ply else 'start':<{longest}}"[: len(room)])
        line.append(_bar(height, wide, fancy, proved[number]))
        if ply is not None and ply.mark:
            line.append(f" {ply.mark:<2} {ply.mark.words}", COLOURS[ply.mark])
        line.rstrip()
        out.print(line, soft_wrap=True)
    if not all(proved):
        guess, proof = ("○", "●") if fancy else ("o", "*")
        out.print(Text(f"{guess} is an estimate of the engine, {proof} is proved.", "dim"), soft_wrap=True)


def _bar(height: float | None, wide: int, fancy: bool, proved: bool) -> str:
    cells = [" "] * wide
    cells[wide // 2] = "│" if fancy else "|"
    if height is not None:
        sign = ("●" if proved else "○") if fancy else ("*" if proved else "o")
        cells[round((height + 1) / 2 * (wide - 1))] = sign
    return " " + "".join(cells)


def _print_mistakes(found: Review) -> None:
    out = console()
    for ply in found.plies:
        if ply is None or not ply.gave:
            continue
        guess = " (an estimate)" if ply.estimated and ply.mark.wrong else ""
        print()
        out.print(Text(f"{ply.number}. {SIDES[ply.side].upper()} {ply.move}{ply.mark}", COLOURS[ply.mark]))
        _say(f"{ply.mark.words[0].upper()}{ply.mark.words[1:]}{guess}: {ply.gave}.")
        _say(ply.why)
        if ply.best != ply.move:
            line = f", and then {' '.join(ply.line[1:])}" if len(ply.line) > 1 else ""
            _say(f"Better: {ply.best}{line}. {ply.because}")


def _say(words: str) -> None:
    out = console()
    for line in textwrap.wrap(words, max(20, out.width - 4)):
        out.print(f"   {line}", soft_wrap=True, markup=False)


def _print_summary(found: Review) -> None:
    out = console()
    print()
    for words in found.told():
        for line in textwrap.wrap(words, out.width):
            out.print(line, soft_wrap=True, markup=False)
    for side in (0, 1):
        tally = found.tally(side)
        wrong = ", ".join((counted(tally.mistakes, "mistake"), counted(tally.blunders, "blunder")))
        out.print(f"{SIDES[side].upper()}: {counted(tally.moves, 'move')}, {wrong}", soft_wrap=True)
