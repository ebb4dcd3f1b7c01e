"""Netlists: gates of two inputs, as a value and as a text.

    # what follows # is for people
    inputs mine_a1 mine_b1 theirs_a1 theirs_b1
    g1 = mine_a1 & ~theirs_b1            a gate: & | or ^ between two signals, each of them perhaps inverted
    g2 = ~(g1 ^ theirs_a1)               and perhaps the whole
    free = ~g2                           no gate: another name for a signal or for its inverse
    output a1 = ~g2                      what comes out: a signal, its inverse, 0 or 1
    output b1 = 0

Lines may stand in any order. As a value, signals are numbers: the inputs first, then the gates in an order in which
each comes behind those it reads (topological order; that of the text, if it is one). Inverters are not gates here: a
gate is any function of its two inputs, with a table of four bits, so an inverter before or behind one goes into its
table. `counts` counts the inverters that are needed all the same.

A text may come from anywhere, so it is bounded, and what is wrong in it is said with its line.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from noughts.games import NoughtsError

__all__ = [
    "MOST_GATES",
    "MOST_TEXT",
    "Gate",
    "Netlist",
    "NetlistError",
    "Output",
    "read_netlist",
    "signals",
    "simulate",
    "with_pins",
    "write_netlist",
]

MOST_TEXT = 1 << 20
"""The longest text, in characters."""
MOST_GATES = 10_000
"""The most gates, and the most names beside them."""
MOST_PINS = 1_000
"""The most inputs, and the most outputs."""
_LONGEST_NAME = 60
_SHOWN = 40
"""Of a word that is wrong, as much as is quoted."""

_NAME = r"[A-Za-z_][\w.\[\]]*"
_NAMED = re.compile(_NAME, re.ASCII)
_TERM = rf"\s*(~?)\s*({_NAME})\s*"
_ALIAS = re.compile(_TERM, re.ASCII)
_GATE = re.compile(rf"{_TERM}([&|^]){_TERM}", re.ASCII)
_INVERTED = re.compile(r"\s*~\s*\((.*)\)\s*")
_KEYWORDS = ("inputs", "output")
_TABLES = {"&": 0b1000, "|": 0b1110, "^": 0b0110}
_WRITTEN = {
    0b1000: "{a} & {b}",
    0b0100: "~{a} & {b}",
    0b0010: "{a} & ~{b}",
    0b0001: "~({a} | {b})",
    0b0111: "~({a} & {b})",
    0b1011: "{a} | ~{b}",
    0b1101: "~{a} | {b}",
    0b1110: "{a} | {b}",
    0b0110: "{a} ^ {b}",
    0b1001: "~({a} ^ {b})",
    # What does not depend on both inputs is still a gate that somebody has paid for.
    0b0000: "{a} ^ {a}",
    0b1111: "~({a} ^ {a})",
    0b1010: "{a} & {a}",
    0b0101: "~({a} & {a})",
    0b1100: "{b} & {b}",
    0b0011: "~({b} & {b})",
}


class NetlistError(NoughtsError):
    """A text or a value that is no netlist: which line, which word, and what was expected."""


class Gate(NamedTuple):
    """A function of two signals: bit `a + 2 * b` of the table, where a and b are the levels of those signals."""

    a: int
    b: int
    table: int


class Output(NamedTuple):
    """What comes out under a name: a signal or its inverse; signal -1 is the constant 0."""

    name: str
    signal: int
    inverted: bool


@dataclass(frozen=True)
class Netlist:
    """Gates between inputs and outputs. Signals are numbered: the inputs first, then the gates."""

    inputs: tuple[str, ...]
    gates: tuple[Gate, ...]
    outputs: tuple[Output, ...]

    def __post_init__(self) -> None:
        known = len(self.inputs)
        for number, (a, b, table) in enumerate(self.gates, known):
            for signal in (a, b):
                if not 0 <= signal < number:
                    raise NetlistError(f"gate {number - known + 1} reads signal {signal}: expected 0 to {number - 1}")
            if not 0 <= table < 16:
                raise NetlistError(f"gate {number - known + 1} has the table {table}: expected 0 to 15")
        signals = known + len(self.gates)
        for name, signal, _ in self.outputs:
            if not -1 <= signal < signals:
                raise NetlistError(f"output {name} is signal {signal}: expected -1 to {signals - 1}")

    @cached_property
    def used(self) -> frozenset[int]:
        """The signals that some output depends on, as far as wires tell."""
        waiting = [output.signal for output in self.outputs if output.signal >= 0]
        used: set[int] = set()
        while waiting:
            signal = waiting.pop()
            if signal not in used:
                used.add(signal)
                if signal >= len(self.inputs):
                    gate = self.gates[signal - len(self.inputs)]
                    waiting += [gate.a, gate.b]
        return frozenset(used)

    @property
    def unused(self) -> int:
        """How many gates lead to no output."""
        return sum(number not in self.used for number, _ in enumerate(self.gates, len(self.inputs)))


def signals(netlist: Netlist, inputs: Sequence[int], width: int) -> list[int]:
    """The levels of all signals, inputs and gates, for as many assignments at once as the words have bits.

    Args:
        netlist: The gates.
        inputs: A word for every input, whose bit k is its level in assignment k.
        width: How many assignments, that is how many bits of the words count.

    Raises:
        NetlistError: If there are more or fewer words than inputs.
    """
    if len(inputs) != len(netlist.inputs):
        raise NetlistError(f"{len(inputs)} words for the inputs: expected {len(netlist.inputs)}")
    ones = (1 << width) - 1
    levels = [word & ones for word in inputs]
    for first, second, table in netlist.gates:
        a, b = levels[first], levels[second]
        word = a & b if table & 8 else 0
        if table & 4:
            word |= ~a & b
        if table & 2:
            word |= a & ~b
        if table & 1:
            word |= ones & ~(a | b)
        levels.append(word)
    return levels


def simulate(netlist: Netlist, inputs: Sequence[int], width: int) -> list[int]:
    """The words that come out, one for every output in order; assignment k is bit k of every word.

    Args:
        netlist: The gates.
        inputs: A word for every input, whose bit k is its level in assignment k.
        width: How many assignments, that is how many bits of the words count.

    Raises:
        NetlistError: If there are more or fewer words than inputs.
    """
    ones = (1 << width) - 1
    levels = [*signals(netlist, inputs, width), 0]  # the last is signal -1
    return [levels[signal] ^ (ones if inverted else 0) for _, signal, inverted in netlist.outputs]


def with_pins(netlist: Netlist, inputs: Sequence[str], outputs: Sequence[str]) -> Netlist:
    """The same gates between these inputs and outputs: an input more is not read, an output more is never raised.

    Args:
        netlist: The gates.
        inputs: The names of all inputs, in the order that is wanted.
        outputs: Those of all outputs.

    Raises:
        NetlistError: If it has an input or an output of another name.
    """
    for what, names, expected in (
        ("input", netlist.inputs, inputs),
        ("output", [output.name for output in netlist.outputs], outputs),
    ):
        for name in names:
            if name not in expected:
                raise NetlistError(f"{quoted(name)} is no {what} here: expected {expected[0]} … {expected[-1]}")
    more = len(inputs) - len(netlist.inputs)
    numbers = [inputs.index(name) for name in netlist.inputs]
    numbers += [number + more for number in range(len(netlist.inputs), len(netlist.inputs) + len(netlist.gates))]
    numbers.append(-1)  # the last is signal -1
    known = {output.name: output for output in netlist.outputs}
    drawn = [known.get(name, Output(name, -1, False)) for name in outputs]
    return Netlist(
        tuple(inputs),
        tuple(Gate(numbers[gate.a], numbers[gate.b], gate.table) for gate in netlist.gates),
        tuple(output._replace(signal=numbers[output.signal]) for output in drawn),
    )


# As a text.


def write_netlist(netlist: Netlist, comment: str = "") -> str:
    """A netlist as a text that `read_netlist` reads: the gates are g1, g2, … in their order.

    Args:
        netlist: The gates.
        comment: Lines for people, which come first.
    """
    stem = "g"
    while any(name.startswith(stem) for name in netlist.inputs):
        stem += "_"
    names = [*netlist.inputs, *(f"{stem}{number}" for number, _ in enumerate(netlist.gates, 1))]
    lines = [f"# {line}".rstrip() for line in comment.splitlines()]
    # Nine names a line: for tic-tac-toe a line a side.
    lines += [f"inputs {' '.join(netlist.inputs[at : at + 9])}" for at in range(0, len(netlist.inputs), 9)]
    for name, gate in zip(names[len(netlist.inputs) :], netlist.gates, strict=True):
        lines.append(f"{name} = {_WRITTEN[gate.table].format(a=names[gate.a], b=names[gate.b])}")
    for name, signal, inverted in netlist.outputs:
        level = str(int(inverted)) if signal < 0 else f"{'~' if inverted else ''}{names[signal]}"
        lines.append(f"output {name} = {level}")
    return "\n".join([*lines, ""])


class Line(NamedTuple):
    """What a name stands for in a text: a function of named signals, and the line that says so."""

    number: int
    table: int
    """For two signals that of a gate, for one 2 or, inverted, 1."""
    reads: tuple[str, ...]


def read_netlist(text: str) -> Netlist:
    """Read a netlist.

    Args:
        text: Lines as above, in any order.

    Raises:
        NetlistError: If anything in it is not as it must be; the line is named.
    """
    check_text(text)
    inputs: dict[str, int] = {}
    lines: dict[str, Line] = {}
    outputs: dict[str, Line] = {}
    for number, line in enumerate(text.splitlines(), 1):
        # One space where there were more: on a long row of them the patterns would try every way to share them out.
        words = " ".join(line.partition("#")[0].split())
        if words:
            try:
                _read_line(number, words, inputs, lines, outputs)
            except NetlistError as error:
                raise NetlistError(f"line {number}: {error}") from None
    return joined(inputs, lines, outputs)


def check_text(text: str) -> None:
    """Refuse a text that is too long to be read.

    Args:
        text: A netlist in any form.

    Raises:
        NetlistError: If it is too long.
    """
    if len(text) > MOST_TEXT:
        raise NetlistError(f"the netlist is too long: {len(text):,} characters, expected at most {MOST_TEXT:,}")


def _read_line(
    number: int, words: str, inputs: dict[str, int], lines: dict[str, Line], outputs: dict[str, Line]
) -> None:
    keyword = words.split(maxsplit=1)[0]
    if keyword == "inputs":
        for name in words.split()[1:]:
            define(_checked(name), inputs, lines)
            inputs[name] = number
        return
    left, equals, right = words.partition("=")
    left = left.strip()
    if not equals:
        raise NetlistError(
            f"{quoted(words)} is no line of a netlist: expected 'inputs NAME …', 'NAME = …' or 'output NAME = …'"
        )
    if keyword == "output":
        name = _checked(left.removeprefix("output").strip())
        if name in outputs:
            raise NetlistError(
                f"output {quoted(name)} is given twice: expected one line for it, that is {outputs[name][0]}"
            )
        outputs[name] = _expression(number, right, output=True)
    else:
        define(_checked(left), inputs, lines)
        lines[left] = _expression(number, right)


def _checked(name: str) -> str:
    if name in _KEYWORDS or not _NAMED.fullmatch(name) or len(name) > _LONGEST_NAME:
        raise NetlistError(
            f"{quoted(name)} is no name: expected a letter, then letters, digits and _, at most {_LONGEST_NAME}"
        )
    return name


def define(name: str, inputs: Mapping[str, int], lines: Mapping[str, Line]) -> None:
    """Refuse a name that stands for something already.

    Args:
        name: That of an input or of a gate.
        inputs: The inputs so far, with their lines.
        lines: The gates so far.

    Raises:
        NetlistError: If it is an input or a gate.
    """
    before = inputs.get(name) or (lines[name].number if name in lines else None)
    if before:
        raise NetlistError(f"{quoted(name)} is defined twice: expected a name other than that of line {before}")


def _expression(number: int, text: str, *, output: bool = False) -> Line:
    if output and text.strip() in ("0", "1"):
        return Line(number, int(text), ())
    whole = _INVERTED.fullmatch(text)
    inside = whole.group(1) if whole else text
    if found := _ALIAS.fullmatch(inside):
        inverted = bool(found[1]) != bool(whole)
        return Line(number, 1 if inverted else 2, (found[2],))
    found = _GATE.fullmatch(inside)
    if found is None or output:
        shape = (
            "a signal, ~ before it, 0 or 1" if output else "two signals with & | or ^ between, as a & ~b or ~(a ^ b)"
        )
        raise NetlistError(f"{quoted(text.strip())} is not understood: expected {shape}")
    not_a, a, operator, not_b, b = found.groups()
    table = turned(_TABLES[operator], bool(not_a), bool(not_b))
    return Line(number, table ^ (15 if whole else 0), (a, b))


def joined(inputs: Mapping[str, int], lines: Mapping[str, Line], outputs: Mapping[str, Line]) -> Netlist:
    """The netlist of what lines have said, in whichever order they said it.

    Args:
        inputs: The inputs, with their lines.
        lines: What every other name stands for.
        outputs: What comes out.

    Raises:
        NetlistError: If a name is not defined, or defined by itself in the end.
    """
    for what, count, most in (("gates", len(lines), MOST_GATES), ("inputs", len(inputs), MOST_PINS)):
        if count > most:
            raise NetlistError(f"{count:,} {what}: expected at most {most:,}")
    if not inputs or not 0 < len(outputs) <= MOST_PINS:
        what = f"{len(outputs):,} outputs" if inputs else "no inputs"
        raise NetlistError(f"the netlist has {what}: expected at least one, and at most {MOST_PINS:,}")
    # A name is a signal and whether it is inverted.
    known: dict[str, tuple[int, bool]] = {name: (number, False) for number, name in enumerate(inputs)}
    gates: list[Gate] = []
    for name in in_order(lines, known):
        line = lines[name]
        read = [known[other] for other in line.reads]
        if len(read) == 1:
            known[name] = (read[0][0], read[0][1] != (line.table == 1))
            continue
        (a, not_a), (b, not_b) = read
        known[name] = (len(inputs) + len(gates), False)
        gates.append(Gate(a, b, turned(line.table, not_a, not_b)))
    drawn = []
    for name, line in outputs.items():
        if not line.reads:
            drawn.append(Output(name, -1, bool(line.table)))
            continue
        if line.reads[0] not in known:
            raise undefined(line.number, line.reads[0])
        signal, inverted = known[line.reads[0]]
        drawn.append(Output(name, signal, inverted != (line.table == 1)))
    return Netlist(tuple(inputs), tuple(gates), tuple(drawn))


def turned(table: int, not_a: bool, not_b: bool) -> int:
    """The table of a gate, with an inverter before an input or before both put into it.

    Args:
        table: What the gate does to the inverted signals.
        not_a: Whether the first is inverted.
        not_b: Whether the second is.
    """
    return sum((table >> (level ^ (not_a + 2 * not_b)) & 1) << level for level in range(4))


def in_order(lines: Mapping[str, Line], inputs: Mapping[str, object]) -> Iterator[str]:
    """The names, each behind those that its line reads: depth first, without recursion, which a long chain breaks.

    Args:
        lines: What every name stands for.
        inputs: The names that need no line.

    Raises:
        NetlistError: If a name is not defined, or defined by itself in the end.
    """
    done: set[str] = set(inputs)
    for start in lines:
        path: dict[str, Iterator[str]] = {} if start in done else {start: iter(lines[start].reads)}
        while path:
            name = next(reversed(path))
            other = next((other for other in path[name] if other not in done), None)
            if other is None:
                del path[name]
                done.add(name)
                yield name
            elif other in path:
                cycle = " → ".join(reversed([*list(path)[list(path).index(other) :], other]))
                number = lines[name].number
                raise NetlistError(f"line {number}: {quoted(cycle)} is a cycle: expected gates that read earlier ones")
            elif other not in lines:
                raise undefined(lines[name].number, other)
            else:
                path[other] = iter(lines[other].reads)


def undefined(number: int, name: str) -> NetlistError:
    """What to raise where a line reads a name that nothing stands for.

    Args:
        number: Of the line.
        name: The name.
    """
    return NetlistError(f"line {number}: {quoted(name)} is not defined: expected an input or the name of a gate")


def quoted(word: str) -> str:
    """A word from outside, short enough for a line.

    Args:
        word: As it was given.
    """
    return repr(word if len(word) <= _SHOWN else word[: _SHOWN - 1] + "…")
