"""How far apart the levels are, and how they got there: `noughts bench ladder`.

`measure` lets each level play its neighbour, beginning in turn, and counts points, a draw being half a one.

`fit` finds the skills of the levels at a game (`noughts.players.ladder`). Players of 13 skills from 0 to 1 play their
nearest; from the results follows a **rating curve** over skill, by maximum likelihood of the Bradley–Terry model, in
which a lead of 400 points of rating (Elo's) means ten points of eleven. The curve never falls, and is straight between
the 13 skills. Level 1 has skill 0, and the others follow in even steps of rating: a seventh of the curve's height, so
that level 8 has skill 1, but `STEP` at most, so that it has less where there is more to climb than seven such steps.
Then the levels play their neighbours, which says more about the curve just where it matters, and are moved; at last
they are measured with other seeds.

Everything is counted in positions, nothing in seconds, so the same seeds give the same games whatever the machine; only
a limit of time can end a round early. Two games, one with each colour, are one piece of work, and go to whichever
process is free.

    python -m noughts.bench.ladder --fit src/noughts/players/skills.json --games 400 --seconds 120 [GAME...]
    python -m noughts.bench.ladder --games 400 [GAME...]

The first fits the games named, or all, in at most so many seconds each, on all processors, and writes the file anew
after every round (`docs/make_ladder.py` then brings what was measured into docs/players.md); the second measures. This
needs neither terminal nor database: NumPy and Numba are enough.
"""

import argparse
import json
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from math import log, sqrt
from multiprocessing import get_context
from multiprocessing.pool import Pool
from pathlib import Path
from queue import SimpleQueue
from random import Random
from time import monotonic
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.arena.match import Z, play_game
from noughts.games import Game, Outcome
from noughts.games import game as find_game
from noughts.players.ladder import RUNGS, Graded, measured_games, skills
from noughts.solve import Progress

__all__ = ["Pairing", "bench_ladder", "curve", "even_steps", "fit", "measure", "table"]

Row = dict[str, Any]
Array = NDArray[np.float64]

GAMES = 40
"""Games of each pair in `noughts bench ladder`."""
GRID = tuple(round((number / 12) ** 1.5, 4) for number in range(13))
"""Closer together at first, where a little skill gains most."""
LONGEST = 200
"""Plies after which a game counts as drawn: morris between good players can go on for ever."""
STEP = 165.0
"""Of rating: 72 % of the points."""
SHARES = (0.5, 0.65, 0.8, 1.0)
"""Of the time for one game, when each round has to be over: 13 skills, the levels twice, and their measurement."""


class Pairing(NamedTuple):
    """How the better of two players fared against the worse."""

    worse: float
    better: float
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The better player's share of the points."""
        return (self.wins + self.draws / 2) / self.games

    @property
    def margin(self) -> float:
        """Half of the 95 % confidence interval of the share; draws make it narrower."""
        variance = (self.wins + self.draws / 4) / self.games - self.points**2
        return Z * sqrt(max(variance, 0.25 / self.games) / self.games)


class Skilled(Graded):
    """A player of any skill."""

    name = "skilled"

    def __init__(self, skill: float, seed: int) -> None:
        super().__init__(seed)
        self._skill = skill

    def skill(self, _game: Game) -> float:
        """What it was given."""
        return self._skill


Work = tuple[str, float, float, str]
"""A game, two skills, and what the seeds follow from."""


def _two_games(work: Work) -> tuple[int, int, int]:
    """How often the second of two players won, drew and lost, each beginning once."""
    name, worse, better, words = work
    count = {Outcome.WIN: 0, Outcome.DRAW: 0, Outcome.LOSS: 0}
    for side in (0, 1):
        random = Random(f"{name} {worse} {better} {words} {side}")
        one, other = (Skilled(skill, random.getrandbits(64)) for skill in (better, worse))
        _, result = play_game(find_game(name), (one, other) if side == 0 else (other, one), LONGEST)
        count[result.outcome(side)] += 1
    return count[Outcome.WIN], count[Outcome.DRAW], count[Outcome.LOSS]


class Crew(NamedTuple):
    """Processes that play."""

    pool: Pool
    number: int


@contextmanager
def _crew(number: int | None, names: Iterable[str]) -> Iterator[Crew]:
    """So many processes, or one a core. They do not hear Ctrl-C: whoever started them does, and ends them."""
    number = number or os.cpu_count() or 1
    for name in names:
        _two_games((name, 0.5, 0.5, "compile"))  # once, and not in every process
    with get_context("spawn").Pool(number, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        yield Crew(pool, number)


def _played(
    crew: Crew, work: Iterable[Work], least: int, until: float | None
) -> Iterator[tuple[Work, tuple[int, int, int]]]:
    """Each piece of work with its results, as they come; once it is so late, nothing is begun beyond the `least`."""
    done: SimpleQueue[Any] = SimpleQueue()
    left, begun, open_ones = iter(work), 0, 0

    def begin(one: Work) -> None:
        crew.pool.apply_async(
            _two_games, (one,), callback=lambda counts: done.put((one, counts)), error_callback=done.put
        )

    while True:
        while open_ones < 2 * crew.number and (begun < least or until is None or monotonic() < until):
            one = next(left, None)
            if one is None:
                break
            begin(one)
            begun, open_ones = begun + 1, open_ones + 1
        if not open_ones:
            return
        found = done.get()
        if isinstance(found, BaseException):
            raise found
        open_ones -= 1
        yield found


def _so_far(
    crew: Crew, name: str, pairs: Sequence[tuple[float, float]], games: int, words: str, until: float | None = None
) -> Iterator[list[Pairing]]:
    """The results of these pairs after every two games: so many of each, or as many as there is time for."""
    work = ((name, *pair, f"{words} {number}") for number in range((games + 1) // 2) for pair in pairs)
    found = {pair: Pairing(*pair) for pair in pairs}
    for (_, worse, better, _), counts in _played(crew, work, len(pairs), until):
        found[worse, better] = _with(found[worse, better], counts)
        yield list(found.values())


def _round(
    crew: Crew, name: str, pairs: Sequence[tuple[float, float]], games: int, words: str, until: float | None
) -> list[Pairing]:
    """Their results at the end."""
    return deque(_so_far(crew, name, pairs, games, words, until), maxlen=1)[0]


def _with(pairing: Pairing, counts: tuple[int, int, int]) -> Pairing:
    wins, draws, losses = counts
    return pairing._replace(wins=pairing.wins + wins, draws=pairing.draws + draws, losses=pairing.losses + losses)


def curve(results: Sequence[Pairing], grid: Sequence[float] = GRID) -> Array:
    """The ratings at the skills of the grid that explain these results best, from 0 up, never falling.

    The likelihood is concave in the rises from one skill of the grid to the next, so that going uphill (projected
    gradient ascent, each rise as far as its own curvature allows) ends at the top. One drawn game more of each pair
    keeps ratings finite.
    """
    knots = np.asarray(grid)
    low, high = (np.array([getattr(one, side) for one in results]) for side in ("worse", "better"))
    # How much of each rise lies between the two skills of a pair.
    shares = [(np.clip(high, start, end) - np.clip(low, start, end)) / (end - start) for start, end in pairwise(knots)]
    covers = np.stack(shares, axis=1)
    games = np.array([one.games + 1 for one in results], float)
    points = np.array([one.points * one.games + 0.5 for one in results])
    rises = np.zeros(len(knots) - 1)
    bound = (covers * covers.sum(axis=1, keepdims=True) * games[:, None] / 4).sum(axis=0) + 1e-9
    for _ in range(20_000):
        expected = games / (1 + np.exp(-covers @ rises))
        moved = np.maximum(0, rises + covers.T @ (points - expected) / bound)
        if np.abs(moved - rises).max() < 1e-7:
            break
        rises = moved
    return np.concatenate([[0.0], np.cumsum(rises)]) * 400 / log(10)


def even_steps(ratings: Array, grid: Sequence[float] = GRID, step: float = STEP) -> list[float]:
    """The skills of the levels on a rating curve: skill 0, and others in even steps of rating."""
    # Where the curve is level, a slope too small to matter says which of its skills to take.
    rising = ratings + np.arange(len(ratings)) * 1e-6
    whole = float(rising[-1]) / (RUNGS - 1)
    found = [round(float(np.interp(min(step, whole) * rung, rising, grid)), 4) for rung in range(RUNGS)]
    return [*found[:-1], grid[-1]] if whole <= step else found


def measure(
    games: Sequence[str] | None = None,
    games_per_pair: int = GAMES,
    processes: int | None = None,
    seed: int = 1,
    progress: Progress | None = None,
) -> Iterator[tuple[str, list[Pairing]]]:
    """Each level against its neighbour, so many games, at these games or all; a game as soon as it is done.

    Ctrl-C is raised again after the pairs of the game that was being played.
    """
    names = list(games or measured_games())
    pieces = (games_per_pair + 1) // 2 * (RUNGS - 1)
    with _crew(processes, names) as crew:
        for number, name in enumerate(names):
            found: list[Pairing] = []
            pairs = list(pairwise(skills(find_game(name))))
            try:
                for found in _so_far(crew, name, pairs, games_per_pair, f"{seed} measured"):
                    if progress:
                        done = number * pieces + sum(one.games for one in found) // 2
                        progress(done, len(names) * pieces)
            except KeyboardInterrupt:
                if found:
                    yield name, found
                raise
            yield name, found


def bench_ladder(progress: Progress) -> Iterator[Row]:
    """The ladder's table: the points, in per cent, that each level takes from the one below."""
    for name, found in measure(progress=progress):
        yield _row(name, found)


def _row(name: str, found: Sequence[Pairing]) -> Row:
    cells = {
        f"{rung + 1}:{rung}": f"{100 * one.points:.0f} ±{100 * one.margin:.0f}" if one.games else ""
        for rung, one in enumerate(found, 1)
    }
    return {"game": name, **cells, "games": min(one.games for one in found)}


def fit(
    games: Sequence[str] | None = None,
    games_per_pair: int = 400,
    processes: int | None = None,
    seconds: float | None = None,
    file: Path | str | None = None,
    seed: int = 1,
    say: Callable[[str], None] = lambda _words: None,
) -> dict[str, Row]:
    """Find the skills of the levels at these games, or at all, and measure them.

    Args:
        games: their names.
        games_per_pair: of two skills in the first round, and of two levels in the others.
        processes: how many play at the same time; None: one a core.
        seconds: for each game at most, apart from the last two games of each process.
        file: where all is written after every round; what it says of other games stays.
        seed: what happens by chance follows from it.
        say: called with a line about each round.

    Returns:
        What is in the file: by game, the skills, and what the levels took from their neighbours.
    """
    path = None if file is None else Path(file)
    found: dict[str, Row] = json.loads(path.read_text("utf-8")) if path and path.exists() else {}
    names = list(games or measured_games())
    with _crew(processes, names) as crew:
        for name in names:
            for row in _fit_one(crew, name, games_per_pair, seconds, seed, say):
                found[name] = row
                if path:
                    _write(path, found)
    return found


def _fit_one(
    crew: Crew, name: str, games: int, seconds: float | None, seed: int, say: Callable[[str], None]
) -> Iterator[Row]:
    """The skills at one game after each round, at last with what was measured."""
    began = monotonic()
    ends = [None if seconds is None else began + seconds * share for share in SHARES]
    near = [(worse, better) for reach in (1, 2) for worse, better in zip(GRID, GRID[reach:], strict=False)]
    results = _round(crew, name, near, games, f"{seed} grid", ends[0])
    for number, until in enumerate(ends[1:], 1):
        ratings = curve(results)
        levels = even_steps(ratings)
        height = float(ratings[-1])
        yield {"skills": levels, "height": round(height)}
        latest = _round(crew, name, list(pairwise(levels)), games, f"{seed} round {number}", until)
        say(f"{name}: {_told(height, levels, latest)}, {monotonic() - began:.0f} s")
        results += latest
    yield {
        "skills": levels,
        "height": round(height),
        "points": [round(100 * one.points, 1) for one in latest],
        "margins": [round(100 * one.margin, 1) for one in latest],
        "games": min(one.games for one in latest),
    }


def _told(height: float, levels: list[float], latest: list[Pairing]) -> str:
    shown = " ".join(f"{skill:.2f}" for skill in levels)
    scores = " ".join(f"{100 * one.points:.0f}" for one in latest)
    return f"{height:.0f} points of rating; skills {shown}; {scores} % of {min(one.games for one in latest)} games"


def _write(path: Path, found: dict[str, Row]) -> None:
    """Whole or not at all: written beside and renamed."""
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in found.items())
    beside = path.with_name(f"{path.name}.part")
    beside.write_text(f"{{\n{lines}\n}}\n", "utf-8")
    beside.replace(path)


def table(found: dict[str, Row]) -> str:
    """What was measured with the skills in the file, as a table in Markdown."""
    heads = ["game", *(f"{rung + 1}:{rung}" for rung in range(1, RUNGS)), "games"]
    lines = [f"| {' | '.join(heads)} |", f"|---{'|--:' * RUNGS}|"]
    for name, row in found.items():
        if "points" not in row:
            continue  # not yet measured
        cells = [f"{points:.0f} ±{margin:.0f}" for points, margin in zip(row["points"], row["margins"], strict=True)]
        lines.append(f"| `{name}` | {' | '.join(cells)} | {row['games']} |")
    return "\n".join(lines)


def _main() -> None:
    """The command line of this module."""
    parser = argparse.ArgumentParser(prog="python -m noughts.bench.ladder", description=__doc__.splitlines()[0])
    parser.add_argument("name", nargs="*", metavar="GAME", help="which games; else all")
    parser.add_argument("--fit", type=Path, metavar="FILE", help="find the skills, and write them")
    parser.add_argument("--games", type=int, default=GAMES, help="of each pair")
    parser.add_argument("--processes", type=int, help="else one a core")
    parser.add_argument("--seconds", type=float, help="for each game at most, when fitting")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if asked.fit:
        say = partial(print, flush=True)
        fit(asked.name, asked.games, asked.processes, asked.seconds, asked.fit, asked.seed, say)
    else:
        for name, found in measure(asked.name, asked.games, asked.processes, asked.seed):
            print("  ".join(str(cell) for cell in _row(name, found).values()), flush=True)


if __name__ == "__main__":
    try:
        _main()
    except KeyboardInterrupt:
        sys.exit(130)
