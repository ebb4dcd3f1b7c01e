"""A program of its own, run with OpenROAD: it places and routes a netlist, and times it.

    python route.py TOP        in a folder with tech.lef, cells.lef, cells.lib, TOP.v and job.json

`TOP.def` is the layout. The steps are those of Tiny Tapeout's own flow, in short: rows of cells in the die, the pads at
their places, taps of the wells, the supply (rails of met1 along the rows, stripes of met4 across them), the cells
placed, buffers where a net is too long, a tree of buffers for the clock, more where a bit would come too early (hold),
the nets routed in met1 to met4 until no rule is broken, and fill. Whether a wire would gather too much charge for the
gate at its end while it is made (an antenna) is checked; no diodes are put against it, which a tile this small has done
without.

OpenROAD's commands are Tcl, but those for the floor plan, which in its Python package want an object that nobody has
set: so these are called in Python. Some others ask for the one instance of the program, which is set here, too.
"""

import ctypes
import json
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

TRACKS = {
    "li1": (460, 340),
    "met1": (340, 340),
    "met2": (460, 460),
    "met3": (680, 680),
    "met4": (920, 920),
    "met5": (3400, 3400),
}
"""How far apart wires run, in nm, up and down and across: the pitches of the technology."""

READ = """
set_thread_count {threads}
read_lef tech.lef
read_lef cells.lef
read_liberty cells.lib
read_verilog {top}.v
link_design {top}
create_clock -name clock -period {period_ns} [get_ports {clock}]
"""
PLACE = """
tapcell -distance 13 -tapcell_master {tap} -endcap_master {endcap}
add_global_connection -net VPWR -pin_pattern {{^VPWR$}} -power
add_global_connection -net VPWR -pin_pattern {{^VPB$}}
add_global_connection -net VGND -pin_pattern {{^VGND$}} -ground
add_global_connection -net VGND -pin_pattern {{^VNB$}}
global_connect
set_voltage_domain -name CORE -power VPWR -ground VGND
define_pdn_grid -name grid -voltage_domains CORE -pins met4
add_pdn_stripe -grid grid -layer met1 -width 0.48 -pitch 5.44 -offset 0 -followpins
add_pdn_stripe -grid grid -layer met4 -width 1.6 -pitch 38.87 -offset 16.32 -spacing 1.7 -starts_with POWER
add_pdn_connect -grid grid -layers {{met1 met4}}
pdngen
set_wire_rc -signal -layer met2
set_wire_rc -clock -layer met3
set_routing_layers -signal met1-met4 -clock met1-met4
set_placement_padding -global -right {padding} -left {padding}
global_placement -density {density}
estimate_parasitics -placement
repair_design
detailed_placement
clock_tree_synthesis -root_buf {clock_buffer} -buf_list {clock_buffer}
set_propagated_clock [all_clocks]
estimate_parasitics -placement
repair_timing -hold
detailed_placement
improve_placement
check_placement
"""
ROUTE = """
pin_access
global_route
filler_placement {{{fill}}}
global_connect
detailed_route -output_drc route.drc -no_pin_access
puts "antennas [check_antennas]"
puts "violations [detailed_route_num_drvs]"
estimate_parasitics -global_routing
report_worst_slack -max
report_worst_slack -min
report_clock_skew
create_clock -name clock -period {slow_ns} [get_ports {clock}]
set_propagated_clock [all_clocks]
report_worst_slack -max
write_def {top}.def
"""


def start(openroad: Any) -> Any:
    """A design, and the program's one instance set to the one behind it."""
    tech = openroad.Tech()
    design = openroad.Design(tech)
    design.keep = tech  # which has to live as long as the design
    library = ctypes.CDLL(import_module("openroadpy")._openroadpy.__file__)
    set_instance = library._ZN3ord8OpenRoad11setOpenRoadEPS0_b
    set_instance.argtypes, set_instance.restype = [ctypes.c_void_p, ctypes.c_bool], None
    set_instance(int(design.getOpenRoad()), True)
    return design


def run(design: Any, script: str) -> None:
    """Run commands; end the program where one fails."""
    Path("part.tcl").write_text(script)
    said = design.evalTclString('if {[catch {source part.tcl} said]} {set said "FAILED $said"} else {set said ""}')
    if said.strip():
        print(said.strip(), flush=True)
        os._exit(1)


def floor(design: Any, die: list[float], core: list[float]) -> None:
    """Rows and tracks."""
    odb = import_module("openroad.odb")
    plan = design.getFloorplan()
    corners = [odb.Rect(*(round(1000 * side) for side in box)) for box in (die, core)]
    plan.initFloorplan(*corners, plan.findSite("unithd"))
    layers = design.getTech().getDB().getTech()
    for name, (across, up) in TRACKS.items():
        plan.makeTracks(layers.findLayer(name), across // 2, across, up // 2, up)


def main() -> None:
    """Do all of it."""
    job = json.loads(Path("job.json").read_text())
    design = start(import_module("openroad"))
    run(design, READ.format(**job))
    floor(design, job["die"], job["core"])
    pins = [
        f"place_pin -pin_name {{{name}}} -layer met4 -location {{{x:.3f} {y:.3f}}} -pin_size {{0.3 1.0}}"
        for name, (x, y) in job["pins"].items()
    ]
    for script in ("\n".join(pins), PLACE.format(**job), ROUTE.format(**job)):
        run(design, script)
    sys.stdout.flush()
    os._exit(0)  # at once: OpenROAD's own end may crash


if __name__ == "__main__":
    main()
