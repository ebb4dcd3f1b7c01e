"""A module in Verilog: ports, wires, registers, what drives them, and the modules inside."""

import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from noughts.silicon.verilog.expressions import Expressions, Names, constant, result_hints, wire_hints
from noughts.silicon.verilog.rtlil import (
    Assign,
    Bit,
    Bits,
    Case,
    Cell,
    Memory,
    Module,
    Modules,
    Process,
    RtlilError,
    Statement,
    Switch,
    Wire,
    is_operator,
    outputs,
    rows_read,
    runs,
    targets,
)

__all__ = ["ModuleText", "block", "declared_memory", "first_words", "indented", "memory_ports", "statements"]

# Statements in Verilog: assignments, `if` and `case`.

_NAME = re.compile(r"\w+(\[\d+\])?")


def indented(lines: Iterator[str] | Sequence[str], by: int = 2) -> list[str]:
    """Lines, further to the right."""
    return [" " * by + line for line in lines]


def block(head: str, lines: list[str]) -> list[str]:
    """A head with the lines that it governs."""
    return [f"{head} begin", *indented(lines), "end"]


def statements(body: Sequence[Statement], module: Module, expressions: Expressions, sign: str) -> list[str]:
    """Statements in which targets get their values by this sign, = or <=."""
    lines: list[str] = []
    for statement in body:
        if isinstance(statement, Assign):
            target, value = statement
            line = f"{expressions.text(target)} {sign} {expressions.text(value)};"
            lines.append(line + _label(module, target, value))
        elif any(case.body for case in statement.cases):
            lines += _Switch(module, expressions, sign).lines(statement)
    return lines


def _label(module: Module, about: Bits, value: Bits | str) -> str:
    """What the source calls this value of a wire, as a comment."""
    labels = module.wires[about[0].name].labels if not about[0].is_constant else {}
    digits = value if isinstance(value, str) else "".join(bit.name for bit in reversed(value))
    return f" // {labels[digits]}" if digits in labels and len(digits) == len(about) else ""


class _Switch:
    """A question and its answers."""

    def __init__(self, module: Module, expressions: Expressions, sign: str) -> None:
        self._module = module
        self._expressions = expressions
        self._sign = sign

    def lines(self, switch: Switch) -> list[str]:
        """The question as `if` where every answer waits for one bit or for overlapping patterns, else as `case`."""
        conditions = [self._condition(switch.test, case) for case in switch.cases]
        if not all(condition or not case.patterns for condition, case in zip(conditions, switch.cases, strict=True)):
            if not _overlap(switch.cases):
                return self._case(switch)
            conditions = [self._comparison(switch.test, case) for case in switch.cases]
        return self._if(
            [(condition or "", case.body) for condition, case in zip(conditions, switch.cases, strict=True)]
        )

    def _condition(self, test: Bits, case: Case) -> str | None:
        """The one bit that a case asks for, or nothing."""
        asked = [
            (bit, digit) for bit, digit in zip(test, reversed("".join(case.patterns)), strict=False) if digit != "-"
        ]
        if len(case.patterns) != 1 or len(asked) != 1:
            return None
        ((bit, digit),) = asked
        text = self._expressions.text((bit,))
        return text if digit == "1" else _opposite(text)

    def _comparison(self, test: Bits, case: Case) -> str | None:
        """Whether one of the patterns of a case matches, as an expression."""
        text = self._expressions.text(test)
        text = text if _NAME.fullmatch(text) else f"({text})"
        either = []
        for pattern in case.patterns:
            mask, value = re.sub("[01]", "1", pattern).replace("-", "0"), pattern.replace("-", "0")
            either.append(f"({text} & {_pattern(mask)}) == {_pattern(value)}")
        return " || ".join(f"({one})" for one in either) if len(either) > 1 else "".join(either) or None

    def _body(self, body: Sequence[Statement]) -> list[str]:
        return statements(body, self._module, self._expressions, self._sign)

    def _if(self, branches: list[tuple[str, list[Statement]]]) -> list[str]:
        """Conditions, each asked when none before holds; one that is empty holds always."""
        while branches and not self._body(branches[-1][1]):
            branches = branches[:-1]
        (condition, body), rest = branches[0], branches[1:]
        lines = self._body(body)
        if not condition:
            return lines
        if not lines:
            return block(f"if ({_opposite(condition)})", self._if(rest))
        result = [f"if ({condition}) begin", *indented(lines)]
        if rest:
            following = self._if(rest)
            if rest[0][0] and following[0].startswith("if ("):
                return [*result, f"end else {following[0]}", *following[1:]]
            return [*result, "end else begin", *indented(following), "end"]
        return [*result, "end"]

    def _case(self, switch: Switch) -> list[str]:
        patterns = [pattern for case in switch.cases for pattern in case.patterns]
        wild = any("-" in pattern for pattern in patterns)
        has_default = not all(case.patterns for case in switch.cases)
        lines = [f"{'casez' if wild else 'case'} ({self._expressions.text(switch.test)})"]
        skipped = False
        for case in switch.cases:
            body = self._body(case.body)
            if not (body or wild or has_default):
                # Patterns without blanks exclude each other: one that asks for nothing need not stand there.
                skipped = True
                continue
            lines += indented(self._item(switch.test, case, body))
        if not has_default and (skipped or wild or len(patterns) < 1 << len(switch.test)):
            lines.append("  default: ;")
        return [*lines, "endcase"]

    def _item(self, test: Bits, case: Case, body: list[str]) -> list[str]:
        heads = [_pattern(pattern) for pattern in case.patterns]
        label = _label(self._module, test, case.patterns[0]) if len(case.patterns) == 1 else ""
        head = f"{', '.join(heads) or 'default'}:"
        if not body:
            return [f"{head} ;"]
        if len(body) == 1 and not label:
            return [f"{head} {body[0]}"]
        return [f"{head} begin{label}", *indented(body), "end"]


def _overlap(cases: Sequence[Case]) -> bool:
    """Whether two patterns match the same value."""
    patterns = [pattern for case in cases for pattern in case.patterns]
    return any(
        all("-" in pair or pair[0] == pair[1] for pair in zip(one, two, strict=True))
        for one, two in combinations(patterns, 2)
    )


def _pattern(pattern: str) -> str:
    if "-" in pattern:
        return f"{len(pattern)}'b{pattern.replace('-', '?')}"
    return constant(tuple(Bit(digit) for digit in reversed(pattern)))


def _opposite(condition: str) -> str:
    return f"!{condition}" if _NAME.fullmatch(condition) else f"!({condition})"


# A memory in Verilog: its words, what they are at first, and the ports that write and read it.


def declared_memory(memory: Memory, names: Names) -> str:
    """The declaration of a memory."""
    return f"logic [{memory.width - 1}:0] {names[memory.name]} [0:{memory.size - 1}];"


def first_words(module: Module, names: Names) -> list[str]:
    """What the words of memories are before the first clock."""
    lines = []
    for cell in module.cells:
        if cell.kind == "$meminit_v2":
            memory = module.memories[cell.parameters["MEMID"]]
            name, width, data = names[memory.name], memory.width, cell.ports["DATA"]
            words = [constant(data[width * word : width * (word + 1)]) for word in range(memory.size)]
            if len(set(words)) == 1:
                k = names[f"{memory.name}_number"]
                lines.append(f"for (int {k} = 0; {k} < {memory.size}; {k} = {k} + 1) {name}[{k}] = {words[0]};")
            else:
                lines += [f"{name}[{number}] = {word};" for number, word in enumerate(words)]
    return lines


def memory_ports(module: Module, names: Names, expressions: Expressions) -> Iterator[list[str]]:
    """The ports of memories, each the lines of a process or of an assignment."""
    for cell in module.cells:
        if cell.kind == "$memwr_v2":
            yield _clocked(cell, expressions, _written(cell, names, expressions))
        elif cell.kind == "$memrd_v2":
            yield _read(cell, names, expressions)


def _word(cell: Cell, names: Names, expressions: Expressions) -> str:
    return f"{names[cell.parameters['MEMID']]}[{expressions.text(cell.ports['ADDR'])}]"


def _written(cell: Cell, names: Names, expressions: Expressions) -> list[str]:
    """A word is written in parts, each of which has an enable of its own; most have one part."""
    word, enables, data = _word(cell, names, expressions), cell.ports["EN"], cell.ports["DATA"]
    lines = []
    low = 0
    for high in range(1, len(enables) + 1):
        if high == len(enables) or enables[high] != enables[low]:
            part = "" if (low, high) == (0, len(enables)) else f"[{high - 1}:{low}]"
            lines += _when(enables[low : low + 1], expressions, f"{word}{part} <= {expressions.text(data[low:high])};")
            low = high
    return lines


def _read(cell: Cell, names: Names, expressions: Expressions) -> list[str]:
    target, word = expressions.text(cell.ports["DATA"]), _word(cell, names, expressions)
    if cell.parameters["CLK_ENABLE"] == "0":
        return [f"assign {target} = {word};"]
    if "1" in cell.parameters["TRANSPARENCY_MASK"].partition("'")[2]:
        raise RtlilError(
            f"memory {names[cell.parameters['MEMID']]}: a port that reads what is being written has no Verilog here"
        )
    return _clocked(cell, expressions, _when(cell.ports["EN"], expressions, f"{target} <= {word};"))


def _when(enable: Bits, expressions: Expressions, line: str) -> list[str]:
    if enable[0].name == "1":
        return [line]
    return block(f"if ({expressions.text(enable)})", [line])


def _clocked(cell: Cell, expressions: Expressions, lines: list[str]) -> list[str]:
    edge = "negedge" if cell.parameters["CLK_POLARITY"] == "0" else "posedge"
    return block(f"always_ff @({edge} {expressions.text(cell.ports['CLK'])})", lines)


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
        names.hint(result_hints(module) | wire_hints([*self._ports, *self._inner], module, modules))
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
