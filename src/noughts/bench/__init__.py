"""The measurements that README and docs quote: `noughts bench`, and nothing else, loads this room.

The machines are shared and noisy: so each figure is the best of several runs, and what is compared is measured in the
same run, as a ratio.
"""

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

from noughts.extras import importing
from noughts.solve import Progress

__all__ = ["AT_LENGTH", "BENCHES"]

Bench = Callable[[Progress], Iterable[dict[str, Any]]]


def _found_in(module: str, name: str) -> Bench:
    """A measurement that is loaded when it is asked for: what one of them needs may not be here."""

    def bench(progress: Progress) -> Iterable[dict[str, Any]]:
        with importing(f"the measurement {name.removeprefix('bench_')}"):
            measure = getattr(import_module(f"noughts.bench.{module}"), name)
        rows: Iterable[dict[str, Any]] = measure(progress)
        return rows

    return bench


BENCHES: dict[str, Bench] = {
    "solve": _found_in("solving", "bench_solve"),
    "start": _found_in("machines", "bench_start"),
    "replies": _found_in("machines", "bench_replies"),
    "keeping": _found_in("keeping", "bench_keeping"),
    "orders": _found_in("orders", "bench_orders"),
    "lookahead": _found_in("lookahead", "bench_lookahead"),
    "qubic": _found_in("solving", "bench_qubic"),
    "engine": _found_in("engine", "bench_engine"),
    "ladder": _found_in("ladder", "bench_ladder"),
    "line220": _found_in("line220", "bench_line220"),
    "difficulty": _found_in("machines", "bench_difficulty"),
    "silicon": _found_in("machines", "bench_silicon"),
    "policies": _found_in("policies", "bench_policies"),
    "duels": _found_in("machines", "bench_duels"),
    "elements": _found_in("elements", "bench_elements"),
    "web": _found_in("web", "bench_web"),
    "live": _found_in("live", "bench_live"),
    "morris": _found_in("morris", "bench_morris"),
    "tables": _found_in("remote", "bench_tables"),
    "rl": _found_in("rl", "bench_rl"),
    "judging": _found_in("judging", "bench_judging"),
}
"""Every measurement: it is told how to report progress, and gives rows with the same columns, all or one by one."""
AT_LENGTH: dict[str, Bench] = {
    "engine": _found_in("engine", "bench_engine_full"),
    "line220": _found_in("line220", "bench_line220_full"),
}
"""Those that have a longer form: `noughts bench --full`."""
