"""A tile in SkyWater's cells: a design behind the pads of Tiny Tapeout, placed and routed by OpenROAD.

    wheels         OpenROAD, KLayout and the cells, fetched into the user's cache folder when they are asked for
    library        which cells there are, and what their package says of them
    characterise   their timing, measured with ngspice, since the package has none
    route          the program that places and routes, with OpenROAD
    geometry       the program that draws the GDSII file, checks it and reads its netlist, with KLayout

`tile_layout` does all of it, some minutes for a design of some hundred cells. What it takes to be *clean*: the router
leaves no violation and no antenna; KLayout, which knows nothing of the router, finds no width, spacing or area below
the rules in the drawing, cells included; the netlist that it reads from the drawing is the one that OpenROAD wrote,
cell by cell and pin by pin; and Yosys proves that this one computes what the synthesised one does, register by
register. `kept_tile` finds the tiles that come with designs, made by

    python -m noughts.silicon.flow.sky130 [DESIGN…]
"""

import json
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from noughts.silicon.circuit import Circuit
from noughts.silicon.design import Design
from noughts.silicon.flow.layout import Layout, extent, unpacked
from noughts.silicon.flow.layout.cells import Cell, Cells, cells_of
from noughts.silicon.flow.layout.plan import read_plan, sizes
from noughts.silicon.flow.sky130.library import FILL, FLIP_FLOPS, GATES, LIBERTY, OTHERS, file_of, kind_of, technology
from noughts.silicon.flow.sky130.wheels import WHEELS, need_wheels, run_program
from noughts.silicon.flow.synthesis import mapped_to_library, yosys
from noughts.silicon.flow.tapeout import DENSITY, TILES
from noughts.silicon.flow.tapeout.tile import on_tile
from noughts.silicon.tools import ToolError

__all__ = ["KEPT", "extracted", "kept_tile", "kept_tiles", "tile_layout"]

KEPT = "tile.zip"
"""The file in a design's folder."""
PERIODS_NS = (20, 100)
"""The clock periods at which slack is told: 50 and 10 MHz."""
_SIZE = "1x1"
_BUFFER = (kind_of("buf_2"), "A", "X")
_TIE = kind_of("conb_1")
_OUTPUTS = {"Y", "X", "Q", "HI", "LO"}
_SUPPLY = ("VPWR", "VGND", "VPB", "VNB")
_PITCH_UM, _FIRST_UM = 2.76, 146.74
_MARGIN_UM = 2.76, 2.72
_ROOMY = 0.35
"""Below this part of a tile, there is room for more free sites."""
_PADS = ("ena", "clk", "rst_n", "ui_in", "uio_in", "uo_out", "uio_out", "uio_oe")
"""The pads along the upper edge of a tile, from the right: the places that Tiny Tapeout's template has for them."""

Say = Callable[[str], None]


def tile_layout(design: Design, say: Say = lambda _words: None) -> Layout:
    """Lay a design out on one tile.

    Args:
        design: A chip that plays.
        say: What is being done is said here.

    Raises:
        MissingToolError: A package is not here; which, and how it comes here.
        ToolError: A program failed, or one tile is too small.
    """
    circuit = on_tile(design)
    purpose = f"the tile of {design.name}"
    need_wheels(purpose)
    say(f"synthesising {design.name} on a tile")
    asked = _synthesised(circuit)
    with tempfile.TemporaryDirectory(prefix="noughts-") as name:
        folder = Path(name)
        _prepare(circuit, asked, folder)
        say(f"placing and routing {len(asked.cells):,} cells: some minutes")
        log = run_program(Path(__file__).with_name("route.py"), "openroad", [asked.top], folder, purpose)
        say("drawing, checking")
        run_program(Path(__file__).with_name("geometry.py"), "klayout", [asked.top], folder, purpose)
        found = json.loads((folder / "found.json").read_text())
        unseen = _unseen(found["errors"], found["trial"])
        if unseen:
            raise ToolError(f"{purpose}: KLayout does not see wires that break the rules of {unseen}; expected it to")
        definition = (folder / f"{asked.top}.def").read_text()
        gds = (folder / f"{asked.top}.gds").read_bytes()
        outlines = sizes(folder / "cells.lef")
    say("comparing netlists")
    drawn = _drawn(found["cells"], asked)
    lvs = _compared(drawn, definition) or _unsupplied(found["cells"])
    _prove_equal(asked, drawn, purpose)
    return _told(design, asked, drawn, found["errors"], lvs, log, definition, gds, outlines)


def _unseen(errors: dict[str, int], trial: dict[str, int]) -> str:
    """The kinds of rules that KLayout does not count one more error of when there are wires that break all of them."""
    seen = {rule.split()[1] for rule, count in trial.items() if count > errors[rule]}
    return ", ".join(sorted({"area", "space", "width"} - seen))


def _synthesised(circuit: Circuit) -> Cells:
    ties = f"hilomap -singleton -hicell {_TIE} HI -locell {_TIE} LO"
    module = mapped_to_library(circuit, LIBERTY, _BUFFER[0], "setundef -zero", ties)
    return cells_of(module, circuit.identifier, _BUFFER)


def _port(net: str, circuit: Circuit) -> str:
    """What Verilog and the layout call the net of a pin: `ui_in_3` is `ui_in[3]`, and `clk_0` is `clk`."""
    name, _, bit = net.rpartition("_")
    return f"{name}[{bit}]" if circuit.pins()[name].width > 1 else name


def _prepare(circuit: Circuit, asked: Cells, folder: Path) -> None:
    """Write what OpenROAD and KLayout read."""
    (folder / "tech.lef").write_bytes(technology())
    cells = (*GATES, *FLIP_FLOPS, *OTHERS)
    macros = ["MACRO " + file_of(cell, ".lef").decode().split("MACRO ", 1)[1] for cell in cells]
    macros = [macro.replace("END LIBRARY", "").replace("SOURCE USER ;", "") for macro in macros]
    head = 'VERSION 5.7 ;\nBUSBITCHARS "[]" ;\nDIVIDERCHAR "/" ;\n'
    (folder / "cells.lef").write_text("\n".join([head, *macros, "END LIBRARY", ""]))
    (folder / "cells").mkdir()
    for cell in cells:
        (folder / "cells" / f"{cell}.gds").write_bytes(file_of(cell, ".gds"))
    (folder / "cells.lib").write_text(LIBERTY.read_text())
    ports = {net: _port(net, circuit) for net in (*asked.inputs, *asked.outputs)}
    (folder / f"{asked.top}.v").write_text(_verilog(circuit, asked, ports))
    width, height = TILES[_SIZE]
    areas = sizes(folder / "cells.lef")
    filled = sum(areas[cell.kind][0] * areas[cell.kind][1] for cell in asked.cells) / (width * height)
    if filled > DENSITY:
        raise ToolError(
            f"{circuit.name} fills {filled:.0%} of one tile with cells: expected at most {DENSITY:.0%}, to be routed"
        )
    job = {
        "top": asked.top,
        "threads": 2,
        "clock": circuit.clock,
        "period_ns": PERIODS_NS[0],
        "slow_ns": PERIODS_NS[1],
        "die": [0, 0, width, height],
        "core": [_MARGIN_UM[0], _MARGIN_UM[1], width - _MARGIN_UM[0], height - _MARGIN_UM[1]],
        "pins": dict(_places(circuit, height)),
        # Cells are spread further than they have to be, with sites left free beside them: that makes routing easier.
        "density": round(min(DENSITY + 0.1, filled + 0.15), 2),
        "padding": 2 if filled < _ROOMY else 1,
        "tap": kind_of("tapvpwrvgnd_1"),
        "endcap": kind_of("decap_3"),
        "clock_buffer": kind_of("clkbuf_4"),
        "fill": " ".join(map(kind_of, FILL)),
    }
    (folder / "job.json").write_text(json.dumps(job))


def _places(circuit: Circuit, height: float) -> Iterator[tuple[str, tuple[float, float]]]:
    """Where the pads are, in µm: half a µm below the upper edge."""
    pins = circuit.pins()
    names = [_port(f"{pad}_{bit}", circuit) for pad in _PADS for bit in range(pins[pad].width)]
    for number, name in enumerate(names):
        yield name, (round(_FIRST_UM - number * _PITCH_UM, 2), height - 0.5)


def _verilog(circuit: Circuit, asked: Cells, ports: dict[str, str]) -> str:
    lines = [f"module {asked.top} ({', '.join(circuit.pins())});"]
    for name, pin in circuit.pins().items():
        width = f"[{pin.width - 1}:0] " if pin.width > 1 else ""
        lines.append(f"  {'input' if pin.is_input else 'output'} {width}{name};")
    for cell in asked.cells:
        pins = ", ".join(f".{pin}({ports.get(net, net)})" for pin, net in cell.pins.items())
        lines.append(f"  {cell.kind} {cell.name} ({pins});")
    return "\n".join([*lines, "endmodule", ""])


def _drawn(cells: list[tuple[str, str, dict[str, str]]], asked: Cells) -> Cells:
    """The netlist of the drawing, with the names of the one that was asked for where a cell is in both.

    Cells that only fill or tap are left out, and so are pins at a piece of conductor that nothing else is at: outputs
    that nobody reads. (An input that is cut off is missed when the netlists are compared.)
    """
    names = {net.rpartition("_")[0] if net.endswith("_0") else net: net for net in (*asked.inputs, *asked.outputs)}
    names |= {re.sub(r"_(\d+)$", r"[\1]", net): net for net in (*asked.inputs, *asked.outputs)}
    known = {cell.name: cell for cell in asked.cells}
    for name, _, pins in cells:
        for pin, net in known[name].pins.items() if name in known else ():
            if pin in _OUTPUTS and pin in pins:
                names.setdefault(pins[pin], net)
    left_out = {*map(kind_of, OTHERS)} - {_TIE}
    uses = Counter(net for _, _, pins in cells for net in pins.values())
    ports = {*asked.inputs, *asked.outputs}
    made = []
    for name, kind, pins in sorted(cells, key=lambda cell: cell[0]):
        if kind not in left_out:
            nets = {pin: names.get(net, f"drawn_{net.strip('$')}") for pin, net in pins.items() if pin not in _SUPPLY}
            joined = {pin: net for pin, net in nets.items() if uses[pins[pin]] > 1 or net in ports}
            made.append(Cell(name, kind, joined))
    return asked._replace(cells=tuple(made))


def _compared(drawn: Cells, definition: str) -> str:
    """Whether the drawing's netlist is that of the DEF file, nets one by one: what differs, in lines; else nothing."""
    wanted: dict[tuple[str, str], str] = {}
    section = definition.partition("\nNETS ")[2].partition("\nEND NETS")[0]
    for text in section.split("\n    - ")[1:]:
        net = text.split()[0].replace("\\", "")
        for cell, pin in re.findall(r"\( (\S+) (\S+) \)", text.partition("+")[0]):
            wanted[cell.replace("\\", ""), pin] = net
    kinds = {cell.name for cell in drawn.cells}
    wanted = {(cell, pin): net for (cell, pin), net in wanted.items() if cell in kinds}
    found = {(cell.name, pin): net for cell in drawn.cells for pin, net in cell.pins.items()}
    lines = [f"{cell}/{pin} is drawn and not in the netlist" for cell, pin in sorted(found.keys() - wanted.keys())]
    lines += [f"{cell}/{pin} is in the netlist and not drawn" for cell, pin in sorted(wanted.keys() - found.keys())]
    pairs = {(found[at], wanted[at]) for at in found.keys() & wanted.keys()}
    for side, words in ((0, "drawn as one net is"), (1, "one net is drawn as")):
        joined: dict[str, set[str]] = {}
        for pair in pairs:
            joined.setdefault(pair[side], set()).add(pair[1 - side])
        lines += [f"{words} {net}: {', '.join(sorted(others))}" for net, others in joined.items() if len(others) > 1]
    return "\n".join(lines)


def _unsupplied(cells: list[tuple[str, str, dict[str, str]]]) -> str:
    """Cells that are not drawn at both supplies, a line each."""
    return "\n".join(
        f"{name} is not at the supply" for name, _, pins in cells if any(pins.get(pin) != pin for pin in _SUPPLY[:2])
    )


def _untied(netlist: Cells) -> Cells:
    """The same, with levels as nets of their own and no cells that make them."""
    ties = [cell.pins for cell in netlist.cells if cell.kind == _TIE]
    level = {pins[pin]: net for pins in ties for pin, net in (("HI", "vdd"), ("LO", "gnd")) if pin in pins}
    cells = (
        cell._replace(pins={pin: level.get(net, net) for pin, net in cell.pins.items()})
        for cell in netlist.cells
        if cell.kind != _TIE
    )
    return netlist._replace(cells=tuple(cells))


def _prove_equal(asked: Cells, drawn: Cells, purpose: str) -> None:
    """Prove with Yosys that two netlists with the same registers compute the same.

    Raises:
        ToolError: If they do not.
    """
    with tempfile.TemporaryDirectory(prefix="noughts-") as name:
        folder = Path(name)
        for side, netlist in (("asked", asked), ("drawn", drawn)):
            text = _untied(netlist)._replace(top=side).verilog()
            (folder / f"{side}.v").write_text(text)
        yosys(
            f"{purpose}: the drawn netlist against the synthesised one",
            f"read_liberty -ignore_miss_func {LIBERTY}",
            *(f"read_verilog {folder}/{side}.v" for side in ("asked", "drawn")),
            "hierarchy",
            "proc",
            "flatten",
            "async2sync",
            "opt_clean",
            "equiv_make asked drawn both",
            "hierarchy -top both",
            "opt_clean",
            "equiv_simple",
            "equiv_induct",
            "equiv_status -assert",
        )


def _told(
    design: Design,
    asked: Cells,
    drawn: Cells,
    errors: dict[str, int],
    lvs: str,
    log: str,
    definition: str,
    gds: bytes,
    outlines: dict[str, tuple[float, float]],
) -> Layout:
    plan = read_plan(definition, outlines)
    slack = [float(value) for value in re.findall(r"^worst slack max (\S+)", log, re.MULTILINE)]
    hold = re.search(r"^worst slack min (\S+)", log, re.MULTILINE)
    skew = re.search(r"^\s*(-?[\d.]+) setup skew", log, re.MULTILINE)
    violations, antennas = (
        int(re.search(rf"^{word} (\d+)", log, re.MULTILINE)[1])  # type: ignore[index]
        for word in ("violations", "antennas")
    )
    figures: dict[str, Any] = {
        "design": design.name,
        "top": asked.top,
        "library": "sky130_fd_sc_hd",
        "tile": _SIZE,
        "synthesised_cells": len(asked.cells),
        **extent(drawn, plan, outlines),
        "drc_errors": violations + antennas + sum(errors.values()),
        "lvs_matches": not lvs,
        "proved_equal": True,
        "fmax_mhz": round(1000 / (PERIODS_NS[0] - slack[0]), 1),
        "setup_slack_ns": {f"{1000 // period} MHz": value for period, value in zip(PERIODS_NS, slack, strict=True)},
        "hold_slack_ns": float(hold[1]) if hold else None,
        "clock_skew_ns": float(skew[1]) if skew else None,
        "skipped": [],
        "tools": {wheel.name: wheel.version for wheel in WHEELS},
    }
    report = [f"router: violations {violations}", f"router: antennas {antennas}"]
    report += [f"KLayout: {rule}: {count}" for rule, count in errors.items()]
    files = {
        f"{asked.top}.gds": gds,
        f"{asked.top}.def": definition.encode(),
        f"{asked.top}.v": asked.verilog().encode(),
        f"{asked.top}.netlist.json": asked.kept(),
        f"{asked.top}.extracted.json": drawn.kept(),
        "drc.txt": "\n".join([*report, ""]).encode(),
        "lvs.txt": f"{lvs or 'The netlist that is drawn is that of the DEF file.'}\n".encode(),
    }
    return Layout(figures, files)


def extracted(made: Layout) -> Cells:
    """The netlist of the drawing as `Simulation` takes it.

    Levels are nets of their own, and cells whose output nobody reads (loads that even out the clock's tree) left out.

    Args:
        made: A tile.
    """
    kept = json.loads(made.files[f"{made.name}.extracted.json"])
    cells = tuple(Cell(*cell) for cell in kept["cells"] if not _OUTPUTS.isdisjoint(cell[2]))
    return _untied(Cells(made.name, tuple(kept["inputs"]), tuple(kept["outputs"]), cells, kept["registers"]))


@cache
def kept_tile(design: Design) -> Layout | None:
    """The tile that comes with a design; None if there is none.

    Args:
        design: One of the catalogue.
    """
    file = design.folder / KEPT
    if ":" in design.name or not file.is_file():
        return None
    return unpacked(file.read_bytes())


def kept_tiles() -> dict[str, Layout]:
    """All tiles that come with designs, by the names of the designs."""
    from noughts.silicon.designs import DESIGNS  # noqa: PLC0415

    found = {name: kept_tile(design) for name, design in DESIGNS.items()}
    return {name: made for name, made in found.items() if made}
