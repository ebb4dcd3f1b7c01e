"""How fast policies are judged exactly, and whether OpenSpiel says the same where it is installed.

Three policies: all legal moves alike; the first legal action; and a network that has learned nothing, two layers with
weights drawn from a seed, which is asked about observations as any black box. OpenSpiel judges the first two at
tic-tac-toe (its `nash_conv` in Python, halved), from the tree of all games where we have positions. Its
`exploitability` in C++ asks for a policy by information state, which for tic-tac-toe is the game so far.

Seconds are those of the processor (`process_time`), so that it matters little what else the machine does.
"""

import resource
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game
from noughts.games import game as find_game
from noughts.rl.actions import actions
from noughts.rl.evaluation import Judge
from noughts.rl.observation import sight
from noughts.rl.policy import Given
from noughts.solve import Progress

__all__ = ["bench_judging", "first", "network", "openspiel"]

Row = dict[str, Any]
Array = NDArray[Any]

JUDGED = {
    "tictactoe": ("random", "first", "network"),
    "achi": ("random",),
    "arabian": ("random",),
    "mnk:4,4,3": ("random", "first", "network"),
    "square4": ("random", "network"),
}
HIDDEN = 64
"""Units of the network between its layers."""
THEIRS = {"random": "UniformRandomPolicy", "first": "FirstActionPolicy"}
"""What OpenSpiel calls our policies."""


def bench_judging(progress: Progress) -> Iterator[Row]:
    """The time to list a game's positions, to find the best responses to a policy, and for all that a verdict says."""
    total = sum(map(len, JUDGED.values()))
    done = 0
    for name, policies in JUDGED.items():
        game = find_game(name)
        Judge(game)  # solves the game, and compiles what is compiled
        judge, listing = _timed(partial(Judge, game))
        known: dict[str, Given] = {"random": "random", "first": first, "network": network(game)}
        for policy in policies:
            progress(done, total)
            done += 1
            given = known[policy]
            found, seconds = _timed(partial(judge.exploitability, given))
            _, whole = _timed(partial(judge.verdict, given))
            theirs, slower = openspiel(policy) if name == "tictactoe" else (None, None)
            yield {
                "game": name,
                "policy": policy,
                "positions": judge.positions,
                "listed ms": round(listing * 1000, 1),
                "exploitability": round(found, 12),
                "ms": round(seconds * 1000, 1),
                "verdict ms": round(whole * 1000, 1),
                "peak MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
                "OpenSpiel's": None if theirs is None else round(theirs, 12),
                "OpenSpiel s": None if slower is None else round(slower, 1),
            }


def first(_observations: Array, masks: Array) -> Array:
    """The first legal action."""
    return np.asarray(masks.argmax(axis=1))


def network(game: Game) -> Callable[[Array, Array], Array]:
    """A policy that has learned nothing: a hidden layer, and a softmax over what is legal."""
    random = np.random.default_rng(1)
    inputs = sight(game).highest.size
    into = random.normal(size=(inputs, HIDDEN)).astype(np.float32)
    out = random.normal(size=(HIDDEN, len(actions(game)))).astype(np.float32) / np.float32(HIDDEN)

    def likely(observations: Array, masks: Array) -> Array:
        hidden = np.maximum(observations.reshape(len(observations), -1).astype(np.float32) @ into, 0)
        heights = hidden @ out
        odds = np.where(masks, np.exp(heights - heights.max(axis=1, keepdims=True)), 0)
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))

    return likely


def openspiel(policy: str) -> tuple[float | None, float | None]:
    """The exploitability of a policy at tic-tac-toe by OpenSpiel, and the seconds it takes; None if it cannot say."""
    if find_spec("pyspiel") is None or policy not in THEIRS:
        return None, None
    game = import_module("pyspiel").load_game("tic_tac_toe")
    theirs = getattr(import_module("open_spiel.python.policy"), THEIRS[policy])(game)
    nash_conv = import_module("open_spiel.python.algorithms.exploitability").nash_conv
    began = process_time()
    return float(nash_conv(game, theirs)) / 2, process_time() - began


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What a piece of work gives, and the seconds of the quickest of three times; of one if that takes long."""
    seconds: list[float] = []
    while len(seconds) < 3 and sum(seconds) < 2:
        began = process_time()
        found = work()
        seconds.append(process_time() - began)
    return found, min(seconds)
