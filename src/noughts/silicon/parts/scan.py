"""The scan path: all registers of a part as one shift register, for testing a chip that has been made."""

from amaranth.hdl import Cat, Module, Signal, Value

__all__ = ["scan_path"]


def scan_path(m: Module, scan: Value, scanin: Value, scanout: Signal, *registers: Signal) -> None:
    """Chain the registers between `scanin` and `scanout`; called last, so that `scan` overrides all else."""
    chain = Cat(*registers)
    m.d.comb += scanout.eq(chain[-1])
    with m.If(scan):
        m.d.sync += chain.eq(Cat(scanin, chain[:-1]))
