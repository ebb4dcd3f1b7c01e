"""The loops of `noughts.rl.batch`, compiled: one step of every game, and one random move of every game.

A game is a line of numbers, one a point: 0 where it is empty, `OWN` where the side to move has a stone, `OTHER` where
the other has one. In memory `OWN` is the bytes 1, 0 and `OTHER` the bytes 0, 1 (`OTHER` is `OWN` with its bytes
exchanged, on machines of either byte order), so that the same memory, read as bytes, is the observation: two planes,
one's own stones first. Nothing has to be built from anything else. The price is that a turn exchanges the two bytes
of every point, which takes the vector instructions of a processor a few nanoseconds.

A row is looked for on the lines through the point just played, and each is left at its first point that is not
one's own. What a step costs is chiefly branches that no processor can foresee: whether a random stone stands there,
whether a random game ends here. Of 28 nanoseconds on 3×3, and 55 on 15×15, looking for rows takes 13 and 30, the
random choice 7 and 8, exchanging bytes 3 and 6. Memory is no limit: on 15×15 a batch of 700 kilobytes and one of 11
megabytes are as quick.

Tried, and not taken:

- all points of these lines without a branch: on 15×15 half as quick, on 3×3 a tenth quicker;
- counting stones in each direction: a quarter quicker on 15×15, half as quick at Qubic;
- the sizes of the board as constants that the compiler knows: a third quicker on 3×3, slower at Qubic, and a
  compilation of some seconds for every board;
- sets of points as numbers, many games at once in vector instructions: on 3×3 twice as quick, most of it spent on
  writing the observations, and a second way to do everything.
"""

from typing import Final

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["OWN", "Cells", "Flags", "choose", "step"]

Cells = NDArray[np.uint16]
Flags = NDArray[np.int8]

OWN: Final = int(np.array([1, 0], np.int8).view(np.uint16)[0])

FEW: Final = 16
"""On boards of at most so many points the free ones are counted to find a random one; on larger ones points are
drawn until a free one comes up, on average H(n) = 1 + 1/2 + … + 1/n times where a game fills all n points (6.5 on
19×19), mostly far less. Counting is twice as quick on 9 points, as quick on 16, and five times slower on 64."""

GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
MIX_1: Final = np.uint64(0xBF58476D1CE4E5B9)
MIX_2: Final = np.uint64(0x94D049BB133111EB)


@njit(cache=True, nogil=True)
def step(
    cells: Cells,
    mask: Flags,
    turns: Flags,
    open_points: NDArray[np.int16],
    others: NDArray[np.int16],
    lines: NDArray[np.int16],
    on_lines: int,
    actions: NDArray[np.int64],
    rewards: NDArray[np.float32],
    ended: NDArray[np.bool_],
) -> None:
    """Play one action in every game; what has ended begins anew.

    `others[point, line]` are the other points of the lines through a point, of which there are `lines[point]`;
    `open_points` counts the empty points of each game that lie on lines, at the start `on_lines`.
    """
    points = cells.shape[1]
    more = others.shape[2]
    for game in range(len(cells)):
        action, side = actions[game], turns[game]
        rewards[game, 0] = rewards[game, 1] = 0
        if action < 0 or action >= points or not mask[game, action]:
            rewards[game, side] = -1
            over = True
        else:
            over = False
            for line in range(lines[action]):
                place = 0
                while place < more and cells[game, others[action, line, place]] == OWN:
                    place += 1
                if place == more:
                    rewards[game, side] = 1
                    rewards[game, 1 - side] = -1
                    over = True
                    break
            open_points[game] -= lines[action] > 0
            over |= open_points[game] == 0
        ended[game] = over
        if over:
            cells[game] = 0
            mask[game] = 1
            turns[game] = 0
            open_points[game] = on_lines
        else:
            cells[game, action] = OWN
            mask[game, action] = 0
            turns[game] = 1 - side
            for point in range(points):
                pair = cells[game, point]
                cells[game, point] = pair << np.uint16(8) | pair >> np.uint16(8)


@njit(cache=True, nogil=True)
def choose(mask: Flags, streams: NDArray[np.uint64], actions: NDArray[np.int64]) -> None:
    """A random legal action of every game: the next one of the game's own stream of random numbers."""
    points = mask.shape[1]
    for game in range(len(mask)):
        if points <= FEW:
            free = 0
            for point in range(points):
                free += mask[game, point]
            streams[game] += GOLDEN
            rank = _below(free, streams[game])
            action, seen = np.int64(0), 0
            for point in range(points):  # without a branch: how many points come before the free one of that rank
                seen += mask[game, point]
                action += seen <= rank
        else:
            stream = streams[game] + GOLDEN
            action = _below(points, stream)
            while not mask[game, action]:
                stream += GOLDEN
                action = _below(points, stream)
            streams[game] = stream
        actions[game] = action


@njit(cache=True, nogil=True)
def _below(bound: int, stream: np.uint64) -> np.int64:
    """A random number below a bound: SplitMix64, scaled by its upper half (at most bound / 2^32 from even)."""
    mixed = (stream ^ stream >> np.uint64(30)) * MIX_1
    mixed = (mixed ^ mixed >> np.uint64(27)) * MIX_2
    mixed = mixed ^ mixed >> np.uint64(31)
    return np.int64((mixed >> np.uint64(32)) * np.uint64(bound) >> np.uint64(32))
