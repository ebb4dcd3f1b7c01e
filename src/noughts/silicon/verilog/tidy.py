"""Tidying: from the RTLIL that Amaranth writes to modules that a person could have written.

Amaranth takes a design apart into bits, says every expression as often as it is used, and keeps every name. Here

* equal operators become one (common subexpressions),
* questions with a constant answer are answered (constant folding),
* what nobody reads goes: operators, processes, ports, modules (dead code),
* registers and processes come together (see `processes`),
* a result is no wider than what is read of it,
* a name that Amaranth kept for a row of bits is used for it.

Nothing of this changes what a module does.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import partial

from noughts.silicon.verilog.rtlil import (
    Assign,
    Bit,
    Bits,
    Case,
    Cell,
    Module,
    Modules,
    Process,
    RtlilError,
    Statement,
    Switch,
    change_reads,
    is_made_up,
    is_operator,
    outputs,
    read_names,
    rows_of,
    rows_read,
    runs,
    targets,
)

__all__ = ["complete_cases", "fold_registers", "merge_processes", "settled", "tidy"]

# Processes: from one a signal to what a person would have written.
#
# The process that computes the next value of a register and the register itself become one process with a clock, in
# which a value that is merely kept goes unsaid. Then processes that ask the same questions, `if` or `case`, become
# one: all that a controller does in a state stands together. Two of them stay apart if one waits for what the other
# sets, in this module or by way of others: a simulator could not know which lines of a process to run first.

Net = tuple[str, str]
"""A module and a wire in it."""
Graph = dict[Net, set[Net]]
"""Which nets follow a net at once."""


def settled(body: Iterable[Statement]) -> list[Statement]:
    """Statements without questions that constants answer."""
    result: list[Statement] = []
    for statement in body:
        if isinstance(statement, Assign):
            result.append(statement)
            continue
        cases = _possible(statement)
        if cases and not cases[0].patterns:
            result += cases[0].body
        elif cases:
            result.append(Switch(statement.test, cases))
    return result


def _possible(switch: Switch) -> list[Case]:
    """The cases that can come up; one that always does if none before it did has no patterns, and is the last."""
    cases: list[Case] = []
    for case in switch.cases:
        patterns = []
        for pattern in case.patterns:
            asked = [(bit, digit) for bit, digit in zip(reversed(switch.test), pattern, strict=True) if digit != "-"]
            if all(bit.name == digit for bit, digit in asked):
                return [*cases, Case((), settled(case.body))]
            if all(not bit.is_constant or bit.name == digit for bit, digit in asked):
                patterns.append(pattern)
        if patterns:
            cases.append(Case(tuple(patterns), settled(case.body)))
        elif not case.patterns:
            return [*cases, Case((), settled(case.body))]
    return cases


def fold_registers(module: Module, modules: Modules) -> None:
    """Turn registers into processes with a clock, together with the processes that compute their next values."""
    reads = Counter(name for row in rows_read(module, modules) for name in {bit.name for bit in row})
    setters = {name: process for process in module.processes for name in targets(process.body)}
    for cell in [cell for cell in module.cells if cell.kind in ("$dff", "$adff")]:
        register, following = cell.ports["Q"], cell.ports["D"]
        source = following[0].name
        body: list[Statement] = [Assign(register, following)]
        if reads[source] == 1 and source in setters and following == module.wires[source].bits:
            body = _retargeted(setters[source].body, register)
            module.processes.remove(setters[source])
            if body[0] == Assign(register, register):
                del body[0]
        module.processes.append(_clocked(cell, body))
        module.cells.remove(cell)


def _clocked(cell: Cell, body: list[Statement]) -> Process:
    process = Process(body, cell.ports["CLK"][0], falling=cell.parameters["CLK_POLARITY"] == "0")
    if cell.kind == "$adff":
        value = tuple(Bit(digit) for digit in reversed(cell.parameters["ARST_VALUE"].partition("'")[2]))
        process.reset = cell.ports["ARST"][0]
        process.reset_values = [Assign(cell.ports["Q"], value)]
    return process


def _retargeted(body: Iterable[Statement], register: Bits) -> list[Statement]:
    return [
        Assign(tuple(register[bit.number] for bit in statement.target), statement.value)
        if isinstance(statement, Assign)
        else Switch(statement.test, [Case(case.patterns, _retargeted(case.body, register)) for case in statement.cases])
        for statement in body
    ]


def merge_processes(modules: Modules) -> None:
    """Join processes that ask the same questions, unless one would wait for the other."""
    graph = _graph(modules)
    for module in modules.values():
        here = _graph({module.name: module})
        merged: list[Process] = []
        for process in module.processes:
            if process.clock is None and _waits(here, module, process, process):
                names = ", ".join(sorted(targets(process.body)))
                raise RtlilError(
                    f"{module.name}: {names} waits for itself: expected each bit of a wire to be free of others"
                )
            for other in merged:
                if _may_merge(graph, module, other, process):
                    other.body = _merged(other.body, process.body)
                    other.reset_values += process.reset_values
                    if process.clock is None:
                        _follow(graph, module, rows_of(other.body), targets(other.body))
                    break
            else:
                merged.append(process)
        module.processes = merged


def complete_cases(module: Module) -> None:
    """Move what holds in no case of a `case` into its default, where every case says something else.

    So a table is one assignment, not two of which the second corrects the first. That is more than a matter of taste:
    Icarus 11 lets `always_comb` that read such wires wake each other without end.
    """
    for process in module.processes:
        *first, last = process.body or [Switch((), [])]
        if process.clock is not None or not first or not isinstance(last, Switch):
            continue
        usual = [statement.target for statement in first if isinstance(statement, Assign)]
        said = [{one.target for one in case.body if isinstance(one, Assign)} for case in last.cases]
        if (
            len(usual) == len(first)
            and all(case.patterns for case in last.cases)
            and all(set(usual) <= s for s in said)
        ):
            process.body = [Switch(last.test, [*last.cases, Case((), first)])]


def _may_merge(graph: Graph, module: Module, first: Process, second: Process) -> bool:
    if (first.clock, first.falling, first.reset) != (second.clock, second.falling, second.reset):
        return False
    questions = [{_question(statement) for statement in process.body} - {None} for process in (first, second)]
    if not questions[0] & questions[1]:
        return False
    return first.clock is not None or not (_waits(graph, module, first, second) or _waits(graph, module, second, first))


def _question(statement: Statement) -> object:
    if isinstance(statement, Assign):
        return None
    return statement.test, tuple(case.patterns for case in statement.cases)


def _merged(first: list[Statement], second: list[Statement]) -> list[Statement]:
    """Both, which set different wires, as one; the order of what sets the same wire stays."""
    result = list(first)
    place = next((k for k, statement in enumerate(first) if isinstance(statement, Switch)), len(first))
    for statement in second:
        question = _question(statement)
        same = [k for k in range(place, len(result)) if question is not None and _question(result[k]) == question]
        if same:
            place = same[0]
            result[place] = _merged_switch(result[place], statement)
        else:
            result.insert(place, statement)
        place += 1
    return result


def _merged_switch(first: Statement, second: Statement) -> Switch:
    assert isinstance(first, Switch)
    assert isinstance(second, Switch)
    pairs = zip(first.cases, second.cases, strict=True)
    return Switch(first.test, [Case(one.patterns, _merged(one.body, two.body)) for one, two in pairs])


def _graph(modules: Modules) -> Graph:
    """Which nets follow which at once, across all modules."""
    graph: Graph = defaultdict(set)
    for module in modules.values():
        for cell in module.cells:
            if cell.kind in modules:
                _cross(graph, module, cell, modules)
            elif is_operator(cell) or cell.parameters.get("CLK_ENABLE") == "0":
                driven = outputs(cell, modules)
                sources = (bits for port, bits in cell.ports.items() if port not in driven)
                _follow(graph, module, sources, {bit.name for port in driven for bit in cell.ports[port]})
        for process in module.processes:
            if process.clock is None:
                _follow(graph, module, rows_of(process.body), targets(process.body))
        for name, bits in module.aliases.items():
            _follow(graph, module, [bits], {name})
    return graph


def _cross(graph: Graph, module: Module, cell: Cell, modules: Modules) -> None:
    """What is inside an instance follows what is around it, and the other way round."""
    driven = outputs(cell, modules)
    for port, bits in cell.ports.items():
        inside = (cell.kind, f"\\{port}")
        around = {(module.name, bit.name) for bit in bits}
        if port in driven:
            graph[inside] |= around
        else:
            for net in around:
                graph[net].add(inside)


def _follow(graph: Graph, module: Module, sources: Iterable[Bits], results: set[str]) -> None:
    for source in {bit.name for row in sources for bit in row if not bit.is_constant}:
        graph[module.name, source] |= {(module.name, result) for result in results}


def _waits(graph: Graph, module: Module, first: Process, second: Process) -> bool:
    """Whether something that the second reads follows at once from what the first sets."""
    wanted = {(module.name, bit.name) for row in rows_of(second.body) for bit in row}
    reached: set[Net] = set()
    following = {(module.name, name) for name in targets(first.body)}
    while following:
        if following & wanted:
            return True
        reached |= following
        following = set().union(*(graph.get(net, set()) for net in following)) - reached
    return False


_BOTH = ("Y", "A", "B")
_CUTTABLE = {
    **dict.fromkeys(("$add", "$sub", "$mul", "$and", "$or", "$xor", "$mux"), _BOTH),
    **dict.fromkeys(("$neg", "$not", "$shl"), ("Y", "A")),
}
"""Operators whose low result bits depend on low operand bits alone, and the ports to cut."""


def tidy(modules: list[Module]) -> Modules:
    """The modules by name, changed in place, without those that nothing needs; the top comes first."""
    named = {module.name: module for module in modules}
    for module in modules:
        _share(module, named)
        for process in module.processes:
            process.body = settled(process.body)
    names = {module.name: _take_names(module) for module in modules}
    _prune(named)
    for module in named.values():
        fold_registers(module, named)
    merge_processes(named)
    for module in named.values():
        complete_cases(module)
        _cut(module, named)
        _use_names(module, named, names[module.name])
    _prune(named)
    return named


def _share(module: Module, modules: Modules) -> None:
    """Keep one of several equal operators, one with a name if there is one."""
    while instead := _equals(module):
        module.cells = [cell for cell in module.cells if not (is_operator(cell) and _result(cell) in instead)]
        change_reads(module, modules, partial(_renamed, instead=instead))


def _equals(module: Module) -> dict[str, str]:
    """Wires that equal operators drive, and the wire to read instead."""
    first: dict[object, str] = {}
    instead: dict[str, str] = {}
    for cell in filter(is_operator, module.cells):
        operands = tuple((port, bits) for port, bits in cell.ports.items() if port != "Y")
        key = (cell.kind, operands, tuple(cell.parameters.items()))
        kept = first.setdefault(key, _result(cell))
        if kept == _result(cell):
            continue
        if is_made_up(_result(cell)):
            instead[_result(cell)] = kept
        elif is_made_up(kept):
            instead[kept] = first[key] = _result(cell)
    return instead


def _result(cell: Cell) -> str:
    return cell.ports["Y"][0].name


def _renamed(bits: Bits, instead: dict[str, str]) -> Bits:
    def followed(name: str) -> str:
        return followed(instead[name]) if name in instead else name

    return tuple(Bit(followed(bit.name), bit.number) for bit in bits)


def _take_names(module: Module) -> dict[str, Bits]:
    """Take the aliases that are no outputs out of a module: names that may be used, but are not needed."""
    names = {name: bits for name, bits in module.aliases.items() if module.wires[name].direction != "output"}
    for name in names:
        del module.aliases[name]
    return names


def _prune(modules: Modules) -> None:
    """Drop what nobody reads, from all modules, until nothing more goes."""
    while sum([_pruned(module, modules) for module in modules.values()]):
        instances = {cell.kind for module in modules.values() for cell in module.cells}
        for name in list(modules)[1:]:
            if name not in instances:
                del modules[name]


def _pruned(module: Module, modules: Modules) -> int:
    """Drop what nobody reads from a module and from the ports of its instances; how much went."""
    before = _size(module)
    read = read_names(module, modules)
    module.aliases = {name: bits for name, bits in module.aliases.items() if name in read}
    module.processes = [process for process in module.processes if targets(process.body) & read]
    for cell in module.cells:
        if cell.kind in modules:
            _prune_ports(cell, modules[cell.kind], modules, read)
    module.cells = [cell for cell in module.cells if _is_read(cell, modules, read)]
    return before - _size(module)


def _size(module: Module) -> int:
    return len(module.aliases) + len(module.processes) + sum(1 + len(cell.ports) for cell in module.cells)


def _is_read(cell: Cell, modules: Modules, read: set[str]) -> bool:
    if "MEMID" in cell.parameters and cell.kind != "$memrd_v2":
        return True
    return any(bit.name in read for port in outputs(cell, modules) for bit in cell.ports[port])


def _prune_ports(cell: Cell, inside: Module, modules: Modules, read: set[str]) -> None:
    """Drop outputs of an instance that are not read outside, and inputs that are not read inside."""
    needed = read_names(inside, modules)
    for port, bits in list(cell.ports.items()):
        wire = inside.wires[f"\\{port}"]
        is_read = wire.name in needed if wire.direction == "input" else any(bit.name in read for bit in bits)
        if not is_read:
            wire.direction = ""
            del cell.ports[port]


def _cut(module: Module, modules: Modules) -> None:
    """Make results of operators, and then their operands, no wider than what is read of them."""
    while True:
        used: Counter[str] = Counter()
        for row in rows_read(module, modules):
            for bit in row:
                used[bit.name] = max(used[bit.name], bit.number + 1)
        wide = [cell for cell in module.cells if cell.kind in _CUTTABLE and used[_result(cell)] < len(cell.ports["Y"])]
        wide = [cell for cell in wide if is_made_up(_result(cell))]
        if not wide:
            return
        for cell in wide:
            width = module.wires[_result(cell)].width = used[_result(cell)]
            cell.ports |= {port: cell.ports[port][:width] for port in _CUTTABLE[cell.kind]}


def _use_names(module: Module, modules: Modules, names: dict[str, Bits]) -> None:
    """Use names for whole results that had none, and for rows that are put together from pieces."""
    whole = {module.wires[_result(cell)].bits: _result(cell) for cell in filter(is_operator, module.cells)}
    adopted: dict[str, str] = {}
    for name, bits in names.items():
        if is_made_up(whole.get(bits, name)):
            adopted[whole.pop(bits)] = name
    change_reads(module, modules, partial(_renamed, instead=adopted))
    for cell in filter(is_operator, module.cells):
        cell.ports["Y"] = _renamed(cell.ports["Y"], adopted)
    rows = set(rows_read(module, modules))
    pieces = {bits: name for name, bits in names.items() if bits in rows and len(list(runs(bits))) > 1}
    change_reads(module, modules, lambda bits: module.wires[pieces[bits]].bits if bits in pieces else bits)
    module.aliases |= {name: bits for bits, name in pieces.items()}
