"""The measurements that README and docs quote: `noughts bench`, and nothing else, loads this room.

The machines are shared and noisy: so each figure is the best of several runs, and what is compared is measured in the
same run, as a ratio.
"""

from collections.abc import Callable
from typing import Any

from noughts.bench.engine import bench_engine
from noughts.bench.machines import bench_difficulty, bench_replies, bench_silicon, bench_start
from noughts.bench.morris import bench_morris
from noughts.bench.solving import bench_qubic, bench_solve
from noughts.bench.web import bench_web
from noughts.solve import Progress

__all__ = ["BENCHES"]

BENCHES: dict[str, Callable[[Progress], list[dict[str, Any]]]] = {
    "solve": bench_solve,
    "start": bench_start,
    "replies": bench_replies,
    "qubic": bench_qubic,
    "engine": bench_engine,
    "difficulty": bench_difficulty,
    "silicon": bench_silicon,
    "web": bench_web,
    "morris": bench_morris,
}
"""Every measurement: it is told how to report progress, and returns rows with the same columns."""
