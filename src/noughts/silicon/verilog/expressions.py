"""Expressions in Verilog, of which every part has the width of the whole.

Verilog widens operands silently and by rules that few remember. So nothing is left to them: constants, zero bits and
sign bits are written out. An operator whose result nobody named, and that is needed once, stands where it is needed.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator

from noughts.silicon.verilog.rtlil import (
    Bit,
    Bits,
    Cell,
    Module,
    Modules,
    RtlilError,
    Wire,
    is_made_up,
    is_operator,
    outputs,
    rows_read,
    runs,
)

__all__ = ["KEYWORDS", "Expressions", "Names", "constant", "module_name", "port_hints", "result_hints", "wire_hints"]

# Names in Verilog: those of the source where they are free, numbered where several things have the same.

_WORDS = """
accept_on alias always always_comb always_ff always_latch and assert assign assume automatic before begin bind bins
binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking cmos config const
constraint context continue cover covergroup coverpoint cross deassign default defparam design disable dist do edge
else end endcase endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface endmodule
endpackage endprimitive endprogram endproperty endsequence endspecify endtable endtask enum event eventually expect
export extends extern final first_match for force foreach forever fork forkjoin function generate genvar global highz0
highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir include initial inout input inside
instance int integer interconnect interface intersect join join_any join_none large let liblist library local
localparam logic longint macromodule matches medium modport module nand negedge nettype new nexttime nmos nor
noshowcancelled not notif0 notif1 null or output package packed parameter pmos posedge primitive priority program
property protected pull0 pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase
randsequence rcmos real realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0 rtranif1
s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal showcancelled signed small
soft solve specify specparam static string strong strong0 strong1 struct super supply0 supply1 sync_accept_on
sync_reject_on table tagged task this throughout time timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand
trior trireg type typedef union unique unique0 unsigned until until_with untyped use uwire var vectored virtual void
wait wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor
"""
KEYWORDS = frozenset(_WORDS.split())


class Names:
    """The names in one module; `hints` says what to call some things, by their names in RTLIL."""

    def __init__(self, hints: dict[str, str]) -> None:
        self._hints = hints
        self._names: dict[str, str] = {}

    def hint(self, hints: dict[str, str]) -> None:
        """Say what to call some more things."""
        self._hints = {**hints, **self._hints}

    def __getitem__(self, name: str) -> str:
        """What something with this name in RTLIL is called; the first that asks for a name gets it."""
        if name not in self._names:
            # What has no name and is no operator's result is what a process has chosen by a question.
            wanted = self._hints.get(name) or ("chosen" if is_made_up(name) else _plain(name))
            self._names[name] = _free(wanted, self._names.values())
        return self._names[name]

    def instance(self, name: str, inside: Collection[str]) -> str:
        """What an instance is called, if these are the names in it: linters want them to be others."""
        if name not in self._names:
            wanted = _plain(name)
            if wanted in inside or wanted in self._names.values():
                wanted += "_block"
            self._names[name] = _free(wanted, {*inside, *self._names.values()})
        return self._names[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names.values())


def module_name(name: str, taken: Collection[str]) -> str:
    """The name of a module: the way to it from the top."""
    return _free("_".join(_plain(part) for part in name.split(".")), taken)


def port_hints(module: Module, modules: Modules, names: Names) -> dict[str, dict[str, str]]:
    """What to call ports, in the modules inside, that Amaranth had no name for: as what is connected to them here."""
    hints: dict[str, dict[str, str]] = {}
    for cell in module.cells:
        if cell.kind in modules:
            hints[cell.kind] = {
                f"\\{port}": names[bits[0].name]
                for port, bits in cell.ports.items()
                if port.startswith("port$") and len(list(runs(bits))) == 1 and not is_made_up(bits[0].name)
            }
    return hints


def wire_hints(wires: Collection[Wire], module: Module, modules: Modules) -> dict[str, str]:
    """What to call wires that would all be called the same: as the port of an instance that they are connected to."""
    same = Counter(_plain(wire.name) for wire in wires)
    hints: dict[str, str] = {}
    for cell in module.cells:
        driven = outputs(cell, modules)
        for port, bits in cell.ports.items() if cell.kind in modules else ():
            wire = module.wires.get(bits[0].name)
            if wire and wire.bits == bits and same[_plain(wire.name)] > 1 and not wire.direction:
                name = f"{_plain(cell.name)}_{_plain(port)}"
                hints[wire.name] = name if port in driven else hints.get(wire.name, name)
    return hints


_VERBS = {
    "$and": "and",
    "$or": "or",
    "$xor": "xor",
    "$add": "plus",
    "$sub": "minus",
    "$mul": "times",
    "$eq": "is",
    "$ne": "is_not",
    "$lt": "below",
    "$le": "at_most",
    "$gt": "above",
    "$ge": "at_least",
}
"""What stands between the operands in a name."""
_NOUNS = {
    "$and": "both",
    "$or": "either",
    "$xor": "difference",
    "$not": "inverse",
    "$neg": "negative",
    "$add": "sum",
    "$sub": "rest",
    "$mul": "product",
    "$mux": "choice",
    "$memrd_v2": "word",
    "$eq": "equal",
    "$ne": "unequal",
    "$lt": "below",
    "$le": "at_most",
    "$gt": "above",
    "$ge": "at_least",
    "$reduce_and": "all",
    "$reduce_or": "any",
    "$reduce_bool": "any",
    "$reduce_xor": "parity",
    "$shl": "shifted",
    "$shr": "shifted",
    "$shift": "shifted",
    "$sshr": "shifted",
}
"""What to call a result whose operands have no names, or too long ones."""
_LONGEST = 24


def result_hints(module: Module) -> dict[str, str]:
    """What to call results that have no name in the source: by what they carry, as `wins_or_full`, `empty_is_3`."""
    cells = {bit.name: cell for cell in module.cells for bit in cell.ports.get("Y", cell.ports.get("DATA", ()))}

    def called(bits: Bits) -> str | None:
        """The name of an operand, if it is one thing: a number, a wire, a bit of one."""
        pieces = list(runs(bits))
        if len(pieces) != 1:
            return None
        first = bits[0]
        if first.is_constant:
            digits = "".join(bit.name for bit in reversed(bits))
            return None if "x" in digits else str(int(digits, 2))
        name = named(first.name) if is_made_up(first.name) else _plain(first.name)
        whole = bits == module.wires[first.name].bits
        return name if whole or name is None or len(bits) > 1 else f"{name}_{first.number}"

    def named(name: str) -> str | None:
        """The name of a result, if one can be made of those of its operands."""
        cell = cells.get(name)
        operands = [] if cell is None else [called(cell.ports[port]) for port in "AB" if port in cell.ports]
        if cell is None or None in operands:
            return None
        if cell.kind == "$not":
            made = f"not_{operands[0]}"
        elif cell.kind in _VERBS:
            made = f"{operands[0]}_{_VERBS[cell.kind]}_{operands[1]}"
        elif cell.kind in ("$reduce_or", "$reduce_bool", "$reduce_and"):
            made = f"{_NOUNS[cell.kind]}_{operands[0]}"
        else:
            return None
        return made if len(made) <= _LONGEST and not made[0].isdigit() else None

    made_up = {name: cell for name, cell in cells.items() if is_made_up(name)}
    return {name: named(name) or _NOUNS.get(cell.kind, "result") for name, cell in made_up.items()}


def _plain(name: str) -> str:
    """A name without what Amaranth and RTLIL add to it."""
    return re.sub(r"\W", "_", name.lstrip("\\$").partition("$")[0])


def _free(wanted: str, taken: Collection[str]) -> str:
    name, number = wanted, 1
    while name in taken or name in KEYWORDS:
        number += 1
        name = f"{wanted}_{number}"
    return name


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
        if width == 0:
            # Amaranth drops zeros at the front, and so all of a constant 0: nothing is equal to nothing.
            return constant((Bit(str(int(cell.kind in ("$eq", "$le", "$ge")))),)), ""
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
