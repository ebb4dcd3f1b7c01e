"""The measurements that README and docs quote.

The machines are shared and noisy: so each figure is the best of several runs, and what is compared is
measured in the same run, as a ratio.
"""

import resource
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from time import perf_counter
from typing import Any

from noughts.games import Game, game
from noughts.players import player
from noughts.solve import Progress

__all__ = ["BENCHES"]

Row = dict[str, Any]

PEER_GAMES = {"tictactoe": "tic_tac_toe", "mnk:4,3,3": "mnk(m=4,n=3,k=3)"}
"""What OpenSpiel calls the games it can solve within a minute."""


def bench_solve(progress: Progress) -> list[Row]:
    """Every position solved from nothing, next to OpenSpiel's MinimaxSolver where that is installed."""
    names = ["tictactoe", "mnk:4,3,3", "square4", "mnk:6,3,3", "achi", "arabian", "three-mens-morris"]
    rows = []
    for number, name in enumerate(names):
        progress(number, len(names))
        rules = game(name)
        first = _solving_time(rules)
        best = min(_solving_time(rules) for _ in range(5))
        positions = sum(space.positions for space in _solve_afresh(rules).subspaces)
        peer = _openspiel_time(PEER_GAMES[name]) if name in PEER_GAMES else None
        rows.append(
            {
                "game": name,
                "positions": positions,
                "first ms": round(first * 1000),
                "ms": round(best * 1000, 1),
                "million/s": round(positions / best / 1e6, 1),
                "peak MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
                "OpenSpiel ms": None if peer is None else round(peer * 1000),
                "ratio": None if peer is None else round(peer / best),
            }
        )
    return rows


def bench_start(progress: Progress) -> list[Row]:
    """Cold starts, each in a process of its own."""
    commands = {
        "python, doing nothing": ["-c", ""],
        "import noughts": ["-c", "import noughts"],
        "noughts value tictactoe": ["-m", "noughts", "value", "tictactoe"],
        "noughts value achi": ["-m", "noughts", "value", "achi"],
        "noughts value square4": ["-m", "noughts", "value", "square4"],
    }
    rows = []
    for number, (name, arguments) in enumerate(commands.items()):
        progress(number, len(commands))
        best = min(_process_time([sys.executable, *arguments]) for _ in range(5))
        rows.append({"command": name, "seconds": round(best, 3)})
    return rows


def bench_replies(progress: Progress) -> list[Row]:
    """What the 1990 machines need to answer each opening."""
    rules = game("tictactoe")
    rows = []
    for number, opening in enumerate(rules.board.points):
        progress(number, len(rules.board))
        position = rules.play(opening)
        row: Row = {"opening": opening}
        for name in ("c1990", "chip1990"):
            machine = player(name)
            began = perf_counter()
            choice = machine.choose(rules, position)
            row["reply"] = rules.write_move(choice.move)
            row["nodes" if choice.nodes else "cycles"] = choice.nodes or choice.cycles
            row[f"{name} ms"] = round((perf_counter() - began) * 1000, 1)
            if choice.cycles:
                row["ms at 6 MHz"] = round(choice.cycles / 6000, 2)
        rows.append(row)
    return rows


BENCHES: dict[str, Callable[[Progress], list[Row]]] = {
    "solve": bench_solve,
    "start": bench_start,
    "replies": bench_replies,
}


def _solve_afresh(rules: Game) -> Any:
    """Solve without looking at what was solved before."""
    from noughts.solve import layers  # noqa: PLC0415
    from noughts.solve.moving import solve_moving  # noqa: PLC0415
    from noughts.solve.placing import solve_placing  # noqa: PLC0415

    layers.index.cache_clear()
    return solve_placing(rules) if rules.placing_only else solve_moving(rules)


def _solving_time(rules: Game) -> float:
    began = perf_counter()
    _solve_afresh(rules)
    return perf_counter() - began


def _openspiel_time(name: str) -> float | None:
    if find_spec("pyspiel") is None:
        return None
    solver = import_module("open_spiel.python.algorithms.minimax_solver").MinimaxSolver(name)
    began = perf_counter()
    solver.solve()
    return perf_counter() - began


def _process_time(command: list[str]) -> float:
    began = perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - began
