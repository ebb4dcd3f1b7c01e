"""BLIF: what is read, as how many gates it is counted, what is written, and what is refused."""

import pytest
from hypothesis import given
from test_netlist import netlists

from noughts.silicon.logic.best import best
from noughts.silicon.logic.blif import is_blif, read_blif, write_blif
from noughts.silicon.logic.netlist import MOST_TEXT, Gate, Netlist, NetlistError, Output, simulate, write_netlist

HEAD = ".model m\n.inputs a b c\n.outputs y\n"


@given(netlists())
def test_what_is_written_is_read_back_and_does_the_same(netlist: Netlist) -> None:
    read = read_blif(write_blif(netlist))
    width = 1 << len(netlist.inputs)
    words = [sum((k >> i & 1) << k for k in range(width)) for i in range(len(netlist.inputs))]
    assert simulate(read.netlist, words, width) == simulate(netlist, words, width)
    assert len(read.netlist.gates) <= len(netlist.gates)
    assert read.wide == 0


def test_a_netlist_without_gates_of_fewer_inputs_is_read_back_as_it_was() -> None:
    assert read_blif(write_blif(best("C"))).netlist == best("C")
    assert is_blif(write_blif(best("C")))
    assert not is_blif(write_netlist(best("C")))


A, B, C = 0b10101010, 0b11001100, 0b11110000
"""The eight assignments of three inputs, as words."""


@pytest.mark.parametrize(
    ("cover", "gates", "word"),
    [
        (".names a b c y\n11- 1\n0-1 1\n", 3, A & B | ~A & C),
        (".names a b c y\n11- 0\n0-1 0\n", 3, ~(A & B | ~A & C)),
        (".names a b c y\n1-- 1\n-1- 1\n", 1, A | B),
        (".names a b y\n11 1\n10 1\n", 0, A),
        (".names a y\n0 1\n", 0, ~A),
        (".names y\n1\n", 0, ~0),
        (".names y\n", 0, 0),
        (".names k\n1\n.names k a b y\n111 1\n", 1, A & B),
        (".names a n\n0 1\n.names n a b c y\n1-11 1\n01-0 1\n", 4, ~A & B & C | A & ~C),
        (".names a n\n0 1\n.names a n b c y\n11-- 1\n--11 1\n", 1, B & C),
        ("# a comment\n.names a b \\\nc y\n111 1\n", 2, A & B & C),
    ],
)
def test_a_cover_is_as_many_gates_as_it_takes(cover: str, gates: int, word: int) -> None:
    netlist = read_blif(f"{HEAD}{cover}.end\n").netlist
    assert len(netlist.gates) == gates
    assert simulate(netlist, [A, B, C], 8) == [word & 255]


def test_a_cover_that_names_eight_inputs_and_depends_on_two_is_one_gate() -> None:
    """Its rows spell out all assignments of the eight."""
    names = "abcdefgh"
    rows = "".join(f"{k:08b} 1\n" for k in range(256) if (k >> 6 ^ k >> 1) & 1)
    head = f".model m\n.inputs {' '.join(names)}\n.outputs y\n"
    read = read_blif(f"{head}.names {' '.join(names)} y\n{rows}.end")
    assert read == (Netlist(tuple(names), (Gate(1, 6, 0b0110),), (Output("y", 8, False),)), 0)


def test_covers_of_more_than_two_inputs_are_counted() -> None:
    read = read_blif(f"{HEAD}.names a b c y\n111 1\n.end")
    assert read.wide == 1
    assert read.netlist == Netlist(("a", "b", "c"), (Gate(0, 1, 8), Gate(3, 2, 8)), (Output("y", 4, False),))


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (f"{HEAD}.latch a y\n", "line 4: '.latch' is a register: expected logic alone, .model .inputs"),
        (f"{HEAD}.subckt x y=y\n", "line 4: '.subckt' is not read here: expected logic alone"),
        (f"{HEAD}.end", "line 3: 'y' is not defined"),
        (f"{HEAD}.names a q y\n11 1\n", "line 4: 'q' is not defined"),
        (f"{HEAD}.names y y\n1 1\n", "line 4: 'y → y' is a cycle"),
        (f"{HEAD}.names a b y\n1 1\n", "line 5: '1 1' is no row of 'y': expected 2 of 0, 1 and -, and 0 or 1"),
        (f"{HEAD}.names a b y\n1x 1\n", "line 5: '1x 1' is no row of 'y'"),
        (f"{HEAD}.names a b y\n11 1\n00 0\n", "line 4: 'y' has rows with 0 and rows with 1: expected one of them"),
        (f"{HEAD}.names a y\n1 1\n.names b y\n1 1\n", "line 6: 'y' is defined twice"),
        (f"{HEAD}.names a b\n1 1\n", "line 4: 'b' is defined twice"),
        (f"{HEAD}.names {'a ' * 9} y\n", "line 4: 'y' has 9 inputs: expected at most 8"),
        (f"{HEAD}11 1\n", "line 4: '11' is in no cover: expected .names before it"),
        (f"{HEAD}.names\n", "line 4: .names names nothing"),
        (".model m\n.outputs y\n.names y\n.end", "the netlist has 0 inputs: expected at least one"),
        (f"{HEAD}.inputs a", "line 4: 'a' is defined twice"),
        ("." * (MOST_TEXT + 1), "the netlist is too long"),
    ],
)
def test_what_is_wrong_is_said_with_its_line_and_what_was_expected(text: str, error: str) -> None:
    with pytest.raises(NetlistError) as raised:
        read_blif(text)
    assert str(raised.value).startswith(error)
    assert "\n" not in str(raised.value)
