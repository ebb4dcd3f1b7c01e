"""The commands `noughts silicon tapeout` and `board`: a chip to be sent to Tiny Tapeout, a logic to be soldered."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from noughts.cli.arguments import DesignName, Json, find_design, output_place, whole_number
from noughts.cli.output import check_new, counted, emit, note, progress_line, write_folder
from noughts.cli.silicon_layout import Fetch, Library, check_options, tile
from noughts.cli.silicon_logic import is_netlist, open_netlist
from noughts.extras import MissingToolError
from noughts.games import NoughtsError
from noughts.silicon.tools import ToolError

__all__ = ["board", "tapeout"]

PLACEMENTS = 5
"""How often cells are placed before a tile is given up."""


def tapeout(
    design: DesignName,
    out: Annotated[
        Path | None,
        typer.Option(parser=output_place, metavar="DIR", help="The new folder; else named after the design."),
    ] = None,
    with_layout: Annotated[bool, typer.Option("--layout/--no-layout", help="Also place and route it.")] = True,
    seed: Annotated[
        int | None,
        typer.Option(
            parser=whole_number(1, 1_000_000), metavar="N", help="Seed of the placement; else the first that routes."
        ),
    ] = None,
    cells: Library = "osu035",
    fetch: Fetch = False,
    json: Json = False,
) -> None:
    """Write a folder for Tiny Tapeout: a chip behind the pads of a tile, its data sheet, and a test that plays at them.

    One plays with the switches and the display of the demo board; the folder's docs/info.md says how. Its test runs
    with cocotb and Icarus Verilog. The area is an estimate before layout.
    Tiny Tapeout makes its own layout; the one here is in the free cells of osu035, where their tools are installed, or
    with --cells sky130 in the cells and the die that Tiny Tapeout has, too.

    For example: noughts silicon tapeout chip1990, noughts silicon tapeout chip1990 --out chip1990-tile --no-layout,
    noughts silicon tapeout noughts2026 --seed 2,
    noughts silicon tapeout noughts2026 --cells sky130 --fetch
    """
    check_options(cells, seed, fetch)
    chip = find_design(design)
    from noughts.silicon.flow.tapeout import DENSITY, submission  # noqa: PLC0415
    from noughts.silicon.flow.tapeout.tile import on_tile  # noqa: PLC0415

    on_tile(chip)
    folder = out or Path(f"{chip.identifier}-tile")
    check_new(folder)
    with progress_line() as say:
        say(f"synthesising {chip.name} on a tile")
        made = submission(chip)
        layout, figures, missing = _laid_out(chip, seed, cells, fetch, say) if with_layout else ({}, None, "")
    files = {**made.files, **layout}
    write_folder(folder, files)
    if missing:
        note(f"skipped: {missing}")
    size = made.size
    if json:
        answer = {"design": chip.name, "folder": str(folder), "files": list(files), "top": made.top}
        answer |= {"pads": made.pads, "tiles": size.tiles, "area_um2": round(size.area_um2, 1)}
        emit(
            {
                **answer,
                "tile_filled": round(size.filled, 3),
                "cells": size.cells,
                "flip_flops": size.flip_flops,
                "layout": figures,
            }
        )
        return
    print(f"{folder}: {', '.join(files)}")
    fits = f"size {size.tiles}" if size.tiles else "no size is large enough"
    print(
        f"{made.top}: {size.cells:,} cells, {size.flip_flops} flip-flops, about {size.area_um2:,.0f} µm² before layout"
    )
    print(f"{size.filled:.0%} of one tile, of which {DENSITY:.0%} may be cells: {fits}")
    if figures:
        errors = figures["drc_errors"]
        print(
            f"layout: {figures['cells']:,} cells of {figures['library']}, {figures['width_um']:g} × "
            f"{figures['height_um']:g} µm; design rules: {errors or 'no'} error{'' if errors == 1 else 's'}; "
            f"the layout is {'' if figures['lvs_matches'] else 'NOT '}the netlist"
        )
        if "seed" in figures:
            print(f"placed with seed {figures['seed']}{_tried(figures['seed'], seed)}")


def _tried(routed: int, asked: int | None) -> str:
    """What is said of the seeds before the one that routed."""
    if asked is not None or routed == 1:
        return ""
    before = "seed 1 leaves" if routed == 2 else f"seeds 1 to {routed - 1} leave"
    return f": {before} nets open"


def _laid_out(
    chip: Any, seed: int | None, cells: str, fetch: bool, say: Callable[[str], None]
) -> tuple[dict[str, bytes], dict[str, Any] | None, str]:
    """The files of a layout, its figures, and what is missing if there is none.

    Where the router leaves nets open, the cells are placed anew, a few times; but not if a seed was asked for. In
    cells of sky130, the tile that comes with the design is taken where there are no tools.
    """
    from noughts.silicon.flow.layout import files_of, layout  # noqa: PLC0415
    from noughts.silicon.flow.layout.steps import UnroutedError  # noqa: PLC0415
    from noughts.silicon.flow.tapeout.tile import on_tile  # noqa: PLC0415

    missing = ""
    if cells == "sky130":
        from noughts.silicon.flow.sky130 import kept_tile  # noqa: PLC0415

        try:
            made = tile(chip, fetch, say)
        except MissingToolError as error:
            kept = kept_tile(chip)
            if kept is None:
                return {}, None, str(error)
            made, missing = kept, f"{error}; so this is the tile that comes with {chip.name}"
        except ToolError as error:
            return {}, None, str(error)
        return {f"layout/{name}": data for name, data in files_of(made).items()}, made.figures, missing
    for number in range(1, PLACEMENTS + 1) if seed is None else [seed]:
        try:
            say(f"placing {chip.name} with seed {number}")
            made = layout(on_tile(chip), number, say=say)
        except UnroutedError as error:
            missing = str(error)
        except (MissingToolError, ToolError) as error:
            return {}, None, str(error)
        else:
            return {f"layout/{name}": data for name, data in files_of(made).items()}, made.figures, ""
    return {}, None, missing


def board(
    logic: Annotated[
        str,
        typer.Argument(metavar="LOGIC", help="A netlist: a file, - for standard input, or logic-A, one of ours."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(parser=output_place, metavar="DIR", help="The new folder; else named after the logic."),
    ] = None,
    json: Json = False,
) -> None:
    """Write a folder for a board that one can build: packages of 74HC, every joint of them, and equations for GALs.

    The board has a switch for every stone and a lamp for every move; it has no clock. What is written is read again,
    and must say what the netlist says in every position. logic-A is what noughts2026 plays by.

    For example: noughts silicon board logic-C, noughts silicon board my.blif --out my-board
    """
    if not is_netlist(logic):
        raise NoughtsError(f"{logic[:60]!r} is not a netlist: expected a file, - or a record, as logic-C")
    netlist, _ = open_netlist(logic)
    from noughts.silicon.flow.board import folder as make_folder  # noqa: PLC0415
    from noughts.silicon.logic.specification import SPECIFICATIONS  # noqa: PLC0415

    known = {f"logic-{name}".casefold(): asked.about for name, asked in SPECIFICATIONS.items()}
    place = out or Path(f"{'netlist' if logic == '-' else Path(logic).stem}-board")
    check_new(place)
    with progress_line() as say:
        say(f"putting {logic} on packages")
        made = make_folder(netlist, logic, known.get(logic.casefold(), "a logic of one's own"))
    write_folder(place, made.files)
    if made.chips is None:
        note(f"skipped: equations for GALs, since {made.why_not}")
    packages, gates = len(made.board.packages), len(made.board.uses)
    if json:
        answer = {"logic": logic, "folder": str(place), "files": list(made.files), "gates": len(netlist.gates)}
        kinds = {kind: made.board.packages.count(kind) for kind in sorted(set(made.board.packages))}
        answer |= {"packages": packages, "kinds": kinds, "gates_in_use": gates, "inverters": made.board.inverters}
        emit({**answer, "gals": made.chips})
        return
    print(f"{place}: {', '.join(made.files)}")
    inverters = made.board.inverters
    print(f"{counted(packages, 'package')} of 74HC: {counted(gates, 'gate')}, of which {inverters} only invert")
    if made.chips:
        print(f"or {counted(made.chips, 'GAL22V10', 'GAL22V10')}")
