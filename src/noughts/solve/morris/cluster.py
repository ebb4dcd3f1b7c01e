"""A cluster as an engine: the shards of a group of subspaces as Ray actors, an actor a processor.

A round is two calls to every actor: `sweep` gives a batch of updates for every shard, and `take` writes the batches
from all shards and then a checkpoint. Batches go from worker to worker through Ray's object store; this process passes
on their names only. The values that moves lead to, of subspaces solved before, are put into the object store once and
read by all.

If a worker dies, or a whole machine with its workers, whatever it was doing, those that are gone are started again on
the machines that are left, all go back to the last round whose checkpoints are all there, and the round is repeated.
The same happens when the whole solve is started again with the same folder and as many shards. The folder must be one
that all machines see.
"""

import shutil
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game
from noughts.solve.morris.shard import Report, Shard
from noughts.solve.morris.subspaces import Key, leads, name_of, slots_of
from noughts.solve.ray_cluster import ClusterError, Joined, is_loss, last_line

__all__ = ["Cluster", "ClusterError", "Traffic", "Watch"]

STARTING = 120.0
"""Seconds in which a worker has to start."""
TRIES = 5
"""How often a round is tried before giving up."""

Bytes = NDArray[np.uint8]


class Traffic(NamedTuple):
    """What solving a group moved about."""

    group: list[Key]
    shards: int
    slots: int
    """Bytes of the values by the mover of the group."""
    rounds: int
    found: int
    """Bytes by the other side that were decided."""
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

    def round_began(self, group: list[Key], number: int, processes: list[int]) -> None:
        """All workers are at a round of a group; these are their processes."""

    def group_done(self, traffic: Traffic) -> None:
        """A group is solved."""


class Cluster:
    """An engine whose memory is that of many machines.

    `address` is HOST:PORT of a Ray cluster, or `local` for two workers on this machine. Checkpoints of a group are kept
    in `folder` until it is kept elsewhere.
    """

    def __init__(self, address: str, folder: Path, watch: Watch | None = None) -> None:
        self.folder, self.watch = folder.absolute(), watch or Watch()
        self._held: dict[Key, Any] = {}
        self._group: list[Key] = []
        self._workers: list[Any] = []
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            expected = "expected a folder that all machines see"
            raise ClusterError(f"{str(self.folder)!r} cannot be written: {error.strerror}; {expected}") from None
        try:
            self._joined = Joined(address)
        except BaseException:
            self._remove_folder()
            raise
        self._ray = self._joined.ray

    def open(self, game: Game, group: list[Key], read: Callable[[Key], Bytes]) -> None:
        self._game, self._group = game, group
        self._needed = list(dict.fromkeys(key for one in group for key in filter(None, leads(game, one))))
        for key in self._needed:
            self._name(key, read)
        self._began = perf_counter()
        self._reports: list[list[Report]] = []
        self._written = 0
        self._number = -1
        """The last round that all workers have finished."""
        if not self._workers:
            self._hire()
        rounds = self._steadily("opening", partial(self._call, "open", *self._opening()))
        self._number = min(rounds)

    def begin(self, advance: Callable[[float], None]) -> tuple[int, int]:
        top = max(self._steadily("beginning", partial(self._call, "restore", self._number)))
        if self._number < 0:
            top = self._round()
        advance(1)
        # Round d + 1 pushes from depth d.
        return top, self._number

    def push(self, depth: int) -> int:
        assert depth == self._number
        return self._round()

    def settle(self) -> dict[Key, NDArray[np.int64]]:
        counts = {}
        for which, key in enumerate(self._group):
            counts[key] = np.sum(self._steadily("settling", partial(self._call, "settle", which)), axis=0)
            parts = self._steadily("fetching", partial(self._call, "fetch", which))
            self._held[key] = self._ray.put(np.concatenate(parts))
        self.watch.group_done(self._traffic())
        return counts

    def hold(self, key: Key, read: Callable[[Key], Bytes]) -> Bytes:
        values: Bytes = self._ray.get(self._name(key, read))
        return values

    def fetch(self, key: Key) -> Callable[[], Bytes]:
        # At once: what a cluster remembers goes with it, and whoever asks one wants a table.
        values: Bytes = self._ray.get(self._held[key])
        return lambda: values

    def forget(self, keys: Iterable[Key]) -> None:
        for key in keys:
            self._held.pop(key, None)
        if self._group:
            shutil.rmtree(self.folder / name_of(self._group[0]), ignore_errors=True)

    def close(self) -> None:
        self._joined.leave()
        self._remove_folder()

    def _remove_folder(self) -> None:
        """Unless there is something in it."""
        with suppress(OSError):
            self.folder.rmdir()

    def _name(self, key: Key, read: Callable[[Key], Bytes]) -> Any:
        """What the object store calls the values of a subspace; `read` gives those that it does not have yet."""
        if key not in self._held:
            self._held[key] = self._ray.put(read(key))
        return self._held[key]

    def _opening(self) -> list[Any]:
        """What a shard is told of a group."""
        return [self._group, self._needed, *(self._held[key] for key in self._needed)]

    def _round(self) -> int:
        """One round by all workers; the largest value found."""
        number = self._number + 1
        reports, sizes = self._steadily(f"round {number}", partial(self._try_round, number))
        self._number = number
        self._reports.append(reports)
        self._written += sum(sizes)
        return max(int(report.top) for report in reports)

    def _try_round(self, number: int) -> tuple[list[Report], list[int]]:
        """Nothing is done unless all workers have done it."""
        shards = len(self._workers)
        swept = [worker.sweep.options(num_returns=shards + 1).remote(number) for worker in self._workers]
        taken = [
            worker.take.remote(number, *(answers[shard] for answers in swept))
            for shard, worker in enumerate(self._workers)
        ]
        self.watch.round_began(self._group, number, self._processes)
        try:
            return self._ray.get([answers[-1] for answers in swept]), self._ray.get(taken)
        except self._ray.exceptions.RayError:
            # Ray complains of errors that nobody looked at.
            for call in [*taken, *(answer for answers in swept for answer in answers)]:
                with suppress(self._ray.exceptions.RayError):
                    self._ray.get(call)
            raise

    def _steadily(self, what: str, action: Callable[[], Any]) -> Any:
        """What an action gives, repeated from the last whole round whenever workers are lost in it."""
        for attempt in range(1, TRIES + 1):
            try:
                if attempt > 1:
                    self._replace()
                return action()
            except self._ray.exceptions.RayError as error:
                if not is_loss(self._ray, error) or attempt == TRIES:
                    raise ClusterError(f"{what} of {name_of(self._group[0])} failed: {_line(error)}") from error
        raise AssertionError

    def _call(self, method: str, *arguments: Any) -> list[Any]:
        """The same call to all workers."""
        answers: list[Any] = self._ray.get([getattr(worker, method).remote(*arguments) for worker in self._workers])
        return answers

    def _hire(self) -> None:
        """Start a worker for every processor there is."""
        shards = max(1, len(self._places()))
        self._workers = [self._start(shard, shards) for shard in range(shards)]
        self._processes = self._await_workers()

    def _replace(self) -> None:
        """Start again the workers that are gone, and take all back to the end of the last round."""
        for shard, worker in enumerate(self._workers):
            try:
                self._ray.get(worker.process.remote())
            except self._ray.exceptions.RayActorError:
                self._workers[shard] = self._start(shard, len(self._workers))
        self._processes = self._await_workers()
        self._call("open", *self._opening())
        self._call("restore", self._number)

    def _places(self) -> list[str]:
        """The machines that are alive, each as often as it has processors."""
        alive = sorted((node["NodeID"], node["Resources"]) for node in self._ray.nodes() if node["Alive"])
        return [name for name, resources in alive for _ in range(int(resources.get("CPU", 0)))]

    def _start(self, shard: int, shards: int) -> Any:
        """A worker on one of the machines that are alive. If some are gone, workers share the processors of the others.

        Therefore they ask for no processor of their own: Ray would let one wait that finds none free. And they are
        bound to their machine: left to choose, Ray puts two on one while another has none.
        """
        strategies: Any = import_module("ray.util.scheduling_strategies")
        places = self._places()
        if not places:
            raise ClusterError("the cluster has 0 processors; expected at least 1")
        where = strategies.NodeAffinitySchedulingStrategy(places[shard % len(places)], soft=False)
        actor = self._ray.remote(num_cpus=0)(Shard).options(scheduling_strategy=where)
        return actor.remote(self._game, shard, shards, str(self.folder))

    def _await_workers(self) -> list[int]:
        """Wait until all workers have started; the numbers of their processes."""
        try:
            numbers: list[int] = self._ray.get([each.process.remote() for each in self._workers], timeout=STARTING)
        except self._ray.exceptions.GetTimeoutError:
            raise ClusterError(f"{len(self._workers)} workers did not start within {STARTING:.0f} seconds") from None
        return numbers

    def _traffic(self) -> Traffic:
        flat = [report for reports in self._reports for report in reports]
        return Traffic(
            self._group,
            len(self._workers),
            sum(slots_of(self._game, key) for key in self._group),
            len(self._reports),
            sum(report.found for report in flat),
            sum(report.kept for report in flat),
            sum(report.sent for report in flat),
            max((sum(report.kept + report.sent for report in reports) for reports in self._reports), default=0),
            self._written,
            perf_counter() - self._began,
        )


def _line(error: BaseException) -> str:
    """What happened, as Ray says in the last line of a message."""
    return last_line(str(error)) or type(error).__name__
