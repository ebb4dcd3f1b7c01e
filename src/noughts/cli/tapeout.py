"""The command `noughts silicon tapeout`: a chip as a folder that can be sent to Tiny Tapeout."""

from pathlib import Path
from typing import Annotated

import typer

from noughts.cli.arguments import DesignName, Json, find_design, output_place
from noughts.cli.output import check_new, emit, progress_line, write_folder

__all__ = ["tapeout"]


def tapeout(
    design: DesignName,
    out: Annotated[
        Path | None,
        typer.Option(parser=output_place, metavar="DIR", help="The new folder; else named after the design."),
    ] = None,
    json: Json = False,
) -> None:
    """Write a folder for Tiny Tapeout: a chip behind the pads of a tile, its data sheet, and a test that plays at them.

    One plays with the switches and the display of the demo board; the folder's docs/info.md says how. Its test runs
    with cocotb and Icarus Verilog. The area is an estimate before layout.

    For example: noughts silicon tapeout noughts2026, noughts silicon tapeout chip1990 --out chip1990-tile
    """
    chip = find_design(design)
    from noughts.silicon.flow.tapeout import DENSITY, submission  # noqa: PLC0415
    from noughts.silicon.flow.tapeout.tile import on_tile  # noqa: PLC0415

    on_tile(chip)
    folder = out or Path(f"{chip.identifier}-tile")
    check_new(folder)
    with progress_line() as say:
        say(f"synthesising {chip.name} on a tile")
        made = submission(chip)
    write_folder(folder, made.files)
    size = made.size
    if json:
        answer = {"design": chip.name, "folder": str(folder), "files": list(made.files), "top": made.top}
        answer |= {"pads": made.pads, "tiles": size.tiles, "area_um2": round(size.area_um2, 1)}
        emit({**answer, "tile_filled": round(size.filled, 3), "cells": size.cells, "flip_flops": size.flip_flops})
        return
    print(f"{folder}: {', '.join(made.files)}")
    fits = f"size {size.tiles}" if size.tiles else "no size is large enough"
    print(
        f"{made.top}: {size.cells:,} cells, {size.flip_flops} flip-flops, about {size.area_um2:,.0f} µm² before layout"
    )
    print(f"{size.filled:.0%} of one tile, of which {DENSITY:.0%} may be cells: {fits}")
