"""The project folder for the DE2-115, as far as open tools can read it, and the circuit in it played at the switches.

Verilator, Icarus and Yosys read the circuit, Tcl the settings, OpenSTA the constraints. Icarus plays at the switches.
"""

import json
import re
import shutil
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from noughts.cli import main
from noughts.games import NoughtsError, game
from noughts.players import player
from noughts.silicon.designs import design
from noughts.silicon.flow import timing
from noughts.silicon.flow.de2_115 import DEVICE, is_straight, on_de2_115
from noughts.silicon.flow.de2_115 import project as make_project
from noughts.silicon.flow.synthesis import for_library, yosys
from noughts.silicon.simulate.interpreted import Interpreted
from noughts.silicon.sites import SITES
from noughts.silicon.verilog import verilog
from verilog_checks import lint

pytestmark = pytest.mark.slow

REFEREE = design("referee2021")
GAME = game("tictactoe")
ONE_EACH = ("chip1990", "elements2021", "referee2021")
"""A design of every source; their options differ inside."""
project = cache(make_project)


# The pins.


FROM_17 = """SW Y23 Y24 AA22 AA23 AA24 AB23 AB24 AC24 AB25 AC25 AB26 AD26 AC26 AB27 AD27 AC27 AC28 AB28
LEDR H15 G16 G15 F15 H17 J16 H16 J15 G17 J17 H19 J19 E18 F18 F21 E19 F19 G19"""
"""As a course lists them, from the left of the board to the right."""


def test_the_pins_are_those_that_a_course_with_this_board_lists() -> None:
    for line in FROM_17.splitlines():
        name, *sites = line.split()
        assert list(SITES[name]) == sites[::-1]
    single = {"CLOCK_50": "Y2", "KEY0": "M23", "KEY3": "R24", "LEDG0": "E21", "LEDG1": "E22", "LEDG2": "E25"}
    assert single.items() <= {name: sites[0] for name, sites in SITES.items()}.items()


def test_no_two_pins_are_at_one_ball_and_all_are_balls_of_the_package() -> None:
    """780 balls: 28 rows, whose letters leave out I, O, Q, S, X and Z, of 28, less the four corners."""
    letters = "ABCDEFGHJKLMNPRTUVWY"
    rows = [*letters, *(f"A{letter}" for letter in letters[:8])]
    balls = {f"{row}{column}" for row in rows for column in range(1, 29)} - {"A1", "A28", "AH1", "AH28"}
    assert len(balls) == 780
    used = [site for sites in SITES.values() for site in sites]
    assert len(used) == len(set(used)) == 1 + 4 + 18 + 18 + 9
    assert set(used) <= balls


# The files, as tools read them.


def settings(text: str) -> list[list[str]]:
    """The commands of a .qsf, as Tcl understands them; a bit in brackets stays itself, as Quartus has it."""
    tcl: Any = pytest.importorskip("tkinter").Tcl()
    found: list[list[str]] = []
    for command in ("set_global_assignment", "set_location_assignment", "set_instance_assignment"):
        tcl.createcommand(command, lambda *words, command=command: found.append([command, *map(str, words)]))
    tcl.eval('proc unknown {number} { return "\\[$number\\]" }')
    tcl.eval(text)
    return found


@pytest.mark.parametrize("name", ONE_EACH)
def test_every_pin_of_the_circuit_is_placed_and_nothing_else(name: str) -> None:
    made = project(design(name))
    base = design(name).identifier
    ports = {
        f"{pin}[{bit}]" if width > 1 else pin: SITES[pin][bit]
        for pin, (_, width) in on_de2_115(design(name)).pins().items()
        for bit in range(width)
    }
    placed, volts, values = {}, {}, {}
    for command, *words in settings(made.files[f"{base}.qsf"]):
        match command, words:
            case "set_location_assignment", [site, "-to", port]:
                assert port not in placed
                placed[port] = site.removeprefix("PIN_")
            case "set_instance_assignment", ["-name", "IO_STANDARD", standard, "-to", port]:
                volts[port] = standard
            case "set_global_assignment", ["-name", what, value]:
                values[what] = value
            case _:
                pytest.fail(f"{command} {words}")
    assert placed == ports
    assert volts == {port: "3.3-V LVTTL" if port == "CLOCK_50" else "2.5 V" for port in ports}
    assert (values["FAMILY"], values["DEVICE"]) == ("Cyclone IV E", DEVICE)
    assert values["TOP_LEVEL_ENTITY"] == made.top
    assert f"module {made.top} (" in made.files[values["SYSTEMVERILOG_FILE"]]
    assert values["SDC_FILE"] in made.files
    assert made.files[f"{base}.qpf"] == f'PROJECT_REVISION = "{base}"\n'
    assert f"`{base}.qpf`" in made.files["README.md"]
    assert {"KEY0", "LEDG2"} <= set(re.findall(r"\w+", made.files["README.md"]))


def test_the_report_played_on_this_board_so_its_design_is_wired_straight() -> None:
    assert [name for name in ONE_EACH if is_straight(design(name))] == ["elements2021"]
    assert on_de2_115(design("elements2021")) is design("elements2021")


@pytest.mark.parametrize("name", ONE_EACH)
def test_verilator_icarus_and_yosys_read_the_circuit(name: str, tmp_path: Path) -> None:
    made = project(design(name))
    text = made.files[f"{name}.sv"]
    assert "always_ff" not in text, "a variable that `initial` sets may not be one of always_ff"
    assert lint(text, tmp_path, f"{made.top}.sv") == ""
    if icarus := shutil.which("iverilog"):
        subprocess.run(
            [icarus, "-g2012", "-o", "chip", f"{made.top}.sv"], cwd=tmp_path, check=True, capture_output=True
        )
    read = ("the DE2-115", f"read_verilog -sv {tmp_path / made.top}.sv", f"hierarchy -check -top {made.top}")
    if name == "elements2021":  # whose synthesis takes long, and whose history meets a mistake in Yosys's block RAMs
        yosys(*read)
        return
    log = yosys(*read, f"synth_intel -family cycloneive -top {made.top}", "check -assert", "stat")
    last = log.rpartition("Printing statistics")[2]
    count = {kind: int(number) for number, kind in re.findall(r"(\d+)\s+(cycloneive_lcell_comb|dffeas)\b", last)}
    assert 0 < count["dffeas"] < count["cycloneive_lcell_comb"] < 114_480, "as many as the FPGA has"


def test_opensta_reads_the_constraints(tmp_path: Path) -> None:
    if shutil.which("sta") is None or not timing._LIBRARY.exists():
        pytest.skip("needs sta and qflow-tech-osu035")
    made = project(REFEREE)
    for_library(on_de2_115(REFEREE), timing._LIBRARY, "BUFX4", tmp_path / "netlist.v")
    (tmp_path / "referee2021.sdc").write_text(made.files["referee2021.sdc"])
    (tmp_path / "script.tcl").write_text(
        f"read_liberty {timing._LIBRARY}\nread_verilog netlist.v\nlink_design {made.top}\n"
        "read_sdc referee2021.sdc\nreport_clock_properties\n"
        "set_input_delay 0 -clock CLOCK_50 [get_ports {KEY0 SW[*]}]\nset_output_delay 0 -clock CLOCK_50 [all_outputs]\n"
        "report_checks -from [get_ports {KEY0 SW[*]}]\nreport_checks -to [get_ports {LEDR[*]}]\n"
    )
    found = subprocess.run(
        ["sta", "-no_init", "-no_splash", "-exit", "script.tcl"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    said = found.stdout + found.stderr
    assert "Error" not in said
    assert "Warning" not in said
    assert re.search(r"^CLOCK_50\s+20\.00\s+0\.00\s+10\.00", said, re.MULTILINE)
    assert said.count("No paths found") == 2, "keys and lamps have no deadline"


# The board in the hand.


BENCH = """
module bench;
  logic CLOCK_50 = 0, KEY0 = 0;
  logic [17:0] SW = 18'h20000, LEDR;
  logic LEDG0, LEDG1, LEDG2;
  always #10 CLOCK_50 = ~CLOCK_50;
  TOP board (.CLOCK_50, .KEY0, .SW, .LEDR, .LEDG0, .LEDG1, .LEDG2);
  task play(input int switch);
    SW[switch] = 1;
    repeat (30) @(posedge CLOCK_50);
    wait (LEDG0 | LEDG2);
    repeat (2) @(posedge CLOCK_50);
    $display("%b %b%b%b", LEDR, LEDG0, LEDG1, LEDG2);
  endtask
  initial begin
    repeat (30) @(posedge CLOCK_50);
    KEY0 = 1;
    repeat (30) @(posedge CLOCK_50);
    wait (LEDG0);
MOVES
    $finish;
  end
endmodule
"""


def played(name: str, moves: list[str], folder: Path) -> list[tuple[str, str]]:
    """Who has which place, and which green lamps are lit, after every move at the switches, in Icarus."""
    if shutil.which("iverilog") is None:
        pytest.skip("needs iverilog")
    circuit = on_de2_115(design(name), look=4)
    points = GAME.layout.points
    calls = "\n".join(f"    play({8 - points.index(move)});" for move in moves)
    (folder / "board.sv").write_text(verilog(circuit).replace("always_ff @", "always @"))
    (folder / "bench.sv").write_text(BENCH.replace("TOP", circuit.identifier).replace("MOVES", calls))
    command = ["iverilog", "-g2012", "-o", "bench", "-s", "bench", "bench.sv", "board.sv"]
    subprocess.run(command, cwd=folder, capture_output=True, check=True)
    run = subprocess.run(["vvp", "-n", "bench"], cwd=folder, capture_output=True, text=True, check=True, timeout=60)
    found = []
    for line in run.stdout.splitlines():
        if re.fullmatch("[01]{18} [01]{3}", line):
            red, green = line.split()
            # Left to right, odd lamp and even lamp: alone the odd one is the user's, alone the even one the machine's.
            stones = [{"10": "U", "01": "M"}.get(red[at : at + 2], ".") for at in range(0, 18, 2)]
            found.append(("".join(stones), green))
    return found


@pytest.mark.parametrize("name", ["chip1990", "elements2021:pruning=yes"])
def test_a_game_at_the_switches_is_the_game_of_the_player(name: str, tmp_path: Path) -> None:
    """One behind a panel, and one that is wired straight, without the option too slow for Icarus."""
    machine = player(name.partition(":")[0], 0)
    position, expected = GAME.start(), []
    moves = ["a1", "b1", "a2"]  # the user forgets to stop the machine
    for move in moves:
        position = GAME.after(position, GAME.read_move(position, move))
        position = GAME.after(position, machine.choose(GAME, position).move)
        row = GAME.write(position).split()[0].replace("/", "").replace("X", "U").replace("O", "M")
        expected.append((row, "100" if GAME.over(position) is None else "011"))
    assert expected[-1][1] == "011"
    assert played(name, moves, tmp_path) == expected


def test_two_people_play_under_the_referee(tmp_path: Path) -> None:
    found = played("referee2021", ["a1", "b2", "b1", "c3", "c1"], tmp_path)
    assert [stones for stones, _ in found] == ["U........", "U...M....", "UU..M....", "UU..M...M", "UUU.M...M"]
    assert [green for _, green in found] == ["100"] * 4 + ["001"]


@pytest.mark.parametrize("phase", range(0, 16, 3))
def test_a_switch_that_was_up_before_the_game_is_no_move_even_if_it_bounces_when_it_goes_down(phase: int) -> None:
    pins = Interpreted(on_de2_115(REFEREE, look=16))
    pins.set("SW", 1 << 17 | 1 << 8)
    pins.clock(60 + phase)
    for level in (0, 1, 0, 0, 1, 1, 0, 1, 0):
        pins.set("SW", 1 << 17 | level << 8)
        pins.clock()
    pins.clock(40)
    assert pins.get("LEDR") == 0
    pins.set("SW", 1 << 17 | 1 << 8)
    pins.clock(40)
    assert pins.get("LEDR") == 0b10 << 16, "the user's stone on a1"


def test_of_two_switches_at_once_one_counts_and_key0_begins_anew() -> None:
    pins = Interpreted(on_de2_115(REFEREE, look=8))
    pins.set("SW", 1 << 17)
    pins.clock(40)
    pins.set("SW", 1 << 17 | 0b11)
    pins.clock(20)
    assert pins.get("LEDR").bit_count() == 1
    pins.set("KEY0", 0)
    pins.clock(40)
    assert pins.get("LEDR") == 0
    pins.set("KEY0", 1)
    pins.clock(40)
    assert pins.get("LEDR") == 0, "what was up before is no move"


# The command.


def test_the_command_writes_a_new_folder_and_never_over_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command = ["silicon", "fpga", "referee2021", "--board", "de2-115"]
    assert main.run([*command, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    folder = tmp_path / "referee2021-de2-115"
    assert (answer["folder"], answer["top"], answer["clock_mhz"]) == (folder.name, "referee2021_on_de2_115", 50)
    assert {path.name: path.read_text() for path in folder.iterdir()} == project(REFEREE).files
    assert set(answer["files"]) == {path.name for path in folder.iterdir()}
    (tmp_path / "a file").write_text("old")
    for out in ([], ["--out", folder.name], ["--out", "a file"]):
        assert main.run([*command, *out]) == 2
        line = capsys.readouterr().err
        assert line.count("\n") == 1
        assert "new folder" in line
    assert (tmp_path / "a file").read_text() == "old"
    assert main.run([*command, "--out", "another"]) == 0
    assert capsys.readouterr().out.startswith("another: referee2021.qpf, ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a file", "another", folder.name]


@pytest.mark.parametrize(("name", "what"), [("mnk:4,3,3", "has 12 places"), ("achi", "moves stones")])
def test_a_board_that_does_not_fit_the_switches_is_refused_in_a_line(name: str, what: str) -> None:
    with pytest.raises(NoughtsError, match=f"has switches for 9 places, and chip1990 {what}: expected icebreaker"):
        on_de2_115(replace(design("chip1990"), game=name))
