"""The morris games on a cluster: the same tables, byte for byte, whoever is killed on the way."""

import os
import signal
import socket
import sys
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from morris_six import SIX, InMemory
from noughts.solve.morris import cluster
from noughts.solve.morris.cluster import Cluster, ClusterError, Traffic, Watch
from noughts.solve.morris.retrograde import Solved, solve_morris
from noughts.solve.morris.shard import Shard, checkpoint_path, last_whole_round
from noughts.solve.morris.subspaces import Key


@pytest.fixture(scope="module")
def alone() -> dict[Key, Solved]:
    """The solution by one machine."""
    return {(one.mover, one.other): one for one in solve_morris(SIX, 6)}


class Killer(Watch):
    """Kills workers in the middle of some rounds, once each, and remembers all that went on."""

    def __init__(self, victims: dict[tuple[Key, int], list[int]]) -> None:
        self.victims = victims
        self.seen: set[int] = set()
        self.rounds: list[tuple[Key, int]] = []
        self.done: list[Traffic] = []

    def round_began(self, pair: Key, number: int, processes: list[int]) -> None:
        self.seen |= set(processes)
        self.rounds.append((pair, number))
        for worker in self.victims.pop((pair, number), []):
            os.kill(processes[worker], signal.SIGKILL)

    def pair_done(self, traffic: Traffic) -> None:
        self.done.append(traffic)


def gone(processes: set[int]) -> bool:
    """Whether processes end within ten seconds."""
    end = time.monotonic() + 10
    while any(Path(f"/proc/{process}").exists() for process in processes):
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def same(one: Solved, other: Solved) -> bool:
    alike = (one.mover, one.other, one.by_mover.dtype) == (other.mover, other.other, other.by_mover.dtype)
    return alike and np.array_equal(one.by_mover, other.by_mover) and np.array_equal(one.counts, other.counts)


def solve_three_against_three(folder: Path, shards: int, rounds: int) -> list[Shard]:
    """So many rounds of 3-3 in this process: nothing passes between shards but the batches."""
    parts = [Shard(SIX.layout, number, shards, str(folder)) for number in range(shards)]
    for part in parts:
        assert part.open((3, 3), None) == -1
    for number in range(rounds):
        swept = [part.sweep(number) for part in parts]
        for place, part in enumerate(parts):
            part.take(number, *(answers[place] for answers in swept))  # type: ignore[arg-type]
    return parts


def spoil(path: Path) -> None:
    """Change one bit of a file."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def test_a_killed_worker_changes_nothing(
    alone: dict[Key, Solved], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Two workers go on from what an earlier run left of 3-3; one of them is killed in the midst of a round of 4-6."""
    folder = tmp_path / "rounds"
    solve_three_against_three(folder, 2, 6)
    spoil(checkpoint_path(folder, (3, 3), 1, 2, 4))
    known = InMemory(SIX, [alone[3, 4], alone[4, 3]])
    watch = Killer({((4, 6), 20): [1]})
    with closing(Cluster("local", folder, watch)) as engine:
        tables = list(solve_morris(SIX, 6, known=known, engine=engine))
    assert [(one.mover, one.other) for one in tables] == [key for key in alone if not known.has(key)]
    assert all(same(one, alone[one.mover, one.other]) for one in tables)
    assert not watch.victims
    assert watch.rounds[0] == ((3, 3), 4)
    assert [number for pair, number in watch.rounds if pair == (4, 6)][19:23] == [19, 20, 20, 21]
    assert len(watch.seen) == 2 + 1
    assert gone(watch.seen)
    assert list(tmp_path.iterdir()) == []
    assert capfd.readouterr().out == ""
    for traffic in watch.done[1:]:
        # A round for the captures, and one for every depth from 0 to the deepest.
        ends = [alone[key].summary() for key in [traffic.pair, traffic.pair[::-1]]]
        assert traffic.rounds == 2 + max(max(end.deepest_win or 0, end.deepest_loss or 0) for end in ends)
        decided = [alone[key].by_mover < 255 for key in dict.fromkeys([traffic.pair, traffic.pair[::-1]])]
        assert traffic.kept + traffic.sent >= sum(int(some.sum()) for some in decided)


def test_three_shards_give_the_same_table_and_come_back_from_their_files(
    alone: dict[Key, Solved], tmp_path: Path
) -> None:
    parts = solve_three_against_three(tmp_path, 3, 11)
    assert np.array_equal(np.concatenate([part.fetch(0) for part in parts]), alone[3, 3].by_mover)
    fresh = Shard(SIX.layout, 2, 3, str(tmp_path))
    assert fresh.open((3, 3), None) == 10
    fresh.restore(10)
    assert np.array_equal(fresh.fetch(0), parts[2].fetch(0))
    by_other, counts = fresh.settle(0)
    expected = parts[2].settle(0)
    assert np.array_equal(by_other, expected[0])
    assert np.array_equal(counts, expected[1])


def test_a_spoiled_checkpoint_and_those_after_it_do_not_count(tmp_path: Path) -> None:
    solve_three_against_three(tmp_path, 2, 6)
    assert [last_whole_round(tmp_path, (3, 3), shard, 2) for shard in range(2)] == [5, 5]
    spoil(checkpoint_path(tmp_path, (3, 3), 0, 2, 0))
    spoil(checkpoint_path(tmp_path, (3, 3), 1, 2, 3))
    assert [last_whole_round(tmp_path, (3, 3), shard, 2) for shard in range(2)] == [-1, 2]


def test_what_answers_but_is_no_cluster_is_said_not_to_be_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "ANSWERING", 3.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        began = time.monotonic()
        with pytest.raises(ClusterError, match=f"^no cluster answers at {address}: [^\n]+$"):
            Cluster(address, tmp_path)
    assert time.monotonic() - began < 10


def test_a_cluster_that_is_not_there_is_named_within_seconds(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{closed.getsockname()[1]}"
        began = time.monotonic()
        with pytest.raises(ClusterError, match=f"^no cluster answers at {address}: [^\n]+$"):
            Cluster(address, tmp_path)
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("address", ["somewhere", ":6379", "host:", "host:port", "host:70000"])
def test_what_is_no_address_is_said_to_be_none(address: str, tmp_path: Path) -> None:
    with pytest.raises(ClusterError, match=f"^no cluster address: '{address}'; expected HOST:PORT, or local$"):
        Cluster(address, tmp_path)


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ClusterError, match=r"pip install 'noughts\[cluster\]'$"):
        Cluster("local", tmp_path)
