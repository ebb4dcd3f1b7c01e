"""Makes the weights of a morris game's patterns, src/noughts/solve/engine/GAME.npz, in two steps.

    python docs/make_morris_patterns.py sample nine-mens-morris samples.npy   # needs a GPU and 40 GB
    python docs/make_morris_patterns.py fit nine-mens-morris samples.npy      # a minute

The first step, for which any machine will do at six men's morris, solves the game, placing included, and keeps
all values in memory. Then every core plays games in which the engine and chance take turns, and notes positions that a
move leads to with their exact values, as words: 24 points of the mover, 24 of the other, 6 bits for the plies of
placing, and 0 lost, 1 drawn, 2 won for the mover. It plays for a given time, so that no two samples are the same.

The second step fits the weights to them by stochastic gradient descent with a step of its own for each weight
(AdaGrad), and says how large the mean square of the error is, of samples that were not learned from.
"""

import multiprocessing
import os
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import time
from typing import Any

import numpy as np
from numba import cuda, njit

from noughts.games import Game, Outcome, Position
from noughts.games import game as find_game
from noughts.solve.engine import patterns, think
from noughts.solve.engine.patterns import UNIT, classes, phases, shapes
from noughts.solve.morris.making import Making, Wanted
from noughts.solve.morris.numbering import numbering_of
from noughts.solve.morris.subspaces import DRAW, key_of

SECONDS = 75
NODES = 150
CHILDREN = 4
HELD_BACK = 0.05
LOST, DRAWN, WON = 0, 1, 2
_known: list["Values"] = []
"""What the processes share that play."""
_OUTCOMES = {Outcome.LOSS: LOST, Outcome.DRAW: DRAWN, Outcome.WIN: WON}


class Values:
    """The outcomes of all positions of a game."""

    def __init__(self, game: Game) -> None:
        self.game, self._numbering = game, numbering_of(game.layout)
        with TemporaryDirectory() as folder:
            device = "gpu" if cuda.is_available() else "cpu"  # type: ignore[no-untyped-call]
            making = Making(Wanted(game, None, Path(folder) / game.name, device))
            making.solve(None)
            assert making.store is not None
            keys = making.store.keys()
            self._values = {key: np.ascontiguousarray(making.store.read(*key)) for key in keys}

    def outcome(self, position: Position) -> int:
        """What a position is worth to the player to move."""
        end = self.game.over(position)
        if end is not None:
            return _OUTCOMES[end]
        own, other = position.stones[position.turn], position.stones[1 - position.turn]
        hands = position.hand[position.turn], position.hand[1 - position.turn]
        key, numbering = key_of(own.bit_count(), other.bit_count(), *hands), self._numbering
        lead, symmetry = numbering.lead(own)
        beside = numbering.rank_beside(numbering.image(symmetry, other), lead)
        byte = self._values[key][numbering.class_of(lead) * numbering.block_size(*key[:2]) + beside]
        return DRAWN if byte == DRAW else WON if byte % 2 else LOST


def sample(game: Game, path: Path) -> None:
    """Write positions with their values."""
    _known.append(Values(game))
    think(game, game.start(), nodes=1)
    with multiprocessing.get_context("fork").Pool() as pool:
        words = np.unique(np.concatenate(pool.map(_play, range(os.cpu_count() or 1))))
    np.random.default_rng(1).shuffle(words)
    np.save(path, words)
    print(f"{len(words):,} positions")


def _play(seed: int) -> Any:
    values, random, words, end = _known[0], Random(seed), [], time() + SECONDS
    game = values.game
    while time() < end:
        position, chance = game.start(), random.choice((0.1, 0.3, 0.6))
        for ply in range(random.randrange(18, 58)):
            if game.over(position) is not None:
                break
            moves = game.moves(position)
            for move in random.sample(moves, min(CHILDREN, len(moves))):
                after = game.after(position, move)
                if game.over(after) is None:
                    own, other = after.stones[after.turn], after.stones[1 - after.turn]
                    plies = sum(game.rules.stones) - sum(after.hand)
                    words.append(own | other << 24 | plies << 48 | values.outcome(after) << 54)
            if ply < 4 or random.random() < chance:
                move = random.choice(moves)
            else:
                move = think(game, position, nodes=NODES).moves[0].move
            position = game.after(position, move)
    return np.array(words, np.uint64)


def fit(game: Game, path: Path) -> None:
    """Fit the weights to the positions of a file, and write them where the engine looks for them."""
    words = np.load(path)
    features, sizes = _features(game, words)
    targets = (words >> np.uint64(54)) / 2
    held = int(len(words) * HELD_BACK)
    weights, squares = np.zeros(sum(sizes.values())), np.zeros(sum(sizes.values()))
    for rate in (0.1, 0.1, 0.1, 0.1, 0.03, 0.03, 0.03, 0.03):
        _descend(features[held:], targets[held:], weights, squares, rate)
        errors = targets[:held] - 1 / (1 + np.exp(-weights[features[:held]].sum(axis=1)))
        print(f"mean square error {np.mean(errors**2):.5f} of {np.var(targets[:held]):.5f}")
    units = np.rint(np.clip(UNIT * weights, -(2**15), 2**15 - 1)).astype(np.int16)
    parts = dict(zip(sizes, np.split(units, np.cumsum(list(sizes.values()))[:-1]), strict=True))
    parts = {kind: part.reshape(phases(game), -1) for kind, part in parts.items()}
    np.savez_compressed(Path(patterns.__file__).with_name(f"{game.name}.npz"), **parts)


def _features(game: Game, words: Any) -> tuple[Any, dict[str, int]]:
    """The numbers of the weights that each position shows, and how many weights each kind has."""
    own, other = words & np.uint64(0xFFFFFF), words >> np.uint64(24) & np.uint64(0xFFFFFF)
    plies, all_plies = (words >> np.uint64(48) & np.uint64(63)).astype(np.int64), sum(game.rules.stones)
    mine, theirs = np.bitwise_count(own).astype(np.int64), np.bitwise_count(other).astype(np.int64)
    flies = [(plies == all_plies) & (stones <= game.rules.flying) for stones in (mine, theirs)]
    phase = plies + flies[0] + 2 * flies[1]
    found = shapes(game.layout)
    sizes, starts, most = {}, {}, max(game.rules.stones) + 1
    for kind, length in {pattern.kind: len(pattern.points) for pattern in found}.items():
        starts[kind] = sum(sizes.values())
        sizes[kind] = phases(game) * int(classes(kind, length).max() + 1)
    columns = []
    for kind, points in found:
        state = np.zeros(len(words), np.int64)
        for place, point in enumerate(points):
            shift = np.uint64(point)
            state += 3**place * ((own >> shift & 1) + 2 * (other >> shift & 1)).astype(np.int64)
        number = classes(kind, len(points))
        columns.append(starts[kind] + phase * (number.max() + 1) + number[state])
    columns.append(sum(sizes.values()) + (phase * most + mine) * most + theirs)
    sizes["stones"] = phases(game) * most * most
    return np.stack(columns, axis=1).astype(np.int32), sizes


@njit(fastmath=True)
def _descend(features: Any, targets: Any, weights: Any, squares: Any, rate: float) -> None:
    """Once through all samples: each moves the weights that it shows towards its value."""
    for row in range(len(features)):
        total = 0.0
        for number in features[row]:
            total += weights[number]
        error = targets[row] - 1 / (1 + np.exp(-total))
        for number in features[row]:
            slope = error - 1e-5 * weights[number]
            squares[number] += slope * slope
            weights[number] += rate * slope / np.sqrt(squares[number] + 1e-3)


if __name__ == "__main__":
    {"sample": sample, "fit": fit}[sys.argv[1]](find_game(sys.argv[2]), Path(sys.argv[3]))
