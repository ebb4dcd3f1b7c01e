"""A scan path: every register of a part in one chain, which moves on by exactly one bit a clock."""

from typing import Any

from amaranth.hdl import Cat, Const, Value

from noughts.silicon.formal import Harness

__all__ = ["claim_scan_path", "claim_scan_time"]


def claim_scan_path(harness: Harness, part: Any, chain: Value) -> None:
    """Claim of a part that all its registers, the one next to `scanin` first, shift while `scan` is high."""
    was, scanin = harness.past(chain), harness.past(part.scanin)
    harness.claim(
        "a clock with scan high shifts all registers by one bit",
        chain == Cat(scanin, was[:-1]),
        when=harness.stepped & harness.past(part.scan),
    )
    harness.claim("the last bit of all registers is at scanout", part.scanout == chain[-1])


def claim_scan_time(harness: Harness, part: Any, bits: int) -> None:
    """Claim of a part whose registers cannot be seen that a bit takes so many clocks from `scanin` to `scanout`."""
    scanned: Value = Const(1)
    bit = part.scanin
    for _ in range(bits):
        scanned = harness.stepped & harness.past(scanned & part.scan)
        bit = harness.past(bit)
    harness.claim(f"{bits} clocks with scan high bring a bit from scanin to scanout", part.scanout == bit, when=scanned)
