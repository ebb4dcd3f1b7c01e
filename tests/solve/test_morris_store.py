"""Tables on disk: what is written is read, whatever goes wrong, and a table always says what it has."""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from math import comb
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest
import zarr
from numpy.typing import NDArray

from noughts.games import game
from noughts.solve import store as store_module
from noughts.solve.morris import making
from noughts.solve.morris.making import solve_into
from noughts.solve.morris.numbering import sets_of
from noughts.solve.morris.retrograde import Solved, solve_morris
from noughts.solve.morris.subspaces import keys_upto, slots_of
from noughts.solve.store import Store, TableError
from oracles.morris_tables import MorrisTables, positions_up_to_symmetry

pytestmark = pytest.mark.slow

SIX, NINE = game("six-mens-morris"), game("nine-mens-morris")


@pytest.fixture(scope="module")
def solved() -> list[Solved]:
    return list(solve_morris(SIX, 4))


@pytest.fixture
def table(tmp_path: Path, solved: list[Solved]) -> Store:
    store = Store.create(tmp_path / "six", SIX)
    for one in solved:
        store.write(one)
    return store


def made_up(mover: int, other: int, seed: int = 1) -> Solved:
    """A subspace of nine men's morris with any bytes: large enough for several chunks."""
    values = np.random.default_rng(seed).choice(np.array([1, 2, 3, 255], np.uint8), slots_of(NINE, (mover, other)))
    return Solved((mover, other), len(values), np.bincount(values, minlength=256), 0.5, lambda: values)


def files_of(folder: Path) -> dict[str, bytes]:
    """All files of a table but the manifest and the lock."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("manifest.json", ".lock")
    }


def manifest_of(folder: Path) -> dict[str, Any]:
    """The manifest without the times, which differ from run to run."""
    manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    for row in manifest["subspaces"]:
        del row["seconds"]
    return manifest


def replay(solved: list[Solved]) -> Any:
    """A solver that knows the answers already."""

    def solver(*_arguments: Any) -> Iterator[Solved]:
        yield from solved

    return solver


def never() -> Any:
    """An engine that must not be asked for anything."""
    return object()


def test_what_is_written_is_read(table: Store, solved: list[Solved]) -> None:
    again = Store.open(table.folder)
    assert again.game is SIX
    assert again.keys() == [(3, 3), (3, 4), (4, 3), (4, 4)]
    assert again.rows() == [one.summary() for one in solved]
    for one in solved:
        assert (again.read(*one.key) == one.by_mover).all()


def test_other_tools_can_read_it(table: Store, solved: list[Solved]) -> None:
    group = zarr.open_group(table.folder, mode="r")
    array = group["4-3"]
    assert isinstance(array, zarr.Array)
    assert array.shape == (len(sets_of(SIX.layout, 4).representatives), comb(12, 3))
    assert array.compressors == (zarr.codecs.ZstdCodec(level=3), zarr.codecs.Crc32cCodec())
    assert (np.asarray(array[:]).reshape(-1) == solved[2].by_mover).all()


def test_a_block_is_read_alone(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "nine", NINE)
    one = made_up(4, 4)
    store.write(one)
    size = comb(20, 4)
    chunks = sorted((store.folder / "4-4").glob("c.*"), key=lambda path: int(path.name.split(".")[1]))
    assert len(chunks) == 4
    for path in chunks[1:]:
        path.unlink()
    blocks = store_module.CHUNK // size
    for number in (0, 1, blocks - 1):
        assert bytes(store.block((4, 4), number)) == one.by_mover[number * size : (number + 1) * size].tobytes()
    with pytest.raises(TableError, match="chunk 1 is missing"):
        store.block((4, 4), blocks)
    with pytest.raises(TableError, match="no block of subspace 4-4: expected 0 to"):
        store.block((4, 4), len(one.by_mover) // size)


def test_every_chunk_is_written_even_if_all_are_draws(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "nine", NINE)
    values = np.full(slots_of(NINE, (4, 4)), 255, np.uint8)
    store.write(Solved((4, 4), len(values), np.bincount(values, minlength=256), 0.5, lambda: values))
    assert len(list((store.folder / "4-4").glob("c.*"))) == 4
    assert set(store.block((4, 4), 0)) == {255}


@pytest.mark.parametrize("where", [0, 0.3, 0.999])
def test_a_flipped_byte_is_found(table: Store, where: float) -> None:
    chunk = table.folder / "3-3" / "c.0.0"
    content = bytearray(chunk.read_bytes())
    content[int(where * len(content))] ^= 4
    chunk.write_bytes(content)
    for read in (lambda: table.read(3, 3), lambda: table.block((3, 3), 0)):
        with pytest.raises(TableError, match=r"subspace 3-3 of .* is damaged"):
            read()
    assert len(table.read(4, 4)) == slots_of(SIX, (4, 4))


def test_a_missing_chunk_is_not_taken_for_draws(table: Store) -> None:
    (table.folder / "3-3" / "c.0.0").unlink()
    with pytest.raises(TableError, match=r"3-3 of .* is damaged: its bytes have not the SHA-256"):
        table.read(3, 3)
    with pytest.raises(TableError, match=r"3-3 of .* is damaged: chunk 0 is missing"):
        table.block((3, 3), 0)


def test_an_array_of_another_subspace_is_found(table: Store) -> None:
    shutil.rmtree(table.folder / "3-3")
    shutil.copytree(table.folder / "3-4", table.folder / "3-3")
    with pytest.raises(
        TableError, match=r"3-3 of .* is damaged: its array is \(42, 715\) of uint8, not \(42, 286\) of uint8"
    ):
        Store.open(table.folder).read(3, 3)


def change(path: tuple[str | int, ...], value: Any) -> Any:
    """A change to a manifest."""

    def changed(manifest: Any) -> Any:
        inside = manifest
        for name in path[:-1]:
            inside = inside[name]
        if value is None:
            del inside[path[-1]]
        else:
            inside[path[-1]] = value
        return manifest

    return changed


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (change(("format",), 2), "has format 2: expected 1"),
        (change(("game",), "nine-mens-morris"), "has other rules than nine-mens-morris"),
        (change(("game",), "achi"), "'achi' has no tables: expected a morris game"),
        (change(("game",), "chess"), "'chess' is not a game"),
        (change(("game",), None), "lacks the field 'game'"),
        (change(("rules", "flying"), 4), "has other rules than six-mens-morris"),
        (change(("subspaces", 0, "name"), "7-7"), "names '7-7', which is no subspace of six-mens-morris"),
        (change(("subspaces", 0, "slots"), 12013), "gives 3-3 12013 slots: expected 12012"),
        (change(("subspaces", 0, "wins"), 1), "gives 3-3 10112 positions: expected wins"),
        (change(("subspaces", 1, "sha256"), None), "lacks the field 'sha256'"),
        (change(("subspaces", 1, "draws"), "many"), "gives 3-4 draws 'many': expected a number"),
        (change(("subspaces",), 3), "expected a list of subspaces with their counts"),
        (lambda _manifest: [], "is not a manifest"),
        (lambda _manifest: "{", "is not a manifest"),
    ],
)
def test_a_manifest_that_makes_no_sense_is_refused(table: Store, changed: Any, message: str) -> None:
    path = table.folder / "manifest.json"
    path.write_text(json.dumps(changed(json.loads(path.read_text()))))
    with pytest.raises(TableError, match=message) as refused:
        Store.open(table.folder)
    assert "\n" not in str(refused.value)


def test_broken_json_is_refused(table: Store) -> None:
    (table.folder / "manifest.json").write_text("{")
    with pytest.raises(TableError, match="is not a manifest: expected JSON"):
        Store.open(table.folder)


def test_a_subspace_that_is_named_but_not_there_is_missed(table: Store) -> None:
    shutil.rmtree(table.folder / "3-4")
    with pytest.raises(TableError, match="lacks subspace 3-4, which its manifest names"):
        Store.open(table.folder)


def test_a_subspace_that_was_deleted_is_made_again(table: Store) -> None:
    made = files_of(table.folder)
    chunk = table.folder / "3-4" / "c.0.0"
    chunk.write_bytes(chunk.read_bytes()[:-1] + b"!")
    again = r"expected '3-4' there to be deleted and noughts solve six-mens-morris --out .* --upto 4 run again"
    with pytest.raises(TableError, match=f"chunk 0 has not the bytes that were written; {again}$"):
        Store.open(table.folder).read(3, 4)
    shutil.rmtree(table.folder / "3-4")
    solve_into(Store.create(table.folder, SIX), 4)
    assert files_of(table.folder) == made
    assert len(Store.open(table.folder).keys()) == 4


def test_a_subspace_that_was_never_made_is_named_with_the_command_that_makes_it(table: Store) -> None:
    with pytest.raises(TableError, match=r"has no subspace 5-3: .*noughts solve six-mens-morris --out .* --upto 5"):
        table.read(5, 3)


def test_what_is_no_table_is_refused(tmp_path: Path, table: Store) -> None:
    with pytest.raises(TableError, match="no such folder"):
        Store.open(tmp_path / "nowhere")
    (tmp_path / "home").mkdir()
    with pytest.raises(TableError, match="is no table"):
        Store.open(tmp_path / "home")
    (tmp_path / "home" / "letter.txt").touch()
    with pytest.raises(TableError, match=r"holds 'letter.txt': expected a table or an empty folder"):
        Store.create(tmp_path / "home", SIX)
    with pytest.raises(TableError, match="is a table of six-mens-morris: expected one of nine-mens-morris"):
        Store.create(table.folder, NINE)
    with pytest.raises(TableError, match="'arabian' has no tables"):
        Store.create(tmp_path / "other", game("arabian"))
    with pytest.raises(TableError, match="cannot be written: Not a directory"):
        Store.create(tmp_path / "home" / "letter.txt" / "table", SIX)


@pytest.mark.parametrize("chunks", [0, 2])
def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunks: int) -> None:
    store = Store.create(tmp_path / "nine", NINE)
    store.write(made_up(3, 3))
    before, manifest = files_of(store.folder), manifest_of(store.folder)
    left = iter(range(chunks + 1))
    write = zarr.storage.LocalStore.set

    async def full(self: Any, key: str, value: Any) -> None:
        if key.startswith("c.") and next(left, None) is None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        await write(self, key, value)

    monkeypatch.setattr(zarr.storage.LocalStore, "set", full)
    with pytest.raises(TableError, match="No space left on device; expected more room; 1 finished subspaces are kept"):
        store.write(made_up(4, 4))
    assert files_of(store.folder) == before
    assert manifest_of(store.folder) == manifest
    assert not store.has((4, 4))
    assert Store.open(store.folder).keys() == [(3, 3)]


def test_a_disk_that_is_full_at_the_manifest_leaves_nothing_either(
    table: Store, solved: list[Solved], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    store = Store.create(tmp_path / "new", SIX)
    store.write(solved[0])
    before = files_of(store.folder)

    def full(self: Path, _text: str) -> int:
        self.touch()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(TableError, match="expected more room"):
        store.write(solved[1])
    assert files_of(store.folder) == before
    monkeypatch.undo()
    monkeypatch.setattr(making, "solve_morris", replay(solved))
    solve_into(store, 4)
    assert files_of(store.folder) == files_of(table.folder)


def test_ctrl_c_at_any_line_leaves_a_table_that_has_what_its_manifest_says(
    tmp_path: Path, solved: list[Solved]
) -> None:
    lines, stop = 0, -1

    def traced(frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal lines
        if frame.f_code.co_filename != store_module.__file__:
            return None
        if event == "line":
            lines += 1
            if lines == stop:
                raise KeyboardInterrupt
        return traced

    def write(one: Solved) -> None:
        nonlocal lines
        lines = 0
        sys.settrace(traced)
        try:
            store.write(one)
        finally:
            sys.settrace(None)

    store = Store.create(tmp_path / "whole", SIX)
    store.write(solved[0])
    write(solved[1])
    said = set()
    for stop in range(1, lines + 1):
        store = Store.create(tmp_path / str(stop), SIX)
        store.write(solved[0])
        with pytest.raises(KeyboardInterrupt):
            write(solved[1])
        found = Store.open(store.folder)
        said.add(kept := len(found.keys()))
        assert store.kept().startswith(f"{kept} subspace")
        for one in solved[:kept]:
            assert (found.read(*one.key) == one.by_mover).all()
        with found.lock():
            found.write(solved[1])
        assert [path.name for path in sorted(store.folder.glob("*-*"))] == ["3-3", "3-4"]
    assert said == {1, 2}


def test_too_little_room_is_said_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store.create(tmp_path / "nine", NINE)
    usage = shutil.disk_usage(tmp_path)._replace(free=2_000_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: usage)

    with pytest.raises(TableError, match=r"2.0 GB are free at .*: expected room for a table of up to 2.8 GB"):
        solve_into(store, 9, engine=never())
    usage = usage._replace(free=3_000_000_000)
    store.check_room(keys_upto(9))
    usage = usage._replace(free=1_900_000)
    with pytest.raises(TableError, match=r"1.9 MB are free at .*: expected room for a table of up to 2.8 GB"):
        store.check_room(keys_upto(9))


def test_two_runs_do_not_write_one_table(table: Store) -> None:
    with table.lock(), pytest.raises(TableError, match="is being written by another run"):
        solve_into(Store.open(table.folder), 5)


KILLED = """
import sys, time
from pathlib import Path
from noughts.games import game
from noughts.solve import store
from noughts.solve.morris import making

moment, folder = sys.argv[1:]
write_array, write_manifest = store._write_array, store._write_manifest
def wait():
    print("now", flush=True)
    time.sleep(600)
def writing(path, shape, part):
    digest = write_array(path, shape, part)
    if moment == "writing" and path.name.startswith(".4-3"):
        (path / "c.0.0").write_bytes((path / "c.0.0").read_bytes()[:100])
        wait()
    return digest
def naming(folder, game, entries):
    if moment == "naming" and (4, 3) in entries:
        wait()
    write_manifest(folder, game, entries)
store._write_array, store._write_manifest = writing, naming
making.solve_into(store.Store.create(Path(folder), game("six-mens-morris")), 4)
"""


@pytest.mark.parametrize("moment", ["writing", "naming"])
def test_a_run_that_was_killed_goes_on_to_the_same_table(tmp_path: Path, table: Store, moment: str) -> None:
    folder = tmp_path / "killed"
    run = subprocess.Popen([sys.executable, "-c", KILLED, moment, str(folder)], stdout=subprocess.PIPE, text=True)
    assert run.stdout is not None
    assert run.stdout.readline() == "now\n"
    run.send_signal(signal.SIGKILL)
    assert run.wait() == -signal.SIGKILL
    run.stdout.close()
    left = Store.open(folder)
    assert left.keys() == [(3, 3), (3, 4)]
    assert len(left.read(3, 4)) == slots_of(SIX, (3, 4))
    store = Store.create(folder, SIX)
    solve_into(store, 4)
    assert files_of(folder) == files_of(table.folder)
    assert manifest_of(folder) == manifest_of(table.folder)


def test_a_table_grows_and_what_is_there_is_not_made_again(table: Store, solved: list[Solved]) -> None:
    before = manifest_of(table.folder)

    solve_into(table, 4, engine=never())
    assert manifest_of(table.folder) == before
    solve_into(table, 5)
    assert set(table.keys()) == {(mover, other) for mover in (3, 4, 5) for other in (3, 4, 5)}
    assert table.rows()[:2] == [one.summary() for one in solved[:2]]


def test_a_run_that_goes_on_reads_only_what_captures_lead_to(table: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    solve_into(table, 5)
    read: list[tuple[int, int]] = []
    whole = Store.read

    def reading(self: Store, mover: int, other: int) -> NDArray[np.uint8]:
        read.append((mover, other))
        return whole(self, mover, other)

    monkeypatch.setattr(Store, "read", reading)
    solve_into(table, 6)
    assert sorted(read) == [(5, 3), (5, 4), (5, 5)]


def test_nine_mens_morris_has_9193626407_slots_for_8904593601_positions() -> None:
    positions = positions_up_to_symmetry(MorrisTables(3).symmetries)
    keys = keys_upto(9)
    assert len(keys) == len(set(keys)) == 49
    assert sum(positions[mover, other] for mover, other in keys) == 8_904_593_601
    assert sum(slots_of(NINE, key) for key in keys) == 9_193_626_407
    classes = {stones: len(sets_of(NINE.layout, stones).representatives) for stones in range(3, 10)}
    for mover, other in keys:
        assert slots_of(NINE, (mover, other)) == classes[mover] * comb(24 - mover, other)


def test_the_rows_count_every_position_once(table: Store) -> None:
    positions = positions_up_to_symmetry(MorrisTables(2).symmetries)
    for key, row in zip(table.keys(), table.rows(), strict=True):
        assert row.positions == positions[key[0], key[1]]
        assert row.slots == len(sets_of(SIX.layout, key[0]).representatives) * comb(16 - key[0], key[1])
