"""Making and checking tables: the fields programs rely on, and one line for everything that can be foreseen."""

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
import typer
from numba import cuda

from noughts import extras
from noughts.cli import solve as tables
from noughts.cli.main import run
from noughts.cli.solve import check_table, is_table, solve_tables
from noughts.games import NoughtsError, game
from noughts.solve import knowledge
from noughts.solve import store as store_module
from noughts.solve.knowledge import Source
from noughts.solve.morris import making
from noughts.solve.morris.gpu import Gpu
from noughts.solve.morris.making import memory_available, memory_needed
from noughts.solve.morris.subspaces import MorrisForm, keys_upto, slots_of
from noughts.solve.store import Store

pytestmark = pytest.mark.slow

SIX, NINE = game("six-mens-morris"), game("nine-mens-morris")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables") / "six"
    solve_tables(SIX, folder, 4, json=False)
    return folder


def answer(capsys: pytest.CaptureFixture[str], command: Callable[[], None]) -> Any:
    command()
    captured = capsys.readouterr()
    assert captured.err == ""
    return json.loads(captured.out)


def test_solving_gives_a_row_a_subspace(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, lambda: solve_tables(SIX, None, 4, json=True))
    rows = found.pop("subspaces")
    assert found.pop("seconds") >= 0
    assert found == {
        "game": "six-mens-morris",
        "value": None,
        "remoteness": None,
        "slots": 142_142,
        "positions": 117_240,
        "wins": 8_503,
        "losses": 317,
        "draws": 108_420,
    }
    assert [row["name"] for row in rows] == ["3-3", "3-4", "4-3", "4-4"]
    fields = ["name", "slots", "positions", "wins", "losses", "draws", "deepest_win", "deepest_loss", "seconds"]
    assert all(list(row) == fields for row in rows)
    assert (rows[3]["deepest_win"], rows[3]["deepest_loss"]) == (13, 12)


def test_a_table_that_is_there_gives_the_same_rows(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = answer(capsys, lambda: solve_tables(SIX, None, 3, json=True))
    kept = answer(capsys, lambda: solve_tables(SIX, table, 3, json=True))
    for found in (made, kept):
        del found["seconds"], found["subspaces"][0]["seconds"]
    assert made == kept
    assert len(Store.open(table).keys()) == 4


def test_solving_says_what_it_found_to_people(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    solve_tables(SIX, table, 4, json=False)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == [
        "stones",
        "positions",
        "wins",
        "draws",
        "losses",
        *["longest", "win"],
        *["longest", "loss"],
        "seconds",
    ]
    assert lines[1].split()[:7] == ["3-3", "10,112", "5,322", "4,537", "253", "9", "8"]
    assert lines[-1].startswith("six-mens-morris, all stones placed: 117,240 positions")


def test_a_right_table_passes(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, lambda: check_table(table, None, json=True))
    assert found.pop("seconds") >= 0
    assert found == {
        "file": str(table),
        "game": "six-mens-morris",
        "right": True,
        "checked": 142_142,
        "sample": None,
        "first_wrong": None,
        "unchecked": [],
        "subspaces": 4,
        "of": 86,
    }
    check_table(table, 10, json=False)
    said = capsys.readouterr()
    assert said.out == "right: 40 values follow from their successors\n"
    assert said.err == "4 of 86 subspaces are there\n"


def test_a_check_while_solving_is_told(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    solve_tables(SIX, table, 4, json=True, check=True)
    said = capsys.readouterr()
    assert said.err == "checked: 117,240 values follow from their successors\n"
    assert json.loads(said.out)["checked"] is True


def test_a_damaged_table_ends_with_code_1_and_says_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    solve_tables(SIX, tmp_path / "table", 3, json=True)
    chunk = tmp_path / "table" / "3-3" / "c.0.0"
    chunk.write_bytes(chunk.read_bytes()[:-1] + b"!")
    capsys.readouterr()
    with pytest.raises(typer.Exit) as ended:
        check_table(tmp_path / "table", None, json=False)
    assert ended.value.exit_code == 1
    assert capsys.readouterr().out.startswith("wrong: subspace 3-3 of ")
    with pytest.raises(typer.Exit):
        check_table(tmp_path / "table", None, json=True)
    found = json.loads(capsys.readouterr().out)
    assert (found["right"], found["checked"]) == (False, 0)


def test_a_table_with_nothing_in_it_is_not_called_right(tmp_path: Path) -> None:
    Store.create(tmp_path / "empty", SIX)
    with pytest.raises(NoughtsError, match="holds no subspace yet: expected noughts solve six-mens-morris"):
        check_table(tmp_path / "empty", None, json=False)


def test_tables_are_folders_and_proofs_are_files(tmp_path: Path) -> None:
    assert is_table(tmp_path)
    assert not is_table(tmp_path / "proof.txt")


@pytest.mark.parametrize("upto", [2, 7, -1])
def test_stones_that_no_side_has_are_refused(tmp_path: Path, upto: int) -> None:
    with pytest.raises(
        NoughtsError, match=f"{upto} is not a number of stones a side in six-mens-morris: expected 3 to 6"
    ):
        solve_tables(SIX, tmp_path / "table", upto, json=False)
    assert not (tmp_path / "table").exists()


def test_too_little_memory_is_said_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "memory_available", lambda: 2_000_000_000)
    with pytest.raises(NoughtsError, match=r"2.0 GB of memory are available: expected \d+\.\d GB to solve nine-mens"):
        solve_tables(NINE, tmp_path / "table", None, json=False)
    assert not (tmp_path / "table").exists()


def test_the_whole_of_nine_mens_morris_fits_in_12_gigabytes() -> None:
    needed = [memory_needed(NINE, most) for most in range(3, 10)]
    assert needed == sorted(needed)
    assert 4e9 < needed[-1] < 12e9
    available = memory_available()
    assert available is None or available > 1e8


def test_ctrl_c_keeps_what_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "table"
    first = [(3, 3), (3, 4), (4, 3)]
    enough = sum(slots_of(SIX, key) for key in first)

    @contextmanager
    def impatient(_what: str) -> Iterator[Callable[[int, int], None]]:
        def progress(done: int, _total: int) -> None:
            if done > enough:
                raise KeyboardInterrupt

        yield progress

    with monkeypatch.context() as patch:
        patch.setattr(tables, "progress_bar", impatient)
        with pytest.raises(KeyboardInterrupt):
            solve_tables(SIX, folder, 4, json=True)
    assert capsys.readouterr().err == f"3 subspaces are kept in {str(folder)!r}; the same command goes on from there\n"
    assert Store.open(folder).keys() == first
    found = answer(capsys, lambda: solve_tables(SIX, folder, 4, json=True))
    assert found["positions"] == 117_240


def test_a_whole_table_knows_the_empty_board_and_every_stone_in_hand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "six"
    found = answer(capsys, lambda: solve_tables(SIX, folder, 6, json=True))
    assert (found["value"], found["positions"]) == (None, 1_205_908)
    # The same command goes on from there, to the whole game.
    found = answer(capsys, lambda: solve_tables(SIX, folder, None, json=True))
    assert (found["value"], found["remoteness"], found["positions"]) == ("draw", None, 3_119_611)
    assert found["subspaces"][-1] == found["subspaces"][-1] | {"name": "0-0+6-6", "positions": 1, "draws": 1}
    solve_tables(SIX, folder, None, json=False)
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2:] == ["the empty board: draw", "every first move: draw"]
    heads = [line.split()[0] for line in lines[lines.index("") + 1 : -3]]
    assert heads == ["in", *map(str, range(1, 13))]
    found = answer(capsys, lambda: check_table(folder, None, json=True))
    keys = MorrisForm(SIX).order()
    assert (found["right"], found["checked"]) == (True, sum(slots_of(SIX, key) for key in keys))
    assert Store.open(folder).keys() == keys


def test_a_game_by_laskers_rule_is_solved_whole_and_won_or_lost_as_its_moves_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    five = game("five-mens-morris:moving-while-placing=yes")
    monkeypatch.setenv("NOUGHTS_TABLES", str(tmp_path))
    assert run(["solve", five.name, "--out", str(tmp_path / five.name), "--check"]) == 0
    assert capsys.readouterr().out.splitlines()[-2:] == ["the empty board: draw", "every first move: draw"]
    assert knowledge(five).ask(five.start()).source is Source.TABLE


def test_more_memory_than_there_is_is_refused_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a table only what the next subspaces look at is held."""
    assert memory_needed(NINE, kept=True) < memory_needed(NINE) / 2
    monkeypatch.setattr(making, "memory_available", lambda: 5_000_000_000)
    with pytest.raises(NoughtsError, match=r"5.0 GB of memory are available: expected \d+\.\d GB to solve nine-mens"):
        solve_tables(NINE, tmp_path / "table", None, json=False)
    assert not (tmp_path / "table").exists()


def test_too_little_memory_on_a_gpu_is_said_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda _name: True)
    monkeypatch.setattr(making, "_checker", lambda _device: None)
    monkeypatch.setattr(Gpu, "__init__", lambda _self: None)
    monkeypatch.setattr(Gpu, "free_bytes", lambda _self: 4_000_000_000)
    with pytest.raises(
        NoughtsError, match=r"4.0 GB of GPU memory are available: expected \d\.\d GB to solve nine-mens"
    ):
        solve_tables(NINE, tmp_path / "table", None, json=False, device="gpu")
    assert not (tmp_path / "table").exists()


def test_memory_that_runs_out_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_about: object, **_more: object) -> None:
        raise MemoryError("Unable to allocate 1.00 TiB")

    monkeypatch.setattr(making, "require_memory", full)
    assert run(["solve", "six-mens-morris"]) == 2
    said = "memory ran out (Unable to allocate 1.00 TiB): expected more, or a smaller question\n"
    assert capsys.readouterr().err.endswith(said)


def test_a_gpu_without_its_library_is_said_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == "numba_cuda" else object())
    with pytest.raises(NoughtsError, match=r"^--device gpu needs numba-cuda, which .* 'noughts\[gpu\]'$"):
        solve_tables(SIX, tmp_path / "table", None, json=False, device="gpu")
    assert not (tmp_path / "table").exists()


@pytest.mark.skipif(cuda.is_available(), reason="there is a GPU here")  # type: ignore[no-untyped-call]
@pytest.mark.parametrize("installed", [True, False])
@pytest.mark.parametrize("command", ["check TABLE", "check TABLE --sample 3", "check", "solve six-mens-morris"])
def test_a_gpu_that_is_not_there_is_refused_in_one_line(
    table: Path, command: str, installed: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda name: object() if installed or name != "numba_cuda" else None)
    assert run([*command.replace("TABLE", str(table)).split(), "--device", "gpu"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    expected = "no GPU was found" if installed else "--device gpu needs numba-cuda"
    assert ("--device 'gpu' is for tables" if command == "check" else expected) in captured.err


@pytest.mark.parametrize("command", ["check TABLE", "solve six-mens-morris"])
def test_a_device_that_nobody_knows_is_refused(table: Path, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*command.replace("TABLE", str(table)).split(), "--device", "abacus"]) == 2
    assert capsys.readouterr().err == "noughts: --device 'abacus' is unknown: expected cpu or gpu\n"


@pytest.mark.parametrize(
    ("obstacle", "message"),
    [
        ("", "cannot be written: File exists; expected a writable folder; nothing is kept"),
        (".lock", "cannot be written: Is a directory; expected a writable folder; nothing is kept"),
    ],
)
def test_what_cannot_be_written_is_said_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, obstacle: str, message: str
) -> None:
    out = tmp_path / "table"
    if obstacle:
        Store.create(out, SIX)
        (out / obstacle).mkdir()
    else:
        out.touch()
    monkeypatch.setattr(making, "solve_morris", lambda *_about: pytest.fail("the work has begun"))
    with pytest.raises(NoughtsError, match=f"{message}$"):
        solve_tables(SIX, out, None, json=False)


def test_a_folder_that_takes_no_file_is_refused_before_the_work(
    table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(path: Path, _data: bytes) -> int:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    monkeypatch.setattr(Path, "write_bytes", refused)
    monkeypatch.setattr(making, "solve_morris", lambda *_about: pytest.fail("the work has begun"))
    assert run(["solve", "six-mens-morris", "--upto", "5", "--out", str(table)]) == 2
    said = "cannot be written: Read-only file system; expected a writable folder; 4 finished subspaces are kept\n"
    assert capsys.readouterr().err == f"noughts: {str(table)!r} {said}"


def test_a_full_disk_is_one_line_and_what_was_solved_is_gone_on_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "table"
    write, left = store_module._write_array, iter(range(2))

    def full(*about: Any) -> tuple[str, tuple[str, ...]]:
        if next(left, None) is None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(*about)

    with monkeypatch.context() as patch:
        patch.setattr(store_module, "_write_array", full)
        assert run(["solve", "six-mens-morris", "--upto", "4", "--out", str(out)]) == 2
    said = "cannot be written: No space left on device; expected more room; 2 finished subspaces are kept\n"
    assert capsys.readouterr().err == f"noughts: {str(out)!r} {said}"
    assert Store.open(out).keys() == [(3, 3), (3, 4)]
    assert run(["solve", "six-mens-morris", "--upto", "4", "--out", str(out)]) == 0
    assert Store.open(out).keys() == keys_upto(4)


def test_ctrl_c_ends_the_compiled_loops_at_once_and_the_same_command_goes_on(tmp_path: Path) -> None:
    """The interrupt comes when 4-4 of nine men's morris is there: in 3-6 or 4-5, which take seconds."""
    out = tmp_path / "nine"
    command = [sys.executable, "-m", "noughts", "solve", "nine-mens-morris", "--upto", "6", "--out", str(out)]
    solving = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    end = monotonic() + 120
    while not (out / "4-4" / "zarr.json").exists() and monotonic() < end:
        sleep(0.05)
    sleep(0.5)
    began = monotonic()
    solving.send_signal(signal.SIGINT)
    said, complaint = solving.communicate(timeout=30)
    # A second of its own time; the machine may be busy with other tests.
    assert monotonic() - began < 3
    assert (solving.returncode, said) == (130, "")
    kept = Store.open(out).keys()
    assert kept[:6] == [(3, 3), (3, 4), (4, 3), (3, 5), (5, 3), (4, 4)]
    assert complaint == f"{len(kept)} subspaces are kept in {str(out)!r}; the same command goes on from there\n"
