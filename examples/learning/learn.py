"""Agents learn two games in four ways, and are judged exactly: python examples/learning/learn.py --out learning.svg

A run is a learner (a table or a network) with a teacher (`teachers.py`). Now and then its **exploitability** is worked
out: what a best response would gain against it, the mean over both sides, 0 if nobody does better than against perfect
play. Every curve is the mean of runs that differ in their seeds alone; the same seeds give the same curves.

The picture goes to --out, what was measured beside it, as JSON; `--redraw` makes the picture of that again. Ctrl-C ends
the work and keeps what was measured so far.
"""

import argparse
import json
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from multiprocessing import get_context
from multiprocessing.pool import Pool
from pathlib import Path
from time import process_time
from typing import NamedTuple, TypedDict

from lessons import Classroom, Learner
from network import Network
from noughts.cli.output import check_writable, note, progress_bar, write_file
from noughts.games import NoughtsError
from noughts.rl.batch import Batch
from noughts.rl.evaluation import Judge
from plot import draw
from table import Table
from teachers import TEACHERS, Known, policy_of

MARKS = 12
"""How often a learner is judged: after a hundredth of its rounds, after the last, and in equal ratios between."""
MOST_PROCESSES = 64
EXPLORE = 0.3
"""How often a learner tries any move."""


class Course(NamedTuple):
    """What is learned by whom: so many runs of so many rounds, in each of which so many games go on side by side."""

    game: str
    learner: str
    teacher: str
    runs: int
    rounds: int
    boards: int
    explore: float = EXPLORE
    renewed: int = 20
    """Rounds after which an exploiter is worked out anew."""


class Run(TypedDict):
    """What was measured of one learner."""

    game: str
    learner: str
    teacher: str
    seed: int
    games: list[int]
    """How many games were over when it was judged."""
    exploitability: list[float]
    mistakes: float | None
    """At the end: in what share of all positions it gives value away; of the first run alone."""
    seconds: float
    """Of one processor, without the judging."""


def courses() -> list[Course]:
    """All of them, in the order of the picture."""
    found = []
    for game, learner, runs, rounds, boards, teachers in (
        ("tictactoe", "table", 6, 600, 16, TEACHERS),
        ("mnk:4,4,3", "table", 3, 300, 64, TEACHERS),
        ("tictactoe", "network", 3, 400, 64, TEACHERS),
        ("mnk:4,4,3", "network", 2, 200, 64, TEACHERS),
    ):
        found += [Course(game, learner, teacher, runs, rounds, boards) for teacher in teachers]
    return [_tailored(course) for course in found]


def _tailored(course: Course) -> Course:
    """At tic-tac-toe a best response takes a hundredth of a second: so a table has a new one after every two games."""
    if course[:3] == ("tictactoe", "table", "exploiter"):
        return course._replace(boards=2, explore=0, rounds=400, renewed=1)
    return course


@lru_cache(maxsize=1)
def judge_of(game: str) -> Judge:
    """The judge of a game, who has listed all its positions."""
    return Judge(game)


def learn(course: Course, seed: int) -> Run:
    """One run."""
    judge = judge_of(course.game)
    game = judge.game
    learner: Learner = Table(game, seed) if course.learner == "table" else Network(game, seed, course.rounds)
    classroom = Classroom(Batch(game, course.boards, seed=seed), course.explore, seed)
    known = Known(judge, seed)
    teacher = known.against("perfect") if course.teacher == "perfect" else None
    marks = {0, *(round(course.rounds * 100 ** (mark / MARKS - 1)) for mark in range(MARKS + 1))}
    games, exploitability, seconds = [], [], 0.0
    for at in range(course.rounds + 1):
        began = process_time()
        if at in marks:
            games.append(classroom.games)
            exploitability.append(judge.exploitability(policy_of(learner)))
            began = process_time()
        if at == course.rounds:
            break
        if course.teacher == "exploiter" and at % course.renewed == 0:
            teacher = known.against(judge.response(policy_of(learner)))
        lessons = classroom.play(learner, teacher, len(game.layout))
        learner.study([known.tell(lesson) for lesson in lessons] if course.teacher == "told" else lessons)
        seconds += process_time() - began
    return Run(
        game=course.game,
        learner=course.learner,
        teacher=course.teacher,
        seed=seed,
        games=games,
        exploitability=exploitability,
        mistakes=None if seed else round(judge.mistakes(policy_of(learner)), 6),
        seconds=round(seconds, 2),
    )


@contextmanager
def pool_of(processes: int) -> Iterator[Pool]:
    """Processes that learn: they leave Ctrl-C to the one that waits for them, from their first moment on."""
    waiting = signal.signal(signal.SIGINT, signal.SIG_IGN)  # which they inherit, even while they still import
    try:
        pool = get_context("spawn").Pool(processes)
    finally:
        signal.signal(signal.SIGINT, waiting)
    with pool:
        yield pool


def _learn(work: tuple[Course, int]) -> Run:
    return learn(*work)


def learn_all(chosen: Iterable[Course], processes: int) -> tuple[list[Run], bool]:
    """All runs, in the order of the courses, and whether none is missing."""
    work = [(course, seed) for course in chosen for seed in range(course.runs)]
    order = {(*course[:3], seed): number for number, (course, seed) in enumerate(work)}
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")  # a core for every process, in which NumPy starts
    runs: list[Run] = []
    try:
        with pool_of(processes) as pool, progress_bar("learning") as progress:
            for run in pool.imap_unordered(_learn, work):
                runs.append(run)
                progress(len(runs), len(work))
    except KeyboardInterrupt:
        kept = ", which are kept" if runs else ": nothing to keep"
        note(f"ended after {len(runs)} of {len(work)} runs{kept}")
    runs.sort(key=lambda run: order[run["game"], run["learner"], run["teacher"], run["seed"]])
    return runs, len(runs) == len(work)


def settled(run: Run) -> int | None:
    """After how many games the exploitability was 0 whenever it was judged; None if it was not at the end."""
    found = None
    for games, value in zip(run["games"][::-1], run["exploitability"][::-1], strict=True):
        if value > 0:
            break
        found = games
    return found


def summary(runs: list[Run]) -> str:
    """A line for every curve: how many of its runs came to exploitability 0 for good, and after how many games."""
    lines = ["game       learner  teacher    runs at 0  from game  games played  mistakes  seconds"]
    for name in dict.fromkeys((run["game"], run["learner"], run["teacher"]) for run in runs):
        own = [run for run in runs if (run["game"], run["learner"], run["teacher"]) == name]
        ends = [found for found in map(settled, own) if found is not None]
        since = f"{sum(ends) / len(ends):,.0f}" if ends else "-"
        games = sum(run["games"][-1] for run in own) / len(own)
        seconds = sum(run["seconds"] for run in own) / len(own)
        mistakes = next((f"{run['mistakes']:.1%}" for run in own if run["mistakes"] is not None), "-")
        game, learner, teacher = name
        lines.append(
            f"{game:9}  {learner:7}  {teacher:9}  {len(ends):4} of {len(own)}  {since:>9}  {games:12,.0f}  "
            f"{mistakes:>8}  {seconds:7.1f}"
        )
    return "\n".join(lines)


def redrawn(data: Path) -> str:
    """The picture of what was measured before."""
    expected = "expected what was measured, by a run without --redraw"
    if not data.exists():
        raise NoughtsError(f"{str(data)!r} is not there: {expected}")
    try:
        return draw(json.loads(data.read_text())).svg()
    except (AttributeError, LookupError, TypeError, ValueError):
        raise NoughtsError(f"{str(data)!r} cannot be drawn: {expected}") from None


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("learning.svg"), help="the picture (learning.svg)")
    parser.add_argument("--redraw", action="store_true", help="learn nothing: draw what is beside the picture")
    parser.add_argument("--only", default="", help="the courses with this word alone: tictactoe, network, told …")
    parser.add_argument(
        "--processes", type=int, default=min(os.cpu_count() or 1, 4), help="runs at once (one a core, up to 4)"
    )
    given = parser.parse_args()
    data = given.out.with_suffix(".json")
    if given.out == data:
        parser.error(f"--out {str(data)!r} is where what was measured goes: expected a picture, as learning.svg")
    try:
        check_writable(given.out)
        if given.redraw:
            write_file(given.out, redrawn(data))
            return 0
        check_writable(data)
        chosen = [course for course in courses() if given.only in ("", *course[:3])]
        if not chosen:
            parser.error(f"--only {given.only!r}: expected a game, a learner or a teacher, as tictactoe, table or told")
        if not 1 <= given.processes <= MOST_PROCESSES:
            parser.error(f"--processes {given.processes}: expected 1 to {MOST_PROCESSES}")
        runs, complete = learn_all(chosen, given.processes)
        if runs:
            write_file(data, json.dumps(runs, indent=None).replace("}, {", "},\n{") + "\n")
            write_file(given.out, draw(runs).svg())
            print(summary(runs))
    except (NoughtsError, OSError) as error:
        note(f"error: {error}")
        return 2
    return 0 if complete else 130


if __name__ == "__main__":
    sys.exit(main())
