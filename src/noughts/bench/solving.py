"""How fast games are solved: small ones whole, next to a peer where it is installed, and Qubic by its proof."""

import resource
from collections.abc import Callable, Sequence
from importlib import import_module, resources
from importlib.util import find_spec
from random import Random
from time import perf_counter
from typing import Any

import numpy as np

from noughts.games import Game
from noughts.games import game as find_game
from noughts.games.points import point_set
from noughts.players import player
from noughts.solve import Progress, Subspace
from noughts.solve.small import solvable

__all__ = ["bench_qubic", "bench_solve"]

Row = dict[str, Any]
Solve = Callable[[Game], Sequence[Subspace]]

PEER_GAMES = {"tictactoe": "tic_tac_toe", "mnk:4,3,3": "mnk(m=4,n=3,k=3)"}
"""What OpenSpiel calls the games it can solve within a minute."""


def bench_solve(progress: Progress) -> list[Row]:
    """Every position solved from nothing, next to OpenSpiel's MinimaxSolver where that is installed.

    Where there is a GPU, boards of 25 cells on it as well; again, X's sets are listed already.
    """
    names = ["tictactoe", "mnk:4,3,3", "square4", "mnk:6,3,3", "mnk:7,3,3", "achi", "arabian", "three-mens-morris"]
    work: list[tuple[str, str, Solve]] = [(name, name, _solve_afresh) for name in names]
    if _has_gpu():
        work += [(f"{name}, GPU", name, _solve_on_gpu) for name in ("mnk:5,5,4", "mnk:5,5,5")]
    rows = []
    for number, (what, name, solve) in enumerate(work):
        progress(number, len(work))
        game = find_game(name)
        first = _solving_time(game, solve)
        best = min(_solving_time(game, solve) for _ in range(5))
        positions = sum(space.positions for space in solve(game))
        peer = _openspiel_time(PEER_GAMES[name]) if what in PEER_GAMES else None
        rows.append(
            {
                "game": what,
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

    random, refuted, moves = Random(1), new_refuted(), np.empty(64, np.int64)
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
    game = find_game("qubic")
    times: list[float] = []
    for number in range(10_000):
        opponent = ["random", "basic2", "basic3", "perfect"][number % 4]
        seats = [player("perfect", number), player(opponent, number)]
        side = number // 4 % 2
        position = game.start()
        while game.moves(position) and len(times) <= count:
            mover = seats[0] if position.turn == side else seats[1]
            began = perf_counter()
            choice = mover.choose(game, position)
            if mover.name == "perfect":
                times.append(perf_counter() - began)
            position = game.after(position, choice.move)
        if len(times) > count:
            break
    return times[1:]


def _solve_afresh(game: Game) -> Sequence[Subspace]:
    """Solve without looking at what was solved before."""
    if not solvable(game):
        from noughts.solve.layers.making import solve_layers  # noqa: PLC0415
        from noughts.solve.layers.numbering import classes_of  # noqa: PLC0415

        classes_of.cache_clear()
        return solve_layers(game)
    from noughts.solve.moving import solve_moving  # noqa: PLC0415
    from noughts.solve.placing import index_of, solve_placing  # noqa: PLC0415

    index_of.cache_clear()
    return (solve_placing(game) if game.placing_only else solve_moving(game)).subspaces


def _has_gpu() -> bool:
    if find_spec("numba_cuda") is None:
        return False
    from numba import cuda  # noqa: PLC0415

    return bool(cuda.is_available())  # type: ignore[no-untyped-call]


def _solve_on_gpu(game: Game) -> Sequence[Subspace]:
    """For the counts alone."""
    from noughts.solve.layers.gpu import GpuSolver  # noqa: PLC0415  needs a GPU
    from noughts.solve.layers.making import solve_layers  # noqa: PLC0415

    return solve_layers(game, solver=GpuSolver(game, keep=False))


def _solving_time(game: Game, solve: Solve) -> float:
    began = perf_counter()
    solve(game)
    return perf_counter() - began


def _openspiel_time(name: str) -> float | None:
    if find_spec("pyspiel") is None:
        return None
    solver = import_module("open_spiel.python.algorithms.minimax_solver").MinimaxSolver(name)
    began = perf_counter()
    solver.solve()
    return perf_counter() - began
