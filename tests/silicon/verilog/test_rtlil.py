"""RTLIL: what Amaranth writes is read bit by bit, and tidying leaves only what is needed."""

import pytest

from design_names import RUN
from noughts.silicon.designs import DESIGNS
from noughts.silicon.verilog.rtlil import (
    Assign,
    Bit,
    Bits,
    Case,
    RtlilError,
    Switch,
    is_operator,
    read_names,
    read_rtlil,
    runs,
)
from noughts.silicon.verilog.tidy import settled, tidy

SMALL = r"""
attribute \top 1
module \small
  attribute \init 2'10
  attribute \enum_value_01 "one"
  wire width 2 \kept
  wire width 4 input 0 \a
  wire width 1 input 1 \clk
  wire width 3 output 2 \y
  wire width 4 $1
  wire width 4 $2
  wire width 2 $3
  cell $add $4
    parameter \A_SIGNED 0
    connect \A \a [3:0]
    connect \B 1'1
    connect \Y $1
  end
  cell $add $5
    parameter \A_SIGNED 0
    connect \A \a [3:0]
    connect \B 1'1
    connect \Y $2
  end
  process $6
    assign $3 [1:0] \kept [1:0]
    switch { \a [0] $2 [1] }
      case 2'-1, 2'10
        assign $3 [1:0] { \a [3] $1 [0] }
    end
    switch {  }
      case
        assign $3 [1] 1'0
    end
  end
  cell $dff $7
    parameter \WIDTH 2
    parameter \CLK_POLARITY 1
    connect \D $3 [1:0]
    connect \CLK \clk [0]
    connect \Q \kept
  end
  connect \y { \kept [1:0] $2 [2] }
end
"""


def row(text: str) -> Bits:
    """Bits named lowest first: a letter and a number, or a constant."""
    return tuple(Bit(word) if word in "01x" else Bit(word[0], int(word[1:])) for word in text.split())


def test_a_module_is_read_bit_by_bit() -> None:
    (module,) = read_rtlil(SMALL)
    kept = module.wires["\\kept"]
    assert (kept.width, kept.init, kept.labels) == (2, "10", {"01": "one"})
    assert [wire.name for wire in module.wires.values() if wire.direction == "input"] == ["\\a", "\\clk"]
    assert module.aliases == {"\\y": (Bit("$2", 2), Bit("\\kept", 0), Bit("\\kept", 1))}
    start, question, end = module.processes[0].body
    assert start == Assign(module.wires["$3"].bits, kept.bits)
    assert isinstance(question, Switch)
    assert question.test == (Bit("$2", 1), Bit("\\a", 0))
    assert question.cases[0].patterns == ("-1", "10")
    assert end == Assign((Bit("$3", 1),), (Bit("0"),))


def test_tidying_shares_cuts_and_folds() -> None:
    (module,) = tidy(read_rtlil(SMALL)).values()
    (sum_,) = module.cells
    # Of the two equal sums one is left, and of its four bits the three that are read.
    assert sum_.kind == "$add"
    assert len(sum_.ports["Y"]) == 3
    (process,) = module.processes
    assert process.clock == Bit("\\clk", 0)
    # What only keeps the register as it is goes unsaid.
    assert isinstance(process.body[0], Switch)
    assert process.body[1] == Assign((Bit("\\kept", 1),), (Bit("0"),))


@pytest.mark.parametrize("name", RUN)
def test_nothing_is_left_that_nobody_reads(name: str) -> None:
    modules = tidy(read_rtlil(DESIGNS[name].rtlil()))
    operators = 0
    for module in modules.values():
        read = read_names(module, modules)
        for cell in filter(is_operator, module.cells):
            operators += 1
            assert cell.ports["Y"][0].name in read
        results = [
            (cell.kind, *((port, bits) for port, bits in cell.ports.items() if port != "Y"), *cell.parameters.items())
            for cell in module.cells
            if is_operator(cell) and cell.ports["Y"][0].name.startswith("$")
        ]
        assert len(results) == len(set(results))
    assert operators > 20


@pytest.mark.parametrize(
    ("bits", "pieces"),
    [
        ("a0 a1 a2", ["a0 a1 a2"]),
        ("a2 a1", ["a2", "a1"]),
        ("a0 a1 a1 a1", ["a0 a1", "a1 a1"]),
        ("a3 a3 a3 a4", ["a3 a3 a3", "a4"]),
        ("0 1 x a0 b1 b2 1", ["0 1 x", "a0", "b1 b2", "1"]),
        ("", []),
    ],
)
def test_a_row_falls_into_pieces_of_one_kind(bits: str, pieces: list[str]) -> None:
    assert list(runs(row(bits))) == [row(piece) for piece in pieces]


def test_questions_that_constants_answer_are_not_asked() -> None:
    never, always, open_ = (Assign(row("y0"), row(value)) for value in ("a0", "a1", "a2"))
    assert settled([Switch(row("0"), [Case(("1",), [never])])]) == []
    assert settled([Switch(row("1"), [Case(("1",), [always]), Case((), [never])])]) == [always]
    partly = Switch(row("1 b0"), [Case(("10",), [never]), Case(("11",), [open_]), Case(("-1",), [always])])
    assert settled([Switch(row("0 b0"), partly.cases)]) == [Switch(row("0 b0"), [Case(("10",), [never])])]
    assert settled([Switch(row("1 b0"), partly.cases)]) == [
        Switch(row("1 b0"), [Case(("11",), [open_]), Case((), [always])])
    ]


def test_what_is_not_rtlil_is_named() -> None:
    with pytest.raises(RtlilError, match=r"RTLIL says 'latch' in a module: expected wire, memory, cell"):
        read_rtlil("module \\m\nlatch \\x\nend\n")
    with pytest.raises(RtlilError, match=r"RTLIL says 'sync' in a process: expected assign or switch"):
        read_rtlil("module \\m\nprocess $1\nsync always\nend\nend\n")
    with pytest.raises(RtlilError, match=r"module \\m has no end"):
        read_rtlil("module \\m\n")
