"""Netlists as values and as texts: what is read, what is written, and what is refused, with its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.silicon.logic.netlist import (
    MOST_GATES,
    MOST_TEXT,
    Gate,
    Netlist,
    NetlistError,
    Output,
    read_netlist,
    signals,
    simulate,
    write_netlist,
)

A, B = 0b1010, 0b1100
"""The four assignments of two inputs, as words: a changes first."""


@pytest.mark.parametrize(
    ("expression", "word"),
    [
        ("a & b", A & B),
        ("a | b", A | B),
        ("a ^ b", A ^ B),
        ("~a & b", ~A & B),
        ("a | ~ b", A | ~B),
        ("~a ^ ~b", A ^ B),
        ("~(a & b)", ~(A & B)),
        ("~( ~a|b )", ~(~A | B)),
        ("~(a ^ ~b)", A ^ B),
    ],
)
def test_an_expression_means_what_it_says(expression: str, word: int) -> None:
    netlist = read_netlist(f"inputs a b\ng = {expression}\noutput y = g\noutput z = ~g")
    assert len(netlist.gates) == 1
    assert simulate(netlist, [A, B], 4) == [word & 15, ~word & 15]


def test_bit_a_plus_2b_of_the_table_comes_out() -> None:
    for table in range(16):
        netlist = Netlist(("a", "b"), (Gate(0, 1, table),), (Output("y", 2, False),))
        assert simulate(netlist, [A, B], 4) == [table]


def test_another_name_for_a_signal_or_its_inverse_is_no_gate() -> None:
    netlist = read_netlist("inputs a b\nn = ~a\nm = n\ng = m & b\noutput y = ~m\noutput z = g")
    assert netlist == Netlist(("a", "b"), (Gate(0, 1, 0b0100),), (Output("y", 0, False), Output("z", 2, False)))


def test_lines_may_stand_in_any_order_and_have_comments() -> None:
    text = "# by hand\noutput y = second   # the result\nsecond = first ^ a\nfirst = a & b\ninputs a\ninputs b\n\n"
    assert read_netlist(text).gates == (Gate(0, 1, 8), Gate(2, 0, 6))


def test_constants_come_out_as_they_are() -> None:
    netlist = read_netlist("inputs a\noutput no = 0\noutput yes = 1")
    assert netlist.outputs == (Output("no", -1, False), Output("yes", -1, True))
    assert simulate(netlist, [0b101], 3) == [0, 0b111]


def test_gates_that_lead_to_no_output_are_counted() -> None:
    netlist = read_netlist("inputs a b\ng = a & b\nh = a | b\ni = h ^ a\noutput y = g")
    assert netlist.unused == 2
    assert netlist.used == {0, 1, 2}


@st.composite
def netlists(draw: st.DrawFn) -> Netlist:
    inputs = draw(st.integers(1, 5))
    gates = []
    for number in range(inputs, inputs + draw(st.integers(0, 12))):
        below = st.integers(0, number - 1)
        gates.append(Gate(draw(below), draw(below), draw(st.integers(0, 15))))
    ends = st.tuples(st.integers(-1, inputs + len(gates) - 1), st.booleans())
    outputs = [Output(f"y{i}", *end) for i, end in enumerate(draw(st.lists(ends, min_size=1, max_size=4)))]
    return Netlist(tuple(f"g{i}" for i in range(inputs)), tuple(gates), tuple(outputs))


@given(netlists())
def test_what_is_written_is_read_back_with_as_many_gates_that_do_the_same(netlist: Netlist) -> None:
    read = read_netlist(write_netlist(netlist, "two\nlines"))
    width = 1 << len(netlist.inputs)
    words = [sum((k >> i & 1) << k for k in range(width)) for i in range(len(netlist.inputs))]
    assert signals(read, words, width) == signals(netlist, words, width)
    assert (read.inputs, read.outputs) == (netlist.inputs, netlist.outputs)
    assert write_netlist(read) == write_netlist(netlist)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("inputs a b\ng = a & c\noutput y = g", "line 2: 'c' is not defined: expected an input or the name of a gate"),
        ("inputs a\noutput y = b", "line 2: 'b' is not defined: expected an input or the name of a gate"),
        ("inputs a\ng = a & h\nh = g | a\noutput y = g", "line 3: 'g → h → g' is a cycle"),
        ("inputs a\ng = ~g\noutput y = g", "line 2: 'g → g' is a cycle"),
        ("inputs a a\noutput y = a", "line 1: 'a' is defined twice: expected a name other than that of line 1"),
        ("inputs a b\na = b & b", "line 2: 'a' is defined twice"),
        ("inputs a b\ng = a & b\ng = a | b", "line 3: 'g' is defined twice: expected a name other than that of line 2"),
        ("inputs a\noutput y = a\noutput y = ~a", "line 3: output 'y' is given twice: expected one line for it"),
        ("inputs a b\ng = a + b", "line 2: 'a + b' is not understood: expected two signals with & | or ^ between"),
        ("inputs a b\ng = a & b & a", "line 2: 'a & b & a' is not understood"),
        ("inputs a b\ng = a & 1", "line 2: 'a & 1' is not understood"),
        ("inputs a b\noutput y = a & b", "line 2: 'a & b' is not understood: expected a signal, ~ before it, 0 or 1"),
        ("inputs a 2b", "line 1: '2b' is no name: expected a letter, then letters"),
        ("inputs output", "line 1: 'output' is no name"),
        (f"inputs {'a' * 61}", f"line 1: '{'a' * 39}…' is no name"),
        ("inputs a\nwhat is this", "line 2: 'what is this' is no line of a netlist: expected 'inputs NAME …'"),
        ("output y = 0", "the netlist has no inputs: expected at least one"),
        ("inputs a", "the netlist has 0 outputs: expected at least one"),
        ("", "the netlist has no inputs"),
        ("#" * (MOST_TEXT + 1), "the netlist is too long: 1,048,577 characters, expected at most 1,048,576"),
        (f"inputs a\ng = {' ' * 400_000}~{' ' * 400_000}a a", "line 2: '~ a a' is not understood"),
        (f"inputs {' '.join(f'a{i}' for i in range(1001))}", "1,001 inputs: expected at most 1,000"),
    ],
)
def test_what_is_wrong_is_said_with_its_line_and_what_was_expected(text: str, error: str) -> None:
    with pytest.raises(NetlistError) as raised:
        read_netlist(text)
    assert str(raised.value).startswith(error)
    assert "\n" not in str(raised.value)


def test_a_long_chain_is_read_and_one_gate_too_many_is_not() -> None:
    chain = [f"g{i} = g{i + 1} & a" for i in range(MOST_GATES - 1)]
    text = "\n".join(["inputs a", "output y = g0", *chain, f"g{MOST_GATES - 1} = a & a"])
    assert len(read_netlist(text).gates) == MOST_GATES
    with pytest.raises(NetlistError, match="10,001 gates: expected at most 10,000"):
        read_netlist(f"{text}\nh = a & a")


@pytest.mark.parametrize(
    ("gate", "error"),
    [(Gate(0, 2, 8), "gate 1 reads signal 2: expected 0 to 1"), (Gate(0, 1, 16), "gate 1 has the table 16")],
)
def test_a_value_that_is_no_netlist_is_refused(gate: Gate, error: str) -> None:
    with pytest.raises(NetlistError, match=error):
        Netlist(("a", "b"), (gate,), ())


def test_as_many_words_as_inputs_are_expected() -> None:
    with pytest.raises(NetlistError, match="1 words for the inputs: expected 2"):
        simulate(read_netlist("inputs a b\noutput y = a"), [0], 1)
