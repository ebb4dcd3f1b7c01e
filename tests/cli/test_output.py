"""Every output file: whole or not at all, never in the place of a device, and tried before long work."""

import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from noughts.cli.machine import examine
from noughts.cli.main import run
from noughts.cli.output import check_writable, counted, print_columns, write_file, write_folder
from noughts.games import NAMES, NoughtsError
from noughts.players import LEVELS, PLAYERS


def entries(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_written_and_nothing_else_is_left(tmp_path: Path) -> None:
    write_file(tmp_path / "a.svg", "×")
    write_file(tmp_path / "b", b"\0\1")
    assert (tmp_path / "a.svg").read_bytes() == "×".encode()
    assert (tmp_path / "b").read_bytes() == b"\0\1"
    assert entries(tmp_path) == ["a.svg", "b"]


def test_a_file_that_is_there_keeps_its_mode(tmp_path: Path) -> None:
    file, fresh = tmp_path / "file", tmp_path / "fresh"
    file.write_text("old, and longer than the new")
    file.chmod(0o640)
    write_file(file, "new")
    assert file.read_text() == "new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    umask = os.umask(0o027)
    try:
        write_file(fresh, "new")
    finally:
        os.umask(umask)
    assert stat.S_IMODE(fresh.stat().st_mode) == 0o640


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_a_file_that_is_there_keeps_its_owner(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("old")
    os.chown(file, 1234, 5678)
    write_file(file, "new")
    assert (file.stat().st_uid, file.stat().st_gid, file.read_text()) == (1234, 5678, "new")


def test_a_symlink_stays_one_and_its_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    link, target = tmp_path / "link", tmp_path / "elsewhere" / "target"
    link.symlink_to(target)
    check_writable(link)  # there is no target yet
    for content in ("first", "second"):
        write_file(link, content)
        assert link.is_symlink()
        assert target.read_text() == content
    assert entries(tmp_path / "elsewhere") == ["target"]


def test_a_fifo_is_written_into(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(fifo.read_text()), daemon=True)
    reader.start()
    check_writable(fifo)  # and does not open it, which would end the reader's file
    write_file(fifo, "through")
    reader.join(5)
    assert read == ["through"]
    assert stat.S_ISFIFO(fifo.stat().st_mode)


@pytest.fixture
def null(tmp_path: Path) -> Path:
    """A device like /dev/null; or a link to that, where devices cannot be made."""
    device = tmp_path / "null"
    try:
        os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        device.write_bytes(b"")
    except OSError:
        device.unlink(missing_ok=True)
        device.symlink_to(os.devnull)
    return device


def test_a_device_is_written_into_and_stays_a_device(null: Path) -> None:
    assert run(["value", "tictactoe", "--svg", str(null)]) == 0
    assert stat.S_ISCHR(null.stat().st_mode)


def test_dev_stdout_is_standard_output_whatever_it_leads_to(tmp_path: Path) -> None:
    file = tmp_path / "file"
    command = [sys.executable, "-m", "noughts", "value", "tictactoe", "XX./OO./...", "--svg", "/dev/stdout"]
    with file.open("wb") as opened:
        subprocess.run(command, stdout=opened, check=True)
    piped = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    assert file.read_bytes() == piped
    assert b"</svg>" in piped
    assert b"win in 1" in piped


def no_folder(folder: Path) -> Path:
    return folder / "none" / "file"


def a_folder(folder: Path) -> Path:
    return folder


def below_a_file(folder: Path) -> Path:
    (folder / "file").write_text("a file")
    return folder / "file" / "below"


def a_loop(folder: Path) -> Path:
    (folder / "loop").symlink_to(folder / "loop")
    return folder / "loop"


def too_long(folder: Path) -> Path:
    return folder / ("x" * 300)


def not_ours(_: Path) -> Path:
    """Where even root cannot make files."""
    return Path("/proc/self/file")


def empty(_: Path) -> Path:
    return Path()


@pytest.mark.parametrize("make", [no_folder, a_folder, below_a_file, a_loop, too_long, not_ours, empty])
def test_what_cannot_be_written_is_refused_before_and_after_and_leaves_nothing(
    tmp_path: Path, make: Callable[[Path], Path]
) -> None:
    path = make(tmp_path)
    before = entries(tmp_path)
    for attempt in (partial(check_writable, path), partial(write_file, path, "text")):
        with pytest.raises(NoughtsError, match=r"cannot be written: .*; expected ") as caught:
            attempt()
        assert str(path) in str(caught.value)
    assert entries(tmp_path) == before


def test_a_file_for_reading_only_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.write_text("old")
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)  # root may write to everything
    with pytest.raises(NoughtsError, match="Permission denied"):
        check_writable(file)


def test_a_folder_is_written_whole_or_not_at_all_and_never_over_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"a.txt": "×", "b.txt": ""}
    write_folder(tmp_path / "new", files)
    assert {path.name: path.read_text() for path in (tmp_path / "new").iterdir()} == files
    (tmp_path / "file").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    before = entries(tmp_path)
    for name in ("new", "file", "link"):
        with pytest.raises(NoughtsError, match=r"cannot be written: File exists; expected the name of a new folder"):
            write_folder(tmp_path / name, files)
    for path in (no_folder(tmp_path), not_ours(tmp_path)):
        with pytest.raises(NoughtsError, match=r"cannot be written: .*; expected a place to write to"):
            write_folder(path, files)

    synced: list[int] = []

    def interrupt(number: int) -> None:
        synced.append(number)
        if len(synced) == 3:  # the trial, the first file, the second
            raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_folder(tmp_path / "another", files)
    assert entries(tmp_path) == before


def test_a_full_disk_is_noticed_before_the_work_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "file").write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    for attempt in (check_writable, lambda path: write_file(path, "new")):
        with pytest.raises(NoughtsError, match="No space left on device"):
            attempt(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "old"
    assert entries(tmp_path) == ["file"]


def test_ctrl_c_while_writing_leaves_the_old_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    (tmp_path / "file").write_text("old")
    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_file(tmp_path / "file", "new")
    assert (tmp_path / "file").read_text() == "old"
    assert entries(tmp_path) == ["file"]


def test_the_full_device_is_full(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["value", "tictactoe", "--svg", "/dev/full"]) == 2
    assert capsys.readouterr().err == (
        "noughts: '/dev/full' cannot be written: No space left on device; expected a place to write to\n"
    )


WITH_OUTPUT = [
    ["value", "qubic", "--svg"],
    ["watch", "tictactoe", "--svg"],
    ["prove", "qubic", "--out"],
    ["knuth", "graph"],
    ["knuth", "plot"],
    ["silicon", "verilog", "chip1990", "--out"],
    ["silicon", "trace", "chip1990", "--vcd"],
    ["silicon", "trace", "chip1990", "--svg"],
    ["silicon", "fpga", "chip1990", "--out"],
]
"""Every command that writes a file."""


@pytest.mark.parametrize("command", WITH_OUTPUT, ids=" ".join)
@pytest.mark.parametrize("path", ["", "/nowhere/file", "/proc/file", "."])
def test_every_command_refuses_a_path_before_it_works(
    command: list[str], path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command, path]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("noughts: Invalid value for")  # while arguments are read, and nothing else is done yet
    assert f"{path!r} " in err
    assert "expected" in err


@pytest.mark.parametrize("command", ["solve six-mens-morris --out", "check", "prove qubic --start"])
def test_an_empty_name_is_not_the_current_folder(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*command.split(), ""]) == 2
    assert capsys.readouterr().err.endswith("'' is no name: expected that of a file or folder\n")


def test_one_of_a_thing_is_no_plural() -> None:
    assert [counted(count, "game") for count in (0, 1, 2, 1234)] == ["0 games", "1 game", "2 games", "1,234 games"]
    assert [counted(count, "ply", "plies") for count in (1, 2)] == ["1 ply", "2 plies"]


@pytest.mark.parametrize("width", range(8, 60, 4))
def test_a_table_never_breaks_a_name(
    width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    names = ["elements2021", "six-mens-morris"]
    print_columns(("", "player", "about"), [("1", name, "some words about it") for name in names], name="player")
    out = capsys.readouterr().out
    assert all(name in out.split() for name in names)
    assert out.split().count("words") == 2
    long = [line for line in out.splitlines() if len(line.rstrip()) > width]
    assert all(line.strip() in names for line in long), "only a name may be wider than the terminal"


def test_a_narrow_terminal_has_lines_instead_of_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    print_columns(("place", "player", "leads to"), [("1", "elements2021", "X" * 30)], name="player", fold=["leads to"])
    assert capsys.readouterr().out == "elements2021\n  place: 1\n  leads to: XXXXXXXX\n  XXXXXXXXXXXXXXXXXX\n  XXXX\n"


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("players", [name for name, kind in PLAYERS.items() if kind not in LEVELS[1:-1]]),
        ("games", list(NAMES)),
        ("doctor", [part.name for part in examine()]),
        ("solve tictactoe", ["0-0", "0-1", "4-4"]),
        ("silicon list", ["chip1990", "elements2021", "elements2021:pruning=yes", "referee2021"]),
        ("value achi", ["a1", "b2", "c3", ".../.X./..."]),
        ("tournament tictactoe perfect c1990 --games 1", ["perfect", "c1990", "0.500"]),
    ],
)
@pytest.mark.parametrize("width", ["20", "30", "40", "60"])
def test_every_table_can_be_read_in_a_narrow_terminal(
    command: str, names: list[str], width: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    assert run(command.split()) == 0
    assert set(names) - set(capsys.readouterr().out.split()) == set()
