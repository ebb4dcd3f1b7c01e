"""A memory in Verilog: its words, what they are at first, and the ports that write and read it."""

from collections.abc import Iterator

from noughts.silicon.rtlil.source import Bits, Cell, Memory, Module, RtlilError
from noughts.silicon.verilog.expressions import Expressions, constant
from noughts.silicon.verilog.names import Names
from noughts.silicon.verilog.statements import block

__all__ = ["declared_memory", "first_words", "memory_ports"]


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
