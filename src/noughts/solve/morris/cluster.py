"""A morris game solved on a cluster: the shards of a pair of subspaces as Ray actors, an actor a processor.

A round is two calls to every actor: `sweep` gives a batch of updates for every shard, and `take` writes the batches
from all shards and then a checkpoint. Batches go from worker to worker through Ray's object store; this process passes
on their names only. The tables that captures lead to are put into the object store once and read by all.

If a worker dies, whatever it was doing, those that are gone are started again, all go back to the last round whose
checkpoints are all there, and the round is repeated. The same happens when the whole solve is started again with the
same folder and as many shards. The folder must be one that all machines see.
"""

import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game, NoughtsError
from noughts.solve.morris.kernel import SAFE
from noughts.solve.morris.retrograde import Key, Known, Solved, keys_of, order, slots
from noughts.solve.morris.shard import Report, Shard, by_other, tables_below
from noughts.solve.solution import Progress

__all__ = ["ClusterError", "Traffic", "Watch", "solve_on_cluster"]

LOCAL_WORKERS = 2
PATIENCE = 4.0
"""Seconds in which a cluster has to answer."""
STARTING = 120.0
"""Seconds in which a worker has to start."""
TRIES = 5
"""How often a round is tried before giving up."""

Bytes = NDArray[np.uint8]


class ClusterError(NoughtsError):
    """A cluster that is not there, or that keeps losing its workers."""


class Traffic(NamedTuple):
    """What solving a pair moved about."""

    pair: Key
    shards: int
    slots: int
    """Bytes of the tables by the mover of the pair."""
    rounds: int
    found: int
    """Bytes of the tables by the other side that were decided."""
    kept: int
    """Updates that stayed in their shard."""
    sent: int
    """Updates that went to another shard, 5 bytes each."""
    largest: int
    """Updates of the largest round, kept and sent."""
    checkpoints: int
    """Bytes written as checkpoints."""
    seconds: float


class Watch:
    """Told what goes on; does nothing about it."""

    def round_began(self, pair: Key, number: int, processes: list[int]) -> None:
        """All workers are at a round of a pair; these are their processes."""

    def pair_done(self, traffic: Traffic) -> None:
        """A pair is solved."""


def solve_on_cluster(
    game: Game,
    most: int,
    address: str,
    folder: Path,
    progress: Progress | None = None,
    known: Known | None = None,
    watch: Watch | None = None,
) -> Iterator[Solved]:
    """Solve all subspaces with at most so many stones a side, and give each when it is done.

    `address` is HOST:PORT of a Ray cluster, or `local` for two workers on this machine. Checkpoints of a pair are kept
    in `folder` until both its subspaces were given. `known` is as for `solve_morris`.
    """
    ray = _need_ray()
    # Ray tells of lost workers on standard output, which is not its to write on.
    printing: Any = import_module("ray._private.worker")
    printing._worker_logs_enabled = False
    try:
        _join(ray, address)
        yield from _solve(ray, game, most, folder, progress, known, watch or Watch())
    finally:
        ray.shutdown()
        printing._worker_logs_enabled = True


def _need_ray() -> Any:
    try:
        return import_module("ray")
    except ImportError:
        raise ClusterError("a cluster needs ray, which is not installed: pip install 'noughts[cluster]'") from None


def _join(ray: Any, address: str) -> None:
    """Join a cluster, or start one here; Ray itself would look for a missing one for minutes."""
    if address == "local":
        ray.init(
            address="local",
            num_cpus=LOCAL_WORKERS,
            include_dashboard=False,
            log_to_driver=False,
            logging_level="ERROR",
        )
        return
    host, colon, port = address.rpartition(":")
    if not (colon and host and port.isdecimal() and 0 < int(port) < 1 << 16):
        raise ClusterError(f"no cluster address: {address!r}; expected HOST:PORT, or local")
    try:
        with socket.create_connection((host, int(port)), PATIENCE) as line:
            speaks = os.environ.get("RAY_USE_TLS") == "1" or _speaks_http2(line)
    except OSError as error:
        raise ClusterError(f"no cluster answers at {address}: {error.strerror or error}") from None
    if not speaks:
        raise ClusterError(f"no cluster answers at {address}: expected a Ray cluster, found something else")
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise ClusterError(f"no Ray cluster at {address}: {str(error).splitlines()[0]}") from None


def _speaks_http2(line: socket.socket) -> bool:
    """Whether the other end greets as gRPC does, on which Ray is built: with a frame of settings, type 4."""
    line.settimeout(PATIENCE)
    line.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]))
    return line.recv(4)[3:] == b"\x04"


def _solve(
    ray: Any,
    game: Game,
    most: int,
    folder: Path,
    progress: Progress | None,
    known: Known | None,
    watch: Watch,
) -> Iterator[Solved]:
    crew = _Crew(ray, game, folder, watch)
    below: dict[Key, Any] = {}
    pairs = order(most)
    sizes = [sum(slots(game, key) for key in keys_of(pair)) for pair in pairs]
    for number, pair in enumerate(pairs):
        if progress:
            progress(sum(sizes[:number]), sum(sizes))
        # Captures lead to pairs with one stone less and to no others.
        below = {key: table for key, table in below.items() if sum(key) >= sum(pair) - 1}
        if known is not None:
            if all(map(known.has, keys_of(pair))):
                continue
            for key in tables_below(pair):
                if key and key not in below:
                    below[key] = ray.put(by_other(game.layout, key, known.read(*key)))
        began = perf_counter()
        crew.solve(pair, [below.get(key) if key else None for key in tables_below(pair)])
        seconds = (perf_counter() - began) / len(keys_of(pair))
        for which, key in enumerate(keys_of(pair)):
            tables, by_mover, counts = zip(*crew.call("finish", which), strict=True)
            below[key] = ray.put(np.concatenate(tables))
            yield Solved(*key, np.concatenate(by_mover), np.sum(counts, axis=0), seconds)
        shutil.rmtree(folder / f"{pair[0]}-{pair[1]}", ignore_errors=True)


class _Crew:
    """The workers, and the rounds they go through."""

    def __init__(self, ray: Any, game: Game, folder: Path, watch: Watch) -> None:
        self.ray, self.game, self.folder, self.watch = ray, game, folder.absolute(), watch
        self.shards = int(ray.cluster_resources().get("CPU", 0))
        if self.shards == 0:
            raise ClusterError("the cluster has 0 processors; expected at least 1")
        self.actor = ray.remote(num_cpus=1)(Shard)
        self.workers = [self._start(shard) for shard in range(self.shards)]
        self.processes = self._processes()

    def call(self, method: str, *arguments: Any) -> list[Any]:
        """The same call to all workers."""
        answers: list[Any] = self.ray.get([getattr(worker, method).remote(*arguments) for worker in self.workers])
        return answers

    def solve(self, pair: Key, below: list[Any]) -> None:
        """Go through the rounds of a pair, from wherever its checkpoints are."""
        began = perf_counter()
        number = min(self.call("open", pair, *below))
        top = max(self.call("restore", number))
        reports: list[list[Report]] = []
        written = failures = 0
        # Round d + 1 pushes from depth d, and the depth has to pass the largest value.
        while number < top + 1:
            try:
                done, sizes = self._round(pair, number + 1)
            except self.ray.exceptions.RayError as error:
                failures += 1
                if not _is_loss(self.ray, error) or failures == TRIES:
                    raise ClusterError(f"round {number + 1} of {pair[0]}-{pair[1]} failed: {_line(error)}") from error
                self._replace(pair, below, number)
                continue
            failures = 0
            number += 1
            reports.append(done)
            written += sum(sizes)
            top = max(top, *(report.top for report in done))
        assert top < SAFE
        flat = [report for done in reports for report in done]
        self.watch.pair_done(
            Traffic(
                pair,
                self.shards,
                sum(slots(self.game, key) for key in keys_of(pair)),
                len(reports),
                sum(report.found for report in flat),
                sum(report.kept for report in flat),
                sum(report.sent for report in flat),
                max((sum(report.kept + report.sent for report in done) for done in reports), default=0),
                written,
                perf_counter() - began,
            )
        )

    def _round(self, pair: Key, number: int) -> tuple[list[Report], list[int]]:
        """One round; nothing is done unless all workers have done it."""
        swept = [worker.sweep.options(num_returns=self.shards + 1).remote(number) for worker in self.workers]
        taken = [
            worker.take.remote(number, *(answers[shard] for answers in swept))
            for shard, worker in enumerate(self.workers)
        ]
        self.watch.round_began(pair, number, self.processes)
        try:
            return self.ray.get([answers[-1] for answers in swept]), self.ray.get(taken)
        except self.ray.exceptions.RayError:
            self._let_end([*taken, *(answer for answers in swept for answer in answers)])
            raise

    def _let_end(self, calls: list[Any]) -> None:
        """Wait for calls whose answers no longer matter; Ray complains of errors that nobody looked at."""
        for call in calls:
            with suppress(self.ray.exceptions.RayError):
                self.ray.get(call)

    def _replace(self, pair: Key, below: list[Any], number: int) -> None:
        """Start again the workers that are gone, and take all back to the end of a round."""
        for shard, worker in enumerate(self.workers):
            try:
                self.ray.get(worker.process.remote())
            except self.ray.exceptions.RayActorError:
                self.workers[shard] = self._start(shard)
        self.processes = self._processes()
        self.call("open", pair, *below)
        self.call("restore", number)

    def _start(self, shard: int) -> Any:
        return self.actor.remote(self.game.layout, shard, self.shards, str(self.folder))

    def _processes(self) -> list[int]:
        try:
            numbers: list[int] = self.ray.get([worker.process.remote() for worker in self.workers], timeout=STARTING)
        except self.ray.exceptions.GetTimeoutError:
            raise ClusterError(f"{self.shards} workers did not start within {STARTING:.0f} seconds") from None
        return numbers


def _is_loss(ray: Any, error: BaseException) -> bool:
    """Whether a worker or what it held was lost, and not a mistake in the work."""
    errors = ray.exceptions
    losses = (errors.RayActorError, errors.ObjectLostError, errors.WorkerCrashedError, errors.NodeDiedError)
    return isinstance(error, losses) or isinstance(getattr(error, "cause", None), losses)


def _line(error: BaseException) -> str:
    """The last line of a message: where Ray says what happened."""
    lines = str(error).strip().splitlines()
    return lines[-1] if lines else type(error).__name__
