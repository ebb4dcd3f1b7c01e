"""What a netlist is made of: counted by hand for small ones, by other means for the records."""

from pathlib import Path

import pytest

from noughts.extras import MissingToolError
from noughts.silicon.logic.best import best, known
from noughts.silicon.logic.counts import Counts, counts, depths, mapped
from noughts.silicon.logic.netlist import read_netlist


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("output y = a", Counts(0, 0, 0, 0, 0, 0, 0, 0, 0)),
        ("output y = ~a\noutput z = ~a", Counts(0, 0, 0, 0, 0, 0, 1, 0, 2)),
        ("g = ~(a & b)\noutput y = g", Counts(1, 0, 0, 1, 0, 0, 0, 1, 4)),
        ("g = a & b\noutput y = g", Counts(1, 0, 1, 0, 0, 0, 0, 1, 6)),
        ("g = a & b\noutput y = ~g", Counts(1, 0, 1, 0, 0, 0, 0, 1, 4)),  # a NAND
        ("g = a & b\noutput y = ~g\noutput z = g", Counts(1, 0, 1, 0, 0, 0, 1, 1, 8)),
        ("g = a & ~b\nh = a | ~b\noutput y = g\noutput z = h", Counts(2, 0, 1, 1, 0, 0, 1, 1, 14)),
        ("g = a ^ b\nh = g ^ c\noutput y = h\noutput z = ~g", Counts(2, 0, 0, 0, 2, 0, 1, 2, 22)),
        ("g = a & a\nh = g | b\noutput y = h\noutput z = 0", Counts(2, 0, 1, 1, 0, 0, 0, 2, 12)),
        ("g = a & b\nh = a | b\noutput y = g", Counts(2, 1, 1, 1, 0, 0, 0, 1, 12)),
    ],
)
def test_small_netlists_are_counted_as_by_hand(lines: str, expected: Counts) -> None:
    assert counts(read_netlist(f"inputs a b c\n{lines}")) == expected


@pytest.mark.parametrize("name", known())
def test_the_kinds_of_a_record_add_up_and_its_depth_is_that_of_its_longest_way(name: str) -> None:
    netlist = best(name)
    found = counts(netlist)
    assert found.and_like + found.or_like + found.xor_like == found.gates == len(netlist.gates)
    # Gates that can be reached from the outputs in so many steps: none is left after as many as the depth.
    reached = {output.signal for output in netlist.outputs}
    steps = 0
    while reached := {signal for signal in reached if signal >= len(netlist.inputs)}:
        gates = [netlist.gates[signal - len(netlist.inputs)] for signal in reached]
        reached = {signal for gate in gates for signal in (gate.a, gate.b)}
        steps += 1
    assert found.depth == steps == max(depths(netlist))


def test_yosys_makes_luts_and_cells_of_a_netlist() -> None:
    try:
        found = mapped(read_netlist("inputs a b c d e\ng = a & b\nh = c ^ d\ni = g | h\nj = i & e\noutput y = j"))
    except MissingToolError as missing:
        pytest.skip(str(missing))
    assert (found.luts4, found.luts6) == (2, 1)
    if found.cells is not None:
        assert found.nand2 is not None
        assert 3 <= found.cells <= 6 <= found.nand2 + 2


@pytest.mark.parametrize("name", known())
def test_the_table_of_records_in_the_docs_says_what_the_files_say(name: str) -> None:
    found = counts(best(name))
    expected = {
        "gates": found.gates, "AND": found.and_like, "OR": found.or_like, "XOR": found.xor_like,
        "inverters": found.inverters, "depth": found.depth, "transistors": found.transistors,
    }  # fmt: skip
    rows = [told_of(name, page) for page in ("logic.md", "silicon.md")]
    assert [len(row) for row in rows] == [13, 7]
    for row in rows:
        counted = {column: f"{expected[column]:,}" for column in expected.keys() & row.keys()}
        assert row == {**row, **counted}, "python docs/make_logic.py"
        assert ("432" in row["published by others"]) == (name == "A")
    assert rows[1] == {column: rows[0][column] for column in rows[1]}


def told_of(name: str, page: str) -> dict[str, str]:
    """The row of a specification in the table of records on a page, by the heads of its columns."""
    text = (Path(__file__).parents[3] / "docs" / page).read_text(encoding="utf-8")
    table = text.partition("<!-- records: made by docs/make_logic.py -->\n")[2].partition("<!--")[0]
    head, _, *lines = ([cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines())
    (row,) = (line for line in lines if line[0] == name)
    return dict(zip(head, row, strict=True))
