"""A program of its own, run with KLayout: it draws the GDSII file, checks it, and reads its netlist from the drawing.

    python geometry.py TOP        in a folder with tech.lef, cells.lef, cells/*.gds and TOP.def

`TOP.gds` is the layout, with every cell as SkyWater draws it. `found.json` is what is to be seen in that drawing and
nowhere else:

    errors   widths, spacings and areas below the rules of the technology (those of tech.lef), per rule; once more
             with wires of met3 that are too thin, too near and too small, which must be seen
    cells    the netlist: pieces of conductor that touch, layer by layer through their contacts, are one net; a cell is
             a box whose pins have the names that stand on them
"""

import json
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

LAYERS = {
    "li1": (67, 20),
    "mcon": (67, 44),
    "met1": (68, 20),
    "via": (68, 44),
    "met2": (69, 20),
    "via2": (69, 44),
    "met3": (70, 20),
    "via3": (70, 44),
    "met4": (71, 20),
    "via4": (71, 44),
    "met5": (72, 20),
}
"""From the local interconnect up, conductor and contact in turn: SkyWater's numbers. What is below belongs to cells."""
METALS = tuple(name for name in LAYERS if name == "li1" or name.startswith("met"))
_LABEL, _PIN, _OUTLINE = 5, 16, (235, 4)
WRONG = ((-20, 20, -19.9, 30), (-10, 20, -9.6, 20.4), (-9.5, 20, -9.1, 20.4))
"""Outside of the die, in µm: a wire that is too thin, and two that are too small and too near each other."""


def read(top: str, pya: Any) -> Any:
    """The placed and routed design, with the cells' own drawings in their places."""
    lines = []
    for name, (number, kind) in LAYERS.items():
        if name in METALS:
            lines.append(f"{name} NET,SPNET,VIA {number} {kind}")
            lines.append(f"{name} PIN {number} {_PIN}\n{name} PIN {number} {kind}")
            lines.append(f"NAME {name}/PIN {number} {_LABEL}")
        else:
            lines.append(f"{name} VIA {number} {kind}")
    lines.append(f"DIEAREA ALL {_OUTLINE[0]} {_OUTLINE[1]}")
    Path("layers.map").write_text("\n".join([*lines, ""]))
    options = pya.LoadLayoutOptions()
    config = options.lefdef_config
    config.lef_files = ["tech.lef", "cells.lef"]
    config.read_lef_with_def = False
    config.macro_layout_files = sorted(map(str, Path("cells").glob("*.gds")))
    config.macro_resolution_mode = 2  # always the drawing, never the outline
    config.map_file = "layers.map"
    config.dbu = 0.001
    options.lefdef_config = config
    layout = pya.Layout()
    layout.read(f"{top}.def", options)
    return layout


def rules() -> Iterator[tuple[str, str, float]]:
    """Layer, what is checked, and the least value in µm or µm², as the technology has them."""
    for text in re.findall(r"^LAYER \w+\s.*?^END", Path("tech.lef").read_text(), re.MULTILINE | re.DOTALL):
        name = text.split()[1]
        plain = re.sub(r"#.*", "", text)
        if name in METALS:
            for what, pattern in (
                ("width", r"^\s*WIDTH\s+(\S+)\s*;"),
                ("space", r"^\s*WIDTH 0\s+(\S+)"),
                ("area", r"^\s*AREA\s+(\S+)"),
            ):
                found = re.search(pattern, plain, re.MULTILINE)
                if found:
                    yield name, what, float(found[1])


def errors(layout: Any, top: Any, pya: Any) -> dict[str, int]:
    """How often every rule is broken, over all of the layout with its cells."""
    found = {}
    for name, what, least in rules():
        region = pya.Region(top.begin_shapes_rec(layout.layer(*LAYERS[name]))).merged()
        length = round(least / layout.dbu)
        if what == "width":
            count = region.width_check(length).count()
        elif what == "space":
            count = region.space_check(length).count()
        else:
            count = region.with_area(0, round(least / layout.dbu**2), False).count()
        found[f"{name} {what} {least:g}"] = count
    return found


def netlist(layout: Any, top: Any, pya: Any) -> list[tuple[str, str, dict[str, str]]]:
    """Every cell of the drawing by its name and its kind, with the net at every pin."""
    names = {(instance.cell.name, *_place(instance.dcplx_trans)): instance.property(1) for instance in top.each_inst()}
    tool = pya.LayoutToNetlist(pya.RecursiveShapeIterator(layout, top, []))
    regions = {name: tool.make_layer(layout.layer(*numbers), name) for name, numbers in LAYERS.items()}
    for region in regions.values():
        tool.connect(region)
    for below, above in zip(list(regions.values()), list(regions.values())[1:], strict=False):
        tool.connect(below, above)
    for name in METALS:
        number = LAYERS[name][0]
        tool.connect(regions[name], tool.make_text_layer(layout.layer(number, _LABEL), f"{name} names"))
    tool.extract_netlist()
    made = []
    circuit = tool.netlist().circuit_by_name(top.name)
    for part in circuit.each_subcircuit():
        kind = part.circuit_ref()
        known = names.get((kind.name, *_place(part.trans)))
        if known is None:
            continue
        pins: dict[str, str] = {}
        for pin in kind.each_pin():
            net = part.net_for_pin(pin.id())
            inside = kind.net_for_pin(pin.id())
            if net is not None and inside is not None and inside.name:
                pins |= dict.fromkeys(inside.name.split(","), net.expanded_name())
        made.append((known, kind.name, pins))
    return made


def _place(at: Any) -> tuple[float, float, int, bool]:
    """Where a cell is and how it is turned, which is no other's: cells of two rows may share the point they turn by."""
    return round(at.disp.x, 3), round(at.disp.y, 3), round(at.angle), at.is_mirror()


def main() -> None:
    """Do all of it."""
    pya = import_module("klayout.db")
    top_name = sys.argv[1]
    layout = read(top_name, pya)
    top = layout.cell(top_name)
    options = pya.SaveLayoutOptions()
    options.format = "GDS2"
    options.gds2_write_timestamps = False
    options.write_context_info = False
    layout.write(f"{top_name}.gds", options)
    found = {"errors": errors(layout, top, pya), "cells": netlist(layout, top, pya)}
    for wrong in WRONG:
        top.shapes(layout.layer(*LAYERS["met3"])).insert(pya.DBox(*wrong))
    found["trial"] = errors(layout, top, pya)
    Path("found.json").write_text(json.dumps(found))


if __name__ == "__main__":
    main()
