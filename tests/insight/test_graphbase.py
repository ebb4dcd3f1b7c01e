"""Files of the Stanford GraphBase: read and written, exactly, and refused where they are wrong."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.insight import graphbase
from noughts.insight.graphbase import ONE, Arc, Graph, GraphBaseError, Vertex, read, write
from noughts.insight.tictactoe_graph import as_graphbase
from oracles import knuth as oracle

ROADS = """\
* a comment before the graph
* GraphBase graph (util_types SIVAZZSVISZZZV,3V,4A)
"roads",2,3,-7,"two towns and a long, long, long, long, long name that does n\\
ot fit",
V1
* Vertices
"Aarau",A0,"on the Aare",380,V1,A3
"Brugg",A2,"",-1,1,0
"",0,"",0,0,0
* Arcs
V1,A1,20,"by rail",0
V1,0,25,"",V0
V0,0,20,"by rail",1
0,0,0,"",0
* Checksum -1
whatever stands here is ignored
"""
"""Fields of every type, a broken string and a broken record; the checksum is not to be compared."""


def with_checksum(text: str) -> str:
    lines = text.split("\n* Checksum", maxsplit=1)[0].split("\n")
    return "\n".join([*lines, f"* Checksum {oracle.graphbase_checksum(lines)}"]) + "\n"


def test_a_file_with_fields_of_every_type() -> None:
    found = read(ROADS)
    name = "two towns and a long, long, long, long, long name that does not fit"
    assert found[:5] == ("roads", 2, 3, "SIVAZZSVISZZZV", (-7, name, None, None, None, 1))
    assert found.vertices == (
        Vertex("Aarau", 0, "on the Aare", 380, 1, 3),
        Vertex("Brugg", 2, "", -1, ONE, None),
        Vertex("", None, "", 0, None, None),
    )
    assert found.arcs == (
        Arc(1, 1, 20, "by rail", None),
        Arc(1, None, 25, "", 0),
        Arc(0, None, 20, "by rail", ONE),
        Arc(None, None, 0, "", None),
    )
    assert [arc.length for arc in found.arcs_of(0)] == [20, 25]
    assert list(found.arcs_of(2)) == []


def test_what_is_written_is_laid_out_as_graphbase_does() -> None:
    text = write(read(ROADS))
    assert read(text) == read(ROADS)
    assert text == with_checksum(text)
    lines = text.split("\n")
    assert lines[:4] == [
        "* GraphBase graph (util_types SIVAZZSVISZZZV,3V,4A)",
        '"roads",2,3,-7,',  # the string would fit on a line, but not on this one
        '"two towns and a long, long, long, long, long name that does not fit",V1',
        "* Vertices",
    ]
    long = write(read(ROADS)._replace(id="i" * 150))
    assert long.split("\n")[1:4] == ['"' + "i" * 77 + "\\", "i" * 73 + '",2,3,', f"-7,{lines[2]}"]


def test_a_long_string_fills_lines_up_to_a_backslash() -> None:
    graph = Graph("many", 0, 0, "Z" * 8 + "SZZZZZ", ("x" * 200, *(None,) * 5), (), ())
    first, second, third = write(graph).split("\n")[1:4]
    assert first == '"many",0,0,"' + "x" * 66 + "\\"
    assert second == "x" * 78 + "\\"
    assert third == "x" * 56 + '"'
    assert read(write(graph)) == graph


def test_the_graph_of_tictactoe_is_read_as_it_was_written() -> None:
    text, seen = write(as_graphbase()), []
    found = read(text, lambda done, total: seen.append((done, total)))
    assert found == as_graphbase()
    assert (len(seen), seen[-1]) == (21, (21 * 1024, text.count("\n") + 1))
    assert write(found) == text
    for number, vertex in enumerate(oracle.parse_gb(text)):
        record = found.vertices[number]
        assert record[:1] == vertex[:1]
        assert tuple(arc.tip for arc in found.arcs_of(number)) == vertex.arcs
        assert record[3:] == vertex[2:]


texts = st.text(st.sampled_from("aX *,.0"), max_size=300)
numbers = st.integers(-graphbase.LARGEST, graphbase.LARGEST)


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Any graph with a few records."""
    types = draw(st.text("ZIVSA", min_size=14, max_size=14))
    vertex_count, arc_count = draw(st.integers(0, 3)), draw(st.integers(0, 3))
    vertices = st.sampled_from([None, ONE, *range(vertex_count)])
    arcs = st.sampled_from([None, *range(arc_count)])
    kinds = {"Z": st.none(), "I": numbers, "S": texts, "V": vertices, "A": arcs}

    def fields(letters: str) -> list[graphbase.Field]:
        return [draw(kinds[letter]) for letter in letters]

    made_vertices = tuple(Vertex(*fields("SA" + types[:6])) for _ in range(vertex_count))  # type: ignore[arg-type]
    made_arcs = tuple(Arc(*fields("VAI" + types[6:8])) for _ in range(arc_count))  # type: ignore[arg-type]
    name = draw(st.text(st.sampled_from("a *"), max_size=graphbase.LONGEST_ID))
    return Graph(name, vertex_count, arc_count, types, tuple(fields(types[8:])), made_vertices, made_arcs)


@given(graph=graphs())
@settings(max_examples=60, deadline=None)
def test_any_graph_comes_back_from_its_file(graph: Graph) -> None:
    text = write(graph)
    assert read(text) == graph
    assert max(map(len, text.split("\n"))) <= 79
    assert text == with_checksum(text)


GOOD = with_checksum(write(read(ROADS)))
"""Line 1 the header, 2 and 3 the graph, 4 Vertices, 5 to 7, 8 Arcs, 9 to 12, 13 the checksum."""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text[: text.index("* Checksum")], "the file ends after line 12: expected more, and at last"),
        (lambda _: "", "the file ends after line 0: expected more"),
        (lambda text: text[:-1], "line 13 has no end: expected a newline, as after every"),
        (
            lambda text: text.replace("SIVAZZ", "SIVAZG"),
            r"line 1, column 1: '\* GraphBase .*: expected .* letters of ZIVSA",
        ),
        (lambda text: text.replace("SIVAZZ", "SIVAZ"), "line 1, column 1.*: expected .* 14 letters of ZIVSA"),
        (lambda text: text[1:], "line 1, column 1: ' GraphBase"),
        (lambda text: text.replace("3V,", "999999999V,"), "line 1.*: expected numbers of records that the 12 lines"),
        (lambda text: text.replace("3V,", "4V,"), r"line 8, column 1: '\* Arcs': expected a string in double quotes"),
        (lambda text: text.replace("3V,", "2V,"), r"line 7, column 1: '\"\",0,\"\",0,0,0': expected \* Arcs"),
        (
            lambda text: text.replace("4A)", "3A)").replace("A3", "A2"),
            r"line 12, column 1: '0,0,0,\"\",0': expected \* Checksum and a number",
        ),
        (lambda text: text.replace("\n", "\r\n"), r"line 2, column 16: '\\r': expected a string in double quotes"),
        (lambda text: text.replace("* Vertices\n", ""), r"line 4, column 1: .*: expected \* Vertices"),
        (lambda text: text.replace('"Aarau"', "Aarau"), "line 5, column 1: .*: expected a string in double quotes"),
        (
            lambda text: text.replace('"Aarau"', '"Aarau'),
            r"line 5, column 12: 'on the Aare.*: expected a comma and the next",
        ),
        (
            lambda text: text.replace('"on the Aare"', '"on the Aare'),
            "line 5, column 13: .*: expected the string's closing",
        ),
        (
            lambda text: text.replace("Aarau", "Aaräu"),
            "line 5, column 2: .*: expected at most 4095 printable characters",
        ),
        (
            lambda text: text.replace("Aarau", "A" * 90),
            "line 5, column 1: .*: expected lines of at most 79 characters, not",
        ),
        (
            lambda text: text.replace("380", "38.0"),
            "line 5, column 28: .*: expected a comma and the next field of a vertex",
        ),
        (
            lambda text: text.replace("380", ""),
            "line 5, column 26: ',V1,A3': expected a whole number of at most 63 bits",
        ),
        (
            lambda text: text.replace("380", "9" * 19),
            "line 5, column 26: .*: expected a whole number of at most 63 bits",
        ),
        (lambda text: text.replace("V1,A3", "V3,A3"), "line 5, column 30: 'V3,A3': expected a vertex: V0 to V2, or 0"),
        (lambda text: text.replace("V1,A3", "2,A3"), "line 5, column 30: '2,A3': expected a vertex"),
        (lambda text: text.replace("V1,A3", "V1,A4"), "line 5, column 33: 'A4': expected an arc: A0 to A3, or 0"),
        (lambda text: text.replace("V1,A3", "V1,1"), "line 5, column 33: '1': expected an arc"),
        (lambda text: text.replace("V1,A3", "V1,V0"), "line 5, column 33: 'V0': expected an arc"),
        (
            lambda text: text.replace("V1,A3", "V1,A3,7"),
            "line 5, column 35: ',7': expected the end of a vertex, which has 6",
        ),
        (lambda text: text.replace("V1,A3", "V1"), "line 5, column 32: the end of the line: expected a comma"),
        (lambda text: text.replace('"roads",2', '"roads",4'), "the graph has 4 vertices: expected 0 to 3"),
        (lambda text: text.replace("2,3,-7", "2,-3,-7"), "the graph has -3 arcs: expected 0 to 4"),
        (
            lambda text: text.replace("380", "381"),
            r"line 13, column 1: .*: expected \* Checksum [0-9]+, which is that of",
        ),
        (lambda text: text.replace("* Checksum ", "* Checksum  "), r"line 13.*: expected \* Checksum and a number"),
        (lambda text: text + "x" * graphbase.MOST_BYTES, "over 8,388,608 characters: expected a smaller graph"),
    ],
)
def test_a_damaged_file_is_refused(change: Callable[[str], str], message: str) -> None:
    wrong = change(GOOD)
    assert wrong != GOOD
    with pytest.raises(GraphBaseError, match=message):
        read(wrong)


def test_blanks_at_the_end_of_a_line_do_not_matter() -> None:
    assert read(GOOD.replace("\n", "  \n")) == read(GOOD)


def test_a_list_of_arcs_without_an_end() -> None:
    endless = read(with_checksum(GOOD.replace('V1,0,25,"",V0', 'V1,A0,25,"",V0')))
    with pytest.raises(GraphBaseError, match="the arcs of V0 have no end: expected a list that ends with 0"):
        list(endless.arcs_of(0))


@pytest.mark.parametrize("text", ['say "hello"', "a\\b", "é", "two\nlines", "x" * 4096])
def test_a_string_that_the_format_cannot_hold(text: str) -> None:
    graph = read(ROADS)
    with pytest.raises(GraphBaseError, match="is no string for a file: expected at most 4095 printable characters"):
        write(graph._replace(vertices=(graph.vertices[0]._replace(name=text), *graph.vertices[1:])))


def test_an_identifier_that_is_too_long() -> None:
    with pytest.raises(GraphBaseError, match="the identifier has 155 characters: expected at most 154"):
        write(read(ROADS)._replace(id="i" * 155))
    text = write(read(ROADS)._replace(id="i" * 154)).replace('i",\n', 'i\\\ni",\n')
    with pytest.raises(GraphBaseError, match="the identifier has 155 characters: expected at most 154"):
        read(with_checksum(text))
