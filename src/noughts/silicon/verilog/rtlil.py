"""RTLIL, the language between Amaranth and Yosys, read into values.

A module has wires, cells, processes and aliases. What a cell or a statement touches is a row of bits, lowest first;
a bit is a wire and a number, or a constant. Names begin with a backslash when they come from the source, with a
dollar when they were made up.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from noughts.games import NoughtsError

__all__ = [
    "Assign",
    "Bit",
    "Bits",
    "Case",
    "Cell",
    "Change",
    "Memory",
    "Module",
    "Modules",
    "Process",
    "RtlilError",
    "Statement",
    "Switch",
    "Wire",
    "change_reads",
    "is_made_up",
    "is_operator",
    "outputs",
    "read_names",
    "read_rtlil",
    "rows_of",
    "rows_read",
    "runs",
    "targets",
]

_TOKEN = re.compile(r"""[{}]|[\\$]\S+|\[\d+(?::\d+)?\]|\d+'[01x-]*""")


class RtlilError(NoughtsError):
    """RTLIL that says something this package does not know."""


class Bit(NamedTuple):
    """Bit `number` of a wire; a constant has none, and its value, "0", "1" or "x", for a name."""

    name: str
    number: int = -1

    @property
    def is_constant(self) -> bool:
        """Whether this is 0, 1 or x."""
        return self.number < 0


Bits = tuple[Bit, ...]


@dataclass
class Wire:
    """A wire; a port has a direction, a register an initial value, an enumeration names for its values."""

    name: str
    width: int
    direction: str = ""
    init: str = ""
    labels: dict[str, str] = field(default_factory=dict)

    @property
    def bits(self) -> Bits:
        """All of it."""
        return tuple(Bit(self.name, number) for number in range(self.width))


@dataclass
class Cell:
    """An operator, a register, a port of a memory, or another module."""

    kind: str
    name: str
    parameters: dict[str, str] = field(default_factory=dict)
    ports: dict[str, Bits] = field(default_factory=dict)


class Memory(NamedTuple):
    """Words of so many bits."""

    name: str
    width: int
    size: int


class Assign(NamedTuple):
    """The target becomes the value, unless a later statement of the same process says otherwise."""

    target: Bits
    value: Bits


class Case(NamedTuple):
    """What to do when one of the patterns matches, or always when there are none."""

    patterns: tuple[str, ...]
    body: "list[Statement]"


class Switch(NamedTuple):
    """The first case that matches."""

    test: Bits
    cases: list[Case]


Statement = Assign | Switch


@dataclass
class Process:
    """Statements that hold at all times, or, where there is a clock, at its edge."""

    body: list[Statement]
    clock: Bit | None = None
    falling: bool = False
    reset: Bit | None = None
    reset_values: list[Assign] = field(default_factory=list)


@dataclass
class Module:
    """One module. An alias is a wire that is but another name for some bits."""

    name: str
    wires: dict[str, Wire] = field(default_factory=dict)
    cells: list[Cell] = field(default_factory=list)
    processes: list[Process] = field(default_factory=list)
    memories: dict[str, Memory] = field(default_factory=dict)
    aliases: dict[str, Bits] = field(default_factory=dict)


def read_rtlil(text: str) -> list[Module]:
    """The modules of a file, the top first, as Amaranth writes them."""
    lines = iter([line.strip() for line in text.splitlines() if line.strip()])
    modules = []
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "module":
            modules.append(_module(rest, lines))
    return modules


def _module(name: str, lines: Iterator[str]) -> Module:
    module = Module(name)
    attributes: dict[str, str] = {}
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "end":
            return module
        if word == "attribute":
            key, _, value = rest.partition(" ")
            attributes[key.removeprefix("\\")] = value
            continue
        _item(module, word, rest, attributes, lines)
        attributes = {}
    raise RtlilError(f"module {name} has no end")


def _item(module: Module, word: str, rest: str, attributes: dict[str, str], lines: Iterator[str]) -> None:
    fields = rest.split()
    if word == "wire":
        direction = next((field for field in fields if field in ("input", "output")), "")
        init = attributes.get("init", "").partition("'")[2]
        labels = {
            key.removeprefix("enum_value_"): value.strip('"')
            for key, value in attributes.items()
            if key.startswith("enum_value_")
        }
        module.wires[fields[-1]] = Wire(fields[-1], int(fields[1]), direction, init, labels)
    elif word == "memory":
        module.memories[fields[-1]] = Memory(fields[-1], int(fields[1]), int(fields[3]))
    elif word == "cell":
        module.cells.append(_cell(module, Cell(fields[0], fields[1]), lines))
    elif word == "process":
        module.processes.append(Process(list(_body(module, lines))))
    elif word == "connect":
        target, value = _rows(module, rest)
        module.aliases[target[0].name] = value
    else:
        raise RtlilError(f"RTLIL says {word!r} in a module: expected wire, memory, cell, process or connect")


def _cell(module: Module, cell: Cell, lines: Iterator[str]) -> Cell:
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "end":
            break
        key, _, value = rest.removeprefix("signed ").partition(" ")
        if word == "parameter":
            cell.parameters[key.removeprefix("\\")] = value.strip('"').replace("\\\\", "\\")
        else:
            (cell.ports[key.removeprefix("\\")],) = _rows(module, value)
    return cell


def _body(module: Module, lines: Iterator[str]) -> Iterator[Statement]:
    """The statements of a process or of a case, up to the end."""
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "end":
            return
        if word == "assign":
            yield Assign(*_rows(module, rest))
        elif word == "switch":
            yield from _switch(module, rest, lines)
        else:
            raise RtlilError(f"RTLIL says {word!r} in a process: expected assign or switch")


def _switch(module: Module, test: str, lines: Iterator[str]) -> Iterator[Statement]:
    (bits,) = _rows(module, test)
    cases: list[Case] = []
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "end":
            break
        if word == "case":
            cases.append(Case(tuple(pattern.partition("'")[2] for pattern in rest.split(", ") if pattern), []))
        elif word == "assign":
            cases[-1].body.append(Assign(*_rows(module, rest)))
        else:
            cases[-1].body.extend(_switch(module, rest, lines))
    if bits:
        yield Switch(bits, cases)
    else:
        # A switch on nothing is how RTLIL writes assignments that come after another switch.
        yield from (statement for case in cases for statement in case.body)


def _rows(module: Module, text: str) -> list[Bits]:
    """The rows of bits that a line names, one after the other."""
    rows: list[Bits] = []
    inside: list[Bits] | None = None
    for token in _TOKEN.findall(text):
        into = rows if inside is None else inside
        if token == "{":
            inside = []
        elif token == "}":
            assert inside is not None
            rows.append(tuple(bit for row in reversed(inside) for bit in row))
            inside = None
        elif token[0] == "[":
            high, _, low = token[1:-1].partition(":")
            into[-1] = into[-1][int(low or high) : int(high) + 1]
        elif token[0].isdigit():
            into.append(tuple(Bit(digit) for digit in reversed(token.partition("'")[2])))
        else:
            into.append(module.wires[token].bits)
    return rows


# Who reads and who drives what in a module.

_RESULTS = {"$dff": "Q", "$adff": "Q", "$memrd_v2": "DATA"}
_NO_RESULT = ("$memwr_v2", "$meminit_v2")

Modules = dict[str, Module]
Change = Callable[[Bits], Bits]


def is_made_up(name: str) -> bool:
    """Whether a wire has no name in the source."""
    return name.startswith("$")


def is_operator(cell: Cell) -> bool:
    """Whether a cell is an operator: its result, Y, depends on nothing but its operands."""
    return cell.kind.startswith("$") and cell.kind not in (*_RESULTS, *_NO_RESULT)


def outputs(cell: Cell, modules: Modules) -> list[str]:
    """The ports of a cell that it drives."""
    if cell.kind in modules:
        wires = modules[cell.kind].wires
        return [port for port in cell.ports if wires[f"\\{port}"].direction == "output"]
    if cell.kind in _NO_RESULT:
        return []
    return [_RESULTS.get(cell.kind, "Y")]


def rows_read(module: Module, modules: Modules) -> Iterator[Bits]:
    """Every row of bits that something in a module, or the world outside, reads."""
    for cell in module.cells:
        driven = outputs(cell, modules)
        yield from (bits for port, bits in cell.ports.items() if port not in driven)
    for process in module.processes:
        yield from rows_of(process.body)
        yield from ((bit,) for bit in (process.clock, process.reset) if bit is not None)
    yield from module.aliases.values()
    yield from (wire.bits for wire in module.wires.values() if wire.direction == "output")


def read_names(module: Module, modules: Modules) -> set[str]:
    """Every wire of which something reads a bit."""
    return {bit.name for row in rows_read(module, modules) for bit in row}


def rows_of(body: Iterable[Statement]) -> Iterator[Bits]:
    """Every row of bits that statements read."""
    for statement in body:
        if isinstance(statement, Assign):
            yield statement.value
        else:
            yield statement.test
            for case in statement.cases:
                yield from rows_of(case.body)


def targets(body: Iterable[Statement]) -> set[str]:
    """The wires that statements set."""
    names: set[str] = set()
    for statement in body:
        if isinstance(statement, Assign):
            names |= {bit.name for bit in statement.target}
        else:
            names = names.union(*(targets(case.body) for case in statement.cases))
    return names


def runs(bits: Bits) -> Iterator[Bits]:
    """A row in pieces, lowest first: constants, bits of one wire that rise by one, or one bit again and again."""
    start = 0
    for end in range(1, len(bits) + 1):
        if end == len(bits) or not _continues(bits[start:end], bits[end]):
            yield bits[start:end]
            start = end


def _continues(run: Bits, bit: Bit) -> bool:
    first, last = run[0], run[-1]
    if first.is_constant or bit.is_constant:
        return first.is_constant and bit.is_constant
    rising = bit == Bit(last.name, last.number + 1) and (len(run) == 1 or last != first)
    return rising or first == last == bit


def change_reads(module: Module, modules: Modules, change: Change) -> None:
    """Change every row of bits that something in a module reads."""
    for cell in module.cells:
        driven = outputs(cell, modules)
        cell.ports = {port: bits if port in driven else change(bits) for port, bits in cell.ports.items()}
    for process in module.processes:
        process.body = _changed(process.body, change)
    module.aliases = {name: change(bits) for name, bits in module.aliases.items()}


def _changed(body: Iterable[Statement], change: Change) -> list[Statement]:
    return [
        Assign(statement.target, change(statement.value))
        if isinstance(statement, Assign)
        else Switch(
            change(statement.test), [Case(case.patterns, _changed(case.body, change)) for case in statement.cases]
        )
        for statement in body
    ]
