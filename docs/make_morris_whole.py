"""Solve whole morris games in one memory, a GPU's, and write down what they come to, without a table on disk.

    python docs/make_morris_whole.py FOLDER GAME ... [--device gpu|cpu] [--check] [--book] [--minutes N]

A table of twelve men's morris has 112 GB, and nobody may want them: the rows of its subspaces, what the empty board and
every first move are worth, and the book of its first plies fit in a few megabytes. FOLDER gets GAME.json, from which
`make_morris_counts.py` takes the rows, and with --book GAME.book, if `noughts.solve.book` says how far it goes.
With --check every value is worked out again from its successors.

The JSON is written every few seconds, so that a run that is killed leaves the rows that it had; after --minutes the run
stops by itself. Nothing can go on from there: for that there is `noughts solve GAME --out TABLE`.

This needs NumPy and Numba, with a GPU numba-cuda, and nothing else: neither Zarr nor Typer.
"""

import json
import sys
import traceback
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

if not hasattr(np, "row_stack"):
    # NumPy 2.5 has none any more, and some versions of numba-cuda look at it when they are imported.
    np.row_stack = np.vstack

from make_morris_counts import FIELDS, Row, row_of

from noughts.games import Game
from noughts.games import game as find_game
from noughts.solve.book import PLIES, write_book
from noughts.solve.morris.check import Checker, ProcessorChecker, Witness
from noughts.solve.morris.numbering import blocks_of
from noughts.solve.morris.processor import OneMemory, Processor
from noughts.solve.morris.retrograde import solve_morris
from noughts.solve.morris.subspaces import FEWEST, Key, after_first, first_moves, in_hand, key_of, meaning

EVERY = 5.0
"""Seconds between two lines of progress."""
OFTEN = 0.05
"""Seconds between two looks at the GPU's memory."""

PARTS = ("starting", "empty hands", "stones in hand", "checking")
"""What the time is spent on. The start is compiling, and listing the sets of stones."""


class OutOfTimeError(Exception):
    """The minutes are over."""


class Run:
    """The solution of one game, as far as it has come."""

    def __init__(self, game: Game, folder: Path, deadline: float, *, device: str, checked: bool, book: bool) -> None:
        self.game, self.folder, self.deadline = game, folder, deadline
        self.device, self.checked = device, checked
        self.rows: list[Row] = []
        self.seconds = dict.fromkeys(PARTS, 0.0)
        self.peak = 0.0
        """Bytes of the GPU's memory."""
        self.complete = False
        self.stopped: str | None = None
        """Why, if it is not complete."""
        self.kept: dict[Key, Any] = {}
        """The values of the first plies."""
        self._plies = PLIES.get(game.name, 1) if book else 1
        self._began = self._said = self._looked = perf_counter()
        self._ended: float | None = None

    def solve(self, engine: OneMemory, checker: Checker, free: Callable[[], float] = lambda: 0.0) -> None:
        """Solve the game; `free` says how many bytes of memory are left."""
        before = free()
        witness = _Timed(self, Witness(self.game, checker)) if self.checked else None

        def progress(done: int, total: int) -> None:
            now = perf_counter()
            if now - self._looked > OFTEN:
                self.peak, self._looked = max(self.peak, before - free()), now
            if now - self._said > EVERY:
                self._said = now
                self.say(f"{100 * done / total:.1f} % of {total / 1e9:.3f} G bytes")
                self.write(self.game)
            if now > self.deadline:
                raise OutOfTimeError

        with self.timed("starting"):
            for stones in range(max(self.game.rules.stones) + 1):
                blocks_of(self.game.layout, stones)
            # Compiles everything: later subspaces are made of the same types.
            for _ in solve_morris(self.game, FEWEST, engine=engine, witness=witness):
                pass
        self.seconds["checking"] = 0.0
        self.say("started")
        for solved in solve_morris(self.game, None, progress, None, engine, witness):
            self.rows.append(row_of(solved.summary()))
            hand = in_hand(solved.key)
            self.seconds["stones in hand" if any(hand) else "empty hands"] += solved.seconds
            if sum(self.game.rules.stones) - sum(hand) <= self._plies:
                self.kept[solved.key] = solved.by_mover

    def end(self, stopped: str | None) -> None:
        """Nothing more will be solved; why, if that is not all."""
        self.complete, self.stopped, self._ended = stopped is None, stopped, perf_counter()
        self.say(f"STOPPED: {stopped}" if stopped else json.dumps(self.values(), ensure_ascii=False))

    def say(self, what: str) -> None:
        """A line of progress."""
        positions = sum(row[1] for row in self.rows)
        parts = ", ".join(f"{part} {seconds:.1f}" for part, seconds in self.seconds.items() if seconds)
        spent = f"{self._spent():.1f} s ({parts})"
        done = f"{len(self.rows)} subspaces, {positions:,} positions"
        print(f"{self.game.name}: {what}; {done}; {spent}; {self.peak / 1e9:.1f} GB", flush=True)

    def values(self) -> dict[str, Any]:
        """What the empty board is worth, and every first move, if the whole game is solved."""
        if not self.complete:
            return {}
        first, second = self.game.rules.stones
        start = meaning(int(self.kept[key_of(0, 0, first, second)][0]))
        moves = first_moves(self.game, self.kept[after_first(self.game)].tolist())
        return {"start": str(start), "first_moves": {point: str(value) for point, value in moves.items()}}

    def write(self, game: Game) -> None:
        """Write the JSON, as that of a game with the same board and rules."""
        told = {
            "game": game.name,
            "complete": self.complete,
            "stopped": self.stopped,
            "device": self.device,
            "checked": self.checked,
            "positions": sum(row[1] for row in self.rows),
            **self.values(),
            "seconds": {
                "all": round(self._spent(), 3),
                **{part: round(seconds, 3) for part, seconds in self.seconds.items()},
            },
            "gpu_memory_peak": self.peak,
        }
        head = json.dumps(told, indent=1, ensure_ascii=False).removesuffix("\n}")
        rows = ",\n".join(json.dumps(row, separators=(",", ":")) for row in self.rows)
        beside = self.folder / f".{game.name}.json"
        beside.write_text(f'{head},\n "fields": {json.dumps(FIELDS)},\n "rows": [\n{rows}\n]}}\n', "utf-8")
        beside.replace(self.folder / f"{game.name}.json")

    def write_book(self, game: Game) -> None:
        """Write the book, as that of a game with the same board and rules."""
        path = self.folder / f"{game.name}.book"
        write_book(game, PLIES[game.name], lambda *key: self.kept[key], path)
        self.say(f"{path.name} has {path.stat().st_size:,} bytes")

    @contextmanager
    def timed(self, part: str) -> Iterator[None]:
        """Add the time that something takes to a part."""
        began = perf_counter()
        yield
        self.seconds[part] += perf_counter() - began

    def _spent(self) -> float:
        return (self._ended or perf_counter()) - self._began


class _Timed:
    """A witness, and how long it takes."""

    def __init__(self, run: Run, witness: Witness) -> None:
        self._run, self._witness = run, witness

    def check(self, keys: list[Key], values: Callable[[Key], Any], counts: dict[Key, Any]) -> None:
        with self._run.timed("checking"):
            self._witness.check(keys, values, counts)


def solve(run: Run) -> None:
    """Solve a game; whatever happens, write down how far it came."""
    print(f"{run.game.name}: on the {run.device}", flush=True)
    try:
        if run.device == "gpu":
            from noughts.solve.morris.gpu import Gpu, GpuChecker  # noqa: PLC0415  loads CUDA

            gpu = Gpu()
            run.solve(gpu, GpuChecker(), gpu.free_bytes)
        else:
            run.solve(Processor(), ProcessorChecker())
        run.end(None)
    except OutOfTimeError:
        run.end("the minutes are over")
    except Exception as error:
        # The next game may fare better.
        traceback.print_exc()
        run.end(f"{type(error).__name__}: {error}")


def main(words: list[str]) -> int:
    """Solve games, one after the other; 0 if all are complete."""
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("games", nargs="+", type=find_game)
    parser.add_argument("--device", choices=["gpu", "cpu"], default="gpu")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--book", action="store_true")
    parser.add_argument("--minutes", type=float, default=float("inf"))
    wanted = parser.parse_args(words)
    wanted.folder.mkdir(parents=True, exist_ok=True)
    deadline = perf_counter() + 60 * wanted.minutes
    runs: list[Run] = []
    for game in wanted.games:
        # Twelve men's morris and morabaraba are one game, told of twice.
        run = next((run for run in runs if (run.game.layout, run.game.rules) == (game.layout, game.rules)), None)
        if run is None:
            how = {"device": wanted.device, "checked": wanted.check, "book": wanted.book}
            run = Run(game, wanted.folder, deadline, **how)
            runs.append(run)
            solve(run)
        run.write(game)
        if wanted.book and run.complete and game.name in PLIES:
            run.write_book(game)
    return 0 if all(run.complete for run in runs) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
