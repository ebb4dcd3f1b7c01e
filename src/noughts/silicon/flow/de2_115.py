"""A project folder for the DE2-115: a design on the board's own switches and lamps, for the tools of its vendor.

The report of 2021 played on this board, and the paper of 1990 asks for "18 LEDs and a few buttons" around its chip:
the DE2-115 has 18 switches, 18 red lamps and some green ones, four keys and a clock of 50 MHz. No open tool places and
routes for its FPGA, so what is made here is not a bitstream but all that Quartus needs to make one: the circuit as one
SystemVerilog file, the pins (.qsf), the clock (.sdc), the project itself (.qpf), and how to go on (README.md).

**The pins.** A design whose pins are all named as the board's, as those of the report are, is wired straight. Every
other one sits behind a *panel* of the same look: SW8 to SW0 are the places, row by row from the top left; the two lamps
of a place show its stone, the odd one the user's, the even one the machine's; SW17 up lets the user begin; KEY0 begins
a new game; LEDG0 asks for a move, LEDG1 and LEDG3 say that machine or user has won, LEDG2 that the game is over.

**Switches bounce**, and stay up. So the panel looks at them only every five milliseconds: one that has gone up since
the last look is a move, for one cycle of the clock, as a key of a console is (`flow.console.game_with`). What was up
before does not count. The reset lasts a look or two longer than KEY0 is down, and begins when the FPGA does.

Where the pins are is in `noughts.silicon.sites`. Switches, keys and lamps are in banks of 2.5 V as the board is
delivered, the clock is at 3.3 V. No Quartus was at hand: what open tools can check is checked
(`tests/silicon/flow/test_de2_115.py`).
"""

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

from amaranth.hdl import Cat, ClockDomain, ClockSignal, Elaboratable, Module, Signal
from amaranth.lib.cdc import FFSynchronizer
from amaranth.lib.wiring import Component, In, Out

from noughts.games import NoughtsError, game
from noughts.silicon.circuit import Circuit
from noughts.silicon.design import Design
from noughts.silicon.flow.console import GAME
from noughts.silicon.parts import PLACES, IllegalMoveDetector
from noughts.silicon.sites import RED, SITES, SWITCHES
from noughts.silicon.verilog import verilog

__all__ = ["CLOCK_MHZ", "DEVICE", "LOOK", "NAME", "Project", "on_de2_115", "project"]

NAME = "de2-115"
FAMILY, DEVICE = "Cyclone IV E", "EP4CE115F29C7"
CLOCK_MHZ = 50
LOOK = 1 << 18
"""Cycles from one look at the switches to the next: 5.2 ms."""


class AtSwitches(Component):
    """A design behind the switches and lamps of the board. `look` is the number of cycles between two looks at them."""

    def __init__(self, design: Design, look: int) -> None:
        pins = {"CLOCK_50": In(1), "KEY0": In(1, init=1), "SW": In(len(SWITCHES)), "LEDR": Out(len(RED))}
        super().__init__(pins | {f"LEDG{number}": Out(1) for number in range(4)})
        self.design = design
        self.look = look

    def elaborate(self, platform: object) -> Elaboratable:  # noqa: ARG002
        m = Module()
        board: Any = self
        # Not called sync: a domain of that name would reach into the design, which has its own.
        m.domains.board = ClockDomain(local=True, reset_less=True)
        m.submodules.chip = chip = self.design.make()
        game: Any = GAME.flip().create()
        switches = self._look(m, game)
        self._press(m, game, switches)
        m.d.comb += [
            ClockSignal("board").eq(board.CLOCK_50),
            *(getattr(chip, pin).eq(level) for pin, level in self.design.idle.items()),
            getattr(chip, self.design.clock).eq(board.CLOCK_50),
            getattr(chip, self.design.reset).eq(game.restart if self.design.reset_level else ~game.restart),
            *self.design.console(chip, game),
            # Switch 8 and the lamps 17 and 16 are at place 0.
            board.LEDR.eq(Cat(game.board.word_select(place, 2) for place in reversed(range(PLACES)))),
            board.LEDG0.eq(game.waiting & ~game.finished),
            board.LEDG1.eq(game.finished & game.machine_won),
            board.LEDG2.eq(game.finished),
            board.LEDG3.eq(game.finished & game.user_won),
        ]
        return m

    def _look(self, m: Any, game: Any) -> Signal:
        """Look at switches and key from time to time; the switches as they were seen last."""
        board: Any = self
        count = Signal(range(self.look))
        up = Signal(len(SWITCHES))
        seen_up = Signal(len(SWITCHES))
        down = Signal(init=1)
        seen_down = Signal(init=1)
        # Straight from a register, since a reset that needs no clock would obey the shortest pulse.
        restart = Signal(init=1)
        m.submodules.switches = FFSynchronizer(board.SW, up, o_domain="board")
        m.submodules.key = FFSynchronizer(~board.KEY0, down, o_domain="board", init=1)
        m.d.comb += [game.restart.eq(restart), game.user_begins.eq(seen_up[-1])]
        m.d.board += count.eq(count + 1)
        with m.If(count == self.look - 1):
            # A look later than the key: when the game begins, the switches have been seen.
            m.d.board += [count.eq(0), seen_up.eq(up), seen_down.eq(down), restart.eq(seen_down)]
        return seen_up

    def _press(self, m: Any, game: Any, switches: Signal) -> None:
        """A switch of a place that has gone up is a move there, if one is asked for and the place is free."""
        old = Signal(PLACES)
        risen = Signal(PLACES)
        wish = Signal(PLACES)
        m.submodules.illegal = illegal = IllegalMoveDetector()
        m.d.board += old.eq(switches[:PLACES])
        m.d.comb += risen.eq(switches[:PLACES] & ~old)
        for place in range(PLACES):  # the last that applies counts: of several the one with the highest number
            with m.If(risen[PLACES - 1 - place]):
                m.d.comb += [wish.eq(1 << place), game.digit.eq(place + 1)]
        m.d.comb += [illegal.board.eq(game.board), illegal.at.eq(wish)]
        with m.If(game.waiting & ~game.finished & ~illegal.illegal):
            m.d.comb += game.key.eq(wish)


def is_straight(design: Design) -> bool:
    """Whether the pins of a design are those of the board."""
    return all(pin.width == len(SITES.get(name, ())) for name, pin in design.pins().items())


def on_de2_115(design: Design, look: int = LOOK) -> Circuit:
    """The whole circuit in the board's FPGA, with the board's pins."""
    made_for = game(design.game)
    if len(made_for.layout) != PLACES or not made_for.placing_only:
        what = "moves stones" if len(made_for.layout) == PLACES else f"has {len(made_for.layout)} places"
        expected = "expected icebreaker or ulx3s, where it is played over a serial line"
        raise NoughtsError(f"the {NAME} has switches for {PLACES} places, and {design.name} {what}: {expected}")
    if is_straight(design):
        return design
    return Circuit(
        name=f"{design.name} on {NAME}",
        year=design.year,
        about=f"{design.about}; behind switches and lamps",
        make=partial(AtSwitches, design, look),
        clock="CLOCK_50",
        reset="KEY0",
        reset_level=0,
        idle={"KEY0": 1},
    )


class Project(NamedTuple):
    """A folder for Quartus."""

    top: str
    """The module on the FPGA's pins."""
    files: dict[str, str]
    """What is in each file, by its name."""


def project(design: Design) -> Project:
    """The project of a design for the board."""
    circuit = on_de2_115(design)
    name, top = design.identifier, circuit.identifier
    files = {
        f"{name}.qpf": f'PROJECT_REVISION = "{name}"\n',
        f"{name}.qsf": "\n".join([*_settings(name, circuit), *_locations(circuit), ""]),
        f"{name}.sdc": "\n".join([*_constraints(circuit), ""]),
        # Registers have their values at power-up from `initial`; beside it the standard allows `always`, and no
        # `always_ff` (IEEE 1800, 9.2.2.4), though many tools take both.
        f"{name}.sv": verilog(circuit).replace("always_ff @", "always @"),
        "README.md": "\n".join([*_readme(design, name, top), ""]),
    }
    return Project(top, files)


def _settings(name: str, circuit: Circuit) -> Iterator[str]:
    yield f"# {circuit.name}: settings for Quartus, written by Noughts."
    values = {
        "FAMILY": f'"{FAMILY}"',
        "DEVICE": DEVICE,
        "TOP_LEVEL_ENTITY": circuit.identifier,
        "SYSTEMVERILOG_FILE": f"{name}.sv",
        "SDC_FILE": f"{name}.sdc",
        "PROJECT_OUTPUT_DIRECTORY": "output_files",
        # All other pins lead to other chips on the board.
        "RESERVE_ALL_UNUSED_PINS": '"AS INPUT TRI-STATED"',
    }
    for setting, value in values.items():
        yield f"set_global_assignment -name {setting} {value}"


def _locations(circuit: Circuit) -> Iterator[str]:
    for pin, (_, width) in circuit.pins().items():
        for bit, site in enumerate(SITES[pin]):
            port = pin if width == 1 else f"{pin}[{bit}]"
            standard = "3.3-V LVTTL" if pin == "CLOCK_50" else "2.5 V"
            yield f"set_location_assignment PIN_{site} -to {port}"
            yield f'set_instance_assignment -name IO_STANDARD "{standard}" -to {port}'


def _constraints(circuit: Circuit) -> Iterator[str]:
    pins = circuit.pins()
    ports = {name: name if pin.width == 1 else f"{name}[*]" for name, pin in pins.items()}
    ins = [port for name, port in ports.items() if pins[name].is_input and name != "CLOCK_50"]
    outs = [port for name, port in ports.items() if not pins[name].is_input]
    yield "# The board's clock. People are slow: keys, switches and lamps have no deadline."
    yield f"create_clock -name CLOCK_50 -period {1000 / CLOCK_MHZ:.3f} [get_ports {{CLOCK_50}}]"
    # Of Quartus alone; others have no clock tree to know of.
    yield 'if {[info commands derive_clock_uncertainty] ne ""} { derive_clock_uncertainty }'
    yield f"set_false_path -from [get_ports {{{' '.join(ins)}}}]"
    yield f"set_false_path -to [get_ports {{{' '.join(outs)}}}]"


_STRAIGHT = """\
The pins are those of the design itself.

{pins}"""

_PANEL = """\
| pin | |
|---|---|
| KEY0 | pressed: a new game |
| SW17 | up when the game begins: the user begins |
| SW8 SW7 SW6, SW5 SW4 SW3, SW2 SW1 SW0 | the places, row by row; a switch that goes up is a move |
| LEDR17/16 to LEDR1/0 | the same places: the odd lamp is lit for a stone of the user, the even one for the machine's |
| LEDG0 | a move is asked for |
| LEDG1, LEDG3 | the machine has won, the user has won |
| LEDG2 | the game is over |

A switch counts when it goes up while LEDG0 is lit; put it down again whenever you like."""

_ONLOOKER = """\
| pin | |
|---|---|
| KEY0 | pressed: a new game |
| SW17 | up when the game begins: {user} begins; down: {machine} |
| LEDR17/16 to LEDR1/0 | the places, row by row: the odd lamp is lit for a stone of {user}, the even one of {machine} |
| LEDG1, LEDG3 | {machine} has won, {user} has won |
| LEDG2 | the game is over |

There is nothing else to switch."""


def _readme(design: Design, name: str, top: str) -> Iterator[str]:
    groups = [group for group in design.story.groups if set(group.signals) <= set(SITES)]
    rows = [f"| {pin} | {words} |" for group in groups for pin, words in group.signals.items()]
    straight = _STRAIGHT.format(pins="\n".join(["| pin | |", "|---|---|", *rows]))
    yield f"# {design.name} on a DE2-115\n"
    yield f"{design.story.title}, from: {design.story.source}.\n"
    user, machine = design.story.sides
    panel = _PANEL if design.driver.presses else _ONLOOKER.format(user=user, machine=machine)
    yield straight if is_straight(design) else panel
    yield (
        f"\nOpen `{name}.qpf` in Quartus with its Cyclone IV devices and compile it, or\n\n"
        f"    quartus_sh --flow compile {name}\n"
        f'    quartus_pgm -m jtag -o "p;output_files/{name}.sof"\n'
    )
    yield (
        f"`{name}.sv` is the circuit, with `{top}` on the pins; `{name}.qsf` says where the pins are on the {DEVICE}, "
        f"`{name}.sdc` that the clock has {CLOCK_MHZ} MHz.\n\n"
        "Verilator, Icarus, Yosys and OpenSTA read such files without a word. No Quartus has, and no board."
    )
