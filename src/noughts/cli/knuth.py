"""The commands `noughts knuth …`: classes, one position, the graph, and pictures."""

from pathlib import Path
from typing import Annotated

import typer

from noughts.cli.arguments import Json, output_file, whole_number
from noughts.cli.ask import show_board
from noughts.cli.output import counted, emit, write_file
from noughts.games import IllegalPositionError, NoughtsError
from noughts.games import game as find_game
from noughts.insight.knuth import classes as knuth_classes
from noughts.insight.knuth import hexadecimal, in_words, opinion, report

__all__ = ["app"]

app = typer.Typer(help="Knuth's scores and difficulty of tic-tac-toe.", rich_markup_mode=None, add_completion=False)


@app.command()
def classes(json: Json = False) -> None:
    """Print what Knuth's TICTACTOE2 prints: every class with score, difficulty, size and a follower.

    For example: noughts knuth classes
    """
    if not json:
        print("\n".join(report()))
        return
    rows = []
    for leader, appraisal, size, followers in knuth_classes():
        row = {"leader": leader.name, "moves": leader.rank, "score": appraisal.score}
        row |= {"difficulty": hexadecimal(appraisal), "size": size, "followers": [one.name for one in followers]}
        rows.append(row)
    emit(rows)


@app.command()
def position(
    cells: Annotated[str, typer.Argument(metavar="POSITION", help="A position, as XO./.X./..O.")],
    name: Annotated[str, typer.Option("--game", help="Another placing game, as square4.")] = "tictactoe",
    json: Json = False,
) -> None:
    """Say what Knuth's scores say of a position: score, difficulty in words, class, all optimal followers.

    For example: noughts knuth position XO./.X./..O
    """
    game = find_game(name)
    place = game.read(cells)
    if game.over(place) is not None:
        raise IllegalPositionError(f"{cells!r} is over: expected a position with a move to make")
    found = opinion(place, game)
    sentences = in_words(found.appraisal, place.occupied.bit_count())
    followers = [game.write(follower) for follower in found.followers]
    if json:
        answer = {"game": game.name, "position": game.write(place), "score": found.appraisal.score}
        answer |= {"difficulty": hexadecimal(found.appraisal), "words": sentences, "leader": found.leader}
        emit({**answer, "size": found.size, "automorphisms": found.automorphisms, "followers": followers})
        return
    show_board(game, place)
    print(f"score {found.appraisal.score}, difficulty {hexadecimal(found.appraisal)}")
    print(sentences)
    members = counted(found.size, "position")
    kept = "1 symmetry keeps" if found.automorphisms == 1 else f"{found.automorphisms} symmetries keep"
    print(f"class of {found.leader!r}, {members}; {kept} this one")
    print(f"best: {', '.join(followers)}")


@app.command()
def graph(
    file: Annotated[Path, typer.Argument(parser=output_file, metavar="FILE.gb", help="Where to write it.")],
    json: Json = False,
) -> None:
    """Write the graph of tic-tac-toe as a Stanford GraphBase file.

    For example: noughts knuth graph tictactoe.gb
    """
    from noughts.insight.tictactoe_graph import graphbase_file  # noqa: PLC0415

    text = graphbase_file()
    write_file(file, text)
    checksum = int(text.split()[-1])
    if json:
        emit({"file": str(file), "vertices": 5478, "arcs": 16167, "checksum": checksum})
        return
    print(f"{file}: checksum {checksum}")


@app.command()
def plot(
    file: Annotated[Path, typer.Argument(parser=output_file, metavar="FILE.svg", help="Where to draw it.")],
    picture: Annotated[str, typer.Option(help="openings, classes or ranks.")] = "openings",
    moves: Annotated[int, typer.Option(parser=whole_number(0, 9), help="With classes: after how many moves.")] = 3,
    json: Json = False,
) -> None:
    """Draw the difficulty of the openings, the classes after some moves, or the number of positions by rank.

    For example: noughts knuth plot openings.svg, noughts knuth plot poster.svg --picture classes --moves 4
    """
    from noughts.insight.plots import PICTURES, class_poster, opening_map, rank_chart  # noqa: PLC0415

    if picture not in PICTURES:
        raise NoughtsError(f"{picture!r} is not a picture: expected {', '.join(PICTURES)}")
    drawn = {"openings": opening_map, "classes": lambda: class_poster(moves), "ranks": rank_chart}[picture]()
    write_file(file, drawn.svg())
    if json:
        emit({"file": str(file), "picture": picture})
        return
    print(file)
