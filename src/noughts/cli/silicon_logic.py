"""The part of `noughts silicon check` that takes a netlist, not a design: what it does, and what it is made of."""

import sys
from pathlib import Path
from typing import Any

import typer

from noughts.cli.output import emit, note, progress_line, write_file
from noughts.games import NoughtsError
from noughts.silicon.tools import ToolError

__all__ = ["check_netlist", "is_netlist", "open_netlist"]

_RECORD = "logic-"
"""What the name of a netlist that comes with Noughts begins with."""


def is_netlist(name: str) -> bool:
    """Whether what was given is a netlist: the name of a file, - or logic-A, and not that of a design."""
    from noughts.silicon.designs import DESIGNS  # noqa: PLC0415

    if name in DESIGNS:
        return False
    return name == "-" or name.lower().startswith(_RECORD) or "/" in name or "." in name or Path(name).is_file()


def check_netlist(name: str, spec: str | None, *, mapped: bool, svg: Path | None, json: bool) -> None:
    """Try a netlist against one specification, or against all, and count what it is made of."""
    from noughts.silicon.logic.counts import MOST_SECONDS, Mapped, counts  # noqa: PLC0415
    from noughts.silicon.logic.counts import mapped as map_netlist  # noqa: PLC0415
    from noughts.silicon.logic.specification import SPECIFICATIONS, specification  # noqa: PLC0415
    from noughts.silicon.logic.verify import verify  # noqa: PLC0415

    wanted = list(SPECIFICATIONS.values()) if spec is None else [specification(spec)]
    netlist, wide = open_netlist(name)
    verdicts, skipped = [], ""
    with progress_line() as say:
        for asked in wanted:
            say(f"trying {asked.name}")
            verdicts.append(verify(netlist, asked))
        answer: dict[str, Any] = {"file": name, **counts(netlist)._asdict(), "wide_covers": wide}
        if mapped:
            say(f"making LUTs and cells of {len(netlist.gates):,} gates, {MOST_SECONDS} seconds at most")
            try:
                answer |= map_netlist(netlist)._asdict()
            except ToolError as error:
                answer |= dict.fromkeys(Mapped._fields)
                skipped = str(error)
    if svg:
        from noughts.silicon.pictures.netlist import circuit_file  # noqa: PLC0415

        write_file(svg, circuit_file(netlist))
    answer["specifications"] = [verdict._asdict() for verdict in verdicts]
    if json:
        emit(answer)
    else:
        _say(answer, [asked.about for asked in wanted])
    if skipped:
        note(f"skipped: {skipped}")
    if not any(verdict.holds for verdict in verdicts):
        raise typer.Exit(1)


def open_netlist(name: str) -> tuple[Any, int]:
    """The netlist of a file, of standard input or of a record, and how many covers of it are no gates."""
    from noughts.silicon.logic.best import best_text  # noqa: PLC0415
    from noughts.silicon.logic.blif import is_blif, read_blif  # noqa: PLC0415
    from noughts.silicon.logic.netlist import MOST_TEXT, read_netlist  # noqa: PLC0415

    if name.lower().startswith(_RECORD) and not Path(name).exists():
        text = best_text(name[len(_RECORD) :])
    elif name == "-":
        text = sys.stdin.read(MOST_TEXT + 1)
    else:
        try:
            with Path(name).open(encoding="utf-8", errors="replace") as opened:
                text = opened.read(MOST_TEXT + 1)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise NoughtsError(f"{name[:200]!r} cannot be read: {reason}; expected a netlist or a design") from error
    return read_blif(text) if is_blif(text) else (read_netlist(text), 0)


def _say(answer: dict[str, Any], about: list[str]) -> None:
    gates = f"{answer['gates']:,} gate{'' if answer['gates'] == 1 else 's'} of two inputs"
    unused = f", {answer['unused']} of them lead to no output" if answer["unused"] else ""
    print(f"{answer['file']}: {gates}{unused}")
    if answer["wide_covers"]:
        print(f"{answer['wide_covers']} covers depend on more than two signals: counted as ANDs and ORs of two inputs")
    kinds = [f"{answer[f'{kind}_like']} like {kind.upper()}" for kind in ("and", "or", "xor")]
    other = f", {answer['other']} of fewer inputs" if answer["other"] else ""
    inverters = f"{answer['inverters']} inverter{'' if answer['inverters'] == 1 else 's'}"
    print(f"{', '.join(kinds)}{other}; {inverters} beside them")
    print(f"depth {answer['depth']}, {answer['transistors']:,} transistors in static CMOS")
    if answer.get("luts4") is not None:
        print(f"Yosys makes {answer['luts4']} LUTs of four inputs of it, {answer['luts6']} of six")
        if answer["cells"] is not None:
            print(f"and {answer['cells']} cells of osu035, the area of {answer['nand2']:g} NANDs")
    for verdict, words in zip(answer["specifications"], about, strict=True):
        word = "yes" if verdict["holds"] else "no "
        print(f"{word}  {verdict['specification']}: {words}")
        asked = f"asked in {verdict['positions']:,} positions"
        if verdict["holds"]:
            games = f"; of the games against it {verdict['wins']:,} are won, {verdict['draws']:,} drawn, 0 lost"
            print(f"     {asked}{games if verdict['wins'] or verdict['draws'] else ''}")
        else:
            print(f"     {verdict['counterexample']}")
