"""Layers on a cluster: the same bytes as on one machine, even if a worker is killed."""

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from noughts.cli.main import run
from noughts.games import game
from noughts.solve.layers import cluster
from noughts.solve.layers.cluster import ClusterSolver, fill_part
from noughts.solve.ray_cluster import ClusterError
from noughts.solve.store import Store

pytestmark = pytest.mark.slow


def test_a_cluster_whose_worker_is_killed_fills_the_same_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    victim = tmp_path / "victim"

    def deadly(*arguments: Any) -> Any:
        """The first worker that comes to five stones is killed."""
        if arguments[1] == 5 and not victim.exists():
            victim.write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        return fill_part(*arguments)

    monkeypatch.setattr(cluster, "fill_part", deadly)
    assert run(["solve", "mnk:4,3,3", "--out", str(tmp_path / "one")]) == 0
    assert run(["solve", "mnk:4,3,3", "--out", str(tmp_path / "two"), "--cluster", "local", "--check"]) == 0
    one, two = Store.open(tmp_path / "one"), Store.open(tmp_path / "two")
    for key in one.form.order():
        assert one.entry(key).sha256 == two.entry(key).sha256
    assert int(victim.read_text()) != os.getpid()


def test_no_cluster_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ClusterError, match="expected HOST:PORT, or local"):
        ClusterSolver(game("mnk:4,3,3"), "nowhere")
    assert run(["solve", "mnk:5,5,4", "--cluster", "local", "--device", "gpu"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
