"""The commands `noughts knuth …`: classes, one position, the graph and other files of its kind, and pictures."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from noughts.cli.arguments import Json, complete_game, named_path, output_file, whole_number
from noughts.cli.ask import show_board
from noughts.cli.output import counted, emit, note, progress_bar, write_file
from noughts.games import IllegalPositionError, NoughtsError
from noughts.games import game as find_game
from noughts.insight import graphbase
from noughts.insight.graphbase import GraphBaseError
from noughts.insight.knuth import hexadecimal, in_words, opinion
from noughts.insight.tictactoe2 import AS_SCANNED, COMPLEMENT, Program, printed
from noughts.insight.tictactoe_graph import as_graphbase
from noughts.solve.difficulty import DIGITS, WINS, Measure

__all__ = ["app"]

FIELDS = ("u", "v", "w", "x", "y", "z", "a", "b", "uu", "vv", "ww", "xx", "yy", "zz")
TYPES = {"I": "number", "S": "string", "V": "vertex", "A": "arc"}

app = typer.Typer(help="Knuth's scores and difficulty of tic-tac-toe.", rich_markup_mode=None, add_completion=False)


@app.command()
def classes(
    graph: Annotated[
        Path | None,
        typer.Option(parser=named_path, metavar="FILE.gb", help="The graph to work on; else one made on the spot."),
    ] = None,
    declining: Annotated[bool, typer.Option("--declining", help="Only classes that decline an immediate win.")] = False,
    as_scanned: Annotated[
        bool, typer.Option("--as-scanned", help="With the constant #ffffff, as the scan has it.")
    ] = False,
    json: Json = False,
) -> None:
    """Print what Knuth's TICTACTOE2 prints: every class with score, difficulty, size and a follower.

    For example: noughts knuth classes, noughts knuth classes --graph tictactoe.gb
    """
    given = as_graphbase() if graph is None else _read(graph)
    with _naming(graph):
        met = list(Program(given, AS_SCANNED if as_scanned else COMPLEMENT).run())
    if not json and not declining:
        print("\n".join(printed(met)))
        return
    found = [one for one in met if one is not None]
    shown = [one for one in found if one.declines or not declining]
    if len(found) < len(met):
        note(
            f"I goofed! {counted(len(met) - len(found), 'vertex', 'vertices')} of the graph disagree with their leaders"
        )
    if not json:
        print("\n".join(one.line for one in shown))
        print(f"{len(shown)} of {counted(len(found), 'class', 'classes')} decline an immediate win")
        return
    rows = []
    for one in shown:
        row = {"leader": one.name, "moves": one.rank, "score": one.score, "difficulty": one.difficulty}
        rows.append({**row, "size": one.size, "followers": list(one.followers), "declines": one.declines})
    emit(rows)


@app.command()
def position(
    cells: Annotated[str, typer.Argument(metavar="POSITION", help="A position, as XO./.X./..O.")],
    name: Annotated[
        str, typer.Option("--game", help="Another placing game, as square4.", autocompletion=complete_game)
    ] = "tictactoe",
    wins: Annotated[str, typer.Option(help="Which are better: late or early.")] = "late",
    digits: Annotated[str, typer.Option(help="What they count: nonoptimal or losing moves.")] = "nonoptimal",
    json: Json = False,
) -> None:
    """Say what Knuth's scores say of a position: score, difficulty in words, class, all optimal followers.

    For example: noughts knuth position XO./.X./..O, noughts knuth position XO./.X./... --digits losing
    """
    game = find_game(name)
    place = game.read(cells)
    if game.over(place) is not None:
        raise IllegalPositionError(f"{cells!r} is over: expected a position with a move to make")
    for option, word, words in (("--wins", wins, WINS), ("--digits", digits, DIGITS)):
        if word not in words:
            raise NoughtsError(f"{option} {word!r}: expected {' or '.join(words)}")
    found = opinion(place, game, Measure(wins, digits))
    sentences = in_words(found.appraisal, place.occupied.bit_count())
    followers = [game.write(follower) for follower in found.followers]
    if json:
        answer = {"game": game.name, "position": game.write(place), "score": found.appraisal.score}
        answer |= {"wins": wins, "digits": digits}
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
def read(
    file: Annotated[Path, typer.Argument(parser=named_path, metavar="FILE.gb", help="A file of the GraphBase.")],
    vertex: Annotated[int | None, typer.Option(parser=whole_number(0, 10**6), help="One vertex and its arcs.")] = None,
    json: Json = False,
) -> None:
    """Say what a Stanford GraphBase file holds, if it is right: any graph, not only tic-tac-toe's.

    For example: noughts knuth read tictactoe.gb, noughts knuth read tictactoe.gb --vertex 0
    """
    found = _read(file)
    if vertex is not None and vertex >= len(found.vertices):
        raise NoughtsError(f"V{vertex} is not in {str(file)!r}: expected 0 to {len(found.vertices) - 1}")
    own = _fields(FIELDS[8:], found.util_types[8:], found.fields)
    with _naming(file):
        shown = None if vertex is None else _vertex(found, vertex)
    if json:
        answer = {"file": str(file), "id": found.id, "vertices": found.n, "arcs": found.m, "fields": own}
        answer |= {
            "util_types": found.util_types,
            "records": {"vertices": len(found.vertices), "arcs": len(found.arcs)},
        }
        emit(answer if shown is None else answer | {"vertex": shown})
        return
    types = [f"{name} {TYPES[kind]}" for name, kind in zip(FIELDS, found.util_types, strict=True) if kind != "Z"]
    print(f"{found.id!r}: {counted(found.n, 'vertex', 'vertices')}, {counted(found.m, 'arc')}")
    print(f"records: {len(found.vertices):,} for vertices, {len(found.arcs):,} for arcs")
    print(f"fields: {', '.join(types) or 'none'}")
    if own:
        print(_listed(own))
    if shown is not None:
        print(f"V{vertex} {shown['name']!r}{'; ' * bool(shown['fields'])}{_listed(shown['fields'])}")
        for arc in shown["arcs"]:
            name = f" {arc['name']!r}" if arc["name"] is not None else ""
            print(
                f"  to {arc['tip']}{name}, length {arc['length']}{', ' * bool(arc['fields'])}{_listed(arc['fields'])}"
            )


def _read(file: Path) -> graphbase.Graph:
    """The graph in a file, of which no more is read than a graph may have."""
    try:
        with file.open("rb") as opened:
            content = opened.read(graphbase.MOST_BYTES + 1)
    except OSError as error:
        raise NoughtsError(f"{str(file)!r} cannot be read: {error.strerror}; expected a GraphBase file") from error
    with _naming(file), progress_bar("reading the graph") as progress:
        return graphbase.read(content.decode("latin-1"), progress)  # which has a character for every byte


@contextmanager
def _naming(file: Path | None) -> Iterator[None]:
    """Meanwhile, what is wrong with a graph is said of its file."""
    try:
        yield
    except GraphBaseError as error:
        raise GraphBaseError(f"{str(file)!r}, {error}" if file else str(error)) from error


def _vertex(graph: graphbase.Graph, number: int) -> dict[str, Any]:
    """A vertex and its arcs."""
    vertex, types = graph.vertices[number], graph.util_types
    arcs = []
    for arc in graph.arcs_of(number):
        name = None if arc.tip is None or arc.tip == graphbase.ONE else graph.vertices[arc.tip].name
        shown = {"tip": graphbase.written("V", arc.tip), "name": name}
        arcs.append({**shown, "length": arc.length, "fields": _fields(FIELDS[6:8], types[6:8], (arc.a, arc.b))})
    return {"name": vertex.name, "fields": _fields(FIELDS[:6], types[:6], vertex[2:]), "arcs": arcs}


def _fields(names: Sequence[str], types: str, values: Sequence[graphbase.Field]) -> dict[str, graphbase.Field]:
    """The fields that are used; vertices and arcs as the file has them, as V12."""
    used = ((name, kind, value) for name, kind, value in zip(names, types, values, strict=True) if kind != "Z")
    return {name: value if kind in "IS" else graphbase.written(kind, value) for name, kind, value in used}


def _listed(fields: dict[str, graphbase.Field]) -> str:
    return ", ".join(f"{name} {value}" for name, value in fields.items())


@app.command()
def graph(
    file: Annotated[Path, typer.Argument(parser=output_file, metavar="FILE.gb", help="Where to write it.")],
    json: Json = False,
) -> None:
    """Write the graph of tic-tac-toe as a Stanford GraphBase file.

    For example: noughts knuth graph tictactoe.gb
    """
    made = as_graphbase()
    text = graphbase.write(made)
    write_file(file, text)
    checksum = int(text.split()[-1])
    if json:
        emit({"file": str(file), "vertices": made.n, "arcs": made.m, "checksum": checksum})
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
