"""Making and checking a table: who does the work, whether there is room for it, and how a run goes on where one ended.

All that can be known before the work is refused before it: too little memory, no GPU, a folder that cannot be written.
A run that is interrupted, by whatever, leaves a table of all subspaces that it finished; the same run goes on from
there.
"""

from pathlib import Path
from typing import Any, NamedTuple

from noughts.extras import need
from noughts.games import Game, NoughtsError
from noughts.solve.machine import OVERHEAD, memory_available, require_memory
from noughts.solve.morris.book import FILE_NAME, Book, BookError, book_of
from noughts.solve.morris.check import Checker, ProcessorChecker, Witness, verify
from noughts.solve.morris.openings import bytes_needed, check_book, make_book
from noughts.solve.morris.processor import Processor
from noughts.solve.morris.retrograde import Engine, solve_morris
from noughts.solve.morris.subspaces import FEWEST, keys_of, keys_upto, slots_of
from noughts.solve.solution import Progress, Subspace
from noughts.solve.store import Store
from noughts.solve.value import Value
from noughts.solve.verify import Verified

__all__ = ["Making", "Wanted", "check_table", "memory_available", "memory_needed", "solve_into"]

DEVICES = ("cpu", "gpu")
SEARCHED = 5
"""Stones in hand from which a search reaches the placed positions while somebody waits: a book goes so far."""


class Wanted(NamedTuple):
    """What is to be solved, where it is to be kept, and who is to do it."""

    game: Game
    upto: int | None = None
    """Most stones a side; None for all."""
    out: Path | None = None
    """The folder of the table; None if only the counts are wanted."""
    device: str = "cpu"
    cluster: str | None = None
    """The address of a Ray cluster, or `local`."""
    check: bool = False
    """Whether every value is recomputed from its successors."""
    book: int | None = None
    """Plies of the book; 0 for none, None for as many as a search needs."""


class Making:
    """A run that solves a morris game once all stones are placed, into a table or only for the counts.

    A table that is whole gets a book of the first plies of the placing phase: from its end a search reaches the placed
    positions at once.
    """

    def __init__(self, wanted: Wanted) -> None:
        """Raises an error if something is in the way, before anything long has begun."""
        game, out = wanted.game, wanted.out
        stones = game.rules.stones[0]
        self.wanted, self.game = wanted, game
        self.most = stones if wanted.upto is None else wanted.upto
        self.notes: list[str] = []
        """What people should know beforehand."""
        self._rows: list[Subspace] = []
        if not FEWEST <= self.most <= stones:
            raise NoughtsError(
                f"{wanted.upto} is not a number of stones a side in {game.name}: expected {FEWEST} to {stones}"
            )
        if wanted.book and (out is None or self.most < stones):
            raise NoughtsError(
                f"--book {wanted.book} takes all stones and a place to keep it: expected --out DIR, and no --upto"
            )
        check_device(wanted.device)
        if wanted.cluster is not None and (wanted.device == "gpu" or wanted.check or out is None):
            raise NoughtsError(
                f"--cluster {wanted.cluster!r} fills a table on processors: expected --out DIR alone with it"
            )
        if wanted.device == "cpu":
            check_memory(game, self.most, memory_available(), check=wanted.check)
        self.plies = 0 if out is None or self.most < stones else self._plies_of_book(out)
        self._engine: Any = self._find_engine()
        try:
            self.store = None if out is None else self._try(Store.create(out, game))
        except BaseException:
            self._engine.close()
            raise

    def solve(self, progress: Progress | None) -> None:
        """Solve all subspaces that are not there yet."""
        witness = Witness(self.game, _checker(self.wanted.device)) if self.wanted.check else None
        try:
            if self.store is None:
                solved = solve_morris(self.game, self.most, progress, None, self._engine, witness)
                self._rows = [one.summary() for one in solved]
            else:
                solve_into(self.store, self.most, progress, self._engine, witness)
                self._rows = [row for row in self.store.rows() if max(map(int, row.name.split("-"))) <= self.most]
        finally:
            self._engine.close()

    def make_book(self, progress: Progress | None) -> None:
        """Solve the placing phase down to the empty board and keep the first plies beside the subspaces."""
        assert self.store is not None
        placer = self._engine if self.wanted.device == "gpu" else Processor()
        make_book(self.game, self.store.read, self.plies, self.store.folder / FILE_NAME, progress, placer)

    def rows(self) -> list[Subspace]:
        """The summaries of the subspaces that were asked for."""
        return self._rows

    def start(self) -> Value | None:
        """What the empty board is worth, if a book says so."""
        book = book_of(self.game, self.wanted.out)
        return None if book is None else book.value(self.game.start())

    def kept(self) -> str | None:
        """What an interrupted run leaves, for people; None if that is nothing."""
        return None if self.store is None else self.store.kept()

    def _try(self, store: Store) -> Store:
        """Find out whether all that is to be written can be."""
        with store.lock():
            store.check_room(keys_upto(self.most))
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
            check_memory(self.game, self.most, engine.free_bytes(), "GPU memory", wanted.check)
            return engine
        return Processor()

    def _plies_of_book(self, out: Path) -> int:
        """How many plies of a book are to be made: none if it is there or, unless asked for, if memory is short."""
        game, asked = self.game, self.wanted.book
        plies = sum(game.rules.stones) - SEARCHED if asked is None else asked
        last = sum(game.rules.stones) - 1
        if plies > last:
            raise NoughtsError(
                f"--book {plies} is more than the placing phase of {game.name} has: expected 0 to {last}"
            )
        path = out / FILE_NAME
        if plies == 0 or (path.exists() and Book(path, game).plies >= plies):
            return 0
        needed, there = bytes_needed(game) + OVERHEAD, memory_available()
        if self.wanted.device == "cpu" and there is not None and there < needed:
            expected = f"expected {needed / 1e9:.1f} GB to solve the placing phase of {game.name}"
            problem = f"{there / 1e9:.1f} GB of memory are available: {expected}"
            if asked is not None:
                raise NoughtsError(problem)
            self.notes.append(f"the table will have no book: {problem}")
            return 0
        return plies


def solve_into(
    store: Store,
    most: int,
    progress: Progress | None = None,
    engine: Engine | None = None,
    witness: Witness | None = None,
) -> None:
    """Solve all subspaces with at most so many stones a side that the table lacks, and add each when it is done."""
    store.check_room(keys_upto(most))
    with store.lock():
        if witness is None and all(map(store.has, keys_upto(most))):
            return
        for solved in solve_morris(store.game, most, progress, store, engine, witness):
            # One of a pair may have been there already: a run was killed between the two.
            if not store.has((solved.mover, solved.other)):
                store.write(solved)


def check_table(store: Store, sample: int | None, device: str, progress: Progress | None) -> Verified:
    """Work out every value of a table from its successors, or a sample; and some of its book, if it has one."""
    check_device(device)
    if not store.keys():
        whole = store.game.rules.stones[0]
        raise NoughtsError(f"{str(store.folder)!r} holds no subspace yet: {store.how_to_make((whole, whole))}")
    found = verify(store, sample, progress, _checker(device))
    path = store.folder / FILE_NAME
    if found.first_wrong is None and path.exists():
        try:
            compared, wrong = check_book(Book(path, store.game), store, progress)
        except BookError as error:
            compared, wrong = 0, str(error)
        found = found._replace(checked=found.checked + compared, first_wrong=wrong)
    return found


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


def check_memory(game: Game, most: int, there: int | None, kind: str = "memory", check: bool = False) -> None:
    """Complain now if solving would need more memory than there is."""
    what = f"to solve {game.name} with up to {most} stones a side"
    require_memory(memory_needed(game, most, check), there, what, kind)


def memory_needed(game: Game, most: int, check: bool = False) -> int:
    """The most bytes that solving holds at once.

    While a pair is solved there are three arrays of each of its subspaces, and one of all others with as many stones in
    all or with one less; to check what was found, one more of those.
    """
    keys = keys_upto(most)
    size = {key: slots_of(game, key) for key in keys}
    peak = 0
    for mover, other in keys:
        kept = sum(size[key] for key in keys if sum(key) in (mover + other, mover + other - 1))
        pair = sum(size[key] for key in keys_of((mover, other)))
        peak = max(peak, (2 if check else 1) * kept + 2 * pair)
    return peak + OVERHEAD
