"""Steps a second for agents that learn, on one core: our environments beside OpenSpiel, PettingZoo and pgx.

Everybody does the same work: see which actions are legal, choose one of them at random, step, and begin anew where the
game has ended. Nobody learns anything, so this is the most that a library leaves to a learner. Everybody is kept on
the same one core, with all the threads they start; all are made ready, then take turns in short rounds, of which the
best counts. Seconds are those of the processor (`process_time`), so that it matters little what else the machine does.

Each is used in the quickest way that we know of. OpenSpiel: by its Python interface, and by its bots in C++, which play
a whole game a call. PettingZoo: its own tic-tac-toe, with its checks of every call (`env`) and without (`raw_env`), as
ours. pgx: a loop compiled by JAX with everything in it, at several batch sizes; once as its documentation plays at
random and once tuned by us, with one random number a game instead of one for every action, and one start for all new
games instead of one drawn for each.

In our batch and in pgx the observation is there after every step, wanted or not; in the environments of PettingZoo it
comes with the mask; OpenSpiel makes one when asked, and is not asked here.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from random import Random
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from noughts.extras import PACKAGES
from noughts.rl.batch import Batch
from noughts.solve import Progress

__all__ = ["GAMES", "Contestant", "Peers", "bench_rl", "contestants", "measure", "one_core"]

Row = dict[str, Any]
Play = Callable[[int], int]
"""Plays at least so many steps, and says how many it played."""

SIZES = (64, 1024, 16384)
"""Games at once: of our batches, and of pgx."""
ROUNDS = 12
ROUND = 0.05
"""Seconds of a round, about."""
CHUNK = 32
"""Steps of the loop that JAX compiles."""


class Peers(NamedTuple):
    """What others call a game of ours, where they have it."""

    openspiel: str
    pettingzoo: str | None = None
    pgx: str | None = None
    differs: str = ""
    """Which other game that of pgx is."""


GAMES = {
    "tictactoe": Peers("tic_tac_toe", "tictactoe_v3", "tic_tac_toe"),
    "mnk:7,6,4": Peers("mnk(m=7,n=6,k=4)", pgx="connect_four", differs="connect four"),
    "mnk:15,15,5": Peers("mnk(m=15,n=15,k=5)"),
}
"""What is measured: a game that all have; one that differs from one of pgx, connect four, only in that stones do not
fall; and a large board."""


class Contestant(NamedTuple):
    """Somebody whose steps are counted."""

    who: str
    at_once: int
    needs: tuple[str, ...]
    """The modules without which it is skipped."""
    begin: Callable[[], Play]
    """Makes ready: imports, compiles."""
    notes: str = ""

    @property
    def missing(self) -> list[str]:
        """What it needs and is not installed."""
        return [module for module in self.needs if find_spec(module) is None]


def bench_rl(progress: Progress) -> Iterator[Row]:
    """Random play on one core, of everybody who is installed."""
    return measure(GAMES, progress)


def measure(
    games: Mapping[str, Peers], progress: Progress, *, sizes: tuple[int, ...] = SIZES, rounds: int = ROUNDS
) -> Iterator[Row]:
    """A row for every contestant: millions of steps a second, and how many times as many our best batch makes."""
    for number, (name, peers) in enumerate(games.items()):
        everybody = contestants(name, peers, sizes)
        ready: dict[Contestant, tuple[Play, int]] = {}
        rates: dict[Contestant, float] = {}
        with one_core():
            for done, one in enumerate(everybody):
                progress(100 * number + 50 * done // len(everybody), 100 * len(games))
                if not one.missing:
                    play = one.begin()
                    ready[one] = play, _steps_of_a_round(play)
            for done in range(rounds):
                progress(100 * number + 50 + 50 * done // rounds, 100 * len(games))
                for one, (play, steps) in ready.items():
                    rates[one] = max(rates.get(one, 0), _rate(play, steps))
        ours = max(rate for one, rate in rates.items() if one.who == "noughts, batch")
        for one in everybody:
            rate = rates.get(one)
            yield {
                "game": name,
                "who": one.who,
                "at once": one.at_once,
                "million/s": None if rate is None else float(f"{rate / 1e6:.3g}"),
                "ratio": None if rate is None else float(f"{ours / rate:.3g}"),
                "notes": one.notes if rate is not None else _skipped(one.missing[0]),
            }


def contestants(name: str, peers: Peers, sizes: tuple[int, ...] = SIZES) -> list[Contestant]:
    """Everybody who has this game."""
    zoo = ("pettingzoo", "gymnasium")
    found = [Contestant("noughts, batch", size, (), partial(_batch, name, size)) for size in (1, *sizes)]
    size = sizes[-1]
    found.append(Contestant("noughts, copied", size, (), partial(_batch, name, size, True), "to float32"))
    found += [
        Contestant(f"noughts, {kind}", 1, zoo, partial(_env, kind, name, False), "without exact values")
        for kind in ("env", "raw_env")
    ]
    if name == "tictactoe":
        found.append(Contestant("noughts, env", 1, zoo, partial(_env, "env", name, True), "with exact values"))
    if peers.pettingzoo:
        found += [
            Contestant(f"PettingZoo, {kind}", 1, (*zoo, "pygame"), partial(_pettingzoo, kind, peers.pettingzoo))
            for kind in ("env", "raw_env")
        ]
    found.append(Contestant("OpenSpiel", 1, ("pyspiel",), partial(_openspiel, peers.openspiel)))
    found.append(Contestant("OpenSpiel, bots", 1, ("pyspiel",), partial(_openspiel_bots, peers.openspiel)))
    for who, tuned in (("pgx", False), ("pgx, tuned", True)):
        if peers.pgx:
            found += [
                Contestant(who, size, ("pgx", "jax"), partial(_pgx, peers.pgx, size, tuned), peers.differs)
                for size in sizes[-2:]
            ]
    return found


def _skipped(module: str) -> str:
    """What is said instead of a figure: what is not installed, and which extra brings it."""
    return f"no {module}: [{next(package.extra for package in PACKAGES if package.module == module)}]"


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this thread, and the threads that it starts, on one core, where the system can do that (Linux)."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _steps_of_a_round(play: Play) -> int:
    """How many steps take about as long as a round should; plays, too, until everything is compiled and warm."""
    steps = play(1)
    while True:
        began = process_time()
        steps = play(steps)
        if process_time() - began > ROUND / 2:
            return steps
        steps *= 2


def _rate(play: Play, steps: int) -> float:
    """Steps a second of processor time; on some systems its clock stands still for milliseconds, and then moves."""
    began, played, taken = process_time(), 0, 0.0
    while not taken:
        played += play(steps)
        taken = process_time() - began
    return played / taken


def _batch(name: str, size: int, copied: bool = False) -> Play:
    batch = Batch(name, size, seed=1)
    floats = np.empty(batch.observation.shape, np.float32)

    def play(steps: int) -> int:
        rounds = -(-steps // size)
        for _ in range(rounds):
            batch.step(batch.random_actions())
            if copied:
                floats[:] = batch.observation
        return rounds * size

    return play


def _env(kind: str, name: str, exact: bool) -> Play:
    return _in_turns(getattr(import_module("noughts.rl"), kind)(name, exact=exact))


def _pettingzoo(kind: str, name: str) -> Play:
    return _in_turns(getattr(import_module(f"pettingzoo.classic.{name}"), kind)())


def _in_turns(env: Any) -> Play:
    """Whole games of an environment of PettingZoo."""
    random = Random(1).random

    def play(steps: int) -> int:
        played = 0
        while played < steps:
            env.reset()
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                else:
                    legal = np.flatnonzero(observation["action_mask"])
                    env.step(legal[int(random() * len(legal))])
                    played += 1
        return played

    return play


def _openspiel(name: str) -> Play:
    random = Random(1).random
    game = import_module("pyspiel").load_game(name)

    def play(steps: int) -> int:
        played = 0
        while played < steps:
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[int(random() * len(legal))])
                played += 1
        return played

    return play


def _openspiel_bots(name: str) -> Play:
    spiel: Any = import_module("pyspiel")
    game = spiel.load_game(name)
    bots = [spiel.make_uniform_random_bot(side, 1 + side) for side in (0, 1)]

    def play(steps: int) -> int:
        played = 0
        while played < steps:
            state = game.new_initial_state()
            spiel.evaluate_bots(state, bots, played)
            played += state.move_number()
        return played

    return play


def _pgx(name: str, size: int, tuned: bool) -> Play:
    """A loop of `CHUNK` steps that stays inside JAX; its state and its random numbers go round."""
    # Read when JAX is imported: no threads inside of an operation, and no looking for other devices.
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    jax: Any = import_module("jax")
    env: Any = import_module("pgx").make(name)
    number, lax, random = jax.numpy, jax.lax, jax.random
    resetting = jax.vmap(import_module("pgx.experimental.wrappers").auto_reset(env.step, env.init))
    start = env.init(random.PRNGKey(0))

    def as_documented(state: Any, key: Any) -> Any:
        choice, reset = random.split(key)
        logits = number.log(state.legal_action_mask.astype(number.float32))
        actions = random.categorical(choice, logits, axis=1)
        return resetting(state, actions, random.split(reset, size))

    def from_start(state: Any, action: Any) -> Any:
        return env.step(lax.cond(state.terminated | state.truncated, lambda: start, lambda: state), action)

    def as_tuned(state: Any, key: Any) -> Any:
        # Of a game that has ended pgx calls every action legal. Its next step is the first of a new game, and whatever
        # is chosen for that is legal there on an empty board.
        legal = number.cumsum(state.legal_action_mask, axis=1)
        rank = number.floor(random.uniform(key, (size,)) * legal[:, -1])
        actions = number.sum(legal <= rank[:, None], axis=1)
        return jax.vmap(from_start)(state, actions)

    def one(carried: tuple[Any, Any], _: None) -> tuple[tuple[Any, Any], None]:
        state, key = carried
        key, now = random.split(key)
        return ((as_tuned if tuned else as_documented)(state, now), key), None

    run = jax.jit(lambda carried: lax.scan(one, carried, None, length=CHUNK)[0])
    carried = jax.jit(jax.vmap(env.init))(random.split(random.PRNGKey(1), size)), random.PRNGKey(2)

    def play(steps: int) -> int:
        nonlocal carried
        rounds = -(-steps // (CHUNK * size))
        for _ in range(rounds):
            carried = run(carried)
        jax.block_until_ready(carried)
        return rounds * CHUNK * size

    return play
