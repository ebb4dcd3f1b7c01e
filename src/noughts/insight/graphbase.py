"""Graphs in the file format of Knuth's Stanford GraphBase: what `restore_graph` reads and `save_graph` writes.

A **graph** is a block of vertex records and a block of arc records. Of a vertex there is its name and its first arc; of
an arc the vertex it leads to (its tip), the next arc from the same vertex, and its length; of the graph an identifier
and the numbers n of vertices and m of arcs. There may be more records than that: spare vertices, and arcs that fill up
a block of memory.

Besides, each record has **utility fields**, which every program uses as it likes: u to z of a vertex, a and b of an
arc, uu to zz of the graph. Fourteen letters, the *util_types*, say in this order what they are: `I` a whole number, `S`
a string, `V` a vertex, `A` an arc, `Z` nothing. (One more, `G`, another graph, exists in memory only: the format has no
place for it.)

```
* GraphBase graph (util_types ZIIVVIZZZZZZZZ,5482V,16218A)        types, vertex and arc records
"tictactoe",5478,16167                                            id, n, m, fields that are not Z
* Vertices
"   /   /   ",A8,0,0,V0,0,0                                       name, first arc, fields that are not Z
* Arcs
V1,0,1                                                            tip, next, length, fields that are not Z
* Checksum 664090930
```

A vertex or arc is written as its number in its block, as `V12` and `A7`, none as `0`; where a vertex is expected there
may be a `1`, which programs about circuits use for a constant. Strings hold the printable characters of `CODES` without
`"` and the backslash. No line is longer than 79 characters: a record goes on after a line that ends with a comma, a
string after one that ends with a backslash. Comments, lines with a star in front, may precede the first line; what
follows the last is ignored, and so are blanks at the end of a line.

The checksum starts at 0; every character of every line, its newline included, makes a into (2a + code) mod (2³⁰ − 83),
the code being its place in `CODES`, and 127 for others. Lines that begin with a star do not count. A negative checksum
is not compared.

(GraphBase itself disagrees in one case: when a string is broken in front of a star, `save_graph` counts the line and
`restore_graph` does not, so that it refuses the file. Here neither counts it.)
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from noughts.games import NoughtsError
from noughts.solve import Progress

__all__ = [
    "MOST_BYTES",
    "ONE",
    "Arc",
    "Field",
    "Graph",
    "GraphBaseError",
    "Vertex",
    "checksum",
    "read",
    "write",
    "written",
]

MOST_BYTES = 1 << 23
"""Of a file to be read: room for twenty graphs of tic-tac-toe."""
MOST_RECORDS = 1_000_000
"""Of a kind."""
REPORTED = 1024
"""After so many lines progress is reported."""
LONGEST_LINE = 79
LONGEST_STRING = 4095
LONGEST_ID = 154
MOST_SHOWN = 40
"""Characters of a line in a message."""
LARGEST = (1 << 63) - 1
"""Numbers are those of a C program: 64 bits, one of them the sign."""

MODULUS = (1 << 30) - 83
CODES = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_^~&@,;.:?!%#$+-*/|\\<=>()[]{}`'\" \n"
OTHER_CODE = 127

TYPES = "ZIVSA"
TITLE = "* GraphBase graph ("
HEADER = re.compile(rf"{re.escape(TITLE)}util_types ([{TYPES}]{{14}}),([0-9]{{1,9}})V,([0-9]{{1,9}})A\).*")
CHECKSUM = re.compile(r"\* Checksum (-?[0-9]{1,19})")
NUMBER = re.compile(r"-?[0-9]{1,19}")
POINTER = re.compile(r"0|1(?![0-9])|[VA][0-9]{1,9}")

Field = int | str | None
"""A number, a string, or the number of a vertex or arc; None for no vertex, no arc, and what is ignored."""
ONE = -1
"""The constant 1 where a vertex is expected."""


class GraphBaseError(NoughtsError):
    """A file that is no GraphBase graph, or a graph that has no such file; the message says where."""


class Vertex(NamedTuple):
    """A vertex record."""

    name: str
    arcs: int | None
    """The first arc."""
    u: Field = None
    v: Field = None
    w: Field = None
    x: Field = None
    y: Field = None
    z: Field = None


class Arc(NamedTuple):
    """An arc record."""

    tip: int | None
    next: int | None
    length: int
    a: Field = None
    b: Field = None


class Graph(NamedTuple):
    """A graph with all its records, spare ones too."""

    id: str
    n: int
    m: int
    util_types: str
    fields: tuple[Field, ...]
    """uu, vv, ww, xx, yy, zz."""
    vertices: tuple[Vertex, ...]
    arcs: tuple[Arc, ...]

    def arcs_of(self, vertex: int) -> Iterator[Arc]:
        """The arcs from a vertex, in the order of its list; GraphBaseError if the list comes back to itself.

        Args:
            vertex: Its number.
        """
        number, seen = self.vertices[vertex].arcs, 0
        while number is not None:
            if seen == len(self.arcs):
                raise GraphBaseError(f"the arcs of V{vertex} have no end: expected a list that ends with 0")
            yield self.arcs[number]
            number, seen = self.arcs[number].next, seen + 1


def checksum(lines: Sequence[str]) -> int:
    """GraphBase's sum over all characters, newlines included, of the lines that do not begin with a star.

    Args:
        lines: Of the file, without their newlines.
    """
    total = 0
    for line in lines:
        if not line.startswith("*"):
            for character in line + "\n":
                total = (2 * total + _CODE.get(character, OTHER_CODE)) % MODULUS
    return total


_CODE = {character: code for code, character in enumerate(CODES)}


def read(text: str, progress: Progress = lambda _done, _total: None) -> Graph:
    """The graph in the text of a file; progress is told how many of its lines have been read.

    Raises GraphBaseError with the number of the line, what stands there and what was expected.

    Args:
        text: The text of the file.
        progress: Told now and then how many of its lines are read, of how many.
    """
    if len(text) > MOST_BYTES:
        raise GraphBaseError(f"the file has over {MOST_BYTES:,} characters: expected a smaller graph")
    reader = _Reader(text, progress)
    types, vertex_count, arc_count = reader.header()
    name, n, m, *fields = reader.record("SII" + types[8:], "the graph")
    for count, kind, what in ((n, "V", "vertices"), (m, "A", "arcs")):
        most = reader.limits[kind]
        if not 0 <= count <= most:
            raise GraphBaseError(f"the graph has {count} {what}: expected 0 to {most}, for so many records")
    if len(name) > LONGEST_ID:
        raise GraphBaseError(f"the identifier has {len(name)} characters: expected at most {LONGEST_ID}")
    reader.section("* Vertices")
    vertices = tuple(Vertex(*reader.record("SA" + types[:6], "a vertex")) for _ in range(vertex_count))
    reader.section("* Arcs")
    arcs = tuple(Arc(*reader.record("VAI" + types[6:8], "an arc")) for _ in range(arc_count))
    reader.checksum()
    return Graph(name, n, m, types, tuple(fields), vertices, arcs)


def write(graph: Graph) -> str:
    """The text of a graph's file.

    Raises GraphBaseError for strings that the format cannot hold.

    Args:
        graph: What is written.
    """
    types = graph.util_types
    if len(graph.id) > LONGEST_ID:
        raise GraphBaseError(f"the identifier has {len(graph.id)} characters: expected at most {LONGEST_ID}")
    lines = list(_lines(("SII" + types[8:]), (graph.id, graph.n, graph.m, *graph.fields)))
    lines.append("* Vertices")
    for vertex in graph.vertices:
        lines += _lines("SA" + types[:6], vertex)
    lines.append("* Arcs")
    for arc in graph.arcs:
        lines += _lines("VAI" + types[6:8], arc)
    head = f"* GraphBase graph (util_types {types},{len(graph.vertices)}V,{len(graph.arcs)}A)"
    return "\n".join([head, *lines, f"* Checksum {checksum(lines)}"]) + "\n"


def _lines(types: str, record: Sequence[Field]) -> Iterator[str]:
    """The lines of a record: as much on each as goes, with room for one more character, a comma or a backslash."""
    line, room = "", LONGEST_LINE - 1
    for number, (kind, field) in enumerate(
        (kind, field) for kind, field in zip(types, record, strict=True) if kind != "Z"
    ):
        line += "," if number else ""
        item = written(kind, field)
        if len(line) + len(item) > room:
            if len(item) <= room or len(line) >= room:
                yield line
                line = ""
            while len(item) > room:
                part, item = item[: room - len(line)], item[room - len(line) :]
                yield f"{line}{part}\\"
                line = ""
        line += item
    yield line


def written(kind: str, field: Field) -> str:
    """A field as the file has it.

    Args:
        kind: The type of the field, a letter of the format: `I`, `S`, `V` or `A`.
        field: Its value.
    """
    if kind == "S":
        text = str(field or "")
        if len(text) > LONGEST_STRING or not set(text) <= _PRINTABLE:
            raise GraphBaseError(
                f"{text[:MOST_SHOWN]!r} is no string for a file: "
                f'expected at most {LONGEST_STRING} printable characters of ASCII, without " and \\'
            )
        return f'"{text}"'
    if kind == "I":
        return str(field or 0)
    return "0" if field is None else "1" if field == ONE else f"{kind}{field}"


_PRINTABLE = set(CODES) - set('"\\\n')


class _Reader:
    """The lines of a file, field by field."""

    def __init__(self, text: str, progress: Progress) -> None:
        self.lines = [line.rstrip(" ") for line in text.split("\n")]
        self.progress = progress
        self.line = ""
        self.number = 0
        """Of this line, from 1."""
        self.column = 0
        """Of the next character in it, from 0."""
        self.limits: dict[str, int] = {}
        self.next_line()

    def next_line(self) -> None:
        if self.number == len(self.lines) - 1:
            if self.lines[-1]:
                raise GraphBaseError(f"line {self.number + 1} has no end: expected a newline, as after every line")
            raise GraphBaseError(f"the file ends after line {self.number}: expected more, and at last * Checksum")
        self.line, self.number, self.column = self.lines[self.number], self.number + 1, 0
        if self.number % REPORTED == 0:
            self.progress(self.number, len(self.lines))
        if len(self.line) > LONGEST_LINE:
            raise self.error(f"lines of at most {LONGEST_LINE} characters, not of {len(self.line)}")

    def error(self, expected: str) -> GraphBaseError:
        """What to say of the place that was reached."""
        rest = self.line[self.column :]
        shown = repr(rest if len(rest) <= MOST_SHOWN else f"{rest[:MOST_SHOWN]}…") if rest else "the end of the line"
        return GraphBaseError(f"line {self.number}, column {self.column + 1}: {shown}: expected {expected}")

    def header(self) -> tuple[str, int, int]:
        """The types of the fields, and how many records of either kind there are."""
        while (found := HEADER.fullmatch(self.line)) is None:
            if not self.line.startswith("*") or self.line.startswith(TITLE):
                raise self.error(f"{TITLE}util_types, 14 letters of {TYPES}, and numbers, as in 5482V,16218A)")
            self.next_line()
        types, vertices, arcs = found[1], int(found[2]), int(found[3])
        left = len(self.lines) - self.number - 1
        if max(vertices, arcs) > MOST_RECORDS or vertices + arcs > left:
            raise self.error(
                f"numbers of records that the {left} lines from here on could hold, at most {MOST_RECORDS:,}"
            )
        self.limits = {"V": vertices, "A": arcs}
        self.next_line()
        return types, vertices, arcs

    def section(self, title: str) -> None:
        if self.line != title:
            raise self.error(title)
        self.next_line()

    def checksum(self) -> None:
        """The last line, compared with what the lines before it add up to."""
        found = CHECKSUM.fullmatch(self.line)
        if found is None:
            raise self.error("* Checksum and a number")
        right = checksum(self.lines[: self.number - 1])
        if int(found[1]) >= 0 and int(found[1]) != right:
            raise self.error(f"* Checksum {right}, which is that of the lines above")

    def record(self, types: str, what: str) -> list[Any]:
        """The fields of the next record."""
        fields: list[Field] = []
        started = False
        for kind in types:
            if kind == "Z":
                fields.append(None)
                continue
            if started:
                self.comma(what)
            started = True
            fields.append(self.string() if kind == "S" else self.whole() if kind == "I" else self.pointer(kind))
        if self.column < len(self.line):
            raise self.error(f"the end of {what}, which has {len(types) - types.count('Z')} fields")
        self.next_line()
        return fields

    def comma(self, what: str) -> None:
        if self.line[self.column : self.column + 1] != ",":
            raise self.error(f"a comma and the next field of {what}")
        self.column += 1
        if self.column == len(self.line):
            self.next_line()

    def whole(self) -> int:
        found = NUMBER.match(self.line, self.column)
        if found is None or abs(int(found[0])) > LARGEST:
            raise self.error("a whole number of at most 63 bits")
        self.column = found.end()
        return int(found[0])

    def pointer(self, kind: str) -> int | None:
        """The number of a vertex or an arc; None, or ONE."""
        count, found = self.limits[kind], POINTER.match(self.line, self.column)
        word = found[0] if found else ""
        in_range = word[:1] == kind and int(word[1:]) < count
        if found is None or not (in_range or word == "0" or (word == "1" and kind == "V")):
            known = f"{kind}0 to {kind}{count - 1}, or 0" if count else "0"
            raise self.error(f"{'a vertex' if kind == 'V' else 'an arc'}: {known}")
        self.column = found.end()
        return int(word[1:]) if in_range else None if word == "0" else ONE

    def string(self) -> str:
        """A string in quotes, whose parts may stand on several lines."""
        if self.line[self.column : self.column + 1] != '"':
            raise self.error("a string in double quotes")
        self.column += 1
        parts: list[str] = []
        while (end := self.line.find('"', self.column)) < 0:
            if not self.line.endswith("\\"):
                raise self.error("the string's closing quotes, or a backslash at the end of the line")
            parts.append(self.line[self.column : -1])
            self.next_line()
        parts.append(self.line[self.column : end])
        text = "".join(parts)
        if len(text) > LONGEST_STRING or not set(text) <= _PRINTABLE:
            raise self.error(f"at most {LONGEST_STRING} printable characters of ASCII, without a backslash")
        self.column = end + 1
        return text
