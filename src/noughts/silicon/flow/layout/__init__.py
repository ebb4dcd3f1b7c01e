"""Layout: a design as placed and routed standard cells, with a GDSII file, checked, timed and drawn.

    netlist      the design in cells of osu035, by Yosys (`cells`)
    layout       placed by graywolf, routed by qrouter, checked by magic and netgen (`steps`)
    what it is   its size and its wires, read from DEF (`plan`); timing and power after layout by OpenSTA (`after`)

osu035 is a free library of cells for a process of 0.35 µm with four layers of metal. The same design and seed give the
same bytes. A `Layout` is figures and files; `kept_layout` finds those that come with a design, made by

    python -m noughts.silicon.flow.layout [DESIGN…]

which also plays every game with the netlist that was extracted from the layout, takes up to some minutes a design, and
writes `layout.zip` into the design's folder; without names it makes those again that are there. Where a program is
missing, `layout` says in one line which; OpenSTA's figures are left out without it.
"""

import base64
import io
import json
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from noughts.extras import MissingToolError
from noughts.silicon.circuit import Circuit
from noughts.silicon.design import Design
from noughts.silicon.flow.layout import after, steps
from noughts.silicon.flow.layout.cells import Cells, cells_of
from noughts.silicon.flow.layout.plan import Plan, read_plan, sizes
from noughts.silicon.flow.synthesis import mapped_to_library
from noughts.silicon.pictures.layout import COARSE, FINE, Scale, layouts_file
from noughts.silicon.tools import remembered

__all__ = [
    "KEPT",
    "SEEDS",
    "Layout",
    "extent",
    "files_of",
    "kept_layout",
    "kept_layouts",
    "layout",
    "packed",
    "run_of",
    "unpacked",
]

KEPT = "layout.zip"
"""The file in a design's folder."""
SEEDS = (1, 1_000_000)
"""The seeds of a placement."""
_BUFFER = "BUFX4"
_VERSION = "1"
"""To be changed with what is made here, so that what was kept before is made anew."""
_FIGURES = "layout.json"


class Layout(NamedTuple):
    """A placed and routed design."""

    figures: dict[str, Any]
    """What there is to say of it in numbers: see `layout.json` in docs/tapeout.md."""
    files: dict[str, bytes]
    """The same in files: GDSII, DEF, the netlist drawn and the one extracted, the wires, and the reports."""

    @property
    def name(self) -> str:
        """What its files are called."""
        return str(self.figures["top"])

    @property
    def clean(self) -> bool:
        """Whether no design rule is broken and the layout is the netlist."""
        return not self.figures["drc_errors"] and bool(self.figures["lvs_matches"])

    @property
    def gds(self) -> bytes:
        """For the foundry."""
        return self.files[f"{self.name}.gds"]

    @property
    def title(self) -> str:
        """Its name and its size."""
        return f"{self.figures['design']}: {self.figures['width_um']:g} × {self.figures['height_um']:g} µm"

    @property
    def scale(self) -> Scale:
        """How it is drawn."""
        return FINE if "tile" in self.figures else COARSE

    def rows(self) -> list[tuple[str, str]]:
        """What people ask of a layout: labels and figures."""
        figures = self.figures
        rows = [
            ("cells", f"{figures['cells']:,}, {figures['flip_flops']} of them flip-flops"),
            ("die", f"{figures['width_um']:g} × {figures['height_um']:g} µm = {figures['area_um2'] / 1e6:.4f} mm²"),
            ("filled with cells", f"{figures['utilisation']:.0%}"),
            ("wire", f"{sum(figures['wire_um'].values()) / 1000:.1f} mm, {figures['contacts']:,} contacts"),
            ("design rules", f"{figures['drc_errors'] or 'no'} errors"),
            ("layout versus netlist", "the same" if figures["lvs_matches"] else "not the same"),
        ]
        if "fmax_mhz" in figures:
            before = figures.get("fmax_mhz_before_layout")
            rows.append(
                ("highest clock", f"{figures['fmax_mhz']} MHz{f'; {before} MHz before layout' if before else ''}")
            )
            if "setup_slack_ns" in figures:
                slack = figures["setup_slack_ns"]
                rows.append((f"setup slack at {' and '.join(slack)}", ", ".join(f"{ns:g} ns" for ns in slack.values())))
            rows.append(("hold slack, clock skew", f"{figures['hold_slack_ns']} ns, {figures['clock_skew_ns']} ns"))
        if "played" in figures:
            rows.append(("games played with what was drawn", f"{figures['played']['games']:,}, every one"))
        if figures.get("power_mw_at_10_mhz"):
            rows.append(("power in its sample run, at 10 MHz", f"{figures['power_mw_at_10_mhz']} mW"))
        return rows

    def plan(self) -> Plan:
        """What it looks like from above."""
        outlines = {kind: (width, height) for kind, (width, height) in self.figures["outlines_um"].items()}
        return read_plan(self.files[f"{self.name}.def"].decode(), outlines)

    def drawn(self) -> Cells:
        """The netlist that was to be laid out."""
        kept = json.loads(self.files[f"{self.name}.netlist.json"])
        cells = tuple(steps.Cell(*cell) for cell in kept["cells"])
        return Cells(self.name, tuple(kept["inputs"]), tuple(kept["outputs"]), cells, kept["registers"])


def layout(
    circuit: Circuit,
    seed: int = SEEDS[0],
    run: Sequence[after.Levels] = (),
    say: Callable[[str], None] = lambda _words: None,
) -> Layout:
    """Lay a design out in cells of osu035, or find what was made of it before.

    Args:
        circuit: The design.
        seed: Of the placement, 1 to 1,000,000.
        run: The levels of its input pins cycle by cycle, for the power (`run_of`); without, no power is told.
        say: What is being done is said here.

    Raises:
        MissingToolError: A program or the library is not installed; which, and where it is to be had.
        ToolError: A program failed.
    """
    purpose = f"the layout of {circuit.name}"
    steps.need_tools(purpose)
    known = steps.versions()
    parts = (_VERSION, circuit.rtlil(), str(seed), json.dumps([known, list(run)], sort_keys=True))
    text = remembered(
        "pyosys", purpose, parts, lambda: base64.b64encode(packed(_made(circuit, seed, run, say))).decode()
    )
    return unpacked(base64.b64decode(text))


def _made(circuit: Circuit, seed: int, run: Sequence[after.Levels], say: Callable[[str], None]) -> Layout:
    say(f"synthesising {circuit.name}")
    netlist = cells_of(mapped_to_library(circuit, steps.LIBERTY, _BUFFER), circuit.identifier)
    with tempfile.TemporaryDirectory(prefix="noughts-") as folder:
        drawn = steps.draw(netlist, seed, Path(folder), say)
        outlines = sizes(steps.LEF)
        plan = read_plan(drawn.definition, outlines)
        wires = after.spef(drawn.delays, netlist, plan)
        say("timing")
        clock = f"{circuit.clock}_0"
        timed: dict[str, Any] = {"skipped": []}
        try:
            before = after.measure(netlist, None, clock, (), Path(folder))
            found = after.measure(netlist, wires, clock, run, Path(folder))
            timed |= {
                "fmax_mhz_before_layout": round(before.fmax_mhz, 1),
                "fmax_mhz": round(found.fmax_mhz, 1),
                "hold_slack_ns": round(found.hold_slack_ns, 3),
                "clock_skew_ns": round(found.skew_ns, 3),
                "power_mw_at_10_mhz": None if found.power_mw is None else round(found.power_mw, 2),
                "power_cycles": len(run),
            }
        except MissingToolError as error:
            timed["skipped"].append(str(error))
    figures: dict[str, Any] = {
        "design": circuit.name,
        "top": netlist.top,
        "library": "osu035",
        "seed": seed,
        **extent(netlist, plan, outlines),
        "drc_errors": drawn.drc_errors,
        "lvs_matches": drawn.lvs_matches,
        **timed,
        "tools": steps.versions(),
    }
    top = netlist.top
    files = {
        f"{top}.gds": drawn.gds,
        f"{top}.def": drawn.definition.encode(),
        f"{top}.v": netlist.verilog().encode(),
        f"{top}.netlist.json": netlist.kept(),
        f"{top}.extracted.spice": drawn.extracted.encode(),
        f"{top}.spef": wires.encode(),
        "drc.txt": drawn.drc_report.encode(),
        "lvs.txt": drawn.lvs_report.encode(),
    }
    return Layout(figures, files)


def extent(netlist: Cells, plan: Plan, outlines: dict[str, tuple[float, float]]) -> dict[str, Any]:
    """How much there is of a layout: cells, area, wires.

    Args:
        netlist: What is drawn.
        plan: Where it is.
        outlines: Width and height of every kind of cell, in µm.
    """
    kinds = netlist.kinds()
    of_cells = sum(outlines[kind][0] * outlines[kind][1] * count for kind, count in kinds.items())
    return {
        "cells": len(netlist.cells),
        "fill_cells": len(plan.cells) - len(netlist.cells),
        "kinds": kinds,
        "flip_flops": len(netlist.registers),
        "nets": len({net for cell in netlist.cells for net in cell.pins.values()}),
        "width_um": round(plan.width, 2),
        "height_um": round(plan.height, 2),
        "area_um2": round(plan.width * plan.height, 1),
        "cells_um2": round(of_cells, 1),
        "utilisation": round(of_cells / (plan.width * plan.height), 3),
        "wire_um": {layer: round(length, 1) for layer, length in plan.lengths().items()},
        "contacts": plan.contacts,
        "outlines_um": {kind: outlines[kind] for kind in sorted({cell.kind for cell in plan.cells})},
    }


def run_of(design: Design) -> list[after.Levels]:
    """The input pins of the recorded run that comes with a design, cycle by cycle; nothing if there is none."""
    from noughts.silicon.kept import recording  # noqa: PLC0415

    known = recording(design, design.samples[0].name) if design.samples else None
    if known is None:
        return []
    trace = known.trace
    bits = [
        (f"{name}_{bit}", list(trace.widths).index(name), bit)
        for name, pin in design.pins().items()
        if pin.is_input and name != design.clock
        for bit in range(pin.width)
    ]
    return [{net: row[column] >> bit & 1 for net, column, bit in bits} for row in trace.rows[1::2]]


def files_of(made: Layout) -> dict[str, bytes]:
    """All that a folder with a layout holds: its files, its figures, and its picture."""
    picture = layouts_file([(f"{made.figures['design']}: {made.figures['library']}", made.plan())], made.scale)
    return {**made.files, _FIGURES: _figures(made), f"{made.name}.svg": picture.encode()}


def _figures(made: Layout) -> bytes:
    return json.dumps(made.figures, indent=2, ensure_ascii=False).encode() + b"\n"


def packed(made: Layout) -> bytes:
    """A layout as one file, the same bytes for the same layout."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_LZMA) as archive:
        for name, data in {_FIGURES: _figures(made), **made.files}.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_LZMA)
    return out.getvalue()


def unpacked(data: bytes) -> Layout:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    return Layout(json.loads(files.pop(_FIGURES)), files)


@cache
def kept_layout(design: Design) -> Layout | None:
    """The layout that comes with a design; None if there is none. Only the first design of a folder has one."""
    file = design.folder / KEPT
    if ":" in design.name or not file.is_file():
        return None
    return unpacked(file.read_bytes())


def kept_layouts() -> dict[str, Layout]:
    """All layouts that come with designs, by the names of the designs."""
    from noughts.silicon.designs import DESIGNS  # noqa: PLC0415

    found = {name: kept_layout(design) for name, design in DESIGNS.items()}
    return {name: made for name, made in found.items() if made}
