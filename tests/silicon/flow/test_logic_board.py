"""Boards of 74HC and equations of GALs: read back from their files, pin by pin, they do what the netlist does."""

import csv
import io
import json
from pathlib import Path
from random import Random

import pytest

from noughts.cli import main
from noughts.silicon.flow.board import BoardError, folder, gal, read_board
from noughts.silicon.flow.board.gal import CAPACITIES, GalError, equations, in_chips, read_chips, written
from noughts.silicon.flow.board.packages import KINDS, on_packages
from noughts.silicon.logic.best import best, known
from noughts.silicon.logic.netlist import Gate, Netlist, Output, simulate
from noughts.silicon.logic.specification import INPUTS, POINTS, specification
from noughts.silicon.logic.verify import verify

SMALL = [name for name in known() if len(best(name).gates) < 60]
"""The records whose boards are made in a moment."""


def a_netlist(seed: int, gates: int = 24) -> Netlist:
    """Gates of any table anywhere, constants and copies among them; outputs of every sort."""
    random = Random(seed)
    drawn = tuple(
        Gate(random.randrange(18 + at), random.randrange(18 + at), random.randrange(16)) for at in range(gates)
    )
    outputs = [Output(name, random.randrange(18 + gates), random.random() < 0.5) for name in POINTS[:-2]]
    outputs += [Output(POINTS[-2], -1, False), Output(POINTS[-1], 17 + gates, True)]
    return Netlist(INPUTS, drawn, tuple(outputs))


def levels(netlist: Netlist) -> dict[str, int]:
    """What comes out for a thousand assignments."""
    random = Random(0)
    words = {name: random.getrandbits(1000) for name in INPUTS}
    found = simulate(netlist, [words[name] for name in netlist.inputs], 1000)
    return {output.name: word for output, word in zip(netlist.outputs, found, strict=True)}


@pytest.mark.parametrize("seed", range(3))
def test_any_netlist_comes_back_from_the_packages_of_its_board(seed: int) -> None:
    netlist = a_netlist(seed)
    files = folder(netlist, "any", "any").files
    made = read_board(str(files["parts.csv"]), str(files["wiring.csv"]))
    assert levels(made) == levels(netlist)


@pytest.mark.parametrize("seed", range(3))
def test_any_netlist_comes_back_from_its_equations(seed: int) -> None:
    netlist = a_netlist(seed)
    chips = in_chips(equations(netlist))
    made = read_chips([written(chip, "any") for chip in chips], INPUTS, POINTS)
    assert levels(made) == levels(netlist)


@pytest.mark.parametrize("name", SMALL)
def test_the_boards_of_the_records_do_what_the_records_do(name: str) -> None:
    """Package by package and pin by pin, in every position that the specification speaks of."""
    made = folder(best(name), name, "")
    assert verify(read_board(str(made.files["parts.csv"]), str(made.files["wiring.csv"])), specification(name)).holds
    texts = [str(text) for file, text in made.files.items() if file.startswith("gal/")]
    assert len(texts) == made.chips
    assert verify(read_chips(texts, INPUTS, POINTS), specification(name)).holds


def test_the_pairing_strategy_takes_four_packages() -> None:
    """Eight gates like AND, each with an input inverted, and an inverter: two packages of each at least."""
    board = on_packages(best("C"))
    assert (len(board.packages), len(board.uses), board.inverters) == (4, 17, 9)


def test_every_package_has_each_of_its_pins_once() -> None:
    for kind in KINDS.values():
        pins = [pin for gate in kind.gates for pin in gate]
        assert len(pins) == len(set(pins))
        assert set(pins) <= set(range(1, 15)) - {7, 14}


def test_what_is_left_over_inverts_for_nothing_and_nothing_hangs_in_the_air() -> None:
    netlist = Netlist(("mine_a1", "theirs_a1"), (Gate(0, 1, 0b0111),), (Output("a1", 2, False), Output("b1", 0, True)))
    board = on_packages(netlist)
    assert board.packages == ("74HC00",)
    files = folder(netlist, "two", "two").files
    rows = list(csv.DictReader(io.StringIO(str(files["wiring.csv"]))))
    inputs = {pin for *pins, _ in KINDS["74HC00"].gates for pin in pins}
    assert inputs <= {int(row["pin"]) for row in rows if row["part"] == "U1"}


def test_a_board_with_a_wrong_joint_is_told() -> None:
    files = folder(best("C"), "C", "").files
    parts, wiring = str(files["parts.csv"]), str(files["wiring.csv"])
    line = next(line for line in wiring.splitlines() if ",U3,1" in line)
    with pytest.raises(BoardError, match="hangs in the air"):
        read_board(parts, wiring.replace(f"{line}\n", "", 1))
    with pytest.raises(BoardError, match="is joined twice"):
        read_board(parts, f"{wiring}{line}\n")
    other = line.replace("theirs", "mine", 1)
    assert not verify(read_board(parts, wiring.replace(line, other, 1)), specification("C")).holds


def test_no_chip_has_more_products_or_pins_than_there_are() -> None:
    for chip in in_chips(equations(a_netlist(3, 40))):
        text = written(chip, "any")
        pins = text.split("\n\n")[1].split()
        assert len(pins) == 24
        assert max(map(len, pins)) <= 8
        assert (pins[11], pins[23]) == ("GND", "VCC")
        for total in chip:
            assert len(total.products) <= CAPACITIES[pins.index(total.name) + 1]


def test_a_file_with_too_long_a_sum_is_refused() -> None:
    (chip,) = in_chips(equations(Netlist(("mine_a1",), (), (Output("a1", 0, True),))))
    text = written(chip, "one")
    assert "/a1 = m_a1" in text
    with pytest.raises(GalError, match="17 products"):
        read_chips([text.replace("= m_a1\n", "= " + " + ".join(["m_a1"] * 17) + "\n")], ["mine_a1"], ["a1"])


def test_the_command_writes_the_folder_and_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "board"
    assert main.run(["silicon", "board", "logic-C", "--out", str(target), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["packages"], answer["kinds"], answer["gals"]) == (4, {"74HC04": 2, "74HC08": 2}, 2)
    written_files = {str(path.relative_to(target)) for path in target.rglob("*") if path.is_file()}
    assert written_files == set(answer["files"])
    assert main.run(["silicon", "board", "chip1990"]) == 2
    assert "'chip1990' is not a netlist: expected a file, - or a record, as logic-C" in capsys.readouterr().err


@pytest.mark.parametrize("outputs", ["0", "1", "mine_a1"])
def test_a_logic_without_a_gate_is_a_board_without_a_package(
    outputs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "none.txt"
    file.write_text("\n".join([f"inputs {' '.join(INPUTS)}", *(f"output {point} = {outputs}" for point in POINTS)]))
    assert main.run(["silicon", "board", str(file), "--out", str(tmp_path / "board"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["packages"] == 0


def test_json_leaves_no_equations_out_without_saying_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gal, "MOST_GATES", 7)
    assert main.run(["silicon", "board", "logic-C", "--out", str(tmp_path / "board"), "--json"]) == 0
    answer = capsys.readouterr()
    assert json.loads(answer.out)["gals"] is None
    assert "skipped: equations for GALs, since the netlist has 8 gates" in answer.err


def test_every_net_is_measured_high_and_low_if_it_is_ever_both() -> None:
    rows = list(csv.reader(io.StringIO(str(folder(best("C"), "C", "").files["test.csv"]))))
    for _, _, *seen in rows[1:]:
        assert set(seen) == {"0", "1"}


def test_the_plan_in_the_docs_is_that_of_the_command() -> None:
    """`noughts silicon board logic-C` writes it as board.svg."""
    docs = Path(__file__).parents[3] / "docs"
    assert (docs / "board-c.svg").read_text() == folder(best("C"), "logic-C", "").files["board.svg"]
