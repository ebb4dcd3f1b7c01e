"""The measurements that README and docs quote.

The machines are shared and noisy: so each figure is the best of several runs, and what is compared is
measured in the same run, as a ratio.
"""

import resource
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module, resources
from importlib.util import find_spec
from random import Random
from time import perf_counter
from typing import Any

import numpy as np

from noughts.cli.bench_morris import bench_morris
from noughts.cli.bench_web import bench_web
from noughts.games import Game, game
from noughts.games.points import point_set
from noughts.players import player
from noughts.silicon.tools import need_package
from noughts.solve import Progress

__all__ = ["BENCHES"]

Row = dict[str, Any]

FALLIBLE_GAMES = 5_000
"""How many games each player plays against each fallible opponent."""

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
    for number, opening in enumerate(rules.layout.points):
        progress(number, len(rules.layout))
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


def bench_qubic(progress: Progress) -> list[Row]:
    """Chains of threats, the proof, the check, and the replies of `perfect`."""
    from noughts.solve.qubic import check, prove  # noqa: PLC0415
    from noughts.solve.qubic.dictionary import shipped_dictionary  # noqa: PLC0415

    steps = 5
    progress(0, steps)
    rows: list[Row] = [{"what": "threats tried a second", "figure": round(_threats_a_second())}]
    progress(1, steps)
    prove.prove()
    proof = prove.prove()
    rows.append({"what": "seconds to prove that the first player wins", "figure": round(proof.seconds, 1)})
    rows.append({"what": "strategic moves of that proof", "figure": len(proof.strategic)})
    progress(2, steps)
    shipped = shipped_dictionary()
    rows.append({"what": "strategic moves of the certificate shipped", "figure": len(shipped.entries)})
    size = (resources.files("noughts.solve.qubic") / "proof.txt.gz").stat().st_size  # type: ignore[attr-defined]
    rows.append({"what": "bytes of the certificate shipped", "figure": size})
    began = perf_counter()
    verdict = check.check(shipped)
    rows.append({"what": "seconds to check it", "figure": round(perf_counter() - began, 1)})
    rows.append({"what": "positions checked", "figure": verdict.positions})
    progress(4, steps)
    times = sorted(_perfect_replies(1000))
    for share in (50, 90, 99, 100):
        seconds = times[min(len(times) - 1, len(times) * share // 100)]
        rows.append(
            {"what": f"milliseconds of a reply of perfect, {share}th percentile", "figure": round(seconds * 1000, 1)}
        )
    rows.append({"what": "peak MB", "figure": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024})
    return rows


def _threats_a_second() -> float:
    """Whole searches from quiet random positions with nine stones each, until half a million threats are tried."""
    from noughts.solve.qubic.chains import fourth_cells, new_refuted, search  # noqa: PLC0415

    random, refuted, moves = Random(1), new_refuted(20), np.empty(64, np.int64)
    nodes, seconds = 0, 0.0
    search(np.uint64(1), np.uint64(2), 1, refuted, moves)
    while nodes < 500_000:
        cells = random.sample(range(64), 18)
        x, o = (np.uint64(point_set(half)) for half in (cells[:9], cells[9:]))
        if fourth_cells(x, o) or fourth_cells(o, x):
            continue
        began = perf_counter()
        _, _, tried = search(x, o, 10_000_000, refuted, moves)
        seconds += perf_counter() - began
        nodes += tried
    return nodes / seconds


def _perfect_replies(count: int) -> list[float]:
    """How long `perfect` thinks, on either side, in games against four opponents."""
    rules = game("qubic")
    times: list[float] = []
    for number in range(10_000):
        opponent = ["random", "basic2", "basic3", "perfect"][number % 4]
        seats = [player("perfect", number), player(opponent, number)]
        side = number // 4 % 2
        position = rules.start()
        while rules.moves(position) and len(times) <= count:
            mover = seats[0] if position.turn == side else seats[1]
            began = perf_counter()
            choice = mover.choose(rules, position)
            if mover.name == "perfect":
                times.append(perf_counter() - began)
            position = rules.after(position, choice.move)
        if len(times) > count:
            break
    return times[1:]


def bench_difficulty(progress: Progress) -> list[Row]:
    """Does difficulty pay? Wins against fallible opponents, played and expected (`noughts.arena.fallible`)."""
    from noughts.arena.fallible import POLICIES, Lore, expectation, experiment  # noqa: PLC0415

    names, chances = ("tictactoe", "mnk:5,2,3", "mnk:6,2,3"), (0.1, 0.2, 0.3, 0.4, 0.5)
    rows: list[Row] = []
    for name in names:
        lore = Lore(game(name))
        for chance in chances:
            row: Row = {"game": name, "p": chance}
            for policy in POLICIES:
                found = experiment(lore, policy, chance, FALLIBLE_GAMES, 1)
                low, high = found.win_rate
                exact = sum(expectation(lore, policy, chance, side, lore.game.start()) for side in (0, 1)) / 2
                row[policy] = f"{found.wins / found.games:.2%}"
                row[f"{policy} 95 %"] = f"{low:.2%} to {high:.2%}"
                row[f"{policy} exact"] = f"{exact:.2%}"
            rows.append(row)
            progress(len(rows), len(names) * len(chances))
    return rows


def bench_silicon(progress: Progress) -> list[Row]:
    """Cycles, sizes and speed of the chips, a column each, next to what their sources report."""
    need_package("amaranth", "bench silicon")
    from noughts.silicon.designs import DESIGNS  # noqa: PLC0415
    from noughts.silicon.figures import figures  # noqa: PLC0415

    measured = []
    for number, design in enumerate(DESIGNS.values()):
        progress(number, len(DESIGNS))
        measured.append(figures(design))
    names = list(dict.fromkeys(name for row in measured for name in row if name != "design"))
    return [{"figure": name} | {row["design"]: row.get(name) for row in measured} for name in names]


BENCHES: dict[str, Callable[[Progress], list[Row]]] = {
    "solve": bench_solve,
    "start": bench_start,
    "replies": bench_replies,
    "qubic": bench_qubic,
    "difficulty": bench_difficulty,
    "silicon": bench_silicon,
    "web": bench_web,
    "morris": bench_morris,
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
