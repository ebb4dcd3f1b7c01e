"""Tidying: from the RTLIL that Amaranth writes to modules that a person could have written.

Amaranth takes a design apart into bits, says every expression as often as it is used, and keeps every name. Here

* equal operators become one,
* questions with a constant answer are answered,
* what nobody reads goes: operators, processes, ports, modules,
* registers and processes come together (see `processes`),
* a result is no wider than what is read of it,
* a name that Amaranth kept for a row of bits is used for it.

Nothing of this changes what a module does.
"""

from collections import Counter
from functools import partial

from noughts.silicon.rtlil.processes import fold_registers, merge_processes, settled
from noughts.silicon.rtlil.source import Bit, Bits, Cell, Module
from noughts.silicon.rtlil.walk import (
    Modules,
    change_reads,
    is_made_up,
    is_operator,
    outputs,
    read_names,
    rows_read,
    runs,
    targets,
)

__all__ = ["tidy"]

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
