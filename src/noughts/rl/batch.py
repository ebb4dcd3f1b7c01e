"""Thousands of games at once: a batch environment for the games in which stones are only placed.

A network answers a thousand positions almost as quickly as one, so agents that learn want as many games side by side
as fit. A `Batch` holds them in arrays, one row a game, and plays one action in each at every step, compiled
(`noughts.rl.batch_kernel`). It speaks as `gymnasium.vector` does, with the arrays of pgx:

    batch = Batch("tictactoe", 1024, seed=1)
    observations, infos = batch.reset()
    while learning:
        actions = agent(observations["observation"], observations["action_mask"])
        observations, rewards, terminations, truncations, infos = batch.step(actions)

- Numbers of actions and observations are those of every environment here (`rl.actions`, `rl.observation`): the action
  is the point; plane 0 has the stones of the side to move, plane 1 the other's.
- Both sides are played by whoever calls: `turns` says whose turn it is, 0 for X and 1 for O, and `rewards` has
  a column for each of them.
- A game that has ended begins anew within the same step (gymnasium calls this `SAME_STEP`): `terminations` and
  `rewards` tell that it ended and how, the observation is already that of the new game.
- An illegal action ends the game: −1 for who chose it, 0 for the other.

**Nothing is copied.** The observation *is* the state of the games, and every array that a batch hands out is its own
memory, the same object every time, changed by the next `step` or `reset`. So copy what is to be kept
(`observation.copy()`). The arrays are read-only, since to write into them would be to move stones.
"""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from math import prod
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from noughts.extras import need
from noughts.games import Game, Layout, NoughtsError, Position
from noughts.games import game as find_game
from noughts.games.rules import Rules
from noughts.rl.actions import actions as numbered
from noughts.rl.observation import sight

__all__ = ["MOST", "Batch", "BatchError"]

Numbers = TypeVar("Numbers", bound=np.generic)

MOST = 1 << 20
"""Games of one batch: on 19×19 they take a gigabyte."""

Observations = dict[str, NDArray[np.int8]]
Infos = dict[str, Any]
Step = tuple[Observations, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Infos]


class BatchError(NoughtsError):
    """A batch that cannot be made, or actions that do not fit it."""


class Batch:
    """Many games of one kind, played a step at a time.

    Its arrays have a row a game: `observation`, what the side to move sees; `action_mask`, 1 where an action is legal;
    `turns`, whose turn it is, 0 for X and 1 for O; and of the last step `rewards`, a column each for X and O,
    `terminations`, which games ended and have begun anew, and `truncations`, none. They are views of the batch's own
    memory, to be read only; the next step changes them.

    Args:
        game: A game in which stones are only placed, or its name: tictactoe, square4, qubic, mnk.
        num_envs: How many games, 1 to `MOST`.
        seed: For `random_actions`; without one, every batch is different.

    Raises:
        BatchError: If the game is not of that sort, or there are too few or too many of them.
        MissingExtraError: Without Numba: the extra [engine].
    """

    game: Game
    num_envs: int
    observation: NDArray[np.int8]
    """What the side to move sees: games, then rows, columns and planes as in `rl.observation`."""
    action_mask: NDArray[np.int8]
    """Games × actions: 1 where an action is legal."""
    turns: NDArray[np.int8]
    """Whose turn it is: 0 for X, 1 for O."""
    rewards: NDArray[np.float32]
    """Games × sides: what the last step gave X and O."""
    terminations: NDArray[np.bool_]
    """Which games ended in the last step, and have begun anew."""
    truncations: NDArray[np.bool_]
    """Nowhere: every game of placing comes to its end."""

    def __init__(self, game: Game | str, num_envs: int, *, seed: int | None = None) -> None:
        self.game = find_game(game)
        if not _plain(self.game):
            raise BatchError(
                f"no batch of {self.game.name}: expected a game in which stones are placed until the board is full, "
                "as tictactoe, qubic or mnk:5,5,4"
            )
        if not 1 <= num_envs <= MOST:
            raise BatchError(f"{num_envs} games: expected 1 to {MOST:,}")
        need("numba", "a batch of games")
        from noughts.rl import batch_kernel  # noqa: PLC0415  loads the compiler

        self.num_envs = num_envs
        self._kernel = batch_kernel
        self._rows = _rows(self.game.layout)
        points = len(numbered(self.game))
        self._cells = np.zeros((num_envs, points), np.uint16)
        self._mask = np.ones((num_envs, points), np.int8)
        self._turns = np.zeros(num_envs, np.int8)
        self._open = np.zeros(num_envs, np.int16)
        self._rewards = np.zeros((num_envs, 2), np.float32)
        self._ended = np.zeros(num_envs, np.bool_)
        self._actions = np.zeros(num_envs, np.int64)
        self._streams = np.zeros(num_envs, np.uint64)
        self.observation = _shown(self._cells.view(np.int8).reshape(num_envs, *sight(self.game).shape))
        self.action_mask = _shown(self._mask)
        self.turns = _shown(self._turns)
        self.rewards = _shown(self._rewards)
        self.terminations = _shown(self._ended)
        self.truncations = _shown(np.zeros(num_envs, np.bool_))
        self._observations = {"observation": self.observation, "action_mask": self.action_mask}
        self._infos = {"turns": self.turns}
        self._sow(seed)
        self.reset()

    @cached_property
    def single_observation_space(self) -> Any:
        """The space of one game's observations, as Gymnasium has it (the extra [rl])."""
        return self._space("observation_space")

    @cached_property
    def single_action_space(self) -> Any:
        """The space of one game's actions, as Gymnasium has it (the extra [rl])."""
        return self._space("action_space")

    def reset(self, *, seed: int | None = None) -> tuple[Observations, Infos]:
        """Begin every game anew.

        Args:
            seed: Begins the random numbers anew, too; without one they go on.

        Returns:
            `{"observation": …, "action_mask": …}` and `{"turns": …}`, views of the batch's own arrays.
        """
        if seed is not None:
            self._sow(seed)
        self._cells[:] = 0
        self._mask[:] = 1
        self._turns[:] = 0
        self._open[:] = self._rows.points
        self._rewards[:] = 0
        self._ended[:] = False
        return self._observations, self._infos

    def step(self, actions: Sequence[int] | NDArray[np.integer[Any]]) -> Step:
        """Play one action in every game; games that end begin anew.

        Args:
            actions: A whole number for every game. An array of int64 is used as it is, others are copied into one.

        Returns:
            Observations, rewards, terminations, truncations and infos: all of them views of the batch's own arrays.

        Raises:
            BatchError: If these are not whole numbers, one for every game.
        """
        try:
            chosen = np.asarray(actions)
        except ValueError as error:
            raise BatchError(f"actions in lists of several lengths: expected {self.num_envs} whole numbers") from error
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise BatchError(
                f"actions of type {chosen.dtype} and shape {chosen.shape}: "
                f"expected whole numbers of shape {(self.num_envs,)}"
            )
        self._kernel.step(
            self._cells,
            self._mask,
            self._turns,
            self._open,
            self._rows.others,
            self._rows.lines,
            self._rows.points,
            np.ascontiguousarray(chosen, np.int64),
            self._rewards,
            self._ended,
        )
        return self._observations, self.rewards, self.terminations, self.truncations, self._infos

    def random_actions(self) -> NDArray[np.int64]:
        """A random legal action for every game, each as likely.

        Every game has random numbers of its own: what is chosen in game 7 does not depend on how many others there are.

        Returns:
            The batch's own array, which the next call overwrites; it may be changed before it is played.
        """
        self._kernel.choose(self._mask, self._streams, self._actions)
        return self._actions

    def position(self, number: int) -> Position:
        """One of the games, as the rest of Noughts knows it.

        Args:
            number: Which of the games, from 0.

        Returns:
            Its position, a value of its own.

        Raises:
            IndexError: If there are not so many games.
        """
        planes = self._cells[number].view(np.int8).reshape(-1, 2)
        own, other = (int.from_bytes(np.packbits(plane, bitorder="little").tobytes(), "little") for plane in planes.T)
        turn = int(self._turns[number])
        stones = (own, other) if turn == 0 else (other, own)
        x, o = self.game.rules.stones
        return Position(stones, (x - stones[0].bit_count(), o - stones[1].bit_count()), turn)

    def _space(self, of: str) -> Any:
        from noughts.rl import raw_env  # noqa: PLC0415  needs the extra

        return getattr(raw_env(self.game, exact=False), of)("player_1")

    def _sow(self, seed: int | None) -> None:
        if seed is not None and seed < 0:
            raise BatchError(f"the seed is {seed}: expected a number from 0")
        self._streams[:] = np.random.SeedSequence(seed).generate_state(self.num_envs, np.uint64)

    def _state(self) -> tuple[NDArray[Any], ...]:
        return self._cells, self._mask, self._turns, self._open, self._rewards, self._ended, self._streams

    def __getstate__(self) -> tuple[Game, int, list[NDArray[Any]]]:
        return self.game, self.num_envs, [array.copy() for array in self._state()]

    def __setstate__(self, kept: tuple[Game, int, list[NDArray[Any]]]) -> None:
        """A copy has memory of its own, of which its arrays are views as those of the first are of the first's."""
        game, num_envs, arrays = kept
        Batch.__init__(self, game, num_envs)
        for array, value in zip(self._state(), arrays, strict=True):
            array[:] = value

    def __repr__(self) -> str:
        return f"Batch({self.game.name!r}, {self.num_envs})"


class _Rows(NamedTuple):
    """The lines of a board as the kernel wants them."""

    others: NDArray[np.int16]
    """For every point and every line through it, the other points of the line."""
    lines: NDArray[np.int16]
    """How many lines run through each point."""
    points: int
    """How many points lie on lines: once they are full, the game is drawn."""


def _plain(game: Game) -> bool:
    """Whether this is a game of placing, on a board without gaps, until it is full, with rows of one length.

    All placing games of the catalogue are; a game of somebody's own need not be.
    """
    points = len(game.layout)
    filling = Rules(((points + 1) // 2, points // 2))
    one_length = len({len(line) for line in game.layout.lines}) == 1
    return game.rules == filling and one_length and prod(sight(game).shape[:-1]) == points


@lru_cache(maxsize=16)
def _rows(layout: Layout) -> _Rows:
    through: list[list[list[int]]] = [[] for _ in layout.points]
    for line in layout.lines:
        for point in line:
            through[point].append([other for other in line if other != point])
    others = np.zeros((len(layout), max(map(len, through)), len(layout.lines[0]) - 1), np.int16)
    for point, found in enumerate(through):
        if found:
            others[point, : len(found)] = found
    return _Rows(others, np.array([len(found) for found in through], np.int16), layout.on_lines.bit_count())


def _shown(array: NDArray[Numbers]) -> NDArray[Numbers]:
    """The same memory, to be read only."""
    view = array.view()
    view.flags.writeable = False
    return view
