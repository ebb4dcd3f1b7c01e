"""The command `noughts watch`: a search a step a line, or all of them counted; and the waves of a moving game."""

import textwrap
from pathlib import Path
from typing import Annotated, Any

import typer

from noughts.cli.arguments import Cells, GameName, Json, output_file
from noughts.cli.output import console, emit, print_columns, progress_bar, write_file
from noughts.games import Game, NoughtsError, Position
from noughts.games import game as find_game
from noughts.insight.searching import (
    LEAST,
    MOST,
    MOST_NODES,
    Counts,
    How,
    Run,
    Step,
    Tree,
    UnknownSearchError,
    count,
    explain,
    find_how,
    game_tree,
    has_waves,
    hows_of,
    in_order,
    letters,
    reckon,
    retrograde,
    search,
    tree_file,
    tree_words,
)

__all__ = ["watch"]

MOST_COUNTED = 200_000
"""Steps of a search that is counted, and different positions of minimax: some seconds."""
MOST_JSON = 100_000
"""Steps that are written as JSON, since that takes all of them at once."""
INDENT, DEEPEST = 2, 9
COLUMNS = ("positions", "ends", "cut-offs", "looked up", "steps")


def watch(
    name: GameName,
    position: Cells = None,
    how: Annotated[
        str,
        typer.Option(
            "--how", help="minimax, alpha-beta, table, symmetries, window, figure1 or c1990.", metavar="SEARCH"
        ),
    ] = "alpha-beta",
    first: Annotated[
        str | None, typer.Option(metavar="MOVE", help="A move to be tried before the others, as c3.")
    ] = None,
    counts: Annotated[bool, typer.Option("--counts", help="Count all searches, side by side.")] = False,
    svg: Annotated[
        Path | None,
        typer.Option(
            parser=output_file, metavar="FILE", help=f"Draw the tree, if it has at most {MOST_NODES} positions."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Watch a search think: every step as a sentence, or what all searches count.

    Values are X's: +1 if X wins, 0 for a draw, −1 if O wins. Where stones move a search forward does not end: there the
    waves of a retrograde analysis are listed.

    For example: noughts watch tictactoe XOX/.O./..., noughts watch tictactoe --counts, noughts watch achi,
    noughts watch tictactoe XOX/OOX/... --how figure1 --first c3 --svg tree.svg
    """
    game = find_game(name)
    here = game.read(" ".join(position)) if position else game.start()
    if not game.placing_only and (svg or first):
        raise NoughtsError(f"{game.name} has no tree to draw, nor an order of moves: expected a game as tictactoe")
    if has_waves(game):
        _waves(game, json)
        return
    if not game.placing_only:
        raise NoughtsError(f"{game.name} is too large to watch: expected a game as tictactoe or achi")
    chosen = find_how(how)
    if chosen not in hows_of(game):
        names = ", ".join(one.name for one in hows_of(game))
        raise UnknownSearchError(f"{how!r} does not search {game.name}: expected {names}")
    tried = game.write_move(game.read_move(here, first)) if first else ""
    tree = in_order(game, here, tried)
    if svg:
        _draw(game, here, chosen, tried, svg, quiet=json)
    if counts:
        _counts(game, here, tree, json)
    elif json:
        emit(_as_json(game, here, chosen, tried))
    elif not svg:
        _steps(game, here, chosen, tree)


def _draw(game: Game, position: Position, how: How, first: str, file: Path, *, quiet: bool) -> None:
    """The tree as a picture, and a line that says what is in it."""
    game_tree(game, position)  # complains if it is too large, before a search that would take as long
    run = Run(game, how, list(search(in_order(game, position, first), position, how)))
    write_file(file, tree_file(run, first))
    if not quiet:
        print(f"{file}: {tree_words(run, first)}")


def _steps(game: Game, position: Position, how: How, tree: Tree) -> None:
    """A line for every step, the deeper the further to the right."""
    width = console().width
    depths: list[int] = []
    before: Step | None = None
    for at, step in enumerate(search(tree, position, how)):
        if step.node == len(depths):
            depths.append(0 if step.parent is None else depths[step.parent] + 1)
        first = f"{at:>5} {' ' * (INDENT * min(depths[step.node], DEEPEST))}"
        words = explain(game, how, step, before)
        lines = textwrap.wrap(words, width, initial_indent=first, subsequent_indent=" " * len(first))
        print("\n".join(lines))
        before = step


def _as_json(game: Game, position: Position, how: How, first: str) -> dict[str, Any]:
    """A search for programs: its steps, and what they add up to."""
    tree = in_order(game, position, first)
    known = reckon(tree, position, how, MOST_JSON)
    if known is None or known.steps > MOST_JSON:
        raise NoughtsError(f"{how.name} takes more than {MOST_JSON:,} steps here: expected fewer, or --counts")
    steps = list(search(tree, position, how))
    named = letters(Run(game, how, steps))
    words = [explain(game, how, step, before) for step, before in zip(steps, [None, *steps], strict=False)]
    last = steps[-1]
    return {
        "game": game.name,
        "position": game.write(position),
        "how": how.name,
        "first": first or None,
        "value": last.value,
        "move": None if last.best is None else game.write_move(last.best),
        "counts": count(steps)._asdict(),
        "steps": [
            {
                "kind": step.kind.value,
                "node": step.node,
                "parent": step.parent,
                "letter": named.get(step.node) or None,
                "move": None if step.move is None else game.write_move(step.move),
                "position": game.write(step.position),
                "value": step.value,
                "alpha": None if step.alpha == LEAST else step.alpha,
                "beta": None if step.beta == MOST else step.beta,
                "skipped": [game.write_move(move) for move in step.skipped],
                "words": told,
            }
            for step, told in zip(steps, words, strict=True)
        ],
    }


def _counts(game: Game, position: Position, tree: Tree, json: bool) -> None:
    """All searches side by side."""
    with progress_bar("counting"):
        found = [(how, reckon(tree, position, how, MOST_COUNTED)) for how in hows_of(game)]
    if json:
        searches = [{"how": how.name, "counts": counts and counts._asdict()} for how, counts in found]
        emit({"game": game.name, "position": game.write(position), "searches": searches})
        return
    rows = [[how.name, *_cells(counts)] for how, counts in found]
    print_columns(("search", *COLUMNS), rows, right=COLUMNS)


def _cells(counts: Counts | None) -> list[str]:
    if counts is None:
        return ["", "", "", "", f"over {MOST_COUNTED:,}"]
    numbers = (counts.visited, counts.leaves, counts.cut_offs, counts.looked_up, counts.steps)
    return [f"{one:,}" for one in numbers]


def _waves(game: Game, json: bool) -> None:
    """The waves of a game in which stones move."""
    with progress_bar(f"solving {game.name}"):
        found = retrograde(game)
    if json:
        waves = [
            {"plies": wave.plies, "value": wave.outcome.value, "positions": wave.size, "classes": wave.classes}
            for wave in found.waves
        ]
        emit({"game": game.name, "waves": waves, "draws": found.draws, "positions": found.positions})
        return
    rows = [[str(wave.plies), wave.outcome.value, f"{wave.size:,}", f"{wave.classes:,}"] for wave in found.waves]
    print_columns(("wave", "value", "positions", "but for symmetry"), rows, right=("positions", "but for symmetry"))
    print(f"{found.positions:,} positions, of which {found.draws:,} are in no wave: draws.")
