"""The morris games on a cluster: the same tables, byte for byte, whoever is killed on the way."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from secrets import token_hex

import numpy as np
import pytest

from morris_six import SIX, InMemory
from noughts.extras import MissingExtraError
from noughts.games import game
from noughts.solve import ray_cluster
from noughts.solve.morris.cluster import Cluster, ClusterError, Traffic, Watch
from noughts.solve.morris.retrograde import Solved, solve_morris
from noughts.solve.morris.shard import Shard, checkpoint_path, last_whole_round
from noughts.solve.morris.subspaces import Key, groups, leads, steps
from noughts.solve.store import Store

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def alone() -> dict[Key, Solved]:
    """The solution by one machine."""
    return {one.key: one for one in solve_morris(SIX, 6)}


@cache
def whole_five() -> list[Solved]:
    """Five men's morris by Lasker's rule, by one machine."""
    return list(solve_morris(game("five-mens-morris:moving-while-placing=yes")))


def gone(processes: set[int]) -> bool:
    """Whether processes end within ten seconds."""
    end = time.monotonic() + 10
    while any(Path(f"/proc/{process}").exists() for process in processes):
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def same(one: Solved, other: Solved) -> bool:
    alike = (one.key, one.by_mover.dtype) == (other.key, other.by_mover.dtype)
    return alike and np.array_equal(one.by_mover, other.by_mover) and np.array_equal(one.counts, other.counts)


def solve_three_against_three(folder: Path, shards: int, rounds: int) -> list[Shard]:
    """So many rounds of 3-3 in this process: nothing passes between shards but the batches."""
    parts = [Shard(SIX, number, shards, str(folder)) for number in range(shards)]
    for part in parts:
        assert part.open([(3, 3)], []) == -1
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


def descendants(process: int) -> list[int]:
    """The processes that a process has started, and those that these have."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parent = path.read_text().rpartition(")")[2].split()[1]
            children.setdefault(int(parent), []).append(int(path.parent.name))
    found = children.get(process, [])
    for child in found:
        found.extend(children.get(child, []))
    return found


class Nodes:
    """A Ray cluster of nodes with one processor each, on this machine: every one has a raylet of its own."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self.nodes: list[subprocess.Popen[str]] = []

    def start(self) -> None:
        """The first node is the head of the cluster, the others join it by its address."""
        where = ["--head", f"--port={self.address.split(':')[1]}", "--include-dashboard=false", "--no-monitor"]
        command = [str(Path(sys.executable).with_name("ray")), "start", "--block", "--num-cpus=1"]
        command += ["--node-ip-address=127.0.0.1", "--object-store-memory=80000000", "--disable-usage-stats"]
        command += ["--include-log-monitor=false"]
        command += [f"--address={self.address}"] if self.nodes else where
        node = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
        )
        self.nodes.append(node)
        assert node.stdout is not None
        said = []
        for line in node.stdout:
            said.append(line)
            if "Ray runtime started" in line:
                return
        raise AssertionError("".join(said))

    def kill(self, number: int) -> None:
        """End a node with all its processes at once, as a machine ends that loses its power."""
        for process in [self.nodes[number].pid, *descendants(self.nodes[number].pid)]:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.nodes[number].wait()


@pytest.fixture
def nodes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Nodes]:
    """Two nodes, with a token that only they and this process know, and little patience with the dead."""
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    monkeypatch.setenv("RAY_AUTH_TOKEN", token_hex(32))
    for name, value in {"period_ms": 500, "timeout_ms": 2000, "failure_threshold": 5, "initial_delay_ms": 500}.items():
        monkeypatch.setenv(f"RAY_health_check_{name}", str(value))
    started = Nodes()
    try:
        started.start()
        started.start()
        yield started
    finally:
        for number in range(len(started.nodes)):
            started.kill(number)


class Killer(Watch):
    """Kills a worker in the midst of one round, a whole node in that of another, and remembers all that went on."""

    def __init__(self, nodes: Nodes, worker: tuple[Key, int], node: tuple[Key, int]) -> None:
        self.nodes, self.worker, self.node = nodes, worker, node
        self.rounds: list[tuple[Key, int]] = []
        self.crews: list[list[int]] = []
        self.done: list[Traffic] = []
        self.lost: set[int] = set()
        """The workers of the node."""

    def round_began(self, group: list[Key], number: int, processes: list[int]) -> None:
        pair = group[0]
        again = (pair, number) in self.rounds
        self.rounds.append((pair, number))
        if processes not in self.crews:
            self.crews.append(processes)
        if (pair, number) == self.worker and not again:
            os.kill(processes[0], signal.SIGKILL)
        if (pair, number) == self.node and not again:
            self.lost = set(descendants(self.nodes.nodes[1].pid)) & set(processes)
            self.nodes.kill(1)

    def group_done(self, traffic: Traffic) -> None:
        self.done.append(traffic)

    def repeated(self, pair: Key) -> set[int]:
        """The rounds of a pair that were begun more than once."""
        return {number for where, number in self.rounds if where == pair and self.rounds.count((pair, number)) > 1}


def test_a_killed_worker_and_a_killed_node_change_nothing(
    alone: dict[Key, Solved], tmp_path: Path, capfd: pytest.CaptureFixture[str], nodes: Nodes
) -> None:
    """Two nodes go on from what an earlier run left of 3-3. A worker is killed in 4-5, a whole node in 4-6."""
    folder = tmp_path / "rounds"
    solve_three_against_three(folder, 2, 6)
    spoil(checkpoint_path(folder, (3, 3), 1, 2, 4))
    known = InMemory(SIX, [alone[3, 4], alone[4, 3]])
    watch = Killer(nodes, worker=((4, 5), 7), node=((4, 6), 20))
    with closing(Cluster(nodes.address, folder, watch)) as engine:
        solved = list(solve_morris(SIX, 6, known=known, engine=engine))
    assert [one.key for one in solved] == [key for key in alone if not known.has(key)]
    assert all(same(one, alone[one.key]) for one in solved)
    assert watch.rounds[0] == ((3, 3), 4)
    # A loss is noticed in the round in which it was, or in the next if the last answers were just on their way.
    assert watch.repeated((4, 5)) in ({7}, {8})
    assert watch.repeated((4, 6)) in ({20}, {21})
    first, second, third = watch.crews
    assert first[0] != second[0], "the worker that was killed is another one afterwards"
    assert first[1] == second[1]
    assert len(watch.lost) == 1, (watch.crews, watch.lost)
    assert not watch.lost & set(third)
    assert gone({process for crew in watch.crews for process in crew})
    assert not folder.exists()
    assert capfd.readouterr().out == ""
    for traffic in watch.done[1:]:
        # A round for the captures, and one for every depth from 0 to the deepest.
        ends = [alone[key].summary() for key in traffic.group]
        assert traffic.rounds == 2 + max(max(end.deepest_win or 0, end.deepest_loss or 0) for end in ends)
        decided = [alone[key].by_mover < 255 for key in traffic.group]
        assert traffic.kept + traffic.sent >= sum(int(some.sum()) for some in decided)


def test_a_cluster_on_this_machine_fills_a_table(alone: dict[Key, Solved], tmp_path: Path) -> None:
    out = tmp_path / "table"
    command = [sys.executable, "-m", "noughts", "solve", "six-mens-morris", "--upto", "3", "--cluster", "local"]
    done = subprocess.run([*command, "--out", str(out), "--json"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["positions"] == 10_112
    assert np.array_equal(Store.open(out).read(3, 3), alone[3, 3].by_mover)
    assert [path.name for path in tmp_path.iterdir()] == ["table"]


def test_three_shards_give_the_same_table_and_come_back_from_their_files(
    alone: dict[Key, Solved], tmp_path: Path
) -> None:
    parts = solve_three_against_three(tmp_path, 3, 11)
    assert np.array_equal(np.concatenate([part.fetch(0) for part in parts]), alone[3, 3].by_mover)
    fresh = Shard(SIX, 2, 3, str(tmp_path))
    assert fresh.open([(3, 3)], []) == 10
    fresh.restore(10)
    assert np.array_equal(fresh.fetch(0), parts[2].fetch(0))
    assert np.array_equal(fresh.settle(0), parts[2].settle(0))


@pytest.mark.parametrize("key", [(3, 3, 1, 2), (3, 3, 1, 1), (0, 1, 5, 4), (2, 3, 3, 2)])
def test_shards_solve_positions_with_stones_in_hand(key: Key, tmp_path: Path) -> None:
    """By Lasker's rule: stones are placed or moved, so the groups have rounds as those with empty hands have."""
    rules = game("five-mens-morris:moving-while-placing=yes")
    right = {one.key: one for one in whole_five()}
    (group,) = [group for group in groups(rules) if key in group]
    needed = list(dict.fromkeys(to for one in group for to in filter(None, leads(rules, one))))
    parts = [Shard(rules, number, 3, str(tmp_path)) for number in range(3)]
    for part in parts:
        assert part.open(group, needed, *(right[to].by_mover for to in needed)) == -1
    number = top = 0
    while number == 0 or (number <= top + 1 and any(steps(rules, one) for one in group)):
        swept = [part.sweep(number) for part in parts]
        top = max(top, *(answers[-1].top for answers in swept))  # type: ignore[union-attr]
        for place, part in enumerate(parts):
            part.take(number, *(answers[place] for answers in swept))  # type: ignore[arg-type]
        number += 1
    for which, one in enumerate(group):
        found = np.concatenate([part.fetch(which) for part in parts])
        assert np.array_equal(found, right[one].by_mover)
        assert np.array_equal(sum(part.settle(which) for part in parts), right[one].counts)


def test_a_spoiled_checkpoint_and_those_after_it_do_not_count(tmp_path: Path) -> None:
    solve_three_against_three(tmp_path, 2, 6)
    assert [last_whole_round(tmp_path, (3, 3), shard, 2) for shard in range(2)] == [5, 5]
    spoil(checkpoint_path(tmp_path, (3, 3), 0, 2, 0))
    spoil(checkpoint_path(tmp_path, (3, 3), 1, 2, 3))
    assert [last_whole_round(tmp_path, (3, 3), shard, 2) for shard in range(2)] == [-1, 2]


def test_what_answers_but_is_no_cluster_is_said_not_to_be_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_cluster, "ANSWERING", 3.0)
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


def test_a_place_for_checkpoints_that_cannot_be_is_refused_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ClusterError, match=r"cannot be written: Not a directory; expected a folder that all machines"):
        Cluster("local", tmp_path / "file" / "rounds")


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'noughts\[cluster\]'$"):
        Cluster("local", tmp_path)
