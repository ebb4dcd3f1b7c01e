"""From a netlist to a layout, a program a step, all of them Debian's; each leaves a file that the next one reads.

    place     graywolf puts the cells into rows, by simulated annealing from a seed
    rows      qflow's scripts write that as DEF, add supply stripes and fill cells, and set the pins at the edges
    route     qrouter draws the nets in four layers of metal
    check     magic reads the result, writes it as GDSII, checks the design rules and extracts a netlist of it
    compare   netgen compares that netlist with the one that was to be laid out (layout versus schematic)

Debian's osu035 has of a cell its outline, its pins and where no wire may go (LEF), what it does and how long it takes
(Liberty), but not the drawing of its transistors: Debian leaves that file out. So a cell of the GDSII file is that
outline, the design rules are checked for all that is drawn between and over the cells (and once more with a wire that
is too thin, which must be seen), and to the comparison a cell is a box. Whoever has the drawings puts them in the
boxes' places.
"""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from noughts.extras import MissingToolError, need_program
from noughts.silicon.flow.layout.cells import FILL, Cell, Cells, pin_orders
from noughts.silicon.flow.layout.gds import without_dates
from noughts.silicon.tools import ToolError, run_without_a_screen

__all__ = ["LEF", "LIBERTY", "Cell", "Drawn", "UnroutedError", "draw", "need_tools", "versions"]


class UnroutedError(ToolError):
    """Cells placed so that the router leaves nets open; placed otherwise they may not be."""


_TECH = Path("/usr/share/qflow/tech/osu035")
LIBERTY = _TECH / "osu035_stdcells.lib"
LEF = _TECH / "osu035_stdcells.lef"
_SCRIPTS = Path("/usr/lib/qflow/scripts")
_PACKAGES = {
    "graywolf": "graywolf",
    "qrouter": "qrouter",
    "magic": "magic",
    "netgen-lvs": "netgen-lvs",
    "qflow": "qflow",
}
_STRIPES = ("-stripe", "5", "150", "PG")
"""Supply stripes of 5 µm over the rows every 150 µm, power and ground in turn: qflow's own choice for these cells."""
_DENSE_CELLS, _DENSITY = 1_000, 0.75
"""Above so many cells, this part of the rows is cells and the rest fill, so that there is room for the wires."""
_LIMIT_S = 900
"""A program that takes longer is ended; the chip of 1990 takes three seconds in the slowest of them."""

Say = Callable[[str], None]


class Drawn(NamedTuple):
    """What the programs made."""

    gds: bytes
    definition: str
    """The placed and routed design in DEF."""
    extracted: str
    """The netlist of the layout in SPICE."""
    delays: str
    """Resistance and capacitance along every net, as qrouter writes them."""
    drc_errors: int
    drc_report: str
    lvs_matches: bool
    lvs_report: str


def need_tools(purpose: str) -> None:
    """Complain, in one line, about the first program or file that is missing.

    Raises:
        MissingToolError: Which, and which package of Debian's has it.
    """
    for program, package in _PACKAGES.items():
        need_program(program, purpose, f"Debian's {package}")
    if not LEF.exists():
        raise MissingToolError(
            f"{purpose} needs {LEF.name}, which is not installed: expected it from Debian's qflow-tech-osu035"
        )


def versions() -> dict[str, str]:
    """The versions of the programs' packages; nothing of those that Debian's list of packages does not have."""
    try:
        run = subprocess.run(
            ["dpkg-query", "-W", "-f=${Package} ${Version}\n", *_PACKAGES.values(), "qflow-tech-osu035", "opensta"],
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return {}
    return dict(line.split() for line in run.stdout.splitlines() if len(line.split()) == 2)


def draw(netlist: Cells, seed: int, folder: Path, say: Say) -> Drawn:
    """Place and route a netlist in this folder, check it and compare it."""
    top = netlist.top

    def file(suffix: str) -> Path:
        return folder / f"{top}{suffix}"

    say(f"placing {len(netlist.cells):,} cells")
    file(".blif").write_text(netlist.blif())
    rules = (_TECH / "osu035.par").read_text()
    file(".par").write_text(re.sub(r"(\*random\.seed\s*:).*", rf"\1 {seed}", rules))
    file(".cfg").write_text(f"read_lef {LEF}\n")
    _run(folder, "qrouter", "-i", f"{top}.info", "-c", f"{top}.cfg")
    _run(folder, _script("blif2cel.tcl"), "--blif", f"{top}.blif", "--lef", str(LEF), "--cel", f"{top}.cel")
    if len(netlist.cells) > _DENSE_CELLS:
        units = re.search(r"units scale (\d+)", file(".info").read_text())
        options = [f"--units={units[1]}"] if units else []
        _run(folder, _script("decongest.tcl"), top, str(LEF), FILL, str(_DENSITY), *options, made=file(".acel"))
        file(".acel").replace(file(".cel"))
    _run(folder, "graywolf", "-n", top, made=file(".pin"))
    say("drawing rows, supply and pins")
    _run(folder, _script("place2def.tcl"), top, FILL, made=file(".def"))
    _run(folder, _script("addspacers.tcl"), *_STRIPES, top, str(LEF), FILL, made=file("_filled.def"))
    file("_filled.def").replace(file(".def"))
    if file(".obsx").exists():
        file(".obsx").replace(file(".obs"))
    _run(folder, _script("arrangepins.tcl"), top, made=file("_mod.def"))
    file("_mod.def").replace(file(".def"))
    say("routing")
    fence = file(".obs").read_text() if file(".obs").exists() else ""
    file(".cfg").write_text(
        f"verbose 1\nread_lef {LEF}\ncatch {{layers 4}}\nvia stack all\nvdd vdd\ngnd gnd\n{fence}\n"
        f"read_def {top}.def\nqrouter::standard_route {top}_route.def false\nquit\n"
    )
    log = _run(folder, "qrouter", "-nog", "-s", f"{top}.cfg", made=file("_route.def"))
    if "No failed routes" not in log:
        raise UnroutedError(f"the layout of {top}: qrouter left nets unrouted; expected none, try another seed")
    say("checking the design rules, extracting the netlist")
    (folder / "check.tcl").write_text(_CHECK.format(lef=LEF, top=top))
    found = _run(
        folder,
        "magic",
        "-dnull",
        "-noconsole",
        "-rcfile",
        str(_TECH / "osu035.magicrc"),
        "check.tcl",
        made=file(".gds"),
    )
    errors = re.search(r"^drc total (\d+)$", found, re.MULTILINE)
    if errors is None:
        raise ToolError(f"the layout of {top}: magic counted no design-rule errors, not even none")
    trial = re.search(r"^drc trial (\d+)$", found, re.MULTILINE)
    if trial is None or int(trial[1]) <= int(errors[1]):
        raise ToolError(f"the layout of {top}: magic sees no error in a wire of 0.2 µm; expected that it checks widths")
    say("comparing layout and schematic")
    file("_drawn.spice").write_text(netlist.spice(pin_orders(LEF)))
    _run(
        folder,
        *("netgen-lvs", "-batch", "lvs", f"{top}.spice {top}", f"{top}_drawn.spice {top}"),
        *(str(_TECH / "osu035_setup.tcl"), "lvs.txt", "-blackbox"),
        made=folder / "lvs.txt",
    )
    compared = (folder / "lvs.txt").read_text()
    return Drawn(
        gds=without_dates(file(".gds").read_bytes()),
        definition=file("_route.def").read_text(),
        extracted=file(".spice").read_text(),
        delays=file("_route.rc").read_text(),
        drc_errors=int(errors[1]),
        drc_report="\n".join(line for line in found.splitlines() if line.startswith("drc ")) + "\n",
        lvs_matches=compared.rstrip().endswith("Circuits match uniquely."),
        lvs_report=compared,
    )


_CHECK = """box 0 0 0 0
drc off
snap int
lef read {lef}
def read {top}_route
load {top}
writeall force {top}
gds write {top}
expand
extract all
ext2spice hierarchy on
ext2spice format ngspice
ext2spice scale off
ext2spice renumber off
ext2spice cthresh infinite
ext2spice rthresh infinite
ext2spice blackbox on
ext2spice subcircuit top auto
ext2spice global off
ext2spice
drc on
select top cell
drc check
drc catchup
puts stdout "drc total [drc list count total]"
puts stdout "drc why [drc listall why]"
box 20um 20um 20.2um 30um
paint metal1
select top cell
drc check
drc catchup
puts stdout "drc trial [drc list count total]"
quit -noprompt
"""


def _script(name: str) -> str:
    """Where a script of qflow's is."""
    return str(_SCRIPTS / name)


def _run(folder: Path, program: str, *options: str, made: Path | None = None) -> str:
    """Run a program in the folder, and return what it said; it has to make this file."""
    name = Path(program).name
    try:
        code, said = run_without_a_screen((program, *options), folder, _LIMIT_S, name)
    except OSError as error:
        raise ToolError(f"{program} cannot be run: {error.strerror}; expected Debian's") from None
    if code or (made is not None and not made.exists()):
        lines = [line.strip() for line in said.splitlines() if line.strip()]
        reason = next((line for line in lines if "error" in line.lower()), lines[-1] if lines else "nothing")
        raise ToolError(f"{name} made no layout: it says {reason[:200]!r}")
    return said
