"""TICTACTOE2 on a graph: what it prints, and that it is the graph it has it from."""

from collections.abc import Callable

import pytest

from noughts.insight.graphbase import Arc, Graph, GraphBaseError
from noughts.insight.knuth import classes, hexadecimal
from noughts.insight.tictactoe2 import AS_SCANNED, Program, printed
from noughts.insight.tictactoe_graph import as_graphbase
from oracles import knuth as oracle

pytestmark = pytest.mark.slow

SWAPPED = str.maketrans("XO", "OX")


@pytest.fixture(scope="module")
def graph() -> Graph:
    return as_graphbase()


@pytest.fixture(scope="module")
def lines(graph: Graph) -> list[str]:
    return list(printed(Program(graph).run()))


def test_what_is_printed(lines: list[str]) -> None:
    assert len(lines) == 775
    assert lines[0] == "OXO/XOX/OXO has score -9(00000000), size 1"
    assert lines[764] == "   /   /    has score 0(57551000), size 1, ->    /   /X  "
    assert lines[765:] == [
        f"({count},{over}) classes after {rank} moves"
        for rank, (count, over) in enumerate(
            [(1, 0), (3, 0), (12, 0), (38, 0), (108, 0), (174, 21), (204, 21), (153, 58), (57, 23), (15, 15)]
        )
    ]


def test_it_prints_what_the_positions_of_the_game_give(lines: list[str]) -> None:
    expected = []
    for leader, appraisal, size, followers in classes():
        follower = f", -> {followers[0].name.translate(SWAPPED)}" if followers else ""
        expected.append(f"{leader.name} has score {appraisal.score}({hexadecimal(appraisal)}), size {size}{follower}")
    assert lines[:765] == expected


def test_it_gives_all_followers_and_says_who_declines_a_win(graph: Graph) -> None:
    found = [one for one in Program(graph).run() if one is not None]
    assert [one.followers for one in found] == [tuple(tip.name for tip in one.followers) for one in classes()]
    declining = [
        oracle.name(leader)
        for leader in oracle.classes()
        if oracle.no_brainer(leader) == 1 and not any(oracle.won(later) for later in oracle.followers(leader))
    ]
    assert sorted(one.name for one in found if one.declines) == sorted(declining)
    assert len(declining) == 97


def changed(graph: Graph, vertex: int, **fields: object) -> Graph:
    """The graph with another record for a vertex."""
    records = list(graph.vertices)
    records[vertex] = records[vertex]._replace(**fields)  # type: ignore[arg-type]
    return graph._replace(vertices=tuple(records))


def with_a_tenth_opening(graph: Graph) -> Graph:
    first = graph.vertices[0].arcs
    return changed(graph._replace(arcs=(*graph.arcs, Arc(1, first, 1))), 0, arcs=len(graph.arcs))


def test_the_order_of_arcs_changes_only_the_printed_followers(graph: Graph, lines: list[str]) -> None:
    arcs = list(graph.arcs)
    for vertex in range(graph.n):
        numbers, number = [], graph.vertices[vertex].arcs
        while number is not None:
            numbers.append(number)
            number = graph.arcs[number].next
        for here, there in zip(numbers, reversed(numbers), strict=True):
            arcs[here] = arcs[here]._replace(tip=graph.arcs[there].tip)
    back = list(printed(Program(graph._replace(arcs=tuple(arcs))).run()))
    assert lines != back
    assert [line.split(", ->")[0] for line in lines] == [line.split(", ->")[0] for line in back]


def test_names_come_from_the_file(graph: Graph, lines: list[str]) -> None:
    found = list(printed(Program(changed(graph, 0, name="the beginning")).run()))
    assert found == [*lines[:764], lines[764].replace("   /   /    has", "the beginning has"), *lines[765:]]


def test_the_constant_of_the_scan(graph: Graph, lines: list[str]) -> None:
    found = list(printed(Program(graph, AS_SCANNED).run()))
    assert found[764] == "   /   /    has score 0(57662111), size 1, ->    /   /X  "
    assert found[765:] == lines[765:]
    assert [line.split("(")[0] for line in found] == [line.split("(")[0] for line in lines]


def test_a_vertex_that_disagrees_with_its_leader(graph: Graph, lines: list[str]) -> None:
    full = [number for number, one in enumerate(graph.vertices[: graph.n]) if one.z == 9 and not one.w]
    names = {line[:11] for line in lines[:765]}
    other = next(number for number in full if graph.vertices[number].name not in names)
    found = list(printed(Program(changed(graph, other, w=1)).run()))
    assert lines.count("I goofed!") == 0
    assert found.count("I goofed!") >= 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda graph: graph._replace(util_types="Z" * 14), "util_types 'ZZZ.*: expected IIVVI for the fields v to z"),
        (
            lambda graph: graph._replace(vertices=graph.vertices[:9]),
            "'tictactoe' has 9 vertices: expected the heads of 10",
        ),
        (lambda graph: changed(graph, 0, y=0), "the links of rank 0 come to 0: expected each vertex once, then 0"),
        (lambda graph: changed(graph, 0, x=-1), "the links of rank 0 come to -1: expected each vertex once, then 0"),
        (lambda graph: changed(graph, 0, z=3), "V0 in the list of rank 0 has rank 3"),
        (lambda graph: changed(graph, 0, v=1 << 18), "V0 has bit code 262144: expected 0 to 262143"),
        (lambda graph: changed(graph, 0, v=4), "V0 has bit code 4: expected a vertex with 1, its leader"),
        (lambda graph: changed(graph, 0, arcs=None), "V0 has no arcs: expected some, since it is neither won nor full"),
        (lambda graph: changed(graph, 0, arcs=1), "an arc of V0 leads to V2: expected a vertex in the list of rank 1"),
        (lambda graph: changed(graph, 0, v=2), "V0 and V1 have bit code 2: expected one vertex with it"),
        (with_a_tenth_opening, "V0 has more than 9 arcs: expected one for every empty place at most"),
        (lambda graph: changed(graph, 0, arcs=16217), "an arc of V0 leads to 0: expected a vertex in the list"),
        (
            lambda graph: changed(graph, 1, x=graph.vertices[5469].y),
            "leads to V5469: expected a vertex in the list of rank 1",
        ),
    ],
)
def test_a_graph_that_it_cannot_work_on(graph: Graph, change: Callable[[Graph], Graph], message: str) -> None:
    with pytest.raises(GraphBaseError, match=message):
        list(printed(Program(change(graph)).run()))
