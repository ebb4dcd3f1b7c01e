"""Making and checking a table: who does the work, whether there is room for it, and how a run goes on where one ended.

All that can be known before the work is refused before it: too little memory, no GPU, a folder that cannot be written.
A run that is interrupted, by whatever, leaves a table of all subspaces that it finished; the same run goes on from
there.
"""

from pathlib import Path
from typing import Any, NamedTuple

from noughts.extras import need
from noughts.games import Game, NoughtsError, Outcome
from noughts.solve.machine import OVERHEAD, memory_available, require_memory
from noughts.solve.morris.check import Checker, ProcessorChecker, Witness
from noughts.solve.morris.processor import Processor
from noughts.solve.morris.retrograde import Engine, idle_after, solve_morris
from noughts.solve.morris.subspaces import (
    FEWEST,
    Key,
    after_first,
    first_moves,
    groups,
    in_hand,
    key_of,
    leads,
    meaning,
    slots_of,
    steps,
)
from noughts.solve.morris.verify import verify
from noughts.solve.solution import Progress, Subspace
from noughts.solve.store import Store
from noughts.solve.value import DRAWN, Value
from noughts.solve.verify import Verified

__all__ = ["Making", "Wanted", "check_table", "memory_available", "memory_needed", "solve_into"]

DEVICES = ("cpu", "gpu")


class Wanted(NamedTuple):
    """What is to be solved, where it is to be kept, and who is to do it."""

    game: Game
    upto: int | None = None
    """Only positions with empty hands, and at most so many stones a side; None for the whole game."""
    out: Path | None = None
    """The folder of the table; None if only the counts are wanted."""
    device: str = "cpu"
    cluster: str | None = None
    """The address of a Ray cluster, or `local`."""
    check: bool = False
    """Whether every value is recomputed from its successors."""


class Making:
    """A run that solves a morris game, or its positions with empty hands, into a table or only for the counts."""

    def __init__(self, wanted: Wanted) -> None:
        """Raises an error if something is in the way, before anything long has begun."""
        game, out = wanted.game, wanted.out
        stones = max(game.rules.stones)
        self.wanted, self.game = wanted, game
        self._rows: list[Subspace] = []
        self._after_first: list[int] = []
        if wanted.upto is not None and not FEWEST <= wanted.upto <= stones:
            raise NoughtsError(
                f"{wanted.upto} is not a number of stones a side in {game.name}: expected {FEWEST} to {stones}"
            )
        if wanted.cluster is not None and (wanted.device == "gpu" or wanted.check or out is None):
            raise NoughtsError(
                f"--cluster {wanted.cluster!r} fills a table on processors: expected --out DIR alone with it"
            )
        check_device(wanted.device)
        if wanted.device == "cpu":
            self._check_memory(memory_available())
        self._engine: Any = self._find_engine()
        try:
            self.store = None if out is None else self._try(Store.create(out, game))
        except BaseException:
            self._engine.close()
            raise

    def solve(self, progress: Progress | None) -> None:
        """Solve all subspaces that are not there yet."""
        witness = Witness(self.game, _checker(self.wanted.device), self.store) if self.wanted.check else None
        try:
            if self.store is None:
                for one in solve_morris(self.game, self.wanted.upto, progress, None, self._engine, witness):
                    self._rows.append(one.summary())
                    if one.key == after_first(self.game):
                        self._after_first = one.by_mover.tolist()
            else:
                solve_into(self.store, self.wanted.upto, progress, self._engine, witness)
                self._rows = [self.store.entry(key).row for key in self._keys()]
                if self.wanted.upto is None:
                    self._after_first = self.store.read(*after_first(self.game)).tolist()
        finally:
            self._engine.close()

    def rows(self) -> list[Subspace]:
        """The summaries of the subspaces that were asked for."""
        return self._rows

    def start(self) -> Value | None:
        """What the empty board is worth; None if only positions with empty hands were asked for."""
        if self.wanted.upto is not None:
            return None
        if self.store is not None:
            return meaning(int(self.store.read(*key_of(0, 0, *self.game.rules.stones))[0]))
        # The last subspace has no position but that.
        last = self._rows[-1]
        if last.draws:
            return DRAWN
        win = last.wins > 0
        return Value(Outcome.WIN if win else Outcome.LOSS, last.deepest_win if win else last.deepest_loss)

    def first_moves(self) -> dict[str, Value]:
        """What every first move is worth; nothing if only positions with empty hands were asked for."""
        return first_moves(self.game, self._after_first) if self._after_first else {}

    def kept(self) -> str | None:
        """What an interrupted run leaves, for people; None if that is nothing."""
        return None if self.store is None else self.store.kept()

    def _keys(self) -> list[Key]:
        return [key for group in groups(self.game, self.wanted.upto) for key in group]

    def _try(self, store: Store) -> Store:
        """Find out whether all that is to be written can be."""
        with store.lock():
            store.check_room(self._keys())
            store.try_writing()
        return store

    def _find_engine(self) -> Engine:
        """Whoever is to do the work."""
        wanted = self.wanted
        if wanted.cluster is not None and wanted.out is not None:
            from noughts.solve.morris.cluster import Cluster  # noqa: PLC0415  loads Ray

            return Cluster(wanted.cluster, wanted.out.with_name(f".{wanted.out.name}.rounds"))
        if wanted.device == "gpu":
            from noughts.solve.morris.gpu import Gpu  # noqa: PLC0415  loads CUDA

            engine = Gpu()
            self._check_memory(engine.free_bytes(), "GPU memory")
            return engine
        return Processor()

    def _check_memory(self, there: int | None, kind: str = "memory") -> None:
        """Complain now if solving would need more memory than there is."""
        wanted = self.wanted
        upto = "" if wanted.upto is None else f" with up to {wanted.upto} stones a side, all placed"
        needed = memory_needed(self.game, wanted.upto, kept=wanted.out is not None)
        require_memory(needed, there, f"to solve {self.game.name}{upto}", kind)


def solve_into(
    store: Store,
    most: int | None = None,
    progress: Progress | None = None,
    engine: Engine | None = None,
    witness: Witness | None = None,
) -> None:
    """Solve what the table lacks, and add each subspace when it is done; `most` as in `solve_morris`."""
    keys = [key for group in groups(store.game, most) for key in group]
    store.check_room(keys)
    with store.lock():
        if witness is None and all(map(store.has, keys)):
            return
        for solved in solve_morris(store.game, most, progress, store, engine, witness):
            # One of a group may have been there already: a run was killed between the two.
            if not store.has(solved.key):
                store.write(solved)


def check_table(store: Store, sample: int | None, device: str, progress: Progress | None) -> Verified:
    """Work out every value of a table from its successors, or a sample."""
    check_device(device)
    if not store.keys():
        whole = store.game.rules.stones[0]
        raise NoughtsError(f"{str(store.folder)!r} holds no subspace yet: {store.how_to_make((whole, whole))}")
    return verify(store, sample, progress, _checker(device))


def check_device(device: str) -> None:
    """Complain now if a device is unknown, or not here."""
    if device not in DEVICES:
        raise NoughtsError(f"--device {device!r} is unknown: expected cpu or gpu")
    if device == "gpu":
        need("numba_cuda", "--device gpu")
        _checker(device)


def _checker(device: str) -> Checker:
    if device == "cpu":
        return ProcessorChecker()
    from noughts.solve.morris.gpu import GpuChecker  # noqa: PLC0415  loads CUDA

    return GpuChecker()


def memory_needed(game: Game, most: int | None = None, *, kept: bool = False) -> int:
    """The most bytes that solving holds at once.

    That is all subspaces that later ones look at, and while a group is solved, of each of its subspaces, the values by
    the other side and what captures bring. To check what was found takes no more: the checker looks at the same arrays.

    Args:
        game: A morris game.
        most: As in `solve_morris`.
        kept: Whether there is a table, from which values can be read again.
    """
    ordered = groups(game, most)
    held: set[Key] = set()
    peak = 0
    for group, idle in zip(ordered, idle_after(game, ordered, kept=kept), strict=True):
        held.update(group, *(filter(None, leads(game, key)) for key in group))
        room = 0
        for key in group:
            mover, other = key[:2]
            room += (2 if steps(game, key) else 1) * slots_of(game, (other, mover))
            room += slots_of(game, (other, mover + 1)) if in_hand(key)[0] else 0
        peak = max(peak, sum(slots_of(game, key) for key in held) + room)
        held.difference_update(idle)
    return peak + OVERHEAD
