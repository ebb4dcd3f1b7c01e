"""A netlist as a component of Amaranth, for chips that answer at once.

Inputs whose names begin alike become one bundle: `mine_a1` … `mine_c3` are the bits of `mine`, in the order of the
netlist. All outputs together are the bundle `move`. Every gate is a signal of its own, `g1`, `g2`, …, so that Verilog
and traces show the netlist as it is, until Yosys is asked to make something else of it.
"""

from amaranth.hdl import Const, Module, Signal, Value
from amaranth.lib.wiring import Component, In, Out

from noughts.silicon.logic.netlist import Gate, Netlist

__all__ = ["Logic"]


class Logic(Component):
    """The gates of a netlist, without registers and without a clock."""

    def __init__(self, netlist: Netlist) -> None:
        self.netlist = netlist
        bundles: dict[str, int] = {}
        self._bits: list[tuple[str, int]] = []
        """For every input of the netlist, the bundle and the bit of it."""
        for name in netlist.inputs:
            bundle = name.rpartition("_")[0] or name
            self._bits.append((bundle, bundles.get(bundle, 0)))
            bundles[bundle] = bundles.get(bundle, 0) + 1
        pins = {bundle: In(width) for bundle, width in bundles.items()}
        super().__init__({**pins, "move": Out(len(netlist.outputs))})

    def elaborate(self, platform: object) -> Module:  # noqa: ARG002
        m = Module()
        signals: list[Value] = [getattr(self, bundle)[bit] for bundle, bit in self._bits]
        for number, gate in enumerate(self.netlist.gates, 1):
            signal = Signal(name=f"g{number}")
            m.d.comb += signal.eq(_function(gate, signals[gate.a], signals[gate.b]))
            signals.append(signal)
        for bit, (_, signal, inverted) in enumerate(self.netlist.outputs):
            level = signals[signal] if signal >= 0 else Const(0, 1)
            m.d.comb += self.move[bit].eq(~level if inverted else level)
        return m


def _function(gate: Gate, a: Value, b: Value) -> Value:
    """What a gate does, in as few operators as people would write."""
    match gate.table:
        case 0b0000 | 0b1111:
            return Const(gate.table & 1, 1)
        case 0b1010 | 0b0101:
            return a if gate.table & 2 else ~a
        case 0b1100 | 0b0011:
            return b if gate.table & 4 else ~b
        case 0b0110 | 0b1001:
            return a ^ b if gate.table & 2 else ~(a ^ b)
    ones = [level for level in range(4) if gate.table >> level & 1]
    # One assignment stands alone: the only one that gives 1 (an AND), or the only one that gives 0 (an OR).
    alone = ones[0] if len(ones) == 1 else next(level for level in range(4) if level not in ones)
    if len(ones) == 1:
        return (a if alone & 1 else ~a) & (b if alone & 2 else ~b)
    return (~a if alone & 1 else a) | (~b if alone & 2 else b)
