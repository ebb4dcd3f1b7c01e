"""A folder that can be sent to Tiny Tapeout: a design on a tile, with its data sheet and its test.

What Tiny Tapeout wants of a project is few files with fixed names: `info.yaml` (version 6: title, author, size in
tiles, name of the top module, source files, a name for each of the 24 pads), the sources in `src`, the data sheet in
`docs/info.md`, and a test with cocotb in `test`. All of them are made here, and the same again on every run. The test
is a program of its own that knows nothing of Noughts: it plays at the pads.

**How large is it?** A tile of Tiny Tapeout in SkyWater's 130 nm is 161 × 111.52 µm, and projects may have several
(`TILES`). The area here is an estimate before layout (`flow.sky130` makes one): flip-flops and gates of two inputs as
Yosys finds them, each with the area that the library sky130_fd_sc_hd has for such a cell, and a tile
filled to no more than `DENSITY`, as Tiny Tapeout's own configuration has it. Cells of more inputs, which a synthesis
for that library uses, make it smaller; clock buffers make it larger.
"""

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import NamedTuple

from noughts.games import game
from noughts.silicon.design import Design
from noughts.silicon.flow.synthesis import for_gates, top_module
from noughts.silicon.flow.tapeout.tile import GLYPHS, PADS, PHASE, PRESS, Lamps, lamps, on_tile, top_name
from noughts.silicon.verilog import verilog

__all__ = ["CLOCK_HZ", "DENSITY", "TILES", "Estimate", "Submission", "estimate", "submission"]

CLOCK_HZ = 1_000_000
"""Fast enough for every design here to answer before one looks up, slow enough for everything."""
DENSITY = 0.6
"""How much of a tile may be cells, by Tiny Tapeout's configuration; the rest is for wires."""

TILES = {
    "1x1": (161.00, 111.52),
    "1x2": (161.00, 225.76),
    "2x2": (334.88, 225.76),
    "3x2": (508.76, 225.76),
    "4x2": (682.64, 225.76),
    "6x2": (1030.40, 225.76),
    "8x2": (1378.16, 225.76),
}
"""The sizes that a project may have, in tiles and in µm."""

_SITE = 0.46 * 2.72
_SITES = {
    "$_NOT_": 3,
    "$_NAND_": 3,
    "$_NOR_": 3,
    "$_AND_": 5,
    "$_OR_": 5,
    "$_ANDNOT_": 5,
    "$_ORNOT_": 5,
    "$_XOR_": 7,
    "$_XNOR_": 7,
    "$_DFF_P_": 16,
    "$_DFF_PP0_": 20,
    "$_DFF_PP1_": 21,
}
"""How many sites of 0.46 × 2.72 µm the smallest such cell of sky130_fd_sc_hd takes: inv, nand2, nor2, and2, or2, nor2b,
nand2b, xor2, xnor2, dfxtp, dfrtp, dfstp."""
_CYCLES = 120_000
"""Cycles for which the test plays unless it is told otherwise: some seconds in Icarus."""
_PATIENCE = 3_000_000
"""Cycles after which any answer must have come."""
_AUTHOR = "Noughts"


class Estimate(NamedTuple):
    """How large a design is on a tile, before layout."""

    cells: int
    flip_flops: int
    area_um2: float
    tiles: str | None
    """The smallest size that it fits in; None if it fits in none."""

    @property
    def filled(self) -> float:
        """How much of one tile its cells would cover: above 1, it needs more than one."""
        width, height = TILES["1x1"]
        return self.area_um2 / (width * height)


def estimate(design: Design) -> Estimate:
    """How large a design is behind the pads of a tile.

    Args:
        design: A chip of the catalogue that plays.
    """
    circuit = on_tile(design)
    kinds = [cell["type"] for cell in top_module(for_gates(circuit), circuit.identifier)["cells"].values()]
    area = sum(map(_SITES.__getitem__, kinds)) * _SITE
    fits = (name for name, (width, height) in TILES.items() if area <= DENSITY * width * height)
    return Estimate(len(kinds), sum("DFF" in kind for kind in kinds), area, next(fits, None))


class Submission(NamedTuple):
    """A folder for Tiny Tapeout."""

    top: str
    """The module on the pads."""
    size: Estimate
    pads: dict[str, str]
    """What every pad is, by the name that info.yaml has for it."""
    files: dict[str, str | bytes]


def submission(design: Design) -> Submission:
    """All files of the folder but those of a layout.

    Args:
        design: A chip of the catalogue that plays.

    Raises:
        DoesNotPlayError: If it makes no moves.
        DoesNotFitError: If the pads are too few for it.
    """
    circuit = on_tile(design)
    size, top, pads = estimate(design), top_name(design), _pads(design)
    made: dict[str, str | bytes] = {
        "info.yaml": _info(design, size, top, pads),
        "README.md": _readme(design, size),
        "docs/info.md": _sheet(design, pads),
        "src/project.sv": verilog(circuit),
        "src/config.json": json.dumps(_CONFIGURATION, indent=2) + "\n",
        "test/tile.json": _facts(design),
    }
    for name in ("test.py", "tb.v", "Makefile", "requirements.txt"):
        text = files(__name__).joinpath("files", name).read_text()
        made[f"test/{name}"] = text.replace("tt_um_noughts ", f"{top} ")
    return Submission(top, size, pads, made)


def _pads(design: Design) -> dict[str, str]:
    """What every pad is."""
    board: Lamps = lamps(design)
    inputs = [f"place, bit {bit}" for bit in range(4)] + ["press", "new game", "machine begins", "look"]
    outputs = [f"segment {letter}" for letter in "abcdefg"] + ["dot: your move"]
    either = [f"lamps, row {number + 1}" for number in range(len(board.rows))]
    either += [f"lamps, column {number + 1}" for number in range(board.columns)]
    either += ["game over", "machine has won"][: PADS - len(either)]
    either += [""] * (PADS - len(either))
    sides = {"ui": inputs, "uo": outputs, "uio": either}
    return {f"{side}[{number}]": words for side, those in sides.items() for number, words in enumerate(those)}


def _quoted(text: str) -> str:
    """A string of YAML, which takes those of JSON."""
    return json.dumps(text, ensure_ascii=False)


def _info(design: Design, size: Estimate, top: str, pads: dict[str, str]) -> str:
    about = f"Plays {game(design.game).name} against you: {design.about}"
    lines = [
        "# What Tiny Tapeout asks of a project.",
        "project:",
        f"  title: {_quoted(design.story.title)}",
        f"  author: {_quoted(_AUTHOR)}",
        '  discord: ""',
        f"  description: {_quoted(about)}",
        '  language: "Amaranth"',
        f"  clock_hz: {CLOCK_HZ}",
        f"  tiles: {_quoted(size.tiles or max(TILES, key=lambda name: TILES[name]))}",
        f"  top_module: {_quoted(top)}",
        "  source_files:",
        '    - "project.sv"',
        "",
        "pinout:",
        *(f"  {pad}: {_quoted(words)}" for pad, words in pads.items()),
        "",
        "yaml_version: 6",
        "",
    ]
    return "\n".join(lines)


_CONFIGURATION = {
    "PL_TARGET_DENSITY_PCT": round(100 * DENSITY),
    "CLOCK_PERIOD": 1e9 / CLOCK_HZ / 10,
    "PL_RESIZER_HOLD_SLACK_MARGIN": 0.1,
    "GRT_RESIZER_HOLD_SLACK_MARGIN": 0.05,
    "RUN_LINTER": 1,
    "LINTER_INCLUDE_PDK_MODELS": 1,
    "CLOCK_PORT": "clk",
    "RUN_KLAYOUT_XOR": 0,
    "RUN_KLAYOUT_DRC": 0,
    "DESIGN_REPAIR_BUFFER_OUTPUT_PORTS": 0,
    "TOP_MARGIN_MULT": 1,
    "BOTTOM_MARGIN_MULT": 1,
    "LEFT_MARGIN_MULT": 6,
    "RIGHT_MARGIN_MULT": 6,
    "FP_SIZING": "absolute",
    "GRT_ALLOW_CONGESTION": 1,
    "FP_IO_HLENGTH": 2,
    "FP_IO_VLENGTH": 2,
    "FP_PDN_VPITCH": 38.87,
    "RUN_CTS": 1,
    "FP_PDN_MULTILAYER": 0,
    "MAGIC_DEF_LABELS": 0,
    "MAGIC_WRITE_LEF_PINONLY": 1,
}
"""The settings that Tiny Tapeout's flow expects in every project: its own, but for the clock period."""


def _facts(design: Design) -> str:
    """What the test has to know: the board and the rules of it, the lamps, what the display can show."""
    layout = game(design.game).layout
    rows = [[None if place is None else place + 1 for place in row] for row in lamps(design).rows]
    facts = {
        "places": len(layout.points),
        "lines": [[place + 1 for place in line] for line in layout.lines],
        "lamps": rows,
        "glyphs": GLYPHS,
        "press": PRESS,
        "phase": PHASE,
        "cycles": _CYCLES,
        "patience": _PATIENCE,
    }
    return json.dumps(facts, indent=1) + "\n"


def _numbered(design: Design) -> Iterator[str]:
    """The board with the numbers of its places."""
    for row in lamps(design).rows:
        yield "    " + " ".join(f"{place + 1:>2}" if place is not None else "  " for place in row)


def _sheet(design: Design, pads: dict[str, str]) -> str:
    """The data sheet, with the three headings that Tiny Tapeout's has."""
    board = lamps(design)
    rows, columns = len(board.rows), board.columns
    return "\n".join(
        [
            "## How it works",
            "",
            f"{design.story.title}: {design.about}. {design.story.words}",
            "",
            "Every switch goes through two flip-flops, since it may change in the middle of a clock; a press counts "
            "when it rises. A switch that bounces presses on a place that has a stone by then, and that is ignored.",
            "",
            "The lamps are two diodes each, one either way round, between a row and a column. One row and one colour "
            "is lit at a time: the machine's stones with the row high and the column low, yours the other way round. "
            "Pads that are not in use float.",
            "",
            "## How to test",
            "",
            f"Run the clock at {CLOCK_HZ // 1_000_000} MHz; any from 10 kHz on will do. Hold the reset for ten cycles "
            "or more. The places have numbers:",
            "",
            *_numbered(design),
            "",
            "1. The display shows `-` and its dot is lit: your move.",
            "2. Set a place on switches 0 to 3, the lowest bit at 0 (place 5 is switches 0 and 2).",
            "3. Switch 4 on and off: your stone is there. The display shows the place of the machine's answer.",
            "4. At the end the dot is dark; the display shows `L` if you have lost, `=` for a draw, `U` if you won.",
            "5. Switch 7 looks: it shows `o` for the machine's stone on the place, `H` for yours, `-` for none; with "
            "place 0, the machine's last move, also after the end.",
            "6. Switch 5 on and off begins a new game; with switch 6 on, the machine makes the first move.",
            "",
            "`test` plays every game that is possible, as far as its cycles last, and watches display and lamps.",
            "",
            "## External hardware",
            "",
            f"None is needed. With {columns} resistors of 330 Ω in the columns and "
            f"{sum(place is not None for row in board.rows for place in row)} lamps of two colours (two leads, as red "
            f"and green), the pads uio 0 to {rows + columns - 1} show the board: row by row, then column by column.",
            "",
            "## Pads",
            "",
            "| pad | what it is |",
            "|---|---|",
            *(f"| {pad} | {words or 'not used'} |" for pad, words in pads.items()),
            "",
        ]
    )


def _readme(design: Design, size: Estimate) -> str:
    fits = f"so it takes {size.tiles}" if size.tiles else "so it fits in no size that Tiny Tapeout has"
    return "\n".join(
        [
            f"# {design.name} for Tiny Tapeout",
            "",
            f"{design.story.title}, from: {design.story.source}. Written by Noughts, "
            f"`noughts silicon tapeout {design.name}`.",
            "",
            "- `info.yaml`: what Tiny Tapeout asks; put your own name and Discord there.",
            "- `docs/info.md`: the data sheet: how to play it on the demo board.",
            "- `src/project.sv`: the circuit; `src/config.json`: the settings of the flow that hardens it.",
            "- `layout`, if it is here: the tile placed and routed, to look at. Tiny Tapeout makes its own.",
            "- `test`: `pip install -r requirements.txt && make` plays at the pads with Icarus Verilog.",
            "",
            f"About {size.area_um2:,.0f} µm² of cells before layout ({size.cells:,} of them, "
            f"{size.flip_flops} flip-flops), {size.filled:.0%} of one tile. "
            f"Cells may fill {DENSITY:.0%} of it, {fits}.",
            "",
            "To submit it: make a repository from Tiny Tapeout's template, put these files over its own, and let its "
            "workflows harden it. They have not seen these files yet.",
            "",
        ]
    )
