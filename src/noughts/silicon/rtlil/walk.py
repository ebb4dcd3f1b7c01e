"""Who reads and who drives what in a module."""

from collections.abc import Callable, Iterable, Iterator

from noughts.silicon.rtlil.source import Assign, Bit, Bits, Case, Cell, Module, Statement, Switch

__all__ = [
    "Change",
    "Modules",
    "change_reads",
    "is_made_up",
    "is_operator",
    "outputs",
    "read_names",
    "rows_of",
    "rows_read",
    "runs",
    "targets",
]

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
