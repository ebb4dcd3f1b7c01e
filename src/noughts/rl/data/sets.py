"""A data set: which positions of a game, in which order, and their columns a batch at a time.

Of a game that is solved whole, a data set is every position, or every class (`classes`), or a **uniform sample** of
either: every choice of so many of them is equally likely. It is drawn while going through them once, without a list: of
the next portion of positions as many are taken as a hypergeometric draw says, and which ones is drawn from that
portion alone (sequential sampling). So memory is bounded by a batch, whatever the size of the game.

Of a game too large for that, a data set is a sample of positions from random play (`noughts.rl.data.listed`).
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from operator import index
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game, NoughtsError
from noughts.games import game as find_game
from noughts.rl.actions import actions
from noughts.rl.data.columns import UNKNOWN, Column, Rows, columns, held_out
from noughts.rl.data.listed import listed, played
from noughts.solve import Effort, Progress
from noughts.solve.small import solvable

__all__ = ["MOST_PLAYED", "NODES", "DataSet"]

ROWS = 1 << 16
"""Most rows of a batch."""
NUMBERS = 1 << 22
"""Most numbers of a batch in the column of the action values: nine men's morris has 13,080 actions."""
MOST_PLAYED = 1_000_000
"""Positions of random play: all of them are kept, to tell which came before."""
NODES = 20_000
"""Positions that a search looks at for a row, where the game is not solved: some hundredths of a second."""

Places = NDArray[np.int64]


class _Positions(Protocol):
    """Positions in a fixed order, each with a number."""

    count: int

    def portions(self) -> Iterator[Places]: ...

    def leading(self, places: Places) -> NDArray[np.bool_]: ...

    def batch(self, places: Places) -> Rows: ...


class DataSet:
    """Positions of a game, with all that is known of them. The same arguments give the same rows in the same order."""

    def __init__(
        self, game: Game | str, sample: int | None = None, seed: int = 1, classes: bool = False, nodes: int = NODES
    ) -> None:
        """Say which positions; nothing is solved or drawn yet.

        Args:
            game: A game or its name.
            sample: How many positions to draw; None for all of them.
            seed: Of the sample, and of what is held out for the test.
            classes: Whether only the leader of every class of symmetric positions is listed.
            nodes: How many positions a search may look at for each row, where the game is not solved whole.

        Raises:
            NoughtsError: If a game too large to be solved is to be listed whole, or the sample has no possible size.
            TypeError: If sample, seed or nodes is no whole number.
        """
        self.game = find_game(game)
        # Whole numbers of NumPy's, too, as Python's own: they are hashed beyond 64 bits and written as JSON.
        self.sample = None if sample is None else index(sample)
        self.seed, self.classes, self.nodes = index(seed), bool(classes), index(nodes)
        if sample is None and not self.whole:
            raise NoughtsError(
                f"{self.game.name} has too many positions to list: expected a sample (--sample N), drawn by random play"
            )
        if sample is not None and (sample < 1 or not (self.whole or sample <= MOST_PLAYED)):
            most = "the number of positions" if self.whole else f"{MOST_PLAYED:,}"
            raise NoughtsError(f"{sample} is no size of a sample: expected 1 to {most}")
        if seed < 0 or nodes < 1:
            raise NoughtsError(f"seed {seed} and nodes {nodes}: expected a seed from 0 on and at least one node")

    def __repr__(self) -> str:
        return f"DataSet({self.game.name!r}, {self.sample}, seed={self.seed}, classes={self.classes})"

    @property
    def whole(self) -> bool:
        """Whether the game is solved whole, so that everything is exact and a sample is uniform."""
        return solvable(self.game)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The columns, in order."""
        return columns(self.game, whole=self.whole)

    @property
    def rows_a_batch(self) -> int:
        """How many rows a batch has at most; all but the last have as many."""
        return min(ROWS, max(1, NUMBERS // len(actions(self.game))))

    def batches(self, progress: Progress | None = None) -> Iterator[Rows]:
        """The rows, as many at a time as a batch has.

        Args:
            progress: Called with how many positions were gone through, and how many there are.

        Yields:
            An array for every column, by its name. The first axis are the rows.
        """
        positions = self._positions(progress)
        for places in _in_batches(self._chosen(positions, progress), self.rows_a_batch):
            found = positions.batch(places)
            optimal = (found["value"] == found["action_values"].T) & (found["value"] != UNKNOWN)
            found["optimal_actions"] = np.ascontiguousarray(optimal.T, np.int8)
            found["test"] = held_out(found["leader"], self.seed)
            yield {column.name: found[column.name] for column in self.columns}

    def _positions(self, progress: Progress | None) -> _Positions:
        if not self.whole:
            assert self.sample is not None
            return played(self.game, self.sample, self.seed, Effort(self.nodes), progress, leaders=self.classes)
        if not self.game.placing_only:
            return listed(self.game, progress)
        from noughts.rl.data.placing import Placed  # noqa: PLC0415

        return Placed(self.game, progress)

    def _chosen(self, positions: _Positions, progress: Progress | None) -> Iterator[Places]:
        """The numbers of the positions in the data set, in increasing order."""
        portions = self._candidates(positions, progress)
        if self.sample is None or not self.whole:
            return portions
        count = positions.count
        if self.classes:
            count = sum(len(places) for places in self._candidates(positions, progress))
        if self.sample > count:
            what = "classes" if self.classes else "positions"
            raise NoughtsError(f"{self.sample} is too large a sample: {self.game.name} has {count:,} {what}")
        return _sampled(portions, self.sample, count, self.seed)

    def _candidates(self, positions: _Positions, progress: Progress | None) -> Iterator[Places]:
        done = 0
        for places in positions.portions():
            yield places[positions.leading(places)] if self.classes and self.whole else places
            done += len(places)
            if progress and self.whole:  # else most of the time goes by where answers are asked for, which count them
                progress(done, positions.count)


def _sampled(portions: Iterable[Places], wanted: int, count: int, seed: int) -> Iterator[Places]:
    """So many of `count` numbers, every choice equally likely, in one pass."""
    random = np.random.default_rng(seed)
    for places in portions:
        count -= len(places)
        taken = random.hypergeometric(len(places), count, wanted) if wanted else 0
        wanted -= taken
        yield places[np.sort(random.choice(len(places), taken, replace=False, shuffle=False))]


def _in_batches(portions: Iterable[Places], rows: int) -> Iterator[Places]:
    """The same numbers, so many at a time."""
    waiting: list[Places] = []
    held = 0
    for portion in portions:
        for first in range(0, len(portion), rows):
            part = portion[first : first + rows]
            waiting.append(part)
            held += len(part)
            if held >= rows:
                together = np.concatenate(waiting)
                yield together[:rows]
                waiting, held = [together[rows:]], held - rows
    if held:
        yield np.concatenate(waiting)
