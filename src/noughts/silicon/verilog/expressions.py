"""Expressions in Verilog, of which every part has the width of the whole.

Verilog widens operands silently and by rules that few remember. So nothing is left to them: constants, zero bits and
sign bits are written out. An operator whose result nobody named, and that is needed once, stands where it is needed.
"""

from collections import Counter

from noughts.silicon.rtlil.source import Bit, Bits, Cell, Module, RtlilError
from noughts.silicon.rtlil.walk import Modules, is_made_up, is_operator, rows_read, runs
from noughts.silicon.verilog.names import Names

__all__ = ["Expressions", "constant"]

_ZERO = Bit("0")
_UNARY = {"$not": "~", "$neg": "-"}
_REDUCTIONS = {"$reduce_and": "&", "$reduce_or": "|", "$reduce_bool": "|", "$reduce_xor": "^"}
_BINARY = {"$and": "&", "$or": "|", "$xor": "^", "$add": "+", "$sub": "-", "$mul": "*"}
_COMPARISONS = {"$eq": "==", "$ne": "!=", "$lt": "<", "$le": "<=", "$gt": ">", "$ge": ">="}
_NOTHING_TO_ZERO = ("$add", "$or", "$xor")
_CHAINS = ("&", "|", "^", "+")


def constant(bits: Bits) -> str:
    """A number: decimal while it is short, binary if it is a bit or has undefined ones."""
    digits = "".join(bit.name for bit in reversed(bits))
    if len(bits) == 1 or "x" in digits:
        return f"{len(bits)}'b{digits}"
    return (
        f"{len(bits)}'d{int(digits, 2)}" if len(bits) <= 8 else f"{len(bits)}'h{int(digits, 2):0{-(-len(bits) // 4)}x}"
    )


class Expressions:
    """The expressions of one module."""

    def __init__(self, module: Module, modules: Modules, names: Names) -> None:
        self._module = module
        self._names = names
        self._inline = _needed_once(module, modules)

    def is_inline(self, cell: Cell) -> bool:
        """Whether an operator stands where it is needed, and not in a line of its own."""
        return cell.ports["Y"][0].name in self._inline

    def text(self, bits: Bits) -> str:
        """A row of bits, or the expression that computes it."""
        return self._text(bits)[0]

    def of(self, cell: Cell) -> str:
        """The expression that an operator computes."""
        return self._operation(cell)[0]

    def _text(self, bits: Bits) -> tuple[str, str]:
        """An expression and its outermost operator, which is empty if nothing around it can tear it apart."""
        pieces = [self._piece(run) for run in runs(bits)]
        if len(pieces) == 1:
            return pieces[0]
        return f"{{{', '.join(text for text, _ in reversed(pieces))}}}", ""

    def _piece(self, run: Bits) -> tuple[str, str]:
        first, last = run[0], run[-1]
        if first.is_constant:
            return constant(run), ""
        if first.name in self._inline:
            assert run == self._module.wires[first.name].bits
            return self._operation(self._inline[first.name])
        name = self._names[first.name]
        if run == self._module.wires[first.name].bits:
            return name, ""
        if first == last:
            bit = name if self._module.wires[first.name].width == 1 else f"{name}[{first.number}]"
            return (bit if len(run) == 1 else f"{{{len(run)}{{{bit}}}}}"), ""
        return f"{name}[{last.number}:{first.number}]", ""

    def _operation(self, cell: Cell) -> tuple[str, str]:
        width = len(cell.ports["Y"])
        a, b = cell.ports.get("A", ()), cell.ports.get("B", ())
        if cell.kind in _UNARY:
            return f"{_UNARY[cell.kind]}{self._operand(_wide(cell, 'A', width))}", _UNARY[cell.kind]
        if cell.kind in _REDUCTIONS and width == 1:
            return f"{_REDUCTIONS[cell.kind]}{self._operand(a)}", "reduction"
        if cell.kind in _NOTHING_TO_ZERO and {*a} == {_ZERO}:
            return self._text(_wide(cell, "B", width))
        if cell.kind in _NOTHING_TO_ZERO and {*b} == {_ZERO}:
            return self._text(_wide(cell, "A", width))
        if cell.kind in _BINARY:
            sign = _BINARY[cell.kind]
            return self._joined(sign, *(self._operand(_wide(cell, port, width), sign) for port in "AB"))
        if cell.kind in _COMPARISONS and width == 1:
            return self._comparison(cell)
        if cell.kind == "$mux":
            chosen, other = (self._operand(_wide(cell, port, width), "?") for port in "BA")
            return f"{self._operand(cell.ports['S'], '?')} ? {chosen} : {other}", "?"
        if cell.kind == "$shl":
            return self._joined("<<", self._operand(_wide(cell, "A", width)), self._operand(b))
        if cell.kind in ("$shr", "$shift", "$sshr"):
            return self._right_shift(cell)
        raise RtlilError(f"cell {cell.kind} with {width} result bits has no Verilog here")

    def _operand(self, bits: Bits, around: str = "") -> str:
        text, operator = self._text(bits)
        fits = not operator or (operator == "~" and around) or (operator == around and around in _CHAINS)
        return text if fits else f"({text})"

    def _joined(self, sign: str, left: str, right: str) -> tuple[str, str]:
        return f"{left} {sign} {right}", sign

    def _comparison(self, cell: Cell) -> tuple[str, str]:
        width = max(len(cell.ports[port]) for port in "AB")
        sides = [_wide(cell, port, width) for port in "AB"]
        sign = _COMPARISONS[cell.kind]
        if cell.kind in ("$eq", "$ne") or not _is_signed(cell, "A"):
            return self._joined(sign, *(self._operand(bits, sign) for bits in sides))
        return self._joined(sign, *(f"$signed({self.text(bits)})" for bits in sides))

    def _right_shift(self, cell: Cell) -> tuple[str, str]:
        """A shift to the right, in the width of what is shifted, of which the low bits are the result."""
        if _is_signed(cell, "B"):
            raise RtlilError(f"cell {cell.kind} that shifts by a signed number has no Verilog here")
        width = len(cell.ports["Y"])
        shifted = _wide(cell, "A", max(width, len(cell.ports["A"])))
        by = self._operand(cell.ports["B"])
        if cell.kind == "$sshr" and _is_signed(cell, "A"):
            text, sign = f"$unsigned($signed({self.text(shifted)}) >>> {by})", ""
        else:
            text, sign = f"{self._operand(shifted)} >> {by}", ">>"
        return (text, sign) if len(shifted) == width else (f"{width}'({text})", "")


def _is_signed(cell: Cell, port: str) -> bool:
    return int(cell.parameters.get(f"{port}_SIGNED", "0").rpartition("'")[2]) == 1


def _wide(cell: Cell, port: str, width: int) -> Bits:
    """An operand in this width: low bits of it, or more zero or sign bits."""
    bits = cell.ports[port]
    more = bits[-1] if bits and _is_signed(cell, port) else _ZERO
    return (bits + (more,) * width)[:width]


def _needed_once(module: Module, modules: Modules) -> dict[str, Cell]:
    """Operators without a name whose result is needed once as a whole, or so simple that they may stand anywhere."""
    needed: Counter[str] = Counter()
    for row in rows_read(module, modules):
        for run in runs(row):
            # What is needed in part, or again and again, must have a name to take parts of.
            is_whole = not run[0].is_constant and run == module.wires[run[0].name].bits
            needed[run[0].name] += 1 if is_whole else 1000
    for process in module.processes:
        needed.update({bit.name: 1000 for bit in (process.clock, process.reset) if bit is not None})
    inline = {}
    for cell in filter(is_operator, module.cells):
        name = cell.ports["Y"][0].name
        is_simple = cell.kind == "$not" and len(cell.ports["A"]) == 1 and not is_made_up(cell.ports["A"][0].name)
        if is_made_up(name) and (needed[name] == 1 or (is_simple and needed[name] < 1000)):
            inline[name] = cell
    return inline
