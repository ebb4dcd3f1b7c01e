"""Names in Verilog: those of the source where they are free, numbered where several things have the same."""

import re
from collections import Counter
from collections.abc import Collection, Iterator

from noughts.silicon.rtlil.source import Module, Wire
from noughts.silicon.rtlil.walk import Modules, is_made_up, outputs, runs

__all__ = ["KEYWORDS", "Names", "module_name", "port_hints", "wire_hints"]

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
        self._numbered = 0

    def hint(self, hints: dict[str, str]) -> None:
        """Say what to call some more things."""
        self._hints = {**hints, **self._hints}

    def __getitem__(self, name: str) -> str:
        """What something with this name in RTLIL is called; the first that asks for a name gets it."""
        if name not in self._names:
            wanted = self._hints.get(name) or _plain(name)
            if is_made_up(name):
                self._numbered += 1
                wanted = f"w{self._numbered}"
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


def _plain(name: str) -> str:
    """A name without what Amaranth and RTLIL add to it."""
    return re.sub(r"\W", "_", name.lstrip("\\$").partition("$")[0])


def _free(wanted: str, taken: Collection[str]) -> str:
    name, number = wanted, 1
    while name in taken or name in KEYWORDS:
        number += 1
        name = f"{wanted}_{number}"
    return name
