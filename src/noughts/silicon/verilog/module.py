"""A module in Verilog: ports, wires, registers, what drives them, and the modules inside."""

import textwrap
from collections.abc import Callable, Iterator

from noughts.silicon.rtlil.source import Bit, Bits, Cell, Module, Process, Wire
from noughts.silicon.rtlil.walk import Modules, is_operator, outputs, rows_read, runs, targets
from noughts.silicon.verilog.expressions import Expressions, constant
from noughts.silicon.verilog.memory import declared_memory, first_words, memory_ports
from noughts.silicon.verilog.names import Names, wire_hints
from noughts.silicon.verilog.statements import block, indented, statements

__all__ = ["ModuleText"]

_WIDTH = 100


class ModuleText:
    """What a module says in Verilog, but for its name and those of the modules inside."""

    def __init__(self, module: Module, modules: Modules, all_names: dict[str, Names]) -> None:
        self._module = module
        self._modules = modules
        self._all_names = all_names
        self._names = names = all_names[module.name]
        self._expressions = Expressions(module, modules, names)
        self._ports = [wire for wire in module.wires.values() if wire.direction]
        self._inner = self._inner_wires()
        names.hint(wire_hints([*self._ports, *self._inner], module, modules))
        # Ports have the first choice of names, then wires, then instances.
        for wire in (*self._ports, *self._inner):
            names[wire.name]

    def lines(self, name: str, name_of: Callable[[str], str]) -> list[str]:
        """The module with this name; `name_of` gives those of the modules inside."""
        names, module = self._names, self._module
        sections = [
            [
                *(f"logic {_range(wire)}{names[wire.name]};" for wire in self._inner),
                *(declared_memory(memory, names) for memory in module.memories.values()),
                *self._unused_declaration(),
            ],
            self._initial(),
            [*self._assignments(), *self._unused()],
            *(self._process(process) for process in module.processes),
            *memory_ports(module, names, self._expressions),
            *(self._instance(cell, name_of) for cell in module.cells if cell.kind in self._modules),
        ]
        lines = [f"module {name} (", *self._port_lines(), ");"]
        for section in filter(None, sections):
            lines += [*(part for line in section for part in _wrapped(f"  {line}")), ""]
        return [*lines[:-1], "endmodule"]

    def _port_lines(self) -> list[str]:
        room = max((len(_range(wire)) for wire in self._ports), default=0)
        ports = [f"    {wire.direction:6} logic {_range(wire):{room}}{self._names[wire.name]}" for wire in self._ports]
        return [f"{port}," for port in ports[:-1]] + ports[-1:]

    def _inner_wires(self) -> list[Wire]:
        """The wires that something here drives and that need a declaration."""
        driven = {name for process in self._module.processes for name in targets(process.body)}
        driven |= set(self._module.aliases)
        for cell in self._module.cells:
            if not (is_operator(cell) and self._expressions.is_inline(cell)):
                driven |= {bit.name for port in outputs(cell, self._modules) for bit in cell.ports[port]}
        return [wire for wire in self._module.wires.values() if wire.name in driven and not wire.direction]

    def _initial(self) -> list[str]:
        """What registers and memories are before the first clock."""
        registers = {name for process in self._module.processes if process.clock for name in targets(process.body)}
        first = [
            f"{self._names[wire.name]} = {constant(tuple(Bit(digit) for digit in reversed(wire.init)))};"
            for wire in self._module.wires.values()
            if wire.name in registers and wire.init
        ]
        first += first_words(self._module, self._names)
        return [f"initial {first[0]}"] if len(first) == 1 else block("initial", first) if first else []

    def _assignments(self) -> Iterator[str]:
        for name, bits in self._module.aliases.items():
            yield f"assign {self._names[name]} = {self._expressions.text(bits)};"
        for cell in filter(is_operator, self._module.cells):
            if not self._expressions.is_inline(cell):
                yield f"assign {self._expressions.text(cell.ports['Y'])} = {self._expressions.of(cell)};"

    def _unread(self) -> list[Bits]:
        """The bits that nobody reads, of wires of which somebody reads others and of pins."""
        read = {bit for row in rows_read(self._module, self._modules) for bit in row}
        unread = []
        for wire in (*self._ports, *self._inner):
            bits = tuple(bit for bit in wire.bits if bit not in read)
            unread += list(runs(bits)) if bits else []
        return unread

    def _unused_declaration(self) -> list[str]:
        return [f"logic {self._names['unused']};"] if self._unread() else []

    def _unused(self) -> list[str]:
        """Say so to linters, which know this name."""
        unread = ", ".join(self._expressions.text(bits) for bits in self._unread())
        return [f"assign {self._names['unused']} = &{{1'b0, {unread}}};"] if unread else []

    def _process(self, process: Process) -> list[str]:
        body = statements(process.body, self._module, self._expressions, "=" if process.clock is None else "<=")
        if process.clock is None:
            return ["always_comb begin", *indented(body), "end"]
        events = f"{'negedge' if process.falling else 'posedge'} {self._expressions.text((process.clock,))}"
        if process.reset is None:
            return [f"always_ff @({events}) begin", *indented(body), "end"]
        reset = self._expressions.text((process.reset,))
        first = statements(process.reset_values, self._module, self._expressions, "<=")
        choice = [f"if ({reset}) begin", *indented(first), "end else begin", *indented(body), "end"]
        return [f"always_ff @({events} or posedge {reset}) begin", *indented(choice), "end"]

    def _instance(self, cell: Cell, name_of: Callable[[str], str]) -> list[str]:
        inside = self._all_names[cell.kind]
        ends = [(inside["\\" + port], self._expressions.text(bits)) for port, bits in cell.ports.items()]
        ports = [f"  .{port}({text})" for port, text in ends]
        name = self._names.instance(cell.name, self._names_below(cell.kind))
        return [f"{name_of(cell.kind)} {name} (", *(f"{port}," for port in ports[:-1]), *ports[-1:], ");"]

    def _names_below(self, kind: str) -> set[str]:
        inside = [cell.kind for cell in self._modules[kind].cells if cell.kind in self._modules]
        return set(self._all_names[kind]).union(*(self._names_below(each) for each in inside))


def _range(wire: Wire) -> str:
    return f"[{wire.width - 1}:0] " if wire.width > 1 else ""


def _wrapped(line: str) -> list[str]:
    """A line in lines that are not too long."""
    text, comment, label = line.partition(" //")
    indent = " " * (len(text) - len(text.lstrip()))
    parts = textwrap.wrap(
        text.strip(),
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + "    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [*parts[:-1], parts[-1] + comment + label] if parts else [line]
