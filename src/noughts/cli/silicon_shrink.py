"""The command `noughts silicon shrink`: look for a smaller logic, and keep the best whatever happens."""

import os
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer

from noughts import __version__
from noughts.cli.arguments import Json, output_file, whole_number
from noughts.cli.output import emit, note, progress_line, write_file
from noughts.cli.silicon_logic import open_netlist
from noughts.extras import need
from noughts.games import NoughtsError

__all__ = ["shrink"]


def shrink(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="A, A-any, B, C, D, E-B, E-C or E-D: see docs/logic.md.")],
    seconds: Annotated[
        int, typer.Option(parser=whole_number(1, 604_800), help="How long to look.", show_default=True)
    ] = 60,
    rounds: Annotated[
        int | None,
        typer.Option(parser=whole_number(1, 10**9), help="How many rounds instead: the same netlist on every machine."),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The netlist to begin with, a file or logic-A; else the best that is known."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(parser=output_file, metavar="FILE", help="Write the best netlist here.")
    ] = None,
    seed: Annotated[int, typer.Option(parser=whole_number(0, 2**31), help="Another seed is another search.")] = 0,
    json: Json = False,
) -> None:
    """Look for a logic with fewer gates of two inputs that does what a specification wants.

    The netlist to begin with and every better one, of fewer gates or of as many and fewer levels, are tried in every
    position and written to --out at once; Ctrl-C ends the search and keeps the best.

    For example: noughts silicon shrink E-C --seconds 600 --out e-c.txt, then noughts silicon check e-c.txt --spec E-C
    """
    need("numba", "silicon shrink")
    from noughts.silicon.logic.best import known  # noqa: PLC0415
    from noughts.silicon.logic.conditions import conditions  # noqa: PLC0415  loads the solver
    from noughts.silicon.logic.netlist import write_netlist  # noqa: PLC0415
    from noughts.silicon.logic.shrink import shrink as search  # noqa: PLC0415  loads the compiler
    from noughts.silicon.logic.specification import specification  # noqa: PLC0415
    from noughts.silicon.logic.verify import verify  # noqa: PLC0415

    wanted = specification(spec)
    # Whoever does A does all the others.
    name = start or f"logic-{wanted.name if wanted.name in known() else 'A'}"
    netlist, _ = open_netlist(name)
    began, smallest, last, stopped = monotonic(), netlist, None, False

    def text(netlist: Any, done: Any) -> str:
        made = f"noughts silicon shrink {wanted.name} --start {Path(name).name} --seed {seed} --rounds {done.number}"
        if not done.number:
            made = f"as {Path(name).name}, with which the search began"
        about = f"{wanted.name}: {wanted.about}. {len(netlist.gates)} gates.\n"
        return write_netlist(netlist, f"{about}Who and when: noughts {__version__}. How made: {made}")

    try:
        with progress_line() as say:
            say("compiling the search")
            for done in search(conditions(wanted), netlist, seed=seed, threads=os.cpu_count() or 1):
                # What the search begins with is written as well, so that a place that takes nothing is known before.
                if last is None or done.best != smallest:
                    verdict = verify(done.best, wanted)
                    # They share nothing; if they disagree, one of them has a fault.
                    if not verdict.holds:
                        raise NoughtsError(
                            f"the search and the check disagree, and the netlist is not kept: {verdict.counterexample}"
                        )
                    if out is not None:
                        write_file(out, text(done.best, done))
                    smallest = done.best
                if not done.number:
                    began = monotonic()
                last = done
                say(f"{wanted.name}: {len(smallest.gates)} gates, {done.steps:,} changes tried")
                if done.number and (done.number >= rounds if rounds else monotonic() - began >= seconds):
                    break
    except KeyboardInterrupt:
        if last is None:
            raise
        stopped = True
    assert last is not None
    if stopped:
        where = "is not kept: expected --out FILE" if out is None else f"is in {str(out)!r}"
        note(f"interrupted: the best netlist so far, {len(smallest.gates)} gates, {where}")
        raise typer.Exit(130)
    answer = {"specification": wanted.name, "start": name, "from_gates": len(netlist.gates)}
    answer |= {"gates": len(smallest.gates), "rounds": last.number, "changes": last.steps, "seed": seed}
    if json:
        emit({**answer, "file": None if out is None else str(out), "seconds": round(monotonic() - began, 1)})
        return
    print(f"{wanted.name}: {len(smallest.gates)} gates, from {len(netlist.gates)}; {last.steps:,} changes tried")
    if out is not None:
        print(out)
